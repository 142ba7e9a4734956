"""The cells of one turn: in the conversation's session, or, approved, in the kernel; in a notebook where one is."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypeVar

from qdash_jupyter.cells.host import InlineRunner, Publish
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.lab import LabCells
from qdash_jupyter.cells.scopes import parsed
from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.kernel.session_cells import SessionCells
from qdash_jupyter.messages.message import Message

Value = TypeVar("Value")

_LOOKS = {"columns", "dtypes", "shape", "index", "info", "head", "tail", "describe", "keys", "nunique", "unique"}


@dataclass(eq=False)
class TurnCells:
    """The place for the cells of one turn (see `qdash_jupyter.cells.host.CellHost`).

    In the kernel: inline on the main thread when somebody waits for the turn there; else in a notebook; else inline
    when the kernel is idle, or when somebody comes to wait. All on the agent's loop.

    The notebook keeps what a reader wants: a cell that failed, or only looked at what there is, is replaced by the next
    one, and the same code is not run twice.
    """

    session: SessionCells
    inline: InlineCellHost
    notebook: LabCells | None
    runner: InlineRunner
    place: CellPlace
    """That of the last cell."""
    unseen: bool = False
    ours: bool = False
    """Whether the code is this package's, and no names are a user's: then no wall is needed."""
    has_kernel = True
    _fetched: set[str] = field(default_factory=set)  # keys of results that cells of this turn fetch
    _replaced: str | None = None  # the next cell takes the place of this one
    _last: CellRun | None = None

    async def run(self, request: CellRequest, publish: Publish) -> CellRun:
        """Run the code in the session, or `ours` here, and return when it is done."""
        if (last := self._last) is not None and _is_same(last.request, request):
            return replace(last, charts=())  # which are shown
        if self.ours:
            return await self.run_in_kernel(request, publish)
        request = replace(self._next(request), instead_of=self._replaced)
        cell = await self._shown(request)
        try:
            run = await self.session.run(request, cell, self, publish)
        except asyncio.CancelledError:
            if cell is not None and not cell.has_begun and self.notebook is not None:
                self.notebook.remove_cell(request.cell_id)
            raise
        if run.effects and cell is not None and self.notebook is not None:
            self.notebook.remove_cell(request.cell_id)  # run with the notebook, it would do what it may not
            run = replace(run, in_notebook=False)
        return self._noted(run)

    async def run_in_kernel(self, request: CellRequest, publish: Publish) -> CellRun:
        """Run the code in the kernel and return when it is done."""
        request = replace(self._next(request), instead_of=self._replaced)
        cell = await self._shown(request)
        run = await self._run_inline(request, cell, publish)
        self.session.carried.lost(run.created)  # what the session has of these is older
        noted = self._noted(run)
        self._last = None  # what had an effect has it again
        return noted

    def before(self, code: str) -> list[str]:
        """The earlier code that has to run in the kernel before this could."""
        return self.session.carried.before(code)[0]

    @property
    def is_busy(self) -> bool:
        """Whether a cell of the user's keeps the main thread, and nobody waits there for this turn."""
        return self.notebook is not None and self.notebook.busy and not self.runner.runs_inline.is_set()

    async def do(self, work: Callable[[], Value]) -> Value:
        """Have it done on the main thread, by whoever comes first to it."""
        done: Future[Value] = Future()

        def job() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:
                if not done.done():  # else an interrupt came just behind
                    done.set_exception(RuntimeError(f"interrupted: {error!r}"))
                raise

        self._post(job)
        return await asyncio.wrap_future(done)

    async def _shown(self, request: CellRequest) -> ShownCell | None:
        if self.notebook is None or self.unseen or self.runner.runs_inline.is_set():
            return None
        return await self.notebook.show(request, self.place)

    def _noted(self, run: CellRun) -> CellRun:
        request = run.request
        goes = bool(run.effects) or run.status is CellStatus.ERROR
        goes |= run.status is CellStatus.OK and _only_looks(run, request.code)
        self._replaced = request.cell_id if goes else None
        if not goes:
            self._fetched.update(key for key, _ in request.reads)
        self._last = run if run.status is CellStatus.OK else None
        return run

    async def insert(self, request: CellRequest) -> CellRun:
        """Have a cell inserted that the user may run."""
        request = self._next(request)
        if self.notebook is None or not await self.notebook.insert(request, self.place):
            return CellRun(request, CellStatus.REJECTED, reason=Message("not-run-no-notebook"))
        self._fetched.update(key for key, _ in request.reads)
        return CellRun(request, CellStatus.INSERTED, reason=Message("cell-to-be-run"), in_notebook=True)

    def _next(self, request: CellRequest) -> CellRequest:
        """The request with its number in the turn, and the lines that fetch what no cell of the turn has fetched."""
        self.place = replace(self.place, step=self.place.step + (self._replaced is None))
        lines = [line for key, line in request.reads if key not in self._fetched]
        return replace(request, before="".join(f"{line}\n" for line in lines))

    async def _run_inline(self, request: CellRequest, cell: ShownCell | None, publish: Publish) -> CellRun:
        in_notebook, loop = cell is not None, asyncio.get_running_loop()
        if self.is_busy or not (in_notebook or self.runner.runs_inline.is_set()):
            publish(CellMoved(request, "waiting", in_notebook=in_notebook))
        if cell is not None:
            cell.runs_in = "kernel"
            cell.wait()

        def begun(moved: CellMoved | CellWarned) -> None:
            if cell is not None:
                loop.call_soon_threadsafe(cell.begin)
            publish(moved)

        run: CellRun | None = None
        try:
            run = await self.inline.run(request, self._post, begun, cell)
        finally:
            publish(CellMoved(request, "finished", in_notebook=in_notebook))
            never_ran = run.status is CellStatus.REJECTED if run is not None else cell is None or not cell.has_begun
            if cell is not None and not never_ran:
                cell.end(cell.shown() if run is None else run.outputs, None if run is None else run.execution_count)
            elif cell is not None and self.notebook is not None:
                self.notebook.remove_cell(request.cell_id)
        is_deleted = cell is not None and cell.is_deleted and run.status is not CellStatus.INTERRUPTED
        return replace(run, status=CellStatus.DELETED) if is_deleted else run

    def _post(self, job: Callable[[], None]) -> None:
        """Call it once, by whoever comes first: who waits for the turn, or the kernel when it is idle."""
        taken = Lock()

        def first() -> None:
            if taken.acquire(blocking=False):
                job()

        self.runner.post(first)
        if self.notebook is not None and not self.runner.runs_inline.is_set():
            self.notebook.run_when_idle(first)


def _is_same(one: CellRequest, other: CellRequest) -> bool:
    return (one.code, one.reads) == (other.code, other.reads)


def _only_looks(run: CellRun, code: str) -> bool:
    """Whether the code has bound nothing, drawn nothing, and shows no more than what a table is like."""
    if run.created or run.charts:
        return False
    tree = parsed(code)
    if tree is None or not tree.body:  # magics; nothing but comments
        return False
    last = tree.body[-1]
    names = {node.attr for node in ast.walk(last) if isinstance(node, ast.Attribute)}
    return isinstance(last, ast.Expr) and bool(names & _LOOKS)

"""Where a turn's cells run: as cells of the notebook, else nested on the kernel's main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from qdash_jupyter.cells.inline import CellJob, InlineCellHost
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.session.records import AskedFrom

_REST_S = 2.5  # a cell of the notebook is asked for two seconds

_STAYS = {CellStatus.OK, CellStatus.ERROR, CellStatus.INTERRUPTED}


class NotebookCells(Protocol):
    """The notebooks of this kernel that are open in a browser (see `qdash_jupyter.cells.lab`)."""

    async def run(
        self,
        request: CellRequest,
        *,
        turn_id: str,
        step: int,
        preferred: str | None,
        moved: Callable[[CellMoved], None],
        taken_over: asyncio.Event | None,
    ) -> CellRun:
        """Run the code as a new cell of a notebook. Cancelled, it interrupts that cell.

        Raises:
            NoPage: no page can take it.
            TakenOver: `taken_over` was set before the cell began, which now never will.
        """
        ...

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        """Call `job` on the main thread while the kernel runs no cell; False where there is no kernel."""
        ...


class CellTurn(Protocol):
    """The turn that a cell belongs to."""

    @property
    def turn_id(self) -> str:
        """Which."""
        ...

    @property
    def asked_from(self) -> AskedFrom:
        """Where the question was asked."""
        ...

    @property
    def waited_for(self) -> bool:
        """Whether somebody waits for the turn on the main thread, and runs its cells there."""
        ...

    @property
    def taken_over(self) -> asyncio.Event:
        """Set when that begins."""
        ...

    def post(self, job: CellJob) -> None:
        """Give a cell to whoever waits, now or later."""
        ...

    def moved(self, event: CellMoved) -> None:
        """A cell is at another stage. From any thread."""
        ...


@dataclass(slots=True)
class _Steps:
    """The cells of one turn so far; `last` is the one that stands in the notebook."""

    turn_id: str
    count: int = 0
    last: str | None = None


class TurnCellHost:
    """The place for the cells of whichever turn runs (see `qdash_jupyter.cells.host.CellHost`).

    Nested on the main thread when somebody waits for the turn there; else in a notebook; else nested when the kernel is
    idle; else when somebody comes to wait. All on the agent's loop.
    """

    def __init__(
        self,
        shell: InteractiveShell,
        namespace: Namespace,
        notebook: NotebookCells | None,
        current: Callable[[], CellTurn | None],
    ) -> None:
        """`current` gives the running turn."""
        self._inline = InlineCellHost(shell, namespace, self._post)
        self._notebook = notebook
        self._current = current
        self._steps = _Steps("")
        self._tasks: set[asyncio.Task[object]] = set()

    async def run(self, request: CellRequest) -> CellRun:
        """Run the code and return when it is done."""
        turn = self._current()
        if turn is None:
            reason = "Code runs as a part of a question only, and none is running."
            return CellRun(request=request, status=CellStatus.REJECTED, reason=reason)
        if self._steps.turn_id != turn.turn_id:
            self._steps = _Steps(turn.turn_id)
        steps = self._steps
        steps.count += 1
        request = replace(request, after=steps.last or turn.asked_from.cell_id)
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - this is a coroutine of the agent's loop
        self._tasks.add(task)
        try:
            run = await self._in_notebook(request, turn, steps.count)
            if run is None:
                return await self._nested(request, turn)
        finally:
            self._tasks.discard(task)
        if run.status in _STAYS:
            steps.last = request.cell_id
        return replace(run, in_notebook=True)

    async def at_rest(self) -> None:
        """Wait until no cell runs any more that was asked to stop; not for ever, should it not listen."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_REST_S)

    async def _in_notebook(self, request: CellRequest, turn: CellTurn, step: int) -> CellRun | None:
        """The run in a notebook; None where there is none for it."""
        if self._notebook is None or turn.waited_for:
            return None
        from qdash_jupyter.cells.lab import NoPage, TakenOver

        try:
            return await self._notebook.run(
                request,
                turn_id=turn.turn_id,
                step=step,
                preferred=turn.asked_from.client_id,
                moved=turn.moved,
                taken_over=turn.taken_over,
            )
        except (NoPage, TakenOver):
            return None

    async def _nested(self, request: CellRequest, turn: CellTurn) -> CellRun:
        def began() -> None:
            turn.moved(CellMoved(request, "running", in_notebook=False))

        if not turn.waited_for:
            turn.moved(CellMoved(request, "waiting", in_notebook=False))
        try:
            return await self._inline.run(request, began)
        finally:
            turn.moved(CellMoved(request, "finished", in_notebook=False))

    def _post(self, job: CellJob) -> None:
        turn = self._current()
        assert turn is not None  # noqa: S101 - `run` has looked
        turn.post(job)
        if self._notebook is not None and not turn.waited_for:
            # Somebody may come to wait before the kernel is idle: whoever comes first runs it.
            self._notebook.run_when_idle(job.run)

"""Runs the code of one conversation in its confined session, beside the kernel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.host import Publish
from qdash_jupyter.cells.inline import numbered
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.renaming import bound_names, with_copies
from qdash_jupyter.cells.shown_cell import ShownCell
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.consent import Effect, EffectKind, why_not_run
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.kernel.carried import Carried, CarriedNames
from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker.channel import Given
from qdash_jupyter.worker.isolated import WorkerSession
from qdash_jupyter.worker.kernel import run_of
from qdash_jupyter.worker.result import JobResult

Value = TypeVar("Value")

_INTERRUPTED = {"output_type": "error", "ename": "KeyboardInterrupt", "evalue": "", "traceback": ["KeyboardInterrupt"]}
_CHANGES, _LACKS, _COPY = Message("effect-changes"), Message("effect-lacks"), Message("way-out-copy")


class MainThread(Protocol):
    """The kernel's main thread, between two cells."""

    @property
    def is_busy(self) -> bool:
        """Whether what is to be done there would wait for a cell of the user's."""

    def do(self, work: Callable[[], Value]) -> Awaitable[Value]:
        """Have it done as soon as no cell runs. Cancelled, it is not done."""


class SessionCells:
    """What code needs of the kernel goes along, and what it makes becomes names there. All on the agent's loop."""

    def __init__(self, session: WorkerSession, namespace: Namespace, shell: InteractiveShell) -> None:
        """`namespace` has the names of the shell."""
        self.session, self._shell = session, shell
        self.carried = CarriedNames(namespace)
        self._settling: set[asyncio.Future[Any]] = set()

    async def run(self, request: CellRequest, cell: ShownCell | None, main: MainThread, publish: Publish) -> CellRun:
        """Run the code, and return when it is done. Where it needs the kernel, it is a run with status `rejected` that
        has `effects`, and as if it had not run. `cell` is where it stands in a notebook.

        Cancelled, it is interrupted.
        """
        in_notebook = cell is not None
        started = time.monotonic()
        result: JobResult | None = None
        try:
            result = await self._outcome(request, cell, main, publish)
        except ConfigurationError as problem:
            effect = Effect(EffectKind.UNKNOWN, Message("effect-own-session"), _LACKS, note=problem.text)
            return CellRun(request, CellStatus.REJECTED, reason=problem.text, effects=(effect,))
        finally:
            if result is None and cell is not None:
                shown = cell.shown()
                is_told = not cell.has_begun or (bool(shown) and shown[-1]["output_type"] == "error")
                cell.end(shown if is_told else (*shown, _INTERRUPTED))  # it may have been killed
            publish(CellMoved(request, "finished", in_notebook=in_notebook))
        run = replace(run_of(request, result), in_notebook=in_notebook, elapsed_s=time.monotonic() - started)
        run = replace(run, gone=tuple(self.carried.only_there(result.gone)))
        if cell is not None and cell.is_deleted and run.status is CellStatus.OK:
            run = replace(run, status=CellStatus.DELETED)
        run = self._judged(run, result)
        if run.status is not CellStatus.OK:
            made = await self._forget(result)
            count = None
            if cell is not None:
                if run.status is CellStatus.ERROR and not main.is_busy:
                    count = await main.do(lambda: numbered(self._shell, run.request.source))
                cell.end(run.outputs, count)
            return replace(run, created=made, execution_count=count)
        code, copies = run.request.code, run.copies
        if copies:
            await self._copied(copies)
            if cell is not None:
                cell.rewrite(code)
        needs = self.carried.before(code)[1]
        carried = self.carried.came(code, request.cell_id, result, copies)
        in_place = [name for name in carried.values if name in copies.values() or name not in bound_names(code)]
        run = replace(run, created=tuple(dict.fromkeys((*run.created, *in_place))))
        return await self._settled(run, carried, needs, cell, main)

    def _judged(self, run: CellRun, result: JobResult) -> CellRun:
        """Rejected where it needs the kernel, and with copies of what it has changed of the user's."""
        effects = self.carried.effects(result)
        changed = self.carried.changed(result) if run.status is CellStatus.OK and not effects else []
        if changed and (copied := with_copies(run.request.code, self.carried.namespace.all(), changed)) is not None:
            return replace(run, request=replace(run.request, code=copied[0]), copies=copied[1])
        if changed:
            effects = tuple(Effect(EffectKind.UNKNOWN, name, _CHANGES, way_out=_COPY) for name in changed)
        if effects:
            run = replace(run, status=CellStatus.REJECTED, reason=why_not_run(effects), effects=effects)
        return run

    async def _outcome(
        self, request: CellRequest, cell: ShownCell | None, main: MainThread, publish: Publish
    ) -> JobResult:
        for _ in range(2):
            given = await self._given(request, cell, main, publish)
            if cell is not None:
                cell.begin()
            publish(CellMoved(request, "running", in_notebook=cell is not None))
            result = await self.session.run(request.code, cell.show if cell is not None else None, given=given)
            if not result.missing:
                break
            self.carried.lost(result.missing)  # it has begun anew since, and has run nothing
        else:
            result = replace(result, error=Message("session-forgets"))
        return result

    async def _given(self, request: CellRequest, cell: ShownCell | None, main: MainThread, publish: Publish) -> Given:
        if main.is_busy:
            reads = self.carried.read_from_user(request.code)
            if not reads:
                return self.carried.modules(request.code)
            publish(CellMoved(request, "waiting", in_notebook=cell is not None))
            publish(CellWarned(request, Message("waits-for-your-cell", names=tuple(reads))))
            if cell is not None:
                cell.wait()
        return await main.do(lambda: self.carried.collect(request.code))

    async def _forget(self, result: JobResult) -> tuple[str, ...]:
        """No later code builds on code that failed, which is no part of the notebook. What the kernel has comes in
        again as it is there; what the session alone has stays, unless the code has bound it anew. Gives the names that
        it has bound, or changed of the copilot's own.
        """
        own, created = self.carried.namespace.own, [name for name, _ in result.created]
        in_kernel = {*result.changed, *result.bound} - {*self.carried.only_there(result.bound)}
        if names := sorted({*created} | in_kernel):
            self.carried.lost(names)
            await self.session.run(f"None if [globals().pop(each, None) for each in {names}] else None")
        return tuple(dict.fromkeys([*created, *(name for name in result.bound if name in own)]))

    async def _copied(self, copies: Mapping[str, str]) -> None:
        """What code has changed of the user's has names of its own, and is theirs again when it comes next."""
        self.carried.lost(copies)
        lines = [f"{other} = {name}; del {name}" for name, other in copies.items()]
        await self.session.run("\n".join(lines))

    async def _settled(
        self, run: CellRun, carried: Carried, needs: Sequence[str], cell: ShownCell | None, main: MainThread
    ) -> CellRun:
        """With its names in the kernel, where that is free; else that is done as soon as it is."""

        def bind() -> int | None:
            self.carried.bind()
            return numbered(self._shell, run.request.source) if cell is not None else None

        def end(count: int | None) -> None:
            if cell is not None:
                stays = dict.fromkeys((*carried.stays, *carried.left))
                cell.end(run.outputs, count, [*stays], needs if stays else ())

        if main.is_busy:
            end(None)
            settling = asyncio.ensure_future(main.do(bind))
            self._settling.add(settling)
            settling.add_done_callback(lambda done: self._has_settled(done, end))
            return run
        count = await main.do(bind)
        end(count)
        return replace(run, execution_count=count, left=carried.left)

    def _has_settled(self, settling: asyncio.Future[int | None], end: Callable[[int | None], None]) -> None:
        self._settling.discard(settling)
        if not settling.cancelled():
            end(settling.result())

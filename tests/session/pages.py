"""A scripted notebook: what `qdash_jupyter.cells.lab` does with pages, done as a test says."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from qdash_jupyter.cells.lab import NoPage, RunsInline
from qdash_jupyter.cells.place import CellPlace
from qdash_jupyter.cells.shown_cell import ShownCell
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.domain.wire.kernel import CellOutputs
from qdash_jupyter.session.turn import Turn
from tests.patience import PATIENCE_S


@dataclass
class Asked:
    """What the notebook was asked to run, or to show."""

    request: CellRequest
    place: CellPlace


@dataclass
class ScriptedNotebook:
    """Runs each cell of the kernel by the next step of its script: a status, or a function. Cells of the session are
    shown while `has_page`.
    """

    steps: list[CellStatus | Callable[[Run], Awaitable[CellRun]]] = field(default_factory=list)
    has_kernel: bool = True
    has_page: bool = True
    busy: bool = False
    told: list[CellOutputs] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    before_cells: Callable[[], None] | None = None
    asked: list[Asked] = field(default_factory=list)
    idle: queue.Queue[Callable[[], None] | bool] = field(default_factory=queue.Queue)
    cancelled: list[str] = field(default_factory=list)

    def bind_first(self, job: Callable[[], None] | None) -> None:
        self.before_cells = job

    async def show(self, request: CellRequest, place: CellPlace) -> ShownCell | None:
        if not (self.has_kernel and self.has_page):
            return None
        self.asked.append(Asked(request, place))
        return ShownCell(request, place, self.told.append)

    def remove_cell(self, cell_id: str) -> None:
        self.removed.append(cell_id)

    async def insert(self, request: CellRequest, place: CellPlace) -> bool:
        self.asked.append(Asked(request, place))
        return self.has_kernel

    async def run(
        self,
        request: CellRequest,
        place: CellPlace,
        *,
        publish: Callable[[CellMoved], None],
        runs_inline: asyncio.Event | None,
    ) -> CellRun:
        self.asked.append(Asked(request, place))
        if not self.steps:
            raise NoPage
        scripted = self.steps.pop(0)
        this = Run(self, request, publish, runs_inline)
        try:
            if not isinstance(scripted, CellStatus):
                return await scripted(this)
            this.move("inserted")
            this.move("running")
            this.move("finished")
            return CellRun(request, scripted, in_notebook=True)
        except asyncio.CancelledError:
            self.cancelled.append(request.cell_id)
            raise

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        if self.has_kernel:
            self.idle.put(job)
        return self.has_kernel

    def run_idle_job(self, seconds: float = 10) -> None:
        """The kernel is idle now: its main thread, this one, runs what waits for that."""
        job = self.idle.get(timeout=seconds)
        assert callable(job)
        job()

    def run_until_done(self, turn: Turn) -> None:
        """The kernel stays idle until the turn has ended."""
        over = threading.Thread(target=lambda: self.idle.put(turn.ended_within(PATIENCE_S)))
        over.start()
        while callable(job := self.idle.get(timeout=PATIENCE_S)):
            job()
        over.join()
        assert job, "the turn has not ended"


@dataclass
class Run:
    """One cell, for a step that is a function."""

    notebook: ScriptedNotebook
    request: CellRequest
    publish: Callable[[CellMoved], None]
    runs_inline: asyncio.Event | None

    def move(self, stage: str) -> None:
        self.publish(CellMoved(self.request, stage, in_notebook=True))  # type: ignore[arg-type]

    def ended(self, status: CellStatus = CellStatus.OK) -> CellRun:
        return CellRun(self.request, status, in_notebook=True)


async def waits_behind_a_cell(run: Run) -> CellRun:
    """In the notebook, behind a cell of the person's that never ends: until somebody in it waits for the turn."""
    run.move("inserted")
    run.move("waiting")
    assert run.runs_inline is not None
    await run.runs_inline.wait()
    raise RunsInline


async def never_ends(run: Run) -> CellRun:
    run.move("inserted")
    run.move("running")
    await asyncio.sleep(3600)
    return run.ended()

"""A scripted notebook: what `qdash_jupyter.cells.lab` does with pages, done as a test says."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell
from qdash_jupyter.domain.cell_run import CellRequest
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
    """Cells are shown while `has_page`; what they need of the kernel waits until the test says that it is idle."""

    has_kernel: bool = True
    has_page: bool = True
    busy: bool = False
    told: list[CellOutputs] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    before_cells: Callable[[], None] | None = None
    asked: list[Asked] = field(default_factory=list)
    idle: queue.Queue[Callable[[], None] | bool] = field(default_factory=queue.Queue)

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

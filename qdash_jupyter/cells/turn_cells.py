"""The cells of one turn: in the notebook, else inline on the kernel's main thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qdash_jupyter.cells.host import CellJob
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved

if TYPE_CHECKING:
    from qdash_jupyter.cells.host import InlineRunner, NotebookCells, Publish

_STAYS = {CellStatus.OK, CellStatus.ERROR, CellStatus.INTERRUPTED}


@dataclass(eq=False)
class TurnCells:
    """The place for the cells of one turn (see `qdash_jupyter.cells.host.CellHost`).

    Inline on the main thread when somebody waits for the turn there; else in a notebook; else inline when the kernel is
    idle, or when somebody comes to wait. All on the agent's loop.
    """

    inline: InlineCellHost
    notebook: NotebookCells | None
    runner: InlineRunner
    turn_id: str
    client_id: str | None
    """The tab in which the turn was asked."""
    last: str | None
    """The cell of the notebook below which the next one comes."""
    _step: int = 0

    async def run(self, request: CellRequest, publish: Publish) -> CellRun:
        """Run the code and return when it is done."""
        self._step += 1
        request = replace(request, after=self.last)
        run = await self._in_notebook(request, publish)
        if run is None:
            return await self._run_inline(request, publish)
        if run.status in _STAYS:
            self.last = request.cell_id
        return replace(run, in_notebook=True)

    async def _in_notebook(self, request: CellRequest, publish: Publish) -> CellRun | None:
        """The run in a notebook; None where there is none for it."""
        if self.notebook is None or self.runner.runs_inline.is_set():
            return None
        from qdash_jupyter.cells.lab import NoPage, RunsInline

        try:
            return await self.notebook.run(
                request,
                turn_id=self.turn_id,
                step=self._step,
                preferred=self.client_id,
                publish=publish,
                runs_inline=self.runner.runs_inline,
            )
        except (NoPage, RunsInline):
            return None

    async def _run_inline(self, request: CellRequest, publish: Publish) -> CellRun:
        if not self.runner.runs_inline.is_set():
            publish(CellMoved(request, "waiting", in_notebook=False))
        try:
            return await self.inline.run(request, self._post, publish)
        finally:
            publish(CellMoved(request, "finished", in_notebook=False))

    def _post(self, job: CellJob) -> None:
        self.runner.post(job)
        if self.notebook is not None and not self.runner.runs_inline.is_set():
            # Somebody may come to wait before the kernel is idle: whoever comes first runs it.
            self.notebook.run_when_idle(job.run)

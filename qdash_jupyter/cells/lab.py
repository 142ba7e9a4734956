"""Runs cells as real cells of the notebook that is open in a browser: the agent's side of `notebook_cell`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from qdash_jupyter.cells.host import Publish
from qdash_jupyter.cells.notebook_cell import NotebookCell, NotebookPage
from qdash_jupyter.cells.past_cell import past_cell
from qdash_jupyter.cells.place import CellPlace
from qdash_jupyter.cells.shown_cell import ShownCell
from qdash_jupyter.cells.watch import CellWatch
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.errors import PageLost

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.domain.wire.kernel import CellOutputs

logger = logging.getLogger("qdash_jupyter")

PING_S = 1.0
BUSY_PING_S = 3.0
"""While the kernel runs another cell: each answer of a page makes JupyterLab show it as idle for a moment."""
STOP_S = 2.0
_AGAIN_S = 0.3
_LATE_S = 0.5


class NoPage(Exception):
    """For us: no browser tab can insert the cell, so it has to run without one."""


class RunsInline(Exception):
    """For us: somebody waits for the turn inside a running cell, so the kernel cannot get to a cell of its own."""


class LabCellHost:
    """Has each request inserted by a page, and sees the cell through; one at a time.

    What a conversation needs of the notebooks (see `qdash_jupyter.cells.host.NotebookCells`).
    """

    def __init__(
        self, shell: InteractiveShell, namespace: Namespace, pages: Callable[[str | None], Sequence[NotebookPage]]
    ) -> None:
        """Begin to watch the shell's cells, on the main thread.

        `pages` gives the tabs to try: the one with this client id first, then the ones heard of last.
        """
        self.watch = CellWatch(shell, namespace)
        self.last_cell: NotebookCell | None = None
        """Also that of a turn that was stopped, whose `run` returned nothing."""
        self._pages = pages
        # One lock for each loop: the agent's thread may be closed, and begin anew.
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    @property
    def busy(self) -> bool:
        """Whether the kernel runs a cell."""
        return self.watch.busy

    def bind_first(self, job: Callable[[], None] | None) -> None:
        """Call `job` on the main thread before each cell of the user's; None calls nothing any more."""
        self.watch.before_cells = job

    def close(self) -> None:
        """Stop watching."""
        self.watch.close()

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        """Call `job` on the main thread while the kernel runs no cell; False where there is no loop for it."""
        return self.watch.run_when_idle(job)

    async def run(
        self,
        request: CellRequest,
        place: CellPlace,
        *,
        publish: Publish,
        runs_inline: asyncio.Event | None = None,
    ) -> CellRun:
        """Run the code as a cell of the notebook, however long it takes. On the agent's loop.

        Cancelling takes the cell back if it has not begun, and interrupts it if it runs.

        Args:
            request: what to run.
            place: where it belongs.
            publish: called with each stage of the cell.
            runs_inline: set by whoever waits for the turn inside a running cell.

        Raises:
            NoPage: no tab can insert it; it has not run and will not.
            RunsInline: `runs_inline` was set before it began; it has not run and will not.
        """
        async with self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            pages = self._pages(place.client_id)
            for page in pages:
                cell = self.last_cell = NotebookCell(request, page, publish, place)
                insertion = page.insert(cell, patient=page is pages[-1])
                with contextlib.suppress(PageLost):
                    run = await self._see_through(
                        cell, self._on_page(cell, page, insertion), _until_runs_inline(cell, runs_inline)
                    )
                    if run.status is CellStatus.REJECTED:
                        page.remove_cell(request.cell_id)  # run by the user, it would do what was refused
                    return run
        raise NoPage

    async def show(self, request: CellRequest, place: CellPlace) -> ShownCell | None:
        """Have a cell inserted that runs elsewhere; None without a page for it. On the agent's loop."""
        pages = self._pages(place.client_id)
        cell = ShownCell(request, place, self._tell)
        for page in pages:
            with contextlib.suppress(PageLost):
                await page.insert(cell, patient=page is pages[-1])
                self.watch.runs_elsewhere(cell)
                return cell
        return None

    def _tell(self, message: CellOutputs) -> None:
        for page in self._pages(None):
            page.send(message)

    def remove_cell(self, cell_id: str) -> None:
        """Have a cell taken out that has not run and never will, if nobody has changed it."""
        for page in self._pages(None):
            page.remove_cell(cell_id)

    async def insert(self, request: CellRequest, place: CellPlace) -> bool:
        """Have a cell inserted that does not run; whether there was a page for it. On the agent's loop."""
        for page in self._pages(place.client_id):
            with contextlib.suppress(PageLost):
                await page.put_in(
                    place.turn_id,
                    [past_cell(CellRun(request, CellStatus.INSERTED), place.step)],
                    asked_in=place.asked_in,
                    setup=place.setup,
                    heading=place.heading,
                )
                return True
        return False

    async def _see_through(self, cell: NotebookCell, *reporters: Coroutine[None, None, None]) -> CellRun:
        self.watch.expect(cell)
        tasks = [asyncio.ensure_future(reporter) for reporter in reporters]
        try:
            return await asyncio.shield(cell.ended)
        except asyncio.CancelledError:
            stopping = asyncio.ensure_future(self._stop(cell))
            while not stopping.done():
                with contextlib.suppress(asyncio.CancelledError):  # stopped once more
                    await asyncio.wait([stopping])
            raise
        finally:
            cell.ended.cancel()  # where it did not stop: it says no more
            for task in tasks:
                task.cancel()

    async def _on_page(self, cell: NotebookCell, page: NotebookPage, insertion: Awaitable[None]) -> None:
        """Have it inserted, and take it back if the page is lost before it begins: twice, it has not answered."""
        missed = 0
        try:
            await insertion
            if self.busy:
                cell.wait()
            while missed < 2:  # noqa: PLR2004
                if not missed:
                    await asyncio.sleep(BUSY_PING_S if self.busy else PING_S)
                if not cell.is_wanted:
                    return
                asked = time.monotonic()
                alive = await page.is_alive()
                # Where code holds Python's lock, answers are late in coming here, not missing.
                late = time.monotonic() - asked > PING_S + _LATE_S
                missed = 0 if alive else missed if late else missed + 1
            cell.withdraw(PageLost("The browser tab does not answer."))
        except Exception as error:
            if not cell.withdraw(error) and not isinstance(error, PageLost):
                logger.exception("A page failed while its cell was running")

    async def _stop(self, cell: NotebookCell) -> None:
        """The turn was stopped: the cell does not begin, or it is interrupted and its end waited for."""
        if cell.withdraw():
            return
        patience = time.monotonic() + STOP_S
        while not cell.ended.done() and time.monotonic() < patience:
            # Again and again: code may swallow an interrupt, or just be about to begin.
            self.watch.interrupt(cell.asked.cell_id)
            await asyncio.wait([cell.ended], timeout=_AGAIN_S)


async def _until_runs_inline(cell: NotebookCell, runs_inline: asyncio.Event | None) -> None:
    if runs_inline is not None:
        await runs_inline.wait()
        cell.withdraw(RunsInline())

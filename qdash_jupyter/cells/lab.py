"""Runs cells as real cells of the notebook that is open in a browser."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from qdash_jupyter.cells.page import InsertedCell, NotebookPage, NotebookPages, PageReport
from qdash_jupyter.cells.watch import CellWatch
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved, CellStage
from qdash_jupyter.errors import PageLost

GRACE_S = 0.5
PING_S = 1.0
BUSY_PING_S = 3.0
"""While the kernel runs another cell: each answer of a page makes JupyterLab show it as idle for a moment."""
STOP_S = 2.0
_AGAIN_S = 0.3
_LATE_S = 0.5

_ABORTED = "The kernel dropped the cell twice, because another cell failed in front of it."
_UNSEEN = "The notebook says that the cell ended, but the kernel has not seen it run. Was its text removed?"


class NoPage(Exception):
    """For us: no browser tab can insert the cell, so it has to run without one."""


class TakenOver(Exception):
    """For us: somebody waits for the turn inside a running cell, so the kernel cannot get to a cell of its own."""


class LabCellHost:
    """Has each request inserted by a page, and sees the cell through; one at a time. All of it on the agent's loop."""

    def __init__(self, watch: CellWatch, pages: NotebookPages) -> None:
        """Through these pages."""
        self._watch = watch
        self._pages = pages
        self._busy: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None
        self.last_run: CellRun | None = None
        """How the last cell ended: also that of a turn that was stopped, whose `run` returned nothing."""

    async def run(
        self,
        request: CellRequest,
        *,
        turn_id: str,
        step: int,
        preferred: str | None = None,
        moved: Callable[[CellMoved], None],
        taken_over: asyncio.Event | None = None,
    ) -> CellRun:
        """Run the code as a cell of the notebook, however long it takes.

        Cancelling takes the cell back if it has not begun, and interrupts it if it runs.

        Args:
            request: what to run.
            turn_id: the turn it belongs to.
            step: its number among the cells of the turn.
            preferred: client id of the tab to try first.
            moved: told where the cell is.
            taken_over: set by whoever waits for the turn inside a running cell.

        Raises:
            NoPage: no tab can insert it; it has not run and will not.
            TakenOver: `taken_over` was set before it began; it has not run and will not.
        """
        async with self._one_at_a_time():
            pages = self._pages.in_order(preferred)
            for page in pages:
                attempt = _Attempt(self._watch, page, request, moved, taken_over)
                try:
                    return await attempt.run(turn_id, step, patient=page is pages[-1])
                except PageLost:
                    continue
                finally:
                    self.last_run = attempt.outcome
        raise NoPage

    def _one_at_a_time(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._busy is None or self._busy[0] is not loop:  # the agent's thread was closed and began anew
            self._busy = (loop, asyncio.Lock())
        return self._busy[1]


class _Attempt:
    """One cell on one page."""

    def __init__(
        self,
        watch: CellWatch,
        page: NotebookPage,
        request: CellRequest,
        moved: Callable[[CellMoved], None],
        taken_over: asyncio.Event | None,
    ) -> None:
        self.outcome: CellRun | None = None
        self._watch = watch
        self._page = page
        self._request = request
        self._moved = moved
        self._taken_over = taken_over
        self._stage: CellStage | None = None
        self._deleted = False
        self._tasks: list[asyncio.Future[Any]] = []

    async def run(self, turn_id: str, step: int, *, patient: bool) -> CellRun:
        """See it through. `patient`: no other page could.

        Raises:
            PageLost: the page cannot run it; it has not run and will not.
            TakenOver: it has not run and will not.
        """
        self._cell = self._watch.expect(self._request)
        insertion = self._page.insert_and_execute(self._request, turn_id=turn_id, step=step, patient=patient)
        self._insertion = self._task(insertion)
        self._report = self._task(self._reported())
        self._lost = self._task(self._until_lost())
        self._taken = self._task(self._taken_over.wait()) if self._taken_over is not None else None
        try:
            run = await self._until_it_runs() or await self._until_it_ends()
        except asyncio.CancelledError:
            await _undisturbed(self._stop())
            raise
        except Exception:
            self._withdraw()  # unless that is done: whatever it was, the cell must not run when nobody waits for it
            raise
        finally:
            for task in self._tasks:
                task.cancel()
        self._move("finished")
        self.outcome = replace(run, in_notebook=True)
        return self.outcome

    async def _until_it_runs(self) -> CellRun | None:
        """None when it runs, its outcome when it will not."""
        started = self._cell.started
        while not started.done():
            if self._taken is not None and self._taken.done() and self._withdraw():
                raise TakenOver
            if self._failed(self._insertion) or self._lost.done():
                if self._withdraw():
                    raise PageLost("The browser tab does not answer.")
                break
            if self._insertion.done():
                self._move("inserted")
            if self._report.done():
                if (outcome := await self._ended_unseen(self._report.result())) is not None:
                    return outcome
                break
            if self._insertion.done() and self._watch.is_behind(self._request.cell_id):
                self._move("waiting")
            await self._next(self._insertion, self._report, self._lost, self._taken, started, self._cell.behind)
        await self._next(started)
        self._lost.cancel()
        self._runs()
        return None

    def _runs(self) -> None:
        self._request = self._cell.started.result()
        self._move("inserted")
        self._move("running")

    async def _until_it_ends(self) -> CellRun:
        finished = self._cell.finished
        while not finished.done():
            if self._report.done() and not self._failed(self._report):
                report = self._report.result()
                if report.status == "deleted":
                    self._deleted = True
                elif report.status in {"ok", "error"}:
                    await asyncio.wait([finished], timeout=GRACE_S)
                    if not finished.done():
                        return self._unseen(report)
                await self._next(finished)
            else:
                await self._next(self._report, finished)
        return self._kept()

    async def _ended_unseen(self, report: PageReport) -> CellRun | None:
        """What came of a cell that the kernel has not begun, by what the page says; None where it begins just now."""
        if report.status == "deleted":
            return CellRun(self._request, CellStatus.DELETED) if self._withdraw(remove=False) else None
        if report.status == "no_kernel":
            if self._withdraw():
                raise PageLost("The notebook of that browser tab has no kernel.")
            return None
        # What the kernel saw of it comes from another thread, perhaps just now.
        await asyncio.wait([self._cell.started], timeout=GRACE_S)
        if self._cell.started.done():
            return None
        self._watch.forget(self._request.cell_id)
        if report.status == "aborted":
            return CellRun(self._request, CellStatus.ABORTED, reason=_ABORTED)
        return self._unseen(report)

    def _unseen(self, report: PageReport) -> CellRun:
        status = CellStatus.ERROR if report.status == "error" else CellStatus.ABORTED
        return CellRun(self._request, status, reason=_UNSEEN, execution_count=report.execution_count)

    def _kept(self) -> CellRun:
        run = self._cell.finished.result()
        if self._deleted and run.status is not CellStatus.INTERRUPTED:
            return replace(run, status=CellStatus.DELETED)
        return run

    async def _stop(self) -> None:
        """The turn was stopped: the cell does not begin, or it is interrupted and its outcome noted."""
        if self._withdraw():
            return
        finished, patience = self._cell.finished, time.monotonic() + STOP_S
        while not finished.done() and time.monotonic() < patience:
            # Again and again: code may swallow an interrupt, or just be about to begin.
            self._watch.interrupt([self._request.cell_id])
            await asyncio.wait([finished], timeout=_AGAIN_S)
        if self._cell.started.done():
            self._runs()
        if finished.done():
            self.outcome = replace(self._kept(), in_notebook=True)
            self._move("finished")

    def _withdraw(self, *, remove: bool = True) -> bool:
        """Take the cell back; says no where it runs already."""
        cell_id = self._request.cell_id
        if not self._watch.withdraw(cell_id, self._page.session):
            return False
        if self._insertion.done() and self._insertion.exception() is None:
            self._insertion.result().report.add_done_callback(self._passed)
        if remove:
            self._page.remove_cell(cell_id)
        return True

    def _passed(self, report: asyncio.Future[PageReport]) -> None:
        """The request of a cell that was taken back has come and gone, or was dropped."""
        if not report.cancelled() and report.result().status in {"ok", "error", "aborted"}:
            self._watch.forgive(self._request.cell_id, self._page.session)

    def _move(self, stage: CellStage) -> None:
        if self._stage is None or _STAGES.index(stage) > _STAGES.index(self._stage):
            self._stage = stage
            self._moved(CellMoved(self._request, stage, in_notebook=True))

    async def _reported(self) -> PageReport:
        inserted: InsertedCell = await asyncio.shield(self._insertion)
        return await asyncio.shield(inserted.report)

    async def _until_lost(self) -> None:
        """Returns when the page has twice not answered although this loop was free to hear it."""
        await asyncio.shield(self._insertion)
        missed = 0
        while missed < 2:  # noqa: PLR2004
            if not missed:
                await asyncio.sleep(BUSY_PING_S if self._watch.is_behind(self._request.cell_id) else PING_S)
            asked = time.monotonic()
            alive = await self._page.is_alive()
            # Where code holds Python's lock, answers are late in coming here, not missing.
            late = time.monotonic() - asked > PING_S + _LATE_S
            missed = 0 if alive else missed if late else missed + 1

    def _failed(self, task: asyncio.Future[Any]) -> bool:
        """Whether it ended with a lost page; other errors are raised."""
        if not task.done() or (error := task.exception()) is None:
            return False
        if isinstance(error, PageLost):
            return True
        raise error

    def _task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        task.add_done_callback(_seen)
        self._tasks.append(task)
        return task

    async def _next(self, *awaited: asyncio.Future[Any] | None) -> None:
        """Wait for one of those that are still open; being cancelled meanwhile does not cancel them."""
        if left := [future for future in awaited if future is not None and not future.done()]:
            await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)


_STAGES: tuple[CellStage, ...] = ("inserted", "waiting", "running", "finished")


def _seen(task: asyncio.Future[Any]) -> None:
    """What a task raises is raised where it is waited for, if anybody still does."""
    if not task.cancelled():
        task.exception()


async def _undisturbed(work: Coroutine[Any, Any, None]) -> None:
    """Wait for the work to its end, whoever cancels meanwhile."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    if not task.cancelled():
        task.result()

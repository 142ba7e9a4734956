"""The way of one cell of the copilot through a notebook: its states, the moves between them, and who causes each.

The agent asks a page (a browser tab) to insert a cell and to execute it; the page's request comes to the kernel behind
whatever runs there. Three sides report here: the page and the agent's host (`qdash_jupyter.cells.lab`) on the agent's
loop, and the kernel (`qdash_jupyter.cells.watch`) on its main thread. Who comes first wins: a move that is not in this
table does not happen, and the report is without effect. "Not begun" is `ASKED`, `INSERTED` or `WAITING`.

=========  =============================================  ======  ==========  =============================
state      what happens                                   by      next state  what the agent gets
=========  =============================================  ======  ==========  =============================
ASKED      the cell is in the notebook                    page    INSERTED
INSERTED   the kernel runs another cell first             kernel  WAITING
not begun  its request comes, perhaps edited by the user  kernel  RUNNING
not begun  its request comes, its text taken out          kernel  ENDED       a run that shows nothing
not begun  the user deletes it                            page    WITHDRAWN   the status `deleted`
not begun  the page is silent or without a kernel         host    WITHDRAWN   `PageLost`: another page's turn
not begun  somebody waits for the turn inside a cell      host    WITHDRAWN   `RunsInline`
not begun  Stop                                           host    WITHDRAWN   nothing
not begun  dropped twice: a cell in front of it failed    page    GONE        the status `aborted`
not begun  "it ended", and the kernel has not seen it     page    GONE        the status `aborted` or `error`
not begun  the extension is unloaded                      kernel  GONE        the status `aborted`
RUNNING    its code ends, whichever way                   kernel  ENDED       the run
RUNNING    "it ended", and the kernel does not say so     page    ENDED       the status `aborted` or `error`
RUNNING    Stop: interrupted, for 2 s again and again     host                nothing
RUNNING    the user deletes it                            page                at its end, the status `deleted`
RUNNING    the page is silent                                                 the kernel sees the end
WITHDRAWN  its request comes: the kernel runs nothing     kernel  GONE
WITHDRAWN  its request has come and gone, or was dropped  page    GONE
WITHDRAWN  its request comes, edited by the user          kernel              (it runs as a cell of theirs)
=========  =============================================  ======  ==========  =============================

In `ENDED` and `GONE`, whoever runs the cell again runs a cell of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from enum import Enum, auto
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Protocol

from qdash_jupyter.cells.host import Publish
from qdash_jupyter.cells.place import CellPlace, PageStatus
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved, CellStage
from qdash_jupyter.errors import PageLost
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qdash_jupyter.cells.shown_cell import ShownCell
    from qdash_jupyter.domain.wire.kernel import KernelMessage, PastCell
    from qdash_jupyter.domain.wire.page import CellsTaken

GRACE_S = 0.5
"""How long after the page's "it ended" the kernel's own may come: it is told by another thread."""

_ABORTED = Message("cell-dropped")
_UNSEEN = Message("cell-unseen")


class CellState(Enum):
    """Where a cell is on its way."""

    ASKED = auto()
    INSERTED = auto()
    WAITING = auto()
    RUNNING = auto()
    ENDED = auto()
    WITHDRAWN = auto()
    """It will not run, but its request may still come."""
    GONE = auto()
    """It has not run, and its request will not come any more."""


_NOT_BEGUN = {CellState.ASKED, CellState.INSERTED, CellState.WAITING}
_FROM: dict[CellState, set[CellState]] = {
    CellState.INSERTED: {CellState.ASKED},
    CellState.WAITING: {CellState.INSERTED},
    CellState.RUNNING: _NOT_BEGUN,
    CellState.ENDED: {CellState.RUNNING},
    CellState.WITHDRAWN: _NOT_BEGUN,
    CellState.GONE: {*_NOT_BEGUN, CellState.WITHDRAWN},
}
"""From where each state is reached: the table above."""
_STAGES: dict[CellState, tuple[CellStage, ...]] = {
    CellState.INSERTED: ("inserted",),
    CellState.WAITING: ("waiting",),
    CellState.RUNNING: ("inserted", "running"),  # it may run before the page says that it is there
}


class NotebookCell:
    """One request on one page. Made and waited for on the agent's loop; each report may come from any thread.

    `asked` is what the agent wants to run, `request` what really runs: the user may have edited it. `ended` is resolved
    with the outcome; the stages until then are published on the loop, and none of them later.
    """

    executes: ClassVar[bool] = True

    def __init__(self, request: CellRequest, page: NotebookPage, publish: Publish, place: CellPlace) -> None:
        """Going to be given to this page."""
        self.asked = self.request = request
        self.place = place
        self.state = CellState.ASKED
        self.session = page.session
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[CellRun] = self._loop.create_future()
        self.ended.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # perhaps nobody asks
        self._page = page
        self._publish = publish
        self._published: set[CellStage] = set()
        self._deleted = False
        self._lock = Lock()

    @property
    def is_wanted(self) -> bool:
        """Whether it has not begun, and is to run when its request comes."""
        return self.state in _NOT_BEGUN

    @property
    def is_withdrawn(self) -> bool:
        """Whether its request, should it come, is to run nothing."""
        return self.state is CellState.WITHDRAWN

    @property
    def is_edited(self) -> bool:
        """Whether what runs is the user's: then it is theirs, and so is what it binds."""
        return self.request is not self.asked

    def has_source(self, raw: str) -> bool:
        """Whether this is still the agent's."""
        return self.place.is_text_of(raw, self.asked.source)

    # The page's reports. What it says of the end is a hint: what the kernel has seen wins.

    def inserted(self) -> None:
        """It is in the notebook."""
        self._move(CellState.INSERTED)

    def reported(self, status: PageStatus, execution_count: int | None = None) -> None:
        """It ended. On the agent's loop."""
        if status == "deleted":
            self._deleted = True
            self.withdraw(CellRun(self.request, CellStatus.DELETED), remove=False)
        elif status == "no_kernel":
            self.withdraw(PageLost("The notebook of that browser tab has no kernel."))
        elif self.is_withdrawn:
            self.drop(_ABORTED)
        else:
            self._loop.call_later(GRACE_S, self._unseen, status, execution_count)

    def _unseen(self, status: PageStatus, execution_count: int | None) -> None:
        if status == "aborted":
            self.drop(_ABORTED)
            return
        ended = CellStatus.ERROR if status == "error" else CellStatus.ABORTED
        run = CellRun(self.request, ended, reason=_UNSEEN, execution_count=execution_count)
        if not self._move(CellState.GONE, run):
            self._move(CellState.ENDED, run)

    # The host's.

    def withdraw(self, outcome: CellRun | Exception | None = None, *, remove: bool = True) -> bool:
        """It shall not run, and this is what the agent gets, or nothing; says no where it runs already, or has."""
        withdrawn = self._move(CellState.WITHDRAWN, outcome)
        if withdrawn and remove:
            self._page.remove_cell(self.request.cell_id)
        return withdrawn

    # The kernel's.

    def wait(self) -> None:
        """Another cell runs first."""
        self._move(CellState.WAITING)

    def begin(self, raw: str) -> bool:
        """It runs, with this source; says no where it was withdrawn just now."""
        return self._move(CellState.RUNNING, raw=raw)

    def end(self, run: CellRun) -> None:
        """Its code has ended."""
        self._move(CellState.ENDED, run)

    def drop(self, reason: Message) -> None:
        """Its request has come and run nothing, or it will never come."""
        self._move(CellState.GONE, CellRun(self.request, CellStatus.ABORTED, reason=reason))

    def _move(self, to: CellState, outcome: CellRun | Exception | None = None, *, raw: str | None = None) -> bool:
        with self._lock:
            if self.state not in _FROM[to]:
                return False
            self.state = to
            if raw is not None and not self.has_source(raw):
                self.request = replace(self.asked, code=raw)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._moved, to, outcome)
        return True

    def _moved(self, to: CellState, outcome: CellRun | Exception | None) -> None:
        if self.ended.done():
            return
        stages = list(_STAGES.get(to, ()))
        if isinstance(outcome, CellRun):
            if self._deleted and outcome.status is not CellStatus.INTERRUPTED:
                outcome = replace(outcome, status=CellStatus.DELETED)
            self.ended.set_result(replace(outcome, in_notebook=True))
            stages.append("finished")
        elif outcome is not None:
            self.ended.set_exception(outcome)
        elif to is CellState.WITHDRAWN:
            self.ended.cancel()
        for stage in stages:
            if stage not in self._published:
                self._published.add(stage)
                self._publish(CellMoved(self.request, stage, in_notebook=True))


class NotebookPage(Protocol):
    """A browser tab with this kernel's notebook."""

    @property
    def session(self) -> str:
        """Session of the tab's connection to the kernel: its execute requests carry it."""
        ...

    async def is_alive(self) -> bool:
        """Whether the tab answers within 1 s."""
        ...

    def send(self, message: KernelMessage) -> None:
        """Send a message."""
        ...

    async def insert(self, cell: NotebookCell | ShownCell, *, patient: bool) -> None:
        """Have the cell inserted, and executed where it `executes`, and report to it; returns when it is in the
        notebook.

        Raises:
            PageLost: no cell within 10 s where it is to be `patient` (no other tab could take the cell) and has not
                been so in vain since the tab was heard last; else no life within 2.5 s, or no cell within 3 s more.
        """
        ...

    async def put_in(
        self, turn_id: str, cells: list[PastCell], *, asked_in: str | None, setup: Sequence[str], heading: str | None
    ) -> CellsTaken:
        """Have cells of a turn inserted, and not run.

        Raises:
            PageLost: no answer within 3 s.
        """
        ...

    def remove_cell(self, cell_id: str) -> None:
        """Take a cell out that never ran and never will."""
        ...

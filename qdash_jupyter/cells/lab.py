"""Shows cells as real cells of the notebook that is open in a browser."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell, past_cell
from qdash_jupyter.cells.watch import CellWatch
from qdash_jupyter.errors import PageLost

if TYPE_CHECKING:
    import asyncio

    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.domain.cell_run import CellRequest
    from qdash_jupyter.domain.wire.kernel import CellOutputs, KernelMessage, PastCell
    from qdash_jupyter.domain.wire.page import CellsTaken


class NotebookPage(Protocol):
    """A browser tab with this kernel's notebook."""

    def send(self, message: KernelMessage) -> None:
        """Send a message."""

    async def insert(self, cell: ShownCell, *, patient: bool) -> None:
        """Have the cell inserted, and report to it; returns when it is in the notebook.

        Raises:
            PageLost: no cell within 10 s where it is to be `patient` (no other tab could take the cell) and has not
                been so in vain since the tab was heard last; else no life within 2.5 s, or no cell within 3 s more.
        """

    async def put_in(
        self, turn_id: str, cells: list[PastCell], *, asked_in: str | None, setup: Sequence[str], heading: str | None
    ) -> CellsTaken:
        """Have cells of a turn inserted, and not run.

        Raises:
            PageLost: no answer within 3 s.
        """

    def remove_cell(self, cell_id: str) -> None:
        """Take a cell out that never ran and never will."""


class LabCells(CellWatch):
    """What a conversation needs of the notebooks of this kernel that are open in a browser, and of the user's cells."""

    def __init__(
        self,
        shell: InteractiveShell,
        namespace: Namespace,
        pages: Callable[[str | None], Sequence[NotebookPage]] = lambda _: (),
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Begin to watch the shell's cells, on the main thread.

        `pages` gives the tabs to try: the one with this client id first, then the ones heard of last. In marimo there
        is none, and `loop` is that in which the user's cells run: while one does, it does nothing else.
        """
        super().__init__(shell, namespace, loop)
        self._pages = pages

    async def show(self, request: CellRequest, place: CellPlace) -> ShownCell | None:
        """Have a cell inserted; None without a page for it. On the agent's loop."""
        cell = ShownCell(request, place, self._tell)
        if await self._first(place, lambda page, is_last: page.insert(cell, patient=is_last)):
            cell.is_taken = True
            self.shows(cell)
            return cell
        return None

    def remove_cell(self, cell_id: str) -> None:
        """Have a cell taken out that has not run and never will, if nobody has changed it."""
        for page in self._pages(None):
            page.remove_cell(cell_id)

    async def insert(self, request: CellRequest, place: CellPlace) -> bool:
        """Have a cell inserted that does not run; whether there was a page for it. On the agent's loop."""
        from qdash_jupyter.domain.cell_run import CellRun, CellStatus  # with the first cell, not with `%load_ext`

        cells = [past_cell(CellRun(request, CellStatus.INSERTED), place.step)]
        return await self._first(
            place,
            lambda page, _: page.put_in(
                place.turn_id, cells, asked_in=place.asked_in, setup=place.setup, heading=place.heading
            ),
        )

    async def _first(self, place: CellPlace, ask: Callable[[NotebookPage, bool], Awaitable[object]]) -> bool:
        """Ask one page after the other, until one has done it; whether one has."""
        pages = self._pages(place.client_id)
        for page in pages:
            with contextlib.suppress(PageLost):
                await ask(page, page is pages[-1])
                return True
        return False

    def _tell(self, message: CellOutputs) -> None:
        for page in self._pages(None):
            page.send(message)

"""One browser tab with this kernel's notebook, at the other end of a comm."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from qdash_jupyter.domain.wire import PROTOCOL
from qdash_jupyter.domain.wire.page import (
    CellDeleted,
    CellEdited,
    CellInserted,
    CellReport,
    CellsTaken,
    ClientOpened,
    Ping,
)
from qdash_jupyter.errors import PageLost

if TYPE_CHECKING:
    from comm.base_comm import BaseComm

    from qdash_jupyter.cells.shown_cell import ShownCell
    from qdash_jupyter.domain.wire.kernel import KernelMessage, PastCell

PONG_S = 1.0
READY_S = 2.5
"""A page that draws its first chart loads Plotly, and answers nothing meanwhile."""
PATIENT_S = 10.0
"""The same on a slow machine, where no other page could take the cell."""
INSERTED_S = 3.0


class Page:
    """A tab (see `qdash_jupyter.cells.lab.NotebookPage`). Everything here happens on the agent's loop."""

    def __init__(
        self, comm: BaseComm, opened: ClientOpened, session: str, can_hear: Callable[[], bool] = lambda: True
    ) -> None:
        """`session` is that of the tab's kernel connection: its execute requests carry it too. `can_hear` says no while
        a cell keeps the kernel from reading what pages say.
        """
        self.comm = comm
        self.opened = opened
        self.session = session
        self.last_heard = time.monotonic()
        self._can_hear = can_hear
        self._given_up = False
        self._n = itertools.count(1)
        self._answers: dict[int | str, asyncio.Future[Any]] = {}
        self._cells: dict[str, ShownCell] = {}

    @property
    def client_id(self) -> str:
        """Which tab."""
        return self.opened.client_id

    def send(self, message: KernelMessage) -> None:
        """Send a message."""
        self.comm.send({"v": PROTOCOL, **message})

    async def is_alive(self, within_s: float = PONG_S) -> bool:
        """Whether the tab answers: closed tabs say no goodbye. Waits while the kernel cannot hear it."""
        return await self._pong(within_s) is not None

    async def runs_one_cell(self) -> bool:
        """Whether the tab answers, and no cell of its notebook waits for the one that runs."""
        pong = await self._pong(PONG_S)
        return pong is not None and pong.running <= 1

    async def _pong(self, within_s: float) -> Ping | None:
        n = next(self._n)
        pong: Ping | None = await self._answered(n, within_s, {"type": "ping", "n": n})
        return pong

    async def insert(self, cell: ShownCell, *, patient: bool) -> None:
        """Have the cell inserted, and report to it; returns when it is in the notebook.

        Raises:
            PageLost: see `NotebookPage`.
        """
        is_first_choice = patient and not self._given_up
        # The way there and back takes as long as the insertion, so it is made only where the cell may go elsewhere, or
        # where it would wait behind another one, before a Stop that the kernel cannot hear.
        if not (is_first_choice and self._can_hear()) and not await self.is_alive(READY_S):
            raise PageLost("The browser tab does not answer.")
        request, key = cell.asked, cell.asked.request_id
        self._cells[key] = cell
        message: KernelMessage = {
            "type": "run_cell",
            "req_id": key,
            "turn_id": cell.place.turn_id,
            "cell_id": request.cell_id,
            "code": request.source.rstrip("\n"),
            "setup": list(cell.place.setup),
            "asked_in": cell.place.asked_in,
            "instead_of": request.instead_of,
            "heading": cell.place.heading,
            "step": cell.place.step,
            "purpose": request.purpose,
        }
        if await self._answered(key, PATIENT_S if is_first_choice else INSERTED_S, message) is None:
            self._given_up |= patient
            raise PageLost("The browser tab did not insert the cell.")

    async def take_out(self, turn_id: str) -> CellsTaken:
        """Have the cells of a turn deleted that nobody has changed.

        Raises:
            PageLost: no answer within 3 s.
        """
        n = next(self._n)
        taken: CellsTaken = await self._asked(n, {"type": "take_out", "n": n, "turn_id": turn_id})
        return taken

    async def put_in(
        self, turn_id: str, cells: list[PastCell], *, asked_in: str | None, setup: Sequence[str], heading: str | None
    ) -> CellsTaken:
        """Have cells of a turn inserted, as they have run.

        Raises:
            PageLost: no answer within 3 s.
        """
        n = next(self._n)
        message: KernelMessage = {
            "type": "put_in",
            "n": n,
            "turn_id": turn_id,
            "asked_in": asked_in,
            "setup": list(setup),
            "heading": heading,
            "cells": cells,
        }
        taken: CellsTaken = await self._asked(n, message)
        return taken

    async def edit_cell(self, cell_id: str, before: str, after: str) -> Literal["written", "changed", "gone"]:
        """Have a cell's text replaced, if it is still `before`; says what came of it.

        Raises:
            PageLost: no answer within 3 s.
        """
        n = next(self._n)
        message: KernelMessage = {"type": "edit_cell", "n": n, "cell_id": cell_id, "before": before, "after": after}
        edited: CellEdited = await self._asked(n, message)
        return edited.outcome

    def remove_cell(self, cell_id: str) -> None:
        """Take a cell out that never ran and never will."""
        self.send({"type": "remove_cell", "cell_id": cell_id})

    def heard(self, message: Ping | CellReport | None = None) -> None:
        """The tab said something: who waits for it goes on, and a cell hears what is said of it."""
        self.last_heard = time.monotonic()
        self._given_up = False
        if message is None:
            return
        if message.type == "ping":
            self.send({"type": "pong", "n": message.n})
            return
        key = message.req_id if isinstance(message, CellInserted | CellDeleted) else message.n
        if isinstance(message, CellInserted) and key not in self._answers:
            cell = self._cells.get(message.req_id)
            if cell is not None and not cell.is_taken:
                self.remove_cell(message.cell_id)  # too late: it runs without a notebook
        if isinstance(message, CellDeleted) and (gone := self._cells.pop(message.req_id, None)) is not None:
            gone.is_deleted = True
        if key in self._answers and not self._answers[key].done():
            self._answers[key].set_result(message)

    async def _asked(self, n: int, message: KernelMessage) -> Any:
        if (answer := await self._answered(n, INSERTED_S, message)) is None:
            raise PageLost("The browser tab does not answer.")
        return answer

    async def _answered(self, key: int | str, within_s: float, message: KernelMessage) -> Any:
        """Send a message, and give its answer; None where none came. Time in which the kernel cannot hear it is not
        counted.
        """
        answer = self._answers[key] = asyncio.get_running_loop().create_future()
        self.send(message)
        try:
            while not answer.done():
                could_hear = self._can_hear()
                await asyncio.wait([answer], timeout=within_s)
                if not answer.done() and could_hear and self._can_hear():
                    return None
            return answer.result()
        finally:
            del self._answers[key]

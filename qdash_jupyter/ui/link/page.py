"""One browser tab with this kernel's notebook, at the other end of a comm."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from qdash_jupyter.cells.page import InsertedCell, PageReport
from qdash_jupyter.domain.wire import PROTOCOL, CellDone, CellInserted, ClientOpened, Pong
from qdash_jupyter.errors import PageLost

if TYPE_CHECKING:
    from comm.base_comm import BaseComm

    from qdash_jupyter.domain.cell_run import CellRequest

_T = TypeVar("_T")

PONG_S = 1.0
READY_S = 2.5
"""A page that draws its first chart loads Plotly, and answers nothing meanwhile."""
PATIENT_S = 10.0
"""The same on a slow machine, where no other page could take the cell."""
INSERTED_S = 3.0


class Page:
    """A tab (see `qdash_jupyter.cells.page.NotebookPage`). Everything here happens on the agent's loop."""

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
        self._pongs: dict[int, asyncio.Future[None]] = {}
        self._inserting: dict[str, asyncio.Future[int]] = {}
        self._running: dict[str, asyncio.Future[PageReport]] = {}

    @property
    def client_id(self) -> str:
        """Which tab."""
        return self.opened.client_id

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.comm.send({"v": PROTOCOL, "type": kind, **fields})

    async def is_alive(self, within_s: float = PONG_S) -> bool:
        """Whether the tab answers: closed tabs say no goodbye. Waits while the kernel cannot hear it."""
        n = next(self._n)
        pong = self._pongs[n] = asyncio.get_running_loop().create_future()
        self.send("ping", n=n)
        try:
            await self._in_time(pong, within_s)
        except TimeoutError:
            return False
        finally:
            del self._pongs[n]
        return True

    async def insert_and_execute(self, request: CellRequest, *, turn_id: str, step: int, patient: bool) -> InsertedCell:
        """Insert the cell and execute it; returns when it is in the notebook.

        Raises:
            PageLost: no sign of life within 2.5 s, or within 10 s where it is to be `patient` and has not been so in
                vain since the page was heard last; or no cell within 3 s more.
        """
        if not await self.is_alive(PATIENT_S if patient and not self._given_up else READY_S):
            self._given_up |= patient
            raise PageLost("The browser tab does not answer.")
        loop = asyncio.get_running_loop()
        key = request.request_id
        inserted = self._inserting[key] = loop.create_future()
        report = self._running[key] = loop.create_future()
        report.add_done_callback(lambda _: self._running.pop(key, None))
        self.send(
            "run_cell",
            req_id=key,
            turn_id=turn_id,
            cell_id=request.cell_id,
            code=request.code,
            after=request.after,
            step=step,
            purpose=request.purpose,
        )
        try:
            index = await self._in_time(inserted, INSERTED_S)
        except TimeoutError:
            self._running.pop(key, None)
            raise PageLost("The browser tab did not insert the cell.") from None
        finally:
            del self._inserting[key]
        return InsertedCell(request.cell_id, index, report)

    async def _in_time(self, answer: asyncio.Future[_T], within_s: float) -> _T:
        """Wait for an answer of the tab. Time in which the kernel could not hear it does not count.

        Raises:
            TimeoutError: none came.
        """
        while True:
            could_hear = self._can_hear()
            await asyncio.wait([answer], timeout=within_s)
            if answer.done():
                return answer.result()
            if could_hear and self._can_hear():
                raise TimeoutError

    def heard_within(self, seconds: float) -> bool:
        """Whether the tab said something lately."""
        return time.monotonic() - self.last_heard < seconds

    def remove_cell(self, cell_id: str) -> None:
        """Take a cell out that never ran and never will."""
        self.send("remove_cell", cell_id=cell_id)

    def heard(self, message: Pong | CellInserted | CellDone | None = None) -> None:
        """The tab said something: resolve what waits for it."""
        self.last_heard = time.monotonic()
        self._given_up = False
        waiting: asyncio.Future[Any] | None = None
        value: object = None
        if isinstance(message, Pong):
            waiting = self._pongs.get(message.n)
        elif isinstance(message, CellInserted):
            waiting, value = self._inserting.get(message.req_id), message.index
        elif isinstance(message, CellDone):
            waiting = self._running.get(message.req_id)
            value = PageReport(message.status, message.execution_count, retried=message.retried)
        if waiting is not None and not waiting.done():
            waiting.set_result(value)

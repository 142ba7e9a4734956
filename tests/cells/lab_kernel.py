"""The kernel's side of the bench: a `LabCellHost` whose pages are played by the process of the test."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from dataclasses import asdict
from typing import Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.cells import lab
from qdash_jupyter.cells.host import CellJob
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.lab import LabCellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.notebook_cell import NotebookCell
from qdash_jupyter.cells.place import CellPlace
from qdash_jupyter.cells.shown_cell import ShownCell
from qdash_jupyter.domain.cell_run import CellRequest, CellRun
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.domain.wire.page import CellsTaken
from qdash_jupyter.errors import PageLost

INSERT_S = 3.0
"""A tab that has not taken a cell by then does not take it."""


class BenchPage:
    """A tab of the test's."""

    def __init__(self, bench: Bench, client_id: str, session: str) -> None:
        self.client_id = client_id
        self.session = session
        self._bench = bench

    async def put_in(self, *_: object, **__: object) -> CellsTaken:
        raise PageLost("Not tried here.")

    async def is_alive(self) -> bool:
        try:
            await asyncio.wait_for(self._bench.asked(self.client_id, "ping"), 1)
        except TimeoutError:
            return False
        return True

    async def insert(self, cell: NotebookCell | ShownCell, *, patient: bool) -> None:
        assert isinstance(cell, NotebookCell)
        request = cell.asked
        self._bench.cells[request.cell_id] = cell
        fields = {"cell_id": request.cell_id, "code": request.source, "step": cell.place.step}
        try:
            await asyncio.wait_for(self._bench.asked(self.client_id, "run_cell", **fields), INSERT_S)
        except TimeoutError:
            raise PageLost("The tab of the test is silent.") from None
        cell.inserted()

    def send(self, message: object) -> None:
        raise AssertionError(message)

    def remove_cell(self, cell_id: str) -> None:
        self._bench.say(type="remove_cell", tab=self.client_id, cell_id=cell_id)


class Bench:
    """Everything of the kernel's side. The test speaks to it through a socket, one JSON object a line."""

    def __init__(self, shell: Any, port: int) -> None:
        self.shell = shell
        self.namespace = Namespace(shell.user_ns)
        self.host = LabCellHost(shell, self.namespace, self.in_order)
        self.watch = self.host.watch
        self.gate = threading.Event()
        self.pages: list[BenchPage] = []
        self.cells: dict[str, NotebookCell] = {}
        self.loop = AgentLoop()
        self._n = itertools.count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asks: dict[int, asyncio.Task[None]] = {}
        self._runs_inline: dict[int, asyncio.Event] = {}
        self._ended: set[str] = set()
        self.loop.submit(self._listen(port))

    def in_order(self, preferred: str | None) -> list[BenchPage]:
        return sorted(self.pages, key=lambda page: page.client_id != preferred)

    def say(self, **message: Any) -> None:
        self._writer.write(json.dumps(message, default=str).encode() + b"\n")

    def say_soon(self, **message: Any) -> None:
        """From another thread."""
        self.agents_loop.call_soon_threadsafe(lambda: self.say(**message))

    def here(self) -> None:
        """The code of a cell has come to this place."""
        self.say_soon(type="here")

    def asked(self, tab: str, kind: str, **fields: Any) -> asyncio.Future[Any]:
        n = next(self._n)
        self._waiting[n] = asyncio.get_running_loop().create_future()
        self.say(type=kind, tab=tab, n=n, **fields)
        return self._waiting[n]

    async def _listen(self, port: int) -> None:
        self.agents_loop = asyncio.get_running_loop()
        reader, self._writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
        self.say(type="ready")
        async for line in reader:
            message = json.loads(line)
            getattr(self, f"_on_{message.pop('type')}")(**message)

    def _on_tab(self, tab: str, session: str) -> None:
        self.pages.append(BenchPage(self, tab, session))

    def _on_close_tab(self, tab: str) -> None:
        self.pages = [page for page in self.pages if page.client_id != tab]

    def _on_open_gate(self) -> None:
        self.gate.set()
        self.say(type="opened")

    def _on_answer(self, n: int, value: Any) -> None:
        if not self._waiting[n].done():
            self._waiting[n].set_result(value)

    def _on_report(self, cell_id: str, status: Any, execution_count: int | None) -> None:
        if (cell := self.cells.pop(cell_id, None)) is not None:
            cell.reported(status, execution_count)

    def _on_ask(self, ask: int, request: dict[str, Any], preferred: str | None, idle: bool) -> None:
        self._runs_inline[ask] = asyncio.Event()
        self._asks[ask] = asyncio.ensure_future(self._run(ask, CellRequest(**request), preferred, idle))

    def _on_stop(self, ask: int) -> None:
        self._asks[ask].cancel()

    def _on_take_over(self, ask: int) -> None:
        self._runs_inline[ask].set()

    def _on_hammer(self, cell_id: str) -> None:
        threading.Thread(target=self._hammer, args=(cell_id,), daemon=True).start()

    def _hammer(self, cell_id: str) -> None:
        """Interrupt the cell as often as can be, from its beginning to its very end, and beyond."""
        sent = 0
        while cell_id not in self._ended:
            sent += self.watch.interrupt(cell_id)
        self.say_soon(type="hammered", cell_id=cell_id, sent=sent)

    def _on_close(self) -> None:
        self.watch.close()
        self.say(type="closed")

    async def _run(self, ask: int, request: CellRequest, preferred: str | None, idle: bool) -> None:
        def moved(event: CellMoved | CellWarned) -> None:
            assert isinstance(event, CellMoved)
            self.say(type="moved", ask=ask, stage=event.stage, code=event.request.code)

        def post(job: CellJob) -> None:
            self.host.run_when_idle(job.run)

        failed: str | None = None
        run: Any = None
        try:
            if idle:
                run = await InlineCellHost(self.shell, self.namespace).run(request, post, lambda _: None)
            else:
                run = await self.host.run(
                    request,
                    CellPlace("t", ask, preferred),
                    publish=moved,
                    runs_inline=self._runs_inline[ask],
                )
        except BaseException as error:  # noqa: BLE001 - looked at by the test
            failed = type(error).__name__
            run = outcome_of(self.host)
        self._ended.add(request.cell_id)
        self.say(type="outcome", ask=ask, failed=failed, run=None if run is None else asdict(run))


def outcome_of(host: LabCellHost) -> CellRun | None:
    """Of its last cell, also where the turn was stopped meanwhile."""
    ended = None if host.last_cell is None else host.last_cell.ended
    return None if ended is None or ended.cancelled() or ended.exception() else ended.result()


def begin(shell: Any, port: int) -> Bench:
    """Called in the kernel."""
    lab.BUSY_PING_S = 0.3
    return Bench(shell, port)

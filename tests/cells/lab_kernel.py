"""The kernel's side of the bench: the cells of a turn, whose page is played by the process of the test."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.lab import LabCells
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell
from qdash_jupyter.domain.cell_run import CellRequest, CellRun
from qdash_jupyter.domain.events import CellMoved, CellWarned
from qdash_jupyter.domain.wire.page import CellsTaken
from qdash_jupyter.errors import PageLost
from qdash_jupyter.kernel.turn_cells import TurnCells


class BenchPage:
    """The tab of the test's."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    async def put_in(self, *_: object, **__: object) -> CellsTaken:
        raise PageLost("Not tried here.")

    async def insert(self, cell: ShownCell, *, patient: bool) -> None:
        assert patient
        self._bench.cells[cell.asked.cell_id] = cell

    def send(self, message: Any) -> None:
        self._bench.say(type="told", ask=self._bench.cells[message["cell_id"]].place.step, message=message)

    def remove_cell(self, cell_id: str) -> None:
        self._bench.say(type="removed", cell_id=cell_id)


class Nobody:
    """Nobody waits for the turn in a cell."""

    def __init__(self) -> None:
        self.runs_inline = asyncio.Event()

    def post(self, *_: object, **__: object) -> None:
        """It waits for an idle kernel."""


class Bench:
    """Everything of the kernel's side. The test speaks to it through a socket, one JSON object a line."""

    def __init__(self, shell: Any, port: int) -> None:
        self.shell = shell
        self.namespace = Namespace(shell.user_ns)
        self.lab = LabCells(shell, self.namespace, lambda _: [BenchPage(self)])
        self.gate = threading.Event()
        self.cells: dict[str, ShownCell] = {}
        self.loop = AgentLoop()
        self._asks: dict[int, asyncio.Task[None]] = {}
        self.loop.submit(self._listen(port))

    def say(self, **message: Any) -> None:
        self._writer.write(json.dumps(message, default=str).encode() + b"\n")

    def here(self) -> None:
        """The code of a cell has come to this place."""
        self.agents_loop.call_soon_threadsafe(lambda: self.say(type="here"))

    async def _listen(self, port: int) -> None:
        self.agents_loop = asyncio.get_running_loop()
        reader, self._writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
        self.say(type="ready")
        async for line in reader:
            message = json.loads(line)
            getattr(self, f"_on_{message.pop('type')}")(**message)

    def _on_open_gate(self) -> None:
        self.gate.set()
        self.say(type="opened")

    def _on_deleted(self, cell_id: str) -> None:
        self.cells[cell_id].is_deleted = True

    def _on_ask(self, ask: int, request: dict[str, Any], shown: bool) -> None:
        self._asks[ask] = asyncio.ensure_future(self._run(ask, CellRequest(**request), shown))

    def _on_stop(self, ask: int) -> None:
        self.agents_loop.call_soon(self._asks[ask].cancel)  # once it has begun

    def _on_close(self) -> None:
        self.lab.close()
        self.say(type="closed")

    async def _run(self, ask: int, request: CellRequest, shown: bool) -> None:
        def moved(event: CellMoved | CellWarned) -> None:
            assert isinstance(event, CellMoved)
            stage, code = event.stage, event.request.code
            self.agents_loop.call_soon_threadsafe(lambda: self.say(type="moved", ask=ask, stage=stage, code=code))

        session: Any = SimpleNamespace(carried=SimpleNamespace(lost=lambda _: None))
        inline = InlineCellHost(self.shell, self.namespace)
        cells = TurnCells(session, inline, self.lab, Nobody(), CellPlace("t", ask - 1), unseen=not shown)
        failed: str | None = None
        run: CellRun | None = None
        try:
            run = await cells.run_in_kernel(request, moved)
        except BaseException as error:  # noqa: BLE001 - looked at by the test
            failed = type(error).__name__
        made = None if run is None else asdict(run)
        # What was said from the main thread comes first. Not awaited: a stop that is late would end it.
        self.agents_loop.call_soon(lambda: self.say(type="outcome", ask=ask, failed=failed, run=made))


def begin(shell: Any, port: int) -> Bench:
    """Called in the kernel."""
    return Bench(shell, port)

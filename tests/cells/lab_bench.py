"""A real kernel with cells of the copilot in it; the test plays the browser, and the person who sits there."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import KernelManager
from jupyter_client.session import Session

LONG = 30.0

_BEGIN = """
from tests.cells.lab_kernel import begin as _begin
_bench = _begin(get_ipython(), {port})
gate, here = _bench.gate, _bench.here
"""


class Cell:
    """A cell of the test's notebook: what its request was answered, and its outputs as a client stores them."""

    def __init__(self, cell_id: str, source: str) -> None:
        self.cell_id = cell_id
        self.source = source
        self.began = threading.Event()
        self.deleted = False
        self.outputs: list[dict[str, Any]] = []
        self.count: int | None = None
        self._reply: Future[dict[str, Any]] = Future()
        self._idle = threading.Event()
        self._stream: list[Any] | None = None
        self._clear_next = False
        self._displays: dict[str, list[int]] = {}

    def done(self, timeout: float = LONG) -> Cell:
        """Wait for its end."""
        self._reply.result(timeout)
        assert self._idle.wait(timeout)
        return self

    @property
    def status(self) -> str:
        return str(self._reply.result(LONG)["status"])

    @property
    def error(self) -> str:
        return str(self._reply.result(LONG).get("ename", ""))

    @property
    def text(self) -> str:
        return "".join(output["text"] for output in self.outputs if output["output_type"] == "stream")

    def take(self, kind: str, content: dict[str, Any]) -> None:
        """A message of the kernel, as JupyterLab's output area takes it."""
        if kind == "execute_input":
            self.count = content["execution_count"]
            self.began.set()
        elif kind == "status" and content["execution_state"] == "idle":
            self._idle.set()
        elif kind == "clear_output":
            self._stream = None
            self._clear_next = content["wait"]
            if not content["wait"]:
                self._clear()
        elif kind == "update_display_data":
            self._update(content)
        elif kind in {"stream", "display_data", "execute_result", "error"}:
            if self._clear_next:
                self._clear_next = False
                self._clear()
            self._add(kind, content)

    def _clear(self) -> None:
        self.outputs.clear()
        self._displays.clear()

    def _update(self, content: dict[str, Any]) -> None:
        for place in self._displays.get(content["transient"].get("display_id"), []):
            self.outputs[place] = _stored("display_data", content)

    def _add(self, kind: str, content: dict[str, Any]) -> None:
        if kind == "stream":
            if self._stream is None or self._stream[0] != content["name"]:
                self._stream = [content["name"], 0]
                self.outputs.append(_stored(kind, {**content, "text": ""}))
            last = self.outputs[-1]
            last["text"], self._stream[1] = moved_text(last["text"], self._stream[1], content["text"])
            return
        self._stream = None
        if kind == "display_data":
            self._update(content)
        self.outputs.append(_stored(kind, content))
        display_id = content.get("transient", {}).get("display_id")
        if kind == "display_data" and display_id is not None:
            self._displays.setdefault(display_id, []).append(len(self.outputs) - 1)


def _stored(kind: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"output_type": kind, **{key: value for key, value in content.items() if key != "transient"}}


def moved_text(text: str, at: int, more: str) -> tuple[str, int]:
    """`more` written at the cursor, character by character."""
    if at == len(text) and not {"\r", "\b"} & set(more):
        return text + more, len(text + more)
    for sign in more:
        if sign == "\n":
            text, at = f"{text}\n", len(text) + 1
        elif sign == "\r":
            at = text.rfind("\n", 0, at) + 1
        elif sign == "\b":
            if at and text[at - 1] != "\n":
                text, at = text[: at - 1] + text[at + 1 :], at - 1
        else:
            text, at = text[:at] + sign + text[at + 1 :], at + 1
    return text, at


class Asked:
    """A cell that the agent has asked for."""

    def __init__(self, lab: Lab, number: int, cell_id: str) -> None:
        self.cell_id = cell_id
        self.stages: list[str] = []
        self.codes: list[str] = []
        self.told: list[dict[str, Any]] = []
        """What pages are told of it, message by message."""
        self._lab = lab
        self._number = number
        self.outcome: Future[dict[str, Any]] = Future()
        self.at = 0.0

    def run(self, timeout: float = LONG) -> dict[str, Any]:
        """The `CellRun`, as a dictionary."""
        outcome = self.outcome.result(timeout)
        assert outcome["failed"] is None, outcome
        run: dict[str, Any] = outcome["run"]
        return run

    def failed(self, timeout: float = LONG) -> str | None:
        """The name of the exception it ended with."""
        failed: str | None = self.outcome.result(timeout)["failed"]
        return failed

    def when(self, stage: str, timeout: float = LONG) -> Asked:
        """Wait until it gets there."""
        self._lab.until(lambda: stage in self.stages, timeout)
        return self

    def stop(self) -> None:
        self._lab.say(type="stop", ask=self._number)

    @property
    def outputs(self) -> list[dict[str, Any]]:
        """What a page that has heard all of it shows."""
        shown: list[dict[str, Any]] = []
        for message in list(self.told):
            shown = [*shown[: message["first"]], *message["outputs"]]
        return shown

    @property
    def text(self) -> str:
        return "".join(output["text"] for output in self.outputs if output["output_type"] == "stream")


class Tab:
    """A browser tab: in it the person runs their cells."""

    def __init__(self, manager: KernelManager) -> None:
        self._by_request: dict[str, Cell] = {}
        self.states: list[str] = []
        """What the kernel says of itself beside the requests of clients."""
        self._session = Session(key=manager.session.key, signature_scheme=manager.session.signature_scheme)
        self._client = AsyncKernelClient(session=self._session)
        self._client.load_connection_info(manager.get_connection_info())

    async def open(self) -> None:
        self._client.start_channels(stdin=False, hb=False, control=False)
        await self._client.wait_for_ready(2 * LONG)
        self._readers = [asyncio.ensure_future(self._read_iopub()), asyncio.ensure_future(self._read_shell())]

    async def close(self) -> None:
        for reader in self._readers:
            reader.cancel()
        await asyncio.wait(self._readers)
        self._client.stop_channels()

    def execute(self, cell: Cell, *, stop_on_error: bool, subshell_id: str | None = None) -> None:
        content = {
            "code": cell.source,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": stop_on_error,
        }
        message = self._session.msg("execute_request", content, metadata={"cellId": cell.cell_id})
        message["header"]["subshell_id"] = subshell_id
        self._by_request[message["header"]["msg_id"]] = cell
        # Not the channel's own method: it sends behind asyncio's back, which then misses replies.
        self._client.shell_channel.socket.send_multipart(self._session.serialize(message))

    async def _received(self, channel: Any) -> dict[str, Any]:
        _, frames = self._session.feed_identities(await channel.socket.recv_multipart())
        message: dict[str, Any] = self._session.deserialize(frames)
        return message

    async def _read_iopub(self) -> None:
        while True:
            message = await self._received(self._client.iopub_channel)
            cell = self._by_request.get(message["parent_header"].get("msg_id", ""))
            if cell is not None:
                cell.take(message["msg_type"], message["content"])
            elif message["msg_type"] == "status" and not message["parent_header"]:
                self.states.append(message["content"]["execution_state"])

    async def _read_shell(self) -> None:
        while True:
            message = await self._received(self._client.shell_channel)
            cell = self._by_request.get(message["parent_header"].get("msg_id", ""))
            if cell is not None and not cell._reply.done():
                cell._reply.set_result(message["content"])


class Lab:
    """The kernel, the tabs, and the person."""

    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self.ready = threading.Event()
        self.closed = threading.Event()
        self.asks: dict[int, Asked] = {}
        self.removed: list[str] = []
        self.opened = 0
        self.is_here = False
        self._n = itertools.count(1)
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def begin(self) -> None:
        server = self._server = self._on_loop(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**26))
        self.tab = Tab(self.manager)
        self._on_loop(self.tab.open())
        assert self.person(_BEGIN.format(port=server.sockets[0].getsockname()[1])).done().status == "ok"
        assert self.ready.wait(LONG)

    def end(self) -> None:
        self._on_loop(self.tab.close())
        self._on_loop(self._hang_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LONG)
        self._loop.close()

    def person(self, code: str, **options: Any) -> Cell:
        """The person runs a cell of their own."""
        cell = Cell(f"person-{uuid.uuid4().hex}", code)
        self.again(cell, **options)
        return cell

    def again(self, cell: Cell, **options: Any) -> None:
        """The person presses Run on a cell."""
        self.is_here = False
        options.setdefault("stop_on_error", True)
        self._loop.call_soon_threadsafe(lambda: self.tab.execute(cell, **options))

    def ask(self, code: str, *, shown: bool = True) -> Asked:
        """The agent wants this to run in the kernel; `shown` in the notebook."""
        self.is_here = False
        number = next(self._n)
        cell_id = uuid.uuid4().hex
        asked = self.asks[number] = Asked(self, number, cell_id)
        request = {"request_id": uuid.uuid4().hex, "cell_id": cell_id, "code": code}
        self.say(type="ask", ask=number, request=request, shown=shown)
        return asked

    def be_patient(self, seconds: float) -> None:
        """How long Stop waits to see a cell's end: the shell reads all of pandas to show a traceback through it."""
        code = f"import qdash_jupyter.cells.inline\nqdash_jupyter.cells.inline.STOP_S = {seconds}"
        assert self.person(code).done().status == "ok"

    def value(self, expression: str) -> Any:
        """What an expression is in the kernel, by way of JSON."""
        cell = self.person(f"import json as _json\nprint(_json.dumps({expression}))").done()
        assert cell.status == "ok", cell.outputs
        return json.loads(cell.text)

    def pause(self) -> None:
        """Give the kernel a moment in which it could do what it should not."""
        time.sleep(0.3)

    def subshell(self) -> str:
        """A new subshell."""
        client = self.manager.client()
        client.start_channels(shell=False, iopub=False, stdin=False, hb=False)
        client.control_channel.send(client.session.msg("create_subshell_request"))
        reply = client.get_control_msg(timeout=LONG)
        client.stop_channels()
        subshell_id: str = reply["content"]["subshell_id"]
        return subshell_id

    def interrupt(self) -> None:
        """The person presses the notebook's own button, once: that may be just before a long sleep begins, which then
        goes on.
        """
        self.manager.interrupt_kernel()

    def delete(self, asked: Asked) -> None:
        """The person deletes a cell of the agent's."""
        self.say(type="deleted", cell_id=asked.cell_id)

    def open_gate(self) -> None:
        """Let the cell go on that waits for `gate`."""
        opened = self.opened
        self.say(type="open_gate")
        self.until(lambda: self.opened > opened)

    def when_here(self) -> None:
        """Wait until the code that was asked for last has called `here()`."""
        self.until(lambda: self.is_here)

    def until(self, holds: Callable[[], bool], timeout: float = LONG) -> None:
        """Wait for something that a message changes."""
        with self._changed:
            assert self._changed.wait_for(holds, timeout)

    def say(self, **message: Any) -> None:
        self._loop.call_soon_threadsafe(lambda: self.send(**message))

    def send(self, **message: Any) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")

    def _on_loop(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LONG)

    async def _hang_up(self) -> None:
        self._server.close()
        self._writer.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        with contextlib.suppress(asyncio.CancelledError):
            await self._hear(reader)

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        async for line in reader:
            message = json.loads(line)
            kind = message.pop("type")
            if kind == "ready":
                self.ready.set()
            elif kind == "closed":
                self.closed.set()
            elif kind == "opened":
                self.opened += 1
            elif kind == "here":
                self.is_here = True
            elif kind == "moved":
                asked = self.asks[message["ask"]]
                asked.stages.append(message["stage"])
                asked.codes.append(message["code"])
            elif kind == "outcome":
                asked = self.asks[message["ask"]]
                asked.at = time.monotonic()
                asked.outcome.set_result(message)
            elif kind == "told":
                self.asks[message["ask"]].told.append(message["message"])
            elif kind == "removed":
                self.removed.append(message["cell_id"])
            with self._changed:
                self._changed.notify_all()


@contextmanager
def open_lab() -> Iterator[Lab]:
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    lab = Lab(manager)
    try:
        lab.begin()
        yield lab
    finally:
        lab.end()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()

"""The worker: code of a model in, what came of it out. What one piece of a session binds, the next one has."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from threading import Event, Lock
from typing import Any

from qdash_jupyter.cells.kept_output import Show
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ConfigurationError, ToolError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.channel import Given
from qdash_jupyter.worker.confinement import confined_by, why_unconfined
from qdash_jupyter.worker.limits import IDLE_S, Shape, WorkerLimits
from qdash_jupyter.worker.process import Child, SessionLost, WorkerLost, WorkerProcess
from qdash_jupyter.worker.result import STOPPED, Call, JobResult, Reader, failed

STOPS_WITHIN_S = 0.25
"""So long code may take to mind an interrupt, until its process is killed."""

_AGAIN_S = 0.03
LOST = Message("code-worker-lost")

_SELF_TEST = """\
import os, socket
def begin():
    if os.fork() == 0:
        os._exit(0)
def succeeds(attempt):
    try:
        attempt()
    except OSError:
        return False
    return True
path, port = {path!r}, {port}
attempts = {{
    "read": lambda: os.open(path, os.O_RDONLY),
    "write": lambda: os.open(path, os.O_WRONLY),
    "make": lambda: os.open(path + "-", os.O_WRONLY | os.O_CREAT),
    "connect": lambda: socket.create_connection(("127.0.0.1", port), 1),
    "begin": begin,
    "signal": lambda: os.kill(os.getppid(), 0),
}}
[what for what, attempt in attempts.items() if succeeds(attempt)]
"""


class IsolatedWorker:
    """Runs code of a model, each session in a process of its own that reaches no file, no network and no other process.

    It starts with the first code, or with `start`. From any thread and any event loop.
    """

    def __init__(
        self,
        limits: WorkerLimits | None = None,
        shape: Shape = "frames",
        *,
        needs_wall: bool = True,
        idle_s: float = IDLE_S,
    ) -> None:
        """Use these limits.

        Args:
            limits: what each piece of code may take.
            shape: what stored results look like to the code.
            needs_wall: whether nothing runs where the system cannot confine it. Otherwise it runs there too, and Python
                refuses what it can: enough against mistakes, not against code that wants to get out.
            idle_s: after so many seconds without code, the process ends, with the names of its sessions.
        """
        self.limits = limits or WorkerLimits()
        self.shape = shape
        self._needs_wall, self._idle_s = needs_wall, idle_s
        self._process: WorkerProcess | None = None
        self._starts, self._is_closed = Lock(), False
        self.threads: Executor = ThreadPoolExecutor(self.limits.jobs, "isolated-worker")

    @property
    def confined_by(self) -> Text:
        """What confines the code here, in words; empty where nothing does, and none would run."""
        return confined_by() or ("" if self._needs_wall else Message("worker-without-wall"))

    def start(self) -> None:
        """Start it now. Blocks for a second or two.

        Raises:
            ConfigurationError: it cannot be started, or nothing confines it here; the message says why.
        """
        self.process()

    def session(self, data: Mapping[str, StoredResult]) -> WorkerSession:
        """A new one, with these stored results as `data`, and `copilot.data`. Whoever asks for it closes it."""
        return WorkerSession(self, data)

    def close(self) -> None:
        """End it with all that runs. Jobs that run give an error; those that wait are cancelled."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        with self._starts:
            self._is_closed = True
        self.end(self._process)
        self.threads.shutdown()

    def end(self, process: WorkerProcess | None) -> None:
        """End this one, unless another has taken its place."""
        with self._starts:
            if process is not None and process is self._process:
                process.end()
                self._process = None

    def process(self) -> WorkerProcess | None:
        """The process; None once the worker is closed."""
        with self._starts:
            if self._is_closed:
                return None
            if self._process is None or not self._process.is_alive:
                if self._needs_wall and (why := why_unconfined()):
                    raise ConfigurationError(why, Message("worker-unconfined-hint"))
                if not hasattr(os, "fork"):
                    raise ConfigurationError.with_hint("worker-no-fork", platform=sys.platform)
                if self._process is not None:
                    self._process.end()
                self._process = WorkerProcess(self.shape, self._idle_s)
                try:
                    _test(self._process, self.limits)
                except BaseException:
                    self._process.end()
                    self._process = None
                    raise
            return self._process


class WorkerSession:
    """Runs the code of one conversation, one piece after the other, in a process of its own that begins with the first.

    Names stay until the session is closed, or its process is killed: by a limit, by a stop that the code does not mind,
    by itself. Its owner closes it.
    """

    def __init__(self, worker: IsolatedWorker, data: Mapping[str, StoredResult]) -> None:
        """A session of this worker. `data` are the stored results, as they are when a piece of code begins."""
        self._worker, self._data = worker, data
        self._call: Call | None = None
        self._most_calls = self._calls = 0
        self._turns = asyncio.Lock()
        self._runs = Lock()
        self._child: Child | None = None
        self._names: tuple[str, ...] = ()
        self._gone: tuple[str, ...] = ()

    def let_call(self, call: Call, most_calls: int) -> None:
        """Let code call tools that read, so many times in each turn."""
        self._call, self._most_calls = call, most_calls

    def begin_turn(self) -> None:
        """Count its calls anew."""
        self._calls = 0

    def _called(self, tool: str, by_place: Sequence[Any], by_name: JsonObject) -> StoredResult | JsonObject:
        self._calls += 1
        if self._call is None or self._calls > self._most_calls:
            raise ToolError.with_hint("code-call-limit", count=self._most_calls)
        return self._call(tool, by_place, by_name)

    async def run(self, code: str, show: Show | None = None, *, given: Given | None = None) -> JobResult:
        """Run the code. Its errors are in the result. `show` hears
        of what it shows meanwhile, on another thread. `given` are names of the kernel, which is then told what the
        code has made of its own (`JobResult.bound`).

        When as many run as may, it waits for its turn. Cancelled, the code is interrupted, then killed, and this ends
        when it has.

        Raises:
            ConfigurationError: no code can run isolated here.
        """
        async with self._turns:
            stopped = Event()
            future = self._worker.threads.submit(self._run, code, show, given, stopped)
            outcome = asyncio.wrap_future(future)
            try:
                result = await asyncio.shield(outcome)
            except asyncio.CancelledError:
                stopped.set()
                future.cancel()
                killed_at = time.monotonic() + STOPS_WITHIN_S
                while not outcome.done():  # again and again: it may be about to begin, or just be asking for data
                    if (child := self._child) is not None:
                        child.interrupt(kill=time.monotonic() >= killed_at)
                    await asyncio.wait([outcome], timeout=_AGAIN_S)
                if not outcome.cancelled():
                    outcome.exception()  # seen, and of no interest any more
                raise
            gone, self._gone = self._gone, ()
            return replace(result, gone=gone)

    def close(self) -> None:
        """End its process with its names and whatever runs there; what is run afterwards begins anew. Blocks for some
        milliseconds.
        """
        if (child := self._child) is not None:
            child.stop()
        with self._runs:
            self._end()
            self._gone = ()

    def _run(self, code: str, show: Show | None, given: Given | None, stopped: Event) -> JobResult:
        with self._runs:
            for _ in range(2):
                if (process := self._worker.process()) is None:
                    break
                try:
                    limits = self._worker.limits
                    if self._child is not None and self._child.process is not process:
                        self._end()
                    child = self._child = self._child or process.open(limits)
                    if stopped.is_set():
                        return failed(STOPPED)
                    reader = Reader(limits, show, self._called if self._call is not None else None, stopped)
                    done, ended = child.run(code, dict(self._data), limits, reader, given)
                except WorkerLost as lost:
                    self._end()
                    self._worker.end(process)
                    if lost.had_begun:
                        break
                    continue
                except SessionLost:
                    self._end()
                    continue
                result = reader.result(done, ended)
                if result.names is not None:
                    self._names = result.names
                if ended is not None:
                    self._end()
                return result
            return failed(LOST)

    def _end(self) -> None:
        """End the process, if there is one; the names that go with it are told with the next result."""
        self._gone += self._names
        child, self._child, self._names = self._child, None, ()
        if child is not None:
            child.close()


def _test(process: WorkerProcess, limits: WorkerLimits) -> None:
    """See with our own eyes that code reaches neither a file nor a server nor another process.

    Raises:
        ConfigurationError: it does.
    """
    limits = replace(limits, seconds=max(limits.seconds or 0.0, 10.0))
    with tempfile.NamedTemporaryFile() as file, socket.create_server(("127.0.0.1", 0)) as server:
        code = _SELF_TEST.format(path=file.name, port=server.getsockname()[1])
        child = process.open(limits)
        try:
            reader = Reader(limits)
            result = reader.result(*child.run(code, {}, limits, reader))
        except (WorkerLost, SessionLost):
            result = failed(LOST)
        finally:
            child.close()
    if result.error:
        raise ConfigurationError(Message("worker-does-not-work"), result.error)
    if result.value != []:
        can = tuple(Message("worker-can", what=str(each)) for each in result.value)
        raise ConfigurationError(Message("worker-not-confined", can=can), Message("worker-unconfined-hint"))

"""The worker: code of a model in, what came of it out."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from threading import Lock

from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.confinement import confined_by, why_unconfined
from qdash_jupyter.worker.limits import IDLE_S, Shape, WorkerLimits
from qdash_jupyter.worker.process import SessionLost, WorkerLost, WorkerProcess
from qdash_jupyter.worker.result import JobResult, Reader, failed
from qdash_jupyter.worker.session import LOST, WorkerSession

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
_CAN = {
    "read": Message("worker-can-read"),
    "write": Message("worker-can-write"),
    "make": Message("worker-can-make"),
    "connect": Message("worker-can-connect"),
    "begin": Message("worker-can-begin"),
    "signal": Message("worker-can-signal"),
}
"""What it reports, in words."""


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

    async def run(self, code: str, data: Mapping[str, StoredResult]) -> JobResult:
        """Run one piece of code in a session of its own.

        Raises:
            ConfigurationError: no code can run isolated here.
        """
        return await self.session(data).run(code, is_last=True)

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
                    raise ConfigurationError(
                        Message("worker-no-fork", platform=sys.platform), Message("worker-no-fork-hint")
                    )
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
        can = tuple(_CAN.get(each, str(each)) for each in result.value)
        raise ConfigurationError(Message("worker-not-confined", can=can), Message("worker-unconfined-hint"))

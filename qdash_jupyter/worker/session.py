"""A conversation's place in the worker: what one piece of code binds, the next one has."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Protocol

from qdash_jupyter.errors import ToolError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.worker.process import Child, SessionLost, WorkerLost, WorkerProcess
from qdash_jupyter.worker.result import STOPPED, JobResult, Reader, failed

if TYPE_CHECKING:
    from qdash_jupyter.cells.kept_output import Show
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.worker.inside import Given
    from qdash_jupyter.worker.limits import WorkerLimits
    from qdash_jupyter.worker.result import Call

STOPS_WITHIN_S = 0.25
"""So long code may take to mind an interrupt, until its process is killed."""

_AGAIN_S = 0.03
LOST = Message("code-worker-lost")


class Host(Protocol):
    """The worker, as a session sees it."""

    limits: WorkerLimits

    @property
    def threads(self) -> Executor:
        """On which code is waited for: so many run at a time."""
        ...

    def process(self) -> WorkerProcess | None:
        """The process that forks sessions; None once the worker is closed.

        Raises:
            ConfigurationError: nothing confines code here.
        """
        ...

    def end(self, process: WorkerProcess) -> None:
        """This one is gone."""
        ...


class WorkerSession:
    """Runs the code of one conversation, one piece after the other, in a process of its own that begins with the first.

    Names stay until the session is closed, or its process is killed: by a limit, by a stop that the code does not mind,
    by itself. Its owner closes it.
    """

    def __init__(self, worker: Host, data: Mapping[str, StoredResult]) -> None:
        """A session of this worker. `data` are the stored results, as they are when a piece of code begins."""
        self._worker, self._data = worker, data
        self._call: Call | None = None
        self._most_calls = self._calls = 0
        self._turns = asyncio.Lock()
        self._runs = Lock()
        self._process: WorkerProcess | None = None
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
            raise ToolError(Message("code-call-limit", count=self._most_calls), Message("code-call-limit-hint"))
        return self._call(tool, by_place, by_name)

    async def run(
        self, code: str, show: Show | None = None, *, given: Given | None = None, is_last: bool = False
    ) -> JobResult:
        """Run the code; where it `is_last`, the session is closed behind it. Its errors are in the result. `show` hears
        of what it shows meanwhile, on another thread. `given` are names of the kernel, which is then told what the
        code has made of its own (`JobResult.bound`).

        When as many run as may, it waits for its turn. Cancelled, the code is interrupted, then killed, and this ends
        when it has.

        Raises:
            ConfigurationError: no code can run isolated here.
        """
        async with self._turns:
            stopped = Event()
            future = self._worker.threads.submit(self._run_last if is_last else self._run, code, show, given, stopped)
            outcome = asyncio.wrap_future(future)
            try:
                result = await asyncio.shield(outcome)
            except asyncio.CancelledError:
                stopped.set()
                future.cancel()
                killed_at = time.monotonic() + STOPS_WITHIN_S
                while not outcome.done():  # again and again: it may be about to begin, or just be asking for data
                    (self._interrupt if time.monotonic() < killed_at else self._kill)()
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
        self._kill()
        with self._runs:
            self._end()
            self._gone = ()

    def _run_last(self, code: str, show: Show | None, given: Given | None, stopped: Event) -> JobResult:
        try:
            return self._run(code, show, given, stopped)
        finally:
            self.close()

    def _run(self, code: str, show: Show | None, given: Given | None, stopped: Event) -> JobResult:
        with self._runs:
            for _ in range(2):
                if (process := self._worker.process()) is None:
                    break
                try:
                    limits = self._worker.limits
                    if process is not self._process:
                        self._end()
                    child = self._opened(process, limits)
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
                if ended is not None:
                    self._end()
                elif result.names is not None:
                    self._names = result.names
                return result
            return failed(LOST)

    def _opened(self, process: WorkerProcess, limits: WorkerLimits) -> Child:
        if self._child is None:
            self._process, self._child = process, process.open(limits)
        return self._child

    def _end(self) -> None:
        """End the process, if there is one; the names that go with it are told with the next result."""
        child = self._child
        self._gone += self._names
        self._process, self._child, self._names = None, None, ()
        if child is not None:
            child.close()

    def _interrupt(self) -> None:
        if (child := self._child) is not None:
            child.interrupt()

    def _kill(self) -> None:
        if (child := self._child) is not None:
            child.stop()

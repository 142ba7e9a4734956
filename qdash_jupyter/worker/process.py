"""The worker's process as the service holds it: begun, asked, ended."""

from __future__ import annotations

import contextlib
import json
import math
import os
import pickle
import select
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import jiter

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.channel import BEGUN, CONTROL_BYTES, Broken, Channel, Given, Stored
from qdash_jupyter.worker.confinement import command, environment
from qdash_jupyter.worker.limits import NAMES_BYTES, RESULT_BYTES, Shape, WorkerLimits
from qdash_jupyter.worker.result import Reader

_STARTS_WITHIN_S = 60.0
_MOST_PARTS = 100_000
_PART_BYTES = 64  # of memory, for a part of no bytes
_GRACE_S = 10.0
_SPARE_TASKS = 256
_STATUS_BYTES = 4096
_LONGEST_POLL_MS = 2**31 - 1
_MOST_GETS = 10
"""Of one result, by one piece of code: a session keeps it, unless its memory is short."""


class WorkerLost(Exception):
    """The process is gone; `had_begun` says whether the code had begun to run there."""

    def __init__(self, *, had_begun: bool) -> None:
        self.had_begun = had_begun


class SessionLost(Exception):
    """The session's own process has ended before it took the code."""


class WorkerProcess:
    """A running worker. From any thread."""

    def __init__(self, shape: Shape, idle_s: float) -> None:
        """Begin it and wait until it has loaded its libraries. It ends by itself when no code ran for `idle_s`.

        Raises:
            ConfigurationError: it does not start; the message says why.
        """
        self._channel, theirs = socket.socketpair()
        self._channel.settimeout(_STARTS_WITHIN_S)
        self._sends, self._number = Lock(), 0
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - the interpreter that we run in
                command(theirs.fileno(), shape, idle_s),
                env=environment(),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # the interrupt of a terminal is for the service
            )
        Thread(target=self._process.wait, daemon=True).start()  # so that it never is a zombie
        if problem := self._problem():
            self.end()
            raise ConfigurationError(Message("worker-does-not-start"), problem)

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def open(self, limits: WorkerLimits) -> Child:
        """Have it fork a session. Memory is limited from now on.

        Raises:
            WorkerLost: nobody does.
        """
        with self._sends:
            self._number += 1
            number = self._number
        asked = {"open": number, "memory": limits.memory_mb * 1_000_000, "tasks": _most_tasks()}
        ours, theirs = socket.socketpair()
        ends, writes_end = os.pipe()
        try:
            self.send(asked, [theirs.fileno(), writes_end])
        except WorkerLost:
            ours.close()
            os.close(ends)
            raise
        finally:
            theirs.close()
            os.close(writes_end)
        return Child(self, number, ours, ends)

    def send(self, asked: JsonObject, descriptors: Sequence[int] = ()) -> None:
        """Have it do something.

        Raises:
            WorkerLost: nobody does.
        """
        try:
            with self._sends:
                socket.send_fds(self._channel, [json.dumps(asked).encode().ljust(CONTROL_BYTES)], descriptors)
        except OSError as problem:
            raise WorkerLost(had_begun=False) from problem

    def kill(self) -> None:
        """End it at once: it keeps no time any more."""
        self._process.kill()

    def end(self) -> None:
        """End it with its jobs. Blocks for some milliseconds."""
        with self._sends:
            self._channel.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _problem(self) -> Text:
        """Wait until it is ready; what hinders it, empty for nothing."""
        try:
            message = self._channel.recv(65_536)
        except TimeoutError:
            self._process.kill()
            return Message("worker-timed-out", seconds=_STARTS_WITHIN_S)
        if not message:
            said = self._process.stderr.read().decode("utf-8", "replace") if self._process.stderr is not None else ""
            last_line = said.strip().rpartition("\n")[2]  # of a traceback that is the error
            return last_line or Message("worker-exited", code=str(self._process.wait()))
        self._channel.settimeout(None)
        return str(json.loads(message)["problem"])


class Child:
    """A session's process, as its host sees it. `run` and `close` from one thread at a time, the others from any."""

    def __init__(self, process: WorkerProcess, number: int, channel: socket.socket, ends: int) -> None:
        """Forked by this process under this number; `ends` is where it says how the session ended."""
        self.process, self._number, self._socket, self._ends = process, number, channel, ends
        self._channel = Channel(channel.fileno())
        self._said = b""  # of how it ended
        self._versions: dict[str, tuple[StoredResult, int]] = {}
        self._carries = 0
        """Bytes that the names of the kernel may still hold: a session has no more than its memory."""
        self._gets = Counter[str]()
        self._numbers = count()
        self._state, self._runs = Lock(), False

    def run(
        self, code: str, data: dict[str, StoredResult], limits: WorkerLimits, hearer: Reader, given: Given | None = None
    ) -> tuple[JsonObject, JsonObject | None]:
        """What came of the code, and how the session ended; None where it goes on. Blocks. `given` are names of the
        kernel (see `qdash_jupyter.worker.inside.Session.outcome`).

        Raises:
            WorkerLost: the worker ended before it.
            SessionLost: the session had ended already, or did so before the code began.
        """
        seconds = math.inf if limits.seconds is None else limits.seconds
        deadline, has_begun, left = time.monotonic() + seconds + _GRACE_S, False, RESULT_BYTES
        self._carries, self._gets = min(NAMES_BYTES, limits.memory_mb * 1_000_000), Counter()
        try:
            self.process.send({"run": self._number, "seconds": limits.seconds, "cpu_seconds": limits.cpu_seconds})
            with self._state:
                self._runs = True
            self._channel.send(pickle.dumps((code, self._numbered(data), given), protocol=5))
            while written := self._received(deadline, left):
                left -= len(written)
                told = _told(written)
                if isinstance(done := told.get("done"), dict):
                    return done, self._ran()
                has_begun = has_begun or told == BEGUN
                self._heard(told, data, hearer)
        except Broken as broken:
            self.stop()
            return {}, {"by": str(broken), "code": 0}
        except OSError:
            pass  # it has ended
        except WorkerLost:
            self._end()
            raise
        if not _is_ready(self._ends, time.monotonic() + _GRACE_S):
            self.stop()
            return {}, {"by": "spoiled", "code": 0}  # it has closed the channel, and goes on
        ended = self._end()
        if ended is None:
            raise WorkerLost(had_begun=has_begun)
        if not (has_begun or ended["by"]):
            raise SessionLost
        return {}, ended

    def interrupt(self, *, kill: bool = False) -> None:
        """Stop the code that runs, if any does; it may mind that or not. With `kill` its process ends."""
        with self._state:  # none is asked for once the code has ended, so none comes to the code after it
            if self._runs:
                self._ask("stop" if kill else "interrupt")

    def stop(self) -> None:
        """Kill it."""
        self._ask("stop")

    def close(self) -> None:
        """Kill it and wait until it is gone."""
        if self._ends >= 0:
            self._ask("stop")
            self._end()

    def _heard(self, told: JsonObject, data: dict[str, StoredResult], hearer: Reader) -> None:
        match told:
            case {"get": str(key)}:
                self._gets[key] += 1
                if key not in data or self._gets[key] > _MOST_GETS:
                    raise Broken("spoiled")
                self._channel.send(pickle.dumps(data[key], protocol=5))
            case {"call": str(tool), "by_place": list(by_place), "by_name": dict(by_name)}:
                answer: Any = hearer.called(tool, by_place, by_name, self._is_there)
                if isinstance(answer, StoredResult):
                    data[answer.key], self._gets[answer.key] = answer, 0
                    self._versions[answer.key] = answer, next(self._numbers)
                    answer = Stored(answer.key, self._versions[answer.key][1])
                self._channel.send(pickle.dumps(answer, protocol=5))
            case {"out": str(kind), "content": dict(content)}:
                hearer.hear(kind, content)
            case {"name": str(name), "parts": int(count)} if count <= _MOST_PARTS:
                parts: list[bytes | bytearray] = []
                for _ in range(count):
                    parts.append(self._channel.receive(max(0, self._carries)))
                    self._carries -= len(parts[-1]) + _PART_BYTES
                hearer.carried(name, parts)

    def _ask(self, what: str) -> None:
        with contextlib.suppress(WorkerLost):  # then it is gone, too
            self.process.send({what: self._number})

    def _is_there(self) -> bool:
        """Whether its process still holds its end of the channel."""
        waits = select.poll()
        waits.register(self._socket, 0)  # an end is told all the same
        return not waits.poll(0)

    def _ran(self) -> JsonObject | None:
        """No time is taken any more, and every interrupt that was asked for has come: how the session ended by one;
        None where it goes on.
        """
        with self._state:
            self._runs = False
        self.process.send({"ran": self._number})
        self._wait(self._ends, time.monotonic() + _GRACE_S)
        self._said = os.read(self._ends, _STATUS_BYTES).strip()
        return json.loads(self._said) if self._said else None

    def _numbered(self, data: Mapping[str, StoredResult]) -> dict[str, int]:
        """The keys of the results, each with a number that is another one when it holds another result."""
        before, self._versions = self._versions, {}
        for key, result in data.items():
            held = before.get(key)
            self._versions[key] = held if held is not None and held[0] is result else (result, next(self._numbers))
        return {key: number for key, (_, number) in self._versions.items()}

    def _received(self, deadline: float, most: int) -> bytes | bytearray:
        self._wait(self._socket.fileno(), deadline)
        return self._channel.receive(most)

    def _wait(self, descriptor: int, deadline: float) -> None:
        if not _is_ready(descriptor, deadline):
            self.process.kill()

    def _end(self) -> JsonObject | None:
        """How it ended; None where the worker has ended with it."""
        deadline = time.monotonic() + _GRACE_S
        while True:
            self._wait(self._ends, deadline)
            if not (part := os.read(self._ends, _STATUS_BYTES)):
                break
            self._said += part
        os.close(self._ends)
        self._ends = -1
        self._socket.close()
        told = self._said.strip()
        return json.loads(told) if told else None


def _told(message: bytes | bytearray) -> JsonObject:
    try:
        told = jiter.from_json(bytes(message), allow_inf_nan=False)
    except ValueError as problem:
        raise Broken("spoiled") from problem
    return told if isinstance(told, dict) else {}


def _is_ready(descriptor: int, deadline: float) -> bool:
    """Whether there is something to be read before that."""
    waits = select.poll()
    waits.register(descriptor, select.POLLIN)
    left = deadline - time.monotonic()
    return bool(waits.poll(None if left == math.inf else min(max(0.0, 1000 * left), _LONGEST_POLL_MS)))


def _most_tasks() -> int | None:
    """A limit on threads: those on this machine, of whomever, as the kernel counts all of the user's, and some more.
    None where the system does not tell how many there are.
    """
    try:
        return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].split("/")[1]) + _SPARE_TASKS
    except OSError:
        return None

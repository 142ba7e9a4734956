"""The worker's process as the service holds it: begun, asked, ended."""

from __future__ import annotations

import json
import os
import pickle
import select
import socket
import struct
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.confinement import ENVIRONMENT, command
from qdash_jupyter.worker.limits import RESULT_BYTES, Shape, WorkerLimits

_STARTS_WITHIN_S = 60.0
_GRACE_S = 10.0
_SPARE_TASKS = 256
_PIDS = struct.Struct("3i")


class WorkerLost(Exception):
    """The process is gone; `had_begun` says whether it had begun the job."""

    def __init__(self, *, had_begun: bool) -> None:
        self.had_begun = had_begun


@dataclass(eq=False)
class Job:
    """One piece of code with its data, and whether somebody has stopped it."""

    code: str
    data: Mapping[str, StoredResult]
    process: WorkerProcess | None = None
    number: int = 0
    is_stopped: bool = False
    _lock: Lock = field(default_factory=Lock)

    def stop(self) -> None:
        """End it, wherever it is. From any thread."""
        with self._lock:
            self.is_stopped = True
            if self.process is not None:
                self.process.stop(self.number)

    def runs_in(self, process: WorkerProcess, number: int, descriptors: list[int], limits: WorkerLimits) -> bool:
        """Hand it to the process; False where it was stopped before.

        Raises:
            WorkerLost: nobody takes it.
        """
        with self._lock:
            if self.is_stopped:
                return False
            process.send(number, descriptors, limits)
            self.process, self.number = process, number
            return True


class WorkerProcess:
    """A running worker. From any thread."""

    def __init__(self, shape: Shape) -> None:
        """Begin it and wait until it has loaded its libraries.

        Raises:
            ConfigurationError: it does not start; the message says why.
        """
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._channel.settimeout(_STARTS_WITHIN_S)
        self._sends, self._number = Lock(), 0
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - the interpreter that we run in
                command(theirs.fileno(), shape),
                env=ENVIRONMENT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # the interrupt of a terminal is for the service
            )
        Thread(target=self._process.wait, daemon=True).start()  # so that it never is a zombie
        problem, pid = self._ready()
        if problem:
            self.end()
            raise ConfigurationError("The worker for code of the model does not start.", problem)
        self._own_memory = _address_space(pid)

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def run(self, job: Job, limits: WorkerLimits) -> tuple[bytes, JsonObject]:
        """What the job wrote, cut behind the most that is allowed, and how its process ended. Blocks.

        Raises:
            WorkerLost: this process ended before the job.
        """
        with self._sends:
            self._number += 1
            number = self._number
        result, writes_result = os.pipe()
        ends, writes_end = os.pipe()
        try:
            try:
                with open(os.memfd_create("job"), "w+b") as file:  # noqa: PTH123 - a descriptor
                    pickle.dump((job.code, dict(job.data)), file, protocol=5)
                    file.flush()
                    file.seek(0)
                    sent = job.runs_in(self, number, [file.fileno(), writes_result, writes_end], limits)
            finally:
                os.close(writes_result)
                os.close(writes_end)
            if not sent:
                return b"", {"by": "stop", "code": 0, "cpu": 0.0}
            deadline = time.monotonic() + limits.seconds + _GRACE_S
            written = self._read(result, deadline)
            if len(written) > RESULT_BYTES:
                self.stop(number)
            ended = self._read(ends, deadline)
        finally:
            os.close(result)
            os.close(ends)
        if not ended.strip():
            raise WorkerLost(had_begun=bool(ended))
        told: JsonObject = json.loads(ended)
        if len(written) > RESULT_BYTES:
            told |= {"by": "", "code": 0}
        return written, told

    def send(self, number: int, descriptors: list[int], limits: WorkerLimits) -> None:
        """Have it run a job.

        Raises:
            WorkerLost: nobody takes it.
        """
        asked = {
            "run": number,
            "seconds": limits.seconds,
            "cpu_seconds": limits.cpu_seconds,
            "memory": self._own_memory + limits.memory_mb * 1_000_000,
            "tasks": _tasks() + _SPARE_TASKS,
        }
        try:
            with self._sends:
                socket.send_fds(self._channel, [json.dumps(asked).encode()], descriptors)
        except OSError as problem:
            raise WorkerLost(had_begun=False) from problem

    def stop(self, number: int) -> None:
        """Kill that job, if it still runs."""
        try:
            with self._sends:
                self._channel.send(json.dumps({"stop": number}).encode())
        except OSError:
            pass  # it is gone with its jobs

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

    def _ready(self) -> tuple[str, int]:
        """What hinders it, empty for nothing, and its process id as we see it."""
        try:
            message, extra, _, _ = self._channel.recvmsg(65_536, socket.CMSG_SPACE(_PIDS.size))
        except TimeoutError:
            self._process.kill()
            return f"It did not answer within {_STARTS_WITHIN_S:g} seconds.", 0
        if not message:
            said = self._process.stderr.read().decode("utf-8", "replace") if self._process.stderr is not None else ""
            return said.strip() or f"It ended with {self._process.wait()}.", 0
        [pid] = [_PIDS.unpack(data)[0] for _, kind, data in extra if kind == socket.SCM_CREDENTIALS]
        self._channel.settimeout(None)
        return json.loads(message)["problem"], pid

    def _read(self, descriptor: int, deadline: float) -> bytes:
        """All that is written there, or more than the most that is allowed."""
        waits, parts, size = select.poll(), [], 0
        waits.register(descriptor, select.POLLIN)
        while size <= RESULT_BYTES:
            if not waits.poll(max(0.0, 1000 * (deadline - time.monotonic()))):
                self._process.kill()  # it keeps no time any more
                break
            part = os.read(descriptor, 1 << 20)
            if not part:
                break
            parts.append(part)
            size += len(part)
        return b"".join(parts)


def _address_space(pid: int) -> int:
    """Bytes of address space that the process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _tasks() -> int:
    """Threads on this machine, of whomever: the kernel's limit counts all of the user's."""
    return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].split("/")[1])

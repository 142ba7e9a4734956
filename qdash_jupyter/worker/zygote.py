"""The process that holds the libraries and forks one child for each session. It never runs code itself."""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import select
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from qdash_jupyter.worker.channel import CONTROL_BYTES
from qdash_jupyter.worker.forked import address_space, be_session
from qdash_jupyter.worker.libc import PR_SET_DUMPABLE, prctl

_PRELOADED = (
    *("numpy", "pandas", "plotly.express", "plotly.graph_objects", "plotly.io", "plotly.subplots"),
    *("qdash_jupyter.methods", "qdash_jupyter.worker.inside"),
)
_PRELOADED_SCIPY = ("scipy.optimize",)
"""What fits of curves need. `scipy.stats` takes a third of a second more, which code that wants it pays by itself."""
_PRELOADED_MATPLOTLIB = ("matplotlib.pyplot", "matplotlib_inline.backend_inline")
_CHANGES_NOTHING = ("/dev/urandom",)
_IS_LINUX = sys.platform == "linux"
_PROBLEM_CHARS = 4000
_DAY_S = 86_400
_CPU_CLOCK = 2  # of a process, as the kernel numbers clocks
_LOOK_S = 0.25
"""How often the time of the processor is looked at while code runs."""


@dataclass(slots=True)
class _Child:
    pid: int
    number: int
    status: int
    """Where it is told how it ended."""
    ended_by: str = ""
    deadline: float | None = None
    """When the code that runs now has to be done; None while none runs, infinite without a limit."""
    cpu_deadline: float = math.inf
    """The same in seconds of the processor."""

    @property
    def cpu(self) -> float:
        """Seconds of the processor that it has taken; 0 where only Linux would tell."""
        return time.clock_gettime(~self.pid << 3 | _CPU_CLOCK) if _IS_LINUX else 0.0


def serve(plan: dict[str, Any]) -> None:
    """Load the libraries, say `{"problem": ""}` on the channel, and do what is asked for there until it is closed, or
    no code has run for `idle_s`.

    A message is `{"open": number, …}` with two descriptors (the session's channel, its status), or it names a session:
    `{"run": number, …}` and `{"ran": number}` around each piece of code, `{"interrupt": number}`, `{"stop": number}`.
    """
    channel = socket.socket(fileno=plan["channel"])
    os.chdir("/")
    try:
        readable = _prepared(plan)
        zygote = _Zygote(channel, readable, plan)
    except Exception as problem:  # noqa: BLE001 - whoever waits for the worker is told
        words = f"{type(problem).__name__}: {problem}"[:_PROBLEM_CHARS]
        channel.sendall(json.dumps({"problem": words}).encode())
        return
    os.dup2(0, 2)  # until here it is read by who started us
    channel.sendall(json.dumps({"problem": ""}).encode())
    zygote.serve()


def _prepared(plan: dict[str, Any]) -> list[Path] | None:
    """What sessions may read where Landlock confines them, with everything loaded before that holds."""
    gc.disable()  # while libraries are loaded it finds next to nothing, and takes a fifth of the time
    names = [*_PRELOADED, *(_PRELOADED_SCIPY if find_spec("scipy") is not None else ())]
    for name in names:
        import_module(name)
    _load_matplotlib(plan["matplotlib"])
    from qdash_jupyter.worker.inside import warm_up

    warm_up()
    os.environ["HOME"] = plan["home"]  # what code reads and writes there is refused, and asked about by its name
    tempfile.tempdir = "/tmp"  # noqa: S108 - nothing is written: who asks where it is would else try to write a file
    sys.meta_path.append(_Elsewhere(plan["packages"]))
    sys.path[:] = [path for path in sys.path if path not in plan["leave"]]
    readable = None
    if plan["wall"] == "landlock":
        readable = [*map(Path, (*plan["readable"], *_CHANGES_NOTHING)), *_folders_of_libraries()]
    with contextlib.suppress(FileNotFoundError):  # no /proc
        if (threads := sum(1 for _ in Path("/proc/self/task").iterdir())) > 1:
            msg = f"a library has begun {threads - 1} threads, and a process with threads cannot be forked safely"
            raise RuntimeError(msg)
    if _IS_LINUX:
        prctl(PR_SET_DUMPABLE, 0)
    gc.freeze()
    gc.enable()
    return readable


def _load_matplotlib(folder: str) -> None:
    """With the list of fonts that it keeps in this folder, or makes there."""
    if find_spec("matplotlib") is None:
        return
    from qdash_jupyter.cells.surroundings import held

    os.environ["MPLCONFIGDIR"] = folder
    try:
        # It takes no folder that it could only read, and under bubblewrap there is no other.
        with held(os, "access", lambda *_, **__: True):
            for name in _PRELOADED_MATPLOTLIB:
                import_module(name)
    except OSError:  # there is no such folder
        for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
            del sys.modules[name]
    finally:
        del os.environ["MPLCONFIGDIR"]


class _Elsewhere:
    """Finds packages whose parent folder cannot be read, by their names."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """Of a package or module that is known."""
        if (place := self._places.get(name)) is None:
            return None
        return spec_from_file_location(name, place if place.endswith(".py") else f"{place}/__init__.py")


def _folders_of_libraries() -> set[Path]:
    """Where the shared libraries lie that are loaded already: others beside them may be needed with a late import."""
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:  # no /proc
        return {Path(folder) for folder in ("/lib", "/lib64", "/usr/lib", "/usr/lib64")}
    files = [Path(line.split(maxsplit=5)[5]) for line in lines if ".so" in line]
    return {file.parent for file in files}


class _Zygote:
    def __init__(self, channel: socket.socket, readable: list[Path] | None, plan: dict[str, Any]) -> None:
        self._channel, self._readable, self._plan = channel, readable, plan
        self._children: dict[int, _Child] = {}  # by number
        self._idle_s, self._used = float(plan["idle_s"]), time.monotonic()
        self._memory = address_space()
        """Bytes that a session has at its beginning."""
        if plan["wall"] and self._memory is None:
            raise RuntimeError("this system does not limit memory")
        self._woken, self._wakes = socket.socketpair()  # when a child has ended
        for end in (self._woken, self._wakes):
            end.settimeout(0)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)
        self._poll.register(self._woken, select.POLLIN)

    def serve(self) -> None:
        while (patience := self._patience()) > 0:
            for descriptor, _ in self._poll.poll(1000 * patience + 1):
                if descriptor == self._woken.fileno():
                    self._reap()
                elif not self._heard():
                    return self._end_all()
            for child in self._children.values():
                if child.deadline is not None and child.deadline <= time.monotonic():
                    self._end(child, "time")
                elif child.deadline is not None and child.cpu_deadline < math.inf and child.cpu_deadline <= child.cpu:
                    self._end(child, "cpu")
        return self._end_all()

    def _patience(self) -> float:
        """Seconds until something has to be looked at; 0 when no code has run for too long."""
        running = [child for child in self._children.values() if child.deadline is not None]
        if not running:
            return min(_DAY_S, max(0.0, self._used + self._idle_s - time.monotonic()))
        self._used = time.monotonic()
        look = _DAY_S if all(child.cpu_deadline == math.inf for child in running) else _LOOK_S
        left = min(child.deadline for child in running if child.deadline is not None) - time.monotonic()
        return max(0.001, min(look, left))

    def _end_all(self) -> None:
        for child in self._children.values():
            os.kill(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)

    def _heard(self) -> bool:
        """Do what is asked; False when nobody is there any more."""
        message, descriptors, _, _ = socket.recv_fds(self._channel, CONTROL_BYTES, 2)
        while message and len(message) < CONTROL_BYTES and (more := self._channel.recv(CONTROL_BYTES - len(message))):
            message += more
        if not message:
            return False
        ((what, number), *fields) = json.loads(message).items()
        self._used = time.monotonic()
        if what == "open":
            self._open(number, dict(fields), descriptors)
        elif (child := self._children.get(number)) is not None and not child.ended_by:
            self._asked(child, what, dict(fields))
        return True

    def _asked(self, child: _Child, what: str, more: dict[str, Any]) -> None:
        if what == "run":
            seconds, cpu_seconds = more["seconds"], more["cpu_seconds"]
            child.deadline = math.inf if seconds is None else time.monotonic() + seconds
            child.cpu_deadline = math.inf if cpu_seconds is None else child.cpu + cpu_seconds
        elif what == "ran":
            child.deadline = None
            _tell(child.status, b"\n")  # an interrupt that was asked for before has been sent
        elif what == "interrupt":
            os.kill(child.pid, signal.SIGINT)
        elif what == "stop":
            self._end(child, "stop")

    def _open(self, number: int, asked: dict[str, Any], descriptors: list[int]) -> None:
        channel, status = descriptors
        zygote = os.getpid()
        try:
            pid = os.fork()
        except OSError as problem:
            _tell(status, json.dumps({"by": "fork", "code": 0, "why": str(problem)}).encode())
            os.close(status)
        else:
            if pid == 0:
                asked["memory"] = self._memory and self._memory + asked["memory"]
                be_session(asked, channel, self._readable, zygote, self._plan)
            self._children[number] = _Child(pid, number, status)
        finally:
            os.close(channel)

    def _end(self, child: _Child, reason: str) -> None:
        child.ended_by, child.deadline = child.ended_by or reason, None
        os.kill(child.pid, signal.SIGKILL)

    def _reap(self) -> None:
        """Tell of children that have ended."""
        with contextlib.suppress(BlockingIOError):
            while self._woken.recv(CONTROL_BYTES):
                pass
        for child in [*self._children.values()]:
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                del self._children[child.number]
                ended = {"by": child.ended_by, "code": os.waitstatus_to_exitcode(status)}
                _tell(child.status, json.dumps(ended).encode())
                os.close(child.status)


def _tell(status: int, words: bytes) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        os.write(status, words)

"""The process that holds the libraries and forks one child for each session. It never runs code itself."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from qdash_jupyter.worker import landlock, seccomp
from qdash_jupyter.worker.libc import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, drop_capabilities, prctl

_PRELOADED = (
    "numpy",
    "pandas",
    "plotly.express",
    "plotly.graph_objects",
    "plotly.io",
    "plotly.subplots",
    "qdash_jupyter.methods",
    "qdash_jupyter.worker.inside",
)
_PRELOADED_SCIPY = ("scipy.optimize", "scipy.signal", "scipy.stats")
_PRELOADED_MATPLOTLIB = ("matplotlib.pyplot", "matplotlib_inline.backend_inline")
_DEVICES = ("/dev/null",)
_CHANGES_NOTHING = ("/dev/urandom",)
_MOST_FILES = 64
_FIRST_KEPT, _SAFE = 3, 100
_HEADER_BYTES = 4096
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
    """When the code that runs now has to be done; None while none runs."""
    cpu_deadline: float = 0.0
    """The same in seconds of the processor."""

    @property
    def cpu(self) -> float:
        """Seconds of the processor that it has taken."""
        return time.clock_gettime(~self.pid << 3 | _CPU_CLOCK)


def serve(plan: dict[str, Any]) -> None:
    """Load the libraries, say `{"problem": ""}` on the channel, and do what is asked for there until it is closed.

    A message is `{"open": number, …}` with two descriptors (the session's channel, its status), or it names a session:
    `{"run": number, …}` and `{"ran": number}` around each piece of code, `{"interrupt": number}`, `{"stop": number}`.
    """
    channel = socket.socket(fileno=plan["channel"])
    os.chdir("/")
    try:
        rules = _prepared(plan)
    except Exception as problem:  # noqa: BLE001 - whoever waits for the worker is told
        channel.send(json.dumps({"problem": f"{type(problem).__name__}: {problem}"}).encode())
        return
    os.dup2(0, 2)  # until here it is read by who started us
    channel.send(json.dumps({"problem": ""}).encode())
    _Zygote(channel, rules, plan["shape"]).serve()


def _prepared(plan: dict[str, Any]) -> int | None:
    """The rules for files, with everything loaded before they hold."""
    names = [*_PRELOADED, *(_PRELOADED_SCIPY if find_spec("scipy") is not None else ())]
    for name in names:
        import_module(name)
    _load_matplotlib(plan["matplotlib"])
    from qdash_jupyter.worker.inside import warm_up

    warm_up()
    sys.meta_path.append(_Elsewhere(plan["packages"]))
    sys.path[:] = [path for path in sys.path if path not in plan["leave"]]
    rules = None
    if plan["readable"] is not None:
        readable = [Path(path) for path in (*plan["readable"], *_CHANGES_NOTHING)]
        rules = landlock.ruleset([*readable, *_folders_of_libraries()], map(Path, _DEVICES))
        if (threads := sum(1 for _ in Path("/proc/self/task").iterdir())) > 1:
            msg = f"a library has begun {threads - 1} threads, and a process with threads cannot be forked safely"
            raise RuntimeError(msg)
    prctl(PR_SET_DUMPABLE, 0)
    gc.collect()
    gc.freeze()
    return rules


def _load_matplotlib(folder: str) -> None:
    """With the list of fonts that it keeps in this folder, or makes there."""
    if find_spec("matplotlib") is None:
        return
    os.environ["MPLCONFIGDIR"], access = folder, os.access
    os.access = lambda *_, **__: (
        True
    )  # it takes no folder that it could only read, and under bubblewrap there is no other
    try:
        for name in _PRELOADED_MATPLOTLIB:
            import_module(name)
    except OSError:  # there is no such folder
        for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
            del sys.modules[name]
    finally:
        os.access = access
        del os.environ["MPLCONFIGDIR"]


class _Elsewhere:
    """Finds packages whose parent folder cannot be read, by their names."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """Of a package or module that is known."""
        if (place := self._places.get(name)) is None:
            return None
        if place.endswith(".py"):
            return spec_from_file_location(name, place)
        return spec_from_file_location(name, f"{place}/__init__.py", submodule_search_locations=[place])


def _folders_of_libraries() -> set[Path]:
    """Where the shared libraries lie that are loaded already: others beside them may be needed with a late import."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    files = [Path(line.split(maxsplit=5)[5]) for line in lines if ".so" in line]
    return {file.parent for file in files}


class _Zygote:
    def __init__(self, channel: socket.socket, rules: int | None, shape: str) -> None:
        self._channel, self._rules, self._shape = channel, rules, shape
        self._children: dict[int, _Child] = {}  # by the descriptor that says when it has ended
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)

    def serve(self) -> None:
        while True:
            deadlines = [child.deadline for child in self._children.values() if child.deadline is not None]
            patience = min([_LOOK_S, *(deadline - time.monotonic() for deadline in deadlines)]) if deadlines else None
            for descriptor, _ in self._poll.poll(None if patience is None else max(0, 1000 * patience + 1)):
                if descriptor != self._channel.fileno():
                    self._ended(descriptor)
                elif not self._heard():
                    for child in self._children.values():
                        os.kill(child.pid, signal.SIGKILL)
                        os.waitpid(child.pid, 0)
                    return
            for child in self._children.values():
                if child.deadline is not None and child.deadline <= time.monotonic():
                    self._end(child, "time")
                elif child.deadline is not None and child.cpu_deadline <= child.cpu:
                    self._end(child, "cpu")

    def _heard(self) -> bool:
        """Do what is asked; False when nobody is there any more."""
        message, descriptors, _, _ = socket.recv_fds(self._channel, _HEADER_BYTES, 2)
        if not message:
            return False
        ((what, number), *more) = json.loads(message).items()
        if what == "open":
            self._open(number, dict(more), descriptors)
        for child in self._children.values():
            if child.number == number and not child.ended_by:
                self._asked(child, what, dict(more))
        return True

    def _asked(self, child: _Child, what: str, more: dict[str, Any]) -> None:
        if what == "run":
            child.deadline = time.monotonic() + more["seconds"]
            child.cpu_deadline = child.cpu + more["cpu_seconds"]
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
                _be_session(asked, channel, self._rules, zygote, self._shape)
            watched = os.pidfd_open(pid)
            self._children[watched] = _Child(pid, number, status)
            self._poll.register(watched, select.POLLIN)
        finally:
            os.close(channel)

    def _end(self, child: _Child, reason: str) -> None:
        child.ended_by, child.deadline = child.ended_by or reason, None
        os.kill(child.pid, signal.SIGKILL)

    def _ended(self, watched: int) -> None:
        child = self._children.pop(watched)
        self._poll.unregister(watched)
        os.close(watched)
        _, status = os.waitpid(child.pid, 0)
        _tell(child.status, json.dumps({"by": child.ended_by, "code": os.waitstatus_to_exitcode(status)}).encode())
        os.close(child.status)


def _tell(status: int, words: bytes) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        os.write(status, words)


def _be_session(asked: dict[str, Any], channel: int, rules: int | None, zygote: int, shape: str) -> None:
    """In the child: confine it for good, run what comes on the channel, and end."""
    try:
        kept = [fcntl.fcntl(held, fcntl.F_DUPFD, _SAFE) for held in (channel, *([] if rules is None else [rules]))]
        for place, held in enumerate(kept, _FIRST_KEPT):
            os.dup2(held, place)
        os.closerange(_FIRST_KEPT + len(kept), 2**31 - 1)
        os.setpgid(0, 0)
        for kind, most in (
            (resource.RLIMIT_AS, asked["memory"]),
            (resource.RLIMIT_NPROC, asked["tasks"]),
            (resource.RLIMIT_NOFILE, _MOST_FILES),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
        ):
            ceiling = resource.getrlimit(kind)[1]
            limit = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
            resource.setrlimit(kind, (limit, limit))
        drop_capabilities()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        prctl(PR_SET_DUMPABLE, 0)
        if os.getppid() != zygote:
            os._exit(1)
        if rules is not None:
            landlock.restrict(_FIRST_KEPT + 1)
            os.close(_FIRST_KEPT + 1)
        seccomp.refuse_all_else(os.getpid())
        from qdash_jupyter.worker.inside import serve

        serve(_FIRST_KEPT, shape)
    finally:
        os._exit(1)

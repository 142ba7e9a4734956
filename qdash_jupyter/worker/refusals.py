"""In a session that no kernel confines: what Python itself refuses. A speed bump: C code passes beside it, unheard."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_OF_FILES = {"import", "open", "os.listdir", "os.scandir"}
FAMILIES = (
    *("import", "open", "os.", "socket.", "subprocess.", "ctypes.dl", "resource.", "sqlite3.", "syslog."),
    "sys.remote_exec",
)
"""How audit events begin that may reach outside: refused, those of later Pythons too, but for what follows."""
_HARMLESS = {"os.fwalk", "os.putenv", "os.unsetenv", "os.walk", "socket.gethostname", "sqlite3.connect/handle"}
"""They reach nothing, or another event comes behind them."""
_READABLE, _USABLE = ("/dev/null", "/dev/urandom"), {"/dev/null"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Refusals:
    """Refuses audit events: what Landlock and seccomp would refuse, as far as Python tells of it."""

    def __init__(self, readable: Iterable[str]) -> None:
        """For this process. `readable` are the folders and files that may be read."""
        import _posixsubprocess

        real = {os.path.realpath(path) for path in (*readable, *_READABLE)}
        self._readable, self._below = real, tuple(f"{path}/" for path in real)
        self._pid = os.getpid()
        _posixsubprocess.fork_exec = _begin

    def of(self, event: str, arguments: tuple[Any, ...]) -> PermissionError | None:
        """What to raise for an event of `FAMILIES`; None where it may be done."""
        if self._may(event, arguments):
            return None
        if event in _OF_FILES:
            return PermissionError(errno.EACCES, os.strerror(errno.EACCES), arguments[event == "import"])
        return PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    def _may(self, event: str, arguments: tuple[Any, ...]) -> bool:  # noqa: PLR0911 - one line for each
        match event, arguments:
            case "open", (path, _, flags):
                return isinstance(path, int) or self._is_open_to(path, writes=bool(flags & WRITING))
            case "import", (_, file, *_):
                return file is None or self._is_open_to(file)
            case (("os.listdir" | "os.scandir"), (path,)):
                return isinstance(path, int) or self._is_open_to(path or ".")
            case "os.kill", (pid, _):
                return bool(pid == self._pid)
            case "socket.__new__", (_, family, *_):
                return bool(family == socket.AF_UNIX)  # it is one of a pair: no other may bind or connect
            case "sqlite3.connect", (database, *_):
                return bool(database == ":memory:")
            case "ctypes.dlopen", (str(name), *_):
                return name.startswith("/") and self._is_open_to(name)  # a package's own, not the C library
            case "ctypes.dlsym", (library, _):
                return self._may("ctypes.dlopen", (library._name,))  # noqa: SLF001 - what ctypes calls it
        return event in _HARMLESS

    def _is_open_to(self, path: Any, *, writes: bool = False) -> bool:
        real = os.path.realpath(os.fsdecode(path))
        if writes:
            return real in _USABLE
        return real in self._readable or real.startswith(self._below) or not Path(real).exists()  # the system says so


def _begin(command: Any, *_: Any) -> int:
    """In place of the function that begins programs: of it alone Python tells nothing."""
    sys.audit("subprocess.Popen", command[0], command, None, None)
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

"""In a session: what code tried to do outside, by Python's audit hooks. What is noted is no matter of its exceptions.

None of it happens. Where no kernel confines the session, Python refuses it: a speed bump, as C code passes beside it.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from types import FrameType, ModuleType
from typing import Any

_OF_FILES = {"import", "open", "os.listdir", "os.scandir"}
FAMILIES = (
    *("import", "open", "os.", "socket.", "subprocess.", "ctypes.dl", "resource.", "sqlite3.", "syslog."),
    *("sys.remote_exec", "builtins.input"),
)
"""How audit events begin that may reach outside: refused, those of later Pythons too, but for what follows."""
_HARMLESS = {"os.fwalk", "os.putenv", "os.unsetenv", "os.walk", "socket.gethostname", "sqlite3.connect/handle"}
"""They reach nothing, or another event comes behind them."""
_READABLE, _USABLE = ("/dev/null", "/dev/urandom", "/proc/self/maps"), {"/dev/null"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = {
    *("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink"),
    *("os.truncate", "os.utime"),
}
_STARTING = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
_SIGNALLING = {"os.kill", "os.killpg"}
_OF_MACHINE = ("/proc/", "/sys/")
"""What the system says of itself, and libraries ask it for: no file of anybody's."""
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}
_ON_THE_WAY = {"importlib", __name__.partition(".")[0]}
"""Packages whose frames lie between the code that imports and the hook."""
_MOST = 100
_LONGEST = 200


class Attempts:
    """Listens to what Python's audit hooks tell. Made once in a process, as a hook cannot be taken away.

    Libraries that open files without Python, as Arrow's, are not heard of: their errors say it.
    """

    def __init__(self, refusals: Refusals | None = None, *, hides: bool = False) -> None:
        """Nothing is noted yet. From now on Python refuses these, where the system does not. Where the system `hides`
        what may not be read, whatever is not there could be.
        """
        self._refusals = refusals
        self._hides = hides
        self._noted: dict[tuple[str, str], str] | None = None
        self._is_elsewhere = False
        self._trying: set[int] = set()  # threads
        sys.addaudithook(self._heard)

    def enter(self, folder: str) -> None:
        """Be where the kernel is, so that a path means the same; where that is not to be seen, stay."""
        if self._refusals is not None:
            self._refusals.folder = folder
        self._is_elsewhere = True
        with suppress(OSError):
            os.chdir(folder)
            self._is_elsewhere = False

    @contextmanager
    def noted(self) -> Iterator[dict[tuple[str, str], str]]:
        """While code runs: pairs of a word (those of `JobResult.tried`), and what; each with the package that tried it
        while it was being imported. What an import did without is not the code's, nor told.
        """
        noted: dict[tuple[str, str], str] = {}
        self._noted = noted
        try:
            yield noted
        finally:
            self._noted = None
            for (kind, name), package in [*noted.items()]:
                if package in sys.modules or (kind == "imports" and name in sys.modules):
                    del noted[kind, name]
            if sum(kind == "connects" for kind, _ in noted) > 1:
                noted.pop(("connects", ""), None)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not event.startswith(FAMILIES):
            return  # there are very many
        refused = None if self._refusals is None else self._refusals.of(event, arguments)
        noted = self._noted
        if noted is not None and get_ident() not in self._trying and len(noted) < _MOST:
            try:
                found = self._attempt(event, arguments, is_refused=refused is not None)
            except Exception:  # noqa: BLE001 - a class of the code's, in place of a path
                found = None
            if found is not None:
                key, package = (found[0], found[1][:_LONGEST]), _being_imported()
                noted[key] = package if noted.get(key, package) == package else ""
        if refused is not None:
            raise refused

    def _attempt(self, event: str, arguments: tuple[Any, ...], *, is_refused: bool) -> tuple[str, str] | None:
        found = ("uses", event) if is_refused else None
        if event == "open":
            found = self._opened(*arguments)
        elif event in {"os.listdir", "os.scandir"}:
            found = self._opened(arguments[0] or ".", "r", os.O_RDONLY)
        elif event in _CHANGING:
            found = "writes", os.fsdecode(arguments[0])
        elif event == "import":
            found = ("imports", arguments[0].partition(".")[0]) if _is_of_code() else None
        elif event == "os.chdir":
            found = "uses", event
        elif event in _STARTING:
            found = "starts", _command(arguments)
        elif event in _SIGNALLING:
            found = None if (event, arguments[0]) == ("os.kill", os.getpid()) else ("signals", str(arguments[0]))
        elif event == "builtins.input":
            found = "uses", "input"
        elif event.startswith("socket."):
            found = self._connected(event, arguments) or found
        return found

    def _connected(self, event: str, arguments: tuple[Any, ...]) -> tuple[str, str] | None:
        if event in {"socket.connect", "socket.bind", "socket.sendto"}:
            return "connects", _address(arguments[1])
        if event == "socket.getaddrinfo":
            return "connects", _address(arguments[:2])
        if event == "socket.__new__" and arguments[1] in {socket.AF_INET, socket.AF_INET6}:
            known = [name for kind, name in self._noted or () if kind == "connects"]
            return "connects", known[0] if known else ""
        return None

    def _opened(self, path: Any, _: Any, flags: int) -> tuple[str, str] | None:
        """Whether it is refused is tried, not judged."""
        if isinstance(path, int) or os.fsdecode(path).startswith(_OF_MACHINE):
            return None
        writes = bool(flags & WRITING)
        self._trying.add(get_ident())
        try:
            os.close(os.open(path, os.O_WRONLY if writes else os.O_RDONLY))
        except OSError as problem:
            refused = writes or problem.errno in _REFUSED
            missed = self._hides and problem.errno == errno.ENOENT
        else:
            refused, missed = False, self._is_elsewhere and not Path(os.fsdecode(path)).is_absolute()
        finally:
            self._trying.discard(get_ident())
        if not (refused or missed):
            return None
        return "writes" if writes else "reads" if refused else "misses", os.fsdecode(path)


def _is_of_code() -> bool:
    """Tell whether the session's code imports, as opposed to a library that looks for what it may do without."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the hook's
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in _ON_THE_WAY:
        frame = frame.f_back
    return frame is None or frame.f_globals.get("__name__") == "__main__"


def _being_imported() -> str:
    """Return the package whose import does this, the first of several; empty where none does."""
    package = ""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the hook's
    while frame is not None and (name := str(frame.f_globals.get("__name__"))) != "__main__":
        if frame.f_code.co_name == "<module>" and _is_begun(sys.modules.get(name), frame):
            package = name.partition(".")[0]
        frame = frame.f_back
    return package


def _is_begun(module: object, frame: FrameType) -> bool:
    """Whether that module is being imported, and the frame is its own: code may give itself any name."""
    is_its_own = isinstance(module, ModuleType) and vars(module) is frame.f_globals
    return is_its_own and bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


def _command(arguments: tuple[Any, ...]) -> str:
    """Of the arguments of such an event: the program alone, or with its own arguments. A fork has none."""
    program, *more = arguments or ("a copy of itself",)
    words = (
        more[0] if more and isinstance(more[0], (list, tuple)) else [more[0] if program is None and more else program]
    )
    return " ".join(os.fsdecode(word) for word in words)


def _address(address: Any) -> str:
    if isinstance(address, tuple) and len(address) > 1:
        return f"{_text(address[0])}:{_text(address[1])}".removesuffix(":None")
    return _text(address)


def _text(part: Any) -> str:
    return part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part)


class Refusals:
    """Refuses audit events: what Landlock and seccomp would refuse, as far as Python tells of it."""

    def __init__(self, readable: Iterable[str]) -> None:
        """For this process. `readable` are the folders and files that may be read."""
        import _posixsubprocess

        real = {os.path.realpath(path) for path in (*readable, *_READABLE)}
        self._readable, self._below = real, tuple(f"{path}/" for path in real)
        self._pid = os.getpid()
        self.folder = ""
        """It may be entered, for what that is worth: nothing in it is read."""
        _posixsubprocess.fork_exec = _begin

    def of(self, event: str, arguments: tuple[Any, ...]) -> PermissionError | None:
        """What to raise for an event of `FAMILIES`; None where it may be done."""
        if self._may(event, arguments) or (event, arguments) == ("os.chdir", (self.folder,)):
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
            case (("ctypes.dlopen" | "ctypes.dlsym"), _) if _being_imported():
                return True  # polars asks the processor what it can, dill looks what Python has
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

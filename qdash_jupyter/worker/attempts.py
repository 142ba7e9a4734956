"""In a session: what code tried to do outside. None of it happens; what is noted is no matter of its exceptions."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from types import FrameType
from typing import Any, TypeAlias

from qdash_jupyter.worker.refusals import FAMILIES, WRITING

Refuse: TypeAlias = Callable[[str, tuple[Any, ...]], PermissionError | None]
"""What an audit event with these arguments is refused with; None where Python lets it be."""

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

    def __init__(self, refuse: Refuse = lambda *_: None) -> None:
        """Nothing is noted yet. From now on `refuse` says what Python refuses, where the system does not."""
        self._refuse = refuse
        self._noted: dict[tuple[str, str], None] | None = None
        self._trying: set[int] = set()  # threads
        sys.addaudithook(self._heard)

    @contextmanager
    def noted(self) -> Iterator[dict[tuple[str, str], None]]:
        """While code runs: pairs of a word (those of `JobResult.tried`), and what."""
        noted: dict[tuple[str, str], None] = {}
        self._noted = noted
        try:
            yield noted
        finally:
            self._noted = None
            for kind, name in [*noted]:
                if kind == "imports" and name in sys.modules:
                    del noted[kind, name]

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not event.startswith(FAMILIES):
            return  # there are very many
        refused = self._refuse(event, arguments)
        noted = self._noted
        if noted is not None and get_ident() not in self._trying and len(noted) < _MOST:
            try:
                found = self._attempt(event, arguments, is_refused=refused is not None)
            except Exception:  # noqa: BLE001 - a class of the code's, in place of a path
                found = None
            if found is not None:
                noted[found[0], found[1][:_LONGEST]] = None
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
        elif event in _STARTING:
            found = "starts", _command(arguments)
        elif event in _SIGNALLING:
            found = None if (event, arguments[0]) == ("os.kill", os.getpid()) else ("signals", str(arguments[0]))
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
        else:
            refused = False
        finally:
            self._trying.discard(get_ident())
        return ("writes" if writes else "reads", os.fsdecode(path)) if refused else None


def _is_of_code() -> bool:
    """Tell whether the session's code imports, as opposed to a library that looks for what it may do without."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the hook's
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in _ON_THE_WAY:
        frame = frame.f_back
    return frame is None or frame.f_globals.get("__name__") == "__main__"


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

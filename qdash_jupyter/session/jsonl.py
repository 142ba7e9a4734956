"""A file of JSON lines that only grows: private, locked while it is open, whole lines only."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import Self

try:
    import fcntl
except ImportError:  # Windows: two kernels on one file are not told apart there
    fcntl = None

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


class FileInUse(OSError):
    """Another kernel has the file open."""


class LineFile:
    """An open file. What a crash left at its end without a line break is no line, and is cut off before it grows."""

    def __init__(self, descriptor: int, path: Path) -> None:
        """Take over the descriptor. See `create` and `open`."""
        self._descriptor = descriptor
        self._path = path
        self._whole = False  # nothing is known of its end

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new file, for its owner alone from its first moment, in a folder for its owner alone.

        Raises:
            OSError: it cannot be made, or is there already.
        """
        path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        path.parent.chmod(PRIVATE_FOLDER)
        file = cls.open(path, os.O_CREAT | os.O_EXCL)
        try:
            path.chmod(PRIVATE_FILE)  # a strange umask may have taken more away
        except BaseException:
            file.close()
            raise
        return file

    @classmethod
    def open(cls, path: Path, flags: int = 0) -> Self:
        """A file that is there, unless further `flags` of `os.open` say otherwise.

        Raises:
            FileInUse: another kernel has it open.
            OSError: it cannot be opened for writing.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY | flags, PRIVATE_FILE)
        if fcntl is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise FileInUse(f"{path} is in use") from None
            except OSError:
                pass  # a file system without locks
        return cls(descriptor, path)

    def append(self, lines: bytes) -> None:
        """Add whole lines. When that fails, the file is as it was.

        Raises:
            OSError: the disk is full, or the like.
        """
        end = os.fstat(self._descriptor).st_size if self._whole else self._cut()
        self._whole = False
        left = memoryview(lines)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, end)
            if isinstance(error, OSError):
                error.filename = str(self._path)  # the system does not say which one
            raise
        self._whole = True

    def close(self) -> None:
        """Let go of the file and its lock."""
        os.close(self._descriptor)

    def _cut(self) -> int:
        """Cut off what is no whole line; returns the length of what is left."""
        end = size = os.fstat(self._descriptor).st_size
        while end:
            begin = max(0, end - _BLOCK)
            os.lseek(self._descriptor, begin, os.SEEK_SET)
            block = os.read(self._descriptor, end - begin)
            if (found := block.rfind(b"\n")) >= 0:
                end = begin + found + 1
                break
            end = begin
        if end != size:
            os.ftruncate(self._descriptor, end)
        return end


def whole_lines(path: Path, most_bytes: int) -> list[bytes] | None:
    """The whole lines of a file; None where it is no file of at most that length.

    Raises:
        OSError: it cannot be read.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > most_bytes:
        return None
    return path.read_bytes().split(b"\n")[:-1]


def first_line(path: Path) -> bytes:
    """The first line of a file, or what there is of it.

    Raises:
        OSError: it cannot be read.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        return b""
    with path.open("rb") as file:
        return file.readline(_BLOCK)


_BLOCK = 1 << 16
_BINARY = getattr(os, "O_BINARY", 0)

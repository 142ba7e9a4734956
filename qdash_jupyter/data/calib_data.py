"""The files behind results, as this machine has them: below QDash's folder of results alone, whatever their stored
paths say.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Protocol

from qdash_jupyter.config.disk import expanded
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.messages.message import Message, Text

CALIB_DATA = "calib_data"
"""QDash's folder of results; its parents differ from machine to machine."""


class CalibData(Protocol):
    """Where the files of results are."""

    def read(self, path: str, *, most_bytes: int) -> bytes:
        """Return the content of a file, by its path on QDash's machine.

        Raises:
            LeftOut: there is no such file, it lies elsewhere, or it has more than `most_bytes`.
        """

    def stamp(self, path: str) -> object:
        """Return what changes with the content of a file, without reading it.

        Raises:
            LeftOut: as `read`.
        """


@dataclass(frozen=True, slots=True)
class NoCalibData:
    """Nowhere: nobody set a folder."""

    def read(self, path: str, *, most_bytes: int) -> bytes:  # noqa: ARG002 - as `CalibData`
        """Raise `LeftOut`."""
        raise LeftOut(Message("no-figure-folder"))

    def stamp(self, path: str) -> object:
        """Raise `LeftOut`."""
        return self.read(path, most_bytes=0)


@dataclass(frozen=True, slots=True)
class CalibFolder:
    """A folder of this machine that stands for `calib_data`."""

    folder: Path

    def read(self, path: str, *, most_bytes: int) -> bytes:
        """Return the content of a file below the folder."""
        return read_below(self.folder, place_below(path), most_bytes=most_bytes)

    def stamp(self, path: str) -> object:
        """Return when it was written, and its size."""
        try:
            found = expanded(self.folder).joinpath(place_below(path)).stat()
        except (OSError, ValueError, RuntimeError):
            raise LeftOut(Message("result-file-missing")) from None
        return found.st_mtime_ns, found.st_size


class LeftOut(Exception):
    """A file, or a part of it, is not read."""

    def __init__(self, why: Text) -> None:
        """`why` is a reason, not a whole sentence."""
        super().__init__(why)
        self.why = why


def stored_path(path: str) -> PurePath:
    """A path as QDash's machine wrote it, with slashes of either kind."""
    return PureWindowsPath(path) if "\\" in path else PurePosixPath(path)


def place_below(path: str) -> Path:
    """Where a stored path is below `calib_data`: `/app/calib_data/alice/…` is `alice/…`.

    Raises:
        LeftOut: it leads upwards.
    """
    parts = stored_path(path).parts
    if ".." in parts:
        raise LeftOut(Message("result-file-elsewhere"))
    return Path(*parts[parts.index(CALIB_DATA) + 1 :] if CALIB_DATA in parts else parts)


def read_below(folder: Path, path: Path, *, most_bytes: int) -> bytes:
    """A file below `folder`; links count as what they lead to.

    Raises:
        LeftOut: as `CalibData.read`.
    """
    try:
        folder = expanded(folder).resolve()
        whole = (folder / path).resolve()
    except (OSError, ValueError, RuntimeError):  # no path at all, or links in a circle
        raise LeftOut(Message("result-file-path-invalid")) from None
    if not whole.is_relative_to(folder):
        raise LeftOut(Message("result-file-elsewhere"))
    try:
        if not whole.is_file():
            raise LeftOut(Message("result-file-missing"))
        with whole.open("rb") as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise LeftOut(Message("result-file-unreadable", reason=str(error.strerror))) from error
    if len(content) > most_bytes:
        raise LeftOut(Message("result-file-too-large", size=size_words(most_bytes)))
    return content

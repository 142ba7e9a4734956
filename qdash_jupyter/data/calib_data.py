"""QDash's folder of results as this machine has it: files are read below it alone, whatever their stored paths say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TypeAlias

from qdash_jupyter.config.disk import expanded
from qdash_jupyter.data.records import TaskResult
from qdash_jupyter.domain.sizes import size_words

CALIB_DATA = "calib_data"
"""QDash's folder of results; its parents differ from machine to machine."""


CalibData: TypeAlias = Callable[[Sequence[TaskResult]], Path | None]
"""This machine's folder for `calib_data`, with the files of these results; None where there is none."""


def no_calib_data(_: Sequence[TaskResult]) -> Path | None:
    """Where nobody set one."""
    return None


class LeftOut(Exception):
    """A file is not read; the message says why, as the end of a sentence about it."""


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
        raise LeftOut("it lies elsewhere")
    return Path(*parts[parts.index(CALIB_DATA) + 1 :] if CALIB_DATA in parts else parts)


def read_result_file(path: str, folder: Path | None, *, most_bytes: int) -> bytes:
    """A file of a result. Its path is that of QDash's machine; `folder` stands for its `calib_data` here.

    Raises:
        LeftOut: there is no folder or no such file, it lies elsewhere, or it has more than `most_bytes`.
    """
    if folder is None:
        raise LeftOut("no folder for figures is set (database.calib_data)")
    return read_below(folder, place_below(path), most_bytes=most_bytes)


def read_below(folder: Path, path: Path, *, most_bytes: int) -> bytes:
    """A file below `folder`; links count as what they lead to.

    Raises:
        LeftOut: as `read_result_file`.
    """
    try:
        folder = expanded(folder).resolve()
        whole = (folder / path).resolve()
    except (OSError, ValueError, RuntimeError):  # no path at all, or links in a circle
        raise LeftOut("its path leads nowhere") from None
    if not whole.is_relative_to(folder):
        raise LeftOut("it lies elsewhere")
    try:
        if not whole.is_file():
            raise LeftOut("there is no such file on this machine")
        with whole.open("rb") as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise LeftOut(f"it cannot be read ({error.strerror})") from error
    if len(content) > most_bytes:
        raise LeftOut(f"it is larger than {size_words(most_bytes)}")
    return content

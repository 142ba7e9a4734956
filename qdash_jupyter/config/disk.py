"""The user's folders, on any machine: what this process keeps there, and what it could not keep."""

from __future__ import annotations

import json
import os
import stat
import uuid
from pathlib import Path
from typing import Any, Literal, TypeAlias

from qdash_jupyter.messages.message import Message, Text

Kind: TypeAlias = Literal["cache", "config", "data", "log"]

_NO_HOME = Path(os.devnull, "no-home")
_not_kept: dict[Text, Text] = {}


def user_folder(kind: Kind) -> Path:
    """Our folder of this kind. A user without a home (no HOME, no name either) has one that is empty and stays so: a
    path in the working folder would be somebody else's.
    """
    import platformdirs

    try:
        path: Path = getattr(platformdirs, f"user_{kind}_path")("qdash-jupyter")
    except RuntimeError:  # older versions give a path that begins with ~
        return _NO_HOME
    return path if path.is_absolute() else _NO_HOME


def expanded(path: str | Path) -> Path:
    """The path with the home in place of `~`; where there is none, as it stands."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def write_whole(path: Path, text: str, *, private: bool = False) -> None:
    """Write a file whole or not at all: beside its place first, so that a full disk takes nothing that was there. What
    is no file, such as a pipe, is written to as it is.

    Raises:
        OSError: it cannot be written.
    """
    mode = path.stat().st_mode if path.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        path.write_text(text, encoding="utf-8")
        return
    path = path.resolve()
    fresh = path.with_name(f".{path.name[:100]}-{uuid.uuid4().hex}")
    handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if mode is not None and not private:
            fresh.chmod(stat.S_IMODE(mode))
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def keep_json(path: Path, value: object) -> None:
    """Write JSON values to a file of this user's alone, whose folder is made where it is missing.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(value, indent=2), private=True)


def kept_json(path: Path) -> Any:
    """Return the JSON values in a file; None where there are none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def reason(error: OSError, path: Path | None = None) -> Text:
    """Return what the system says, as a part of a sentence, with the path."""
    where = str(error.filename or path or "")
    if where.startswith(str(_NO_HOME)):
        return Message("no-home-folder")
    said = error.strerror or str(error) or type(error).__name__
    return said if not where or where in said else f"{said}: {where}"


def go_on_without(what: Text, path: Path, error: OSError) -> None:
    """What should be at this path cannot be kept: `not_kept` says so."""
    _not_kept[what] = reason(error, path)


def not_kept() -> Text:
    """Return what this process could not keep on disk, with the reasons; empty when all is well."""
    items = tuple(Message("not-saved-item", what=what, reason=why) for what, why in _not_kept.items())
    return Message("not-saved", items=items) if items else ""

"""The files that the settings name as `contexts`: what a model is told of them, and what has changed since."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from qdash_jupyter.config.manifest import ContextSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_text
from qdash_jupyter.domain.context import AVAILABLE, Attachment
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

_READ_WHOLE = 50_000_000
"""Of larger files size and date say whether they changed."""
_MOST_CHARS = 300
_TYPES = {".md": "text/markdown", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml"}
"""Those that `mimetypes` knows on some machines only."""


@dataclass(frozen=True, slots=True)
class ContextFile:
    """One file. `path` is what a model calls it: as much of its end as tells it from the others."""

    path: str
    file: Path
    title: str
    mime: str
    size: int
    description: str
    version: str
    """Another one when the file has changed."""

    def told(self) -> JsonObject:
        """What a model reads: never what stands in it."""
        told = {"path": self.path, "title": self.title, "type": self.mime, "bytes": self.size, "version": self.version}
        return told | ({"description": self.description} if self.description else {})

    def attachment(self) -> Attachment:
        """It beside a message."""
        return Attachment(self.title, self.mime, self.path)


class ContextFiles:
    """The files, looked at when somebody asks."""

    def __init__(self, sections: Sequence[ContextSection]) -> None:
        self._sections: dict[Path, ContextSection] = {}
        for each in sections:
            self._sections.setdefault(each.file, each)

    def now(self) -> list[ContextFile]:
        """Those that are there."""
        found = []
        for file, section in self._sections.items():
            try:
                status = file.stat()
                if not file.is_file():
                    continue
                version = _version(file, status.st_size, status.st_mtime_ns)
            except (OSError, ValueError):
                continue
            path, mime = _shortest(file, self._sections), section.type or _type_of(file)
            words = compact_text(section.description, _MOST_CHARS)
            title = compact_text(section.title, _MOST_CHARS) or file.name
            found.append(ContextFile(path, file, title, mime, status.st_size, words, version))
        return found

    def missing(self) -> dict[str, Message]:
        """Return why a file is not among them, by its path."""
        there = {each.file for each in self.now()}
        return {
            str(file): Message("file-no-access", file=str(file))
            if file.exists()
            else Message("file-missing", file=str(file))
            for file in self._sections
            if file not in there
        }


@lru_cache(maxsize=1_000)
def _version(file: Path, size: int, changed: int) -> str:
    if size > _READ_WHOLE:
        return hashlib.sha256(f"{size} {changed}".encode()).hexdigest()[:8]
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()[:8]


def with_changes(files: Iterable[ContextFile], told: Mapping[str, JsonObject]) -> list[JsonObject]:
    """What is told of each file, with `status` where that is new: `new`, `updated` or `removed`."""
    there = {file.path: file.told() for file in files}
    changed = [
        each | ({} if told.get(path) == each else {"status": "updated" if path in told else "new"})
        for path, each in there.items()
    ]
    gone = [
        {"path": path, "title": each.get("title", path), "status": "removed"}
        for path, each in told.items()
        if path not in there
    ]
    return [*changed, *gone]


def told_in(content: JsonObject) -> dict[str, JsonObject]:
    """The files of such a list by path, without those that are gone and without what was new then."""
    listed = [each for each in content.get("files", ()) if isinstance(each, dict) and each.get("status") != "removed"]
    return {str(each.get("path")): {name: each[name] for name in each if name != "status"} for each in listed}


def available_context_tool(files: ContextFiles, told: Mapping[str, JsonObject]) -> ToolSpec:
    """The tool of one question; `told` is what the conversation says of the files so far."""
    known = dict(told)

    def available_context(_: ToolArguments, __: ToolContext) -> ToolOutput:
        """List the files that the lab's settings name, and what has changed since they were last listed."""
        listed = with_changes(files.now(), known)
        known.clear()
        known.update(told_in({"files": listed}))
        return ToolOutput(content={"files": listed})

    return ToolSpec(
        name=AVAILABLE,
        label=Message("label-available-context"),
        description="List the lab's files: path, title, type, description, changes. Not what stands in them.",
        guidance=f"{AVAILABLE}: which files the lab has.",
        args=ToolArguments,
        run=available_context,
    )


def _shortest(file: Path, others: Iterable[Path]) -> str:
    """As much of the end of a path as no other has."""
    theirs = [other.parts for other in others if other != file]
    ends = (file.parts[-length:] for length in range(1, len(file.parts) + 1))
    return Path(*next(end for end in ends if all(other[-len(end) :] != end for other in theirs))).as_posix()


def _type_of(file: Path) -> str:
    return _TYPES.get(file.suffix.lower()) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"

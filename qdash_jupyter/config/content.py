"""Predefined content: prompts, tools, tool sets and skills in folders, by the names of their files.

    predefined/
    ├── prompts/NAME.md
    ├── tools/NAME.json or .yaml
    ├── tool_sets/NAME.json or .yaml
    └── skills/NAME/SKILL.md

Layers of such folders lie above each other: package, site, lab, user, project. The last that has a name counts. All of
it is read here and at once; what it is used for is decided elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from qdash_jupyter.config.initialization import InitializationIssue, Stage
from qdash_jupyter.config.patch import Patch, problem_at, read_yaml, unreadable
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message

PACKAGE = "package"
SKILL = "SKILL.md"
FOLDERS = ("prompts", "tools", "tool_sets", "skills")
_ENDINGS = (".json", ".yaml", ".yml")
_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Template:
    """One piece: where it came from, and what stands there: a text, or settings."""

    name: str
    layer: str
    path: Path
    text: str = ""
    body: Patch = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PredefinedContent:
    """What the layers hold together, by name."""

    prompts: Mapping[str, Template] = field(default_factory=dict)
    tools: Mapping[str, Template] = field(default_factory=dict)
    tool_sets: Mapping[str, Template] = field(default_factory=dict)
    skills: Mapping[str, Template] = field(default_factory=dict)
    issues: tuple[InitializationIssue, ...] = ()
    """What could not be read."""

    @classmethod
    def read(cls, layers: Iterable[tuple[str, Path]]) -> PredefinedContent:
        """Everything in these folders, the package's own below them; a folder that is missing holds nothing."""
        found: dict[str, dict[str, Template]] = {kind: {} for kind in FOLDERS}
        issues: list[InitializationIssue] = []
        with as_file(files("qdash_jupyter").joinpath("predefined")) as own:
            for layer, folder in ((PACKAGE, own), *layers):
                for kind in FOLDERS:
                    _read(layer, folder / kind, kind, found[kind], issues)
        return cls(**found, issues=tuple(issues))


def _read(layer: str, folder: Path, kind: str, found: dict[str, Template], issues: list[InitializationIssue]) -> None:
    stage: Stage = "prompt" if kind == "prompts" else "skills" if kind == "skills" else "tools"
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        name = path.stem
        try:
            if kind == "skills" and (path / SKILL).is_file():
                name, template = path.name, Template(path.name, layer, path / SKILL, text=text_of(path / SKILL))
            elif kind == "prompts" and path.suffix == ".md":
                template = Template(name, layer, path, text=text_of(path))
            elif kind in {"tools", "tool_sets"} and path.suffix in _ENDINGS:
                template = Template(name, layer, path, body=_settings(path))
            else:
                continue
        except ConfigurationError as error:
            issues.append(InitializationIssue(stage, name, error.text, is_hard=True))
            found.pop(name, None)  # what lies below it is not what this layer wanted
        else:
            found[name] = template


def text_of(path: Path) -> str:
    """The text of a file.

    Raises:
        ConfigurationError: it cannot be read, or is longer than 1 MB.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ConfigurationError.with_hint("text-too-long", file=str(path))
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or Message("not-utf8")
        raise unreadable(path, why) from None


def _settings(path: Path) -> Patch:
    if path.suffix != ".json":
        return read_yaml(path)
    try:
        body: Any = json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise unreadable(path, problem_at(error.lineno, error.colno, error.msg)) from None
    if not isinstance(body, dict):
        raise ConfigurationError(Message("file-without-settings", file=str(path)), Message("write-json-object"))
    return body

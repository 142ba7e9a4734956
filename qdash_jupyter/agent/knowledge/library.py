"""Finds the knowledge of a task: the lab's own file first, then the starter knowledge of this package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qdash_jupyter.agent.knowledge.task import TaskKnowledge
from qdash_jupyter.config import bounded_yaml
from qdash_jupyter.config.disk import expanded
from qdash_jupyter.config.patch import problem_at
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text, sentences

FILE = "task-knowledge.json"
_HINT = Message("task-knowledge-hint")
_MOST_NAMED = 5

SAME_EXPERIMENT = {
    "CheckResonatorFrequencies": "CheckResonatorSpectroscopy",
    "CheckReadoutFrequency": "CheckResonatorSpectroscopy",
    "CheckQubitFrequencies": "CheckQubitSpectroscopy",
    "CheckQubit": "CheckRabi",
    "CheckT1Average": "CheckT1",
    "CheckT2EchoAverage": "CheckT2Echo",
    "X180InterleavedRandomizedBenchmarking": "X90InterleavedRandomizedBenchmarking",
    "CreateZX90": "CheckCrossResonance",
    "CheckZX90": "CheckCrossResonance",
}
"""Tasks of QDash that do the experiment of another one, so that they share its starter knowledge."""


@dataclass(frozen=True, slots=True)
class KnowledgeLibrary:
    """Knowledge by task name. `folder` is where the images of the lab's file lie."""

    own: Mapping[str, TaskKnowledge] = field(default_factory=dict)
    folder: Path | None = None

    @classmethod
    def read(cls, path: Path | None) -> KnowledgeLibrary:
        """The library over a lab's file (QDash's `task-knowledge.json`), or the folder that holds it.

        Raises:
            ConfigurationError: says what is wrong with the file, and where in it.
        """
        if path is None:
            return cls()
        path = expanded(path)
        if path.is_dir():
            path = next((at for at in (path / FILE, path / "task-knowledge" / FILE) if at.is_file()), path / FILE)
        raw = _read(path)
        return cls({name: _checked(path, name, value) for name, value in raw.items()}, path.parent)

    def of(self, task: str) -> TaskKnowledge | None:
        """What is known of the task; None where nothing is."""
        return self.own.get(task) or starter(task)


def starter_names() -> list[str]:
    """The tasks of which this package itself knows something, sorted."""
    own = [entry.name.removesuffix(".yaml") for entry in _starter().iterdir() if entry.name.endswith(".yaml")]
    return sorted([*own, *SAME_EXPERIMENT])


def starter(task: str) -> TaskKnowledge | None:
    """The starter knowledge of a task; None where there is none."""
    if task not in starter_names():
        return None
    text = _starter().joinpath(f"{SAME_EXPERIMENT.get(task, task)}.yaml").read_text(encoding="utf-8")
    return TaskKnowledge.model_validate({**bounded_yaml.load(text), "name": task})


def _starter() -> Any:
    return files("qdash_jupyter.agent").joinpath("knowledge", "starter")


def _read(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise _unreadable(path, problem_at(error.lineno, error.colno, error.msg)) from None
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or str(error)) from None
    if not isinstance(raw, dict):
        raise ConfigurationError(Message("task-knowledge-form", file=str(path)), _HINT)
    return raw


def _unreadable(path: Path, why: Text) -> ConfigurationError:
    return ConfigurationError(Message("unreadable-file", file=str(path), reason=why), _HINT)


def _checked(path: Path, name: str, raw: object) -> TaskKnowledge:
    try:
        return TaskKnowledge.model_validate({"name": name, **raw} if isinstance(raw, dict) else raw)
    except ValidationError as error:
        wrong = [
            Message("violation", key=".".join(map(str, (name, *each["loc"]))), message=each["msg"])
            for each in error.errors(include_url=False, include_input=False)
        ]
        more = len(wrong) - _MOST_NAMED
        problem = sentences(
            Message("task-knowledge-wrong", file=str(path)),
            *wrong[:_MOST_NAMED],
            Message("more-mistakes", count=more) if more > 0 else "",
        )
        raise ConfigurationError(problem, _HINT) from None

"""Settings as patches of the manifest: read from a YAML file, and merged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qdash_jupyter.config import bounded_yaml
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text

Patch = dict[str, Any]


def merge_patch(target: Patch, patch: Mapping[str, Any]) -> Patch:
    """JSON Merge Patch: objects are merged key by key, null removes a key, everything else replaces."""
    merged = dict(target)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            below = merged.get(key)
            merged[key] = merge_patch(below if isinstance(below, dict) else {}, value)
        else:
            merged[key] = value
    return merged


def value_at(patch: Mapping[str, Any], key: tuple[str, ...]) -> Any:
    """Return what stands there under the key; None where nothing does."""
    value: Any = patch
    for name in key:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def read_yaml(path: Path) -> Patch:
    """The settings in a file.

    Raises:
        ConfigurationError: names the file and the place; never what stands there, which may be a password.
    """
    import yaml

    try:
        content = bounded_yaml.load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise unreadable(path, _without_content(error)) from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigurationError(Message("file-without-settings", file=str(path)), Message("write-key-value"))
    return content


def unreadable(path: Path, why: Text) -> ConfigurationError:
    """The error of a file that cannot be read."""
    return ConfigurationError.with_hint("unreadable-file", file=str(path), reason=why)


def problem_at(line: int, column: int, problem: Text) -> Message:
    """A problem with its place in a file, as a reason."""
    return Message("problem-at", line=str(line), column=str(column), problem=problem)


def _without_content(error: Exception) -> Text:
    """What is wrong, without the line it is in: that may hold a password."""
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return problem_at(mark.line + 1, mark.column + 1, _problem(error))
    if isinstance(error, UnicodeDecodeError):
        return Message("not-utf8-at", byte=str(error.start))
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__


def _problem(error: Exception) -> Text:
    ours = next((each for each in error.args if isinstance(each, Message)), None)
    return ours or getattr(error, "problem", None) or Message("not-yaml")

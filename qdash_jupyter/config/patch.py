"""Settings as patches of the manifest: read from a YAML file, and merged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qdash_jupyter.config import bounded_yaml
from qdash_jupyter.errors import ConfigurationError

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


def read_yaml(path: Path) -> Patch:
    """The settings in a file.

    Raises:
        ConfigurationError: names the file and the place; never what stands there, which may be a password.
    """
    import yaml

    try:
        content = bounded_yaml.load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        msg = f"{path} cannot be read: {_without_content(error)}."
        raise ConfigurationError(msg, "Mend or remove the file.") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        msg = f"{path} holds a {type(content).__name__}, not settings by name."
        raise ConfigurationError(msg, "Write `key: value` lines.")
    return content


def _without_content(error: Exception) -> str:
    """What is wrong, without the line it is in: that may hold a password."""
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return f"line {mark.line + 1}, column {mark.column + 1}: {getattr(error, 'problem', None) or 'no YAML'}"
    if isinstance(error, UnicodeDecodeError):
        return f"it is no UTF-8 at byte {error.start}"
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__

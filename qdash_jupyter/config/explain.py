"""The settings in words: which layer each value came from."""

from __future__ import annotations

import re
from typing import Any

from qdash_jupyter.config.content import FOLDERS
from qdash_jupyter.config.layers import LoadedManifest
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import HIDDEN, masked
from qdash_jupyter.config.resolve import leaves
from qdash_jupyter.messages.message import Text

_DEFAULT = "package"
_MAY_BE_SECRET = re.compile(r"\.(headers|env|reader_options)\.")
_MOST_CHARS = 120


def explained(loaded: LoadedManifest) -> list[tuple[str, str, Text]]:
    """Each value with its key and where it came from; predefined content by its name and layer. Without secrets."""
    rows: list[tuple[str, str, Text]] = []
    for place, value in leaves(shown_settings(loaded.manifest)):
        key = ".".join(place)
        holders = (".".join(place[:end]) for end in range(len(place), 0, -1))
        origin = next((loaded.origins[holder] for holder in holders if holder in loaded.origins), _DEFAULT)
        rows.append((key, _in_words(value), origin))
    for kind in FOLDERS:
        templates = sorted(getattr(loaded.content, kind).values(), key=lambda one: one.name)
        rows += [(f"predefined {kind} {one.name}", str(one.path), one.layer) for one in templates]
    return rows


def shown_settings(manifest: Manifest) -> dict[str, Any]:
    """The settings as JSON values, without secrets."""
    found: dict[str, Any] = _shown(manifest.model_dump(mode="json"), "")
    return found


def _shown(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {name: _shown(each, f"{key}.{name}") for name, each in value.items()}
    if isinstance(value, list):
        return [_shown(each, f"{key}.{place}") for place, each in enumerate(value)]
    return HIDDEN if value and _MAY_BE_SECRET.search(f"{key}.") else masked(value)


def _in_words(value: Any) -> str:
    text = value if isinstance(value, str) else "null" if value is None else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"

"""Settings of the user that stand in JupyterLab: a layer between their file and that of the working folder.

They come from a page, so they say how the copilot answers, and not what its code may do or where data are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS = (
    ("orchestrator", "deployment"),
    ("orchestrator", "max_iterations"),
    ("language", "response"),
    ("language", "thinking"),
    ("cells",),
    ("history",),
    ("greeting",),
    ("limits", "cell_warning_seconds"),
    ("limits", "max_seconds"),
)


def from_front_end(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What of them counts, as a patch."""
    patch: dict[str, Any] = {}
    for section, *key in KEYS:
        value = settings.get(section)
        if not key and value is not None:
            patch[section] = value
        elif key and isinstance(value, Mapping) and value.get(key[0]) is not None:
            patch.setdefault(section, {})[key[0]] = value[key[0]]
    return patch

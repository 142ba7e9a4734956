"""The model on this machine that the user has chosen: the lowest layer of the settings, whose others go before."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qdash_jupyter.config.disk import go_on_without, user_folder, write_whole
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import ModelSection

_FILE = "local-model.json"


def chosen_model(environment: Mapping[str, str]) -> dict[str, Any]:
    """As a patch of the settings; empty where none was chosen, or one file holds all settings."""
    if environment.get("QDASH_COPILOT_CONFIG"):
        return {}
    try:
        kept = json.loads((user_folder("config") / _FILE).read_text(encoding="utf-8"))
        name, section = str(kept["name"]), dict(kept["model"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {"models": {name: section}, "orchestrator": {"deployment": name}}


def choose_model(name: str, section: ModelSection) -> None:
    """Remember it, for all kernels of this user."""
    kept = {"name": name, "model": section.model_dump(mode="json", exclude_defaults=True)}
    place = user_folder("config") / _FILE
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, json.dumps(kept), private=True)
    except OSError as error:
        go_on_without(Message("chosen-model"), place, error)


def choose_none() -> None:
    """Forget it."""
    with contextlib.suppress(OSError):
        (user_folder("config") / _FILE).unlink()

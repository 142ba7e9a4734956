"""The model on this machine that the user has chosen: the lowest layer of the settings, whose others go before."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qdash_jupyter.config.disk import go_on_without, keep_json, kept_json, user_folder
from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.messages.message import Message


def chosen_model(environment: Mapping[str, str]) -> dict[str, Any]:
    """As a patch of the settings; empty where none was chosen, or one file holds all settings."""
    if environment.get("QDASH_COPILOT_CONFIG"):
        return {}
    match kept_json(_place()):
        case {"name": str(name), "model": dict(section)}:
            return {"models": {name: section}, "orchestrator": {"deployment": name}}
    return {}


def choose_model(name: str, section: ModelSection) -> None:
    """Remember it, for all kernels of this user."""
    try:
        keep_json(_place(), {"name": name, "model": section.model_dump(mode="json", exclude_defaults=True)})
    except OSError as error:
        go_on_without(Message("chosen-model"), _place(), error)


def choose_none() -> None:
    """Forget it."""
    with contextlib.suppress(OSError):
        _place().unlink()


def _place() -> Path:
    return user_folder("config") / "local-model.json"

"""Which files and folders settings are read from, from the lowest layer to the highest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from qdash_jupyter.config.disk import expanded, user_folder
from qdash_jupyter.config.trust import is_trusted
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message

FILE = "copilot.yaml"
CONTENT = "predefined"
"""The folder beside it with prompts, tools, tool sets and skills."""

Layer: TypeAlias = Literal["site", "lab", "user", "project"]
"""The administrator's, those of `PREDEFINED_EXTRA_PATHS`, the user's own, that of the working folder."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One place: its `copilot.yaml` and its predefined content, what of them there is."""

    layer: Layer
    path: Path | None
    content: Path | None
    trusted: bool = True


def settings_files(environment: Mapping[str, str], folder: Path) -> list[SettingsFile]:
    """All that there are; the last counts.

    Raises:
        ConfigurationError: a variable names what does not exist.
    """
    from platformdirs import site_config_path

    site = _named(environment, "QDASH_COPILOT_SITE_CONFIG") or site_config_path("qdash-jupyter") / FILE
    found = [_place("site", site)]
    for each in filter(None, environment.get("PREDEFINED_EXTRA_PATHS", "").split(os.pathsep)):
        path = expanded(each)
        if not path.is_dir():
            variable = "PREDEFINED_EXTRA_PATHS"
            raise ConfigurationError(
                Message("variable-names-no-folder", variable=variable, folder=each),
                Message("correct-variable", variable=variable),
            )
        file = path / FILE
        found.append(SettingsFile("lab", file if file.is_file() else None, path))
    if (only := _named(environment, "QDASH_COPILOT_CONFIG")) is not None:
        found.append(_place("user", only))
    else:
        found.append(_place("user", user_folder("config") / FILE))
        found.append(_place("project", folder / FILE, trusted=is_trusted(folder, environment)))
    return [file for file in found if file.path or file.content]


def _place(layer: Layer, path: Path, *, trusted: bool = True) -> SettingsFile:
    content = path.parent / CONTENT
    return SettingsFile(layer, path if path.is_file() else None, content if content.is_dir() else None, trusted)


def _named(environment: Mapping[str, str], variable: str) -> Path | None:
    if not (named := environment.get(variable)):
        return None
    path = expanded(named)
    if not path.is_file():
        raise ConfigurationError(
            Message("variable-names-no-file", variable=variable, file=named),
            Message("correct-variable", variable=variable),
        )
    return path

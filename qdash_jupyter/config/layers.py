"""Reads the manifest: defaults, then the user's file, then the folder's, then the environment, then options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.errors import ConfigurationError

FILE = "copilot.yaml"

Patch = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedManifest:
    """The settings and the layers they came from, lowest first."""

    manifest: Manifest
    layers: tuple[str, ...]


def load_manifest(
    options: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> LoadedManifest:
    """Merge the layers (RFC 7396: a null removes) and check the outcome.

    Args:
        options: the last layer, as a patch of the manifest.
        environment: default is the process's.
        folder: where to look for `copilot.yaml`; default is the working directory.

    Raises:
        ConfigurationError: names the file or variable, the key, and what is wrong.
    """
    environment = os.environ if environment is None else environment
    merged: Patch = {}
    layers: list[str] = []
    for path in _files(environment, folder or Path.cwd()):
        merged = merge_patch(merged, _read(path))
        layers.append(str(path))
        _checked(merged, f"in {path}")
    if patch := _from_environment(environment):
        merged = merge_patch(merged, patch)
        layers.append("environment")
    if options:
        merged = merge_patch(merged, dict(options))
        layers.append("options")
    return LoadedManifest(_checked(merged, "in the environment or the options"), tuple(layers))


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


def _files(environment: Mapping[str, str], folder: Path) -> list[Path]:
    from platformdirs import user_config_path

    if named := environment.get("QDASH_COPILOT_CONFIG"):
        path = Path(named).expanduser()
        if not path.is_file():
            msg = f"QDASH_COPILOT_CONFIG names {named}, which is no file."
            raise ConfigurationError(msg, "Correct or unset it.")
        return [path]
    return [path for path in (user_config_path("qdash-jupyter") / FILE, folder / FILE) if path.is_file()]


def _read(path: Path) -> Patch:
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        msg = f"{path} cannot be read: {error}"
        raise ConfigurationError(msg, "Mend or remove the file.") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        msg = f"{path} holds a {type(content).__name__}, not settings by name."
        raise ConfigurationError(msg, "Write `key: value` lines.")
    return content


def _from_environment(environment: Mapping[str, str]) -> Patch:
    patch: Patch = {}
    # The second name is the one of the QuickApps agent design.
    if model := environment.get("QDASH_COPILOT_MODEL") or environment.get("DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID"):
        patch["model"] = model
    if seconds := environment.get("DEFAULT_TOOL_TIMEOUT_SECONDS"):
        patch["limits"] = {"tool_timeout_seconds": seconds}
    if snapshot := environment.get("QDASH_SNAPSHOT"):
        patch["database"] = {"snapshot": snapshot, "mongo_uri": None}
    elif uri := environment.get("QDASH_MONGO_URI"):
        patch["database"] = {"mongo_uri": uri, "snapshot": None}
    return patch


def _checked(merged: Patch, where: str) -> Manifest:
    try:
        manifest = Manifest.model_validate(merged)
    except ValidationError as error:
        # The input itself is left out: it may hold a password.
        wrong = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False)[:5]]
        msg = f"Settings {where} are wrong: {'; '.join(wrong)}."
        raise ConfigurationError(msg, "Correct them, or remove the key for its default.") from None
    if manifest.database.mongo_uri is not None and manifest.database.snapshot is not None:
        msg = f"Settings {where} name both a MongoDB and a snapshot."
        raise ConfigurationError(msg, "Keep one of database.mongo_uri and database.snapshot.")
    return manifest

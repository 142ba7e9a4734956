"""Reads the manifest: defaults, then the administrator's file, the user's, the folder's, the environment, options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import note_secrets
from qdash_jupyter.config.patch import Patch, merge_patch, read_yaml
from qdash_jupyter.config.policy import POLICIES, narrower
from qdash_jupyter.config.qdash_copilot import read_qdash_copilot
from qdash_jupyter.config.trust import is_trusted, without_untrusted
from qdash_jupyter.config.violations import Violation, violations_of
from qdash_jupyter.errors import ConfigurationError

FILE = "copilot.yaml"

_DEFAULTS = {
    "DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID": ("model",),  # as the QuickApps agent design calls them
    "DEFAULT_TOOL_TIMEOUT_SECONDS": ("limits", "tool_timeout_seconds"),
}
"""What these variables set counts where no file says anything."""
_VARIABLES = {
    "QDASH_COPILOT_MODEL": ("model",),
    "QDASH_COPILOT_HISTORY": ("history",),
    "QDASH_SNAPSHOT": ("database", "snapshot"),
    "QDASH_MONGO_URI": ("database", "mongo_uri"),
}
"""What these set counts before all files."""
_SOURCES = ("mongo_uri", "snapshot", "reader")


@dataclass(frozen=True, slots=True)
class LoadedManifest:
    """The settings."""

    manifest: Manifest
    notes: tuple[str, ...] = ()
    """What of QDash's own settings is not used here, and why."""
    untrusted: tuple[str, ...] = ()
    """What of the folder's settings does not count, and why."""


def load_manifest(
    options: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> LoadedManifest:
    """Merge the layers (RFC 7396: a null removes) and check each outcome.

    A layer that names a database takes the place of the one below, so that a folder's snapshot wins over the user's
    MongoDB; only one layer that names two is in doubt.

    Args:
        options: the last layer, as a patch of the manifest.
        environment: default is the process's.
        folder: where to look for `copilot.yaml`; default is the working directory.

    Raises:
        ConfigurationError: names the file or variable, the key, and what is wrong.
    """
    environment = os.environ if environment is None else environment
    folder = folder or Path.cwd()
    layers = _from_environment(environment, _DEFAULTS)
    imported: list[str] = []
    ignored: list[str] = []
    untrusted: set[str] = set()
    site = _site_file(environment)
    for path in filter(None, [site, *_files(environment, folder)]):
        patch = read_yaml(path)
        if path == folder / FILE and not environment.get("QDASH_COPILOT_CONFIG") and not is_trusted(path, environment):
            models = [name for _, trusted in layers for name in (trusted.get("models") or ())]
            policies = [trusted["policy"] for _, trusted in layers if trusted.get("policy") in POLICIES]
            patch, left_out = without_untrusted(patch, folder, models, [Manifest().policy, *policies][-1])
            untrusted.add(f"in {path}")
            if left_out:
                ignored.append(f"{', '.join(left_out)} in {path}, which is not trusted (%copilot trust)")
        layers.append((f"in {path}", patch))
    layers += _from_environment(environment, _VARIABLES)
    if options:
        layers.append(("in the options", dict(options)))
    merged: Patch = {}
    manifest = Manifest()
    for where, patch in layers:
        if isinstance(named := patch.get("qdash_copilot"), (str, Path)):
            own = read_qdash_copilot(_beside(named, where, folder), environment)
            if where in untrusted:
                known = merged.get("models") or ()
                own = replace(own, patch=without_untrusted(own.patch, folder, known, manifest.policy)[0])
            merged = merge_patch(merged, own.patch)
            _checked(merged, f"from QDash's {named}")
            imported += own.notes
        merged = merge_patch(merged, _one_source(patch, where))
        manifest = _checked(merged, where)
    note_secrets(manifest)
    bound = next((patch["policy"] for where, patch in layers if where == f"in {site}" and patch.get("policy")), None)
    if bound is not None and (allowed := narrower(manifest.policy, bound)) != manifest.policy:
        ignored.append(f"policy: {manifest.policy}, as the administrator allows at most {bound} ({site})")
        manifest = manifest.model_copy(update={"policy": allowed})
    return LoadedManifest(manifest, tuple(imported), tuple(ignored))


def _beside(named: str | Path, where: str, folder: Path | None) -> Path:
    """A path of the settings: relative ones are beside the file that names them."""
    file = Path(where.removeprefix("in "))
    return (file.parent if file.is_file() else folder or Path.cwd()) / Path(named).expanduser()


def _site_file(environment: Mapping[str, str]) -> Path | None:
    """The administrator's file, whose `policy` is the widest that others may set."""
    from platformdirs import site_config_path

    if named := environment.get("QDASH_COPILOT_SITE_CONFIG"):
        path = Path(named).expanduser()
        if not path.is_file():
            msg = f"QDASH_COPILOT_SITE_CONFIG names {named}, which is no file."
            raise ConfigurationError(msg, "Correct or unset it.")
        return path
    path = site_config_path("qdash-jupyter") / FILE
    return path if path.is_file() else None


def _files(environment: Mapping[str, str], folder: Path) -> list[Path]:
    from platformdirs import user_config_path

    if named := environment.get("QDASH_COPILOT_CONFIG"):
        path = Path(named).expanduser()
        if not path.is_file():
            msg = f"QDASH_COPILOT_CONFIG names {named}, which is no file."
            raise ConfigurationError(msg, "Correct or unset it.")
        return [path]
    return [path for path in (user_config_path("qdash-jupyter") / FILE, folder / FILE) if path.is_file()]


def _from_environment(
    environment: Mapping[str, str], variables: Mapping[str, tuple[str, ...]]
) -> list[tuple[str, Patch]]:
    """A layer of what these variables set, where there is any."""
    patch: Patch = {}
    used: list[str] = []
    for name, (section, *key) in variables.items():
        if (value := environment.get(name)) and section not in patch:  # of two that set the same the first counts
            patch[section] = {key[0]: value} if key else value
            used.append(name)
    return [(f"in the environment ({', '.join(used)})", patch)] if used else []


def _one_source(patch: Patch, where: str) -> Patch:
    """The patch, made to remove the other database where it names one."""
    database = patch.get("database")
    if not isinstance(database, Mapping):
        return patch
    named = [name for name in _SOURCES if database.get(name) is not None]
    if len(named) > 1:
        msg = f"Settings {where} name more than one database."
        raise ConfigurationError(msg, f"Keep one of {' and '.join(f'database.{name}' for name in named)}.")
    return {**patch, "database": dict.fromkeys(_SOURCES) | dict(database)} if named else patch


def _checked(merged: Patch, where: str) -> Manifest:
    try:
        return Manifest.model_validate(merged)
    except ValidationError as error:
        file = Path(where.removeprefix("in "))
        wrong = violations_of(error, file.read_text(encoding="utf-8") if file.is_file() else "")
        msg = f"Settings {where} are wrong: {'; '.join(str(each).rstrip('.') for each in wrong)}."
        raise ConfigurationError(msg, "Correct them, or remove the key for its default.") from None


def check_file(path: Path) -> list[Violation]:
    """All that is wrong with one file of settings, as it is merged onto the defaults; none where it can be used.

    Raises:
        ConfigurationError: it is no YAML, or names two databases.
    """
    patch = _one_source(read_yaml(path), f"in {path}")
    try:
        Manifest.model_validate(merge_patch({}, patch))
    except ValidationError as error:
        return violations_of(error, path.read_text(encoding="utf-8"))
    return []

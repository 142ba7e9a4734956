"""Reads the manifest: defaults, then the administrator's file, the lab's, the user's, the folder's, the environment,
options.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qdash_jupyter.config import bounded_yaml
from qdash_jupyter.config.chosen import chosen_model
from qdash_jupyter.config.content import PredefinedContent
from qdash_jupyter.config.files import CONTENT, SettingsFile, settings_files
from qdash_jupyter.config.initialization import InitializationIssue, Stage
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import note_secrets
from qdash_jupyter.config.patch import Patch, merge_patch, read_yaml
from qdash_jupyter.config.policy import POLICIES, narrower
from qdash_jupyter.config.qdash_copilot import read_qdash_copilot
from qdash_jupyter.config.resolve import Resolved, leaves, resolved
from qdash_jupyter.config.trust import without_untrusted
from qdash_jupyter.config.violations import Place, Violation, line_of, lines_of, violations_of
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text, one_of, sentences

_DEFAULTS = {
    "DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID": ("orchestrator", "deployment"),  # as the QuickApps agent design calls them
    "DEFAULT_TOOL_TIMEOUT_SECONDS": ("tool_defaults", "timeout_seconds"),
}
"""What these variables set counts where no file says anything."""
_VARIABLES = {
    "QDASH_COPILOT_MODEL": ("orchestrator", "deployment"),
    "QDASH_COPILOT_HISTORY": ("history",),
    "QDASH_SNAPSHOT": ("database", "snapshot"),
    "QDASH_MONGO_URI": ("database", "mongo_uri"),
}
"""What these set counts before all files."""
_NO_TEXTS = {"DEFAULT_TOOL_TIMEOUT_SECONDS", "QDASH_COPILOT_HISTORY"}
_SOURCES = ("mongo_uri", "snapshot", "reader")
_OLLAMA = {"base_url": "http://localhost:11434/v1", "api_key_env": "OLLAMA_API_KEY"}
"""Where Ollama listens by default. It wants no key; OpenAI's must not go there."""
_LISTED: Mapping[str, Stage] = {"tool_sets": "tools", "skills": "skills", "contexts": "context"}
"""Of these, one with a mistake is left out, and the others are used. Other mistakes end it: with a wrong database, or
policy, the defaults would be something else than what was asked for.
"""


@dataclass(frozen=True, slots=True)
class LoadedManifest:
    """The settings."""

    manifest: Manifest
    content: PredefinedContent = field(default_factory=PredefinedContent)
    notes: tuple[Text, ...] = ()
    """What of QDash's own settings is not used here, and why."""
    untrusted: tuple[Text, ...] = ()
    """What of the folder's settings does not count, and why."""
    issues: tuple[InitializationIssue, ...] = ()
    """What is left out, or is to be written otherwise."""
    origins: Mapping[str, Text] = field(default_factory=dict)
    """Where each value that is no default comes from, by its key: `limits.max_same_call`."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What is wrong with one file, in the order of its lines, and what is to be written otherwise."""

    violations: tuple[Violation, ...]
    hints: tuple[InitializationIssue, ...]


def load_manifest(
    options: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    front_end: Mapping[str, Any] | None = None,
) -> LoadedManifest:
    """Merge the layers (RFC 7396: a null removes) and check each outcome.

    A layer that names a database takes the place of the one below, so that a folder's snapshot wins over the user's
    MongoDB; only one layer that names two is in doubt.

    Args:
        options: the last layer, as a patch of the manifest.
        environment: default is the process's.
        folder: where to look for `copilot.yaml`; default is the working directory.
        front_end: what the user has set in JupyterLab.

    Raises:
        ConfigurationError: names the file or variable, the key, and what is wrong.
    """
    environment = os.environ if environment is None else environment
    folder = folder or Path.cwd()
    found = settings_files(environment, folder)
    merging = _Merging(_content(found), environment, folder)
    merging.add(Message("chosen-model"), chosen_model(environment))
    merging.add(*_from_environment(environment, _DEFAULTS))
    for file in [file for file in found if file.layer != "project"]:
        merging.add_file(file)
    merging.add(Message("jupyterlab-settings"), _from_front_end(front_end or {}))
    for file in [file for file in found if file.layer == "project"]:
        merging.add_file(file)
    merging.add(*_from_environment(environment, _VARIABLES))
    merging.add(Message("given-options"), options or {})
    manifest = merging.bounded(next((file.path for file in found if file.layer == "site"), None))
    note_secrets(manifest)
    return LoadedManifest(
        manifest,
        merging.content,
        tuple(merging.imported),
        tuple(merging.ignored),
        (*merging.content.issues, *merging.issues),
        {".".join(place): where for place, where in merging.origins.items()},
    )


def check_file(path: Path, environment: Mapping[str, str] | None = None) -> CheckedFile:
    """All that is wrong with one file of settings, as it is merged onto the defaults.

    Raises:
        ConfigurationError: it is no YAML, or names two databases.
    """
    environment = os.environ if environment is None else environment
    where = str(path)
    others = [
        file for file in settings_files(environment, path.parent) if file.path != path and file.layer != "project"
    ]
    content = _content([*others, SettingsFile("project", path, path.parent / CONTENT)])  # it is only looked at
    own = resolved(read_yaml(path), content, path.parent, where)
    text = path.read_text(encoding="utf-8")
    lines = lines_of(text)
    wrong = [
        Violation(str(issue.name), line_of(tuple(str(issue.name).split(".")), lines), issue.message)
        for issue in own.issues
        if issue.is_hard
    ]
    wrong += [replace(each, line=line_of(tuple(each.key.split(".")), lines)) for each in _doubled(own)]
    for key in _LISTED:
        if isinstance(listed := own.patch.get(key), list):
            own.patch[key] = [each for each in listed if each is not None]
    try:
        _validated(merge_patch({}, _one_source(own.patch, where)))
    except ValidationError as error:
        wrong += violations_of(error, text, own.written)
    hints = tuple(issue for issue in own.issues if not issue.is_hard)
    return CheckedFile(tuple(sorted(wrong, key=lambda one: one.line)), hints)


class _Merging:
    """The layers so far."""

    def __init__(self, content: PredefinedContent, environment: Mapping[str, str], folder: Path) -> None:
        self.content = content
        self.manifest = Manifest()
        self.origins: dict[Place, Text] = {}
        self.imported: list[Text] = []
        self.ignored: list[Text] = []
        self.issues: list[InitializationIssue] = []
        self._merged: Patch = {}
        self._environment = environment
        self._folder = folder

    def add_file(self, file: SettingsFile) -> None:
        """One more, which may come from somebody else."""
        if not file.trusted and file.content is not None:
            self.ignored.append(Message("untrusted-content", folder=str(file.content)))
        if file.path is None:
            return
        self.add(str(file.path), read_yaml(file.path), file.path.parent, trusted=file.trusted)

    def add(self, where: Text, patch: Mapping[str, Any], home: Path | None = None, *, trusted: bool = True) -> None:
        """One more layer, with paths below `home`; `where` is its file, or what else it is."""
        if not patch:
            return
        own = resolved(patch, self.content, home or self._folder, where)
        if own.doubled:
            raise ConfigurationError(_mistakes(where, _doubled(own)))
        if not trusted:
            own.patch, left_out = self._without_untrusted(own.patch)
            own.issues = [issue for issue in own.issues if not issue.is_hard]
            if left_out:
                self.ignored.append(Message("untrusted-settings", names=tuple(left_out), where=where))
        self.issues += own.issues
        if isinstance(named := own.patch.get("qdash_copilot"), str):
            imported = read_qdash_copilot(Path(named), self._environment)
            theirs = imported.patch if trusted else self._without_untrusted(imported.patch)[0]
            self._merge(Message("settings-of-qdash", file=named), theirs)
            self.imported += imported.notes
        self._without_broken(own, where)
        self._merge(where, own.patch, own.written)

    def bounded(self, site: Path | None) -> Manifest:
        """The settings, within what the administrator's file allows: no wider policy, no feature that is off there."""
        patch = read_yaml(site) if site is not None else {}
        allows: Patch = {}
        if (bound := patch.get("policy")) in POLICIES and narrower(self.manifest.policy, bound) != self.manifest.policy:
            self.ignored.append(Message("policy-bounded", policy=self.manifest.policy, most=str(bound), file=str(site)))
            allows["policy"] = bound
        features = patch.get("features")
        for name, one in features.items() if isinstance(features, dict) else ():
            if isinstance(one, dict) and one.get("enabled") is False and getattr(self.manifest.features, name).enabled:
                self.ignored.append(Message("feature-forbidden", name=f"features.{name}", file=str(site)))
                allows.setdefault("features", {})[name] = {"enabled": False}
        self._merge(str(site), allows)
        return self.manifest

    def _withholding(self, patch: Patch) -> Patch:
        """The patch with what the layers before withhold: none of them can be overruled."""
        before = list(self.manifest.privacy.never_send)
        if not before or "privacy" not in patch:
            return patch
        own = patch["privacy"] if patch["privacy"] is not None else {}
        if not isinstance(own, Mapping) or not isinstance(names := own.get("never_send") or [], list):
            return patch  # what is wrong is said when it is checked
        return {**patch, "privacy": {**own, "never_send": list(dict.fromkeys([*before, *names]))}}

    def _without_untrusted(self, patch: Patch) -> tuple[Patch, list[str]]:
        known = self._merged.get("models") or ()
        return without_untrusted(patch, self._folder, known, self.manifest.policy)

    def _without_broken(self, own: Resolved, where: Text) -> None:
        """Take what has a mistake out of the lists, and say which."""
        for key, stage in _LISTED.items():
            if not isinstance(listed := own.patch.get(key), list):
                continue
            kept = []
            for at, one in enumerate(listed):
                if one is None:
                    continue
                try:
                    _validated({key: [one]})
                except ValidationError as error:
                    wrong = violations_of(error, _text_of(where), {(key, "0"): (key, str(at))})
                    self.issues.append(
                        InitializationIssue(stage, f"{key}.{at}", _mistakes(where, wrong), is_hard=stage == "tools")
                    )
                else:
                    kept.append(one)
            own.patch[key] = kept

    def _merge(self, where: Text, patch: Patch, written: Mapping[Place, Place] | None = None) -> None:
        patch = self._withholding(_one_source(patch, where))
        self._merged = merge_patch(self._merged, patch)
        try:
            self.manifest = _validated(self._merged)
        except ValidationError as error:
            wrong = violations_of(error, _text_of(where), written)
            raise ConfigurationError(_mistakes(where, wrong), Message("settings-wrong-hint")) from None
        for place, value in leaves(patch):
            if isinstance(value, Mapping):  # an empty one changes nothing
                continue
            for known in [one for one in self.origins if one[: len(place)] == place]:
                del self.origins[known]
            if value is not None:
                self.origins[place] = where


def _validated(patch: Mapping[str, Any]) -> Manifest:
    """Checked strictly: a number is no text, and a text no number."""
    if isinstance(models := patch.get("models"), dict):
        theirs = [name for name, one in models.items() if isinstance(one, dict) and one.get("provider") == "ollama"]
        patch = {**patch, "models": models | {name: _OLLAMA | models[name] for name in theirs}}
    text = json.dumps(patch, default=_as_text, ensure_ascii=False)
    made = Manifest.model_validate_json(text.encode("utf-8", "surrogatepass"), strict=True)
    database = patch.get("database")
    if not isinstance(database, Mapping) or not database.get("reader_options"):
        return made
    # A reader of another package may be given any objects of Python.
    options = {"reader_options": dict(database["reader_options"])}
    return made.model_copy(update={"database": made.database.model_copy(update=options)})


def _as_text(value: Any) -> str:
    """Paths and dates as JSON has them."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _content(found: Sequence[SettingsFile]) -> PredefinedContent:
    return PredefinedContent.read(
        (file.layer, file.content) for file in found if file.content is not None and file.trusted
    )


def _text_of(where: Text) -> str:
    file = Path(where) if isinstance(where, str) else None
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else ""


def _doubled(own: Resolved) -> list[Violation]:
    return [Violation(old, 0, Message("same-setting", name=new)) for old, new in own.doubled]


def _mistakes(where: Text, wrong: Iterable[Violation]) -> Text:
    return sentences(Message("settings-wrong", where=where), *(each.text for each in wrong))


def _from_environment(environment: Mapping[str, str], variables: Mapping[str, tuple[str, ...]]) -> tuple[Text, Patch]:
    """A layer of what these variables set."""
    patch: Patch = {}
    used: list[str] = []
    for name, (section, *key) in variables.items():
        if (text := environment.get(name)) and section not in patch:  # of two that set the same the first counts
            value = bounded_yaml.load(text) if name in _NO_TEXTS else text
            patch[section] = {key[0]: value} if key else value
            used.append(name)
    return Message("environment-variables", names=tuple(used)), patch


def _one_source(patch: Patch, where: Text) -> Patch:
    """The patch, made to remove the other database where it names one."""
    database = patch.get("database")
    if not isinstance(database, Mapping):
        return patch
    named = [name for name in _SOURCES if database.get(name) is not None]
    if len(named) > 1:
        raise ConfigurationError.with_hint(
            "several-databases", where=where, names=one_of(f"database.{name}" for name in named)
        )
    return {**patch, "database": dict.fromkeys(_SOURCES) | dict(database)} if named else patch


FRONT_END_KEYS = (
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
"""Settings that may stand in JupyterLab. They come from a page, so they say how the copilot answers, and not what its
code may do or where data are.
"""


def _from_front_end(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What counts of settings that stand in JupyterLab, as a patch."""
    patch: dict[str, Any] = {}
    for section, *key in FRONT_END_KEYS:
        value = settings.get(section)
        if not key and value is not None:
            patch[section] = value
        elif key and isinstance(value, Mapping) and value.get(key[0]) is not None:
            patch.setdefault(section, {})[key[0]] = value[key[0]]
    return patch

"""QDash's own copilot settings (`copilot/config.yaml`, `chat.yaml`, `review.yaml`, or one `copilot.yaml`), as ours.

Values may stand in the environment (`env:NAME`, `${NAME}`). Variables that look like secrets are not read: keys stay
where they are, and a server's password never gets into what is printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from qdash_jupyter.config.manifest import ModelSection, ScoringSection, StarterSection
from qdash_jupyter.config.patch import Patch, merge_patch, read_yaml
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text, one_of

FILES = ("config.yaml", "chat.yaml", "review.yaml")
ONE_FILE = "copilot.yaml"

_VARIABLE = re.compile(r"env:(?P<whole>\w+)|\$\{(?P<braced>\w+)\}")
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS", re.IGNORECASE)
_MODEL_KEYS = ("model", "analysis_model")
_MODEL_LISTS = ("chat_models", "analysis_models")
_FOR_CHAT = ("chat_models",)
PNG = "image/png"
_UNUSED = {
    "system_prompt": Message("unused-by-qdash", key="system_prompt"),
    "evaluation_metrics": Message("unused-by-qdash", key="evaluation_metrics"),
    "analysis_model": Message("analysis-model-unused"),
}
_ANALYSIS = {"multimodal": "images", "max_expected_images": "max_reference_images"}


@dataclass(slots=True)
class Imported:
    """Our settings as a patch, and what is not used, each with its reason."""

    patch: Patch = field(default_factory=dict)
    notes: list[Text] = field(default_factory=list)


def read_qdash_copilot(path: Path, environment: Mapping[str, str]) -> Imported:
    """Read QDash's `copilot` folder, the folder above it, or one file.

    Raises:
        ConfigurationError: there are no such settings, or a file cannot be read.
    """
    raw: Patch = {}
    for file in _files(path):
        raw = merge_patch(raw, read_yaml(file))
    return imported(raw, environment)


def imported(raw: Mapping[str, Any], environment: Mapping[str, str]) -> Imported:
    """QDash's settings, merged, as ours."""
    found = Imported()
    values = {str(key): _resolved(value, str(key), environment, found) for key, value in raw.items()}
    analysis = values.pop("analysis", None)
    _models(values, found, sees=isinstance(analysis, dict) and analysis.get("multimodal") is True)
    for key in ("response", "thinking"):
        language = values.pop(f"{key}_language", None)
        if language in {"en", "ja"}:
            found.patch.setdefault("language", {})[key] = language
        elif language is not None:
            found.notes.append(Message("qdash-language-unknown", key=f"{key}_language"))
    if isinstance(scoring := values.pop("scoring", None), dict):
        found.patch["scoring"] = {
            name: _known(each, ScoringSection, f"scoring.{name}", found) for name, each in scoring.items()
        }
    if isinstance(suggestions := values.pop("suggestions", None), list):
        found.patch["starters"] = [
            _known(each, StarterSection, f"suggestions.{place}", found) for place, each in enumerate(suggestions)
        ]
    if greeting := values.pop("initial_message", None):
        found.patch["greeting"] = greeting
    if isinstance(analysis, dict):
        known = {_ANALYSIS[key]: value for key, value in analysis.items() if key in _ANALYSIS and value is not None}
        found.patch |= {"analysis": known} if known else {}
        found.notes += [_unknown(f"analysis.{key}") for key in analysis if key not in _ANALYSIS]
    found.notes += [_UNUSED.get(key) or _unknown(key) for key in values]
    return found


def without_passwords(patch: Patch) -> Patch:
    """The patch to be printed: addresses of servers without user and password."""
    models = {name: _without_password(model) for name, model in patch.get("models", {}).items()}
    return {**patch, "models": models} if models else patch


def _without_password(model: Patch) -> Patch:
    parts = urlsplit(str(model.get("base_url") or ""))
    if "@" not in parts.netloc:
        return model
    return {**model, "base_url": urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))}


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    for folder in (path, path / "copilot"):
        if found := [folder / name for name in FILES if (folder / name).is_file()]:
            return found
        if (folder / ONE_FILE).is_file():
            return [folder / ONE_FILE]
    raise ConfigurationError.with_hint("no-qdash-settings", path=str(path), names=one_of(FILES))


def _models(values: dict[str, Any], found: Imported, *, sees: bool) -> None:
    """All models by name; the first of `chat_models`, else `model`, is in use, where QDash's copilot is enabled.

    With `sees` QDash sends figures to the models of its analyses: these accept them here, too.
    """
    enabled = values.pop("enabled", False)
    listed = [(name, one) for name in _MODEL_LISTS for one in values.pop(name, None) or ()]
    single = [(name, one) for name in _MODEL_KEYS if (one := values.get(name)) is not None]
    models: dict[str, Patch] = {}
    used: dict[str, str] = {}
    sections: list[tuple[str, Patch]] = []
    for place, one in [*listed, *single]:
        if not isinstance(one, dict):
            found.notes.append(Message("qdash-model-form", key=place))
        elif (section := _model(one, place, found)) is not None:
            sections.append((place, section))
            models.setdefault(section["name"], section)
            used.setdefault(place, section["name"])
    values.pop("model", None)
    if sees:
        seeing = {section["name"] for place, section in sections if place not in _FOR_CHAT}
        models = {name: {**one, **({"accepts": [PNG]} if name in seeing else {})} for name, one in models.items()}
        found.notes += [Message("qdash-model-may-see", name=name, type=PNG) for name in models if name not in seeing]
        if not models:
            found.notes.append(Message("qdash-no-model-sees"))
    if models:
        found.patch["models"] = models
    chosen = used.get("chat_models") or used.get("model")
    if chosen and enabled:
        found.patch["orchestrator"] = {"deployment": chosen}
    elif chosen:
        found.notes.append(Message("qdash-copilot-off", model=chosen))


def _model(raw: Patch, place: str, found: Imported) -> Patch | None:
    own = {key: value for key, value in raw.items() if value is not None}
    if (provider := own.get("provider", "openai")) not in {"openai", "ollama"}:
        found.notes.append(Message("qdash-provider-unknown", key=f"{place}.provider", provider=str(provider)))
        return None
    own.setdefault("name", "gpt-4.1")
    known: Patch = _known(own, ModelSection, place, found)
    return known


def _known(raw: Any, section: type[Any], place: str, found: Imported) -> Any:
    """The keys that a section of ours has; the others are noted, by name alone."""
    if not isinstance(raw, dict):
        return raw  # our own check says what is wrong with it
    found.notes += [_unknown(f"{place}.{key}") for key in raw if key not in section.model_fields]
    return {key: value for key, value in raw.items() if key in section.model_fields and value is not None}


def _resolved(raw: Any, place: str, environment: Mapping[str, str], found: Imported) -> Any:
    if isinstance(raw, dict):
        return {str(key): _resolved(value, f"{place}.{key}", environment, found) for key, value in raw.items()}
    if isinstance(raw, list):
        return [_resolved(value, f"{place}.{at}", environment, found) for at, value in enumerate(raw)]
    match = _VARIABLE.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if match is None:
        return raw
    name = match["whole"] or match["braced"]
    if _SECRET.search(name):
        found.notes.append(Message("qdash-secret-variable", key=place, variable=name))
        return None
    if name not in environment:
        found.notes.append(Message("qdash-variable-unset", key=place, variable=name))
    return environment.get(name)


def _unknown(key: str) -> Message:
    return Message("qdash-key-unknown", key=key)

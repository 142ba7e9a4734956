"""Keys of model servers: those of the environment, and those that somebody typed in this process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from qdash_jupyter.config.installed import MODELS, names_of
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, one_of

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import Manifest, ModelSection

PREVIEW = Message("preview-off")

_typed: dict[str, str] = {}


def key_in(variable: str) -> str:
    """The key under the name of an environment variable; a typed one comes first. Empty where there is none."""
    return _typed.get(variable) or os.environ.get(variable, "")


def keep_key(variable: str, key: str) -> None:
    """Use this key until the process ends. It goes into no file, and not into the environment, which child processes
    inherit and notebooks print.
    """
    _typed[variable] = key


def typed_keys() -> tuple[str, ...]:
    """Those that somebody typed in this process."""
    return tuple(_typed.values())


def model_in_use(manifest: Manifest) -> ModelSection | None:
    """The model that answers; None is the offline planner, or one of another package, which knows its own key.

    Raises:
        ConfigurationError: QDASH_COPILOT_API_STYLE is none.
    """
    from qdash_jupyter.config.manifest import API_STYLES, OFFLINE, ModelSection

    deployment = manifest.orchestrator.deployment
    if deployment == OFFLINE:
        return None
    if (section := manifest.models.get(deployment)) is not None:
        return section
    if deployment in names_of(MODELS):
        return None
    # A name says nothing of what a model sees, so the user who named it has to.
    accepts = tuple(os.environ.get("QDASH_COPILOT_ACCEPTS", "").replace(",", " ").split())
    named = os.environ.get("QDASH_COPILOT_API_STYLE", "").strip() or "auto"
    if (style := next((each for each in API_STYLES if each == named), None)) is None:
        raise ConfigurationError.with_hint("unknown-api-style", value=named, names=one_of(API_STYLES))
    base_url = os.environ.get("OPENAI_BASE_URL") or None
    return ModelSection(name=deployment, base_url=base_url, accepts=accepts, api_style=style)


def previews_enabled() -> bool:
    """Whether this user wants what is not settled yet."""
    return os.environ.get("ENABLE_PREVIEW_FEATURES", "").strip().lower() in {"1", "true", "yes", "on"}


def missing_key(manifest: Manifest) -> str:
    """The variable whose key the model in use cannot do without and does not have; empty where nothing is missing.

    OpenAI always wants one. Other servers may, or not: they say so themselves.
    """
    section = model_in_use(manifest)
    if os.environ.get("QDASH_CASSETTE", "").strip().lower() == "replay":  # nothing is sent anywhere
        return ""
    if section is None or section.base_url or any(name.lower() == "authorization" for name in section.headers):
        return ""
    return "" if key_in(section.api_key_env) else section.api_key_env

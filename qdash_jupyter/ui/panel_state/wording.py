"""What the kernel says in the panel's state, in the language of the page. Inside of it all is English.

What is of a question, its turn, is in the language of that question instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.language import Language
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.panel_state.blocks import sendable

_SAID: Mapping[str, Collection[str]] = {
    "about": {
        "database",
        "model",
        "endpoint",
        "models.label",
        "models.endpoint",
        "look.goes",
        "look.stays",
        "issues.name",
        "issues.message",
        "message",
        "hint",
    },
    "starters": {"label", "prompt"},
    "frames": {"note"},
    "preview": {"read", "message"},
    "standing": {"does"},
    "results": {"message"},
    "conversations": {"message"},
}
"""By field of the state, where in it stands what is said to people; the rest are names and facts."""


def in_words(key: str, value: Any, language: Language) -> Any:
    """The value of a field of the state as it is sent to a page of this language."""
    places = _SAID.get(key)
    return value if places is None else _worded(value, language, places, "")


def _worded(value: Any, language: Language, places: Collection[str], place: str) -> Any:
    if isinstance(value, Message):
        return sendable(value.of(language))
    if isinstance(value, str):
        return in_language(value, language) if place in places else value
    if isinstance(value, list):
        return [_worded(each, language, places, place) for each in value]
    if isinstance(value, dict):
        return {key: _worded(each, language, places, f"{place}.{key}".lstrip(".")) for key, each in value.items()}
    return value

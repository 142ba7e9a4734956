"""What the kernel says in the panel's state, in the language of the page. Inside of it texts are messages.

What is of a question, its turn, is in the language of that question instead.
"""

from __future__ import annotations

from typing import Any

from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.panel_state.blocks import sendable

_WITH_TEXTS = {"about", "starters", "frames", "preview", "standing", "results", "conversations"}
"""Fields of the state that hold texts."""


def in_words(key: str, value: Any, language: Language) -> Any:
    """The value of a field of the state as it is sent to a page of this language."""
    return _worded(value, language) if key in _WITH_TEXTS else value


def _worded(value: Any, language: Language) -> Any:
    if isinstance(value, Message):
        return sendable(value.of(language))
    if isinstance(value, list):
        return [_worded(each, language) for each in value]
    if isinstance(value, dict):
        return {key: _worded(each, language) for key, each in value.items()}
    return value

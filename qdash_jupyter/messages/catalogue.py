"""The messages of one language, read from its file of Fluent messages (https://projectfluent.org)."""

from __future__ import annotations

import logging
import re
from functools import cache
from pathlib import Path
from typing import Any

from qdash_jupyter.messages.languages import FILES, Language

logger = logging.getLogger("qdash_jupyter")

_BEGINS = re.compile(r"^(-?[a-zA-Z][\w-]*) *=", re.MULTILINE)


class Catalogue:
    """Gives the words of messages. A message is parsed when it is first asked for."""

    def __init__(self, language: Language, source: str) -> None:
        """`source` is the content of a file of Fluent messages."""
        from fluent.runtime import FluentBundle, FluentResource  # with Babel 50 ms

        self._resource = FluentResource
        self._bundle = FluentBundle([language], use_isolating=False, functions=_FUNCTIONS)
        found = [*_BEGINS.finditer(source)]
        ends = [*(each.start() for each in found[1:]), len(source)]
        self._sources = {each[1]: source[each.start() : end] for each, end in zip(found, ends, strict=True)}

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._sources

    def pattern(self, message_id: str) -> Any:
        """Return what Fluent has made of a message."""
        if not self._bundle.has_message(message_id):
            self._bundle.add_resource(self._resource(self._sources[message_id]))
        return self._bundle.get_message(message_id).value

    def text(self, message_id: str, fields: dict[str, str | int]) -> str:
        """Return the words of a message. Never raises: what is wrong with it is in the log."""
        if message_id not in self:
            english = catalogue("en")
            if self is english:
                logger.error("There is no message %r", message_id)
                return message_id
            return english.text(message_id, fields)
        text, errors = self._bundle.format_pattern(self.pattern(message_id), fields)
        for error in errors:
            logger.error("The message %r: %s", message_id, error)
        return str(text)


def _space_after(text: Any) -> Any:
    """Return what separates a sentence from the next one where full-width marks need no space behind them."""
    return "" if str(text).endswith(tuple("。：！？…）」")) else " "


_FUNCTIONS: dict[str, Any] = {"SPACE_AFTER": _space_after}


def catalogue(language: Language) -> Catalogue:
    """Return the messages of a language; English ones where it is not known."""
    return _read(language, FILES[language]) if language in FILES else catalogue("en")


@cache
def _read(language: Language, file: Path) -> Catalogue:
    return Catalogue(language, file.read_text(encoding="utf-8"))

"""The messages of one language, read from its file of Fluent messages (https://projectfluent.org)."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Final

from qdash_jupyter.messages.languages import FILES, Language

logger = logging.getLogger("qdash_jupyter")

_LONGEST: Final = 500
"""Characters of a field that Fluent gets. It refuses texts beyond 2,500, so longer ones are put in afterwards."""
_MARK: Final = "\N{NULL}"
_MARKED = re.compile(rf"{_MARK}(\d+){_MARK}(?P<goes_on>[.。,、;]?)")
_STOPS = ".。"
_BEGINS = re.compile(r"^(-?[a-zA-Z][\w-]*) *=", re.MULTILINE)


class Catalogue:
    """Gives the words of messages. A message is parsed when it is first asked for."""

    def __init__(self, language: Language, source: str) -> None:
        """`source` is the content of a file of Fluent messages."""
        from fluent.runtime import FluentBundle, FluentResource  # with Babel 50 ms

        self._resource = FluentResource
        self._bundle = FluentBundle([language], use_isolating=False)
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

    @cached_property
    def separator(self) -> str:
        """What stands between two items of a list."""
        return self.text("list-separator", {})

    def text(self, message_id: str, fields: Mapping[str, str | int]) -> str:
        """Return the words of a message. Never raises: what is wrong with it is in the log."""
        if message_id not in self:
            english = catalogue("en")
            if self is english:
                logger.error("There is no message %r", message_id)
                return message_id
            return english.text(message_id, fields)
        given, held = dict(fields), list[str]()
        for name, value in fields.items():
            if isinstance(value, str) and (len(value) > _LONGEST or value.endswith(tuple(_STOPS)) or _MARK in value):
                given[name] = f"{_MARK}{len(held)}{_MARK}"
                held.append(value)
        try:
            text, errors = self._bundle.format_pattern(self.pattern(message_id), given)
        except Exception:
            logger.exception("The message %r", message_id)
            return message_id
        for error in errors:
            logger.error("The message %r: %s", message_id, error)
        return _MARKED.sub(partial(_put_in, held), str(text)) if held else str(text)


def _put_in(held: Sequence[str], mark: re.Match[str]) -> str:
    """Return the text that a mark stands for, without its full stop where the message has one behind it."""
    text = held[int(mark[1])]
    return text.rstrip(_STOPS) + mark["goes_on"] if mark["goes_on"] else text


def catalogue(language: Language) -> Catalogue:
    """Return the messages of a language; English ones where it is not known."""
    return _read(language, FILES[language]) if language in FILES else catalogue("en")


@cache
def _read(language: Language, file: Path) -> Catalogue:
    return Catalogue(language, file.read_text(encoding="utf-8"))

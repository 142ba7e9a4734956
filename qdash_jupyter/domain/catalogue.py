"""Texts that were put together in English, in the language of the question: errors, refusals, what a status says.

As with gettext, the English text is the key, with a named field for what differs (`There is no key for {server}.`). An
error is raised far from where anybody knows the language, its text is kept in logs and read by models, so it stays
English there. Where it is shown, its template is found again by the words around the fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from qdash_jupyter.domain.language import Language, texts_in
from qdash_jupyter.messages.message import Message, Text

AS_IT_IS = ("said", "why", "code", "text", "name", "named")
"""Fields whose values are another's words, or names: they are not looked into."""

_FIELD = re.compile(r"\{(\w*)\}")
_SENTENCE_END = re.compile(r"(?<=[.?!:…)]) +")
_ANY, _WITHIN_A_SENTENCE = ".", "(?:(?![.?!] ).)"
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class _Entry:
    """A template with fields: how its text is recognised, and how it is said."""

    pattern: re.Pattern[str]
    said: str
    letters: int


_Catalogue: TypeAlias = tuple[Mapping[str, str], tuple[_Entry, ...]]
"""Texts without fields, and templates: those with the most words of their own first."""

_made: dict[Language, tuple[Mapping[str, str], _Catalogue]] = {}


def in_language(text: Text, language: Language) -> str:
    """The text in the language, line by line and, where a line as a whole is not known, sentence by sentence. What the
    catalogue does not know, such as another server's words, stays as it is.
    """
    if isinstance(text, Message):
        return text.of(language)
    if language == "en" or not text:
        return text
    return "\n".join(_line(line, language, 0) for line in text.split("\n"))


def _line(text: str, language: Language, depth: int) -> str:
    ends = [(found.start(), found.end()) for found in _SENTENCE_END.finditer(text)]
    exact, _ = _catalogue(language)
    for end, begin in ends if text not in exact else ():  # a field that ends with another's words would hold a hint too
        if (hint := exact.get(text[begin:])) and (first := _whole(text[:end], language, depth)) is not None:
            return _joined(first, hint)
    if (whole := _whole(text, language, depth)) is not None:
        return whole
    for end, begin in reversed(ends):
        if (first := _whole(text[:end], language, depth)) is not None:
            return _joined(first, _line(text[begin:], language, depth))
    for end, begin in ends:  # the first sentence is not known; perhaps what follows is
        rest = _line(text[begin:], language, depth)
        if rest != text[begin:]:
            return f"{text[:end]} {rest}"
    return text


def _joined(first: str, rest: str) -> str:
    """Two sentences; after a full stop of Japanese stands no space."""
    return first + rest if first.endswith(("。", "：")) else f"{first} {rest}"


def _whole(text: str, language: Language, depth: int) -> str | None:
    exact, entries = _catalogue(language)
    if (said := exact.get(text)) is not None:
        return said
    for entry in entries:
        if (found := entry.pattern.fullmatch(text)) is not None:
            fields = {name: _field(name, value, language, depth) for name, value in found.groupdict().items()}
            return entry.said.format(**fields)
    return None


def _field(name: str, value: str, language: Language, depth: int) -> str:
    """What stands in a field; words of ours in it are said, too."""
    if not value or _is_as_it_is(name) or depth == _DEEPEST:
        return value
    said = _line(value.strip(), language, depth + 1)
    return value if said == value.strip() else said


def _catalogue(language: Language) -> _Catalogue:
    """That of the language, made once for its texts: these may be added to a running kernel."""
    texts = texts_in(language)
    if language not in _made or _made[language][0] is not texts:
        _made[language] = texts, _catalogue_of(texts)
    return _made[language][1]


def _catalogue_of(texts: Mapping[str, str]) -> _Catalogue:
    exact = {key: said for key, said in texts.items() if _FIELD.search(key) is None}
    entries = [_entry(key, said) for key, said in texts.items() if key not in exact]
    return exact, tuple(sorted(entries, key=lambda entry: -entry.letters))


def _is_as_it_is(name: str) -> bool:
    return name.rstrip("0123456789") in AS_IT_IS


def _entry(template: str, said: str) -> _Entry:
    literals = _FIELD.split(template)  # every second one is a field's name
    pattern = "".join(
        f"(?P<{part}>{_ANY if _is_as_it_is(part) else _WITHIN_A_SENTENCE}*?)" if place % 2 else re.escape(part)
        for place, part in enumerate(literals)
    )
    return _Entry(re.compile(pattern, re.DOTALL), said, len("".join(literals[::2])))

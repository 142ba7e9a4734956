"""A text for people as a value. Its words are in `en.ftl` and `ja.ftl`, one file for each language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from qdash_jupyter.messages.catalogue import catalogue
from qdash_jupyter.messages.languages import Language

Field: TypeAlias = "str | int | float | datetime | Message | tuple[Field, ...]"
"""A text, a number, a moment (in UTC), another message, or a list of these. A text is somebody else's words, or a name:
it is shown as it is.
"""

_DIGITS = 6
_MINUS = "\N{MINUS SIGN}"
_LARGEST = 10**15
"""From here on Fluent's numbers lose digits, or fail."""
_CODE_OR_NUMBER = re.compile(r"`[^`]*`|(?<![\w.-])[-+]?\d[\d,.]*(?:e-?\d+)?")
_SENTENCES, _LINES = "sentences", "lines"
"""Messages without words of their own: texts behind and below each other."""
_ENDS = tuple(".!?:;…。！？：")
_CLOSING = "\"'`*)）」 \n"
"""What may stand behind the end of a sentence."""
_FULL_WIDTH = tuple("。：！？…）」")
"""Behind these stands no space."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Message:
    """A text with an id and fields, which is put into words when it is shown.

    `str(message)` is its English, for logs and language models; `message.of(language)` is what a reader of that
    language sees. Numbers in fields are formatted by the language, so an id or a year is given as text.
    """

    id: str
    fields: tuple[tuple[str, Field], ...]

    def __init__(self, id: str, /, **fields: Field) -> None:  # noqa: A002 - as Fluent calls it
        """Use the message `id` of the catalogues, with a value for each of its variables."""
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "fields", tuple(fields.items()))

    def of(self, language: Language) -> str:
        """Return the text in this language; in English where it has none."""
        if self.id in {_SENTENCES, _LINES}:
            return _joined(self, language)
        fields = {name: _given(value, language) for name, value in self.fields}
        return catalogue(language).text(self.id, fields)

    def __str__(self) -> str:
        return self.of("en")

    def __repr__(self) -> str:
        return f"Message({', '.join([repr(self.id), *(f'{name}={value!r}' for name, value in self.fields)])})"

    def for_model(self) -> dict[str, Any]:
        """Return what `of_json` reads, with the English text for a language model."""
        return {"text": str(self), **self.as_json()}

    def as_json(self) -> dict[str, Any]:
        """Return what `of_json` reads."""
        return {"message": self.id, "fields": {name: _as_json(value) for name, value in self.fields}}


Text: TypeAlias = str | Message
"""What people read: a message of ours, or somebody else's words, which are shown as they are."""


def text_in(text: Text, language: Language) -> str:
    """Return the text in this language."""
    return text.of(language) if isinstance(text, Message) else text


def sentences(*texts: Text) -> Text:
    """Return the texts one behind the other, without empty ones."""
    return _parts(_SENTENCES, texts)


def lines(*texts: Text) -> Text:
    """Return the texts one below the other, without empty ones."""
    return _parts(_LINES, texts)


def _parts(kind: str, texts: Iterable[Text]) -> Text:
    found = tuple(text for text in texts if text)
    return Message(kind, parts=found) if len(found) > 1 else found[0] if found else ""


def all_of(items: Iterable[Field]) -> Field:
    """Return the items as `a, b and c`."""
    return _listed("list-and", items)


def one_of(items: Iterable[Field]) -> Field:
    """Return the items as `a, b or c`."""
    return _listed("list-or", items)


def cut(items: Iterable[Field], most: int, more: int = 0) -> Field:
    """Return the first `most` of the items as a list that says how many more there are; `more` are not among them."""
    found = tuple(items)
    left_out = max(len(found) - most, 0) + more
    return Message("list-more", items=found[:most], more=left_out) if left_out else found


def _listed(kind: str, items: Iterable[Field]) -> Field:
    found = tuple(items)
    return Message(kind, first=found[:-1], last=found[-1]) if len(found) > 1 else found[0] if found else ()


def _joined(message: Message, language: Language) -> str:
    parts = [str(_given(part, language)) for _, value in message.fields for part in _items(value)]
    if message.id == _LINES:
        return "\n".join(parts)
    ended = [_ended(part, language) for part in parts[:-1]]
    return "".join(part if part.endswith(_FULL_WIDTH) else f"{part} " for part in ended) + parts[-1]


def _ended(sentence: str, language: Language) -> str:
    """With its full stop: names and reasons of others have none."""
    if sentence.rstrip(_CLOSING).endswith(_ENDS):
        return sentence
    return f"{sentence}{'。' if language == 'ja' else '.'}"


def _items(value: Field) -> tuple[Field, ...]:
    return value if isinstance(value, tuple) else (value,)


def _given(value: Field, language: Language) -> str | int:
    """The value of a field as Fluent gets it."""
    match value:
        case Message():
            return value.of(language)
        case int() | float() if 0 <= value < _LARGEST and value == int(value):
            return int(value)
        case int() | float():
            return number_text(value)
        case datetime():
            return _moment(value)
        case tuple():
            return catalogue(language).separator.join(str(_given(each, language)) for each in value)
        case _:  # a log may hold anything
            text = str(value)
            return with_minus_signs(text) if text[:1] == "-" and text[1:2].isdigit() else text


def _moment(value: datetime) -> str:
    return f"{value:%Y-%m-%d %H:%M} UTC"


def number_text(value: float, digits: int = _DIGITS) -> str:
    """Return a number with so many significant digits and a real minus sign."""
    return f"{value:.{digits}g}".replace("-", _MINUS)


def with_minus_signs(text: str) -> str:
    """Return a text with real minus signs in its numbers; IDs, dates and code in backticks stay as they are."""
    return _CODE_OR_NUMBER.sub(lambda found: found[0] if found[0][0] == "`" else found[0].replace("-", _MINUS), text)


def _as_json(value: Field) -> Any:
    if isinstance(value, Message):
        return value.as_json()
    if isinstance(value, datetime):
        return _moment(value)
    return [_as_json(each) for each in value] if isinstance(value, tuple) else value


def of_json(value: Any) -> Any:
    """Return the message that `as_json` or `for_model` has written, or what is no message as it is."""
    if (
        isinstance(value, Mapping)
        and value.keys() - {"text"} == {"message", "fields"}
        and isinstance(value["fields"], Mapping)
    ):
        return Message(str(value["message"]), **{name: of_json(each) for name, each in value["fields"].items()})
    return tuple(map(of_json, value)) if isinstance(value, list) else value

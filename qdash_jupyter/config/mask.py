"""Texts without keys and passwords: those that this process knows, and what has the shape of one.

What is masked is what code of the copilot shows, what a model writes, and what is kept on disk. One place for all of
them, and for the whole process: a cell can print what another conversation was set up with.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from qdash_jupyter.config.keys import key_in, typed_keys
from qdash_jupyter.messages.message import Message, of_json

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import Manifest

HIDDEN = "[hidden]"
"""What stands in a secret's place."""

FEWEST_CHARS = 8
"""Keys that servers give out have 20 characters and more. What is shorter than 8 is most often a stand-in such as
`none` or `test`, for a server that wants any key, and its letters stand in ordinary words too.
"""


def spellings(secret: str) -> frozenset[str]:
    """The secret as it is, as a URL has it, and as JSON writes it."""
    return frozenset(
        {
            secret,
            quote(secret, safe="", errors="replace"),
            json.dumps(secret)[1:-1],
            json.dumps(secret, ensure_ascii=False)[1:-1],
        }
    )


_LONGEST_WORD = 15
"""Letters."""
_LONGEST_BEGUN = 500
_NAMES_A_SECRET = re.compile(r"(key|token|secret|passphrase|passw(or)?d|credential|_pass|_pwd?)s?\d*\Z", re.IGNORECASE)
_SECRET_HEADERS = ("authorization", "proxy-authorization", "cookie")
_START = r"(?:\b|(?<=\\[nrt]))"
"""Also behind what JSON has for the end of a line."""
_PREFIXES = ("sk-", "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxp-", "xoxs-")
_SCHEMES = ("Bearer ", "Basic ")
_SHAPES = re.compile(
    r"""(?P<stays>://[^\s/:@"'\\]*:)[^\s/"'\\]+(?=@)"""
    r"|(?:(?<=Bearer )|(?<=Basic ))(?=[\w.~+/\-]*\d)[\w.~+/\-]{7,}[\w~+/\-]=*"
    rf"|{_START}(?:(?:{'|'.join(_PREFIXES)})[\w\-]{{16,}}|AKIA[0-9A-Z]{{16}}\b|eyJ[\w\-]{{8,}}\.eyJ[\w\-]+\.[\w\-]+)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.ASCII,
)
_BEGINNINGS = {word[:end] for word in (*_PREFIXES, *_SCHEMES, "AKIA", "eyJ") for end in range(1, len(word))}
_BEGUN = re.compile(
    r""":(?:/(?:/[^\s/"'\\]*)?)?\Z"""
    rf"|{_START}(?:{'|'.join(sorted(_BEGINNINGS))}|(?:Bearer|Basic) [\w.~+/=\-]*"
    rf"|(?:{'|'.join(_PREFIXES)}|AKIA|eyJ)[\w\-.]*)\Z",
    re.ASCII,
)
"""What could still become one of them with the next characters."""
_IN_WORD = re.compile(r"(?<!\\)\w\Z", re.ASCII)
_BEGINS_KEY, _ENDS_KEY = "-----BEGIN ", "-----END "
_LONGEST_KEY = 10_000
"""Characters of a private key that is waited for."""
_noted: set[str] = set()
_variables: set[str] = set()


def note_secrets(manifest: Manifest) -> None:
    """Know what these settings hold, until the process ends: passwords in addresses, headers, and names of variables.
    The variables themselves are read when they are needed: a user may set them in a cell.
    """
    from qdash_jupyter.config.manifest import ModelSection

    models = (ModelSection(name=""), *manifest.models.values())
    _variables.update(model.api_key_env for model in models)
    _noted.update(value.get_secret_value() for model in models for value in model.headers.values())
    uri = manifest.database.mongo_uri
    for address in (*(model.base_url for model in models), uri and uri.get_secret_value()):
        _noted.update(_passwords(address or ""))
    options = manifest.database.reader_options.items()
    _noted.update(str(value) for name, value in options if _NAMES_A_SECRET.search(name))
    for tool_set in manifest.tool_sets:
        _note_within(tool_set.model_dump())


def _note_within(section: Mapping[str, Any]) -> None:
    """Know what a part of the settings holds: passwords in addresses, values whose names say what they are."""
    for name, value in section.items():
        if isinstance(value, str):
            if _NAMES_A_SECRET.search(name) or name.lower() in _SECRET_HEADERS:
                _noted.update({value, value.split(" ")[-1]})
            _noted.update(_passwords(value))
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(each, Mapping):
                _note_within(each)
    if {"keyring", "env"} <= section.keys() and section["env"]:  # `authentication`
        _variables.add(section["env"])


def note_secret(*values: str) -> None:
    """Know these, too, until the process ends."""
    _noted.update(values)


def note_variable(*names: str) -> None:
    """Know what these variables hold, whenever it is read."""
    _variables.update(names)


def note_named(values: Mapping[str, str]) -> None:
    """Know those of these values whose names are those of secrets, such as `LAB_TOKEN`."""
    _noted.update(value for name, value in values.items() if _NAMES_A_SECRET.search(name))


def note_address(address: str) -> None:
    """Know the password in an address."""
    _noted.update(_passwords(address))


def masked(value: Any) -> Any:
    """The text, or JSON values, with `[hidden]` in the place of keys and passwords. The value itself where none is."""
    return _masked(value, _words()) if value else value


def masked_line(line: bytes) -> bytes:
    """The same of a line of JSON."""
    words = [json.dumps(word, ensure_ascii=False)[1:-1] for word in _words()]
    return _without(line.decode("utf-8", "surrogatepass"), words).encode("utf-8", "surrogatepass")


class MaskedStream:
    """Text that comes bit by bit: what may be the beginning of a secret is kept back until it is clear."""

    def __init__(self) -> None:
        self._words = _words()
        self._held = ""
        self._before = ""  # of which kind the last character was that is shown: in a word, nothing begins

    def add(self, text: str) -> str:
        """More of it; gives what can be shown by now."""
        text = self._held + text
        begun = _BEGUN.search((self._before + text)[-_LONGEST_BEGUN:])
        kept = min(len(begun[0]), len(text)) if begun is not None else 0
        for word in self._words:
            parts = range(min(len(word) - 1, len(text)), kept, -1)
            kept = next((length for length in parts if text.endswith(word[:length])), kept)
        key = text.rfind(_BEGINS_KEY)
        if key >= max(0, len(text) - _LONGEST_KEY) and _ENDS_KEY not in text[key:]:
            kept = max(kept, len(text) - key)
        self._held = text[len(text) - kept :]
        return self._shown(text[: len(text) - kept])

    def rest(self) -> str:
        """What was kept back, when nothing more comes."""
        rest, self._held = self._held, ""
        return self._shown(rest)

    def _shown(self, text: str) -> str:
        shown = _without(self._before + text, self._words)[len(self._before) :]
        if text:
            self._before = "_" if _IN_WORD.search(text) else " "
        return shown


def _masked(value: Any, words: list[str]) -> Any:
    kind = type(value)
    if kind is str:
        return _without(value, words)
    if kind is Message:
        return of_json(_masked(value.as_json(), words))
    if kind is dict:
        return {_masked(key, words): _masked(one, words) for key, one in value.items()}
    if (kind is list or kind is tuple) and not {int, float, type(None)}.issuperset(map(type, value)):
        return kind(_masked(one, words) for one in value)
    return value


def _without(text: str, words: Iterable[str]) -> str:
    for word in words:
        text = text.replace(word, HIDDEN)
    return _SHAPES.sub(lambda found: (found["stays"] or "") + HIDDEN, text)


def _words() -> list[str]:
    """The known secrets in all their spellings, the longest first: one may be a part of another."""
    environment = os.environ.items()
    secrets = {*_noted, *typed_keys(), *map(key_in, _variables)}
    secrets |= {value for name, value in environment if _NAMES_A_SECRET.search(name)}
    secrets |= {word for _, value in environment if "://" in value and "@" in value for word in _passwords(value)}
    return sorted({word for secret in filter(_is_one, secrets) for word in spellings(secret)}, key=len)[::-1]


@cache
def _is_one(secret: str) -> bool:
    """Short ones, plain words, numbers and files are left alone: hiding them would spoil what people and models wrote.
    Letters alone may be a key too, where no word has so many.
    """
    if len(secret) < FEWEST_CHARS or (len(secret) <= _LONGEST_WORD and secret.isalpha()):
        return False
    is_number = re.fullmatch(r"[\d\s.,:+\-]+", secret) is not None
    return not is_number and not ("/" in secret and os.path.exists(secret))  # noqa: PTH110 - where no path is one


def _passwords(address: str) -> Iterator[str]:
    try:
        password = urlsplit(address).password
    except ValueError:
        return
    if password:
        yield password
        yield unquote(password)

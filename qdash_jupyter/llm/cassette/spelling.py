"""JSON texts as values, so that a user can read and change them in the file, and exactly back.

What models write (arguments, answers) is JSON in one line, with code and Markdown in it whose line breaks are escaped.
Where one of the common spellings gives exactly that text again, the value is kept, under the name of the spelling.
"""

from __future__ import annotations

import json
from typing import Any

_SPELLINGS: dict[str, dict[str, Any]] = {
    "json": {"ensure_ascii": False},
    "compact json": {"ensure_ascii": False, "separators": (",", ":")},
    "ascii json": {},
    "compact ascii json": {"separators": (",", ":")},
}
_TEXTS = ("arguments", "text")
_DEEPEST = 50


def spread(value: Any, name: str = "") -> Any:
    """The value with its JSON texts (`arguments` and `text`) as `{spelling: value}`."""
    if isinstance(value, dict):
        return {key: spread(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [spread(inner) for inner in value]
    return _spelled(value) if name in _TEXTS and isinstance(value, str) else value


def spelled_out(value: Any, name: str = "") -> Any:
    """The inverse of `spread`."""
    if isinstance(value, dict):
        if name in _TEXTS and len(value) == 1 and (spelling := next(iter(value))) in _SPELLINGS:
            return json.dumps(value[spelling], **_SPELLINGS[spelling])
        return {key: spelled_out(inner, key) for key, inner in value.items()}
    return [spelled_out(inner) for inner in value] if isinstance(value, list) else value


def read_json(text: str) -> Any:
    """The object or list that a text spells; the text itself where it spells none, or one too deep to be written."""
    if text[:1] not in {"{", "["}:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if _depth(value) <= _DEEPEST else text


def _spelled(text: str) -> Any:
    value = read_json(text)
    if not isinstance(value, dict):
        return text
    return next(({name: value} for name, how in _SPELLINGS.items() if json.dumps(value, **how) == text), text)


def _depth(value: Any, at: int = 1) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return at if at > _DEEPEST else max((_depth(each, at + 1) for each in inner), default=at)

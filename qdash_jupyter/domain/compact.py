"""Values as the model reads them: four significant digits, short times, JSON that is always valid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from json import dumps
from typing import Any

import orjson

from qdash_jupyter.domain.safe_text import one_line_json

_LARGEST_WHOLE = 1e15
_DIGITS, _MOST_DIGITS = 4, 12


def compact_number(value: Any, error: float = math.nan, of_error: int = 2) -> Any:
    """A float to four significant digits, or to the second digit of its `error` (or the first, as `of_error` says)
    where these are more; as an int when that is whole. Everything else unchanged.

    NaN and infinities pass through: `plain` turns them into null when JSON is written.
    """
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    rounded = float(f"{value:.{_digits(value, error, of_error)}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _LARGEST_WHOLE else rounded


def _digits(value: float, error: float, of_error: int) -> int:
    if not value or not error > 0 or not math.isfinite(error):
        return _DIGITS
    needed = math.floor(math.log10(abs(value))) - math.floor(math.log10(error)) + of_error
    return max(_DIGITS, min(needed, _MOST_DIGITS))


def decimals_left(value: float, error: float, of_error: int = 2) -> int:
    """Return the decimals that `compact_number` leaves a value."""
    return max(0, _digits(value, error, of_error) - math.floor(math.log10(abs(value))) - 1) if value else 0


def plain(value: Any) -> Any:  # noqa: PLR0911 - one line a type
    """The value as JSON values: non-finite numbers are null, numpy scalars and times are numbers and ISO text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, (set, frozenset)):
        return [plain(entry) for entry in sorted(value, key=str)]  # the same JSON in every process
    if isinstance(value, (datetime, date)):
        return value.isoformat() if value == value else None  # noqa: PLR0124 - NaT is a datetime that is not itself
    if hasattr(value, "tolist"):
        if type(value).__module__ == "numpy" and value.dtype.kind == "M":
            value = value.astype("datetime64[us]")  # finer ones would become integers
        return plain(value.tolist())
    return None if type(value).__name__ == "NAType" else str(value)


def to_json(value: Any) -> str:
    """Compact, valid JSON of `plain(value)`, on one line whoever reads it."""
    json_values = plain(value)
    try:
        text = orjson.dumps(json_values).decode()
    except TypeError:  # integers beyond 64 bits; text with half a surrogate pair, which is no text
        text = dumps(json_values, ensure_ascii=False, separators=(",", ":"))
        text = text.encode("utf-8", "replace").decode()
    return one_line_json(text)


def compact_text(text: str, most: int) -> str:
    """The first `most` characters of a text, and how many are left out."""
    return text if len(text) <= most else f"{text[:most]}… (+{len(text) - most} characters)"

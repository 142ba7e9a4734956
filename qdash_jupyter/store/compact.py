"""Values as the model reads them: four significant digits, short times, JSON that is always valid."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from json import dumps
from typing import Any

import orjson

_TIMESTAMP = re.compile(
    r"^\d{4}-(\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$"
)
_LARGEST_WHOLE = 1e15


def compact_number(value: Any) -> Any:
    """A float to four significant digits, as an int when that is whole; everything else unchanged.

    NaN and infinities pass through: `plain` turns them into null when JSON is written.
    """
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _LARGEST_WHOLE else rounded


def compact_timestamp(text: str | None) -> str:
    """`MM-DD HH:MM` of an ISO timestamp, `MM-DD` of an ISO date; other text comes back unchanged, null is empty."""
    if not text:
        return ""
    match = _TIMESTAMP.match(text)
    if match is None:
        return text
    day, minute = match.groups()
    return f"{day} {minute}" if minute else day


def compact_text(text: str, most: int) -> str:
    """The first `most` characters of a text, and how many are left out."""
    return text if len(text) <= most else f"{text[:most]}… (+{len(text) - most} characters)"


def compact_output_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameter records reduced to value, unit (if any) and error (if not zero); bare values pass through."""
    compacted: dict[str, Any] = {}
    for name, record in parameters.items():
        if not isinstance(record, Mapping):
            compacted[name] = record
            continue
        short: dict[str, Any] = {"value": compact_number(record.get("value"))}
        if record.get("unit"):
            short["unit"] = record["unit"]
        if record.get("error"):
            short["error"] = compact_number(record["error"])
        compacted[name] = short
    return compacted


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
    """Compact, valid JSON of `plain(value)`."""
    json_values = plain(value)
    try:
        return orjson.dumps(json_values).decode()
    except TypeError:  # integers beyond 64 bits; text with half a surrogate pair, which is no text
        text = dumps(json_values, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace").decode()

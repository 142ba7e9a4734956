"""How much memory, in words."""

from __future__ import annotations

MEGABYTE = 1_000_000

_UNITS = ("kB", "MB", "GB", "TB")
_STEP = 1000
_ONE_DIGIT_FROM = 9.95


def size_words(count: int) -> str:
    """`132 bytes`, `4.1 kB`, `12 MB`, `1.3 GB`: two digits at least, decimal units."""
    if count < _STEP:
        return f"{count} bytes"
    size, units = float(count), iter(_UNITS)
    unit = ""
    while size >= _STEP - 0.5 and (larger := next(units, "")):
        size, unit = size / _STEP, larger
    return f"{size:.1f} {unit}" if size < _ONE_DIGIT_FROM else f"{size:.0f} {unit}"

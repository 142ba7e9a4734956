"""Units of stored values: which ones are the same, and how many of one make another."""

from __future__ import annotations

_PREFIXES = {"T": 12, "G": 9, "M": 6, "k": 3, "": 0, "m": -3, "μ": -6, "u": -6, "n": -9, "p": -12}
_BASES = ("s", "Hz")
# QDash writes fractions in "a.u.".
_FRACTIONS = {"%": -2, "a.u.": 0, "1": 0}
_SPELLINGS = {"sec": "s", "deg": "degree", "°": "degree", "percent": "%"}


def factor(unit: str, to: str) -> float | None:
    """What a number in `unit` is multiplied by to be one in `to`; None where they measure different things.

    Times, frequencies, and fractions are converted; of other units each is only the same as itself.
    """
    known, wanted = _spelled(unit), _spelled(to)
    if known == wanted:
        return 1.0
    (kind, exponent), (other, wished) = _power(known), _power(wanted)
    return 10.0 ** (exponent - wished) if kind and kind == other else None


def _spelled(unit: str) -> str:
    unit = unit.strip().replace("µ", "μ")  # the micro sign for the letter that QDash writes
    return _SPELLINGS.get(unit, unit)


def _power(unit: str) -> tuple[str, int]:
    """What a unit measures, and its power of ten; nothing for one that is not converted."""
    if unit in _FRACTIONS:
        return "fraction", _FRACTIONS[unit]
    for base in _BASES:
        if unit.endswith(base) and unit.removesuffix(base) in _PREFIXES:
            return base, _PREFIXES[unit.removesuffix(base)]
    return "", 0

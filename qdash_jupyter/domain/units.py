"""Units of stored values: which ones are the same, and how many of one make another; values in words."""

from __future__ import annotations

import math

_PREFIXES = {"T": 12, "G": 9, "M": 6, "k": 3, "": 0, "m": -3, "μ": -6, "u": -6, "n": -9, "p": -12}
_BASES = ("s", "Hz")
# QDash writes fractions in "a.u.".
_FRACTIONS = {"%": -2, "a.u.": 0, "1": 0}
_MOST_PLACES, _DIGITS, _FREQUENCY_DIGITS = 9, 4, 7
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


def with_error(value: float, error: float | None, unit: str, most: int = _MOST_PLACES) -> str:
    """`61.4 ± 1.9 μs`, `99.9012 ± 0.0040 %`, `4.8123457 GHz ± 1.2 kHz`: an error with two significant digits, and its
    value to the same place, of which at most so many are known; a value without an error (None, NaN or 0) with four, a
    frequency with seven.
    """
    behind = f" {unit}" if unit else ""
    if error is None or not math.isfinite(error) or error <= 0:
        digits = _FREQUENCY_DIGITS if unit == "GHz" else _DIGITS
        return f"{value:.0f}{behind}" if abs(value) >= 10**digits else f"{value:.{digits}g}{behind}"
    if unit == "GHz" and error < 1e-3:  # noqa: PLR2004 - below a megahertz
        places = min(decimals(error), most)
        return f"{value:.{places}f} GHz ± {round(error * 1e6, places - 6):.{max(0, places - 6)}f} kHz"
    places = decimals(error)
    if places > _MOST_PLACES:
        return f"{value:.{_DIGITS}g} ± {error:.2g}{behind}"
    places = min(places, most)
    return f"{value:.{places}f} ± {error:.{places}f}{behind}"


def decimals(error: float) -> int:
    """The decimals that show two significant digits of it."""
    return max(0, 1 - math.floor(math.log10(error)))


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

"""Stored parameters beside those of a new fit."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from qdash_jupyter.domain.units import factor
from qdash_jupyter.methods.curves.curve import StoredParameter
from qdash_jupyter.methods.curves.families import Family
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Compared

_ROUNDED = 0.005
"""Part of a value, or of the linewidth, that is not held against a stored one: cut digits, other definitions."""

_WITHOUT_SIGN = frozenset({"ramsey_frequency", "rabi_frequency", "rabi_amplitude"})
"""Of these a fringe does not know the sign, so it is not held against a stored value."""

_OF_THE_READOUT = frozenset({"", "rad"})
"""Units of what depends on where the readout puts its axes: it is not compared."""


def compared(
    stored: Mapping[str, StoredParameter], family: Family, values: Mapping[str, float], errors: Mapping[str, float]
) -> tuple[Compared, ...]:
    """The stored parameters beside those of the fit, in the unit of the fit.

    Args:
        stored: What QDash keeps.
        family: The kind of curve.
        values: Of the new fit, in the family's units.
        errors: One standard deviation of each.
    """
    found = []
    for name, old in stored.items():
        unit = family.units.get(name, "")
        if unit in _OF_THE_READOUT or name == "rabi_offset" or not math.isfinite(old.value):
            continue
        by = factor(old.unit, unit) if old.unit else 1.0
        if by is None:
            found.append(Compared(name, old.value, old.error, values[name], errors[name], old.unit, math.nan))
            continue
        value, error = old.value * by, old.error * by
        if name in _WITHOUT_SIGN:
            value = math.copysign(value, values[name])
        size = family.size(name, values)
        found.append(apart(name, StoredParameter(value, error, unit), values[name], errors[name], size))
    return tuple(found)


def apart(name: str, stored: StoredParameter, value: float, error: float, size: float) -> Compared:
    """A stored value beside a new one, in the same unit; `size` is what small differences are compared with."""
    both = math.hypot(stored.error if math.isfinite(stored.error) else 0.0, error, _ROUNDED * size)
    sigmas = abs(stored.value - value) / both if both > 0 else math.nan
    return Compared(name, stored.value, stored.error, value, error, stored.unit, sigmas)


def in_another_unit(stored: float, fitted: float) -> bool:
    """Whether a number is a hundred (percent), a thousand or a million times the other, or such a part of it."""
    if stored * fitted <= 0:
        return False
    decades = abs(math.log10(stored / fitted))
    return any(abs(decades - apart) < 0.05 for apart in (2, 3, 6, 9))  # noqa: PLR2004


def at_bound(one: Compared, given: StoredParameter, ends: tuple[float, ...]) -> bool:
    """Whether a stored value that disagrees is one that a fit returns at its limits.

    It is 0 or below, a round number (two digits, or nines alone), an end of the window, or has an error of exactly 0 or
    without end; and it is off by a factor of two or, at an end of the window, by its place.
    """
    if not one.sigmas > LIMITS.disagrees:
        return False
    if any(math.isclose(one.stored, end, rel_tol=1e-9) for end in ends):
        return True
    if one.stored <= 0 < one.fitted:
        return True
    ratio = one.stored / one.fitted if one.fitted else math.inf
    if in_another_unit(one.stored, one.fitted) and float(f"{given.value:.0e}") != given.value:
        return False
    far = not 1 / LIMITS.far < ratio < LIMITS.far
    round_number = math.isclose(float(f"{given.value:.1e}"), given.value, rel_tol=1e-9)
    nines = re.fullmatch(r"9{3,}|9+\.9{2,}|0\.9{3,}", f"{given.value:.10g}") is not None
    return (far and (round_number or nines)) or given.error == 0 or math.isinf(given.error)

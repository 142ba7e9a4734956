"""Stored parameters beside those of a new fit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from qdash_jupyter.domain.units import factor
from qdash_jupyter.methods.curves.curve import StoredParameter
from qdash_jupyter.methods.curves.fit import Fitted
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Compared

_ROUNDED = 0.005
"""Part of a value, or of the linewidth, that is not held against a stored one: cut digits, other definitions."""

_WITHOUT_SIGN = frozenset({"ramsey_frequency", "rabi_frequency"})
"""Of these a fringe does not know the sign, so it is not held against a stored value."""


def compared(
    stored: Mapping[str, StoredParameter],
    fitted: Mapping[str, Fitted],
    names: Iterable[str],
    relative_to: Mapping[str, str],
) -> tuple[Compared, ...]:
    """Those of `names` that are stored and fitted, in the unit of the fit."""
    found = []
    for name in names:
        old, new = stored.get(name), fitted.get(name)
        if old is None or new is None or not math.isfinite(old.value):
            continue
        by = factor(old.unit, new.unit) if old.unit else 1.0
        if by is None:
            found.append(Compared(name, old.value, old.error, new.value, new.error, old.unit, math.nan))
            continue
        value, error = old.value * by, old.error * by
        scale = _scale(fitted, name, relative_to)
        if name in _WITHOUT_SIGN:
            value = math.copysign(value, new.value)
        both = math.hypot(error if math.isfinite(error) else 0.0, new.error, _ROUNDED * scale)
        sigmas = abs(value - new.value) / both if both > 0 else math.nan
        found.append(Compared(name, value, error, new.value, new.error, new.unit, sigmas))
    return tuple(found)


def _scale(fitted: Mapping[str, Fitted], name: str, relative_to: Mapping[str, str]) -> float:
    """What an error is compared with: the value, or the linewidth in its unit."""
    other = relative_to.get(name)
    if name.endswith("gate_fidelity"):  # what it says is how far it is from 1
        return abs(1 - fitted[name].value)
    if other is None:
        return abs(fitted[name].value)
    width = fitted[other]
    return abs(width.value) * (factor(width.unit, fitted[name].unit) or 1.0)


def relative_errors(
    fitted: Mapping[str, Fitted], key: Iterable[str], relative_to: Mapping[str, str]
) -> dict[str, float]:
    """The standard errors of the key parameters, in parts of the value or of the linewidth."""
    return {name: fitted[name].error / max(_scale(fitted, name, relative_to), 1e-300) for name in key}


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

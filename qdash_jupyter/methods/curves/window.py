"""What window and sampling have to hold of a curve to carry a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qdash_jupyter.methods.curves.codes import Code
from qdash_jupyter.methods.curves.families import FAMILIES, RAMSEY, Family
from qdash_jupyter.methods.curves.fit import CurveFit
from qdash_jupyter.methods.curves.shapes import Decay, Oscillation
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Number


@dataclass(frozen=True, slots=True)
class Held:
    """The least that a window has to hold: which of `CurveFit.window`, how much, the code where it does not, and the
    parameters that need it; of all where none is named.
    """

    number: str
    least: float
    code: Code
    of: tuple[str, ...] = ()


_DECAYS = (
    Held("window_in_decay_times", LIMITS.fewest_decay_times, Code.WINDOW_TOO_SHORT),
    Held("points_in_decay_time", LIMITS.fewest_points_in_decay, Code.WINDOW_TOO_LONG),
)
_FRINGES = (
    Held("periods_in_window", LIMITS.fewest_periods, Code.WINDOW_TOO_SHORT),
    Held("points_per_period", LIMITS.fewest_points_a_period, Code.UNDERSAMPLED),
)
_RAMSEY = (
    Held("periods_in_window", LIMITS.fewest_periods, Code.WINDOW_TOO_SHORT),
    Held("points_in_decay_time", LIMITS.fewest_points_in_decay_of_fringes, Code.WINDOW_TOO_LONG),
    Held("points_per_period", LIMITS.fewest_points_a_period, Code.UNDERSAMPLED),
    Held("window_in_decay_times", LIMITS.fewest_decay_times_of_fringes, Code.WINDOW_TOO_SHORT, ("t2_star",)),
)
_LINES = (
    Held("points_in_linewidth", LIMITS.fewest_points_on_line, Code.UNDERSAMPLED),
    Held("linewidths_in_window", LIMITS.fewest_linewidths, Code.WINDOW_TOO_SHORT),
    Held("linewidths_to_end", LIMITS.fewest_linewidths_to_end, Code.WINDOW_TOO_SHORT),
)


def _held(family: Family) -> tuple[Held, ...]:
    if family is RAMSEY:
        return _RAMSEY
    if isinstance(family.base, Decay):
        return _DECAYS
    return _FRINGES if isinstance(family.base, Oscillation) else _LINES


HELD: Mapping[str, tuple[Held, ...]] = {family.name: _held(family) for family in FAMILIES}
"""By kind of curve, in the order in which they are told."""


def failing_of(family: Family, fit: CurveFit, name: str) -> tuple[Number, Code] | None:
    """The first that the window does not hold of what a parameter needs, with its code."""
    for held in HELD[family.name]:
        if not held.of or name in held.of:
            number = Number(held.number, fit.window[held.number], "", held.least)
            if not number.holds:
                return number, held.code
    return None

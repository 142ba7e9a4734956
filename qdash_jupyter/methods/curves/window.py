"""What window and sampling have to hold of a curve to carry a parameter."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.methods.curves.codes import Code
from qdash_jupyter.methods.curves.families import RAMSEY, Family
from qdash_jupyter.methods.curves.fit import CurveFit
from qdash_jupyter.methods.curves.shapes import Decay, Oscillation
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import Number


@dataclass(frozen=True, slots=True)
class Held:
    """What a window has to hold.

    Attributes:
        number: Which of `CurveFit.window`.
        least: The least that carries a parameter at all.
        enough: From here on it is noise alone that leaves a value uncertain.
        code: What it is otherwise.
        of: The parameters that need it; all where none is named.
    """

    number: str
    least: float
    enough: float
    code: Code
    of: tuple[str, ...] = ()


_PERIODS = Held("periods_in_window", LIMITS.fewest_periods, 1.3, Code.WINDOW_TOO_SHORT)
_A_PERIOD = Held("points_per_period", LIMITS.fewest_points_a_period, 4.0, Code.UNDERSAMPLED)
_DECAYS = (
    Held("window_in_decay_times", LIMITS.fewest_decay_times, 1.8, Code.WINDOW_TOO_SHORT),
    Held("points_in_decay_time", LIMITS.fewest_points_in_decay, 2.8, Code.WINDOW_TOO_LONG),
)
_RAMSEY = (
    _PERIODS,
    Held("points_in_decay_time", LIMITS.fewest_points_in_decay_of_fringes, 7.0, Code.WINDOW_TOO_LONG),
    _A_PERIOD,
    Held("window_in_decay_times", LIMITS.fewest_decay_times_of_fringes, 0.9, Code.WINDOW_TOO_SHORT, ("t2_star",)),
)
_LINES = (
    Held("points_in_linewidth", LIMITS.fewest_points_on_line, 2.5, Code.UNDERSAMPLED),
    Held("linewidths_in_window", LIMITS.fewest_linewidths, 2.5, Code.WINDOW_TOO_SHORT),
    Held("linewidths_to_end", LIMITS.fewest_linewidths_to_end, 0.4, Code.WINDOW_TOO_SHORT),
)


def _held(family: Family) -> tuple[Held, ...]:
    """What such curves need, in the order in which it is told."""
    if family is RAMSEY:
        return _RAMSEY
    if isinstance(family.base, Decay):
        return _DECAYS
    return (_PERIODS, _A_PERIOD) if isinstance(family.base, Oscillation) else _LINES


def failing_of(family: Family, fit: CurveFit, name: str, *, is_unsure: bool = False) -> tuple[Number, Code] | None:
    """The first that the window does not hold of what a parameter needs, with its code; `is_unsure`: or of what would
    be enough, where noise leaves the value too uncertain.
    """
    for held in _held(family):
        if not held.of or name in held.of:
            number = Number(held.number, fit.window[held.number], "", held.enough if is_unsure else held.least)
            if not number.holds:
                return number, held.code
    return None

"""Where one verdict ends and the next begins, all in one place.

Chosen on curves of the development seeds (`bench/eval/curves`), never on those of the evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits; AICc differences unless said otherwise."""

    signal: float = 10.0
    """A decay against a constant."""

    signal_of_many: float = 18.0
    """An oscillation or line, whose frequency or place was looked for among many, against a baseline."""

    richer: float = 14.0
    """Something beside the fit of all points, against wild points."""

    prior: float = 0.05
    """How probable each kind of disturbance is before the points are seen."""

    sure: float = 20.0
    """Odds from which a disturbance counts as found."""

    variant: float = 6.0
    """Another form of the same physics."""

    wild: float = 5.5
    """Standard deviations of the bulk from which a point is wild."""

    wildest: float = 8.0
    """Standard deviations for which a wild point counts at most, by how far it could move a parameter."""

    most_wild: float = 0.15
    """The largest part of the points that can be wild."""

    ties: int = 4
    """Equal values at an extreme that a clipped curve has at least."""

    fewest_decay_times: float = 1.6
    """Of a decay in its window."""

    fewest_decay_times_of_fringes: float = 0.7
    """Of the decay of an oscillation, whose level is known from its fringes."""

    fewest_points_in_decay: float = 1.8
    """Points in the first decay time."""

    fewest_points_in_decay_of_fringes: float = 6.0
    """The same of an oscillation."""

    fewest_periods: float = 1.1
    """In the window."""

    fewest_points_a_period: float = 3.4
    """Of an oscillation."""

    fewest_points_on_line: float = 1.6
    """On a line's full width at half maximum."""

    fewest_linewidths: float = 2.0
    """In the window."""

    fewest_linewidths_to_end: float = 0.25
    """From the line's centre to the nearer end of the window."""

    disagrees: float = 3.0
    """Standard deviations of both by which a stored value is off."""

    far: float = 2.0
    """Factor by which a round stored value has to be off to stand at a bound."""

    separation: float = 1.0
    """Half the distance of a readout's clouds, in σ."""

    shots_error: float = 0.012
    """Standard error of a readout fidelity."""


LIMITS = Limits()

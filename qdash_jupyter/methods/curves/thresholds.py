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
    """Two components or a drift, against one."""

    richer_of_many: float = 19.0
    """Two lines or two frequencies, of which the second was looked for among many, or a step, against one."""

    periodic: float = 25.0
    """Something periodic in the order of the measurement, looked for at all frequencies, against nothing such."""

    promising: float = 3.0
    """What a second one has to gain for each of its parameters, in ln of the squares times their number, before its fit
    is refined. Of 1,900 planted curves those between 2 and 3.4 gained less than `richer_of_many` in the end."""

    variant: float = 8.0
    """Another form of the same physics."""

    wild: float = 5.5
    """Standard deviations of the bulk from which a point is wild."""

    most_wild: float = 0.15
    """The largest part of the points that can be wild."""

    moved: float = 1.0
    """Standard deviations by which wild points may move the parameter."""

    ties: int = 4
    """Equal values at an extreme that a clipped curve has at least."""

    fewest_decay_times: float = 1.6
    """Of a decay in its window."""

    fewest_decay_times_of_fringes: float = 0.7
    """Of the decay of an oscillation, whose level is known from its fringes."""

    fewest_points_in_decay: float = 2.8
    """Points in the first decay time."""

    fewest_points_in_decay_of_fringes: float = 7.0
    """The same of an oscillation."""

    fewest_periods: float = 1.1
    """In the window."""

    fewest_points_a_period: float = 4.0
    """Of an oscillation."""

    fewest_points_on_line: float = 1.6
    """On a line's full width at half maximum."""

    fewest_linewidths: float = 2.0
    """In the window."""

    fewest_linewidths_to_end: float = 0.25
    """From the line's centre to the nearer end of the window."""

    structure: float = 4.5
    """Standard deviations of the residuals' autocorrelation."""

    smallest_structure: float = 0.005
    """Of the signal, both as standard deviations: a structure that is far below it is that of a line that is not quite
    flat, which every measurement shows when its noise is small enough."""

    disagrees: float = 3.0
    """Standard deviations of both by which a stored value is off."""

    far: float = 2.0
    """Factor by which a round stored value has to be off to stand at a bound."""

    separation: float = 1.0
    """Half the distance of a readout's clouds, in σ."""

    shots_error: float = 0.012
    """Standard error of a readout fidelity."""


LIMITS = Limits()

"""One curve fitted: with its base, with what else it may be, and with nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from qdash_jupyter.domain.units import factor
from qdash_jupyter.messages.message import Message
from qdash_jupyter.methods.curves.budget import evidence_of
from qdash_jupyter.methods.curves.curve import Array, Curve
from qdash_jupyter.methods.curves.families import Family, family_of, parameters_of, slopes_of
from qdash_jupyter.methods.curves.magnitude import shown
from qdash_jupyter.methods.curves.points import Points, Unfit, glitches, points_of
from qdash_jupyter.methods.curves.residuals import autocorrelation, scatter_of, wild
from qdash_jupyter.methods.curves.shapes import Decay, Oscillation, Peak, Places, Reflection, Shape
from qdash_jupyter.methods.curves.solution import ROUNDED, Solution, aicc_of, rounding, solved, starts
from qdash_jupyter.methods.curves.thresholds import LIMITS


@dataclass(frozen=True, slots=True)
class Fitted:
    """A parameter of a fit: value, one standard error, unit."""

    value: float
    error: float
    unit: str


@dataclass(frozen=True, slots=True, eq=False)
class CurveFit:
    """A curve fitted anew.

    Attributes:
        model: What was fitted, in words.
        parameters: By QDash's names, in its units; standard errors follow from the scatter.
        reduced_chi2: Chi-squared per degree of freedom; None where the points have no errors.
        autocorrelation: What neighbouring residuals share, in standard deviations of what noise has.
        window: What window and sampling hold: decay times, periods, linewidths, and points on them.
        points: How many were fitted.
        left_out: The x of points that were left out as wild, in the curve's unit.
    """

    model: str
    parameters: Mapping[str, Fitted]
    reduced_chi2: float | None
    autocorrelation: float
    window: Mapping[str, float]
    points: int
    left_out: tuple[float, ...]
    _solution: Solution
    _points: Points
    _per_unit: float

    @property
    def residuals(self) -> Array:
        """Shape (n,): y minus fit of the points that were fitted, ascending in x, in y's unit."""
        return self._in_lab(self._points.values) - self._in_lab(self._solution.fitted)

    def line(self, count: int = 200) -> tuple[Array, Array]:
        """The fit as a line: x and y, shape (count,), in the curve's units; y is complex where the curve is."""
        u = np.linspace(0.0, 1.0, count)
        return (self._points.axes.start + self._points.axes.span * u) / self._per_unit, self._values(u)

    def at(self, x: Array) -> Array:
        """The fit at these places, shape (n,): x and what is returned are in the curve's units; NaN where x is."""
        y = np.full(len(x), np.nan, dtype=self._values(np.zeros(1)).dtype)
        known = np.flatnonzero(np.isfinite(x))
        order = known[np.argsort(x[known], kind="stable")]
        y[order] = self._values((x[order] * self._per_unit - self._points.axes.start) / self._points.axes.span)
        return y

    def _values(self, u: Array) -> Array:
        """At places of the window, ascending."""
        count = len(u)
        y = self._solution.shape.basis(Places(u, u), self._solution.theta[None])[0] @ self._solution.coefficients
        if len(y) > count:
            y = (y[:count] + 1j * y[count:]) * np.exp(-2j * np.pi * self._points.turned * u)
        return self._in_lab(y)

    def _in_lab(self, values: Array) -> Array:
        """Scaled values in y's unit."""
        axes = self._points.axes
        return shown(values * axes.scale + axes.level, self._points.scale, self._points.highest)


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """What was fitted to one curve.

    Attributes:
        points: What was fitted, without wild points.
        base: What it should be, or the variant that fits better.
        nothing: Without signal.
        off: Which of all places are wild.
        whole: All points, the wild ones too.
        every: What all of them should be.
    """

    points: Points
    base: Solution
    nothing: Solution
    off: Array
    whole: Points
    every: Solution


def fits_of(points: Points, family: Family) -> Fits:
    """Fits what the family should be, without wild points, and nothing."""
    whole, every = points, best_of(family.base, points)
    off: Array = np.zeros(points.count, dtype=bool)
    base = every
    if not isinstance(family.base, (Peak, Reflection)):
        off = _glitches(points)
    elif _is_spike(base, points):
        off = _spikes(points, family, base)
    for _ in range(3):
        points = whole.without(off) if off.any() else whole
        base = best_of(family.base, points) if off.any() else every
        more = wild(sides_of(whole, base), LIMITS.wild, LIMITS.most_wild, ROUNDED * float(whole.weights.max()))
        if isinstance(family.base, Decay):
            fast = int(np.argmin([*more[:_FIRST], False]))  # a fast component is seen in them alone
            more[:fast] = off[:fast]
        if (more == off).all():
            break
        off = more
    if off.any():
        # Wild points cost a parameter each. A disturbance of all points may be the better reason.
        shifted = _shifted(base, int(off.sum()), len(whole.values))
        if every.aicc - 2 * evidence_of(every, whole.values) < shifted - LIMITS.richer:
            points, base, off = whole, every, np.zeros(whole.count, dtype=bool)
    for shape in family.variants:
        variant = best_of(shape, points, base)
        gain = base.aicc - variant.aicc
        if gain > LIMITS.variant and gain > 2 * evidence_of(base, points.values):
            base = variant
    return Fits(points, base, best_of(family.nothing, points), off, whole, every)


_FIRST = 3


def best_of(shape: Shape, points: Points, found: Solution | None = None) -> Solution:
    """The best fit of a shape; a richer one begins at what the simpler one found."""
    at, values, weights = points.at, points.values, points.weights
    if not shape.nonlinear:
        return solved(shape, at, values, weights, np.empty((1, 0)))
    if found is None:
        return solved(shape, at, values, weights, starts(shape, *points.on_grid(values)))
    if shape.nonlinear == found.shape.nonlinear:
        return solved(shape, at, values, weights, found.theta[None])
    return solved(shape, at, values, weights, np.array([[*found.theta, power] for power in (0.3, 0.6)]))


def _is_spike(one: Solution, points: Points) -> bool:
    """Whether a line is narrower than the steps."""
    width = float(one.theta[2] if isinstance(one.shape, Reflection) else one.theta[1])
    return bool(2 * math.exp(min(width, 9.0)) < LIMITS.fewest_points_on_line * points.at.step)


def _glitches(points: Points) -> Array:
    """Points so far off that a fit would go to them alone; not the first, from which a decay may fall at once."""
    off = glitches(np.abs(points.values - np.median(points.values)))
    off[0] = False
    return off


def _spikes(points: Points, family: Family, every: Solution) -> Array:
    """Single points that look like a line, where behind them there is a wider one that explains more."""
    off: Array = np.zeros(points.count, dtype=bool)
    one, kept = every, points
    for _ in range(max(1, int(LIMITS.most_wild * points.count))):
        nothing = best_of(family.nothing, kept)
        left = np.abs(sides_of(points, nothing))
        left[off] = 0.0
        if left.max() < LIMITS.wild * scatter_of(left[~off]):
            return np.zeros(points.count, dtype=bool)  # nothing stands out: it is no wild point
        off[int(np.argmax(left))] = True
        kept = points.without(off)
        one = best_of(family.base, kept)
        if not _is_spike(one, kept):
            break
    better = _shifted(one, int(off.sum()), len(points.values)) < every.aicc - LIMITS.richer
    is_line = not _is_spike(one, kept) and best_of(family.nothing, kept).aicc - one.aicc > LIMITS.signal_of_many
    return off if better and is_line else np.zeros(points.count, dtype=bool)


def sides_of(points: Points, solution: Solution) -> Array:
    """Weighted residuals at all places; of two quadratures the larger."""
    at = points.at
    fitted = solution.shape.basis(at, solution.theta[None])[0] @ solution.coefficients
    left: Array = (points.values - fitted) * points.weights
    if len(left) == points.count:
        return left
    real, imaginary = left[: points.count], left[points.count :]
    larger: Array = np.where(np.abs(real) > np.abs(imaginary), real, imaginary)
    return larger


def _shifted(base: Solution, wild_points: int, rows: int) -> float:
    """AICc of the base where each wild point has a parameter of its own."""
    more = wild_points * (1 + (rows > base.rows + wild_points))
    return aicc_of(base.rss, rows, base.shape.linear + base.shape.nonlinear + more)


def left_of(points: Points, solution: Solution) -> Array:
    """Weighted residuals in the order of x; first I, then Q."""
    left: Array = (points.values - solution.fitted) * points.weights
    return left


def window_of(solution: Solution, at: Places) -> dict[str, float]:
    """What the window and the sampling hold of the curve."""
    shape, theta = solution.shape, solution.theta
    step = at.step
    if isinstance(shape, Oscillation):
        frequency = max(abs(float(theta[1])), 1e-9)
        time = math.exp(min(max(float(theta[0]), -50.0), 50.0))
        return {
            "periods_in_window": frequency,
            "points_per_period": 1 / (frequency * step),
            "window_in_decay_times": 1 / time,
            "points_in_decay_time": _within(at.u, time),
        }
    if isinstance(shape, (Peak, Reflection)):
        middle, width = (float(one) for one in (theta[-2:] if isinstance(shape, Reflection) else theta[:2]))
        full = 2 * math.exp(min(max(width, -50.0), 50.0))
        return {
            "points_in_linewidth": full / step,
            "linewidths_in_window": 1 / full,
            "linewidths_to_end": min(middle, 1 - middle) / full,
        }
    time = math.exp(min(max(float(theta[0]), -50.0), 50.0))
    return {"window_in_decay_times": 1 / time, "points_in_decay_time": _within(at.u, time)}


def _within(u: Array, time: float) -> float:
    """Points at less than one decay time; parts of one, so that it does not jump."""
    return float(np.interp(time, u, np.arange(1.0, len(u) + 1)))


def curve_fit_of(fits: Fits, family: Family, per_unit: float) -> CurveFit:
    """The fit in the lab's units."""
    chosen = fits.base
    axes, points = fits.points.axes, fits.points
    slopes = slopes_of(family, chosen.coefficients, chosen.theta, axes)
    values = parameters_of(family, chosen.coefficients, chosen.theta, axes)
    errors = np.sqrt(np.maximum(np.diag(slopes @ chosen.covariance @ slopes.T), 0.0))
    left = left_of(points, chosen)
    parameters = {
        name: Fitted(float(value), float(error), unit)
        for (name, unit), value, error in zip(family.units.items(), values, errors, strict=True)
    }
    halves = np.split(left, 2) if family.complex else [left]
    return CurveFit(
        model=chosen.shape.name,
        parameters=MappingProxyType(parameters),
        reduced_chi2=chosen.rss / max(chosen.free, 1) if points.known else None,
        autocorrelation=max(
            autocorrelation(half, chosen.rows - chosen.free, rounding(points.weights)) for half in halves
        ),
        window=MappingProxyType(window_of(chosen, points.at)),
        points=points.count,
        left_out=tuple((axes.start + axes.span * fits.whole.at.u[fits.off]) / per_unit),
        _solution=chosen,
        _points=points,
        _per_unit=per_unit,
    )


def fit_curve(curve: Curve) -> CurveFit:
    """Fits a curve anew, from start values that its points give.

    Wild points are left out. Where errors are known they are weights; the standard errors follow from the scatter.

    Raises:
        ValueError: The task is not known here, or the points cannot be fitted; `judge` says the same without an error.
    """
    family = family_of(curve.task)
    if family is None:
        raise ValueError(str(Message("curve-unknown-task", task=curve.task)))
    points = points_of(curve, family)
    if isinstance(points, Unfit):
        raise ValueError(str(points.reason))  # noqa: TRY004 - the points are wrong, not their type
    return curve_fit_of(fits_of(points, family), family, per_unit(curve, family))


def per_unit(curve: Curve, family: Family) -> float:
    """What an x of the curve is multiplied by to be in the family's unit."""
    return (factor(curve.x_unit, family.unit) or 1.0) if family.unit else 1.0

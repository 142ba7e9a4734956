"""The points of a curve made ready to be fitted, or why they cannot be."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from qdash_jupyter.domain.units import factor
from qdash_jupyter.messages.message import Message
from qdash_jupyter.methods.curves.curve import Array, Curve
from qdash_jupyter.methods.curves.families import Axes, Family
from qdash_jupyter.methods.curves.magnitude import scale_of, squared
from qdash_jupyter.methods.curves.shapes import Places
from qdash_jupyter.methods.curves.spectrum import is_even
from qdash_jupyter.methods.curves.thresholds import LIMITS

_DIGITS = 9
"""Of a place in the window: the same sampling in other units is the same, and its grids are kept."""


_GLITCH = 8.0
"""Times what nearly all points are away from the middle."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why nothing can be fitted: the code, and a sentence for people."""

    code: str
    reason: Message


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """What is fitted.

    Attributes:
        at: The places.
        values: Shape (n,), or (2n,) of both quadratures: y about its middle, in parts of its range.
        weights: The same shape: 1/error in these parts; 1 where errors are not known.
        known: Errors are known.
        axes: The way back to the lab's units.
        turned: The delay that was taken out of complex values, turns in the window.
        scale: What y is of a scattering parameter, where its unit tells (`magnitude`).
        highest: The largest y, from which dB count.
        whole: These points before wild ones were left out; None where none were.
        off: Shape (all places,): which were left out.
    """

    at: Places
    values: Array
    weights: Array
    known: bool
    axes: Axes
    turned: float = 0.0
    scale: str = ""
    highest: float = 0.0
    whole: Points | None = None
    off: Array | None = None

    @property
    def count(self) -> int:
        """Places that are measured."""
        return len(self.at.u)

    def without(self, off: Array) -> Points:
        """Without some of the places."""
        both = np.concatenate([off, off]) if len(self.values) > len(off) else off
        return replace(
            self,
            at=Places(self.at.u[~off], self.at.order[~off]),
            values=self.values[~both],
            weights=self.weights[~both],
            whole=self,
            off=off,
        )

    def on_grid(self, values: Array) -> tuple[Places, Array, Array]:
        """Places, values and weights from which starts are sought: on all places, so that known grids serve again.

        What was left out is put in between its neighbours, and places of few digits are evenly spaced; for a start that
        is enough.
        """
        if self.whole is None or self.off is None:
            return _evened(self.at), values, self.weights
        u, kept = self.whole.at.u, ~self.off
        filled = [np.interp(u, u[kept], part) for part in np.split(values, len(self.whole.values) // len(u))]
        return _evened(self.whole.at), np.concatenate(filled), self.whole.weights


def _evened(at: Places) -> Places:
    return Places(np.linspace(at.u[0], at.u[-1], len(at.u)), at.order) if is_even(at.u) else at


def points_of(curve: Curve, family: Family) -> Points | Unfit:  # noqa: PLR0911 - one for each thing that may be wrong
    """The points in the family's units, or what is wrong with them."""
    x, y = curve.x, curve.y
    if len(x) != len(y) or (curve.error is not None and len(curve.error) != len(y)):
        lengths = (len(x), len(y), *(() if curve.error is None else (len(curve.error),)))
        return Unfit("BAD_DATA", Message("curve-lengths", lengths=lengths))
    by = factor(curve.x_unit, family.unit) if family.unit else 1.0
    if by is None:
        unit = curve.x_unit or "none"
        return Unfit("BAD_DATA", Message("curve-unit", unit=unit, task=curve.task, needed=family.unit))
    if family.complex and y.dtype.kind != "c":
        return Unfit("BAD_DATA", Message("curve-not-complex", task=curve.task))
    if not family.complex and y.dtype.kind == "c":
        y = along(y)
    scale_of_y = scale_of(curve.y_unit) if family.scattered else ""
    highest = float(np.max(y, initial=-1e100, where=np.isfinite(y))) if scale_of_y else 0.0
    error = curve.error if not scale_of_y else None
    y = squared(y, scale_of_y)
    usable = np.isfinite(x) & np.isfinite(y) & (np.abs(x) < 1e100) & (np.abs(y) < 1e100)  # noqa: PLR2004
    left_out = int(len(x) - usable.sum())
    x, y = x[usable] * by, y[usable]
    needed = family.base.linear // (1 + family.complex) + family.base.nonlinear + 2
    if len(np.unique(x)) < needed:
        count = len(np.unique(x))
        reason = Message("curve-few-places", count=count, task=curve.task, needed=needed, left_out=left_out)
        return Unfit("TOO_FEW_POINTS", reason)
    sorting = np.argsort(x, kind="stable")
    order = sorting / (len(x) - 1)
    x, y = x[sorting], y[sorting]
    start, span = float(x[0]), float(x[-1] - x[0])
    if span <= 1e-12 * abs(start):
        return Unfit("BAD_DATA", Message("curve-one-place"))
    u = np.round((x - start) / span, _DIGITS)
    if len(np.unique(u)) < needed:
        return Unfit("TOO_FEW_POINTS", Message("curve-crowded"))
    values = np.concatenate([y.real, y.imag]) if family.complex else y.astype(float)
    level = 0.0 if family.complex else float(np.median(values))
    values = values - level
    scale = _scale_of(np.abs(values))
    spread = max(float(np.ptp(part)) for part in np.split(values, 1 + family.complex))
    if spread <= 1e-12 * max(scale, abs(level)):
        return Unfit("NO_SIGNAL", Message("curve-flat"))
    weights, known = _weights(error, usable, sorting, scale)
    if family.complex:
        weights = np.concatenate([weights, weights])
    points = Points(
        Places(u, order),
        values / scale,
        weights,
        known,
        Axes(start, span, level, scale),
        scale=scale_of_y,
        highest=highest,
    )
    return _without_delay(points) if family.complex else points


def _scale_of(sizes: Array) -> float:
    """The largest value, but for glitches: beside one a million times as large a curve would be rounding."""
    usual = sizes[~glitches(sizes)]
    return max(float(usual.max()), 1e-9 * float(sizes.max()))


def glitches(sizes: Array) -> Array:
    """Which of these distances from the middle are so large that a fit would go to them alone."""
    found: Array = sizes > _GLITCH * np.quantile(sizes, 1 - LIMITS.most_wild)
    return found


def along(y: Array) -> Array:
    """Complex values along the line on which they scatter most: the IQ plane is turned to one quadrature."""
    finite = y[np.isfinite(y)]
    if not len(finite) or np.max(np.abs(finite)) > 1e100:  # noqa: PLR2004
        return y.real
    middle = finite.mean()
    squares = np.mean((finite - middle) ** 2)
    turned: Array = ((y - middle) * np.exp(-0.5j * np.angle(squares))).real
    return turned


def _weights(error: Array | None, usable: Array, sorting: Array, scale: float) -> tuple[Array, bool]:
    """One over the errors, where every point has one."""
    count = int(usable.sum())
    if error is None:
        return np.ones(count), False
    errors = np.abs(error[usable][sorting])
    if not np.all(np.isfinite(errors) & (errors > 1e-12 * scale) & (errors < 1e6 * scale)):
        return np.ones(count), False
    return scale / errors, True


def _without_delay(points: Points) -> Points:
    """Takes the turning of a cable out, as the phase from point to point tells it.

    Between neighbours first, where it cannot be more than half a turn, then over twice the distance, and so on: noise
    counts less, and the resonance, which turns the phase in one place, does not move the median.
    """
    count = points.count
    signal = points.values[:count] + 1j * points.values[count:]
    delay, apart = 0.0, 1
    while apart <= count // 5:
        turned = signal[apart:] * np.conj(signal[:-apart])
        distance = points.at.u[apart:] - points.at.u[:-apart]
        turned = turned * np.exp(2j * np.pi * delay * distance)
        even = (np.abs(turned) > 0) & (distance > 0)
        if not even.any():
            break
        middle: complex = np.sum(turned[even] / np.abs(turned[even]))
        angles = np.angle(turned[even] * np.conj(middle))
        angle = float(np.angle(middle) + np.median(angles))
        delay -= math.remainder(angle, 2 * math.pi) / (2 * math.pi * float(np.median(distance[even])))
        apart *= 2
    signal = signal * np.exp(2j * np.pi * delay * points.at.u)
    return replace(points, values=np.concatenate([signal.real, signal.imag]), turned=delay)

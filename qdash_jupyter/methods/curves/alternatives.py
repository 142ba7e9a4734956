"""What else the points may show beside a fit: columns of which a little may be there, each with its code.

A column is what a small second process, another envelope, a drift, … adds to the values to first order. Its largest
value is about 1, so that its coefficient is its size in the unit of the values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.shapes import Decay, Oscillation, Peak, Places, Reflection, quadratures
from qdash_jupyter.methods.curves.solution import Solution

_FEWEST = 12
"""Points among which a step or something periodic is looked for."""
_FREQUENCIES = 60
"""At most; of more those count that explain most of the residuals."""
_STEP, _STEP_IN_ORDER = 1 / 3, 1 / 2
"""Periods in the window by which frequencies that are tried differ: of the axis, and of the order of the points."""
_LINES = 80
_JUMPS = 8
_ASIDE, _NARROWER = (one.ravel() for one in np.meshgrid([0.4, 0.6, 0.8], [1.0, 1.5]))
"""Two lines that look like one: how far each is from its middle, in half widths, and how much narrower, in ln."""
_SLOW = 2.0
"""Periods in the window up to which a wave that does not decay is a drift of the level."""
_LATER = np.linspace(0.3, 0.7, 5)
"""From here on, in parts of the measurement, a frequency may be another one."""
_OTHERS = 12
"""Frequencies that count from each of these on, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """One kind of what may be there beside a fit.

    Attributes:
        code: What it is called.
        columns: Shape (g, rows, d): of each place, time or frequency that it may have, d columns.
        size: How large it usually is, one standard deviation of the coefficients, in parts of the signal.
        second: Shape (g, nonlinear), where it is a second one of what was fitted: its θ.
        tried: Among how many it was chosen.
    """

    code: str
    columns: Array
    size: float
    second: Array | None = None
    tried: int = 0


def alternatives_of(one: Solution, left: Array) -> Iterator[Alternative]:
    """All that is looked for beside a fit; `left` are its weighted residuals, shape (rows,)."""
    shape = one.shape
    if isinstance(shape, Decay):
        yield from _of_decay(one)
    elif isinstance(shape, Oscillation):
        yield from _of_oscillation(one, left)
    elif isinstance(shape, Peak):
        yield from _of_line(one)
    elif isinstance(shape, Reflection):
        yield from _of_reflection(one)
        return
    yield from _in_order(one, left)


def _in_order(one: Solution, left: Array) -> Iterator[Alternative]:
    """A level that drifts or jumps while points are taken, and the mains."""
    order = one.at.order
    yield Alternative("DRIFT", (order - 0.5)[None, :, None], 0.1)
    if len(order) < _FEWEST:
        return
    yield Alternative("DRIFT", (order > _between(order))[:, :, None] - 0.5, 0.1)
    if not isinstance(one.shape, Oscillation):  # beside fringes that is a second frequency
        every = np.arange(3.0, len(order) / 2, _STEP_IN_ORDER)
        frequencies = _promising(every, _STEP_IN_ORDER, order, left)
        yield Alternative("UNEXPLAINED", _waves(frequencies, order), 0.1, tried=len(every))


def _promising(frequencies: Array, step: float, places: Array, left: Array, most: int = _FREQUENCIES) -> Array:
    """Those of the frequencies, some of which are a step apart, that explain most."""
    if len(frequencies) <= most:
        return frequencies
    numbers = np.rint((frequencies - frequencies[0]) / step).astype(int)
    count = math.isqrt(numbers[-1]) + 1  # each wave is one of so many slow ones times one of so many coarse ones
    coarse = np.exp(2j * np.pi * np.outer(frequencies[0] + step * count * np.arange(count + 1), places))
    fine = np.exp(2j * np.pi * np.outer(step * np.arange(count), places))
    power = np.abs((coarse * left) @ fine.T).ravel()[numbers]
    found: Array = frequencies[np.argsort(power)[-most:]]
    return found


def _waves(frequencies: Array, places: Array) -> Array:
    phase = 2 * np.pi * frequencies[:, None] * places
    return np.stack([np.cos(phase), np.sin(phase)], axis=-1)


def _of_decay(one: Solution) -> Iterator[Alternative]:
    at, theta = one.at, one.theta
    times = np.log(np.geomspace(max(at.step / 2, 1e-3), 3.0, 16))[:, None]
    times = times[np.abs(times[:, 0] - theta[0]) > 0.4]  # noqa: PLR2004 - nearer they are the same
    yield Alternative("TWO_COMPONENTS", Decay().basis(at, times)[:, :, :1], 0.3, second=times)
    # Each point is a measurement of its own: those taken later decay faster from the beginning.
    faster = one.shape.basis(at, theta[None])[0, :, 0] * at.u * (at.order > _between(at.order))
    after = np.repeat(theta[None], len(faster), axis=0)
    after[:, 0] -= math.log(2)  # which of both times is meant is open: half of what is between them
    columns = faster[:, :, None] / math.exp(min(max(float(theta[0]), -5.0), 5.0))
    yield Alternative("DRIFT", columns, 1.0, second=after)


def _between(order: Array) -> Array:
    """When something may change from one point to the next, shape (g, 1)."""
    moments = np.sort(order)
    found: Array = (moments[2:-3] + moments[3:-2])[:, None] / 2
    return found


def _middles() -> Array:
    """When something may change for good, in windows, shape (g, 1)."""
    return np.linspace(0.0, 1.0, _JUMPS + 2)[1:-1, None]


def _power_column(one: Solution) -> Array:
    """What another power of the envelope changes, in parts of the signal."""
    stretched = Oscillation(stretched=True)
    theta: Array = np.append(one.theta, 0.0)
    slope = stretched.slopes(one.at, theta, stretched.basis(one.at, theta[None])[0])[-1]
    signal = slope.shape[1] - 1
    part = one.coefficients[:signal] / max(float(np.linalg.norm(one.coefficients[:signal])), 1e-300)
    found: Array = slope[:, :signal] @ part
    return found


def _of_oscillation(one: Solution, left: Array) -> Iterator[Alternative]:
    at = one.at
    theta: Array = one.theta
    columns = one.shape.basis(at, theta[None])[0]
    a, b = one.coefficients[:2] / max(math.hypot(*one.coefficients[:2]), 1e-300)
    aside = b * columns[:, 0] - a * columns[:, 1]  # what a phase of 1 rad changes
    every = np.arange(0.5, 0.5 / at.step, _STEP)
    every = every[np.abs(every - theta[1]) > 0.3]  # noqa: PLR2004 - nearer they are the same in this window
    envelope = np.hypot(columns[:, 0], columns[:, 1])
    frequencies = _promising(every, _STEP, at.u, left * envelope)
    second = np.repeat(theta[None], len(frequencies), axis=0)
    second[:, 1] = frequencies
    waves = _waves(frequencies, at.u)
    fast = frequencies > _SLOW
    near = fast | (frequencies > theta[1] / 2)  # slower than that it is the level that drifts
    for code, which, other in (("BEATING", near, second[near]), ("DRIFT", ~near, None)):
        if which.any():
            yield Alternative(code, (waves * envelope[:, None])[which], 0.3, second=other, tried=len(every))
    if fast.any():
        yield Alternative("BEATING", waves[fast], 0.3, second=second[fast], tried=len(every))
        others = every[(every > _SLOW) & (np.abs(every - theta[1]) > _SLOW)]
        if len(others):
            yield _of_jumped_frequency(one, left, others, np.sqrt(envelope))
    yield Alternative("OTHER_SHAPE", (aside * (at.u - at.u**2) * 4)[None, :, None], 0.5)
    if one.shape.nonlinear == 2:  # noqa: PLR2004 - the power is not fitted
        yield Alternative("OTHER_SHAPE", _power_column(one)[None, :, None], 0.3)
    yield Alternative("DRIFT", (aside * np.maximum(at.u - _middles(), 0.0))[:, :, None], 0.5)


def _of_jumped_frequency(one: Solution, left: Array, frequencies: Array, envelope: Array) -> Alternative:
    """Later points have another frequency, in any phase, and not the one that was fitted."""
    at, own = one.at, one.shape.basis(one.at, one.theta[None])[0, :, :2]
    columns, found = [], []
    for moment in _LATER:
        late = (at.order > moment).astype(float)
        likely = _promising(frequencies, _STEP, at.u, left * late * envelope, _OTHERS)
        waves = _waves(likely, at.u) * (envelope * late)[:, None]
        gone = np.broadcast_to(own * late[:, None], waves.shape)
        columns.append(np.concatenate([waves, gone], axis=2))
        found.append(likely)
    second = np.repeat(one.theta[None], sum(map(len, found)), axis=0)
    second[:, 1] = np.concatenate(found)
    return Alternative("DRIFT", np.concatenate(columns), 0.5, second=second, tried=len(frequencies) * len(_LATER))


def _of_line(one: Solution) -> Iterator[Alternative]:
    at, middle, width = one.at, float(one.theta[0]), float(one.theta[1])
    half = math.exp(width)
    is_gaussian = isinstance(one.shape, Peak) and one.shape.gaussian
    basis = Peak(gaussian=is_gaussian).basis
    yield Alternative("TWO_PEAKS", *_second_lines(at, middle, width, basis, 0))
    sides = [np.column_stack([middle + side * half * _ASIDE, width - _NARROWER]) for side in (-1, 1)]
    both = sum(basis(at, lines)[:, :, :1] for lines in sides)
    yield Alternative("TWO_PEAKS", both, 0.5, second=sides[0])
    z = (at.u - middle) / half
    if not one.shape.linear > 3:  # noqa: PLR2004 - the dispersive part is fitted
        yield Alternative("OTHER_SHAPE", (2 * z / (1 + z**2))[None, :, None], 0.1)
    other = np.exp(-math.log(2) * np.minimum(z**2, 700.0)) - 1 / (1 + z**2)
    yield Alternative("OTHER_SHAPE", other[None, :, None], 0.5)


def _second_lines(at: Places, middle: float, width: float, basis: object, column: int) -> tuple[Array, float, Array]:
    """A second line at each place, as wide as the first, and narrower: its columns, its usual size, its θ."""
    narrow = max(width - 1.0, math.log(0.6 * at.step))
    places = np.linspace(0.0, 1.0, min(_LINES, 2 * len(at.u)))
    away = places[np.abs(places - middle) > 0.5 * math.exp(width)]
    lines = np.array([(place, log) for log in dict.fromkeys((width, min(narrow, width))) for place in away])
    if not len(lines):
        lines = np.array([[middle, width]])
    found: Array = basis(at, lines)[:, :, column : column + 1]  # pyrefly: ignore[not-callable]
    return found, 0.5, lines


def _of_reflection(one: Solution) -> Iterator[Alternative]:
    at, theta = one.at, one.theta

    def resonance(at: Places, lines: Array) -> Array:
        thetas = np.column_stack([np.full(len(lines), theta[0]), lines])
        return Reflection().columns(at, thetas)

    columns, size, lines = _second_lines(at, float(theta[1]), float(theta[2]), resonance, 1)
    second = np.column_stack([np.full(len(lines), theta[0]), lines])
    yield Alternative("TWO_PEAKS", quadratures(columns), size, second=second)
    turned = np.exp(-2j * np.pi * theta[0] * at.u)
    line = abs(complex(*one.coefficients[:2])) / max(abs(complex(*one.coefficients[2:4])), 1e-300)
    bent = np.stack([at.u - 0.5, (at.u - 0.5) ** 2 * 2]) * turned
    yield Alternative("OTHER_SHAPE", quadratures(bent[:, :, None]), 0.02 * line)
    ripples = np.exp(
        2j * np.pi * np.outer(np.concatenate([np.arange(-10, -0.4, 0.5), np.arange(0.5, 10.1, 0.5)]), at.u)
    )
    yield Alternative("UNEXPLAINED", quadratures((ripples * turned)[:, :, None]), 0.02 * line)

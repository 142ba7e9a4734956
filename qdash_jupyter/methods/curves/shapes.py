"""Shapes of curves, each linear in all but a few of its parameters.

They live on u, the place in the window: 0 at the first x, 1 at the last. Times and widths are logarithms of parts of
the window, frequencies are periods in the window, so nothing depends on the units of a lab. The derivatives by the few
nonlinear parameters are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np

from qdash_jupyter.methods.curves.curve import Array

_HALF = math.log(2.0)
_LONGEST, _SHORTEST = 7.0, -9.0
"""Logarithms of the longest and shortest time and width that a shape takes, in windows."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where a curve was measured."""

    u: Array
    """Shape (n,), ascending: the place in the window."""

    order: Array
    """Shape (n,): when each was measured, 0 the first, 1 the last."""

    step: float = field(init=False)
    """The usual distance of neighbours, in windows."""

    narrowest: float = field(init=False)
    """The logarithm of a twentieth of it: below that a line is but one point, whatever its half width."""

    def __post_init__(self) -> None:
        """The step is asked for often."""
        apart = np.diff(self.u)
        apart = apart[apart > 0]
        object.__setattr__(self, "step", float(np.median(apart)) if len(apart) else 1.0)
        object.__setattr__(self, "narrowest", math.log(self.step / 20))


class Shape(Protocol):
    """What can be fitted: basis(θ) @ coefficients."""

    def __hash__(self) -> int:
        """Grids are kept by shape."""
        return id(self)

    @property
    def name(self) -> str:
        """What a person calls it."""

    @property
    def linear(self) -> int:
        """The number of coefficients."""

    @property
    def nonlinear(self) -> int:
        """The number of θ."""

    def basis(self, at: Places, thetas: Array) -> Array:
        """Of θ, shape (g, nonlinear): the columns, shape (g, rows, linear)."""

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """Of one θ and its `columns`: their derivatives, shape (nonlinear, rows, linear)."""

    def grid(self, at: Places) -> Array:
        """Values of θ among which the start is found, shape (g, nonlinear)."""

    def groups(self, at: Places, grid: Array) -> Array:
        """Which of them belong together, shape (g,): from the best of each a fit begins."""
        return np.zeros(len(grid))

    def sane(self, at: Places, theta: Array) -> bool:
        """Whether points in this window could tell such θ."""
        return True


def _width(at: Places, logarithms: Array) -> Array:
    """Half widths, within what the steps and the window can tell."""
    found: Array = np.exp(np.minimum(np.maximum(logarithms, at.narrowest), _LONGEST))
    return found


def _apart(values: Array) -> tuple[Array, Array | slice]:
    """What is among the values, once, and which of it each is: in a grid the same come again and again."""
    return np.unique(values, return_inverse=True) if len(values) > 1 else (values, slice(None))


def _bounded(logarithms: Array) -> Array:
    found: Array = np.exp(np.minimum(np.maximum(logarithms, _SHORTEST), _LONGEST))
    return found


@dataclass(frozen=True, slots=True)
class Baseline(Shape):
    """Nothing but a level, or a straight line in u."""

    slope: bool = False

    nonlinear = 0

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "straight line" if self.slope else "constant"

    @property
    def linear(self) -> int:
        """The number of coefficients."""
        return 2 if self.slope else 1

    def basis(self, at: Places, thetas: Array) -> Array:
        """A level, and u about the middle."""
        columns = np.stack([np.ones_like(at.u), at.u - 0.5], axis=-1)[:, : self.linear]
        return np.broadcast_to(columns, (len(thetas), *columns.shape))

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """There are none."""
        return np.empty((0, len(at.u), self.linear))

    def grid(self, at: Places) -> Array:
        """Nothing has to be found."""
        return np.empty((1, 0))


@dataclass(frozen=True, slots=True)
class Decay(Shape):
    """An exponential and a level; θ is the logarithm of the time.

    `stretched`: exp(−(u/T)^n), with log n as a second θ; T is still the time at which 1/e is left.
    """

    stretched: bool = False

    linear = 2

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "stretched exponential" if self.stretched else "exponential"

    @property
    def nonlinear(self) -> int:
        """The time, and the power."""
        return 1 + self.stretched

    def basis(self, at: Places, thetas: Array) -> Array:
        """The decay, and 1."""
        columns = np.ones((len(thetas), len(at.u), 2))
        columns[:, :, 0] = _envelopes(at, thetas[:, 0], _powers(thetas, 1, stretched=self.stretched))
        return columns

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By the logarithm of the time, and of the power."""
        slopes = np.zeros((self.nonlinear, len(at.u), 2))
        power = _powers(theta[None], 1, stretched=self.stretched)
        for index, slope in enumerate(_aging(at, theta[0], power)[: self.nonlinear]):
            slopes[index, :, 0] = columns[:, 0] * slope
        return slopes

    def grid(self, at: Places) -> Array:
        """Times from a third of a step to ten windows."""
        shortest = float(np.diff(np.unique(at.u)).min()) / 3
        times = np.log(np.geomspace(shortest, 10.0, 40))[:, None]
        return _with_powers(times) if self.stretched else times


@dataclass(frozen=True, slots=True)
class Oscillation:
    """A cosine in an envelope exp(−(u/T)^n) and a level; θ are log T and the frequency.

    n is `power`, or with `stretched` a third θ, its logarithm; T is the time at which 1/e is left.
    """

    power: float = 1.0
    stretched: bool = False

    linear = 3

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "damped cosine, stretched envelope" if self.stretched else "damped cosine"

    @property
    def nonlinear(self) -> int:
        """The time, the frequency, and the power."""
        return 2 + self.stretched

    def basis(self, at: Places, thetas: Array) -> Array:
        """The damped cosine and sine, and 1."""
        columns = np.ones((len(thetas), len(at.u), 3))
        envelope = self.envelopes(at, thetas)
        frequencies, which = _apart(thetas[:, 1])
        phase = 2 * np.pi * frequencies[:, None] * at.u[None, :]
        np.multiply(envelope, np.cos(phase)[which], out=columns[:, :, 0])
        np.multiply(envelope, np.sin(phase)[which], out=columns[:, :, 1])
        return columns

    def envelopes(self, at: Places, thetas: Array) -> Array:
        """Of each θ, shape (g, n)."""
        if self.stretched:
            return _envelopes(at, thetas[:, 0], _powers(thetas, 2, stretched=True))
        times, which = _apart(thetas[:, 0])
        return _envelopes(at, times, np.full(len(times), self.power))[which]

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By log T, the frequency, and the logarithm of the power."""
        slopes = np.zeros((self.nonlinear, len(at.u), 3))
        power = _powers(theta[None], 2, stretched=True) if self.stretched else np.array([self.power])
        by_time, by_power = _aging(at, theta[0], power)
        slopes[0, :, :2] = columns[:, :2] * by_time[:, None]
        turned = 2 * np.pi * at.u
        slopes[1, :, 0] = -turned * columns[:, 1]
        slopes[1, :, 1] = turned * columns[:, 0]
        if self.stretched:
            slopes[2, :, :2] = columns[:, :2] * by_power[:, None]
        return slopes

    def grid(self, at: Places) -> Array:
        """Frequencies up to Nyquist's, a third of a period apart, and four times."""
        highest = 0.5 / at.step
        frequencies = np.concatenate([[0.15, 0.3, 0.5, 0.75], np.arange(1.0, max(highest, 1.0) + 0.34, 1 / 3)])
        times = np.log([0.06, 0.2, 0.6, 3.0])
        found: Array = np.stack(np.meshgrid(times, frequencies, indexing="ij"), axis=-1).reshape(-1, 2)
        return _with_powers(found) if self.stretched else found

    def groups(self, at: Places, grid: Array) -> Array:
        """Slow ones, which may be but a drift, and others."""
        return (grid[:, 1] < 1.0).astype(float)

    def sane(self, at: Places, theta: Array) -> bool:
        """No negative frequency, and none above what the steps resolve: they look like others."""
        return bool(0 <= theta[1] < 0.51 / at.step)


_POWERS = np.log([1.1, 1.4, 1.9])
_LOG_POWERS = (0.0, math.log(2.0))
"""An envelope of less than 1 is that of several processes; slow noise makes 2 (G. Ithier et al., Phys. Rev. B 72,
134519 (2005))."""


def _with_powers(grid: Array) -> Array:
    return np.column_stack([np.tile(grid, (len(_POWERS), 1)), np.repeat(_POWERS, len(grid))])


def _powers(thetas: Array, at: int, *, stretched: bool) -> Array:
    """The powers of envelopes, shape (g,): from 1 to 2."""
    return np.exp(np.clip(thetas[:, at], *_LOG_POWERS)) if stretched else np.ones(len(thetas))


def _envelopes(at: Places, logarithms: Array, powers: Array) -> Array:
    """exp(−(u/T)^n), shape (g, n)."""
    aged = at.u[None, :] / _bounded(logarithms)[:, None]
    found: Array = np.exp(-(aged if np.all(powers == 1.0) else aged ** powers[:, None]))
    return found


def _aging(at: Places, logarithm: Array, power: Array) -> tuple[Array, Array]:
    """The slopes of an envelope by log T and by the logarithm of its power, in parts of it."""
    aged = at.u / _bounded(logarithm)
    exponent = power[0] * aged ** power[0]
    return exponent, -exponent * np.log(np.maximum(aged, 1e-300))


@dataclass(frozen=True, slots=True)
class Peak:
    """A Lorentzian line on a straight baseline; θ are its middle and log half width.

    With `asymmetric` the line has a dispersive part beside it, as an impedance mismatch makes it (Fano); with
    `gaussian` it is a Gaussian one, as slow noise makes it.
    """

    asymmetric: bool = False
    gaussian: bool = False

    nonlinear = 2

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "Gaussian" if self.gaussian else "Lorentzian, asymmetric" if self.asymmetric else "Lorentzian"

    @property
    def linear(self) -> int:
        """The height, the dispersive part, the level and the slope."""
        return 3 + self.asymmetric

    def basis(self, at: Places, thetas: Array) -> Array:
        """The line, 1, and u about the middle."""
        columns = np.empty((len(thetas), len(at.u), self.linear))
        z = (at.u[None, :] - thetas[:, :1]) / _width(at, thetas[:, 1:])
        columns[:, :, 0] = np.exp(-_HALF * np.minimum(z**2, 900.0)) if self.gaussian else 1 / (1 + z**2)
        if self.asymmetric:
            columns[:, :, 1] = z / (1 + z**2)
        columns[:, :, -2] = 1.0
        columns[:, :, -1] = at.u - 0.5
        return columns

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By the middle and the log width."""
        slopes = np.zeros((2, len(at.u), self.linear))
        width = _width(at, theta[1])
        z = (at.u - theta[0]) / width
        by_z = -2 * _HALF * z * columns[:, 0] if self.gaussian else -2 * z / (1 + z**2) ** 2
        slopes[0, :, 0], slopes[1, :, 0] = -by_z / width, -by_z * z
        if self.asymmetric:
            by_z = (1 - z**2) / (1 + z**2) ** 2
            slopes[0, :, 1], slopes[1, :, 1] = -by_z / width, -by_z * z
        return slopes

    def grid(self, at: Places) -> Array:
        """Middles at and between the points and somewhat outside, half widths from a third of a step to a window."""
        return _lines(at.step)

    def groups(self, at: Places, grid: Array) -> Array:
        """By their widths."""
        return _widths(at, grid[:, 1])

    def sane(self, at: Places, theta: Array) -> bool:
        """Not far outside, and not much wider than the window."""
        return _seen(theta)


@dataclass(frozen=True, slots=True)
class Delay(Shape):
    """A complex level with cable delay and no resonance; θ is τ."""

    name = "line without resonance"
    linear = 2
    nonlinear = 1

    def basis(self, at: Places, thetas: Array) -> Array:
        """Real and imaginary parts of each complex column, and of it turned by i."""
        return quadratures(self.columns(at, thetas))

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By each θ, as the columns."""
        return quadratures(self.moved(at, theta, _complex(columns)))

    def columns(self, at: Places, thetas: Array) -> Array:
        """The basis as a complex column, shape (g, n, 1)."""
        turned: Array = np.exp(-2j * np.pi * thetas[:, :1] * at.u)[:, :, None]
        return turned

    def moved(self, at: Places, theta: Array, columns: Array) -> Array:
        """Its slope, shape (1, n, 1)."""
        return ((-2j * np.pi * at.u)[:, None] * columns)[None]

    def grid(self, at: Places) -> Array:
        """Small delays: the large part is taken out of the curve first."""
        return np.linspace(-1.0, 1.0, 21)[:, None]

    def sane(self, at: Places, theta: Array) -> bool:
        """A few turns are left."""
        return bool(abs(theta[0]) < 4)  # noqa: PLR2004


@dataclass(frozen=True, slots=True)
class Reflection(Delay):
    """A resonance of a complex reflection coefficient, with cable delay; the rows are I, then Q.

    (a + b / (1 + i z)) exp(−2πi τ u) with complex a, b and z = (u − middle) / half width. θ are τ (turns in the
    window), middle and log half width.
    """

    name = "complex resonance"
    linear = 4
    nonlinear = 3

    def columns(self, at: Places, thetas: Array) -> Array:
        """The basis in complex columns, shape (g, n, 2)."""
        columns: Array = np.empty((len(thetas), len(at.u), 2), dtype=complex)
        columns[:, :, 0] = np.exp(-2j * np.pi * thetas[:, :1] * at.u)
        z = (at.u - thetas[:, 1:2]) / _width(at, thetas[:, 2:])
        columns[:, :, 1] = columns[:, :, 0] / (1 + 1j * z)
        return columns

    def moved(self, at: Places, theta: Array, columns: Array) -> Array:
        """The slopes of the complex columns, shape (3, n, 2)."""
        slopes: Array = np.zeros((3, len(at.u), 2), dtype=complex)
        slopes[0] = (-2j * np.pi * at.u)[:, None] * columns
        width = _width(at, theta[2])
        z = (at.u - theta[1]) / width
        by_z = 1j * columns[:, 1] / (1 + 1j * z)
        slopes[1, :, 1], slopes[2, :, 1] = by_z / width, by_z * z
        return slopes

    def grid(self, at: Places) -> Array:
        """Lines with what the cable's delay, which is taken out of the curve first, may leave."""
        lines = _lines(at.step)
        delays = np.array([-0.3, 0.0, 0.3])
        return np.column_stack([np.repeat(delays, len(lines)), np.tile(lines, (len(delays), 1))])

    def groups(self, at: Places, grid: Array) -> Array:
        """By their widths."""
        return _widths(at, grid[:, 2])

    def sane(self, at: Places, theta: Array) -> bool:
        """As of a line, and a few turns of the cable."""
        return bool(abs(theta[0]) < 4) and _seen(theta[1:])  # noqa: PLR2004


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A shape with more columns beside it, which do not change: something that is in the points, too."""

    shape: Shape
    columns: Array
    """Shape (rows, d)."""

    @property
    def name(self) -> str:
        """As of the shape."""
        return self.shape.name

    @property
    def linear(self) -> int:
        """Those of the shape come first."""
        return self.shape.linear + self.columns.shape[1]

    @property
    def nonlinear(self) -> int:
        """As of the shape."""
        return self.shape.nonlinear

    def basis(self, at: Places, thetas: Array) -> Array:
        """Those of the shape, then the others."""
        beside = np.broadcast_to(self.columns, (len(thetas), *self.columns.shape))
        return np.concatenate([self.shape.basis(at, thetas), beside], axis=2)

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """Those of the shape."""
        slopes = self.shape.slopes(at, theta, columns[:, : self.shape.linear])
        return np.concatenate([slopes, np.zeros((*slopes.shape[:2], self.linear - self.shape.linear))], axis=2)

    def grid(self, at: Places) -> Array:
        """That of the shape."""
        return self.shape.grid(at)

    def groups(self, at: Places, grid: Array) -> Array:
        """Those of the shape."""
        return self.shape.groups(at, grid)

    def sane(self, at: Places, theta: Array) -> bool:
        """As of the shape."""
        return self.shape.sane(at, theta)


def quadratures(columns: Array) -> Array:
    """Complex columns, shape (g, n, k), as real ones, shape (g, 2n, 2k): each, and each turned by i."""
    sets, rows, count = columns.shape
    both: Array = np.empty((sets, 2, rows, count, 2))
    both[:, 0, :, :, 0] = both[:, 1, :, :, 1] = columns.real
    both[:, 1, :, :, 0] = columns.imag
    np.negative(columns.imag, out=both[:, 0, :, :, 1])
    return both.reshape(sets, 2 * rows, 2 * count)


def _complex(columns: Array) -> Array:
    """The complex columns, shape (n, k), of their quadratures."""
    real, imaginary = np.split(columns[:, ::2], 2)
    return real + 1j * imaginary


@lru_cache(maxsize=12)
def _lines(step: float) -> Array:
    """Middles at, between and beside the points, log half widths; of wide ones fewer middles are enough."""
    middles = np.concatenate([[-0.2, -0.06], np.arange(0.0, 1.0 + step / 2, max(step, 1 / 120)), [1.06, 1.2]])
    between = np.arange(step / 2, 1.0, max(step, 1 / 120))
    narrow, *wide = np.log(np.geomspace(min(step, 0.2) / 3, 0.8, 7))
    narrower = narrow - 1.0
    sets = [(np.concatenate([middles, between]), [narrower, narrow]), (middles, wide[:2]), (middles[::2], wide[2:])]
    return np.concatenate(
        [np.stack(np.meshgrid(places, widths, indexing="ij"), axis=-1).reshape(-1, 2) for places, widths in sets]
    )


def _widths(at: Places, widths: Array) -> Array:
    """Groups of lines: without a point on them, wide ones, and those between."""
    half = np.exp(widths)
    found: Array = np.where(half < 0.6 * at.step, 0, np.where(half > 0.12, 2, 1))  # noqa: PLR2004
    return found


def _seen(line: Array) -> bool:
    return bool(-0.5 < line[0] < 1.5 and line[1] < np.log(2))  # noqa: PLR2004

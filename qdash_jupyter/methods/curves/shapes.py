"""Shapes of curves, each linear in all but a few of its parameters.

They live on u, the place in the window: 0 at the first x, 1 at the last. Times and widths are logarithms of parts of
the window, frequencies are periods in the window, so nothing depends on the units of a lab. The derivatives by the few
nonlinear parameters are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Protocol

import numpy as np

from qdash_jupyter.methods.curves.curve import Array

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

    def sane(self, at: Places, theta: Array) -> bool:
        """Whether points in this window could tell such θ."""


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
class Baseline:
    """Nothing but a level, a straight line in u, or a drift with the order of the measurement."""

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

    def groups(self, at: Places, grid: Array) -> Array:
        """All alike."""
        return np.zeros(len(grid))

    def sane(self, at: Places, theta: Array) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class Decay:
    """One or two exponentials and a level; θ are the logarithms of the times."""

    count: int = 1
    drift: bool = False

    @property
    def name(self) -> str:
        """What a person calls it."""
        return ("two exponentials" if self.count > 1 else "exponential") + (" with a drift" if self.drift else "")

    @property
    def nonlinear(self) -> int:
        """A time each."""
        return self.count

    @property
    def linear(self) -> int:
        """An amplitude each, the level, and the drift."""
        return self.count + 1 + self.drift

    def basis(self, at: Places, thetas: Array) -> Array:
        """The exponentials, 1, and the order."""
        columns = np.empty((len(thetas), len(at.u), self.linear))
        columns[:, :, : self.count] = np.exp(-at.u[None, :, None] / _bounded(thetas)[:, None, :])
        columns[:, :, self.count] = 1.0
        if self.drift:
            columns[:, :, -1] = at.order - 0.5
        return columns

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By the logarithm of each time."""
        slopes = np.zeros((self.count, len(at.u), self.linear))
        for index, time in enumerate(_bounded(theta)):
            slopes[index, :, index] = columns[:, index] * at.u / time
        return slopes

    def grid(self, at: Places) -> Array:
        """Times from a third of a step to ten windows; of two, the pairs that are apart."""
        shortest = float(np.diff(np.unique(at.u)).min()) / 3
        times = np.log(np.geomspace(shortest, 10.0, 40 if self.count == 1 else 16))
        if self.count == 1:
            return times[:, None]
        pairs: Array = np.array(list(combinations(times, 2)))
        return pairs

    def groups(self, at: Places, grid: Array) -> Array:
        """All alike."""
        return np.zeros(len(grid))

    def sane(self, at: Places, theta: Array) -> bool:
        """Always: a straight line is a decay without end."""
        return True


@dataclass(frozen=True, slots=True)
class Oscillation:
    """One or two cosines in one envelope exp(−(u/T)^power) and a level; θ are log T and the frequencies."""

    count: int = 1
    drift: bool = False
    power: int = 1

    @property
    def name(self) -> str:
        """What a person calls it."""
        envelope = ", Gaussian envelope" if self.power > 1 else ""
        drift = " with a drift" if self.drift else ""
        return f"{'two damped cosines' if self.count > 1 else 'damped cosine'}{envelope}{drift}"

    @property
    def nonlinear(self) -> int:
        """The time, and a frequency each."""
        return 1 + self.count

    @property
    def linear(self) -> int:
        """A cosine and a sine each, the level, and the drift."""
        return 2 * self.count + 1 + self.drift

    def basis(self, at: Places, thetas: Array) -> Array:
        """The damped cosines and sines, 1, and the order."""
        columns = np.empty((len(thetas), len(at.u), self.linear))
        envelope = self.envelopes(at, thetas[:, 0])
        for index in range(self.count):
            frequencies, which = _apart(thetas[:, 1 + index])
            phase = 2 * np.pi * frequencies[:, None] * at.u[None, :]
            np.multiply(envelope, np.cos(phase)[which], out=columns[:, :, 2 * index])
            np.multiply(envelope, np.sin(phase)[which], out=columns[:, :, 2 * index + 1])
        columns[:, :, 2 * self.count] = 1.0
        if self.drift:
            columns[:, :, -1] = at.order - 0.5
        return columns

    def envelopes(self, at: Places, logarithms: Array) -> Array:
        """Of each log T, shape (g, n)."""
        times, which = _apart(_bounded(logarithms))
        found: Array = np.exp(-((at.u[None, :] / times[:, None]) ** self.power))[which]
        return found

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By log T, and by each frequency."""
        slopes = np.zeros((self.nonlinear, len(at.u), self.linear))
        waves = 2 * self.count
        aged = self.power * (at.u / _bounded(theta[:1])[0]) ** self.power
        slopes[0, :, :waves] = columns[:, :waves] * aged[:, None]
        turned = 2 * np.pi * at.u
        for index in range(self.count):
            slopes[1 + index, :, 2 * index] = -turned * columns[:, 2 * index + 1]
            slopes[1 + index, :, 2 * index + 1] = turned * columns[:, 2 * index]
        return slopes

    def grid(self, at: Places) -> Array:
        """Frequencies up to Nyquist's, a third of a period apart, and four times. Two frequencies: see `beside`."""
        highest = 0.5 / at.step
        frequencies = np.concatenate([[0.15, 0.3, 0.5, 0.75], np.arange(1.0, max(highest, 1.0) + 0.34, 1 / 3)])
        times = np.log([0.06, 0.2, 0.6, 3.0])
        if self.count == 1:
            return np.stack(np.meshgrid(times, frequencies, indexing="ij"), axis=-1).reshape(-1, 2)
        return np.array([[time, 1.0, 2.0] for time in times])

    def groups(self, at: Places, grid: Array) -> Array:
        """Slow ones, which may be but a drift, and others."""
        return (grid[:, 1:].min(axis=1) < 1.0).astype(float)

    def sane(self, at: Places, theta: Array) -> bool:
        """No negative frequency, and none above what the steps resolve: they look like others."""
        return bool(theta[1:].min() >= 0 and theta[1:].max() < 0.51 / at.step)

    @staticmethod
    def beside(frequency: float, second: Array) -> Array:
        """Starts for two frequencies: about the one that was found, and that one with others."""
        times = np.log([0.1, 0.3, 1.0, 5.0])
        apart = np.array([0.4, 0.7, 1.0, 1.5, 2.0, 2.7, 3.5, 4.5])
        pairs = [(frequency - half, frequency + half) for half in apart / 2]
        pairs += [(frequency, other) for other in second]
        found: Array = np.array([(time, abs(low), high) for time in times for low, high in pairs])
        return found


@dataclass(frozen=True, slots=True)
class Peak:
    """One or two Lorentzian lines on a straight baseline; θ are the middles and log half widths, middle first.

    With `asymmetric` each line has a dispersive part beside it, as an impedance mismatch makes it (Fano).
    """

    count: int = 1
    asymmetric: bool = False

    @property
    def name(self) -> str:
        """What a person calls it."""
        return ("two Lorentzians" if self.count > 1 else "Lorentzian") + (", asymmetric" if self.asymmetric else "")

    @property
    def nonlinear(self) -> int:
        """Middle and width each."""
        return 2 * self.count

    @property
    def linear(self) -> int:
        """A height each, the level and the slope."""
        return self.count * (1 + self.asymmetric) + 2

    def basis(self, at: Places, thetas: Array) -> Array:
        """The lines, 1, and u about the middle."""
        columns = np.empty((len(thetas), len(at.u), self.linear))
        for index in range(self.count):
            z = (at.u[None, :] - thetas[:, 2 * index, None]) / _width(at, thetas[:, 2 * index + 1, None])
            columns[:, :, index] = 1 / (1 + z**2)
            if self.asymmetric:
                columns[:, :, self.count + index] = z / (1 + z**2)
        columns[:, :, -2] = 1.0
        columns[:, :, -1] = at.u - 0.5
        return columns

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By each middle and each log width."""
        slopes = np.zeros((self.nonlinear, len(at.u), self.linear))
        for index in range(self.count):
            width = _width(at, theta[2 * index + 1])
            z = (at.u - theta[2 * index]) / width
            by_z = -2 * z / (1 + z**2) ** 2
            slopes[2 * index, :, index] = -by_z / width
            slopes[2 * index + 1, :, index] = -by_z * z
            if self.asymmetric:
                by_z = (1 - z**2) / (1 + z**2) ** 2
                slopes[2 * index, :, self.count + index] = -by_z / width
                slopes[2 * index + 1, :, self.count + index] = -by_z * z
        return slopes

    def grid(self, at: Places) -> Array:
        """Middles at and between the points and somewhat outside, half widths from a third of a step to a window."""
        return _lines(at.step)

    def groups(self, at: Places, grid: Array) -> Array:
        """By their widths."""
        return _widths(at, grid[:, 1::2])

    def sane(self, at: Places, theta: Array) -> bool:
        """Not far outside, and not much wider than the window."""
        return _seen(at, theta)

    @staticmethod
    def beside(line: Array, second: Array) -> Array:
        """Starts for two lines: the one that was found with others, and its two halves."""
        middle, width = line
        half = float(np.exp(width))
        halves = [(middle - part * half, width - 0.5, middle + part * half, width - 0.5) for part in (0.5, 1.0, 1.8)]
        found: Array = np.array([*((middle, width, *other) for other in second), *halves])
        return found


@dataclass(frozen=True, slots=True)
class Reflection:
    """One or two resonances of a complex reflection coefficient, with cable delay; the rows are I, then Q.

    (a + Σ b / (1 + i z)) exp(−2πi τ u) with complex a, b and z = (u − middle) / half width. θ are τ (turns in the
    window), then middle and log half width each.
    """

    count: int = 1

    @property
    def name(self) -> str:
        """What a person calls it."""
        return "two complex resonances" if self.count > 1 else "complex resonance"

    @property
    def nonlinear(self) -> int:
        """The delay, and middle and width each."""
        return 1 + 2 * self.count

    @property
    def linear(self) -> int:
        """Two numbers each, and two for the line without resonator."""
        return 2 * (self.count + 1)

    def basis(self, at: Places, thetas: Array) -> Array:
        """Real and imaginary parts of each complex column, and of it turned by i."""
        return _quadratures(self.columns(at, thetas))

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By the delay, each middle and each log width."""
        return _quadratures(self.moved(at, theta, _complex(columns)))

    def columns(self, at: Places, thetas: Array) -> Array:
        """The basis in complex columns, shape (g, n, linear/2)."""
        columns: Array = np.empty((len(thetas), len(at.u), 1 + self.count), dtype=complex)
        columns[:, :, 0] = np.exp(-2j * np.pi * thetas[:, :1] * at.u)
        for index in range(self.count):
            z = (at.u - thetas[:, 1 + 2 * index, None]) / _width(at, thetas[:, 2 + 2 * index, None])
            columns[:, :, 1 + index] = columns[:, :, 0] / (1 + 1j * z)
        return columns

    def moved(self, at: Places, theta: Array, columns: Array) -> Array:
        """The slopes of the complex columns, shape (nonlinear, n, linear/2)."""
        slopes: Array = np.zeros((self.nonlinear, len(at.u), self.count + 1), dtype=complex)
        slopes[0] = (-2j * np.pi * at.u)[:, None] * columns
        for index in range(self.count):
            width = _width(at, theta[2 + 2 * index])
            z = (at.u - theta[1 + 2 * index]) / width
            by_z = 1j * columns[:, 1 + index] / (1 + 1j * z)
            slopes[1 + 2 * index, :, 1 + index] = by_z / width
            slopes[2 + 2 * index, :, 1 + index] = by_z * z
        return slopes

    def grid(self, at: Places) -> Array:
        """Lines with what the cable's delay, which is taken out of the curve first, may leave."""
        lines = _lines(at.step)
        delays = np.array([-0.3, 0.0, 0.3])
        return np.column_stack([np.repeat(delays, len(lines)), np.tile(lines, (len(delays), 1))])

    def groups(self, at: Places, grid: Array) -> Array:
        """By their widths."""
        return _widths(at, grid[:, 2::2])

    def sane(self, at: Places, theta: Array) -> bool:
        """As of a line, and a few turns of the cable."""
        return bool(abs(theta[0]) < 4) and _seen(at, theta[1:])  # noqa: PLR2004

    @staticmethod
    def beside(line: Array, second: Array) -> Array:
        """Starts for two resonances: the one that was found with others, and its two halves."""
        pairs = Peak.beside(line[1:], second)
        return np.column_stack([np.full(len(pairs), line[0]), pairs])


@dataclass(frozen=True, slots=True)
class Delay:
    """A complex level with cable delay and no resonance; θ is τ."""

    name = "line without resonance"
    linear = 2
    nonlinear = 1

    def basis(self, at: Places, thetas: Array) -> Array:
        """The turning level."""
        return _quadratures(self.columns(at, thetas))

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """By the delay."""
        return _quadratures(self.moved(at, theta, _complex(columns)))

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

    def groups(self, at: Places, grid: Array) -> Array:
        """All alike."""
        return np.zeros(len(grid))

    def sane(self, at: Places, theta: Array) -> bool:
        """A few turns are left."""
        return bool(abs(theta[0]) < 4)  # noqa: PLR2004


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A shape beside which something happens in the order of the measurement: one step, or something periodic.

    Attributes:
        shape: What would be there.
        where: The order behind which the level is another, or the periods in the whole measurement.
        periodic: Which of both.
    """

    shape: Shape
    where: float
    periodic: bool = False

    @property
    def name(self) -> str:
        """What a person calls it."""
        return f"{self.shape.name} with {'a periodic disturbance' if self.periodic else 'a step of the level'}"

    @property
    def nonlinear(self) -> int:
        """As of the shape: the place is searched for beforehand."""
        return self.shape.nonlinear

    @property
    def linear(self) -> int:
        """One more for a step, two for a cosine and a sine."""
        return self.shape.linear + 1 + self.periodic

    def basis(self, at: Places, thetas: Array) -> Array:
        """Those of the shape, then what is beside it."""
        beside = disturbances(at, np.array([self.where]), periodic=self.periodic)
        return np.concatenate(
            [self.shape.basis(at, thetas), np.broadcast_to(beside, (len(thetas), *beside.shape[1:]))], axis=2
        )

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        """Those of the shape."""
        slopes = self.shape.slopes(at, theta, columns[:, : self.shape.linear])
        return np.concatenate([slopes, np.zeros((*slopes.shape[:2], 1 + self.periodic))], axis=2)

    def grid(self, at: Places) -> Array:
        """That of the shape."""
        return self.shape.grid(at)

    def groups(self, at: Places, grid: Array) -> Array:
        """Those of the shape."""
        return self.shape.groups(at, grid)

    def sane(self, at: Places, theta: Array) -> bool:
        """As of the shape."""
        return self.shape.sane(at, theta)


def disturbances(at: Places, places: Array, *, periodic: bool) -> Array:
    """The columns of steps behind these orders, or of so many periods; shape (g, n, 1 or 2)."""
    if not periodic:
        steps: Array = (at.order > places[:, None])[:, :, None] - 0.5
        return steps
    phase = 2 * np.pi * places[:, None] * at.order
    return np.stack([np.cos(phase), np.sin(phase)], axis=-1)


def _quadratures(columns: Array) -> Array:
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
    least, most = np.exp(widths.min(axis=1)), np.exp(widths.max(axis=1))
    found: Array = np.where(least < 0.6 * at.step, 0, np.where(most > 0.12, 2, 1))  # noqa: PLR2004
    return found


def _seen(at: Places, lines: Array) -> bool:
    middles, widths = lines[::2], lines[1::2]
    inside = middles.min() > -0.5 and middles.max() < 1.5  # noqa: PLR2004
    return bool(inside and widths.max() < np.log(2))

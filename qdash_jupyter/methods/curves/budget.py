"""The error budget of each parameter: what noise leaves open, and what else the points may show.

Beside the fit everything is looked for that may be there a little (`alternatives`). How probable each of them is
follows from what it explains of the residuals and from how large such things usually are (Bayes' factor of a linear
model, H. Jeffreys, Theory of Probability, 1939), and how far it would move a parameter from the slopes of the fit. The
systematic error is the spread of the parameter over all of them, by their probabilities (J. A. Hoeting et al., Stat.
Sci. 14, 382 (1999)). So a structure counts by how far it moves a parameter, not by how sure it is there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qdash_jupyter.methods.curves.alternatives import Alternative, alternatives_of
from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.families import Axes, Family, apart, parameters_of, slopes_of
from qdash_jupyter.methods.curves.flicker import Flicker
from qdash_jupyter.methods.curves.points import Points
from qdash_jupyter.methods.curves.shapes import Beside, Oscillation, Peak, Reflection
from qdash_jupyter.methods.curves.solution import ROUNDED, Solution, rounding, solved
from qdash_jupyter.methods.curves.thresholds import LIMITS

_ROUNDS = 4
"""Disturbances that can be there at once."""
_WORTH, _TRIED = 0.1, 4
"""Odds from which an alternative is fitted, and how many are."""
_FEWEST_FREE = 2
_FAR = 1.0
"""Sizes of a parameter (its value, or the linewidth) beyond which a second one is simply another."""
_RANK = 1e-7
_LEAST_KEPT = 0.05
"""Part of a point's scatter that a fit leaves at least; where it leaves less, the scatter of all points fills it up."""
_AS_STATED = 1.5
"""χ² per degree of freedom up to which the stated errors are those of the points."""


@dataclass(frozen=True, slots=True, eq=False)
class Budget:
    """By parameter, in its unit.

    Attributes:
        statistical: Shape (p,): one standard deviation that noise leaves, white or 1/f.
        freedom: Shape (p,): the degrees of freedom of each.
        free: Degrees of freedom of the fit.
        systematic: By code, shape (p,) each.
        found: The codes of what was found for certain.
        evidence: The logarithm of how much better the points are explained with all that than without.
        left: Shape (rows,): weighted residuals without what was found.
        influence: Shape (p, rows): of each weighted value on each parameter.
    """

    statistical: Array
    freedom: Array
    free: int
    systematic: dict[str, Array]
    found: set[str]
    evidence: float
    left: Array
    influence: Array


def budget_of(family: Family, one: Solution, points: Points) -> Budget:
    """The budget of a fit of these points.

    What is found for certain is fitted beside the shape before the rest is looked at.
    """
    values, axes = points.values, points.axes
    parameters = parameters_of(family, one.coefficients, one.theta, axes)
    every = list(alternatives_of(one, (values - one.fitted) * one.weights))
    ways = Counter(each.code for each in every)
    scale = _Scale.of(family, one, parameters, axes)
    before, now = parameters, one
    systematic: dict[str, Array] = {}
    found: set[str] = set()
    evidence = 0.0
    for _ in range(_ROUNDS):
        model = _Model.of(family, now, values, axes)
        seen = [_Seen.beside(model, each, scale.signal, ways[each.code]) for each in every]
        sure, then = _surest(model, seen, now, values)
        total = sum(float(each.odds.sum()) for each in seen)
        evidence += math.log1p(total)
        for each in seen:
            moved = each.moved(1 + total, scale, is_sure=each is sure)
            systematic[each.of.code] = np.hypot(systematic.get(each.of.code, 0.0), moved)
        if sure is None or then is None:
            break
        now, code = then, sure.of.code
        found.add(code)
        after = parameters_of(family, now.coefficients[: one.shape.linear], now.theta, axes)
        systematic[code] = np.hypot(systematic[code], np.abs(apart(family, after, before)))
        before = after
    statistical, freedom = model.statistical(is_stated=points.known)
    return Budget(statistical, freedom, model.free, systematic, found, evidence, model.left, model.influence)


def evidence_of(one: Solution, values: Array) -> float:
    """The logarithm of how much better the points are explained with one thing more beside the fit."""
    model = _Model.plain(one, values)
    every = list(alternatives_of(one, model.left))
    ways = Counter(each.code for each in every)
    seen = [_Seen.beside(model, each, _signal(one), ways[each.code]) for each in every]
    return math.log1p(sum(float(each.odds.sum()) for each in seen))


def _surest(model: _Model, seen: list[_Seen], now: Solution, values: Array) -> tuple[_Seen | None, Solution | None]:
    """The alternative that is there for certain, and the fit with it; nothing where none is.

    The likeliest are fitted, the best of each kind, so that a large one is seen as it is and not to first order. Noise
    that neighbours share looks like a slow disturbance. How strong it is follows from what the best of these fits
    leaves, and the odds of all become smaller by that.
    """
    likely = sorted(
        (each for each in seen if float(each.odds.max()) > _WORTH), key=lambda each: -float(each.odds.max())
    )
    fits = [(_beside(now, each.best, values), each) for each in likely[:_TRIED]]
    if not fits:
        return None, None
    then, sure = min(fits, key=lambda fit: fit[0].aicc)
    richer = _Model.plain(then, values)
    if richer.shared > 0:
        for each in seen:
            each.discounted(model, richer.shared)
    sure.corrected(model, richer)
    is_sure = float(sure.odds.sum()) > LIMITS.sure and richer.free > _FEWEST_FREE
    return (sure, then) if is_sure else (None, None)


def _beside(now: Solution, columns: Array, values: Array) -> Solution:
    """The fit with more columns beside the shape."""
    if isinstance(now.shape, Beside):
        shape = Beside(now.shape.shape, np.column_stack([now.shape.columns, columns]))
    else:
        shape = Beside(now.shape, columns)
    return solved(shape, now.at, values, now.weights, now.theta[None])


@dataclass(frozen=True, slots=True, eq=False)
class _Scale:
    """What sizes are compared with.

    Attributes:
        signal: The signal, in the unit of the values.
        most: How far a parameter is moved at most, shape (p,): what is to first order further off is simply another.
        aside: Of a second one's θ, by how much its parameters differ, shape (p,).
    """

    signal: float
    most: Array
    aside: Callable[[Array], Array]

    @classmethod
    def of(cls, family: Family, one: Solution, parameters: Array, axes: Axes) -> _Scale:
        values = dict(zip(family.units, map(float, parameters), strict=True))
        most = _FAR * np.array([family.size(name, values) for name in family.units])
        own = np.array([unit not in {"", "rad", "a.u."} for unit in family.units.values()]) * np.abs(parameters)

        def aside(theta: Array) -> Array:
            """What both share is only known to be of one of them; far off is far off."""
            other = np.abs(apart(family, parameters_of(family, one.coefficients, theta, axes), parameters))
            return np.minimum(np.where(other > 0, other, own), most)

        return cls(max(_signal(one), 1e-300), most, aside)


def _signal(one: Solution) -> float:
    """How large the signal is, in the unit of the values."""
    if isinstance(one.shape, Reflection):
        return float(np.hypot(*one.coefficients[2:4]))
    if isinstance(one.shape, Peak):
        return float(np.abs(one.coefficients[0]))
    if isinstance(one.shape, Oscillation):
        return float(np.hypot(*one.coefficients[:2]))
    return float(np.ptp(one.fitted))


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """What is fitted, linear at the solution.

    Attributes:
        orthogonal: Shape (rows, k'): the derivatives by the parameters of the fit, in orthogonal columns.
        influence: Shape (p, rows): of each weighted value on each parameter of the curve.
        left: Shape (rows,): weighted residuals.
        weights: Shape (rows,).
        rss: The sum of their squares.
        free: Degrees of freedom.
        flicker: The modes of 1/f noise.
        shared: How strong that is against white noise, as the residuals tell.
    """

    orthogonal: Array
    influence: Array
    left: Array
    weights: Array
    rss: float
    free: int
    flicker: Flicker
    shared: float

    @classmethod
    def of(cls, family: Family, one: Solution, values: Array, axes: Axes) -> _Model:
        """Of a fit, perhaps with something beside it."""
        shape = one.shape.shape if isinstance(one.shape, Beside) else one.shape
        own = slopes_of(family, one.coefficients[: shape.linear], one.theta, axes)
        beside = np.zeros((len(own), one.shape.linear - shape.linear))
        slopes = np.column_stack([own[:, : shape.linear], beside, own[:, shape.linear :]])
        return cls._linear(one, slopes, values)

    @classmethod
    def plain(cls, one: Solution, values: Array) -> _Model:
        """Of a fit whose parameters are not asked for."""
        return cls._linear(one, np.zeros((1, one.shape.linear + one.shape.nonlinear)), values)

    @classmethod
    def _linear(cls, one: Solution, slopes: Array, values: Array) -> _Model:
        """At the solution; `slopes`, shape (p, k), are those of the curve's parameters by the k of the fit."""
        known, left, weights = one.derivatives, (values - one.fitted) * one.weights, one.weights
        norms = np.maximum(np.linalg.norm(known, axis=0), 1e-300)
        basis, sizes, turned = np.linalg.svd(known / norms, full_matrices=False)
        kept = sizes > _RANK * sizes[0]
        basis = basis[:, kept]
        influence = (slopes / norms) @ (turned[kept].T / sizes[kept]) @ basis.T
        left = left - basis @ (basis.T @ left)
        rss = float(left @ left) + rounding(weights)
        free = max(len(left) - int(kept.sum()), 1)
        flicker = Flicker.of(one.at.order, weights)
        return cls(basis, influence, left, weights, rss, free, flicker, flicker.strength(left, basis, rss))

    def statistical(self, *, is_stated: bool) -> tuple[Array, Array]:
        """One standard deviation of each parameter, and its degrees of freedom, shape (p,) each.

        The scatter of each point counts by what the point tells of the parameter (J. G. MacKinnon and H. White, J.
        Econom. 29, 305 (1985)), and so do its degrees of freedom (R. M. Bell and D. F. McCaffrey, Surv. Methodol. 28,
        169 (2002)). The 1/f noise of the residuals is added, as uncertain as its strength. Where errors of the points
        are stated and the scatter is as large as they say, the scatter of all points counts alike.
        """
        squares, variance = self.influence**2, self.rss / self.free
        plain = squares.sum(axis=1)
        if is_stated and variance < _AS_STATED:
            return np.sqrt(variance * plain), np.full(len(plain), float(self.free))
        kept = 1 - np.sum(self.orthogonal**2, axis=1)
        least = np.maximum(kept, _LEAST_KEPT)
        scatter = (self.left**2 + (ROUNDED * self.weights) ** 2 + (least - kept) * variance) / least
        white = self.flicker.white(self.rss, self.free, self.orthogonal, self.shared)
        fast = squares @ scatter * white / variance
        slow = white * self.shared * self.flicker.seen(self.influence)
        shares = squares / least / plain[:, None]
        crossed = (self.orthogonal.T * shares[:, None]) @ self.orthogonal
        unsure = shares**2 @ (2 * kept - 1) + np.sum(crossed**2, axis=(1, 2))
        unsure = fast**2 * unsure + slow**2 / self.flicker.free(self.orthogonal, self.shared)
        return np.sqrt(fast + slow), np.clip((fast + slow) ** 2 / unsure, 1.0, self.free)


@dataclass(slots=True, eq=False)
class _Seen:
    """An alternative beside a model.

    Attributes:
        of: The alternative.
        ways: In how many its code may be.
        logarithm: Shape (g,): the likelihood ratio of each, in ln.
        volume: Shape (g,): what is lost of that by how many sizes each could have, in ln.
        sizes: Shape (g, d): the coefficients.
        shifts: Shape (g, p): by how much they move each parameter.
        spreads: Shape (g, p): what noise leaves open of that.
    """

    of: Alternative
    ways: int
    logarithm: Array
    volume: Array
    sizes: Array
    shifts: Array
    spreads: Array

    @classmethod
    def beside(cls, model: _Model, of: Alternative, signal: float, ways: int) -> _Seen:
        """Beside a model, through white noise; there are so many `ways` in which its code may be."""
        columns = of.columns * model.weights[:, None]
        known = model.orthogonal.T @ columns
        transposed = columns.transpose(0, 2, 1)
        normal = transposed @ columns - known.transpose(0, 2, 1) @ known
        seen = transposed @ model.left
        width = columns.shape[2]
        unit = np.eye(width)
        noise, size = model.rss / model.free, of.size * signal
        precision = normal + noise / size**2 * unit
        sizes = np.linalg.solve(precision, seen[:, :, None])[:, :, 0]
        gain = np.clip(np.sum(sizes * seen, axis=1), 0.0, model.rss * (1 - 1e-9))
        _, volume = np.linalg.slogdet(unit + normal * (size**2 / noise))
        free = max(model.free - width, 1)
        response = -(model.influence @ columns)
        shifts = np.einsum("gpd,gd->gp", response, sizes)
        covariance = np.linalg.inv(precision) * ((model.rss - gain) / free)[:, None, None]
        spreads = np.sqrt(np.maximum(np.einsum("gpd,gde,gpe->gp", response, covariance, response), 0.0))
        logarithm = free / 2 * np.log(model.rss / (model.rss - gain))
        return cls(of, ways, logarithm, volume / 2, sizes, shifts, spreads)

    def discounted(self, model: _Model, shared: float) -> None:
        """Through 1/f noise of this strength, too."""
        columns = self.of.columns * model.weights[:, None]
        self.logarithm = self.logarithm / model.flicker.enlarged(columns, model.orthogonal, shared)

    def corrected(self, model: _Model, richer: _Model) -> None:
        """With the likelihood ratio of the fit of the likeliest."""
        place = int(np.argmax(self.odds))
        found = richer.free / 2 * math.log(model.rss / min(richer.rss, model.rss))
        found /= float(
            model.flicker.enlarged(self.best[None] * model.weights[:, None], model.orthogonal, richer.shared)[0]
        )
        self.logarithm[place] = max(self.logarithm[place], found)

    @property
    def odds(self) -> Array:
        """Of each against the model alone, shape (g,)."""
        found: Array = np.exp(np.clip(self.logarithm - self.volume, -50.0, 200.0))
        return LIMITS.prior / self.ways / max(len(found), self.of.tried) * found

    @property
    def size(self) -> float:
        """Of the most probable, in the unit of the values."""
        return float(np.linalg.norm(self.sizes[int(np.argmax(self.odds))]))

    @property
    def best(self) -> Array:
        """The columns of the most probable, shape (rows, d)."""
        found: Array = self.of.columns[int(np.argmax(self.odds))]
        return found

    def moved(self, total: float, scale: _Scale, *, is_sure: bool) -> Array:
        """By how much it moves each parameter, over all that it may be, shape (p,); of what is sure, which is fitted
        itself, nothing.

        Where there is a second one of the same kind nobody knows which of both is meant: that counts by its size.
        """
        share = self.odds / total
        moved: Array = share @ np.minimum(self.shifts**2 + self.spreads**2, scale.most**2) * (not is_sure)
        if self.of.second is not None:
            second = self.of.second[int(np.argmax(self.odds))]
            part = float(share.sum()) * min(self.size / scale.signal, 1.0)
            moved = moved + (part * scale.aside(second)) ** 2
        return np.sqrt(moved)

"""Which description of a series fits best: an even level, a step, a slope, or two levels it switches between.

Each is compared as a generalised least-squares fit in noise whose correlation is estimated from the same series. Why:
docs/decisions/0059-one-test-of-change.md. `bench/change.py` measures what is found and what is named by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

CRITICAL = {
    6: 21.8,
    7: 28.6,
    8: 23.4,
    9: 27.6,
    10: 22.4,
    11: 24.4,
    12: 20.9,
    13: 22.8,
    14: 20.4,
    15: 21.4,
    20: 22.4,
    25: 22.1,
    30: 21.1,
    40: 18.4,
    50: 18.1,
    60: 19.5,
    75: 19.5,
    90: 21.7,
    120: 22.1,
    150: 23.2,
    200: 25.7,
}
"""By the number of measurements, twice the logarithm of the likelihood ratio from which on a change counts, between
them interpolated. `bench/change.py critical` makes them (seed 20261127, 80,000 series of each kind of quiet noise).
"""

CRITICAL_OF_TWO = {
    11: 28.8,
    12: 30.9,
    13: 34.2,
    14: 31.1,
    15: 33.3,
    20: 29.7,
    25: 31.2,
    30: 28.7,
    40: 29.2,
    50: 29.0,
    60: 31.7,
    75: 33.2,
    90: 36.5,
    120: 43.9,
    150: 39.6,
    200: 41.3,
}
"""The same of two steps (20,000 series of each kind)."""

FEWEST_ON_A_SIDE = 3
"""Measurements needed on either side of a step: one or two cannot be told from wild values."""

NOISES = (
    # correlation of neighbours, and the part of the variance that has it; the rest is white
    *((0.0, 1.0), (0.3, 1.0), (0.5, 1.0)),
    *((0.7, 1.0), (0.85, 1.0), (0.95, 1.0), (0.99, 1.0), (0.9, 0.3), (0.9, 0.6), (0.98, 0.3), (0.98, 0.6)),
)
"""Noise that a series may have. A change is told from noise of the first `FAST` kinds only: beside slower noise nothing
tells it from a change.
"""

FAST = 3
ANY, SIZED_IN = -1, 4
"""A named change has a size in any of so many kinds, one more than it may be named in: of few measurements, those with
a correlation of a half look less alike and more. `bench/change.py intervals` says how often it holds.
"""
COST_OF_SLOW_NOISE = 2.0
"""Twice the logarithm of how much less slow noise is expected than fast one; weighs against it, but not much."""

COST_BESIDE_A_CHANGE = (0.0, 4.0, 10.0)
"""The same of each fast kind beside a change, so that a step through noise that wanders is not taken for one."""

COST_OF_A_SHORT_SIDE = 18.0
"""The same of a change, over the number of measurements on its shorter side: few may be wild together."""

NEARLY_AS_GOOD = 4.0
"""Twice a difference of log-likelihoods that does not decide between an even slope and a broken one, nor between a step
where the window begins and one just before it.
"""

DATES_WITHIN = 8.0
"""Twice the difference of log-likelihoods down to which a step may also have been elsewhere: holds the true place in
95 % or more of steps by 2 to 6 standard deviations (`bench/change.py`).
"""

WIDTH, CLIPPED_FROM = 5, 3.0
"""A value is moved to within so many standard deviations of the median of so many neighbours."""

COST_OF_A_SWITCH = 2.0
"""In logarithms of the number of measurements, for each switch between two levels after the first."""

SMALL, MOST_DIGITS = 1e-9, 6
"""What rounding in arithmetic leaves of a value; values with more digits are not taken for rounded ones."""

FEWEST_BETWEEN = WIDTH
"""Measurements needed between two steps: three of five neighbours may be wild."""

FEWEST_FOR_TWO = 2 * FEWEST_ON_A_SIDE + FEWEST_BETWEEN
"""Measurements needed to look for two steps."""

MOST_PLACES = 60
"""Places where two steps are tried, evenly spaced."""

FEWEST_VISITS, AT_A_LEVEL, APART = 3, 2.0, 5.0
"""So many values within so many standard deviations of the other level make a step one of several switches, where the
levels are so many apart. Two side by side are enough: wild values are seldom neighbours at one level.
"""

MEAN_TO_SCATTER = 1.2533
"""The standard deviation of Gaussian noise over the mean size of its values."""

LONG = 256
"""Filters are made for so many measurements, or a multiple."""

RAMPS = 12
"""Places where a slope may begin or end, evenly spaced."""

FULL = 0
"""The shape of an even slope from the first measurement to the last."""


class Noises(NamedTuple):
    """What makes noise of each kind white in series of one length, and what it costs."""

    scales: Array
    """`(noises, n)`: one over the standard deviation of a measurement about what those before it predict."""
    gains: Array
    """`(noises, n)`: the part of that difference which is correlated noise, and lasts."""
    constant: Array
    """`(noises, n)`: a level of 1, made white as well."""
    counts: Array
    """`(noises, 1)`: how many independent measurements say as much of a level."""
    costs: Array
    """`(noises, 1)`: logarithm of the determinant of the correlation."""


class White(NamedTuple):
    """Series in each noise, made white."""

    rest: Array
    """`(noises, n, series)`, without the level."""
    level: Array
    """`(noises, series)`: that of a constant."""


class Shapes(NamedTuple):
    """Shapes that a level may have, for series of one length."""

    levels: Array
    """`(shapes, n)`, from 0 to 1."""
    begins: Array
    """The first measurement that is not at the level before."""
    ends: Array
    """The first one that is at the level after."""
    is_step: Array
    unlikely: Array
    """What a shape costs, as twice the logarithm of how much less it is expected than another."""
    white: Array
    """`(FAST, shapes, n)`: each in fast noise, made white and of size 1, without its level."""


class Found(NamedTuple):
    """What fits series of one length; each field has one number a series, and levels are in the unit of the values."""

    before: Array
    now: Array
    error: Array
    sureness: Array
    """1 where a change begins to count; negative where it goes down."""
    detectable: Array
    dof: Array
    shape: Array
    """The place of the shape in `Shapes`."""
    begins_from: Array
    begins_to: Array
    wanders: Array
    cut: Array
    """Where the level before the window begins, if it changed before the window; else 0."""
    second: Array
    """The first measurement behind a second step; 0 where there is none."""
    of_two: Array
    """How sure two steps are, whatever the level behind the second."""


class _Fits(NamedTuple):
    """How well each shape fits in each noise."""

    white: White
    left: Array
    """`(noises, series)`: the squares that a constant leaves."""
    amplitudes: Array
    """Of each shape in the fast noises, in standard deviations: `(FAST, shapes, series)`."""
    even: Array
    """Twice the log-likelihood of a constant, up to what is common to all: `(noises, series)`."""
    fitted: Array
    """The same of each shape, in the fast noises: `(FAST, shapes, series)`."""
    likely: Array
    """That in the best of these noises: `(shapes, series)`."""
    constant: Array
    """That of a constant in the best noise, slow ones included."""
    noise: Array
    """Which noise that is."""


@lru_cache(maxsize=128)
def shapes_of(count: int) -> Shapes:
    """The shapes for so many measurements, at least twice `FEWEST_ON_A_SIDE`."""
    at = np.arange(count)
    steps = np.arange(FEWEST_ON_A_SIDE, count - FEWEST_ON_A_SIDE + 1)
    places = np.unique(np.linspace(0, count - 2 * FEWEST_ON_A_SIDE, RAMPS).round().astype(int))
    starts, stops = places, count - 1 - places[1:]
    levels = np.concatenate(
        [
            np.clip(at - starts[:, None], 0, None) / (count - 1 - starts[:, None]),
            np.minimum(at / stops[:, None], 1.0),
            (at >= steps[:, None]).astype(float),
        ]
    )
    begins = np.concatenate([starts, np.zeros(len(stops), dtype=int), steps])
    ends = np.concatenate([np.full(len(starts), count - 1), stops, steps])
    white = np.moveaxis(whitened(levels, FAST).rest, 1, 2)
    white /= np.linalg.norm(white, axis=2, keepdims=True)
    is_step, late = np.arange(len(levels)) >= len(levels) - len(steps), (levels >= 1 / 2).sum(axis=1)
    unlikely = COST_OF_A_SHORT_SIDE / np.minimum(late, count - late)
    return Shapes(levels, begins, ends, is_step, unlikely, white)


@lru_cache(maxsize=512)
def noises_of(count: int) -> Noises:
    """The filter of each noise for so many measurements: the beginning of that for more."""
    scales, gains, constant = (each[:, :count] for each in _filters_of(-(-count // LONG) * LONG))
    counts = np.minimum((constant**2).sum(axis=1, keepdims=True), count)
    return Noises(scales, gains, constant, counts, -2 * np.log(scales).sum(axis=1, keepdims=True))


@lru_cache(maxsize=4)
def _filters_of(count: int) -> tuple[Array, Array, Array]:
    correlation, part = np.array(NOISES).T[:, :, None]
    scales, gains = np.empty((len(NOISES), count)), np.empty((len(NOISES), count))
    unknown = part  # the variance of correlated noise, given the measurements before
    for at in range(count):
        spread = unknown + 1 - part
        scales[:, [at]], gains[:, [at]] = 1 / np.sqrt(spread), unknown / spread
        unknown = correlation**2 * unknown * (1 - unknown / spread) + part * (1 - correlation**2)
    return scales, gains, _filtered(np.ones((1, count)), scales, gains)[:, :, 0]


def whitened(values: Array, kinds: int = len(NOISES)) -> White:
    """Series of one length, `(series, n)`, in each of the first kinds of noise."""
    noises = noises_of(values.shape[1])
    made = _filtered(values, noises.scales[:kinds], noises.gains[:kinds])
    constant = noises.constant[:kinds]
    level = np.einsum("kn,kns->ks", constant, made) / (constant**2).sum(axis=1, keepdims=True)
    made -= constant[:, :, None] * level[:, None]
    return White(made, level)


def _filtered(values: Array, scales: Array, gains: Array) -> Array:
    """`(noises, n, series)`: by how much each measurement differs from what those before it predict, in standard
    deviations of that. A Kalman filter: its cost grows with n, that of the matrices of correlation with its cube.
    """
    correlation = np.array(NOISES)[: len(scales), :1]
    lasts = (correlation * gains).T[:, :, None]
    differences: Array = np.empty((len(lasts), len(scales), len(values)))
    expected = np.zeros(differences.shape[1:])
    for measured, differs, last in zip(values.T, differences, lasts, strict=True):
        np.subtract(measured, expected, out=differs)
        expected *= correlation
        expected += last * differs
    white: Array = np.moveaxis(differences, 0, 1) * scales[:, :, None]
    return white


def critical(count: int, table: Mapping[int, float] = CRITICAL) -> float:
    """What twice the logarithm of the likelihood ratio has to be for so many measurements."""
    return float(np.interp(count, tuple(table), tuple(table.values())))


def described(values: Array, errors: Array, start: int) -> Found:
    """Describe series of one length: the level at its end against the level just before a window.

    Args:
        values: `(series, n)`, oldest first, no NaN.
        errors: One standard error of each, 0 where unknown.
        start: Where the window begins. A change that was over before it is none.
    """
    shapes, need = shapes_of(values.shape[1]), critical(values.shape[1])
    near, least = clipped(values), _rounding(values)
    no_place = _no_places(values)
    fits = _fits(near, shapes, least)
    at_first = shapes.levels[:, max(start - 1, 0)]  # every shape ends at 1
    is_still = shapes.ends < start
    moving = np.where(is_still[:, None], -np.inf, fits.likely)
    best = moving.max(axis=0)
    ratio = np.maximum(best - fits.constant, 0.0)
    still = np.where(is_still[:, None], fits.likely, -np.inf)
    plain = np.where(is_still[:, None], -np.inf, fits.fitted[0])
    alone = plain.max(axis=0)
    often = two_levels(near, values, least, fewest=3) > fits.fitted[0].max(axis=0)
    often |= _returns(values, near, shapes, fits.likely.argmax(axis=0))
    switching = often | (two_levels(near, values, least) > alone)
    cut = np.where(often, 0, _cut(still, np.maximum(best, fits.constant + need), shapes)) if start else no_place
    by_chance = np.maximum(alone - fits.even[0], 0.0)
    usual = int(np.argmax(shapes.is_step & (shapes.begins == _usual(start, values.shape[1])))) if start else FULL
    is_sure = (ratio >= need) & ~switching
    wanders = ~is_sure & (by_chance >= need)
    shape = np.where(is_sure, _chosen(moving), np.where(wanders, plain.argmax(axis=0), usual))
    change, scatter, level, dof = _sized(fits, shapes.levels[shape], np.where(is_sure, ANY, fits.noise))
    by_errors = _by_errors(errors, shapes, shape)
    # Stored errors only make a change less certain.
    error = np.maximum(scatter, by_errors)
    by_errors_alone = _ratio_of(change, by_errors, values.shape[1])
    before, now = level + change * at_first[shape], level + change
    lasts = (
        np.abs(np.median(values[:, -min(WIDTH, values.shape[1] - start) :], axis=1) - before)
        >= np.abs(now - before) / 2
    )
    sureness = np.sign(now - before) * np.sqrt(np.minimum(ratio, by_errors_alone) / need)
    first, last = _dates(moving, shapes, shape)
    detectable = _detectable(fits, shapes, usual, need)
    at_least = (np.sqrt(need) + 1) * _by_errors(errors, shapes, np.full(len(values), usual))
    found = Found(
        before,
        now,
        error * (1 - at_first[shape]),
        np.where(switching | (is_sure & ~lasts), 0.0, sureness),
        np.maximum(detectable, at_least),
        dof,
        shape,
        first,
        last,
        wanders,
        cut,
        no_place.copy(),
        np.zeros(len(values)),
    )
    unsure = np.flatnonzero(~is_sure & ~often & (cut == 0))
    return _with_two_steps(found, unsure, fits, (near, errors, least), start) if len(unsure) else found


def _sized(fits: _Fits, levels: Array, noise: Array) -> tuple[Array, Array, Array, Array]:
    """The size of a shape of each series, its standard error, the level it starts from, and its degrees of freedom, in
    this noise.

    In `ANY` these are averages over the first `SIZED_IN` kinds, weighed by the restricted likelihood of each beside the
    shape: few measurements do not tell the kinds apart.
    """
    count = levels.shape[1]
    noises, shape = noises_of(count), whitened(levels)
    size, changes, rest = _beside(fits, shape)
    starts = fits.white.level - changes * shape.level
    variances = rest / (count - 2) / size**2
    likely = -(count - 2) * np.log(rest) - noises.costs - np.log(noises.counts * size**2)
    likely[SIZED_IN:] = -np.inf
    weights = np.exp((likely - likely.max(axis=0)) / 2)
    weights = np.where(noise == ANY, weights / weights.sum(axis=0), noise == np.arange(len(NOISES))[:, None])
    change, level, independent = ((weights * each).sum(axis=0) for each in (changes, starts, noises.counts))
    error = np.sqrt((weights * (variances + (changes - change) ** 2)).sum(axis=0))
    return change, error, level, np.maximum(independent.astype(int) - 2, 1)


def _beside(fits: _Fits, shape: White) -> tuple[Array, Array, Array]:
    """Of one shape for each series, or one for all, in each noise: its size, by which the standard deviation of its
    amplitude is smaller than that of the noise; its amplitude; and the squares that it leaves.
    """
    size = np.linalg.norm(shape.rest, axis=1)
    explained = (shape.rest * fits.white.rest).sum(axis=1) / size
    return size, explained / size, np.maximum(fits.left - explained**2, 1e-12 * fits.left)


def _with_two_steps(found: Found, unsure: Array, fits: _Fits, given: tuple[Array, ...], start: int) -> Found:
    """What one step or slope does not describe, but two steps do: from the level before the first to that behind the
    second. Where the first was before the window, the level before the window begins there.
    """
    (near, errors, least), count = given, given[0].shape[1]
    shapes = shapes_of(count)
    if count < FEWEST_FOR_TWO:
        return found
    need = critical(count, CRITICAL_OF_TWO)
    ratio, likely, first, second = two_steps(fits, unsure, shapes)
    is_found = (ratio >= need) & (likely > two_levels(near[unsure], near[unsure], least[unsure], fewest=3))
    for series, one, two, sure in zip(*(each[is_found] for each in (unsure, first, second, ratio)), strict=True):
        if one < start:
            found.cut[series] = two if two < start else one
            continue
        pieces = near[series, :one], near[series, one:two], near[series, two:]
        rest = np.concatenate([piece - piece.mean() for piece in pieces])
        scatter, stored = np.sqrt((rest @ rest) / (count - 3)), np.median(errors[series])
        before, now = pieces[0].mean(), pieces[2].mean()
        error = max(scatter, stored) * np.sqrt(1 / one + 1 / (count - two))
        certain = min(sure, float(_ratio_of(now - before, error, count)))
        values = (before, now, error, np.sign(now - before) * np.sqrt(certain / need))
        for of_all, value in zip((found.before, found.now, found.error, found.sureness), values, strict=True):
            of_all[series] = value
        found.dof[series], found.wanders[series], found.second[series] = count - 3, False, two
        found.of_two[series] = np.sqrt(sure / need)
        found.shape[series] = np.argmax(shapes.is_step & (shapes.begins == one))
        found.begins_from[series], found.begins_to[series] = one, one
    return found


def two_steps(fits: _Fits, some: Array, shapes: Shapes) -> tuple[Array, Array, Array, Array]:
    """Of some of the series: twice the logarithm of the likelihood ratio of the best two steps and the best noise, the
    likelihood of these steps in white noise, and their places.
    """
    one, two, alike, unlikely = _pairs(len(shapes.levels[0]))
    count = shapes.levels.shape[1]
    first, second = (fits.amplitudes[:, which][:, :, some] for which in (one, two))  # (FAST, pairs, series)
    gained = (first**2 + second**2 - 2 * alike[:, :, None] * first * second) / (1 - alike[:, :, None] ** 2)
    part = np.minimum(gained / fits.left[:FAST, None, some], 1 - 1e-12)
    likely = fits.even[:FAST, None, some] - count * np.log1p(-part)
    likely -= (np.array(COST_BESIDE_A_CHANGE)[:, None] + unlikely)[:, :, None]
    best = likely.max(axis=0)
    place = best.argmax(axis=0)
    ratio = np.maximum(best.max(axis=0) - fits.constant[some], 0.0)
    return ratio, likely[0].max(axis=0), shapes.begins[one[place]], shapes.begins[two[place]]


@lru_cache(maxsize=32)
def _pairs(count: int) -> tuple[Array, Array, Array, Array]:
    """Two steps each: their shapes, how alike these are in each fast noise, and what the pair costs."""
    shapes = shapes_of(count)
    steps = np.flatnonzero(shapes.is_step)
    steps = steps[:: -(-len(steps) // MOST_PLACES)]
    first, second = np.triu_indices(len(steps), 1)
    one, two = steps[first], steps[second]
    at, later = shapes.begins[one], shapes.begins[two]
    far = later - at >= FEWEST_BETWEEN
    one, two, at, later = (each[far] for each in (one, two, at, later))
    alike = (shapes.white[:, one] * shapes.white[:, two]).sum(axis=2)
    shortest = np.minimum(np.minimum(at, later - at), count - later)
    return one, two, alike, COST_OF_A_SHORT_SIDE / shortest


def ratios(values: Array, start: int = 0) -> Array:
    """Of series of one length, twice the logarithm of the likelihood ratio of the best change and the best noise; 0
    where two levels that the series switches between fit better. What `critical` is to be compared with.
    """
    shapes, near, least = shapes_of(values.shape[1]), clipped(values), _rounding(values)
    fits, is_still = _fits(near, shapes, least), shapes.ends < start
    alone = fits.fitted[0][~is_still].max(axis=0)
    found: Array = np.maximum(fits.likely[~is_still].max(axis=0) - fits.constant, 0.0)
    found[two_levels(near, values, least) > alone] = 0.0
    return found


def ratios_of_two(values: Array) -> Array:
    """The same of two steps; what `CRITICAL_OF_TWO` is made of."""
    shapes, near, least = shapes_of(values.shape[1]), clipped(values), _rounding(values)
    ratio, likely, _, _ = two_steps(_fits(near, shapes, least), np.arange(len(values)), shapes)
    ratio[two_levels(near, near, least, fewest=3) > likely] = 0.0
    return ratio


def _fits(near: Array, shapes: Shapes, least: Array) -> _Fits:
    count, white = near.shape[1], whitened(near)
    left = np.square(white.rest).sum(axis=1) + least
    amplitudes = shapes.white @ white.rest[:FAST]
    even = -count * np.log(left) - noises_of(count).costs
    gains = -count * np.log1p(-np.minimum(amplitudes**2 / left[:FAST, None], 1 - 1e-12))
    fitted = even[:FAST, None] + gains - (np.array(COST_BESIDE_A_CHANGE)[:, None] + shapes.unlikely)[:, :, None]
    weighed = even - _slow_costs()
    noise = weighed.argmax(axis=0)
    return _Fits(white, left, amplitudes, even, fitted, fitted.max(axis=0), weighed.max(axis=0), noise)


def clipped(values: Array) -> Array:
    """Values within `CLIPPED_FROM` standard deviations of the median of `WIDTH` neighbours, so that none is wild."""
    middle = _running_median(values)
    away = values - middle
    # Beside the median of five, of which it is one, a value of Gaussian noise has 0.8 of its standard deviation.
    scatter = 1.25 * 1.4826 * np.median(np.abs(away), axis=1, keepdims=True)
    most = CLIPPED_FROM * np.where(scatter > 0, scatter, 1.25 * np.abs(away).mean(axis=1, keepdims=True))
    near: Array = middle + np.clip(away, -most, most)
    return near


def two_levels(near: Array, values: Array, least: Array, *, fewest: int = 2) -> Array:
    """Twice the log-likelihood, up to a constant, of white noise about two levels with so many switches or more."""
    count, is_high = values.shape[1], _is_high(values)
    rest = np.zeros(near.shape)
    for group in (is_high, ~is_high):
        level = (near * group).sum(axis=1) / np.maximum(group.sum(axis=1), 1)
        rest += np.where(group, near - level[:, None], 0.0)
    switched = (is_high[:, 1:] != is_high[:, :-1]).sum(axis=1)
    fit = -count * np.log((rest**2).sum(axis=1) + least)
    likely: Array = np.where(switched >= fewest, fit - COST_OF_A_SWITCH * np.log(count) * (switched - 1), -np.inf)
    return likely


def switches(values: Array) -> tuple[Array, float]:
    """The first measurement behind each switch of one series between two levels, and how sure they are; none where
    another description is as good. They are as sure as a change is.
    """
    near, need, least = clipped(values[None]), critical(len(values)), _rounding(values[None])
    fits, likely = _fits(near, shapes_of(len(values)), least), two_levels(near, values[None], least)[0]
    ratio = likely - max(fits.constant[0], fits.fitted[0].max())
    if likely - fits.constant[0] < need or ratio <= 0:
        return np.array([], dtype=int), 0.0
    places: Array = np.flatnonzero(np.diff(_is_high(values[None])[0])) + 1
    return places, float(np.sqrt((likely - fits.constant[0]) / need))


def _returns(values: Array, near: Array, shapes: Shapes, shape: Array) -> Array:
    """Whether several values beside a step are at the level on its other side: short visits, hidden by neighbours."""
    is_late = shapes.levels[shape] >= 1 / 2
    levels = [
        (near * side).sum(axis=1, keepdims=True) / side.sum(axis=1, keepdims=True) for side in (~is_late, is_late)
    ]
    own, other = np.where(is_late, *levels[::-1]), np.where(is_late, *levels)
    scatter = np.sqrt(((near - own) ** 2).mean(axis=1, keepdims=True))
    visits = (np.abs(values - other) <= AT_A_LEVEL * scatter) & (np.abs(own - other) >= APART * scatter)
    # Two side by side say more than two alone, but as visits they make the scatter larger: its mean grows by less.
    inside = MEAN_TO_SCATTER * np.abs(near - own).mean(axis=1, keepdims=True)
    away = (np.abs(values - other) <= AT_A_LEVEL * inside) & (np.abs(values - own) >= CLIPPED_FROM * inside)
    together = away[:, 1:] & away[:, :-1] & (is_late[:, 1:] == is_late[:, :-1])
    several: Array = shapes.is_step[shape] & ((visits.sum(axis=1) >= FEWEST_VISITS) | together.any(axis=1))
    return several


def _is_high(values: Array) -> Array:
    """Which running medians are in the upper group, split where the groups are narrowest (exact k-means)."""
    count, middle = values.shape[1], _running_median(values)
    ordered = np.sort(middle, axis=1)
    away = ordered - ordered.mean(axis=1, keepdims=True)
    sums, squares, below = np.cumsum(away, axis=1), np.cumsum(away**2, axis=1), np.arange(1, count)
    inside = squares[:, -1:] - sums[:, :-1] ** 2 * (1 / below + 1 / (count - below))
    place = inside.argmin(axis=1)
    is_high: Array = middle > ordered[np.arange(len(values)), place][:, None]
    return is_high


def _running_median(values: Array) -> Array:
    half = WIDTH // 2
    inner = np.median(np.lib.stride_tricks.sliding_window_view(values, WIDTH, axis=1), axis=2)
    whole: Array = np.pad(inner, ((0, 0), (half, half)), mode="edge")
    return whole


def _rounding(values: Array) -> Array:
    """The squares that rounding alone leaves, so that values which are all alike have a likelihood, and many equal ones
    are not taken for noise without scatter: what is rounded is off by the root of a twelfth of the step.
    """
    size = np.abs(values).max(axis=1, keepdims=True)
    exact = SMALL * size
    apart = np.diff(np.sort(values, axis=1), axis=1)
    step = np.where(apart > exact, apart, np.inf).min(axis=1, keepdims=True)
    step = np.where(np.isfinite(step), step, 0.0)
    place = 10.0 ** np.floor(np.log10(size + 1e-150)) / 10.0**MOST_DIGITS
    for _ in range(MOST_DIGITS + 1):  # the digits that the values are told with say more than their differences
        is_told = (np.abs(values - place * np.rint(values / place)) <= exact).all(axis=1, keepdims=True)
        step = np.where(is_told & (step > 0), place, step)
        place = np.where(is_told, place * 10, np.nan)
    least: Array = values.shape[1] * np.maximum(step**2 / 12, (exact + 1e-150) ** 2)[:, 0]
    return least


def _no_places(values: Array) -> Array:
    places: Array = np.zeros(len(values), dtype=int)
    return places


def _slow_costs() -> Array:
    costs: Array = np.where(np.arange(len(NOISES)) < FAST, 0.0, COST_OF_SLOW_NOISE)[:, None]
    return costs


def _chosen(likely: Array) -> Array:
    """The best shape; of slopes the even one, where it is nearly as good."""
    preferred = likely.copy()
    preferred[FULL] += NEARLY_AS_GOOD
    best: Array = preferred.argmax(axis=0)
    return best


def _cut(still: Array, others: Array, shapes: Shapes) -> Array:
    """Where the level before the window begins, if a change before it says more than any other description."""
    best = still.argmax(axis=0)
    is_best = still.max(axis=0) > others + NEARLY_AS_GOOD
    cut: Array = np.where(is_best, shapes.ends[best], 0)
    return cut


def _usual(start: int, count: int) -> int:
    return int(np.clip(start, FEWEST_ON_A_SIDE, count - FEWEST_ON_A_SIDE))


def _ratio_of(change: Array, error: Array, count: int) -> Array:
    """Twice the logarithm of the likelihood ratio of a change with this standard error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = np.where(change == 0, 0.0, count * np.log1p((change / error) ** 2 / (count - 2)))
    return found


def _by_errors(errors: Array, shapes: Shapes, shape: Array) -> Array:
    """The standard error that a change has by the stored errors alone: by the median one on either side of its middle,
    so that a single absurd error says nothing.
    """
    found = np.zeros(len(errors))
    if not errors.any():
        return found
    is_late = shapes.levels[shape] >= 1 / 2
    for side in (is_late, ~is_late):
        ordered = np.sort(np.where(side, errors, np.inf), axis=1)
        count = side.sum(axis=1)
        middle = ordered[np.arange(len(errors)), (count - 1) // 2]
        found += middle**2 / count
    slope = np.where(shapes.is_step[shape], 1.0, 3.0)  # 12 / n of a line against 4 / n of a step in the middle
    error: Array = np.sqrt(found * slope)
    return error


def _dates(moving: Array, shapes: Shapes, shape: Array) -> tuple[Array, Array]:
    """From which measurement to which the change may have begun."""
    alike = shapes.is_step[:, None] == shapes.is_step[shape]
    alike &= moving >= moving[shape, np.arange(moving.shape[1])] - DATES_WITHIN
    first = np.where(alike, shapes.begins[:, None], len(moving)).min(axis=0)
    last = np.where(alike, shapes.begins[:, None], -1).max(axis=0)
    return np.minimum(first, shapes.begins[shape]), np.maximum(last, shapes.begins[shape])


def _detectable(fits: _Fits, shapes: Shapes, usual: int, need: float) -> Array:
    """The smallest change of one shape that would be found beside this very noise, the way that is harder to see."""
    count, costs = shapes.levels.shape[1], noises_of(shapes.levels.shape[1]).costs
    size, change, rest = _beside(fits, whitened(shapes.levels[[usual]]))
    beside = (-count * np.log(rest) - costs)[:FAST] - np.array(COST_BESIDE_A_CHANGE)[:, None]
    beside -= shapes.unlikely[usual]
    sizes = np.sqrt(fits.left.min(axis=0) / count)[:, None] * np.geomspace(0.1, 300, 80)  # (series, tried)
    grown = ((sizes - np.abs(change)[:, :, None]) * size[:, :, None]) ** 2
    even = -count * np.log(rest[:, :, None] + grown) - (costs + _slow_costs())[:, :, None]
    is_found = beside.max(axis=0)[:, None] - even.max(axis=0) >= need
    # The first from which on all larger ones are found.
    place = is_found.shape[1] - np.argmin(is_found[:, ::-1], axis=1)
    place = np.where(is_found.all(axis=1), 0, place)
    found: Array = np.where(
        place < is_found.shape[1], sizes[np.arange(len(sizes)), np.minimum(place, is_found.shape[1] - 1)], np.inf
    )
    return found

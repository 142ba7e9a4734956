"""Which description of a series fits best: an even level, steps and slopes, or two levels it switches between.

Each is compared as a generalised least-squares fit in noise whose correlation is estimated from the same series. All of
a series is described, whatever is asked about; a window is where the description is read. Why:
docs/decisions/0059-one-test-of-change.md. `bench/change.py` measures what is found and what is named by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

CRITICAL = {
    6: 20.7,
    7: 27.6,
    8: 22.8,
    9: 26.7,
    10: 21.6,
    11: 23.4,
    12: 20.7,
    13: 22.4,
    14: 20.8,
    15: 21.6,
    20: 22.9,
    25: 22.6,
    30: 21.0,
    40: 18.3,
    50: 17.7,
    60: 18.5,
    75: 19.0,
    90: 20.7,
    120: 21.2,
    150: 22.6,
    200: 25.0,
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
    60: 31.6,
    75: 31.9,
    90: 33.1,
    120: 40.0,
    150: 39.6,
    200: 39.8,
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
SLOW_COSTS: Array = np.where(np.arange(len(NOISES)) < FAST, 0.0, COST_OF_SLOW_NOISE)[:, None]

COST_BESIDE_A_CHANGE = (0.0, 4.0, 10.0)
"""The same of each fast kind beside a change, so that a step through noise that wanders is not taken for one."""

COST_OF_A_SHORT_SIDE = 18.0
"""The same of a change, over the number of measurements on its shorter side: few may be wild together."""

NEARLY_AS_GOOD = 4.0
"""Twice a difference of log-likelihoods that does not decide between an even slope and a broken one, nor between a
change in the window and one that was over before it.
"""

MOST_CHANGES = 4
"""Steps and slopes that one description has."""

MOST_SLOPES = 16
"""Slopes whose sizes are averaged: those that are likely."""

A_PART = 3.4
"""Standard errors from which on a slope that began before the window goes on in it."""

CAME_BACK = 0.25
"""A change that ends within this part of itself from a level before the one it began at led back there."""

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
"""Measurements needed between two changes: three of five neighbours may be wild."""

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

RAMPS = 18
"""Places where a slope may begin, and where it may end, evenly spaced."""

COST_OF_AN_END = 8.0
"""What a slope costs that ended before the last measurement, as twice the logarithm of how much less it is expected:
about the square of the number of places where it may have ended. Noise that wanders looks like such slopes.
"""

FULL, NONE = 0, -1
"""The shape of an even slope from the first measurement to the last, and no shape."""


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
    middles: Array
    """The first measurement that is nearer to the level after."""
    shortest: Array
    """How many measurements are on the shorter side of that."""
    unlikely: Array
    """What a shape costs for what it is, as twice the logarithm of how much less it is expected than another."""
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
    """The place of the shape in `Shapes`; of several in the window, the first."""
    begins_from: Array
    begins_to: Array
    wanders: Array
    level_from: Array
    """Where the level before the change begins: behind the changes before it."""
    steps: Array
    """`(series, MOST_CHANGES)`: the first measurement behind each step of all the series; 0 where there is none."""
    of_steps: Array
    """How sure the surest of these is."""


class _Segments(NamedTuple):
    """What describes each series: shapes that add up."""

    chosen: Array
    """`(series, MOST_CHANGES)`: their places in `Shapes`; `NONE` where there is none."""
    sure: Array
    """The same of how sure each is, beside the others: the ratio of likelihoods over what it has to be."""
    switching: Array
    """Whether two levels that it switches between are the better description."""
    first: Array
    """The first that is not over before the window; `NONE` where there is none."""


class _Size(NamedTuple):
    """How much shapes that add up change since before a window, and the level there."""

    change: Array
    before: Array
    error: Array
    dof: Array
    amplitudes: Array
    level: Array
    """That before the first of them."""


class _Fits(NamedTuple):
    """How well each shape fits in each noise, beside the shapes that are given."""

    white: White
    rest: Array
    """`(noises, n, series)`: what the given shapes leave."""
    given: list[Array]
    """These shapes, made white, of size 1 and at right angles: `(noises, n, series)` each."""
    least: Array
    """The squares that rounding leaves."""
    left: Array
    """`(noises, series)`: the squares of the rest."""
    amplitudes: Array
    """Of each shape in the fast noises, in standard deviations: `(FAST, shapes, series)`."""
    even: Array
    """Twice the log-likelihood without a further shape, up to what is common to all: `(noises, series)`."""
    fitted: Array
    """The same of each shape, in the fast noises: `(FAST, shapes, series)`."""
    likely: Array
    """That in the best of these noises: `(shapes, series)`."""
    constant: Array
    """That without one in the best noise, slow ones included."""
    noise: Array
    """Which noise that is."""


@lru_cache(maxsize=128)
def shapes_of(count: int) -> Shapes:
    """The shapes for so many measurements, at least twice `FEWEST_ON_A_SIDE`."""
    at = np.arange(count)
    steps = np.arange(FEWEST_ON_A_SIDE, count - FEWEST_ON_A_SIDE + 1)
    places = np.unique(np.linspace(0, count - 2 * FEWEST_ON_A_SIDE, RAMPS).round().astype(int))
    starts, stops = (each.ravel() for each in np.meshgrid(places, count - 1 - places, indexing="ij"))
    long = stops - starts >= FEWEST_BETWEEN
    begins, ends = np.concatenate([starts[long], steps]), np.concatenate([stops[long], steps])
    is_step = begins == ends
    lasts = np.where(is_step, 1, ends - begins)[:, None]
    levels = np.clip((at - begins[:, None] + is_step[:, None]) / lasts, 0.0, 1.0)
    white = np.moveaxis(whitened(levels, FAST).rest, 1, 2)
    white /= np.linalg.norm(white, axis=2, keepdims=True)
    middles = (levels < 1 / 2).sum(axis=1)
    unlikely = COST_OF_AN_END * (~is_step & (ends < count - 1))
    return Shapes(levels, begins, ends, is_step, middles, np.minimum(middles, count - middles), unlikely, white)


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
    """Describe series of one length, and read the level at the end against the level just before a window.

    Args:
        values: `(series, n)`, oldest first, no NaN.
        errors: One standard error of each, 0 where unknown.
        start: Where the window begins. A change that was over before it is none.
    """
    shapes, near, least = shapes_of(values.shape[1]), clipped(values), rounding(values)
    fits = fits_of(near, shapes, least)
    segments = _segments(values, near, fits, start)
    others = np.where(segments.chosen == segments.first[:, None], NONE, segments.chosen)
    is_alone = (others == NONE).all(axis=1)
    groups, parts = [], []
    for some in (np.flatnonzero(is_alone), np.flatnonzero(~is_alone)):
        if len(some):
            beside = _of_some(fits, some)
            if not is_alone[some[0]]:
                beside = fits_of(near[some], shapes, least[some], others[some])
            described_by = _Segments(*(each[some] for each in segments))
            parts.append(_read(values[some], errors[some], beside, described_by, start))
            groups.append(some)
    order = np.argsort(np.concatenate(groups))
    return Found(*(np.concatenate(each)[order] for each in zip(*parts, strict=True)))


def _read(values: Array, errors: Array, fits: _Fits, segments: _Segments, start: int) -> Found:
    """What descriptions say of a window; the fits are beside all shapes but the first in it."""
    count, chosen, first = values.shape[1], segments.chosen, segments.first
    shapes, need = shapes_of(count), critical(count)
    is_there, is_still = first != NONE, shapes.ends < start
    moving, plain = (np.where(is_still[:, None], -np.inf, one) for one in (fits.likely, fits.fitted[0]))
    ratio = np.maximum(moving.max(axis=0) - fits.constant, 0.0)
    several = ((chosen != NONE) & ~is_still[chosen]).sum(axis=1) > 1
    is_sure = is_there & (several | (ratio >= need))
    wanders = ~is_sure & (plain.max(axis=0) - fits.even[0] >= need)
    in_sight = np.clip(start, FEWEST_ON_A_SIDE, count - FEWEST_ON_A_SIDE)
    usual = int(np.argmax(shapes.is_step & (shapes.begins == in_sight))) if start else FULL
    shape = np.where(is_sure, first, np.where(wanders, plain.argmax(axis=0), usual))
    columns = np.column_stack([shape, np.where(chosen == first[:, None], NONE, chosen)])
    columns = columns[:, (columns != NONE).any(axis=0)]
    used, still = columns != NONE, (columns != NONE) & is_still[columns]
    size = _sized(fits, shapes, columns, start, np.where(is_sure, ANY, fits.noise))
    slopes = np.flatnonzero(is_sure & ~several & ~shapes.is_step[shape])
    if len(slopes):
        of_slopes = _sized_as_any_slope(_of_some(fits, slopes), shapes, columns[slopes], moving[:, slopes], start)
        for of_all, of_some in zip(size, of_slopes, strict=True):
            of_all[slopes] = of_some
    before, change, now = size.before, size.change, size.before + size.change
    # Stored errors only make a change less certain.
    by_errors = _by_errors(errors, shapes, shape)
    error = np.maximum(size.error, by_errors * (1 - shapes.levels[shape, max(start - 1, 0)]))
    alone = np.minimum(ratio, _ratio_of(size.amplitudes[:, 0], by_errors, count))
    inside = need * np.square(change / np.where(shapes.begins[shape] < start, A_PART * error, np.nan))
    together = np.minimum(segments.sure.max(axis=1) * need, _ratio_of(change, error, count))
    certain = np.where(several, together, np.fmin(alone, inside))
    lasts = np.abs(np.median(values[:, -min(WIDTH, count - start) :], axis=1) - before) >= np.abs(change) / 2
    begins = shapes.begins[columns]
    earlier = (begins[:, None, :] < begins[:, :, None]) & still[:, None, :]
    former = size.level[:, None] + (earlier * size.amplitudes[:, None, :]).sum(axis=2)
    back = is_sure & (still & (np.abs(now[:, None] - former) <= CAME_BACK * np.abs(change)[:, None])).any(axis=1)
    is_none = back | (is_sure & ~lasts) | (~is_there & (ratio >= need)) | segments.switching
    earliest, latest = _dates(moving, shapes, shape)
    is_step = (chosen != NONE) & shapes.is_step[chosen]
    detectable = _detectable(fits, shapes, usual, need)
    at_least = (np.sqrt(need) + 1) * _by_errors(errors, shapes, np.full(len(values), usual))
    return Found(
        before,
        now,
        error,
        np.where(is_none, 0.0, np.sign(change) * np.sqrt(certain / need)),
        np.maximum(detectable, at_least),
        size.dof,
        shape,
        earliest,
        latest,
        wanders | back,
        np.where(used & (begins < begins[:, :1]), shapes.ends[columns], 0).max(axis=1),
        np.where(is_step, shapes.begins[chosen], 0),
        np.sqrt(np.where(is_step, segments.sure, 0.0).max(axis=1)),
    )


def _segments(values: Array, near: Array, fits: _Fits, start: int) -> _Segments:
    """Describe each series: by the best shape or the best two steps, and by each further shape that is as sure beside
    them, after which those before it are chosen again.
    """
    count, series, three = values.shape[1], len(values), two_levels(near, values, fits.least, fewest=3)
    shapes, need, alone = shapes_of(count), critical(count), fits.fitted[0].max(axis=0)
    chosen, sure = np.full((series, MOST_CHANGES), NONE), np.zeros((series, MOST_CHANGES))
    often = (three > alone) | _returns(values, near, shapes, fits.likely.argmax(axis=0))
    twice = two_levels(near, values, fits.least) > alone
    ratio = fits.likely.max(axis=0) - fits.constant
    is_one = (ratio >= need) & ~often & ~twice
    chosen[is_one, 0], sure[is_one, 0] = _best(fits, shapes, start)[is_one], ratio[is_one] / need
    some = np.flatnonzero(~often)
    if count >= FEWEST_FOR_TWO and len(some):
        of_two = critical(count, CRITICAL_OF_TWO)
        both, likely, *pair = two_steps(fits, some, shapes)
        is_pair = np.where(is_one[some], both - ratio[some] >= need, both >= of_two) & (likely > three[some])
        chosen[some[is_pair], :2] = np.column_stack(pair)[is_pair]
        sure[some[is_pair], :2] = both[is_pair, None] / of_two
    growing = np.flatnonzero(chosen[:, 0] != NONE)
    while len(growing):
        beside = fits_of(near[growing], shapes, fits.least[growing], chosen[growing])
        ratio = beside.likely.max(axis=0) - beside.constant
        more = (ratio >= need) & (beside.fitted[0].max(axis=0) > three[growing])
        more &= (chosen[growing] == NONE).any(axis=1)
        growing, slot = growing[more], (chosen[growing[more]] == NONE).argmax(axis=1)
        chosen[growing, slot], sure[growing, slot] = _best(beside, shapes, start)[more], ratio[more] / need
        for place in range(MOST_CHANGES if len(growing) else 0):
            again = growing[chosen[growing, place] != NONE]
            if len(again):
                others = np.where(np.arange(MOST_CHANGES) == place, NONE, chosen[again])
                beside = fits_of(near[again], shapes, fits.least[again], others)
                chosen[again, place] = _best(beside, shapes, start)
    is_moving = (chosen != NONE) & (shapes.ends[chosen] >= start)
    which = np.where(is_moving, shapes.begins[chosen], count).argmin(axis=1)
    first = np.where(is_moving.any(axis=1), chosen[np.arange(series), which], NONE)
    return _Segments(chosen, sure, often | (twice & (chosen == NONE).all(axis=1)), first)


def _best(fits: _Fits, shapes: Shapes, start: int) -> Array:
    """The best of each series; of those nearly as good, one that is not over before the window, and the even slope."""
    preferred = fits.likely + NEARLY_AS_GOOD * (shapes.ends >= start)[:, None]
    preferred[FULL] += NEARLY_AS_GOOD
    best: Array = preferred.argmax(axis=0)
    return best


def _sized_as_any_slope(fits: _Fits, shapes: Shapes, columns: Array, likely: Array, start: int) -> _Size:
    """The average over slopes in place of the first shape, by their likelihoods: one that ended lately and one that did
    not differ in size, and are hardly told apart.
    """
    series = len(columns)
    likely = np.where(shapes.is_step[:, None], -np.inf, likely + shapes.unlikely[:, None])
    slopes = np.argsort(-likely, axis=0)[:MOST_SLOPES]
    weights = np.exp((np.take_along_axis(likely, slopes, axis=0) - likely.max(axis=0)) / 2)
    weights /= weights.sum(axis=0)
    rows = np.tile(np.arange(series), len(slopes))
    columns = np.column_stack([slopes.ravel(), columns[rows, 1:]])
    sized = _sized(_of_some(fits, rows), shapes, columns, start, np.full(len(rows), ANY))
    each = _Size(*(one.reshape(len(slopes), series, *one.shape[1:]) for one in sized))
    found = _Size(*((weights.reshape(weights.shape + (1,) * (one.ndim - 2)) * one).sum(axis=0) for one in each))
    error = np.sqrt((weights * (each.error**2 + (each.change - found.change) ** 2)).sum(axis=0))
    return found._replace(error=error, dof=found.dof.astype(int))


def _sized(fits: _Fits, shapes: Shapes, columns: Array, start: int, noise: Array) -> _Size:
    """How much shapes of each series that add up change since before a window, in this noise.

    In `ANY` these are averages over the first `SIZED_IN` kinds, weighed by the restricted likelihood of each beside the
    shapes: few measurements do not tell the kinds apart.
    """
    (series, some), count, used = columns.shape, fits.rest.shape[1], columns != NONE
    at_first = np.where(used, shapes.levels[columns, max(start - 1, 0)], 0.0)
    part = used - at_first  # every shape ends at 1
    kinds = SIZED_IN if (noise == ANY).all() else len(NOISES)
    measured, level, costs, counts = (each[:kinds] for each in (*fits.white, *noises_of(count)[-2:][::-1]))
    white = whitened(shapes.levels[columns].reshape(-1, count), kinds)
    each = white.rest.reshape(kinds, count, series, some) * used
    levels = white.level.reshape(kinds, series, some) * used
    normal = np.einsum("knsi,knsj->ksij", each, each) + (~used[:, :, None]) * np.eye(some)
    explained = np.einsum("knsi,kns->ksi", each, measured)
    amplitudes = np.linalg.solve(normal, explained[..., None])[..., 0]
    left = np.square(measured).sum(axis=1) + fits.least
    rest = np.maximum(left - (amplitudes * explained).sum(axis=2), 1e-12 * left)
    free = count - 1 - used.sum(axis=1)
    spread = np.linalg.solve(normal, np.broadcast_to(part[..., None], (*normal.shape[:-1], 1)))[..., 0]
    variances = rest / free * (spread * part).sum(axis=2)
    likely = -free * np.log(rest) - costs - np.log(counts * np.linalg.det(normal))
    likely[SIZED_IN:] = -np.inf
    weights = np.exp((likely - likely.max(axis=0)) / 2)
    weights = np.where(noise == ANY, weights / weights.sum(axis=0), noise == np.arange(kinds)[:, None])
    changes, starts = (amplitudes * part).sum(axis=2), level - (amplitudes * levels).sum(axis=2)
    change, level, independent = ((weights * one).sum(axis=0) for one in (changes, starts, counts))
    error = np.sqrt((weights * (variances + (changes - change) ** 2)).sum(axis=0))
    dof = np.maximum(independent.astype(int) - 1 - used.sum(axis=1), 1)
    average = (weights[:, :, None] * amplitudes).sum(axis=0)
    return _Size(change, level + (average * at_first).sum(axis=1), error, dof, average, level)


def two_steps(fits: _Fits, some: Array, shapes: Shapes) -> tuple[Array, Array, Array, Array]:
    """Of some of the series: twice the logarithm of the likelihood ratio of the best two steps and the best noise, the
    likelihood of these steps in white noise, and which they are.
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
    return ratio, likely[0].max(axis=0), one[place], two[place]


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


def fits_of(near: Array, shapes: Shapes, least: Array, given: Array | None = None) -> _Fits:
    """Fit each shape to each series: beside those that are given, `(series, some)`, which are kept apart from."""
    count, white, basis = near.shape[1], whitened(near), list[Array]()
    rest, room, taken = white.rest, shapes.shortest[:, None], np.zeros((FAST, len(shapes.levels), 1))
    for which in () if given is None else given.T[(given != NONE).any(axis=0)]:
        column = whitened(shapes.levels[which]).rest * (which != NONE)
        for other in basis:
            column -= other * (other * column).sum(axis=1, keepdims=True)
        column /= np.maximum(np.linalg.norm(column, axis=1, keepdims=True), SMALL)
        basis.append(column)
        rest = rest - column * (column * rest).sum(axis=1, keepdims=True)
        taken = taken + (shapes.white @ column[:FAST]) ** 2
        apart = np.where(which == NONE, count, np.abs(shapes.middles[:, None] - shapes.middles[which]))
        room = np.minimum(room, np.where(apart < FEWEST_BETWEEN, 0, apart))
    left = np.square(rest).sum(axis=1) + least
    amplitudes = (shapes.white @ rest[:FAST]) / np.sqrt(np.maximum(1 - taken, SMALL))
    even = -count * np.log(left) - noises_of(count).costs
    gains = -count * np.log1p(-np.minimum(amplitudes**2 / left[:FAST, None], 1 - 1e-12))
    unlikely = shapes.unlikely[:, None] + np.where(room > 0, COST_OF_A_SHORT_SIDE / np.maximum(room, 1), np.inf)
    fitted = even[:FAST, None] + gains - (np.array(COST_BESIDE_A_CHANGE)[:, None, None] + unlikely)
    weighed = even - SLOW_COSTS
    constant, noise = weighed.max(axis=0), weighed.argmax(axis=0)
    return _Fits(white, rest, basis, least, left, amplitudes, even, fitted, fitted.max(axis=0), constant, noise)


def _of_some(fits: _Fits, some: Array) -> _Fits:
    """Those of some of the series."""
    white, given = White(*(one[..., some] for one in fits.white)), [one[..., some] for one in fits.given]
    return _Fits(white, fits.rest[..., some], given, *(one[..., some] for one in fits[3:]))


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
    near, need, least = clipped(values[None]), critical(len(values)), rounding(values[None])
    fits, likely = fits_of(near, shapes_of(len(values)), least), two_levels(near, values[None], least)[0]
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
    """Which running medians are in the upper group."""
    middle = _running_median(values)
    is_high: Array = middle > split_in_two(middle)[0][:, None]
    return is_high


def split_in_two(values: Array) -> tuple[Array, Array]:
    """Of each series the largest value of the lower of two groups, split where they are narrowest (exact k-means), and
    the sum of squares inside them.
    """
    count, ordered = values.shape[1], np.sort(values, axis=1)
    away = ordered - ordered.mean(axis=1, keepdims=True)
    sums, squares, below = np.cumsum(away, axis=1), np.cumsum(away**2, axis=1), np.arange(1, count)
    inside = squares[:, -1:] - sums[:, :-1] ** 2 * (1 / below + 1 / (count - below))
    at = np.arange(len(values)), inside.argmin(axis=1)
    return ordered[at], inside[at]


def _running_median(values: Array) -> Array:
    half = WIDTH // 2
    inner = np.median(np.lib.stride_tricks.sliding_window_view(values, WIDTH, axis=1), axis=2)
    whole: Array = np.pad(inner, ((0, 0), (half, half)), mode="edge")
    return whole


def rounding(values: Array) -> Array:
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
    step = whitened(shapes.levels[[usual]]).rest
    for other in fits.given:
        step = step - other * (other * step).sum(axis=1, keepdims=True)
    size = np.linalg.norm(step, axis=1)  # by which the standard deviation of its amplitude is smaller than the noise's
    change = (step * fits.rest).sum(axis=1) / size**2
    rest = np.maximum(fits.left - (change * size) ** 2, 1e-12 * fits.left)
    beside = (-count * np.log(rest) - costs)[:FAST] - np.array(COST_BESIDE_A_CHANGE)[:, None]
    beside -= COST_OF_A_SHORT_SIDE / shapes.shortest[usual]
    sizes = np.sqrt(fits.left.min(axis=0) / count)[:, None] * np.geomspace(0.1, 300, 80)  # (series, tried)
    grown = ((sizes - np.abs(change)[:, :, None]) * size[:, :, None]) ** 2
    even = -count * np.log(rest[:, :, None] + grown) - (costs + SLOW_COSTS)[:, :, None]
    is_found = beside.max(axis=0)[:, None] - even.max(axis=0) >= need
    # The first from which on all larger ones are found.
    place = is_found.shape[1] - np.argmin(is_found[:, ::-1], axis=1)
    place = np.where(is_found.all(axis=1), 0, place)
    found: Array = np.where(
        place < is_found.shape[1], sizes[np.arange(len(sizes)), np.minimum(place, is_found.shape[1] - 1)], np.inf
    )
    return found

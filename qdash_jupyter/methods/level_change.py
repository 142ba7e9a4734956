"""Whether a series of measurements changed: a test for steps and one for slopes, with one rate of false alarms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np

FEWEST_FOR_TREND = 6
"""Measurements needed before a trend is named at all."""

FEWEST_FOR_SLOPE = 9
"""The order of fewer says nothing: even the most extreme one comes up too often by chance."""

SIGNIFICANT_Z = 3.4
"""A change counts from here on, by either test. `z` is scaled so that this holds at every length: few measurements tell
their own scatter badly, and neighbours may be alike. Why these tests: `docs/decisions/0023-steps-and-slopes.md`.
"""

FALSE_ALARMS = 0.001
"""At most so many series of mere noise have a `z` beyond `SIGNIFICANT_Z`, by either test, at any length from 6 to 400:
of independent Gaussian noise, and of noise that keeps up to half of a deviation to the next measurement (AR(1), rho 0
to 0.5).
"""

LONGEST_FOR_SLOPE = 400
"""Of longer series the slope test sees medians of neighbours, so that its time stays short."""

MOST_PLACES = 16
"""Places in a series where a step is tried, evenly spaced."""

_NUMBERS_AT_ONCE = 1_000_000
"""Of pairs of measurements that are compared together, so that they take little memory."""

MOST_ALIKE = 0.5
"""The largest correlation of neighbours that is allowed for. Slow wandering has a larger one: the smallest change that
matters covers it.
"""

MOST_BEFORE, MOST_NOW = 10, 5
"""Measurements whose median is the level before a window, and at its end."""

MOST_KNOWN = 30
"""Measurements before a window that tell the scatter, and whether neighbours are alike."""

_THRESHOLDS = {
    # measurements: (step, slope, window); fewer than FEWEST_FOR_SLOPE have no slope
    6: (14.5, 9.9, 21.8),
    7: (9.4, 9.9, 13.8),
    8: (6.95, 9.9, 10.2),
    9: (6.35, 2.1, 8.35),
    10: (5.4, 2.15, 7.2),
    11: (4.66, 2.25, 6.3),
    12: (4.72, 2.26, 5.82),
    13: (4.26, 2.36, 5.35),
    14: (4.08, 2.4, 5.15),
    15: (4.23, 2.46, 4.85),
    16: (4.08, 2.52, 4.68),
    18: (3.95, 2.64, 4.42),
    19: (3.8, 2.67, 4.26),
    20: (4.3, 2.8, 4.82),
    22: (4.25, 2.87, 4.53),
    26: (3.92, 2.98, 4.2),
    30: (4.05, 3.15, 4.28),
    40: (3.65, 3.26, 4.0),
    50: (3.48, 3.3, 3.83),
    60: (3.36, 3.36, 3.7),
    100: (3.3, 3.36, 3.45),
    200: (3.32, 3.46, 3.35),
    400: (3.38, 3.46, 3.35),
}
"""From where on each statistic counts. Beyond those of step and slope are at most 0.05 % of series of noise, 0.1 %
where only steps are tested; beyond that of a window, which is tested alone, 0.1 % wherever it begins, and of two whole
ones, which need most from 13 measurements on.
The steps' go up and down with the number of measurements in an end, and of those that the scatter leaves out.
`bench/trend.py` makes them, with `ALARMS=200000`; lengths between are interpolated, longer ones are as the longest.
"""

LENGTHS = tuple(_THRESHOLDS)
STEP_FROM, SLOPE_FROM, WINDOW_FROM = zip(*_THRESHOLDS.values(), strict=True)


@dataclass(frozen=True, slots=True)
class LevelChange:
    """The level at the end of a series against the level at its beginning, both medians.

    `z` is that of the test which is clearer, `found_by`: of a step that is the change over its uncertainty, of a slope
    how far the order of the values is from chance. Significant from `SIGNIFICANT_Z` on, however few the measurements.
    """

    before: float
    now: float
    z: float
    found_by: Literal["step", "slope"] = "step"

    @property
    def absolute(self) -> float:
        """Change in the unit of the series."""
        return self.now - self.before

    @property
    def relative(self) -> float:
        """Change relative to the size of the level before."""
        return self.absolute / abs(self.before) if self.before else float("nan")


class Compared(NamedTuple):
    """What the tests say of several series of one length; each field has one number a series."""

    before: np.ndarray[Any, Any]
    now: np.ndarray[Any, Any]
    step_z: np.ndarray[Any, Any]
    slope_z: np.ndarray[Any, Any]


class Noise(NamedTuple):
    """The noise of several series; each field has one number a series."""

    scatter: np.ndarray[Any, Any]
    """The standard deviation of one measurement."""
    alike: np.ndarray[Any, Any]
    """The correlation of neighbours to count with, 0 to `MOST_ALIKE`."""


def level_change(values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any] | None = None) -> LevelChange | None:
    """Look for a step or a slope in a series of measurements; None when there are too few.

    Args:
        values: Oldest first, no NaN. Their order counts, not their times: noise has no order whatever the times are.
        errors: One standard error of each, in the same unit; 0, NaN or infinite where unknown. They can only make a
            change less certain: fits state errors that are smaller than the real scatter.
    """
    if len(values) < FEWEST_FOR_TREND:
        return None
    (change,) = _told(compared(values[None], None if errors is None else errors[None]))
    return change


def level_changes(series: Mapping[str, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]) -> dict[str, LevelChange]:
    """The same of many series, values and errors by name: those of one length together, which takes a fraction of the
    time. Those that are too short are left out.
    """
    import numpy as np

    alike: dict[int, list[str]] = {}
    for name, (values, _) in series.items():
        alike.setdefault(len(values), []).append(name)
    found: dict[str, LevelChange] = {}
    for count, names in alike.items():
        together = max(1, _NUMBERS_AT_ONCE // (count * max(min(count, LONGEST_FOR_SLOPE), MOST_PLACES) or 1))
        for some in (names[place : place + together] for place in range(0, len(names), together)):
            if count >= FEWEST_FOR_TREND:
                values, errors = (np.stack([series[name][which] for name in some]) for which in (0, 1))
                found |= zip(some, _told(compared(values, errors)), strict=True)
    return {name: found[name] for name in series if name in found}


def _told(found: Compared) -> Iterator[LevelChange]:
    for before, now, step, slope in zip(*(each.tolist() for each in found), strict=True):
        # A slope against the levels' change has nothing that could be said of it in one word.
        if abs(slope) > abs(step) and slope * (now - before) > 0:
            yield LevelChange(before, now, slope, "slope")
        else:
            yield LevelChange(before, now, step)


def compared(values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any] | None = None) -> Compared:
    """Both tests on series of one length of at least `FEWEST_FOR_TREND`: `(series, n)`, otherwise as `level_change`."""
    import numpy as np

    known = np.zeros(values.shape) if errors is None else np.where(np.isfinite(errors), errors, 0.0)
    before, now = _ends(values)
    return Compared(before, now, _step_z(values, known), _slope_z(*_pooled(values, known)))


def window_change(
    values: np.ndarray[Any, Any],
    errors: np.ndarray[Any, Any] | None,
    old: slice,
    new: slice,
    noise: Noise | None = None,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The medians of two pieces of series of one length of at least `FEWEST_FOR_TREND`, and how uncertain they differ.

    Scatter and alikeness come from all measurements, also those of neither piece, as for a step. What that means for a
    difference of two pieces follows from the correlation of AR(1) between each two of their measurements.

    Args:
        values: `(series, n)`, oldest first, no NaN. A second step among them counts as scatter.
        errors: One standard error of each; 0, NaN or infinite where unknown. They only make a change less certain.
        old: Where the earlier piece is; not empty.
        new: Where the later one is; not empty.
        noise: That of these values, where it is known already.

    Returns:
        Before, now, and the uncertainty of now - before, each one number a series. A change of `SIGNIFICANT_Z` times
        its uncertainty or more is a false alarm at most `FALSE_ALARMS` of the time.
    """
    import numpy as np

    before, now = (np.median(values[:, piece], axis=1) for piece in (old, new))
    scatter, alike = noise or noise_of(values)
    known = np.zeros(values.shape) if errors is None else np.where(np.isfinite(errors), errors, 0.0)
    at_most = scatter * float(np.interp(values.shape[1], LENGTHS, WINDOW_FROM)) / SIGNIFICANT_Z
    parts, places = [], []
    for piece, sign in ((old, -1), (new, 1)):
        place = np.arange(values.shape[1])[piece]
        # As for a median of many: one of few is more precise, but a wild value is a larger part of it.
        weight = sign / len(place) * np.sqrt(np.pi / 2)
        of_one = np.maximum(at_most, np.median(known[:, piece], axis=1))
        parts.append(np.repeat(weight * of_one[:, None], len(place), axis=1))
        places.append(place)
    at, part = np.concatenate(places), np.concatenate(parts, axis=1)
    correlation = alike[:, None, None] ** np.abs(at[:, None] - at)
    return before, now, np.sqrt(np.einsum("si,sij,sj->s", part, correlation, part))


def slope_z(values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]) -> float:
    """The slope test alone, on one series; otherwise as `level_change`."""
    import numpy as np

    known = np.where(np.isfinite(errors), errors, 0.0)
    return float(_slope_z(*_pooled(values[None], known[None]))[0])


def noise_of(values: np.ndarray[Any, Any]) -> Noise:
    """The noise of series of one length of at least `FEWEST_FOR_TREND`, beside one step."""
    rest = _beside_a_step(values)
    scatter = scatter_of(rest)
    return Noise(scatter, _alike(rest, scatter))


def _end(count: int) -> int:
    """Measurements at each end whose median is the level there."""
    return min(7, max(3, count // 3))


def _ends(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    import numpy as np

    end = _end(values.shape[1])
    return np.median(values[:, :end], axis=1), np.median(values[:, -end:], axis=1)


def _step_z(values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The change from end to end over its uncertainty."""
    import numpy as np

    count = values.shape[1]
    before, now = _ends(values)
    scatter, alike = noise_of(values)
    # That few measurements tell their scatter badly is no fault of their errors.
    at_most = scatter * float(np.interp(count, LENGTHS, STEP_FROM)) / SIGNIFICANT_Z
    # The median of an end's errors: a single absurd one does not count, nor do errors of fewer than half.
    noise = np.hypot(*(np.maximum(at_most, of) for of in _ends(errors)))
    # A median is sqrt(pi/2) less precise than a mean.
    uncertainty = noise * np.sqrt(np.pi / 2 / _end(count)) * _widening(alike)
    change = now - before
    with np.errstate(divide="ignore", invalid="ignore"):
        z: np.ndarray[Any, Any] = np.where(change == 0, 0.0, change / uncertainty)
    return z


def _slope_z(values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Mann and Kendall's statistic: of all pairs, those that rise less those that fall, over its standard deviation.

    H. B. Mann, Econometrica 13, 245 (1945); M. G. Kendall, Rank Correlation Methods (1975), also for the variance, with
    ties. That it has to be widened where neighbours are alike: K. H. Hamed and A. R. Rao, J. Hydrology 204, 182 (1998).
    """
    import numpy as np

    series, count = values.shape
    if count < FEWEST_FOR_SLOPE:
        none: np.ndarray[Any, Any] = np.zeros(series)
        return none
    signs = np.sign(values[:, None, :] - values[:, :, None])
    rising = np.triu(signs).sum(axis=(1, 2))  # [i, j] compares an earlier i with a later j
    # Each value of a group of t equal ones adds its share of the group's t (t - 1) (2 t + 5).
    equal = (signs == 0).sum(axis=2)
    variance = (count * (count - 1) * (2 * count + 5) - ((equal - 1) * (2 * equal + 5)).sum(axis=1)) / 18
    before, now = _ends(values)
    line = (now - before)[:, None] / (count - _end(count)) * np.arange(count)
    rest = values - line
    rest -= np.median(rest, axis=1, keepdims=True)
    scatter, error = scatter_of(rest), np.median(errors, axis=1)
    # Ranks know nothing of errors. As the scatter is known badly, only clearly larger ones say that it was luck.
    at_most = 1.5 * scatter
    certain = np.where(error > at_most, at_most / np.where(error > 0, error, 1.0), 1.0)
    z = rising / np.sqrt(np.maximum(variance, 1.0)) / _widening(_alike(rest, scatter)) * certain
    scaled: np.ndarray[Any, Any] = z * (SIGNIFICANT_Z / float(np.interp(count, LENGTHS, SLOPE_FROM)))
    return scaled


def _pooled(
    values: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Both, of at most `LONGEST_FOR_SLOPE` values: else the medians of so many neighbours."""
    import numpy as np

    series, count = values.shape
    size = -(-count // LONGEST_FOR_SLOPE)
    if size == 1:
        return values, errors
    blocks = (one[:, count % size :].reshape(series, -1, size) for one in (values, errors))
    shorter, their_errors = (np.median(one, axis=2) for one in blocks)
    return shorter, their_errors


def _beside_a_step(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What is left of each value without the step that leaves least; it is tried at an even spread of places."""
    import numpy as np

    series, count = values.shape
    places = np.unique(np.linspace(3, count - 3, min(MOST_PLACES, count - 5)).round().astype(int))
    first = np.arange(count) < places[:, None]
    levels = [_medians(values, side) for side in (first, ~first)]
    rest = values[:, None, :] - np.where(first, *(level[:, :, None] for level in levels))
    least = np.abs(rest).sum(axis=2).argmin(axis=1)
    best: np.ndarray[Any, Any] = rest[np.arange(series), least]
    return best


def _medians(values: np.ndarray[Any, Any], chosen: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Medians of the chosen values: of `(series, n)`, and choices `(choices, n)`, they are `(series, choices)`."""
    import numpy as np

    ordered = np.sort(np.where(chosen, values[:, None, :], np.inf), axis=2)
    count, choice = chosen.sum(axis=1), np.arange(len(chosen))
    middle: np.ndarray[Any, Any] = (ordered[:, choice, (count - 1) // 2] + ordered[:, choice, count // 2]) / 2
    return middle


def scatter_of(rest: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Standard deviation of one measurement, from what fits leave, without the tenth that is farthest away."""
    import numpy as np

    count = rest.shape[1]
    squares = np.sort(rest**2, axis=1)
    # Of Gaussian noise the nearer nine tenths have 0.623 of the variance.
    nearer = squares[:, : count - max(1, count // 10)].mean(axis=1) / 0.623
    # Where nearly all are equal, it is the others that tell.
    deviation: np.ndarray[Any, Any] = np.sqrt(np.where(nearer > 0, nearer, squares.mean(axis=1)))
    return deviation


def _widening(alike: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How many times less certain a level is because neighbours are alike: sqrt((1 + rho) / (1 - rho)) of AR(1)."""
    import numpy as np

    wider: np.ndarray[Any, Any] = np.sqrt((1 + alike) / (1 - alike))
    return wider


def _alike(rest: np.ndarray[Any, Any], scatter: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The correlation of neighbours to count with, from what fits leave.

    Few measurements say little of it, so something is added to what they say: up to 15 of them count as `MOST_ALIKE`.
    """
    import numpy as np

    count = rest.shape[1]
    near = np.where(np.abs(rest) <= 3 * scatter[:, None], rest, 0.0)
    total = (near**2).sum(axis=1)
    found = (near[:, 1:] * near[:, :-1]).sum(axis=1) / np.where(total > 0, total, 1.0)
    rho: np.ndarray[Any, Any] = np.clip(found + 12 / count, 0.0, MOST_ALIKE)
    return rho

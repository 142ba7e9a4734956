"""Whether a series of measurements changed: one test of steps and slopes, used by all that speaks of a change.

Descriptions of the series compete: an even level, steps at any place, slopes that begin and end anywhere, and two
levels that it switches between, each in noise whose correlation is estimated from the series itself. A change is named
when it explains the series better than the best noise does, by a ratio of likelihoods that noise reaches in one of
1,000 series. All of the series is described, whatever the window, which only says what of it is told.
docs/decisions/0059-one-test-of-change.md says why, docs/benchmarks.md what it finds and what it misses.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np

from qdash_jupyter.methods.chances import student_quantile
from qdash_jupyter.methods.descriptions import FEWEST_ON_A_SIDE, Array, described, shapes_of

Given = tuple[Array, Array, int]
Name = TypeVar("Name", bound=Hashable)

FEWEST_FOR_TREND = 6
"""Measurements needed before a change is named at all."""

SIGNIFICANT_Z = 3.4
"""A change counts from here on. `z` is scaled so that this holds at every length."""

FALSE_ALARMS = 0.001
"""At most so many series of noise have a `z` beyond `SIGNIFICANT_Z`, at any length from 6 to 200: of white noise, of
AR(1) up to a correlation of 0.5, with outliers and heavy tails; of noise that wanders, 2 %.
"""

MOST_BEFORE = 60
"""Measurements before a window that tell the level, the scatter, and how alike neighbours are."""

LONGEST = 200
"""Of longer series medians of neighbours are looked at, so that the time stays short."""

LENGTHS_APART = 5

_AT_ONCE = 256
"""Series that are fitted together, so that they take little memory."""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """The level now against the level before, in the unit of the values.

    `z` is how sure a change is: named from `SIGNIFICANT_Z` on, however few the measurements. `error` is one standard
    error of `now - before`, with the effective number of measurements where neighbours are alike, and `dof` the degrees
    of freedom of its Student's t. `detectable` is the smallest step at the beginning of the window that this test would
    have found in this noise. A change `began` at one of the measurements from `earliest` to `latest`. Noise `wanders`
    where it moves by more than white noise does and its own correlation, or switching, explains that.
    """

    before: float
    now: float
    z: float
    error: float = 0.0
    dof: int = 1
    detectable: float = 0.0
    wanders: bool = False
    found_by: Literal["step", "slope"] = "step"
    began: int = 0
    earliest: int = 0
    latest: int = 0
    n_before: int = 0
    n_now: int = 0
    steps: tuple[int, ...] = ()
    """The first measurement behind each step of the whole series, also where a later one leads back."""
    z_of_steps: float = 0.0
    """How sure the surest of these is."""

    @property
    def absolute(self) -> float:
        """Change in the unit of the series."""
        return self.now - self.before

    @property
    def relative(self) -> float:
        """Change relative to the size of the level before."""
        return self.absolute / abs(self.before) if self.before else float("nan")

    @property
    def is_sure(self) -> bool:
        """Whether it is beyond noise, whatever its size."""
        return abs(self.z) >= SIGNIFICANT_Z

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `absolute`, with Student's t."""
        half = student_quantile(self.dof) * self.error
        return self.absolute - half, self.absolute + half


def level_change(values: Array, errors: Array | None = None, *, start: int = 0) -> LevelChange | None:
    """Look for a change in a series of measurements; None when there are too few.

    Args:
        values: Oldest first, no NaN. Their order counts, not their times.
        errors: One standard error of each, in the same unit; 0, NaN or infinite where unknown. They can only make a
            change less certain: fits state errors that are smaller than the real scatter.
        start: The first measurement of the window. Those before it tell the level before, and a change that was over
            before it is none. 0 asks for a change anywhere.
    """
    return level_changes({"": (values, 0 * values if errors is None else errors, start)}).get("")


def level_changes(series: Mapping[Name, Given]) -> dict[Name, LevelChange]:
    """The same of many series by name, each values, errors and start. Those that are too short are left out."""
    left = {name: one for name, one in series.items() if _is_enough(len(one[0]), one[2])}
    found = {name: change for names in _alike(left) for name, change in _together(names, left)}
    return {name: found[name] for name in series if name in found}


def _is_enough(count: int, start: int) -> bool:
    return count >= FEWEST_FOR_TREND and count - start >= FEWEST_ON_A_SIDE


def _alike(series: Mapping[Name, Given]) -> Iterator[list[Name]]:
    """The names of those that can be fitted together: of one length, and one place of the window."""
    groups: dict[tuple[int, int], list[Name]] = {}
    for name, (values, _, start) in series.items():
        groups.setdefault((len(values), start), []).append(name)
    for names in groups.values():
        yield from (names[place : place + _AT_ONCE] for place in range(0, len(names), _AT_ONCE))


def _together(names: list[Name], series: Mapping[Name, Given]) -> Iterator[tuple[Name, LevelChange]]:
    """Each with its change."""
    start = series[names[0]][2]
    unused = _unused(len(series[names[0]][0]), start)
    values = np.stack([series[name][0][unused:] for name in names])
    errors = np.stack([series[name][1][unused:] for name in names])
    errors = np.where(np.isfinite(errors) & (errors > 0), errors, 0.0)
    start -= unused
    edges = _edges(values.shape[1], start)
    values, errors = (_medians(one, edges) for one in (values, errors))
    start = int(np.searchsorted(edges, start))
    told, shapes = described(values, errors, start), shapes_of(values.shape[1])
    begins = shapes.begins[told.shape]
    began, earliest, latest = (edges[np.maximum(at, start)] for at in (begins, told.begins_from, told.begins_to))
    fields = (
        *(told.before, told.now, SIGNIFICANT_Z * told.sureness, told.error, told.dof, told.detectable, told.wanders),
        np.where(shapes.is_step[told.shape], "step", "slope"),
        *(place + unused for place in (began, earliest, latest)),
        *(began - edges[told.level_from], edges[-1] - began),
    )
    for name, at, sure, *each in zip(names, told.steps, told.of_steps, *(one.tolist() for one in fields), strict=True):
        steps = sorted((edges[at[at > 0]] + unused).tolist())
        yield name, LevelChange(*each, steps=tuple(steps), z_of_steps=SIGNIFICANT_Z * float(sure))


def _unused(count: int, start: int) -> int:
    """How many of the oldest do not count. A few more than there have to be, so that fewer lengths differ: what is
    needed to fit a length is made once.
    """
    unused = max(start - MOST_BEFORE, 0)
    return unused + (count - unused) % LENGTHS_APART if start - unused >= MOST_BEFORE // 2 else unused


def _edges(count: int, start: int) -> Array:
    """Where the blocks begin whose medians are looked at, and the end: each measurement, or of long series several."""
    size = -(-count // LONGEST)
    # Counted from either end of the level before and of the window, so that no block has some of both.
    edges = [*range(start, 0, -size), *range(count, start, -size), start, 0]
    found: Array = np.unique(edges)
    return found


def _medians(values: Array, edges: Array) -> Array:
    if len(edges) > values.shape[1]:
        return values
    found: Array = np.stack([np.median(values[:, a:b], axis=1) for a, b in pairwise(edges)], axis=1)
    return found

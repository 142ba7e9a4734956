"""Levels, scatter and slopes over time."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from qdash_jupyter.methods.chances import student_quantile
from qdash_jupyter.methods.descriptions import WIDTH, clipped
from qdash_jupyter.methods.level_change import SIGNIFICANT_Z, LevelChange, level_changes
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements
from qdash_jupyter.methods.smallest import ChangeRule, change_rule

FEWEST_FOR_LINE = 3
MOST_ALIKE = 0.9
"""The largest correlation of neighbours that a slope's uncertainty allows for."""
MOST_FOR_PAIRS = 600
"""Of longer series the slope is that of the medians of neighbours, so that the pairs stay few."""


def trends(
    series: Series,
    *,
    qids: Iterable[object] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    smallest: float | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """Level, scatter and slope of each qubit or coupling over time, and whether it changed.

    The slope is the median of those between all pairs of measurements, insensitive to wild values (P. K. Sen, J. Am.
    Stat. Assoc. 63, 1379 (1968)). Its standard error is that of least squares, of the scatter beside it and of as many
    independent measurements as there are where neighbours are alike; its 95 % interval has Student's t. The verdict is
    that of `changes`: of steps and slopes alike, since `since` where that is given, with what is before it as the level
    before.

    Returns:
        One row each, in the order of ids: `qid`, `verdict`, `n`, `first`, `last` (times), `median [μs]`, `newest [μs]`,
        `scatter [μs]` (of one measurement: three in four steps between neighbours are below 1.627 times it),
        `slope [μs/day]` with its interval `slope from [μs/day]`, `slope to [μs/day]` and standard error
        `slope ± [μs/day]`, `change [%]`, `sigmas` (how sure: named from 3.4 on), `detectable [%]`; verdict, change and
        these as in `changes`.
    """
    inside = measurements(series, qids=qids, parameter=parameter, unit=unit).between(since, until)
    given = measurements(series, qids=qids, parameter=parameter, unit=unit, with_before=True).between(None, until)
    rule, unit = change_rule(given.metric, smallest), given.unit
    windows = dict(inside.each())
    told = level_changes(
        {
            qid: (one["value"].to_numpy(), one["error"].to_numpy(), len(one) - len(windows[qid]))
            for qid, one in given.each()
        }
    )
    rows = [(qid, *_row(one, told.get(qid), rule)) for qid, one in windows.items()]
    names = ["qid", "n", "first", "last", *(f"{name} [{unit}]" for name in ("median", "newest", "scatter"))]
    names += [f"{name} [{unit}/day]" for name in ("slope", "slope from", "slope to", "slope ±")]
    names += [f"change [{rule.unit}]", "sigmas", f"detectable [{rule.unit}]", "verdict"]
    found = pd.DataFrame(rows, columns=names)
    for name in ("first", "last"):
        found[name] = pd.to_datetime(found[name], utc=True)
    method = (
        f"{given.metric.title}: median slope of all pairs (Theil-Sen); the verdict is of steps and slopes, in noise as "
        f"correlated as the series, from {rule.words} and {SIGNIFICANT_Z} sigmas on."
    )
    return given.told(found, method, inside.window(since, until), **rule.attrs(found["sigmas"]))


def _row(one: pd.DataFrame, change: LevelChange | None, rule: ChangeRule) -> tuple[object, ...]:
    values, times = one["value"].to_numpy(), one["t"]
    count = len(values)
    if not count:
        return (0, pd.NaT, pd.NaT, *(np.nan,) * 10, "too few")
    days = ((times - times.iloc[0]) / pd.Timedelta(days=1)).to_numpy()
    scatter = np.quantile(np.abs(np.diff(values)), 0.75) / 1.627 if count >= FEWEST_FOR_LINE else np.nan
    slopes = sen_slope(days, values) if count >= FEWEST_FOR_LINE and days[-1] > 0 else (np.nan,) * 4
    level = (count, times.iloc[0], times.iloc[-1], float(np.median(values)), values[-1], scatter, *slopes)
    if change is None:
        return (*level, *(np.nan,) * 3, "too few")
    detectable = change.detectable * rule.per_level(change.before)
    return (*level, rule.change(change.before, change.now), change.z, detectable, rule.verdict(change))


def sen_slope(times: Array, values: Array) -> tuple[float, float, float, float]:
    """Theil and Sen's slope, the ends of its 95 % interval, and its standard error.

    Args:
        times: Not falling; measurements at the same time are no pair.
        values: One each, three or more.
    """
    size = -(-len(values) // MOST_FOR_PAIRS)
    if size > 1:
        times, values = (np.median(one[len(one) % size :].reshape(-1, size), axis=1) for one in (times, values))
    first, second = np.triu_indices(len(values), 1)
    apart = times[second] - times[first]
    pairs = (values[second] - values[first])[apart > 0] / apart[apart > 0]
    if not len(pairs):
        return (np.nan,) * 4
    slope, count = float(np.median(pairs)), len(values)
    near = clipped(values[None])[0] if count >= WIDTH else values
    rest = near - slope * times
    rest -= rest.mean()
    total = float(rest @ rest)
    # That of residuals is too small by about (1 + 4 r) / n (M. G. Kendall, Biometrika 41, 403 (1954)).
    alike = float(rest[1:] @ rest[:-1]) / total if total > 0 else 0.0
    alike = float(np.clip(alike + (1 + 4 * alike) / count, 0.0, MOST_ALIKE))
    wider = (1 + alike) / (1 - alike)
    error = np.sqrt(total / (count - 2) * wider / np.square(times - times.mean()).sum())
    half = student_quantile(max(int(count / wider) - 2, 1)) * error
    return slope, slope - half, slope + half, float(error)

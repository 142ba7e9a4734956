"""Levels, scatter and slopes over time."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from qdash_jupyter.methods.level_change import FALSE_ALARMS, FEWEST_FOR_TREND, SIGNIFICANT_Z, level_change
from qdash_jupyter.methods.levels import about
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements
from qdash_jupyter.methods.smallest import ChangeRule, change_rule

FEWEST_FOR_LINE = 3
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
    """Level, scatter and slope of each qubit or coupling over time, and whether it has a trend.

    The slope is the median of those between all pairs of measurements, and its 95 % interval Sen's, from the pairs'
    ranks: insensitive to wild values (P. K. Sen, J. Am. Stat. Assoc. 63, 1379 (1968)). The interval is widened by
    sqrt((1 + r) / (1 - r)), r the correlation of neighbours beside the line, at most 0.5. The verdict is that of the
    test of steps and slopes that the tools use (docs/decisions/0023-steps-and-slopes.md): of noise, white or AR(1) up
    to 0.5, at most one in 1,000 has |z| of 3.4 or more, and the change from the first to the last few has to be
    `smallest` or more, as in `changes`.

    Args:
        series: `copilot.data["t1"]`, or its table.
        qids: These alone.
        since: What is older does not count: `"2026-06-01"`, a Timestamp (UTC), or how long before now: `"30d"`, `30`.
        until: What is newer does not count.
        smallest: The smallest change that makes a verdict, in the unit of the column `change`.
        parameter: The metric, where the series does not say it.
        unit: The unit to show it in.

    Returns:
        One row each, in the order of ids: `qid`, `n`, `first`, `last` (times), `median [μs]`, `newest [μs]`, `scatter
        [μs]` (of one measurement: three in four steps between neighbours are below 1.627 times it), `slope [μs/day]`
        with its interval `slope from [μs/day]`, `slope to [μs/day]` and standard error `slope ± [μs/day]`, `change
        [%]` from the first to the last few, `z`, `verdict`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit).between(since, until)
    rule = change_rule(given.metric, smallest)
    unit = given.unit
    rows = [(qid, *_row(one, rule)) for qid, one in given.each()]
    nothing = (0, pd.NaT, pd.NaT, *(np.nan,) * 9, "not measured")
    rows += [(qid, *nothing) for qid in given.not_measured]
    names = ["qid", "n", "first", "last", *(f"{name} [{unit}]" for name in ("median", "newest", "scatter"))]
    names += [f"{name} [{unit}/day]" for name in ("slope", "slope from", "slope to", "slope ±")]
    found = pd.DataFrame(rows, columns=[*names, f"change [{rule.unit}]", "z", "verdict"])
    for name in ("first", "last"):
        found[name] = pd.to_datetime(found[name], utc=True)
    return about(
        found,
        given,
        f"{given.metric.title}: median slope of all pairs (Theil-Sen) with Sen's 95 % interval; a trend is a step or "
        f"slope with |z| ≥ {SIGNIFICANT_Z} and a change of {rule.words} or more.",
        given.window(since, until),
        change_unit=rule.unit,
        smallest=rule.smallest,
        false_alarms_expected=int(found["z"].notna().sum()) * FALSE_ALARMS,
    )


def _row(one: pd.DataFrame, rule: ChangeRule) -> tuple[object, ...]:
    values, times = one["value"].to_numpy(), one["t"]
    count = len(values)
    if not count:
        return (0, pd.NaT, pd.NaT, *(np.nan,) * 9, "too few")
    days = ((times - times.iloc[0]) / pd.Timedelta(days=1)).to_numpy()
    scatter = np.quantile(np.abs(np.diff(values)), 0.75) / 1.627 if count >= FEWEST_FOR_LINE else np.nan
    slopes = sen_slope(days, values) if count >= FEWEST_FOR_LINE and days[-1] > 0 else (np.nan,) * 4
    level = (count, times.iloc[0], times.iloc[-1], float(np.median(values)), values[-1], scatter, *slopes)
    found = level_change(values, one["error"].to_numpy())
    if found is None:
        return (*level, np.nan, np.nan, "too few")
    change = rule.change(found.before, found.now)
    named = abs(found.z) >= SIGNIFICANT_Z and abs(change) >= rule.smallest
    return (*level, change, found.z, ("fell" if found.absolute < 0 else "rose") if named else "stable")


def sen_slope(times: Array, values: Array, *, widening: float | None = None) -> tuple[float, float, float, float]:
    """Theil and Sen's slope, the ends of its 95 % interval, and the standard error that this has of a Gaussian.

    Args:
        times: Not falling; measurements at the same time are no pair.
        values: One each.
        widening: How many times wider than of independent noise; None finds it from the neighbours.
    """
    size = -(-len(values) // MOST_FOR_PAIRS)
    if size > 1:
        times, values = (np.median(one[len(one) % size :].reshape(-1, size), axis=1) for one in (times, values))
    first, second = np.triu_indices(len(values), 1)
    apart = times[second] - times[first]
    pairs = np.sort((values[second] - values[first])[apart > 0] / apart[apart > 0])
    if not len(pairs):
        return (np.nan,) * 4
    slope = float(np.median(pairs))
    if widening is None:
        rest = values - slope * times
        rest = rest - np.median(rest)
        total = float(rest @ rest)
        alike = float(np.clip(rest[1:] @ rest[:-1] / total, 0, 0.5)) if total > 0 else 0.0
        widening = float(np.sqrt((1 + alike) / (1 - alike)))
    count = len(values)
    variance = count * (count - 1) * (2 * count + 5)
    for one in (times, values):
        ties = np.unique(one, return_counts=True)[1]
        variance -= int((ties * (ties - 1) * (2 * ties + 5)).sum())
    half = 1.959964 * np.sqrt(max(variance, 0) / 18) * widening
    low = max(round((len(pairs) - half) / 2) - 1, 0)
    high = min(round((len(pairs) + half) / 2), len(pairs) - 1)
    return slope, float(pairs[low]), float(pairs[high]), float(pairs[high] - pairs[low]) / (2 * 1.959964)

"""How values are spread, and which are wild."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.methods.current import Values, values_of
from qdash_jupyter.methods.level_change import level_changes
from qdash_jupyter.methods.measurements import Array, Measurements, Moment, Series, measurements

WILD_FROM = {
    5: 41.6,
    6: 16.2,
    7: 17.0,
    8: 10.8,
    9: 11.1,
    10: 8.5,
    11: 8.7,
    12: 7.4,
    13: 7.3,
    14: 6.6,
    15: 6.6,
    17: 6.0,
    20: 5.4,
    25: 5.0,
    30: 4.7,
    50: 4.2,
    100: 3.8,
    200: 3.65,
    1000: 3.52,
}
"""By the number of values, robust deviations from the median beyond which one Gaussian value in 2,000 is. Of many it is
the 3.5 of Iglewicz and Hoaglin (How to Detect and Handle Outliers, 1993); few tell their deviation badly.
`bench/change.py outliers` makes them.
"""


def spread(
    values: Series | Values, parameter: str | None = None, *, by_qid: bool = False, unit: str | None = None
) -> pd.DataFrame:
    """How values are spread: of a chip's current values or all measurements of a series, or of each qubit's.

    `values` are a stored series or its table (all measurements count), or a summary, a table of values, a Series by
    qid; with `by_qid` each qubit of a series has a row.

    Returns:
        One row (or one each, with `qid`): `n`, `median [μs]`, `mean [μs]`, `standard deviation [μs]` (n - 1), `lower
        quartile [μs]`, `upper quartile [μs]`, `lowest [μs]`, `highest [μs]`, `robust deviation [μs]` (1.4826 times the
        median distance from the median), `outliers` (how many are wild: see `outliers`).
    """
    if by_qid:
        given = measurements(values, parameter=parameter, unit=unit)
        groups, metric = [(qid, one["value"].to_numpy()) for qid, one in given.each()], given.metric
    else:
        numbers, metric, _ = all_values(values, parameter, unit=unit)
        groups = [("", numbers)]
    rows = [(qid, len(one), *_described(one)) for qid, one in groups]
    names = ["median", "mean", "standard deviation", "lower quartile", "upper quartile", "lowest", "highest"]
    columns = [f"{name} [{metric.unit}]" for name in (*names, "robust deviation")]
    found = pd.DataFrame(rows, columns=["qid", "n", *columns, "outliers"])
    found.attrs = {"parameter": metric.key, "unit": metric.unit}
    found.attrs["method"] = f"{metric.title}: all that count; wild is what `outliers` finds."
    return found if by_qid else found.drop(columns="qid")


def outliers(values: Series | Values, parameter: str | None = None, *, unit: str | None = None) -> pd.DataFrame:
    """The values that are wild: farther from the median (of a series, each one's own) than one Gaussian value in 2,000.
    Where a series jumped (see `changes`), what came before and after are each judged by themselves.

    Distances are in robust deviations, 1.4826 times the median distance from the median, which wild values do not
    change; where more than half are equal, 1.2533 times the mean distance (Iglewicz and Hoaglin 1993). Of many values a
    wild one is beyond 3.5 of them, of 20 beyond 5.4, of 10 beyond 8.5, of 5 beyond 42, because few values say little of
    their deviation (simulated: docs/benchmarks.md). Fewer than five have none. On a slope this finds its ends: look at
    `trends` first.

    Returns:
        One row each, the wildest first: `qid`, `t` (of a series), `value [μs]`, `median [μs]`, `deviations`, `n`.
    """
    if _is_series(values):
        given = measurements(values, parameter=parameter, unit=unit)
        metric, tables = given.metric, _levels(given)
    else:
        table, metric = values_of(values, parameter, unit=unit)
        tables = [table]
    name, median = f"value [{metric.unit}]", f"median [{metric.unit}]"
    columns = ["qid", *(["t"] if _is_series(values) else []), name, median, "deviations", "n"]
    pieces = []
    for one in tables:
        deviations = robust_deviations(one["value"].to_numpy())
        told = one.assign(**{name: one["value"], median: one["value"].median()}, deviations=deviations, n=len(one))
        wild = np.abs(deviations) > wild_from(len(one))
        if wild.any():
            pieces.append(told.loc[wild, columns])
    found = pd.concat(pieces) if pieces else pd.DataFrame(columns=columns)
    found = found.sort_values("deviations", key=np.abs, ascending=False, kind="stable", ignore_index=True)
    found.attrs = {"parameter": metric.key, "unit": metric.unit}
    found.attrs["method"] = (
        f"{metric.title}: robust deviations from the median, beyond what one Gaussian value in 2,000 has."
    )
    return found


def _levels(given: Measurements) -> list[pd.DataFrame]:
    """The measurements of each, apart where it jumped."""
    each = dict(given.each())
    told = level_changes({qid: (one["value"].to_numpy(), one["error"].to_numpy(), 0) for qid, one in each.items()})
    pieces = []
    for qid, one in each.items():
        change, ends = told.get(qid), {0, len(one)}
        if change is not None and change.is_sure:
            ends |= set(change.steps)
        pieces += [one[start:end] for start, end in pairwise(sorted(ends))]
    return pieces


def by_period(
    series: Series,
    per: Literal["day", "week", "month"] = "week",
    *,
    qids: Iterable[object] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """Statistics of all measurements within each day, week (from Monday on) or month, UTC, the oldest first.

    Returns:
        One row a period that has any: `period` (its first day, as text), `n`, `median [μs]`, `mean [μs]`,
        `standard deviation [μs]`, `lowest [μs]`, `highest [μs]`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit).between(since, until)
    times = given.table["t"].dt.tz_localize(None).dt.to_period({"day": "D", "week": "W-SUN", "month": "M"}[per])
    grouped = given.table["value"].groupby(times.dt.start_time.dt.strftime("%Y-%m-%d"))
    found = grouped.agg(["size", "median", "mean", "std", "min", "max"]).rename_axis("period").reset_index()
    names = ("median", "mean", "standard deviation", "lowest", "highest")
    found.columns = pd.Index(["period", "n", *(f"{name} [{given.unit}]" for name in names)])
    return given.told(
        found, f"{given.metric.title}: all measurements within each {per}, UTC.", given.window(since, until)
    )


def all_values(
    values: Series | Values, parameter: str | None = None, *, unit: str | None = None
) -> tuple[Array, Metric, str]:
    """All measurements of a series, or the current values; their metric, and what they are in words."""
    if _is_series(values):
        given = measurements(values, parameter=parameter, unit=unit)
        return given.table["value"].to_numpy(), given.metric, "measurements"
    table, metric = values_of(values, parameter, unit=unit)
    return table["value"].to_numpy(), metric, f"{metric.kind}s"


def robust_deviations(values: Array) -> Array:
    """How many robust deviations each value is from the median; 0 for fewer than five, or where all are equal."""
    count = len(values)
    distance = values - np.median(values) if count else values
    middle = 1.4826 * np.median(np.abs(distance)) if count else 0.0
    deviation = middle or (1.2533 * float(np.mean(np.abs(distance))) if count else 0.0)
    enough = count >= 5 and deviation > 0  # noqa: PLR2004 - said in the docstring
    found: Array = distance / deviation if enough else np.zeros(count)
    return found


def wild_from(count: int) -> float:
    """Robust deviations from the median beyond which one of so many values is wild."""
    return float(np.interp(count, tuple(WILD_FROM), tuple(WILD_FROM.values())))


def _described(values: Array) -> tuple[float, ...]:
    if not len(values):
        return (*(np.nan,) * 8, 0)
    low, middle, high = (float(np.quantile(values, part)) for part in (0.25, 0.5, 0.75))
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else np.nan
    robust = 1.4826 * float(np.median(np.abs(values - middle)))
    wild = int((np.abs(robust_deviations(values)) > wild_from(len(values))).sum())
    return middle, float(np.mean(values)), deviation, low, high, values.min(), values.max(), robust, wild


def _is_series(values: Any) -> bool:
    return "timeseries" in values if isinstance(values, Mapping) else isinstance(values, pd.DataFrame) and "v" in values

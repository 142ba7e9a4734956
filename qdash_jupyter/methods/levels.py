"""Levels before a window, in it, and in two windows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from qdash_jupyter.methods.level_change import (
    FALSE_ALARMS,
    FEWEST_FOR_TREND,
    MOST_BEFORE,
    MOST_NOW,
    SIGNIFICANT_Z,
    window_change,
)
from qdash_jupyter.methods.measurements import Array, Measurements, Moment, Series, measurements, moment
from qdash_jupyter.methods.smallest import ChangeRule, change_rule

FEWEST_BEFORE = 3


def changes(
    series: Series,
    *,
    since: Moment,
    until: Moment | None = None,
    smallest: float | None = None,
    fewest: int = 3,
    not_measured: Iterable[str] = (),
    qids: Iterable[object] | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """What fell or rose since a time: the level before it (median of the last 10 measurements) against the level now
    (median of the newest 5), of each qubit or coupling.

    A change is named when it is `smallest` or more (15 % of a coherence time, 0.5 MHz of a frequency, 1 percentage
    point of a fidelity, 15 % of anything else, unless said otherwise, in the unit of the column `change`), at least 3.4
    times its uncertainty, and began in the window. The uncertainty is from the scatter of all measurements or the
    stored errors, whichever says more, widened for few measurements and for neighbours that are alike: of series of
    mere noise, white or AR(1) with a correlation up to 0.5, at most one in 1,000 is named, at each length (simulated;
    docs/decisions/0028-methods.md). A single new measurement cannot tell a fall from a wild value.

    Args:
        series: `copilot.data["t1"]`, or its table.
        since: Where the window begins: `"2026-06-01"`, a Timestamp (UTC), or how long before now: `"30d"`, `30`.
        until: Where it ends; now unless given.
        smallest: The smallest change that is named, in the unit of the column `change`.
        fewest: Measurements that the window has to hold; before it 3, and 6 in all.
        not_measured: Qubits to list as such; of a stored series they are known.
        qids: These alone.
        parameter: The metric, where the series does not say it.
        unit: The unit to show it in, where another than the usual one is wanted.

    Returns:
        One row each, the largest fall first: `qid`, `before [μs]`, `now [μs]`, `change [%]` (or `[MHz]`, `[pp]` for
        percentage points), its uncertainty `± [%]`, `sigmas`, `n before`, `n now`, `since` (the first measurement of
        the new level), `verdict`. Counts over all rows: `changed["verdict"].value_counts()`.
        `attrs["false_alarms_expected"]`: the rows that could be told, times the rate.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit)
    start = moment(since, given.as_of)
    given = given.between(None, until)
    rule = change_rule(given.metric, smallest)
    rows = [_row(qid, one, start, fewest, rule) for qid, one in given.each()]
    listed = {row[0] for row in rows}
    nothing = (np.nan, np.nan, np.nan, np.nan, np.nan, 0, 0, pd.NaT, "not measured")
    absent = dict.fromkeys(str(qid) for qid in (*not_measured, *given.not_measured))
    rows += [(qid, *nothing) for qid in absent if qid not in listed]
    names = ["qid", *_names(given, rule), "sigmas", "n before", "n now", "since", "verdict"]
    found = pd.DataFrame(rows, columns=names)
    found["since"] = pd.to_datetime(found["since"], utc=True)
    found = found.sort_values(names[3], kind="stable", ignore_index=True)
    told = int(found["sigmas"].notna().sum())
    return about(
        found,
        given,
        f"{given.metric.title}: median of the last {MOST_BEFORE} measurements before the window against the newest "
        f"{MOST_NOW} in it; named from {rule.words} and {SIGNIFICANT_Z} times the uncertainty on.",
        given.window(start, until),
        change_unit=rule.unit,
        smallest=rule.smallest,
        false_alarms_expected=told * FALSE_ALARMS,
    )


def about(found: pd.DataFrame, given: Measurements, method: str, window: str, **more: str | float) -> pd.DataFrame:
    """The result with what is known of it in `attrs`: values of JSON, so that any format can keep them."""
    found.attrs = {"parameter": given.metric.key, "unit": given.unit, "method": method, "window": window, **more}
    return found


def _names(given: Measurements, rule: ChangeRule) -> list[str]:
    return [f"before [{given.unit}]", f"now [{given.unit}]", f"change [{rule.unit}]", f"± [{rule.unit}]"]


def _row(
    qid: str, one: pd.DataFrame, start: pd.Timestamp, fewest: int, rule: ChangeRule
) -> tuple[str, float, float, float, float, float, int, int, pd.Timestamp, str]:
    values, times = one["value"].to_numpy(), one["t"]
    first = int((times < start).sum())
    old, new = values[max(0, first - MOST_BEFORE) : first], values[first:][-MOST_NOW:]
    before, now = (float(np.median(end)) if len(end) else np.nan for end in (old, new))
    counts = len(old), len(new)
    if len(old) < FEWEST_BEFORE or len(values) - first < max(fewest, 1) or len(values) < FEWEST_FOR_TREND:
        return (qid, before, now, np.nan, np.nan, np.nan, *counts, pd.NaT, "too few")
    uncertainty = float(window_change(values[None], one["error"].to_numpy()[None], first)[2][0])
    difference, change = now - before, rule.change(before, now)
    sigmas = 0.0 if difference == 0 else difference / uncertainty if uncertainty else np.copysign(np.inf, difference)
    since = began(one, before, now)
    named = abs(change) >= rule.smallest and abs(sigmas) >= SIGNIFICANT_Z and since >= start
    verdict = ("fell" if difference < 0 else "rose") if named else "stable"
    return (qid, before, now, change, uncertainty * rule.per_level(before), sigmas, *counts, since, verdict)


def began(one: pd.DataFrame, before: float, now: float) -> pd.Timestamp:
    """The first measurement after the last one on the old side of the middle between two levels."""
    values, times, middle = one["value"], one["t"], (before + now) / 2
    old_side = times[values > middle if now < before else values < middle]
    after = times if old_side.empty else times[times > old_side.max()]
    return after.min() if len(after) else pd.NaT

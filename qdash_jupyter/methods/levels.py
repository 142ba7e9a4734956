"""Levels before a window, in it, and in two windows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from qdash_jupyter.methods.chances import rank_sum
from qdash_jupyter.methods.level_change import (
    FEWEST_FOR_SLOPE,
    FEWEST_FOR_TREND,
    MOST_BEFORE,
    MOST_KNOWN,
    MOST_NOW,
    SIGNIFICANT_Z,
    slope_z,
    window_change,
)
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements, moment
from qdash_jupyter.methods.slopes import sen_slope
from qdash_jupyter.methods.smallest import ChangeRule, change_rule
from qdash_jupyter.methods.steps import jump_of

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
    point of a fidelity, 15 % of anything else, unless said otherwise, in the unit of the column `change`), at least
    3.4 times its uncertainty, and began in the window. The uncertainty is from the scatter of all in the window and of
    up to 30 before it (10, where the oldest 3 differ from these), beside the step that leaves least, or the stored
    errors, whichever says more, widened for few measurements and for neighbours that are alike: of series of mere
    noise, white or AR(1) with a correlation up to 0.5, at most one in 1,000 is named, at each length (simulated;
    docs/decisions/0030-history-tells-the-scatter.md). A single new measurement cannot tell a fall from a wild value.

    Two medians do not see everything that happens within a window. So a slope that goes on through it counts as well,
    from the same size and surety on (`trends`' test, on the window and up to 30 measurements before it; the levels are
    then those of the line at both ends of the window), and a jump within it that has lasted (as in `jumps`). A fall of
    45 % in 90 days, measured daily with a scatter of 8 %, is found in 98 % of the series of its last 30 days; a step of
    30 % 12 days ago in 94 %.

    The window has to hold `fewest` measurements, 3 have to be before it, and 6 in all. `not_measured` are qubits to
    list as such; a stored series knows them.

    Returns:
        One row each, what fell and rose first, the largest change first: `qid`, `before [μs]`, `now [μs]`, `change
        [%]` (or `[MHz]`, `[pp]` for percentage points), its uncertainty `± [%]`, `sigmas`, `n before`, `n now`,
        `since` (the first measurement of the new level; one before the window is no change in it), `verdict`. Counts
        over all rows: `changed["verdict"].value_counts()`. `attrs["false_alarms_expected"]`: the rows that could be
        told, times the rate.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit, not_measured=not_measured)
    start = moment(since, given.as_of)
    given = given.between(None, until)
    rule = change_rule(given.metric, smallest)
    rows = [_row(qid, one, start, fewest, rule) for qid, one in given.each()]
    names = ["qid", f"before [{given.unit}]", f"now [{given.unit}]", f"change [{rule.unit}]", f"± [{rule.unit}]"]
    found = pd.DataFrame(rows, columns=[*names, "sigmas", "n before", "n now", "since", "verdict"])
    found["since"] = pd.to_datetime(found["since"], utc=True)
    found = _moved_first(found, names[3])
    method = (
        f"{given.metric.title}: median of the last {MOST_BEFORE} measurements before the window against the newest "
        f"{MOST_NOW} in it; named from {rule.words} and {SIGNIFICANT_Z} times the uncertainty on."
    )
    return given.told(found, method, given.window(start, until), **rule.attrs(found["sigmas"]))


def compare_windows(
    series: Series,
    first: tuple[Moment | None, Moment | None],
    second: tuple[Moment | None, Moment | None],
    *,
    smallest: float | None = None,
    fewest: int = 3,
    qids: Iterable[object] | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """Two windows of each qubit's measurements against each other: medians, their difference, and how sure it is.

    A window is from since to until, `("2026-05-01", "2026-05-31")` or `("60d", "30d")`; None is an open end. The
    verdict is found as in `changes`, with all measurements of either window, and at the same rate of false alarms. `p`
    is Mann and Whitney's of the ranks, exact up to 400 pairs without ties, else normal with ties. It takes measurements
    as independent: where neighbours are alike, it is too small, and `sigmas` counts.

    Returns:
        One row each, what fell and rose first, the largest change first: `qid`, `first [μs]`, `second [μs]` (medians),
        `change [%]` (or `[MHz]`, `[pp]`) and `± [%]`, `sigmas`, `p`, `n first`, `n second`, `verdict`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit)
    spans = [given.span(*window) for window in (first, second)]
    rule = change_rule(given.metric, smallest)
    rows = [_compared(qid, one, spans, fewest, rule) for qid, one in given.each()]
    levels = [f"first [{given.unit}]", f"second [{given.unit}]", f"change [{rule.unit}]", f"± [{rule.unit}]"]
    found = pd.DataFrame(rows, columns=["qid", *levels, "sigmas", "p", "n first", "n second", "verdict"])
    method = (
        f"{given.metric.title}: medians of two windows; named from {rule.words} and {SIGNIFICANT_Z} times the "
        "uncertainty on; p of Mann and Whitney."
    )
    windows = " and ".join(given.window(*window) for window in (first, second))
    found = _moved_first(found, levels[2])
    return given.told(found, method, windows, **rule.attrs(found["sigmas"]))


def _row(qid: str, one: pd.DataFrame, start: pd.Timestamp, fewest: int, rule: ChangeRule) -> tuple[object, ...]:
    start_at = int(one["t"].searchsorted(start))
    first = min(start_at, MOST_KNOWN)
    if first > MOST_BEFORE and _moved(one["value"].to_numpy()[None, start_at - first : start_at]):
        first = MOST_BEFORE  # the step, a cool-down's for example, would pass for scatter
    known, one = one[start_at - min(start_at, MOST_KNOWN) :], one[start_at - first :]
    count = len(one)
    old, new = slice(max(0, first - MOST_BEFORE), first), slice(max(first, count - MOST_NOW), count)
    enough = first >= FEWEST_BEFORE and count - first >= max(fewest, 1)
    levels, change, uncertainty, sigmas, verdict = _change(one, old, new, rule, enough=enough)
    since = began(one, *levels) if abs(sigmas) >= SIGNIFICANT_Z else pd.NaT
    if verdict in {"fell", "rose"} and not since >= start:
        verdict = "stable"
    if verdict == "stable" and (drift := _drift(known, start, rule)) is not None:
        levels, change, uncertainty, sigmas, verdict = drift
        since = one["t"].iloc[first]
    elif verdict == "stable" and (jump := _jump(known, start, rule, levels[0])) is not None:
        levels, change, uncertainty, sigmas, verdict, since = jump
    return (qid, *levels, change, uncertainty, sigmas, old.stop - old.start, new.stop - new.start, since, verdict)


def _drift(
    one: pd.DataFrame, start: pd.Timestamp, rule: ChangeRule
) -> tuple[tuple[float, float], float, float, float, str] | None:
    """A slope that goes on through the window, as `_change` tells a change; None where there is none.

    Two medians do not see it: they are as far from the ends as their measurements, and what they are compared with is
    the scatter that the slope itself makes. A step leaves less of a series that has one, and is no slope.
    """
    values, errors = (one[name].to_numpy() for name in ("value", "error"))
    if len(values) < FEWEST_FOR_SLOPE or abs(z := slope_z(values, errors)) < SIGNIFICANT_Z:
        return None
    days = ((one["t"] - start) / pd.Timedelta(days=1)).to_numpy()
    slope, _, _, error = sen_slope(days, values)
    middle = float(np.median(values - slope * days))
    left = [np.abs(values[:at] - np.median(values[:at])).sum() + np.abs(values[at:] - np.median(values[at:])).sum()
            for at in range(FEWEST_BEFORE, len(values) - FEWEST_BEFORE + 1)]  # fmt: skip
    if np.abs(values - middle - slope * days).sum() >= min(left):
        return None
    before, now = middle, middle + slope * float(days[-1])
    change = rule.change(before, now)
    if not abs(change) >= rule.smallest or (now - before) * z <= 0:
        return None
    uncertainty = error * float(days[-1]) * rule.per_level(before)
    return (before, now), change, uncertainty, z, "fell" if z < 0 else "rose"


def _jump(
    one: pd.DataFrame, start: pd.Timestamp, rule: ChangeRule, level: float
) -> tuple[tuple[float, float], float, float, float, str, pd.Timestamp] | None:
    """A jump within the window that has lasted until now, away from the level before the window: more than five
    measurements tell the new one. The end of a dip leads back to where it was.
    """
    values, errors = (one[name].to_numpy() for name in ("value", "error"))
    found = jump_of(values, errors, rule, int(one["t"].searchsorted(start)))
    if found is None or len(values) < FEWEST_FOR_TREND:
        return None
    at, before, now, z = found
    newest = float(np.median(values[-MOST_NOW:]))
    change, whole = rule.change(before, now), rule.change(level, newest)
    if abs(newest - before) < abs(now - before) / 2 or not (whole * change > 0 and abs(whole) >= rule.smallest):
        return None
    uncertainty = abs((now - before) / z) * rule.per_level(before)
    return (before, now), change, uncertainty, z, "fell" if z < 0 else "rose", one["t"].iloc[at]


def _moved(values: Array) -> bool:
    """Whether the level before a window was another one where they begin."""
    oldest, level, uncertainty = window_change(values, None, slice(0, FEWEST_BEFORE), slice(-MOST_BEFORE, None))
    return bool(abs(level - oldest)[0] > SIGNIFICANT_Z * uncertainty[0])


def _compared(
    qid: str, one: pd.DataFrame, spans: list[tuple[pd.Timestamp, pd.Timestamp]], fewest: int, rule: ChangeRule
) -> tuple[object, ...]:
    pieces = [slice(*(int(one["t"].searchsorted(end)) for end in span)) for span in spans]
    # What is before and after both of them says nothing of their scatter.
    first, last = min(piece.start for piece in pieces), max(piece.stop for piece in pieces)
    old, new = (slice(piece.start - first, max(piece.stop, piece.start) - first) for piece in pieces)
    one, counts = one[first:last], (old.stop - old.start, new.stop - new.start)
    levels, *change, verdict = _change(one, old, new, rule, enough=min(counts) >= max(fewest, 1))
    p = np.nan if verdict == "too few" else rank_sum(*(one["value"].to_numpy()[piece] for piece in (old, new)))[1]
    return (qid, *levels, *change, p, *counts, verdict)


def _change(
    one: pd.DataFrame, old: slice, new: slice, rule: ChangeRule, *, enough: bool
) -> tuple[tuple[float, float], float, float, float, str]:
    """From one piece of a series to another: the levels, the change and its uncertainty in the unit of the rule, their
    ratio, and the verdict.
    """
    values, errors = (one[name].to_numpy() for name in ("value", "error"))
    before, now = (float(np.median(values[piece])) if len(values[piece]) else np.nan for piece in (old, new))
    if not enough or len(values) < FEWEST_FOR_TREND:
        return (before, now), np.nan, np.nan, np.nan, "too few"
    uncertainty = float(window_change(values[None], errors[None], old, new)[2][0])
    with np.errstate(divide="ignore"):
        sigmas = float(np.divide(now - before, uncertainty)) if now != before else 0.0
    change = rule.change(before, now)
    named = abs(change) >= rule.smallest and abs(sigmas) >= SIGNIFICANT_Z
    verdict = ("fell" if sigmas < 0 else "rose") if named else "stable"
    return (before, now), change, uncertainty * rule.per_level(before), sigmas, verdict


def _moved_first(found: pd.DataFrame, change: str) -> pd.DataFrame:
    places = {"fell": 0, "rose": 1, "stable": 2, "too few": 3, "not measured": 4}
    order = pd.DataFrame({"place": found["verdict"].map(places), "size": -found[change].abs()})
    return found.loc[order.sort_values(["place", "size"], kind="stable").index].reset_index(drop=True)


def began(one: pd.DataFrame, before: float, now: float) -> pd.Timestamp:
    """The first measurement after the last one on the old side of the middle between two levels."""
    values, times, middle = one["value"], one["t"], (before + now) / 2
    old_side = times[values > middle if now < before else values < middle]
    after = times if old_side.empty else times[times > old_side.max()]
    return after.min() if len(after) else pd.NaT

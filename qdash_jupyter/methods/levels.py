"""Levels before a window, in it, and in two windows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from qdash_jupyter.methods.chances import median_interval, normal_two_sided
from qdash_jupyter.methods.level_change import (
    FALSE_ALARMS,
    MOST_BEFORE,
    SIGNIFICANT_Z,
    LevelChange,
    level_changes,
)
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements, moment
from qdash_jupyter.methods.smallest import OF_ALL, VERDICT, ChangeRule, change_rule

DATES = ("since", "since from", "since to")


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
    """What fell or rose since a time, of each qubit or coupling: the level just before it against the level now.

    One test says it, for steps and slopes alike, and it is the one of `trends`, `compare_windows`, `jumps` and the
    tools. It describes all of a series, whatever the window: descriptions compete (an even level, steps at any place,
    slopes that begin and end anywhere, two levels that it switches between) in noise whose correlation is estimated
    from the series, with values that are wild moved to their neighbours. A change is named when it is `smallest` or
    more (15 % of a coherence time, 0.5 MHz of a frequency, 1 percentage point of a fidelity, 15 % of anything else,
    unless said otherwise, in the unit of the column `change`), explains the series better than noise does, began since
    then or went on, and has lasted until now. Of series of mere noise, white or AR(1) with a correlation up to 0.5,
    with outliers or heavy tails, at most one in 1,000 is named; of slower noise at most one in 50 (simulated:
    docs/benchmarks.md; docs/decisions/0059-one-test-of-change.md). A fall of 45 % in 90 days, measured daily with a
    scatter of 8 %, is found in its last 30 days in 98 % of series, a step of 30 % 12 days ago in 99 %.

    Up to 60 measurements before the window tell the level before; a change that was over before it is none in it. The
    window has to hold `fewest` measurements, 3 at least, and there have to be 6 in all. Not proven is not stable: a
    series is `unclear` where a change of twice `smallest` would not have been found, and `wandering` where it moved by
    `smallest`, but its own noise explains that. What has no measurement in the window is `not measured`; so are the
    qubits `not_measured`, which a stored series knows.

    Returns:
        One row each, what fell and rose first, the largest change first: `qid`, `verdict` (`fell`, `rose`, `wandering`,
        `unclear`, `stable`, `too few`, `not measured`), `before [μs]`, `now [μs]`, `change [%]` (or `[MHz]`, `[pp]` for
        percentage points), its standard error `± [%]` and 95 % interval `from [%]`, `to [%]` (Student's t, of as many
        independent measurements as there are), `sigmas` (how sure: named from 3.4 on), `n before`, `n now`, `since`
        (the first measurement of the new level, where there is one; of a slope, the first in the window), from
        `since from` to `since to` (95 %), `detectable [%]` (the smallest step since then that is found in this noise in
        about 3 of 4 cases). Counts over all rows: `changed["verdict"].value_counts()`.
        `attrs["false_alarms_expected"]`: the rows that could be told, times the rate.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit, not_measured=not_measured, with_before=True)
    start = moment(since, given.as_of)
    given = given.between(None, until)
    rule = change_rule(given.metric, smallest)
    starts = {qid: int(one["t"].searchsorted(start)) for qid, one in given.each()}
    told = level_changes(
        {
            qid: (one["value"].to_numpy(), one["error"].to_numpy(), starts[qid])
            for qid, one in given.each()
            if len(one) - starts[qid] >= fewest
        }
    )
    rows = [_row(qid, one, starts[qid], told.get(qid), rule) for qid, one in given.each()]
    amounts = [f"{name} [{rule.unit}]" for name in ("change", "±", "from", "to")]
    names = ["qid", f"before [{given.unit}]", f"now [{given.unit}]", *amounts, "sigmas", "n before", "n now"]
    found = pd.DataFrame(rows, columns=[*names, *DATES, f"detectable [{rule.unit}]", "verdict"])
    for name in DATES:
        found[name] = pd.to_datetime(found[name], utc=True)
    found = _moved_first(found, found[amounts[0]])
    method = (
        f"{given.metric.title}: steps and slopes since the window began, against up to {MOST_BEFORE} measurements "
        f"before it, in noise as correlated as the series; named from {rule.words} and {SIGNIFICANT_Z} sigmas on."
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
    verdict is that of `changes` since the earlier one began, on all measurements from there to the later one's end; `p`
    is the chance that belongs to `sigmas`. Levels are the medians of the windows. What fell or rose late in one hardly
    moves its median: `by [%]` and `since` say by how much and when, as in `changes`.

    Returns:
        One row each, what fell and rose first, the largest change first: `qid`, `verdict` (as in `changes`), `first
        [μs]`, `second [μs]` (levels), `change [%]` (or `[MHz]`, `[pp]`), `± [%]` and 95 % interval `from [%]`, `to
        [%]`, `sigmas`, `p`, `n first`, `n second`, `detectable [%]` (as in `changes`, since the later window began),
        `by [%]` and `since` (none where nothing fell or rose). `attrs` has the median change of all qubits that
        were measured in both and, of six or more, its 95 % interval: `median_change`, `median_from`, `median_to`; in
        `median_verdict`, `fell` or `rose` where that would be so by chance once in 1,000 chips, else `unclear`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit, with_before=True)
    spans = [given.span(*window) for window in (first, second)]
    rule = change_rule(given.metric, smallest)
    cut = [_Cut.of(qid, one, spans) for qid, one in given.each()]
    told = level_changes(
        {
            (each.qid, start): (each.table["value"].to_numpy(), each.table["error"].to_numpy(), start)
            for each in cut
            if min(each.counts) >= max(fewest, 1)
            for start in (0, each.later)
        }
    )
    rows = [_compared(each, told, rule) for each in cut]
    amounts = [f"{name} [{rule.unit}]" for name in ("change", "±", "from", "to")]
    names = ["qid", f"first [{given.unit}]", f"second [{given.unit}]", *amounts, "sigmas", "p", "n first", "n second"]
    found = pd.DataFrame(rows, columns=[*names, f"detectable [{rule.unit}]", f"by [{rule.unit}]", "since", "verdict"])
    found["since"] = pd.to_datetime(found["since"], utc=True)
    method = (
        f"{given.metric.title}: medians of two windows, and the test for steps and slopes from one to the other; named "
        f"from {rule.words} and {SIGNIFICANT_Z} sigmas on."
    )
    windows = " and ".join(given.window(*window) for window in (first, second))
    found = _moved_first(found, found[f"by [{rule.unit}]"].fillna(found[amounts[0]]))
    each = np.array([rule.change(before, now) for before, now in found[names[1:3]].to_numpy(dtype=float)])
    return given.told(found, method, windows, **_of_all(each[np.isfinite(each)]), **rule.attrs(found["sigmas"]))


def _of_all(each: Array) -> dict[str, str | float]:
    """The median of changes, its interval, and whether it is as sure as the change of one is."""
    _, low, high = median_interval(each, FALSE_ALARMS)
    verdict = "rose" if low > 0 else "fell" if high < 0 else "unclear"
    known = zip(OF_ALL, median_interval(each), strict=True)
    return {name: value for name, value in known if not math.isnan(value)} | {VERDICT: verdict}  # JSON has no NaN


def amounts_of(change: LevelChange, rule: ChangeRule) -> tuple[float, float, float, float]:
    """A change, its standard error, and the ends of its 95 % interval, in the unit of the rule."""
    factor = rule.per_level(change.before)
    low, high = change.interval
    return rule.change(change.before, change.now), change.error * factor, low * factor, high * factor


def _row(qid: str, one: pd.DataFrame, start: int, change: LevelChange | None, rule: ChangeRule) -> tuple[object, ...]:
    times, values = one["t"], one["value"].to_numpy()
    if change is None:
        levels = (float(np.median(piece)) if len(piece) else np.nan for piece in (values[:start], values[start:]))
        counts = min(start, MOST_BEFORE), len(one) - start
        verdict = "too few" if start < len(one) else "not measured"
        return (qid, *levels, *(np.nan,) * 5, *counts, *(pd.NaT,) * 3, np.nan, verdict)
    verdict = rule.verdict(change)
    dates = (times.iloc[at] if change.is_sure else pd.NaT for at in (change.began, change.earliest, change.latest))
    detectable = change.detectable * rule.per_level(change.before)
    told = (*amounts_of(change, rule), change.z, change.n_before, change.n_now, *dates, detectable, verdict)
    return (qid, change.before, change.now, *told)


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """The measurements of one, from the earlier window to the later one's end, and where both are in them."""

    qid: str
    table: pd.DataFrame
    windows: tuple[slice, slice]

    @classmethod
    def of(cls, qid: str, one: pd.DataFrame, spans: Iterable[tuple[pd.Timestamp, pd.Timestamp]]) -> _Cut:
        pieces = [slice(*(int(one["t"].searchsorted(end)) for end in span)) for span in spans]
        # What is before and after both of them says nothing of their levels.
        first, last = min(piece.start for piece in pieces), max(piece.stop for piece in pieces)
        old, new = (slice(piece.start - first, max(piece.stop, piece.start) - first) for piece in pieces)
        return cls(qid, one[first:last], (old, new))

    @property
    def counts(self) -> tuple[int, int]:
        old, new = self.windows
        return old.stop - old.start, new.stop - new.start

    @property
    def later(self) -> int:
        """Where the later window begins."""
        return int(max(one.start for one in self.windows))


def _compared(cut: _Cut, told: Mapping[tuple[str, int], LevelChange], rule: ChangeRule) -> tuple[object, ...]:
    values = cut.table["value"].to_numpy()
    levels = [float(np.median(values[piece])) if len(values[piece]) else np.nan for piece in cut.windows]
    change, since_later = (told.get((cut.qid, start)) for start in (0, cut.later))
    if change is None:
        return (cut.qid, *levels, *(np.nan,) * 6, *cut.counts, *(np.nan,) * 2, pd.NaT, "too few")
    if since_later is not None:  # in two measurements nothing could be seen
        change = replace(change, detectable=since_later.detectable)
    verdict = rule.verdict(change)
    moved: tuple[object, ...] = np.nan, pd.NaT
    if verdict in {"fell", "rose"}:
        moved = rule.change(change.before, change.now), cut.table["t"].iloc[change.began]
    of_medians = amounts_of(replace(change, before=levels[0], now=levels[1]), rule)
    detectable = change.detectable * rule.per_level(change.before)
    found = (*of_medians, change.z, normal_two_sided(change.z), *cut.counts, detectable, *moved, verdict)
    return (cut.qid, *levels, *found)


def _moved_first(found: pd.DataFrame, change: pd.Series) -> pd.DataFrame:
    places = {"fell": 0, "rose": 1, "wandering": 2, "unclear": 3, "stable": 3, "too few": 4, "not measured": 5}
    order = pd.DataFrame({"place": found["verdict"].map(places), "size": -change.abs()})
    return found.loc[order.sort_values(["place", "size"], kind="stable").index].reset_index(drop=True)

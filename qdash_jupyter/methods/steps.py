"""When a series jumped, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from qdash_jupyter.methods.level_change import SIGNIFICANT_Z, level_change, window_change
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements
from qdash_jupyter.methods.smallest import ChangeRule, change_rule

FEWEST, SIDES = 4, (10, 4)
"""Measurements on either side of a jump that its levels are from: at least, and at most, of two lengths of which the
clearer counts; a dip of four measurements has no level of ten.
"""
ON_ITS_SIDE = 0.75
"""This part of the measurements of either side has to be beyond the middle: some wild values are no new level."""
JUMP_SIGMAS = 4.4
"""A jump is looked for at each place of a series, so it has to be surer than one change at a given time (3.4)."""


def jumps(
    series: Series,
    *,
    qids: Iterable[object] | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    smallest: float | None = None,
    parameter: str | None = None,
    unit: str | None = None,
) -> pd.DataFrame:
    """When each qubit's or coupling's level changed for good: at once (a jump), or little by little (a drift).

    A jump is where the medians of up to 10 measurements before and after differ most; it counts from `smallest` on (as
    in `changes`) and 5 times its uncertainty. What lies on either side of it is looked at again, so one series may
    have several. A series without a jump whose end differs from its beginning, as `trends` finds it, drifted.

    Returns:
        One row a jump or a drift, the newest first: `qid`, `kind` (`jump`, `drift`), `since` (the first measurement of
        the new level; for a drift the first of all), `before [μs]`, `now [μs]` (the levels beside the jump), `change
        [%]` (or `[MHz]`, `[pp]`), `sigmas`, `verdict` (`fell`, `rose`), `n`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit).between(since, until)
    rule = change_rule(given.metric, smallest)
    rows = [
        (
            qid,
            kind,
            one["t"].iloc[place],
            before,
            now,
            rule.change(before, now),
            z,
            "fell" if z < 0 else "rose",
            len(one),
        )
        for qid, one in given.each()
        for kind, place, before, now, z in _found(one["value"].to_numpy(), one["error"].to_numpy(), rule)
    ]
    levels = [f"{name} [{given.unit}]" for name in ("before", "now")]
    columns = ["qid", "kind", "since", *levels, f"change [{rule.unit}]", "sigmas", "verdict", "n"]
    found = pd.DataFrame(rows, columns=columns)
    found["since"] = pd.to_datetime(found["since"], utc=True)
    found = found.sort_values("since", ascending=False, kind="stable", ignore_index=True)
    method = (
        f"{given.metric.title}: medians of up to {SIDES[0]} measurements on either side; a jump from {rule.words} and "
        f"{JUMP_SIGMAS:g} times its uncertainty on."
    )
    return given.told(found, method, given.window(since, until), **rule.attrs(found["sigmas"]))


def _found(values: Array, errors: Array, rule: ChangeRule) -> Iterator[tuple[str, int, float, float, float]]:
    """The kind, the place, the levels on either side, and how many uncertainties they are apart."""
    found = sorted(_jumps(values, errors, rule, 0))
    if found:
        yield from (("jump", *one) for one in found)
    elif (whole := level_change(values, errors)) is not None and abs(whole.z) >= SIGNIFICANT_Z:
        named = abs(rule.change(whole.before, whole.now)) >= rule.smallest
        yield from [("drift", 0, whole.before, whole.now, whole.z)] if named else []


def _jumps(values: Array, errors: Array, rule: ChangeRule, start: int) -> Iterator[tuple[int, float, float, float]]:
    found = jump_of(values, errors, rule)
    if found is not None:
        at, before, now, z = found
        yield start + at, before, now, z
        yield from _jumps(values[:at], errors[:at], rule, start)
        yield from _jumps(values[at:], errors[at:], rule, start + at)


def jump_of(
    values: Array, errors: Array, rule: ChangeRule, first: int = FEWEST
) -> tuple[int, float, float, float] | None:
    """The clearest jump from a place on: the place, the levels beside it, and by how many uncertainties they differ."""
    at, before, now, z = max((_best(values, errors, most, rule, first) for most in SIDES), key=lambda one: abs(one[-1]))
    named = abs(z) >= JUMP_SIGMAS and abs(rule.change(before, now)) >= rule.smallest
    return (at, before, now, z) if named else None


def _best(values: Array, errors: Array, most: int, rule: ChangeRule, first: int) -> tuple[int, float, float, float]:
    """Where so many measurements before and after differ most, their levels, and by how many uncertainties."""
    places = range(max(first, FEWEST), len(values) - FEWEST + 1)
    if not places:
        return 0, np.nan, np.nan, 0.0
    earlier = _levels(values, most, places)
    later = _levels(values[::-1], most, range(len(values) - places[-1], len(values) - places[0] + 1))[::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        large = np.abs(later - earlier) * (rule.factor if rule.unit != "%" else 100 / np.abs(earlier)) >= rule.smallest
    if not large.any():
        return 0, np.nan, np.nan, 0.0
    around = places[int(np.argmax(np.where(large, np.abs(later - earlier), 0.0)))]
    # The medians are about as far apart for some places; the step that leaves least is at one of them.
    begin, near = max(0, around - most), values[max(0, around - most) : around + most]
    at = min((one for one in places if abs(one - around) < FEWEST), key=lambda one: _left(near, one - begin))
    old, new = slice(max(0, at - most), at), slice(at, at + most)
    before, now, uncertainty = (float(one[0]) for one in window_change(values[None], errors[None], old, new))
    away = (values - (before + now) / 2) * np.sign(now - before)
    apart_enough = np.mean(away[old] < 0) >= ON_ITS_SIDE and np.mean(away[new] > 0) >= ON_ITS_SIDE
    return at, before, now, (now - before) / uncertainty if uncertainty > 0 and apart_enough else 0.0


def _levels(values: Array, most: int, places: range) -> Array:
    """The median of the measurements before each place, at most so many."""
    whole = (
        np.median(np.lib.stride_tricks.sliding_window_view(values, most), axis=1) if len(values) >= most else values[:0]
    )
    found: Array = np.array([whole[at - most] if at >= most else np.median(values[:at]) for at in places])
    return found


def _left(values: Array, at: int) -> float:
    """What a step at a place leaves of measurements."""
    old, new = values[:at], values[at:]
    return float(np.abs(old - np.median(old)).sum() + np.abs(new - np.median(new)).sum())

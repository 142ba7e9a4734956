"""When a series jumped, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd

from qdash_jupyter.methods.descriptions import switches
from qdash_jupyter.methods.level_change import SIGNIFICANT_Z, level_change
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements
from qdash_jupyter.methods.smallest import ChangeRule, change_rule

LEVEL_FROM = 10
"""Measurements on either side of a jump, at most, whose median is the level there."""


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

    The test is that of `changes`, without a window: where it finds a step, what lies on either side is looked at again,
    so one series may have several. Two levels that a series switches between are as many jumps as switches. A series
    without a jump that has a slope drifted.

    Returns:
        One row a jump or a drift, the newest first: `qid`, `verdict` (`fell`, `rose`), `kind` (`jump`, `drift`),
        `since` (the first measurement of the new level; for a drift the first of all), `before [μs]`, `now [μs]`
        (medians of up to 10 measurements beside the jump; of a drift, the ends of the line), `change [%]` (or `[MHz]`,
        `[pp]`), `sigmas`, `n`.
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
        f"{given.metric.title}: steps and slopes in noise with the correlation of the series; medians of up to "
        f"{LEVEL_FROM} measurements on either side, from {rule.words} and {SIGNIFICANT_Z} sigmas on."
    )
    return given.told(found, method, given.window(since, until), **rule.attrs(found["sigmas"]))


def _found(values: Array, errors: Array, rule: ChangeRule) -> Iterator[tuple[str, int, float, float, float]]:
    """The kind, the place, the levels on either side, and how sure it is."""
    found = sorted(_jumps(values, errors, 0))
    places = [0, *(at for at, _ in found), len(values)]
    sides = [values[begin:end] for begin, end in pairwise(places)]
    for (at, z), old, new in zip(found, sides[:-1], sides[1:], strict=True):
        before, now = float(np.median(old[-LEVEL_FROM:])), float(np.median(new[:LEVEL_FROM]))
        if abs(rule.change(before, now)) >= rule.smallest:
            yield "jump", at, before, now, math.copysign(z, now - before)
    whole = None if found else level_change(values, errors)
    if whole is not None and rule.verdict(whole) in {"fell", "rose"}:
        yield "drift", 0, whole.before, whole.now, whole.z


def _jumps(values: Array, errors: Array, start: int) -> Iterator[tuple[int, float]]:
    """The first measurement behind each jump, and how sure that is."""
    change = level_change(values, errors)
    if change is None:
        return
    places, z = [change.began, change.second][: 1 + bool(change.second)], max(abs(change.z), change.z_of_two)
    if not change.second and not change.is_sure:
        found, sureness = switches(values)
        places, z = found.tolist(), SIGNIFICANT_Z * sureness
    elif change.found_by == "slope":
        return
    yield from ((start + at, z) for at in places)
    if 0 < len(places) <= 2:  # noqa: PLR2004 - where it switches more often, that is all
        for begin, end in pairwise([0, *places, len(values)]):
            yield from _jumps(values[begin:end], errors[begin:end], start + begin)

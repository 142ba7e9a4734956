"""When a series jumped, and by how much."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pandas as pd

from qdash_jupyter.methods.descriptions import switches
from qdash_jupyter.methods.level_change import SIGNIFICANT_Z, Given, LevelChange, level_changes
from qdash_jupyter.methods.measurements import Array, Moment, Series, measurements
from qdash_jupyter.methods.smallest import ChangeRule, change_rule

_Found: TypeAlias = tuple[str, int, float, float, float]
_Place: TypeAlias = tuple[int, float]

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
        `since` (the first measurement of the new level; of a drift where it began, as `changes` dates it),
        `before [μs]`, `now [μs]` (medians of up to 10 measurements beside the jump; of a drift, the ends of the line),
        `change [%]` (or `[MHz]`, `[pp]`), `sigmas`, `n`.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit).between(since, until)
    rule = change_rule(given.metric, smallest)
    each = dict(given.each())
    found = _found({qid: (one["value"].to_numpy(), one["error"].to_numpy(), 0) for qid, one in each.items()}, rule)
    rows = [
        (qid, kind, one["t"].iloc[place], before, now, rule.change(before, now), z, len(one))
        for qid, one in each.items()
        for kind, place, before, now, z in found[qid]
    ]
    levels = [f"{name} [{given.unit}]" for name in ("before", "now")]
    columns = ["qid", "kind", "since", *levels, f"change [{rule.unit}]", "sigmas", "n"]
    table = pd.DataFrame(rows, columns=columns)
    table["verdict"] = np.where(table["sigmas"] < 0, "fell", "rose")
    table["since"] = pd.to_datetime(table["since"], utc=True)
    table = table.sort_values("since", ascending=False, kind="stable", ignore_index=True)
    method = (
        f"{given.metric.title}: steps and slopes in noise with the correlation of the series; medians of up to "
        f"{LEVEL_FROM} measurements on either side, from {rule.words} and {SIGNIFICANT_Z} sigmas on."
    )
    return given.told(table, method, given.window(since, until), **rule.attrs(table["sigmas"]))


def _found(series: Mapping[Hashable, Given], rule: ChangeRule) -> dict[Hashable, list[_Found]]:
    """Of each series the kind, the place, the levels on either side, and how sure it is."""
    whole, places = _jumps(series)
    found: dict[Hashable, list[_Found]] = {name: [] for name in series}
    for name, (values, _, _) in series.items():
        ends = [0, *(at for at, _ in places[name]), len(values)]
        sides = [values[begin:end] for begin, end in pairwise(ends)]
        for (at, z), old, new in zip(places[name], sides[:-1], sides[1:], strict=True):
            before, now = float(np.median(old[-LEVEL_FROM:])), float(np.median(new[:LEVEL_FROM]))
            if abs(rule.change(before, now)) >= rule.smallest:
                found[name].append(("jump", at, before, now, math.copysign(z, now - before)))
        change = None if places[name] else whole.get(name)
        if change is not None and rule.verdict(change) in {"fell", "rose"}:
            found[name].append(("drift", change.began, change.before, change.now, change.z))
    return found


def _jumps(series: Mapping[Hashable, Given]) -> tuple[dict[Hashable, LevelChange], dict[Hashable, list[_Place]]]:
    """What changed over each whole series; the first measurement behind each jump, and how sure that is."""
    whole: dict[Hashable, LevelChange] = {}
    places: dict[Hashable, list[_Place]] = {name: [] for name in series}
    pieces = {(name, 0): one for name, one in series.items()}
    while pieces:  # all at once, as series of one length are looked at together
        parts: dict[tuple[Hashable, int], Given] = {}
        for (name, start), change in level_changes(pieces).items():
            values, errors, _ = pieces[name, start]
            whole.setdefault(name, change)
            found, z = _steps(change, values)
            places[name] += [(start + at, z) for at in found]
            if found and found == [*change.steps]:  # where it switches, that is all
                for begin, end in pairwise([0, *found, len(values)]):
                    parts[name, start + begin] = values[begin:end], errors[begin:end], 0
        pieces = parts
    return whole, {name: sorted(one) for name, one in places.items()}


def _steps(change: LevelChange, values: Array) -> tuple[list[int], float]:
    if not change.is_sure and len(change.steps) < 2:  # noqa: PLR2004 - a step that is not sure
        found, sureness = switches(values)
        return found.tolist(), SIGNIFICANT_Z * sureness
    return list(change.steps), change.z_of_steps

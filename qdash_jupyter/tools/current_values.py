"""Current calibrated values: read once for all elements that are asked for, each with its unit, date and age."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pandas as pd

from qdash_jupyter.data.queries import CurrentQuery, ResultQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, Cooldown, ElementKind
from qdash_jupyter.data.tables import records_of
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message, Text, cut, one_of
from qdash_jupyter.tools.chips import both_directions, read_of
from qdash_jupyter.tools.first import first_start

NEVER = "never calibrated"
NO_FIT = "no fit"
MOST_NAMED = 10
CHARS_A_VALUE = 60
"""Room for each value in a summary: one element's values are few, and all of them were asked for."""


def current_values(
    reader: QDashReader,
    chip: ChipRecord,
    kind: ElementKind,
    param_names: Sequence[str] | None,
    qids: Sequence[str] | None = None,
    *,
    metrics: MetricTable,
    at: datetime | None = None,
) -> pd.DataFrame:
    """The reader's current values, with `age_days` behind `calibrated_at`, and doubts in `flag`; or those of a moment.

    Raises:
        NotFound: no qubit (or coupling) of the whole chip has one of the parameters; names the nearest.
        NoData: the history holds nothing of that moment.
    """
    wanted = wanted_names(param_names)
    read = [*wanted, "t1"] if wanted and any(name.startswith("t2_echo") for name in wanted) else wanted
    found = reader.current_parameters(CurrentQuery(chip.ref, kind, parameters=read or None, qids=qids, at=at))
    values = _with_suspicions(found, metrics)
    if wanted:
        values = values[values["parameter"].isin(wanted)].reset_index(drop=True)
    if absent := [name for name in wanted if name not in set(values["parameter"])]:
        known = sorted(set(reader.current_parameters(CurrentQuery(chip.ref, kind))["parameter"]))
        for name in absent:
            if name not in known:
                where = Message("among-elements", kind=kind, chip=chip.ref.chip_id)
                raise NotFound(Message("kind-parameter"), name, known, where=where)
    if at is not None and values.empty:
        when, of = as_of(at), chip.ref.chip_id
        raise NoData(
            Message("no-earlier-values", qids=_elements(kind, qids), chip=of, when=when)
            if qids
            else Message("no-earlier-values-of-all", kind=kind, chip=of, when=when),
            _first_after(reader, chip, at, qids),
        )
    age = (pd.Timestamp(at or reader.now()) - values["calibrated_at"]) / pd.Timedelta(days=1)
    values.insert(values.columns.get_loc("calibrated_at") + 1, "age_days", age.round(3))
    return values


def _first_after(reader: QDashReader, chip: ChipRecord, at: datetime, qids: Sequence[str] | None) -> Text:
    """When the first result is from, where a moment is before that."""
    asked = [ResultQuery(chip.ref, qid=qid, status="completed", excluded=False) for qid in qids or [None]]
    first = min(filter(None, (first_start(reader, one) for one in asked)), default=None)
    if first is None or first < at:
        return ""
    what = Message("task-on", task=Message("any-task"), qid=cut(qids, MOST_NAMED)) if qids else Message("any-task")
    return Message("first-result", what=what, when=first)


def as_of(moment: datetime) -> str:
    """The moment until which values count, in words: of a day, its last minute."""
    return f"{moment - timedelta(milliseconds=1):%Y-%m-%d %H:%M}Z"


def about_moment(at: datetime | None, values: pd.DataFrame) -> dict[str, str]:
    """Of the values of a moment, `as_of`, and from when the oldest and the newest are, `calibrated`; else nothing."""
    if at is None:
        return {}
    ends = (f"{end:%Y-%m-%d %H:%M}Z" for end in (values["calibrated_at"].min(), values["calibrated_at"].max()))
    return {"as_of": as_of(at), "calibrated": " to ".join(dict.fromkeys(ends))}


def flagged(values: pd.DataFrame) -> dict[str, str]:
    """What is to be known of single values but for failed fits: `{"26 t1": "excluded: 9999 μs, …"}`."""
    told = (row for row in records_of(values, "flag", "qid", "parameter") if row.flag not in {"", NO_FIT})
    return {f"{row.qid} {row.parameter}": row.flag for row in told}


def cooldown_ids(values: pd.DataFrame, cooldowns: Sequence[Cooldown]) -> list[str]:
    """The cool-down during which each was calibrated; empty when none is on record for that time."""
    return [cooldown_at(moment, cooldowns) for moment in values["calibrated_at"].tolist()]


def cooldown_at(moment: Any, cooldowns: Sequence[Cooldown]) -> str:
    """The cool-down of a moment; of two at one time the first."""
    for cooldown in cooldowns:
        began, ended = cooldown.started_at, cooldown.ended_at
        if began is not None and began <= moment and (ended is None or moment < ended):
            return cooldown.cooldown_id
    return ""


def _with_suspicions(values: pd.DataFrame, metrics: MetricTable) -> pd.DataFrame:
    """The values with a word in `flag` where one is possible but hard to believe, or outside of the lab's band.

    Pure dephasing only shortens a coherence: T2 is at most 2·T1 (e.g. Krantz et al., Applied Physics Reviews 6, 021318,
    2019, section III.B).
    """
    rows = list(records_of(values, "qid", "parameter", "value", "error", "unit", "flag"))
    t1 = {row.qid: row.value for row in rows if row.parameter == "t1"}
    known = {of: metrics.of(*of) for of in {(row.parameter, row.unit) for row in rows}}
    flags = []
    for qid, parameter, value, error, unit, flag in rows:
        said = [flag] if flag else []
        if parameter in {"t2_echo", "t2_echo_average"} and value > (twice := 2 * t1.get(qid, math.inf)):
            said.append(f"suspicious: > 2·T1 = {twice:.4g} μs")
        if error > abs(value):
            said.append("suspicious: error > value")
        metric = known[parameter, unit]
        low, high = metric.band or (-math.inf, math.inf)
        if value * metric.scale < low or value * metric.scale > high:
            said.append(f"suspicious: ∉ [{low:g}, {high:g}] {metric.unit}")
        flags.append("; ".join(said))
    return values.assign(flag=pd.Series(flags, values.index, values["flag"].dtype))


def wanted_names(param_names: Sequence[str] | None) -> list[str]:
    """The parameters asked for, each once; none means all."""
    return list(dict.fromkeys(param_names or ()))


def side_by_side(values: pd.DataFrame, qids: Sequence[str]) -> pd.DataFrame:
    """One row an element, one column a parameter, NaN where there is no value."""
    once = values.drop_duplicates(["qid", "parameter"], keep="last")  # two documents may name one element
    wide = once.pivot(index="qid", columns="parameter", values="value")  # noqa: PD010 - each is there once
    return wide.reindex(pd.Index(qids, name="qid")).rename_axis(columns=None)


def in_words(values: pd.DataFrame, metrics: MetricTable) -> dict[str, dict[str, str]]:
    """By id and parameter, each value with its error, flag and age, short: `97.72 ± 0.10 %, 5.1 d`."""
    found: dict[str, dict[str, str]] = {}
    for row in records_of(values):
        metric = metrics.of(row.parameter, row.unit)
        value = row.flag if math.isnan(row.value) else _shown(row, metric) + (f" ({row.flag})" if row.flag else "")
        age = "no date" if math.isnan(row.age_days) else f"{row.age_days:.1f} d"
        found.setdefault(row.qid, {})[row.parameter] = f"{value}, {age}"
    return found


def _shown(row: Any, metric: Metric) -> str:
    """A value with its error as people read it: `97.72 ± 0.10 %`."""
    unit = metric.unit if metric.scale != 1 else row.unit
    return with_error(row.value * metric.scale, row.error * metric.scale, unit)


def nothing_current(
    reader: QDashReader, chip: ChipRecord, kind: ElementKind, qids: Sequence[str], param_names: Sequence[str] | None
) -> NoData:
    """The error for elements without the values asked for; says what they have instead.

    No current value is no sign of no results: the document may be broken.
    """
    named, of = _elements(kind, qids), chip.ref.chip_id
    if wanted := wanted_names(param_names):
        held = sorted(set(reader.current_parameters(CurrentQuery(chip.ref, kind, qids=qids))["parameter"]))
        if held:
            return NoData(
                Message("no-current-parameters", parameters=one_of(wanted), qids=named, chip=of),
                Message("no-current-parameters-hint", parameters=tuple(held)),
            )
    counts = reader.result_counts(ResultQuery(chip.ref, status="completed", excluded=False))
    found = {qid for *_, qid in counts}
    have = [qid for qid in both_directions(qids) if qid in found]
    if not have:
        return NoData.with_hint("never-calibrated", qids=named, chip=of)
    measured = {name for qid in have[:MOST_NAMED] for name in reader.parameter_names(chip.ref, qid)["parameter"]}
    hint = Message("no-current-values-hint", parameters=tuple(sorted(measured))) if measured else None
    return NoData(Message("no-current-values", qids=named, chip=of), hint or Message("no-current-values-results-hint"))


def _elements(kind: ElementKind, qids: Sequence[str]) -> Message:
    return Message("elements", kind=kind, count=len(qids), qids=cut(qids, MOST_NAMED))


def source_of(chip: ChipRecord, kind: ElementKind, values: pd.DataFrame) -> Source:
    """Where current values came from."""
    return Source(kind, read_of(chip.ref), len(values), tuple(values["task_id"].head(3)))

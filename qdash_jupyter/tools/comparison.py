"""`compare_qubits`: the current parameters of several qubits (or couplings) side by side, and whether they compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.tables import records_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.messages.message import Message, Text, all_of
from qdash_jupyter.methods.measurements import label
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import both_directions, found_directions, kind_of, known_qids, with_muxes
from qdash_jupyter.tools.current_values import (
    CHARS_A_VALUE,
    NEVER,
    cooldown_ids,
    current_values,
    flagged,
    nothing_current,
    side_by_side,
    source_of,
    wanted_names,
)
from qdash_jupyter.tools.spec import (
    ChipArguments,
    ElementId,
    NewFrame,
    ParameterName,
    ToolContext,
    ToolOutput,
    ToolSpec,
)
from qdash_jupyter.tools.statistics import described

DAYS_APART = 14
"""Values of one parameter that are further apart than this say little about each other."""

CHARS_A_COLUMN = 60
MOST_SHOWN = 100
"""Up to so many values, a summary holds each of them, with its date."""

_TOLD = ("median", "min", "max", "count")


class ComparisonArguments(ChipArguments):
    qids: list[ElementId] = Field(description="several", min_length=1, max_length=500)
    param_names: list[ParameterName] | None = Field(None, max_length=100)


def compare_qubits(args: ComparisonArguments, context: ToolContext) -> ToolOutput:
    """QDash's `{chip_id, qubits: {qid: {parameter: value}}}`, the values on the stored scale, with `units`,
    `calibrated` (by qid: the date and age of its values; where there are several, the parameters of each), `missing`
    (by qid: why a value is null) and `warnings` about values that do not compare. Of a coupling, the direction that
    holds values is given.

    Tables: `qubits` (one row a qubit, one column a parameter) and `values` (one row a value: `qid`, `parameter`,
    `value`, `error`, `unit`, `calibrated_at`, `age_days`, `execution_id`, `task_id`, `flag`, `cooldown_id`).
    """
    reader, chip = context.reader_and_chip(args)
    qids = known_qids(reader, chip, args.qids, muxes=True)
    kind = kind_of("", qids) or "qubit"
    values = current_values(reader, chip, kind, args.param_names, both_directions(qids), metrics=context.metrics)
    if values.empty:
        raise nothing_current(reader, chip, kind, qids, args.param_names)
    qids = found_directions(qids, set(values["qid"]))
    values = values[values["qid"].isin(qids)].reset_index(drop=True)
    cooldowns = reader.cooldowns(chip.ref)
    values["cooldown_id"] = cooldown_ids(values, cooldowns)
    wide = side_by_side(values, qids)
    wide = wide.reindex(columns=wanted_names(args.param_names) or wide.columns)
    rows = list(records_of(values))
    units = _units(values)
    dated = values[values["value"].notna() & values["age_days"].notna()]
    warnings = [*_mixed_units(units), *_ages_apart(dated), *_cooldowns_apart(dated)]
    content: JsonObject = {
        "chip_id": chip.ref.chip_id,
        "qubits": _rows(wide, {(row.qid, row.parameter): row.error for row in rows}),
        "units": {name: _unit_words(name, unit, context.metrics) for name, unit in units.items()},
        "calibrated": _dates(values, reader.now()),
    }
    notable: list[tuple[str, Mapping[str, Any] | Sequence[Any]]] = [
        ("missing", _missing(wide, rows)),
        ("flagged", flagged(values)),
    ]
    content |= {name: said for name, said in notable if said}
    content |= {"warnings": [warning.for_model() for warning in warnings]} if warnings else {}
    notable.append(("warnings", list(map(str, warnings))))
    shows_all = len(values) <= MOST_SHOWN
    if shows_all:
        notable += [("current", content["qubits"]), *((name, content[name]) for name in ("units", "calibrated"))]
    errors = dict(iter(values.groupby("parameter")["error"]))
    statistics: JsonObject = {}
    for name in wide.columns[wide.notna().any()]:
        found = described(wide[name], errors[name])
        statistics[name] = {of: found[of] for of in _TOLD} | {"unit": units[name]}
    stored = {"chip_id": chip.ref.chip_id, "qubits": with_muxes(wide.reset_index(), chip), "values": values}
    of_columns = {name: unit for name, unit in units.items() if isinstance(unit, str)} | {"age_days": "d"}
    return ToolOutput(
        rows=content,
        frame=NewFrame("comparison", stored, main="qubits", units=of_columns, chip=chip.ref),
        statistics=statistics,
        notable=notable,
        budget=SUMMARY_CHARS + CHARS_A_COLUMN * len(wide.columns) + CHARS_A_VALUE * len(values) * shows_all,
        sources=(source_of(chip, kind, values),),
    )


def _rows(wide: pd.DataFrame, errors: Mapping[tuple[str, str], float]) -> JsonObject:
    """The values of each element, with the digits of their errors; empty when it has none at all."""
    rows: JsonObject = {}
    for qid, values in zip(wide.index, wide.to_numpy(dtype="float64").tolist(), strict=True):
        held = zip(wide.columns, values, strict=True)
        digits = {name: compact_number(value, errors.get((qid, name), math.nan)) for name, value in held}
        rows[qid] = {} if all(map(math.isnan, values)) else digits
    return rows


def _units(values: pd.DataFrame) -> dict[str, str | dict[str, str]]:
    """The unit of each parameter; by qid where those of its values differ."""
    units: dict[str, str | dict[str, str]] = {}
    for name, rows in values.groupby("parameter"):
        measured = rows[rows["value"].notna()]
        by_qid = dict(zip(measured["qid"], measured["unit"].replace("", "no unit"), strict=True))
        units[str(name)] = by_qid if len(set(by_qid.values())) > 1 else str(rows["unit"].max())
    return units


def _unit_words(name: str, unit: str | dict[str, str], metrics: MetricTable) -> str | dict[str, str]:
    """The unit, and how people read it where that is on another scale: `a.u. (×100 = %)`."""
    metric = metrics.of(name)
    if isinstance(unit, dict) or metric.scale == 1:
        return unit
    return f"{unit} (×{metric.scale:g} = {metric.unit})".strip()


def _dates(values: pd.DataFrame, now: datetime) -> dict[str, str | dict[str, str | list[str]]]:
    """By qid, the date and age of its values; where there are several, the most frequent one is that of `others`."""
    on: dict[str, dict[str, list[str]]] = {qid: {} for qid in values["qid"]}
    newest_first = values.sort_values("age_days", kind="stable")
    for qid, name, moment in records_of(newest_first, "qid", "parameter", "calibrated_at"):
        day = "no date" if moment != moment else f"{moment:%Y-%m-%d} ({(now.date() - moment.date()).days} d ago)"  # noqa: PLR0124 - NaT
        on[qid].setdefault(day, []).append(name)
    dates: dict[str, str | dict[str, str | list[str]]] = {}
    for qid, days in on.items():
        most = max(days, key=lambda day: len(days[day]))
        dates[qid] = most if len(days) == 1 else {day: days[day] if day != most else "others" for day in days}
    return dates


def _missing(wide: pd.DataFrame, values: Sequence[Any]) -> dict[str, str | dict[str, str]]:
    held = {(row.qid, row.parameter): row.flag for row in values}
    missing: dict[str, str | dict[str, str]] = {}
    for qid, absent in zip(wide.index, wide.isna().to_numpy(), strict=True):
        why = {name: held.get((qid, name), NEVER) for name in wide.columns[absent]}
        if why:
            missing[str(qid)] = NEVER if set(why.values()) == {NEVER} and len(why) == len(absent) else why
    return missing


def _mixed_units(units: Mapping[str, str | dict[str, str]]) -> list[Message]:
    return [
        Message("compare-units", parameter=name, units=tuple(_in_one([qid], one) for qid, one in unit.items()))
        for name, unit in units.items()
        if isinstance(unit, dict)
    ]


def _in_one(qids: Sequence[str], what: Text) -> Message:
    return Message("compare-in-one", names=all_of(map(label, qids)), what=what)


def _ages_apart(dated: pd.DataFrame) -> list[Message]:
    lag = dated["age_days"] - dated.groupby("parameter")["age_days"].transform("min")
    counts = dated["qid"].value_counts()
    return [
        Message(
            "compare-ages",
            name=label(str(qid)),
            parameters=Message("compare-all") if len(behind) == counts[qid] else tuple(behind["parameter"]),
            days=round(behind["lag"].max()),
        )
        for qid, behind in dated.assign(lag=lag)[lag > DAYS_APART].groupby("qid", sort=False)
    ]


def _cooldowns_apart(dated: pd.DataFrame) -> list[Message]:
    parameters: dict[tuple[Message, ...], list[str]] = {}
    if dated["cooldown_id"].nunique() < 2:  # noqa: PLR2004 - of one, none are apart
        return []
    for name, rows in dated.groupby("parameter"):
        groups = tuple(
            _in_one(list(of["qid"]), cooldown or Message("compare-no-cooldown"))
            for cooldown, of in rows.groupby("cooldown_id")
        )
        if len(groups) > 1:
            parameters.setdefault(groups, []).append(str(name))
    return [Message("compare-cooldowns", groups=of, parameters=tuple(names)) for of, names in parameters.items()]


COMPARISON = ToolSpec(
    label=Message("label-comparison"),
    description="Several qubits, or couplings, side by side, dated. Pass on its warnings.",
    run=compare_qubits,
)

"""`compare_qubits`: the current parameters of several qubits (or couplings) side by side, and whether they compare."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    import pandas as pd

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
    units = _units(rows)
    warnings = [*_mixed_units(units), *_ages_apart(rows), *_cooldowns_apart(rows, known=bool(cooldowns))]
    content: JsonObject = {
        "chip_id": chip.ref.chip_id,
        "qubits": _rows(wide, {(row.qid, row.parameter): row.error for row in rows}),
        "units": {name: _unit_words(name, unit, context.metrics) for name, unit in units.items()},
        "calibrated": _dates(rows, reader.now()),
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
    statistics = {
        name: {
            k: said
            for k, said in described(wide[name], values.loc[values["parameter"] == name, "error"]).items()
            if k in _TOLD
        }
        | {"unit": units[name]}
        for name in wide.columns
        if wide[name].notna().any()
    }
    return ToolOutput(
        rows=content,
        frame=NewFrame(
            key="comparison",
            values={"chip_id": chip.ref.chip_id, "qubits": with_muxes(wide.reset_index(), chip), "values": values},
            main="qubits",
            units={name: unit for name, unit in units.items() if isinstance(unit, str)} | {"age_days": "d"},
            chip=chip.ref,
        ),
        statistics=statistics,
        notable=notable,
        budget=SUMMARY_CHARS + CHARS_A_COLUMN * len(wide.columns) + CHARS_A_VALUE * len(values) * shows_all,
        sources=(source_of(chip, kind, values),),
    )


def _rows(wide: pd.DataFrame, errors: Mapping[tuple[str, str], float]) -> JsonObject:
    """The values of each element, with the digits of their errors; empty when it has none at all."""
    rows = zip(wide.index, wide.to_numpy(dtype="float64").tolist(), strict=True)
    return {
        qid: {}
        if all(map(math.isnan, row))
        else {
            name: compact_number(value, errors.get((qid, name), math.nan))
            for name, value in zip(wide.columns, row, strict=True)
        }
        for qid, row in rows
    }


def _units(values: Sequence[Any]) -> dict[str, str | dict[str, str]]:
    """The unit of each parameter; by qid where those of its values differ."""
    units: dict[str, set[str]] = {}
    measured: dict[str, dict[str, str]] = {}
    for row in values:
        units.setdefault(row.parameter, set()).add(row.unit)
        by_qid = measured.setdefault(row.parameter, {})
        if not math.isnan(row.value):
            by_qid[row.qid] = row.unit or "no unit"
    return {
        name: measured[name] if len(set(measured[name].values())) > 1 else max(units[name]) for name in sorted(units)
    }


def _unit_words(name: str, unit: str | dict[str, str], metrics: MetricTable) -> str | dict[str, str]:
    """The unit, and how people read it where that is on another scale: `a.u. (×100 = %)`."""
    metric = metrics.of(name)
    if isinstance(unit, dict) or metric.scale == 1:
        return unit
    return f"{unit} (×{metric.scale:g} = {metric.unit})".strip()


def _dates(values: Sequence[Any], now: datetime) -> dict[str, str | dict[str, str | list[str]]]:
    """By qid, the date and age of its values; where there are several, the most frequent one is that of `others`."""
    dates: dict[str, str | dict[str, str | list[str]]] = {}
    of_each: dict[str, list[Any]] = {}
    for row in values:
        of_each.setdefault(row.qid, []).append(row)
    for qid, rows in of_each.items():
        on: dict[str, list[str]] = {}
        for row in sorted(rows, key=lambda row: math.inf if math.isnan(row.age_days) else row.age_days):
            day = "no date"
            if not math.isnan(row.age_days):
                day = f"{row.calibrated_at:%Y-%m-%d} ({(now.date() - row.calibrated_at.date()).days} d ago)"
            on.setdefault(day, []).append(row.parameter)
        most = max(on, key=lambda day: len(on[day]))
        dates[qid] = most if len(on) == 1 else {day: names if day != most else "others" for day, names in on.items()}
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


def _ages_apart(values: Sequence[Any]) -> list[Message]:
    dated = [row for row in values if not math.isnan(row.value) and not math.isnan(row.age_days)]
    newest: dict[str, float] = {}
    for row in dated:
        newest[row.parameter] = min(row.age_days, newest.get(row.parameter, math.inf))
    behind: dict[str, dict[str, float]] = {}
    for row in dated:
        if (lag := row.age_days - newest[row.parameter]) > DAYS_APART:
            behind.setdefault(row.qid, {})[row.parameter] = lag
    counts = Counter(row.qid for row in dated)
    return [
        Message(
            "compare-ages",
            name=label(qid),
            parameters=Message("compare-all") if len(lags) == counts[qid] else tuple(lags),
            days=round(max(lags.values())),
        )
        for qid, lags in behind.items()
    ]


def _cooldowns_apart(values: Sequence[Any], *, known: bool) -> list[Message]:
    of_each: dict[str, dict[str, list[str]]] = {}
    for row in values:
        if not math.isnan(row.value) and not math.isnan(row.age_days):
            of_each.setdefault(row.parameter, {}).setdefault(row.cooldown_id, []).append(row.qid)
    parameters: dict[tuple[Message, ...], list[str]] = {}
    for name in sorted(of_each):
        if known and len(of_each[name]) > 1:
            groups = tuple(
                _in_one(qids, cooldown or Message("compare-no-cooldown"))
                for cooldown, qids in sorted(of_each[name].items())
            )
            parameters.setdefault(groups, []).append(name)
    return [Message("compare-cooldowns", groups=of, parameters=tuple(names)) for of, names in parameters.items()]


COMPARISON = ToolSpec(
    name="compare_qubits",
    label=Message("label-comparison"),
    description="Several qubits, or couplings, side by side, dated. Pass on its warnings.",
    args=ComparisonArguments,
    run=compare_qubits,
)

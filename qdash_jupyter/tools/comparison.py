"""`compare_qubits`: the current parameters of several qubits (or couplings) side by side, and whether they compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.store.compact import compact_number
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import both_directions, found_directions, kind_of, known_qids
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
from qdash_jupyter.tools.spec import ChipArguments, ElementId, NewFrame, ToolContext, ToolOutput, ToolSpec, Words
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
    param_names: list[str] | None = Field(None, max_length=100)


def compare_qubits(args: ComparisonArguments, context: ToolContext) -> ToolOutput:
    """QDash's `{chip_id, qubits: {qid: {parameter: value}}}`, the values on the stored scale, with `units`,
    `calibrated` (by qid: the date and age of its values; where there are several, the parameters of each), `missing`
    (by qid: why a value is null) and `warnings` about values that do not compare. Of a coupling, the direction that
    holds values is given.

    Tables: `qubits` (one row a qubit, one column a parameter) and `values` (one row a value: `qid`, `parameter`,
    `value`, `error`, `unit`, `calibrated_at`, `age_days`, `execution_id`, `task_id`, `cooldown_id`).
    """
    reader, chip = context.reader_and_chip(args)
    qids = known_qids(reader, chip, args.qids)
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
    units = _units(values)
    warnings = [*_mixed_units(units), *_ages_apart(values), *_cooldowns_apart(values, known=bool(cooldowns))]
    content: JsonObject = {
        "chip_id": chip.ref.chip_id,
        "qubits": {qid: _row_of(wide.loc[qid]) for qid in qids},
        "units": {name: _unit_words(name, unit, context.metrics) for name, unit in units.items()},
        "calibrated": _dates(values, reader.now()),
    }
    notable: list[tuple[str, Mapping[str, Any] | Sequence[Any]]] = [
        ("warnings", warnings),
        ("flagged", flagged(values)),
        ("missing", _missing(wide, values)),
    ]
    content |= {name: said for name, said in notable if said}
    shows_all = len(values) <= MOST_SHOWN
    if shows_all:
        notable += [("current", content["qubits"]), *((name, content[name]) for name in ("units", "calibrated"))]
    statistics = {
        name: {k: said for k, said in described(wide[name]).items() if k in _TOLD} | {"unit": units[name]}
        for name in wide.columns
        if wide[name].notna().any()
    }
    return ToolOutput(
        rows=content,
        frame=NewFrame(
            key="comparison",
            values={"chip_id": chip.ref.chip_id, "qubits": wide.reset_index(), "values": values},
            main="qubits",
            units={name: unit for name, unit in units.items() if isinstance(unit, str)} | {"age_days": "d"},
            chip=chip.ref,
        ),
        statistics=statistics,
        notable=notable,
        budget=SUMMARY_CHARS + CHARS_A_COLUMN * len(wide.columns) + CHARS_A_VALUE * len(values) * shows_all,
        sources=(source_of(chip, kind, values),),
    )


def _row_of(values: pd.Series) -> JsonObject:
    """The values of one element; empty when it has none at all."""
    return {name: compact_number(float(value)) for name, value in values.items()} if values.notna().any() else {}


def _units(values: pd.DataFrame) -> dict[str, str | dict[str, str]]:
    """The unit of each parameter; by qid where those of its values differ."""
    units: dict[str, str | dict[str, str]] = {}
    for name, rows in values.groupby("parameter"):
        measured = rows.dropna(subset=["value"])
        by_qid = dict(zip(measured["qid"], measured["unit"].replace("", "no unit"), strict=True))
        units[name] = by_qid if len(set(by_qid.values())) > 1 else max(rows["unit"])
    return units


def _unit_words(name: str, unit: str | dict[str, str], metrics: MetricTable) -> str | dict[str, str]:
    """The unit, and how people read it where that is on another scale: `a.u. (×100 = %)`."""
    metric = metrics.of(name)
    if isinstance(unit, dict) or metric.scale == 1:
        return unit
    return f"{unit} (×{metric.scale:g} = {metric.unit})".strip()


def _dates(values: pd.DataFrame, now: datetime) -> dict[str, str | dict[str, str | list[str]]]:
    """By qid, the date and age of its values; where there are several, the most frequent one is that of `others`."""
    dates: dict[str, str | dict[str, str | list[str]]] = {}
    for qid, rows in values.groupby("qid", sort=False):
        on: dict[str, list[str]] = {}
        for row in rows.sort_values("calibrated_at", ascending=False).itertuples():
            day = "no date"
            if not math.isnan(row.age_days):
                day = f"{row.calibrated_at:%Y-%m-%d} ({(now.date() - row.calibrated_at.date()).days} d ago)"
            on.setdefault(day, []).append(row.parameter)
        most = max(on, key=lambda day: len(on[day]))
        dates[qid] = most if len(on) == 1 else {day: names if day != most else "others" for day, names in on.items()}
    return dates


def _missing(wide: pd.DataFrame, values: pd.DataFrame) -> dict[str, str | dict[str, str]]:
    held = values.set_index(["qid", "parameter"])["flag"].to_dict()
    missing: dict[str, str | dict[str, str]] = {}
    for qid, row in wide.iterrows():
        why = {name: held.get((qid, name), NEVER) for name in row.index[row.isna()]}
        if why:
            missing[str(qid)] = NEVER if set(why.values()) == {NEVER} and len(why) == len(row) else why
    return missing


def _mixed_units(units: Mapping[str, str | dict[str, str]]) -> list[str]:
    return [
        f"{name} has several units: {', '.join(f'{qid} in {unit}' for qid, unit in unit.items())}."
        for name, unit in units.items()
        if isinstance(unit, dict)
    ]


def _ages_apart(values: pd.DataFrame) -> list[str]:
    dated = values.dropna(subset=["value", "age_days"])
    lag = dated["age_days"] - dated.groupby("parameter")["age_days"].transform("min")
    behind = dated.assign(lag=lag)[lag > DAYS_APART]
    said = []
    for qid, rows in behind.groupby("qid", sort=False):
        which = "all values" if len(rows) == (dated["qid"] == qid).sum() else ", ".join(rows["parameter"])
        said.append(f"{qid}: {which} up to {rows['lag'].max():.0f} d older than the newest compared.")
    return said


def _cooldowns_apart(values: pd.DataFrame, *, known: bool) -> list[str]:
    parameters: dict[str, list[str]] = {}
    for name, rows in values.dropna(subset=["value", "calibrated_at"]).groupby("parameter"):
        if known and len(set(rows["cooldown_id"])) > 1:
            groups = rows.groupby("cooldown_id")["qid"]
            split = "; ".join(f"{cooldown or 'none'}: {', '.join(qids)}" for cooldown, qids in groups)
            parameters.setdefault(split, []).append(name)
    return [f"Of different cool-downs ({split}): {', '.join(names)}." for split, names in parameters.items()]


COMPARISON = ToolSpec(
    name="compare_qubits",
    label=Words("Comparing qubits", "量子ビットを比較中"),
    description="Current parameters side by side, dated, with warnings where they do not compare.",
    guidance="Several qubits or couplings: compare_qubits. Pass its warnings on.",
    args=ComparisonArguments,
    run=compare_qubits,
)

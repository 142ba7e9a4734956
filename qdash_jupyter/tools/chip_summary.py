"""`get_chip_summary`: every qubit's current parameters, with statistics, dates, and what stands out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import pandas as pd
from pydantic import Field

from qdash_jupyter.data.tables import records_of
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import in_ranges
from qdash_jupyter.errors import NoData
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import read_of, with_muxes
from qdash_jupyter.tools.current_values import (
    about_moment,
    cooldown_at,
    cooldown_ids,
    current_values,
    flagged,
    side_by_side,
)
from qdash_jupyter.tools.spec import CurrentArguments, NewFrame, ParameterName, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.statistics import described

CHARS_A_COLUMN = 60
OLD_AFTER_DAYS = 30
_TOLD = ["median", "min", "max", "count"]


class ChipSummaryArguments(CurrentArguments):
    rare = CurrentArguments.rare | {"param_names"}
    param_names: list[ParameterName] | None = Field(None, max_length=100)


def get_chip_summary(args: ChipSummaryArguments, context: ToolContext) -> ToolOutput:
    """Every qubit's current parameters; with `at`, the newest at the end of that date, by QDash's history and results:
    `calibrated` says from when these are. `qids` says which qubits there are, where they aren't 0 to `num_qubits` - 1.

    Tables: `qubits` (one row a qubit, one column a parameter; NaN where missing) and `values` (one row a value: `qid`,
    `parameter`, `value`, `error`, `unit`, `calibrated_at`, `age_days`, `execution_id`, `task_id`, `flag`,
    `cooldown_id`), both with the qubit's `mux`.
    """
    reader, chip = context.reader_and_chip(args)
    at = args.moment(reader.now())
    values = current_values(reader, chip, "qubit", args.param_names, metrics=context.metrics, at=at)
    qids = reader.element_ids(chip.ref, "qubit")
    if not qids:
        raise NoData(Message("no-qubits", chip=chip.ref.chip_id))
    cooldowns = reader.cooldowns(chip.ref)
    values["cooldown_id"] = cooldown_ids(values, cooldowns)
    current = cooldown_at(at, cooldowns) if at else chip.current_cooldown_id
    current = current if current in {one.cooldown_id for one in cooldowns} else None
    wide = side_by_side(values, qids)
    parameters = sorted(wide.columns)
    first = dict(zip(reversed(values["parameter"].tolist()), reversed(values["unit"].tolist()), strict=True))
    units = {name: unit for name, unit in sorted(first.items()) if unit}
    errors = dict(iter(values.groupby("parameter")["error"]))
    described_ = {name: described(wide[name], errors[name]) for name in parameters}
    statistics = {name: found for name, found in described_.items() if found["count"]}
    told = sorted(statistics, key=context.metrics.importance)
    if not args.param_names:  # what has thresholds; the others are in the tables
        told = [name for name in told if context.metrics.of(name).scoring is not None] or told
    return ToolOutput(
        frame=NewFrame(
            key="chip_summary",
            values={
                "chip_id": chip.ref.chip_id,
                "num_qubits": len(qids),
                **({} if qids == [*map(str, range(len(qids)))] else {"qids": in_ranges(qids)}),
                "as_of": pd.Timestamp(reader.now()),
                **about_moment(at, values),
                "statistics": statistics,
                "qubits": with_muxes(wide[parameters].reset_index(), chip),
                "values": with_muxes(values, chip),
            },
            main="qubits",
            units=units | {"age_days": "d"},
            chip=chip.ref,
        ),
        statistics={"_columns": _TOLD} | {name: [statistics[name][of] for of in _TOLD] for name in told},
        notable=_notable(wide, values, context.metrics, current),
        budget=SUMMARY_CHARS + CHARS_A_COLUMN * len(parameters),
        sources=(Source("qubit", read_of(chip.ref), len(values)),),
    )


def _notable(
    wide: pd.DataFrame, values: pd.DataFrame, metrics: MetricTable, cooldown: str | None
) -> list[tuple[str, Mapping[str, Any] | Sequence[Any]]]:
    empty = [str(qid) for qid in wide.index[wide.isna().all(axis=1)]]
    newest = values.groupby("qid", sort=False)["age_days"].min()
    old = {str(qid): f"{age:.0f} d" for qid, age in newest.items() if age > OLD_AFTER_DAYS}
    errors = {(row.qid, row.parameter): row.error for row in records_of(values, "qid", "parameter", "error")}
    bad: dict[str, Any] = {}
    for name in wide.columns:
        metric = metrics.of(name)
        scoring = metric.scoring
        if scoring is None or scoring.bad is None:
            continue
        sign, limit = 1 if scoring.higher_is_better else -1, metric.stored(scoring.bad)
        held = {str(qid): value for qid, value in zip(wide.index, wide[name].tolist(), strict=True)}
        if worse := {qid: value * sign for qid, value in held.items() if value * sign < limit * sign}:
            in_order = sorted(worse, key=worse.__getitem__)
            asked = f"{name} {'<' if sign > 0 else '>'} {limit:g} {metric.stored_unit}".rstrip()
            bad[asked] = {qid: compact_number(held[qid], errors.get((qid, name), nan)) for qid in in_order}
    others = _of_other_cooldowns(values, cooldown) if cooldown else {}
    return [
        ("flagged", flagged(values)),
        ("other_cooldowns", others),
        ("no_values", empty),
        ("worse_than_bad", bad),
        ("oldest", old),
    ]


def _of_other_cooldowns(values: pd.DataFrame, current: str) -> dict[str, list[str]]:
    """By cool-down that is not the current one, the qubits whose values are of it; the parameters where not all are."""
    dated = values[values["value"].notna() & values["age_days"].notna()]
    counts = dated["qid"].value_counts()
    found: dict[str, list[str]] = {}
    for (cooldown, qid), rows in dated[dated["cooldown_id"] != current].groupby(["cooldown_id", "qid"], sort=False):
        which = "" if len(rows) == counts[qid] else f" {', '.join(rows['parameter'])}"
        found.setdefault(cooldown or "none", []).append(f"{qid}{which}")
    return found


CHIP_SUMMARY = ToolSpec(
    label=Message("label-chip-summary"),
    description=("Chip health, worst or best qubits: current parameters of all, with errors and ages."),
    run=get_chip_summary,
)

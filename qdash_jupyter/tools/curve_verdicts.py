"""Verdicts on curves: one in few numbers, many as a table; and the chart of one."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.methods.curves.audit import Audited, audit_table
from qdash_jupyter.methods.curves.chart import curve_chart
from qdash_jupyter.methods.curves.codes import Trust
from qdash_jupyter.methods.curves.curve import Curve, Shots
from qdash_jupyter.methods.curves.thresholds import LIMITS
from qdash_jupyter.methods.curves.verdict import CurveVerdict
from qdash_jupyter.tools.task_tables import listed

_NUMBERS = 2


def told_verdict(verdict: CurveVerdict) -> JsonObject:
    """What was decided, by which numbers, and what to measure next."""
    told: JsonObject = {"fit": str(verdict.fit), "code": str(verdict.code)}
    if verdict.stored or verdict.parameters:
        told["values"] = _values(verdict)
    if verdict.others:
        told["others"] = {name: f"{one.fit} ({one.code})" for name, one in verdict.others.items()}
    if verdict.numbers:
        told["decided_by"] = [one.as_json() for one in verdict.decisive[:_NUMBERS]]
    if not verdict.numbers:
        told["reason"] = verdict.message.for_model()
    return told


def _values(verdict: CurveVerdict) -> dict[str, JsonObject]:
    """The stored values beside the new ones; without stored ones, what the new fit gives in a unit."""
    if not verdict.stored:
        fitted = [(name, one) for name, one in verdict.parameters.items() if one.unit][:_NUMBERS]
        return {name: {"refit": with_error(one.value, one.error, one.unit)} for name, one in fitted}
    told: dict[str, JsonObject] = {}
    for one in verdict.stored[:_NUMBERS]:
        told[one.name] = {
            "stored": with_error(one.stored, one.stored_error, one.unit),
            "refit": with_error(one.fitted, one.fitted_error, one.unit),
        }
        if not math.isnan(one.sigmas):
            told[one.name]["sigmas_apart"] = round(one.sigmas, 1)
    return told


def verdict_table(judged: Sequence[tuple[TaskResult, Audited]]) -> pd.DataFrame:
    """The table of `audit` with what became of the task: `result` (its status) and `excluded`."""
    told = {"result": [one.status for one, _ in judged], "excluded": [one.excluded for one, _ in judged]}
    return audit_table(one for _, one in judged).assign(**told)


def told_verdicts(table: pd.DataFrame, missing: int) -> JsonObject:
    """How many of which kind, and which results to look at, by their elements."""
    is_stored = table["stored"].notna()
    failed = table["result"] == "failed"
    cannot = table["fit"] != str(Trust.RELIABLE)
    told: JsonObject = {
        "curves": len(table),
        "fits": dict(Counter(table["fit"]).most_common()),
        "codes": dict(Counter(table["code"]).most_common()),
        "stored_but_unreliable": _groups(table[is_stored & cannot & ~table["excluded"]]),
        "stored_off_by_3_sigma": listed(Counter(table[is_stored & (table["σ apart"] > LIMITS.disagrees)]["qid"])),
        "failed_with_a_signal": listed(Counter(table[failed & ~cannot]["qid"])),
    }
    if missing:
        told["without_points"] = missing
    return {name: value for name, value in told.items() if value}


def _groups(table: pd.DataFrame) -> dict[str, str]:
    return {str(code): listed(Counter(rows["qid"])) for code, rows in table.groupby("code")}


def curve_drawing(curve: Curve | Shots, verdict: CurveVerdict, chip: ChipRef, language: Language = "en") -> ChartBlock:
    """The chart, its titles in the language."""
    chart = chart_of(json.loads(curve_chart(curve, verdict, language=language).to_json()))
    return replace(chart, code=_code(curve.task_id, chip, language))


def _code(task_id: str, chip: ChipRef, language: Language) -> str:
    """For a cell of the user's own: ids are texts of the database, so they are written as Python writes texts."""
    said = "" if language == "en" else f", language={language!r}"
    return (
        "from qdash_jupyter import methods as qm\n\n"
        "stored = copilot.tools.get_result_curves(\n"
        f"    task_id={task_id!r},\n"
        f"    chip_id={chip.chip_id!r},\n"
        f"    project_id={chip.project_id!r},\n"
        ")\n"
        "(curve,) = qm.curves_of(stored)\n"
        f"qm.curve_chart(curve{said})"
    )

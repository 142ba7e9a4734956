"""Verdicts on curves: one in few numbers, many as a table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from qdash_jupyter.data.records import TaskResult
from qdash_jupyter.data.tables import MOMENT, NUMBER, TEXT, frame_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.methods.curves.codes import Trust
from qdash_jupyter.methods.curves.verdict import CurveVerdict

OFF_SIGMAS = 3.0
"""A stored value that is farther from the new fit, in standard errors of both, is off."""

_NUMBERS = 2
_MOST_LISTED = 12

VERDICT_COLUMNS = {
    "task_id": TEXT,
    "qid": TEXT,
    "start_at": MOMENT,
    "status": TEXT,
    "excluded": "bool",
    "fit": TEXT,
    "code": TEXT,
    "parameter": TEXT,
    "stored": NUMBER,
    "stored_error": NUMBER,
    "refit": NUMBER,
    "refit_error": NUMBER,
    "unit": TEXT,
    "sigmas": NUMBER,
    "why": TEXT,
}


def told_verdict(verdict: CurveVerdict) -> JsonObject:
    """What was decided, by which numbers, and what to measure next."""
    failing = [one.told() for one in verdict.numbers if not one.holds]
    told: JsonObject = {"fit": str(verdict.fit), "code": str(verdict.code)}
    if verdict.stored or verdict.parameters:
        told["values"] = _values(verdict)
    if numbers := (failing or [one.told() for one in verdict.numbers])[:_NUMBERS]:
        told["decided_by"] = numbers
    if not verdict.numbers:
        told["reason"] = verdict.reason
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


def verdict_frame(judged: Iterable[tuple[TaskResult, CurveVerdict]]) -> pd.DataFrame:
    """One row a curve, with the parameter that its task is for: stored, fitted anew, and how far apart, in standard
    errors of both.
    """
    rows = []
    for result, verdict in judged:
        name, stored, fitted = _decisive(verdict)
        rows.append(
            (
                result.task_id,
                result.qid,
                result.start_at,
                result.status,
                result.excluded,
                str(verdict.fit),
                str(verdict.code),
                name,
                *stored,
                *fitted,
                verdict.reason,
            )
        )
    return frame_of(rows, VERDICT_COLUMNS)


def _decisive(verdict: CurveVerdict) -> tuple[str, tuple[float, float], tuple[float, float, str, float]]:
    nothing = (math.nan, math.nan)
    if verdict.stored:
        one = verdict.stored[0]
        return one.name, (one.stored, one.stored_error), (one.fitted, one.fitted_error, one.unit, one.sigmas)
    for name, parameter in verdict.parameters.items():
        return name, nothing, (parameter.value, parameter.error, parameter.unit, math.nan)
    return "", nothing, (*nothing, "", math.nan)


def told_verdicts(table: pd.DataFrame, missing: int) -> JsonObject:
    """How many of which kind, and which results to look at, by their elements."""
    is_stored = table["stored"].notna()
    failed = table["status"] == "failed"
    cannot = table["fit"] != str(Trust.RELIABLE)
    told: JsonObject = {
        "curves": len(table),
        "fits": dict(Counter(table["fit"]).most_common()),
        "codes": dict(Counter(table["code"]).most_common()),
        "stored_but_unreliable": _groups(table[is_stored & cannot & ~table["excluded"]]),
        "stored_off_by_3_sigma": _listed(table[is_stored & (table["sigmas"] > OFF_SIGMAS)]["qid"]),
        "failed_with_a_signal": _listed(table[failed & ~cannot]["qid"]),
    }
    if missing:
        told["without_points"] = missing
    return {name: value for name, value in told.items() if value}


def _groups(table: pd.DataFrame) -> dict[str, str]:
    return {str(code): _listed(rows["qid"]) for code, rows in table.groupby("code")}


def _listed(qids: Sequence[Any] | pd.Series) -> str:
    """`7 (3), 12`: by how often, then by number."""
    counts = Counter(qids)
    order = sorted(counts, key=lambda qid: (-counts[qid], qid_order(qid)))
    listed = [f"{qid} ({counts[qid]})" if counts[qid] > 1 else qid for qid in order[:_MOST_LISTED]]
    more = f" and {len(order) - _MOST_LISTED} more" if len(order) > _MOST_LISTED else ""
    return ", ".join(listed) + more

"""Which result is meant by an analysis, and what is known around it, read once: each part is data, by the name that it
has in the message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from qdash_jupyter.agent.analysis.value_words import against, in_words, settings
from qdash_jupyter.agent.knowledge.task import RelatedContext, TaskKnowledge
from qdash_jupyter.data.queries import CurrentQuery, ResultQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ElementKind, TaskDetail, TaskResult
from qdash_jupyter.domain.ages import age_words
from qdash_jupyter.domain.analysis import HISTORY, RESULT, AnalysisRequest
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number, compact_text
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import is_coupling, qid_label, qid_order
from qdash_jupyter.domain.time_range import TimeRange
from qdash_jupyter.domain.topology import topology_named
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import ChipScope, known_qids, known_runs
from qdash_jupyter.tools.connections import connections_of
from qdash_jupyter.tools.task_results import known_task
from qdash_jupyter.tools.timestamps import shown_duration


@dataclass(frozen=True, slots=True)
class Subject:
    """The result, where it belongs, and the rest of its document."""

    chip: ChipRecord
    task: str
    qid: str
    result: TaskResult
    detail: TaskDetail


def subject_of(request: AnalysisRequest, reader: QDashReader, scope: ChipScope) -> Subject:
    """The newest result that fits, of any status, excluded ones too: somebody asks what went wrong with it.

    Raises:
        NotFound: no such chip, task, qubit or run; names the nearest.
        NoData: they exist, and no result fits all of them.
    """
    chip = scope.resolve(reader)
    task = known_task(reader, chip, request.task)
    (qid,) = known_qids(reader, chip, [request.qid])
    of_task = ResultQuery(chip.ref, task_name=task, qid=qid, last_n=5)
    asked = replace(of_task, execution_id=request.execution_id, task_id=request.task_id, last_n=1)
    found = reader.task_results(asked)
    if not found:
        if request.execution_id:
            known_runs(reader, chip, execution_id=request.execution_id)
        newest = reader.task_results(of_task)
        if request.task_id and newest:
            raise NotFound(
                Message("kind-task-id"),
                request.task_id,
                [one.task_id for one in newest],
                where=Message("of-task-on", task=task, qid=qid),
            )
        runs = Message("task-ran-in", runs=tuple(one.execution_id for one in newest)) if newest else ""
        problem = Message("no-such-result", task=task, qid=qid) if newest else Message("never-ran", task=task, qid=qid)
        raise NoData(problem, runs)
    result = found[0]
    detail = reader.task_detail(chip.ref, result.task_id) or TaskDetail((), {}, {}, (), "", "")
    return Subject(chip, task, qid, result, detail)


DEFAULT_HISTORY = 5
FOR_TREND = 30
"""Earlier results that the trend test looks at."""

_TEXT = 600


def result_context(
    subject: Subject, knowledge: TaskKnowledge | None, reader: QDashReader, metrics: MetricTable
) -> dict[str, JsonObject]:
    """The target with its current parameters, the result, its history, neighbours and couplings; only what there is."""
    related = knowledge.related_context if knowledge else ()
    now = reader.now()
    earlier = _earlier(subject, reader)
    parts: dict[str, JsonObject] = {
        "Target": _target(subject, reader, metrics),
        RESULT: _result(subject, earlier, metrics, now),
        HISTORY: _history(earlier, _asked(related, "history"), metrics, now),
    }
    qubits, pairs = _asked(related, "neighbor_qubits"), _asked(related, "coupling")
    neighbours, couplings = _around(subject, reader) if qubits or pairs else ([], [])
    if qubits and neighbours:
        parts["Neighbours"] = _current(subject, reader, metrics, kind="qubit", qids=neighbours, params=qubits.params)
    if pairs and couplings:
        parts["Couplings"] = _current(subject, reader, metrics, kind="coupling", qids=couplings, params=pairs.params)
    return {name: part for name, part in parts.items() if part}


def _asked(related: Sequence[RelatedContext], kind: str) -> RelatedContext | None:
    return next((one for one in related if one.type == kind), None)


def _earlier(subject: Subject, reader: QDashReader) -> list[TaskResult]:
    """Completed results before this one, newest first; excluded ones do not count."""
    start = subject.result.start_at
    found = reader.task_results(
        ResultQuery(
            subject.chip.ref,
            task_name=subject.task,
            qid=subject.qid,
            status="completed",
            excluded=False,
            during=TimeRange(until=None if start is None else start + timedelta(milliseconds=1)),
            last_n=FOR_TREND + 1,
        )
    )
    return [one for one in found if one.task_id != subject.result.task_id][:FOR_TREND]


def _target(subject: Subject, reader: QDashReader, metrics: MetricTable) -> JsonObject:
    kind: ElementKind = "coupling" if is_coupling(subject.qid) else "qubit"
    current = _current(subject, reader, metrics, kind=kind, qids=[subject.qid], params=())
    return {
        "chip": subject.chip.ref.chip_id,
        "project": subject.chip.ref.project_id,
        kind: subject.qid,
        "label": qid_label(subject.qid, subject.chip.size),
        "current_parameters": current.get(subject.qid, {}),
    }


def _result(subject: Subject, earlier: Sequence[TaskResult], metrics: MetricTable, now: datetime) -> JsonObject:
    result, detail = subject.result, subject.detail
    found: JsonObject = {
        "task": subject.task,
        "qid": subject.qid,
        "status": result.status,
        "started": _when(result.start_at, now),
        "took": shown_duration(result.elapsed_s),
        "execution_id": result.execution_id,
        "task_id": result.task_id,
        "message": compact_text(result.message, _TEXT),
        "excluded": (result.excluded_reason or "no reason given") if result.excluded else None,
        "outputs": {
            row.parameter: against(
                row,
                [one for past in reversed(earlier) for one in past.outputs if one.parameter == row.parameter],
                metrics,
            )
            for row in result.outputs
        },
        "quality_metrics": {name: compact_number(value) for name, value in detail.quality.items()},
        "run_parameters": settings(detail.run_parameters),
        "inputs": {row.parameter: in_words(row, metrics) for row in detail.inputs},
        "note_of_a_person": compact_text(detail.note, _TEXT),
        "review_of_a_model": compact_text(detail.review, _TEXT),
    }
    return {name: value for name, value in found.items() if value or name in {"status", "outputs"}}


def _history(
    earlier: Sequence[TaskResult], wanted: RelatedContext | None, metrics: MetricTable, now: datetime
) -> JsonObject:
    shown = earlier[: wanted.last_n if wanted else DEFAULT_HISTORY]
    params = wanted.params if wanted else ()
    runs = [
        {
            "started": _when(one.start_at, now),
            "execution_id": one.execution_id,
            **{row.parameter: in_words(row, metrics) for row in one.outputs if not params or row.parameter in params},
        }
        for one in shown
    ]
    more = f"at least {len(earlier)}" if len(earlier) == FOR_TREND else str(len(earlier))
    return {"completed_before": more, "newest": runs}


def _current(
    subject: Subject,
    reader: QDashReader,
    metrics: MetricTable,
    *,
    kind: ElementKind,
    qids: Sequence[str],
    params: Sequence[str],
) -> dict[str, Any]:
    """By id and parameter, each current value with its date and age."""
    query = CurrentQuery(subject.chip.ref, kind, parameters=params or None, qids=qids)
    found: dict[str, Any] = {}
    now = reader.now()
    for row in reader.current_parameters(query).itertuples():
        # NaT, where the date is unknown, is not equal to itself.
        at = row.calibrated_at.to_pydatetime() if row.calibrated_at == row.calibrated_at else None
        found.setdefault(row.qid, {})[row.parameter] = ", ".join(
            [in_words(row, metrics), *([row.flag] * (row.flag != "" and row.value == row.value)), _when(at, now)]
        )
    return found


def _around(subject: Subject, reader: QDashReader) -> tuple[list[str], list[str]]:
    """The qubits beside the target (of a coupling: its own two), and the couplings that share a qubit with it; of a
    chip with an unknown topology, by its documents.
    """
    topology = topology_named(subject.chip.topology_id, subject.chip.size)
    pairs = topology.couplings if topology else connections_of(reader, subject.chip).couplings
    mine = set(subject.qid.split("-"))
    touching = [pair for pair in pairs if mine & set(pair)]
    beside = mine if is_coupling(subject.qid) else {qid for pair in touching for qid in pair} - mine
    couplings = [f"{control}-{target}" for control, target in touching]
    return sorted(beside, key=qid_order), [qid for qid in couplings if qid != subject.qid]


def _when(at: datetime | None, now: datetime) -> str:
    return "no date" if at is None else f"{at:%Y-%m-%d %H:%M}Z ({age_words(now - at)})"

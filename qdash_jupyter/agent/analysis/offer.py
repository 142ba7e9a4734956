"""The results that a user can choose from: the newest that fit some words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args

from qdash_jupyter.agent.analysis.value_words import in_words
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, TaskResult
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import normalise_qid, qid_label
from qdash_jupyter.errors import NotFound
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.tools.chips import ChipScope, known_qids
from qdash_jupyter.tools.task_results import TaskStatus

MOST_OFFERED = 50
_MOST_VALUES = 2
_EARLIEST = datetime.min.replace(tzinfo=UTC)


def offered_results(words: str, reader: QDashReader, scope: ChipScope, metrics: MetricTable) -> JsonObject:
    """`rows`, newest first, at most `MOST_OFFERED`; `more` says whether there are more. Reads the database.

    Words are parts of task names, a qubit or coupling in any spelling, and a status: `t1 Q07 failed`.

    Raises:
        NotFound: no such chip, task or qubit; names the nearest.
        Ambiguous: the chip is not chosen.
    """
    chip = scope.resolve(reader)
    found = [result for query in _queries(words, reader, chip) for result in reader.task_results(query)]
    found.sort(key=lambda one: one.start_at or _EARLIEST, reverse=True)
    return {
        # Tasks of the whole chip have no qubit that one could judge.
        "rows": [_row(one, chip, metrics) for one in found[:MOST_OFFERED] if one.qid],
        "more": len(found) > MOST_OFFERED,
    }


def _queries(words: str, reader: QDashReader, chip: ChipRecord) -> list[ResultQuery]:
    """What the words ask for, a query a task."""
    statuses: Sequence[str] = get_args(TaskStatus)
    qid = status = None
    parts = []
    for word in unicodedata.normalize("NFKC", words).casefold().split():
        if word in statuses:
            status = word
        elif normalise_qid(word) is not None:
            (qid,) = known_qids(reader, chip, [word])
        else:
            parts.append(word)
    query = ResultQuery(chip.ref, qid=qid, status=status, last_n=MOST_OFFERED + 1)
    if not parts:
        return [query]
    names = reader.task_names(chip.ref)
    tasks = [name for name in names if all(part in name.casefold() for part in parts)]
    if not tasks:
        raise NotFound(Message("kind-task"), " ".join(parts), names, where=Message("on-chip", chip=chip.ref.chip_id))
    return [replace(query, task_name=task) for task in tasks]


def started(result: TaskResult) -> Text:
    """When, for a user."""
    return f"{result.start_at:%Y-%m-%d %H:%M} UTC" if result.start_at else Message("no-date")


def _row(result: TaskResult, chip: ChipRecord, metrics: MetricTable) -> JsonObject:
    values = [f"{one.parameter} {in_words(one, metrics)}" for one in result.outputs[:_MOST_VALUES]]
    return {
        "task": result.task_name,
        "qid": result.qid,
        "label": qid_label(result.qid, chip.size) if normalise_qid(result.qid) else result.qid,
        "status": result.status,
        "excluded": result.excluded,
        "started": started(result),
        "execution_id": result.execution_id,
        "task_id": result.task_id,
        "values": values,
    }

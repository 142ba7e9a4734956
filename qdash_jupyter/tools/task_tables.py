"""Results of tasks as rows for the model and as tables for the store."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from qdash_jupyter.data.decode import NO_NUMBER
from qdash_jupyter.data.records import ChipRecord, TaskResult
from qdash_jupyter.data.tables import MOMENT, NUMBER, TEXT, frame_of, frame_of_records
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number, compact_text
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.messages.message import Field
from qdash_jupyter.tools.chips import read_of
from qdash_jupyter.tools.spec import NewFrame, ToolOutput
from qdash_jupyter.tools.totals import cut_to, odd_dates

MOST_RESULTS = 5_000
SUMMARY_CHARS = 1_200
MOST_LISTED = 12

Counts = Mapping[tuple[str, str, str], int]
"""How many results there are of each task, status and qid."""

RESULT_COLUMNS = (
    dict.fromkeys(("task_id", "task_name", "qid", "status", "execution_id"), TEXT)
    | {"start_at": MOMENT, "end_at": MOMENT, "elapsed_time": NUMBER, "message": TEXT, "excluded": "bool"}
    | dict.fromkeys(("excluded_reason", "cooldown_id", "tags", "flag"), TEXT)
)
OUTPUT_COLUMNS = {
    "task_id": TEXT,
    "qid": TEXT,
    "start_at": MOMENT,
    "parameter": TEXT,
    "value": NUMBER,
    "error": NUMBER,
    "unit": TEXT,
    "flag": TEXT,
}


def _outputs(result: TaskResult) -> JsonObject:
    """By parameter, the value with its unit (if any), error (if not zero), and why it is missing."""
    outputs: JsonObject = {}
    for row in result.outputs:
        outputs[row.parameter] = {"value": compact_number(row.value, row.error, of_error=1)}  # as QDash does
        if row.unit:
            outputs[row.parameter]["unit"] = row.unit
        if row.error and not math.isnan(row.error):
            outputs[row.parameter]["error"] = compact_number(row.error)
        if row.flag not in {"", NO_NUMBER}:  # where nothing is stored, null says it
            outputs[row.parameter]["missing"] = row.flag
    return outputs


def tables_of(
    key: str,
    chip: ChipRecord,
    results: Sequence[TaskResult],
    *asked: Field,
    counts: Counts | None = None,
    has_more: bool = False,
    odd: Sequence[TaskResult] = (),
    age_days: float | None = None,
) -> ToolOutput:
    """The results as tables: `results` (`elapsed_time` in s) and `outputs`, one row an output of one.

    `counts` are those of all results that fit, where these may be more; without them it may be known that there are
    more (`has_more`). Those with an `odd` date may not be among them.
    """
    if counts is None:
        counts = Counter((one.task_name, one.status, one.qid) for one in results)
    total = sum(counts.values())
    status, tasks, failed = Counter[str](), Counter[str](), dict[str, Counter[str]]()
    for (task, ended, qid), count in counts.items():
        status[ended] += count
        tasks[task] += count
        if ended == "failed":
            failed.setdefault(task, Counter())[qid or "the chip"] += count
    moments = sorted(result.start_at for result in results if result.start_at is not None)
    values: dict[str, Any] = {"chip_id": chip.ref.chip_id, "age_days": age_days}
    if moments:
        values |= {"oldest": moments[0], "newest": moments[-1]}
    values |= cut_to(len(results), total + has_more, is_least=has_more) | odd_dates(odd) | frames_of(results)
    return ToolOutput(
        is_whole=True,
        beside={"output_parameters": list(map(_outputs, results))},
        frame=NewFrame(key, values, main="results", units={"elapsed_time": "s"}, chip=chip.ref),
        statistics={"status": dict(status.most_common()), "tasks": dict(tasks.most_common())},
        notable=_notable(results, failed if total > len(results) else {}),
        budget=SUMMARY_CHARS,
        sources=(source_of(chip, results, *asked),),
    )


def frames_of(results: Sequence[TaskResult]) -> dict[str, pd.DataFrame]:
    """The tables: `results` (`elapsed_time` in s), and `outputs`, one row an output of one."""
    table = frame_of_records(
        results, RESULT_COLUMNS, tags=lambda one: ", ".join(one.tags), elapsed_time=lambda one: one.elapsed_s
    )
    outputs = [
        (result.task_id, result.qid, result.start_at, row.parameter, row.value, row.error, row.unit, row.flag)
        for result in results
        for row in result.outputs
    ]
    return {"results": table, "outputs": frame_of(outputs, OUTPUT_COLUMNS)}


def _notable(results: Sequence[TaskResult], all_failed: Mapping[str, Counter[str]]) -> list[tuple[str, dict[str, str]]]:
    """What failed and what is excluded; where there are more results than these, also how often each task failed."""
    failed = _grouped([(result, result.message) for result in results if result.status == "failed"])
    excluded = _grouped([(result, result.excluded_reason) for result in results if result.excluded])
    if not all_failed:
        return [("failed", failed), ("excluded", excluded)]
    by_task = sorted(all_failed.items(), key=lambda task: -task[1].total())
    newest = f"newest_{len(results)}_"
    of_all = {task: _times_on(qids) for task, qids in by_task}
    return [("failed", of_all), (f"{newest}failed", failed), (f"{newest}excluded", excluded)]


def _grouped(results: Sequence[tuple[TaskResult, str]]) -> dict[str, str]:
    """How often each task said the same words, and on which elements; the most frequent first."""
    groups: dict[str, list[TaskResult]] = {}
    for result, words in results:
        name = words if words.startswith(result.task_name) else f"{result.task_name}: {words}"
        groups.setdefault(compact_text(name, 80), []).append(result)
    most_first = sorted(groups.items(), key=lambda group: -len(group[1]))
    return {name: _times_on(Counter(result.qid or "the chip" for result in group)) for name, group in most_first}


def _times_on(qids: Counter[str]) -> str:
    return f"{qids.total()} × on {listed(qids)}"


def listed(qids: Counter[str]) -> str:
    """`43 (16), 21 (6), 2, 7`: the most frequent first, by id where they are equally so."""
    most_first = sorted(qids, key=lambda qid: (-qids[qid], qid_order(qid)))
    words = [f"{qid} ({qids[qid]})" if qids[qid] > 1 else qid for qid in most_first]
    more = f" and {len(qids) - MOST_LISTED} more" if len(qids) > MOST_LISTED else ""
    return ", ".join(words[:MOST_LISTED]) + more


def source_of(chip: ChipRecord, results: Sequence[TaskResult], *asked: Field) -> Source:
    """Return where results came from."""
    ids = tuple(result.task_id for result in results[:3])
    return Source("task_result_history", read_of(chip.ref, *asked), len(results), ids)

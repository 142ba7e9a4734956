"""`get_latest_task_result`, `get_task_history`, `search_task_results`: what tasks gave, and how they ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Literal

from pydantic import Field

from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, TaskResult
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.qid import is_coupling, other_direction, qid_label
from qdash_jupyter.domain.time_range import ANY_TIME, ODD_TIME, TimeRange
from qdash_jupyter.errors import NoData, NotFound
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.tools.chips import known_qids, known_runs
from qdash_jupyter.tools.first import first_after
from qdash_jupyter.tools.spec import (
    ChipArguments,
    ElementId,
    ResultArguments,
    ToolContext,
    ToolOutput,
    ToolSpec,
)
from qdash_jupyter.tools.task_tables import MOST_RESULTS, tables_of

DEFAULT_LAST_N = 10
CALLS_PER_ELEMENT = 5
"""Calls about one qubit in one question; more are a chip-wide question."""

TaskStatus = Literal["scheduled", "running", "completed", "failed", "pending", "skipped", "cancelled"]


class LatestResultArguments(ChipArguments):
    task_name: str = Field(min_length=1)
    qid: ElementId = Field(min_length=1)


class TaskHistoryArguments(LatestResultArguments):
    rare = ChipArguments.rare | {"include_excluded", "total"}
    last_n: int = Field(5, description="newest n", ge=1, le=MOST_RESULTS)
    include_excluded: bool = Field(default=False, description="Also those, marked.")
    total: bool = Field(default=False, description="Count all.")


class SearchArguments(ResultArguments):
    rare = ResultArguments.rare | {"excluded", "total"}
    task_name: str | None = None
    qid: ElementId | None = None
    status: TaskStatus | None = Field(None, description="How it ended.")
    execution_id: str | None = None
    excluded: bool | None = Field(None, description="Only those that are, or are not.")
    last_n: int | None = Field(None, ge=1, le=MOST_RESULTS)
    total: bool = Field(default=False, description="Count all.")


def get_latest_task_result(args: LatestResultArguments, context: ToolContext) -> ToolOutput:
    """The newest completed result of a task that is not excluded, and its age in days.

    Tables: as of `search_task_results`.
    """
    chip, query, (result,) = _completed(args, context, 1, excluded=False)
    age = None
    if result.start_at is not None:
        age = compact_number((context.reader.now() - result.start_at) / timedelta(days=1))
    odd = _odd(context.reader, query)
    return tables_of("latest_task_result", chip, [result], *_read(query, result), odd=odd, age_days=age)


def get_task_history(args: TaskHistoryArguments, context: ToolContext) -> ToolOutput:
    """The newest completed results of a task on one qubit or coupling, newest first. Where there are more, `cut` says
    so; with `total: true` they are counted.

    Tables: as of `search_task_results`.
    """
    excluded = None if args.include_excluded else False
    chip, query, results = _completed(args, context, args.last_n + 1, excluded=excluded)
    results, has_more = results[: args.last_n], len(results) > args.last_n
    counts = context.reader.result_counts(query) if has_more and args.total else None
    odd = _odd(context.reader, query) if has_more else ()
    has_more &= counts is None
    read = _read(query, results[0])
    return tables_of("task_history", chip, results, *read, counts=counts, has_more=has_more, odd=odd)


def search_task_results(args: SearchArguments, context: ToolContext) -> ToolOutput:
    """Results of tasks of any status, newest first; excluded ones are marked. Where more fit than are given, `cut` says
    so. Those of a time range, and with `total: true` all, are counted, and the statistics are over all of them.

    Tables: `results` (one row a result; `elapsed_time` in s) and `outputs` (one row an output parameter of a result:
    `task_id`, `qid`, `start_at`, `parameter`, `value`, `error`, `unit`, `flag`).
    """
    reader, chip = context.reader_and_chip(args)
    during = args.time_range(reader.now())
    qid = known_qids(reader, chip, [args.qid])[0] if args.qid else None
    cooldown_id = args.cooldown(chip)
    last_n = args.last_n or (MOST_RESULTS if during.since else DEFAULT_LAST_N)
    query = ResultQuery(
        chip.ref,
        task_name=args.task_name or None,
        qid=qid,
        status=args.status,
        execution_id=args.execution_id or None,
        cooldown_id=cooldown_id,
        tags=args.tags or (),
        excluded=args.excluded,
        during=during,
        last_n=last_n + 1,
    )
    query, results = of_task(reader, chip, query)
    if not results:
        known_runs(reader, chip, cooldown_id=cooldown_id, tags=args.tags, execution_id=args.execution_id)
        raise NoData(Message("no-result-fits"), instead(reader, chip, query.task_name, qid, during))
    given = args.model_dump(exclude_none=True, exclude={"chip_id", "project_id"})
    asked = (f"{name} {value}" for name, value in given.items())
    results, has_more = results[:last_n], len(results) > last_n
    is_counted = args.total or during.since is not None  # a window's results are few, all of a chip are not
    counts = reader.result_counts(query) if has_more and is_counted else None
    odd = _odd(reader, query) if has_more or during.is_bounded else ()
    has_more &= counts is None
    return tables_of("task_results", chip, results, *asked, counts=counts, has_more=has_more, odd=odd)


def _odd(reader: QDashReader, query: ResultQuery) -> list[TaskResult]:
    """Those with a date that cannot be."""
    return reader.task_results(replace(query, during=ODD_TIME, last_n=None))


def known_task(reader: QDashReader, chip: ChipRecord, raw: str) -> str:
    """The task's name as QDash writes it: `check_t1` is `CheckT1`.

    Raises:
        NotFound: no such task ever ran on the chip; names the nearest, and those that did.
    """
    return _named(raw, reader.task_names(chip.ref), chip)


def _named(raw: str, names: Sequence[str], chip: ChipRecord) -> str:
    alike = [name for name in names if name == raw] or [name for name in names if _bare(name) == _bare(raw)]
    if len(alike) != 1:
        raise NotFound(Message("kind-task"), raw, names, where=Message("on-chip", chip=chip.ref.chip_id), lists=True)
    return alike[0]


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _completed(
    args: LatestResultArguments, context: ToolContext, last_n: int, *, excluded: bool | None
) -> tuple[ChipRecord, ResultQuery, list[TaskResult]]:
    reader, chip = context.reader_and_chip(args)
    (qid,) = known_qids(reader, chip, [args.qid])
    asked = ResultQuery(
        chip.ref, task_name=args.task_name, qid=qid, status="completed", excluded=excluded, last_n=last_n
    )
    query, results = of_task(reader, chip, asked)
    if not results:
        task = str(query.task_name)
        raise NoData(Message("no-completed-results", qid=qid, task=task), instead(reader, chip, task, qid))
    return chip, query, results


def _read(query: ResultQuery, result: TaskResult) -> tuple[Message, ...]:
    return Message("read-task-of", task=str(query.task_name), qid=result.qid), Message("read-completed")


def of_task(reader: QDashReader, chip: ChipRecord, query: ResultQuery) -> tuple[ResultQuery, list[TaskResult]]:
    """The results, with the query that finds them: where there are none, the task's name may be spelled otherwise.

    Raises:
        NotFound: no such task ever ran on the chip; names the nearest, and those that did.
    """
    found_by, results = in_either_direction(reader, query)
    if results or not query.task_name or (task := known_task(reader, chip, query.task_name)) == query.task_name:
        return found_by, results
    return in_either_direction(reader, replace(query, task_name=task))


def in_either_direction(reader: QDashReader, query: ResultQuery) -> tuple[ResultQuery, list[TaskResult]]:
    """The results, with the query that finds them: of a coupling the direction asked for, or else the other one."""
    results = reader.task_results(query)
    if results or not query.qid or not is_coupling(query.qid):
        return query, results
    turned = replace(query, qid=other_direction(query.qid))
    found = reader.task_results(turned)
    return (turned, found) if found else (query, found)


def instead(
    reader: QDashReader, chip: ChipRecord, task: str | None, qid: str | None, during: TimeRange = ANY_TIME
) -> Message:
    """Return what there is instead: the newest result of any kind, or of a time range that ends before it the first."""
    what: Text = task or Message("any-task")
    what = Message("task-on", task=what, qid=qid_label(qid)) if qid else what
    query, newest = in_either_direction(reader, ResultQuery(chip.ref, task_name=task, qid=qid, last_n=1))
    if not newest:
        return Message("no-results-at-all", what=what)
    if first := first_after(reader, query, during.until):
        return Message("first-result", what=what, when=first)
    state = Message("result-excluded") if newest[0].excluded else Message("task-status", status=newest[0].status)
    when = newest[0].start_at or Message("unknown-time")
    return Message("newest-result", what=what, when=when, state=state)


LATEST_TASK_RESULT = ToolSpec(
    label=Message("label-latest-result"),
    description="Newest completed result of a task on one qubit or coupling.",
    on_request=True,
    run=get_latest_task_result,
    max_calls_per_turn=CALLS_PER_ELEMENT,
    instead="Many qubits: search_task_results without qid.",
)

TASK_HISTORY = ToolSpec(
    label=Message("label-task-history"),
    description="Newest completed results of a task on one qubit or coupling.",
    on_request=True,
    run=get_task_history,
    max_calls_per_turn=CALLS_PER_ELEMENT,
    instead="Many qubits: search_task_results without qid.",
)

TASK_RESULT_SEARCH = ToolSpec(
    label=Message("label-results"),
    description="Results of tasks (excluded marked), newest first: what failed, and why.",
    run=search_task_results,
)

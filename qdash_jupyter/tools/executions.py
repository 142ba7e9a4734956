"""`get_execution_history`: the runs of flows, and how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from qdash_jupyter.data.queries import ExecutionQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, Execution
from qdash_jupyter.data.tables import MOMENT, NUMBER, TEXT, frame_of_records
from qdash_jupyter.domain.compact import compact_text
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.time_range import ODD_TIME, TimeRange
from qdash_jupyter.errors import NoData
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.chips import known_runs, read_of
from qdash_jupyter.tools.first import first_after
from qdash_jupyter.tools.spec import (
    NewFrame,
    TimeRangeArguments,
    ToolContext,
    ToolOutput,
    ToolSpec,
)
from qdash_jupyter.tools.statistics import described
from qdash_jupyter.tools.totals import cut_to, odd_dates

DEFAULT_LAST_N = 10
MOST_RUNS = 5_000
SUMMARY_CHARS = 800

ExecutionStatus = Literal["scheduled", "running", "completed", "failed", "cancelled"]

COLUMNS = (
    dict.fromkeys(("execution_id", "name", "status", "tags"), TEXT)
    | {"start_at": MOMENT, "end_at": MOMENT, "elapsed_time": NUMBER}
    | dict.fromkeys(("message", "username", "flag"), TEXT)
)


class ExecutionHistoryArguments(TimeRangeArguments):
    rare = TimeRangeArguments.rare | {"username", "tags", "status"}
    status: ExecutionStatus | None = Field(None, description="How it ended.")
    username: str | None = None
    tags: list[str] | None = Field(None, max_length=20)
    last_n: int | None = Field(None, ge=1, le=MOST_RUNS)


def get_execution_history(args: ExecutionHistoryArguments, context: ToolContext) -> ToolOutput:
    """Runs, newest first. Table: `executions` (one row a run; `elapsed_time` in s). Where more fit than are given,
    `total` says how many. Runs of two chips may have one `execution_id`.
    """
    reader, chip = context.reader_and_chip(args)
    during = args.time_range(reader.now())
    last_n = args.last_n or (MOST_RUNS if during.since else DEFAULT_LAST_N)
    query = ExecutionQuery(
        chip.ref,
        status=args.status,
        username=args.username or None,
        tags=args.tags or (),
        during=during,
        last_n=last_n,
    )
    runs = reader.executions(query)
    if not runs:
        known_runs(reader, chip, tags=args.tags, username=args.username)
        raise _nothing_fits(reader, chip, during)
    table = frame_of_records(
        runs, COLUMNS, tags=lambda run: ", ".join(run.tags), elapsed_time=lambda run: run.elapsed_s
    )
    values: dict[str, Any] = {"chip_id": chip.ref.chip_id}
    values |= cut_to(len(runs), reader.count(query) if len(runs) == last_n else 0)
    if during.is_bounded or "cut" in values:
        values |= odd_dates(reader.executions(replace(query, during=ODD_TIME, last_n=None)))
    values["executions"] = table
    ids = tuple(run.execution_id for run in runs[:3])
    return ToolOutput(
        is_whole=True,
        frame=NewFrame("executions", values, main="executions", units={"elapsed_time": "s"}, chip=chip.ref),
        statistics={
            "status": dict(Counter(run.status for run in runs)),
            "elapsed_time_s": described(table["elapsed_time"]),
            "names": dict(Counter(run.name for run in runs).most_common()),
        },
        notable=_notable(runs),
        budget=SUMMARY_CHARS,
        sources=(Source("execution_history", read_of(chip.ref), len(runs), ids),),
    )


def _notable(runs: Sequence[Execution]) -> list[tuple[str, list[str]]]:
    def told(status: str) -> list[str]:
        return [f"{run.execution_id} {compact_text(run.message, 60)}".strip() for run in runs if run.status == status]

    return [("failed", told("failed")), ("running", told("running"))]


def _nothing_fits(reader: QDashReader, chip: ChipRecord, during: TimeRange) -> NoData:
    """Names the newest run of all, or of a time range that ends before it the first."""
    newest = reader.executions(ExecutionQuery(chip.ref, last_n=1))
    if not newest:
        return NoData(Message("no-runs", chip=chip.ref.chip_id))
    if first := first_after(reader, ExecutionQuery(chip.ref), during.until):
        return NoData(Message("no-run-fits"), Message("first-run", when=first))
    when = newest[0].start_at or Message("unknown-time")
    return NoData(Message("no-run-fits"), Message("newest-run", run=newest[0].execution_id, when=when))


EXECUTION_HISTORY = ToolSpec(
    label=Message("label-runs"),
    description="Calibration runs: times, status and users.",
    run=get_execution_history,
)

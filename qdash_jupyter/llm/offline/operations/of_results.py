"""What one table of results and runs tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qdash_jupyter.llm.offline.operations.code import listed_code
from qdash_jupyter.llm.offline.operations.lab import TASK_OF
from qdash_jupyter.llm.offline.operations.over_time import ids_of
from qdash_jupyter.llm.offline.operations.row import Ask, Made, Row, Told
from qdash_jupyter.llm.offline.phrases import (
    ELEMENT,
    RUN,
    TASK,
    VALUE,
    Columns,
    label,
    minute,
    number,
    quoted,
    some,
    status_words,
)
from qdash_jupyter.llm.offline.plan import PlannedCall
from qdash_jupyter.messages.message import Message, Text

_Rows = list[dict[str, Any]]
_Codes = Sequence[str | None]


def _excluded_reads(ask: Ask) -> list[PlannedCall]:
    given = ask.during() | ({"qid": ask.qids[0]} if ask.qids else {})
    return [PlannedCall("search_task_results", given)]


def _excluded(ask: Ask, codes: _Codes) -> Made:
    names = ask.query.metrics
    lines = [
        f'excluded = {codes[0]}["results"]',
        'excluded = excluded[excluded["excluded"]][["task_id", "qid", "task_name", "start_at", "excluded_reason"]]',
        f'excluded = excluded.merge({codes[0]}["outputs"][["task_id", "parameter", "value", "unit"]], on="task_id")',
        *([f'excluded = excluded[excluded["parameter"].isin({listed_code(names)})]'] if names else []),
        'excluded = excluded.drop(columns="task_id")',
    ]
    return Made([], lines, "excluded")


def _excluded_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    columns = ELEMENT | {
        Message("plan-heading-parameter"): lambda row: ask.named(row["parameter"]),
        VALUE: lambda row: _stored(row, ask),
        Message("plan-heading-measured"): lambda row: minute(str(row["start_at"])),
        Message("plan-heading-reason"): lambda row: quoted(row["excluded_reason"] or "–"),
    }
    return Told(
        Message("plan-excluded-values", count=len(rows), names=some(ids_of(rows)), window=ask.when), columns, rows
    )


def _stored(row: Mapping[str, Any], ask: Ask) -> str:
    metric = ask.metrics.of(row["parameter"], row["unit"])
    return "–" if row["value"] is None else number(row["value"] * metric.scale, metric)


def _counted_reads(ask: Ask) -> list[PlannedCall]:
    query = ask.query
    task = query.task or next((TASK_OF[name] for name in query.metrics if name in TASK_OF), None)
    given = ask.during() | ({"task_name": task} if task else {}) | ({"qid": ask.qids[0]} if ask.qids else {})
    return [PlannedCall("search_task_results", given)]


_BY = {"task": "task_name", "qubit": "qid", "coupling": "qid"}


def _counted(ask: Ask, codes: _Codes) -> Made:
    by, status = _BY.get(ask.query.per or "task", "task_name"), ask.query.status or "failed"
    count = f"{status}_results"
    lines = [
        f'{count} = {codes[0]}["results"]',
        *([f'{count} = {count}[~{count}["qid"].str.contains("-")]'] if ask.query.per == "qubit" else []),
        *([f'{count} = {count}[{count}["qid"].str.contains("-")]'] if ask.query.per == "coupling" else []),
        f'{count} = {count}["status"].eq("{status}").groupby({count}["{by}"]).agg(["sum", "size"]).reset_index()',
        f'{count}["share [%]"] = 100 * {count}["sum"] / {count}["size"]',
        f'{count} = {count}.sort_values(["sum", "share [%]"], ascending=False, kind="stable")',
    ]
    return Made([], lines, count)


def _counted_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    by, status = _BY.get(ask.query.per or "task", "task_name"), ask.query.status or "failed"
    total, found = sum(row["size"] for row in rows), sum(row["sum"] for row in rows)
    if not total:
        return Told(Message("plan-no-results", window=ask.when))

    def who(row: Mapping[str, Any]) -> str:
        return label(str(row["qid"])) if by == "qid" else str(row["task_name"])

    columns: Columns = {
        TASK if by == "task_name" else "": who,
        status_words(status): "sum",
        Message("plan-heading-results"): "size",
        Message("plan-heading-share"): lambda row: f"{row['share [%]']:.1f} %",
    }
    share, what = f"{100 * found / total:.1f} %", status_words(status)
    if ask.query.per is None:
        head = Message("plan-share", what=what, share=share, count=found, all=total, window=ask.when)
        return Told(head, columns if len(rows) > 1 else None, rows)
    first = rows[0]
    head = Message("plan-most-often", what=what, name=who(first), count=first["sum"], all=first["size"], total=share)
    return Told(head, columns, [row for row in rows if row["sum"]])


def _runs_reads(ask: Ask) -> list[PlannedCall]:
    given = {name: value for name, value in ask.during().items() if name != "execution_id"}
    return [PlannedCall("get_execution_history", given | ({"status": ask.query.status} if ask.query.status else {}))]


def _runs(ask: Ask, codes: _Codes) -> Made:
    order, run = ask.query.order, ask.query.run
    sort = f'("elapsed_time", ascending={order == "lowest"})' if order else '("start_at", ascending=False)'
    lines = [
        f'runs = {codes[0]}["executions"]',
        *([f'runs = runs[runs["execution_id"].eq("{run}")]'] if run else []),
        *(['runs = runs.dropna(subset=["elapsed_time"])'] if order else []),
        f"runs = runs.sort_values{sort}.head({ask.query.count or 10})",
    ]
    return Made([], lines, "runs")


def _runs_told(ask: Ask, rows: _Rows, **_: Any) -> Told:
    if not rows:
        return Told(Message("plan-no-runs", window=ask.when))
    columns: Columns = {
        RUN: "execution_id",
        Message("plan-heading-name"): lambda row: quoted(row["name"] or ""),
        Message("plan-heading-by"): lambda row: quoted(row["username"] or "–"),
        Message("plan-heading-start"): lambda row: minute(str(row["start_at"])),
        Message("plan-heading-took"): lambda row: _took(row["elapsed_time"]),
        Message("plan-heading-status"): lambda row: status_words(row["status"]),
    }
    first = rows[0]
    head = Message(
        "plan-run-first",
        order=ask.query.order or "newest",
        run=first["execution_id"],
        took=_took(first["elapsed_time"]),
        by=quoted(first["username"] or "–"),
        at=minute(str(first["start_at"])),
    )
    return Told(head, columns, rows)


def _took(seconds: float | None) -> Text:
    return "–" if seconds is None else Message("plan-duration", seconds=round(seconds))


EXCLUDED = Row({"metrics", "qids", "window", "why"}, _excluded_reads, _excluded, _excluded_told, each=("qids",))
COUNTED = Row(
    {"metrics", "qids", "task", "status", "window", "run", "tag", "per", "order", "statistic"},
    _counted_reads,
    _counted,
    _counted_told,
    each=("qids",),
    answers=lambda query: query.per or query.statistic == "fraction",
)
RUNS_IN_ORDER = Row(
    {"status", "window", "tag", "order", "count", "who", "run"},
    _runs_reads,
    _runs,
    _runs_told,
    answers=lambda query: query.order or query.who,
)

"""Results of tasks, and the runs that they came from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations.values import assessment_of_values, bad_words, outputs_of, value_table
from qdash_jupyter.llm.offline.phrases import all_rows, label, quoted, table, title_of, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import EVER, Query

_LATEST = Words(
    "**{task} of {qid}, the newest result: {start} UTC, run {run}.**",
    "**{qid}の{task}の最新結果: {start} UTC、実行 {run}**",
)
_NO_OUTPUT = Words("It has no output.", "出力はありません。")
_HISTORY = Words(
    "**{task} of {qid}: the newest {count} completed results.**", "**{qid}の{task}: 完了した最新{count}件**"
)
_FOUND = Words("**{count} result{s}{which}: {status}.**", "**{which}結果{count}件: {status}**")
_RUNS = Words("**{count} run{s}{which}: {status}.**", "**{which}実行{count}件: {status}**")
_NEWEST = Words(" (only the newest)", "(最新のみ)")
_ID = r"(?:^|(?<=, ))\d+(?:-\d+)?"
_DEFAULT_LAST_N = 10
"""What the tools give where neither a number nor a time is asked for."""
_GROUPS = Words("Their messages:", "メッセージ:")
_MORE = Words("{} more are in the table.", "ほか{}件は表にあります。")
_TIMES = Words("A run took {median} in the middle, {low} to {high}.", "実行時間: 中央値 {median}({low}〜{high})。")
_EXCLUDED = Words("excluded", "除外")
_HISTORY_HEADINGS = Words("start (UTC)|outputs|run", "開始 (UTC)|出力|実行")
_RESULT_HEADINGS = Words(
    "start (UTC)|task||status|outputs or message|run", "開始 (UTC)|タスク||状態|出力・メッセージ|実行"
)
_RUN_HEADINGS = Words("run|name|status|start (UTC)|took|tags|message", "実行|名前|状態|開始 (UTC)|時間|タグ|メッセージ")


def latest_result(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_latest_task_result`: the outputs of one result."""
    language = query.language
    (row,) = outcome.rows or [{}]
    values = outputs_of(query.qids[0], row, metrics)
    head = _LATEST.of(language).format(**_names(query), start=row.get("start_at"), run=row.get("execution_id"))
    shown = value_table(values, language) if values else _NO_OUTPUT.of(language)
    return Finding("\n\n".join([head, shown, *bad_words(values, language)]), assessment_of_values(values))


def result_history(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_task_history`: rows, newest first; judged by the newest."""
    language = query.language
    if outcome.rows is None:
        count = sum(outcome.content["statistics"]["status"].values())
        parts = [_HISTORY.of(language).format(**_names(query), count=count), all_rows(outcome.stored, language)]
        return Finding("\n\n".join(parts))
    rows = [(row["start_at"], _told(row, metrics, query), row["execution_id"]) for row in outcome.rows]
    head = _HISTORY.of(language).format(**_names(query), count=len(rows))
    counted = [row for row in outcome.rows if not row.get("excluded")]
    newest = outputs_of(query.qids[0], counted[0], metrics) if counted else []
    body = table(_HISTORY_HEADINGS.of(language).split("|"), rows)
    return Finding(f"{head}\n\n{body}", assessment_of_values(newest))


def results(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`search_task_results`: rows, newest first, or how many there are and what the failed ones say."""
    language = query.language
    if outcome.rows is None:
        parts = [_counted(_FOUND, outcome.content["statistics"]["status"], query)]
        failed = {words: who for words, who in outcome.content.get("failed", {}).items() if words != "_more"}
        if failed:
            lines = "\n".join(f"- {quoted(words)}: {_labelled(who)}" for words, who in failed.items())
            parts.append(f"{_GROUPS.of(language)}\n\n{lines}")
        if more := outcome.content.get("failed", {}).get("_more"):
            parts.append(_MORE.of(language).format(more))
        return Finding("\n\n".join([*parts, all_rows(outcome.stored, language)]))
    rows = [
        (
            row["start_at"],
            row["task_name"],
            label(row["qid"]) if row["qid"] else "",
            row["status"],
            _told(row, metrics, query) or quoted(row["message"] or ""),
            row["execution_id"],
        )
        for row in outcome.rows
    ]
    head = _counted(_FOUND, _counts(outcome.rows), query)
    return Finding(f"{head}\n\n{table(_RESULT_HEADINGS.of(language).split('|'), rows)}")


def runs(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_execution_history`: rows, newest first, or how many of what there are."""
    del metrics
    language, content = query.language, outcome.content
    if outcome.rows is None:
        found = content["statistics"]
        took = {
            name: f"{found['elapsed_time_s'][key]} s"
            for name, key in (("median", "median"), ("low", "min"), ("high", "max"))
        }
        names = "\n".join(f"- {quoted(name)}: {count}" for name, count in found["names"].items() if name != "_more")
        failed = "\n".join(f"- {quoted(one)}" for one in content.get("failed", ()))
        parts = [_counted(_RUNS, found["status"], query), names, failed, _TIMES.of(language).format(**took)]
        return Finding("\n\n".join([*filter(None, parts), all_rows(outcome.stored, language)]))
    rows = [
        (
            row["execution_id"],
            quoted(row["name"]),
            row["status"],
            row["start_at"],
            "" if row["elapsed_time"] is None else f"{row['elapsed_time']} s",
            quoted(row["tags"] or ""),
            quoted(row["message"] or ""),
        )
        for row in outcome.rows
    ]
    head = _counted(_RUNS, _counts(outcome.rows), query)
    return Finding(f"{head}\n\n{table(_RUN_HEADINGS.of(language).split('|'), rows)}")


def _names(query: Query) -> dict[str, str]:
    return {"task": query.details["task_name"], "qid": label(query.qids[0])}


def _told(row: Mapping[str, Any], metrics: MetricTable, query: Query) -> str:
    """The outputs of a result in a line, marked where it is excluded."""
    said = [f"{title_of(one.metric, query.language)} {one.text}" for one in outputs_of("", row, metrics)]
    if row.get("excluded"):
        said.append(f"{_EXCLUDED.of(query.language)}: {quoted(row.get('excluded_reason') or '–')}")
    return "; ".join(said)


def _counts(rows: list[dict[str, Any]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["status"]] = counts.get(row["status"], 0) + 1
    return counts


def _counted(words: Words, status: Mapping[str, int], query: Query) -> str:
    count = sum(status.values())
    language = query.language
    task, run = query.argument("task_name"), query.argument("execution_id")
    whole_run = run and query.window.since == EVER
    which = [window_words(query.window, language)] if query.window.is_bounded and not whole_run else []
    if language == "ja":
        which = [f"{one}の" for one in (*which, run and f"実行{run}", *map(label, query.qids[:1]), task) if one]
    else:
        of = [task and f"of {task}", *(f"on {label(qid)}" for qid in query.qids[:1]), run and f"in run {run}", *which]
        which = [f" {one}" for one in of if one]
    if query.window.since is None and count == query.details.get("last_n", _DEFAULT_LAST_N):
        which.append(_NEWEST.of(language))
    return words.of(language).format(
        count=count,
        s="" if count == 1 else "s",
        which="".join(which),
        status=", ".join(f"{number} {name}" for name, number in status.items()),
    )


def _labelled(who: str) -> str:
    """`18 × on 14 (17), 46` with the labels that people see."""
    count, _, qids = who.partition(" on ")
    return f"{count} ({re.sub(_ID, lambda qid: label(qid[0]), qids)})"

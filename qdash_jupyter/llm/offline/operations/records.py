"""What was recorded, in words: results of tasks, runs, measurements, versions, machine states and people's notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.llm.offline.operations.values import (
    Value,
    assessment_of_values,
    bad_words,
    outputs_of,
    shown_value,
    value_of,
    value_table,
)
from qdash_jupyter.llm.offline.phrases import Columns, label, minute, quoted
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import EVER, Query

_DEFAULT_LAST_N = 10
"""What the tools give where neither a number nor a time is asked for."""

_START, _WRITTEN = Words("start (UTC)", "開始 (UTC)"), Words("written (UTC)", "記録 (UTC)")
_RUN, _TASK = Words("run", "実行"), Words("task", "タスク")
_STATUS, _VALUE = Words("status", "状態"), Words("value", "値")
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
_GROUPS = Words("Their messages:", "メッセージ:")
_MORE = Words("{} more are in the table.", "ほか{}件は表にあります。")
_TIMES = Words(
    "A run took {median} s in the middle, {min} s to {max} s.", "実行時間: 中央値 {median} s({min} s〜{max} s)。"
)
_EXCLUDED = Words("excluded", "除外")
_MEASURED = Words(
    "**{name} of {qid}: {count} measurements, newest {newest}, median {median}, from {low} to {high}.**",
    "**{qid}の{name}: 測定{count}件、最新 {newest}、中央値 {median}({low}〜{high})**",
)
_NO_FIT = Words("No fit: {} of them.", "フィットなし: {}件。")
_NOTHING = Words(
    "**{name} of {qid}: none of {count} measurements gave a value.**", "**{qid}の{name}: 測定{count}件に値なし**"
)
_TREND = Words("Trend: {}.", "傾向: {}。")
_VERSIONS = Words(
    "**{name} of {qid} is {value} since {since} UTC (version {version}).**",
    "**{qid}の{name}は{value}({since} UTC から、バージョン {version})**",
)
_SKIPPED = Words("Skipped numbers: {}.", "欠番: {}。")
_ID = Words("Its id for the lineage graph: `{}`.", "来歴グラフ用のID: `{}`。")
_STATES = Words(
    "**{} calibration notes; they hold numbers without units.**", "**キャリブレーションノート{}件(単位の記載なし)**"
)
_HOLDS = Words("The newest holds:", "最新のノートの内容:")
_NOTES = Words("**{count} note{s} of people, newest first.**", "**メモ{count}件(新しい順)**")
_NONE_OPEN = Words("No issue is open; {} closed.", "未解決の課題はありません(解決済み{}件)。")


def _told(head: str, columns: Columns, outcome: CallOutcome, query: Query, *summary: str) -> str:
    """The head, and all rows in a table; where these are too many, a summary and where they are."""
    if outcome.rows is None:
        return "\n\n".join([head, *filter(None, summary), query.say.stored(outcome.stored)])
    return f"{head}\n\n{query.say.table(columns, outcome.rows)}"


def _lines(items: Any) -> str:
    return "\n".join(f"- {item}" for item in items)


def latest_result(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_latest_task_result`: the outputs of one result."""
    say = query.say
    (row,) = outcome.rows or [{}]
    values = outputs_of(query.qids[0], row, metrics)
    head = say(_LATEST, **_names(query), start=row.get("start_at"), run=row.get("execution_id"))
    shown = value_table(values, say) if values else say(_NO_OUTPUT)
    return Finding("\n\n".join([head, shown, *bad_words(values, say)]), assessment_of_values(values))


def result_history(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_task_history`: rows, newest first; judged by the newest."""
    columns: Columns = {
        _START: "start_at",
        Words("outputs", "出力"): lambda row: _outputs(row, metrics, query),
        _RUN: "execution_id",
    }
    head = query.say(_HISTORY, **_names(query), count=sum(_status(outcome).values()))
    counted = [row for row in outcome.rows or () if not row.get("excluded")]
    newest = outputs_of(query.qids[0], counted[0], metrics) if counted else []
    return Finding(_told(head, columns, outcome, query), assessment_of_values(newest))


def results(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`search_task_results`: rows, newest first, or how many there are and what the failed ones say."""
    columns: Columns = {
        _START: "start_at",
        _TASK: "task_name",
        "": lambda row: label(row["qid"]) if row["qid"] else "",
        _STATUS: "status",
        Words("outputs or message", "出力・メッセージ"): lambda row: (
            _outputs(row, metrics, query) or quoted(row["message"] or "")
        ),
        _RUN: "execution_id",
    }
    failed = dict(outcome.content.get("failed", {}))
    more = failed.pop("_more", None)
    groups = _lines(f"{quoted(words)}: {_labelled(who)}" for words, who in failed.items())
    summary = [f"{query.say(_GROUPS)}\n\n{groups}" if failed else "", query.say(_MORE, more) if more else ""]
    return Finding(_told(_counted(_FOUND, outcome, query), columns, outcome, query, *summary))


def runs(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_execution_history`: rows, newest first, or how many of what there are."""
    del metrics
    columns: Columns = {
        _RUN: "execution_id",
        Words("name", "名前"): lambda row: quoted(row["name"]),
        _STATUS: "status",
        _START: "start_at",
        Words("took", "時間"): lambda row: "" if row["elapsed_time"] is None else f"{row['elapsed_time']} s",
        Words("tags", "タグ"): lambda row: quoted(row["tags"] or ""),
        Words("message", "メッセージ"): lambda row: quoted(row["message"] or ""),
    }
    summary = []
    if outcome.rows is None:
        found = outcome.content["statistics"]
        names = _lines(f"{quoted(name)}: {count}" for name, count in found["names"].items() if name != "_more")
        failed = _lines(map(quoted, outcome.content.get("failed", ())))
        summary = [names, failed, query.say(_TIMES, **found["elapsed_time_s"])]
    return Finding(_told(_counted(_RUNS, outcome, query), columns, outcome, query, *summary))


def _names(query: Query) -> dict[str, str]:
    return {"task": query.details["task_name"], "qid": label(query.qids[0])}


def _outputs(row: Mapping[str, Any], metrics: MetricTable, query: Query) -> str:
    """The outputs of a result in a line, marked where it is excluded."""
    said = [f"{query.say.name(one.metric)} {one.text}" for one in outputs_of("", row, metrics)]
    if row.get("excluded"):
        said.append(f"{query.say(_EXCLUDED)}: {quoted(row.get('excluded_reason') or '–')}")
    return "; ".join(said)


def _status(outcome: CallOutcome) -> Mapping[str, int]:
    """How many rows have which status."""
    if outcome.rows is not None:
        return Counter(row["status"] for row in outcome.rows)
    found: Mapping[str, int] = outcome.content["statistics"]["status"]
    return found


def _counted(words: Words, outcome: CallOutcome, query: Query) -> str:
    status, say = _status(outcome), query.say
    count = sum(status.values())
    task, run = query.argument("task_name"), query.argument("execution_id")
    whole_run = run and query.window.since == EVER
    which = [say.when(query.window)] if query.window.is_bounded and not whole_run else []
    if say.japanese:
        which = [f"{one}の" for one in (*which, run and f"実行{run}", *map(label, query.qids[:1]), task) if one]
    else:
        of = [task and f"of {task}", *(f"on {label(qid)}" for qid in query.qids[:1]), run and f"in run {run}", *which]
        which = [f" {one}" for one in of if one]
    if query.window.since is None and count == query.details.get("last_n", _DEFAULT_LAST_N):
        which.append(say(_NEWEST))
    told = ", ".join(f"{number} {name}" for name, number in status.items())
    return say(words, count=count, which="".join(which), status=told)


def _labelled(who: str) -> str:
    """`18 × on 14 (17), 46` with the labels that people see."""
    count, _, qids = who.partition(" on ")
    named = re.sub(r"(?:^|(?<=, ))\d+(?:-\d+)?", lambda qid: label(qid[0]), qids)
    return f"{count} ({named})"


def measurements(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_parameter_timeseries`: rows, oldest first, or the summary of many."""
    say, content, rows = query.say, outcome.content, outcome.rows
    unit = outcome.unit_of("timeseries", "v")
    metric = metrics.of(query.metrics[0], unit)
    if rows is None:
        lost = int(content["missing"])
        count, found = int(content["count"]) + lost, content.get("statistics", {})
        numbers = [content.get("latest"), *(found.get(name) for name in ("median", "min", "max"))]
    else:
        measured = [row["v"] for row in rows if row["v"] is not None]
        lost, count = len(rows) - len(measured), len(rows)
        numbers = [measured[-1], median(measured), min(measured), max(measured)] if measured else [None]
    names = {"name": say.name(metric), "qid": label(query.qids[0]), "count": count}
    if numbers[0] is None:
        return Finding(say(_NOTHING, **names), "warning")
    newest, middle, low, high = (shown_value({"value": number, "unit": unit}, metric) for number in numbers)
    parts = [say(_MEASURED, **names, newest=newest, median=middle, low=low, high=high)]
    columns: Columns = {
        _START: lambda row: minute(row["t"]),
        _VALUE: lambda row: (
            row["flag"] if row["v"] is None else shown_value({"unit": unit} | row | {"value": row["v"]}, metric)
        ),
        _RUN: "execution_id",
        _TASK: "task_name",
    }
    parts += [say.table(columns, rows[::-1])] if rows is not None else []
    parts += [say(_NO_FIT, lost)] if lost else []
    parts += [say(_TREND, content["trend"])] if content.get("trend") else []
    parts += [say.stored(outcome.stored)] if rows is None else []
    return Finding("\n\n".join(parts), assessment_of_values([Value(query.qids[0], metric, newest)]))


def versions(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_parameter_lineage`: rows, newest first, or the current one of many."""
    say, qid = query.say, query.qids[0]
    current = (outcome.rows or [outcome.content["current"]])[0]
    metric, version = metrics.of(query.metrics[0], current["unit"]), Words("version", "バージョン")
    columns: Columns = {
        version: "version",
        _VALUE: lambda row: value_of(qid, metric.key, row, metrics).text,
        Words("from (UTC)", "開始 (UTC)"): lambda row: minute(row["valid_from"]),
        _TASK: "task_name",
        _RUN: "execution_id",
    }
    head = say(
        _VERSIONS,
        name=say.name(metric),
        qid=label(qid),
        value=shown_value(current, metric) if current["value"] is not None else "–",
        since=minute(current["valid_from"]),
        version=current["version"],
    )
    parts = [_told(head, columns, outcome, query)]
    if skipped := outcome.content.get("skipped"):
        parts.append(say(_SKIPPED, skipped))
    return Finding("\n\n".join([*parts, say(_ID, current["entity_id"])]))


def machine_states(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_calibration_notes`: rows, newest first, or what the newest holds."""
    del metrics
    columns: Columns = {
        _RUN: "execution_id",
        _TASK: "task_id",
        _WRITTEN: lambda row: minute(row["timestamp"]),
        Words("what it holds", "内容"): lambda row: "; ".join(_entries(row["note"])),
    }
    count = outcome.content["notes"]["_rows"] if outcome.rows is None else len(outcome.rows)
    held = _lines(f"`{kind}`: {size}" for kind, size in outcome.content.get("newest", {}).items())
    summary = f"{query.say(_HOLDS)}\n\n{held}"
    return Finding(_told(query.say(_STATES, count), columns, outcome, query, summary))


def _entries(note: Mapping[str, Any]) -> Iterator[str]:
    for kind, entries in note.items():
        if not isinstance(entries, Mapping):
            yield quoted(f"{kind}: {entries}")
            continue
        for name, entry in entries.items():
            values = entry if isinstance(entry, Mapping) else {"": entry}
            yield quoted(f"{kind} {name}: {', '.join(f'{key} {value}'.strip() for key, value in values.items())}")


def notes(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`search_notes`: rows, newest first, or the first words of each."""
    del metrics
    rows = outcome.rows
    if rows is None and "found" in outcome.content:
        return Finding(quoted(outcome.content["note"]))
    if query.argument("is_open") and rows is not None and all(row.get("status") == "closed" for row in rows):
        return Finding(query.say(_NONE_OPEN, len(rows)))
    columns: Columns = {
        _WRITTEN: lambda row: minute(row.get("at")),
        Words("about", "対象"): _about,
        Words("note", "内容"): lambda row: quoted(": ".join(filter(None, (row.get("title"), row.get("content"))))),
        Words("by", "記入者"): lambda row: quoted(row.get("by", "")),
        "": lambda row: row.get("status", ""),
    }
    count = outcome.content["total"] if rows is None else len(rows)
    head = query.say(_NOTES, count=count)
    newest = _lines(quoted(str(line)) for line in outcome.content.get("newest", ())) if rows is None else ""
    return Finding(_told(head, columns, outcome, query, newest))


def _about(row: Mapping[str, Any]) -> str:
    target, kind = row.get("target", ""), row["kind"]
    named = normalise_qid(target)
    shown = label(named) if named else "" if kind == "issue" else quoted(target)  # an issue's is a task id
    return " ".join(filter(None, (kind if kind not in ("qubit", "coupling") else "", shown, row.get("metric", ""))))

"""What was recorded, in words: results of tasks, runs, measurements, versions, machine states and people's notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.llm.offline.operations.values import (
    Value,
    assessment_of_values,
    bad_words,
    flag_in,
    outputs_of,
    shown_value,
    value_of,
    value_table,
)
from qdash_jupyter.llm.offline.phrases import (
    RUN,
    TASK,
    VALUE,
    VERSION,
    Columns,
    Say,
    label,
    minute,
    quoted,
    status_words,
    trend_words,
    window_words,
)
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import EVER, Query
from qdash_jupyter.messages.message import Field, Message, Text, of_json, sentences

_DEFAULT_LAST_N = 10
"""What the tools give where neither a number nor a time is asked for."""

_START, _WRITTEN = Message("plan-heading-start"), Message("plan-heading-written")
_STATUS, _MESSAGE = Message("plan-heading-status"), Message("plan-heading-message")


def _told(head: Text, columns: Columns, outcome: CallOutcome, query: Query, *summary: str) -> str:
    """The head, and all rows in a table; where these are too many, a summary and where they are."""
    say = query.say
    if outcome.rows is None:
        return "\n\n".join([say(head), *filter(None, summary), say(outcome.stored)])
    return f"{say(head)}\n\n{say.table(columns, outcome.rows)}"


def _lines(items: Any) -> str:
    return "\n".join(f"- {item}" for item in items)


def latest_result(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_latest_task_result`: the outputs of one result."""
    say = query.say
    (row,) = outcome.rows or [{}]
    values = outputs_of(query.qids[0], row, metrics)
    task, qid = _task_and_qid(query)
    start, run = str(row.get("start_at")), str(row.get("execution_id"))
    head = Message("plan-latest-result", task=task, qid=qid, start=start, run=run)
    shown = value_table(values, say) if values else say(Message("plan-no-output"))
    return Finding("\n\n".join([say(head), shown, *bad_words(values, say)]), assessment_of_values(values))


def result_history(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_task_history`: rows, newest first; judged by the newest."""
    columns: Columns = {
        _START: "start_at",
        Message("plan-heading-outputs"): lambda row: _outputs(row, metrics, query),
        RUN: "execution_id",
    }
    task, qid = _task_and_qid(query)
    head = Message("plan-result-history", task=task, qid=qid, count=sum(_status(outcome).values()))
    counted = [row for row in outcome.rows or () if not row.get("excluded")]
    newest = outputs_of(query.qids[0], counted[0], metrics) if counted else []
    return Finding(_told(head, columns, outcome, query), assessment_of_values(newest))


def results(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`search_task_results`: rows, newest first, or how many there are and what the failed ones say."""
    columns: Columns = {
        _START: "start_at",
        TASK: "task_name",
        "": lambda row: label(row["qid"]) if row["qid"] else "",
        _STATUS: lambda row: status_words(row["status"]),
        Message("plan-heading-outputs-or-message"): lambda row: (
            _outputs(row, metrics, query) or quoted(row["message"] or "")
        ),
        RUN: "execution_id",
    }
    failed = outcome.content.get("failed", {})
    more = outcome.content.get("_more", {}).get("failed")
    say = query.say
    groups = _lines(say(_titled(words, _labelled(who))) for words, who in failed.items())
    summary = [
        f"{say(Message('plan-their-messages'))}\n\n{groups}" if failed else "",
        say(Message("plan-more-in-table", count=more)) if more else "",
    ]
    found = Message("plan-results", count=sum(_status(outcome).values()))
    return Finding(_told(_counted(found, outcome, query), columns, outcome, query, *summary))


def runs(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_execution_history`: rows, newest first, or how many of what there are."""
    del metrics
    columns: Columns = {
        RUN: "execution_id",
        Message("plan-heading-name"): lambda row: quoted(row["name"]),
        _STATUS: lambda row: status_words(row["status"]),
        _START: "start_at",
        Message("plan-heading-took"): lambda row: "" if row["elapsed_time"] is None else f"{row['elapsed_time']} s",
        Message("plan-heading-tags"): lambda row: quoted(row["tags"] or ""),
        _MESSAGE: lambda row: quoted(row["message"] or ""),
    }
    summary = []
    if outcome.rows is None:
        found = outcome.content["statistics"]
        names = _lines(query.say(_titled(name, str(n))) for name, n in found["names"].items())
        failed = _lines(map(quoted, outcome.content.get("failed", ())))
        took = {name: str(seconds) for name, seconds in found["elapsed_time_s"].items()}
        times = Message("plan-run-times", median=took["median"], min=took["min"], max=took["max"])
        summary = [names, failed, query.say(times)]
    counted = Message("plan-runs", count=sum(_status(outcome).values()))
    return Finding(_told(_counted(counted, outcome, query), columns, outcome, query, *summary))


def _task_and_qid(query: Query) -> tuple[str, str]:
    return query.details["task_name"], label(query.qids[0])


def _outputs(row: Mapping[str, Any], metrics: MetricTable, query: Query) -> str:
    """The outputs of a result in a line, marked where it is excluded."""
    said = [f"{query.say.name(one.metric)} {one.text}" for one in outputs_of("", row, metrics)]
    if row.get("excluded"):
        said.append(query.say(Message("plan-excluded", why=quoted(row.get("excluded_reason") or "–"))))
    return "; ".join(said)


def _status(outcome: CallOutcome) -> Mapping[str, int]:
    """How many rows have which status."""
    if outcome.rows is not None:
        return Counter(row["status"] for row in outcome.rows)
    found: Mapping[str, int] = outcome.content["statistics"]["status"]
    return found


def _counted(what: Message, outcome: CallOutcome, query: Query) -> Message:
    """Return a head: how many of `what` there are, of which task, where and when, and with which status."""
    status = _status(outcome)
    task, run = query.argument("task_name"), query.argument("execution_id")
    whole_run = run and query.window.since == EVER
    if task:
        what = Message("plan-of-task", what=what, task=task)
    for qid in query.qids[:1]:
        what = Message("plan-on-element", what=what, qid=label(qid))
    if run:
        what = Message("plan-in-run", what=what, run=run)
    if query.window.is_bounded and not whole_run:
        what = Message("plan-found-in", what=what, window=window_words(query.window))
    if query.window.since is None and sum(status.values()) == query.details.get("last_n", _DEFAULT_LAST_N):
        what = Message("plan-only-the-newest", what=what)
    counts = tuple(Message("plan-count-of", count=count, what=status_words(name)) for name, count in status.items())
    return Message("plan-counted", what=what, counts=counts)


def _titled(title: str, what: Field) -> Message:
    return Message("plan-titled", title=quoted(title), names=what)


def _labelled(who: str) -> Message:
    """`18 × on 14 (17), 46` with the labels that people see."""
    count, _, qids = who.partition(" on ")
    named = tuple(re.sub(r"^\d+(?:-\d+)?", lambda qid: label(qid[0]), each) for each in qids.split(", "))
    return Message("plan-with-value", what=count, value=named)


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
    of_it = Message("plan-of", name=say.name(metric), whose=label(query.qids[0]))
    if numbers[0] is None:
        return Finding(say(Message("plan-no-values", what=of_it, count=count)), "warning")
    newest, middle, low, high = (shown_value({"value": number, "unit": unit}, metric) for number in numbers)
    head = Message("plan-measurements", what=of_it, count=count, newest=newest, median=middle, low=low, high=high)
    parts = [say(head)]
    columns: Columns = {
        _START: lambda row: minute(row["t"]),
        VALUE: lambda row: (
            flag_in(say, row["flag"])
            if row["v"] is None
            else shown_value({"unit": unit} | row | {"value": row["v"]}, metric)
        ),
        RUN: "execution_id",
        TASK: "task_name",
    }
    parts += [say.table(columns, rows[::-1])] if rows is not None else []
    parts += [say(Message("plan-fits-failed", count=lost))] if lost else []
    parts += [say(Message("plan-trend-is", trend=trend_words(content["trend"])))] if content.get("trend") else []
    parts += [say(outcome.stored)] if rows is None else []
    return Finding("\n\n".join(parts), assessment_of_values([Value(query.qids[0], metric, newest)]))


def versions(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_parameter_lineage`: rows, newest first, or the current one of many."""
    say, qid = query.say, query.qids[0]
    current = (outcome.rows or [outcome.content["current"]])[0]
    metric = metrics.of(query.metrics[0], current["unit"])
    columns: Columns = {
        VERSION: "version",
        VALUE: lambda row: value_of(qid, metric.key, row, metrics).text,
        Message("plan-heading-from"): lambda row: minute(row["valid_from"]),
        TASK: "task_name",
        RUN: "execution_id",
    }
    head = Message(
        "plan-current-version",
        what=Message("plan-of", name=say.name(metric), whose=label(qid)),
        value=shown_value(current, metric) if current["value"] is not None else "–",
        since=minute(current["valid_from"]),
        version=str(current["version"]),
    )
    parts = [_told(head, columns, outcome, query)]
    if skipped := outcome.content.get("skipped"):
        parts.append(say(Message("plan-skipped-versions", versions=str(skipped))))
    return Finding("\n\n".join([*parts, say(Message("plan-entity-id", id=current["entity_id"]))]))


def machine_states(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_calibration_notes`: rows, newest first, or what the newest holds."""
    del metrics
    say = query.say
    columns: Columns = {
        RUN: "execution_id",
        TASK: "task_id",
        _WRITTEN: lambda row: minute(row["timestamp"]),
        Message("plan-heading-content"): lambda row: "; ".join(_entries(row["note"], say)),
    }
    count = outcome.content["notes"]["_rows"] if outcome.rows is None else len(outcome.rows)
    held = _lines(_entries(outcome.content.get("newest", {}), say))
    summary = f"{say(Message('plan-newest-note'))}\n\n{held}"
    return Finding(_told(Message("plan-calibration-notes", count=count), columns, outcome, query, summary))


def _entries(note: Mapping[str, Any], say: Say) -> Iterator[str]:
    for kind, entries in note.items():
        if not isinstance(entries, Mapping):
            yield quoted(f"{kind}: {entries}")
            continue
        if entries.keys() == {"entries", "characters"}:  # what is too long to be told
            size = Message("plan-note-size", entries=entries["entries"], characters=entries["characters"])
            yield say(_titled(kind, size))
            continue
        for name, entry in entries.items():
            values = entry if isinstance(entry, Mapping) else {"": entry}
            yield quoted(f"{kind} {name}: {', '.join(f'{key} {value}'.strip() for key, value in values.items())}")


def notes(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`search_notes`: rows, newest first, or the first words of each."""
    del metrics
    rows = outcome.rows
    if rows is None and "found" in outcome.content:
        return Finding(quoted(query.say(of_json(outcome.content["note"]))))
    if query.argument("is_open") and rows is not None and all(row.get("status") == "closed" for row in rows):
        return Finding(query.say(Message("plan-no-open-issue", count=len(rows))))
    columns: Columns = {
        _WRITTEN: lambda row: minute(row.get("at")),
        Message("plan-heading-about"): lambda row: query.say(_about(row)),
        Message("plan-heading-note"): lambda row: quoted(
            ": ".join(filter(None, (row.get("title"), row.get("content"))))
        ),
        Message("plan-heading-by"): lambda row: quoted(row.get("by", "")),
        "": lambda row: status_words(row["status"]) if row.get("status") else "",
    }
    count = outcome.content["total"] if rows is None else len(rows)
    head = Message("plan-notes", count=count)
    newest = _lines(quoted(str(line)) for line in outcome.content.get("newest", ())) if rows is None else ""
    return Finding(_told(head, columns, outcome, query, newest))


def _about(row: Mapping[str, Any]) -> Text:
    target, kind = row.get("target", ""), row["kind"]
    named = normalise_qid(target)
    shown = label(named) if named else "" if kind == "issue" else quoted(target)  # an issue's is a task id
    words = Message("note-kind", kind=kind) if kind not in ("qubit", "coupling") else ""
    return sentences(words, shown, row.get("metric", ""))

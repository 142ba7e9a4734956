"""What was recorded: results of tasks, runs, measurements, versions and their origin, people's notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.llm.offline.operations.parameters import has_tasks, task_of
from qdash_jupyter.llm.offline.operations.row import (
    MOST_CALLS,
    TIMES,
    Ask,
    Figure,
    Made,
    Telling,
    Told,
    answer,
    calls_of,
    listed_code,
)
from qdash_jupyter.llm.offline.operations.values import (
    Value,
    assessment_of_values,
    bad_words,
    outputs_of,
    shown_value,
    value_of,
)
from qdash_jupyter.llm.offline.phrases import (
    columns,
    ids,
    ids_of,
    label,
    minute,
    number,
    quoted,
    some,
    status_words,
    took,
    trend_words,
)
from qdash_jupyter.llm.offline.plan import PlanFailed, PlannedCall, planned
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.message import Message, Text, cut, of_json, sentences

_LAST_N = 10
"""What the tools give where neither a number nor a time is asked for."""
_MOST_LABELS = 6
_MOST_READ = 12
"""So many elements are looked up one by one."""


# --- results of tasks -----------------------------------------------------------------------------------------------


_GROUPED = (
    'found = found.groupby(["task_name", "status", "message"], as_index=False, dropna=False).agg(',
    '    count=("task_id", "size"),',
    '    elements=("qid", "nunique"),',
    f'    first_qids=("qid", lambda qids: ", ".join(qids.dropna().unique()[:{_MOST_LABELS}])),',
    ")",
    'said = found[["task_name", "status", "message"]].fillna("").itertuples(index=False)',
    'found["message"] = [message.removeprefix(f"{task} {status}: ") for task, status, message in said]',
    'found = found.sort_values("count", ascending=False, kind="stable")',
)
"""Lines that count results by what they say."""


def _counted_results(ask: Ask, status: Mapping[str, int]) -> Message:
    found = Message("plan-results", count=sum(status.values()), status=ask.query.status or "none")
    return _counted_words(found, ask, status)


@answer(
    f"metrics qids task status run how_many count {TIMES}",
    "search_task_results found task status qid",
    each="metrics qids",
    nothing=partial(_counted_results, status={}),
    answers=lambda query: (
        (has_tasks(query) or not query.metrics)
        and (query.asked is not Asked.MEASUREMENTS or (query.qids and (query.run or not query.metrics)))
    ),
    most=_MOST_READ,
)
def results(ask: Ask) -> Telling:
    """Rows, newest first; where they are many, how many say the same. Those of a task on an element are judged by the
    newest that counts.
    """
    [rows] = yield ask.as_stored("results", "found", *_GROUPED)
    known = {"status"} if ask.query.status else ()
    if not rows.is_told:
        shown = columns("task status message results", without=known, message=_message, results=_counted_of)
        return Told(_counted_results(ask, ask.outcomes[0].content["statistics"]["status"]), shown, rows)
    shown = columns(
        "start task element status outputs-or-message run",
        without=known,
        outputs_or_message=lambda row: _outputs(row, ask) or _message(row),
    )
    counted = (row for row in rows if row["status"] == "completed" and not row.get("excluded"))
    newest = next(counted, None) if ask.qids and task_of(ask.query) else None
    values = outputs_of(ask.qids[0], newest, ask.metrics) if newest else []
    head, after = _counted_results(ask, rows.counts("status")), bad_words(values, ask.say)
    return Told(head, shown, rows, assessment_of_values(values), after=after)


def _message(row: Mapping[str, Any]) -> str:
    """What the task said beyond its name and status, which stand beside it."""
    said = (row["message"] or "").removeprefix(f"{row['task_name']} {row['status']}: ")
    return quoted("" if said == f"{row['task_name']} is {row['status']}" else said)


def _counted_of(row: Mapping[str, Any]) -> Message:
    """`18 (Q14, Q46, …)`."""
    named = [label(qid) for qid in row["first_qids"].split(", ") if qid]
    return Message("plan-with-value", what=row["count"], value=cut(named, len(named), row["elements"] - len(named)))


def _outputs(row: Mapping[str, Any], ask: Ask) -> str:
    """The outputs of a result in a line, marked where it is excluded."""
    said = [f"{ask.say.name(one.metric)} {one.text}" for one in outputs_of("", row, ask.metrics)]
    if row.get("excluded"):
        said.append(ask.say(Message("plan-excluded", why=quoted(row.get("excluded_reason") or "–"))))
    return "; ".join(said)


def _counted_words(what: Message, ask: Ask, status: Mapping[str, int]) -> Message:
    """How many of `what` there are, of which task, where and when, and with which status, unless one was asked for."""
    given = ask.calls[0].arguments
    if task := given.get("task_name"):
        what = Message("plan-of-task", what=what, task=task)
    if qid := given.get("qid"):
        what = Message("plan-on-element", what=what, qid=label(qid))
    if run := given.get("execution_id"):
        what = Message("plan-in-run", what=what, run=run)
    elif "since" in given:
        what = Message("plan-found-in", what=what, window=ask.when)
    if "since" not in given and sum(status.values()) == given.get("last_n", _LAST_N):
        what = Message("plan-only-the-newest", what=what)
    if ask.query.status or not status:
        return Message("plan-counted-of-status", what=what)
    counts = tuple(Message("plan-count-of", count=count, what=status_words(name)) for name, count in status.items())
    return Message("plan-counted", what=what, counts=counts)


def _excluded_words(ask: Ask, rows: Sequence[dict[str, Any]]) -> Message:
    whose = ids(ask.qids) if ask.qids else ask.query.kind or "all"
    return Message("plan-excluded-values", count=len(rows), names=some(ids_of(rows)), window=ask.when, whose=whose)


def _of_kind(frame: str, kind: str | None) -> list[str]:
    """A line that keeps the results of qubits, or of couplings, where one of them is named."""
    sign = {"qubit": "~", "coupling": ""}.get(kind or "")
    return [] if sign is None else [f'{frame} = {frame}[{sign}{frame}["qid"].str.contains("-")]']


@answer(
    "metrics qids kind task window why how_many",
    "search_task_results during task qid excluded",
    each="qids",
    nothing=partial(_excluded_words, rows=()),
)
def excluded(ask: Ask) -> Telling:
    """The values that people excluded, and their reasons."""
    names = ask.query.metrics
    lines = [
        f'excluded = {ask.codes[0]}["results"][["task_id", "excluded", "excluded_reason"]]',
        f'excluded = {ask.codes[0]}["outputs"].merge(excluded[excluded["excluded"]])',
        *([f'excluded = excluded[excluded["parameter"].isin({listed_code(names)})]'] if names else []),
        *_of_kind("excluded", "" if names or ask.qids else ask.query.kind),
    ]
    [rows] = yield Made(lines, "excluded")
    shown = columns(
        "element parameter value measured reason",
        parameter=lambda row: ask.named(row["parameter"]),
        value=lambda row: _stored(row, ask),
    )
    return Told(_excluded_words(ask, rows), shown, rows, names=ids_of(rows))


def _stored(row: Mapping[str, Any], ask: Ask) -> str:
    metric = ask.metrics.of(row["parameter"], row["unit"])
    return "–" if row["value"] is None else number(row["value"] * metric.scale, metric)


def _is_counted(query: Query) -> bool:
    """Whether it asks for a rate, or for the most frequent; of tasks or elements."""
    if query.per not in {None, *_BY} or (query.form and _BY.get(query.per or "qubit") == "qid"):
        return False
    if query.per in _PERIODS:
        return not (query.order or query.statistic or query.count)
    if query.statistic == "fraction":
        return query.status in {"failed", "completed"} and not query.order
    return query.per is not None and query.order == "highest" and query.statistic is None


_PERIODS = {"day": "D", "week": "W-SUN", "month": "M"}
_BY = {"task": "task_name", "qubit": "qid", "coupling": "qid", **dict.fromkeys(_PERIODS, "period")}


def _counted_reads(ask: Ask) -> list[PlannedCall]:
    """All results, and of a status alone those: these are all read where the former are too many."""
    reads = [calls_of("search_task_results during task qid", ask)]
    if ask.query.status and ask.query.statistic is None:
        reads.append(calls_of("search_task_results during task qid status", ask))
    return [call for some in reads for call in some]


def _counting(ask: Ask) -> Made:
    by, status, per = _BY[ask.query.per or "task"], ask.query.status or "failed", str(ask.query.per)
    # Of all results, of each status; where these were too many, all of the status were read.
    is_whole = len(ask.outcomes) == 1 or ask.outcomes[1].failed or "cut" not in ask.outcomes[0].content
    is_of_status = bool(ask.query.status or ask.query.statistic)
    counts = [*([f'{status}="sum"'] if is_of_status else []), *(['results="size"'] if is_whole else [])]
    frame = f"{status}_results" if is_of_status else "results"
    lines = [f'{frame} = {ask.codes[0 if is_whole else 1]}["results"]']
    lines += _of_kind(frame, per)
    if per in _PERIODS:
        begin = f'{frame}["start_at"].dt.tz_localize(None).dt.to_period("{_PERIODS[per]}").dt.start_time'
        lines.append(f'{frame} = {frame}.assign(period={begin}.dt.strftime("%Y-%m-%d"))')
    grouped = f'{frame}["status"].eq("{status}").groupby({frame}["{by}"])'
    lines.append(f"{frame} = {grouped}.agg({', '.join(counts)}).reset_index()")
    order = [status if is_of_status else "results"]
    if is_of_status and is_whole:
        lines.append(f'{frame}["{_SHARE}"] = 100 * {frame}["{status}"] / {frame}["results"]')
        order.append(_SHARE)
    order = ["period"] if per in _PERIODS else order
    lines.append(f'{frame} = {frame}.sort_values({listed_code(order)}, ascending=False, kind="stable")')
    return Made(lines, frame)


@answer(
    "metrics qids task status window run tag per order statistic count form",
    _counted_reads,
    each="metrics qids",
    answers=lambda query: (has_tasks(query) or not query.metrics) and _is_counted(query),
)
def counted(ask: Ask) -> Telling:
    """How many results there are by task, element or time, and which share of them has a status."""
    made = _counting(ask)
    [rows] = yield made
    query, by, status, per = ask.query, _BY[ask.query.per or "task"], ask.query.status or "failed", str(ask.query.per)
    if not rows:
        return Told(Message("plan-no-results", window=ask.when))

    def who(row: Mapping[str, Any]) -> str:
        return label(str(row["qid"])) if by == "qid" else str(row[by])

    first, what = rows[0], status_words(status)
    whose = {"task_name": Message("plan-heading-task"), "period": Message("plan-heading-period", per=per)}.get(by, "")
    shown = {whose: who} | ({what: status} if status in first else {})
    known = {"results"} - first.keys() | ({"share"} if _SHARE not in first else set())
    shown |= columns("results share", without=known, share=lambda row: f"{row[_SHARE]:.1f} %")
    found, total = (sum(row.get(name, 0) for row in rows) for name in (status, "results"))
    results = Message("plan-results", count=found if query.status else total, status=query.status or "none")
    share = f"{100 * found / total:.1f} %" if total else ""
    if query.per is None:
        head = Message("plan-share", what=what, share=share, count=found, all=total, window=ask.when)
        return Told(head, shown if len(rows) > 1 else None, rows)
    if by == "period":
        head = Message("plan-counts-per-period", what=results, window=ask.when, per=per, periods=len(rows))
        return Told(head, shown, rows, drawn=_bars(ask, made, by), most=_MOST_PERIODS)
    if query.status is None:
        head = Message("plan-most-results", name=who(first), count=first["results"], all=total)
    elif total:
        count, all_of_it = first[status], first["results"]
        head = Message("plan-most-often", what=what, name=who(first), count=count, all=all_of_it, total=share)
    else:
        head = Message("plan-most-often-of", what=what, name=who(first), count=first[status], all=results)
    drawn = _bars(ask, made, by)
    return Told(head, shown, [row for row in rows if row.get(status, 1)][: query.count], drawn=drawn)


def _bars(ask: Ask, made: Made, by: str) -> list[Figure]:
    """Counts as bars, where a chart is asked for: times forward, else most first."""
    if not ask.query.form:
        return []
    status, order = ask.query.status, "[::-1]" if by == "period" else ""
    column = _SHARE if ask.query.statistic else status or "results"
    what = _SHARE if ask.query.statistic else status_words(status) if status else Message("plan-heading-results")
    given = [f'{made.frame}.set_index("{by}")["{column}"]{order}', f'y="{ask.say(what)}"']
    return [Figure("bar_chart", given, sentence_of(replace(ask.query, form=None), ask.language))]


_SHARE = "share [%]"
_MOST_PERIODS = 62
"""Rows of a table of periods."""


def _runs_reads(ask: Ask) -> list[PlannedCall]:
    given = ask.during() if _is_ordered(ask.query) else ask.newest()
    given = {name: value for name, value in given.items() if name != "execution_id"}
    return [planned("get_execution_history", **given, status=ask.query.status, username=ask.query.user)]


def _is_ordered(query: Query) -> bool:
    return bool(query.order or query.who)


def _counted_runs(ask: Ask, status: Mapping[str, int]) -> Message:
    runs = Message("plan-runs", count=sum(status.values()), status=ask.query.status or "none")
    return _counted_words(runs, ask, status)


@answer(
    f"status how_many count order who user run {TIMES}",
    _runs_reads,
    nothing=partial(_counted_runs, status={}),
    answers=lambda query: (not query.run or _is_ordered(query)) and query.order in {None, "lowest", "highest"},
)
def runs(ask: Ask) -> Telling:
    """Runs, the newest first unless another order is asked for."""
    order, run, is_ordered = ask.query.order, ask.query.run, _is_ordered(ask.query)
    sort = f'("elapsed_time", ascending={order == "lowest"})' if order else '("start_at", ascending=False)'
    lines = [
        f'runs = {ask.codes[0]}["executions"]',
        *([f'runs = runs[runs["execution_id"].eq("{run}")]'] if run else []),
        *(['runs = runs.dropna(subset=["elapsed_time"])'] if order else []),
        f"runs = runs.sort_values{sort}{f'.head({ask.query.count})' if ask.query.count else ''}",
    ]
    [rows] = yield Made(lines, "runs") if is_ordered else ask.as_stored("executions", "runs")
    if not rows:
        return Told(Message("plan-no-runs", window=ask.when))
    names = [row["execution_id"] for row in rows]
    shown = columns("run name by start took status tags message")
    if not is_ordered:
        return Told(_counted_runs(ask, rows.counts("status")), shown, rows, names=names)
    first = rows[0]
    by, at = quoted(first["username"] or "–"), minute(first["start_at"])
    head = Message(
        "plan-run-first", order=order or "newest", run=names[0], took=took(first["elapsed_time"]), by=by, at=at
    )
    return Told(head, shown, rows, names=names)


@answer(
    f"task qids order count {TIMES}",
    "search_task_results during task qid",
    each="qids",
    answers=lambda query: (
        (query.order in {"highest", "lowest"} or not (query.order or query.count)) and (query.qids or not query.kind)
    ),
    most=MOST_CALLS,
)
def duration(ask: Ask) -> Telling:
    """The median of each task, the slowest first."""
    lines = [
        f'durations = {ask.codes[0]}["results"].dropna(subset=["elapsed_time"])',
        'durations = durations.groupby("task_name")["elapsed_time"].agg(["size", "median", "mean", "min", "max"])',
        'durations.columns = ["results", "median [s]", "mean [s]", "min [s]", "max [s]"]',
        f'durations = durations.sort_values("median [s]", ascending={ask.query.order == "lowest"}).reset_index()',
    ]
    [rows] = yield Made(lines, "durations")
    if not rows:
        return Told(Message("plan-no-durations"))
    shown = columns("task results")
    for name in ("median", "mean", "min", "max"):
        shown[Message("plan-heading-duration", which=name)] = lambda row, name=name: took(
            row[f"{name} [s]"], finely=True
        )
    first, which = rows[0], ask.query.order or ("none" if rows.total == 1 else "highest")
    middle, mean = (took(first[f"{name} [s]"], finely=True) for name in ("median", "mean"))
    task, count = first["task_name"], first["results"]
    head = Message("plan-task-takes", which=which, task=task, took=middle, mean=mean, count=count)
    return Told(head, shown if len(rows) > 1 else None, rows[: ask.query.count])


@answer(f"per! status {TIMES}", "get_execution_history during status", answers=lambda query: query.per == "user")
def runs_by_user(ask: Ask) -> Telling:
    """How many runs each person started."""
    lines = [
        f'users = {ask.codes[0]}["executions"].groupby("username")',
        'users = users.agg(runs=("execution_id", "size"), last=("start_at", "max"))',
        'users = users.sort_values("runs", ascending=False).reset_index()',
    ]
    [rows] = yield Made(lines, "users")
    if not rows:
        return Told(Message("plan-no-runs", window=ask.when))
    first, total = rows[0], sum(row["runs"] for row in rows)
    head = Message("plan-most-runs", name=quoted(first["username"]), count=first["runs"], all=total)
    return Told(head, columns("by runs newest-run"), rows)


# --- measurements, versions -----------------------------------------------------------------------------------------


@answer(
    f"metrics! qids! how_many count {TIMES}",
    "get_parameter_timeseries parameter qid when",
    each="metrics qids",
    most=MOST_CALLS,
)
def measurements(ask: Ask) -> Telling:
    """Rows, newest first."""
    [rows] = yield ask.as_stored("timeseries", "measured", 'measured = measured.sort_values("t", ascending=False)')
    [outcome], [qid], say = ask.outcomes, ask.qids, ask.say
    content, unit = outcome.content, outcome.unit_of("timeseries", "v")
    metric = ask.metrics.of(ask.query.metrics[0], unit)
    if not rows.is_told:
        lost = int(content["missing"])
        count, found = int(content["count"]) + lost, content.get("statistics", {})
        numbers = [content.get("latest"), *(found.get(name) for name in ("median", "min", "max"))]
    else:
        measured = [row["v"] for row in rows if row["v"] is not None]
        lost, count = len(rows) - len(measured), len(rows)
        numbers = [measured[-1], median(measured), min(measured), max(measured)] if measured else [None]
    what = Message("plan-of", name=say.name(metric), whose=label(qid))
    if numbers[0] is None:
        return Told(Message("plan-no-values", what=what, count=count), assessment="warning")
    newest, middle, low, high = (shown_value({"value": number, "unit": unit}, metric) for number in numbers)
    total = content.get("total", 0)
    head = Message(
        "plan-measurements", what=what, count=count, of_all=total, newest=newest, median=middle, low=low, high=high
    )

    def value(row: Mapping[str, Any]) -> str:
        return value_of(qid, metric.key, {"unit": unit, **row, "value": row["v"]}, ask.metrics).in_words(say)

    after = [
        Message("plan-fits-failed", count=lost) if lost else "",
        Message("plan-trend-is", trend=trend_words(content["trend"])) if content.get("trend") else "",
    ]
    shown, listed = columns("start=t value run task", value=value), rows[::-1] if rows.is_told else rows
    return Told(head, shown, listed, assessment_of_values([Value(qid, metric, newest)]), after=after)


@answer("metrics! qids!", "get_parameter_lineage parameter qid", each="metrics qids", most=_MOST_READ)
def versions(ask: Ask) -> Telling:
    """Rows, newest first."""
    [rows] = yield ask.as_stored("versions", "versions")
    [name], [qid], current = ask.query.metrics, ask.qids, rows[0]

    def value(row: Mapping[str, Any]) -> str:
        return value_of(qid, name, row, ask.metrics).text

    what = Message("plan-of", name=ask.say.name(ask.metrics.of(name, current["unit"])), whose=label(qid))
    since, version = minute(current["valid_from"]), str(current["version"])
    head = Message("plan-current-version", what=what, value=value(current), since=since, version=version)
    skipped = ask.outcomes[0].content.get("skipped")
    after = [
        Message("plan-skipped-versions", versions=str(skipped)) if skipped else "",
        Message("plan-entity-id", id=current["entity_id"]),
    ]
    return Told(head, columns("version value from task run", value=value), rows, after=after)


# --- where a value comes from -----------------------------------------------------------------------------------------


def _graph(ask: Ask) -> list[PlannedCall]:
    if not ask.outcomes[0].rows:
        raise PlanFailed(Message("plan-no-versions", parameter=ask.metric.key))
    return [planned("get_provenance_lineage_graph", entity_id=ask.outcomes[0].rows[0]["entity_id"])]


@answer("metrics! qids!", "get_parameter_lineage parameter qid one", each="metrics qids", then=_graph)
def origin(ask: Ask) -> Telling:
    """What a value was made of, step by step: values, and results of tasks (activities)."""
    dropped = listed_code(("valid_from", "started_at", "ended_at", "chip_id"))
    [rows] = yield Made([f'lineage = {ask.codes[0]}["nodes"].drop(columns={dropped})'], "lineage")
    content, counts = ask.outcomes[0].content, rows.counts("type")
    one = _value_at(rows[0], ask)
    what = Message("plan-of", name=ask.say.name(one.metric), whose=label(one.qid))
    what = what if one.missing else Message("plan-with-value", what=what, value=one.text)
    head = Message("plan-origin", what=what, values=counts.get("entity", 0) - 1, results=counts.get("activity", 0))
    stale = tuple(_stale(row) for row in rows if (row["newest_version"] or 0) > (row["version"] or 0))
    odd = tuple(f"`{row['id']}`" for row in rows if row["type"] == "activity" and row["status"] != "completed")
    beyond, missing = (content.get(name) for name in ("edges_beyond_max_depth", "edges_to_missing_nodes"))
    after = [
        Message("plan-stale-versions", names=stale) if stale else "",
        Message("plan-not-completed", names=odd) if odd else "",
        Message("plan-edges-beyond", count=beyond) if beyond else "",
        Message("plan-edges-missing", count=missing) if missing else "",
    ]
    shown = columns(
        "depth what value version task run=exec_id",
        what=lambda row: _what_at(row, ask),
        value=lambda row: _value_at(row, ask).text if row["type"] == "entity" else "",
        version=lambda row: "" if row["version"] is None else f"{row['version']:.0f}",
        task=_task_at,
    )
    return Told(head, shown, rows, "warning" if odd else None, after=after)


def _value_at(row: Mapping[str, Any], ask: Ask) -> Value:
    return value_of(str(row["qid"]), row["param"], row, ask.metrics)


def _what_at(row: Mapping[str, Any], ask: Ask) -> str:
    name = ask.named(row["param"]) if row["type"] == "entity" else ""
    return f"{name} {label(str(row['qid'])) if row['qid'] else ''}".strip()


def _task_at(row: Mapping[str, Any]) -> Text:
    if row["type"] == "entity":
        return row["task"] or ""
    return Message("plan-with-value", what=str(row["task"]), value=status_words(str(row["status"])))


def _stale(row: Mapping[str, Any]) -> Message:
    used, newest = (f"{row[name]:.0f}" for name in ("version", "newest_version"))
    return Message("plan-version-used", name=label(str(row["qid"])), parameter=row["param"], used=used, newest=newest)


# --- machine states and notes -----------------------------------------------------------------------------------------


@answer("qids run window cooldown", "get_calibration_notes when qid", each="qids", most=_MOST_READ)
def states(ask: Ask) -> Telling:
    """What each note holds, the newest first; of all elements how much of each kind."""
    lines = [f'entries = {ask.codes[0]}["entries"]']
    if not ask.qids:
        lines.append('entries = entries.groupby(["execution_id", "task_id", "timestamp", "kind"], sort=False).size()')
        lines.append('entries = entries.reset_index(name="size")')
    [rows] = yield Made(lines, "entries")
    shown = columns(
        "run task=task_id written what value values=size",
        without={"values" if ask.qids else "value"},
        what=lambda row: quoted(f"{row['kind']} {row.get('label', '')}".strip()),
        value=lambda row: quoted(f"{row['name']} {row['value']}".strip()),
    )
    told, content = ask.outcomes[0].rows, ask.outcomes[0].content
    count = content["notes"]["_rows"] if told is None else len(told)
    return Told(Message("plan-calibration-notes", count=count), shown, rows)


@answer(
    "qids kind text count who user window cooldown",
    "search_notes when qid kind text user",
    each="qids",
    most=_MOST_READ,
)
def notes(ask: Ask) -> Telling:
    """Rows, newest first."""
    [rows] = yield ask.as_stored("notes", "notes")
    content = ask.outcomes[0].content
    if "found" in content:
        return Told(quoted(ask.say(of_json(content["note"]))))
    shown = columns(
        "written about note by",
        written=lambda row: minute(row.get("at")),
        about=_about,
        note=lambda row: quoted(": ".join(filter(None, (row.get("title"), row.get("content"))))),
        by=lambda row: quoted(row.get("by", "")),
    )
    shown[""] = lambda row: status_words(row["status"]) if row.get("status") else ""
    head = Message("plan-notes", count=content.get("total", len(rows)))
    of_them = {normalise_qid(row.get("target", "")) for row in rows}
    missing = Message("plan-no-note-of", names=ids(ask.qids)) if ask.qids and not of_them & {*ask.qids} else ""
    return Told((missing, head), shown, rows)


def _about(row: Mapping[str, Any]) -> Text:
    target, kind = row.get("target", ""), row["kind"]
    named = normalise_qid(target)
    shown = label(named) if named else "" if kind == "issue" else quoted(target)  # an issue's is a task id
    words = Message("note-kind", kind=kind) if kind not in ("qubit", "coupling") else ""
    return sentences(words, shown, row.get("metric", ""))

"""Qubits side by side, and what was not measured."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.operations.code import called, cell_of, listed_code
from qdash_jupyter.llm.offline.operations.over_time import ids_of
from qdash_jupyter.llm.offline.operations.tables import (
    COUPLING_GATE,
    figure,
    narrowed,
    series_call,
    shown_metric,
    why_refused,
)
from qdash_jupyter.llm.offline.operations.topology import neighbours_of
from qdash_jupyter.llm.offline.operations.trend import trend
from qdash_jupyter.llm.offline.phrases import (
    ELEMENT,
    Columns,
    ago,
    ids,
    label,
    quoted,
    some,
    stored_number,
    table,
    things,
    window_words,
)
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall, read
from qdash_jupyter.llm.offline.query import Query, moment_text
from qdash_jupyter.messages.message import Field, Message, of_json

CHARTED = "t1"
MOST_QUBITS = 12
OLD_DAYS, AGES = 30, 1e6
MOST_ROWS = 30


def compare(query: Query, metrics: MetricTable, question: str) -> Plan:
    """The current values of the named qubits, with ages, and one parameter over time; of a time their trends."""
    if query.is_timed or any(is_coupling(qid) for qid in query.qids):
        names = query.metrics or (() if any(map(is_coupling, query.qids)) else (CHARTED,))
        return (yield from trend(replace(query, metrics=names), metrics, question))
    say, qids = query.say, [qid for qid in query.qids if qid not in query.without]
    if len(qids) > MOST_QUBITS:
        raise PlanFailed(Message("plan-too-many-columns", count=len(qids), most=MOST_QUBITS))
    charted = metrics.of(query.metrics[0] if query.metrics else CHARTED)
    begin = moment_text(query.now - timedelta(days=60))
    only = {"param_names": list(query.metrics)} if query.metrics else {}
    several = [PlannedCall("compare_qubits", {"qids": qids, **only})] if len(qids) > 1 else []
    summary, timeline, *compared = yield [
        PlannedCall("get_chip_summary", {}),
        series_call(replace(query, qids=tuple(qids)), charted.key, "qubit", since=begin),
        *several,
    ]
    if summary.failed:
        raise PlanFailed(summary.why)
    if timeline.failed and timeline.content.get("kind") == "not_found":
        raise PlanFailed(timeline.why)
    whose = ids(qids)
    made = [
        f'values = copilot.data["{summary.content["data_key"]}"]["values"]',
        f'values = values[values["qid"].isin({listed_code(qids)})]',
        'compared = values.pivot(index="parameter", columns="qid", values=["value", "age_days"])',
        "compared",
    ]
    purpose = say(Message("plan-current-values", names=whose))
    steps = [(cell_of(purpose, [], *made), purpose)]
    notes = [quoted(say(of_json(words))) for outcome in compared for words in outcome.content.get("warnings", ())]
    if timeline.failed:
        notes.append(say(why_refused(timeline, query)))
    else:
        title = Message("plan-of", name=say.name(charted), whose=whose)
        given = f'copilot.data["{timeline.content["data_key"]}"]', listed_code(qids[:8])
        steps.append(figure(say, title, "series_chart", *given))
    run, *_ = yield from Cells().run_all(steps)
    told = {row["parameter"]: row for row in run.records}
    shown = [key for key in query.metrics or METRICS if metrics.of(key).kind == "qubit"]
    lines = [(key, [_value(told.get(key, {}), qid, key, query, metrics) for qid in qids]) for key in shown]
    # What none of them has is not worth a line.
    rows = [
        (say.name(shown_metric(metrics, key, errors=query.errors)), *values)
        for key, values in lines
        if any(value != "–" for value in values)
    ]
    empty = [qid for column, qid in enumerate(qids, start=1) if all(row[column] == "–" for row in rows)]
    notes += [say(Message("plan-no-results-at-all", names=some(empty)))] if empty else []
    if len(empty) == len(qids):
        return Finding(notes[-1])
    head = say(Message("plan-compared", names=whose))
    body = table(["", *map(label, qids)], rows, say.language)
    return Finding("\n\n".join([head, body, *notes]))


def _value(row: dict[str, Any], qid: str, key: str, query: Query, metrics: MetricTable) -> str:
    value, metric = row.get(f"value, {qid}"), shown_metric(metrics, key, errors=query.errors)
    if value is None:
        return "–"
    shown = stored_number(value, metric)
    age = row.get(f"age_days, {qid}")
    return shown if age is None else f"{shown} ({age:.0f} d)"


def compare_neighbours(query: Query, metrics: MetricTable, question: str) -> Plan:
    """The qubit that is named beside its neighbours."""
    outcome = yield from read("get_chip_topology")
    near = neighbours_of(query.qids[0], outcome)
    if not near:
        return Finding(query.say(Message("plan-no-neighbours", name=label(query.qids[0]))))
    return (yield from compare(replace(query, qids=(*query.qids, *near)), metrics, question))


def unmeasured(query: Query, metrics: MetricTable, question: str) -> Plan:
    """What was not measured for long, of a parameter or at all, and what has no result; asked for dead qubits, the
    headline has the second alone.
    """
    say, window = query.say, query.window
    between = window.until is not None and not query.dead
    fallback = COUPLING_GATE if query.element == "coupling" else CHARTED if between else ""
    named = next(iter(query.metrics), fallback)
    metric = metrics.of(named) if named else None
    days = float(OLD_DAYS)
    if window.since is not None and not query.dead:
        days = window.days or (query.now - window.since) / timedelta(days=1)
    if metric is None:
        outcome = yield from read("get_chip_summary")
    else:
        during = {"since": window.since_text, "until": window.until_text} if between else {"last_n": 10}
        outcome = yield from read("get_chip_parameter_timeseries", parameter_name=metric.key, **during)
    kind = metric.kind if metric else "qubit"
    key = outcome.content["data_key"]
    lines = called(
        "unmeasured_lately", "unmeasured", f'copilot.data["{key}"]', f"old_days={AGES if between else days:g}"
    )
    lines += narrowed("unmeasured_lately", 'unmeasured_lately["qid"]', query, kind)
    lines.append('unmeasured_lately["age"] = np.where(unmeasured_lately["newest [d ago]"].isna(), "never", "old")')
    imports = ["import numpy as np", "from qdash_jupyter.methods import unmeasured"]
    code = cell_of(question, imports, *lines, "unmeasured_lately")
    run = yield from Cells().run(code, query.say(Message("plan-unmeasured-purpose")))
    rows, counts = run.records, run.counts("age")
    if between:  # who has no measurement in it may have some at other times
        counts, rows = {"old": run.total}, [row | {"age": "old"} for row in rows]
    dead, stale = ([row for row in rows if row["age"] == age] for age in ("never", "old"))
    span, results = _span(query, days), Message("plan-any-results")
    if metric:
        results = Message("plan-results-of", name=say.name(metric))

    def which(rows: list[dict[str, Any]], age: str) -> tuple[int, Message, Field]:
        """How many they are, also in words, and their names."""
        count = counts.get(age, 0)
        return count, things(count, kind), some(ids_of(rows), most=40, unlisted=count - len(rows))

    count, of_them, names = which(dead, "never")
    if count:
        never = Message("plan-never", count=count, things=of_them, results=results, names=names)
    else:
        never = Message("plan-all-have-results", kind=kind, results=results)
    count, of_them, names = which(stale, "old")
    if count:
        old = Message("plan-old", count=count, things=of_them, results=results, span=span, names=names)
    else:
        old = Message("plan-none-old", kind=kind, results=results, span=span)
    if query.dead:
        parts = [f"**{say(never)}**", *([say(old)] if stale else [])]
    else:
        parts = [f"**{say(old)}**", *([f"**{say(never)}**"] if dead else [])]
    if stale and not between:
        newest: Columns = {Message("plan-heading-newest-measurement"): lambda row: ago(row["newest [d ago]"])}
        parts.append(say.table(ELEMENT | newest, stale[:MOST_ROWS]))
    return Finding("\n\n".join(parts), "warning" if (dead if query.dead else rows) else "good")


def _span(query: Query, days: float) -> Message:
    if query.window.is_bounded and query.window.days is None and not query.dead:
        return Message("plan-during", window=window_words(query.window))
    return Message("plan-for-days", days=days)

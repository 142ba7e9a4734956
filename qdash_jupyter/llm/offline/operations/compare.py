"""Qubits side by side, and what was not measured."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import METRICS, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.clarifying import ClarifyingQuestion
from qdash_jupyter.llm.offline.operations.code import called, cell_of, listed_code
from qdash_jupyter.llm.offline.operations.over_time import ids_of
from qdash_jupyter.llm.offline.operations.questions import compare_with
from qdash_jupyter.llm.offline.operations.tables import (
    COUPLING_GATE,
    figure,
    narrowed,
    series_call,
    shown_metric,
    why_refused,
)
from qdash_jupyter.llm.offline.operations.trend import trend
from qdash_jupyter.llm.offline.phrases import ELEMENT, THINGS, Columns, label, quoted, stored_number, table
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, PlanFailed, PlannedCall, read
from qdash_jupyter.llm.offline.query import Query, moment_text

_OF = Words("{name} of {whose}", "{whose}の{name}")

CHARTED = "t1"
MOST_QUBITS = 12
OLD_DAYS, AGES = 30, 1e6
MOST_ROWS = 30

_VALUES_OF = Words("Current values of {}", "{}の現在値")
_WITH_AGES = Words("Current values of {}, with the age of each.", "{}の現在値と測定からの日数")
_NOT_MEASURED = Words("What was not measured for long, or never", "長く、または一度も測定されていないもの")
_TOO_MANY = Words(
    "That is a table of {} columns: name up to {} qubits.", "{}列になります。一度に比較できるのは{}個までです。"
)
_EMPTY = Words("No results at all: {}.", "測定結果がないもの: {}。")
_CURRENT = Words("**Current values of {}** (in brackets: how many days old).", "**{}の現在値**(括弧内は測定からの日数)")
_NEVER = Words("{things} {have} no result{of} at all: {ids}.", "{of}測定結果が一つもない{things}: {ids}")
_EVERY = Words("Every {kind} has a result{of}.", "{of}測定結果のない{thing}はありません。")
_OLD = Words("{things} {were} not measured{of} {span}: {ids}.", "{of}{span}測定されていない{things}: {ids}")
_NONE_OLD = Words(
    "No {kind} that has results was left unmeasured{of} {span}.", "{of}{span}測定されていない{thing}はありません。"
)


def compare(query: Query, metrics: MetricTable, question: str) -> Plan:
    """The current values of the named qubits, with ages, and one parameter over time; of a time their trends."""
    if query.is_timed or any(is_coupling(qid) for qid in query.qids):
        names = query.metrics or (() if any(map(is_coupling, query.qids)) else (CHARTED,))
        return (yield from trend(replace(query, metrics=names), metrics, question))
    say, ids = query.say, [qid for qid in query.qids if qid not in query.without]
    if len(ids) > MOST_QUBITS:
        raise PlanFailed(say(_TOO_MANY, len(ids), MOST_QUBITS))
    charted = metrics.of(query.metrics[0] if query.metrics else CHARTED)
    begin = moment_text(query.now - timedelta(days=60))
    only = {"param_names": list(query.metrics)} if query.metrics else {}
    several = [PlannedCall("compare_qubits", {"qids": ids, **only})] if len(ids) > 1 else []
    summary, timeline, *compared = yield [
        PlannedCall("get_chip_summary", {}),
        series_call(replace(query, qids=tuple(ids)), charted.key, "qubit", since=begin),
        *several,
    ]
    if summary.failed:
        raise PlanFailed(summary.why)
    if timeline.failed and timeline.content.get("kind") == "not_found":
        raise PlanFailed(timeline.why)
    whose = say.ids(ids)
    made = [
        f'values = copilot.data["{summary.content["data_key"]}"]["values"]',
        f'values = values[values["qid"].isin({listed_code(ids)})]',
        'compared = values.pivot(index="parameter", columns="qid", values=["value", "age_days"])',
        "compared",
    ]
    steps = [(cell_of(say(_WITH_AGES, whose), [], *made), say(_VALUES_OF, whose))]
    notes = [_labelled(quoted(words)) for outcome in compared for words in outcome.content.get("warnings", ())]
    if timeline.failed:
        notes.append(why_refused(timeline, query))
    else:
        title = say(_OF, name=say.name(charted), whose=say.ids(ids))
        given = f'copilot.data["{timeline.content["data_key"]}"]', listed_code(ids[:8])
        steps.append(figure(say, title, "series_chart", *given))
    run, *_ = yield from Cells().run_all(steps)
    told = {row["parameter"]: row for row in run.records}
    shown = [key for key in query.metrics or METRICS if metrics.of(key).kind == "qubit"]
    lines = [(key, [_value(told.get(key, {}), qid, key, query, metrics) for qid in ids]) for key in shown]
    # What none of them has is not worth a line.
    rows = [
        (say.name(shown_metric(metrics, key, errors=query.errors)), *values)
        for key, values in lines
        if any(value != "–" for value in values)
    ]
    empty = [qid for column, qid in enumerate(ids, start=1) if all(row[column] == "–" for row in rows)]
    notes += [say(_EMPTY, say.some(empty))] if empty else []
    if len(empty) == len(ids):
        return Finding(notes[-1])
    head = say(_CURRENT, say.ids(ids))
    body = table(["", *(label(qid) for qid in ids)], rows)
    return Finding("\n\n".join([head, body, *notes]))


def _value(row: dict[str, Any], qid: str, key: str, query: Query, metrics: MetricTable) -> str:
    value, metric = row.get(f"value, {qid}"), shown_metric(metrics, key, errors=query.errors)
    if value is None:
        return "–"
    shown = stored_number(value, metric)
    age = row.get(f"age_days, {qid}")
    return shown if age is None else f"{shown} ({age:.0f} d)"


def _labelled(warning: str) -> str:
    """`7: t1 …` as `Q07: t1 …`."""
    qid, colon, rest = warning.partition(":")
    return f"{label(qid)}:{rest}" if colon and qid.isdigit() else warning


def compare_what(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Ask for the qubits to compare: the others, where one is named; its neighbours are known."""
    found = yield from compare_with(query)
    if isinstance(found, ClarifyingQuestion):
        return found
    return (yield from compare(found, metrics, question))


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
    run = yield from Cells().run(code, query.say(_NOT_MEASURED))
    rows, counts = run.records, run.counts("age")
    if between:  # who has no measurement in it may have some at other times
        counts, rows = {"old": run.total}, [row | {"age": "old"} for row in rows]
    dead, stale = ([row for row in rows if row["age"] == age] for age in ("never", "old"))
    what, span = say.name(metric) if metric else "", _span(query, days)
    results, lately = (f"{what}の", f"{what}が") if say.japanese else (f" of {what}", f" for {what}")

    def told(words: tuple[Words, Words], rows: list[dict[str, Any]], age: str, of: str) -> str:
        """Which they are, or that there are none."""
        count = counts.get(age, 0)
        ids = say.some(ids_of(rows), most=40, unlisted=count - len(rows)) if count else ""
        names = {"kind": kind, "thing": say(THINGS[kind]), "things": say.things(count, kind)}
        return say(words[not count], of=of if what else "", ids=ids, span=span, count=count, **names)

    never = told((_NEVER, _EVERY), dead, "never", results)
    old = told((_OLD, _NONE_OLD), stale, "old", lately)
    if query.dead:
        parts = [f"**{never}**", *([old] if stale else [])]
    else:
        parts = [f"**{old}**", *([f"**{never}**"] if dead else [])]
    if stale and not between:
        newest: Columns = {Words("newest measurement", "最新の測定"): lambda row: say.ago(row["newest [d ago]"])}
        parts.append(say.table(ELEMENT | newest, stale[:MOST_ROWS]))
    return Finding("\n\n".join(parts), "warning" if (dead if query.dead else rows) else "good")


def _span(query: Query, days: float) -> str:
    if query.window.is_bounded and query.window.days is None and not query.dead:
        return query.say.when(query.window)
    if query.say.japanese:
        return f"{days:g}日以上"
    return "in the last day" if days == 1 else f"in the last {days:g} days"

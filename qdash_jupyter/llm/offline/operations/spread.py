"""How values are spread, and whether two metrics go together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.operations.over_time import Chart, Method, Study, studied, when_of
from qdash_jupyter.llm.offline.operations.tables import (
    conditions_words,
    figure,
    filtered,
    higher_is_better,
    lines_of,
    stem_of,
)
from qdash_jupyter.llm.offline.phrases import (
    ELEMENT,
    STATISTICS,
    Columns,
    Say,
    label,
    number,
    some,
    things,
    valued,
    window_words,
)
from qdash_jupyter.llm.offline.plan import Finding, Plan, PlanFailed
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.messages.message import Field, Message, Text

MOST_PAIRS = 3
_RELATIONS = {
    "rise together": "together",
    "opposite": "opposite",
    "hint": "hint",
    "none seen": "none",
    "too few": "few",
}


def spread(query: Query, metrics: MetricTable, question: str) -> Plan:
    """A statistic or a histogram of each metric: over the elements, or of named ones over their measurements."""
    limited = {condition.metric for condition in query.conditions}
    query = replace(query, metrics=tuple(name for name in query.metrics if name not in limited) or query.metrics)
    if query.order is not None and query.statistic is None:
        up = query.order == "highest" or (query.order == "best") == higher_is_better(metrics.of(query.metrics[0]))
        query = replace(query, statistic="highest" if up and query.order != "lowest" else "lowest")
    kinds = {metrics.of(name).kind for name in query.metrics}
    if query.names_only("coupling" if kinds == {"coupling"} else "qubit") and not query.conditions:
        return (yield from _over_measurements(query, metrics, question))
    say, values = query.say, (yield from filtered(query, query.metrics, metrics))
    shown, steps = [values.shown[name] for name in query.metrics], list[tuple[str, str]]()
    for metric in shown:
        column = values.column(metric.key)
        title = Message("plan-of-kind", name=say.name(metric), kind=metric.kind)
        code = values.method(question, f"{stem_of(metric)}_spread", "spread", column, again=bool(steps))
        steps += [(code, say(Message("plan-distribution", title=title))), figure(say, title, "histogram", column)]
    runs = yield from values.cells.run_all(steps)
    parts = [*values.notes]
    for metric, run in zip(shown, runs[::2], strict=True):
        [row] = run.records
        if not row["n"]:
            parts.append(say(Message("plan-no-value", what=values.in_time(say.name(metric)))))
            continue
        whose: Text = things(row["n"], metric.kind)
        if query.conditions:
            whose = Message("plan-those-with", things=whose, what=conditions_words(lines_of(query, values), query))
        parts += [_head(row, metric, whose, values.when, query), _table([row], metric, say)]
    if values.timed:
        each = Message("plan-statistic", statistic="mean" if query.statistic == "mean" else "median")
        parts.append(say(Message("plan-each-value", statistic=each)))
    return Finding("\n\n".join([*parts, *values.behind]))


def _over_measurements(query: Query, metrics: MetricTable, question: str) -> Plan:
    def tell(study: Study, query: Query) -> tuple[list[str], list[Chart]]:
        say, when = query.say, (window_words(query.window),)
        heads = [_head(row, study.metric, label(row["qid"]), when, query) for row in study.rows]
        title = study.title(query)
        chart = study.series_figure(say, query.qids, title)
        if query.form == "histogram":
            of_them = Message("plan-titled", title=title, names=some(query.qids))
            chart = figure(say, of_them, "histogram", study.source)
        return [*heads, _table(study.rows, study.metric, say), *study.missing(query)], [chart]

    query = replace(query, window=when_of(query, 30))
    method = Method("spread", ["by_qid=True"])
    studies = yield from studied(query, query.metrics, metrics, question, method, what="spread")
    return (yield from studies.told(tell))


def _head(row: dict[str, Any], metric: Metric, whose: Text, when: tuple[Message, ...], query: Query) -> str:
    statistic = query.statistic or "median"
    what: Field = Message("plan-statistic-of", statistic=statistic, name=query.say.name(metric), whose=whose)
    if when:
        what = Message("plan-in-window", what=what, window=when)
    value = number(row[f"{STATISTICS[statistic]} [{metric.unit}]"], metric)
    return query.say(Message("plan-value", what=what, value=value))


def _table(rows: list[dict[str, Any]], metric: Metric, say: Say) -> str:
    columns: Columns = ELEMENT if any("qid" in row for row in rows) else {}
    numbers = valued(metric, {Message("plan-statistic", statistic=one): column for one, column in STATISTICS.items()})
    outliers: Columns = {Message("plan-heading-outliers"): "outliers"}
    return say.table(columns | {Message("plan-heading-n"): "n"} | numbers | outliers, rows)


def relate(query: Query, metrics: MetricTable, question: str) -> Plan:
    """The rank correlation of each pair of the metrics over the elements, and their scatter plot."""
    pairs = list(combinations(query.metrics, 2))
    if not pairs:
        raise PlanFailed(Message("plan-name-two-parameters"))
    say, values = query.say, (yield from filtered(query, query.metrics, metrics))
    steps: list[tuple[str, str]] = []
    for pair in pairs[:MOST_PAIRS]:
        columns = [*map(values.column, pair)]
        names = [say.name(values.shown[name]) for name in pair]
        title = Message("plan-both", x=names[0], y=names[1])
        drawn = columns if query.conditions or query.without else values.pair(*pair)  # those of all, with error bars
        code = values.method(question, "related", "relation", *columns, again=bool(steps))
        steps += [(code, say(Message("plan-relation", title=title))), figure(say, title, "scatter_chart", *drawn)]
    runs = yield from values.cells.run_all(steps)
    parts = [*values.notes]
    for (x, y), run in zip(pairs, runs[::2], strict=False):
        [row] = run.records
        how, first, second = _RELATIONS[row["verdict"]], values.shown[x], values.shown[y]
        parts.append(say(Message("plan-related", how=how, x=say.name(first), y=say.name(second))))
        both = values.in_time(things(row["n"], first.kind))
        if row["spearman"] is None or row["p"] is None or row["smallest found"] is None:
            parts.append(say(Message("plan-have-both", things=both)))
            continue
        numbers = Message(
            "plan-correlation",
            r=f"{row['spearman']:.2f}",
            low=f"{row['from']:.2f}",
            high=f"{row['to']:.2f}",
            p=f"{row['p']:.2g}",
            things=both,
            smallest=f"{row['smallest found']:.2f}",
        )
        parts.append(say(numbers))
    return Finding("\n\n".join([*parts, *values.behind]))

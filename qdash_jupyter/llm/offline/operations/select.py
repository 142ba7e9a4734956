"""Which elements: those that meet conditions, the worst or best, or how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.operations.code import listed_code, method_cell
from qdash_jupyter.llm.offline.operations.over_time import ids_of
from qdash_jupyter.llm.offline.operations.reliable import NOT_LEFT_OUT
from qdash_jupyter.llm.offline.operations.tables import (
    COUPLING_GATE,
    MEETING,
    Line,
    Table,
    column_of,
    conditioned,
    conditions_words,
    figure,
    higher_is_better,
    lines_of,
    met,
    ordered_first,
    table_of,
)
from qdash_jupyter.llm.offline.phrases import ELEMENT, Columns, Say, ago, ids, some, things, valued
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan, PlanFailed, read
from qdash_jupyter.llm.offline.query import Condition, Query, Statistic
from qdash_jupyter.messages.message import Field, Message, sentences

OVERALL = ("t1", "t2_echo", "average_readout_fidelity", "average_gate_fidelity", "x90_gate_fidelity")
"""What decides about qubits when the question names no parameter."""

MOST_ROWS = 20
FEW = 5

_OTHER_END: dict[Statistic, Statistic] = {"lowest": "highest", "highest": "lowest"}
"""Of errors: the lowest is that of the highest fidelity."""


def select(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Those that meet all conditions (or any), or the first of an order; over several metrics, or none, overall."""
    names = query.metrics or tuple(dict.fromkeys(one.metric for one in query.conditions))
    if not names and query.element == "coupling":
        names = (COUPLING_GATE,)
    if query.low and not query.conditions and names:
        query = replace(query, conditions=tuple(Condition(name) for name in names))
    if query.conditions or len(names) == 1 or (query.how_many and names):
        return (yield from _selected(query, names, metrics, question))
    return (yield from _overall(query, names or OVERALL, metrics, question))


def _selected(query: Query, names: Sequence[str], metrics: MetricTable, question: str) -> Plan:
    each = query.statistic
    if each is not None:  # of the measurements of each element, so there has to be a time
        query = replace(query, window=query.window_or(30))
    if query.errors and each in _OTHER_END:
        each = _OTHER_END[each]
    wanted = tuple(dict.fromkeys((*names, *conditioned(query))))
    values = yield from table_of(query, wanted, metrics, aged=True, each=each)
    lines, first = lines_of(query, values), values.shown[names[0]]
    if not lines:
        return (yield from _ordered(query, values, first, question))
    low = ascending(query, first, lines)
    cell = values.cell(question, *met(lines, query, low=low), "selected", imports=[MEETING])
    limit = lines[0].limit if len(lines) == 1 else None
    chart = _chart(query.say, values, 'selected.index[selected["verdict"] == "meets"]', limit)
    say = query.say
    purpose = say(Message("plan-which", kind=first.kind, what=conditions_words(lines, query)))
    run, _ = yield from values.cells.run_all([(cell, purpose), chart])
    return _told(query, values, first, lines, run)


def ascending(query: Query, metric: Metric, lines: Sequence[Line] = ()) -> bool:
    """Whether the lowest stand first: as asked, else the ones farthest beyond the condition, else the worst."""
    if query.order in {"lowest", "highest"}:
        return query.order == "lowest"
    if lines and not query.order and lines[0].metric == metric:
        return lines[0].sides[0][0] == "below"
    return higher_is_better(metric) != (query.order == "best" or (query.good and not query.order))


def _chart(say: Say, values: Table, marked: str, limit: float | None) -> tuple[str, str]:
    """A cell with one metric sorted, or two against each other."""
    metric, *others = values.shown.values()
    if len(others) == 1:
        both = Message("plan-both", x=say.name(metric), y=say.name(others[0]))
        title = Message("plan-of-all", name=both, kind=metric.kind)
        return figure(say, title, "scatter_chart", *values.pair(*values.shown))
    title = Message("plan-of-all", name=say.name(metric), kind=metric.kind)
    limits = [f"limits={limit:g}"] if limit is not None else []
    if limit is None and metric.scoring:
        limits = [f'limits={{"bad": {metric.scoring.bad}, "good": {metric.scoring.good}}}']
    what = Message("plan-sorted", title=title)
    [name] = [name for name, one in values.shown.items() if one == metric]
    given = [values.stored, f'"{name}"'] if values.stored else [values.column(name)]
    return figure(say, title, "ranking_chart", *given, f"marked={marked}", *limits, what=what)


def _told(query: Query, values: Table, first: Metric, lines: Sequence[Line], run: CallOutcome) -> Finding:
    say, kind, counts = query.say, first.kind, Counter(run.counts("verdict"))
    met, near, no, unknown = (
        [row for row in run.records if row["verdict"] == verdict] for verdict in ("meets", "near", "no", "unknown")
    )
    total, count = sum(counts.values()), counts["meets"]
    if total == counts["unknown"]:
        return Finding(say(Message("plan-no-value", what=values.in_time(say.name(first)))))
    what = conditions_words(lines, query)
    if values.when:
        what = Message("plan-in-window", what=what, window=values.when)
    parts = [*values.notes, _headline(query, kind, ids_of(met), what, (count, total))]
    asked, closest = met[: query.count], (near + no)[:FEW]
    if not count and closest:
        parts.append(say(Message("plan-nearest")))
    if asked or closest:
        parts.append(_rows(asked or closest, values, query))
    if near:
        just = some(ids_of(near), unlisted=counts["near"] - len(near))
        parts.append(say(Message("plan-near", names=just)))
    checked = sentences(Message("plan-checked", things=things(total, kind)))
    if counts["unknown"]:
        without = some(ids_of(unknown), unlisted=counts["unknown"] - len(unknown))
        checked = sentences(checked, Message("plan-without-value", names=without))
    parts.append(say(checked))
    if values.timed:
        parts.append(_each(query))
    parts += values.behind
    told = counts["unknown"] * 2 <= total and not any(line.own for line in lines)
    assessment: Assessment | None = "bad" if count else "good"
    return Finding("\n\n".join(parts), assessment if told else None)


def _headline(query: Query, kind: str, qids: Sequence[str], what: Field, counts: tuple[int, int]) -> str:
    """How many meet the conditions, of how many, and the first of them."""
    say, (count, total) = query.say, counts
    if not count:
        return say(Message("plan-none-has", kind=kind, what=what))
    names = some(qids[: query.count], most=40, in_order=False, unlisted=count - len(qids))
    if query.how_many:
        share, of = f"{100 * count / total:.1f}", things(total, kind)
        return say(Message("plan-share-has", count=count, all=of, percent=share, what=what, names=names))
    first = query.count if query.count is not None and query.count < count else 0
    return say(Message("plan-have", count=count, things=things(count, kind), what=what, first=first, names=names))


def _each(query: Query) -> str:
    statistic = Message("plan-statistic", statistic=query.statistic or "median")
    return query.say(Message("plan-each-value", statistic=statistic))


def _rows(rows: Sequence[dict[str, Any]], values: Table, query: Query) -> str:
    columns = value_columns(values.shown.values(), query)
    if "age [d]" in rows[0]:
        columns |= {Message("plan-heading-measured-ago"): lambda row: ago(row["age [d]"])}
    return query.say.table(columns, rows[:MOST_ROWS])


def value_columns(shown: Iterable[Metric], query: Query) -> Columns:
    """The element, and the value of each metric."""
    columns = dict(ELEMENT)
    for metric in shown:
        columns |= valued(metric, {query.say.name(metric): metric.title})
    return columns


def _ordered(query: Query, values: Table, metric: Metric, question: str) -> Plan:
    """The first of an order, and how many of these are worse than the lab's limit; or all of them, counted."""
    say, column, low = query.say, column_of(metric), ascending(query, metric)
    unlimited = query.how_many or (query.form == "list" and not query.order)
    count = query.count or (None if unlimited else FEW)
    last = ["ordered"] if count is None else [f"ordered.head({count})"]
    lines = [
        f'ordered = values.dropna(subset=["{column}"])',
        f'ordered = ordered.sort_values("{column}", ascending={low})',
    ]
    cell = values.cell(question, *lines, *last)
    chart = _chart(query.say, values, f"ordered.index[:{count}]" if count else "()", None)
    run, _ = yield from values.cells.run_all([(cell, ordered_first(metric, say, low=low)), chart])
    rows, name = run.records, say.name(metric)
    if not rows:
        none = say(Message("plan-no-value", what=values.in_time(name)))
        return Finding("\n\n".join([*values.notes, none, *values.behind]))
    qids = ids_of(rows)
    if query.how_many:
        total = things(run.total, metric.kind)
        head = say(Message("plan-have-values", count=run.total, things=total, what=values.in_time(name)))
    else:
        order = query.order or ("best" if query.good else "worst")
        if metric.scoring is None and metric.mode == "none" and order in {"worst", "best"}:
            order = "lowest" if low else "highest"
        names = some(qids, 40, in_order=False, unlisted=run.left_out)
        what = values.in_time(name)
        head = say(Message("plan-ranked", order=order, kind=metric.kind, count=len(qids), what=what, names=names))
    parts = [*values.notes, head, _rows(rows, values, query), *([_each(query)] if values.timed else [])]
    limit = metric.scoring.bad if metric.scoring else None
    if query.conditions:  # which have no number, and the lab none either
        parts.append(say(Message("plan-no-limit", name=name)))
    if limit is None or query.order == "best" or query.good or values.timed:
        return Finding("\n\n".join([*parts, *values.behind]))
    sign = 1 if higher_is_better(metric) else -1
    bad = [qid for qid, row in zip(qids, rows, strict=True) if row[column] * sign < limit * sign]
    limit_text = f"{limit:g} {metric.unit}"
    worse = Message("plan-none-worse", limit=limit_text)
    if bad:
        worse = Message("plan-worse-than-limit", limit=limit_text, names=some(bad, 40, in_order=False))
    parts.append(say(worse))
    return Finding("\n\n".join([*parts, *values.behind]), "bad" if bad else None)


def _overall(query: Query, names: Sequence[str], metrics: MetricTable, question: str) -> Plan:
    if query.is_timed or query.qids or query.errors or query.how_many:
        raise PlanFailed(Message("plan-current-only"))
    outcome = yield from read("get_chip_summary")
    best, count = query.order in {"best", "highest"} or query.good, query.count or FEW
    used = [metrics.of(name) for name in names]
    given = [f'copilot.data["{outcome.content["data_key"]}"]', *(f'"{name}"' for name in names)]
    given += [f"count={count + len(query.without)}", f"best={best}"]
    if low := [metric.key for metric in used if not higher_is_better(metric)]:
        given.append(f"lower_is_better={listed_code(low)}")
    others = f'[~overall_ranked["qid"].isin({listed_code(query.without)})].head({count})' if query.without else ""
    code = method_cell(question, "overall_ranked", "overall", *given).rstrip() + f"{others}\n"
    say = query.say
    order = "best" if best else "worst"
    ranked = yield from Cells().run(code, say(Message("plan-overall-purpose", order=order, count=count)))
    rows = ranked.records
    if not rows:
        return Finding(say(Message("plan-no-current-values")))
    shown = [metric for metric in used if any(row.get(column_of(metric)) is not None for row in rows)]
    body = say.table(value_columns(shown, query), rows[:MOST_ROWS])
    head = say(Message("plan-overall", order=order, count=len(rows), names=ids(ids_of(rows))))
    behind = [say(NOT_LEFT_OUT)] if query.reliable else []
    return Finding("\n\n".join([head, body, say(Message("plan-percentiles")), *behind]))

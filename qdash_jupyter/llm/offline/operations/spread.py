"""How values are spread, and whether two metrics go together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.operations.over_time import Chart, Method, Study, studied, when_of
from qdash_jupyter.llm.offline.operations.tables import (
    NO_VALUE,
    conditions_words,
    figure,
    filtered,
    higher_is_better,
    lines_of,
    stem_of,
)
from qdash_jupyter.llm.offline.phrases import BOTH, ELEMENT, STATISTICS, THINGS, Columns, Say, label, number, valued
from qdash_jupyter.llm.offline.plan import Finding, Plan, PlanFailed
from qdash_jupyter.llm.offline.query import Query

_OF_ALL = Words("{name} of {kind}s", "{kind}の{name}")
_SPREAD = Words("How {} is spread", "{}の分布")
_TOGETHER = Words("Whether {} go together", "{}の関係")

MOST_PAIRS = 3
_HEAD = Words(
    "**The {statistic}{value_of} of {name}{of}{when}: {value}.**", "**{name}{of}の{statistic}{when}: {value}**"
)
_THOSE_WITH = Words(" with {}", "({})")
_EACH = Words("Each element counts with its {} in this time.", "各要素はこの期間の{}で数えています。")
_TWO = Words("Name two parameters to relate.", "関係を見る2つのパラメータを指定してください。")
_RELATIONS = {
    "rise together": Words("{x} and {y} rise together.", "{x}と{y}は共に増減します。"),
    "opposite": Words("{x} is low where {y} is high.", "{x}と{y}は逆向きに増減します。"),
    "hint": Words("There is a hint of a relation between {x} and {y}.", "{x}と{y}には弱い関係の兆候があります。"),
    "none seen": Words("No relation between {x} and {y} is seen.", "{x}と{y}の関係は見られません。"),
    "too few": Words("Too few have both {x} and {y} to tell.", "{x}と{y}の両方を持つものが少なく判定できません。"),
}
_NUMBERS = Words(
    "Spearman's rank correlation {r:.2f} (95 %: {low:.2f} to {high:.2f}), p = {p:.2g}, of {things}{when}. "
    "A correlation of {smallest:.2f} or more would show with so many in four of five cases. A relation is no cause.",
    "スピアマンの順位相関 {r:.2f}(95 %: {low:.2f}〜{high:.2f})、p = {p:.2g}、{things}{when}。"
    "この数なら{smallest:.2f}以上の相関は5回に4回見つかります。相関は因果関係ではありません。",
)
_COUNT = Words("{things} have both{when}.", "両方を持つもの: {things}{when}。")


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
        column, title = values.column(metric.key), say(_OF_ALL, name=say.name(metric), kind=say(THINGS[metric.kind]))
        code = values.method(question, f"{stem_of(metric)}_spread", "spread", column, again=bool(steps))
        steps += [(code, say(_SPREAD, title)), figure(say, title, "histogram", column)]
    runs = yield from values.cells.run_all(steps)
    parts, when = [*values.notes], f" {values.when}".rstrip()
    for metric, run in zip(shown, runs[::2], strict=True):
        [row] = run.records
        if not row["n"]:
            parts.append(say(NO_VALUE, name=say.name(metric), when=when))
            continue
        count = say.things(row["n"], metric.kind)
        of = f"({count})" if say.japanese else f" of {count}"
        if query.conditions:
            of += say(_THOSE_WITH, conditions_words(lines_of(query, values), query))
        parts += [_head(row, metric, of, when, query), _table([row], metric, say)]
    if values.timed:
        parts.append(say(_EACH, say(STATISTICS["mean" if query.statistic == "mean" else "median"])))
    return Finding("\n\n".join([*parts, *values.behind]))


def _over_measurements(query: Query, metrics: MetricTable, question: str) -> Plan:
    def tell(study: Study, query: Query) -> tuple[list[str], list[Chart]]:
        say, when = query.say, f" {query.say.when(query.window)}"
        of = "({})" if say.japanese else " of {}"
        heads = [_head(row, study.metric, of.format(label(row["qid"])), when, query) for row in study.rows]
        title = study.title(query)
        chart = study.series_figure(say, query.qids, title)
        if query.form == "histogram":
            chart = figure(say, f"{title}: {say.some(query.qids)}", "histogram", study.source)
        return [*heads, _table(study.rows, study.metric, say), *study.missing(query)], [chart]

    query = replace(query, window=when_of(query, 30))
    method = Method("spread", ["by_qid=True"])
    studies = yield from studied(query, query.metrics, metrics, question, method, what="spread")
    return (yield from studies.told(tell))


def _head(row: dict[str, Any], metric: Metric, of: str, when: str, query: Query) -> str:
    words = STATISTICS[query.statistic or "median"]
    return query.say(
        _HEAD,
        statistic=query.say(words),
        value_of=" value" if query.statistic in {"lowest", "highest"} else "",
        name=query.say.name(metric),
        of=of,
        when=when if query.language != "ja" else f"({when.strip()})" * bool(when.strip()),
        value=number(row[f"{words.en} [{metric.unit}]"], metric),
    )


def _table(rows: list[dict[str, Any]], metric: Metric, say: Say) -> str:
    columns: Columns = ELEMENT if any("qid" in row for row in rows) else {}
    numbers = valued(metric, {words: words.en for words in STATISTICS.values()})
    return say.table(columns | {Words("n", "数"): "n"} | numbers | {Words("outliers", "外れ値"): "outliers"}, rows)


def relate(query: Query, metrics: MetricTable, question: str) -> Plan:
    """The rank correlation of each pair of the metrics over the elements, and their scatter plot."""
    pairs = list(combinations(query.metrics, 2))
    if not pairs:
        raise PlanFailed(query.say(_TWO))
    say, values = query.say, (yield from filtered(query, query.metrics, metrics))
    steps: list[tuple[str, str]] = []
    for pair in pairs[:MOST_PAIRS]:
        columns, title = [*map(values.column, pair)], say(BOTH, *(say.name(values.shown[name]) for name in pair))
        drawn = columns if query.conditions or query.without else values.pair(*pair)  # those of all, with error bars
        code = values.method(question, "related", "relation", *columns, again=bool(steps))
        steps += [(code, say(_TOGETHER, title)), figure(say, title, "scatter_chart", *drawn)]
    runs = yield from values.cells.run_all(steps)
    parts, when = [*values.notes], f" {values.when}".rstrip()
    for (x, y), run in zip(pairs, runs[::2], strict=False):
        [row] = run.records
        names = {"x": say.name(values.shown[x]), "y": say.name(values.shown[y])}
        parts.append(f"**{say(_RELATIONS[row['verdict']], **names)}**")
        told = {"things": say.things(row["n"], values.shown[x].kind), "when": when}
        if row["spearman"] is None or row["p"] is None or row["smallest found"] is None:
            parts.append(say(_COUNT, **told))
            continue
        told |= {"r": row["spearman"], "low": row["from"], "high": row["to"], "p": row["p"]}
        parts.append(say(_NUMBERS, **told, smallest=row["smallest found"]))
    return Finding("\n\n".join([*parts, *values.behind]))

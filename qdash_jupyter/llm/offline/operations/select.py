"""What the table of values tells: which elements, how values are spread, whether two parameters go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.operations.parameters import COUPLING_GATE, column_of, higher_is_better
from qdash_jupyter.llm.offline.operations.row import (
    MOST_ROWS,
    WHOSE,
    Ask,
    Figure,
    Made,
    Rows,
    Telling,
    Told,
    answer,
    called,
    listed_code,
)
from qdash_jupyter.llm.offline.operations.table import (
    OF_EACH,
    Line,
    Values,
    conditioned,
    conditions_words,
    lines_of,
    met,
    met_alone,
    values_of,
    values_reads,
)
from qdash_jupyter.llm.offline.phrases import (
    STATISTICS,
    Columns,
    age_words,
    columns,
    ids,
    ids_of,
    number,
    numbers,
    some,
    things,
)
from qdash_jupyter.llm.offline.plan import PlannedCall
from qdash_jupyter.llm.offline.query import PER_MUX, Asked, Condition, Query, Statistic
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.message import Field, Message, Text, sentences

OVERALL_OF = ("t1", "t2_echo", "average_readout_fidelity", "average_gate_fidelity", "x90_gate_fidelity")
"""What decides about qubits when the question names no parameter."""
FEW, MOST_MUXES, _PAIR = 5, 40, 2
_OTHER_END: dict[Statistic, Statistic] = {"lowest": "highest", "highest": "lowest"}
"""Of errors: the lowest is that of the highest fidelity."""


# --- which elements -------------------------------------------------------------------------------------------------


def _names(query: Query) -> tuple[str, ...]:
    """The parameters that a selection is by."""
    names = query.metrics or tuple(dict.fromkeys(one.metric for one in query.conditions))
    return names or ((COUPLING_GATE,) if query.kind == "coupling" else ())


def _wanted(query: Query) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_names(query), *conditioned(query))))


def _meant(query: Query) -> list[Query]:
    """A selection with what it leaves to be understood; the best and the worst are two."""
    if query.low and not query.conditions:
        query = replace(query, conditions=tuple(map(Condition, _names(query))))
    if query.asked is Asked.STABILITY:
        order: Any = "highest" if query.order == "worst" else "lowest"
        query = replace(query, order=order, statistic="deviation")
    if query.ever and query.order in OF_EACH:
        query = replace(query, statistic=query.order)
    elif query.ever and query.conditions:
        end: Statistic = "lowest" if query.conditions[0].below is not None else "highest"
        query = replace(query, statistic=_OTHER_END[end] if query.errors else end)
    return [replace(query, order="best"), replace(query, order="worst")] if query.order == "both" else [query]


def _is_selected(query: Query) -> bool:
    if query.asked is Asked.STABILITY:
        return query.order in {"worst", "best"} and len(query.metrics) == 1
    sides = {one.below is None for one in query.conditions} | {one.above is not None for one in query.conditions}
    if query.ever and len(sides) != 1:  # below in one measurement, above in another
        return not sides and query.order in OF_EACH and _is_ordered(query)
    return _is_ordered(query) if query.order else _is_met(query)


def _is_ordered(query: Query) -> bool:
    """Whether it is a ranking by one parameter, which conditions do not name; of all others are told, too."""
    return (len(_names(query)) == 1 or query.every) and bool(query.metrics or not query.conditions)


def _is_met(query: Query) -> bool:
    """Whether it is a selection by limits, its own or the lab's."""
    return not query.count and bool(query.conditions or (_names(query) and (query.low or query.good)))


def _of_conditions(ask: Ask) -> list[PlannedCall]:
    return values_reads(ask, _wanted(ask.query))


@answer(
    f"{WHOSE} order every count how_many errors low good ever",
    _of_conditions,
    answers=_is_selected,
    meant=_meant,
    during=lambda ask: ask.window if ask.query.ever else ask.last(30) if ask.query.statistic else ask.named_window,
)
def select(ask: Ask) -> Telling:
    """Which elements meet the conditions, or the first of an order."""
    values = values_of(ask, _wanted(ask.query), each=ask.query.statistic or "median", aged=True)
    lines, first = lines_of(values), values.shown[_names(ask.query)[0]]
    low, column = _ascending(ask.query, first, lines), column_of(first)
    if lines:
        by = column if ask.query.order else ""
        [rows] = yield values.made(met(values, lines, low=low, by=by), "selected")
        return _met_told(ask, rows, values, lines)
    count, ordered = _count(ask.query), _ordered(ask)
    code = [
        f'{ordered} = {values.frame}.dropna(subset=["{column}"])',
        f'{ordered} = {ordered}.sort_values("{column}", ascending={low})',
    ]
    [rows] = yield values.made(code, ordered, f"{ordered}.head({count})" if count else "")
    return _ordered_told(ask, rows, values)


def _ordered(ask: Ask) -> str:
    """The name of a ranking's table; each of the best and the worst has its own, as charts are drawn behind both."""
    return "ordered" if ask.query.metrics == ask.asked_for else f"{ask.query.order}_first"


def _count(query: Query) -> int | None:
    """So many of an order are told; None for all."""
    tells_all = query.how_many or query.every or (query.form == "names" and not query.order)
    return query.count or (None if tells_all else FEW)


def _ascending(query: Query, metric: Metric, lines: Sequence[Line] = ()) -> bool:
    """Whether the lowest stand first: as asked, else the ones farthest beyond the condition, else the worst."""
    if query.order in {"lowest", "highest"}:
        return query.order == "lowest"
    if lines and not query.order and lines[0].metric == metric:
        return lines[0].sides[0][0] == "below"
    return higher_is_better(metric) != (query.order == "best" or (query.good and not query.order))


def _chart(values: Values, marked: str, limit: float | None) -> Figure:
    """One parameter sorted, or two against each other."""
    say = values.ask.say
    [name, *others], [metric, *_] = values.shown, values.shown.values()
    if len(others) == 1 and not values.ask.query.order:
        both = Message("plan-both", x=say.name(metric), y=say.name(values.shown[others[0]]))
        title = Message("plan-of-all", name=both, kind=metric.kind)
        return Figure("scatter_chart", _pair(values, name, others[0]), title)
    limits = [f"limits={limit:g}"] if limit is not None else []
    if limit is None and metric.scoring:
        limits = [f'limits={{"bad": {metric.scoring.bad}, "good": {metric.scoring.good}}}']
    given = [values.stored, f'"{name}"'] if values.stored else [values.column(name)]
    title = Message("plan-of-all", name=say.name(metric), kind=metric.kind)
    if values.ask.qids or values.ask.query.places:
        title = Message("plan-of-kind", name=say.name(metric), kind=metric.kind)
    return Figure("ranking_chart", [*given, f"marked={marked}", *limits], title)


def _pair(values: Values, x: str, y: str) -> list[str]:
    """Two parameters as arguments of a scatter plot."""
    return [values.stored, f'parameters=("{x}", "{y}")'] if values.stored else [values.column(x), values.column(y)]


def _met_told(ask: Ask, rows: Rows, values: Values, lines: Sequence[Line]) -> Told:
    query, counts, metric = ask.query, Counter(rows.counts("verdict")), values.shown[_names(ask.query)[0]]
    met, near, no, unknown = (
        [row for row in rows if row["verdict"] == verdict] for verdict in ("meets", "near", "no", "unknown")
    )
    is_by_another = bool(query.order) and set(query.metrics).isdisjoint(conditioned(query))
    limit = lines[0].limit if len(lines) == 1 and not is_by_another else None
    chart = _chart(values, 'selected.index[selected["verdict"] == "meets"]', limit)
    if rows.total == counts["unknown"]:
        return Told(Message("plan-no-value", what=values.in_time(ask.say.name(metric))), drawn=[chart])
    what = values.in_time(conditions_words(lines, query))
    head = _headline(query, metric.kind, ids_of(met), what, (counts["meets"], rows.total))
    if is_by_another and met:
        whose = Message("plan-those-with", things=things(counts["meets"], metric.kind), what=what)
        name = Message("plan-among", what=ask.say.name(metric), whose=whose)
        first = met[: _count(query)]
        head = _ranked(ask, values, name, ids_of(first), unlisted=0 if query.count else counts["meets"] - len(first))
    closest = [] if met else (near + no)[:FEW]
    just, without = (
        some(ids_of(found), unlisted=counts[verdict] - len(found))
        for verdict, found in (("near", near), ("unknown", unknown))
    )
    after = [
        Message("plan-near", names=just) if near else "",
        sentences(
            Message("plan-checked", things=things(rows.total, metric.kind)),
            Message("plan-without-value", names=without) if counts["unknown"] else "",
        ),
        *values.notes,
    ]
    is_labs = counts["unknown"] * 2 <= rows.total and not any(line.own for line in lines)
    assessment: Assessment | None = "bad" if met else "good"
    return Told(
        (head, Message("plan-nearest") if closest else ""),
        columns_of(values.shown.values(), ask, rows),
        met[: query.count] or closest,
        assessment if is_labs else None,
        [chart],
        after,
        ids_of(met),
        left_out=counts["meets"] - len(met) if query.count is None else 0,
        most=len(rows) if query.every else MOST_ROWS,
    )


def _headline(query: Query, kind: str, qids: Sequence[str], what: Field, counts: tuple[int, int]) -> Message:
    """How many meet the conditions, of how many, and the first of them."""
    count, total = counts
    if not count:
        return Message("plan-none-has", kind=kind, what=what)
    names = some(qids[: query.count], most=40, in_order=False, unlisted=count - len(qids))
    if query.how_many:
        share, of = f"{100 * count / total:.1f}", things(total, kind)
        return Message("plan-share-has", count=count, all=of, percent=share, what=what, names=names)
    first = query.count if query.count is not None and query.count < count else 0
    return Message("plan-have", count=count, things=things(count, kind), what=what, first=first, names=names)


def columns_of(shown: Iterable[Metric], ask: Ask, rows: Rows) -> Columns:
    """Return the element, the value of each metric, and how old they are where the rows tell it."""
    found = columns("element")
    for metric in shown:
        found |= numbers(metric, {ask.say.name(metric): column_of(metric)})
    is_aged = bool(rows) and "age [d]" in rows[0]
    return found | (columns("age", age=lambda row: age_words(row["age [d]"])) if is_aged else {})


def _ordered_told(ask: Ask, rows: Rows, values: Values) -> Told:
    """The first of an order, and how many of these are worse than the lab's limit; or all of them, counted."""
    query, say, metric = ask.query, ask.say, values.shown[_names(ask.query)[0]]
    count = _count(query)
    chart = _chart(values, f"{_ordered(ask)}.index[:{count}]" if count else "()", None)
    what, qids = values.in_time(say.name(metric)), ids_of(rows)
    if not rows:
        return Told(Message("plan-no-value", what=what), drawn=[chart])
    head = _ranked(ask, values, what, qids, unlisted=rows.left_out)
    if query.how_many:
        head = Message("plan-have-values", count=rows.total, things=things(rows.total, metric.kind), what=what)
    after: list[Text] = [*values.notes]
    if query.conditions:  # which have no number, and the lab none either
        after.append(Message("plan-no-limit", name=say.name(metric)))
    limit = metric.scoring.bad if metric.scoring else None
    bad: list[str] = []
    if limit is not None and not (query.order == "best" or query.good or values.when):
        sign, column = 1 if higher_is_better(metric) else -1, column_of(metric)
        bad = [qid for qid, row in zip(qids, rows, strict=True) if row[column] * sign < limit * sign]
        shown = f"{limit:g} {metric.unit}"
        worse = Message("plan-worse-than-limit", limit=shown, names=some(bad, 40, in_order=False))
        after.append(worse if bad else Message("plan-none-worse", limit=shown))
    listed, most = columns_of(values.shown.values(), ask, rows), len(rows) if query.every else MOST_ROWS
    return Told(head, listed, rows, "bad" if bad else None, [chart], after, qids, most=most)


def _ranked(ask: Ask, values: Values, what: Field, qids: Sequence[str], *, unlisted: int) -> Message:
    """The first of an order; "worst" says nothing of what has no better side."""
    query, metric = ask.query, values.shown[_names(ask.query)[0]]
    order = query.order or ("best" if query.good else "worst")
    has_sides = metric.higher_is_better is not None or query.errors or values.each == "deviation"
    if not has_sides and order in {"worst", "best"}:
        order = "lowest" if _ascending(query, metric) else "highest"
    names = some(qids, FEW if query.every else 40, in_order=False, unlisted=unlisted)
    return Message("plan-ranked", order=order, kind=metric.kind, count=len(qids), what=what, names=names)


# --- by several parameters ------------------------------------------------------------------------------------------


def _is_ranked_by_all(query: Query) -> bool:
    bad = query.low and query.kind == "coupling"  # which qubits are bad is the chip's health
    return query.order in {"worst", "best", "both"} or ((bad or query.good) and not query.count)


def _is_best(query: Query) -> bool:
    return query.order in {"best", "highest"} or query.good


@answer(
    "kind order count good low without reliable",
    "get_chip_summary",
    meant=lambda query: _meant(query) if query.order == "both" else [query],
    answers=_is_ranked_by_all,
)
def overall(ask: Ask) -> Telling:
    """The best or the worst qubits by several parameters."""
    query, names = ask.query, OVERALL_OF
    count, without = query.count or FEW, query.without
    given = [str(ask.codes[0]), *(f'"{name}"' for name in names)]
    given += [f"count={count + len(without)}", f"best={_is_best(query)}"]
    lines, frame = called("overall_ranked", "overall", *given), "overall_ranked"
    if without:
        lines.append(f'{frame} = {frame}[~{frame}["qid"].isin({listed_code(without)})].head({count})')
    [rows] = yield Made(lines, frame)
    if not rows:
        return Told(Message("plan-no-current-values"))
    used = map(ask.metrics.of, OVERALL_OF)
    shown = [metric for metric in used if any(row.get(column_of(metric)) is not None for row in rows)]
    order = "best" if _is_best(ask.query) else "worst"
    head = Message("plan-overall", order=order, count=len(rows), names=ids(ids_of(rows)))
    after = [Message("plan-percentiles"), Message("plan-all-fits-count") if ask.query.reliable else ""]
    return Told(head, columns_of(shown, ask, rows), rows, after=after, names=ids_of(rows))


# --- how they are spread, and go together ---------------------------------------------------------------------------


def _spread_meant(query: Query) -> list[Query]:
    limited = {one.metric for one in query.conditions}
    return [replace(query, metrics=tuple(name for name in query.metrics if name not in limited) or query.metrics)]


def _values(ask: Ask) -> Values:
    return met_alone(_all_values(ask))


def _all_values(ask: Ask) -> Values:
    return values_of(ask, _wanted(ask.query), each="mean" if ask.query.statistic == "mean" else "median")


def _by_method(ask: Ask, values: Values, method: str) -> Made:
    frame = f"{ask.stem}_{method}"
    return values.made(called(frame, method, values.column(ask.metric.key)), frame)


@answer(
    f"{WHOSE} metrics! statistic errors",
    _of_conditions,
    each="metrics",
    meant=_spread_meant,
    answers=lambda query: query.statistic != "fraction" and query.per is None,
)
def spread(ask: Ask) -> Telling:
    """How the values are spread over the elements."""
    values, metric = _values(ask), ask.metric
    [rows] = yield _by_method(ask, values, "spread")
    [row] = rows
    if not row["n"]:
        return Told(Message("plan-no-value", what=values.in_time(ask.name)))
    whose = things(row["n"], metric.kind)
    if ask.query.conditions:
        what = conditions_words(lines_of(_all_values(ask)), ask.query)
        whose = Message("plan-those-with", things=whose, what=what)
    title = Message("plan-of-kind", name=ask.name, kind=metric.kind)
    chart = Figure("histogram", [values.column(metric.key)], title)
    heads = statistic_heads(row, ask, whose, values.when)
    return Told(heads, statistic_columns(ask), rows, None, [chart], values.notes)


def _outliers(ask: Ask) -> Telling:
    [rows] = yield _by_method(ask, _values(ask), "outliers")
    return outliers_told(ask, rows)


def statistic_heads(row: dict[str, Any], ask: Ask, whose: Text, when: tuple[Message, ...]) -> tuple[Text, ...]:
    """Return the statistic that the question asks for, as a sentence; the extremes as two."""
    asked = ask.query.statistic or "median"
    found = []
    for statistic in ("lowest", "highest") if asked == "extremes" else (asked,):
        what: Field = Message("plan-statistic-of", statistic=statistic, name=ask.name, whose=whose)
        what = Message("plan-in-window", what=what, window=when) if when else what
        value = number(row[f"{STATISTICS[statistic]} [{ask.metric.unit}]"], ask.metric)
        found.append(Message("plan-value", what=what, value=value))
    return tuple(found)


def statistic_columns(ask: Ask) -> Columns:
    """Return the columns of all statistics."""
    return columns("n median~ mean~ deviation~ lowest~ highest~ outliers", ask.metric)


def outliers_told(ask: Ask, rows: Rows) -> Told:
    """Return the values far from the others; of some elements those of their measurements."""
    names = some(list(dict.fromkeys(ids_of(rows))), in_order=False, unlisted=rows.left_out)
    head = Message("plan-outliers", count=rows.total, what=ask.in_time if ask.is_timed else ask.name, names=names)
    shown = columns(
        "element measured=t value~ median~ deviations",
        ask.metric,
        without=() if rows and "t" in rows[0] else {"measured"},
        deviations=lambda row: f"{row['deviations']:+.1f}",
    )
    return Told(head, shown, rows, names=ids_of(rows))


def _muxes(ask: Ask) -> Telling:
    values, query, metric, statistic = _values(ask), ask.query, ask.metric, ask.query.statistic or "median"
    each, frame, whose = OF_EACH[statistic], f"{ask.stem}_per_mux", f"{values.frame}.index.astype(int) // {PER_MUX}"
    told = listed_code([*dict.fromkeys(("count", each, "min", "max"))])
    lines = [
        f"{frame} = {values.column(metric.key)}.groupby({whose}).agg({told})",
        f'{frame} = {frame}.dropna(subset=["{each}"]).rename_axis("mux").reset_index()',
    ]
    if query.order:
        lines.append(f'{frame} = {frame}.sort_values("{each}", ascending={_ascending(query, metric)})')
    [rows] = yield values.made(lines, frame, f"{frame}.head({query.count})" if query.count else "")
    what = values.in_time(Message("ask-statistic", statistic=statistic, metrics=ask.name))
    if not rows:
        return Told(Message("plan-no-value", what=what))
    names = tuple(Message("ask-mux", number=str(row["mux"])) for row in rows[:FEW])
    low, high = (end(rows, key=lambda row: row[each]) for end in (min, max))
    least, most = (number(row[each], metric) for row in (low, high))
    head = Message("plan-per-mux", what=what, lowest=low["mux"], low=least, highest=high["mux"], high=most)
    if query.order:
        head = Message("plan-ranked", order=query.order, kind="mux", count=len(names), what=what, names=names)
    headings = {each: statistic, "min": "lowest", "max": "highest"}
    shown: Columns = {"MUX": "mux"} | columns("n=count")
    shown |= numbers(metric, {Message("plan-statistic", statistic=said): name for name, said in headings.items()})
    given = [f'{frame}.set_index("mux")["{each}"]', 'x="MUX"', f'y="{ask.name} [{metric.unit}]"']
    drawn = [Figure("bar_chart", given, sentence_of(replace(query, form=None), ask.language))] if query.form else []
    return Told(head, shown, rows, drawn=drawn, after=values.notes, most=MOST_MUXES)


@answer(f"{WHOSE} errors", _of_conditions, answers=lambda query: len(query.metrics) == _PAIR and len(query.qids) != 1)
def relation(ask: Ask) -> Telling:
    """Whether two parameters go together."""
    values = _values(ask)
    [rows] = yield values.made(called("related", "relation", *map(values.column, ask.query.metrics)), "related")
    values, query, [row] = _values(ask), ask.query, rows
    first, second = (values.shown[name] for name in query.metrics)
    x, y = ask.say.name(first), ask.say.name(second)
    kept = replace(values, stored="") if query.conditions or query.without else values  # those of all, with error bars
    chart = Figure("scatter_chart", _pair(kept, *query.metrics), Message("plan-both", x=x, y=y))
    head = Message("plan-related", how=row["verdict"].replace(" ", "-"), x=x, y=y)
    both = values.in_time(things(row["n"], first.kind))
    if None in (row["spearman"], row["p"], row["smallest found"]):
        return Told((head, Message("plan-have-both", things=both)), drawn=[chart])
    r, low, high, smallest = (f"{row[name]:.2f}" for name in ("spearman", "from", "to", "smallest found"))
    known = Message("plan-correlation", r=r, low=low, high=high, p=f"{row['p']:.2g}", things=both, smallest=smallest)
    return Told((head, known), drawn=[chart])


OF_VALUES = replace(select, answers=lambda query: query.conditions)
"""Values under conditions are those of a selection; without them they are no ranking."""
OUTLIERS = replace(spread, takes="metrics! without kind conditions any_of reliable", told=_outliers)
OF_MUXES = replace(
    spread,
    takes=f"{spread.takes} statistic! per order count",
    told=_muxes,
    answers=lambda query: query.per == "mux" and query.kind == "qubit" and len(query.metrics) == 1,
)

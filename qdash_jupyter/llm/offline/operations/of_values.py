"""The newest values of several elements in one table, and side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.qid import other_direction
from qdash_jupyter.llm.offline.operations.code import called, listed_code
from qdash_jupyter.llm.offline.operations.row import PER_MUX, Ask, Made, Row, Told
from qdash_jupyter.llm.offline.operations.values import (
    Value,
    assessment_of_values,
    bad_words,
    flag_in,
    flag_list,
    value_of,
)
from qdash_jupyter.llm.offline.phrases import Columns, Say, ids, label, some
from qdash_jupyter.llm.offline.plan import CallOutcome, PlannedCall
from qdash_jupyter.llm.offline.times import moment_text
from qdash_jupyter.messages.message import Message, Text

MOST_METRICS, MOST_SIDE_BY_SIDE = 6, 12
_HISTORY_DAYS = 60

Values = Mapping[tuple[str, str], Value]
"""By element and parameter."""


def _reads(ask: Ask) -> list[PlannedCall]:
    return [ask.series(ask.metric.key, last_n=3) if ask.is_of_couplings else ask.summary()]


def _compared_reads(ask: Ask) -> list[PlannedCall]:
    since = moment_text(ask.now - timedelta(days=_HISTORY_DAYS))
    return [ask.summary(), ask.series(ask.metric.key, since=since)]


def _made(ask: Ask, codes: Sequence[str | None]) -> Made:
    if ask.is_of_couplings:
        lines = called("current", f'{codes[0]}["qubits"].rename', 'columns={"latest": "value"}')
        lines.append(f'current = current.assign(parameter="{ask.metric.key}", unit={codes[0]}["unit"])')
    else:
        lines = [f'current = {codes[0]}["values"]', f'current = current[current["qid"].isin({listed_code(ask.qids)})]']
    columns = ["qid", "parameter", "value", *([] if ask.is_of_couplings else ["error", "flag"]), "unit", "age_days"]
    return Made([], [*lines, f"current = current[{listed_code(columns)}]"], "current")


def _values_in(rows: Sequence[Mapping[str, Any]], ask: Ask) -> Values:
    found = [value_of(str(row["qid"]), row["parameter"], row, ask.metrics) for row in rows]
    of = {(one.qid, one.metric.key): one for one in found}
    return of | ({(other_direction(qid), name): one for (qid, name), one in of.items()} if ask.is_of_couplings else {})


def _told(ask: Ask, rows: list[dict[str, Any]], **_: Any) -> Told:
    of, names = _values_in(rows, ask), ask.query.metrics
    columns: Columns = {"": label}
    for name in names:
        columns[ask.named(name)] = partial(_cell, of, ask.say, name=name, aged=len(names) > 1)
    if len(names) == 1:
        columns[Message("plan-heading-age")] = lambda qid: one.age if (one := of.get((qid, names[0]))) else "–"
    told = [one for one in of.values() if one.metric.key == names[0] and not (one.missing or one.flag)]
    head: Text = Message("plan-no-value", what=ask.name)
    if told:
        low, high = (choose(told, key=_number) for choose in (min, max))
        ends = label(low.qid), label(high.qid)
        name = ask.named(names[0])
        head = Message("plan-from-lowest", name=name, low=low.text, low_of=ends[0], high=high.text, high_of=ends[1])
    return Told(head, columns, ask.qids, assessment_of_values(_counted(of)), after=_notes(of, ask))


def _compared(ask: Ask, rows: list[dict[str, Any]], outcomes: Sequence[CallOutcome]) -> Told:
    """A parameter a line, an element a column; and one parameter over time."""
    of = _values_in(rows, ask)
    names = ask.query.metrics or tuple(name for name, metric in METRICS.items() if metric.kind == "qubit")
    shown = [name for name in names if any((qid, name) in of for qid in ask.qids)]
    empty = [qid for qid in ask.qids if not any((qid, name) in of for name in shown)]
    none = [Message("plan-no-results-at-all", names=some(empty))] if empty else []
    if len(empty) == len(ask.qids):
        return Told(none[0])
    columns: Columns = {"": ask.named}
    for qid in ask.qids:
        columns[label(qid)] = partial(_of_parameter, of, ask.say, qid)
    drawn = [] if outcomes[1].failed else [(1, ask.qids)]
    return Told(Message("plan-compared", names=ids(ask.qids)), columns, shown, None, drawn, [*none, *_notes(of, ask)])


def _number(one: Value) -> float:
    return float(one.text.split()[0])


def _counted(of: Values) -> list[Value]:
    return [one for one in of.values() if not one.flag]


def _notes(of: Values, ask: Ask) -> list[Text]:
    flags = {place: one.flag for place, one in of.items() if one.flag}
    return [*bad_words(_counted(of), ask.say), flag_list(flags, ask.say, ask.metrics)]


def _of_parameter(of: Values, say: Say, qid: str, name: str) -> str:
    return _cell(of, say, qid, name=name, aged=True)


def _cell(of: Values, say: Say, qid: str, *, name: str, aged: bool) -> str:
    """The value with its error and age; of one that does not count only which kind of doubt there is."""
    one = of.get((qid, name))
    if one is None:
        return "–"
    if one.missing or one.flag:
        return flag_in(say, one.flag or one.text).partition(":")[0].partition("：")[0]
    return f"{one.text} ({one.age})" if aged and one.age else one.text


VALUES = Row(
    {"metrics", "qids", "places"},
    _reads,
    _made,
    _told,
    answers=lambda query: (
        query.metrics
        and len(query.metrics) <= (1 if query.kind == "coupling" else MOST_METRICS)
        and len(query.qids) + PER_MUX * len(query.places) > 1
    ),
)
COMPARE = Row(
    {"metrics", "qids", "places"},
    _compared_reads,
    _made,
    _compared,
    answers=lambda query: query.kind != "coupling" and len(query.qids) <= MOST_SIDE_BY_SIDE,
)

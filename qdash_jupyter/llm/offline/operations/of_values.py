"""The newest values of several elements in one table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from qdash_jupyter.domain.qid import other_direction
from qdash_jupyter.llm.offline.operations.code import called, listed_code
from qdash_jupyter.llm.offline.operations.row import Ask, Made, Row, Told
from qdash_jupyter.llm.offline.operations.values import (
    Value,
    assessment_of_values,
    bad_words,
    flag_in,
    value_of,
)
from qdash_jupyter.llm.offline.phrases import Columns, Say, label
from qdash_jupyter.llm.offline.plan import PlannedCall
from qdash_jupyter.messages.message import Message, Text

MOST_METRICS = 6


def _reads(ask: Ask) -> list[PlannedCall]:
    return [ask.series(ask.metric.key, last_n=3) if ask.is_of_couplings else ask.summary()]


def _made(ask: Ask, codes: Sequence[str | None]) -> Made:
    if ask.is_of_couplings:
        lines = called("current", f'{codes[0]}["qubits"].rename', 'columns={"latest": "value"}')
        lines.append(f'current = current.assign(parameter="{ask.metric.key}", unit={codes[0]}["unit"])')
    else:
        lines = [f'current = {codes[0]}["values"]', f'current = current[current["qid"].isin({listed_code(ask.qids)})]']
    columns = ["qid", "parameter", "value", *([] if ask.is_of_couplings else ["error", "flag"]), "unit", "age_days"]
    return Made([], [*lines, f"current = current[{listed_code(columns)}]"], "current")


def _told(ask: Ask, rows: list[dict[str, Any]], **_: Any) -> Told:
    say, found = ask.say, [value_of(str(row["qid"]), row["parameter"], row, ask.metrics) for row in rows]
    of = {(one.qid, one.metric.key): one for one in found}
    of |= {(other_direction(one.qid), one.metric.key): one for one in found if ask.is_of_couplings}
    names, alone = ask.query.metrics, len(ask.query.metrics) == 1
    columns: Columns = {"": label}
    for name in names:
        columns[ask.named(name)] = partial(_cell, of, name, say, aged=not alone)
    if alone:
        columns[Message("plan-heading-age")] = lambda qid: one.age if (one := of.get((qid, names[0]))) else "–"
    numbers = sorted(
        (float(one.text.split()[0]), one.qid)
        for one in found
        if not (one.missing or one.flag) and one.metric.key == names[0]
    )
    head: Text = Message("plan-no-value", what=ask.name)
    if numbers:
        low_of, high_of = numbers[0][1], numbers[-1][1]
        low, high = (of[qid, names[0]].text for qid in (low_of, high_of))
        ends = label(low_of), label(high_of)
        head = Message(
            "plan-from-lowest", name=ask.named(names[0]), low=low, low_of=ends[0], high=high, high_of=ends[1]
        )
    counted = [one for one in found if not one.flag]
    return Told(head, columns, ask.qids, assessment_of_values(counted), after=bad_words(counted, say))


def _cell(of: dict[tuple[str, str], Value], name: str, say: Say, qid: str, *, aged: bool) -> str:
    one = of.get((qid, name))
    if one is None:
        return "–"
    text = flag_in(say, one.text) if one.missing else flag_in(say, one.flag) if one.flag else one.text
    return f"{text} ({one.age})" if aged and one.age else text


VALUES = Row(
    {"metrics", "qids", "places"},
    _reads,
    _made,
    _told,
    answers=lambda query: (
        query.metrics
        and len(query.metrics) <= (1 if query.kind == "coupling" else MOST_METRICS)
        and len(query.qids) + 4 * len(query.places) > 1
    ),
)

"""One operation for each thing that can be asked: `OPERATIONS`.

operation  what an operation is; those that reads alone answer, and asking back
chosen     which operations answer a question, and what each is given
rows, row  the questions that one table answers, and how
code       cells as text
lab        what labs measure with which task
records, curves, values, lineage, chip   what is read, in words
tables     the table of values that a question is about: its read, its lines of a cell, its conditions
reliable   what of it is left where unreliable fits are left out
select, spread   which elements; statistics and relations
over_time  the read of series, and a method on each of them
change, trend, unmeasured   changes; trends, windows, fits; what was not measured
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from qdash_jupyter.llm.offline.grammar.query import Asked as Question
from qdash_jupyter.llm.offline.grammar.query import Query as Asking
from qdash_jupyter.llm.offline.operations import (
    change,
    chip,
    curves,
    lineage,
    records,
    select,
    spread,
    trend,
    unmeasured,
    values,
)
from qdash_jupyter.llm.offline.operations.chosen import chosen
from qdash_jupyter.llm.offline.operations.operation import RANGE, Operation, asking, joined, lookup
from qdash_jupyter.llm.offline.operations.row import Ask, Row, answered
from qdash_jupyter.llm.offline.operations.rows import ROWS
from qdash_jupyter.llm.offline.operations.topology import neighbours_of
from qdash_jupyter.llm.offline.phrases import ids
from qdash_jupyter.llm.offline.plan import Cells, Finding, Plan, read
from qdash_jupyter.llm.offline.query import EVER, Asked, Query
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

__all__ = ["OPERATIONS", "ROWS", "Ask", "Operation", "can_answer", "plan_of"]

_TAGGED = ("details.tags", "details.cooldown_id")
_SCOPE = ("metrics", "qids", "without", "element", "conditions", "any_of", "window", "reliable", *_TAGGED)
"""What a table of values heeds: whose values, and of when."""

_TOLD = ("list", "plot")
_ONE = ("metrics", "qids")
_OF_RUNS = ("cooldown_id", "tags", "last_n")

OPERATIONS: Mapping[Asked, Operation] = {
    Asked.SELECT: asking(
        select.select, *_SCOPE, "order", "count", "how_many", "statistic", "errors", "low", "good", forms=_TOLD
    ),
    Asked.CHANGE: asking(change.change, *_SCOPE, "direction", "by", "count", "how_many", "errors", "why", forms=_TOLD),
    Asked.TREND: asking(trend.trend, *_SCOPE, "order", "count", "errors", "why", forms=_TOLD),
    Asked.WINDOWS: asking(trend.windows, *_SCOPE, "against", "count", "errors", "direction", forms=_TOLD),
    Asked.FIT: asking(trend.fit, *_SCOPE, "fit", "count", forms=_TOLD),
    Asked.SPREAD: asking(spread.spread, *_SCOPE, "statistic", "order", "errors", forms=("histogram", *_TOLD)),
    Asked.RELATION: asking(spread.relate, *_SCOPE, "statistic", "errors", forms=("scatter", *_TOLD)),
    Asked.UNMEASURED: asking(
        unmeasured.unmeasured,
        *("metrics", "qids", "without", "element", "window", "dead", "how_many"),
        single=("metrics",),
    ),
    Asked.MAP: asking(chip.heatmap, "metrics", "window", "statistic", "order", forms=("map", "plot")),
    Asked.VALUES: lookup("get_qubit_params", values.qubit_values, ("qid", "param_names")),
    Asked.COUPLING_VALUES: lookup(
        "get_coupling_params",
        values.coupling_values,
        takes=("coupling_id", "qubit_id", "param_names"),
    ),
    Asked.MEASUREMENTS: lookup(
        "get_parameter_timeseries",
        records.measurements,
        ("parameter_name", "qid", *RANGE, *_OF_RUNS),
        heeds=("how_many",),
    ),
    Asked.LATEST_RESULT: lookup("get_latest_task_result", records.latest_result, ("qid", "task_name")),
    Asked.RESULT_HISTORY: lookup(
        "get_task_history", records.result_history, ("qid", "task_name", "last_n", "include_excluded")
    ),
    Asked.CURVE: lookup("get_result_curves", curves.curve, takes=(*RANGE, "task_name", "qid", "last_n")),
    Asked.RESULTS: lookup(
        "search_task_results",
        records.results,
        takes=(*RANGE, "task_name", "qid", "status", "execution_id", *_OF_RUNS),
        heeds=("how_many",),
        few=5,
    ),
    Asked.RUNS: lookup(
        "get_execution_history", records.runs, takes=(*RANGE, "status", "tags", "last_n"), heeds=("how_many",)
    ),
    Asked.MACHINE_STATE: lookup(
        "get_calibration_notes", records.machine_states, takes=(*RANGE, "execution_id", "kind", "qid", "last_n")
    ),
    Asked.NOTES: lookup(
        "search_notes", records.notes, takes=(*RANGE, "text", "qid", "kind", "last_n"), heeds=("details.is_open",)
    ),
    Asked.VERSIONS: lookup("get_parameter_lineage", records.versions, ("parameter_name", "qid", "last_n")),
    Asked.ORIGIN: asking(lineage.origin, *_ONE, "details.entity_id", single=_ONE),
    Asked.PARAMETERS: lookup("list_available_parameters", chip.parameters, takes=("qid",)),
    Asked.NEIGHBOURS: lookup("get_chip_topology", chip.neighbours, heeds=("qids", "how_many")),
}


def answering(query: Asking, language: Language, now: datetime, cooldown: datetime | None = None) -> tuple[Query, ...]:
    """What the operations are given that answer a question, in order; empty where they would leave out some of it."""
    found = chosen(query, language, now, cooldown)
    return found if all(_said(one) <= OPERATIONS[one.asked].heeds for one in found) else ()


def can_answer(query: Asking) -> bool:
    """Whether there are operations that answer it."""
    among = query.among
    if among is not None and not (among.asked in {Question.SELECT, Question.CHANGE} and can_answer(among)):
        return False
    return _row_of(query) is not None or bool(answering(_with_ids(query, ("0", "1")), "en", datetime.now(UTC), EVER))


def _row_of(query: Asking) -> Row | None:
    query = _with_ids(query, query.qids or ("0", "1"))
    row = ROWS.get(query.asked)
    return row if row is not None and row.can_answer(query) else None


def plan_of(ask: Ask, question: str) -> Plan:
    """The answer to a query that can be answered."""
    query = ask.query
    if query.asked not in _OF_PAIRS and query.neighbours:
        topology = yield from read("get_chip_topology")
        near = sorted({one for qid in query.qids for one in neighbours_of(qid, topology)}, key=int)
        if not near:
            return Finding(ask.say(Message("plan-no-neighbours", name=ids(query.qids))))
        query = _with_ids(query, (*(query.qids if query.asked is Question.COMPARE else ()), *near))
    if query.among is not None:
        [inner, *_] = answering(query.among, ask.language, ask.now, ask.cooldown)
        found = yield from _those(inner, ask, question)
        if not found:
            return Finding(ask.say(Message("plan-none-before", kind=query.kind or "qubit")))
        query = _with_ids(query, found)
    if (row := _row_of(query)) is not None:
        return (yield from answered(row, replace(ask, query=query), question))
    findings = []
    for one in answering(query, ask.language, ask.now, ask.cooldown):
        finding = yield from OPERATIONS[one.asked].plan(one, ask.metrics, question)
        findings.append(finding)
    return joined(findings)


def _those(query: Query, ask: Ask, question: str) -> Generator[Any, Any, tuple[str, ...]]:
    """The elements that answer an earlier question now."""
    if query.asked is Asked.CHANGE:
        return (yield from change.moved_ids(query, ask.metrics, question))
    names = query.metrics or tuple(one.metric for one in query.conditions)
    chosen_of, _, _ = yield from trend.first_now(query, names[0], ask.metrics, question, Cells())
    return tuple(chosen_of.qids)


_OF_PAIRS = frozenset({Question.DIFFERENCE, Question.NEIGHBOURS})


def _with_ids(query: Asking, found: tuple[str, ...]) -> Asking:
    """The query about these elements, in place of those that it only describes."""
    if query.among is not None:
        return replace(query, among=None, qids=found)
    if query.neighbours and query.asked not in _OF_PAIRS:
        return replace(query, neighbours=False, qids=found)
    return query


_SAID = (
    *("metrics", "qids", "without", "conditions", "any_of", "against", "direction", "by", "order", "count", "how_many"),
    *("statistic", "form", "fit", "errors", "low", "good", "reliable", "dead"),
)


def _said(query: Query) -> set[str]:
    """The fields that it gives, those of its details too; an element alone that nothing else tells."""
    found = {name for name in _SAID if getattr(query, name)} | {f"details.{name}" for name in query.details}
    found |= {"window"} if query.window.is_bounded else set()
    return found | ({"element"} if query.element == "coupling" and not (query.metrics or query.qids) else set())

"""A question that one table answers: what is read, the cell that makes the table of it, and the words above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.grammar.query import Query
from qdash_jupyter.llm.offline.grammar.wording import sentence_of
from qdash_jupyter.llm.offline.operations.code import cell_of, listed_code
from qdash_jupyter.llm.offline.operations.operation import joined
from qdash_jupyter.llm.offline.operations.tables import COUPLING_GATE, figure
from qdash_jupyter.llm.offline.phrases import Columns, Say, ids, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.times import EVER, Window, moment_text
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Field, Message, Text

PER_MUX = 4
"""Qubits of a MUX on QDash's chips."""
TIMES = ("window", "cooldown", "tag")
MOST_RESULTS = 5_000
"""So many the search for results gives."""
MOST_TABLES, MOST_ROWS, MOST_LINES = 6, 20, 8


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, and what it takes to answer it."""

    query: Query
    language: Language
    metrics: MetricTable
    now: datetime
    cooldown: datetime | None = None

    @property
    def say(self) -> Say:
        """What is said in its language."""
        return Say(self.language)

    @property
    def qids(self) -> tuple[str, ...]:
        """Whose it is, MUXes resolved; empty for all."""
        placed = (str(PER_MUX * number + one) for _, number in self.query.places for one in range(PER_MUX))
        return tuple(dict.fromkeys((*self.query.qids, *placed)))

    @property
    def is_of_couplings(self) -> bool:
        """Whether it is about couplings."""
        return any(map(is_coupling, self.qids)) or self.query.kind == "coupling"

    @property
    def metric(self) -> Metric:
        """The parameter that it names, or that which such an element is known by."""
        return self.metrics.of(next(iter(self.query.metrics), COUPLING_GATE if self.is_of_couplings else "t1"))

    @property
    def name(self) -> str:
        """The parameter's name."""
        return self.say.name(self.metric)

    @property
    def whose(self) -> Field:
        """Whose values they are, in words."""
        return ids(self.qids) if self.qids else Message("plan-all-elements", kind=self.metric.kind)

    @property
    def window(self) -> Window:
        """The time that it is about: all, where it names none."""
        return Window(self.cooldown) if self.query.cooldown else self.query.window or Window(EVER)

    @property
    def when(self) -> Message:
        """That time in words."""
        return window_words(self.window)

    def during(self) -> dict[str, Any]:
        """That time, a tag and a run as arguments of a tool."""
        told: dict[str, Any] = {"since": moment_text(self.window.since or EVER), "until": self.window.until_text}
        told |= {"tags": [self.query.tag] if self.query.tag else None, "execution_id": self.query.run}
        return {name: value for name, value in told.items() if value is not None}

    def named(self, parameter: str) -> str:
        """The name of a parameter."""
        return self.say.name(self.metrics.of(parameter))

    def summary(self) -> PlannedCall:
        """The read of current values."""
        return PlannedCall("get_chip_summary", {"param_names": [*self.query.metrics]} if self.query.metrics else {})

    def series(self, name: str, **arguments: Any) -> PlannedCall:
        """The read of a parameter over time."""
        given = {"parameter_name": name, **(arguments or self.during())}
        return PlannedCall("get_chip_parameter_timeseries", given | ({"qids": [*self.qids]} if self.qids else {}))


@dataclass(frozen=True, slots=True)
class Made:
    """A cell: the methods that it uses, its lines, and the name of the table in the end."""

    methods: Sequence[str]
    lines: Sequence[str]
    frame: str
    imports: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What the rows come to: the words above their table, its columns, the figures, and what stands below."""

    head: Text
    columns: Columns | None = None
    rows: Sequence[Any] = ()
    assessment: Assessment | None = None
    drawn: Sequence[tuple[int, Sequence[str]]] = ()
    """Which of the series that were read are drawn, by their place among the reads, of whom."""
    after: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """How one kind of question is answered.

    Attributes:
        takes: The fields of a query that it heeds; it does not answer a question that says anything else.
        reads: What is read. The first has to be there; of the others those that failed are None.
        made: The cells, of the stored results as code.
        told: The words, of the rows of each cell and of what the reads told.
        each: Those of `metrics` and `qids` that are answered one after another.
        answers: What else has to hold of a query.
    """

    takes: AbstractSet[str]
    reads: Callable[[Ask], Sequence[PlannedCall]]
    made: Callable[[Ask, Sequence[str | None]], Made | Sequence[Made]]
    told: Callable[..., Told]
    each: tuple[str, ...] = ()
    answers: Callable[[Query], object] = lambda _: True

    def can_answer(self, query: Query) -> bool:
        """Whether it heeds all that the question says."""
        said = query.said - {"kind", "chip"}
        places = all(name == "mux" for name, _ in query.places)
        return (
            said <= self.takes
            and places
            and bool(self.answers(query))
            and len(_singly(query, self.each)) <= MOST_TABLES
        )


def answered(row: Row, ask: Ask, question: str) -> Plan:
    """The answer of a row."""
    findings = []
    for query in _singly(ask.query, row.each):
        finding = yield from _one(row, replace(ask, query=query), question)
        findings.append(finding)
    return joined(findings)


def _one(row: Row, ask: Ask, question: str) -> Plan:
    calls = row.reads(ask)
    outcomes: Sequence[CallOutcome] = yield calls
    if outcomes[0].failed:
        raise PlanFailed(outcomes[0].why)
    if unknown := [one.why for one in outcomes if one.failed and one.content.get("kind") == "not_found"]:
        raise PlanFailed(unknown[0])  # there is no such element, parameter or task
    keys = [None if one.failed else one.content.get("data_key") for one in outcomes]
    codes = [key and f'copilot.data["{key}"]' for key in keys]
    made = row.made(ask, codes)
    cells, say = Cells(), ask.say
    runs = yield from cells.run_all([_cell(one, ask, question) for one in ([made] if isinstance(made, Made) else made)])
    told = row.told(ask, *(run.records for run in runs), outcomes=outcomes)
    yield from cells.run_all(
        [
            _figure(ask, str(codes[place]), str(calls[place].arguments["parameter_name"]), qids)
            for place, qids in told.drawn
            if codes[place]
        ]
    )
    parts: list[Text] = [told.head]
    if told.columns and told.rows:
        parts.append(say.table(told.columns, told.rows[:MOST_ROWS]))
    all_of_them = len(told.rows) + runs[0].left_out
    if told.columns and all_of_them > MOST_ROWS:
        parts.append(Message("plan-first-rows", shown=MOST_ROWS, all=all_of_them))
    cut = [
        Message("plan-newest-of", read=MOST_RESULTS, all=int(one.content["total"]))
        for one, call in zip(outcomes, calls, strict=True)
        if call.tool == "search_task_results" and int(one.content.get("total") or 0) > MOST_RESULTS
    ]
    return Finding("\n\n".join(filter(None, map(say, [*parts, *told.after, *cut]))), told.assessment)


def _cell(made: Made, ask: Ask, question: str) -> tuple[str, str]:
    imports = [*made.imports, *(f"from qdash_jupyter.methods import {name}" for name in made.methods)]
    return cell_of(question, imports, *made.lines, made.frame), sentence_of(ask.query, ask.language)


def _figure(ask: Ask, code: str, parameter: str, qids: Sequence[str]) -> tuple[str, str]:
    drawn = qids[:MOST_LINES]
    title = Message("plan-of", name=ask.say.name(ask.metrics.of(parameter)), whose=ids(drawn))
    return figure(ask.say, title, "series_chart", code, listed_code(drawn), what=title)


def _singly(query: Query, each: Sequence[str]) -> list[Query]:
    names: list[tuple[str, ...]] = [(name,) for name in query.metrics] if "metrics" in each else []
    qids: list[tuple[str, ...]] = [(qid,) for qid in query.qids] if "qids" in each else []
    pairs = product(names or [query.metrics], qids or [query.qids])
    return [replace(query, metrics=metrics, qids=those) for metrics, those in pairs]

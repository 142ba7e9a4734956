"""What answers a kind of question, a `Row`: what is read, the cell that makes a table of it, the words for its rows."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import product
from typing import Any, TypeAlias

from qdash_jupyter import methods
from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.qid import is_coupling, other_direction
from qdash_jupyter.llm.offline.operations.parameters import (
    COUPLING_GATE,
    FLIPPED,
    error_of,
    in_errors,
    stem_of,
    task_of,
)
from qdash_jupyter.llm.offline.phrases import Columns, Say, ids, some, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, PlanFailed, PlannedCall, planned
from qdash_jupyter.llm.offline.query import EVER, Query, Window, in_muxes, kinds, moment_text
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Field, Message, Text

LONGEST_COMMENT, LONGEST_LINE = 110, 118
_MODULES = {"np": "numpy", "pd": "pandas"}


def comment(question: str) -> str:
    """The question as the first line of a cell."""
    line = " ".join(question.split())
    return f"# {line if len(line) <= LONGEST_COMMENT else f'{line[:LONGEST_COMMENT].rstrip()}…'}"


def cell_of(question: str, *lines: str) -> str:
    """A cell: what it answers, the imports of the names that its lines use, and the lines."""
    names = [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.Name)]
    used = {one.id for one in names} - {one.id for one in names if isinstance(one.ctx, ast.Store)}
    heads = [f"import {module} as {name}" for name, module in _MODULES.items() if name in used]
    if ours := sorted(used & {*methods.__all__}):
        heads += [*([""] if heads else []), f"from qdash_jupyter.methods import {', '.join(ours)}"]
    return "\n".join([comment(question), *heads, *([""] if heads else []), *lines])


def called(name: str, function: str, *arguments: str) -> list[str]:
    """Lines that set a name to what a function gives for these arguments."""
    line = f"{name} = {function}({', '.join(arguments)})"
    if len(line) <= LONGEST_LINE:
        return [line]
    return [f"{name} = {function}(", *(f"    {argument}," for argument in arguments), ")"]


def listed_code(names: Sequence[str]) -> str:
    """A list of texts as code."""
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


TIMES = "window cooldown tag"
WHOSE = f"metrics qids without kind conditions any_of reliable form {TIMES}"
"""What a question about elements over time, or now, may say."""
_FEW = 5
SERIES, SUMMARY, RESULTS = "get_chip_parameter_timeseries", "get_chip_summary", "search_task_results"
MOST_RESULTS = 5_000
"""So many the search for results gives."""
MOST_TABLES, MOST_ROWS, MOST_LINES, MOST_NAMED = 6, 20, 8, 40
MOST_CALLS = 3
"""So often one question may call the tools that tell of a single element."""


class Rows(list[dict[str, Any]]):
    """The rows of the table that a cell shows, of a long one the first; or all that a read told."""

    def __init__(self, run: CallOutcome, *, errors: bool = False, is_told: bool = False) -> None:
        """Take them from what the cell or the read gave, with `errors` those of fidelities as errors.

        Raises:
            PlanFailed: the cell shows no table. No rows would read as "nothing was found".
        """
        result = run.content.get("result")
        if is_told:
            found = run.rows or []
            self.total, self._counts = len(found), dict[str, dict[str, int]]()
        elif isinstance(result, dict) and "records" in result:
            found = [dict(zip(result["columns"], row, strict=True)) for row in result["records"]]
            self.total, self._counts = int(result["rows"]), result.get("counts", {})
        else:
            raise PlanFailed(Message("plan-no-table"))
        super().__init__(map(in_errors, found) if errors else found)
        self.is_told, self._errors = is_told, errors

    @property
    def left_out(self) -> int:
        """How many rows of the table are not among them."""
        return self.total - len(self)

    def counts(self, column: str) -> Mapping[str, int]:
        """Return how often each text stands in a column, over all rows of the table."""
        if (told := self._counts.get(column)) is None:
            return Counter(row[column] for row in self)
        return {FLIPPED.get(text, text): count for text, count in told.items()} if self._errors else told


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, and what was read for it."""

    query: Query
    language: Language
    metrics: MetricTable
    now: datetime
    cooldown: datetime | None = None
    asked_for: tuple[str, ...] = ()
    """All parameters that the question is about, where they are answered one after another."""
    is_beside: bool = False
    """Whether the question is not about this parameter: it is looked at beside one that is."""
    calls: Sequence[PlannedCall] = ()
    outcomes: Sequence[CallOutcome] = ()
    codes: Sequence[str | None] = ()
    """The stored results as code, or what is left of them; None of a read that failed."""

    @property
    def say(self) -> Say:
        """What is said in its language."""
        return Say(self.language)

    @property
    def qids(self) -> tuple[str, ...]:
        """Whose it is; empty for all."""
        return self.query.qids

    @property
    def qid(self) -> str | None:
        """The one element that it is about, or the first; None for all."""
        return next(iter(self.qids), None)

    @property
    def is_of_couplings(self) -> bool:
        """Whether it is about couplings."""
        return any(map(is_coupling, self.qids)) or self.query.kind == "coupling"

    @property
    def metric(self) -> Metric:
        """The parameter that it names, or that which such an element is known by."""
        return self.shown(next(iter(self.query.metrics), COUPLING_GATE if self.is_of_couplings else "t1"))

    def shown(self, parameter: str) -> Metric:
        """Return a parameter in the unit that it is stored in; where the question speaks of errors, 1 - fidelity."""
        metric = self.stored(parameter)
        return error_of(metric) if self.query.errors else metric

    def stored(self, parameter: str) -> Metric:
        """Return a parameter in the unit that it is stored in."""
        for call, outcome in zip(self.calls, self.outcomes, strict=False):
            if outcome.failed:
                continue
            if call.tool == SUMMARY and "qubits" in outcome.content:
                return self.metrics.of(parameter, outcome.unit_of("qubits", parameter))
            if call.tool == SERIES and call.arguments["parameter_name"] == parameter:
                return self.metrics.of(parameter, outcome.unit_of("qubits", "latest"))
        return self.metrics.of(parameter)

    @property
    def name(self) -> str:
        """The parameter's name."""
        return self.say.name(self.metric)

    @property
    def stem(self) -> str:
        """The parameter as the beginning of a Python name."""
        return stem_of(self.metric)

    @property
    def whose(self) -> Field:
        """Whose values they are, in words."""
        return ids(self.qids) if self.qids else Message("plan-all-elements", kind=self.metric.kind)

    @property
    def window(self) -> Window:
        """The time that it is about: all, where it names none."""
        return self.named_window or Window(EVER)

    @property
    def named_window(self) -> Window | None:
        """The time that it names."""
        return Window(self.cooldown) if self.query.cooldown else self.query.window

    @property
    def is_timed(self) -> bool:
        """Whether it is about measurements of a time or of a tag; else about current values."""
        return self.named_window is not None or self.query.tag is not None

    @property
    def when(self) -> Message:
        """That time in words."""
        return window_words(self.window)

    @property
    def in_time(self) -> Message:
        """The parameter, and that time."""
        return Message("plan-in-window", what=self.name, window=self.when)

    def last(self, days: float) -> Window:
        """Return the time that it names, else so many days before now; of a tag alone all of it."""
        return self.window if self.is_timed else Window.last(days, self.now)

    def during(self, since: datetime | None = None) -> dict[str, Any]:
        """Return that time (or from `since` on), a tag and a run as arguments of a tool."""
        told: dict[str, Any] = {"since": moment_text(since or self.window.since or EVER)}
        tags = [self.query.tag] if self.query.tag else None
        told |= {"until": self.window.until_text, "tags": tags, "execution_id": self.query.run}
        return {name: value for name, value in told.items() if value is not None}

    def newest(self, few: int | None = None) -> dict[str, Any]:
        """Return that time; the newest few where the question names none, unless all are to be counted."""
        count, told = self.query.count, self.during()
        if self.named_window is None and not self.query.how_many and not self.query.run:
            told, count = {name: one for name, one in told.items() if name not in {"since", "until"}}, count or few
        return told | ({"last_n": count} if count else {})

    def named(self, parameter: str) -> str:
        """Return the name of a parameter."""
        return self.say.name(self.shown(parameter))

    def summary(self) -> PlannedCall:
        """Return the read of current values."""
        return planned(SUMMARY, param_names=[*self.query.metrics] or None)

    def series(self, name: str, **arguments: Any) -> PlannedCall:
        """Return the read of a parameter over time, of the elements that the question names."""
        qids = [*self.qids] if self._is_named_alone(name) else None
        return planned(SERIES, parameter_name=name, **(arguments or self.during()), qids=qids)

    def _is_named_alone(self, name: str) -> bool:
        """Whether the question names the elements of this parameter: not qubits, whose couplings are meant."""
        kinds = {"coupling" if is_coupling(qid) else "qubit" for qid in self.qids}
        return bool(kinds) and (kinds == {"coupling"} or kinds == {self.metrics.of(name).kind})

    def narrowed(self, frame: str, whose: str, *, is_whole: bool = False) -> list[str]:
        """Return lines that keep the elements of a frame that the question is about.

        Args:
            frame: Its name.
            whose: Its ids as code.
            is_whole: Whether it has all elements, also where the question names some.
        """
        near = self.qids if is_whole or not self._is_named_alone(self.metric.key) else ()
        lines = [f"{frame} = {frame}[{whose}.str.contains({_pattern(near)})]"] if near else []
        out = self.query.without
        return lines + ([f"{frame} = {frame}[~{whose}.str.contains({_pattern(out)})]"] if out else [])

    def by_method(self, method: str, what: str, *given: str, last: Sequence[str] = ()) -> Made:
        """Return a cell that runs a method on the series that was read: `t1_trend = trends(…)`.

        Args:
            method: The method's name.
            what: The end of the table's name.
            given: More arguments, as code.
            last: More lines on the table, `{frame}`.
        """
        frame = f"{self.stem}_{what}"
        lines = [line.format(frame=frame) for line in last]
        return Made(called(frame, method, str(self.codes[0]), *given), frame, last=lines)

    def as_stored(self, table: str, frame: str, *lines: str) -> list[Made]:
        """Return a cell with a table that was read; none where its rows were told."""
        if self.outcomes[0].rows is not None:
            return []
        return [Made([f'{frame} = {self.codes[0]}["{table}"]', *lines], frame)]

    def missing(self, rows: Sequence[Mapping[str, Any]]) -> list[Text]:
        """Return that some of the elements that the question names have no measurement."""
        told = {str(row["qid"]) for row in rows if row.get("verdict") != "not measured"}
        either = told | {*map(other_direction, told)}
        missing = [qid for qid in self.qids if qid not in either]
        return [Message("plan-not-measured", names=some(missing))] if missing else []

    def drawn(
        self, qids: Sequence[str], title: Text = "", *given: str, code: str | None = None, since: str | None = None
    ) -> list[Figure]:
        """Return a chart of some elements over time, where there are any; `given` are more arguments as code."""
        first, begin = qids[:MOST_LINES], [f'since="{since}"'] if since else []
        named = Message("plan-titled", title=title or self.name, names=some(first, in_order=False))
        arguments = [str(code or self.codes[0]), listed_code(first), *begin, *given]
        return [Figure("series_chart", arguments, named)] if qids else []


Reads = str | Callable[["Ask"], Sequence[PlannedCall]]
"""What is read: calls, or a tool with its arguments by what they say of the question: "search_notes when qid"."""


def calls_of(reads: Reads, ask: Ask) -> Sequence[PlannedCall]:
    """Return the calls of what is read."""
    if not isinstance(reads, str):
        return reads(ask)
    name, *arguments = reads.split()
    return [planned(name, **{key: value for one in arguments for key, value in _GIVEN[one](ask).items()})]


_GIVEN: Mapping[str, Callable[[Ask], Mapping[str, Any]]] = {
    "parameter": lambda ask: {"parameter_name": ask.metric.key},
    "qid": lambda ask: {"qid": next(iter(ask.qids), None)},
    "task": lambda ask: {"task_name": task_of(ask.query)},
    "status": lambda ask: {"status": ask.query.status},
    "user": lambda ask: {"username": ask.query.user},
    "kind": lambda ask: {"kind": None if ask.qids else ask.query.kind},
    "text": lambda ask: {"text": ask.query.text and ask.query.text.lower()},
    "count": lambda ask: {"last_n": ask.query.count or _FEW},
    "one": lambda _: {"last_n": 1},
    "when": Ask.newest,
    "found": lambda ask: ask.newest(_FEW) if not ask.query.run else {"last_n": MOST_RESULTS} | ask.newest(),
    "during": Ask.during,
    "excluded": lambda _: {"excluded": True},
    "timed": lambda ask: ask.during() if ask.is_timed else {},
}
"""Arguments of tools, by what they say of the question."""


def _pattern(qids: Iterable[str]) -> str:
    both = dict.fromkeys(one for qid in qids for one in (qid, other_direction(qid)))
    return f'r"\\b(?:{"|".join(both)})\\b"'


@dataclass(frozen=True, slots=True)
class Made:
    """A cell: its lines, and the name of the table in the end.

    `last` are lines that follow where the table was narrowed to the elements that the question is about.
    """

    lines: Sequence[str]
    frame: str
    last: Sequence[str] = ()
    shown: str = ""
    """What the cell shows, as code: the table, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the methods: its function, what this is given as code, and its title."""

    function: str
    given: Sequence[str]
    title: Text


@dataclass(frozen=True, slots=True)
class Told:
    """What the rows come to: the words above their table, its columns, the figures, and what stands below."""

    head: Text | tuple[Text, ...]
    columns: Columns | None = None
    rows: Sequence[Any] = ()
    assessment: Assessment | None = None
    drawn: Sequence[Figure] = ()
    after: Sequence[Text] = ()
    names: Sequence[str] = ()
    """The elements that it names: a question may be about these."""
    most: int = MOST_ROWS
    left_out: int = 0
    """Rows that belong to the table and are not among these."""


Telling: TypeAlias = Generator[Made | Sequence[Made], list[Rows], Told]
"""Yields its cells, is sent the rows of each, and returns what they come to. Where it has no cell, it is sent what a
read told whole.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """How one kind of question is answered.

    Attributes:
        takes: The fields of a query that it heeds, with `!` those that have to be said; it does not answer a question
            that says anything else.
        reads: What is read. The first has to be there; of the others those that failed have no code.
        told: The cells, and the words for their rows.
        each: Those of `metrics` and `qids` that are answered one after another.
        answers: What else has to hold of it.
        meant: The queries that are answered one after another for the one that is asked.
        names: The parameters that it is about where the question names none; of couplings that is their gate.
        beside: Parameters that are looked at, too.
        during: The time that it is about.
        then: What is read after that.
        closing: What is told of all parts in the end.
        nothing: The answer where there is nothing of the kind, which a tool says by refusing.
        over_time: Whether its cells have a row an element, of series: they are narrowed to the elements that the
            question is about, which may be those that meet conditions now, and turned where it is about errors.
        most: So many parts it answers.
    """

    takes: str
    reads: Reads
    told: Callable[[Ask], Telling]
    each: str = ""
    answers: Callable[[Query], object] = lambda _: True
    meant: Callable[[Query], Sequence[Query]] = lambda query: [query]
    names: Callable[[Query], tuple[str, ...]] | None = None
    beside: Callable[[Query], tuple[str, ...]] = lambda _: ()
    during: Callable[[Ask], Window | None] | None = None
    then: Callable[[Ask], Sequence[PlannedCall]] | None = None
    closing: Callable[[Ask, Sequence[tuple[Ask, Rows]]], Told] | None = None
    nothing: Callable[[Ask], Text] | None = None
    over_time: bool = False
    most: int = MOST_TABLES

    def can_answer(self, query: Query) -> bool:
        """Whether it heeds all that the question says."""
        said = query.said - {"chip", "why"}
        is_usual = query.kind == "qubit" and query.asked not in kinds("list")
        if is_usual or query.metrics or query.qids:  # else nothing else tells the kind
            said -= {"kind"}
        needed = all(getattr(query, name[:-1]) for name in self.takes.split() if name.endswith("!"))
        is_right = said <= self.heeds and needed and self.answers(query)
        return bool(is_right) and len(self.singly(query)) <= self.most

    @property
    def heeds(self) -> set[str]:
        """The fields of a query that it heeds."""
        return {*self.takes.replace("!", "").split()}

    def singly(self, query: Query) -> list[Query]:
        """Return the queries that are answered one after another."""
        if self.names is not None and not query.metrics:
            query = replace(query, metrics=(COUPLING_GATE,) if query.kind == "coupling" else self.names(query))
        found = []
        for one in self.meant(query):
            names: list[tuple[str, ...]] = [(name,) for name in one.metrics] if "metrics" in self.each else []
            qids: list[tuple[str, ...]] = [(qid,) for qid in one.qids] if "qids" in self.each else []
            pairs = product(qids or [one.qids], names or [one.metrics])
            found += [replace(one, metrics=metrics, qids=those) for those, metrics in pairs]
        return found

    def asks(self, ask: Ask) -> list[Ask]:
        """Return the parts of a question, those that are looked at beside it last."""
        queries = self.singly(ask.query)
        names = tuple(name for query in queries for name in query.metrics)
        beside = [name for name in self.beside(ask.query) if name not in names]
        more = [replace(ask.query, metrics=(name,), conditions=(), by=None, without=()) for name in beside]
        asks = [replace(ask, query=query, asked_for=names) for query in queries]
        asks += [replace(ask, query=query, asked_for=names, is_beside=True) for query in more]
        if self.during is None:
            return asks
        return [replace(one, query=replace(one.query, window=self.during(one), cooldown=False)) for one in asks]


def settled(query: Query) -> Query:
    """Return the query with the qubits of MUXes in place of these."""
    return replace(query, qids=tuple(dict.fromkeys((*query.qids, *in_muxes(query.places)))), places=())


def _of_parameter(ask: Ask) -> list[PlannedCall]:
    """The read of the parameter over time."""
    return [ask.series(ask.metric.key)]


def answer(takes: str, reads: Reads = _of_parameter, **how: Any) -> Callable[[Callable[[Ask], Telling]], Row]:
    """Make a `Row` of the function below, with what it takes of a question, and what is read: the parameter over time,
    unless it is something else.
    """
    return lambda told: Row(takes, reads, told, **how)


series_answer = partial(answer, each="metrics", over_time=True)

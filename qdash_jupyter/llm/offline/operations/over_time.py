"""What is computed of series: the read, the cell of a method for each parameter, its rows in words, and its figure."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.operations.code import called, cell_of, listed_code
from qdash_jupyter.llm.offline.operations.reliable import kept_of
from qdash_jupyter.llm.offline.operations.tables import (
    Asking,
    Table,
    conditioned,
    figure,
    filtered,
    in_errors,
    narrowed,
    series_call,
    shown_metric,
    stem_of,
    timely,
    why_refused,
)
from qdash_jupyter.llm.offline.phrases import Say, some, window_words
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, Finding, Plan
from qdash_jupyter.llm.offline.query import EVER, Direction, Query, Window, moment_text
from qdash_jupyter.messages.message import Message, Text

MOST_LINES = 8
Chart = tuple[str, str]
"""The code of a figure, and its purpose."""


@dataclass(frozen=True, slots=True)
class Study:
    """What a method gave for one parameter."""

    metric: Metric
    stem: str
    """Of the names in its cell: `t1_change`."""
    run: CallOutcome
    outcome: CallOutcome
    source: str
    """The series as code: what is stored, or what is left of it."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the method, in errors where the metric is one."""
        records = self.run.records
        return [in_errors(row) for row in records] if "Error" in self.metric.title else records

    def counts(self) -> dict[str, int]:
        """How many elements have which verdict, over all rows."""
        counts = self.run.counts("verdict")
        if "Error" in self.metric.title:
            counts = {**counts, "fell": counts.get("rose", 0), "rose": counts.get("fell", 0)}
        return counts

    def figure(self, say: Say, title: Text, function: str, *given: str) -> Chart:
        """A cell that draws its series."""
        return figure(say, title, function, *given, name=f"{self.stem}_figure", what=title)

    def title(self, query: Query) -> Message:
        """The metric, and the time that is looked at."""
        return Message("plan-in-window", what=query.say.name(self.metric), window=window_words(query.window))

    def series_figure(self, say: Say, qids: Sequence[str], title: Text, since: str | None = None) -> Chart:
        """A cell with the measurements of some elements over time."""
        given = [self.source, listed_code(qids[:MOST_LINES])]
        given += [f'since="{since}"'] if since else []
        of_them = Message("plan-titled", title=title, names=some(qids[:MOST_LINES], in_order=False))
        return self.figure(say, of_them, "series_chart", *given)

    def missing(self, query: Query) -> list[str]:
        """A sentence with those of the elements that the question names that have no measurement."""
        told = {str(row["qid"]) for row in self.rows if row.get("verdict") != "not measured"}
        either = told | {"-".join(reversed(qid.split("-"))) for qid in told}
        missing = [qid for qid in query.qids if qid not in either]
        return [query.say(Message("plan-not-measured", names=some(missing)))] if missing else []


@dataclass(slots=True)
class Studies:
    """Those of all parameters of a question, the query as it was answered, and what has to be said beside."""

    query: Query
    cells: Cells
    notes: list[str]
    refused: list[str]
    behind: list[str]
    found: list[Study] = field(default_factory=list)

    def told(self, tell: Callable[[Study, Query], tuple[list[str], list[Chart]]]) -> Plan:
        """What each comes to in words and figures."""
        told = [tell(study, self.query) for study in self.found]
        yield from self.cells.run_all([chart for _, drawn in told for chart in drawn])
        return self.finding([part for parts, _ in told for part in parts])

    def finding(self, parts: Sequence[str], assessment: Assessment | None = None) -> Finding:
        """The answer of these parts."""
        return Finding("\n\n".join([*self.notes, *parts, *self.behind, *self.refused]), assessment)


@dataclass(frozen=True, slots=True)
class Method:
    """A method with its arguments behind the series, and the last lines, in which `{frame}` is what it gave."""

    name: str
    arguments: Sequence[str] = ()
    last: Sequence[str] = ("{frame}",)


def studied(
    query: Query,
    names: Sequence[str],
    metrics: MetricTable,
    question: str,
    method: Callable[[Query, Metric], Method] | Method,
    *,
    what: str,
    since: Callable[[Window], datetime | None] = lambda window: window.since,
    cells: Cells | None = None,
) -> Generator[Any, Any, Studies]:
    """Read each parameter, and run a method on it; `since` is where the read begins for a window.

    Raises:
        PlanFailed: every read was refused.
    """

    def calls(query: Query) -> Any:
        begin = since(query.window) or (EVER if query.window.until else None)  # else the tool gives the newest ten
        during = {"since": begin and moment_text(begin), "until": query.window.until_text}
        couplings = query.names_only("coupling")
        kinds = {name: "coupling" if couplings else metrics.of(name).kind for name in names}
        return [series_call(query, name, kind, **during) for name, kind in kinds.items()]

    cells = cells or Cells()
    behind = (yield from _choose(query, metrics, question, cells)) if query.conditions else ()
    query, outcomes, note = yield from timely(query, calls)
    refused = dict.fromkeys(why_refused(outcome, query) for outcome in outcomes if outcome.failed)
    studies, steps, shown = Studies(query, cells, [note] if note else [], [*map(query.say, refused)], [*behind]), [], []
    read = {
        str(outcome.content["data_key"]): (metrics.of(name, outcome.unit_of("qubits", "latest")), outcome)
        for name, outcome in zip(names, outcomes, strict=True)
        if not outcome.failed
    }
    kept = yield from kept_of(query, {key: [metric] for key, (metric, _) in read.items()}, calls(query)[0], cells)
    studies.behind += kept.notes
    for key, (metric, outcome) in read.items():
        chosen = method(query, metric) if callable(method) else method
        frame = f"{stem_of(metric)}_{what}"
        lines = narrowed(frame, f'{frame}["qid"]', query, metric.kind)
        lines += [f'{frame} = {frame}[{frame}["qid"].isin(chosen)]'] if query.conditions else []
        lines += [line.format(frame=frame) for line in chosen.last]
        heads, source = [f"from qdash_jupyter.methods import {chosen.name}"], kept.sources[key]
        code = cell_of(question, heads, *called(frame, chosen.name, source, *chosen.arguments), *lines)
        steps.append((code, query.say(Message("plan-purpose", name=query.say.name(metric), what=what))))
        shown.append((shown_metric(metrics, metric.key, metric.unit, errors=query.errors), frame, outcome, source))
    runs = yield from cells.run_all(steps)
    studies.found = [
        Study(metric, frame, run, outcome, source)
        for (metric, frame, outcome, source), run in zip(shown, runs, strict=True)
    ]
    return studies


def _choose(query: Query, metrics: MetricTable, question: str, cells: Cells) -> Asking:
    """A cell that finds which elements meet the conditions now: `chosen`. Gives what is said behind the answer."""
    now = replace(query, window=Window(), qids=(), without=(), details={})
    values: Table = yield from filtered(now, conditioned(query), metrics, cells)
    yield from cells.run(values.cell(question, "chosen = values.index", "chosen"), query.say(Message("plan-meeting")))
    return values.behind


def when_of(query: Query, days: float) -> Window:
    """The window of a question; where it names tags or a cool-down alone all of these, else so many days."""
    return Window(EVER) if query.of_runs and not query.window.is_bounded else query.window_or(days)


def wanted(direction: Direction | None) -> set[str]:
    """The verdicts that a direction asks for."""
    return {Direction.DOWN: {"fell"}, Direction.UP: {"rose"}}.get(direction or Direction.EITHER, {"fell", "rose"})


def ids_of(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The ids of rows."""
    return [str(row["qid"]) for row in rows]

"""What is computed of series: the read, the cell of a method for each parameter, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.operations.tables import (
    Table,
    called,
    cell_of,
    conditioned,
    filtered,
    in_errors,
    listed_code,
    narrowed,
    series_call,
    shown_metric,
    stem_of,
    timely,
    why_refused,
)
from qdash_jupyter.llm.offline.phrases import some
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, PlannedCall
from qdash_jupyter.llm.offline.query import EVER, Query, Window, moment_text

MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Study:
    """What a method gave for one parameter."""

    metric: Metric
    key: str
    stem: str
    """Of the names in its cell: `t1_change`."""
    run: CallOutcome
    outcome: CallOutcome

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


@dataclass(frozen=True, slots=True)
class Studies:
    """Those of all parameters of a question, the query as it was answered, and what has to be said beside."""

    found: list[Study]
    query: Query
    notes: list[str]
    refused: list[str]
    cells: Cells


Code = Callable[[Query, str, Metric], tuple[str, list[str], list[str]]]
"""Of the query, a series as code and its metric: the name of a method, its arguments, and the last lines, in which
`{frame}` is what it gave.
"""

MOVED_FIRST = '{frame}.sort_values("verdict", key=lambda said: ~said.isin(["fell", "rose"]), kind="stable")'


def studied(
    query: Query,
    names: Sequence[str],
    metrics: MetricTable,
    question: str,
    *,
    since: Callable[[Window], datetime | None],
    code: Code,
    cells: Cells | None = None,
    what: str,
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], Studies]:
    """Read each parameter, and run a method on it; `since` is where the read begins for a window.

    Raises:
        PlanFailed: every read was refused.
    """

    def calls(query: Query) -> list[PlannedCall]:
        begin = since(query.window) or (EVER if query.window.until else None)  # else the tool gives the newest ten
        during = {"since": begin and moment_text(begin), "until": query.window.until_text}
        return [series_call(query, name, _kind(query, metrics.of(name)), **during) for name in names]

    cells = cells or Cells()
    chosen = ""
    if query.conditions:
        chosen = yield from _chosen(query, metrics, question, cells)
    query, outcomes, note = yield from timely(query, calls)
    pairs = [(name, outcome) for name, outcome in zip(names, outcomes, strict=True) if not outcome.failed]
    refused = list(dict.fromkeys(why_refused(outcome, query) for outcome in outcomes if outcome.failed))
    shown, steps = [], []
    for name, outcome in pairs:
        metric, key = metrics.of(name, outcome.unit_of("qubits", "latest")), str(outcome.content["data_key"])
        method, arguments, last = code(query, f'copilot.data["{key}"]', metric)
        frame = f"{stem_of(metric)}_{what}"
        lines = called(frame, method, *arguments)
        lines += narrowed(frame, f'{frame}["qid"]', query, metric.kind)
        lines += [f'{frame} = {frame}[{frame}["qid"].isin({chosen})]'] if chosen else []
        lines += [line.format(frame=frame) for line in last]
        steps.append(
            (cell_of(question, [f"from qdash_jupyter.methods import {method}"], *lines), f"{metric.title}: {what}")
        )
        shown.append((shown_metric(metrics, name, metric.unit, errors=query.errors), key, frame, outcome))
    runs = yield from cells.run_all(steps)
    found = [
        Study(metric, key, frame, run, outcome) for (metric, key, frame, outcome), run in zip(shown, runs, strict=True)
    ]
    return Studies(found, query, [note] if note else [], refused, cells)


def _kind(query: Query, metric: Metric) -> str:
    return "coupling" if query.qids and all(map(is_coupling, query.qids)) else metric.kind


def _chosen(
    query: Query, metrics: MetricTable, question: str, cells: Cells
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], str]:
    """A cell that finds which elements meet the conditions now; gives the expression for their ids."""
    now = replace(query, window=Window(), qids=(), without=(), details={})
    values: Table = yield from filtered(now, conditioned(query), metrics)
    code = values.cell(question, "chosen = values.index", "chosen")
    yield from cells.run(code, "Which meet the conditions now")
    return "chosen"


def when_of(query: Query, days: float) -> Window:
    """The window of a question; where it names tags or a cool-down alone all of these, else so many days."""
    ever = bool({"tags", "cooldown_id"} & {*query.details}) and not query.window.is_bounded
    return Window(EVER) if ever else query.window_or(days)


def reach(window: Window) -> datetime | None:
    """Where a read begins so that there is a level to compare with: as long again before, at least three weeks."""
    if window.since is None:
        return None
    return window.since - timedelta(days=max(window.days or 45, 21))


def series_figure(study: Study, qids: Sequence[str], title: str, since: str | None = None) -> tuple[str, str]:
    """A cell with the measurements of some elements over time."""
    title = f"{title}: {some(qids[:MOST_LINES], 'en', in_order=False)}"
    given = [f'copilot.data["{study.key}"]', listed_code(qids[:MOST_LINES])]
    given += [f'since="{since}"'] if since else []
    lines = called(f"{study.stem}_figure", "series_chart", *given, f'title="{title}"')
    heads = ["from qdash_jupyter.methods import series_chart"]
    return cell_of(title, heads, *lines, f"{study.stem}_figure"), f"Chart: {title}"


def missing_of(study: Study, query: Query) -> list[str]:
    """Of the elements that the question names, those without a measurement."""
    told = {str(row["qid"]) for row in study.rows if row.get("verdict") != "not measured"}
    either = told | {"-".join(reversed(qid.split("-"))) for qid in told}
    return [qid for qid in query.qids if qid not in either]

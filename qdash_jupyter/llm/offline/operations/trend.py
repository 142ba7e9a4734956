"""Parameters over time: levels and slopes, two windows against each other, fits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.domain.units import with_error
from qdash_jupyter.llm.offline.operations.change import false_alarms
from qdash_jupyter.llm.offline.operations.over_time import (
    MOST_LINES,
    Chart,
    Method,
    Study,
    ids_of,
    studied,
    wanted,
    when_of,
)
from qdash_jupyter.llm.offline.operations.select import FEW, ascending
from qdash_jupyter.llm.offline.operations.tables import (
    COUPLING_GATE,
    Asking,
    Table,
    column_of,
    filtered,
    ordered_first,
)
from qdash_jupyter.llm.offline.phrases import (
    ELEMENT,
    VERDICT,
    points,
    some,
    stored_number,
    things,
    valued,
    verdict,
    window_words,
)
from qdash_jupyter.llm.offline.plan import Cells, Plan, PlanFailed
from qdash_jupyter.llm.offline.query import EVER, Query, Window
from qdash_jupyter.messages.message import Message, Text

DEFAULT_DAYS = 60
OF_A_CHIP = ("t1", "t2_echo", "average_readout_fidelity", "qubit_frequency")
"""What is compared where the question names no parameter."""
MOST_ROWS = 12

_FORMULAS = {
    "line": "value = intercept + slope · days",
    "exponential": "value = offset + amplitude · exp(-days / decay)",
}


def trend(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Level, scatter and slope of some elements with their measurements, or the whole chip's median by day. Where the
    question names an order ("the worst five"), of those that stand first in it now.
    """
    names = query.metrics or (COUPLING_GATE,)
    cells, first, behind = Cells(), "", tuple[str, ...]()
    if query.order:
        query, first, behind = yield from first_now(query, names[0], metrics, question, cells)
    whole = not (query.qids or query.without or query.conditions)

    def method(query: Query, metric: Metric) -> Method:
        slope = f"slope [{metric.unit}/day]"
        steep = f'sort_values("{slope}", key=abs, ascending=False, kind="stable").head({query.count or MOST_ROWS})'
        return Method("trends", last=["{frame}" if query.qids else f"{{frame}}.{steep}"])

    def tell(study: Study, query: Query) -> tuple[list[str], list[Chart]]:
        rows = [row for row in study.rows if row["n"]]
        title = study.title(query)
        if whole:
            charts = [study.figure(query.say, Message("plan-whole-chip", what=title), "band_chart", study.source)]
        else:
            charts = [study.series_figure(query.say, ids_of(rows), title)] if rows else []
        return _trend(study, rows, query, whole=whole), charts

    query = replace(query, window=when_of(query, DEFAULT_DAYS))
    studies = yield from studied(query, names, metrics, question, method, what="trend", cells=cells)
    studies.notes += [first] if first else []
    studies.behind[:0] = [one for one in behind if one not in studies.behind]
    return (yield from studies.told(tell))


def first_now(query: Query, name: str, metrics: MetricTable, question: str, cells: Cells) -> Asking:
    """The query with the elements that stand first now, in its order and under its conditions, which these are, and
    what is said behind the answer.

    Raises:
        PlanFailed: no element has a value.
    """
    values: Table = yield from filtered(replace(query, window=Window(), details={}), (name,), metrics, cells)
    say, metric, low = query.say, values.shown[name], ascending(query, values.shown[name])
    column = column_of(metric)
    first = f".head({query.count or FEW})" if query.order else ""
    lines = [
        f'chosen = values.dropna(subset=["{column}"])',
        f'chosen = chosen.sort_values("{column}", ascending={low}){first}',
    ]
    run = yield from cells.run(values.cell(question, *lines, "chosen"), ordered_first(metric, say, low=low))
    ids = ids_of(run.records)
    if not ids:
        raise PlanFailed(Message("plan-no-value", what=say.name(metric)))
    words = Message(
        "plan-ranked-now",
        order=query.order or "worst",
        kind=metric.kind,
        count=len(ids),
        name=say.name(metric),
        names=some(ids, in_order=False),
    )
    return replace(query, qids=tuple(ids), without=(), conditions=(), count=None), say(words), values.behind


def _trend(study: Study, rows: list[dict[str, Any]], query: Query, *, whole: bool) -> list[str]:
    say, metric = query.say, study.metric
    name, window, unit = say.name(metric), window_words(query.window), metric.unit
    if not rows:
        return [say(Message("plan-nothing-usable", name=name, window=window))]
    middle = (study.outcome.content.get("statistics") or {}).get("median")
    count = int(study.outcome.content.get("num_qubits") or 0)
    if whole and middle is not None:
        value, all_of_them = stored_number(middle, metric), things(count, metric.kind)
        head = Message("plan-trend-of-chip", name=name, window=window, things=all_of_them, value=value)
    else:
        head = Message("plan-trend", name=name, whose=some(query.qids or ids_of(rows)), window=window)
    columns = ELEMENT | {Message("plan-heading-count"): "n"}
    columns |= valued(
        metric,
        {
            Message("plan-statistic", statistic="median"): "median",
            Message("plan-heading-newest"): "newest",
        },
    )
    columns |= {
        Message("plan-heading-scatter"): lambda row: _small(row[f"scatter [{unit}]"], metric, "±"),
        Message("plan-heading-slope"): lambda row: _slope(row, metric),
        VERDICT: verdict,
    }
    steepest = [say(Message("plan-steepest", count=len(rows), all=count))] if whole and len(rows) < count else []
    return [say(head), say.table(columns, rows), *steepest, *study.missing(query)]


def _slope(row: dict[str, Any], metric: Metric) -> Text:
    slope, error = (row[f"{name} [{metric.unit}/day]"] for name in ("slope", "slope ±"))
    shown = _small(slope, metric, "")
    if error is None or slope is None:
        return shown
    return Message("plan-with-error", value=shown, error=_small(error, metric, "±"))


def _small(value: float | None, metric: Metric, sign: str) -> Text:
    """A difference with its unit: frequencies in kHz, fidelities in points."""
    if value is None:
        return "–"
    unit = points({"GHz": "kHz", "%": "pp"}.get(metric.unit, metric.unit))
    value = value * 1e6 if metric.unit == "GHz" else value
    shown = f"{sign}{value:.2g}" if sign else f"{value:+.2g}"
    return Message("plan-amount", value=f"{sign}0" if abs(value) < 1e-9 else shown, unit=unit)  # noqa: PLR2004


def windows(query: Query, metrics: MetricTable, question: str) -> Plan:
    """One window against another, each element: medians, their difference with its interval, and a verdict."""
    if (against := query.against) is None:
        raise PlanFailed(Message("plan-name-two-times"))
    names = query.metrics or (OF_A_CHIP if query.element != "coupling" else (COUPLING_GATE,))
    first, second = sorted((query.window, against), key=lambda window: window.since or EVER)  # changes go forward
    in_order = [second, first] if query.window is second else [first, second]

    def tell(study: Study, query: Query) -> tuple[list[str], list[Chart]]:
        moved = [row for row in study.rows if row["verdict"] in {"fell", "rose"}]
        ids = (ids_of(moved) or list(query.qids))[:MOST_LINES]
        name = query.say.name(study.metric)
        charts = [study.series_figure(query.say, ids, name, second.since_text)] if ids else []
        columns = {_which(window, first): window_words(window) for window in in_order}
        return _windows(study, query, columns), charts

    ends = [f"({_end(window.since_text)}, {_end(window.until_text)})" for window in (first, second)]
    both = replace(query, window=Window(first.since, second.until))
    method = Method("compare_windows", ends)
    studies = yield from studied(both, names, metrics, question, method, what="windows")
    return (yield from studies.told(tell))


def _which(window: Window, first: Window) -> str:
    return "first" if window is first else "second"


def _end(moment: str | None) -> str:
    return "None" if moment is None else f'"{moment}"'


def _windows(study: Study, query: Query, names: dict[str, Message]) -> list[str]:
    say, metric, counts = query.say, study.metric, study.counts()
    told = tuple(Message("plan-count-of", count=count, what=verdict({"verdict": one})) for one, count in counts.items())
    head = Message("plan-windows", name=say.name(metric), first=names["first"], second=names["second"], counts=told)
    rows = [row for row in study.rows if query.qids or row["verdict"] in wanted(query.direction)]
    if len(query.metrics) == 1:
        rows = rows or [row for row in study.rows if row["verdict"] not in {"too few", "not measured"}]
    rows = rows[: query.count or MOST_ROWS]
    columns = ELEMENT | valued(metric, {name: which for which, name in names.items()})
    columns |= {Message("plan-heading-change"): _between, VERDICT: verdict}
    compared = sum(Counter(counts)[one] for one in ("fell", "rose", "stable", "unclear", "wandering"))
    alarms = [say(false_alarms(compared))] if not query.qids else []
    shown = [say.table(columns, rows)] if rows else []
    return [say(head), *shown, *alarms, *study.missing(query)]


def _between(row: dict[str, Any]) -> Text:
    name = next(name for name in row if name.startswith("change ["))
    unit = name.removeprefix("change [").removesuffix("]")
    value, error = row[name], row.get(f"± [{unit}]")
    if value is None:
        return "–"
    spread = "" if error is None else f" ± {error:.2g}"
    return Message("plan-amount", value=f"{value:+.2g}{spread}", unit=points(unit))


def fit(query: Query, metrics: MetricTable, question: str) -> Plan:
    """A line or an exponential through the measurements of each element, with standard errors."""
    kind = query.fit or "line"

    def tell(study: Study, query: Query) -> tuple[list[str], list[Chart]]:
        ids = ids_of(study.run.records)
        charts = [study.series_figure(query.say, ids, study.title(query))] if ids else []
        return _fit(study, query, kind), charts

    query = replace(query, window=when_of(query, DEFAULT_DAYS))
    studies = yield from studied(query, query.metrics, metrics, question, Method(f"fit_{kind}"), what="fit")
    return (yield from studies.told(tell))


def _fit(study: Study, query: Query, kind: str) -> list[str]:
    say, rows = query.say, study.run.records[: query.count or MOST_ROWS]
    whose, name = some(ids_of(rows)), say.name(study.metric)
    head = Message("plan-fit", kind=kind, name=name, whose=whose, window=window_words(query.window))
    columns = ELEMENT | {Message("plan-heading-count"): "n"}
    for name in (name for name in (rows[0] if rows else {}) if "[" in name and "±" not in name):
        columns[name.partition(" [")[0]] = partial(_with_error, name=name)
    columns["χ²/dof"] = lambda row: "–" if row["chi2/dof"] is None else f"{row['chi2/dof']:.2g}"
    columns[VERDICT] = verdict
    return [say(head), f"`{_FORMULAS[kind]}`", say.table(columns, rows), *study.missing(query)]


def _with_error(row: dict[str, Any], name: str) -> str:
    column, _, unit = name.partition(" [")
    value, error = row[name], row.get(f"{column} ± [{unit}")
    if value is None:
        return "–"
    return with_error(value, error, unit.removesuffix("]"))

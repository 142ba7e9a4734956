"""Four charts of a table's columns, as they are stored, in the style of `qdash_jupyter.methods.charts`.

Arguments that they share: `by` is the column of qubits or couplings, and `only` those of them that are drawn (all,
where none are named); `time` is a column of times, of which the rows from `since` on count, until the end of the date
`until`, or before another time. Of a table whose rows are of several parameters, `parameter` says which one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import is_coupling, normalise_qid, qid_order
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.methods.charts import COLOURS, MOST_LINES, PLAIN, distribution, error_bars, figure, titled
from qdash_jupyter.methods.measurements import Moment, label, moment

if TYPE_CHECKING:
    import plotly.graph_objects as go

MOST_POINTS = 20_000
"""Of more, one of every two, three, … is drawn, the highest and the lowest among them, and the title says so."""

_OF_THE_METRIC = ("v", "value")
"""What a series calls the values of its parameter."""

_WHISKER = 1.5
"""In distances between the quartiles, as usual."""


def trend(
    table: pd.DataFrame,
    metric: str,
    *,
    time: str,
    by: str | None = None,
    only: Iterable[object] = (),
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
) -> go.Figure:
    """A column over time: a line for each qubit or coupling, with stored errors as bars. Of more than eight their
    points, and a line through each day's median.
    """
    rows = selected(
        table, metric, by=by, only=only, time=time, since=since, until=until, parameter=parameter
    ).sort_values(time, kind="stable")
    shown, step = _thinned(rows, metric, by)
    fig = figure()
    if by is not None and rows[by].nunique() > MOST_LINES:
        _add_points(fig, shown[time], shown[metric], shown[by], {"size": 4, "color": PLAIN, "opacity": 0.4})
        days = rows.set_index(time)[metric].resample("1D").median().dropna()
        name = Message("explore-daily-median").of(reader())
        fig.add_scatter(x=days.index, y=days, mode="lines", line={"width": 2, "color": COLOURS[0]}, name=name)
    else:
        groups = [(title_of(rows, metric), shown)]
        if by is not None:
            groups = [(label(str(one)), part) for one, part in _each(shown, by)]
        for place, (name, part) in enumerate(groups):
            fig.add_scatter(
                x=part[time],
                y=part[metric],
                error_y=error_bars(part["error"]) if metric in _OF_THE_METRIC and "error" in part else None,
                mode="lines+markers",
                name=name,
                line={"width": 1, "color": COLOURS[place % len(COLOURS)]},
                marker={"size": 5},
            )
    zone, words = getattr(table[time].dtype, "tz", None), Message("explore-time") if time == "t" else time
    x = Message("explore-zoned", name=words, zone=str(zone)) if zone else words
    return _titled(fig, _heading(title_of(rows, metric), rows, step), x, with_unit(rows, metric))


def histogram(
    table: pd.DataFrame,
    metric: str,
    *,
    by: str | None = None,
    only: Iterable[object] = (),
    time: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
) -> go.Figure:
    """How the values of a column are spread, and their median."""
    rows = selected(table, metric, by=by, only=only, time=time, since=since, until=until, parameter=parameter)
    unit = unit_of(rows, metric)

    def middle(value: float) -> str:
        return Message("chart-median-line", value=f"{value:.4g} {unit}".strip()).of(reader())

    fig = distribution(rows[metric].to_numpy(float), middle)
    count = Message("chart-number-of", what="values")
    return _titled(fig, _heading(title_of(rows, metric), rows), with_unit(rows, metric), count)


def by_element(
    table: pd.DataFrame,
    metric: str,
    *,
    by: str,
    only: Iterable[object] = (),
    time: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
) -> go.Figure:
    """A column qubit by qubit, or coupling by coupling: a point where each has one value, else a box from quartile to
    quartile with the median, and whiskers to the farthest value within 1.5 times its length; points beyond them.
    """
    rows = selected(table, metric, by=by, only=only, time=time, since=since, until=until, parameter=parameter)
    each = _each(rows, by)
    labels = [label(str(one)) for one, _ in each]
    what = Message("chart-element", kind="coupling" if any(map(is_coupling, labels)) else "qubit")
    fig = figure()
    if all(len(part) == 1 for _, part in each):
        values = [part[metric].iloc[0] for _, part in each]
        fig.add_scatter(x=labels, y=values, mode="markers", marker={"size": 8, "color": COLOURS[0]}, showlegend=False)
    else:
        # Worked out here: of a million rows a few numbers leave the kernel.
        boxes = _boxes([part[metric] for _, part in each])
        fig.add_box(x=labels, **boxes, marker_color=COLOURS[0], showlegend=False)
        ends = zip(each, boxes["lowerfence"], boxes["upperfence"], strict=True)
        beyond = pd.concat([part[~part[metric].between(low, high)] for (_, part), low, high in ends])
        drawn = _thinned(beyond, metric, by)[0]
        names = drawn[by].map(lambda one: label(str(one)))
        _add_points(fig, names, drawn[metric], None, {"size": 5, "color": COLOURS[0]})
    fig = _titled(fig, _heading(title_of(rows, metric), rows), what, with_unit(rows, metric))
    # As categories: plotly would take ids such as 04-01 for dates.
    return fig.update_xaxes(type="category", showgrid=False)


def against(
    table: pd.DataFrame,
    metric: str,
    other: str,
    *,
    by: str | None = None,
    only: Iterable[object] = (),
    time: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
) -> go.Figure:
    """A column against another one of the same rows."""
    rows = selected(table, metric, by=by, only=only, time=time, since=since, until=until, parameter=parameter)
    rows = rows[rows[other].notna()]
    shown, step = _thinned(rows, metric)
    fig = figure()
    _add_points(fig, shown[other], shown[metric], None if by is None else shown[by], {"size": 5, "color": COLOURS[0]})
    both = Message("explore-against", metric=title_of(rows, metric), other=title_of(rows, other))
    return _titled(fig, _heading(both, rows, step), with_unit(rows, other), with_unit(rows, metric))


def selected(
    table: pd.DataFrame,
    metric: str,
    *,
    by: str | None = None,
    only: Iterable[object] = (),
    time: str | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    parameter: str | None = None,
) -> pd.DataFrame:
    """The rows that are meant and have a value."""
    rows = table if parameter is None else table[table["parameter"] == parameter]
    numbers = pd.to_numeric(rows[metric], errors="coerce")  # where several parameters stand, some may be texts
    rows = rows.assign(**{metric: numbers})[numbers.abs() < np.inf]
    if by is not None:
        wanted = set(map(_written, only))
        rows = rows[rows[by].notna()]
        rows = rows[rows[by].isin([one for one in rows[by].unique() if _written(one) in wanted])] if wanted else rows
    if time is not None:
        rows = rows[rows[time].notna()]
        if len(rows):
            at = rows[time] if getattr(rows[time].dtype, "tz", None) else rows[time].dt.tz_localize("UTC")
            is_meant = at >= (at.min() if since is None else moment(since, at.max()))
            if until is not None:
                is_meant &= at < moment(until, at.max(), is_end=True)
            rows = rows[is_meant]
    return rows


def _written(element: object) -> str:
    """An id in the one form, however it is written."""
    return normalise_qid(element) or str(element)


def title_of(table: pd.DataFrame, column: str) -> str:
    """What a column is called: its metric, where it is one."""
    parameter = column
    if column in _OF_THE_METRIC:
        parameter = _only_one(table, "parameter") if "parameter" in table else table.attrs.get("parameter", "")
    return MetricTable().of(str(parameter or column)).title_in(reader())


def unit_of(table: pd.DataFrame, column: str) -> str:
    """Its unit, as far as it is known; of a table whose rows have units of their own, the one that all share."""
    if (unit := table.attrs.get("units", {}).get(column)) is not None:
        return str(unit)
    if column in (*_OF_THE_METRIC, "error") and "unit" in table:
        return _only_one(table, "unit", several=Message("explore-several-units").of(reader()))
    return ""


def _only_one(table: pd.DataFrame, column: str, several: str = "") -> str:
    """What stands in all rows of a column; `several` where there are several things."""
    there = list(table[column].dropna().unique())
    return several if len(there) > 1 else str(there[0]) if there else ""


def with_unit(table: pd.DataFrame, column: str) -> str:
    """`T1 (μs)`."""
    unit = unit_of(table, column)
    name = title_of(table, column)
    return Message("chart-axis", name=name, unit=unit).of(reader()) if unit else name


def _heading(what: Text, rows: pd.DataFrame, step: int = 1) -> Message:
    return Message("explore-title", title=what, count=len(rows), step=step)


def _titled(fig: go.Figure, title: Text, x: Text, y: Text) -> go.Figure:
    return titled(fig, title, x, y, reader())


def _thinned(rows: pd.DataFrame, metric: str, by: str | None = None) -> tuple[pd.DataFrame, int]:
    """The rows that are drawn: of many the highest and the lowest of each so many in a row, of the same element."""
    step = max(1, -(-len(rows) // MOST_POINTS))
    if step == 1:
        return rows, 1
    elements = np.zeros(len(rows), int) if by is None else pd.factorize(rows[by])[0]
    values = pd.Series(rows[metric].to_numpy())
    spans = values.groupby([elements, values.groupby(elements).cumcount() // (2 * step)])
    return rows.iloc[np.union1d(spans.idxmin(), spans.idxmax())], step


def _each(rows: pd.DataFrame, by: str) -> list[tuple[Any, pd.DataFrame]]:
    """The rows of each qubit or coupling, in the order of their ids."""

    def order(group: tuple[Any, pd.DataFrame]) -> tuple[bool, tuple[int, ...], str]:
        qid = normalise_qid(group[0])
        return qid is None, () if qid is None else qid_order(qid), str(group[0])

    return sorted(rows.groupby(by, sort=False), key=order)


def _boxes(parts: Iterable[pd.Series]) -> dict[str, list[float]]:
    boxes: dict[str, list[float]] = {"q1": [], "median": [], "q3": [], "lowerfence": [], "upperfence": []}
    for values in parts:
        low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
        reach = _WHISKER * (high - low)
        within = values[values.between(low - reach, high + reach)]
        ends = (low, middle, high, within.min(), within.max())
        for numbers, end in zip(boxes.values(), ends, strict=True):
            numbers.append(float(end))
    return boxes


def _add_points(fig: go.Figure, x: pd.Series, y: pd.Series, elements: pd.Series | None, marker: dict[str, Any]) -> None:
    names = None if elements is None else elements.map(lambda one: label(str(one)))
    fig.add_scatter(
        x=x,
        y=y,
        text=names,
        mode="markers",
        hovertemplate="%{x}, %{y}<extra></extra>" if names is None else "%{text}: %{x}, %{y}<extra></extra>",
        marker=marker,
        showlegend=False,
    )

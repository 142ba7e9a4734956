"""Figures in one style, legible on light and dark pages: clear paper, grey text, colours of middle brightness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from qdash_jupyter.methods.current import Values, values_of
from qdash_jupyter.methods.levels import MOST_BEFORE
from qdash_jupyter.methods.measurements import Measurements, Moment, Series, label, measurements, moment
from qdash_jupyter.methods.smallest import change_rule

if TYPE_CHECKING:
    import plotly.graph_objects as go

COLOURS = ("#3b8bd4", "#e07b39", "#3aa76d", "#c85fa8", "#8b7fd6", "#b59a2c", "#2ba3a8", "#d9534f")
GREY, FAINT, CLEAR, MARKED, PLAIN = "#7d8590", "rgba(125,133,144,0.25)", "rgba(0,0,0,0)", "#e07b39", "#8795a5"
MOST_LINES = 8
"""More qubits than colours are no longer told apart."""

SMALL_AGAINST_LEVELS = 0.2
"""Changes of less than this part of the distance between the levels would be flat lines."""


def series_chart(
    series: Series,
    qids: Iterable[object] | None = None,
    *,
    since: Moment | None = None,
    until: Moment | None = None,
    deviation: bool | None = None,
    title: str = "",
    parameter: str | None = None,
    unit: str | None = None,
) -> go.Figure:
    """The measurements of some qubits or couplings over time, with their stored errors as bars.

    Args:
        series: `copilot.data["t1"]`, or its table.
        qids: Whose; without them the eight whose measurements differ most from their own median.
        since: A dotted line stands here. The level before it is what deviations are from.
        until: What is newer is not drawn.
        deviation: Whether to draw each one's deviation from its level before `since` (median of the last 10
            measurements before it; without any, of all), frequencies in MHz. Unless said, where that is what can be
            seen: of frequencies in GHz, and where changes are below a fifth of the distance between the levels.
        title: The title; the metric's name unless given.
        parameter: The metric, where the series does not say it.
        unit: The unit to show it in.
    """
    given = measurements(series, qids=qids, parameter=parameter, unit=unit).between(None, until)
    start = None if since is None else moment(since, given.as_of)
    each = {qid: one for qid, one in given.each() if len(one)}
    if qids is None and len(each) > MOST_LINES:
        moved = {qid: _range(one["value"] - one["value"].median()) for qid, one in each.items()}
        most = sorted(moved, key=moved.__getitem__, reverse=True)[:MOST_LINES]
        each = {qid: one for qid, one in each.items() if qid in most}
    levels = {qid: _level(one, start) for qid, one in each.items()}
    rule = change_rule(given.metric)
    if deviation is None:
        ranges = [_range(one["value"]) for one in each.values()]
        apart = np.ptp(list(levels.values())) if levels else 0.0
        deviation = rule.unit == "MHz" or bool(ranges and max(ranges) < SMALL_AGAINST_LEVELS * apart)
    factor, shown = (rule.factor, rule.unit) if deviation and rule.unit != "%" else (1.0, given.unit)
    fig = _figure()
    for place, (qid, one) in enumerate(each.items()):
        level = f" ({levels[qid]:.{given.metric.decimals}f} {given.unit})" if deviation else ""
        fig.add_scatter(
            x=one["t"],
            y=(one["value"] - levels[qid]) * factor if deviation else one["value"],
            error_y=_bars(one["error"] * factor),
            mode="lines+markers",
            name=f"{label(qid)}{level}",
            line={"width": 1, "color": COLOURS[place % len(COLOURS)]},
            marker={"size": 5},
        )
    if start is not None:
        fig.add_vline(x=start, line_dash="dot", line_color=GREY)
    of_what = f"{given.metric.title} less its level{' before' if start is not None else ''}"
    return _titled(
        fig, title or given.metric.title, "time (UTC)", f"{of_what if deviation else given.metric.title} ({shown})"
    )


def _level(one: pd.DataFrame, start: pd.Timestamp | None) -> float:
    before = one["value"] if start is None else one.loc[one["t"] < start, "value"].tail(MOST_BEFORE)
    return float((before if len(before) else one["value"]).median())


def _range(values: pd.Series) -> float:
    """Without the wildest twentieth at either end."""
    low, high = np.quantile(values, [0.05, 0.95])
    return float(high - low)


def _bars(errors: pd.Series, **more: Any) -> dict[str, Any]:
    known = errors.where(np.isfinite(errors) & (errors > 0))
    return {"type": "data", "array": known, "thickness": 1, "width": 0, "visible": bool(known.notna().any()), **more}


def _figure() -> go.Figure:
    import plotly.graph_objects as go

    return go.Figure()


def _titled(fig: go.Figure, title: str, x: str, y: str) -> go.Figure:
    axis = {"gridcolor": FAINT, "zerolinecolor": FAINT, "linecolor": FAINT}
    return fig.update_layout(
        title=title,
        xaxis={"title": x, **axis},
        yaxis={"title": y, **axis},
        height=380,
        font={"color": GREY},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        margin={"t": 48, "r": 16, "b": 48, "l": 64},
    )

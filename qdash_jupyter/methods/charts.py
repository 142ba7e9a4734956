"""Figures in one style, legible on light and dark pages: clear paper, grey text, colours of middle brightness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, Text, number_text, text_in
from qdash_jupyter.methods.current import Values, values_of
from qdash_jupyter.methods.distributions import all_values
from qdash_jupyter.methods.level_change import MOST_BEFORE
from qdash_jupyter.methods.measurements import LEFT_OUT, Moment, Series, label, measurements, metric_of, moment
from qdash_jupyter.methods.relations import paired, relation
from qdash_jupyter.methods.smallest import change_rule

if TYPE_CHECKING:
    import plotly.graph_objects as go

COLOURS = ("#3b8bd4", "#e07b39", "#3aa76d", "#c85fa8", "#8b7fd6", "#b59a2c", "#2ba3a8", "#d9534f")
GREY, BAR, FAINT, CLEAR = "#7d8590", "rgba(125,133,144,0.6)", "rgba(125,133,144,0.25)", "rgba(0,0,0,0)"
MARKED, PLAIN = "#e07b39", "#8795a5"
MOST_LINES = 8
"""More qubits than colours are no longer told apart."""

_TIME = Message("chart-time")
_DAY_MS = 86_400_000
_JAPANESE_DATES = [
    {"dtickrange": [None, _DAY_MS - 1], "value": "%H:%M\n%-m月%-d日"},
    {"dtickrange": [_DAY_MS, "M1"], "value": "%-m月%-d日\n%Y年"},
    {"dtickrange": ["M1", None], "value": "%Y年%-m月"},
]
"""Plotly writes the names of months in English."""
_MEDIAN = Message("chart-median")
_LIMITS = {"bad": Message("chart-bad"), "good": Message("chart-good"), "limit": Message("chart-limit")}
_RELATIONS = {
    "rise together": Message("chart-rise-together"),
    "opposite": Message("chart-opposite"),
    "hint": Message("chart-weak-relation"),
    "none seen": Message("chart-no-relation"),
    "too few": Message("chart-too-few"),
}

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
    language: Language = "en",
) -> go.Figure:
    """The measurements of some qubits or couplings over time, with their stored errors as bars.

    Without `qids` the eight whose measurements differ most from their own median. A dotted line stands at `since`.
    With `deviation` each is drawn as its deviation from its level before that (the median of its last 10 measurements
    before it; without any, of all), frequencies in MHz. Unless said, that is done where nothing else could be seen: of
    frequencies in GHz, and where changes are below a fifth of the distance between the levels.
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
    fig = figure()
    for place, (qid, one) in enumerate(each.items()):
        level = f"{levels[qid]:.{given.metric.decimals}f} {given.unit}"
        line = Message("chart-level", name=label(qid), level=level) if deviation else label(qid)
        fig.add_scatter(
            x=one["t"],
            y=(one["value"] - levels[qid]) * factor if deviation else one["value"],
            error_y=error_bars(one["error"] * factor),
            mode="lines+markers",
            name=text_in(line, language),
            line={"width": 1, "color": COLOURS[place % len(COLOURS)]},
            marker={"size": 5},
        )
    if start is not None:
        fig.add_vline(x=start, line_dash="dot", line_color=GREY)
    name = given.metric.title_in(language)
    heading: Text = title or (Message("chart-deviation-title", metric=name) if deviation else name)
    y = Message("chart-axis", name=Message("chart-deviation") if deviation else name, unit=shown)
    return titled(fig, _of_reliable(heading) if given.left_out else heading, _TIME, y, language)


STAYED = ["stable", "unclear", "wandering"]
"""Verdicts of what is not known to have changed."""


def levels_chart(changed: pd.DataFrame, *, title: str = "", language: Language = "en") -> go.Figure:
    """Every qubit's level before against its level now, with the uncertainty of the change as bars; on the dotted line
    nothing changed. What fell or rose is marked and named. `changed` is what `changes` gives.
    """
    before, now = (next(name for name in changed if name.startswith(start)) for start in ("before [", "now ["))
    told = changed[changed["verdict"].isin([*STAYED, "fell", "rose"])]
    change, error = (next(name for name in changed if name.startswith(start)) for start in ("change [", "± ["))
    fig = figure()
    # The uncertainty on the scale of the levels: as large a part of their difference as it is of the change.
    bars = ((told[now] - told[before]) * told[error] / told[change]).abs()
    for is_changed, of, colour in ((False, STAYED, PLAIN), (True, ["fell", "rose"], MARKED)):
        chosen = told["verdict"].isin(of)
        one = told[chosen]
        if one.empty:
            continue
        labels = one["qid"].map(label)
        name = Message("chart-changed", count=len(one)) if is_changed else Message("chart-stable", count=len(one))
        fig.add_scatter(
            x=one[before],
            y=one[now],
            error_y=error_bars(bars[chosen]),
            text=labels,
            mode="markers+text" if is_changed else "markers",
            textposition="top center",
            hovertemplate="%{text}: %{x} → %{y}<extra></extra>",
            name=name.of(language),
            marker={"size": 7, "color": colour},
        )
    if len(told):
        ends = [float(told[[before, now]].min().min()), float(told[[before, now]].max().max())]
        unchanged = Message("chart-unchanged").of(language)
        fig.add_scatter(x=ends, y=ends, mode="lines", line={"dash": "dot", "color": GREY}, name=unchanged)
    metric = metric_of(str(changed.attrs.get("parameter", "")))
    unit = now.partition("[")[2].rstrip("]")
    x, y = (Message("chart-axis", name=name, unit=unit) for name in (Message("chart-before"), Message("chart-now")))
    window = Message("chart-of-window", metric=metric.title_in(language), window=changed.attrs.get("window", ""))
    return titled(fig, title or window, x, y, language)


def ranking_chart(
    values: Values,
    parameter: str | None = None,
    *,
    marked: pd.DataFrame | Iterable[object] = (),
    limits: float | Mapping[str, float] | None = None,
    title: str = "",
    unit: str | None = None,
    language: Language = "en",
) -> go.Figure:
    """All current values, sorted, with their errors as bars; the marked ones in another colour.

    `marked` are ids, or what `ranked` gives. `limits` are lines in the shown unit: `30`, or by name, `{"bad": 20,
    "good": 50}`; QDash's bad and good unless given.
    """
    table, metric = values_of(values, parameter, unit=unit)
    table = table.sort_values("value", kind="stable")
    ids = set(map(str, marked["qid"] if isinstance(marked, pd.DataFrame) else marked))
    fig = figure()
    fig.add_scatter(
        x=table["qid"].map(label),
        y=table["value"],
        error_y=error_bars(table["error"], color=BAR) if "error" in table else None,
        mode="markers",
        marker={"size": 8, "color": [MARKED if qid in ids else PLAIN for qid in table["qid"]]},
        showlegend=False,
    )
    if limits is None:
        scoring = metric.scoring
        lines = {} if scoring is None else {"bad": scoring.bad, "good": scoring.good}
    else:
        lines = dict(limits) if isinstance(limits, Mapping) else {"limit": limits}
    for name, value in lines.items():
        if value is not None:
            words = Message("chart-limit-line", name=_LIMITS.get(name, name), value=f"{value:g} {metric.unit}")
            # Where the sorted points leave room: on the left they are below most lines, on the right above the others.
            place = "top left" if table["value"].median() < value else "bottom right"
            fig.add_hline(
                value, line_dash="dash", line_color=GREY, annotation_text=words.of(language), annotation_position=place
            )
    name = metric.title_in(language)
    heading = _of_reliable(title or name) if table.attrs.get(LEFT_OUT) else title or name
    y = Message("chart-axis", name=name, unit=metric.unit)
    kind = "coupling" if any(map(is_coupling, table["qid"])) else "qubit"
    fig = titled(fig, heading, Message("chart-element", kind=kind), y, language)
    # As categories: plotly would take ids such as 04-01 for dates.
    return fig.update_xaxes(type="category", showgrid=False)


def band_chart(
    series: Series,
    *,
    every: str = "1D",
    title: str = "",
    parameter: str | None = None,
    unit: str | None = None,
    language: Language = "en",
) -> go.Figure:
    """A whole chip over time: each day's (or `"7D"`'s) median over the chip, and the range of the middle 80 % of its
    measurements.
    """
    given = measurements(series, parameter=parameter, unit=unit)
    spans = given.table.set_index("t")["value"].resample(every)
    low, middle, high = (spans.quantile(part).dropna() for part in (0.1, 0.5, 0.9))
    fig = figure()
    fig.add_scatter(x=high.index, y=high, mode="lines", line_width=0, showlegend=False, hoverinfo="skip")
    fig.add_scatter(
        x=low.index,
        y=low,
        mode="lines",
        line_width=0,
        fill="tonexty",
        fillcolor="rgba(59,139,212,0.25)",
        name=Message("chart-middle").of(language),
    )
    fig.add_scatter(x=middle.index, y=middle, mode="lines", line_color=COLOURS[0], name=_MEDIAN.of(language))
    name = given.metric.title_in(language)
    return titled(fig, title or name, _TIME, Message("chart-axis", name=name, unit=given.unit), language)


def bar_chart(values: pd.Series, *, x: str = "", y: str = "", title: str = "", language: Language = "en") -> go.Figure:
    """Numbers by what they belong to, as bars in their order: those of a MUX, a task, a day.

    What they belong to is the index of `values`; `y` says what they are, with their unit.
    """
    fig = figure()
    fig.add_bar(x=values.index.astype(str), y=values, marker_color=COLOURS[0])
    return titled(fig, title, x, y, language).update_xaxes(type="category")


def histogram(
    values: Series | Values,
    parameter: str | None = None,
    *,
    bins: int | None = None,
    title: str = "",
    unit: str | None = None,
    language: Language = "en",
) -> go.Figure:
    """How values are spread: how many are in each bin, and their median as a dotted line.

    The number of `bins` follows from the quartiles (D. Freedman and P. Diaconis, Z. Wahrsch. 57, 453 (1981)).
    """
    numbers, metric, what = all_values(values, parameter, unit=unit)

    def median(value: float) -> str:
        return Message("chart-median-line", value=f"{value:.{metric.decimals}f} {metric.unit}").of(language)

    fig = distribution(np.asarray(numbers), median, bins=bins)
    name = metric.title_in(language)
    heading = title or Message("chart-histogram", metric=name, count=len(numbers), what=what)
    x = Message("chart-axis", name=name, unit=metric.unit)
    return titled(fig, heading, x, Message("chart-number-of", what=what), language)


def distribution(numbers: np.ndarray[Any, Any], said: Callable[[float], str], *, bins: int | None = None) -> go.Figure:
    """Bars for how many numbers are in each bin, and a line at their median, with what `said` makes of it."""
    fig = figure()
    if len(numbers):
        low, high = (float(np.quantile(numbers, part)) for part in (0.25, 0.75))
        width = 2 * (high - low) / len(numbers) ** (1 / 3)
        count = bins or int(np.clip(np.ceil(np.ptp(numbers) / width) if width > 0 else 1, 1, 60))
        counts, edges = np.histogram(numbers, bins=count)
        fig.add_bar(
            x=(edges[1:] + edges[:-1]) / 2,
            y=counts,
            width=np.diff(edges),
            marker={"color": COLOURS[0], "line": {"width": 0.5, "color": GREY}},
            showlegend=False,
        )
        middle = float(np.median(numbers))
        fig.add_vline(x=middle, line_dash="dot", line_color=GREY, annotation_text=said(middle))
    return fig


def scatter_chart(
    x: Values,
    y: Values | None = None,
    *,
    parameters: tuple[str | None, str | None] = (None, None),
    title: str = "",
    language: Language = "en",
) -> go.Figure:
    """Two metrics of the same qubits against each other, with stored errors as bars and what `relation` says as title;
    arguments as there.
    """
    both, found = paired(x, y, parameters), relation(x, y, parameters=parameters).iloc[0]
    table = both.table
    fig = figure()
    fig.add_scatter(
        x=table["x"],
        y=table["y"],
        error_x=error_bars(table["x error"], color=BAR),
        error_y=error_bars(table["y error"], color=BAR),
        text=table["qid"].map(label),
        mode="markers",
        hovertemplate="%{text}: %{x}, %{y}<extra></extra>",
        marker={"size": 7, "color": COLOURS[0]},
        showlegend=False,
    )
    words = Message(
        "chart-relation",
        few="yes" if found["verdict"] == "too few" else "no",
        spearman=f"{found['spearman']:.2f}",
        low=f"{found['from']:.2f}",
        high=f"{found['to']:.2f}",
        p=number_text(found["p"], 2),
        n=str(found["n"]),
        verdict=_RELATIONS[found["verdict"]],
    )
    x_axis, y_axis = (
        Message("chart-axis", name=one.title_in(language), unit=one.unit) for one in map(metric_of, (both.x, both.y))
    )
    heading = Message("chart-titled-relation", title=title, relation=words) if title else words
    return titled(fig, heading, x_axis, y_axis, language)


def _of_reliable(title: Text) -> Message:
    return Message("chart-reliable-only", title=title)


def _level(one: pd.DataFrame, start: pd.Timestamp | None) -> float:
    before = one["value"] if start is None else one.loc[one["t"] < start, "value"].tail(MOST_BEFORE)
    return float((before if len(before) else one["value"]).median())


def _range(values: pd.Series) -> float:
    """Without the wildest twentieth at either end."""
    low, high = np.quantile(values, [0.05, 0.95])
    return float(high - low)


def error_bars(errors: pd.Series, **more: Any) -> dict[str, Any]:
    """Bars for the errors that are known."""
    known = errors.where(np.isfinite(errors) & (errors > 0))
    return {"type": "data", "array": known, "thickness": 1, "width": 0, "visible": bool(known.notna().any()), **more}


def figure() -> go.Figure:
    """An empty one; Plotly is imported with the first."""
    import plotly.graph_objects as go

    return go.Figure()


def titled(fig: go.Figure, title: Text, x: Text, y: Text, language: Language = "en") -> go.Figure:
    """The figure in the style of all, with these titles."""
    axis = {"gridcolor": FAINT, "zerolinecolor": FAINT, "linecolor": FAINT}
    return fig.update_layout(
        title={"text": text_in(title, language), "font": {"size": 14}},
        xaxis={
            "title": text_in(x, language),
            **axis,
            **({"tickformatstops": _JAPANESE_DATES} if x == _TIME and language == "ja" else {}),
        },
        yaxis={"title": text_in(y, language), **axis},
        height=380,
        font={"color": GREY},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        margin={"t": 48, "r": 16, "b": 48, "l": 64},
    )

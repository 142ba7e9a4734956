"""Code that draws figures."""

from __future__ import annotations

from collections.abc import Sequence

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.code.stems import labels_of, quoted, scale_of, stem_of, window_start
from qdash_jupyter.llm.offline.spans import Window


def series_chart_cell(key: str, metric: Metric, qids: Sequence[str], window: Window | None, title: str) -> str:
    """Code that draws the measurements of some qubits or couplings over time; its last expression is the figure."""
    stem, scale = stem_of(metric), scale_of(metric)
    imports, line = "", ""
    if window is not None:
        imports = "import pandas as pd\n" if "pd." in window_start(window, "") else ""
        line = f"""
    start = {window_start(window, f'copilot.data["{key}"]["as_of"]')}
    fig.add_vline(x=start, line_dash="dot", line_color="gray")"""
    name = 'f"Q{int(qid):02d}"' if metric.kind == "qubit" else "qid"
    listed = ", ".join(f'"{qid}"' for qid in qids)
    return f"""\
# {title}
{imports}import plotly.graph_objects as go


def {stem}_chart(qids):
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"])
    fig = go.Figure()
    for qid in qids:
        one = series[series["qid"] == qid]
        bars = {{"type": "data", "array": one["error"]{scale}, "thickness": 1, "width": 0}}
        fig.add_scatter(x=one["t"], y=one["v"]{scale}, error_y=bars, mode="lines+markers", name={name})
    fig.update_traces(line_width=1, marker_size=5){line}
    fig.update_layout(
        title="{quoted(title)}",
        yaxis_title="{metric.title} ({metric.unit})",
        xaxis_title="time (UTC)",
        height=380,
    )
    return fig


{stem}_figure = {stem}_chart([{listed}])
{stem}_figure
"""


def levels_chart_cell(metric: Metric, title: str, stored: str) -> str:
    """Code that draws every element's level before against its level now, for the case that none changed; `stored` is
    the frame of the comparison.
    """
    stem, before, now = stem_of(metric), f"before [{metric.unit}]", f"now [{metric.unit}]"
    return f"""\
# {title}: every point is a {metric.kind}; on the line nothing changed.
import plotly.graph_objects as go


def {stem}_levels_chart():
    told = {stored}[{stored}["verdict"].isin(["stable", "fell", "rose"])]
    fig = go.Figure()
    labels = {labels_of(metric, 'told["qid"]')}
    fig.add_scatter(x=told["{before}"], y=told["{now}"], text=labels, mode="markers", name="measured")
    ends = [told["{before}"].min(), told["{before}"].max()]
    fig.add_scatter(x=ends, y=ends, mode="lines", line_dash="dot", line_color="gray", name="unchanged")
    fig.update_layout(
        title="{quoted(title)}",
        xaxis_title="before ({metric.unit})",
        yaxis_title="now ({metric.unit})",
        height=380,
    )
    return fig


{stem}_levels_figure = {stem}_levels_chart()
{stem}_levels_figure
"""


def ranking_chart_cell(key: str, metric: Metric, title: str, *, limit: float | None) -> str:
    """Code that draws all values, sorted, the ranked ones marked; its last expression is the figure."""
    stem = stem_of(metric)
    if metric.kind == "coupling":
        source = f'copilot.data["{key}"]["qubits"].rename(columns={{"latest": "value"}})'
    else:
        source = f'copilot.data["{key}"]["values"]\n    values = values[values["parameter"] == "{metric.key}"]'
    lines = ""
    named = {"limit": limit}
    if limit is None and metric.scoring is not None:
        named = {"bad": metric.scoring.bad, "good": metric.scoring.good}
    for name, value in named.items():
        if value is not None:
            words = f"{name}: {value:g} {metric.unit}"
            lines += f'\n    fig.add_hline(y={value:g}, line_dash="dash", line_color="gray", annotation_text="{words}")'
    return f"""\
# {title}, sorted; the ones of the ranking are marked.
import plotly.graph_objects as go


def {stem}_ranking_chart():
    values = {source}
    values = values.dropna(subset=["value"]).sort_values("value")
    marked = values["qid"].isin({stem}_ranked["qid"].tolist())
    colours = ["#d95f02" if mark else "#9aa5b1" for mark in marked]
    fig = go.Figure()
    fig.add_scatter(x={labels_of(metric, 'values["qid"]')}, y=values["value"]{scale_of(metric)}, mode="markers")
    fig.update_traces(marker_color=colours, marker_size=8){lines}
    # As categories: plotly would take ids such as 04-01 for dates.
    fig.update_xaxes(type="category")
    fig.update_layout(title="{quoted(title)}", yaxis_title="{metric.title} ({metric.unit})", height=380)
    return fig


{stem}_ranking_figure = {stem}_ranking_chart()
{stem}_ranking_figure
"""


def band_chart_cell(key: str, metric: Metric, title: str) -> str:
    """Code that draws a whole chip over time: each day's median and the range of the middle 80 %."""
    stem = stem_of(metric)
    return f"""\
# {title}.
# Each day's median over the chip, and the range of the middle 80 % of the {metric.kind}s.
import plotly.graph_objects as go


def {stem}_band_chart():
    series = copilot.data["{key}"]["timeseries"].dropna(subset=["v"])
    daily = (series.set_index("t")["v"]{scale_of(metric)}).resample("1D")
    middle, low, high = daily.median().dropna(), daily.quantile(0.1).dropna(), daily.quantile(0.9).dropna()
    fig = go.Figure()
    fig.add_scatter(x=high.index, y=high, mode="lines", line_width=0, showlegend=False)
    fig.add_scatter(x=low.index, y=low, mode="lines", line_width=0, fill="tonexty", name="middle 80 %")
    fig.add_scatter(x=middle.index, y=middle, mode="lines", name="median")
    fig.update_layout(
        title="{quoted(title)}",
        yaxis_title="{metric.title} ({metric.unit})",
        xaxis_title="time (UTC)",
        height=380,
    )
    return fig


{stem}_band_figure = {stem}_band_chart()
{stem}_band_figure
"""

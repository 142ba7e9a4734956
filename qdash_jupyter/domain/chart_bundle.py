"""A Plotly figure as the output of a cell."""

from __future__ import annotations

from typing import Any, TypeAlias

from qdash_jupyter.domain.figure_table import figure_text

PLOTLY_MIME = "application/vnd.plotly.v1+json"

Bundle: TypeAlias = dict[str, Any]
"""One output of a cell by MIME type: the front-end shows the richest that it can."""

_GREY, _FAINT, _CLEAR = "#7d8590", "rgba(125,133,144,0.25)", "rgba(0,0,0,0)"


def chart_bundle(figure: dict[str, Any], title: str) -> Bundle:
    """The figure for JupyterLab's own Plotly renderer; other front-ends see a small table."""
    figure = figure | {"layout": _on_any_background(figure["layout"])}
    return {PLOTLY_MIME: figure, "text/plain": figure_text(figure, title)}


def _on_any_background(layout: dict[str, Any]) -> dict[str, Any]:
    """The layout without Plotly's white paper, in a grey that reads on light and dark themes alike; what the chart
    itself has chosen stays.
    """
    axes = {name: {} for name in ("xaxis", "yaxis")} | {
        name: axis for name, axis in layout.items() if name.startswith(("xaxis", "yaxis"))
    }
    lines = {"gridcolor": _FAINT, "zerolinecolor": _FAINT, "linecolor": _FAINT}
    neutral: dict[str, Any] = {
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "margin": {"t": 48, "r": 16, "b": 44, "l": 64},
    }
    font = {"color": _GREY} | layout.get("font", {})
    return neutral | layout | {"font": font} | {name: lines | axis for name, axis in axes.items()}

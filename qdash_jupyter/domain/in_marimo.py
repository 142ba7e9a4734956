"""Markdown and charts as the output of a cell of marimo, which has one output and its own way to draw Plotly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def marimo_output(markdown: str, figures: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """The MIME type and the content that marimo's `_mime_` gives: the text, then the charts below each other. `figures`
    are Plotly's JSON.

    marimo asks for it, so it is there; which text it may put into the page, `qdash_jupyter.domain.safe_text` says.
    """
    import marimo
    import plotly.graph_objects as go

    shown = [marimo.md(markdown)] if markdown else []
    charts = [marimo.as_html(go.Figure(figure, skip_invalid=True)) for figure in figures]
    mime, content = marimo.vstack([*shown, *charts])._mime_()
    return mime, content

"""What a cell shows: nbformat outputs in, the text and charts that the copilot goes on with out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.safe_figure import without_remote_figure

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def text_of(outputs: Sequence[JsonObject]) -> str:
    """What the outputs print, standard output and errors in order, without terminal colours."""
    parts = [str(output["text"]) for output in outputs if output["output_type"] == "stream"]
    return _ANSI.sub("", "".join(parts))


def charts_of(outputs: Sequence[JsonObject]) -> tuple[ChartBlock, ...]:
    """The Plotly figures among the outputs."""
    return tuple(
        chart_of(output["data"][PLOTLY_MIME])
        for output in outputs
        if output["output_type"] in {"display_data", "execute_result"} and PLOTLY_MIME in output["data"]
    )


def chart_of(figure: JsonObject) -> ChartBlock:
    """A Plotly figure as a block; non-finite numbers become null, and nothing in it asks other servers.

    The default template is left out, because a chart takes the colours of the user's theme.
    """
    own = {key: value for key, value in (figure.get("layout") or {}).items() if key != "template"}
    safe = without_remote_figure({"data": figure.get("data"), "layout": own})
    layout = safe["layout"]
    title = layout.get("title")
    words = (title.get("text") if isinstance(title, dict) else title) or ""
    return ChartBlock(tuple(_finite(trace) for trace in safe["data"]), _finite(layout), str(words))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return value

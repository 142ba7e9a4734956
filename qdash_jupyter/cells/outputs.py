"""What a cell shows: nbformat outputs in, the text and charts that the copilot goes on with out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME, title_of
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.domain.safe_figure import without_remote_figure

CHART_BYTES = 4_000_000
"""Of all charts of one piece of code, as JSON."""
MOST_CHARTS = 20
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def text_of(outputs: Sequence[JsonObject]) -> str:
    """What the outputs print, standard output and errors in order, without terminal colours."""
    parts = [str(output["text"]) for output in outputs if output["output_type"] == "stream"]
    return without_colours("".join(parts))


def without_colours(text: str) -> str:
    """The text of a terminal without its colours."""
    return _ANSI.sub("", text)


def pictures_of(outputs: Sequence[JsonObject]) -> list[str]:
    """What is on the pictures among the outputs: their texts (`qdash_jupyter.cells.figures.in_words`)."""
    return [str(data.get("text/plain", "a picture")) for data in _displayed(outputs) if "image/png" in data]


def displayed_of(outputs: Sequence[JsonObject], *, with_result: bool) -> str:
    """What was displayed beside charts and pictures, as text; `with_result`: the last expression, too."""
    return "\n".join(
        without_colours(str(data["text/plain"]))
        for data in _displayed(outputs, with_result=with_result)
        if "text/plain" in data and not data.keys() & {"image/png", PLOTLY_MIME}
    )


def charts_of(outputs: Sequence[JsonObject]) -> tuple[ChartBlock, ...]:
    """The Plotly figures among the outputs."""
    return tuple(chart_of(data[PLOTLY_MIME]) for data in _displayed(outputs) if PLOTLY_MIME in data)


def _displayed(outputs: Sequence[JsonObject], *, with_result: bool = True) -> Iterator[JsonObject]:
    kinds = {"display_data", "execute_result"} if with_result else {"display_data"}
    return (output["data"] for output in outputs if output["output_type"] in kinds)


def chart_of(figure: JsonObject) -> ChartBlock:
    """A Plotly figure as a block; non-finite numbers become null, and nothing in it asks other servers.

    The default template is left out, because a chart takes the colours of the user's theme.
    """
    own = {key: value for key, value in (figure.get("layout") or {}).items() if key != "template"}
    drawn = drawn_of({"data": figure.get("data"), "layout": own})
    layout = drawn["layout"]
    return ChartBlock(tuple(drawn["data"]), layout, title_of(layout))


def drawn_of(figure: JsonObject) -> JsonObject:
    """Return the `data` and `layout` of a Plotly figure with null for non-finite numbers, asking no other servers."""
    drawn: JsonObject = plain(without_remote_figure(figure))
    return drawn

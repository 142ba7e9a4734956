"""A Plotly figure as the output of a cell, with a small table for places that draw none: GitHub, a terminal."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

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


_Object: TypeAlias = dict[str, Any]

MOST_ROWS = 12
_LONGEST = 60
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?")


def figure_text(figure: _Object, title: str = "") -> str:
    """`[chart: TITLE]` and a table, at most a few kB: each point where they are few, else where each trace lies."""
    layout = figure.get("layout") or {}
    head, rows = _rows([trace for trace in figure.get("data") or () if isinstance(trace, dict)], layout)
    shown = [head, *rows[:MOST_ROWS]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in shown]
    more = [Message("chart-more-rows", count=len(rows) - MOST_ROWS).of(reader())] if len(rows) > MOST_ROWS else []
    return printable("\n".join([_head(title or _text(title_of(layout))), *lines, *more]))


def _rows(traces: Sequence[_Object], layout: _Object) -> tuple[list[str], list[list[str]]]:
    x_title = title_of(layout.get("xaxis") or {}) or "x"
    y_title = title_of(layout.get("yaxis") or {}) or "y"
    points = [(_text(trace.get("name") or ""), values(trace.get("x")), values(trace.get("y"))) for trace in traces]
    drawn = [(name, x, y) for name, x, y in points if y]
    if drawn and sum(len(y) for _, _, y in drawn) <= MOST_ROWS:
        rows = [
            [name, _text(where), _text(value)]
            for name, x, y in drawn
            for where, value in zip(x or range(len(y)), y, strict=False)
        ]
        return ["", x_title, y_title], rows
    found = [
        [name or str(trace.get("type") or ""), str(len(y or z or x)), _span(x), _span(y), _span(z)]
        for trace, (name, x, y) in zip(traces, points, strict=True)
        if (z := values(trace.get("z"))) or x or y
    ]
    head = ["", "n", x_title, y_title, Message("chart-color").of(reader())]
    used = [place for place in range(5) if place < 2 or any(row[place] for row in found)]  # noqa: PLR2004
    return [head[place] for place in used], [[row[place] for place in used] for row in found]


def values(array: Any) -> list[Any]:
    """The numbers or texts of a figure's array, also of rows of them, and of one in Plotly's binary form."""
    if isinstance(array, dict) and "bdata" in array:
        array = decoded(array)
    if not isinstance(array, (list, tuple)):
        return []
    return [each for row in array for each in (row if isinstance(row, (list, tuple)) else [row])]


def plain_arrays(figure: Any) -> Any:
    """The figure with lists in place of arrays in Plotly's binary form, which older versions of plotly.js cannot read.
    One that cannot be decoded is empty.
    """
    if isinstance(figure, dict):
        return decoded(figure) if "bdata" in figure else {name: plain_arrays(value) for name, value in figure.items()}
    return [plain_arrays(value) for value in figure] if isinstance(figure, (list, tuple)) else figure


def decoded(array: Mapping[str, Any]) -> list[Any]:
    """The numbers of an array in Plotly's binary form, in rows where it has some; none where it is no such array."""
    import numpy as np

    try:
        flat = np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"])
        shape = [int(size) for size in str(array.get("shape", flat.size)).split(",")]
        found: list[Any] = flat.reshape(shape).tolist() if flat.size else []  # of no numbers, any number of rows
    except (KeyError, TypeError, ValueError):  # a model may write anything
        return []
    return found


def _span(array: Iterable[Any]) -> str:
    """`23.6 to 103.6`, of texts the first and the last; without those that are missing."""
    known = [each for each in array if each is not None and not (isinstance(each, float) and math.isnan(each))]
    if not known:
        return ""
    if all(isinstance(each, (int, float)) for each in known):
        first, last = min(known), max(known)
    else:
        first, last = known[0], known[-1]
    if first == last:
        return _text(first)
    return Message("chart-span", first=_text(first), last=_text(last)).of(reader())


def _head(title: str) -> str:
    return Message("chart-as-text", title=title or Message("chart-untitled")).of(reader())


def _text(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)
    text = f"{time[1]} {time[2]}" if (time := _TIME.fullmatch(text)) else text
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def title_of(part: Mapping[str, Any]) -> str:
    """The title of a figure's layout, axis or colour bar: Plotly writes it as a text or as an object."""
    title = part.get("title")
    found = title.get("text") if isinstance(title, dict) else title
    return found if isinstance(found, str) else ""

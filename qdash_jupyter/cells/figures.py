"""matplotlib figures of a cell, where no inline backend shows them: the command line, IPython, a plain Agg."""

from __future__ import annotations

import base64
import io
import sys
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.answer import JsonObject

MOST_WORDS = 600


def in_words(figure: Any) -> str:
    """A figure for whoever cannot see it: of each of its axes the title, what is along them, and what is drawn."""
    told = [f"title {title!r}"] if (title := figure.get_suptitle()) else []
    for axes in figure.axes:
        counts = {
            "lines": len(axes.lines),
            "sets of points or areas": len(axes.collections),
            "bars or shapes": len(axes.patches),
            "images": len(axes.images),
        }
        texts = {"title": axes.get_title(), "x": axes.get_xlabel(), "y": axes.get_ylabel()}
        words = [f"{name} {text!r}" for name, text in texts.items() if text]
        told.append(", ".join([*words, *(f"{count} {name}" for name, count in counts.items() if count)]) or "empty")
    return f"Figure: {'; '.join(told) or 'empty'}"[:MOST_WORDS]


def described_by(shell: InteractiveShell) -> None:
    """From now on, the text of a figure that this shell shows is what is on it."""
    formatter = shell.display_formatter.formatters["text/plain"]
    formatter.for_type_by_name("matplotlib.figure", "Figure", lambda figure, printer, _: printer.text(in_words(figure)))


def open_figures() -> frozenset[int]:
    """Numbers of the figures that pyplot has open now."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return frozenset() if pyplot is None else frozenset(pyplot.get_fignums())


def new_figures(before: frozenset[int], last: object) -> list[JsonObject]:
    """What a cell drew since `before`, as nbformat outputs; the figures are closed, as an inline backend does.

    `last` is the cell's last expression: a figure there is shown too, also one that pyplot does not know.
    """
    pyplot, home = sys.modules.get("matplotlib.pyplot"), sys.modules.get("matplotlib.figure")
    figures: list[Any] = []
    if pyplot is not None:
        for number in sorted(open_figures() - before):
            figures.append(pyplot.figure(number))
            pyplot.close(number)
    if home is not None and type(last) is home.Figure and all(figure is not last for figure in figures):
        figures.append(last)
    return [_output(figure) for figure in figures]


def _output(figure: Any) -> JsonObject:
    image = io.BytesIO()
    try:
        figure.savefig(image, format="png", bbox_inches="tight")
    except Exception as error:  # noqa: BLE001 - whatever a text or a scale of the figure does on drawing
        return {"output_type": "stream", "name": "stderr", "text": f"A figure could not be drawn: {error}\n"}
    png = base64.b64encode(image.getvalue()).decode()
    return {"output_type": "display_data", "data": {"image/png": png, "text/plain": in_words(figure)}, "metadata": {}}

"""How Plotly shows figures while a cell of the copilot runs."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.figure_table import figure_text
from qdash_jupyter.domain.safe_figure import without_remote_figure

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

_FIGURE = "plotly.basedatatypes.BaseFigure"
"""By its name, so that it need not be imported."""
_CALLS_RENDERERS = re.compile(r"\b(io|iplot|offline|pio|renderers)\b")


@contextlib.contextmanager
def plotly_as_json(code: str, shell: InteractiveShell) -> Iterator[None]:
    """Figures as Plotly's JSON only while this code runs; what the user chose for their own cells stays.

    The default of a bare shell opens a browser, that of a kernel adds the whole plotly.js (megabytes) to the cell.
    Plotly is not imported where the code has no figure to show, and its renderers only where they are called: they
    import nbformat, and with that jsonschema, which since its version 4.25 takes up to 2 s.
    """
    if "plotly.io._renderers" in sys.modules or _CALLS_RENDERERS.search(code):
        with _renderer():
            yield
    elif "plotly" in sys.modules or "plotly" in code or ".show" in code:
        with _figures_displayed(shell), _figures_shown():
            yield
    else:
        with _figures_displayed(shell):  # what the code imports may import plotly
            yield


@contextlib.contextmanager
def _renderer() -> Iterator[None]:
    """By Plotly's renderers."""
    import plotly.io as pio

    chosen = pio.renderers.default
    pio.renderers.default = "plotly_mimetype"
    try:
        yield
    finally:
        pio.renderers.default = chosen


@contextlib.contextmanager
def _figures_displayed(shell: InteractiveShell) -> Iterator[None]:
    """By us: those that are displayed, or that a cell ends with."""
    formatter = shell.display_formatter.ipython_display_formatter
    if _FIGURE in formatter:  # the user has a way of their own
        yield
        return
    formatter.for_type(_FIGURE, _display)
    try:
        yield
    finally:
        formatter.pop(_FIGURE, None)


def _display(figure: Any) -> None:
    from IPython.display import display
    from plotly.basedatatypes import BaseFigure
    from plotly.io.base_renderers import PlotlyRenderer

    if type(figure)._ipython_display_ is not BaseFigure._ipython_display_:  # a widget
        figure._ipython_display_()
    else:
        bundle = PlotlyRenderer().to_mimebundle(figure.to_dict())
        drawn = bundle[PLOTLY_MIME] | without_remote_figure(bundle[PLOTLY_MIME])
        display({**bundle, PLOTLY_MIME: drawn, "text/plain": figure_text(drawn)}, raw=True)


@contextlib.contextmanager
def _figures_shown() -> Iterator[None]:
    """By us too, `fig.show()`; where it names a renderer, by Plotly's."""
    from plotly.basedatatypes import BaseFigure

    show = BaseFigure.show

    def show_as_json(figure: Any, *arguments: Any, **options: Any) -> Any:
        if not arguments and not options:
            return _display(figure)
        with _renderer():
            return show(figure, *arguments, **options)

    BaseFigure.show = show_as_json
    try:
        yield
    finally:
        BaseFigure.show = show

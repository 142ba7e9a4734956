"""What is otherwise while a cell of the copilot runs: how Plotly and marimo show things, and warnings."""

from __future__ import annotations

import builtins
import contextlib
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME, figure_text
from qdash_jupyter.domain.safe_figure import without_remote_figure
from qdash_jupyter.messages.message import Message

_FIGURE = "plotly.basedatatypes.BaseFigure"
"""By its name, so that it need not be imported."""
_ABOUT_CODE = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ImportWarning, ResourceWarning)
_CALLS_RENDERERS = re.compile(r"\b(io|iplot|offline|pio|renderers)\b")


@contextlib.contextmanager
def plotly_as_json(code: str, shell: InteractiveShell) -> Iterator[None]:
    """Figures as Plotly's JSON only while this code runs; what the user chose for their own cells stays.

    The default of a bare shell opens a browser, that of a kernel adds the whole plotly.js (megabytes) to the cell.
    Plotly is not imported where the code has no figure to show, and its renderers only where they are called: they
    import nbformat, and with that jsonschema, which since its version 4.25 takes up to 2 s.
    """
    with contextlib.ExitStack() as stack:
        if "plotly.io._renderers" in sys.modules or _CALLS_RENDERERS.search(code):
            stack.enter_context(_renderer())
        else:
            stack.enter_context(_figures_displayed(shell))  # what the code imports may import plotly
            if "plotly" in sys.modules or "plotly" in code or ".show" in code:
                stack.enter_context(_figures_shown())
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

    with held(BaseFigure, "show", show_as_json):
        yield


@contextlib.contextmanager
def nobody_types() -> Iterator[None]:
    """The kernel asks a page for input on behalf of a page's request alone."""

    def refuse(*_: object) -> str:
        raise RuntimeError(str(Message("cell-cannot-ask")))

    with held(builtins, "input", refuse):
        yield


@contextlib.contextmanager
def quiet_libraries() -> Iterator[None]:
    """Warnings of libraries about code are no result: nobody sees them. Those about data stay. What the cell sets for
    warnings itself ends with it, too.
    """
    pandas = sys.modules.get("pandas.errors")
    with warnings.catch_warnings():
        for category in (*_ABOUT_CODE, *((pandas.PerformanceWarning,) if pandas is not None else ())):
            warnings.simplefilter("ignore", category)
        yield


@contextlib.contextmanager
def without_marimos_outputs(code: str) -> Iterator[None]:
    """IPython's `display`, Plotly's `fig.show()` and matplotlib's `plt.show()` as they are elsewhere, while this code
    runs.
    """
    if "marimo" not in sys.modules:
        yield
        return
    with contextlib.ExitStack() as stack:
        for name in ("IPython.display", "IPython.core.display_functions"):
            module: Any = sys.modules.get(name)
            if module is not None and (own := getattr(module.display, "__wrapped__", None)) is not None:
                stack.enter_context(held(module, "display", own))
        if "plotly" in code or "plotly" in sys.modules:
            import plotly.graph_objects as go

            if (marimos := vars(go.Figure).get("show")) is not None:
                del go.Figure.show  # that of its base shows through
                stack.callback(setattr, go.Figure, "show", marimos)
        if "matplotlib" in code or "matplotlib.pyplot" in sys.modules:
            import matplotlib.pyplot as plt

            # What is still open at the end of the code is shown then (`qdash_jupyter.cells.figures`).
            stack.enter_context(held(plt, "show", lambda *_, **__: None))
        yield


@contextlib.contextmanager
def held(owner: Any, name: str, value: object) -> Iterator[None]:
    """Another value for this object only. What its class has of that name shows through again."""
    had, before = name in vars(owner), vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if had:
            setattr(owner, name, before)
        else:
            delattr(owner, name)

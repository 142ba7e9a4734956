"""How Plotly shows figures while a cell of the copilot runs."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from threading import Event

_warming = Event()


def warm_up() -> None:
    """Import what cells need, on a thread beside the kernel's: it takes a second and more the first time."""
    _warming.set()
    try:
        import plotly.io

        plotly.io.renderers  # noqa: B018 - the module makes its renderers when they are first asked for
    finally:
        _warming.clear()


@contextlib.contextmanager
def plotly_as_json(code: str) -> Iterator[None]:
    """Figures as Plotly's JSON only while this code runs; what the person chose for their own cells stays.

    The default of a bare shell opens a browser, that of a kernel adds the whole plotly.js (megabytes) to the cell.
    Plotly is not imported, nor its import waited for, where the code has no figure to show.
    """
    if "plotly" not in code and (_warming.is_set() or "plotly" not in sys.modules):
        yield
        return
    import plotly.io as pio

    chosen = pio.renderers.default
    pio.renderers.default = "plotly_mimetype"
    try:
        yield
    finally:
        pio.renderers.default = chosen

"""How Plotly shows figures while a cell of the copilot runs."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def plotly_as_json(code: str) -> Iterator[None]:
    """Figures as Plotly's JSON only while this code runs; what the person chose for their own cells stays.

    The default of a bare shell opens a browser, that of a kernel adds the whole plotly.js (megabytes) to the cell.
    Plotly is not imported where the code has no figure to show.
    """
    if "plotly" not in code and "plotly" not in sys.modules:
        yield
        return
    import plotly.io as pio

    chosen = pio.renderers.default
    pio.renderers.default = "plotly_mimetype"
    try:
        yield
    finally:
        pio.renderers.default = chosen

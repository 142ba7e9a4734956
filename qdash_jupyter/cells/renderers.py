"""How Plotly shows figures while a cell of the copilot runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


def warm_up() -> None:
    """Import what a cell needs, on a thread beside the kernel's: it takes half a second and more the first time."""
    import plotly.io

    plotly.io.renderers  # noqa: B018 - the module gets its renderers when they are first asked for


@contextlib.contextmanager
def plotly_as_json() -> Iterator[None]:
    """Figures as Plotly's JSON only; what the person chose for their own cells stays.

    The default of a bare shell opens a browser, that of a kernel adds the whole plotly.js (megabytes) to the cell.
    """
    import plotly.io as pio

    chosen = pio.renderers.default
    pio.renderers.default = "plotly_mimetype"
    try:
        yield
    finally:
        pio.renderers.default = chosen

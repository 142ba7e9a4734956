"""In marimo, which shows what is displayed by ways of its own: the copilot's code shows it to the copilot."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from functools import wraps
from typing import Any


@contextlib.contextmanager
def without_marimos_outputs(code: str) -> Iterator[None]:
    """IPython's `display`, Plotly's `fig.show()` and matplotlib's `plt.show()` as they are elsewhere, while this code
    runs.
    """
    if "marimo" not in sys.modules:
        yield
        return
    with contextlib.ExitStack() as stack:
        for module in _modules("IPython.display", "IPython.core.display_functions"):
            if (own := getattr(module.display, "__wrapped__", None)) is not None:
                stack.enter_context(_held(module, "display", own))
        if "plotly" in code or "plotly" in sys.modules:
            import plotly.graph_objects as go

            if (marimos := vars(go.Figure).get("show")) is not None:
                del go.Figure.show  # that of its base shows through
                stack.callback(setattr, go.Figure, "show", marimos)
        if "matplotlib" in code or "matplotlib.pyplot" in sys.modules:
            import matplotlib.pyplot as plt

            stack.enter_context(_held(plt, "show", _left_open(plt.show)))
        yield


def _left_open(show: Any) -> Any:
    """What is still open at the end of the code is shown then (`qdash_jupyter.cells.figures`)."""

    @wraps(show)
    def nothing(*_: object, **__: object) -> None:
        pass

    return nothing


def _modules(*names: str) -> list[Any]:
    return [sys.modules[name] for name in names if name in sys.modules]


@contextlib.contextmanager
def _held(owner: Any, name: str, value: object) -> Iterator[None]:
    before = vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)

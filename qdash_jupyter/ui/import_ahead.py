"""What the first question needs is imported while the user types it."""

from __future__ import annotations

from importlib import import_module

from qdash_jupyter.domain.imports import ONE_AT_A_TIME

_NEEDED = (
    "qdash_jupyter.agent.loop",
    "qdash_jupyter.cells.lab",
    "qdash_jupyter.cells.renaming",
    "qdash_jupyter.cells.inline",
    "qdash_jupyter.cells.shown",
    "qdash_jupyter.kernel.session_cells",
    "qdash_jupyter.kernel.turn_cells",
    "qdash_jupyter.domain.heading",
    "qdash_jupyter.methods.charts",
    "qdash_jupyter.methods.levels",
    "qdash_jupyter.session.journal",
    "qdash_jupyter.session.named",
    "qdash_jupyter.session.turn",
    "qdash_jupyter.tools.builtin",
    "qdash_jupyter.worker.names_in",
    "qdash_jupyter.worker.names_out",
)


def import_ahead() -> None:
    """Import the rest of the package's way of a question, pandas and Plotly, and start the process in which code of the
    copilot runs. Takes a second; on a thread of its own.
    """
    from qdash_jupyter.kernel.worker import warm_up

    warm_up()
    with ONE_AT_A_TIME:
        for name in _NEEDED:
            import_module(name)
        import pandas as pd
        import plotly.graph_objects as go

        # The first figure imports as much again.
        one = pd.Series([0.0])
        go.Figure(go.Scatter(x=one, y=one), {"title": {"text": ""}, "xaxis": {}, "yaxis": {}}).to_json()


def wide_tables() -> None:
    """Import pandas, and have it show tables as where the user has imported it: from a thread it takes a kernel for a
    terminal, and cuts the text of tables to 80 characters.
    """
    with ONE_AT_A_TIME:
        import pandas as pd

    if pd.get_option("display.max_columns") == 0:
        pd.set_option("display.max_columns", 20)

"""Code of the copilot between two cells of marimo, and what it shows there."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType
from typing import Any

import IPython.display
import matplotlib.pyplot as plt
import plotly.graph_objects as go
import pytest
from IPython.core import display_functions
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.lab import LabCells
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest
from tests.patience import until


def test_nothing_that_a_job_raises_ends_the_loop(shell: InteractiveShell, caplog: pytest.LogCaptureFixture) -> None:
    ran: list[str] = []

    def fails(error: BaseException) -> Any:
        def job() -> None:
            ran.append(type(error).__name__)
            raise error

        return job

    async def session() -> LabCells:
        cells = LabCells(shell, Namespace(shell.user_ns), loop=asyncio.get_running_loop())
        assert cells.run_when_idle(fails(KeyboardInterrupt()))
        assert cells.run_when_idle(fails(ValueError("no")))
        assert ran == []
        await asyncio.to_thread(until, lambda: len(ran) == 2)
        return cells

    ended = asyncio.run(session())
    assert ran == ["KeyboardInterrupt", "ValueError"]
    assert "A job between two cells failed" in caplog.text
    assert not ended.run_when_idle(fails(ValueError()))
    ended.close()


CODE = {
    "display": "from IPython.display import display\ndisplay('shown')",
    "plotly": "import plotly.graph_objects as go\ngo.Figure(go.Bar(y=[1])).show()",
    "a figure": "import plotly.graph_objects as go\ngo.Figure(go.Bar(y=[1]))",
    "matplotlib": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_what_code_shows_is_the_copilots_also_where_marimo_shows_it_otherwise(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """marimo replaces these functions, as here."""
    taken: list[str] = []

    def marimos(own: Any) -> Any:
        def show(*_: Any, **__: Any) -> None:
            taken.append(own.__name__)

        show.__wrapped__ = own  # pyrefly: ignore[missing-attribute]
        return show

    monkeypatch.setitem(sys.modules, "marimo", ModuleType("marimo"))
    for owner, name in ((IPython.display, "display"), (display_functions, "display"), (plt, "show")):
        monkeypatch.setattr(owner, name, marimos(getattr(owner, name)))
    monkeypatch.setattr(go.Figure, "show", marimos(go.Figure.show), raising=False)
    replaced = (IPython.display.display, go.Figure.show, plt.show)
    monkeypatch.setattr(plt, "get_backend", lambda: "agg")
    shell = InteractiveShell()

    run = InlineCellHost(shell, Namespace(shell.user_ns)).run_here(CellRequest("r", "c", code))

    assert (taken, run.status.value) == ([], "ok")
    assert len(run.outputs) == 1
    assert (IPython.display.display, go.Figure.show, plt.show) == replaced

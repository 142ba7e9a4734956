"""Plotly's figures in the copilot's cells, where nobody has asked for Plotly's renderers yet: they take seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SCENE = """
import json, sys
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest
from tests.session.conversation import open_shell

with open_shell() as shell:
    host = InlineCellHost(shell, Namespace(shell.user_ns))

    def shown(code):
        run = host.run_here(CellRequest("r", "c", code, grants=None))
        assert run.status == "ok", run.traceback
        return [output.get("data", output.get("text")) for output in run.outputs]

    shown("import plotly.graph_objects as go\\nfig = go.Figure(go.Scatter(y=[1, float('nan')]))\\n")
{lines}
"""
PLOTLY = "application/vnd.plotly.v1+json"
ROOT = Path(__file__).parents[2]
WIDGET = "application/vnd.jupyter.widget-view+json"


def said(*lines: str) -> Any:
    """What the last line prints as JSON; the lines run in a process of their own."""
    code = SCENE.format(lines="\n".join(f"    {line}" for line in lines))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_they_come_without_the_renderers_as_the_renderers_would_show_them() -> None:
    ours, slow, theirs = said(
        "ours = shown('fig') + shown('display(fig)\\n1\\n')",
        "slow = [name for name in ('plotly.io._renderers', 'jsonschema', 'nbformat') if name in sys.modules]",
        "theirs = shown('import plotly.io as pio\\nfig') + shown('display(fig)\\n1\\n')",
        "print(json.dumps([ours, slow, theirs]))",
    )
    assert [list(bundle) for bundle in ours] == [[PLOTLY, "text/plain"], [PLOTLY, "text/plain"], ["text/plain"]]
    assert ours[0][PLOTLY]["data"] == [{"type": "scatter", "y": [1, None]}]
    assert slow == []
    for bundle in ours[:2]:
        assert bundle.pop("text/plain").startswith("[chart: untitled]")
    assert ours == theirs


def test_a_function_of_the_person_may_show_one() -> None:
    bundles, chosen, again = said(
        "import plotly.basedatatypes as types",
        "show = types.BaseFigure.show",
        "shell.run_cell('def look():\\n    fig.show()')",
        "bundles = shown('look()')",
        "import plotly.io as pio",
        "print(json.dumps([bundles, pio.renderers.default, show is types.BaseFigure.show]))",
    )
    assert [list(bundle) for bundle in bundles] == [[PLOTLY, "text/plain"]]
    assert chosen != "plotly_mimetype"
    assert again


def test_a_widget_stays_one() -> None:
    ours, theirs = said(
        "ours = shown('display(go.FigureWidget(fig))')",
        "theirs = shown('import plotly.io as pio\\ndisplay(go.FigureWidget(fig))')",
        "print(json.dumps([ours, theirs]))",
    )
    assert [list(bundle) for bundle in ours] == [list(bundle) for bundle in theirs]
    assert WIDGET in ours[0]


def test_how_the_person_displays_figures_stays() -> None:
    first, after = said(
        "from plotly.basedatatypes import BaseFigure",
        "formatter = shell.display_formatter.ipython_display_formatter",
        "formatter.for_type(BaseFigure, lambda fig: print('theirs'))",
        "first = shown('fig')",
        "print(json.dumps([first, BaseFigure in formatter]))",
    )
    assert first == ["theirs\n"]
    assert after


def test_what_the_code_raises_is_not_lost() -> None:
    kinds = said(
        "run = host.run_here(CellRequest('r', 'c', 'fig\\n{}[1]'))",
        "formatter = shell.display_formatter.ipython_display_formatter",
        "from plotly.basedatatypes import BaseFigure",
        "print(json.dumps([run.status.value, run.traceback.splitlines()[-1], BaseFigure in formatter]))",
    )
    assert kinds == ["error", "KeyError: 1", False]


def test_what_would_be_fetched_from_elsewhere_is_left_out() -> None:
    (bundle,) = said(
        "image = \"layout={'images': [{'source': 'https://evil.example/a.png'}]}\"",
        "print(json.dumps(shown(f'go.Figure(go.Scatter(y=[1]), {image})')))",
    )
    assert bundle[PLOTLY]["data"] == [{"type": "scatter", "y": [1]}]
    assert "evil" not in json.dumps(bundle)


def test_a_figure_of_what_the_code_imports_comes_as_json_too() -> None:
    """The code does not name Plotly, and nothing has loaded it before: a page of plotly.js would be 4.8 MB."""
    code = (
        "import json, sys\n"
        "from qdash_jupyter.cells.inline import InlineCellHost\n"
        "from qdash_jupyter.cells.namespace import Namespace\n"
        "from qdash_jupyter.domain.cell_run import CellRequest\n"
        "from tests.session.conversation import open_shell\n"
        "with open_shell() as shell:\n"
        "    host = InlineCellHost(shell, Namespace(shell.user_ns))\n"
        "    assert 'plotly' not in sys.modules\n"
        '    drawn = \'import importlib\\nimportlib.import_module("plot" + "ly.graph_objects").Figure()\\n\'\n'
        "    run = host.run_here(CellRequest('r', 'c', drawn, grants=None))\n"
        "    print(json.dumps([output['data'] for output in run.outputs]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    [bundle] = json.loads(ran.stdout.splitlines()[-1])
    assert set(bundle) == {PLOTLY, "text/plain"}

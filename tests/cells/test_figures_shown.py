"""Plotly's figures in the copilot's cells, where nobody has asked for Plotly's renderers yet: they take seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

STAGE = """
import json, os, sys, traceback
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest
from tests.session.conversation import open_shell

with open_shell() as shell:
    host = InlineCellHost(shell, Namespace(shell.user_ns))

    def shown(code):
        run = host.run_here(CellRequest("r", "c", code))
        assert run.status == "ok", run.traceback
        return [output.get("data", output.get("text")) for output in run.outputs]

    told = {}

    def play(scenes):
        for name, scene in scenes.items():
            reads, writes = os.pipe()
            if os.fork() == 0:
                os.dup2(writes, 1)
                try:
                    exec(scene, globals())
                except BaseException:
                    traceback.print_exc()
                sys.stdout.flush()
                os._exit(0)
            os.close(writes)
            with open(reads) as output:
                told[name] = output.read()
            os.wait()

    without_plotly, with_figure = json.load(sys.stdin)
    play(without_plotly)
    shown("import plotly.graph_objects as go\\nfig = go.Figure(go.Scatter(y=[1, float('nan')]))\\n")
    play(with_figure)
print(json.dumps(told))
"""
"""Each scene is played in a fork of one process with a shell and a figure; its last line prints what came of it."""
IMPORTED = "a_figure_of_what_the_code_imports_comes_as_json_too"
PLOTLY = "application/vnd.plotly.v1+json"
ROOT = Path(__file__).parents[2]
SCENES = {
    IMPORTED: (
        "assert 'plotly' not in sys.modules",
        'drawn = \'import importlib\\nm = importlib.import_module("plot" + "ly.graph_objects")\\n\'',
        "drawn += 'm.Figure(dict(data=[dict(y=[1])]))'",
        "print(json.dumps(shown(drawn)))",
    ),
    "they_come_without_the_renderers_as_the_renderers_would_show_them": (
        "ours = shown('fig') + shown('display(fig)\\n1\\n')",
        "slow = [name for name in ('plotly.io._renderers', 'jsonschema', 'nbformat') if name in sys.modules]",
        "theirs = shown('import plotly.io as pio\\nfig') + shown('display(fig)\\n1\\n')",
        "print(json.dumps([ours, slow, theirs]))",
    ),
    "a_function_of_the_person_may_show_one": (
        "import plotly.basedatatypes as types",
        "show = types.BaseFigure.show",
        "shell.run_cell('def look():\\n    fig.show()')",
        "bundles = shown('look()')",
        "import plotly.io as pio",
        "print(json.dumps([bundles, pio.renderers.default, show is types.BaseFigure.show]))",
    ),
    "a_widget_is_shown_as_text": (
        "ours = shown('display(go.FigureWidget(fig))')",
        "theirs = shown('import plotly.io as pio\\ndisplay(go.FigureWidget(fig))')",
        "print(json.dumps([ours, theirs]))",
    ),
    "how_the_person_displays_figures_stays": (
        "from plotly.basedatatypes import BaseFigure",
        "formatter = shell.display_formatter.ipython_display_formatter",
        "formatter.for_type(BaseFigure, lambda fig: print('theirs'))",
        "first = shown('fig')",
        "print(json.dumps([first, BaseFigure in formatter]))",
    ),
    "what_the_code_raises_is_not_lost": (
        "run = host.run_here(CellRequest('r', 'c', 'fig\\n{}[1]'))",
        "formatter = shell.display_formatter.ipython_display_formatter",
        "from plotly.basedatatypes import BaseFigure",
        "print(json.dumps([run.status.value, run.traceback.splitlines()[-1], BaseFigure in formatter]))",
    ),
    "what_would_be_fetched_from_elsewhere_is_left_out": (
        "image = \"layout={'images': [{'source': 'https://evil.example/a.png'}]}\"",
        "print(json.dumps(shown(f'go.Figure(go.Scatter(y=[1]), {image})')))",
    ),
}


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    """What each scene prints last, read as JSON."""
    codes = {name: "\n".join(lines) for name, lines in SCENES.items()}
    scenes = json.dumps([{IMPORTED: codes.pop(IMPORTED)}, codes])
    command = [sys.executable, "-c", STAGE]
    ran = subprocess.run(command, input=scenes, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert all(told.values()), ran.stderr
    return {name: json.loads(text.splitlines()[-1]) for name, text in told.items()}


def test_they_come_without_the_renderers_as_the_renderers_would_show_them(said: dict[str, Any]) -> None:
    ours, slow, theirs = said["they_come_without_the_renderers_as_the_renderers_would_show_them"]
    assert [list(bundle) for bundle in ours] == [[PLOTLY, "text/plain"], [PLOTLY, "text/plain"], ["text/plain"]]
    assert ours[0][PLOTLY]["data"] == [{"type": "scatter", "y": [1, None]}]
    assert slow == []
    for bundle in ours[:2]:
        assert bundle.pop("text/plain").startswith("[chart: untitled]")
    assert ours == theirs


def test_a_function_of_the_person_may_show_one(said: dict[str, Any]) -> None:
    bundles, chosen, again = said["a_function_of_the_person_may_show_one"]
    assert [list(bundle) for bundle in bundles] == [[PLOTLY, "text/plain"]]
    assert chosen != "plotly_mimetype"
    assert again


def test_a_widget_is_shown_as_text(said: dict[str, Any]) -> None:
    """It may hold any HTML."""
    ours, theirs = said["a_widget_is_shown_as_text"]
    assert [list(bundle) for bundle in ours] == [list(bundle) for bundle in theirs] == [["text/plain"]]


def test_how_the_person_displays_figures_stays(said: dict[str, Any]) -> None:
    first, after = said["how_the_person_displays_figures_stays"]
    assert first == ["theirs\n"]
    assert after


def test_what_the_code_raises_is_not_lost(said: dict[str, Any]) -> None:
    kinds = said["what_the_code_raises_is_not_lost"]
    assert kinds == ["error", "KeyError: 1", False]


def test_what_would_be_fetched_from_elsewhere_is_left_out(said: dict[str, Any]) -> None:
    (bundle,) = said["what_would_be_fetched_from_elsewhere_is_left_out"]
    assert bundle[PLOTLY]["data"] == [{"type": "scatter", "y": [1]}]
    assert "evil" not in json.dumps(bundle)


def test_a_figure_of_what_the_code_imports_comes_as_json_too(said: dict[str, Any]) -> None:
    """The code does not name Plotly, and nothing has loaded it before: a page of plotly.js would be 4.8 MB."""
    [bundle] = said[IMPORTED]
    assert set(bundle) == {PLOTLY, "text/plain"}

"""Charts that survive where no JavaScript runs."""

from __future__ import annotations

import base64
import json
from typing import Any

import nbformat
import numpy as np
import plotly.express as px
import plotly.graph_objects as go
import pytest

from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME, chart_bundle
from qdash_jupyter.ui import chart_picture
from qdash_jupyter.ui.chart_picture import MOST_BYTES, picture_of
from qdash_jupyter.ui.export import _analysis_cell

PNG = b"\x89PNG\r\n\x1a\n"
DAYS = [f"2026-06-{day:02d}T04:00:00Z" for day in range(1, 31)]
FIGURES: dict[str, go.Figure] = {
    "series": go.Figure([go.Scatter(x=DAYS, y=list(range(30)), name=name, mode="lines+markers") for name in "ab"]),
    "errors": go.Figure(go.Scatter(y=[1, None, 3], error_y={"array": [0.1, None, 0.2]}, mode="markers")),
    "bars": px.bar(x=["Q01", "Q02"], y=[1.0, 2.0], title="T1 <b>of</b> two ($)"),
    "across": go.Figure(go.Bar(x=[1, 2], y=["Q01", "Q02"], orientation="h")),
    "histogram": px.histogram(x=np.linspace(0, 1, 500)),
    "box": px.box(x=["0", "0", "1", "1"], y=[1.0, 2.0, 3.0, None]),
    "map": go.Figure(go.Heatmap(z=[[1, None], [3, 4]], text=[["Q00", "Q01"], ["Q02", "Q03"]])),
    "two": go.Figure(
        [
            go.Scatter(y=[1, 2]),
            go.Scatter(y=[30, 10], yaxis="y2"),
            go.Scatter(x=[1, 2], y=[1, 5], xaxis="x3", yaxis="y3"),
        ],
        {
            "yaxis2": {"overlaying": "y", "side": "right"},
            "xaxis3": {"domain": [0.6, 1]},
            "yaxis3": {"domain": [0, 0.4]},
        },
    ),
    "words": px.line(x=[1, 2], y=[3, 4], title="緩和時間 T1（μs）"),
    "long": go.Figure(go.Scattergl(y=np.random.default_rng(0).normal(size=200_000))),
}


def plain(figure: go.Figure) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(figure.to_json())
    return found


@pytest.mark.parametrize("name", FIGURES)
def test_each_kind_of_chart_has_a_picture_of_bounded_size(name: str) -> None:
    picture = picture_of(plain(FIGURES[name]))
    assert picture is not None
    assert picture.startswith(PNG)
    assert 1_500 < len(picture) <= MOST_BYTES
    assert picture == picture_of(plain(FIGURES[name])), "the same bytes, or each export would differ"


@pytest.mark.parametrize(
    "figure",
    [{}, {"data": []}, {"data": [{"type": "surface", "z": [[1]]}]}, {"data": [{"type": "heatmap", "z": "no"}]}],
)
def test_what_cannot_be_drawn_has_none(figure: dict[str, Any]) -> None:
    assert picture_of(figure) is None


def test_without_matplotlib_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart_picture, "find_spec", lambda _: None)
    assert picture_of(plain(FIGURES["series"])) is None


def test_a_saved_chart_is_seen_in_html() -> None:
    """`nbconvert --to html` had only JSON and a text of it, and so had GitHub."""
    exporters = pytest.importorskip("nbconvert.exporters")
    bundle = chart_bundle(plain(FIGURES["series"]), "T1")
    output = {"output_type": "display_data", "data": bundle, "metadata": {}}
    cell = _analysis_cell(CellRun(CellRequest("r", "c", "fig"), CellStatus.OK, outputs=(output,)))
    assert cell.outputs[0]["data"][PLOTLY_MIME]
    assert base64.b64decode(cell.outputs[0]["data"]["image/png"]).startswith(PNG)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    html, _ = exporters.HTMLExporter(template_name="basic").from_notebook_node(notebook)
    assert "data:image/png;base64," in html

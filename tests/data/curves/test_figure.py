"""Figures as plotly writes them, and what is no figure."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from qdash_jupyter.data.calib_data import LeftOut
from qdash_jupyter.data.curves.figure import Axis, FigureRead, figure_of
from tests.data.curves.qdash_files import decay_figure

X = np.logspace(-1, np.log10(500), 51)
Y = 0.9 * np.exp(-X / 60) + 0.05


def read(figure: go.Figure) -> FigureRead:
    return figure_of(figure.to_json().encode())


def given(*traces: Any, **layout: Any) -> FigureRead:
    return figure_of(json.dumps({"data": traces, "layout": layout}).encode())


def test_a_decay_with_its_fit_on_a_logarithmic_axis() -> None:
    figure = decay_figure(X, Y, np.linspace(1, 0, 1000))
    assert "bdata" in figure.to_json(), "plotly wrote typed arrays, as QDash's does"
    found = read(figure)
    fit, data = found.traces
    assert (fit.name, fit.role, data.name, data.role) == ("Fit", "fit", "Data", "data")
    assert len(fit.x) == 1000
    np.testing.assert_array_equal(data.x, X)
    np.testing.assert_array_equal(data.y, Y)
    assert np.isnan(data.error).all()
    assert data.x_axis == Axis("Time", "μs")
    assert data.y_axis == Axis("Signal", "a.u.")


def test_lists_are_read_as_typed_arrays_are() -> None:
    as_lists = given({"x": [1, 2, 3], "y": [0.5, None, "0.25"], "mode": "markers"})
    (trace,) = as_lists.traces
    np.testing.assert_array_equal(trace.x, [1, 2, 3])
    np.testing.assert_array_equal(trace.y, [0.5, np.nan, 0.25])


@pytest.mark.parametrize(
    "numbers", [np.arange(-3, 4, dtype=kind) for kind in ("i1", "i2", "i4", "f4", "f8")] + [np.arange(7, dtype="u2")]
)
def test_typed_arrays_of_each_type(numbers: Any) -> None:
    (trace,) = read(go.Figure(go.Scatter(x=numbers, y=numbers, mode="markers"))).traces
    np.testing.assert_array_equal(trace.x, numbers.astype(float))


@pytest.mark.parametrize(
    ("bars", "error"),
    [
        ({"array": [0.1, 0.2]}, [0.1, 0.2]),
        ({"array": [0.1, 0.2], "arrayminus": [0.3, 0.4]}, [0.2, 0.3]),
        ({"type": "constant", "value": 0.3}, [0.3, 0.3]),
        ({"type": "percent", "value": 10}, [0.4, 0.9]),
        ({"type": "sqrt"}, [2, 3]),
        ({"array": [0.1, 0.2], "visible": False}, [np.nan, np.nan]),
        ({"array": [0.1]}, [np.nan, np.nan]),
    ],
)
def test_error_bars(bars: dict[str, Any], error: list[float]) -> None:
    (trace,) = given({"x": [1, 2], "y": [4, 9], "error_y": bars}).traces
    np.testing.assert_allclose(trace.error, error)


def test_each_trace_has_the_units_of_its_own_axes() -> None:
    figure = make_subplots(rows=2, cols=1)
    figure.add_trace(go.Scatter(x=[1.0, 2.0], y=[3.0, 4.0], mode="markers", name="amplitude"), row=1, col=1)
    figure.add_trace(go.Scatter(x=[1.0, 2.0], y=[3.0, 4.0], mode="lines", name="phase"), row=2, col=1)
    figure.update_xaxes(title_text="Frequency [GHz]")
    figure.update_yaxes(title_text="Amplitude (arb. unit)", row=1, col=1)
    figure.update_yaxes(title_text="Phase (rad)", row=2, col=1)
    amplitude, phase = read(figure).traces
    assert (amplitude.x_axis.unit, amplitude.y_axis.unit) == ("GHz", "a.u.")
    assert (phase.x_axis.unit, phase.y_axis.unit) == ("GHz", "rad")
    assert phase.role == "data", "a line of its own is no fit"


@pytest.mark.parametrize(
    ("trace", "role"),
    [
        ({"mode": "lines"}, "fit"),
        ({"mode": "lines+markers"}, "data"),
        ({"mode": "lines", "name": "Fitted curve", "xaxis": "x2"}, "fit"),
        ({"mode": "lines", "name": "I", "xaxis": "x2"}, "data"),
        ({"type": "bar"}, "data"),
    ],
)
def test_a_fit_is_a_line_beside_points(trace: dict[str, Any], role: str) -> None:
    points = {"x": list(range(30)), "y": list(range(30)), "mode": "markers", "name": "Data"}
    line, data = given({"x": list(range(30)), "y": list(range(30)), "name": "1"} | trace, points).traces
    assert (line.role, data.role) == (role, "data")


def test_shots_of_a_readout_are_samples() -> None:
    figure = go.Figure()
    for state, centre in (("|0⟩", -1.0), ("|1⟩", 1.0)):
        figure.add_histogram(x=np.full(100, centre), name=state, nbinsx=60)
    zero, one = read(figure).traces
    assert (zero.name, one.name, zero.role) == ("|0⟩", "|1⟩", "data")
    assert (zero.x == -1).all()
    assert np.isnan(one.y).all()


def test_a_map_has_a_value_for_each_place() -> None:
    z = np.arange(12.0).reshape(3, 4)
    bar = {"title": {"text": "Signal (arb. units)"}}
    figure = go.Figure(go.Heatmap(x=[1.0, 2.0, 3.0, 4.0], y=[0.1, 0.2, 0.3], z=z, colorbar=bar))
    figure.update_layout(xaxis_title="Time (ns)", yaxis_title="Frequency (GHz)")
    (found,) = read(figure).maps
    np.testing.assert_array_equal(found.z, z)
    assert (found.x_axis.unit, found.y_axis.unit, found.z_axis.unit) == ("ns", "GHz", "a.u.")
    (edges,) = given({"type": "heatmap", "x": [0, 2, 4], "z": [[1, 2]]}).maps
    np.testing.assert_array_equal(edges.x, [1, 3])
    (turned,) = given({"type": "heatmap", "transpose": True, "z": [[1, 2, 3]]}).maps
    assert turned.z.shape == (3, 1)


def test_places_that_are_not_listed_are_counted() -> None:
    (plain,) = given({"y": [5, 6, 7]}).traces
    (stepped,) = given({"y": [5, 6, 7], "x0": 10, "dx": 0.5}).traces
    np.testing.assert_array_equal(plain.x, [0, 1, 2])
    np.testing.assert_array_equal(stepped.x, [10, 10.5, 11])


def test_titles_lose_their_html() -> None:
    found = given(
        {"y": [1], "name": "<b>Data</b><script>alert(1)</script>"},
        xaxis={"title": {"text": "<i>Time</i> &nbsp;(µs)"}},
    )
    assert "<" not in found.traces[0].name
    assert found.traces[0].x_axis == Axis("Time", "μs")


def typed(data: bytes, dtype: str = "f8", **more: Any) -> dict[str, Any]:
    return {"dtype": dtype, "bdata": base64.b64encode(data).decode(), **more}


@pytest.mark.parametrize(
    ("trace", "why"),
    [
        ({"x": [1, 2], "y": [1]}, "different numbers of x values (2) and y values (1)"),
        ({"x": {"a": 1}, "y": [1]}, "x isn't a Plotly array"),
        ({"y": "text"}, "y isn't a list of numbers"),
        ({"y": [[1], [1, 2]]}, "different lengths"),
        ({"y": [[1, 2], [1, 2]]}, "y isn't a list of numbers"),
        ({"y": typed(b"1234567")}, "y isn't a Plotly array, or it's incomplete"),
        ({"y": typed(b"12345678", shape="2, 3")}, "y isn't a Plotly array, or it's incomplete"),
        ({"y": typed(b"12345678", dtype="O")}, "y isn't a Plotly array"),
        ({"y": {"dtype": "f8", "bdata": "%%%"}}, "y isn't a Plotly array, or it's incomplete"),
        ({"type": "heatmap", "z": [1, 2]}, "z isn't a matrix"),
        ({"type": "heatmap", "z": typed(bytes(64), shape="2, 2, 2")}, "3 dimensions"),
        ({"type": "heatmap", "z": [[1, 2]], "x": [1]}, "1 x value instead of 2"),
        ({"type": "scatter3d"}, "of type scatter3d"),
        ({"type": ["scatter"]}, "of type"),
        ("text", "trace 1 isn't an object"),
    ],
)
def test_a_trace_without_numbers_is_said_and_left_out(trace: Any, why: str) -> None:
    found = given(trace, {"y": [1, 2], "name": "Data"})
    assert [each.name for each in found.traces] == ["Data"]
    assert len(found.left_out) == 1
    assert why in str(found.left_out[0])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "isn't JSON"),
        (b'{"data": [{"x": [1, 2', "isn't JSON"),
        (b"\xff\xfe", "isn't JSON"),
        (b"[" * 100_000, "isn't JSON"),
        (b'{"a":' * 100_000, "isn't JSON"),
        (b'{"data": 3}', "isn't a Plotly figure"),
        (b"[]", "isn't a Plotly figure"),
        (b'{"cells": []}', "isn't a Plotly figure"),
    ],
)
def test_what_is_no_figure_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(LeftOut, match=why):
        figure_of(content)


def test_numbers_that_are_none_stay_missing() -> None:
    (trace,) = figure_of(b'{"data": [{"y": [1, null, true, "x", {}]}]}').traces
    assert np.isfinite(trace.y).sum() == 1

"""Figures as tables, for places that draw none."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go
import pytest

from qdash_jupyter.domain.chart_bundle import MOST_ROWS, figure_text, plain_arrays


def test_few_points_are_listed_with_the_axes_titles() -> None:
    figure = go.Figure([go.Bar(x=["Q00", "Q07"], y=[41.5, None], name="T1")], {"title": "T1", "yaxis_title": "T1 (μs)"})
    assert figure_text(figure.to_dict()).splitlines() == ["[chart: T1]", "    x    T1 (μs)", "T1  Q00  41.5", "T1  Q07"]


def test_many_points_are_told_by_where_they_lie() -> None:
    y = np.linspace(20.0, 80.0, 50)
    y[3] = math.nan
    days = [f"2026-06-{day:02}" for day in range(1, 31)]
    figure = go.Figure([go.Scatter(x=days, y=y, name="Q00")])
    assert figure_text(figure.to_dict()).splitlines() == [
        "[chart: untitled]",
        "     n   x                         y",
        "Q00  50  2026-06-01 to 2026-06-30  20 to 80",
    ]


def test_a_map() -> None:
    figure = go.Figure([go.Heatmap(z=[[1, 2.5], [None, 4]])])
    assert figure_text(figure.to_dict()).splitlines() == [
        "[chart: untitled]",
        "         n  color",
        "heatmap  4  1 to 4",
    ]


def test_it_is_small_however_much_is_drawn() -> None:
    traces = [go.Scatter(y=np.random.default_rng(n).normal(size=1000), name="q" * 500) for n in range(100)]
    shown = figure_text(go.Figure(traces, {"title": "t"}).to_dict())
    assert shown.endswith("\n… 88 more")
    assert len(shown.splitlines()) == MOST_ROWS + 3
    assert len(shown) < 4_000


@pytest.mark.parametrize(
    "figure",
    [
        {},
        {"data": None, "layout": None},
        {"data": [None, 3, {"y": {"bdata": "?", "dtype": "f8"}}, {"x": "ab", "y": 5}]},
        {"data": [{"y": [[1, None], "a"], "name": "\x1b[2J"}], "layout": {"title": {"text": 3}}},
    ],
)
def test_what_models_write(figure: dict[str, object]) -> None:
    shown = figure_text(figure)
    assert shown.startswith("[chart: untitled]")
    assert "\x1b" not in shown


def test_an_array_of_nothing_has_no_rows() -> None:
    """A hundred million of them, each empty, would be as many lists."""
    assert plain_arrays({"z": {"bdata": "", "dtype": "f8", "shape": "100000000,0"}}) == {"z": []}

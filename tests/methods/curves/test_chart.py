"""A curve as a figure: both fits, the residuals, and the axes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from qdash_jupyter import methods as qm
from qdash_jupyter.methods.curves.chart import curve_chart

NOISE = np.random.default_rng(11).normal(0, 0.02, 61)


def decay(x: np.ndarray) -> qm.Curve:
    return qm.Curve("CheckT1", "7", x, 0.9 * np.exp(-x / 40) + 0.05 + NOISE, x_unit="μs", y_unit="a.u.")


@pytest.mark.parametrize(("x", "kind"), [(np.linspace(1, 200, 61), None), (np.geomspace(1, 200, 61), "log")])
def test_the_axis_follows_the_places_of_the_points(x: np.ndarray, kind: str | None) -> None:
    figure = curve_chart(decay(x))
    assert figure.layout.xaxis.type == kind
    assert figure.layout.xaxis.title.text == "time (μs)"
    assert (figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text) == ("signal (a.u.)", "residual (a.u.)")


@pytest.mark.parametrize(("longest", "unit", "by"), [(200_000, "μs", 1e-3), (900, "ns", 1)])
def test_long_times_are_drawn_in_the_unit_of_the_kind(longest: float, unit: str, by: float) -> None:
    x = np.linspace(1, longest, 61)
    y = np.exp(-5 * x / longest) + NOISE
    curve = qm.Curve("CheckT1", "7", x, y, x_unit="ns", fit_x=x, fit_y=y)
    figure = curve_chart(curve)
    assert figure.layout.xaxis.title.text == f"time ({unit})"
    for trace in figure.data:
        assert max(trace.x) == pytest.approx(longest * by)


def test_the_residuals_are_those_of_the_new_fit_at_each_point() -> None:
    curve = replace(decay(np.linspace(1, 200, 61)), fit_x=np.array([1, 200]), fit_y=np.array([0.9, 0.05]))
    verdict = qm.judge(curve)
    figure = qm.curve_chart(curve, verdict)
    assert [trace.name for trace in figure.data] == ["points", "stored fit", "new fit", "residual"]
    assert verdict.refit is not None
    np.testing.assert_allclose(figure.data[-1].y, verdict.refit.residuals, atol=1e-9)
    assert figure.layout.title.text == "CheckT1 Q07: reliable"


def test_a_fast_oscillation_has_the_residuals_of_its_fit() -> None:
    x = np.linspace(0, 75, 1139)
    noise = np.random.default_rng(2).normal(0, 0.02, len(x))
    y = np.exp(-x / 30) * np.cos(2 * np.pi * 2.5 * x) + noise
    figure = curve_chart(qm.Curve("CheckRamsey", "7", x, y, x_unit="μs"))
    assert np.std(figure.data[-1].y) < 0.025


def test_a_curve_of_noise_and_missing_points_are_drawn_all_the_same() -> None:
    x = np.linspace(1, 200, 61)
    y = NOISE.copy()
    y[3] = np.nan
    figure = curve_chart(qm.Curve("CheckT1", "7", x, y, x_unit="μs"), language="ja")
    assert figure.data[0].name == "測定点"
    assert figure.layout.title.text.endswith("（信号なし）")
    assert json.loads(figure.to_json())["data"]


def test_the_shots_of_both_states_share_their_bins() -> None:
    rng = np.random.default_rng(4)
    zero, one = (rng.normal(place, 1, 400) + 1j * rng.normal(0, 1, 400) for place in (-3, 3))
    figure = curve_chart(qm.Shots("7", zero, one))
    assert [trace.name for trace in figure.data] == ["|0⟩", "|1⟩"]
    assert figure.data[0].xbins == figure.data[1].xbins
    assert min(figure.data[1].x) > min(figure.data[0].x)


@pytest.mark.parametrize("step", [1.0, 0.25, 1e-6])
def test_whole_numbers_of_a_converter_give_an_even_histogram(step: float) -> None:
    """Bins of another width than a multiple of the steps hold now one of them, now two."""
    values = np.repeat(np.arange(-25, 26), 20) * step  # each as often
    figure = curve_chart(qm.Shots("7", values.astype(complex), values + 60 * step))
    bins = figure.data[0].xbins
    edges = np.arange(bins.start, bins.end, bins.size)
    counts, _ = np.histogram(figure.data[0].x, edges)
    inside = counts[counts > 0][1:-1]
    assert len(inside) > 10
    assert set(inside) == {inside[0]}

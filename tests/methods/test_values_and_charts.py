"""Current values, noise, and what the figures show."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm
from tests.methods.made import noise, stored, summary, table


def test_shown_values_have_units() -> None:
    found = qm.shown(summary(), "t1", "average_readout_fidelity", "t2_echo")
    assert list(found.columns) == ["qid", "T1 [μs]", "Average Readout Fidelity [%]", "T2 Echo [μs]"]
    assert found["Average Readout Fidelity [%]"].tolist()[:2] == [97.0, 80.0]
    assert found["T2 Echo [μs]"].isna().all()
    with_errors = qm.shown(summary(), "average_readout_fidelity", "t2_echo", errors=True)
    assert with_errors["Average Readout Fidelity ± [%]"].tolist()[:2] == pytest.approx([0.97, 0.80])
    assert "T2 Echo ± [μs]" not in with_errors, "none is stored"


def test_an_overview_counts_what_is_measured() -> None:
    found = qm.overview(summary()).set_index("metric")
    assert found.loc["T1"].tolist() == ["μs", 60.0, 15.0, 80.0, 3, 4]
    assert found.loc["Average Readout Fidelity", "lowest"] == 80.0


def test_findings_hold_values_against_limits() -> None:
    rows = {(row.element, row.finding) for row in qm.findings(summary()).itertuples()}
    bad = {("1", "T1"), ("1", "Average Readout Fidelity")}
    assert rows == {("3", "no values at all"), ("2", "not measured lately"), *bad}
    found = qm.findings(summary(), limits={"t1": (None, 70)}, old_days=50)
    assert [tuple(row) for row in found.itertuples(index=False)] == [
        ("3", "no values at all", "", "", ""),
        ("2", "T1", "80.0 μs", "70 μs", "t1"),
    ]
    couplings = stored(table([[0.99, 0.5]], parameter="zx90_gate_fidelity", unit=""))
    assert ("0", "ZX90 Gate Fidelity") in {
        (row.element, row.finding) for row in qm.findings(summary(), couplings).itertuples()
    }


def test_what_was_not_measured_stands_first() -> None:
    found = qm.unmeasured(summary(), old_days=30)
    assert found["qid"].tolist() == ["3", "2"]
    assert np.isnan(found["newest [d ago]"].iloc[0])
    assert qm.unmeasured(summary(), "average_readout_fidelity")["qid"].tolist() == ["2", "3"]
    series = stored(table([[60.0] * 3]), not_measured=["4", "8"])
    assert qm.unmeasured(series)["qid"].tolist() == ["4", "8"]


def test_rankings_with_and_without_a_limit() -> None:
    found = qm.ranked(summary(), "t1", count=1)
    assert found["qid"].tolist() == ["1"]
    assert found.columns.tolist() == ["qid", "value [μs]", "± [μs]", "age [d]"]
    assert found["± [μs]"].tolist() == [0.15]
    assert qm.ranked(summary(), "t1", count=1, limit=70)["qid"].tolist() == ["1", "0"]
    assert qm.ranked(summary(), "t1", count=2, lowest=False)["qid"].tolist() == ["2", "0"]
    assert qm.ranked(summary(), "t1", count=1).attrs["n"] == 3


def test_the_best_over_several_metrics() -> None:
    found = qm.overall(summary(), "t1", "average_readout_fidelity", count=4)
    assert found["qid"].tolist() == ["2", "0", "1"]
    assert found["percentile [%]"].tolist() == pytest.approx([100, (200 / 3 + 100) / 2, (100 / 3 + 50) / 2])
    assert found["n"].tolist() == [1, 2, 2]
    assert qm.overall(summary(), "t1", count=1, best=False)["qid"].tolist() == ["1"]
    assert qm.overall(summary(), "t1", count=1, lower_is_better=["t1"])["qid"].tolist() == ["1"]


def test_a_relation_says_when_there_are_too_few() -> None:
    x = pd.Series(np.arange(7.0), list("0123456"))
    assert qm.relation(x, x).iloc[0]["verdict"] == "too few"
    assert qm.scatter_chart(x.iloc[:1], x).layout.title.text == "n = 1: too few values"
    x = pd.Series(np.arange(30.0), [str(i) for i in range(30)])
    assert qm.relation(x, x).iloc[0]["verdict"] == "rise together"
    assert qm.relation(x, -x).iloc[0]["verdict"] == "opposite"
    assert qm.relation(x, x * 0).iloc[0]["verdict"] == "too few"
    assert (
        qm.relation(x, pd.Series(np.random.default_rng(2).normal(size=30), x.index)).iloc[0]["verdict"] == "none seen"
    )


def test_unrelated_metrics_are_rarely_related() -> None:
    rng = np.random.default_rng(3)
    ids = [str(i) for i in range(20)]
    named = [
        qm.relation(pd.Series(rng.normal(size=20), ids), pd.Series(rng.normal(size=20), ids)).iloc[0]["verdict"]
        for _ in range(100)
    ]
    assert sum(one in {"rise together", "opposite"} for one in named) <= 4


def test_an_allan_deviation_leaves_gaps_out() -> None:
    """Bins without a measurement break the series: by hand for three steps of one."""
    series = table([[1.0, 2.0, 4.0, 4.0, 8.0]], hours=np.array([9.0, 8.0, 7.0, 5.0, 4.0]) * 24 - 12)
    found = qm.allan_deviation(series, resample="1D")
    assert found["deviation [μs]"].iloc[0] == pytest.approx(np.sqrt((1 + 4 + 16) / 3 / 2))
    assert found["n"].iloc[0] == 3
    assert "1 of 6 empty" in found.attrs["sampling"]
    assert qm.allan_deviation(series).attrs["sampling"].startswith("by position")


def test_the_uncertainty_of_an_allan_deviation_is_the_spread_of_many() -> None:
    made = [qm.allan_deviation(table([one])) for one in np.random.default_rng(4).normal(size=(120, 65))]
    for row in range(4):
        deviations = np.array([one["deviation [μs]"].iloc[row] for one in made])
        said = np.mean([one["± [μs]"].iloc[row] for one in made])
        assert said == pytest.approx(deviations.std(), rel=0.25)


def test_switching_is_found_and_noise_is_not() -> None:
    rng = np.random.default_rng(5)
    values: np.ndarray = 60 + noise(rng, 3, 60, 0.0)
    values[0] -= 15 * (np.arange(60) // 7 % 2)
    values[1, 40:] -= 15
    found = qm.telegraph(table(values))
    assert found["verdict"].tolist() == ["switches", "one level", "one level"]
    assert found["switches"].iloc[0] == 8
    assert found["upper level [μs]"].iloc[0] - found["lower level [μs]"].iloc[0] == pytest.approx(15, abs=1)


@pytest.mark.parametrize(
    ("count", "rho"),
    [
        (20, 0.5),
        *(pytest.param(count, rho, marks=pytest.mark.long) for count in (20, 25, 40, 100) for rho in (0.0, 0.5)),
    ],
)
def test_noise_rarely_switches(count: int, rho: float) -> None:
    found = qm.telegraph(table(noise(np.random.default_rng(6), 2000, count, rho)))
    assert (found["verdict"] == "switches").sum() <= 2 + 3 * np.sqrt(2)


def test_a_set_needs_couplings() -> None:
    assert qm.best_connected(summary(), ["0-1"], 3, parameter="t1").empty
    found = qm.best_connected(summary(), [(0, 1), (1, 2), (2, 3)], 2, parameter="t1")
    assert found["qid"].tolist() == ["2", "1"]
    assert found["coupled to"].tolist() == ["1", "2"]
    assert found.attrs["mean score"] == pytest.approx(47.5)


@pytest.mark.parametrize("count", [5, 20])
def test_the_interval_of_a_line_holds_the_true_slope(count: int) -> None:
    """1.96 standard errors hold it in 85 % where there are five points."""
    rng, x = np.random.default_rng(7), np.arange(float(count))
    fits = [qm.fit_line(x, 2 + 0.5 * x + rng.standard_normal(count)).iloc[0] for _ in range(600)]
    held = np.mean([abs(one["slope"] - 0.5) <= one["t95"] * one["slope ±"] for one in fits])
    assert held == pytest.approx(0.95, abs=0.025)


def test_a_fit_that_says_nothing_says_so() -> None:
    x = np.linspace(0, 10, 30)
    assert qm.fit_exponential(x, 3 - 0.1 * x).iloc[0]["verdict"] == "not determined"
    assert qm.fit_line([1.0, 2.0], [1.0, 2.0]).iloc[0]["verdict"] == "too few"
    fitted = qm.fit_line(stored(table([60 - 0.5 * np.arange(20.0)])))
    assert fitted["slope [μs/day]"].iloc[0] == pytest.approx(-0.5)
    times = pd.date_range("2026-01-01", periods=5, tz="UTC")
    assert qm.fit_line(times, np.arange(5.0)).iloc[0]["slope"] == pytest.approx(1)


def frequencies() -> pd.DataFrame:
    values = np.array([[5.0], [5.2]]) + 1e-5 * np.random.default_rng(1).normal(size=(2, 30))
    values[0, 22:] += 0.003
    return table(values, error=1e-5, parameter="qubit_frequency", unit="GHz")


def test_a_jump_of_a_frequency_is_drawn_in_mhz() -> None:
    figure = qm.series_chart(frequencies(), since="10d")
    assert figure.layout.yaxis.title.text == "deviation (MHz)"
    assert max(figure.data[0].y) == pytest.approx(3, abs=0.1)
    assert figure.data[0].error_y.array[0] == pytest.approx(0.01)
    assert figure.data[0].name == "Q00 (5.0000 GHz)"
    plain = qm.series_chart(frequencies(), since="10d", deviation=False)
    assert plain.layout.yaxis.title.text == "Qubit Frequency (GHz)"
    assert len(plain.layout.shapes) == 1


def test_levels_far_apart_are_drawn_as_deviations_and_others_as_they_are() -> None:
    values = np.array([[20.0], [100.0]]) + np.random.default_rng(1).normal(size=(2, 30))
    assert qm.series_chart(table(values)).layout.yaxis.title.text == "deviation (μs)"
    assert qm.series_chart(table(values), [0]).layout.yaxis.title.text == "T1 (μs)"
    assert qm.series_chart(table(values), [0]).layout.xaxis.title.text == "time (UTC)"
    dates = qm.series_chart(table(values), [0], language="ja").layout.xaxis.tickformatstops
    assert [stop.value for stop in dates][1] == "%-m月%-d日\n%Y年"


def test_at_most_eight_lines_unless_asked_for() -> None:
    many = table(60 + np.random.default_rng(1).normal(size=(12, 20)))
    assert len(qm.series_chart(many).data) == 8
    assert len(qm.series_chart(many, range(12)).data) == 12


def test_figures_show_what_they_are_of() -> None:
    values = 60 + np.random.default_rng(2).normal(size=(2, 30))
    values[0, 22:] = 30 + np.random.default_rng(3).normal(size=8)
    levels = qm.levels_chart(qm.changes(table(values), since="10d"))
    assert {trace.name for trace in levels.data} == {"no change, or unclear (1)", "changed (1)", "no change"}
    assert levels.layout.xaxis.title.text == "before (μs)"
    ranking = qm.ranking_chart(summary(), "t1", marked=["1"], limits=30)
    assert list(ranking.data[0].x) == ["Q01", "Q00", "Q02"]
    assert ranking.layout.annotations[0].text == "limit: 30 μs"
    assert ranking.data[0].error_y.array[0] == pytest.approx(0.15)
    couplings = pd.Series({"36-38": 77.5, "4-1": 97.0}, name="ZX90 Gate Fidelity [%]")
    pairs = qm.ranking_chart(couplings, limits=85)
    assert (list(pairs.data[0].x), pairs.layout.xaxis.title.text) == (["Q36-Q38", "Q04-Q01"], "coupling")
    histogram = qm.histogram(table(values))
    assert sum(histogram.data[0].y) == 60
    assert histogram.layout.yaxis.title.text == "number of measurements"
    scatter = qm.scatter_chart(summary(), parameters=("t1", "average_readout_fidelity"))
    assert scatter.layout.xaxis.title.text == "T1 (μs)"
    assert "n = 2: too few" in scatter.layout.title.text
    bars = qm.bar_chart(pd.Series({0: 46.6, 3: 89.5}), x="MUX", y="T1 [μs]")
    assert (list(bars.data[0].x), bars.layout.yaxis.title.text) == (["0", "3"], "T1 [μs]")
    band = qm.band_chart(table(values), every="5D")
    assert band.data[-1].name == "median"

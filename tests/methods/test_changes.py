"""Levels before a window and in it: the rate of false alarms, what is found, and what a row says."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm
from qdash_jupyter.methods.descriptions import shapes_of
from qdash_jupyter.methods.level_change import FALSE_ALARMS
from tests.methods.made import AS_OF, noise, stored, table


def most(series: int, rate: float = FALSE_ALARMS) -> float:
    """The most that chance lets happen where the rate is right: three standard deviations more."""
    return rate * series + 3 * math.sqrt(rate * series)


def named(found: pd.DataFrame) -> pd.Series:
    return found["verdict"].isin(["fell", "rose"])


def test_all_that_speak_of_a_change_say_the_same() -> None:
    """Steps, slopes and mere noise, in a window with what was before it: one verdict a qubit, whoever is asked."""
    rng = np.random.default_rng(41)
    values = 60 * (1 + 0.06 * rng.standard_normal((12, 90)))
    values[1:4, 75:] *= 0.7
    values[4:7] *= np.linspace(1, 0.55, 90)
    values[7, 70:] *= 1.4
    values[8, 30:] *= 0.6
    given = table(values)
    window = given["t"] >= given["t"].max() - pd.Timedelta(days=29.5)
    as_stored = stored(given[window].reset_index(drop=True)) | {"before": given[~window]}
    as_stored["timeseries"].attrs = given.attrs
    verdicts = {
        "changes": qm.changes(given, since="30d"),
        "changes of a stored series": qm.changes(as_stored, since="30d"),
        "trends": qm.trends(given, since="30d"),
        "trends of a stored series": qm.trends(as_stored),
        "jumps or drifts": qm.jumps(given),
    }
    told = {name: dict(zip(one["qid"], one["verdict"], strict=True)) for name, one in verdicts.items()}
    jumps = told.pop("jumps or drifts")
    assert told["changes"] == told["changes of a stored series"] == told["trends"] == told["trends of a stored series"]
    assert [told["changes"][str(qid)] for qid in range(9)] == ["stable", *["fell"] * 6, "rose", "stable"]
    assert jumps == {qid: verdict for qid, verdict in told["changes"].items() if verdict != "stable"} | {"8": "fell"}
    windows = qm.compare_windows(given, ("60d", "30d"), ("30d", None))
    assert set(windows.loc[named(windows), "qid"]) == set(jumps) - {"8"}
    assert set(windows.loc[~named(windows), "verdict"]) == {"stable"}


@pytest.mark.long
def test_the_rate_holds_through_the_public_functions() -> None:
    for rho in (0.0, 0.5):
        series = table(60 + 6 * noise(np.random.default_rng(4), 400, 40, rho))
        for since in ("3d", "10d"):
            assert named(qm.changes(series, since=since, smallest=0, fewest=1)).sum() <= most(400)
        assert named(qm.compare_windows(series, ("30d", "10d"), ("10d", None), smallest=0)).sum() <= most(400)


def test_too_few_are_not_called_stable_nor_is_what_could_not_be_seen() -> None:
    rng = np.random.default_rng(42)
    few = qm.changes(table(60 * (1 + 0.08 * rng.standard_normal((5, 5)))), since="3d")
    assert set(few["verdict"]) == {"too few"}
    for count, since in ((8, "4d"), (12, "4d")):
        noisy = qm.changes(table(60 * (1 + 0.2 * rng.standard_normal((20, count)))), since=since)
        assert set(noisy["verdict"]) <= {"unclear"}
        assert (noisy["detectable [%]"] > 30).all()
    quiet = qm.changes(table(60 * (1 + 0.05 * rng.standard_normal((20, 60)))), since="30d")
    assert set(quiet["verdict"]) == {"stable"}
    assert (quiet["detectable [%]"] < 30).all()
    assert "too few" not in set(qm.trends(table(60 + rng.standard_normal((3, 8))))["verdict"])


def test_what_would_be_missed_is_told_rightly() -> None:
    """A step of `detectable` is found in about three of four series of the same noise."""
    rng, late = np.random.default_rng(43), np.arange(60) >= 40
    for rho in (0.0, 0.5):
        quiet = qm.changes(table(60 + 3 * noise(rng, 100, 60, rho)), since="20d", smallest=0)
        size = float(quiet["detectable [%]"].median()) / 100 * 60
        fallen = qm.changes(table(60 + 3 * noise(rng, 100, 60, rho) - size * late), since="20d", smallest=0)
        assert 0.6 <= named(fallen).mean() <= 0.95


def test_wandering_noise_is_called_so() -> None:
    """A random walk that moves far is no change; a twentieth of such series at most is named one."""
    values = 60 + 3 * np.random.default_rng(44).standard_normal((100, 60)).cumsum(axis=1)
    found = qm.changes(table(values), since="30d")
    assert named(found).mean() <= 0.05
    assert (found["verdict"] == "wandering").mean() > 0.3
    assert not (found.loc[found["change [%]"].abs() > 60, "verdict"] == "stable").any()


def test_the_size_and_the_date_have_an_interval() -> None:
    rng, late = np.random.default_rng(45), np.arange(60) >= 48
    series = table(60 * (1 - 0.3 * late) * (1 + 0.08 * rng.standard_normal((200, 60))))
    found = qm.changes(series, since="30d")
    found = found[named(found)]
    assert len(found) >= 190
    assert ((found["from [%]"] <= -30) & (found["to [%]"] >= -30)).mean() >= 0.9
    true = series["t"].iloc[48]
    assert ((found["since from"] <= true) & (found["since to"] >= true)).mean() >= 0.95
    assert (found["since to"] - found["since from"]).median() <= pd.Timedelta(days=6)
    t = (found["to [%]"] - found["change [%]"]) / found["± [%]"]
    assert (t > 1.96).all(), "Student's t is wider than a Gaussian"


def test_the_speed_of_a_chip_is_that_of_one_fit() -> None:
    """64 qubits of one length are fitted together: shapes are made once, whatever the number of qubits."""
    shapes_of.cache_clear()
    qm.changes(table(60 + np.random.default_rng(1).standard_normal((64, 60))), since="30d")
    assert shapes_of.cache_info().misses == 1


@pytest.mark.parametrize("lasts", [10, 20, 30])
def test_slow_falls_by_nearly_forty_percent_are_found(lasts: int) -> None:
    fall: np.ndarray = 0.38 * np.clip((np.arange(60) - 60 + lasts) / lasts, 0, 1)
    values = 60 * (1 - fall) * (1 + 0.06 * noise(np.random.default_rng(1), 100, 60, 0.0))
    found = qm.changes(table(values), since="30d")
    assert (found["verdict"] == "fell").mean() > 0.9


def test_a_fall_that_goes_on_through_the_window_is_found() -> None:
    """45 % in 90 days, asked for the last 30; 2 % of such series were found by medians alone."""
    rng = np.random.default_rng(37)
    falls = 70 * np.linspace(1, 0.55, 90) * (1 + 0.08 * rng.standard_normal((200, 90)))
    found = qm.changes(table(falls), since="30d")
    assert (found["verdict"] == "fell").mean() >= 0.95
    assert found["change [%]"].median() == pytest.approx(-21, abs=3)  # of the level 30 days ago


@pytest.mark.parametrize("older", [2, 15, *(pytest.param(count, marks=pytest.mark.long) for count in (1, 3, 8, 20))])
def test_a_step_before_the_window_hides_no_change_in_it(older: int) -> None:
    """A cool-down moves all frequencies."""
    values: np.ndarray = 60 + noise(np.random.default_rng(1), 100, 60, 0.0)
    values[:, :older] += 400
    values[:, 45:] -= 14
    found = qm.changes(table(values), since="30d")
    assert (found["verdict"] == "fell").mean() > 0.97


def test_a_row_says_what_was_found() -> None:
    rng = np.random.default_rng(2)
    values = np.vstack([60 + rng.normal(size=(2, 30)), 30 + rng.normal(size=(1, 30))])
    values[0, 22:] = 40 + rng.normal(size=8)
    values[2, 22:] = 45 + rng.normal(size=8)
    series = table(values, error=0.5)
    series.loc[series["qid"] == "1", "v"] = np.nan
    found = qm.changes(stored(series, not_measured=["7"]), since="10d")
    assert list(found.columns) == [
        *("qid", "verdict", "before [μs]", "now [μs]", "change [%]", "± [%]", "from [%]", "to [%]", "sigmas"),
        *("n before", "n now", "since", "since from", "since to", "detectable [%]"),
    ]
    assert dict(zip(found["qid"], found["verdict"], strict=True)) == {
        "0": "fell",
        "1": "not measured",
        "2": "rose",
        "7": "not measured",
    }
    fell = found.set_index("qid").loc["0"]
    assert fell["before [μs]"] == pytest.approx(values[0, :22].mean(), abs=0.1)
    assert fell["now [μs]"] == pytest.approx(values[0, 22:].mean(), abs=0.1)
    assert fell["change [%]"] == pytest.approx(100 * (fell["now [μs]"] / fell["before [μs]"] - 1))
    assert fell["± [%]"] == pytest.approx(100 / 60 * math.sqrt(1 / 22 + 1 / 8), rel=0.4)
    assert fell["from [%]"] < fell["change [%]"] < fell["to [%]"]
    assert fell["sigmas"] <= -3.4
    assert (fell["n before"], fell["n now"]) == (22, 8)
    assert fell["since from"] == fell["since"] == fell["since to"] == series.loc[22, "t"]
    assert found.attrs["false_alarms_expected"] == pytest.approx(2 * FALSE_ALARMS)
    assert found.attrs["window"] == "2026-06-20 00:00 to 2026-06-30 00:00 UTC"
    assert "15 %" in found.attrs["method"]


def test_frequencies_change_in_mhz_and_fidelities_in_points() -> None:
    rng = np.random.default_rng(3)
    step = np.where(np.arange(30) < 22, 0, 1)
    frequency = table(5 + 1e-5 * rng.normal(size=(1, 30)) + 0.003 * step, parameter="qubit_frequency", unit="GHz")
    found = qm.changes(frequency, since=10).iloc[0]
    assert found["change [MHz]"] == pytest.approx(3, abs=0.05)
    assert found["verdict"] == "rose"
    assert qm.changes(frequency, since=10, smallest=4).iloc[0]["verdict"] == "stable"
    in_khz = qm.changes(frequency, since=10, unit="kHz").iloc[0]
    assert in_khz["now [kHz]"] == pytest.approx(1e6 * found["now [GHz]"])
    assert in_khz["change [MHz]"] == pytest.approx(found["change [MHz]"])
    readout = table(
        0.97 + 0.001 * rng.normal(size=(1, 30)) - 0.03 * step, parameter="average_readout_fidelity", unit=""
    )
    found = qm.changes(readout, since=10).iloc[0]
    assert found["change [pp]"] == pytest.approx(-3, abs=0.2)
    assert found["now [%]"] == pytest.approx(94, abs=0.2)


def test_the_end_of_a_window_counts() -> None:
    values = np.full((1, 40), 60.0) + np.random.default_rng(5).normal(size=(1, 40))
    values[0, 30:] -= 30
    assert qm.changes(table(values), since="2026-06-05", until="2026-06-18").iloc[0]["verdict"] == "stable"
    assert qm.changes(table(values), since="2026-06-05").iloc[0]["verdict"] == "fell"


def test_without_measurements_in_the_window_nothing_is_said() -> None:
    values = 60 + np.random.default_rng(5).normal(size=(1, 20))
    series = table(values, hours=np.arange(20, 0, -1) * 24.0 + 24 * 50)
    found = qm.changes(series, since="30d").iloc[0]
    assert (found["verdict"], found["n now"], found["n before"]) == ("not measured", 0, 20)
    assert math.isnan(found["sigmas"])


def test_errors_larger_than_the_change_forbid_it() -> None:
    values = np.where(np.arange(30) < 22, 60.0, 40.0)[None] + np.random.default_rng(6).normal(size=(1, 30))
    for error, verdict in ((0.5, "fell"), (40.0, "unclear")):
        assert qm.changes(table(values, error=error), since="10d").iloc[0]["verdict"] == verdict


def test_two_windows_are_compared() -> None:
    values = 60 + np.random.default_rng(7).normal(size=(2, 40))
    values[0, 20:30] -= 20
    found = qm.compare_windows(table(values), ("40d", "20d"), ("2026-06-10", "2026-06-19"))
    assert dict(zip(found["qid"], found["verdict"], strict=True)) == {"0": "fell", "1": "stable"}
    first = found.iloc[0]
    assert (first["n first"], first["n second"]) == (20, 10)
    assert first["second [μs]"] == np.median(values[0, 20:30])
    assert pd.isna(found.iloc[1]["since"])
    assert first["p"] < 1e-4
    assert " and " in found.attrs["window"]


def test_a_fall_that_medians_hide_has_its_size_and_date() -> None:
    values = 60 + np.random.default_rng(7).normal(size=(1, 40))
    values[0, 32:] -= 20  # most of the last 20 days are as before
    [row] = qm.compare_windows(table(values), ("40d", "20d"), ("20d", None)).to_dict("records")
    assert row["verdict"] == "fell"
    assert abs(row["change [%]"]) < 3, "that of the medians"
    assert row["by [%]"] == pytest.approx(-33, abs=2)
    assert row["since"] == table(values)["t"].iloc[32]


def test_the_change_of_all_is_seen_where_that_of_none_is() -> None:
    """A chip that lost 4 %, in ten measurements of each qubit whose scatter is 8 %."""
    values = 60 + 4.8 * np.random.default_rng(8).normal(size=(64, 20))
    values[:, 10:] *= 0.96
    found = qm.compare_windows(table(values), ("20d", "11d"), ("10d", None))
    assert not set(found["verdict"]) & {"fell", "rose"}
    assert found.attrs["median_from"] < -4 < found.attrs["median_to"] < 0
    assert "median_change" in found.attrs
    assert found.attrs["median_verdict"] == "fell"
    one_each = qm.compare_windows(table(values), ("20d", "11d"), ("1d", None))
    assert {*one_each["verdict"]} == {"too few"}, "one measurement of each is too few for each, not for all"
    assert one_each.attrs["median_from"] < -4 < one_each.attrs["median_to"]
    few = qm.compare_windows(table(values[:5]), ("20d", "11d"), ("10d", None))
    assert "median_change" in few.attrs
    assert "median_from" not in few.attrs
    assert few.attrs["median_verdict"] == "unclear"


def test_trends_say_what_the_test_says() -> None:
    rng = np.random.default_rng(8)
    values = 60 + rng.normal(size=(3, 40))
    values[0] -= np.linspace(0, 30, 40)
    values[1, 30:] += 20
    found = qm.trends(stored(table(values), not_measured=["9"]))
    assert list(found["verdict"]) == ["fell", "rose", "stable", "not measured"]
    assert found["slope [μs/day]"].iloc[0] == pytest.approx(-30 / 39, abs=0.05)
    assert found["slope from [μs/day]"].iloc[0] < -30 / 39 < found["slope to [μs/day]"].iloc[0]
    assert found["scatter [μs]"].iloc[2] == pytest.approx(1, abs=0.35)
    assert list(found["n"]) == [40, 40, 40, 0]
    assert qm.trends(table(values), since="5d")["n"].tolist() == [5] * 3
    assert qm.trends(table(values), since="2d")["verdict"].tolist() == ["too few"] * 3


def test_the_interval_of_a_slope_holds_the_true_one() -> None:
    for rho, least in ((0.0, 0.93), (0.5, 0.85)):
        values = 60 + noise(np.random.default_rng(9), 120, 40, rho) + 0.1 * np.arange(40)
        found = qm.trends(table(values))
        inside = (found["slope from [μs/day]"] <= 0.1) & (found["slope to [μs/day]"] >= 0.1)
        assert inside.mean() > least


def test_spans_are_read_as_the_tools_read_them() -> None:
    series = table(60 + np.random.default_rng(1).normal(size=(1, 40)))
    same = [qm.changes(series, since=since)["now [μs]"].iloc[0] for since in ("2w", "14d", 14, "2026-06-16")]
    same.append(qm.changes(series, since=pd.Timedelta(days=14))["now [μs]"].iloc[0])
    same.append(qm.changes(series, since=(AS_OF - pd.Timedelta(days=14)).tz_convert(None))["now [μs]"].iloc[0])
    assert len(set(same)) == 1

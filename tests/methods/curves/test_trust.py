"""What is unreliable is left out of trends and rankings, and that is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm
from tests.methods.made import stored, table


@pytest.fixture
def series() -> pd.DataFrame:
    """Ten measurements of 60 μs each; of qubit 1 one is wild, and no fit of qubit 2 can be trusted."""
    values = 60 + np.random.default_rng(1).normal(0, 1, (3, 10))
    values[1, 4] = 400.0
    found = table(values)
    return found.assign(task_id=[f"task-{place}" for place in range(len(found))])


@pytest.fixture
def verdicts() -> pd.DataFrame:
    """Of all but the last qubit 1's."""
    off = {"task-14", *(f"task-{place}" for place in range(20, 30))}
    ids = [f"task-{place}" for place in range(30) if place != 19]
    return pd.DataFrame({"task_id": ids, "fit": ["unreliable" if each in off else "reliable" for each in ids]})


def test_trends_and_changes_leave_out_what_is_unreliable_and_say_so(
    series: pd.DataFrame, verdicts: pd.DataFrame
) -> None:
    kept = qm.reliable_only(stored(series), {"verdicts": verdicts})
    trend = qm.trends(kept).set_index("qid")
    assert list(trend["n"]) == [10, 9, 0]
    assert trend.loc["2", "verdict"] == "too few"
    said = "Left out: 11 of 30 values, whose fits are not reliable; 1 have no verdict, and count."
    assert trend.attrs["method"].endswith(f" {said}")
    assert qm.changes(kept, since="5d").attrs["method"].endswith(f" {said}")
    assert "Left out" not in qm.trends(series).attrs["method"]
    assert qm.trends(series)["n"].tolist() == [10, 10, 10]  # nothing that is given is changed
    assert max(qm.series_chart(kept).data[1].y) < 70
    assert qm.series_chart(kept).layout.title.text == "T1 (reliable fits only)"


def test_rankings_leave_it_out_too(verdicts: pd.DataFrame) -> None:
    values = pd.DataFrame(
        {
            "qid": ["0", "1", "2", "2"],
            "parameter": ["t1", "t1", "t1", "t2_echo"],
            "value": [50.0, 60.0, 400.0, 30.0],
            "unit": "μs",
            "task_id": ["task-0", "task-1", "task-20", "another"],
        }
    )
    summary: dict[str, Any] = {"qubits": pd.DataFrame({"qid": ["0", "1", "2"], "t1": [50.0, 60.0, 400.0]})}
    kept = qm.reliable_only(summary | {"values": values}, verdicts)
    best = qm.ranked(kept, "t1", lowest=False)
    assert list(best["qid"]) == ["1", "0"]
    assert best.attrs["method"].startswith("T1: the highest 2 of 2 current values. Left out: 1 of 3 values")
    assert kept["qubits"]["t1"].isna().tolist() == [False, False, True]
    assert summary["qubits"]["t1"].notna().all()
    assert qm.ranking_chart(kept, "t1").layout.title.text == "T1 (reliable fits only)"


def test_tables_that_do_not_belong_together_are_told(series: pd.DataFrame, verdicts: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="here task_id is missing"):
        qm.reliable_only(series.drop(columns="task_id"), verdicts)
    with pytest.raises(ValueError, match=r"Verdicts are .* here fit is missing"):
        qm.reliable_only(series, verdicts[["task_id"]])


def test_who_is_left_out_and_why(series: pd.DataFrame, verdicts: pd.DataFrame) -> None:
    codes = {"task-14": "OUTLIERS", "task-20": "LOW_SNR", "task-21": "LOW_SNR"}
    judged = verdicts.assign(code=[codes.get(each, "DRIFT") for each in verdicts["task_id"]])
    judged.loc[judged["fit"] == "reliable", "code"] = "SUCCESS"
    first, second = judged.iloc[:10], {"verdicts": judged.iloc[10:]}
    told = qm.left_out(stored(series), first, second)
    assert told.to_dict("records") == [
        {"parameter": "t1", "why": "DRIFT", "values": 8, "of": 30, "qids": "2"},
        {"parameter": "t1", "why": "LOW_SNR", "values": 2, "of": 30, "qids": "2"},
        {"parameter": "t1", "why": "OUTLIERS", "values": 1, "of": 30, "qids": "1"},
        {"parameter": "t1", "why": "no verdict", "values": 1, "of": 30, "qids": "1"},
    ]
    assert qm.left_out(series, first, second, qids=["1"])["of"].tolist() == [10, 10]
    assert qm.left_out(series[series["qid"] == "0"], judged).empty
    kept = qm.reliable_only(stored(series), first, second)
    assert kept["timeseries"]["v"].isna().sum() == 11
    assert qm.left_out(series, judged.iloc[:0])["why"].tolist() == ["no verdict"]


def test_a_newest_value_that_is_left_out_is_no_newest_value(series: pd.DataFrame, verdicts: pd.DataFrame) -> None:
    newest = pd.DataFrame({"qid": ["0", "1", "2"], "latest": [60.0, 60.0, 60.0], "age_days": 1.0})
    kept = qm.reliable_only({"timeseries": series, "qubits": newest, "parameter_name": "t1"}, verdicts)
    assert kept["qubits"]["latest"].isna().tolist() == [False, False, True]
    assert newest["latest"].notna().all()


def test_a_parameter_is_left_out_and_never_its_neighbours() -> None:
    """Of a Ramsey curve whose window is short for T2*, the frequency stays, and the qubit frequency that follows."""
    x = np.linspace(0.0, 2.0, 101)
    y = 0.5 + 0.4 * np.exp(-x / 9) * np.cos(2 * np.pi * 10 * x) + 0.01 * np.random.default_rng(3).standard_normal(101)
    audited = qm.audit([qm.Curve("CheckRamsey", "7", x, y, "μs", task_id="one")])
    assert audited["unreliable"].tolist() == ["t2_star: WINDOW_TOO_SHORT"]
    names = ["t2_star", "ramsey_frequency", "qubit_frequency", "t1"]
    values = pd.DataFrame({"qid": "7", "parameter": names, "value": [9.0, 10.0, 5.1, 40.0], "task_id": "one"})
    kept = qm.reliable_only(values, audited)
    assert kept["value"].isna().tolist() == [True, False, False, False]
    told = qm.left_out(values, audited)
    assert told[["parameter", "why"]].to_numpy().tolist() == [["t2_star", "WINDOW_TOO_SHORT"]]
    series = values[:1].rename(columns={"value": "v"}).drop(columns="parameter")
    of_frequency = {"timeseries": series, "qubits": pd.DataFrame({"qid": ["7"], "latest": [10.0]})}
    kept = qm.reliable_only(of_frequency | {"parameter_name": "ramsey_frequency"}, audited)
    assert kept["timeseries"]["v"].notna().all()


def test_a_curve_without_a_fit_supports_none_of_its_parameters() -> None:
    audited = qm.audit([qm.Curve("CheckT1", "7", np.arange(3.0), np.arange(3.0), "μs", task_id="one")])
    values = pd.DataFrame({"qid": "7", "parameter": ["t1"], "value": [40.0], "task_id": "one"})
    assert qm.reliable_only(values, audited)["value"].isna().all()

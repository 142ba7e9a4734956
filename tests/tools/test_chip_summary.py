from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from demo_chip import DemoChip

from tests.tools import plain_truth
from tests.tools.plain_truth import current
from tests.tools.qdash_documents import a_chip, ago, document
from tests.tools.toolbench import Tools, told_rows


def test_every_value_with_its_date(demo: DemoChip, tools: Tools) -> None:
    content = tools.content("get_chip_summary")
    stored = tools.store["chip_summary"]
    expected = [
        (qid, parameter, record)
        for qid, data in sorted(current(demo).items(), key=lambda item: int(item[0]))
        for parameter, record in sorted(data.items())
    ]
    rows = list(stored["values"].itertuples())
    assert [(row.qid, row.parameter) for row in rows] == [(qid, parameter) for qid, parameter, _ in expected]
    for row, (_, parameter, record) in zip(rows, expected, strict=True):
        value = plain_truth.value_of(parameter, record)
        assert math.isnan(row.value) if value is None else row.value == value
        assert (row.error, row.unit, row.execution_id, row.task_id) == (
            record["error"],
            record["unit"],
            record["execution_id"],
            record["task_id"],
        )
        assert row.calibrated_at.to_pydatetime() == record["calibrated_at"]
        age = (demo.as_of - record["calibrated_at"]).total_seconds() / 86_400
        assert row.age_days == pytest.approx(age, abs=5.1e-4)
    assert content["data_key"] == "chip_summary"
    assert content["values"]["_rows"] == len(rows)


def test_the_wide_table_has_a_row_a_qubit_in_order(demo: DemoChip, tools: Tools) -> None:
    tools.content("get_chip_summary")
    stored = tools.store["chip_summary"]
    wide = stored["qubits"]
    assert list(wide["qid"]) == [str(q) for q in range(64)]
    kept = current(demo)
    parameters = sorted({name for data in kept.values() for name in data})
    assert list(wide.columns) == ["qid", *parameters]
    for row in wide.to_dict("records"):
        data = kept[row["qid"]]
        for name in parameters:
            value = plain_truth.value_of(name, data[name]) if name in data else None
            assert math.isnan(row[name]) if value is None else row[name] == value, (row["qid"], name)
    assert stored.frame is wide
    assert wide.attrs["units"]["t1"] == "μs"
    assert wide.attrs["units"]["qubit_frequency"] == "GHz"
    assert stored["values"].attrs["units"] == {"age_days": "d"}
    assert (stored["chip_id"], stored["num_qubits"]) == ("64Q-demo", 64)
    assert stored["as_of"].to_pydatetime() == demo.as_of


def test_zero_of_a_failed_fit_is_missing_and_the_excluded_outlier_is_no_value(demo: DemoChip, tools: Tools) -> None:
    tools.content("get_chip_summary")
    t1 = tools.store["chip_summary"]["qubits"].set_index("qid")["t1"]
    (zero,) = demo.truth.zero_now
    assert current(demo)[zero]["t1"]["value"] == 0
    assert math.isnan(t1[zero])
    assert not (t1 == 0).any()
    assert t1.max() < 1000


def test_the_newest_result_that_counts_stands_for_an_excluded_one(demo: DemoChip, tools: Tools) -> None:
    (qid,) = demo.truth.excluded_now
    content = tools.content("get_chip_summary")
    assert content["flagged"] == {f"{qid} t1": "excluded: 9999 μs, The fit ran away: 9999 μs is its upper bound."}
    values = tools.store["chip_summary"]["values"]
    (row,) = values[(values["qid"] == qid) & (values["parameter"] == "t1")].to_dict("records")
    expected = current(demo)[qid]["t1"]
    assert (row["value"], row["task_id"]) == (expected["value"], expected["task_id"])
    assert row["calibrated_at"].to_pydatetime() == expected["calibrated_at"] < demo.as_of - timedelta(days=1)
    (one,) = told_rows(tools.content("get_qubit_params", qid=qid, param_names=["t1"]))
    assert one["flag"] == content["flagged"][f"{qid} t1"]
    assert one["value"] == pytest.approx(expected["value"], rel=5.1e-4)
    two = tools.content("compare_qubits", qids=[qid, "0"], param_names=["t1"])
    assert two["qubits"][qid]["t1"] == one["value"]
    assert two["flagged"] == content["flagged"]


def test_values_of_another_cool_down_are_named(tools_on: Callable[..., Tools]) -> None:
    old, now = {"t1": {"value": 40.0, "calibrated_at": ago(20)}}, {"t1": {"value": 50.0, "calibrated_at": ago(2)}}
    older = {"t2_echo": {"value": 40.0, "calibrated_at": ago(90)}, "t2_star": {"value": 0, "calibrated_at": ago(20)}}
    documents = a_chip(3, current_cooldown_id="2026-002") | {
        "qubit": [document(qid=str(qid), data=data) for qid, data in enumerate([old, now | older, now])],
        "cooldown": [
            document(cooldown_id="2026-001", chip_ids=["c"], started_at=ago(30), ended_at=ago(10)),
            document(cooldown_id="2026-002", chip_ids=["c"], started_at=ago(5), ended_at=None),
        ],
    }
    tools = tools_on(documents)
    assert tools.content("get_chip_summary")["other_cooldowns"] == {"2026-001": ["0"], "none": ["1 t2_echo"]}
    assert list(tools.store["chip_summary"]["values"]["cooldown_id"]) == [
        *("2026-001", "2026-002", "", "2026-001", "2026-002")
    ]
    documents["chip"][0]["current_cooldown_id"] = None
    assert "other_cooldowns" not in tools_on(documents).content("get_chip_summary")
    documents["chip"][0]["current_cooldown_id"] = "not on record"
    assert "other_cooldowns" not in tools_on(documents).content("get_chip_summary")


def test_statistics_are_over_the_values_that_there_are(demo: DemoChip, tools: Tools) -> None:
    content = tools.content("get_chip_summary")
    stored = tools.store["chip_summary"]
    for name, found in stored["statistics"].items():
        records = [data[name] for data in current(demo).values() if name in data]
        numbers = [v for record in records if (v := plain_truth.value_of(name, record)) is not None]
        assert found == {
            "mean": pytest.approx(statistics.fmean(numbers), rel=5.1e-4),
            "median": pytest.approx(statistics.median(numbers), rel=5.1e-4),
            "stdev": pytest.approx(statistics.stdev(numbers), rel=5.1e-4, abs=1e-12),
            "min": pytest.approx(min(numbers), rel=5.1e-4),
            "max": pytest.approx(max(numbers), rel=5.1e-4),
            "count": len(numbers),
        }, name
    assert stored["statistics"]["t1"]["count"] == 61
    shown = content["statistics"]
    assert shown.pop("_columns") == ["median", "min", "max", "count"]
    more = shown.pop("_more", 0)
    assert len(shown) + more == len(stored["statistics"])
    assert all(shown[name][0] == stored["statistics"][name]["median"] for name in shown)
    assert list(shown)[:5] == ["t1", "t2_echo", "t2_star", "average_readout_fidelity", "x90_gate_fidelity"]


def test_what_stands_out_is_named(demo: DemoChip, tools: Tools) -> None:
    content = tools.content("get_chip_summary")
    assert content["no_values"] == list(demo.truth.dead)
    assert set(content["oldest"]) == set(demo.truth.stale)
    assert set(content["worse_than_bad"]["average_readout_fidelity %"]) == set(demo.truth.low_readout)
    assert set(content["worse_than_bad"]["x90_gate_fidelity %"]) == set(demo.truth.low_gate)
    for qid, shown in content["worse_than_bad"]["average_readout_fidelity %"].items():
        assert shown == pytest.approx(100 * current(demo)[qid]["average_readout_fidelity"]["value"], rel=5.1e-4)
        assert shown < 85


def test_only_the_parameters_asked_for(tools: Tools) -> None:
    content = tools.content("get_chip_summary", param_names=["T1", "t2 echo"])
    assert content["qubits"]["_schema"] == ["qid", "t1:μs", "t2_echo:μs"]
    assert set(tools.store["chip_summary"]["values"]["parameter"]) == {"t1", "t2_echo"}


def test_an_empty_list_of_parameters_asks_for_all(tools: Tools) -> None:
    assert len(tools.content("get_chip_summary", param_names=[])["qubits"]["_schema"]) > 10


def test_an_unknown_parameter_names_the_nearest(tools: Tools) -> None:
    failure = tools.failure("get_chip_summary", param_names=["t1", "t2_ecko"])
    assert failure["kind"] == "not_found"
    assert "'t2_ecko'" in failure["error"]
    assert failure["try_instead"].startswith("Did you mean t2_echo")


def test_a_chip_before_its_first_calibration(tools_on: Callable[..., Tools]) -> None:
    chip = {"_id": "0" * 24, "project_id": "p", "chip_id": "new", "size": 4, "topology_id": None}
    qubits = [{"_id": f"{q:024x}", "project_id": "p", "chip_id": "new", "qid": str(q), "data": {}} for q in range(4)]
    tools = tools_on({"chip": [chip], "qubit": qubits})
    content = tools.content("get_chip_summary")
    assert content["no_values"] == ["0", "1", "2", "3"]
    assert list(tools.store["chip_summary"]["qubits"]["qid"]) == ["0", "1", "2", "3"]
    assert tools.store["chip_summary"]["values"].empty


def test_a_chip_without_qubits(tools_on: Callable[..., Tools]) -> None:
    chip = {"_id": "0" * 24, "project_id": "p", "chip_id": "none", "size": 4, "topology_id": None}
    assert tools_on({"chip": [chip]}).failure("get_chip_summary")["kind"] == "no_data"


def test_dates_that_nobody_knows(tools_on: Callable[..., Tools]) -> None:
    chip = {"_id": "0" * 24, "project_id": "p", "chip_id": "old", "size": 4, "topology_id": None}
    data = {"t1": 50.5, "t2_echo": {"value": 60.5, "unit": "μs", "calibrated_at": datetime(2026, 5, 1, tzinfo=UTC)}}
    qubit = {"_id": "1" * 24, "project_id": "p", "chip_id": "old", "qid": "0", "data": data}
    tools = tools_on({"chip": [chip], "qubit": [qubit]})
    content = tools.content("get_chip_summary")
    bare, record = tools.store["chip_summary"]["values"].to_dict("records")
    assert (bare["value"], bare["calibrated_at"] is pd.NaT, math.isnan(bare["age_days"])) == (50.5, True, True)
    assert record["age_days"] == 60
    assert content["oldest"] == {"0": "60 d"}

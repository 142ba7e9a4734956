from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from datetime import UTC, datetime

import pandas as pd
import pytest
from demo_chip import DemoChip

from qdash_jupyter.domain.metrics import MetricTable
from tests.tools import plain_truth
from tests.tools.plain_truth import current
from tests.tools.qdash_documents import a_chip, ago, document
from tests.tools.toolbench import Tools


def test_the_wide_table_has_a_column_a_parameter_in_order_with_units(demo: DemoChip, tools: Tools) -> None:
    content = tools.content("get_chip_summary")
    stored = tools.store["chip_summary"]
    wide = stored["qubits"]
    assert list(wide.columns) == ["qid", "mux", *sorted({name for data in current(demo).values() for name in data})]
    assert content["values"]["_rows"] == len(stored["values"])
    assert stored.frame is wide
    assert wide.attrs["units"]["t1"] == "μs"
    assert wide.attrs["units"]["qubit_frequency"] == "GHz"
    assert stored["values"].attrs["units"] == {"age_days": "d"}
    assert (stored["chip_id"], stored["num_qubits"]) == ("64Q-demo", 64)
    assert stored["as_of"].to_pydatetime() == demo.as_of


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
    more = content.get("_more", {}).get("statistics", 0)
    scored = [name for name in stored["statistics"] if MetricTable().of(name).scoring is not None]
    assert len(shown) + more == len(scored), "those with thresholds; of the others the tables know"
    assert all(shown[name][0] == stored["statistics"][name]["median"] for name in shown)
    assert list(shown)[:5] == ["t1", "t2_echo", "t2_star", "average_readout_fidelity", "x90_gate_fidelity"]


def test_thresholds_are_in_the_unit_of_the_data(tools: Tools) -> None:
    """A gate fidelity is shown in % and stored as a fraction."""
    content = tools.content("get_chip_summary")
    values = tools.store[content["data_key"]]["values"]
    (asked,) = [one for one in content["worse_than_bad"] if one.startswith("x90_gate_fidelity")]
    limit = float(asked.split()[2])
    assert MetricTable().of("x90_gate_fidelity").scale == 100
    assert 0.5 < limit < 1
    fidelities = values[values["parameter"] == "x90_gate_fidelity"]
    worse = fidelities.loc[fidelities["value"] < limit, "qid"]
    assert 0 < len(worse) < len(fidelities)
    assert set(content["worse_than_bad"][asked]) <= set(worse)


def test_what_stands_out_is_named(demo: DemoChip, tools: Tools) -> None:
    content = tools.content("get_chip_summary")
    assert content["no_values"] == list(demo.truth.dead)
    assert set(content["oldest"]) == set(demo.truth.stale)
    # Limits and values as the data have them: a fidelity is a fraction.
    worse = content["worse_than_bad"]
    assert set(worse["average_readout_fidelity < 0.85"]) == set(demo.truth.low_readout)
    assert set(worse["x90_gate_fidelity < 0.98"]) == set(demo.truth.low_gate)
    for qid, shown in worse["average_readout_fidelity < 0.85"].items():
        assert shown == pytest.approx(current(demo)[qid]["average_readout_fidelity"]["value"], rel=5.1e-4)
        assert shown < 0.85


def test_only_the_parameters_asked_for(tools: Tools) -> None:
    content = tools.content("get_chip_summary", param_names=["T1", "t2 echo"])
    assert content["qubits"]["_schema"] == ["qid", "mux", "t1:μs", "t2_echo:μs"]
    assert set(tools.store["chip_summary"]["values"]["parameter"]) == {"t1", "t2_echo"}


def test_an_empty_list_of_parameters_asks_for_all(tools: Tools) -> None:
    assert len(tools.content("get_chip_summary", param_names=[])["qubits"]["_schema"]) > 10


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

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from demo_chip import DemoChip

from qdash_jupyter.domain.metrics import MetricTable
from tests.data.conformance.documents import T0, chip, element, record, result
from tests.tools import plain_truth
from tests.tools.toolbench import Tools, told_rows

TOOL = "get_qubit_params"
AS_OF = datetime(2026, 6, 30, tzinfo=UTC)


def rounded(value: float, error: float = math.inf) -> float:
    """To four digits, or to the error's second one."""
    sizes = (one for one in (error / 10, value / 1000) if math.isfinite(one) and one)
    return round(value, max((-Decimal(repr(one)).adjusted() for one in sizes), default=0))


def as_the_model_reads_it(parameter: str, stored: dict[str, Any], now: datetime) -> dict[str, Any]:
    value = plain_truth.value_of(parameter, stored)
    at = stored["calibrated_at"]
    return {
        "parameter": parameter,
        "value": None if value is None else rounded(value, stored["error"]),
        "unit": stored["unit"] or "a.u.",  # of an amplitude QDash may write none
        "error": rounded(stored["error"]) or None,  # QDash writes 0 for none
        "calibrated_at": f"{at:%Y-%m-%d %H:%M}",
        "age_days": pytest.approx((now - at) / timedelta(days=1), abs=0.051),
        "execution_id": stored["execution_id"],
    }


def told(tools: Tools, **arguments: Any) -> dict[str, dict[str, Any]]:
    return {row["parameter"]: row for row in told_rows(tools.content(TOOL, **arguments))}


def without_flags(found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {k: said for k, said in one.items() if k != "flag"} for name, one in found.items()}


@pytest.mark.parametrize("qid", ["7", "17", "63"])
def test_every_parameter_with_unit_error_date_age_and_its_task(demo: DemoChip, tools: Tools, qid: str) -> None:
    (data,) = [document["data"] for document in demo.documents["qubit"] if document["qid"] == qid]
    assert without_flags(told(tools, qid=qid)) == {
        n: as_the_model_reads_it(n, r, demo.as_of) for n, r in sorted(data.items())
    }


def test_a_zero_that_may_be_one_is_a_number(tools_on: Callable[..., Tools]) -> None:
    data = {"ramsey_frequency": record(0, unit="MHz"), "x90_gate_fidelity": record(0, unit="a.u.")}
    found = told(tools_on({"chip": [chip()], "qubit": [element("0", data)]}), qid=0)
    assert (found["ramsey_frequency"]["value"], found["ramsey_frequency"]["flag"]) == (
        0,
        "suspicious: error > value",
    )
    assert (found["x90_gate_fidelity"]["value"], found["x90_gate_fidelity"]["flag"]) == (None, "no fit")


@pytest.mark.parametrize("others", [[], [("a", 30.0)], [("a", 30.0), ("b", 44.0)]])
def test_an_excluded_result_is_no_current_value(
    tools_on: Callable[..., Tools], others: list[tuple[str, float]]
) -> None:
    excluded = result("0", {"t1": record(9999.0)}, T0 + timedelta(hours=9), task_id="x") | {
        "excluded": True,
        "excluded_reason": "spike",
    }
    results = [
        result("0", {"t1": record(v)}, T0 + timedelta(hours=n), task_id=name)
        for n, (name, v) in enumerate(others, start=1)
    ]
    data = {"t1": record(9999.0, task_id="x")}
    documents = {"chip": [chip()], "qubit": [element("0", data)], "task_result_history": [*results, excluded]}
    tools = tools_on(documents)
    found = told(tools, qid="0")["t1"]
    assert (found["value"], found["flag"]) == (others[-1][1] if others else None, "excluded: 9999 μs, spike")
    if others:
        assert list(tools.store["qubit_0"].frame["task_id"]) == [others[-1][0]]


def test_a_long_reason_of_an_exclusion_is_cut(tools_on: Callable[..., Tools]) -> None:
    excluded = {"excluded": True, "excluded_reason": "ab" * 75}
    results = [result("0", {"t1": record(9999.0)}, T0, task_id="x") | excluded]
    data = {"t1": record(9999.0, task_id="x")}
    tools = tools_on({"chip": [chip()], "qubit": [element("0", data)], "task_result_history": results})
    assert told(tools, qid="0")["t1"]["flag"] == f"excluded: 9999 μs, {'ab' * 50}… (+50 characters)"


def test_what_is_hard_to_believe_is_said_and_kept(tools_on: Callable[..., Tools]) -> None:
    data = {"t1": record(30.0), "t2_echo": record(75.0), "t2_star": record(10.0, error=11.0)}
    tools = tools_on({"chip": [chip()], "qubit": [element("0", data)]})
    found = told(tools, qid="0", param_names=["t2_echo", "t2_star"])
    assert list(found) == ["t2_echo", "t2_star"]
    assert (found["t2_echo"]["value"], found["t2_echo"]["flag"]) == (75, "suspicious: > 2·T1 = 60 μs")
    assert (found["t2_star"]["value"], found["t2_star"]["flag"]) == (10, "suspicious: error > value")


def test_what_is_outside_of_the_lab_s_band_is_marked_and_kept(tools_on: Callable[..., Tools]) -> None:
    inside = {"qubit_frequency": record(5.1, unit="GHz"), "t2_star": record(0), "cr_length": record(90.0, unit="ns")}
    outside = {"qubit_frequency": record(5_100.5, unit="MHz"), "x90_gate_fidelity": record(0.2, unit="a.u.", error=0.1)}
    qubits = [element("0", inside), element("1", outside)]
    reader = tools_on({"chip": [chip()], "qubit": qubits}).toolbox.context.reader
    bands = {"qubit_frequency": (4.2, 5.1), "x90_gate_fidelity": (50.0, 100.0), "t2_star": (1.0, 99.0)}
    tools = Tools(reader, metrics=MetricTable(bands=bands))
    found = told(tools, qid="1")
    assert (found["qubit_frequency"]["value"], found["qubit_frequency"]["flag"]) == (
        *(5.1005, "suspicious: ∉ [4.2, 5.1] GHz"),
    )
    assert found["x90_gate_fidelity"]["flag"] == "suspicious: ∉ [50, 100] %"
    assert {one["flag"] for one in told(tools, qid="0").values()} == {"", "no fit"}
    summary = tools.content("get_chip_summary")["flagged"]
    assert summary["1 qubit_frequency"] == found["qubit_frequency"]["flag"]
    assert len(tools.content("compare_qubits", qids=["0", "1"])["flagged"]) == len(summary) == 2
    assert "flagged" not in Tools(reader).content("get_chip_summary")


def test_only_the_parameters_asked_for(tools: Tools) -> None:
    assert list(told(tools, qid="7", param_names=["T2 echo", "t1", "t1"])) == ["t1", "t2_echo"]


def test_a_parameter_that_only_other_qubits_have_was_never_calibrated_here(tools_on: Callable[..., Tools]) -> None:
    qubits = [element("0", {"t1": record(50.0)}), element("1", {"t1": record(50.0), "t2_echo": record(60.0)})]
    tools = tools_on({"chip": [chip()], "qubit": qubits})
    found = tools.told(TOOL, qid="0", param_names=["t1", "t2_echo"])
    assert [(row["parameter"], row["value"]) for row in told_rows(found)] == [("t1", 50)]
    assert found["never_calibrated"] == "t2_echo"
    alone = tools_on({"chip": [chip()], "qubit": qubits}).failure(TOOL, qid="0", param_names=["t2_echo"])
    assert (alone["kind"], alone["try_instead"]) == ("no_data", "Parameters with current values: t1.")


def test_a_dead_qubit_was_never_calibrated(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, qid=demo.truth.dead[0])
    assert failure["kind"] == "no_data"
    assert failure["error"] == f"Never calibrated on chip 64Q-demo: qubit {demo.truth.dead[0]}."
    assert failure["try_instead"] == "There are no results."


def test_results_without_a_current_value_are_pointed_to(tools_on: Callable[..., Tools]) -> None:
    documents = {
        "chip": [chip()],
        "qubit": [element("0", {})],
        "task_result_history": [result("0", {"t1": record(50.0)})],
    }
    failure = tools_on(documents).failure(TOOL, qid="0")
    assert failure["kind"] == "no_data"
    assert "t1" in failure["try_instead"]


def test_where_the_numbers_come_from(demo: DemoChip, tools: Tools) -> None:
    (data,) = [document["data"] for document in demo.documents["qubit"] if document["qid"] == "7"]
    result = tools.result(TOOL, qid="7")
    assert tools.content(TOOL, qid="7")["parameters"]["not_shown"] == ["task_id"]
    assert tools.store["qubit_7"].frame.attrs["units"] == {"age_days": "d"}
    (source,) = result.sources
    assert (source.collection, source.count) == ("qubit", len(data))
    assert set(source.ids) <= {one["task_id"] for one in data.values()}


def test_many_parameters_are_stored_and_each_still_has_its_line(tools_on: Callable[..., Tools]) -> None:
    data = {f"parameter_{n:02d}": record(n + 0.123456, unit="MHz", calibrated_at=AS_OF) for n in range(45)}
    tools = tools_on({"chip": [chip()], "qubit": [element("0", data)]})
    result = tools.asked(TOOL, qid="0")
    content = json.loads(result.content)
    assert len(result.content) <= 600 + 60 * 45
    assert content["data_key"] == result.frame_key == "qubit_0"
    assert len(content["current"]) == 45
    assert content["current"]["parameter_07"] == "7.12 ± 0.50 MHz, 0.0 d"
    assert len(tools.store["qubit_0"].frame) == 45

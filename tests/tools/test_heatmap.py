from __future__ import annotations

import json
import math
import statistics
from datetime import timedelta
from typing import Any

import pytest
from plain_truth import by_qid, measurements, values
from toolbench import Tools

from qdash_jupyter.data.demo import DemoChip
from qdash_jupyter.domain.answer import ChartBlock

TOOL = "generate_chip_heatmap"


def place(qid: int, grid: int = 8) -> tuple[int, int]:
    """Section 8 of the facts, once more and by itself."""
    mux, k, m = qid // 4, qid % 4, grid // 2
    return 2 * (mux // m) + k // 2, 2 * (mux % m) + k % 2


def figure_of(tools: Tools, **arguments: Any) -> dict[str, Any]:
    (block,) = tools.result(TOOL, **arguments).blocks
    assert isinstance(block, ChartBlock)
    figure: dict[str, Any] = block.figure()
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure, "only JSON values"
    return figure


def picked(demo: DemoChip, metric: str, mode: str, hours: float | None = None) -> dict[str, float]:
    since = demo.as_of - timedelta(hours=hours) if hours else demo.as_of - timedelta(days=9999)
    groups = by_qid([one for one in measurements(demo, metric) if one.at >= since and one.value is not None])
    choose = {"latest": lambda v: v[-1], "best": max, "average": statistics.fmean}[mode]
    return {qid: choose(values(group)) for qid, group in groups.items()}


@pytest.mark.parametrize("mode", ["latest", "best", "average"])
@pytest.mark.parametrize(("metric", "scale", "unit"), [("t1", 1, "μs"), ("average_readout_fidelity", 100, "%")])
def test_each_qubit_stands_at_its_place_on_the_displayed_scale(  # noqa: PLR0917 - its parameters
    demo: DemoChip, tools: Tools, metric: str, scale: float, unit: str, mode: str
) -> None:
    figure = figure_of(tools, metric_name=metric, selection_mode=mode)
    z = figure["data"][0]["z"]
    expected = picked(demo, metric, mode)
    assert [len(row) for row in z] == [8] * 8
    for qid in range(64):
        row, col = place(qid)
        value = expected.get(str(qid))
        assert z[row][col] == (None if value is None else pytest.approx(scale * value)), qid
    assert figure["data"][0]["colorbar"]["title"]["text"] == unit
    assert unit in figure["layout"]["title"]["text"]
    assert figure["layout"]["yaxis"]["autorange"] == "reversed"


def test_the_best_anharmonicity_is_the_smallest_and_a_metric_without_a_best_shows_its_latest(
    demo: DemoChip, tools: Tools
) -> None:
    groups = by_qid(measurements(demo, "anharmonicity"))
    z = figure_of(tools, metric_name="anharmonicity", selection_mode="best")["data"][0]["z"]
    row, col = place(7)
    assert z[row][col] == pytest.approx(1000 * min(values(groups["7"])))
    z = figure_of(tools, metric_name="hpi_amplitude", selection_mode="best")["data"][0]["z"]
    assert z[row][col] == values(by_qid(measurements(demo, "hpi_amplitude"))["7"])[-1]


@pytest.mark.parametrize("hours", [24, 24.5, 720])
def test_only_the_last_hours(demo: DemoChip, tools: Tools, hours: float) -> None:
    content = tools.content(TOOL, metric_name="t1", within_hours=hours)
    expected = picked(demo, "t1", "latest", hours)
    assert content["statistics"]["count"] == len(expected)
    assert content["missing_qubits"] == [str(q) for q in range(64) if str(q) not in expected]
    assert set(demo.truth.stale) <= set(content["missing_qubits"])


def test_statistics_for_the_model(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, metric_name="average_readout_fidelity")
    shown = [100 * value for value in picked(demo, "average_readout_fidelity", "latest").values()]
    assert content["statistics"] == {
        "count": 62,
        "total_qubits": 64,
        "coverage": "96.9%",
        "median": pytest.approx(statistics.median(shown)),
        "mean": pytest.approx(statistics.fmean(shown)),
        "min": pytest.approx(min(shown)),
        "max": pytest.approx(max(shown)),
        "unit": "%",
    }
    assert content["missing_qubits"] == list(demo.truth.dead)
    assert content["status"] == "success"
    assert "data" not in content


def test_the_table_behind_the_picture(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, metric_name="t1", selection_mode="average")
    table = tools.store[content["data_key"]]["heatmap"]
    groups = by_qid(measurements(demo, "t1"))
    assert set(table["qid"]) == set(groups)
    for row in table.itertuples():
        numbers = values(groups[row.qid])
        assert (row.row, row.col) == place(int(row.qid))
        assert row.value == pytest.approx(statistics.fmean(numbers))
        assert row.error == pytest.approx(statistics.stdev(numbers))
    assert table.attrs["units"] == {"value": "μs", "error": "μs"}


def test_text_and_hover_name_the_qubit(demo: DemoChip, tools: Tools) -> None:
    trace = figure_of(tools, metric_name="t1")["data"][0]
    row, col = place(7)
    assert trace["text"][row][col].startswith("7<br>")
    assert trace["hovertext"][row][col].startswith("Q07<br>")
    assert trace["hovertext"][row][col].endswith(" UTC")
    dead_row, dead_col = place(int(demo.truth.dead[0]))
    assert trace["hovertext"][dead_row][dead_col] == f"Q{int(demo.truth.dead[0]):02d}<br>not measured"


@pytest.mark.parametrize("name", ["T1", "t2 echo", "T2-Echo", "average readout fidelity"])
def test_names_as_people_write_them(tools: Tools, name: str) -> None:
    assert tools.content(TOOL, metric_name=name)["status"] == "success"


def test_an_unknown_metric_names_the_nearest(tools: Tools) -> None:
    failure = tools.failure(TOOL, metric_name="readout_fidelity")
    assert failure["kind"] == "not_found"
    assert "average_readout_fidelity" in failure["try_instead"]
    assert tools.failure(TOOL, metric_name="zx90_gate_fidelity")["kind"] == "not_found", "a coupling's metric"


def test_a_window_without_results_says_when_the_last_was(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, metric_name="t1", within_hours=0.00001)
    assert failure["kind"] == "no_data"
    assert f"{measurements(demo, 't1')[-1].at:%Y-%m-%d %H:%M} UTC" in failure["try_instead"]


def test_a_metric_that_was_never_measured(tools: Tools) -> None:
    failure = tools.failure(TOOL, metric_name="t1_average", within_hours=24)
    assert failure["kind"] == "no_data"
    assert "ever" in failure["error"]


def test_qubits_outside_the_grid_are_left_out(tools_on: Any) -> None:
    def result(qid: str, value: float) -> dict[str, Any]:
        output = {"t1": {"value": value, "error": math.nan, "unit": "μs"}}
        scope = {
            "project_id": "p",
            "chip_id": "c",
            "qid": qid,
            "status": "completed",
            "task_id": qid,
            "name": "CheckT1",
        }
        return {"_id": f"{int(qid):024x}", **scope, "start_at": "2026-06-29T00:00:00Z", "output_parameters": output}

    chip = {"_id": "a" * 24, "project_id": "p", "chip_id": "c", "size": 16, "topology_id": "square-lattice-mux-16"}
    stray = tools_on({"chip": [chip], "task_result_history": [result("99", 50.0)]})
    assert stray.failure(TOOL, metric_name="t1")["kind"] == "no_data"
    both = tools_on({"chip": [chip], "task_result_history": [result("99", 50.0), result("3", 60.0)]})
    z = figure_of(both, metric_name="t1")["data"][0]["z"]
    assert z[1][1] == 60.0
    assert sum(value is not None for row in z for value in row) == 1


def test_a_topology_that_is_not_known(tools_on: Any) -> None:
    chip = {"_id": "a" * 24, "project_id": "p", "chip_id": "c", "size": 27, "topology_id": "heavy-hex-27"}
    failure = tools_on({"chip": [chip]}).failure(TOOL, metric_name="t1")
    assert failure["kind"] == "no_data"
    assert "heavy-hex-27" in failure["error"]

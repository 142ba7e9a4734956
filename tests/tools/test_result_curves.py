"""The curves behind results, from files as QDash writes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect.sources import calib_data_of
from qdash_jupyter.data.calib_data import CalibFolder
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.answer import ChartBlock
from qdash_jupyter.methods import audit
from qdash_jupyter.tools import result_curves
from tests.data.curves.qdash_files import QDashFiles, decay_figure
from tests.tools.qdash_documents import a_chip, task
from tests.tools.toolbench import Tools

X = np.linspace(0.1, 200, 51)


NOISE = np.random.default_rng(3).normal(0, 0.01, len(X))


def decay(t1: float) -> Any:
    return 0.9 * np.exp(-X / t1) + 0.05 + NOISE


@pytest.fixture
def lab(tmp_path: Path, opened: Callable[..., SnapshotReader]) -> Tools:
    files = QDashFiles(tmp_path / "calib_data")

    def t1(value: float, days_ago: float, **more: Any) -> dict[str, Any]:
        figure = decay_figure(X, decay(value), decay(value))
        paths = files.save_figures([figure], "CheckT1", "3")
        raw = files.save_raw([decay(value) * np.exp(0.3j)], "CheckT1", "3")
        fields = {"json_figure_path": list(paths), "raw_data_path": list(raw), **more}
        return task("CheckT1", "3", days_ago, {"t1": value}, **fields)

    chevron = go.Figure(go.Heatmap(x=[0, 10, 20], y=[7.9, 8.0], z=[[0, 1, 0], [1, 0, 1]]))
    chevron.update_layout(xaxis_title="Time (ns)", yaxis_title="Frequency (GHz)")
    results = [
        t1(60, 1, task_id="newest"),
        t1(50, 2, task_id="failed", status="failed", output_parameters={}),
        t1(40, 3, task_id="excluded", excluded=True),
        task("CheckT1", "4", 1, {"t1": 30}, task_id="bare"),
        task("CheckT1", "5", 1, {"t1": 30}, task_id="lost", json_figure_path=["/app/calib_data/lost.json"]),
        task(
            "CheckChevron",
            "3",
            1,
            task_id="map",
            json_figure_path=list(files.save_figures([chevron], "CheckChevron", "3")),
        ),
    ]
    reader = opened("snapshot", a_chip() | {"task_result_history": results})
    return Tools(reader, calib_data=CalibFolder(tmp_path / "calib_data"))


def test_the_newest_result_is_told_in_few_numbers_and_kept_as_points(lab: Tools) -> None:
    result = lab.result("get_result_curves", task_name="check_t1", qid="Q03")
    content = json.loads(result.content)
    (told,) = content["results"]
    assert told["task_id"] == "newest"
    assert told["data"] == [
        {"figure": 1, "trace": "Data", "points": 51, "x": [0.1, 200], "x_unit": "μs", "y": told["data"][0]["y"]}
        | {"y_unit": "a.u."}
    ]
    assert told["data"][0]["y"] == pytest.approx([decay(60).min(), decay(60).max()], rel=1e-3)
    assert told["fit"] == "reliable"
    assert told["values"]["t1"]["stored"] == "60.00 ± 0.50 μs"
    assert told["values"]["t1"]["sigmas_apart"] < 3
    assert len(json.dumps(told, ensure_ascii=False)) <= 600
    (chart,) = result.blocks
    assert isinstance(chart, ChartBlock)
    assert {trace["name"] for trace in chart.data} == {"points", "stored fit", "new fit", "residual"}
    stored = lab.store[content["data_key"]]
    points = stored["points"]
    np.testing.assert_array_equal(points[points["role"] == "data"]["y"], decay(60))
    assert list(stored["outputs"][["parameter", "value", "unit"]].iloc[0]) == ["t1", 60, "μs"]
    assert list(stored["results"]["task_name"]) == ["CheckT1"]
    raw = stored["raw"]
    np.testing.assert_allclose(raw["real"] + 1j * raw["imag"], decay(60) * np.exp(0.3j))


def test_the_history_holds_failed_and_excluded_results_marked(lab: Tools) -> None:
    content = lab.content("get_result_curves", task_name="CheckT1", qid="3", last_n=5)
    assert [(one["task_id"], one["status"], one.get("excluded", False)) for one in content["results"]] == [
        ("newest", "completed", False),
        ("failed", "failed", False),
        ("excluded", "completed", True),
    ]
    points = lab.store[content["data_key"]]["points"]
    assert list(points["task_id"].unique()) == ["newest", "failed", "excluded"]


def test_one_result_is_named_by_its_id(lab: Tools) -> None:
    content = lab.content("get_result_curves", task_id="failed")
    assert [one["task_id"] for one in content["results"]] == ["failed"]
    assert "no task ID 'none'" in lab.failure("get_result_curves", task_id="none")["error"]


def test_which_results_has_to_be_said(lab: Tools) -> None:
    assert "task_name (and qid), or task_id" in json.dumps(lab.failure("get_result_curves", qid="3"))


def test_a_task_on_the_whole_chip_is_judged_result_by_result(lab: Tools) -> None:
    content = lab.content("get_result_curves", task_name="CheckT1", since="5d")
    assert content["curves"] == 3
    assert content["fits"] == {"reliable": 3}
    assert content["failed_with_a_signal"] == "3"
    assert content["without_points"] == 2
    assert "lost.json" in content["left_out"]["text"]
    table = lab.store[content["data_key"]]["verdicts"]
    assert list(table["task_id"]) == ["newest", "failed", "excluded"]
    assert list(table["parameter"]) == ["t1"] * 3
    np.testing.assert_allclose(table["refit"], [60, 50, 40], rtol=0.05)
    newest = lab.content("get_result_curves", task_name="CheckT1")
    assert newest["curves"] == 1
    assert "only_newest" not in content | newest


def test_where_there_are_more_results_than_are_looked_at_that_is_said(
    lab: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_curves, "MOST_RESULTS", 2)
    content = lab.content("get_result_curves", task_name="CheckT1", since="5d")
    assert content["only_newest"] == 2


def test_a_map_is_kept_as_rows(lab: Tools) -> None:
    content = lab.content("get_result_curves", task_name="CheckChevron", qid="3")
    assert content["results"][0]["maps"] == 1
    assert len(lab.store[content["data_key"]]["maps"]) == 6


@pytest.mark.parametrize(
    ("qid", "why"), [("4", "QDash stored no figure"), ("5", "lost.json: the file isn't on this machine")]
)
def test_what_holds_no_points_is_said(lab: Tools, qid: str, why: str) -> None:
    content = lab.content("get_result_curves", task_name="CheckT1", qid=qid)
    assert why in content["left_out"]["text"]
    assert "data_key" not in content


def test_without_a_folder_the_setting_is_named(lab: Tools) -> None:
    without = Tools(lab.toolbox.context.reader)
    content = without.content("get_result_curves", task_name="CheckT1", qid="3")
    assert "database.calib_data" in content["left_out"]["text"]


def test_the_folder_is_the_configured_one_else_the_snapshots(lab: Tools, tmp_path: Path) -> None:
    reader = lab.toolbox.context.reader
    assert isinstance(reader, SnapshotReader)
    assert calib_data_of(Manifest(), reader) == CalibFolder(reader.folder / "calib_data")
    configured = Manifest.model_validate({"database": {"calib_data": str(tmp_path)}})
    assert calib_data_of(configured, reader) == CalibFolder(tmp_path)


def test_where_the_newest_failed_the_one_whose_value_counts_is_judged_too(
    tmp_path: Path, opened: Callable[..., SnapshotReader]
) -> None:
    files = QDashFiles(tmp_path / "calib_data")

    def result(days_ago: float, outputs: dict[str, float], name: str = "CheckT1", **more: Any) -> dict[str, Any]:
        paths = files.save_figures([decay_figure(X, decay(60), decay(60))], name, "3")
        return task(name, "3", days_ago, outputs, json_figure_path=list(paths), **more)

    results = [
        result(1, {}, task_id="failed", status="failed"),
        result(2, {"t1": 9999}, task_id="excluded", excluded=True),
        result(3, {"t1": 60}, task_id="counts"),
        result(4, {"t1": 60}, task_id="older"),
        result(1, {"x90_gate_fidelity": 0.99}, "X90InterleavedRandomizedBenchmarking"),
    ]
    reader = opened("snapshot", a_chip() | {"task_result_history": results})
    tools = Tools(reader, calib_data=CalibFolder(tmp_path / "calib_data"))
    content = tools.content("get_result_curves", task_name="CheckT1")
    table = tools.store[content["data_key"]]["verdicts"]
    assert table[["task_id", "result", "code"]].to_numpy().tolist() == [
        ["failed", "failed", "SUCCESS"],
        ["counts", "completed", "SUCCESS"],
    ]
    one = tools.content("get_result_curves", task_name="CheckT1", qid="3", last_n=4)
    same = tools.store[one["data_key"]]["verdicts"]
    assert list(same.columns) == list(table.columns)
    assert list(same["task_id"]) == ["failed", "excluded", "counts", "older"]
    assert set(audit([]).columns) < set(table.columns)
    unknown = tools.content("get_result_curves", task_name="X90InterleavedRandomizedBenchmarking")
    assert "fits" not in unknown, "a kind of curve that is not known here is not judged"

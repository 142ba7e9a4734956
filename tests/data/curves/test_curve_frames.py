"""The files of results, as tables; what is missing, foreign, cut or too large is said."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from qdash_jupyter.data.calib_data import CalibData, CalibFolder, NoCalibData
from qdash_jupyter.data.curves import frames
from qdash_jupyter.data.curves.frames import (
    MAP_COLUMNS,
    POINT_COLUMNS,
    RAW_COLUMNS,
    CurvesRead,
    curve_frames,
    read_files,
)
from qdash_jupyter.data.records import TaskResult
from tests.data.curves.qdash_files import ROLE, QDashFiles, decay_figure

X = np.linspace(0.1, 200, 51)
Y = np.exp(-X / 60)


def result(task_id: str = "t-1", **files: Any) -> TaskResult:
    return TaskResult(
        task_id,
        "CheckT1",
        "7",
        "completed",
        "20260624-000",
        "",
        (),
        None,
        None,
        math.nan,
        "",
        excluded=False,
        excluded_reason="",
        outputs=(),
        **files,
    )


def read_curves(results: Iterable[TaskResult], calib_data: CalibData) -> CurvesRead:
    return curve_frames([read_files(each, calib_data) for each in results])


@pytest.fixture
def files(tmp_path: Path) -> QDashFiles:
    return QDashFiles(tmp_path / "calib_data")


def test_figures_and_raw_data_of_results(tmp_path: Path, files: QDashFiles) -> None:
    raw = decay_figure(X, Y, Y)
    raw.update_layout(meta={ROLE: "raw"})
    first = result(
        json_figure_path=files.save_figures([decay_figure(X, Y, Y), raw], "CheckT1", "7"),
        raw_data_path=files.save_raw([Y * np.exp(1j), np.arange(6.0).reshape(2, 3), Y], "CheckT1", "7"),
    )
    again = result("t-2", json_figure_path=files.save_figures([decay_figure(X, 2 * Y, Y)], "CheckT1", "7"))
    assert again.json_figure_path == ("/app/calib_data/alice/20260624/000/fig/CheckT1_7_0_1.json",), (
        "a conflict of names"
    )
    assert first.json_figure_path[1].endswith("/CheckT1_7_raw_1.json")
    read = read_curves([first, again], CalibFolder(tmp_path / "calib_data"))
    assert read.missing == ()
    assert list(read.points.columns) == list(POINT_COLUMNS)
    data = read.points[read.points["role"] == "data"]
    assert [(of, len(rows)) for of, rows in data.groupby(["task_id", "figure"])] == [
        (("t-1", 1), 51),
        (("t-1", 2), 51),
        (("t-2", 1), 51),
    ]
    np.testing.assert_array_equal(data[data["task_id"] == "t-2"]["y"], 2 * Y)
    assert set(data["x_unit"]) == {"μs"}
    one, matrix, real = (rows for _, rows in read.raw.groupby("file"))
    np.testing.assert_allclose(one["real"] + 1j * one["imag"], Y * np.exp(1j))
    assert (matrix[["row", "column", "real"]].iloc[-1] == [1, 2, 5]).all()
    np.testing.assert_allclose(real["real"], Y)
    assert real["imag"].isna().all()


def test_maps_are_rows(tmp_path: Path, files: QDashFiles) -> None:
    figure = go.Figure(go.Heatmap(x=[1, 2, 3], y=[10, 20], z=[[1, 2, 3], [4, 5, 6]]))
    read = read_curves(
        [result(json_figure_path=files.save_figures([figure], "CheckChevron", "7"))],
        CalibFolder(tmp_path / "calib_data"),
    )
    assert read.maps[["x", "y", "z"]].to_numpy().tolist() == [
        [1, 10, 1],
        [2, 10, 2],
        [3, 10, 3],
        [1, 20, 4],
        [2, 20, 5],
        [3, 20, 6],
    ]
    assert len(read.points) == 0


def test_nothing_is_tables_without_rows() -> None:
    read = read_curves([result()], NoCalibData())
    assert [list(each.columns) for each in (read.points, read.maps, read.raw)] == [
        list(POINT_COLUMNS),
        list(MAP_COLUMNS),
        list(RAW_COLUMNS),
    ]


def test_paths_of_a_windows_machine_count_below_calib_data(tmp_path: Path, files: QDashFiles) -> None:
    (stored,) = files.save_figures([decay_figure(X, Y, Y)], "CheckT1", "7")
    windows = "D:\\qdash" + stored.replace("/app", "").replace("/", "\\")
    assert len(read_curves([result(json_figure_path=(windows,))], CalibFolder(tmp_path / "calib_data")).points) == 102


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/app/calib_data/none.json", "isn't on this machine"),
        ("/app/calib_data/../secret.json", "outside the folder"),
        ("{outside}/secret.json", "outside the folder"),
        ("C:\\calib_data\\..\\secret.json", "outside the folder"),
        ("/app/calib_data/link.json", "outside the folder"),
        ("/app/calib_data/linked/secret.json", "outside the folder"),
        ("/app/calib_data/pipe.json", "isn't on this machine"),
        ("/app/calib_data/cut.json", "incomplete"),
        ("/app/calib_data/large.json", "larger than 20 MB"),
        ("/app/calib_data/x\0.json", "path isn't valid"),
    ],
)
def test_a_figure_that_cannot_be_read_is_said_and_left_out(
    tmp_path: Path, files: QDashFiles, path: str, why: str
) -> None:
    folder = tmp_path / "calib_data"
    (good,) = files.save_figures([decay_figure(X, Y, Y)], "CheckT1", "7")
    secret = tmp_path / "secret.json"
    secret.write_text(decay_figure(X, Y, Y).to_json())
    (folder / "link.json").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    (folder / "cut.json").write_bytes(secret.read_bytes()[:-10])
    os.mkfifo(folder / "pipe.json")
    with (folder / "large.json").open("wb") as file:
        file.truncate(1_000_000_000)  # a sparse file of 1 GB
    read = read_curves([result(json_figure_path=(path.format(outside=tmp_path), good))], CalibFolder(folder))
    assert len(read.points) == 102
    (missing,) = read.missing
    assert why in str(missing.reason)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"1,2\n3\n", b"\x00\xff", b"1,2\n3,x\n"])
def test_raw_data_that_are_none_are_said_and_left_out(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "raw.csv").write_bytes(content)
    read = read_curves([result(raw_data_path=("/app/calib_data/raw.csv",))], CalibFolder(tmp_path))
    if content == b"1,2\n3\n":  # numpy writes no such file; what is missing is no number
        assert read.raw["imag"].isna().sum() == 1
    else:
        assert len(read.raw) == 0
        assert len(read.missing) == 1


def test_a_header_of_older_versions_of_qdash_is_passed_over(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "raw.csv", np.ones((3, 2)), delimiter=",", header="real,imag")
    read = read_curves([result(raw_data_path=("/app/calib_data/raw.csv",))], CalibFolder(tmp_path))
    assert len(read.raw) == 3


def test_raw_data_that_are_too_large_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(frames.MOST_BYTES, "raw_data_path", 10)
    np.savetxt(tmp_path / "raw.csv", np.ones(3), delimiter=",")
    (missing,) = read_curves([result(raw_data_path=("/app/calib_data/raw.csv",))], CalibFolder(tmp_path)).missing
    assert "larger than 10 bytes" in str(missing.reason)

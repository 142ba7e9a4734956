from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.data.tables import COUNT, MOMENT, NUMBER, TEXT, frame_of
from qdash_jupyter.store.table import written

MOMENTS = pd.DatetimeIndex(np.array(["2026-06-01T12:00:00.123", "NaT", "2300-01-01"], "datetime64[ms]"), tz="UTC")


def back(frame: pd.DataFrame) -> pd.DataFrame:
    file = written(frame)
    assert file is not None
    return file.opened()


def of_the_tools() -> pd.DataFrame:
    columns = {"qid": TEXT, "t": MOMENT, "v": NUMBER, "n": COUNT}
    rows = [("7", MOMENTS[0], 1.5, 1), ("", None, float("nan"), -(2**62)), ("Ωμ 日本", MOMENTS[2], -0.0, 3)]
    return frame_of(rows, columns)


FRAMES = {
    "the tools' own types": of_the_tools(),
    "booleans": pd.DataFrame({"b": [True, False]}),
    "infinities": pd.DataFrame({"v": [np.inf, -np.inf, np.nan]}),
    "missing text": pd.DataFrame({"s": pd.Series(["a", None], dtype="string")}),
    "categories": pd.DataFrame({"c": pd.Categorical(["b", None, "a"], categories=["b", "a", "z"], ordered=True)}),
    "small numbers": pd.DataFrame({"i": np.array([1, 2], "int8"), "f": np.array([1, np.nan], "float32")}),
    "numbers that may be missing": pd.DataFrame({"i": pd.array([1, None], dtype="Int64")}),
    "other zones and units": pd.DataFrame(
        {"t": MOMENTS[:2].tz_convert("Asia/Tokyo"), "d": MOMENTS[:2].tz_localize(None)}
    ),
    "spans of time": pd.DataFrame({"d": pd.to_timedelta([1, None], unit="s")}),
    "text as objects": pd.DataFrame({"s": pd.Series(["a", "b"], dtype="object")}),
    "an index of text": pd.DataFrame({"v": [1.0, 2.0]}, index=pd.Index(["a", "b"], name="qid")),
    "an index with gaps": pd.DataFrame({"v": [1.0, 2.0]}, index=[3, 5]),
    "two levels": pd.DataFrame(
        {"v": [1.0]}, index=pd.MultiIndex.from_tuples([("t1", "7")], names=["parameter", "qid"])
    ),
    "columns by number": pd.DataFrame({0: [1.0], 1: [2.0]}),
    "no rows": of_the_tools().iloc[:0],
    "no columns": pd.DataFrame(index=range(3)),
    "every second row": pd.DataFrame({"s": ["a", "b", "c"], "v": [1, 2, 3]}).iloc[::2],
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_table_comes_back_exactly_or_is_not_written(frame: pd.DataFrame) -> None:
    file = written(frame)
    if file is not None:
        pd.testing.assert_frame_equal(
            file.opened(), frame, check_exact=True, check_index_type="exact", check_column_type="exact"
        )
        assert [str(dtype) for dtype in file.opened().dtypes] == [str(dtype) for dtype in frame.dtypes]


def test_what_the_tools_give_is_written() -> None:
    frame = of_the_tools()
    pd.testing.assert_frame_equal(back(frame), frame, check_exact=True)
    assert np.signbit(back(frame)["v"][2])
    for kept in ("booleans", "an index with gaps", "two levels", "no rows", "every second row"):
        back(FRAMES[kept])


@pytest.mark.parametrize(
    "column",
    [[[1], [2]], [1, "one"], [True, None], ["a", None], [{"x": 1}, {}], [np.zeros(2), np.ones(2)], [2**70, 1]],
    ids=repr,
)
def test_objects_that_are_not_all_text_are_not_written(column: list[Any]) -> None:
    assert written(pd.DataFrame({"a": pd.Series(column, dtype="object")})) is None


def test_what_arrow_cannot_hold_is_not_written() -> None:
    assert written(pd.DataFrame([[1, 2]], columns=["v", "v"])) is None
    assert written(pd.DataFrame({"s": pd.Series(["\ud800"], dtype="object")})) is None


@pytest.mark.parametrize("columns", [["v"], ["v", "n"], ["qid", "v"], ["t", "v"]])
def test_an_opened_table_may_be_changed_and_the_file_stays(columns: list[str]) -> None:
    frame = of_the_tools()[columns]
    file = written(frame)
    assert file is not None
    theirs = file.opened()
    theirs.loc[0, "v"] = 9.0
    theirs["note"] = "mine"
    assert theirs.loc[0, "v"] == 9.0
    pd.testing.assert_frame_equal(file.opened(), frame)


def test_the_file_has_no_name_and_is_not_in_the_working_folder(tmp_path: Any, monkeypatch: Any) -> None:
    there, here = tmp_path / "temporary", tmp_path / "working"
    there.mkdir()
    here.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(there))
    monkeypatch.chdir(here)
    file = written(of_the_tools())
    assert file is not None
    assert not list(there.iterdir())
    assert not list(here.iterdir())


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(OSError, match="gone"):
        written(of_the_tools())


def test_no_file_stays_open_without_its_table() -> None:
    before = sorted(Path("/dev/fd").iterdir())
    file = written(of_the_tools())
    assert file is not None
    table = file.opened()
    del file
    assert table["qid"][0] == "7", "it can still be read"
    del table
    for frame in FRAMES.values():
        written(frame)
    assert sorted(Path("/dev/fd").iterdir()) == before

"""Files that the user drops on the panel: stored under a name that can be typed, read as they are, or refused."""

from __future__ import annotations

import base64
import io

import pandas as pd
import pytest

from qdash_jupyter.errors import NoData, PersonError
from qdash_jupyter.store import dropped
from qdash_jupyter.store.dropped import store_file
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.fetch_lines import reads
from qdash_jupyter.ui.panel_state.frames import frames_of

TABLE = pd.DataFrame({"qid": [7, 12], "t1": [61.4, 44.25]})


def sent(data: bytes) -> str:
    return base64.b64encode(data).decode()


def parquet(table: pd.DataFrame) -> str:
    file = io.BytesIO()
    table.to_parquet(file)
    return sent(file.getvalue())


CSV = sent(TABLE.to_csv(index=False).encode())


@pytest.mark.parametrize(
    ("name", "data", "key"),
    [
        ("T1 scan.csv", CSV, "t1_scan"),
        ("scan.PARQUET", parquet(TABLE), "scan"),
        ("2026-06-30.csv", CSV, "file_2026_06_30"),
        ("温度.csv", CSV, "温度"),
        ("...csv", CSV, "file"),
    ],
)
def test_a_table_is_stored_under_its_name(name: str, data: str, key: str) -> None:
    store = FrameStore()
    stored = store_file(store, name, data)
    assert stored.key == key
    pd.testing.assert_frame_equal(store[key].frame, TABLE, check_dtype=False)
    (shown,) = frames_of(store)
    assert (shown["source"], shown["rows"], shown["columns"]) == ("file", 2, ["qid", "t1"])


def test_the_same_file_again_is_a_new_version_unless_it_was_changed() -> None:
    store = FrameStore()
    store_file(store, "a.csv", CSV)
    assert store_file(store, "a.csv", CSV).version == 2
    store["a"].frame["t1"] = 0.0
    assert store_file(store, "a.csv", CSV).key == "a_2"
    assert store["a"].frame["t1"].tolist() == [0.0, 0.0]
    assert store_file(store, "a.parquet", parquet(TABLE)).key == "a_3"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.xlsx", CSV, "neither CSV nor Parquet"),
        ("a.csv", sent(b""), "Can't read a.csv: No columns"),
        ("a.csv", sent(b"\xff\xfe\x00a"), "Can't read"),
        ("a.csv", "no base64!", "Can't read"),
        ("a.parquet", CSV, "Can't read"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(name: str, data: str, said: str) -> None:
    store = FrameStore()
    with pytest.raises(PersonError, match=said):
        store_file(store, name, data)
    assert not store


def test_a_small_file_of_very_much_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dropped, "MOST_VALUES", 3)
    with pytest.raises(PersonError, match="has 4 values"):
        store_file(FrameStore(), "a.parquet", parquet(TABLE))


def test_it_is_not_fetched_again() -> None:
    store = FrameStore()
    stored = store_file(store, "a.csv", CSV)
    assert reads('copilot.data["a"].frame', store) == ()
    with pytest.raises(NoData, match="came from a file"):
        stored.refresh()

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from threading import Barrier, Thread
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore

AT = datetime(2026, 6, 30, 12, 5, tzinfo=UTC)


def table(rows: int = 3) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "qid": [str(i) for i in range(rows)],
            "t": pd.to_datetime([f"2026-06-{1 + i:02d}" for i in range(rows)], utc=True),
            "v": [60.0 + i for i in range(rows)],
        }
    )


def source(tool: str = "series", **arguments: Any) -> FrameSource:
    return FrameSource(tool, arguments)


def put(store: FrameStore, key: str = "t1", origin: FrameSource | None = None, rows: int = 3) -> StoredResult:
    origin = origin or source(parameter="t1")

    def make(free: str, version: int) -> StoredResult:
        values = {"unit": "μs", "timeseries": table(rows), "qubits": table(2)[["qid"]]}
        return StoredResult(
            free,
            values,
            main="timeseries",
            units={"v": "μs", "elsewhere": "ns"},
            source=origin,
            fetched_at=AT,
            version=version,
        )

    return store.put(key, origin, make)


def test_the_same_call_again_replaces_its_own_result() -> None:
    store = FrameStore()
    first, second = put(store), put(store, rows=4)
    assert (first.key, first.version) == ("t1", 1)
    assert (second.key, second.version) == ("t1", 2)
    assert list(store) == ["t1"]
    assert store["t1"] is second
    assert len(first.frame) == 3, "a frame that somebody holds stays as it was"


def test_another_call_gets_a_key_of_its_own_and_keeps_it() -> None:
    store = FrameStore()
    put(store)
    assert put(store, origin=source(parameter="t1", last_n=5)).key == "t1_2"
    assert put(store, origin=source("other", parameter="t1")).key == "t1_3"
    again = put(store, origin=source(parameter="t1", last_n=5))
    assert (again.key, again.version) == ("t1_2", 2)
    assert list(store) == ["t1", "t1_2", "t1_3"]


def set_a_value(frame: pd.DataFrame) -> None:
    frame.loc[0, "v"] = 1.0


def add_a_column(frame: pd.DataFrame) -> None:
    frame["note"] = "mine"


def add_a_list(frame: pd.DataFrame) -> None:
    frame["note"] = [[1], [2], [3]]


def drop_a_column(frame: pd.DataFrame) -> None:
    del frame["t"]


def turn_the_rows_round(frame: pd.DataFrame) -> None:
    for name in frame.columns:
        frame[name] = frame[name].iloc[::-1].array


def sort_with_the_index(frame: pd.DataFrame) -> None:
    turn_the_rows_round(frame)
    frame.index = frame.index[::-1]


def rename(frame: pd.DataFrame) -> None:
    frame.columns = ["qid", "t", "μs"]


def set_the_index(frame: pd.DataFrame) -> None:
    frame.index = pd.Index([10, 20, 30])


@pytest.mark.parametrize(
    "change",
    [
        set_a_value,
        add_a_column,
        add_a_list,
        drop_a_column,
        turn_the_rows_round,
        sort_with_the_index,
        rename,
        set_the_index,
    ],
)
def test_what_the_person_changed_is_never_replaced(change: Callable[[pd.DataFrame], None]) -> None:
    store = FrameStore()
    theirs = put(store)
    assert not theirs.changed
    change(theirs["timeseries"])
    assert theirs.changed
    fresh = put(store)
    assert (fresh.key, fresh.version) == ("t1_2", 1)
    assert store["t1"] is theirs
    assert put(store).key == "t1_2", "the next one replaces the untouched result, not theirs"


def test_a_changed_second_table_counts_too_and_reading_does_not() -> None:
    stored = put(FrameStore())
    stored.frame.groupby("qid")["v"].mean()
    stored.frame.sort_values("v")
    assert not stored.changed
    stored["qubits"].loc[0, "qid"] = "x"
    assert stored.changed


def test_objects_that_cannot_be_hashed_are_watched_too() -> None:
    frame = pd.DataFrame({"a": [[1, 2], [3]]})
    stored = StoredResult("k", {"a": frame}, main="a", units={}, source=source(), fetched_at=AT)
    assert not stored.changed
    frame.loc[0, "a"].append(9)
    assert stored.changed


def test_eight_threads_put_and_nothing_is_lost_or_shared() -> None:
    store = FrameStore()
    together = Barrier(8)
    keys: list[list[str]] = [[] for _ in range(8)]

    def work(number: int) -> None:
        together.wait()
        for turn in range(5):
            keys[number].append(put(store, origin=source(parameter="t1", thread=number)).key)
            put(store, key="shared", origin=source(parameter="shared"))
            list(store.items())
            assert store[keys[number][0]].version >= turn + 1

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(set(own)) == 1 for own in keys), "a thread's call keeps its key"
    own_keys = {own[0] for own in keys}
    assert own_keys == {"t1", *(f"t1_{n}" for n in range(2, 9))}
    assert set(store) == own_keys | {"shared"}
    assert all(store[own[0]].source.arguments["thread"] == number for number, own in enumerate(keys))
    assert store["shared"].version == 40
    assert all(store[own[0]].version == 5 for own in keys)


def test_missing_data_say_what_there_is() -> None:
    store = FrameStore()
    with pytest.raises(KeyError, match="nothing was fetched yet"):
        store["t1"]
    put(store)
    put(store, "chip_summary", source("summary"))
    with pytest.raises(KeyError, match=r"Did you mean 't1'.*Fetched so far: t1, chip_summary"):
        store["T1"]
    with pytest.raises(KeyError, match="Fetched so far: t1, chip_summary") as error:
        store["zzz"]
    assert "Did you mean" not in str(error.value)
    with pytest.raises(KeyError, match="'unit', 'timeseries', 'qubits'"):
        store["t1"]["qubit"]


@pytest.mark.parametrize("key", [0, None, ("t1", "v")])
def test_keys_that_are_no_text_are_missing_like_any_other(key: Any) -> None:
    store = FrameStore()
    put(store)
    assert key not in store
    assert store.get(key) is None
    with pytest.raises(KeyError):
        store[key]


def test_a_result_is_its_tables_and_scalars() -> None:
    stored = put(FrameStore())
    assert list(stored) == ["unit", "timeseries", "qubits"]
    assert len(stored) == 3
    assert stored.frame is stored["timeseries"]
    assert set(stored.tables) == {"timeseries", "qubits"}
    assert stored.scalars == {"unit": "μs"}
    assert stored["timeseries"].dtypes.astype(str).to_dict() == {
        "qid": "str",
        "t": stored.frame["t"].dtype.name,
        "v": "float64",
    }
    assert str(stored["timeseries"]["t"].dt.tz) == "UTC"
    assert stored["timeseries"].attrs == {"units": {"v": "μs"}, "source": "series: t1/timeseries"}
    assert stored["qubits"].attrs["units"] == {}
    assert repr(stored) == "<StoredResult 't1': timeseries 3 × 3, qubits 2 × 1; from series, 2026-06-30 12:05 UTC>"


def test_html_names_units_and_escapes_what_comes_from_the_database() -> None:
    evil = "<script>alert(1)</script>"
    frame = pd.DataFrame({evil: [1.0], "v": [2.0]})
    stored = StoredResult(
        evil,
        {evil: frame},
        main=evil,
        units={"v": "<b>", evil: "<i>"},
        source=source(evil),
        fetched_at=AT,
    )
    store = FrameStore()
    assert "Nothing was fetched" in store._repr_html_()
    store.put("k", stored.source, lambda key, version: stored)
    for html in (stored._repr_html_(), store._repr_html_()):
        assert "&lt;script&gt;" in html
        assert "&lt;b&gt;" in html
        assert "&lt;i&gt;" in html
        assert not [tag for tag in ("<script>", "<i>", "[<b>", " <b>]") if tag in html]
    assert "v [μs]" in put(FrameStore())._repr_html_()


def test_the_store_names_its_keys() -> None:
    store = FrameStore()
    assert repr(store) == "<copilot.data: empty>"
    put(store)
    put(store, "t2_echo", source("x"))
    assert repr(store) == "<copilot.data: t1, t2_echo>"

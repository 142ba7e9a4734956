from __future__ import annotations

import copy
import math
import pickle
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.errors import PersonError
from qdash_jupyter.store import table as stored_table
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.store.summary import _value, whole

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


def put(
    store: FrameStore,
    key: str = "t1",
    origin: FrameSource | None = None,
    rows: int = 3,
    now: Callable[[], datetime] = lambda: AT,
) -> StoredResult:
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
            now=now,
        )

    return store.put(key, origin, make)


def memory(stored: StoredResult) -> int:
    return sum(int(frame.memory_usage(deep=True).sum()) for frame in stored.tables.values())


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
    before = theirs.changed
    change(theirs["timeseries"])
    assert (before, theirs.changed) == (False, True)
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
    before = stored.changed
    stored.frame.loc[0, "a"].append(9)
    assert (before, stored.changed) == (False, True)


def test_a_change_within_a_large_array_is_seen() -> None:
    frame = pd.DataFrame({"trace": [np.arange(5000.0)], "pair": [[np.zeros(3000)]]})
    stored = StoredResult("k", {"a": frame}, main="a", units={}, source=source(), fetched_at=AT)
    seen = [stored.changed]
    stored.frame.loc[0, "trace"][2500] += 1e-9
    seen.append(stored.changed)
    stored.frame.loc[0, "trace"][2500] = 2500.0
    seen.append(stored.changed)
    stored.frame.loc[0, "pair"][0][1500] = 1e-300
    seen.append(stored.changed)
    assert seen == [False, True, False, True]


def test_a_change_of_the_type_alone_is_one() -> None:
    frame = pd.DataFrame({"n": [0, 1]})
    stored = StoredResult("k", {"a": frame}, main="a", units={}, source=source(), fetched_at=AT)
    stored.frame["n"] = stored.frame["n"].astype(bool)
    assert stored.changed


def test_of_a_long_text_two_hundred_characters_are_told() -> None:
    assert [_value("x" * count, math.nan) for count in (200, 201)] == ["x" * 200, "x" * 200 + "… (+1 characters)"]


def test_a_table_that_nobody_was_given_is_hashed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[pd.DataFrame] = []
    real = stored_table._hash

    def hashing(frame: pd.DataFrame) -> str:
        hashed.append(frame)
        return real(frame)

    monkeypatch.setattr(stored_table, "_hash", hashing)
    store = FrameStore()
    whole(put(store), {})
    put(store)
    assert len(hashed) == 4, "two tables each time"
    assert len(store["t1"].frame) == 3, "from here on somebody could change it"
    put(store)
    assert len(hashed) > 6


def test_the_store_says_whether_the_data_are_new() -> None:
    store = FrameStore()
    first, same, longer = put(store), put(store), put(store, rows=5)
    assert [one.unchanged for one in (first, same, longer)] == [False, True, False]
    told = ["version 1", "version 2, same data", "version 3, new data"]
    assert [str(one.version_words) for one in (first, same, longer)] == told


def test_the_store_says_which_result_stays_because_it_was_changed() -> None:
    store = FrameStore()
    theirs = put(store)
    add_a_list(theirs.frame)
    fresh = put(store)
    assert (fresh.key, fresh.kept, fresh.unchanged) == ("t1_2", "t1", False)
    assert repr(fresh).endswith("version 1; data['t1'] is kept, because you changed it>")
    set_a_value(fresh.frame)
    third = put(store)
    assert (third.key, third.kept) == ("t1_3", "t1"), "both are theirs now"
    assert set(store) == {"t1", "t1_2", "t1_3"}
    assert put(store, origin=source("other")).kept is None, "another call has nothing to do with it"


def test_what_is_changed_while_its_successor_is_made_stays_too() -> None:
    store = FrameStore()
    theirs = put(store)

    def make(key: str, version: int) -> StoredResult:
        if key == "t1":
            set_a_value(theirs.frame)  # the person's cell runs meanwhile
        values = {"timeseries": table()}
        return StoredResult(key, values, main="timeseries", units={}, source=theirs.source, fetched_at=AT)

    fresh = store.put("t1", theirs.source, make)
    assert (fresh.key, fresh.kept) == ("t1_2", "t1")
    assert store["t1"] is theirs


def test_a_result_makes_its_own_call_again() -> None:
    def again(asked: FrameSource) -> StoredResult:
        return put(store, origin=asked, rows=7)

    store = FrameStore(again)
    origin = source("series", parameter="t1", since="30d")
    first = put(store, origin=origin)
    second = first.refresh()
    assert second is store["t1"]
    assert (second.version, len(second.frame), second.source) == (2, 7, origin)
    assert (first.version, len(first.frame)) == (1, 3), "the old object stays as it was"
    assert first.refresh().version == 3, "an old version asks the same"


def test_a_refreshed_result_never_takes_the_place_of_a_changed_one() -> None:
    store = FrameStore(lambda asked: put(store, origin=asked))
    theirs = put(store)
    set_a_value(theirs.frame)
    assert [theirs.refresh().key for _ in range(3)] == ["t1_2"] * 3
    assert store["t1"] is theirs
    assert theirs.frame.loc[0, "v"] == 1.0
    assert store["t1_2"].version == 3


def test_refreshing_while_others_store_under_the_same_key() -> None:
    store = FrameStore(lambda asked: put(store, origin=asked))
    origin = source(parameter="t1")
    put(store, origin=origin)
    together = Barrier(8)
    fetched: list[StoredResult] = []

    def work(number: int) -> None:
        together.wait()
        fetched.extend(store["t1"].refresh() if number % 2 else put(store, origin=origin) for _ in range(10))

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(store) == ["t1"]
    assert sorted(one.version for one in fetched) == list(range(2, 82)), "each is a version of its own"
    assert store["t1"].version == 81


def test_a_frame_changed_amid_refreshes_is_kept_and_only_once() -> None:
    store = FrameStore(lambda asked: put(store, origin=asked))
    put(store)
    together = Barrier(5)

    def work() -> None:
        together.wait()
        for _ in range(10):
            store["t1"].refresh()

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    together.wait()
    theirs = None
    while theirs is not store["t1"]:  # a version that is replaced before it is changed is not the one in the store
        theirs = store["t1"]
        set_a_value(theirs.frame)
    for thread in threads:
        thread.join()
    assert store["t1"] is theirs
    assert theirs.frame.loc[0, "v"] == 1.0
    assert store["t1"].refresh().key == "t1_2"


def test_a_copy_belongs_to_no_conversation() -> None:
    store = FrameStore(lambda asked: put(store, origin=asked))
    stored = put(store)
    for twin in (copy.deepcopy(stored), pickle.loads(pickle.dumps(stored))):  # noqa: S301 - our own bytes
        assert twin.frame.equals(stored.frame)
        assert not twin.changed
        with pytest.raises(PersonError, match=r"copy that belongs to no conversation.*copilot.tools.series"):
            twin.refresh()
    set_a_value(copy.deepcopy(stored).frame)
    assert not stored.changed


def test_ages_count_by_the_readers_clock() -> None:
    clock = [AT]
    stored = put(FrameStore(), now=lambda: clock[0])
    assert stored.age == timedelta()
    assert "fetched just now (2026-06-30 12:05 UTC)" in stored._repr_html_()
    clock[0] = AT + timedelta(minutes=3, seconds=20)
    assert stored.age == timedelta(minutes=3, seconds=20)
    assert "fetched 3 min ago (2026-06-30 12:05 UTC)" in stored._repr_html_()
    alone = StoredResult("k", {"a": table()}, main="a", units={}, source=source(), fetched_at=datetime.now(UTC))
    assert timedelta() <= alone.age < timedelta(minutes=1)


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
    with pytest.raises(KeyError, match="No data has been fetched yet"):
        store["t1"]
    put(store)
    put(store, "chip_summary", source("summary"))
    with pytest.raises(KeyError, match=r"Did you mean t1.*Fetched so far: t1, chip_summary"):
        store["T1"]
    with pytest.raises(KeyError, match="Fetched so far: t1, chip_summary") as error:
        store["zzz"]
    assert "Did you mean" not in str(error.value)
    with pytest.raises(KeyError, match=r"'timeseries' \(qid, t, v\), 'qubits' \(qid\); its values: unit"):
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
    assert repr(stored) == (
        f"<StoredResult 't1': timeseries 3 × 3, qubits 2 × 1; {memory(stored)} bytes in memory; "
        "from series, 2026-06-30 12:05 UTC, version 1>"
    )


class Rows(HTMLParser):
    """The cells of a table, row by row; a line break is a bar."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
        elif tag == "br":
            self.rows[-1][-1] += "|"

    def handle_data(self, data: str) -> None:
        self.rows[-1][-1] += data


def rows_of(html: str) -> list[list[str]]:
    parser = Rows()
    parser.feed(html)
    return parser.rows


def test_the_listing_says_how_to_get_it_what_it_is_and_where_it_came_from() -> None:
    store = FrameStore()
    put(store, origin=source("series", parameter="t1", project_id="p", qids=["1"] * 50))
    stored = put(store, "other", source("summary", chip_id="64Q"))
    set_a_value(stored.frame)
    fresh = put(store, "other", source("summary", chip_id="64Q"))
    long = "series(parameter='t1', qids=" + repr(["1"] * 50)[:40] + "…)"
    tables = f"['timeseries'] 3 × 3: qid, t, v [μs]|['qubits'] 2 × 1: qid|{memory(fresh)} bytes in memory"
    at = "fetched just now (2026-06-30 12:05 UTC), version 1"
    summary = f"summary(chip_id='64Q')|{at}"
    head, *rows = rows_of(store._repr_html_())
    assert head == ["in Python", "tables (rows × columns)", "from"]
    assert rows == [
        ["data['t1']", tables, f"{long}|{at}"],
        ["data['other']", tables, f"{summary}|changed by you"],
        ["data['other_2']", tables, f"{summary}|data['other'] is kept, because you changed it"],
    ]
    assert rows_of(fresh._repr_html_()) == [head, rows[-1]]


def test_a_wide_table_says_how_many_columns_are_not_named() -> None:
    wide = pd.DataFrame({f"p{i}": [0.0] * 1234 for i in range(30)})
    stored = StoredResult("k", {"a": wide}, main="a", units={"p0": "ns"}, source=source(), fetched_at=AT)
    shown = rows_of(stored._repr_html_())[1][1]
    assert shown == "['a'] 1,234 × 30: p0 [ns], p1, p2, p3, p4, p5, p6, p7 and 22 more|296 kB in memory"


def test_the_listing_has_no_colours_of_its_own() -> None:
    html = put(FrameStore())._repr_html_()
    plain = "text-align: left; vertical-align: top"
    assert set(re.findall(r'style="([^"]*)"', html)) == {plain, f"{plain}; min-width: 14em; overflow-wrap: anywhere"}
    assert not re.search(r"color|background|#[0-9a-f]{3}", html)


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
    assert "No data has been fetched" in store._repr_html_()
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


def test_a_result_gets_another_key() -> None:
    store = FrameStore()
    put(store)
    fetched = put(store, origin=source(tool="other"))
    assert list(store) == ["t1", "t1_2"]
    store["t1"] = fetched
    assert list(store) == ["t1"]
    assert store["t1"] is fetched
    assert fetched.key == "t1"
    store["t1"] = fetched
    assert store["t1"] is fetched


def test_a_result_is_deleted_until_it_is_fetched_again() -> None:
    store = FrameStore()
    held = put(store).frame
    del store["t1"]
    assert (list(store), store.deleted, len(held)) == ([], frozenset({"t1"}), len(held))
    with pytest.raises(KeyError, match="No data has been fetched yet"):
        del store["t1"]
    put(store)
    assert (list(store), store.deleted) == (["t1"], frozenset())


def test_what_the_user_changed_goes_to_the_next_free_key() -> None:
    store = FrameStore()
    theirs = put(store)
    fetched = put(store, origin=source(tool="other"))
    set_a_value(theirs.frame)
    store["t1"] = fetched
    assert store["t1"] is fetched
    assert fetched.kept == "t1_2"
    assert store["t1_2"] is theirs
    assert theirs.key == "t1_2"


def test_only_results_of_the_store_have_a_place_in_it() -> None:
    store = FrameStore()
    strangers: list[Any] = [pd.DataFrame(), put(FrameStore()), 3]
    for stranger in strangers:
        with pytest.raises(TypeError, match="names of your own"):
            store["t1"] = stranger

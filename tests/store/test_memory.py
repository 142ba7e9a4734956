from __future__ import annotations

import copy
import logging
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.store.summary import summarise
from qdash_jupyter.store.table import StoredTable
from tests.patience import PATIENCE_S

AT = datetime(2026, 6, 30, 12, 5, tzinfo=UTC)
ROWS = 2000


def series(number: int, rows: int = ROWS) -> pd.DataFrame:
    values = np.random.default_rng(number).normal(60, 5, rows)
    values[::7] = np.nan
    times = pd.date_range(AT, periods=rows, freq="min").as_unit("ms")
    return pd.DataFrame({"qid": [str(row % 64) for row in range(rows)], "t": times, "v": values})


SIZE = int(series(0).memory_usage(deep=True).sum())


def put(store: FrameStore, key: str, number: int = 0, rows: int = ROWS, **others: Any) -> StoredResult:
    """A series which nobody else holds, and scalars or other tables."""
    source = FrameSource("series", {"key": key})

    def make(free: str, version: int) -> StoredResult:
        values = {"unit": "μs", "timeseries": series(number, rows), **others}
        return StoredResult(
            free,
            values,
            main="timeseries",
            units={"v": "μs"},
            source=source,
            fetched_at=AT,
            version=version,
            now=lambda: AT,
        )

    return store.put(key, source, make)


def in_files(store: FrameStore) -> list[str]:
    return [key for key in store if not store[key].stored_tables["timeseries"].in_memory]


def store_of(tables: float) -> FrameStore:
    return FrameStore(memory_budget=SIZE * tables)


def test_a_store_without_a_budget_writes_no_files() -> None:
    store = FrameStore()
    for key in "abc":
        put(store, key, rows=100_000)
    assert not in_files(store)


def test_those_used_longest_ago_go_first() -> None:
    store = store_of(3)
    for key in "abc":
        put(store, key)
    assert len(store["a"].frame) == ROWS
    put(store, "d")
    assert in_files(store) == ["b"]
    put(store, "e")
    assert in_files(store) == ["b", "c"]
    assert len(store["b"].frame) == ROWS, "opened, and in memory again"
    assert in_files(store) == ["c"]
    put(store, "f")
    assert in_files(store) == ["a", "c", "d"], "what is above the budget since the last one, too"


def test_a_result_larger_than_the_budget_goes_to_a_file_itself() -> None:
    store = store_of(1)
    small = put(store, "small", rows=ROWS // 2)
    large = put(store, "large", rows=4 * ROWS)
    assert in_files(store) == ["small", "large"]
    assert (large.rows, small.rows) == (4 * ROWS, ROWS // 2)
    pd.testing.assert_frame_equal(large.frame, series(0, 4 * ROWS))


def test_the_new_one_goes_last() -> None:
    store = store_of(2.5)
    put(store, "small", rows=ROWS // 2)
    put(store, "new", rows=2 * ROWS)
    assert not in_files(store)
    put(store, "newer", rows=2 * ROWS)
    assert in_files(store) == ["small", "new"]


def test_a_new_one_goes_even_while_the_tool_that_made_it_has_it() -> None:
    store = store_of(0.5)
    frame = series(0)
    source = FrameSource("series", {})
    stored = store.put(
        "a",
        source,
        lambda key, version: StoredResult(
            key, {"timeseries": frame}, main="timeseries", units={}, source=source, fetched_at=AT
        ),
    )
    assert in_files(store) == ["a"]
    assert stored.frame is not frame
    pd.testing.assert_frame_equal(stored.frame, frame)


def test_tables_of_less_than_a_thousandth_of_the_budget_stay_in_memory() -> None:
    store = store_of(10)
    held = put(store, "held", rows=20 * ROWS).frame
    put(store, "tiny", rows=1)
    put(store, "small")
    assert in_files(store) == ["small"]
    assert len(held) == 20 * ROWS


def test_a_table_comes_back_exactly() -> None:
    store = store_of(0.5)
    stored = put(store, "a", number=3)
    digest = stored.stored_tables["timeseries"].digest
    expected = StoredTable(series(3))
    assert in_files(store) == ["a"]
    pd.testing.assert_frame_equal(stored.frame, expected.frame, check_exact=True)
    assert digest == expected.digest
    assert stored.frame.attrs == {"units": {"v": "μs"}, "source": "series: a/timeseries"}
    assert not stored.changed
    assert stored.frame is stored.frame is stored["timeseries"] is stored.tables["timeseries"]


def opened_by(use: Callable[[StoredResult], Any]) -> bool:
    store = store_of(0.5)
    stored = put(store, "a")
    use(stored)
    return not in_files(store)


@pytest.mark.parametrize(
    "use",
    [
        lambda stored: stored.frame,
        lambda stored: stored["timeseries"],
        lambda stored: stored.get("timeseries"),
        lambda stored: stored.tables,
        lambda stored: list(stored.values()),
        dict,
    ],
)
def test_a_file_is_opened_when_its_table_is_asked_for(use: Callable[[StoredResult], Any]) -> None:
    assert opened_by(use)


@pytest.mark.parametrize(
    "use",
    [
        lambda stored: stored["unit"],
        lambda stored: stored.changed,
        lambda stored: stored.age,
        lambda stored: stored.version_words,
        lambda stored: stored.memory_words,
        lambda stored: stored.same_data(stored),
        lambda stored: stored.scalars,
        lambda stored: stored.rows,
        lambda stored: (len(stored), list(stored), list(stored.keys()), "timeseries" in stored, "x" in stored),
        lambda stored: (repr(stored), stored._repr_html_()),
        lambda stored: summarise(stored, statistics={}, notable=[]),
    ],
)
def test_a_file_is_not_opened_for_what_is_known_without_it(use: Callable[[StoredResult], Any]) -> None:
    assert not opened_by(use)


def test_the_model_reads_the_same_of_a_table_in_a_file() -> None:
    told = []
    for store in (FrameStore(), store_of(0.5)):
        wide = pd.DataFrame({f"p{number}": [0.5] * 100 for number in range(200)})
        stored = put(store, "a", wide=wide)
        told.append(summarise(stored, statistics={"7": {"n": 5}}, notable=[("worst", [1, 2])]))
    assert told[0] == told[1]
    assert "more" in told[0], "columns are cut"


def test_what_somebody_changed_stays_in_memory() -> None:
    store = store_of(1)
    theirs = put(store, "a")
    theirs.frame.loc[0, "v"] = 1.0
    for key in "bc":
        put(store, key)
    assert in_files(store) == ["b", "c"]
    assert theirs.frame.loc[0, "v"] == 1.0
    assert theirs.changed


def test_what_somebody_changed_after_it_was_opened_stays_in_memory() -> None:
    store = store_of(0.5)
    theirs = put(store, "a")
    theirs.frame["note"] = "mine"
    put(store, "b")
    assert in_files(store) == ["b"]
    assert (store["a"].stored_tables["timeseries"].columns, theirs.rows) == (["qid", "t", "v", "note"], ROWS)
    assert theirs.frame["note"].eq("mine").all()


def test_what_somebody_holds_stays_theirs() -> None:
    store = store_of(0.5)
    stored = put(store, "a")
    theirs = stored.frame
    put(store, "b")
    assert in_files(store) == ["b"]
    assert stored.frame is theirs
    theirs.loc[0, "v"] = 1.0
    put(store, "c")
    del theirs
    put(store, "d")
    assert stored.frame.loc[0, "v"] == 1.0, "changed after others were stored, and let go"
    assert stored.changed


def test_what_somebody_let_go_unchanged_goes_to_its_file_again() -> None:
    store = store_of(0.5)
    stored = put(store, "a")
    theirs = stored.frame
    theirs.loc[0, "v"], before = 1.0, theirs.loc[0, "v"]
    theirs.loc[0, "v"] = before
    del theirs
    put(store, "b")
    assert in_files(store) == ["a", "b"]
    pd.testing.assert_frame_equal(stored.frame, series(0))


def test_attributes_that_somebody_set_are_kept() -> None:
    store = store_of(0.5)
    stored = put(store, "a")
    stored.frame.attrs["mine"] = {1, 2}
    put(store, "b")
    assert in_files(store) == ["a", "b"]
    assert stored.frame.attrs["mine"] == {1, 2}
    assert stored.frame.attrs["units"] == {"v": "μs"}


def test_what_would_not_come_back_the_same_stays_in_memory() -> None:
    store = store_of(0.5)
    stored = put(store, "a", traces=pd.DataFrame({"trace": [[1.0, 2.0]] * ROWS}))
    put(store, "b")
    assert [name for name, table in stored.stored_tables.items() if table.in_memory] == ["traces"]
    assert stored["traces"].loc[0, "trace"] == [1.0, 2.0]


def test_a_refreshed_result_replaces_the_one_in_a_file() -> None:
    numbers = iter([1, 1, 2])
    store = store_of(0.5)
    store.again = lambda source: put(store, source.arguments["key"], next(numbers))
    first = put(store, "a", next(numbers))
    same = first.refresh()
    assert (same.key, str(same.version_words)) == ("a", "version 2, same data")
    other = same.refresh()
    assert (other.key, str(other.version_words)) == ("a", "version 3, new data")
    assert in_files(store) == ["a"]
    assert not any(one.stored_tables["timeseries"].in_memory for one in (first, same, other))
    pd.testing.assert_frame_equal(first.frame, series(1))
    pd.testing.assert_frame_equal(store["a"].frame, series(2))


def test_a_copy_of_a_result_in_a_file_is_whole() -> None:
    store = store_of(0.5)
    stored = put(store, "a", 5)
    for twin in (copy.copy(stored), copy.deepcopy(stored), pickle.loads(pickle.dumps(stored))):  # noqa: S301 - our own
        pd.testing.assert_frame_equal(twin.frame, series(5))
        assert twin.frame.attrs == {"units": {"v": "μs"}, "source": "series: a/timeseries"}
        assert not twin.changed
    twin.frame.loc[0, "v"] = 1.0
    assert twin.changed
    assert not stored.changed


def test_a_copy_of_a_result_in_a_file_is_whole_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "stored.pickle"
    path.write_bytes(pickle.dumps(put(store_of(0.5), "a")))
    code = "import pickle, sys; one = pickle.load(open(sys.argv[1], 'rb')); print(one.changed, len(one.frame))"
    told = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True, text=True)
    assert told.stdout.split() == ["False", str(ROWS)]


def test_where_no_file_can_be_written_the_table_stays_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = store_of(0.5)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with caplog.at_level(logging.WARNING, "qdash_jupyter"):
        stored = put(store, "a")
    assert not in_files(store)
    assert f"A table of {size_words(SIZE)} stays in memory, as no file could be written: " in caplog.text
    pd.testing.assert_frame_equal(stored.frame, series(0))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    put(store, "b")
    assert in_files(store) == ["a", "b"], "tried again"


def process(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Python code in a process of its own whose temporary files are in a folder."""
    start = (
        f"import sys, tempfile; sys.path.insert(0, {str(Path(__file__).parent)!r}); tempfile.tempdir = sys.argv[1]\n"
    )
    run = [sys.executable, "-c", f"{start}from test_memory import *\n{code}", str(folder)]
    return subprocess.run(run, capture_output=True, check=False, text=True)


@pytest.mark.parametrize(
    "end",
    [
        "",
        "import os; os.kill(os.getpid(), 9)",
        pytest.param("sys.exit(3)", marks=pytest.mark.long),
        pytest.param("import os; os._exit(0)", marks=pytest.mark.long),
    ],
)
def test_no_file_is_left_however_the_process_ends(end: str, tmp_path: Path) -> None:
    code = f"""
store = store_of(0.5)
put(store, "a"), put(store, "b")
print(in_files(store), len(store["a"].frame), flush=True)
{end}
"""
    assert process(code, tmp_path).stdout == f"['a', 'b'] {ROWS}\n"
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_amid_writing_loses_nothing(tmp_path: Path) -> None:
    code = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE // 4, SIZE // 4))
store = store_of(0.5)
stored = put(store, "a")
print(in_files(store), stored.frame.equals(series(0)))
"""
    told = process(code, tmp_path)
    assert told.stdout == "[] True\n"
    assert "File too large" in told.stderr
    assert not list(tmp_path.iterdir())


def test_many_threads_store_use_and_change() -> None:
    store = store_of(2)
    together = Barrier(6)
    wrong: list[str] = []

    def work(number: int) -> None:
        together.wait()
        for turn in range(8):
            stored = put(store, f"k{number}", number)
            mine = stored.frame
            if not mine.equals(series(number)):
                wrong.append(f"{number}: not the same in turn {turn}")
            for key in store:
                repr(store[key])
                if len(store[key].frame) != ROWS:
                    wrong.append(f"{key}: not whole")
        mine.loc[0, "v"] = float(number)

    threads = [Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    put(store, "last")
    assert not wrong
    assert {key: store[key].frame.loc[0, "v"] for key in store if key != "last"} == {
        f"k{number}": float(number) for number in range(6)
    }


def test_the_store_is_read_while_a_table_is_being_stored() -> None:
    store = FrameStore()
    put(store, "a")
    source = FrameSource("series", {})
    seen: list[list[str]] = []

    def make(key: str, version: int) -> StoredResult:
        reader = Thread(target=lambda: seen.append([*store, store["a"].key, repr(store)]))
        reader.start()
        reader.join(PATIENCE_S)
        return StoredResult(key, {"a": series(1)}, main="a", units={}, source=source, fetched_at=AT)

    store.put("b", source, make)
    assert seen == [["a", "a", "<copilot.data: a>"]]


def test_memory_is_said_with_its_unit() -> None:
    store = store_of(1.5)
    first, second = put(store, "a"), put(store, "b", qubits=pd.DataFrame({"qid": ["0"] * 400}))
    there = f"{size_words(SIZE)} in a file, opened when you use it"
    assert str(first.memory_words) == there
    assert f"; {there}; from series" in repr(first)
    assert f"<br>{there}</td>" in first._repr_html_()
    assert f"<br>{there}</td>" in store._repr_html_()
    both = SIZE + second.stored_tables["qubits"].memory
    assert str(second.memory_words) == f"{size_words(both)} in memory"
    put(store, "c")
    put(store, "d")
    assert str(second.memory_words) == f"{size_words(both)} in files, opened when you use it"
    assert len(second.frame) == ROWS
    qubits = size_words(second.stored_tables["qubits"].memory)
    assert str(second.memory_words) == f"{size_words(SIZE)} in memory, {qubits} in a file, opened when you use it"

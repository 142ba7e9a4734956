"""What a variable holds, without running anybody's code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.cells.named_value import MOST_CHARS, described
from qdash_jupyter.cells.result_value import value_of
from tests.cells.test_told_names import Instrument, OwnFrame


def frame(rows: int = 7) -> pd.DataFrame:
    return pd.DataFrame({"qid": [str(place) for place in range(rows)], "t1": [1.5 * place for place in range(rows)]})


def test_a_table_has_rows_columns_and_a_head() -> None:
    text = str(pd.Series(["a"]).dtype)
    assert described(frame()) == {
        "type": "pandas.DataFrame",
        "rows": 7,
        "columns": {"qid": text, "t1": "float64"},
        "index": [],
        "head": [["0", 0.0], ["1", 1.5], ["2", 3.0], ["3", 4.5], ["4", 6.0]],
    }
    assert "head" not in described(frame(), head=0)
    indexed = described(frame().set_index("qid"))
    assert (indexed["columns"], indexed["index"]) == ({"t1": "float64"}, [["qid", text]])
    assert indexed["head"][1] == ["1", 1.5]
    assert described(pd.DataFrame())["columns"] == {}


def test_series_arrays_and_plain_values() -> None:
    assert described(pd.Series([1.0, 2.0], index=["a", "b"])) == {
        "type": "pandas.Series",
        "rows": 2,
        "dtype": "float64",
        "index": [[None, str(pd.Series(["a"]).dtype)]],
        "head": [["a", 1.0], ["b", 2.0]],
    }
    told = described(np.arange(12).reshape(3, 4))
    assert (told["shape"], told["dtype"], told["head"]) == (
        [3, 4],
        "int64",
        [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]],
    )
    assert described(np.float64(2))["type"] == "float64"
    assert described(np.array(5)) == {"type": "numpy.ndarray", "shape": [], "dtype": "int64", "head": 5}
    assert described([1, "a"]) == {"type": "list of 2", "value": [1, "a"]}
    assert described(1.5, head=0) == {"type": "float"}


class Untouchable(dict[str, object]):
    """Attributes of a table that must not be copied, or looked at."""

    def __deepcopy__(self, _: object) -> object:
        raise AssertionError("a pulse")


def test_attrs_are_never_touched() -> None:
    table = frame()
    table.attrs["awg"] = Untouchable()
    column = pd.Series([1.0])
    column.attrs["awg"] = Untouchable()
    assert described(table) == described(frame())
    assert described(column)["head"] == [[1.0]]


def holding() -> Any:
    """An array that holds an instrument, made without asking it anything."""
    array: Any = np.empty(1, dtype=object)
    array[0] = Instrument()
    return array


HIDDEN: dict[str, Callable[[], object]] = {
    "instrument": Instrument,
    "subclass": lambda: OwnFrame({"a": [1]}),
    "in a table": lambda: pd.DataFrame(holding().reshape(1, 1), columns=["awg"], dtype=object),
    "in a series": lambda: pd.Series(holding(), dtype=object),
    "in an index": lambda: pd.DataFrame({"a": [1]}, index=pd.Index(holding(), dtype=object)),
    "in a list": lambda: [Instrument()],
    "in a dict": lambda: {"awg": Instrument()},
    "in an array": holding,
}


@pytest.mark.parametrize("make", HIDDEN.values(), ids=HIDDEN)
def test_no_object_of_the_user_is_asked(make: Callable[[], object]) -> None:
    assert "Instrument" not in json.dumps(described(make()))


def test_a_foreign_object_is_not_looked_into() -> None:
    assert described(Instrument()) == {"type": "an object that is not looked into"}
    assert described(HIDDEN["in a table"]())["head"] == [[None]]
    assert described(HIDDEN["in an index"]())["head"] == [[None, 1]]


def test_a_table_of_foreign_parts_is_not_looked_into() -> None:
    class Labels(pd.Index):
        def __getitem__(self, _: object) -> Any:
            pytest.fail("a label was asked for")

    table = frame()
    object.__setattr__(table, "_mgr", table._mgr.copy(deep=False))
    table._mgr.axes[1] = pd.Index(table.index, dtype=object).view()
    table._mgr.axes[1].__class__ = Labels
    assert "not looked into" in described(table)["not_told"]
    assert value_of(table) is None


def test_columns_that_are_named() -> None:
    assert described(frame(), only=["t1"])["head"] == [[0.0], [1.5], [3.0], [4.5], [6.0]]
    with pytest.raises(KeyError, match="t2"):
        described(frame(), only=["t2"])
    columns = pd.Index(holding(), dtype=object)
    assert "not_told" in described(pd.DataFrame([[1]], columns=columns), only=["t1"])


def test_only_the_first_rows_are_looked_at() -> None:
    values: Any = np.ones(3_000_000, dtype=object)
    values[-1:] = holding()
    told = described(pd.DataFrame({"v": values}))
    assert (told["rows"], told["head"]) == (3_000_000, [[1]] * 5)


def test_what_is_large_is_cut() -> None:
    wide = pd.DataFrame(np.zeros((50, 300)), columns=[f"a long name of column number {place}" for place in range(300)])
    told = described(wide)
    assert len(json.dumps(told)) <= MOST_CHARS
    assert len(told["columns"]) + told["more_columns"] == 300
    wordy = described(pd.DataFrame({"note": ["x" * 10_000] * 9}))
    assert wordy["head"][0] == [f"{'x' * 100}…"]
    assert len(json.dumps(described(np.zeros((9, 9, 9, 9, 9))))) <= MOST_CHARS


class Polars:
    """As much of polars' DataFrame as is asked."""

    def __init__(self, columns: dict[str, list[object]]) -> None:
        self._columns = columns
        self.columns = list(columns)
        self.dtypes = ["String" if isinstance(values[0], str) else "Float64" for values in columns.values()]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def head(self, rows: int) -> Polars:
        return Polars({name: values[: rows or 1] for name, values in self._columns.items()})

    def rows(self) -> list[tuple[object, ...]]:
        return list(zip(*self._columns.values(), strict=True))


def test_polars_where_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("polars")
    module.DataFrame = Polars  # pyrefly: ignore[missing-attribute]
    monkeypatch.setitem(sys.modules, "polars", module)
    assert described(Polars({"qid": ["1", "2"], "t1": [1.0, 2.0]})) == {
        "type": "polars.DataFrame",
        "rows": 2,
        "columns": {"qid": "String", "t1": "Float64"},
        "head": [["1", 1.0], ["2", 2.0]],
    }

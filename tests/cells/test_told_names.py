"""Names in words for the model, without running anybody's code."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.told_names import kind_in_words, loop_variables


class Answering(type):
    """Of a class that answers everything with a pulse, as its objects do."""

    def __eq__(cls, _: object) -> bool:
        raise AssertionError("a pulse")

    __hash__ = None  # pyrefly: ignore[implicit-any-attribute]


class Instrument(metaclass=Answering):
    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"a pulse: {name}")

    def __len__(self) -> int:
        raise AssertionError("a pulse")

    def __repr__(self) -> str:
        raise AssertionError("a pulse")


class OwnFrame(pd.DataFrame):
    def __len__(self) -> int:
        raise AssertionError("a pulse")


VALUES: dict[str, Callable[[], object]] = {
    "DataFrame 2 × 2": lambda: pd.DataFrame({"qid": ["1", "2"], "t1": [1.0, 2.0]}),
    "Series 2": lambda: pd.Series([1.0, 2.0], index=["a", "b"]),
    "array 3 × 4": lambda: np.zeros((3, 4)),
    "float64": lambda: np.float64(1),
    "float": lambda: 1.5,
    "str": lambda: "words",
    "list of 3": lambda: [1, 2, 3],
    "list of 1": lambda: [Instrument()],
    "DataFrame 1 × 2": lambda: pd.DataFrame([[1, 2]], index=pd.Index([object()], dtype=object)),
    "dict of 1": lambda: {"a": 1},
    "module": lambda: pytest,
    "function": lambda: kind_in_words,
}
FOREIGN: dict[str, Callable[[], object]] = {
    "None": lambda: None,
    "an instrument": Instrument,
    "its class": lambda: Instrument,
    "an own frame": lambda: OwnFrame({"a": [1]}),
}


@pytest.mark.parametrize(("words", "make"), VALUES.items(), ids=VALUES)
def test_type_and_shape(words: str, make: Callable[[], object]) -> None:
    assert kind_in_words(make()) == words


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_of_other_objects_nothing_is_told_and_none_is_asked(make: Callable[[], object]) -> None:
    assert kind_in_words(make()) == ""


def test_loop_variables_are_those_that_nothing_else_binds() -> None:
    code = "n = 0\nfor i, (a, n) in pairs:\n    x = a\nfor j in range(3): pass\nfor row[0] in y: pass"
    assert loop_variables(code) == {"i", "a", "j"}
    assert loop_variables("for i in (") == set()


def test_the_user_s_own_data_and_functions_newest_first() -> None:
    written = FunctionType(kind_in_words.__code__, {"__name__": "__main__"}, "rate")
    names: dict[str, object] = {
        "In": [],
        "_": 1,
        "_7": 2,
        "__x__": 3,
        "np": np,
        "get_ipython": kind_in_words,
        "qpu": Instrument(),
        "df": pd.DataFrame({"a": [1]}),
        "rate": written,
        "ours": 1.0,
        "f01": 4.8,
    }
    namespace = Namespace(names)
    namespace.own_up(["ours"])
    assert namespace.of_user() == ["f01: float", "rate: function", "df: DataFrame 1 × 1"]

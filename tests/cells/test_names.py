from __future__ import annotations

import sys
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from scipy.optimize import curve_fit

from qdash_jupyter.cells.names import MOST_CELLS, Known, NameKind, describe_names
from tests.cells.corpus import stage


def kind_of(value: object) -> Known:
    return describe_names({"x": value}, ["x"])["x"].kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "number"),
        (1.5, "number"),
        (True, "number"),
        (np.float64(1), "number"),
        ("a", "text"),
        (b"a", "text"),
        (None, "none"),
        (datetime.now(UTC), "time"),
        (pd.Timestamp("2026-01-01"), "time"),
        (pd.Timedelta("1D"), "time"),
        (pd.NaT, "time"),
        ([1, "a", None], "list"),
        ((1, 2), "tuple"),
        ({1, 2}, "set"),
        ({"a": [1, {"b": 2}]}, "dict"),
        (range(3), "list"),
        (np.arange(3), "array"),
        (np.array(["a", 1], dtype=object), "array"),
        (pd.DataFrame({"a": [1], "b": ["x"], "c": [None]}), "frame"),
        (pd.DataFrame({"a": pd.Categorical(["x", "y"])}), "frame"),
        (pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}), "frame"),
        (pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([("x", 1)], names=["p", "q"])), "frame"),
        (pd.Series([1, 2], name="t1"), "series"),
        (pd.Series(pd.date_range("2026-01-01", periods=2, tz="UTC")), "series"),
        (pd.Index(["a"]), "index"),
        (go.Figure(), "figure"),
        (np, "module"),
        (pd.DataFrame({"a": [[1]]}), "unknown"),
        (pd.DataFrame({"a": [object()]}), "unknown"),
        (pd.Series([object()]), "unknown"),
        (np.array([object()]), "unknown"),
        ([object()], "unknown"),
        ({"a": object()}, "unknown"),
        ([print], "unknown"),
        (object(), "unknown"),
        (ModuleType("os"), "unknown"),
        (lambda: 1, "function"),
        (type("Frame", (pd.DataFrame,), {})({"a": [1]}), "unknown"),
        (type("Number", (int,), {})(3), "unknown"),
        (type("Text", (str,), {})("a"), "unknown"),
        (type("List", (list,), {})(), "unknown"),
    ],
)
def test_kinds_by_exact_type(value: object, kind: str) -> None:
    assert kind_of(value) == kind


def test_an_instrument_is_never_touched() -> None:
    instrument = stage.Instrument()
    cells: Any = np.empty(2, dtype=object)
    cells[:] = [1, 2]
    cells[1] = instrument
    namespace = {
        "instrument": instrument,
        "kept": [instrument],
        "nested": {"a": (1, [instrument])},
        "frame": pd.DataFrame({"a": pd.Series(cells, dtype=object)}),
        "series": pd.Series(cells, dtype=object),
        "array": cells,
        "klass": stage.Instrument,
        "df": pd.DataFrame({"a": [1]}),
    }
    stage.TOUCHES.clear()
    found = describe_names(namespace, namespace)
    assert stage.TOUCHES == []
    assert {name for name, kind in found.items() if kind.kind is Known.UNKNOWN} == set(namespace) - {"df"}
    assert found["instrument"].type_name == "Instrument"


def test_only_the_names_asked_for_are_described() -> None:
    assert list(describe_names({"a": 1, "b": 2}, ["b", "c", "b"])) == ["b"]


def test_elements_and_aliases() -> None:
    frame = pd.DataFrame({"a": [1]})
    found = describe_names({"df": frame, "same": frame, "d": {"x": frame}, "n": 1, "m": 1}, ["df", "d", "n"])
    assert found["df"].aliases == ("same",)
    assert found["d"].element == NameKind(Known.FRAME)
    assert found["n"].aliases == ()


def test_functions_of_libraries_are_found_by_identity() -> None:
    found = describe_names(
        {"curve_fit": curve_fit, "mean": np.mean, "median": np.mean}, ["curve_fit", "mean", "median"]
    )
    assert found["curve_fit"] == NameKind(Known.LIBRARY, "scipy.optimize.curve_fit")
    assert found["mean"].path == "numpy.mean"
    assert found["median"].kind is not Known.LIBRARY


def test_more_than_can_be_looked_at_is_unknown() -> None:
    assert kind_of([0] * (MOST_CELLS + 1)) is Known.UNKNOWN
    endless: list[object] = []
    endless.append(endless)
    assert kind_of(endless) is Known.UNKNOWN


def test_handles_of_the_copilot(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, kind in (
        ("qdash_jupyter.session.copilot", "Copilot", Known.COPILOT),
        ("qdash_jupyter.store.store", "FrameStore", Known.STORE),
        ("qdash_jupyter.store.frame", "StoredResult", Known.STORED),
    ):
        handle = type(name, (), {})
        fake = ModuleType(module)
        setattr(fake, name, handle)
        monkeypatch.setitem(sys.modules, module, fake)
        assert kind_of(handle()) is kind
        assert kind_of(type(name, (handle,), {})()) is Known.UNKNOWN

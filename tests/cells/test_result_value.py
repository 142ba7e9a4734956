from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np
import orjson
import pandas as pd
import pytest

from qdash_jupyter.cells.result_value import (
    FIELDS_CHARS,
    LONGEST_TEXT,
    MOST_CHARS,
    MOST_COLUMNS,
    MOST_ITEMS,
    MOST_ROWS,
    value_of,
)


@pytest.fixture
def memory() -> Iterator[Callable[[], int]]:
    """The most that Python and NumPy held at a time since the last call, in bytes; the first one begins to count."""

    def most() -> int:
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        now, peak = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        return max(now, peak)

    yield most
    tracemalloc.stop()


def records(described: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows with the names of their columns."""
    return [dict(zip(described["columns"], row, strict=True)) for row in described["records"]]


WHEN = pd.Timestamp("2026-06-30 12:00", tz="UTC")


class CountingMeta(type):
    """The class of a class: it notices whatever is asked of the class itself."""

    touched: list[str] = []  # noqa: RUF012 - shared on purpose

    def __getattribute__(cls, name: str) -> Any:
        CountingMeta.touched.append(f"class.{name}")
        return super().__getattribute__(name)

    def __hash__(cls) -> int:
        CountingMeta.touched.append("class.__hash__")
        return 0

    def __eq__(cls, other: object) -> bool:
        CountingMeta.touched.append("class.__eq__")
        return True

    def __instancecheck__(cls, instance: object) -> bool:
        CountingMeta.touched.append("class.__instancecheck__")
        return True


class Instrument(metaclass=CountingMeta):
    """Each touch of it would be a pulse."""

    def __getattribute__(self, name: str) -> NoReturn:
        CountingMeta.touched.append(name)
        raise RuntimeError(name)

    def __repr__(self) -> str:
        CountingMeta.touched.append("__repr__")
        return "pulse"

    __str__ = __repr__

    def __len__(self) -> int:
        CountingMeta.touched.append("__len__")
        return 3

    def __bool__(self) -> bool:
        CountingMeta.touched.append("__bool__")
        return True

    def __eq__(self, other: object) -> bool:
        CountingMeta.touched.append("__eq__")
        return False

    def __hash__(self) -> int:
        return 7

    def __float__(self) -> float:
        CountingMeta.touched.append("__float__")
        return 1.0

    def __iter__(self) -> Any:
        CountingMeta.touched.append("__iter__")
        return iter(())


def as_json(value: object) -> Any:
    described = value_of(value)
    return json.loads(orjson.dumps(described))  # what the model gets has to be JSON, with plain values only


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (3.14159265359, 3.14159265),
        (1e-9 / 3, 3.33333333e-10),
        (math.nan, None),
        (math.inf, None),
        ("μs", "μs"),
        ("half \ud83d", "half ?"),
        (10**30, str(10**30)),
        (10**5000, "an integer of 16610 bits"),
        (1 + 2j, "(1+2j)"),
        (decimal.Decimal("1.10"), "1.10"),
        ((1, "a"), [1, "a"]),
        ({"a": math.nan, 1: [2.00000000001]}, {"a": None, "1": [2.0]}),
        ({1: "int", "1": "text"}, {"1": "int", "1 (2)": "text"}),
        (frozenset({3}), [3]),
        (np.float64(0.12345678912), 0.123456789),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),  # noqa: FBT003
        (np.str_("x"), "x"),
        (np.float64("nan"), None),
        (np.datetime64("2026-06-30T12:00"), "2026-06-30T12:00"),
        (np.array([1.5, np.nan]), [1.5, None]),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array(5), 5),
        (WHEN, "2026-06-30T12:00:00+00:00"),
        (pd.NaT, None),
        (pd.NA, None),
        (dt.date(2026, 6, 30), "2026-06-30"),
        (dt.datetime(2026, 6, 30, tzinfo=dt.UTC), "2026-06-30T00:00:00+00:00"),
        (pd.Timedelta(days=1), "1 days 00:00:00"),
        (dt.timedelta(hours=1), "1:00:00"),
        (pd.Period("2026-06", "M"), "2026-06"),
        (pd.Interval(0, 1), "(0, 1]"),
        (pd.Index(["3", "7"]), ["3", "7"]),
        (pd.RangeIndex(3), [0, 1, 2]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values(value: object, expected: object) -> None:
    assert as_json(value) == expected


@pytest.mark.parametrize("value", [object(), int, print, pd, (lambda: 1), type("T", (str,), {})("x")])
def test_what_has_no_description_is_none(value: object) -> None:
    assert value_of(value) is None


def test_a_frame_is_its_first_rows_with_json_values() -> None:
    frame = pd.DataFrame(
        {
            "qid": ["3", "7"],
            "t1": [81.23456789, np.nan],
            "runs": np.array([5, 6], dtype="int32"),
            "at": [WHEN, pd.NaT],
            "state": pd.Categorical(["good", None]),
            "whole": pd.array([1, None], dtype="Int64"),
            "ok": [True, False],
            "mixed": [1, "a"],
            "near": [[1, 2.00000000001], {"x": np.float32(1)}],
        }
    )

    described = as_json(frame)
    assert described | {"records": records(described)} == {
        "type": "DataFrame",
        "rows": 2,
        "columns": ["qid", "t1", "runs", "at", "state", "whole", "ok", "mixed", "near"],
        "records": [
            {
                "qid": "3",
                "t1": 81.2345679,
                "runs": 5,
                "at": "2026-06-30T12:00:00+00:00",
                "state": "good",
                "whole": 1,
                "ok": True,
                "mixed": 1,
                "near": [1, 2.0],
            },
            {
                "qid": "7",
                "t1": None,
                "runs": 6,
                "at": None,
                "state": None,
                "whole": None,
                "ok": False,
                "mixed": "a",
                "near": {"x": 1.0},
            },
        ],
    }


def test_an_index_that_says_something_is_a_column() -> None:
    frame = pd.DataFrame({"t1": [10.0, 20.0]}, index=pd.Index(["3", "7"], name="qid"))
    assert records(as_json(frame)) == [{"qid": "3", "t1": 10}, {"qid": "7", "t1": 20}]

    unnamed = pd.DataFrame({"t1": [10.0, 20.0, 30.0]}).describe()
    assert [record["index"] for record in records(as_json(unnamed))][:3] == ["count", "mean", "std"]

    levels = pd.MultiIndex.from_tuples([("3", 1), ("7", 2)], names=["qid", None])
    assert records(as_json(pd.DataFrame({"v": [1, 2]}, index=levels))) == [
        {"qid": "3", "index 1": 1, "v": 1},
        {"qid": "7", "index 1": 2, "v": 2},
    ]


def test_names_that_are_there_twice_do_not_hide_each_other() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["v", "v"], index=pd.Index(["a"], name="v"))

    assert records(as_json(frame)) == [{"v": "a", "v (2)": 1, "v (3)": 2}]


def test_columns_of_two_levels() -> None:
    frame = pd.DataFrame({"qid": ["3", "3"], "t1": [1.0, 3.0]}).groupby("qid").agg(["mean", "max"])

    assert records(as_json(frame)) == [{"qid": "3", "t1, mean": 2, "t1, max": 3}]


def test_a_series_with_its_index() -> None:
    series = pd.Series({"3": 1.0, "7": np.nan}, name="t1")

    assert records(as_json(series)) == [{"index": "3", "t1": 1}, {"index": "7", "t1": None}]
    assert records(as_json(pd.Series([1, 2]))) == [{"value": 1}, {"value": 2}]


def test_a_frame_without_rows_or_columns() -> None:
    empty = {"type": "DataFrame", "rows": 0, "columns": ["a"], "records": []}

    assert as_json(pd.DataFrame({"a": []})) == empty
    assert as_json(pd.DataFrame()) == empty | {"columns": []}


def test_of_a_million_rows_only_the_shown_ones_are_made_and_what_is_left_out_is_said(
    memory: Callable[[], int],
) -> None:
    frame = pd.DataFrame({"qid": np.arange(1_000_000).astype(str), "t1": np.linspace(0, 1, 1_000_000)})
    frame.index = pd.Index(frame["qid"])

    memory()
    described = as_json(frame)

    assert memory() < 1_000_000, "bytes: not one for each row"
    assert described["rows"] == 1_000_000
    assert len(described["records"]) == MOST_ROWS
    assert described["left_out"] == f"{1_000_000 - MOST_ROWS} rows"


def test_wide_and_wordy_tables_stay_within_the_budget() -> None:
    wide = as_json(pd.DataFrame(np.zeros((50, 2_000))))
    assert len(wide["columns"]) == MOST_COLUMNS
    assert wide["left_out"].endswith(f"{2_000 - MOST_COLUMNS} columns")

    wordy = value_of(pd.DataFrame({"note": ["x" * 5_000] * 500}))
    assert len(json.dumps(wordy)) < MOST_CHARS + LONGEST_TEXT + 500
    assert len(wordy["records"]) >= 1
    assert wordy["left_out"] == f"{500 - len(wordy['records'])} rows"


def test_long_and_deep_values_are_cut_and_say_so(memory: Callable[[], int]) -> None:
    assert as_json(list(range(1_000)))[MOST_ITEMS:] == [f"… {1_000 - MOST_ITEMS} more"]
    assert as_json(dict.fromkeys(range(1_000), 0))["…"] == f"{1_000 - MOST_ITEMS} more"
    assert as_json("x" * 10_000) == "x" * LONGEST_TEXT + "… 10000 characters"

    big, deep = np.zeros((2_000, 2_000, 3)), [[[0.123456] * 200] * 200] * 200
    memory()
    grid, nested = value_of(big), value_of(deep)
    assert memory() < 1_000_000, "bytes: not one for each value"
    assert len(json.dumps(grid)) < MOST_CHARS * 2
    assert len(json.dumps(nested)) < MOST_CHARS * 2


def test_a_list_that_holds_itself() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    loop: dict[str, Any] = {}
    loop["self"] = loop

    assert as_json(ring)[0] == 1
    assert "self" in as_json(loop)


def test_an_instrument_is_never_touched() -> None:
    instrument = Instrument()
    frame = pd.DataFrame({"qid": ["3"]})
    frame["awg"] = pd.Series([instrument], dtype=object)
    cells: Any = np.empty(2, dtype=object)
    cells[0], cells[1] = instrument, 1.5
    values = (instrument, [instrument, 1], {"a": instrument, instrument: 2}, (instrument,), cells, frame, Instrument)
    series = pd.Series([1.0], index=pd.Index(["a"], name="n"))
    CountingMeta.touched.clear()

    described = [value_of(value) for value in (*values, series)]

    assert CountingMeta.touched == []
    assert described[0] is None
    assert described[1] == [None, 1]
    assert described[2] == {"a": None, "key 1": 2}
    assert described[4] == [None, 1.5]
    assert records(described[5]) == [{"qid": "3", "awg": None}]


def test_of_a_cut_table_the_few_texts_are_counted_over_all_rows() -> None:
    verdicts = ["meets"] * 3 + ["no"] * 147
    frame = pd.DataFrame({"qid": [str(row) for row in range(150)], "verdict": verdicts, "value": range(150)})
    told = value_of(frame)
    assert told["rows"] == 150
    assert len(told["records"]) < 150
    assert told["counts"] == {"verdict": {"meets": 3, "no": 147}}, "qid has too many different texts, value none"
    assert "counts" not in value_of(frame.head(50))


def test_texts_are_not_counted_where_something_else_is_among_them() -> None:
    mixed = pd.DataFrame({"verdict": ["no"] * 149 + [None], "other": [("no",)] * 150})
    assert "counts" not in value_of(mixed)


def fitted() -> dict[str, Any]:
    from scipy import optimize, stats

    x = np.arange(30.0)
    y = 2 * x + np.random.default_rng(0).normal(size=30)
    return {
        "spearmanr": (stats.spearmanr(x, y), {"statistic", "pvalue"}),
        "linregress": (stats.linregress(x, y), {"slope", "intercept", "pvalue", "stderr"}),
        "ttest_ind": (stats.ttest_ind(x, y), {"statistic", "pvalue", "df"}),
        "mannwhitneyu": (stats.mannwhitneyu(x, y), {"statistic", "pvalue"}),
        "binomtest": (stats.binomtest(3, 10), {"k", "n", "pvalue"}),
        "proportion_ci": (stats.binomtest(3, 10).proportion_ci(), {"low", "high"}),
        "minimize_scalar": (optimize.minimize_scalar(lambda a: (a - 1) ** 2), {"x", "fun", "success"}),
        "minimize": (optimize.minimize(lambda a: ((a - 1) ** 2).sum(), np.zeros(3)), {"x", "fun", "success"}),
    }


def test_results_of_scipy_are_their_public_fields() -> None:
    for name, (value, wanted) in fitted().items():
        told = as_json(value)
        assert wanted <= set(told), (name, told)
        assert all(told[field] is not None for field in wanted), name
        assert len(json.dumps(told)) <= FIELDS_CHARS + 100, name


def test_results_of_statsmodels_are_their_main_fields() -> None:
    sm = pytest.importorskip("statsmodels.api")
    x = np.arange(300.0)
    told = as_json(sm.OLS(2 * x + np.sin(x), sm.add_constant(x)).fit())
    assert {"params", "bse", "pvalues", "rsquared", "nobs"} <= set(told)
    assert len(json.dumps(told)) <= FIELDS_CHARS + 100


def test_results_of_lmfit_are_the_values_with_their_errors() -> None:
    import lmfit

    x = np.linspace(0, 10, 60)
    y = 2 * np.exp(-x / 3) + np.random.default_rng(1).normal(0, 0.05, 60)
    fit = lmfit.models.ExponentialModel().fit(y, x=x, amplitude=1, decay=2)
    told = as_json(fit)
    assert told["params"]["decay"]["value"] == pytest.approx(fit.params["decay"].value, rel=1e-5)
    assert told["params"]["decay"]["stderr"] == pytest.approx(fit.params["decay"].stderr, rel=1e-5)
    assert told["success"] is True
    assert told["redchi"] == pytest.approx(fit.redchi, rel=1e-5)
    assert len(json.dumps(told)) <= FIELDS_CHARS + 200
    assert as_json(fit.params["decay"])["value"] == told["params"]["decay"]["value"]


def test_numbers_of_uncertainties_are_value_and_error() -> None:
    from uncertainties import ufloat

    length: Any = ufloat(10, 1)
    told = as_json(2 * length)
    assert (told["nominal_value"], told["std_dev"]) == (20, 2)


def test_results_of_sklearn_are_what_was_fitted_before_how() -> None:
    from sklearn.linear_model import LinearRegression
    from sklearn.mixture import GaussianMixture

    x = np.arange(30.0)[:, None]
    told = as_json(LinearRegression().fit(x, 2 * x[:, 0] + 1))
    assert (told["coef_"], told["intercept_"]) == ([2], 1)
    mixture = GaussianMixture(8, random_state=0).fit(np.random.default_rng(0).normal(size=(200, 3)))
    told = as_json(mixture)
    assert {"weights_", "means_", "converged_"} <= set(told)
    assert "left_out" in told
    assert len(json.dumps(told)) <= FIELDS_CHARS + 200


def test_named_tuples_dtypes_and_dicts_of_frames() -> None:
    class point(NamedTuple):  # noqa: N801
        qid: str
        t1: float

    assert as_json(point("3", 81.5)) == {"type": "point", "qid": "3", "t1": 81.5}
    frame = pd.DataFrame({"qid": ["3"], "t": [WHEN], "v": [1.5]})
    assert [row[1] for row in as_json(frame.dtypes)["records"]][1:] == ["datetime64[us, UTC]", "float64"]
    both = as_json({"a": frame, "b": frame["v"]})
    assert (both["a"]["columns"], both["b"]["records"]) == (["qid", "t", "v"], [[1.5]])
    assert as_json((1, frame["v"], point("3", 2)))[1:] == [
        {"type": "DataFrame", "rows": 1, "columns": ["v"], "records": [[1.5]]},
        {"type": "point", "qid": "3", "t1": 2},
    ]


def test_of_many_fields_the_shortest_are_told_and_the_others_named() -> None:
    from scipy.optimize import OptimizeResult

    told = as_json(
        OptimizeResult(x=1.0, success=True, path=list(range(150)), steps=list(range(150)), rest=["x" * 60] * 50)
    )
    assert (told["x"], told["success"]) == (1.0, True)
    assert "rest" in told["left_out"]
    assert len(json.dumps(told)) <= FIELDS_CHARS + 100


def test_a_class_that_claims_to_be_of_a_library_is_not_touched() -> None:
    class Claims:
        field = 7

    Claims.__module__ = "scipy.stats"
    assert "scipy.stats" in sys.modules
    assert value_of(Claims()) is None

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.domain.compact import compact_number, plain, to_json

FACTS = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text(encoding="utf-8"))
NON_FINITE = [math.nan, math.inf, -math.inf]


def same(found: Any, expected: Any) -> bool:
    """Equal, and of the same type: 1 is neither 1.0 nor true."""
    return type(found) is type(expected) and found == expected


@pytest.mark.parametrize(("value", "expected"), FACTS["compact_number"])
def test_numbers_as_qdash_shortens_them(value: Any, expected: Any) -> None:
    assert same(compact_number(value), expected)


@pytest.mark.parametrize("value", NON_FINITE)
def test_numbers_that_are_none_pass_through(value: float) -> None:
    assert str(compact_number(value)) == str(value)


@pytest.mark.parametrize(("value", "expected"), [(-0.0, 0), (np.float64(45.2345), 45.23), (1e15, 1e15), (1e14, 10**14)])
def test_more_numbers(value: float, expected: float) -> None:
    assert same(compact_number(value), expected)
    assert "-0" not in str(compact_number(value))


def floats(value: Any) -> Any:
    """The conformance file writes the three numbers that JSON lacks as words."""
    if isinstance(value, dict):
        return {key: floats(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [floats(entry) for entry in value]
    return float(value.replace("inity", "")) if isinstance(value, str) else value


@pytest.mark.parametrize(("value", "expected"), FACTS["sanitize_nan"])
def test_sanitising_as_qdash_does_and_tuples_too(value: Any, expected: Any) -> None:
    assert plain(floats(value)) == expected
    assert plain({"tuple": (math.nan, (math.inf, 1))}) == {"tuple": [None, [None, 1]]}


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.float64("nan"), None),
        (np.int64(7), 7),
        (np.bool_(True), True),  # noqa: FBT003
        (np.array([[1.0, math.nan]]), [[1.0, None]]),
        (np.datetime64("2026-05-01T01:02:03.5", "ns"), "2026-05-01T01:02:03.500000"),
        (np.datetime64("NaT", "ns"), None),
        (np.array(["2026-05-01", "NaT"], dtype="datetime64[ns]"), ["2026-05-01T00:00:00", None]),
        (pd.Timestamp("2026-05-01T01:02:03.5", tz="UTC"), "2026-05-01T01:02:03.500000+00:00"),
        (pd.Series([1.5, None]), [1.5, None]),
        (pd.Series(pd.to_datetime(["2026-05-01T00:00:00Z", None])), ["2026-05-01T00:00:00+00:00", None]),
        (pd.NaT, None),
        (pd.NA, None),
        (datetime(2026, 5, 1, tzinfo=UTC), "2026-05-01T00:00:00+00:00"),
        (date(2026, 5, 1), "2026-05-01"),
        (timedelta(minutes=1), "0:01:00"),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        ({1: "x", None: "y"}, {"1": "x", "None": "y"}),
        (Colour.RED, "red"),
        (True, True),
        (1 + 2j, "(1+2j)"),
    ],
)
def test_values_of_python_numpy_and_pandas_as_json(value: Any, expected: Any) -> None:
    assert json.loads(to_json(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"n": 10**30}, {"n": 10**30}),
        ({"half\ud800": "a pair\udfff"}, {"half?": "a pair?"}),
        ({"μ": "量"}, {"μ": "量"}),
    ],
)
def test_json_is_written_whatever_the_database_and_the_model_hold(value: Any, expected: Any) -> None:
    text = to_json(value)
    assert json.loads(text) == expected
    assert text.encode("utf-8").decode() == text
    assert ": " not in text


@pytest.mark.parametrize(
    ("value", "error", "told"),
    [
        (8.036123456, 1.2e-6, 8.0361235),
        (4.8123456789, 3e-5, 4.812346),
        (61.43219, 0.5, 61.43),
        (123.456, 12.0, 123.5),
        (61.43219, 0.0, 61.43),
        (61.43219, math.nan, 61.43),
        (61.43219, math.inf, 61.43),
        (0.0, 1e-6, 0),
        (1.23456789e-3, 1e-300, 0.00123456789),
    ],
)
def test_digits_are_those_of_the_error_and_four_at_least(value: float, error: float, told: float) -> None:
    assert compact_number(value, error) == told

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter import methods as qm

T1, ECHO = "T1 [μs]", "T2 Echo [μs]"


def values(seed: int = 0, count: int = 40) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    table = pd.DataFrame({T1: random.normal(60, 15, count), ECHO: random.normal(70, 25, count)})
    table.index = pd.Index([str(qid) for qid in range(count)], name="qid")
    return table.mask(random.random(table.shape) < 0.05)


@pytest.mark.parametrize("seed", range(50))
def test_the_verdicts_are_those_of_plain_comparisons(seed: int) -> None:
    table = values(seed)
    found = qm.meeting(table, f"{T1} < 55", f"{ECHO} >= 60")
    both = {qid for qid, row in table.iterrows() if row[T1] < 55 and row[ECHO] >= 60}
    assert set(found.index[found["verdict"] == "meets"]) == both
    unknown = {qid for qid, row in table.iterrows() if np.isnan(row[T1]) or np.isnan(row[ECHO])}
    assert set(found.index[found["verdict"] == "unknown"]) == unknown
    one = qm.meeting(table, f"{T1} < 55", f"{ECHO} >= 60", any_of=True)
    assert set(one.index[one["verdict"] == "meets"]) == {
        qid for qid, row in table.iterrows() if row[T1] < 55 or row[ECHO] >= 60
    }
    slack = {name: 0.1 * (table[name].quantile(0.75) - table[name].quantile(0.25)) for name in (T1, ECHO)}
    near = {qid for qid, row in table.iterrows() if row[T1] < 55 + slack[T1] and row[ECHO] >= 60 - slack[ECHO]}
    assert set(found.index[found["verdict"] == "near"]) == near - both
    assert sum(found.attrs["counts"].values()) == len(table)


@pytest.mark.parametrize("seed", range(5))
def test_a_column_between_two_numbers(seed: int) -> None:
    table = values(seed)
    found = qm.meeting(table, f"50 <= {T1} < 70")
    assert set(found.index[found["verdict"] == "meets"]) == {
        qid for qid, value in table[T1].items() if 50 <= value < 70
    }


def test_a_column_against_another_one() -> None:
    table = pd.DataFrame({T1: [30.0, 30.0, np.nan], ECHO: [61.0, 59.0, 80.0]}, index=["1", "2", "3"])
    assert qm.meeting(table, f"{ECHO} > 2 * {T1}")["verdict"].to_dict() == {"1": "meets", "2": "near", "3": "unknown"}
    assert qm.meeting(table, f"{ECHO} > {T1}")["verdict"].tolist() == ["meets", "meets", "unknown"]


def test_those_that_meet_come_first_and_nothing_is_changed() -> None:
    table = values()
    before = table.copy(deep=True)
    found = qm.meeting(table, f"{T1} > 60", lowest=False)
    pd.testing.assert_frame_equal(table, before)
    met = found[found["verdict"] == "meets"][T1]
    assert list(found["verdict"]).index("meets") == 0
    assert met.is_monotonic_decreasing
    assert "verdict" not in table
    other = qm.meeting(table, f"{T1} > 60", by=ECHO)
    assert set(other.index[other["verdict"] == "meets"]) == set(met.index)
    assert other.loc[other["verdict"] == "meets", ECHO].dropna().is_monotonic_increasing


@pytest.mark.parametrize(
    ("condition", "words"),
    [("T1 < 55", "no column"), ("T1 [μs] is low", "is no condition"), ("T1 [μs] > 2 * T9", "no column")],
)
def test_what_cannot_be_read_says_what_to_write(condition: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        qm.meeting(values(), condition)

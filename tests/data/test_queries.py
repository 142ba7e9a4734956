"""What a query takes, the form in which it keeps it, and what it refuses."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from qdash_jupyter.data.queries import (
    CalibrationNoteQuery,
    CurrentQuery,
    ElementQuery,
    ExecutionQuery,
    ResultQuery,
    SeriesQuery,
    VersionQuery,
)
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.time_range import TimeRange
from qdash_jupyter.errors import InvalidArguments

CHIP = ChipRef("p1", "c1")


def test_ids_are_kept_in_qdashs_form() -> None:
    assert SeriesQuery(CHIP, "qubit", "t1", qids=["Q07", "12"]).qids == ("7", "12")
    assert CurrentQuery(CHIP, "coupling", qids=["Q4-Q1"]).qids == ("4-1",)
    assert VersionQuery(CHIP, "t1", "qubit 7").qid == "7"
    assert ResultQuery(CHIP, qid="").qid == ""
    assert ResultQuery(CHIP).qid is None


def test_equal_questions_are_equal_however_they_are_written() -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    one = SeriesQuery(CHIP, "qubit", "t1", qids=["Q07"], tags=["a"], during=TimeRange(noon.replace(tzinfo=None)))
    other = SeriesQuery(CHIP, "qubit", "t1", qids=("7",), tags=("a",), during=TimeRange(noon))
    assert {one: "kept"}[other] == "kept"
    assert one != SeriesQuery(CHIP, "qubit", "t1", qids=["7"])


@pytest.mark.parametrize(
    ("query", "wrong", "said"),
    [
        (SeriesQuery, {"kind": "t1", "parameter": "qubit"}, "'t1' isn't a kind"),
        (CurrentQuery, {"kind": "qubit", "qids": "7"}, "qids must be a list of strings, not '7'"),
        (CurrentQuery, {"kind": "qubit", "qids": ["7", "x"]}, "'x' isn't the ID"),
        (CurrentQuery, {"kind": "qubit", "parameters": "t1"}, "parameters must be a list of strings, not 't1'"),
        (ResultQuery, {"qid": "mux0"}, "'mux0' isn't the ID"),
        (ResultQuery, {"last_n": -1}, "last_n can't be −1"),
        (ExecutionQuery, {"tags": "daily"}, "tags must be a list of strings, not 'daily'"),
        (CalibrationNoteQuery, {"last_n": "3"}, "last_n can't be '3'"),
        (VersionQuery, {"parameter": "t1", "qid": "1-2-3"}, "'1-2-3' isn't the ID"),
    ],
)
def test_what_cannot_be_meant_is_refused(query: Any, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArguments, match=said):
        query(CHIP, **wrong)


def test_which_elements_are_meant() -> None:
    assert [ElementQuery(CHIP, "qubit").is_about(qid) for qid in ("7", "4-1", "", None)] == [True, False, False, False]
    assert [ElementQuery(CHIP, "coupling").is_about(qid) for qid in ("7", "4-1")] == [False, True]
    some = ElementQuery(CHIP, "qubit", qids=["7"])
    assert [some.is_about(qid) for qid in ("7", "8")] == [True, False]
    assert not ElementQuery(CHIP, "qubit", qids=[]).is_about("7")

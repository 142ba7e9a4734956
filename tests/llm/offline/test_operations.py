"""What operations answer to queries, against what the documents of the demo chip say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from qdash_jupyter.llm.offline.phrases import window_words
from qdash_jupyter.llm.offline.query import Asked, Window
from tests.llm.offline import tool_questions as truth
from tests.llm.offline.given_query import answered
from tests.llm.offline.planner_questions import Chip


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# --- what reads alone answer ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("asked", "fields", "holds"),
    [
        (Asked.VALUES, {"qids": ("7",)}, truth.q7_values),
        (Asked.VALUES, {"qids": ("11",), "metrics": ("average_readout_fidelity",)}, truth.q11_readout),
        (Asked.COUPLING_VALUES, {"qids": ("5",)}, truth.couplings_of_q5),
        (Asked.COUPLING_VALUES, {"qids": ("4-1",)}, truth.coupling_4_1),
        (Asked.MEASUREMENTS, {"qids": ("7",), "metrics": ("t1",), "details": {"last_n": 5}}, truth.newest_t1(5)),
        (Asked.LATEST_RESULT, {"qids": ("7",), "details": {"task_name": "CheckT1"}}, truth.newest_t1(1)),
        (
            Asked.RESULT_HISTORY,
            {"qids": ("7",), "details": {"task_name": "CheckT1", "last_n": 10}},
            truth.newest_t1(10),
        ),
        (Asked.RESULTS, {"details": {"execution_id": "20260620-000"}}, None),
        (Asked.RUNS, {"details": {"last_n": 5}}, truth.newest_runs(5)),
        (Asked.RUNS, {"window": Window(day("2026-06-01"), day("2026-06-04"))}, truth.runs_of_three_days),
        (Asked.MACHINE_STATE, {"qids": ("7",), "details": {"kind": "hpi_params"}}, truth.pulses_of_q7),
        (Asked.NOTES, {"qids": ("8",)}, truth.notes_of_q8),
        (Asked.VERSIONS, {"metrics": ("t1",), "qids": ("7",)}, truth.t1_versions),
        (Asked.NEIGHBOURS, {"qids": ("5",)}, truth.neighbours_of_q5),
        (Asked.MAP, {"metrics": ("average_readout_fidelity",)}, truth.median_readout),
    ],
)
def test_a_read_is_told(faulty: Chip, language: str, asked: Asked, fields: dict[str, Any], holds: Any) -> None:
    text = answered(faulty, asked, language=language, **fields).text
    english = {"en": lambda words: words, "ja": lambda words: words.split(" of 64")[0].split(" measurements")[0]}
    expected = (holds or truth.of_a_run)(faulty.made)
    assert [words for words in expected if english[language](words) not in text] == []


def test_origin_in_english(faulty: Chip) -> None:
    text = answered(faulty, Asked.ORIGIN, metrics=("t1",), qids=("7",)).text
    assert [words for words in truth.t1_origin(faulty.made) if words not in text] == []


def test_each_of_several_elements_and_parameters_is_read(faulty: Chip) -> None:
    asked = answered(faulty, Asked.LATEST_RESULT, qids=("7", "8", "999"), details={"task_name": "CheckT1"})
    assert "CheckT1 of Q07, the newest result" in asked.text
    assert "CheckT1 of Q08, the newest result" in asked.text
    assert "no qubit '999'" in asked.text
    many = answered(faulty, Asked.MEASUREMENTS, metrics=("t1", "t2_echo"), qids=tuple(map(str, range(20))))
    assert many.text == "That is 40 readings: name up to 12 at once."


def test_how_many_failed_is_counted_over_all(faulty: Chip) -> None:
    failed = truth.results(faulty.made, status="failed")
    asked = answered(faulty, Asked.RESULTS, details={"status": "failed"}, how_many=True)
    assert asked.headlines[0].startswith(f"{len(failed)} results so far: ")


def test_what_is_not_named_is_asked_for(faulty: Chip) -> None:
    assert answered(faulty, Asked.VERSIONS, metrics=("t1",)).text == "Which qubit do you mean, of Q00 to Q63?"
    unclear = answered(faulty, Asked.MAP, metrics=("t2_echo",), unclear=("t2_echo", "t2_star")).text
    assert unclear == "Which parameter do you mean: T2 Echo or T2 Star?"


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "english", "japanese"),
    [
        (Window(day("2026-05-31T06:00"), days=30), "in the last 30 days", "過去30日間"),
        (Window(day("2026-06-29T18:00"), days=0.5), "in the last 12 hours", "過去12時間"),
        (Window(day("2026-06-29T06:00"), days=1), "in the last day", "過去1日間"),
        (Window(day("2026-06-15")), "since 2026-06-15", "2026-06-15以降"),
        (Window(day("2026-06-15T14:30")), "since 2026-06-15T14:30", "2026-06-15T14:30以降"),
        (Window(day("2026-06-10"), day("2026-06-21")), "from 2026-06-10 to 2026-06-20", "2026-06-10から2026-06-20まで"),
        (Window(day("2026-06-10"), day("2026-06-11")), "on 2026-06-10", "2026-06-10"),
        (Window(day("2026-06-01"), day("2026-07-01")), "in June 2026", "2026年6月"),
        (Window(day("2026-12-01"), day("2027-01-01")), "in December 2026", "2026年12月"),
        (Window(until=day("2026-06-10")), "before 2026-06-10", "2026-06-10より前"),
        (Window(day("2026-06-10"), day("2026-06-10T12:00")), "from 2026-06-10 to 2026-06-10T12:00", None),
    ],
)
def test_windows_in_words(window: Window, english: str, japanese: str | None) -> None:
    assert window_words(window, "en") == english
    assert japanese is None or window_words(window, "ja") == japanese

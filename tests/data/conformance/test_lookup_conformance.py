"""Both readers give the same true answers about runs, versions, provenance and notes, on documents of every kind."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from typing import Any

import pytest
from cases import READERS, cases, documents_of
from documents import LARGE, SMALL
from lookup_documents import LOOKUP_SETS
from lookup_truth import LookupTruth
from truth import Truth

from qdash_jupyter.data.records import ChipRef

Options = dict[str, Any]
Question = tuple[str, tuple[Any, ...], Options]

MAKERS = LOOKUP_SETS | {name: SMALL[name] for name in ("ids", "values", "dates", "projects", "outputs")} | LARGE
TIMES = {"task_results": "start_at", "executions": "start_at", "calibration_notes": "at"}
ABOUT = {
    "task_results": [
        {"task_name": "CheckT1"},
        {"task_name": "check_t1"},
        *({"qid": qid} for qid in ("7", "1", "4-1", "", "404")),
        *({"status": status} for status in ("completed", "failed", "")),
        {"execution_id": "20260301-000"},
        {"execution_id": ""},
        *({"task_id": task} for task in ("t-1", "no such id")),
        *({"cooldown_id": cooldown} for cooldown in ("2026-001", "", "none")),
        *({"tags": tags} for tags in (["daily"], ["daily", "weekly"], ["none"], [])),
        {"excluded": True},
        {"excluded": False, "status": "completed", "task_name": "CheckT2", "qid": "7"},
    ],
    "executions": [
        *({"status": status} for status in ("failed", "completed", "")),
        *({"tags": tags} for tags in (["daily"], ["weekly", "daily"])),
        {"status": "failed", "tags": ["daily"]},
    ],
    "calibration_notes": [
        *({"execution_id": run} for run in ("20260301-000", "")),
        {"task_id": "t-1"},
        {"execution_id": "20260301-000", "task_id": "master"},
    ],
}
PARAMETERS = ("t1", "zz", "hpi_amplitude", "no_such")
IDS = ("7", "8", "9", "1", "0", "4-1", "")


@cache
def chips_of(name: str) -> list[ChipRef]:
    known = [chip.ref for chip in Truth(documents_of(name)).chips()]
    return [*known, ChipRef("elsewhere", known[0].chip_id), ChipRef(known[0].project_id, "no-such-chip")]


def questions(name: str, truth: LookupTruth) -> Iterator[Question]:
    for chip in chips_of(name)[: 1 if name in LARGE else None]:
        for method in TIMES:
            yield from questions_of_a_time(method, chip, name, truth)
        pairs = list(product(PARAMETERS, IDS))
        written = [pair for pair in pairs if truth.parameter_versions(chip, *pair)]
        for pair, last_n in [*product(written, (None, 1, 3, 0)), (("t1", "404"), 2)]:
            yield "parameter_versions", (chip, *pair), {"last_n": last_n}
        for some in (pairs, [("t1", "7"), ("zz", "8")], []):
            yield "newest_versions", (chip, set(some)), {}
        for method, collection, field in (
            ("entities", "parameter_versions", "entity_id"),
            ("activities", "provenance_activities", "activity_id"),
            ("relations_from", "provenance_relations", "source_id"),
        ):
            stored = [one[field] for one in documents_of(name).get(collection, [])]
            for ids in ([], ["no such id"], stored[:1], [*stored[::3], "no such id"]):
                yield method, (chip, ids), {}
        results = [one["task_id"] for one in documents_of(name).get("task_result_history", []) if "task_id" in one]
        for task_id in ["no such id", *map(str, results[:: 1 + len(results) // 40])]:
            yield "task_detail", (chip, task_id), {}
        for method in ("task_names", "cooldowns", "notes"):
            yield method, (chip,), {}


def questions_of_a_time(method: str, chip: ChipRef, name: str, truth: LookupTruth) -> Iterator[Question]:
    times = sorted({t for one in getattr(truth, method)(chip) if (t := getattr(one, TIMES[method])) is not None})
    middle = times[len(times) // 2] if times else datetime(2026, 3, 1, tzinfo=UTC)
    almost = middle + timedelta(microseconds=1)
    ranges: list[Options] = [{"since": middle}, {"until": middle}, {"since": almost, "last_n": 2}]
    ranges.append({"since": middle - timedelta(hours=9), "until": almost})
    limits: list[Options] = [{}, *ranges, *({"last_n": count} for count in (0, 1, 5, 200))]
    for about in [{}, *ABOUT[method]][:: 4 if name in LARGE else 1]:
        found = getattr(truth, method)(chip, **about)
        if not found or name in LARGE or (about and chip != chips_of(name)[0]):
            yield method, (chip,), about | {"last_n": 3}
            continue
        for limit in limits:
            yield method, (chip,), about | limit


@pytest.mark.parametrize(("kind", "name"), cases(MAKERS))
def test_answers_are_the_truth(reader: Any, name: str) -> None:
    truth = LookupTruth(documents_of(name))
    asked = 0
    for method, arguments, options in questions(name, truth):
        asked += 1
        got = getattr(reader, method)(*arguments, **options)
        expected = getattr(truth, method)(*arguments, **options)
        assert same(got, expected), f"{method} {arguments[1:]} {options} of {arguments[0]}:\n{told(got, expected)}"
    assert asked > 30


def same(got: Any, expected: Any) -> bool:
    """Equality in which a missing number equals a missing number, and types count."""
    if type(got) is not type(expected):
        return isinstance(got, datetime) and isinstance(expected, datetime) and got == expected
    if isinstance(expected, float) and math.isnan(expected):
        return math.isnan(got)
    if dataclasses.is_dataclass(expected):
        names = [field.name for field in dataclasses.fields(expected)]
        return all(same(getattr(got, name), getattr(expected, name)) for name in names)
    if isinstance(expected, (list, tuple)):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(same(got[key], expected[key]) for key in expected)
    return bool(got == expected)


def told(got: Any, expected: Any) -> str:
    if isinstance(expected, list) and len(got) == len(expected):
        place = next(place for place, pair in enumerate(zip(got, expected, strict=True)) if not same(*pair))
        return f"  row {place}\n  got      {got[place]}\n  expected {expected[place]}"
    if isinstance(expected, list):
        return f"  {len(got)} rows instead of {len(expected)}\n  got      {got[:9]}\n  expected {expected[:9]}"
    return f"  got      {got}\n  expected {expected}"


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("name", ["runs"])
def test_times_are_in_utc(reader: Any, kind: str) -> None:
    times = [one.start_at for one in reader.task_results(chips_of("runs")[0]) if one.start_at is not None]
    assert {str(moment.tzinfo) for moment in times} == {"UTC"}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    ("name", "method", "problems"),
    [
        ("runs", "task_results", {("task_result_history", "qid"), ("task_result_history", "start_at")}),
        ("runs", "calibration_notes", {("calibration_note", "note"), ("calibration_note", "timestamp")}),
        ("people", "notes", {("target_note", "note"), ("target_note", "comments.3"), ("qubit", "metric_notes.x")}),
    ],
)
def test_what_cannot_be_read_is_reported_once(reader: Any, method: str, problems: set[tuple[str, str]]) -> None:
    for _ in range(2):
        getattr(reader, method)(ChipRef("p1", "c1"))
    reported = [(problem.collection, problem.document_id, problem.field) for problem in reader.problems()]
    assert len(reported) == len(set(reported))
    assert problems <= {(collection, field) for collection, _, field in reported}

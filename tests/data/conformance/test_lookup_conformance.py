"""Both readers give the same true answers about runs, versions, provenance and notes, on documents of every kind."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from operator import itemgetter
from typing import Any

import pytest

from qdash_jupyter.data.queries import CalibrationNoteQuery, ExecutionQuery, ResultQuery, VersionQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange
from tests.data.conformance.cases import READERS, THOROUGHLY, cases, documents_of, some_of
from tests.data.conformance.documents import LARGE, SMALL
from tests.data.conformance.lookup_documents import LOOKUP_SETS
from tests.data.conformance.lookup_truth import LookupTruth
from tests.data.conformance.truth import Truth

COUNTED = {
    "task_results": ("result_counts",),
    "executions": ("count",),
    "calibration_notes": ("count",),
}
Question = tuple[str, tuple[Any, ...]]
TimedQuery = ResultQuery | ExecutionQuery | CalibrationNoteQuery

MAKERS = LOOKUP_SETS | {name: SMALL[name] for name in ("ids", "values", "dates", "projects", "outputs")} | LARGE
TIMES = {"task_results": "start_at", "executions": "start_at", "calibration_notes": "at"}


def about(chip: ChipRef) -> dict[str, list[TimedQuery]]:
    """What is asked about a chip, by method; at first everything."""
    run = "20260301-000"
    return {
        "task_results": [
            ResultQuery(chip),
            *(ResultQuery(chip, task_name=name) for name in ("CheckT1", "check_t1")),
            *(ResultQuery(chip, qid=qid) for qid in ("7", "Q01", "4-1", "", "404")),
            *(ResultQuery(chip, status=status) for status in ("completed", "failed", "")),
            *(ResultQuery(chip, execution_id=execution_id) for execution_id in (run, "")),
            *(ResultQuery(chip, task_id=task) for task in ("t-1", "no such id")),
            *(ResultQuery(chip, cooldown_id=cooldown) for cooldown in ("2026-001", "", "none")),
            *(ResultQuery(chip, tags=tags) for tags in (["daily"], ["daily", "weekly"], ["none"], [])),
            ResultQuery(chip, excluded=True),
            *(ResultQuery(chip, output=parameter) for parameter in ("t1", "a.b", "no_such")),
            ResultQuery(chip, output="t1", excluded=True, qid="5"),
            ResultQuery(chip, excluded=False, status="completed", task_name="CheckT2", qid="7"),
        ],
        "executions": [
            ExecutionQuery(chip),
            *(ExecutionQuery(chip, status=status) for status in ("failed", "completed", "")),
            *(ExecutionQuery(chip, tags=tags) for tags in (["daily"], ["weekly", "daily"])),
            ExecutionQuery(chip, status="failed", tags=["daily"]),
            *(ExecutionQuery(chip, username=username) for username in ("aoi", "bob", "", "nobody")),
            ExecutionQuery(chip, username="aoi", status="failed"),
        ],
        "calibration_notes": [
            CalibrationNoteQuery(chip),
            *(CalibrationNoteQuery(chip, execution_id=execution_id) for execution_id in (run, "")),
            CalibrationNoteQuery(chip, task_id="t-1"),
            CalibrationNoteQuery(chip, execution_id=run, task_id="master"),
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
        for method, queries in about(chip).items():
            asked = list(limited(queries, method, name, truth))
            yield from ((way, (query,)) for query in asked for way in (method, *COUNTED.get(method, ())))
        pairs = list(product(PARAMETERS, IDS))
        written = [pair for pair in pairs if truth.parameter_versions(VersionQuery(chip, *pair))]
        for pair, last_n in [*product(written, (None, 3) if name in LARGE else (None, 1, 3, 0)), (("t1", "404"), 2)]:
            yield from ((way, (VersionQuery(chip, *pair, last_n=last_n),)) for way in ("parameter_versions", "count"))
        for some in (pairs, [("t1", "7"), ("zz", "8"), ("t1", "no id")], []):
            yield "newest_versions", (chip, set(some))
        for method, collection, field in (
            ("entities", "parameter_versions", "entity_id"),
            ("activities", "provenance_activities", "activity_id"),
            ("relations_from", "provenance_relations", "source_id"),
        ):
            stored = [one[field] for one in documents_of(name).get(collection, [])]
            for ids in ([], ["no such id"], stored[:1], [*stored[::3], "no such id"]):
                yield method, (chip, ids)
        results = [one["task_id"] for one in documents_of(name).get("task_result_history", []) if "task_id" in one]
        for task_id in ["no such id", *map(str, results[:: 1 + len(results) // (10 if name in LARGE else 40)])]:
            yield "task_detail", (chip, task_id)
        for method in ("task_names", "cooldowns", "notes"):
            yield method, (chip,)
        for issue in ["no such id", *(str(one["_id"]) for one in documents_of(name).get("issue", []))]:
            yield from (("issue_thread", (issue, project)) for project in (None, chip.project_id))


def limited(queries: list[TimedQuery], method: str, name: str, truth: LookupTruth) -> Iterator[TimedQuery]:
    """Each query in many time ranges and of several lengths; with one of them, where that tells nothing more."""
    whole = queries[0]
    times = sorted({t for one in getattr(truth, method)(whole) if (t := getattr(one, TIMES[method])) is not None})
    middle = times[len(times) // 2] if times else datetime(2026, 3, 1, tzinfo=UTC)
    almost = middle + timedelta(microseconds=1)
    ranges = [ANY_TIME, TimeRange(middle), TimeRange(None, middle), TimeRange(middle - timedelta(hours=9), almost)]
    for query in queries[:: 4 if name in LARGE else 1]:
        if name in LARGE or (query != whole and query.chip != chips_of(name)[0]) or not getattr(truth, method)(query):
            yield replace(query, last_n=3)
            continue
        yield from (replace(query, during=during) for during in ranges)
        yield replace(query, during=TimeRange(almost), last_n=2)
        yield from (replace(query, last_n=count) for count in (0, 1, 5, 200))


@THOROUGHLY
@pytest.mark.parametrize(("kind", "name"), cases(MAKERS))
def test_answers_are_the_truth(reader: Any, name: str, thoroughly: bool) -> None:
    truth = LookupTruth(documents_of(name))
    every = list(questions(name, truth))
    assert len(every) > 30
    for method, arguments in every if thoroughly else some_of(every, itemgetter(0)):
        got = getattr(reader, method)(*arguments)
        expected = getattr(truth, method)(*arguments)
        assert same(got, expected), f"{method} {arguments}:\n{told(got, expected)}"


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
    times = [one.start_at for one in reader.task_results(ResultQuery(chips_of("runs")[0])) if one.start_at is not None]
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
    chip = ChipRef("p1", "c1")
    for _ in range(2):
        getattr(reader, method)(about(chip)[method][0] if method in TIMES else chip)
    reported = [(problem.collection, problem.document_id, problem.field) for problem in reader.problems()]
    assert len(reported) == len(set(reported))
    assert problems <= {(collection, field) for collection, _, field in reported}

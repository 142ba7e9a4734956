"""Both readers give the answers that the Protocol promises, on clean documents and on those of real databases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from operator import attrgetter
from typing import Any, NamedTuple

import pandas as pd
import pytest

from qdash_jupyter.data.queries import CurrentQuery, SeriesQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef, ElementKind
from qdash_jupyter.domain.time_range import TimeRange
from tests.data.conformance.cases import READERS, THOROUGHLY, cases, documents_of, some_of
from tests.data.conformance.documents import AS_OF, LARGE, SMALL, at
from tests.data.conformance.truth import Truth

SERIES = {
    "qid": "str",
    "t": "datetime64[ms, UTC]",
    "v": "float64",
    "error": "float64",
    "unit": "str",
    "task_name": "str",
    "execution_id": "str",
    "task_id": "str",
    "flag": "str",
}
CURRENT = {
    "qid": "str",
    "parameter": "str",
    "value": "float64",
    "error": "float64",
    "unit": "str",
    "calibrated_at": "datetime64[ms, UTC]",
    "execution_id": "str",
    "task_id": "str",
    "flag": "str",
}
NAMES = {"parameter": "str", "results": "int64", "last_at": "datetime64[ms, UTC]"}
COLUMNS = {"parameter_series": SERIES, "current_parameters": CURRENT, "parameter_names": NAMES}
KINDS: tuple[ElementKind, ...] = ("qubit", "coupling")
TELLING = ("t1", "qubit_frequency", "zx90_gate_fidelity")
"""The parameters asked for in large sets; in small ones all are."""

METHODS = ["chips", "element_ids", "parameter_names", "current_parameters", "parameter_series"]
SETS = [*SMALL, *LARGE]


class Question(NamedTuple):
    """A call of one of the Protocol's methods."""

    method: str
    arguments: tuple[Any, ...] = ()

    def asked_of(self, answerer: Any) -> Any:
        return getattr(answerer, self.method)(*self.arguments)


@cache
def truth_of(name: str) -> Truth:
    return Truth(documents_of(name))


def chips_of(name: str) -> list[ChipRef]:
    """The set's chips, each asked for in a wrong project too, and one that does not exist."""
    known = [chip.ref for chip in truth_of(name).chips()]
    wrong = [ChipRef("elsewhere", chip_id) for chip_id in sorted({chip.chip_id for chip in known})]
    return [*known, *wrong, ChipRef(known[0].project_id, "no-such-chip")]


def questions(method: str, name: str) -> list[Question]:
    truth, chips = truth_of(name), chips_of(name)
    known = [chip.ref for chip in truth.chips()]
    if method == "chips":
        projects = (None, "elsewhere", *{chip.project_id for chip in chips})
        return [Question(method, asked) for asked in product(projects, (None, "aoi", "bob", "eve", "nobody"))]
    if method == "element_ids":
        return [Question(method, (chip, kind)) for chip, kind in product(chips, KINDS)]
    if method == "parameter_names":
        ids = (None, "", "1", "7", "4-1", "404") if name in SMALL else (None, "5")
        chips = chips if name in SMALL else chips[:2]
        return [Question(method, (chip, qid)) for chip, qid in product(chips, ids)]
    if method == "current_parameters":
        asked = [CurrentQuery(chip, kind) for chip, kind in product(chips, KINDS)]
        asked += [replace(query, qids=("1", "7", "0-1")) for query in asked]
        if name in SMALL:
            asked += [replace(query, qids=()) for query in asked if query.chip in known]
            for names in (("t1", "zz", "no_such"), (), ("a.b", "t1")):
                asked += [CurrentQuery(chip, kind, parameters=names) for chip, kind in product(known, KINDS)]
            asked += [CurrentQuery(chip, kind, qids=["7"], parameters=["t1"]) for chip, kind in product(known, KINDS)]
        if truth.history:
            moments = [at(hours) for hours in (-1, 0, 0.01, 2.5, 24, 47, 60.1, 100, 121.01, 200, 333, 900)]
            moments += [datetime(2026, 3, 4, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
            asked += [replace(query, at=moment) for query, moment in product(asked[:8], moments)]
            asked += [CurrentQuery(known[0], "qubit", qids=["7", "1"], parameters=["t1"], at=at(99))]
        return [Question(method, (query,)) for query in asked]
    return [Question(method, (query,)) for chip in chips for query in series_queries(truth, chip, name)]


def series_queries(truth: Truth, chip: ChipRef, name: str) -> Iterator[SeriesQuery]:
    held = sorted({record.parameter for entry in truth.results for record in entry.records})
    asked = held if name in SMALL else [parameter for parameter in held if parameter in TELLING]
    asked = [*asked, "no_such", "t1.value", "$t1", ""] if name in SMALL else asked
    if chip not in [known.ref for known in truth.chips()]:
        asked = asked[:2]  # nothing is there, whatever is asked for
    for parameter, kind in product(asked, KINDS):
        query = SeriesQuery(chip, kind, parameter)
        rows = truth.parameter_series(query)
        if not rows:
            yield from (query,) if name in SMALL else ()
            continue
        middle, one = rows[len(rows) // 2][1], rows[0][0]
        almost = middle + timedelta(microseconds=1)
        yield from (query, replace(query, last_n=2))
        yield replace(query, qids=[one], during=TimeRange(until=middle))
        yield replace(query, during=TimeRange(almost), last_n=1)
        if name in SMALL:
            yield from (replace(query, last_n=n) for n in (0, 1))
            yield from (replace(query, qids=qids) for qids in ([one, "404"], [], ["Q" + one, "9" * 30]))
            for during in (TimeRange(middle), TimeRange(almost), TimeRange(None, middle), TimeRange(None, almost)):
                yield replace(query, during=during)
            yield replace(query, during=TimeRange(rows[0][1], rows[-1][1]))
            yield replace(query, during=TimeRange(None, middle), last_n=3)
            yield replace(query, qids=[one], during=TimeRange(None, middle), last_n=1)
        if name in SMALL or parameter == TELLING[0]:
            yield from of_runs(query, truth, name)


def of_runs(query: SeriesQuery, truth: Truth, name: str) -> Iterator[SeriesQuery]:
    """Each cool-down and each tag that the documents hold, with the newest of it, and such as they do not hold."""
    cooldowns = sorted({entry.cooldown_id for entry in truth.results if entry.cooldown_id is not None})
    tags = sorted(frozenset().union(*(entry.tags for entry in truth.results)))
    yield from (replace(query, cooldown_id=cooldown, last_n=2) for cooldown in cooldowns)
    yield from (replace(query, tags=[tag], last_n=1) for tag in tags)
    yield replace(query, cooldown_id=cooldowns[-1], tags=tags)
    yield replace(query, tags=[*tags, "no-such"])
    if name in SMALL:
        yield from (replace(query, cooldown_id=cooldown) for cooldown in (*cooldowns, "no-such"))


@THOROUGHLY
@pytest.mark.parametrize(("kind", "name"), cases(SETS))
def test_answers_are_the_truth(reader: QDashReader, name: str, thoroughly: bool) -> None:
    every = [question for method in METHODS for question in questions(method, name)]
    asked = every if thoroughly else some_of(every, attrgetter("method"))
    differences = [text for question in asked if (text := difference(question, reader, truth_of(name)))]
    assert not differences, f"{len(differences)} of {len(asked)} answers differ:\n" + "\n".join(differences[:5])


def difference(question: Question, reader: Any, truth: Truth) -> str:
    """What is wrong with the reader's answer; nothing when it is the truth."""
    got, expected = question.asked_of(reader), question.asked_of(truth)
    if question.method not in COLUMNS:
        return "" if got == expected else f"{question}:\n  got      {got}\n  expected {expected}"
    columns = COLUMNS[question.method]
    dtypes = {column: str(dtype) for column, dtype in got.dtypes.items()}
    if list(got.columns) != list(columns) or dtypes != text_dtypes(columns):
        return f"{question}: columns {dtypes}"
    if list(got.index) != list(range(len(got))):
        return f"{question}: index {list(got.index)[:10]}"
    rows = [tuple(row) for row in got.itertuples(index=False, name=None)]
    if len(rows) != len(expected):
        return (
            f"{question}: {len(rows)} rows instead of {len(expected)}\n  got      {rows[:4]}\n  expected {expected[:4]}"
        )
    for place, (row, right) in enumerate(zip(rows, expected, strict=True)):
        if not all(map(same, row, right)):
            return f"{question}: row {place}\n  got      {row}\n  expected {right}"
    return ""


def text_dtypes(columns: dict[str, str]) -> dict[str, str]:
    text = str(pd.Series([""]).astype("str").dtype)  # `object` before pandas 3
    return {name: text if dtype == "str" else dtype for name, dtype in columns.items()}


def same(got: Any, expected: Any) -> bool:
    if expected is None:
        return got is pd.NaT
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(got, float) and math.isnan(got)
    if isinstance(expected, datetime):
        return got is not pd.NaT and got == expected and str(got.tzinfo) == "UTC"
    if isinstance(expected, float):
        return isinstance(got, float) and math.isclose(got, expected, rel_tol=1e-12)  # of another unit
    return type(got) is type(expected) and got == expected


@pytest.mark.parametrize(("kind", "name"), cases(SETS))
def test_problems_are_reported_once(reader: QDashReader, kind: str, name: str) -> None:
    truth = truth_of(name)
    held = sorted({record.parameter for entry in truth.results for record in entry.records})
    reader.chips()
    for chip in truth.chips():
        reader.parameter_names(chip.ref)
        for element in KINDS:
            reader.current_parameters(CurrentQuery(chip.ref, element))
            for parameter in held if name in SMALL else TELLING[:1]:
                reader.parameter_series(SeriesQuery(chip.ref, element, parameter))
    reported = [(problem.collection, problem.document_id, problem.field) for problem in reader.problems()]
    assert len(reported) == len(set(reported))
    assert all(problem.problem for problem in reader.problems())
    everything, needed = truth.problems(), truth.problems_of_what_counts()
    if kind == "snapshot":
        assert sorted(set(reported) ^ everything) == []
    else:
        # A live reader does not look at documents that no question is about.
        assert sorted(needed - set(reported)) == []
        assert sorted(set(reported) - everything) == []


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("name", ["plain"])
def test_the_moment_and_the_origin(reader: QDashReader, kind: str) -> None:
    assert reader.now() == AS_OF
    assert reader.now().tzinfo is UTC
    assert reader.origin.kind == {"snapshot": "snapshot", "mongo": "mongodb"}[kind]
    assert reader.origin.label

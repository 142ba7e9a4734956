"""Both readers give the answers that the Protocol promises, on clean documents and on those of real databases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from typing import Any

import pandas as pd
import pytest
from cases import READERS, cases, documents_of
from documents import AS_OF, LARGE, SMALL
from truth import Truth

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef

SERIES = {
    "qid": "str",
    "t": "datetime64[ms, UTC]",
    "v": "float64",
    "error": "float64",
    "unit": "str",
    "task_name": "str",
    "execution_id": "str",
    "task_id": "str",
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
}
NAMES = {"parameter": "str", "results": "int64", "last_at": "datetime64[ms, UTC]"}
COLUMNS = {"parameter_series": SERIES, "current_parameters": CURRENT, "parameter_names": NAMES}
KINDS = ("qubit", "coupling")
TELLING = ("t1", "qubit_frequency", "zx90_gate_fidelity")
"""The parameters asked for in large sets; in small ones all are."""

METHODS = ["projects", "chips", "element_ids", "parameter_names", "current_parameters", "parameter_series"]
SETS = [*SMALL, *LARGE]


@dataclass(frozen=True)
class Question:
    """A call of one of the Protocol's methods."""

    method: str
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def asked_of(self, answerer: Any) -> Any:
        return getattr(answerer, self.method)(*self.arguments, **dict(self.options))


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
    if method == "projects":
        return [Question(method)]
    if method == "chips":
        return [Question(method, (project,)) for project in (None, "elsewhere", *{chip.project_id for chip in chips})]
    if method == "element_ids":
        return [Question(method, (chip, kind)) for chip, kind in product(chips, KINDS)]
    if method == "parameter_names":
        ids = (None, "", "1", "7", "4-1", "404") if name in SMALL else (None, "5")
        chips = chips if name in SMALL else chips[:2]
        return [Question(method, (chip, qid)) for chip, qid in product(chips, ids)]
    if method == "current_parameters":
        options = [
            (),
            qids("1", "7", "0-1"),
            qids(),
            parameters("t1", "zz", "no_such"),
            parameters(),
            parameters("a.b", "t1"),
        ]
        options.append(qids("7") + parameters("t1"))
        options = options if name in SMALL else options[:2]
        return [Question(method, (chip, kind), option) for chip, kind, option in product(chips, KINDS, options)]
    return [question for chip in chips for question in series_questions(truth, chip, name)]


def series_questions(truth: Truth, chip: ChipRef, name: str) -> Iterator[Question]:
    held = sorted({record.parameter for entry in truth.results for record in entry.records})
    asked = held if name in SMALL else [parameter for parameter in held if parameter in TELLING]
    asked = [*asked, "no_such", "t1.value", "$t1", ""] if name in SMALL else asked
    for parameter, kind in product(asked, KINDS):
        rows = truth.parameter_series(chip, parameter, kind)
        options: list[tuple[tuple[str, Any], ...]] = [(), newest(2)] if rows else [newest(1)]
        if rows:
            middle, first = rows[len(rows) // 2][1], rows[0][0]
            almost = middle + timedelta(microseconds=1)
            options += [newest(1), newest(0), qids(first, "404"), qids(), qids("007", "x", "9" * 30)]
            options += [since(middle), until(middle), since(almost), until(almost)]
            options += [since(rows[0][1]) + until(rows[-1][1]), since(middle) + newest(1), until(middle) + newest(3)]
            options.append(qids(first) + until(middle) + newest(1))
        if name not in SMALL:
            options = [(), newest(2), since(almost) + newest(1), qids(first) + until(middle)] if rows else []
        if rows:
            options += run_options(truth, name)
        for option in options:
            yield Question("parameter_series", (chip, parameter, kind), option)


def run_options(truth: Truth, name: str) -> list[tuple[tuple[str, Any], ...]]:
    """Each cool-down and each tag that the documents hold, with the newest of it, and such as they do not hold."""
    cooldowns = sorted({entry.cooldown_id for entry in truth.results if entry.cooldown_id is not None})
    tags = sorted(frozenset().union(*(entry.tags for entry in truth.results)))
    options = [cooldown(held) + newest(2) for held in cooldowns] + [tagged(tag) + newest(1) for tag in tags]
    options += [cooldown(cooldowns[-1]) + tagged(*tags), tagged(*tags, "no-such")]
    return [*options, *map(cooldown, cooldowns), cooldown("no-such")] if name in SMALL else options


def cooldown(identity: str) -> tuple[tuple[str, Any], ...]:
    return (("cooldown_id", identity),)


def tagged(*tags: str) -> tuple[tuple[str, Any], ...]:
    return (("tags", tags),)


def qids(*ids: str) -> tuple[tuple[str, Any], ...]:
    return (("qids", ids),)


def parameters(*names: str) -> tuple[tuple[str, Any], ...]:
    return (("parameters", names),)


def since(moment: datetime) -> tuple[tuple[str, Any], ...]:
    return (("since", moment),)


def until(moment: datetime) -> tuple[tuple[str, Any], ...]:
    return (("until", moment),)


def newest(n: int) -> tuple[tuple[str, Any], ...]:
    return (("last_n", n),)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("kind", "name"), cases(SETS))
def test_answers_are_the_truth(reader: QDashReader, name: str, method: str) -> None:
    asked = questions(method, name)
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
    return type(got) is type(expected) and got == expected


@pytest.mark.parametrize(("kind", "name"), cases(SETS))
def test_problems_are_reported_once(reader: QDashReader, kind: str, name: str) -> None:
    truth = truth_of(name)
    held = sorted({record.parameter for entry in truth.results for record in entry.records})
    reader.chips()
    for chip in chips_of(name):
        reader.parameter_names(chip)
        for element in KINDS:
            reader.current_parameters(chip, element)
            for parameter in held if name in SMALL else TELLING[:1]:
                reader.parameter_series(chip, parameter, element)
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


@pytest.mark.parametrize("name", ["values", "ids", "dates", "outputs"])
def test_the_dirty_sets_hold_problems(name: str) -> None:
    assert len(truth_of(name).problems()) >= 5


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("name", ["plain"])
def test_the_moment_and_the_origin(reader: QDashReader, kind: str) -> None:
    assert reader.now() == AS_OF
    assert reader.now().tzinfo is UTC
    assert reader.origin.kind == {"snapshot": "snapshot", "mongo": "mongodb"}[kind]
    assert reader.origin.label

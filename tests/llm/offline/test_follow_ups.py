"""A question behind another one changes what it names and keeps the rest, or is not run."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest

from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.wording import sentence_of
from tests.llm.offline.asking import NOW, drawn, read

WHOSE = {"qids", "places", "kind"}
CHANGES = {
    ("and T2 echo?", "ではT2エコーは?"): {"metrics", "kind"},
    ("and MUX 2?", "ではMUX 2は?"): WHOSE,
    ("also Q9", "Q9も追加"): {"qids", "kind"},
    # Bad qubits are the chip's health.
    ("for all qubits", "全量子ビットでは?"): {*WHOSE, "without", "neighbours", "low"},
    ("in May 2026", "2026年5月は?"): {"window"},
    ("since 10 June", "6月10日以降は?"): {"window"},
    ("compared to May", "5月と比べて"): {"asked", "window", "against"},
    ("the worst 3", "ワースト3は?"): {"asked", "order", "count", "metrics"},  # by the parameter of its condition
    ("the median", "中央値は?"): {"asked", "statistic", "how_many"},
    ("how many?", "いくつ?"): {"how_many"},
    ("and why?", "なぜ?"): {"why"},
}
"""By a question in both languages the fields that it names."""
BY_FIELDS = {Asked.VALUES, Asked.MEASUREMENTS, Asked.MAP, Asked.SELECT, Asked.STATISTIC, Asked.RUNS, Asked.COMPARE}
"""Questions whose kind follows from what they say: T1 of Q5, of all, in a time, the lowest of T1."""
FIELDS = [field.name for field in fields(Query)]


@pytest.mark.parametrize(("seed", "each"), [(31, 4), pytest.param(32, 30, marks=pytest.mark.long)])
def test_a_question_behind_another_changes_what_it_names(seed: int, each: int) -> None:
    wrong, ran = [], 0
    for before in filter(can_answer, drawn(Random(seed), each)):  # noqa: S311 - no secret
        names_some = before.named or before.qids or before.places or before.without
        for sentences, named in CHANGES.items() if names_some else ():
            found = [{one for one in queries(sentence, NOW, before) if can_answer(one)} for sentence in sentences]
            may = named | ({"asked", "statistic", "per"} if before.asked in BY_FIELDS else set())
            for one in found[0]:
                ran += 1
                changed = {name for name in FIELDS if getattr(one, name) != getattr(before, name)}
                if not changed <= may:
                    wrong.append((sentence_of(before, "en"), sentences[0], sentence_of(one, "en"), changed - may))
            if found[0] != found[1]:
                wrong.append((sentence_of(before, "en"), *sentences, found))
    assert wrong == []
    assert ran > 20 * each


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ("T1 of the neighbours of Q5", "T2 echo of these", "T2 Echo · neighbors of Q05 · newest values"),
        ("T1 of MUX 3", "of these, T2 echo below 30 us", "qubits · T2 Echo below 30 μs · MUX 3 · newest values"),
        ("T1 of Q3 and MUX 3", "T2 echo of these", "T2 Echo · Q03 · MUX 3 · newest values"),
        ("which of Q1 to Q9 lost T1?", "T2 echo of these", "T2 Echo · of these · newest values"),
        ("T1 below 40", "the worst 3 of these", "worst 3 qubits by T1 · T1 below 40 μs · newest values"),
        ("T1 of Q1 to Q9", "the worst 3", "worst 3 qubits by T1 · Q01 to Q09 · newest values"),
        ("T1 of Q5 and Q9", "their neighbours", "T1 · neighbors of Q05, Q09 · newest values"),
        ("heatmap of T1", "in May 2026", "heatmap of T1 · in May 2026"),
        ("measurements of T1 of Q3", "and T2 echo?", "measurements of T2 Echo · Q03"),
        ("T1 of Q3 in May", "now", "T1 · Q03 · newest values"),
        ("notes about Q3", "the last 3", "last 3 notes · Q03"),
        ("T1 of Q5", "also Q9", "T1 · Q05, Q09 · newest values"),
        (
            "how many qubits have T1 below 20 us",
            "sorted by T1",
            "qubits by T1, best first · T1 below 20 μs · newest values",
        ),
        (
            "T1 below 20",
            "X90が高い順に並べて",
            "qubits by X90 Gate Fidelity, highest first · T1 below 20 μs · newest values",
        ),
        ("rank all qubits by T1", "top 3", "best 3 qubits by T1 · newest values"),
        ("failed results in June", "CheckRabiだけ", "failed results · since 2026-06-01 · CheckRabi"),
        ("failed results on 29 June", "and the day before?", "failed results · on 2026-06-28"),
        ("T1 of Q5 in May 2026", "the month before", "T1 over time · Q05 · in April 2026"),
        ("what is wrong with Q12", "the notes?", "notes · Q12"),
        ("ZX90 of Q04-Q01", "いつ測った?", "age of ZX90 Gate Fidelity · coupling Q04-Q01"),
        (
            "compare T1 since 2026-06-01 with May",
            "which got better?",
            "compare T1 · since 2026-06-01 · in May 2026 · rose",
        ),
        ("mean T1 of the neighbours of Q20", "and the neighbours of Q21?", "mean T1 · neighbors of Q21"),
        ("correlation of T1 and frequency", "with anharmonicity?", "correlation of T1 and Qubit Anharmonicity"),
        (
            "all couplings by ZX90 worst first",
            "only those with Q05",
            "couplings by ZX90 Gate Fidelity, worst first · Q05 · couplings · newest values",
        ),
        ("runs on 28 June", "failed?", "runs failed · on 2026-06-28"),
        ("failed results in June", "by task", "failed results · most often per task · since 2026-06-01"),
        ("how many qubits have T1 below 20", "which ones?", "qubits · T1 below 20 μs · newest values"),
        ("which qubits lost T1 since 22 June?", "any notes about them?", "notes · of these"),
        ("failed results of Q40 in June", "and Q04-Q01?", "failed results · coupling Q04-Q01 · since 2026-06-01"),
        ("failed results of Q40 in June", "MUX10全体では?", "failed results · MUX 10 · since 2026-06-01"),
        ("correlation of T1 and X90 fidelity", "and for T2 echo", "correlation of T2 Echo and X90 Gate Fidelity"),
        ("readout below 95 %", "90%?", "qubits · Readout Fidelity below 90 % · newest values"),
        ("which qubits lost T1 by 30 % since 22 June?", "20%?", "T1 fell · since 2026-06-22 · by at least 20 %"),
        ("failed results of Q7 on 29 June", "are they excluded?", "excluded values · Q07 · on 2026-06-29"),
        ("T1 of Q7", "when was it measured?", "age of T1 · Q07"),
        ("T1 of Q7", "plot it", "T1 over time · Q07 · plot"),
        ("failed results of Q7", "why did they fail?", "failed results · Q07 · why"),
        ("T1 of Q7", "is it stable?", "stability of T1 · Q07"),
        ("how is the chip", "the worst 3", "worst 3 qubits · newest values"),
        ("T1 of Q5", "how is the chip?", "how is the chip"),
    ],
)
def test_what_a_follow_up_means(before: str, after: str, asked: str) -> None:
    found = read(after, read(before))
    assert found is not None
    assert sentence_of(found, "en") == asked


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("T1 over time", "its neighbours"),
        ("how is the chip", "their neighbours"),
        ("Allan deviation of T1 of Q7", "how many?"),
        ("which qubits failed most since June 1", "top 5"),
        ("T1 of Q5", "the day before"),
        ("T1 of Q5", "30 us?"),
        ("T1 of Q5", "and without Q5?"),
        ("versions of X90 of Q18", "the one before the current"),
        ("how is the chip", "when was it measured by them?"),
    ],
)
def test_what_refers_to_nothing_is_not_run(before: str, after: str) -> None:
    assert queries(after, NOW, read(before)) == ()


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("notes from last month", "notes · in May 2026"),
        ("量子ビット14の周波数", "Qubit Frequency · Q14 · newest values"),
        ("T1 of MUX 2 to 4", "T1 · MUX 2 · MUX 3 · MUX 4 · newest values"),
        ("T1 of Q5 from 15 June", "T1 over time · Q05 · since 2026-06-15"),
        (
            "failed tasks in the last 3 days, grouped by task",
            "failed results · most often per task · in the last 3 days",
        ),
    ],
)
def test_words_before_times_and_groups(question: str, asked: str) -> None:
    found = read(question)
    assert found is not None
    assert sentence_of(found, "en") == asked

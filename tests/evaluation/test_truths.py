"""The truths of `make eval`, computed from documents, against what was planted; each tells right from wrong."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from functools import cache

import pytest
from eval.book import Book, correlation, ranks
from eval.chips import make_chip
from eval.facts import Ids, NotThere, Series, Unanswerable, Value
from eval.judge import Verdict, judge
from eval.questions import items_of, questions_of
from eval.questions.changes import fell, jumped
from eval.reading import Reading

SEEDS = (301, *(pytest.param(seed, marks=pytest.mark.long) for seed in (302, 17)))

_FORMS = {
    *(
        "dates",
        "months",
        "end of range",
        "on a date",
        "weekdays",
        "two conditions",
        "value range",
        "negation",
        "of one",
    ),
    *(
        "tags",
        "mean",
        "median",
        "errors",
        "of one",
        "of another",
        "relation",
        "scatter",
        "histogram",
    ),
    *(
        "unknown parameter",
        "unknown chip",
        "ranking",
        "how many",
        "two windows",
        "fit",
        "either direction",
        "since",
    ),
    *(
        "follow-up: time",
        "follow-up: qubit",
        "history",
        "list",
        "notes",
        "failed tasks",
        "empty window",
        "verdict",
        "condition",
        "advice",
    ),
}
"""What issue 18 lists as hard about questions."""


@cache
def book_of(seed: int) -> Book:
    return Book(make_chip(seed))


@pytest.fixture(params=SEEDS)
def book(request: pytest.FixtureRequest) -> Book:
    return book_of(request.param)


@pytest.mark.long
def test_what_fell_is_what_was_planted(book: Book) -> None:
    truth, planted = book.chip.truth, book.chip.planted
    assert fell(book, "t1", 30).ids == {planted.slope, *truth.t1_lost()}
    assert fell(book, "t2_echo", 14).ids == {planted.step}
    assert not fell(book, "t1", 30).ids & {*truth.t1_fell_before, *truth.busy, *truth.rare}


def test_frequencies_jumped_where_planted_and_all_of_them_at_the_cool_down(book: Book) -> None:
    assert jumped(book, 30).ids == {*book.chip.truth.frequency_jump}
    moved = book.changes("qubit_frequency", book.cooled_down, book.cooled_down + timedelta(days=11))
    assert len(moved) > 30
    assert all(2 < abs(mhz) < 13 for mhz in moved.values())


def test_telegraph_noise_has_two_levels(book: Book) -> None:
    values = [point.value for point in book.series("t1", book.chip.planted.telegraph)]
    middle = (min(values) + max(values)) / 2
    assert 0.2 < sum(value < middle for value in values) / len(values) < 0.8
    assert not [value for value in values if 0.9 * middle < value < 1.02 * middle]


def test_dead_and_stale_ones_are_not_measured(book: Book) -> None:
    truth = book.chip.truth
    assert book.not_seen_since(book.days_ago(30)) == {*truth.dead, *truth.stale}
    assert {qid for qid in book.qubits if book.last_seen(qid) is None} == {*truth.dead}


def test_excluded_values_and_failed_fits_do_not_count(book: Book) -> None:
    truth = book.chip.truth
    assert max(book.current("t1").values()) < 200
    assert truth.excluded_now[0] in book.current("t1")
    assert book.doubtful("t1") == {*truth.zero_now}
    excluded = {row["qid"] for row in book.results if row["excluded"]}
    assert excluded == {*truth.excluded_now, *truth.excluded_outlier}


def test_two_of_three_fits_fail_where_planted(book: Book) -> None:
    of_all = book.tasks(name="CheckT1", qid=book.chip.planted.failing, since=book.days_ago(30))
    failed = [row for row in of_all if row["status"] == "failed"]
    assert 0.6 < len(failed) / len(of_all) < 0.8
    assert of_all[0]["status"] == "completed"


def test_poor_readout_and_couplings_are_the_planted(book: Book) -> None:
    truth = book.chip.truth
    assert book.where("average_readout_fidelity", lambda value: value < 93) == {*truth.low_readout}
    assert book.where("zx90_gate_fidelity", lambda value: value < 90) == {*truth.bad_coupling}
    assert book.ranked("x90_gate_fidelity")[: len(truth.low_gate)] == [*truth.low_gate]


def test_values_in_other_units_are_read_in_ours(book: Book) -> None:
    planted = book.chip.planted
    stored = {row["qid"]: row["data"] for row in book.chip.documents["qubit"]}
    assert stored[planted.t1_in_ns]["t1"]["unit"] == "ns"
    assert book.current("t1")[planted.t1_in_ns] == pytest.approx(stored[planted.t1_in_ns]["t1"]["value"] / 1e3)
    assert 4 < book.current("qubit_frequency")[planted.frequency_in_mhz] < 6
    assert 90 < book.current("average_readout_fidelity")[planted.readout_in_percent] < 100
    noise_free = book.chip.truth.t1_now[planted.t1_in_ns]
    assert book.current("t1")[planted.t1_in_ns] == pytest.approx(noise_free, rel=0.3)


def test_statistics_against_known_values() -> None:
    assert correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert correlation([1, 2, 3, 4], [1, -1, -1, 1]) == pytest.approx(0)
    assert ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5]


def test_questions_are_many_in_both_languages_and_of_every_form(book: Book) -> None:
    questions = questions_of(book)
    languages = Counter(question.language for question in questions)
    assert len(questions) >= 200
    assert languages["en"] == languages["ja"]
    assert {question.form for question in questions} >= _FORMS
    assert len({question.family for question in questions} - {"none", "no answer", "too few"}) >= 12
    assert len({question.key for question in questions}) == len(questions)
    for question in questions:
        assert bool(re.search("[ぁ-んァ-ヶ一-龠]", question.asked)) is (question.language == "ja"), question.asked
        assert "Q{" not in question.asked


def test_no_answer_to_another_question_is_right(book: Book) -> None:
    """Such as planners give in place of what was asked: a map, a trend, a list, in the numbers of no chip."""
    others = (
        "**T1: median 1.2 μs** (from 0.1 μs to 3.4 μs); 0.07 % of it. Not measured: Q88.",
        "**T1 of Q88 in the last 60 days**\n\n|  | number | median |\n| --- | --- | --- |\n| Q88 | 577 | 1.2 μs |",
        "**T1: 中央値 1.2 μs**(最小 0.1 μs、最大 3.4 μs)。測定がないもの: Q88。",
        "**The worst qubits by T1: Q87 and Q88.**",
    )
    for item in items_of(book):
        for other in others:
            assert judge(item.fact, Reading(other), item.en[0]).verdict is Verdict.WRONG, (item, other)


def test_a_range_differs_from_what_planners_took_for_it(book: Book) -> None:
    """The windows hold other measurements than the last 10, 30 and 60 days, and the mean is not the median."""
    for item in items_of(book):
        if isinstance(item.fact, Series) and item.form in {"dates", "months", "on a date", "end of range"}:
            ((qid, points),) = item.fact.points.items()
            parameter = "t2_echo" if "echo" in item.en[0] else "t1"
            for days in (10, 30, 60):
                assert points != book.series(parameter, qid, book.days_ago(days))
            assert points
        if isinstance(item.fact, Value) and item.form == "mean":
            values = sorted(book.current("t1" if item.fact.unit == "μs" else "average_readout_fidelity").values())
            assert item.fact.missing_in(Reading(f"mean {values[len(values) // 2]:.2f} {item.fact.unit}"))


def test_conditions_change_the_answer(book: Book) -> None:
    """Two conditions, ranges and negations each have another truth than the question without them."""
    t1 = {item.en[0]: item.fact for item in items_of(book) if isinstance(item.fact, Ids) and item.form == "limit"}
    hard = [item for item in items_of(book) if item.form in {"two conditions", "value range", "negation"}]
    assert len(hard) >= 5
    for item in hard:
        assert all(item.fact != fact for fact in t1.values()), item.en[0]


def test_what_cannot_be_told_is_the_same_on_each_chip(book: Book) -> None:
    without = [item for item in items_of(book) if isinstance(item.fact, (Unanswerable, NotThere))]
    assert len(without) >= 20
    assert {item.family for item in without} == {"no answer"}

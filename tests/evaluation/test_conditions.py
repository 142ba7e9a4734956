"""The property of unknown conditions, on answerers made by hand."""

from __future__ import annotations

from eval.conditions import CONDITIONS, ignored, is_ignored, with_condition
from eval.facts import Ids
from eval.questions.item import Question
from eval.reading import Reading

KNOWN = "**2 qubits: Q07 and Q12.**"
QUESTIONS = [
    Question("1.en", "1", "slope", "plain", "en", (), "Which qubits lost T1?", Ids(frozenset({"7", "12"}))),
    Question("1.ja", "1", "slope", "plain", "ja", (), "T1が低下した量子ビットは?", Ids(frozenset({"7", "12"}))),
]


def test_a_condition_stands_where_one_would_say_it() -> None:
    assert (
        with_condition("Which qubits lost T1?", "en", "for the blue ones") == "Which qubits lost T1 for the blue ones?"
    )
    assert with_condition("worst T1", "en", "for the blue ones") == "worst T1 for the blue ones"
    assert with_condition("T1は?", "ja", "青い量子ビットだけで") == "青い量子ビットだけで、T1は?"


def test_who_never_listens_is_found() -> None:
    found = dict(zip(("en", "ja"), ignored(QUESTIONS, lambda _: Reading(KNOWN)), strict=True))
    for language, (question, several) in found.items():
        assert question.language == language
        assert [one.same for one in several] == [True, True]
        assert {one.condition for one in several} < {*CONDITIONS["en"], *CONDITIONS["ja"]}


def test_who_marks_every_unknown_word_is_not() -> None:
    known = {question.asked for question in QUESTIONS}

    def ask(words: str) -> Reading:
        return Reading(KNOWN if words in known else f"{KNOWN}\n\nI left out: {words}")

    assert [several for _, several in ignored(QUESTIONS, ask)] == [[], []]


def test_another_unmarked_answer_is_told_apart() -> None:
    other = Reading("**1 qubit: Q07.**")
    assert not is_ignored(Reading(KNOWN), other)
    known = {question.asked for question in QUESTIONS}
    found = ignored(QUESTIONS, lambda words: Reading(KNOWN) if words in known else other)
    assert {one.same for _, several in found for one in several} == {False}


def test_what_is_marked_without_a_condition_is_left_out() -> None:
    assert list(ignored(QUESTIONS, lambda _: Reading("I cannot answer this."))) == []

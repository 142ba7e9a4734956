"""Questions that one table answers: verdicts, what to recalibrate and to use, when, how old, how often."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from qdash_jupyter.llm.offline.operations.change import in_changes
from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, ids_in, session


def answered(chip: Chip, *questions: str) -> AnsweredQuestion:
    """The last of some questions of one conversation; the first line of its answer is the reading."""
    copilot = session(chip)
    found = [ask(copilot, question) for question in questions][-1]
    assert found.problems == []
    return found


@pytest.mark.parametrize(
    ("question", "verdict", "says"),
    [
        ("what is wrong with Q42", "warning", "Q42: T1 fell about 2026-06-2"),
        ("Is Q36 OK?", "bad", "79.35 % is worse than its limit, 85 %"),
        pytest.param("show me everything about Q20", "good", "No problems found on Q20", marks=pytest.mark.long),
        pytest.param(
            "anything wrong with Q07?",
            "warning",
            "T1 was lower for a time from 2026-06-09 on, and came back",
            marks=pytest.mark.long,
        ),
        pytest.param("Q42は大丈夫？", "warning", "T1が2026-06-2", marks=pytest.mark.long),
    ],
)
def test_a_verdict_has_the_worst_first_and_the_values_below(
    faulty: Chip, question: str, verdict: str, says: str
) -> None:
    found = answered(faulty, question)
    assert found.answer.assessment == verdict
    assert says in found.text
    assert "74.0 ± 3.7 μs" in found.text or "Q07" not in question  # the newest T1 with its error, in a table


def test_a_dead_qubit_is_one_finding(faulty: Chip) -> None:
    found = ask(session(faulty), "what is wrong with Q14")  # reads fail: it has no series
    assert found.headlines[0] == "Q14: no values at all."
    assert found.answer.assessment == "bad"


def recalibrated(chip: Chip) -> tuple[AnsweredQuestion, dict[str, str]]:
    """The answer, and the rows of its table by what they are about; at first stands all that is beyond a limit."""
    found = answered(chip, "Which should I recalibrate tonight?")
    rows = {next(iter(ids_in(line.split("|")[1]))): line for line in found.text.split("\n") if line.startswith("| Q")}
    truth = chip.made.truth
    beyond = {*truth.low_readout, *truth.low_gate, *truth.bad_coupling}
    assert {*list(rows)[: len(beyond)]} == beyond
    return found, rows


@pytest.mark.long  # the curves of 64 qubits are judged
def test_what_to_recalibrate_has_all_that_is_planted_in_order(faulty: Chip) -> None:
    truth = faulty.made.truth
    found, rows = recalibrated(faulty)
    assert {*truth.t1_falling, *truth.frequency_jump[:1], *truth.stale[:1]} <= {*rows}
    assert f"Not listed, because no measurement has ever succeeded: Q{truth.dead[0]}" in found.text
    assert "CheckT1, CheckT2Echo" in rows["42"]


@pytest.mark.long
def test_what_to_recalibrate_on_a_small_chip(small: Chip) -> None:
    """In its short history one fall is too old to be seen, and what is stale was never measured."""
    truth = small.made.truth
    found, rows = recalibrated(small)
    assert {truth.t1_falling[0], *truth.frequency_jump} <= {*rows}
    assert "Not listed, because no measurement has ever succeeded: Q03 and Q13." in found.text
    assert rows["2"].endswith("X90InterleavedRandomizedBenchmarking, CheckT1 |")
    assert rows["9"].endswith("CheckRamsey |")


def test_the_best_pair_is_coupled_and_its_product_is_that_of_the_table(faulty: Chip) -> None:
    found = answered(faulty, "Which qubit pair should I use for a Bell state?")
    one, other, coupling = (line.split("|")[1].strip() for line in found.text.split("\n") if line.startswith("| Q"))
    assert {one, other} == {*coupling.split("-")}
    product = 1.0
    for line in found.text.split("\n"):
        for cell in line.split("|") if line.startswith("| Q") else ():
            product *= float(cell.strip()[:-1]) / 100 if cell.strip().endswith("%") else 1
    assert f"{100 * product:.1f} %" in found.headlines[0]


def test_when_it_jumped_by_how_much_and_since_when(faulty: Chip) -> None:
    [qid, *_] = faulty.made.truth.frequency_jump
    found = answered(faulty, f"When did Q{qid}'s frequency jump?")
    assert f"of Q{int(qid):02d} jumped on 2026-06-" in found.headlines[0]
    assert "MHz: 4.7434 GHz → 4.7374 GHz" in found.headlines[0]
    assert len(found.answer.charts) == 1
    assert "No jump or drift" in answered(faulty, "When did Q17's frequency jump?").headlines[0]


def test_a_drift_is_dated_where_it_began(faulty: Chip) -> None:
    verdict = answered(faulty, "What is wrong with Q56?").headlines[0]
    found = answered(faulty, "When did Q56 lose its T1?").headlines[0]
    [since] = re.findall(r"about (\d{4}-\d\d-\d\d)", found)
    assert f"T1 fell about {since}" in verdict


def test_what_there_is_not_is_said(faulty: Chip) -> None:
    notes = {question: answered(faulty, question).headlines[0] for question in ("notes about Q36", "notes about Q08")}
    assert [head == "There are no notes on Q36." for head in notes.values()] == [True, False]
    found = answered(faulty, "Can I trust the latest T1 of Q17?")  # whose fit has failed, and gave no number
    assert "**No value was stored with this result**" in found.text
    assert found.answer.assessment == "warning"
    assert "No limit is set for Average Gate Fidelity" in answered(faulty, "Why is Q29's gate fidelity so low?").text


def test_how_old_in_words(faulty: Chip) -> None:
    newest = max(
        row["start_at"]
        for row in faulty.made.documents["task_result_history"]
        if row["qid"] == "10" and row["name"] == "CheckT1" and row["status"] == "completed"
    )
    days = round((datetime(2026, 6, 30, tzinfo=UTC) - newest.replace(tzinfo=UTC)).total_seconds() / 86_400)
    assert f"T1 of Q10 is {days} days old" in answered(faulty, "how old is the T1 of Q10").headlines[0]


@pytest.mark.parametrize(
    ("question", "status", "task"),
    [
        ("which task failed most since June 20", "failed", None),
        ("failure rate of CheckRamsey since June 20", "failed", "CheckRamsey"),
    ],
)
def test_how_often_is_counted_over_all_results(faulty: Chip, question: str, status: str, task: str | None) -> None:
    rows = faulty.made.documents["task_result_history"]
    begin = datetime(2026, 6, 20, tzinfo=UTC)
    rows = [row for row in rows if row["start_at"].replace(tzinfo=UTC) >= begin and task in {None, row["name"]}]
    if task:
        count = sum(row["status"] == status for row in rows)
        assert f"{count:,} of {len(rows):,} results" in answered(faulty, question).text
    else:
        names = {row["name"] for row in rows}
        counts = {name: sum(row["name"] == name and row["status"] == status for row in rows) for name in names}
        first = max(counts, key=counts.__getitem__)
        assert answered(faulty, question).headlines[0].startswith(f"{first} failed most often: {counts[first]} of ")


@pytest.mark.parametrize(
    ("questions", "says"),
    [
        (["previous T1 of Q07"], "second newest measurement of T1 of Q07: 68.7 ± 3.3 μs"),
        (["T1 of Q33 per week"], "2026-06-22 | 7 | 82.8 μs"),
        (["Allan deviation of T1 of Q21"], "| 48.0 h |"),
        (["telegraph noise in T1 of Q21"], "No switching between two levels"),
        (["detuning between Q0 and Q1"], "Q00 − Q01 = −455.52 MHz"),
        (["excluded values on June 29"], "1 value was excluded on 2026-06-29: Q26"),
        (["longest run in April"], "The longest run is 20260402-000: it took 19 min 46 s"),
        (["who ran the last calibration"], "20260630-000 is the newest run, by demo"),
        pytest.param(["the last 7 days vs the 7 days before"], "2 fell", marks=pytest.mark.long),
        (["the last 7 days vs the 7 days before"], "**T1 of the chip, first from "),
        (["neighbours of q8", "their T1"], "T1 ranges from "),
        (["best and worst 2 couplings by ZX90"], "Worst couplings by ZX90 Gate Fidelity: Q36-Q38 and Q55-Q58"),
        (["T1 of Q0, Q1, Q2, Q3 and Q4"], "T1 ranges from 37.8 ± 1.6 μs (Q01) to 86.6 ± 2.8 μs (Q02)"),
        (["T1 and readout of MUX 6"], "| Q26 | 54.3 ± 1.9 μs (30 h) |"),
        (["T1 and T2 echo of Q22 and Q33"], "Below good: Q22 T2 Echo 65"),
        (["worst 5 qubits by T1", "which of them has the best readout"], "Best qubits by Average Readout Fidelity: Q"),
        (["which qubits lost T1 in the last 30 days?", "readout of these"], "Readout"),
        (
            ["worst 3 qubits by T1", "their readout sorted", "when were these measured?"],
            "Average Readout Fidelity: the ",
        ),
    ],
)
def test_others(faulty: Chip, questions: list[str], says: str) -> None:
    assert says in answered(faulty, *questions).text


def test_among_are_those_of_the_question_before(faulty: Chip) -> None:
    copilot = session(faulty)
    before = ask(copilot, "which qubits lost T1 in the last 30 days?")
    after = ask(copilot, "which of them has the best readout")
    assert after.problems == []
    assert after.named <= before.named == {*faulty.made.truth.t1_falling}


def test_behind_a_question_that_was_not_run_nothing_goes_on_with_an_earlier_one(faulty: Chip) -> None:
    """It may go on with the one that was not run; what it would be is offered first."""
    copilot = session(faulty)
    for question in ("readout below 95 %", "and glimmering?"):
        ask(copilot, question)
    asked = ask(copilot, "without MUX 2")
    assert asked.answer.choices[0] == "qubits · Readout Fidelity below 95 % · without Q08 to Q11 · newest values"
    chosen = ask(copilot, asked.answer.choices[0])
    assert "Readout Fidelity below 95 %" in chosen.text


def test_behind_a_question_with_two_meanings_both_are_gone_on_with(faulty: Chip) -> None:
    copilot = session(faulty)
    assert len(ask(copilot, "T2 of Q08").answer.choices) == 3
    asked = ask(copilot, "same for Q9")
    assert asked.answer.choices[:2] == ("T2 Echo · Q09 · newest values", "T2 Star · Q09 · newest values")
    asked = ask(copilot, "over time")
    assert asked.answer.choices[:2] == ("T2 Echo over time · Q09", "T2 Star over time · Q09")


def test_bad_qubits_are_no_couplings(faulty: Chip) -> None:
    assert any("-" in qid for qid in ids_in(answered(faulty, "how is the chip").text))
    found = ids_in(answered(faulty, "bad qubits").text)
    assert found
    assert not any("-" in qid for qid in found)


def test_the_clause_that_says_what_is_asked_is_offered(faulty: Chip) -> None:
    asked = ask(session(faulty), "the users arrive at noon. Is Q33 okay?")
    assert asked.answer.choices[0] == "what is wrong with Q33"


def test_another_week_is_no_choice_between_the_meanings_of_this_one(faulty: Chip) -> None:
    for question, is_offered in (("last week?", True), ("the last 7 days", False)):
        copilot = session(faulty)
        assert ask(copilot, "failed tasks this week").answer.choices
        assert bool(ask(copilot, question).answer.choices) == is_offered


def test_a_pair_of_numbers_is_the_coupling_where_the_chip_has_it(faulty: Chip) -> None:
    assert "Q36-Q38: ZX90 Gate Fidelity 77.53 % is worse" in answered(faulty, "how is 36-38").headlines[0]
    asked = ask(session(faulty), "how is 0-7")
    assert {*asked.answer.choices[:2]} == {"what is wrong with Q00 to Q07", "what is wrong with coupling Q00-Q07"}


def test_a_qubit_that_is_not_there_is_not_said_to_be_fine(faulty: Chip) -> None:
    asked = ask(session(faulty), "is Q99 ok?")
    assert "99" in asked.text
    assert "No problems found" not in asked.text
    assert asked.answer.assessment is None


def test_what_could_not_be_looked_at_is_not_said_to_be_good(healthy: Chip) -> None:
    """This chip comes without files of curves."""
    asked = ask(session(healthy), "is Q3 ok?")
    assert "No curves were judged." in asked.text
    assert "newest curves support" not in asked.text
    assert asked.answer.assessment is None


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [(-54.3, "%", "−54 %"), (-5.974, "MHz", "−5.97 MHz"), (-0.0002, "MHz", "−0.0002 MHz"), (0.0, "MHz", "+0.00 MHz")],
)
def test_a_small_change_is_not_shown_as_none(value: float, unit: str, words: str) -> None:
    assert str(in_changes(value, unit, "+")) == words

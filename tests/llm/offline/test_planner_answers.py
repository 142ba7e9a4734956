"""Answers of the offline planner through a real session: what they name, in both languages, and what they admit."""

from __future__ import annotations

import re
from statistics import median

import pytest

from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.wording import sentence_of
from tests.llm.offline.planner_questions import Chip, ask, ids_in, namespace, session
from tests.llm.offline.scores import QUESTIONS, named_by_kind, true_ids

NOT_A_MODEL = {"en": "offline planner", "ja": "オフラインプランナー"}
LOST_T1 = "Which qubits lost T1 in the last 30 days?"


# --- who is named ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", [0, pytest.param(1, marks=pytest.mark.long)], ids=["en", "ja"])
def test_named_are_the_planted(faulty: Chip, language: int) -> None:
    truth = faulty.made.truth
    assert named_by_kind(faulty, language) == {kind: true_ids(kind, truth) for kind in QUESTIONS}


@pytest.mark.parametrize("question", ["How is the chip?", pytest.param("チップの状態は?", marks=pytest.mark.long)])
def test_health_names_everything_that_is_planted_and_no_decoy(faulty: Chip, question: str) -> None:
    truth = faulty.made.truth
    asked = ask(session(faulty), question)
    assert asked.problems == []
    assert asked.named == {
        *(truth.dead + truth.stale + truth.low_readout + truth.low_gate),
        *(truth.t1_falling + truth.frequency_jump + truth.bad_coupling),
    }
    assert asked.answer.assessment == "bad"
    assert len(asked.answer.charts) == 3


@pytest.mark.long
def test_what_fell_before_is_found_where_the_window_reaches_it(faulty: Chip) -> None:
    asked = ask(session(faulty), "Which qubits lost T1 in the last 60 days?")
    assert asked.named >= {*faulty.made.truth.t1_fell_before}


@pytest.mark.parametrize("language", [0, pytest.param(1, marks=pytest.mark.long)], ids=["en", "ja"])
def test_nothing_is_wrong_with_a_healthy_chip(healthy: Chip, language: int) -> None:
    copilot = session(healthy)
    for kind, questions in QUESTIONS.items():
        asked = ask(copilot, questions[language])
        assert asked.problems == []
        assert ids_in(asked.headlines[0]) == set(), kind
        assert any(word in asked.headlines[0] for word in ("ありません", "No ", "Every ")) or kind == "dead"
        assert asked.answer.assessment == "good"
    asked = ask(copilot, ("How is the chip?", "チップの状態は?")[language])
    assert ("問題は見つかりません" if language else "Nothing needs attention") in asked.text
    assert asked.answer.assessment == "good"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which five qubits have the best T1?", "- Q26 T1: excluded: "),
        ("T1の良い量子ビットは?", "- Q26のT1：除外："),
        ("Compare T1 of Q26 and Q01", "- Q26 T1: excluded: "),
        ("Current parameters of Q26?", "- Q26 T1: excluded: "),
    ],
)
def test_an_excluded_current_value_is_named_and_does_not_count(faulty: Chip, question: str, words: str) -> None:
    assert faulty.made.truth.excluded_now == ("26",)
    asked = ask(session(faulty), question)
    assert f"{words}9999 μs, The fit ran away" in asked.text
    assert "9999" not in asked.text.split(words)[0]


# --- limits and directions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("which qubits have T1 below 40 us?", 40),
        ("which qubits have T1 below 0.04 ms?", 40),
        ("T1が40μs以下の量子ビットは?", 40),
        ("which qubits have T1 below 5 us?", 5),
    ],
)
def test_values_below_a_limit(faulty: Chip, question: str, limit: float) -> None:
    rows = [row for row in faulty.made.documents["qubit"] if row["data"]]
    below = {row["qid"] for row in rows if 0 < row["data"]["t1"]["value"] < limit}
    asked = ask(session(faulty), question)
    assert asked.named == below
    assert asked.problems == []
    assert asked.answer.assessment is None


def test_values_above_a_limit_and_the_scale_of_fidelities(faulty: Chip) -> None:
    copilot = session(faulty)
    rows = [row["data"] | {"qid": row["qid"]} for row in faulty.made.documents["qubit"] if row["data"]]
    above = {row["qid"] for row in rows if row["qubit_frequency"]["value"] > 5.1}
    assert ask(copilot, "which qubits have a frequency above 5100 MHz?").named == above
    below = {row["qid"] for row in rows if row["average_readout_fidelity"]["value"] < 0.955}
    for question in ("readout fidelity below 95.5 %", "readout fidelity less than 0.955", "読み出し忠実度が95.5%未満"):
        assert ask(copilot, question).named == below


@pytest.mark.long
def test_a_limit_in_another_unit_is_refused(faulty: Chip) -> None:
    asked = ask(session(faulty), "which qubits lost T1 by 3 MHz?")
    assert "Give the value in %" in asked.text
    assert asked.codes == []
    assert ask(session(faulty), "T1 below 40 %").answer.choices


def test_the_question_says_how_large_a_change_has_to_be(faulty: Chip) -> None:
    asked = ask(session(faulty), "which qubits lost more than 50 % of T1 in the last 30 days?")
    assert set() < asked.named < {*faulty.made.truth.t1_falling}
    assert "at least 50 %" in asked.text


@pytest.mark.long
def test_a_question_for_one_qubit_is_about_that_qubit(faulty: Chip) -> None:
    lost, steady = faulty.made.truth.t1_falling[0], faulty.made.truth.busy[0]
    copilot = session(faulty)
    assert ask(copilot, f"did q{lost} get worse?").named == {lost}
    asked = ask(copilot, f"did q{steady} get worse?")
    assert "did not fall" in asked.text
    assert asked.answer.assessment == "good"


def test_what_is_bad_all_the_time_is_no_good_news(faulty: Chip) -> None:
    readout = faulty.made.truth.readout_now
    worst = min(readout, key=readout.__getitem__)
    asked = ask(session(faulty), f"is the readout of q{worst} getting worse?")
    assert "did not fall" in asked.text
    assert "Worse than the lab's limit of 85 %" in asked.text
    assert asked.answer.assessment == "bad"
    of_all = ask(session(faulty), "which qubits' readout fidelity fell in the last 30 days?")
    assert f"Q{worst}" in of_all.text
    assert of_all.answer.assessment is None


def test_a_japanese_sentence_that_names_no_parameter_begins_with_a_word() -> None:
    said = {asked: sentence_of(Query(asked, qids=("7",)), "ja") for asked in Asked}
    assert [sentence for sentence in said.values() if sentence[0] in "がのはを"] == []
    assert said[Asked.EXCLUDED] == "除外された値 · Q07"


def test_all_that_can_be_asked_stands_under_headings(faulty: Chip) -> None:
    answer = ask(session(faulty), "What can I ask?").answer
    assert len(answer.choices) == len(answer.headings) > 30
    assert [*dict.fromkeys(answer.headings)][:2] == ["The chip", "Values"]
    assert answer.markdown.endswith(f"{len(answer.choices)}. {answer.choices[-1]}")  # elsewhere by number


# --- honesty --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        f"{LOST_T1.rstrip('?')}, and why?",
        *(
            pytest.param(question, marks=pytest.mark.long)
            for question in ("過去30日でT1が低下したのはなぜ?", "Why is the readout of Q36 so low?")
        ),
    ],
)
def test_the_cause_is_left_to_a_model_or_the_person(faulty: Chip, question: str) -> None:
    asked = ask(session(faulty), question)
    assert asked.problems == []
    assert "The data don't say *why*." in asked.text or "*原因*は" in asked.text
    if "readout" not in question:
        assert asked.named >= {*faulty.made.truth.t1_falling}
        facts = [line for line in asked.text.splitlines() if line.startswith("- Q")]
        assert len(facts) == len(faulty.made.truth.t1_falling)
        assert all("T2" in line for line in facts)


def test_a_cause_is_not_spoken_of_where_nothing_changed(healthy: Chip) -> None:
    assert "*why*" not in ask(session(healthy), f"{LOST_T1.rstrip('?')}, and why?").text


@pytest.mark.parametrize(
    "question",
    [
        *("worst T1", "T1 of Q5", "T1 of Q99", "T1の推移"),
        *(
            pytest.param(question, marks=pytest.mark.long)
            for question in ("How is the chip?", LOST_T1, "any dead qubits?", "Compare Q3 and Q7", "Heatmap of T1")
        ),
        *(
            pytest.param(question, marks=pytest.mark.long)
            for question in ("Which parameters are there?", "neighbours of Q5", "Q3とQ7を比較")
        ),
    ],
)
def test_every_plan_says_that_it_is_no_language_model(small: Chip, question: str) -> None:
    asked = ask(session(small), question)
    assert NOT_A_MODEL[asked.turn.language] in asked.text
    said = any(words in asked.text for words in ("The code that ran", "実行したコード"))
    assert said == bool(asked.codes)


@pytest.mark.parametrize(
    ("question", "counted", "title"),
    [
        (
            "Heatmap of the ZX90 gate fidelity",
            "{} of 112 couplings.",
            "ZX90 Gate Fidelity of 64Q-demo (latest, %)",
        ),
        ("ZX90ゲート忠実度のヒートマップ", "{}/112個", "64Q-demoのZX90ゲート忠実度（最新、%）"),
    ],
)
def test_a_heatmap_of_couplings_names_those_without_a_value(
    faulty: Chip, question: str, counted: str, title: str
) -> None:
    results = faulty.made.documents["task_result_history"]
    measured = {
        row["qid"]
        for row in results
        if row["status"] == "completed" and not row["excluded"] and "zx90_gate_fidelity" in row["output_parameters"]
    }
    asked = ask(session(faulty), question)
    assert counted.format(len(measured)) in asked.text
    assert len(ids_in(asked.text)) == 112 - len(measured)
    assert not ids_in(asked.text) & measured
    assert [chart.title for chart in asked.answer.charts] == [title]


@pytest.mark.parametrize("question", ["What is the weather?", "天気は?"])
def test_an_unknown_question_says_what_can_be_asked(faulty: Chip, question: str) -> None:
    asked = ask(session(faulty), question)
    assert NOT_A_MODEL[asked.turn.language] in asked.text
    assert "QDASH_COPILOT_MODEL" in asked.text
    assert asked.turn.tool_results == ()
    assert asked.answer.assessment is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("T1 of Q99", "no qubit 'Q99' on chip 64Q-demo. Did you mean Q"),
        ("Q99のT1", "チップ64Q-demoに量子ビット「Q99」はありません。"),
        ("T1 of Q3 and Q99", "Not on this chip: Q99. Its qubits are Q00 to Q63."),
        ("Is Q99 dead?", "Not on this chip: Q99. Its qubits are Q00 to Q63."),
        ("Compare Q3 and Q99", "no qubit 'Q99'"),
        ("T1 below 40 us on chip 65Q-demo", "no chip '65Q-demo'. Did you mean 64Q-demo?"),
        ("How is chip 65Q-demo?", "Did you mean 64Q-demo?"),
        ("Trend of t3_echo", "no parameter 't3_echo' on chip 64Q-demo. Did you mean t2_echo?"),
        ("Which qubits lost foo_bar?", "no parameter 'foo_bar'"),
        ("worst t2_ehco", "Did you mean t2_echo"),
    ],
)
def test_what_does_not_exist_is_named_with_its_neighbours(faulty: Chip, question: str, words: str) -> None:
    asked = ask(session(faulty), question)
    assert words in asked.text
    assert asked.codes == []
    assert asked.answer.assessment is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (LOST_T1, "needs more rounds"),
        pytest.param("チップの状態は?", "ラウンド数が足りません", marks=pytest.mark.long),
    ],
)
def test_too_few_rounds_are_admitted(faulty: Chip, question: str, words: str) -> None:
    copilot = session(faulty, orchestrator={"max_iterations": 1})
    asked = ask(copilot, question)
    assert asked.answer.stop_reason is StopReason.MAX_ROUNDS
    assert words in asked.text
    assert "max_iterations" in asked.text
    assert asked.named == set()
    assert asked.answer.assessment is None
    assert ask(copilot, "T1 of Q5").named  # one round is enough for this one


# --- the person's own names, and the order of questions -------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        LOST_T1,
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in ("How is the chip?", "What changed in the last week?")
        ),
    ],
)
@pytest.mark.long
def test_the_same_question_gives_the_same_answer(small: Chip, question: str) -> None:
    one = session(small)
    first = ask(one, question)
    other = session(small)
    second = ask(other, question)
    assert first.text == second.text
    assert first.codes == second.codes
    assert [block.data for block in first.answer.charts] == [block.data for block in second.answer.charts]
    replies = [
        [item for item in copilot._conversation.transcript.items if item["type"] != "function_call_output"]
        for copilot in (one, other)
    ]
    assert replies[0] == replies[1]


@pytest.mark.long
def test_the_names_of_the_person_stay_theirs(faulty: Chip) -> None:
    free = ask(session(faulty), LOST_T1)
    own = {"t1_change": 5, "changes": 3, "series_chart": "mine", "t1_change_figure": [1], "t1_change_2": 6}
    asked = ask(session(faulty, own), LOST_T1)
    assert {name: namespace()[name] for name in own} == own
    assert asked.text == free.text
    assert "import changes as changes_2\n" in asked.codes[0]
    assert "t1_change_3 = " in asked.codes[0]
    assert len(asked.answer.charts) == len(free.answer.charts) == 1


@pytest.mark.long
def test_clashes_with_many_parameters_stay_within_the_rounds(faulty: Chip) -> None:
    own = {"t1_change": 5, "t2_echo_change": 1, "qubit_frequency_figure": 2, "pd": 3, "findings": 4, "overview": 5}
    for question in ("What changed this month?", "How is the chip?"):
        free, asked = ask(session(faulty), question), ask(session(faulty, own), question)
        assert asked.text == free.text
        assert {name: namespace()[name] for name in own} == own


def without_note(text: str) -> str:
    """An answer without what the planner says of itself, once a conversation."""
    return re.sub(r"\n\n\*Answered by [^*]*\*$", "", text)


def test_a_word_behind_a_question_that_was_asked_back_says_which_is_meant(small: Chip) -> None:
    copilot = session(small)
    assert "several things" in ask(copilot, "current fidelity of Q2?").text
    assert "Readout Fidelity · Q02" in ask(copilot, "readout").text
    copilot = session(small)
    ask(copilot, "What is the weather?")
    assert ask(copilot, "readout").headlines == [], "of what the question before would have said"


def test_muxes_are_ranked_by_the_median_of_their_qubits(faulty: Chip) -> None:
    values = {
        int(row["qid"]): row["data"]["t1"]["value"]
        for row in faulty.made.documents["qubit"]
        if row["data"].get("t1", {}).get("value")
    }
    asked = ask(session(faulty), "MUXes by T1, worst 3")
    groups = {mux: [value for qid, value in values.items() if qid // 4 == mux] for mux in range(16)}
    medians = {mux: median(group) for mux, group in groups.items() if group}
    told = re.findall(r"MUX (\d+)", asked.headlines[0])
    assert len(told) == 3
    assert set(map(int, told)) <= set(sorted(medians, key=medians.__getitem__)[:5]), "but for excluded values"


@pytest.mark.parametrize("other", [LOST_T1, pytest.param("How is the chip?", marks=pytest.mark.long)])
@pytest.mark.long
def test_a_follow_up_is_answered_as_a_first_question(small: Chip, other: str) -> None:
    questions = (LOST_T1, "What is the weather?", "T1 of Q99", "Compare Q3 and Q7", other)
    copilot = session(small)
    followed = []
    for question in questions:
        followed.append(without_note(ask(copilot, question).text))
        assert without_note(ask(copilot, question).text) == followed[-1]
    assert followed == [without_note(ask(session(small), question).text) for question in questions]

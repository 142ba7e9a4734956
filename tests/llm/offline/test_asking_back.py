"""Where a question leaves open what it is about, the planner asks in one sentence, and the next words complete it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from demo_chip.generator import make_demo

from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.session.copilot import Copilot
from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, session

QUBITS = "(Q00 to Q15)?"


def calls(asked: AnsweredQuestion) -> list[tuple[str, dict[str, Any]]]:
    made = [(one.call.name, json.loads(one.call.arguments)) for one in asked.turn.tool_results]
    return [(name, arguments) for name, arguments in made if name != "execute_python_analysis"]


def one_sentence(text: str) -> bool:
    return len(re.findall("[?？]", text)) == 1 and text.endswith(("?", "？")) and "\n" not in text and ". " not in text


@pytest.mark.parametrize(
    ("question", "asks", "reply", "call"),
    [
        ("latest CheckT1", QUBITS, "Q07", ("get_latest_task_result", {"task_name": "CheckT1", "qid": "7"})),
        ("history of CheckT1", QUBITS, "qubit 7", ("get_task_history", {"task_name": "CheckT1", "qid": "7"})),
        ("versions of T1", QUBITS, "7", ("get_parameter_lineage", {"parameter_name": "t1", "qid": "7"})),
        ("lineage of Q07", "`t1`", "T1", ("get_parameter_lineage", {"parameter_name": "t1", "qid": "7"})),
        ("lineage of Q07", "`t1`", "t2_echo", ("get_parameter_lineage", {"parameter_name": "t2_echo", "qid": "7"})),
        (
            "lineage of Q07",
            "`t1`",
            "the first",
            ("get_parameter_lineage", {"parameter_name": "anharmonicity", "qid": "7"}),
        ),
        ("parameters of the qubit", QUBITS, "Q7, please", ("get_qubit_params", {"qid": "7"})),
        ("coupling parameters", "such as Q00-Q01", "Q4-Q1", ("get_coupling_params", {"coupling_id": "4-1"})),
        ("coupling parameters", "such as Q00-Q01", "of Q5", ("get_coupling_params", {"qubit_id": "5"})),
        (
            "where does T1 come from?",
            QUBITS,
            "q 7",
            ("get_parameter_lineage", {"parameter_name": "t1", "qid": "7", "last_n": 1}),
        ),
        (
            "current fidelity of Q7",
            "or X90",
            "the second one",
            ("get_qubit_params", {"qid": "7", "param_names": ["average_readout_fidelity"]}),
        ),
        (
            "current fidelity of Q7",
            "or X90",
            "readout fidelity",
            ("get_qubit_params", {"qid": "7", "param_names": ["average_readout_fidelity"]}),
        ),
        (
            "heatmap of T2",
            "T2 Echo or T2 Star",
            "T2*",
            ("generate_chip_heatmap", {"metric_name": "t2_star", "selection_mode": "latest"}),
        ),
        ("compare the qubits", "two or more", "Q3 and Q7", ("compare_qubits", {"qids": ["3", "7"]})),
        ("compare Q3", "neighbours Q01, Q02, Q06 and Q09", "Q7", ("compare_qubits", {"qids": ["3", "7"]})),
        ("compare Q3", "neighbours Q01, Q02, Q06 and Q09", "the last", ("compare_qubits", {"qids": ["3", "9"]})),
        (
            "compare Q3",
            "neighbours Q01, Q02, Q06 and Q09",
            "all of them",
            ("compare_qubits", {"qids": ["3", "1", "2", "6", "9"]}),
        ),
        ("CheckT1の最新結果", "Q00〜Q15", "Q07", ("get_latest_task_result", {"task_name": "CheckT1", "qid": "7"})),
        (
            "Q7の現在の忠実度",
            "平均読み出し忠実度",
            "最初",
            ("get_qubit_params", {"qid": "7", "param_names": ["average_gate_fidelity"]}),
        ),
    ],
)
def test_the_reply_completes_the_question(
    small: Chip, question: str, asks: str, reply: str, call: tuple[str, dict[str, Any]]
) -> None:
    copilot = session(small)
    asked = ask(copilot, question)
    assert asks in asked.text
    assert one_sentence(asked.text), asked.text
    assert asked.answer.assessment is None
    completed = ask(copilot, reply)
    assert completed.problems == []
    assert call in calls(completed)
    assert ("言語モデル" in completed.text) == ("の" in question)  # answered in the language of the question


@pytest.mark.parametrize(
    ("question", "replies"),
    [
        ("heatmap of T2", ("T2 Echo", "T2 Star")),
        ("compare Q3", ("Q01", "Q02", "Q06", "Q09")),
        ("latest CheckT1", ()),
        ("neighbours of Q5", ()),
    ],
)
def test_the_choices_are_data_and_can_be_sent(small: Chip, question: str, replies: tuple[str, ...]) -> None:
    copilot = session(small)
    assert ask(copilot, question).answer.choices == replies
    for reply in replies[:2]:
        assert calls(ask(copilot, reply)), reply
        ask(copilot, question)


def test_neighbours_to_compare_with_need_no_question(small: Chip) -> None:
    asked = ask(session(small), "compare Q3 with its neighbours")
    assert ("compare_qubits", {"qids": ["3", "1", "2", "6", "9"]}) in calls(asked)
    assert asked.problems == []


def test_one_question_may_be_asked_back_twice(small: Chip) -> None:
    copilot = session(small)
    assert "Which parameter" in ask(copilot, "last 5 measurements").text
    assert ask(copilot, "T1").text.startswith("Which qubit")
    assert calls(ask(copilot, "Q07")) == [
        ("get_parameter_timeseries", {"parameter_name": "t1", "qid": "7", "last_n": 5})
    ]


@pytest.mark.parametrize("other", ["neighbours of Q5", "What is the weather?", "T1 of Q5"])
def test_another_question_is_no_reply(small: Chip, other: str) -> None:
    copilot = session(small)
    assert "Which parameter" in ask(copilot, "lineage of Q07").text
    assert ask(copilot, other).text == ask(session(small), other).text


def test_a_reply_counts_once(small: Chip) -> None:
    copilot = session(small)
    ask(copilot, "latest CheckT1")
    assert calls(ask(copilot, "Q07"))[0][0] == "get_latest_task_result"
    assert ask(copilot, "Q07").text == ask(session(small), "Q07").text


def test_a_word_that_fits_one_measured_parameter_is_not_asked_about(tmp_path: Path) -> None:
    made = make_demo(seed=3, size=16, days=20)
    rows = made.documents["task_result_history"]
    made.documents["task_result_history"] = [row for row in rows if row["name"] != "CheckRamsey"]
    write_snapshot(made.documents, tmp_path / "one", as_of=made.as_of, source="a test", is_demo=True)
    asked = ask(session(Chip(tmp_path / "one", made)), "heatmap of T2")
    drawn = {"metric_name": "t2_echo", "selection_mode": "latest"}
    assert calls(asked) == [("list_available_parameters", {}), ("generate_chip_heatmap", drawn)]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """A database with two active chips."""
    first = make_demo(seed=3, size=16, days=20)
    second = make_demo(seed=4, size=16, days=20, chip_id="16Q-other")
    documents = {name: [*first.documents[name], *second.documents[name]] for name in first.documents}
    documents["project"] = first.documents["project"]
    documents["project_membership"] = first.documents["project_membership"]
    folder = tmp_path_factory.mktemp("chips") / "two"
    write_snapshot(documents, folder, as_of=first.as_of, source="generated for a test")
    return Chip(folder, first)


@pytest.mark.parametrize("reply", ["16Q-other", "the second"])
def test_with_two_chips_the_planner_asks_which(two: Chip, reply: str) -> None:
    copilot = session(two)
    asked = ask(copilot, "How is the chip?")
    assert asked.text == "Which chip do you mean: demo/16Q-demo or demo/16Q-other?"
    completed = ask(copilot, reply)
    assert {arguments.get("chip_id") for _, arguments in calls(completed)} == {"16Q-other"}
    assert "Needs attention" in completed.text or "Nothing needs attention" in completed.text


def test_two_chips_and_no_qubit_are_two_questions(two: Chip) -> None:
    copilot = session(two)
    assert "Which chip" in ask(copilot, "versions of T1").text
    assert ask(copilot, "16Q-other").text == "Which qubit do you mean (Q00 to Q15)?"
    assert calls(ask(copilot, "Q3")) == [
        ("get_parameter_lineage", {"parameter_name": "t1", "qid": "3", "chip_id": "16Q-other", "project_id": "demo"})
    ]


def test_calls_of_a_language_model_are_not_taken_for_ours(small: Chip) -> None:
    copilot: Copilot = session(small)
    ask(copilot, "latest CheckT1")
    transcript = copilot._conversation.transcript
    for item in transcript.items:
        if item["type"] == "function_call":
            item["name"] = "get_qubit_params"
    assert ask(copilot, "Q07").text == ask(session(small), "Q07").text

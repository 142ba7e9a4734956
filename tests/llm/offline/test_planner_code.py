"""The cells that the planner writes: none raises, each is worth keeping, and a linter has nothing to say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, chip_on_disk, session

MOST_LINES = 40
EVERYWHERE = (
    "How is the chip?",
    "What changed since yesterday?",
    "What changed in the last 7 days?",
    "Which qubits lost T1 since Monday, and why?",
    "Which qubits lost T1 in the last 12 hours?",
    "Which qubits lost T1 since 2026-06-25?",
    "Did anharmonicity change this month?",
    "Did hpi_length change?",
    "Did depolarizing_rate rise?",
    "Which couplings lost zx90_gate_fidelity this month?",
    "Did the bell state fidelity change?",
    "Trend of T1",
    "Trend of T1 in the last 6 hours",
    "Trend of anharmonicity",
    "Trend of hpi_length",
    "Trend of bell_state_fidelity",
    "Trend of zx90_gate_fidelity in the last 3 days",
    "coupling 0-2 fidelity history",
    "T1 and T2 echo of Q5 and Q7 over the last two weeks",
    "anharmonicity of Q5 over the last day",
    "worst anharmonicity",
    "worst hpi_length",
    "best T1",
    "worst 10",
    "best 3 couplings",
    "bad couplings",
    "worst bell state fidelity",
    "T1 below 40 us",
    "average gate fidelity below 99 %",
    "bad gates? gate fidelity is low",
    "any dead qubits?",
    "which qubits were not measured in the last week?",
    "which qubits have no recent T1? not measured",
    "Compare Q3, Q7 and Q12",
    "how is Q5?",
    "frequency of Q5 vs Q7",
    "heatmap of readout fidelity in the last 24 hours",
    "heatmap of anharmonicity",
)
"""Questions whose plans meet empty windows, few data, constants, negative values, and couplings."""


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """Most of its elements have a single measurement of the rarer parameters."""
    return chip_on_disk(tmp_path_factory.mktemp("chips") / "brief", seed=5, size=16, days=2, faults=False)


@pytest.fixture(scope="module")
def everywhere(small: Chip) -> list[AnsweredQuestion]:
    """Answers to a third of them, with up to four cells each."""
    copilot = session(small)
    return [ask(copilot, question) for question in EVERYWHERE[::3]]


def check(asked: AnsweredQuestion) -> None:
    """No cell raised, was refused (the guard takes it for plain), or printed; no reader's failure but missing data."""
    failures = [result.failure for result in asked.turn.tool_results if result.failure is not None]
    assert {failure.kind for failure in failures} <= {"no_data", "not_found"}, asked.turn.question
    assert all(not run.text or run.text.startswith("Out[") for run in asked.turn.cells), asked.turn.question
    assert not any(bad in asked.text for bad in ("nan", "NaT", "None", "inf ", "_change", "_trend")), asked.text


def test_no_cell_raises_or_is_refused(everywhere: list[AnsweredQuestion]) -> None:
    for asked in everywhere:
        check(asked)
    assert sum(len(asked.codes) for asked in everywhere) > 15


@pytest.mark.long
@pytest.mark.parametrize("name", ["faulty", "small", "brief"])
def test_many_and_few_data_make_no_cell_raise(name: str, request: pytest.FixtureRequest) -> None:
    copilot = session(request.getfixturevalue(name))
    for question in EVERYWHERE:
        check(ask(copilot, question))


def test_a_time_to_come_is_refused_in_words(small: Chip) -> None:
    asked = ask(session(small), "T1 improved since 2031-01-01?")
    assert asked.codes == []
    assert "The time range begins in the future; it is 2026-06-30 00:00 UTC now." in asked.text


def test_cells_are_short_and_begin_with_what_they_answer(everywhere: list[AnsweredQuestion]) -> None:
    for question, code in cells(everywhere):
        lines = code.strip().splitlines()
        assert lines[0].startswith("# "), question
        assert len(lines) <= MOST_LINES, (len(lines), question, lines[0])


def test_a_linter_has_nothing_to_say(everywhere: list[AnsweredQuestion], tmp_path: Path) -> None:
    names: set[str] = {"copilot"}
    for place, (_, code) in enumerate(cells(everywhere)):
        (tmp_path / f"cell_{place}.py").write_text(code, encoding="utf-8")
        names |= created(code)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E,F,I,UP", "--line-length", "120"]
    # What the shell holds, and what earlier cells made.
    command += ["--config", f"builtins = {json.dumps(sorted(names))}", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def cells(everywhere: list[AnsweredQuestion]) -> list[tuple[str, str]]:
    """Every cell with its question, each text once."""
    found = {code: asked.turn.question for asked in everywhere for code in asked.codes}
    return [(question, code) for code, question in found.items()]


def created(code: str) -> set[str]:
    """The names that a cell binds at its top level."""
    return {line.split(" = ")[0] for line in code.splitlines() if " = " in line and not line.startswith((" ", "#"))}

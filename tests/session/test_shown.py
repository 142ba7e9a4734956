"""How answers, questions, tools and data show themselves: in a notebook, and in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from qdash_jupyter.domain.answer import Answer, ChartBlock, TextBlock
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from tests.session.conversation import conversation, parts_with

CHART = ChartBlock(({"type": "bar", "x": ["Q1"], "y": [30.0]},), {"xaxis": {"title": {"text": "qubit"}}}, "T1")
ANSWER = Answer((TextBlock("**Q1** lost T1."), CHART), "warning")


@pytest.fixture
def copilot(shell: InteractiveShell, snapshot: Path) -> Iterator[Copilot]:
    replies = [call_reply(("get_chip_summary", {})), text_reply("All <is> well.")]
    with conversation(shell, parts_with(ScriptedLLM(replies), snapshot)) as made:
        yield made


def test_an_answer_shows_its_text_and_each_chart_in_a_notebook(shell: InteractiveShell) -> None:
    shell.user_ns["answer"] = ANSWER
    with capture_output() as captured:
        shell.run_cell("answer")
    text, chart = (output.data for output in captured.outputs)
    assert text["text/markdown"] == "**Assessment: ⚠ warning**\n\n**Q1** lost T1."
    assert chart[PLOTLY_MIME]["data"] == [{"type": "bar", "x": ["Q1"], "y": [30.0]}]
    assert chart == CHART._repr_mimebundle_()


def test_an_answer_is_text_in_a_terminal_and_one_output_where_one_is_asked_for() -> None:
    plain = "**Assessment: ⚠ warning**\n\n**Q1** lost T1.\n\n[chart: T1]\n  qubit  y\n  Q1     30"
    assert str(ANSWER) == plain
    shown = ANSWER._repr_mimebundle_()
    assert shown["text/plain"] == plain
    assert shown["text/markdown"].endswith("lost T1.\n\n```text\n[chart: T1]\n  qubit  y\n  Q1     30\n```")


def test_what_there_is_shows_itself(copilot: Copilot) -> None:
    assert repr(copilot.turns) == "Nothing has been asked yet."
    assert "Nothing has been asked yet." in copilot._repr_html_()
    copilot.ask("Which <b>qubits</b>?")
    assert repr(copilot.turns) == "1. Which <b>qubits</b>? (answered)"
    html = copilot._repr_html_()
    assert "<li>Which &lt;b&gt;qubits&lt;/b&gt;? (answered)</li>" in html
    assert "<code>data[&#x27;chip_summary&#x27;]</code>" in html
    assert repr(copilot) == "<QDash Copilot: 1 question, data chip_summary>"
    assert repr(copilot.turns[0]) == "<Turn 'Which <b>qubits</b>?': answered>"
    assert "  get_chip_summary(chip_id" in repr(copilot.tools)
    assert "<code>get_chip_summary</code>" in copilot.tools._repr_html_()


def test_an_answer_in_japanese_is_judged_in_japanese() -> None:
    answer = Answer((TextBlock("**Q1**のT1が低下しています。"),), "bad")
    assert answer.markdown == "**評価: ✕ 不良**\n\n**Q1**のT1が低下しています。"
    quoting = Answer((TextBlock("One note on Q1:\n\n> 要確認"),), "warning")
    assert quoting.badge == "Assessment: ⚠ warning"

"""`%copilot open | new | export | chip | undo` and `--out`, in a shell without a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.domain.events import CellsChanged
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.magics import CopilotMagics

Tell = Callable[..., str]
QUESTION = "Which qubits have the worst T1?"


@pytest.fixture
def tell(magics: CopilotMagics, capsys: pytest.CaptureFixture[str]) -> Tell:
    def told(line: str, cell: str | None = None) -> str:
        magics.commands.line_or_cell(line, cell)
        return capsys.readouterr().out

    return told


def test_out_binds_the_answer(magics: CopilotMagics, tell: Tell) -> None:
    shown = tell("--out answer --qid 3", QUESTION)
    answer = magics.shell.user_ns["answer"]
    assert isinstance(answer, Answer)
    assert answer == magics.app.copilot.turns[0].result()
    assert answer.text.splitlines()[0] in shown
    assert "can't be named 'copilot'" in tell("--out copilot", QUESTION)
    tell("--out other --qid 99", QUESTION)
    assert "other" not in magics.shell.user_ns


def test_a_new_conversation_keeps_what_was_fetched(magics: CopilotMagics, tell: Tell) -> None:
    tell(QUESTION)
    assert "takes no arguments" in tell("new chips of this week?")
    assert "New conversation started." in tell("new")
    assert magics.app.copilot.turns == ()
    assert "chip_summary" in magics.app.copilot.data


def test_export_writes_a_new_file(magics: CopilotMagics, tell: Tell, tmp_path: Path) -> None:
    assert "Nothing has been asked yet." in tell("export answer.ipynb")
    tell(QUESTION)
    tell("--qid 99", QUESTION)
    assert "Saved: `answer.ipynb`" in tell("export answer.ipynb")
    written = nbformat.read(tmp_path / "answer.ipynb", as_version=4)
    told = [cell.source for cell in written.cells if cell.cell_type == "markdown"]
    assert told[0].startswith(f"# {QUESTION}\n\nDatabase: ")
    assert told[1].startswith("## Answer")
    assert told[2] == f"# {QUESTION}"
    assert told[3].startswith("## No answer\n\nThere is no qubit 'Q99'")
    assert "Saved" in tell('export "the talk.md"')
    talk = (tmp_path / "the talk.md").read_text()
    first = magics.app.copilot.turns[0]
    assert talk.startswith(f"# {QUESTION}\n\n{first.asked_at:%Y-%m-%d}\n\nDatabase: ")
    assert "16Q-demo" in talk.partition("## ")[0]
    assert f"## {QUESTION}\n\n*{first.asked_at:%Y-%m-%d %H:%M} UTC*" in talk
    assert all(line in talk for line in first.result().text.splitlines())
    assert talk.count("](data:image/png;base64,iVBOR") == len(first.result().charts) > 0
    assert "There is no qubit 'Q99'" in talk
    assert "answer.ipynb already exists." in tell("export answer.ipynb")
    assert "is neither FILE.ipynb nor FILE.md" in tell("export answer.html")
    assert "Can't write nowhere/answer.md" in tell("export nowhere/answer.md")


def test_the_current_chip(magics: CopilotMagics, tell: Tell) -> None:
    assert "**16Q-demo** (current) | demo | 16 | active" in tell("chip")
    tell("use --qid 3")
    assert "There is no chip '16Q-dmo'" in tell("chip 16Q-dmo")
    assert "16Q-demo" in tell("chip 16Q-demo")
    assert magics.app.options is not None
    assert magics.app.options.line() == "--chip 16Q-demo --qid 3"


def test_undo_says_why_there_is_nothing_to_take_out(tell: Tell) -> None:
    assert "No question has finished yet." in tell("undo")
    tell(QUESTION)
    assert "No open notebook has the cells of this answer." in tell("undo")


def test_undo_takes_out_the_cells_of_the_last_question(magics: CopilotMagics, tell: Tell) -> None:
    asked: list[str] = []

    class Added:
        async def undo(self, turn: Turn) -> CellsChanged:
            asked.append(turn.question)
            return CellsChanged(2, "c1", "undone", "1 cell that you changed is kept.")

        def end_turn(self, turn: Turn) -> None:
            """As the page does."""

    replaced: Any = Added()
    magics.app.added = replaced
    tell(QUESTION)
    tell("Which qubits have the worst T1?")
    assert tell("undo").strip() == "2 cells removed. 1 cell that you changed is kept."
    assert asked == ["Which qubits have the worst T1?"]


def test_open_shows_the_panel(magics: CopilotMagics, tell: Tell) -> None:
    assert "QDash Copilot" in tell("open")
    assert magics.app.panel is not None

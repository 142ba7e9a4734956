"""The line of `%copilot analyze`, and who waits for its answer."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from qdash_jupyter.domain.analysis import AnalysisRequest
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.ui.line import AskOptions, analyze_line
from qdash_jupyter.ui.magics import CopilotMagics

T1 = AnalysisRequest("CheckT1", "7")


@pytest.mark.parametrize(
    ("line", "wait", "request_", "question"),
    [
        ("CheckT1 7", False, T1, ""),
        ("CheckT1 7 Is it a TLS?", False, T1, "Is it a TLS?"),
        ("CheckT1 7 --wait", True, T1, ""),
        ("--wait CheckT1 7 Is it a TLS?", True, T1, "Is it a TLS?"),
        ("  --wait   CheckT1  7", True, T1, ""),
        ("CheckT1 7 --wait Is it a TLS?", True, T1, "Is it a TLS?"),
        ("CheckT1 7 Why --wait for it?", False, T1, "Why --wait for it?"),
        (
            "CheckT1 7 --execution 20260620-000 --wait --task-id ab Why?",
            True,
            AnalysisRequest("CheckT1", "7", "20260620-000", "ab"),
            "Why?",
        ),
        ("--execution e CheckT1 7", False, AnalysisRequest("CheckT1", "7", "e"), ""),
        ("CheckT1 7 --wait --execution=e1", True, AnalysisRequest("CheckT1", "7", "e1"), ""),
    ],
)
def test_wait_may_stand_before_the_task_or_among_the_options(
    line: str, wait: bool, request_: AnalysisRequest, question: str
) -> None:
    assert analyze_line(line) == (AskOptions(wait), request_, question)


@pytest.mark.parametrize(
    "line", ["--wait", "--wait CheckT1", "CheckT1 --wait", "CheckT1 7 --waiting x", "CheckT1 7 --execution"]
)
def test_what_is_missing_is_told(line: str) -> None:
    with pytest.raises(QuestionError):
        analyze_line(line)


def test_only_with_wait_the_cell_ends_with_the_answer(
    magics: CopilotMagics, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, AnalysisRequest | None]] = []
    monkeypatch.setattr(magics.app, "asking_page", SimpleNamespace)
    monkeypatch.setattr(magics.app, "ask_below", lambda question, analysis, _: asked.append((question, analysis)))
    magics.commands.line_or_cell("analyze CheckT1 7 'Is it a TLS?'")
    magics.commands.line_or_cell("ask How is the chip?")
    assert asked == [("Is it a TLS?", T1), ("How is the chip?", None)]
    assert capsys.readouterr().out == ""

    magics.commands.line_or_cell("analyze --wait CheckT1 7")
    assert len(asked) == 2
    assert magics.app.copilot.turns[-1].analysis == T1
    assert magics.app.copilot.turns[-1].done
    assert "CheckT1 Q07" in capsys.readouterr().out

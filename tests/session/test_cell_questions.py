"""Questions about a cell of the notebook, over the wire and offline."""

from __future__ import annotations

import base64

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.agent.analysis.cell import cell_context
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.analysis import CellSubject, SubjectFigure, asked_of, is_context, pictures_in, text_of
from qdash_jupyter.session.records import AskedFrom
from tests.scripted_server import ScriptedServer, text_turn

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n picture").decode()


def test_the_question_goes_out_with_the_cell_and_follow_ups_know_it(shell: InteractiveShell) -> None:
    about = CellSubject("[7]", "delays", "0.1 μs", (SubjectFigure("Picture 1", PNG),))
    with ScriptedServer([text_turn("one"), text_turn("two")]) as server:
        model = {"name": "m", "base_url": server.base_url, "api_key_env": "NO_KEY", "accepts": ["image/png"]}
        copilot = open_copilot(shell, settings={"model": "lab", "models": {"lab": model}})
        try:
            turn = copilot.start("What is it?", asked_from=AskedFrom(), analysis=about)
            turn.wait()
            copilot.ask("And why?")
        finally:
            copilot.close()
        first, second = (request.body["input"] for request in server.requests)
    assert is_context(first[0])
    assert [part["type"] for part in first[0]["content"]] == ["input_text", "input_text", "input_image"]
    assert text_of(first[1]) == "What is it?"
    assert second[:2] == first


def test_the_planner_says_that_it_reads_no_cells(shell: InteractiveShell) -> None:
    copilot = open_copilot(shell)
    try:
        turn = copilot.start("What is it?", asked_from=AskedFrom(), analysis=CellSubject("[7]", "delays", "0.1 μs"))
        turn.wait()
        answer = turn.result()
    finally:
        copilot.close()
    assert "can't read the output of a cell" in answer.text


def test_selected_lines_are_no_cell() -> None:
    lines = CellSubject("fit.py", "a = 1", "", is_selection=True)
    context = cell_context(lines, ())
    assert asked_of(lines) == "Explain the selected lines of fit.py"
    assert "selected in fit.py" in text_of(context.message)
    assert "Output" not in text_of(context.message)
    assert str(context.subject.title) == "Lines of fit.py"


def test_pictures_alone_are_no_cell() -> None:
    picture = CellSubject("fit.png", "", "", (SubjectFigure("Picture 1", PNG),))
    context = cell_context(picture, ["image/png"])
    assert asked_of(picture) == "What does fit.png show?"
    assert context.subject.title == "fit.png"
    assert pictures_in(context.message) == (0, 1)
    assert "Code" not in text_of(context.message)
    assert context.message["content"][2]["image_url"].endswith(PNG)

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.events import AnswerReady, StageChanged, StampedEvent, ToolFinished, TurnFailed
from qdash_jupyter.errors import PersonError, QuestionError, ToolError
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.store.frame import StoredResult
from tests.session.conversation import conversation, made, parts_with


def offline(shell: InteractiveShell, snapshot: Path) -> Copilot:
    return open_copilot(shell, settings={"database": {"snapshot": str(snapshot)}})


def test_a_question_to_the_offline_planner(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = offline(shell, snapshot)
    seen: list[StampedEvent] = []

    answer = copilot.ask("Which qubits have the worst T1?", seen.append)

    assert answer.stop_reason is StopReason.FINISHED
    assert "Q" in answer.text
    assert "offline planner" in answer.text
    assert answer.frame_keys
    assert set(answer.frame_keys) <= set(copilot.data)
    turn = copilot.turns[0]
    assert [stamped.seq for stamped in seen] == list(range(1, len(seen) + 1))
    assert {stamped.turn_id for stamped in seen} == {turn.turn_id}
    assert all(stamped.at.tzinfo for stamped in seen)
    assert seen == turn.events
    assert isinstance(seen[0].event, StageChanged)
    assert seen[0].event.step == "connect"
    assert isinstance(seen[-1].event, AnswerReady)
    assert [run.status.value for run in turn.cells] == ["ok"] * len(turn.cells)
    assert turn.cells
    copilot.close()


def test_start_and_wait(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = offline(shell, snapshot)

    turn = copilot.start("  Which qubits have the worst T1?  ")
    turn.wait()

    assert turn.question == "Which qubits have the worst T1?"
    assert turn.done
    assert turn.result().text
    assert repr(copilot).startswith("<QDash Copilot: 1 question, data ")
    copilot.close()


def test_tools_from_python(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(ScriptedLLM([]), snapshot)) as copilot:
        assert "get_chip_summary" in dir(copilot.tools)
        assert "execute_python_analysis" not in repr(copilot.tools.get_chip_summary)

        series = copilot.tools.get_chip_parameter_timeseries(
            parameter_name="t1", qids=("3", np.int64(7)), since=pd.Timestamp("2026-06-01", tz="UTC")
        )

        assert isinstance(series, StoredResult)
        assert copilot.data[series.key] is series
        assert isinstance(series.frame, pd.DataFrame)
        names = copilot.tools.list_available_parameters()
        assert isinstance(names, dict)
        assert "t1" in str(names)


def test_errors_of_tools_from_python(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(ScriptedLLM([]), snapshot)) as copilot:
        with pytest.raises(AttributeError, match="get_chip_summary"):
            _ = copilot.tools.get_chip_sumary
        with pytest.raises(AttributeError):
            _ = copilot.tools.execute_python_analysis
        with pytest.raises(AttributeError):
            _ = copilot.tools._private
        with pytest.raises(ToolError, match="t1"):
            copilot.tools.get_chip_parameter_timeseries(parameter_name="t11")
        with pytest.raises(ToolError, match="99Q"):
            copilot.tools.get_chip_summary(chip_id="99Q")
        with pytest.raises(ToolError, match="parameter_name"):
            copilot.tools.get_chip_parameter_timeseries()
        assert len(copilot.data) == 0


def test_the_conversation_goes_on_from_question_to_question(shell: InteractiveShell, snapshot: Path) -> None:
    llm = ScriptedLLM([call_reply(("get_chip_summary", {})), text_reply("One."), text_reply("Two.")])
    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        copilot.ask("First?")
        copilot.ask("Second?")

        said = [item["content"][0]["text"] for item in llm.requests[-1].items if item["type"] == "message"]
        assert said == ["First?", "One.", "Second?"]
        assert [turn.question for turn in copilot.turns] == ["First?", "Second?"]
        assert len(copilot.turns[0].tool_results) == 1


@pytest.mark.parametrize("question", ["", "  \n\t "])
def test_an_empty_question(shell: InteractiveShell, snapshot: Path, question: str) -> None:
    with conversation(shell, parts_with(ScriptedLLM([text_reply("Yes.")]), snapshot)) as copilot:
        with pytest.raises(QuestionError) as caught:
            copilot.ask(question)

        assert caught.value.hint
        assert copilot.turns == ()
        assert copilot.ask("Well?").text == "Yes."


def test_a_question_of_a_hundred_thousand_characters(shell: InteractiveShell, snapshot: Path) -> None:
    llm = ScriptedLLM([text_reply("Yes.")])
    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        with pytest.raises(QuestionError, match="100,000 characters; the limit is 20,000") as caught:
            copilot.ask("x" * 100_000)

        assert "Shorten it" in str(caught.value.hint)
        assert llm.requests == []
        failed = copilot.turns[0].events[-1].event
        assert isinstance(failed, TurnFailed)
        assert failed.kind == "QuestionError"
        assert copilot.ask("Well?").text == "Yes."


def test_a_bug_of_ours_is_one_line_for_the_person_and_a_traceback_for_us(
    shell: InteractiveShell, snapshot: Path, caplog: pytest.LogCaptureFixture
) -> None:
    llm = ScriptedLLM([ZeroDivisionError("inner detail"), text_reply("Yes.")])
    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        with caplog.at_level(logging.ERROR), pytest.raises(PersonError) as caught:
            copilot.ask("Well?")

        assert "inner detail" not in str(caught.value)
        assert "inner detail" in caplog.text
        assert copilot.ask("Well?").text == "Yes."


def test_a_conversation_inside_a_cell_of_the_person(shell: InteractiveShell, snapshot: Path) -> None:
    code = "nested = 20 + 1\nnested\n"
    llm = ScriptedLLM([call_reply(("execute_python_analysis", {"code": code})), text_reply("Done.")])
    with conversation(shell, parts_with(llm, snapshot)):
        outcome = shell.run_cell("answer = copilot.ask('Compute.')\nnested * 2\n")

        outcome.raise_error()
        assert outcome.result == 42
        assert shell.user_ns["answer"].text == "Done."


def test_closed_and_asked_again(shell: InteractiveShell, snapshot: Path) -> None:
    opened: list[Any] = []
    closed: list[Any] = []

    class Watched(ScriptedLLM):
        async def close(self) -> None:
            closed.append(self)

    llm = Watched([text_reply("One."), text_reply("Two.")])
    build = parts_with(llm, snapshot)

    def counted(*doors: Any) -> Any:
        opened.append(1)
        return build(*doors)

    copilot = made(shell, counted)
    copilot.close()
    assert copilot.ask("First?").text == "One."
    copilot.close()
    copilot.close()
    assert copilot.ask("Second?").text == "Two."
    copilot.close()

    assert (len(opened), len(closed)) == (2, 2)


def test_status(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = offline(shell, snapshot)

    status = copilot.status()

    assert str(status.database) == "demo data (generated), as of 2026-06-30 00:00 UTC"
    assert str(status.chip) == "16Q-demo (project demo, 16 qubits)"
    assert not status.is_language_model
    assert str(status.endpoint) == "this kernel"
    copilot.close()


def test_tool_results_are_events_in_the_order_of_their_end(shell: InteractiveShell, snapshot: Path) -> None:
    llm = ScriptedLLM([call_reply(("get_chip_topology", {}), ("get_chip_summary", {})), text_reply("ok")])
    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        copilot.ask("Read.")

        turn = copilot.turns[0]
        finished = [stamped.event.result for stamped in turn.events if isinstance(stamped.event, ToolFinished)]
        assert tuple(finished) == turn.tool_results


def test_what_load_ext_imports_is_light() -> None:
    """The settings, the tools and the log on disk come with the first page or question."""
    heavy = ("pydantic", "pandas", "numpy", "plotly", "openai", "pymongo", "pyarrow", "anywidget", "yaml", "nbformat")
    code = f"import sys, qdash_jupyter.session; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_a_working_folder_that_is_gone(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    with conversation(shell, parts_with(ScriptedLLM([text_reply("Yes.")]), snapshot)) as copilot:
        assert copilot.ask("Well?").text == "Yes."


def test_two_conversations_in_one_kernel_read_their_own_data(shell: InteractiveShell, snapshot: Path) -> None:
    code = "sorted(copilot.data)"
    replies = [call_reply(("get_chip_summary", {})), call_reply(("execute_python_analysis", {"code": code}))]
    first = made(shell, parts_with(ScriptedLLM([*replies, text_reply("One.")]), snapshot))
    second = made(shell, parts_with(ScriptedLLM([replies[1], text_reply("Two.")]), snapshot))
    assert shell.user_ns["copilot"] is second

    for copilot, question in ((first, "How is the chip?"), (second, "And what is there?")):
        turn = copilot.start(question)  # as the panel and a cell do, without `ask`
        assert (shell.user_ns["copilot"], shell.user_ns["data"]) == (copilot, copilot.data)
        turn.wait()

    assert [copilot.turns[0].cells[0].value for copilot in (first, second)] == [["chip_summary"], []]
    first.close()
    second.close()

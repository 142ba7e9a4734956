"""What a conversation keeps of what went out: in this kernel, and after a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config.manifest import Manifest, ModelSection
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import StopReason, Usage
from qdash_jupyter.errors import ModelRejected, QuestionError
from qdash_jupyter.llm.responses import ResponsesLLM
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.session.parts import BuildParts, Parts
from tests.scripted_server import ScriptedServer, Text, Turn, call_turn, http_error, reply_turn, text_turn
from tests.session.conversation import conversation, parts_with

KEY = "sk-proj-Abc123def456ghi789"


def language_model(server: ScriptedServer, snapshot: Path, **settings: Any) -> BuildParts:
    build = parts_with(ResponsesLLM(ModelSection(name="m", base_url=server.base_url), api_key=lambda: KEY), snapshot)
    manifest = Manifest.model_validate(
        {"orchestrator": {"deployment": "m"}, "models": {"m": {"name": "m"}}, **settings}
    )

    def with_settings(*doors: Any) -> Parts:
        parts = build(*doors)
        parts.manifest = manifest
        return parts

    return with_settings


def journal_in(folder: Path) -> Any:
    return lambda _, notebook: Journal.open("a" * 32, notebook, folder=folder)


def test_a_turn_has_the_requests_that_went_out(shell: InteractiveShell, snapshot: Path) -> None:
    with (
        ScriptedServer([call_turn(("get_chip_summary", {})), text_turn("Well.", usage=(900, 20))]) as server,
        conversation(shell, language_model(server, snapshot)) as copilot,
    ):
        copilot.ask("How is the chip?")
        [turn] = copilot.turns
        bodies = [request.body for request in server.requests]

    assert turn.requests is not None
    assert [request.instructions for request in turn.requests] == [body["instructions"] for body in bodies]
    assert [list(request.items) for request in turn.requests] == [body["input"] for body in bodies]
    assert [list(request.tools) for request in turn.requests] == [body["tools"] for body in bodies]
    assert turn.requests[0].answer_schema == bodies[0]["text"]["format"]["schema"]
    assert turn.usage == Usage(911, 27, 2)
    assert KEY not in repr(turn.requests) + repr(turn.ledger)


def test_the_offline_planner_takes_no_tokens(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = open_copilot(shell, settings={"database": {"snapshot": str(snapshot)}})
    copilot.ask("How many qubits has the chip?")

    [turn] = copilot.turns
    assert turn.requests
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (0, 0)
    assert not turn.ledger.is_language_model
    copilot.close()


def test_a_stopped_turn_keeps_what_it_took(shell: InteractiveShell, snapshot: Path) -> None:
    words = text_turn("Half a sentence")
    silent = words.stalled(20, after=words.place_of("response.output_text.delta") + 1)
    with (
        ScriptedServer([call_turn(("get_chip_summary", {})), silent]) as server,
        conversation(shell, language_model(server, snapshot)) as copilot,
    ):
        turn = copilot.start("How is the chip?")
        turn.wait(lambda stamped: turn.stop() if type(stamped.event).__name__ == "TextDelta" else None)

        assert turn.result().stop_reason is StopReason.CANCELLED
        assert turn.result().usage == Usage(11, 7, 1)
        assert turn.usage.input_tokens > 11  # the second request was read, though nobody counted it


def test_after_a_restart_usage_is_known_and_requests_are_not(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path
) -> None:
    turns = [call_turn(("get_chip_summary", {})), text_turn("Well.", usage=(900, 20)), text_turn("Still well.")]
    with ScriptedServer(turns) as server:
        build = language_model(server, snapshot)
        with conversation(shell, build, journal=journal_in(tmp_path)) as first:
            first.ask("How is the chip?")
        with conversation(shell, build, journal=journal_in(tmp_path)) as second:
            second.ask("And now?")
            restored, fresh = second.turns

    assert restored.requests is None
    assert restored.usage == Usage(911, 27, 2)
    assert fresh.ledger.spent_before == 938
    assert fresh.requests is not None
    assert len(fresh.requests[0].items) == 5


def test_after_a_restart_old_turns_become_a_digest_with_their_dates_tables_and_cells(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path
) -> None:
    too_long = http_error(400, "Too many tokens.", code="context_length_exceeded")
    code = {"code": "len(copilot.data['chip_summary']['qubits'])", "purpose": "Count the qubits"}
    turns: list[Turn] = [
        call_turn(("get_chip_summary", {})),
        call_turn(("execute_python_analysis", code)),
        reply_turn(Text(json.dumps({"blocks": [], "assessment": "good"}))),
        http_error(404, "No such model."),
        too_long,
        text_turn("Short enough."),
    ]
    with ScriptedServer(turns) as server:
        build = language_model(server, snapshot)
        with conversation(shell, build, journal=journal_in(tmp_path)) as first:
            first.ask("How is the chip?")
            [run] = first.turns[0].cells
            with pytest.raises(ModelRejected):
                first.ask("This fails.")
        with conversation(shell, build, journal=journal_in(tmp_path)) as second:
            assert second.ask("And now?").text == "Short enough."
            items = second._conversation.transcript.items
            asked_at = second.turns[0].asked_at
        digest = server.requests[-1].body["input"][0]["content"][0]["text"]

    assert "Digest of the first 2 questions" in digest
    assert "- data['chip_summary']: 16 rows, not in this kernel now; get_chip_summary {} fetches it again" in digest
    assert f"- {run.request.cell_id} (question 1, ok): Count the qubits" in digest
    assert f"1. {asked_at:%Y-%m-%d %H:%M} UTC: How is the chip? → good" in digest
    assert "This fails. → no answer" in digest
    assert len(server.requests[-1].body["input"]) == 2
    assert [item["type"] for item in items].count("function_call_output") == 2


def test_the_tokens_of_a_conversation_are_limited_across_a_restart(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path
) -> None:
    with ScriptedServer([text_turn("Well.", usage=(900, 200)), text_turn("Fresh.")]) as server:
        build = language_model(server, snapshot, limits={"conversation_tokens": 1000})
        with conversation(shell, build, journal=journal_in(tmp_path)) as first:
            first.ask("How is the chip?")
        with conversation(shell, build, journal=journal_in(tmp_path)) as second:
            refused_in(second)
            assert len(server.requests) == 1
            second.new()
            assert second.ask("How is the chip?").text == "Fresh."


def refused_in(copilot: Copilot) -> None:
    with pytest.raises(QuestionError, match="used 1,100 tokens"):
        copilot.ask("And now?")


def test_the_settings_reach_the_turn(shell: InteractiveShell, snapshot: Path) -> None:
    limits = {"max_tool_calls": 7, "max_tokens": 5000, "max_seconds": 90.0, "conversation_tokens": 50_000}
    models = {"lab": {"name": "m", "window": 32_000, "price": {"input": 1.5, "output": 6, "currency": "JPY"}}}
    copilot = open_copilot(
        shell, settings={"model": "lab", "models": models, "limits": limits, "database": {"snapshot": str(snapshot)}}
    )
    setting = copilot._conversation.parts().setting("en", NoCells())

    assert setting.window == 32_000
    assert setting.price is not None
    assert (setting.price.input, setting.price.output, setting.price.currency) == (1.5, 6, "JPY")
    assert {name: getattr(setting.limits, name) for name in limits} == limits
    copilot.close()


def test_without_settings_only_the_number_of_calls_is_limited(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = open_copilot(shell, settings={"database": {"snapshot": str(snapshot)}})
    setting = copilot._conversation.parts().setting("en", NoCells())

    assert setting.window is None  # the planner reads the conversation as it is
    assert setting.limits.max_tool_calls == 50
    assert {setting.limits.max_tokens, setting.limits.max_seconds, setting.limits.conversation_tokens} == {None}
    copilot.close()

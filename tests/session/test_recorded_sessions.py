"""A conversation over a socket, recorded; then the same without a server, a key or a network."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import Answer, JsonObject, TextBlock
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.errors import CassetteError, ConfigurationError, PersonError
from qdash_jupyter.llm.cassette import model as cassette_model
from qdash_jupyter.session.copilot import Copilot
from tests.scripted_server import ScriptedServer, Thought, Turn, call_turn, text_turn
from tests.session.conversation import open_shell, without_settings
from tests.session.test_real_sdk import CODE, KEY

FILE = "conversation.yaml"
QUESTIONS = ("Which qubits are weak?", "日本語で、T1の中央値は?")
ANSWER = {
    "blocks": [
        {"type": "text", "content": "Some qubits are **weak**.\n\n- see the chart", "chart": None},
        {"type": "chart", "content": None, "chart": {"data": [{"y": [1, 2]}], "layout": {"title": "Own"}}},
    ],
    "assessment": "warning",
}
ANSWER_JA = {"blocks": [{"type": "text", "content": "中央値は 60 μs です。", "chart": None}], "assessment": None}


def turns() -> list[Turn]:
    return [
        call_turn(
            ("get_chip_parameter_timeseries", {"parameter_name": "t1"}),
            ("get_chip_summary", {"param_names": ["t1"]}),
            thought=Thought("gAAAAencrypted==", ["First the series."]),
        ),
        call_turn(("execute_python_analysis", {"code": CODE, "purpose": "Find weak qubits"})),
        text_turn(json.dumps(ANSWER), usage=(100, 20)),
        call_turn(("execute_python_analysis", {"code": 'float(latest_t1["v"].median())', "purpose": "中央値"})),
        text_turn(json.dumps(ANSWER_JA, ensure_ascii=False), pieces=9),
    ]


@contextmanager
def conversation() -> Iterator[Copilot]:
    """As after a restart: in a new shell."""
    with open_shell() as shell:
        copilot = open_copilot(shell)
        try:
            yield copilot
        finally:
            copilot.close()


@pytest.fixture
def settings(snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setattr(cassette_model, "_begun", set())
    monkeypatch.setenv("QDASH_SNAPSHOT", str(snapshot))
    monkeypatch.setenv("QDASH_CASSETTE_FILE", FILE)
    return monkeypatch


def configure_model(settings: pytest.MonkeyPatch, base_url: str, mode: str) -> None:
    settings.setenv("QDASH_COPILOT_MODEL", "lab-model")
    settings.setenv("OPENAI_BASE_URL", base_url)
    settings.setenv("OPENAI_API_KEY", KEY)
    settings.setenv("QDASH_CASSETTE", mode)


def configure_replay(settings: pytest.MonkeyPatch) -> None:
    """No model, no key, and nothing that could reach one."""
    for name in ("QDASH_COPILOT_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        settings.delenv(name, raising=False)
    settings.setenv("QDASH_CASSETTE", "replay")

    def refuse(self: socket.socket, address: Any) -> None:
        raise AssertionError(f"a replay wants to connect to {address}")

    for method in ("connect", "connect_ex", "bind"):
        settings.setattr(socket.socket, method, refuse)


def asked_all() -> tuple[list[Answer], list[JsonObject], list[str]]:
    """The answers to the questions, the transcript, and what streamed in each turn."""
    with conversation() as copilot:
        answers = [copilot.ask(question) for question in QUESTIONS]
        deltas = [
            "".join(e.event.text for e in turn.events if isinstance(e.event, kind))
            for turn in copilot.turns
            for kind in (TextDelta, ReasoningDelta)
        ]
        assert all(len(turn.cells) == 1 and turn.cells[0].status is CellStatus.OK for turn in copilot.turns)
        return answers, list(copilot._conversation.transcript.items), deltas


def test_a_recorded_conversation_is_replayed_without_a_server(settings: pytest.MonkeyPatch) -> None:
    with ScriptedServer(turns()) as server:
        configure_model(settings, server.base_url, "record")
        answers, items, deltas = asked_all()
        assert len(server.requests) == 5

    configure_replay(settings)
    with conversation() as copilot:
        status = copilot.status()
    again, items_again, deltas_again = asked_all()

    assert (str(status.model), status.endpoint) == ("recorded replies of lab-model", FILE)
    assert items_again == items
    assert deltas_again == deltas
    assert again == answers
    assert again[0].blocks[0] == TextBlock("Some qubits are **weak**.\n\n- see the chart")
    assert [chart.title for chart in again[0].charts] == ["Own", "Weak qubits"]
    assert again[1].text == "中央値は 60 μs です。"
    assert again[0].usage.input_tokens == 122
    text = Path(FILE).read_text(encoding="utf-8")
    assert KEY not in text
    assert "authorization" not in text.lower()
    assert "中央値は 60 μs です。" in text
    assert '\n          weak_t1 = latest_t1[latest_t1["v"] < 60]\n' in text, "code stands in lines"


def test_another_result_of_a_tool_is_told_to_the_person(settings: pytest.MonkeyPatch) -> None:
    with ScriptedServer(turns()) as server:
        configure_model(settings, server.base_url, "record")
        asked_all()
    text = Path(FILE).read_text(encoding="utf-8")
    Path(FILE).write_text(text.replace("      status: ok\n", "      status: fine\n", 1), encoding="utf-8")

    configure_replay(settings)
    with conversation() as copilot, pytest.raises(CassetteError) as caught:
        copilot.ask(QUESTIONS[0])

    here, recorded = str(caught.value.message).split("` here, `")
    assert '"status": "ok"}, "type": "function_call_output"}]' in here
    assert '"status": "fine"}, "type": "function_call_output"}]' in recorded


def test_auto_records_what_is_missing_in_the_middle_of_a_conversation(settings: pytest.MonkeyPatch) -> None:
    with ScriptedServer(turns()) as server:
        configure_model(settings, server.base_url, "auto")
        with conversation() as copilot:
            copilot.ask(QUESTIONS[0])
        assert len(server.requests) == 3
        answers, _, _ = asked_all()
        assert len(server.requests) == 5, "the first question was played, the second recorded"
        # What was played goes out whole, the encrypted reasoning included.
        assert "gAAAAencrypted==" in json.dumps(server.requests[3].body)

    configure_replay(settings)
    assert [each.text for each in asked_all()[0]] == [each.text for each in answers]


@pytest.mark.parametrize(
    ("variables", "kind", "said"),
    [
        ({"QDASH_CASSETTE": "play"}, ConfigurationError, "QDASH_CASSETTE can't be 'play'"),
        ({"QDASH_CASSETTE_FILE": ""}, ConfigurationError, "QDASH_CASSETTE_FILE isn't"),
        ({"QDASH_CASSETTE_FILE": "none.yaml"}, CassetteError, "The cassette none.yaml doesn't exist"),
        ({"QDASH_CASSETTE_FILE": "broken.yaml"}, CassetteError, "broken in line 3"),
    ],
)
def test_what_is_wrong_is_told_and_the_next_try_works(
    settings: pytest.MonkeyPatch,
    variables: dict[str, str],
    kind: type[PersonError],
    said: str,
) -> None:
    with ScriptedServer(turns()[2:3]) as server:
        configure_model(settings, server.base_url, "record")
        with conversation() as copilot:
            copilot.ask(QUESTIONS[0])
    Path("broken.yaml").write_text("cassette: 1\nmodel: [\n", encoding="utf-8")
    configure_replay(settings)
    with settings.context() as wrong, conversation() as copilot:
        for name, value in variables.items():
            wrong.setenv(name, value)
        with pytest.raises(kind, match=said):
            copilot.ask(QUESTIONS[0])
        for name in variables:
            wrong.setenv(name, {"QDASH_CASSETTE": "replay", "QDASH_CASSETTE_FILE": FILE}[name])
        assert copilot.ask(QUESTIONS[0]).assessment == "warning"

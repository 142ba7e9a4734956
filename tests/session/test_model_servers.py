"""From `Copilot.ask` over a socket to servers of Chat Completions and back, as a person configures them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect import open_copilot, open_model
from qdash_jupyter.domain.answer import TextBlock
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.auto import AutoLLM
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.responses import ResponsesLLM
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.ui.display import status_bundle
from tests.scripted_server import (
    Manner,
    ScriptedServer,
    Thought,
    call_turn,
    http_error,
    refuses,
    refuses_streaming,
    text_turn,
)

ANSWER = {"blocks": [{"type": "text", "content": "All is **well**.", "chart": None}], "assessment": "good"}
LEGACY = {
    "summary": "It cannot be judged.",
    "assessment": "warning",
    "explanation": "This server has no tools.",
    "potential_issues": [],
    "recommendations": ["Paste the data."],
}


@contextmanager
def configured(shell: InteractiveShell, snapshot: Path, base_url: str, **model: Any) -> Iterator[Copilot]:
    models = {"lab": {"name": "qwen", "base_url": base_url, **model}}
    copilot = open_copilot(shell, settings={"model": "lab", "models": models, "database": {"snapshot": str(snapshot)}})
    try:
        yield copilot
    finally:
        copilot.close()


def status_text(copilot: Copilot) -> str:
    return str(status_bundle(copilot.status())["text/markdown"])


def test_a_question_with_tools_from_end_to_end(shell: InteractiveShell, snapshot: Path) -> None:
    thought = Thought("", ["First the chip."])
    turns = [
        call_turn(("get_chip_summary", {}), ("get_qubit_params", {"qid": "3"}), thought=thought),
        text_turn(json.dumps(ANSWER), usage=(100, 20)),
        text_turn("And on."),
    ]
    manner = Manner(ids="none", reasoning="reasoning")
    with (
        ScriptedServer(turns, responses=False, manner=manner) as server,
        configured(shell, snapshot, server.base_url) as copilot,
    ):
        assert "learned" not in status_text(copilot)
        answer = copilot.ask("How is the chip?")
        assert copilot.ask("And now?").text == "And on."
        requests, status = server.requests, status_text(copilot)

    assert (answer.blocks[0], answer.assessment) == (TextBlock("All is **well**."), "good")
    assert (answer.usage.requests, answer.usage.input_tokens, answer.usage.output_tokens) == (2, 111, 27)
    assert "chip_summary" in copilot.data
    assert "| model server | Chat Completions API (since 20" in status
    # one request for nothing, then the same question over the API that the server has
    assert [request.path for request in requests] == ["/v1/responses", *["/v1/chat/completions"] * 3]
    messages = requests[2].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool"]
    assert messages[2]["reasoning"] == "First the chip."
    calls = messages[2]["tool_calls"]
    assert [message["tool_call_id"] for message in messages[3:]] == [call["id"] for call in calls]
    assert len({call["id"] for call in calls}) == 2
    assert json.loads(messages[3]["content"])["data_key"] == "chip_summary"
    # the conversation grows at its end only, so that the server may keep what it has read
    assert requests[3].body["messages"][: len(messages)] == messages


def test_a_model_without_tools_answers_in_the_older_form(shell: InteractiveShell, snapshot: Path) -> None:
    no_tools = refuses("tools", http_error(400, "registry.ollama.ai/library/gemma:2b does not support tools"))
    with (
        ScriptedServer([text_turn(json.dumps(LEGACY))] * 2, refusals=[no_tools, refuses_streaming()]) as server,
        configured(shell, snapshot, server.base_url, api_style="chat_completions") as copilot,
    ):
        answers = [copilot.ask("How is the chip?"), copilot.ask("And now?")]
        status, bodies = status_text(copilot), [request.body for request in server.requests]

    assert [answer.assessment for answer in answers] == ["warning", "warning"]
    assert "It cannot be judged." in answers[0].text
    assert "**Recommendations:**\n- Paste the data." in answers[0].text
    assert "no tools" in status
    assert "no streaming" in status
    assert "cannot call tools" in bodies[-1]["messages"][0]["content"]
    assert len(bodies) == 4  # two refusals, once


def test_a_call_that_is_written_as_text_runs(shell: InteractiveShell, snapshot: Path) -> None:
    turns = [text_turn('```json\n{"name": "get_chip_summary", "arguments": {}}\n```'), text_turn(json.dumps(ANSWER))]
    with (
        ScriptedServer(turns) as server,
        configured(shell, snapshot, server.base_url, api_style="chat_completions") as copilot,
    ):
        answer = copilot.ask("How is the chip?")
        messages, status = server.requests[1].body["messages"], status_text(copilot)

    assert answer.text == "All is **well**."
    assert "chip_summary" in copilot.data
    assert [message["role"] for message in messages[1:]] == ["user", "assistant", "tool"]
    assert "writes tool calls as text" in status


def test_the_settings_name_the_api() -> None:
    def model(base_url: str | None, **section: Any) -> Any:
        models = {"lab": {"name": "qwen", "base_url": base_url, **section}}
        return open_model(
            Manifest.model_validate({"orchestrator": {"deployment": "lab"}, "models": models}), MetricTable()
        )

    lab = "http://localhost:11434/v1"
    assert isinstance(model(lab), AutoLLM)
    assert isinstance(model(lab, api_style="responses"), ResponsesLLM)
    assert isinstance(model(lab, api_style="chat_completions"), ChatCompletionsLLM)
    # OpenAI has both, so a 404 there means something else.
    assert isinstance(model(None), ResponsesLLM)
    assert isinstance(model("https://eu.api.openai.com/v1"), ResponsesLLM)
    assert isinstance(model(None, api_style="chat_completions"), ChatCompletionsLLM)

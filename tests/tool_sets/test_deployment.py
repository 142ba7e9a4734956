"""Another model as a tool, over a socket."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.ui.cost import conversation_cost
from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, http_error, text_turn
from tests.tool_sets.sets import box, built, called, content, failure

TOOL = {"name": "ask_expert", "description": "An expert.", "deployment": "expert", "system_prompt": "Be brief."}
MESSAGE = {"message": "What is T1?"}


def section(**tool: Any) -> dict[str, Any]:
    return {"type": "deployment", "name": "others", "tools": [TOOL | tool]}


def models(base_url: str, **model: Any) -> dict[str, Any]:
    return {"expert": {"name": "big", "base_url": base_url, "api_style": "responses", "temperature": 0.9, **model}}


def test_the_other_model_gets_the_message_with_its_own_parameters() -> None:
    with ScriptedServer([text_turn("A decay time.")]) as server:
        tools = box(section(temperature=0.1, max_output_tokens=64), models=models(server.base_url))
        result = called(tools, "ask_expert", **MESSAGE)
        (request,) = server.requests
    assert content(result) == {"answer": "A decay time."}
    assert (request.body["temperature"], request.body["max_output_tokens"]) == (0.1, 64)
    assert request.body["instructions"] == "Be brief."
    assert "What is T1?" in json.dumps(request.body["input"])
    assert (result.usage.input_tokens, result.usage.output_tokens) == (11, 7)


def test_its_tokens_are_counted_in_the_turn(shell: InteractiveShell, snapshot: Path) -> None:
    llm = ScriptedLLM([call_reply(("ask_expert", MESSAGE)), text_reply("Well.")])
    with ScriptedServer([text_turn("A decay time.", usage=(1_000, 200))]) as server:
        settings = {"tool_sets": [section()], "models": models(server.base_url)}
        copilot = open_copilot(shell, model=llm, settings=settings | {"database": {"snapshot": str(snapshot)}})
        answer = copilot.ask("Ask the expert.")
        turn = copilot.turns[-1]
        assert answer.usage.input_tokens >= 1_000
        assert turn.usage.output_tokens >= 200
        assert turn.usage.requests == 3
        assert "3 requests" in conversation_cost(copilot.turns)
        copilot.close()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (http_error(401, "bad key"), "unauthorized"),
        (http_error(400, "no such parameter"), "refused"),
        (text_turn("A decay time.").cut_after(3), "broken_answer"),
    ],
)
def test_what_its_server_does_wrong(error: Any, kind: str) -> None:
    with ScriptedServer([error]) as server:
        result = called(box(section(), models=models(server.base_url)), "ask_expert", **MESSAGE)
    assert failure(result)[0] == kind


def test_no_server_and_a_silent_one() -> None:
    with ScriptedServer() as server:
        gone = server.base_url
    assert failure(called(box(section(), models=models(gone)), "ask_expert", **MESSAGE))[0] == "unreachable"
    turns = [text_turn("Late.").stalled(PATIENCE_S, after=2)] * 8  # where even the first bytes are late, it asks again
    with ScriptedServer(turns) as server:
        own = box(section(timeout_seconds=0.3), models=models(server.base_url))
        assert "after 0.3 s" in failure(called(own, "ask_expert", **MESSAGE))[1]
        clients = box(section(), models=models(server.base_url, timeout_seconds=0.2))
        kind, said = failure(called(clients, "ask_expert", **MESSAGE))
        assert kind == "timed_out", "its limit of its client limit"
        assert "0.2" in said or "its client's limit" in said


def test_stop_hangs_up() -> None:
    with ScriptedServer([text_turn("Late.").stalled(PATIENCE_S, after=2)]) as server:
        tools = box(section(), models=models(server.base_url))

        async def ask() -> None:
            async for _ in tools.run([ToolCall("1", "ask_expert", json.dumps(MESSAGE))]):
                pass

        async def stopped() -> None:
            running = asyncio.create_task(ask())
            await asyncio.to_thread(until, lambda: server.requests)
            running.cancel()
            await asyncio.wait([running])

        asyncio.run(stopped())
        assert server.requests[0].hung_up.wait(PATIENCE_S)


def test_a_model_that_is_not_there_is_a_hard_issue() -> None:
    (issue,) = built(section(deployment="exprt"), models=models("http://lab/v1")).issues
    assert issue.is_hard
    assert "expert" in str(issue.message)

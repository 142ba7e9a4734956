from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ModelBroken, ModelError, ModelRefused, ModelRejected
from qdash_jupyter.llm.auto import AutoLLM
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.llm.openai_server.capabilities import Capabilities
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import AT_ONCE, KEY, QUESTION, REQUEST, TOOL, ask, reply_of, text_of
from tests.scripted_server import (
    Call,
    HttpError,
    ScriptedServer,
    Text,
    Thought,
    Turn,
    http_error,
    reply_turn,
    text_turn,
)


def made(base_url: str, file: Path | None = None) -> AutoLLM:
    known = Capabilities(base_url, "gpt-test", file)
    section = ModelSection(name="gpt-test", base_url=base_url)
    given = section, known, lambda: KEY
    return AutoLLM(ResponsesLLM(*given), ChatCompletionsLLM(*given))


def paths(server: ScriptedServer) -> list[str]:
    return [request.path.removeprefix("/v1/") for request in server.requests]


def failure(*turns: Turn) -> ModelError:
    with ScriptedServer(turns) as server, pytest.raises(ModelError) as caught:
        ask(made(server.base_url))
    assert set(paths(server)) == {"responses"}
    assert caught.value.__context__ is None
    return caught.value


def test_a_server_with_the_responses_api_is_asked_nothing_else() -> None:
    with ScriptedServer([text_turn("ok")] * 2) as server:
        llm = made(server.base_url)
        assert [reply_of(parts).text for parts in ask(llm, REQUEST, REQUEST)] == ["ok", "ok"]

    assert paths(server) == ["responses"] * 2
    assert llm.card.learned == ""


def test_a_server_without_it_answers_the_same_question_over_the_other(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    with ScriptedServer([text_turn("ok")] * 3, responses=False) as server:
        llm = made(server.base_url, file)
        first, _ = ask(llm, REQUEST, REQUEST)
        ask(made(server.base_url, file))  # as another kernel would

    assert text_of(first) == reply_of(first).text == "ok"
    assert reply_of(first).usage.requests == 1
    assert paths(server) == ["responses", *["chat/completions"] * 3]
    assert str(llm.card.learned).startswith("Chat Completions API (since 20")


@pytest.mark.parametrize(
    "missing",
    [
        HttpError(404, "404 page not found"),
        HttpError(404, {"detail": "Not Found"}),
        http_error(404, "Unknown path /openai/deployments/gpt-test/responses"),
        http_error(404, "File gpt-tests.html not found."),
        HttpError(405, {"detail": "Method Not Allowed"}),
        http_error(501, "Not implemented.", headers=AT_ONCE),
    ],
    ids=["ollama", "vllm", "azure", "like the model", "gateway", "501"],
)
def test_the_words_in_which_servers_have_no_such_path(missing: HttpError) -> None:
    def play(body: JsonObject) -> Any:
        return text_turn("ok") if "messages" in body else missing

    with ScriptedServer([play] * 5) as server:
        (parts,) = ask(made(server.base_url))

    assert reply_of(parts).text == "ok"
    assert paths(server)[-1] == "chat/completions"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (http_error(404, "The model `gpt-test` does not exist.", code="model_not_found"), ModelRejected),
        (http_error(404, 'model "gpt-test" not found, try pulling it first'), ModelRejected),
        (http_error(401, "No."), ModelRefused),
        (http_error(403, "No."), ModelRefused),
        (http_error(400, "No."), ModelRejected),
        (http_error(500, "No.", headers=AT_ONCE), ModelBroken),
    ],
    ids=["404 model", "404 model at ollama", "401", "403", "400", "500"],
)
def test_other_errors_are_told_and_not_taken_elsewhere(error: HttpError, kind: type[ModelError]) -> None:
    assert isinstance(failure(*[error] * 3), kind)


def test_a_responses_api_that_fails_again_and_again_has_a_way_out() -> None:
    error = failure(*[http_error(500, "No.", headers=AT_ONCE)] * 3)
    assert "Set `api_style: chat_completions`" in str(error.hint)
    assert "QDASH_COPILOT_API_STYLE" in str(error.hint)


def test_a_server_with_neither_is_a_wrong_address_and_teaches_nothing() -> None:
    with ScriptedServer() as server:
        llm = made(server.base_url.replace("/v1", "/v2"))
        with pytest.raises(ModelRejected) as caught:
            ask(llm)

    assert "Responses API" in str(caught.value.message)
    assert "/v1" in str(caught.value.hint)
    assert caught.value.__context__ is None
    assert llm.card.learned == ""


def test_the_other_api_is_remembered_only_once_it_answered() -> None:
    with ScriptedServer([http_error(401, "No.")], responses=False) as server:
        llm = made(server.base_url)
        with pytest.raises(ModelRefused):
            ask(llm)

    assert llm.card.learned == ""


def test_leaving_the_stream_closes_the_connection() -> None:
    async def run() -> bool:
        llm = made(server.base_url)
        async with aclosing(llm.reply(REQUEST)) as parts:
            await anext(parts)
        gone = await asyncio.to_thread(server.requests[-1].hung_up.wait, 5)
        await llm.close()
        return gone

    turn = text_turn("All is well.")
    slow = turn.stalled(20, after=turn.place_of("response.output_text.delta") + 1)
    with ScriptedServer([slow], responses=False) as server:
        assert asyncio.run(run())


# --- a conversation that is taken from one API to the other

OUTPUT: JsonObject = {"type": "function_call_output", "call_id": "call_1", "output": '{"t1": 61.4}'}
TURN = reply_turn(Thought("gAAA", ["Hm."]), Text("Looking."), Call("get_qubit_params", {"qid": "7"}, "call_1"))


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True)], ids=["to chat", "from chat"])
def test_a_conversation_goes_on_over_the_other_api(first: bool, second: bool) -> None:
    with ScriptedServer([TURN], responses=first) as server:
        items = reply_of(ask(made(server.base_url), ModelRequest("", (QUESTION,), (TOOL,)))[0]).items
    with ScriptedServer([text_turn("Fine.")], responses=second) as server:
        (parts,) = ask(made(server.base_url), ModelRequest("", (QUESTION, *items, OUTPUT), (TOOL,)))
        sent = server.requests[-1].body

    assert reply_of(parts).text == "Fine."
    if second:
        assert [item.get("type") for item in sent["input"]] == [
            None,
            "message",
            "function_call",
            "function_call_output",
        ]
        assert sent["input"][2] == {
            "type": "function_call",
            "call_id": "call_1",
            "name": "get_qubit_params",
            "arguments": '{"qid": "7"}',
        }
    else:
        assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "tool"]
        assert "gAAA" not in str(sent)
        assert sent["messages"][1]["content"] == "Looking."

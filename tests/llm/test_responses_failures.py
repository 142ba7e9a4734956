from __future__ import annotations

import asyncio
import logging

import pytest

from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.errors import (
    ModelBroken,
    ModelRefused,
)
from qdash_jupyter.llm.client import ReplyPart
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import KEY, REQUEST, ask, failure_of, made, reply_of, text_of
from tests.scripted_server import (
    ScriptedServer,
    call_turn,
    http_error,
    text_turn,
    unknown_event,
)

# --- errors


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_never_repeated(status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    error = failure_of(
        http_error(status, f"Incorrect key provided: {KEY}, like sk-proj-****i789.", code="invalid_api_key"),
        key_name="LAB_MODEL_KEY",
    )

    assert isinstance(error, ModelRefused)
    assert "LAB_MODEL_KEY" in str(error.hint)
    assert KEY not in caplog.text


def test_a_key_of_any_shape_and_a_header_are_redacted() -> None:
    message = "No: lab-4711 / open-sesame / Basic-xyz"
    with ScriptedServer([http_error(403, message)]) as server, pytest.raises(ModelRefused) as caught:
        ask(made(server.base_url, api_key=lambda: "lab-4711", headers={"Api-Key": "Token open-sesame"}))

    assert "No: [hidden] / [hidden] / Basic-xyz" in str(caught.value)


def test_no_key_for_the_default_endpoint_is_noticed_before_any_request() -> None:
    llm = made(None, api_key=lambda: None)
    with pytest.raises(ModelRefused) as caught:
        ask(llm)

    assert "OPENAI_API_KEY" in str(caught.value.hint)
    assert "api.openai.com" in str(caught.value.message)


def test_a_key_that_cannot_be_sent() -> None:
    with pytest.raises(ModelRefused) as caught:
        ask(made(None, api_key=lambda: "sk-ключ"))

    assert "sk-" not in repr(caught.value)


# --- streams that break


@pytest.mark.parametrize("closed_in_order", [True, False])
def test_a_stream_that_breaks_before_its_first_delta_is_asked_for_once_more(closed_in_order: bool) -> None:
    turn = text_turn("All is well.")
    broken = turn.first(2) if closed_in_order else turn.cut_after(2)
    with ScriptedServer([broken, turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert text_of(parts) == "All is well."
    assert reply_of(parts).usage.requests == 2
    assert server.requests[0].body == server.requests[1].body


def test_calls_without_a_closing_event_are_not_taken() -> None:
    turn = call_turn(("get_qubit_params", {"qid": "7"}))
    with ScriptedServer([turn.cut_after(len(turn.steps) - 1), turn]) as server:
        (parts,) = ask(made(server.base_url))

    assert len(reply_of(parts).calls) == 1
    assert len(server.requests) == 2


@pytest.mark.parametrize("closed_in_order", [True, False])
def test_a_stream_that_breaks_after_a_delta(closed_in_order: bool) -> None:
    turn = text_turn("All is well.")
    after = turn.place_of("response.output_text.delta") + 1
    seen: list[ReplyPart] = []

    async def run(llm: ResponsesLLM) -> None:
        try:
            async for part in llm.reply(REQUEST):
                seen.append(part)  # noqa: PERF401 - what came before the error counts
        finally:
            await llm.close()

    broken = turn.first(after) if closed_in_order else turn.cut_after(after)
    with ScriptedServer([broken, turn]) as server:
        with pytest.raises(ModelBroken, match="broke during the answer"):
            asyncio.run(run(made(server.base_url)))
        assert len(server.requests) == 1
    assert seen == [TextDelta("All ")]


def test_an_error_event_of_another_shape() -> None:
    nested = unknown_event("error", error={"message": f"Out of memory, {KEY}", "code": "oom"})
    error = failure_of(text_turn("ok").with_step(1, nested))

    assert isinstance(error, ModelBroken)
    assert "Out of memory" in str(error.message)

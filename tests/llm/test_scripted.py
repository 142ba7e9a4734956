from __future__ import annotations

import asyncio

import pytest

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.errors import ModelUnreachable
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply


def ask(llm: LLM, text: str = "How is Q7?") -> list[ReplyPart]:
    async def run() -> list[ReplyPart]:
        question: JsonObject = {"role": "user", "content": text}
        return [part async for part in llm.reply(ModelRequest(instructions="", items=(question,)))]

    return asyncio.run(run())


def test_steps_come_one_by_one_and_requests_are_kept() -> None:
    llm = ScriptedLLM([call_reply(("get_qubit_params", {"qid": "7"})), text_reply("All is well.")])

    (first,) = ask(llm, "one")
    *deltas, second = ask(llm, "two")

    assert isinstance(first, Reply)
    assert [(call.name, call.arguments) for call in first.calls] == [("get_qubit_params", '{"qid": "7"}')]
    assert first.items[0]["call_id"] == first.calls[0].call_id
    assert all(isinstance(delta, TextDelta) for delta in deltas)
    assert "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)).strip() == "All is well."
    assert isinstance(second, Reply)
    assert second.text == "All is well."
    assert [request.items[0]["content"] for request in llm.requests] == ["one", "two"]


def test_calls_of_one_reply_have_ids_of_their_own() -> None:
    reply = call_reply(("get_qubit_params", {"qid": "7"}), ("get_qubit_params", {"qid": "8"}))

    assert len({call.call_id for call in reply.calls}) == 2


def test_a_step_may_be_an_error_or_a_function_of_the_request() -> None:
    llm = ScriptedLLM([ModelUnreachable("Nobody is there."), lambda request: text_reply(request.items[0]["content"])])

    with pytest.raises(ModelUnreachable):
        ask(llm)
    assert ask(llm, "echo")[-1] == text_reply("echo")


def test_the_card_says_that_it_is_no_language_model() -> None:
    assert not ScriptedLLM([]).card.is_language_model

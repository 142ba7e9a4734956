from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import REQUEST, made
from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, text_turn

# --- stopping


@pytest.mark.parametrize("kind", [ResponsesLLM, ChatCompletionsLLM])
@pytest.mark.parametrize("where", ["before the first event", "after a delta", "before the headers"])
def test_a_stop_comes_through_at_once_and_closes_the_connection(kind: Any, where: str) -> None:
    turn = text_turn("All is well.")
    at = {"before the first event": 0, "after a delta": 3}.get(where)
    released = asyncio.Event()

    answered, let_go = threading.Event(), threading.Event()

    def late(_body: JsonObject) -> Any:
        let_go.wait(PATIENCE_S)
        answered.set()
        return turn

    async def run(llm: LLM) -> None:
        async def consume() -> None:
            async for _ in llm.reply(REQUEST):
                released.set()

        task = asyncio.create_task(consume())
        await asyncio.to_thread(until, lambda: bool(server.requests))
        if where == "after a delta":
            await released.wait()
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not answered.is_set()
        if at is not None:
            assert await asyncio.to_thread(server.requests[0].hung_up.wait, PATIENCE_S)
        await llm.close()

    with ScriptedServer([late if at is None else turn.stalled(2 * PATIENCE_S, after=at)]) as server:
        asyncio.run(run(made(server.base_url, kind)))
        let_go.set()

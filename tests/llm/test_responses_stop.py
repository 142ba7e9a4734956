from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import REQUEST, made
from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, text_turn

# --- stopping


@pytest.mark.parametrize("where", ["before the first event", "after a delta", "before the headers"])
def test_a_stop_comes_through_at_once_and_closes_the_connection(where: str) -> None:
    turn = text_turn("All is well.")
    at = {"before the first event": 0, "after a delta": turn.place_of("response.output_text.delta") + 1}.get(where)
    released = asyncio.Event()

    answered, let_go = threading.Event(), threading.Event()

    def late(_body: JsonObject) -> Any:
        let_go.wait(PATIENCE_S)
        answered.set()
        return turn

    async def run(llm: ResponsesLLM) -> None:
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
        asyncio.run(run(made(server.base_url)))
        let_go.set()


def test_leaving_the_stream_closes_the_connection() -> None:
    async def run(llm: ResponsesLLM) -> bool:
        async with aclosing(llm.reply(REQUEST)) as parts:
            await anext(parts)
        gone = await asyncio.to_thread(server.requests[0].hung_up.wait, PATIENCE_S)
        await llm.close()
        return gone

    turn = text_turn("All is well.")
    with ScriptedServer(
        [turn.stalled(2 * PATIENCE_S, after=turn.place_of("response.output_text.delta") + 1)]
    ) as server:
        assert asyncio.run(run(made(server.base_url)))

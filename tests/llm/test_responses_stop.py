from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import Any

import pytest

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.asking import REQUEST, made
from tests.scripted_server import ScriptedServer, text_turn

# --- stopping


@pytest.mark.parametrize("where", ["before the first event", "after a delta", "before the headers"])
def test_a_stop_comes_through_at_once_and_closes_the_connection(where: str) -> None:
    turn = text_turn("All is well.")
    at = {"before the first event": 0, "after a delta": turn.place_of("response.output_text.delta") + 1}.get(where)
    released = asyncio.Event()

    def late(_body: JsonObject) -> Any:
        time.sleep(0.8)
        return turn

    async def run(llm: ResponsesLLM) -> float:
        async def consume() -> None:
            async for _ in llm.reply(REQUEST):
                released.set()

        task = asyncio.create_task(consume())
        await asyncio.to_thread(_until, lambda: bool(server.requests))
        if where == "after a delta":
            await released.wait()
        await asyncio.sleep(0.1)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        took = time.monotonic() - began
        hung_up = await asyncio.to_thread(server.requests[0].hung_up.wait, 2) if at is not None else True
        assert hung_up
        await llm.close()
        return took

    with ScriptedServer([late if at is None else turn.stalled(20, after=at)]) as server:
        assert asyncio.run(run(made(server.base_url))) < 0.5


def test_leaving_the_stream_closes_the_connection() -> None:
    async def run(llm: ResponsesLLM) -> bool:
        async with aclosing(llm.reply(REQUEST)) as parts:
            await anext(parts)
        gone = await asyncio.to_thread(server.requests[0].hung_up.wait, 2)
        await llm.close()
        return gone

    turn = text_turn("All is well.")
    with ScriptedServer([turn.stalled(20, after=turn.place_of("response.output_text.delta") + 1)]) as server:
        assert asyncio.run(run(made(server.base_url)))


def _until(condition: Any, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)

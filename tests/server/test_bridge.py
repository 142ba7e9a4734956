"""`SSETaskBridge` and `sse_event` with the seed's interface: code that was written for QDash's runs here."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from httpx_sse._decoders import SSEDecoder

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.server import STATUS_LABELS, TOOL_LABELS, SSETaskBridge, sse_event
from qdash_jupyter.session.callbacks import callbacks

OnToolCall = Callable[[str, dict[str, Any]], Awaitable[None]]
OnStatus = Callable[[str], Awaitable[None]]


def read(text: str) -> list[tuple[str, Any]]:
    decoder = SSEDecoder()
    found = [decoder.decode(line) for line in text.split("\n")]
    return [(each.event, json.loads(each.data)) for each in found if each is not None]


def drained(bridge: SSETaskBridge, coro: Any) -> list[Any]:
    async def all_of() -> list[Any]:
        return [each async for each in bridge.drain(coro)]

    return asyncio.run(all_of())


async def agent(answer: Any, *, on_tool_call: OnToolCall, on_status: OnStatus, wait: float = 0.0) -> Any:
    await on_status("thinking")
    await on_tool_call("get_qubit_params", {"qid": "3"})
    await asyncio.sleep(wait)
    await on_status("thinking")
    return answer


def test_it_yields_events_and_last_the_result_as_it_is() -> None:
    result: dict[str, Any] = {"blocks": [], "assessment": None}
    bridge = SSETaskBridge(tool_labels=TOOL_LABELS, status_labels=STATUS_LABELS)
    *events, last = drained(bridge, partial(agent, result))
    assert last is result
    assert [read(each)[0] for each in events] == [
        ("status", {"step": "thinking", "message": "AIが考え中..."}),
        (
            "status",
            {"step": "tool_call", "tool": "get_qubit_params", "message": "キュービットパラメータを取得中..."},
        ),
        (
            "status",
            {"step": "thinking", "message": "AIが考え中...", "completed_tools": ["キュービットパラメータを取得中"]},
        ),
    ]


def test_without_labels_names_are_told() -> None:
    told = [read(each)[0][1]["message"] for each in drained(SSETaskBridge(), partial(agent, 1))[:-1]]
    assert told == ["thinking", "get_qubit_params...", "thinking"]


def test_heartbeats_come_while_it_waits() -> None:
    events = drained(SSETaskBridge(heartbeat_timeout=0.02), partial(agent, 1, wait=0.2))
    assert events.count(":\n\n") >= 3
    assert SSETaskBridge().heartbeat_timeout == 0.3


def test_an_error_is_raised_behind_what_was_told() -> None:
    async def failing(*, on_tool_call: OnToolCall, on_status: OnStatus) -> None:
        await on_status("thinking")
        raise ValueError("no key")

    async def collect() -> list[str]:
        events = SSETaskBridge().drain(failing)
        told = [await anext(events)]
        with pytest.raises(ValueError, match="no key"):
            await anext(events)
        return told

    assert read(asyncio.run(collect())[0]) == [("status", {"step": "thinking", "message": "thinking"})]


def test_whoever_stops_listening_cancels_it() -> None:
    ended: list[str] = []

    async def endless(*, on_tool_call: OnToolCall, on_status: OnStatus) -> None:
        try:
            await on_status("thinking")
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def leave() -> None:
        events: AsyncGenerator[Any] = SSETaskBridge().drain(endless)
        await anext(events)
        await events.aclose()
        await asyncio.sleep(0)

    asyncio.run(leave())
    assert ended == ["cancelled"]


def test_an_event_is_one_line_of_valid_json_whatever_it_holds() -> None:
    data = {"a": math.nan, "b": [math.inf, np.float64(1.5)], "c": np.arange(3), "d": "two\nlines\r\n:", "e": "量子"}
    text = sse_event("result", data)
    assert text.startswith("event: result\ndata: ")
    assert text.endswith("\n\n")
    assert len(text.strip().split("\n")) == 2
    expected = {"a": None, "b": [None, 1.5], "c": [0, 1, 2], "d": "two\nlines\r\n:", "e": "量子"}
    assert read(text) == [("result", expected)]


def test_a_route_written_for_qdash_serves_our_agent(snapshot: Path) -> None:
    """As the seed shows it: the bridge, its callbacks, and the result as the last event."""
    model = ScriptedLLM([call_reply(("get_qubit_params", {"qid": "3"})), text_reply("Fine.")])
    settings = {"database": {"snapshot": str(snapshot)}}
    with closing(open_copilot(settings=settings, model=model)) as copilot:

        async def run_chat(user_message: str, *, on_tool_call: OnToolCall, on_status: OnStatus) -> dict[str, Any]:
            turn = copilot.start(user_message)
            answer = await turn.finished(callbacks(on_tool_call=on_tool_call, on_status=on_status))
            return answer.to_seed_schema()

        async def route() -> AsyncGenerator[str]:
            bridge = SSETaskBridge(tool_labels=TOOL_LABELS, status_labels=STATUS_LABELS)
            result: dict[str, Any] = {}
            async for event in bridge.drain(partial(run_chat, "How is Q3?")):
                if isinstance(event, str):
                    yield event
                else:
                    result = event
            yield sse_event("result", result)

        async def body() -> str:
            return "".join([text async for text in route()])

        events = read(asyncio.run(body()))
    assert [data.get("step", name) for name, data in events] == [
        "connect",
        "thinking",
        "tool_call",
        "thinking",
        "complete",
        "result",
    ]
    assert events[-1][1] == {"blocks": [{"type": "text", "content": "Fine.", "chart": None}], "assessment": None}

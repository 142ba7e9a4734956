"""Server-sent events, and QDash's bridge from its two callbacks to them.

bridge = SSETaskBridge(tool_labels=TOOL_LABELS, status_labels=STATUS_LABELS)
async for event in bridge.drain(partial(run_chat, message="Which qubits lost T1?")):
...  # texts of events, heartbeats among them; last what the coroutine returned
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.event_bus import EventBus, Subscription
from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS

HEARTBEAT = ":\n\n"
"""A comment, which every client passes over."""

HEARTBEAT_S = 0.3

TOOL_LABELS = {spec.name: text_in(spec.label, "ja") for spec in BUILTIN_TOOLS}
STATUS_LABELS = {"thinking": Message("service-step", step="thinking").of("ja")}
"""QDash's two tables, for code written for it."""


def sse_event(event: str, data: Any) -> str:
    """The text of an event. Data become valid JSON on one line: NaN and infinities are null, arrays are lists."""
    return f"event: {event}\ndata: {to_json(data)}\n\n"


async def with_heartbeats(events: Subscription[str], timeout: float = HEARTBEAT_S) -> AsyncGenerator[str]:  # noqa: ASYNC109 - of silence, not of the whole
    """The events, and a heartbeat whenever there was none for `timeout` seconds, until the bus is closed."""
    while True:
        try:
            yield await asyncio.wait_for(anext(events), timeout)
        except TimeoutError:
            yield HEARTBEAT
        except StopAsyncIteration:
            return


@dataclass
class SSETaskBridge:
    """Makes events of what a coroutine tells by QDash's callbacks, as QDash's class of this name does."""

    tool_labels: dict[str, str] = field(default_factory=dict)
    status_labels: dict[str, str] = field(default_factory=dict)
    heartbeat_timeout: float = HEARTBEAT_S
    """Seconds without an event after which a heartbeat is sent."""

    async def drain(self, coro: Callable[..., Awaitable[Any]]) -> AsyncGenerator[Any]:
        """Yield the text of each event while the coroutine runs, which gets `on_tool_call` and `on_status`, and at last
        what it returned, as it is.

        Whoever stops iterating cancels it. What it raises is raised here.
        """
        bus: EventBus[str] = EventBus()
        events = bus.subscribe()
        called: list[str] = []

        async def on_tool_call(name: str, _: JsonObject) -> None:
            called.append(self.tool_labels.get(name, name))
            bus.publish(sse_event("status", {"step": "tool_call", "tool": name, "message": f"{called[-1]}..."}))

        async def on_status(status: str) -> None:
            told: JsonObject = {"step": status, "message": self.status_labels.get(status, status)}
            bus.publish(sse_event("status", told | ({"completed_tools": list(called)} if called else {})))

        task = asyncio.ensure_future(coro(on_tool_call=on_tool_call, on_status=on_status))
        task.add_done_callback(lambda _: bus.close())
        try:
            async for event in with_heartbeats(events, self.heartbeat_timeout):
                yield event
            yield await task
        finally:
            task.cancel()

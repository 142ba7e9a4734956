"""QDash's two callbacks, `on_tool_call` and `on_status`, for whoever waits for a turn: an adapter over its events.

copilot.ask("Which qubits lost T1?", callbacks(on_tool_call=print))
await copilot.start("Which qubits lost T1?").finished(callbacks(on_tool_call=record, on_status=show))
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from threading import Thread
from typing import TypeAlias

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import StageChanged, StampedEvent, ToolStarted

OnEvent: TypeAlias = Callable[[StampedEvent], Awaitable[None] | None]
"""Hears of an event, on the thread that waits; what is to be awaited of it is awaited before the next one."""
OnToolCall: TypeAlias = Callable[[str, JsonObject], object]
OnStatus: TypeAlias = Callable[[str], object]

logger = logging.getLogger("qdash_jupyter")


def callbacks(*, on_tool_call: OnToolCall | None = None, on_status: OnStatus | None = None) -> OnEvent:
    """What to give as `on_event`. Both may be plain or async functions; an error in one is logged, the turn goes on.

    Args:
        on_tool_call: called with the name and the arguments of each call of a tool, before it runs.
        on_status: called with each new phase of the turn: `connect`, `thinking` (each time the model is asked) and
            `complete`.
    """

    def on_event(stamped: StampedEvent) -> Awaitable[None] | None:
        match stamped.event:
            case ToolStarted(call=call, arguments=arguments) if on_tool_call is not None:
                return _told(on_tool_call, call.name, dict(arguments))
            case StageChanged(step=step) if on_status is not None:
                return _told(on_status, step)
        return None

    return on_event


def run_apart(telling: Awaitable[None]) -> None:
    """Await on a thread of its own, and wait for that: the loop of this one may be blocked by the waiting itself."""

    async def awaited() -> None:
        await telling

    thread = Thread(target=lambda: asyncio.run(awaited()), name="qdash-callback", daemon=True)
    thread.start()
    thread.join()


def _told(callback: Callable[..., object], *words: object) -> Awaitable[None] | None:
    try:
        given = callback(*words)
    except Exception:
        logger.exception("A callback failed")
        return None
    return _guarded(given) if inspect.isawaitable(given) else None


async def _guarded(given: Awaitable[object]) -> None:
    try:
        await given
    except Exception:
        logger.exception("A callback failed")

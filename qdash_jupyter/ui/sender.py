"""Sends the panel what changed: at most 30 messages a second, numbered, and everything on request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.wire import PROTOCOL, panel
from qdash_jupyter.ui.panel_state.state import PanelState

BEATS_S = (1, *[4] * 15, *[15] * 8)
"""A lost message shows by the number of the next one; after the last one, by these beats, each so long after the one
before: Jupyter's server drops what the kernel says to pages while a cell prints too much. They come to an end, because
a server takes each for activity of the kernel; but not while the model is at work: a hub would end the kernel with it.
"""

PART_CHARS, PART_S = 400_000, 0.8
"""A file goes in parts, with time between them: Jupyter's server drops what is more than 1 MB/s."""

TICK_S = 1 / 30
"""One message per delta loses some without a word, and trips the server's limit; 30 a second look smooth."""


class PanelSender:
    """The one writer of the panel's channel. Everything here happens on the agent's loop."""

    def __init__(self, state: PanelState, send: Callable[[JsonObject], None]) -> None:
        """`send` sends one message to the panel."""
        self._state = state
        self._send = send
        self._seq = 0
        self._beating: asyncio.TimerHandle | None = None
        self._pending: asyncio.TimerHandle | None = None
        self._last = float("-inf")
        self._whole = False

    def changed(self) -> None:
        """There is something to send: now, or when the tick since the last message is over."""
        if self._pending is None:
            loop = asyncio.get_running_loop()
            self._pending = loop.call_at(max(self._last + TICK_S, loop.time()), self._flush)

    def resync(self) -> None:
        """Send everything instead."""
        self._whole = True
        self.changed()

    async def send_file(self, file_id: str, text: str) -> None:
        """Send the file that a view has asked for."""
        parts = [text[start : start + PART_CHARS] for start in range(0, len(text), PART_CHARS)]
        for left, part in zip(reversed(range(len(parts))), parts, strict=True):
            self._put({"type": "file", "file_id": file_id, "text": part, "left": left})
            if left:
                await asyncio.sleep(PART_S)

    def close(self) -> None:
        """Send nothing more."""
        for handle in (self._pending, self._beating):
            if handle is not None:
                handle.cancel()

    def _flush(self) -> None:
        self._pending = None
        self._last = asyncio.get_running_loop().time()
        if self._whole:
            self._whole = False
            self._post({"type": "snapshot", "seq": self._seq + 1, "state": self._state.snapshot()})
        elif ops := self._state.take():
            self._post({"type": "patch", "seq": self._seq + 1, "ops": ops})

    def _post(self, message: panel.Patch | panel.Snapshot) -> None:
        self._seq = message["seq"]
        self._put(message)
        if self._beating is not None:
            self._beating.cancel()
        self._beat_after(*BEATS_S)

    def _beat_after(self, seconds: float, *more: float) -> None:
        self._beating = asyncio.get_running_loop().call_later(seconds, self._beat, *more)

    def _beat(self, *more: float) -> None:
        self._put({"type": "beat", "seq": self._seq})
        if more:
            self._beat_after(*more)
        elif self._state.is_thinking:
            self._beat_after(BEATS_S[-1])

    def _put(self, message: panel.PanelMessage) -> None:
        self._send({"v": PROTOCOL, **message})

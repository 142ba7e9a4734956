"""What a conversation works with, connected when first needed: reader, model, tools, and what was fetched."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import CancelledError
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

import orjson

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.errors import CopilotError, NoData, PersonError, ToolError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.background import in_background

if TYPE_CHECKING:
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.tool_call import ToolResult
    from qdash_jupyter.session.parts import BuildParts, Parts

_CLOSE_S = 5


class Workbench:
    """The parts and the data of one conversation, also for calls from Python."""

    def __init__(
        self, namespace: Namespace, build: BuildParts, loop: AgentLoop, data: FrameStore | None = None
    ) -> None:
        """`build` is called once, when something is needed; tools run on the loop, and store in `data`."""
        self.data = FrameStore() if data is None else data
        self.data.again = self._again
        self._namespace = namespace
        self.build = build
        """Opens the parts."""
        self._loop = loop
        self.connected: Parts | None = None
        """The parts, where they are built already."""
        self._connecting = Lock()
        self._fetching = asyncio.Lock()

    def parts(self) -> Parts:
        """The parts, built at the first call. Blocks.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        with self._connecting:
            if self.connected is None:
                self.connected = self.build(self._namespace, self.data)
            return self.connected

    def call(self, name: str, arguments: JsonObject) -> ToolResult:
        """One call of a tool. Blocks.

        Raises:
            PersonError: the database cannot be used.
        """
        # People pass what they have at hand, such as times and numbers of numpy.
        values: JsonObject = plain(arguments)
        calling = self._loop.submit(self.parts().toolbox.call(name, values))
        try:
            result: ToolResult = calling.result()
        finally:
            calling.cancel()  # an interrupt: nobody waits any more
        return result

    def fetch(self, name: str, arguments: JsonObject) -> StoredResult | JsonObject:
        """What one call of a tool gives: what it stored, else its content. Blocks.

        Raises:
            ToolError: the call failed.
            PersonError: the database cannot be used.
        """
        result = self.call(name, arguments)
        if result.failure is not None:
            raise ToolError(result.failure.message, result.failure.hint)
        if result.frame_key is not None:
            return self.data[result.frame_key]
        content: JsonObject = orjson.loads(result.content)
        return content

    async def fetch_again(self, name: str, arguments: JsonObject, key: str | None) -> ToolResult:
        """Make the call of an earlier step again, one after the other, and store it under its old key where that is
        free: cells name it. On the agent's loop.

        Raises:
            PersonError: it ran code, it fails now, or the database cannot be used.
        """
        parts = await in_background(self.parts, "qdash-connect")
        spec = parts.toolbox.specs.get(name)
        if spec is None or spec.effect != "read":
            raise PersonError(Message("step-without-table"), Message("ask-again"))
        async with self._fetching:  # of two at once, either might get the other's key
            result = await parts.toolbox.call(name, arguments)
            if result.failure is not None:
                raise PersonError(result.failure.message, result.failure.hint)
            if key is not None and result.frame_key is not None and key not in self.data:
                self.data[key] = self.data[result.frame_key]
                result = replace(result, frame_key=key)
        return result

    def close(self) -> None:
        """Give back connections; what is needed afterwards connects again."""
        self._fetching = asyncio.Lock()  # the loop ends, and a lock knows its loop
        parts: Parts | None = None
        if self._connecting.acquire(blocking=False):  # not behind a database that does not answer
            parts, self.connected = self.connected, None
            self._connecting.release()
        if parts is not None:
            with contextlib.suppress(CopilotError, TimeoutError):  # what is gone has nothing to give back
                self._loop.submit(parts.close()).result(_CLOSE_S)

    def _again(self, source: FrameSource) -> StoredResult:
        """Make the call of a stored result again; `StoredResult.refresh` says the rest."""
        hint = Message("fetch-with-current", tool=source.tool)
        if self.connected is None:
            raise PersonError(Message("conversation-closed"), hint)
        try:
            fetched = self.fetch(source.tool, dict(source.arguments))
        except CancelledError:
            raise PersonError(Message("conversation-closed-first"), hint) from None
        if not isinstance(fetched, StoredResult):
            raise NoData(Message("no-table-any-more", tool=source.tool), Message("data-stay"))
        return fetched

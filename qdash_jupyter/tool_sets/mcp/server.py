"""One server: its session, which is opened again where it is lost, and its tools. Everything here is on one loop."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio

from qdash_jupyter.config.mask import masked
from qdash_jupyter.config.tool_sets import McpToolSetSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import BrokenAnswer, ToolError, Unauthorized, Unreachable
from qdash_jupyter.messages.message import Message, sentences
from qdash_jupyter.tool_sets.mcp.sdk import Failure, Session, code_of, connected, http, types
from qdash_jupyter.tool_sets.mcp.sign_in import SignIn, WantedKey
from qdash_jupyter.tool_sets.mcp.transport import UNAUTHORIZED, Transport

Result = TypeVar("Result")

_CLOSE_S = 8.0
"""A process is asked to end, then told to, then killed: that takes 6 s."""
_MOST_PAGES = 100
_MOST_WORDS = 500
_IS_IT_RUNNING = Message("mcp-unreachable-hint")

logger = logging.getLogger("qdash_jupyter")


class _Lost(Unreachable):
    """The session is gone: the process died, or the server has forgotten it."""


@dataclass(slots=True)
class _Session:
    """One session, with the task that holds it open until `closing` is set."""

    client: Session
    closing: asyncio.Event
    living: asyncio.Task[None]
    listening: asyncio.Task[None]


class McpServer:
    """A server that speaks the protocol. `tools` are those that it had when it was last asked; `is_stale` says that it
    has told of others since, or that there is a new session.
    """

    def __init__(self, section: McpToolSetSection, limit_s: float, sign_in: SignIn) -> None:
        """Nothing is opened yet. `limit_s` is the time in which a session has to be there."""
        self.section = section
        self.tools: tuple[JsonObject, ...] = ()
        self.is_stale = False
        self._limit_s = limit_s
        self._transport = Transport(section)
        self._sign_in = sign_in
        self._session: _Session | None = None
        self._living: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Connect and ask for the tools; a server that wants a key is signed in to, once.

        Raises:
            ToolError: it cannot be used; the message says why.
        """
        await self._or_signed_in(self.list_tools)

    async def list_tools(self) -> None:
        """Ask for the tools.

        Raises:
            ToolError: it does not answer.
        """
        self.is_stale = False
        try:
            async with asyncio.timeout(self._limit_s):
                session, self.tools = await self._answered(_all_tools)
        except TimeoutError:
            raise self._too_slow() from None
        if session.listening.done():
            session.listening = asyncio.create_task(session.client.listen(self._hear))

    async def call(self, name: str, arguments: JsonObject, *, reads: bool) -> JsonObject:
        """What a tool answers. A session that is lost is opened again, once; what does more than read is asked for once
        at most, so the session is looked at first.

        Raises:
            ToolError: it does not answer, or refuses the call.
        """

        def asked(client: Session) -> Coroutine[Any, Any, JsonObject]:
            return client.call_tool(name, arguments)

        async def call() -> JsonObject:
            if reads:
                return (await self._answered(asked))[1]
            session, _ = await self._answered(_all_tools)
            try:
                return await self._answer(session, asked(session.client))
            except _Lost as lost:
                message = sentences(lost.message, Message("mcp-lost-in-call"))
                raise Unreachable(message, Message("mcp-lost-in-call-hint")) from None

        return await self._or_signed_in(call)

    async def close(self) -> None:
        """End the session, and the process; what is asked afterwards opens another one."""
        session, self._session = self._session, None
        if session is not None:
            session.closing.set()
            session.listening.cancel()
        if self._living:  # also what was never ready
            for task in (await asyncio.wait(self._living, timeout=_CLOSE_S))[1]:
                task.cancel()

    async def _or_signed_in(self, do: Callable[[], Awaitable[Result]]) -> Result:
        try:
            return await do()
        except Unauthorized:
            wanted = WantedKey(self.section.name, self._transport.address, self._transport.variable)
            if not await self._sign_in.signed_in(wanted):
                raise
        self._transport.status = 0
        return await do()

    async def _answered(self, ask: Callable[[Session], Coroutine[Any, Any, Result]]) -> tuple[_Session, Result]:
        """The answer, and in which session: one that is lost is opened again, once."""
        session = await self._alive()
        try:
            return session, await self._answer(session, ask(session.client))
        except _Lost:
            self.is_stale = True
            session = await self._alive(instead_of=session)
        return session, await self._answer(session, ask(session.client))

    async def _alive(self, instead_of: _Session | None = None) -> _Session:
        """The session, opened if there is none, or if it is the one that was lost."""
        async with self._opening:
            if self._session is not None and (self._session is instead_of or self._session.living.done()):
                await self.close()
            if self._session is None:
                self._session = await self._opened()
            return self._session

    async def _opened(self) -> _Session:
        ready: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        closing, scope = asyncio.Event(), anyio.CancelScope(deadline=anyio.current_time() + self._limit_s)
        living = asyncio.create_task(self._live(ready, closing, scope))
        self._living.add(living)
        living.add_done_callback(self._living.discard)
        try:
            client = await ready
        except asyncio.CancelledError:
            scope.cancel()
            raise
        return _Session(client, closing, living, asyncio.create_task(client.listen(self._hear)))

    async def _live(self, ready: asyncio.Future[Session], closing: asyncio.Event, scope: anyio.CancelScope) -> None:
        """Hold a session open. What it opens has to be closed in the same task."""
        failure: ToolError = self._too_slow()
        try:
            with scope:
                async with connected(self._transport.opened(), self._hear) as client:
                    scope.deadline = math.inf
                    if not ready.done():
                        ready.set_result(client)
                        await closing.wait()
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - whoever waits for the session raises it
            failure = self._meaning(error)
            logger.debug("A session with %s ended: %s", self._name, failure)
        if not ready.done():
            ready.set_exception(failure)

    def _hear(self) -> None:
        self.is_stale = True

    async def _answer(self, session: _Session, asking: Coroutine[Any, Any, Result]) -> Result:
        """The answer, or what it means that there is none. Cancelled, it tells the server."""
        task = asyncio.ensure_future(asking)
        try:
            await asyncio.wait([task, session.living], return_when=asyncio.FIRST_COMPLETED)
            is_lost = not task.done()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
        if is_lost:
            raise self._lost()
        if (error := task.exception()) is not None:
            raise self._meaning(error) from error
        self._transport.status = 0
        return task.result()

    def _meaning(self, error: BaseException) -> ToolError:
        """What went wrong, for whoever can do something about it; no word of it is a secret."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, ToolError):
            return error
        words = masked(str(error).partition("\n")[0])[:_MOST_WORDS] or type(error).__name__
        status = self._transport.status
        if status == UNAUTHORIZED:
            return Unauthorized.with_hint("mcp-unauthorized", server=self._name, variable=self._transport.variable)
        if self._is_lost(error):
            return self._lost()
        if isinstance(error, Failure):
            message = Message("mcp-refused", server=self._name, why=words)
            if status:
                message = Message("mcp-refused-status", server=self._name, status=str(status), why=words)
            return ToolError(message, Message("try-other-arguments-hint"))
        if isinstance(error, (OSError, TimeoutError)) or type(error).__module__.startswith((http.__name__, "anyio")):
            return Unreachable(Message("mcp-unreachable", server=self._name, why=words), _IS_IT_RUNNING)
        return BrokenAnswer.with_hint("mcp-unexpected", server=self._name, why=words)

    def _is_lost(self, error: BaseException) -> bool:
        if isinstance(error, Failure):
            return code_of(error) == types.CONNECTION_CLOSED or self._transport.forgot_session
        return isinstance(error, (anyio.ClosedResourceError, anyio.BrokenResourceError))

    def _too_slow(self) -> ToolError:
        return Unreachable(Message("mcp-too-slow", server=self._name, seconds=f"{self._limit_s:g}"), _IS_IT_RUNNING)

    def _lost(self) -> _Lost:
        said = self._transport.last_words
        wrote = Message("mcp-wrote", words=said) if said else ""
        return _Lost(sentences(Message("mcp-lost", server=self._name), wrote), Message("mcp-lost-hint"))

    @property
    def _name(self) -> Message:
        return Message("mcp-server", name=self.section.name, address=self._transport.address)


async def _all_tools(client: Session) -> tuple[JsonObject, ...]:
    tools: list[JsonObject] = []
    cursor = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor)
        tools += page["tools"]
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    return tuple(tools)

"""A language model behind a Chat Completions API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.chat_completions.body import body_of
from qdash_jupyter.llm.chat_completions.events import events_of
from qdash_jupyter.llm.chat_completions.lessons import lesson_of
from qdash_jupyter.llm.chat_completions.stream import ReplyReader
from qdash_jupyter.llm.chat_completions.written_calls import written_calls
from qdash_jupyter.llm.client import ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.openai_server.connection import Exchange, drain, received
from qdash_jupyter.llm.openai_server.failures import Failures
from qdash_jupyter.llm.openai_server.model import ServerModel

if TYPE_CHECKING:
    import httpx2

_USAGE_S = 1.0
"""How long the count of tokens, which comes behind the last word, is waited for."""


class ChatCompletionsLLM(ServerModel):
    """Streams replies of one model from one server.

    What the server does not take (tools, a schema, streaming, parameters) is learned from its first refusal, and the
    request is sent again without it.
    """

    api = "chat_completions"

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream deltas, then the reply. A stream that breaks before its first delta is asked for once more."""
        exchange = await self._begin()
        failures = exchange.failures
        requests, started, content_type = 0, False, ""
        while requests == 0 or (requests == 1 and not started):
            response, offered = await self._open(exchange, request)
            requests += 1
            content_type = response.headers.get("content-type", "")
            reader = ReplyReader()
            try:
                async with aclosing(_chunks(response)) as chunks:
                    while (chunk := await received(anext(chunks, None), failures)) is not None:
                        for delta in reader.read(chunk):
                            started = True
                            yield delta
                        if reader.finished or reader.failed:
                            break
                    if reader.failed:
                        raise failures.reported(reader.failed.code, reader.failed.message)
                    if reader.finished:
                        await _read_usage(chunks, reader)
            finally:
                await response.aclose()
            if reader.finished:
                yield await self._finished(reader, request, requests, offered, failures)
                return
        raise failures.cut(content_type)

    async def _open(self, exchange: Exchange, request: ModelRequest) -> tuple[httpx2.Response, frozenset[str]]:
        """The response, and the names of the tools that the request offered."""
        import openai

        while True:
            known = self.capabilities.known
            body = body_of(request, self._section, known, is_openai=self._endpoint.is_openai)
            extra = {name: value for name, value in body.items() if name != "stream"}
            try:
                raw: Any = await exchange.opened(
                    exchange.client.chat.completions.with_raw_response.create(
                        model=self._section.name,
                        stream=body["stream"],
                        # As in `responses.model`: the SDK would compare each message with all its types.
                        messages=[],
                        extra_body=extra,
                        extra_headers=self._authorization(exchange.key),
                    )
                )
            except openai.OpenAIError as error:
                lesson = lesson_of(error, body, known)
                failure = exchange.failures.of(error)
            else:
                ours = [tool["function"] for tool in body.get("tools", ()) if tool["type"] == "function"]
                offered = frozenset(str(function["name"]) for function in ours)
                return raw.http_response, offered
            # Raised out here, as otherwise the SDK's error (it may repeat the key) would go along as its context.
            if lesson is None:
                raise failure
            await self.capabilities.learn(**lesson)

    async def _finished(
        self, reader: ReplyReader, request: ModelRequest, requests: int, offered: frozenset[str], failures: Failures
    ) -> Reply:
        taken = {str(item.get("call_id")) for item in request.items if item.get("type") == "function_call"}
        reply = reader.reply(requests, taken)
        if reply is None:
            raise failures.incomplete(reader.broken_off)
        if reply.calls:
            await self.capabilities.learn(structured_calls=True)
            return reply
        known = self.capabilities.known
        if known.structured_calls or not (written := written_calls(reply.text, offered)):
            return reply
        await self.capabilities.learn(written_calls=True)
        return reader.with_calls(reply, written, taken)


async def _chunks(response: httpx2.Response) -> AsyncGenerator[JsonObject]:
    """The chunks of a stream; a server that does not stream, asked to or not, sends the completion as one."""
    if response.headers.get("content-type", "").startswith("application/json"):
        whole = json.loads(await response.aread())
        if isinstance(whole, dict):
            yield whole
        return
    async with aclosing(events_of(response.aiter_bytes())) as events:
        async for event in events:
            yield event


async def _read_usage(chunks: AsyncIterator[JsonObject], reader: ReplyReader) -> None:
    """Read what stands behind the last word: the usage, and the end, after which the connection can be used again."""
    with suppress(Exception):  # the reply is whole, whatever the server does now
        async with asyncio.timeout(_USAGE_S):
            while not reader.at_end and (chunk := await anext(chunks, None)) is not None:
                for _ in reader.read(chunk):
                    pass
    await drain(chunks)

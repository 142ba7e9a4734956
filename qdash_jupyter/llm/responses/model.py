"""A language model behind the OpenAI Responses API."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING

import orjson

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ModelRejected
from qdash_jupyter.llm.client import ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.openai_server.connection import Exchange, drain, received
from qdash_jupyter.llm.openai_server.failures import Failures
from qdash_jupyter.llm.openai_server.items import of_responses
from qdash_jupyter.llm.openai_server.model import ServerModel
from qdash_jupyter.llm.openai_server.refusals import refused_parameter, refused_place
from qdash_jupyter.llm.responses.stream import ReplyReader

if TYPE_CHECKING:
    from openai import AsyncStream

OPTIONAL = ("include", "max_output_tokens", "parallel_tool_calls", "reasoning", "store", "temperature", "text")
"""Parameters that a request can do without, where a server does not know them."""
SUMMARY = "reasoning.summary"
"""The name under which `Learned.left_out` keeps that a server gives no summaries: some want to know who asks."""


class ResponsesLLM(ServerModel):
    """Streams replies of one model from one endpoint.

    Nothing is stored at the server (`store=false`): reasoning comes back encrypted and goes along with the next
    request. A parameter that the server refuses is left out from then on; `store` only where the server is in the
    lab's own network.
    """

    api = "responses"

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream deltas, then the reply. A stream that breaks before its first delta is asked for once more."""
        exchange = await self._begin()
        failures = exchange.failures
        requests, started, content_type = 0, False, ""
        while requests == 0 or (requests == 1 and not started):
            stream = await self._open(exchange, request)
            requests += 1
            content_type = stream.response.headers.get("content-type", "")
            reader = ReplyReader()
            try:
                events = aiter(stream)
                while reader.closing is None and (event := await received(anext(events, None), failures)) is not None:
                    if (delta := reader.read(event)) is not None:
                        started = True
                        yield delta
                if reader.closing is not None:
                    reply = await _finish(events, reader, requests, failures)
                    if any(item.get("type") == "reasoning" for item in reply.items):
                        await self.capabilities.learn(reasons=True)
                    yield reply
                    return
            finally:
                await stream.close()
        raise failures.cut(content_type)

    async def _open(self, exchange: Exchange, request: ModelRequest) -> AsyncStream[object]:
        import openai

        while True:
            body = self._body(request)
            try:
                # `responses.create` would compare each item with all its types (400 ms for a long conversation) and
                # each event with its own. Here values go out and come in as plain JSON.
                return await exchange.opened(
                    exchange.client.post(
                        "/responses",
                        content=_encoded(body),
                        options={"headers": self._authorization(exchange.key)},
                        cast_to=object,
                        stream=True,
                        stream_cls=openai.AsyncStream[object],
                    )
                )
            except openai.OpenAIError as error:
                refused = refused_parameter(error, [name for name in OPTIONAL if name in body])
                if refused == "reasoning" and refused_place(error) != "reasoning.effort" and "summary" in body[refused]:
                    refused = SUMMARY
                failure = exchange.failures.of(error)
            # Raised out here, as otherwise the SDK's error (it may repeat the key) would go along as its context.
            if refused is None:
                raise failure
            # Without the parameter OpenAI and its like keep what they get: that is the user's to decide, not ours.
            if refused == "store" and not self._endpoint.is_private:
                raise ModelRejected.with_hint("model-would-store", host=self._endpoint.shown)
            await self.capabilities.learn(**self.capabilities.known.without(refused))

    def _body(self, request: ModelRequest) -> JsonObject:
        section = self._section
        body: JsonObject = {
            "model": section.name,
            "instructions": request.instructions,
            "input": of_responses(request.items),
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "temperature": section.temperature,
            "max_output_tokens": section.max_output_tokens,
            "reasoning": self._reasoning() or None,
        }
        if request.tools:
            body |= {"tools": list(request.tools), "parallel_tool_calls": True}
        if request.answer_schema is not None:
            answer = {"type": "json_schema", "name": "copilot_answer", "schema": request.answer_schema, "strict": False}
            body["text"] = {"format": answer}
        left_out = self.capabilities.known.left_out
        return {name: value for name, value in body.items() if value is not None and name not in left_out}

    def _reasoning(self) -> JsonObject:
        """The effort that the settings want, and a summary where the model is known to reason: others refuse it."""
        effort, known = self._section.reasoning_effort, self.capabilities.known
        summary = (effort or known.reasons) and SUMMARY not in known.left_out
        return {**({"effort": effort} if effort else {}), **({"summary": "auto"} if summary else {})}


def _encoded(body: JsonObject) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:  # integers beyond 64 bits; half a pair of surrogates, which models write
        return json.dumps(body).encode()


async def _finish(events: AsyncIterator[object], reader: ReplyReader, requests: int, failures: Failures) -> Reply:
    closing = reader.closing
    if closing is not None and closing.kind == "failed":
        raise failures.reported(closing.code, closing.message)
    reply = reader.reply(requests)
    if reply is None:
        raise failures.incomplete(closing.reason if closing else "")
    await drain(events)
    return reply

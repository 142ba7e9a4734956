"""A language model behind the OpenAI Responses API."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING

import orjson

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.openai_server.capabilities import Capabilities
from qdash_jupyter.llm.openai_server.connection import Connection, Exchange, drain, received
from qdash_jupyter.llm.openai_server.failures import Failures
from qdash_jupyter.llm.openai_server.items import of_responses
from qdash_jupyter.llm.openai_server.refusals import refused_parameter
from qdash_jupyter.llm.responses.stream import ReplyReader

if TYPE_CHECKING:
    from openai import AsyncStream

OPTIONAL = ("include", "max_output_tokens", "parallel_tool_calls", "reasoning", "store", "temperature", "text")
"""Parameters that a request can do without, where a server does not know them."""


class ResponsesLLM:
    """Streams replies of one model from one endpoint; stateless: every request carries the whole conversation.

    Nothing is stored at the server (`store=false`): reasoning comes back encrypted and goes along with the next
    request. A parameter that the server refuses is left out from then on (`left_out`); `store` only where the server
    is in the lab's own network.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: Callable[[], str | None],
        base_url: str | None = None,
        temperature: float | None = None,
        max_output_tokens: int | None = None,
        reasoning_effort: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 120.0,
        key_name: str = "OPENAI_API_KEY",
        capabilities: Capabilities | None = None,
    ) -> None:
        """Name the model and its server; nothing is imported or opened yet.

        `timeout_s` is the longest silence of the server; `key_name` is what messages call the key; `capabilities` is
        what is known of the server already.

        Raises:
            ConfigurationError: `base_url` is no URL.
        """
        self._server = Connection(
            api="responses",
            model=model,
            api_key=api_key,
            base_url=base_url,
            headers=headers or {},
            timeout_s=timeout_s,
            key_name=key_name,
        )
        self._capabilities = capabilities or Capabilities(base_url, model)
        self._settings: JsonObject = {
            "temperature": temperature,
            "max_output_tokens": max_output_tokens,
            "reasoning": {"effort": reasoning_effort} if reasoning_effort else None,
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self._server.model!r}, endpoint={self._server.endpoint.shown!r})"

    @property
    def card(self) -> ModelCard:
        """The model's name and the host that gets the questions."""
        return ModelCard(self._server.model, self._server.endpoint.shown, learned=self._capabilities.in_words)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The parameters that this server refused, and does not get any more."""
        return self._capabilities.known.left_out

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream deltas, then the reply. A stream that breaks before its first delta is asked for once more."""
        exchange = await self._server.begin()
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
                    yield await _finish(events, reader, requests, failures)
                    return
            finally:
                await stream.close()
        raise failures.cut(content_type)

    async def close(self) -> None:
        """Close the connections of this event loop."""
        await self._server.close()

    async def _open(self, exchange: Exchange, request: ModelRequest) -> AsyncStream[object]:
        import openai

        while True:
            body = self._body(request)
            try:
                # `responses.create` would compare each item with all its types (400 ms for a long conversation) and
                # each event with its own. Here values go out and come in as plain JSON.
                return await exchange.client.post(
                    "/responses",
                    content=_encoded(body),
                    options={"headers": self._server.authorization(exchange.key)},
                    cast_to=object,
                    stream=True,
                    stream_cls=openai.AsyncStream[object],
                )
            except openai.OpenAIError as error:
                refused = refused_parameter(error, [name for name in OPTIONAL if name in body])
                failure = exchange.failures.of(error)
            # Raised out here, as otherwise the SDK's error (it may repeat the key) would go along as its context.
            if refused is None:
                raise failure
            # Without the parameter OpenAI and its like keep what they get: that is the person's to decide, not ours.
            if refused == "store" and not self._server.endpoint.is_private:
                raise exchange.failures.would_store()
            await self._capabilities.leave_out(refused)

    def _body(self, request: ModelRequest) -> JsonObject:
        body: JsonObject = {
            "model": self._server.model,
            "instructions": request.instructions,
            "input": of_responses(request.items),
            "stream": True,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            **self._settings,
        }
        if request.tools:
            body |= {"tools": list(request.tools), "parallel_tool_calls": True}
        if request.answer_schema is not None:
            answer = {"type": "json_schema", "name": "copilot_answer", "schema": request.answer_schema, "strict": False}
            body["text"] = {"format": answer}
        left_out = self._capabilities.known.left_out
        return {name: value for name, value in body.items() if value is not None and name not in left_out}


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

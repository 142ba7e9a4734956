"""A language model behind the OpenAI Responses API."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ModelError
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.responses.endpoint import Endpoint, Redaction, Secret, endpoint_of
from qdash_jupyter.llm.responses.failures import Failures, refused_parameter
from qdash_jupyter.llm.responses.stream import ReplyReader

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.responses import ResponseStreamEvent

OPTIONAL = ("include", "max_output_tokens", "parallel_tool_calls", "reasoning", "store", "temperature", "text")
"""Parameters that a request can do without, where a server does not know them."""

_NO_KEY = "none"
_CONNECT_S = 5.0
_KEY_LENGTH = 8
_DRAIN_S = 0.1


class ResponsesLLM:
    """Streams replies of one model from one endpoint; stateless: every request carries the whole conversation.

    Nothing is stored at the server (`store=false`): reasoning comes back encrypted and goes along with the next
    request. The key is asked for at each reply and kept nowhere. A parameter that the server refuses is left out from
    then on (`left_out`); `store` only where the server is in the lab's own network.
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
    ) -> None:
        """Name the model and its server; nothing is imported or opened yet.

        `timeout_s` is the longest silence of the server; `key_name` is what messages call the key.

        Raises:
            ConfigurationError: `base_url` is no URL.
        """
        self._endpoint = endpoint_of(base_url)
        self._model = model
        self._api_key = api_key
        self._headers = {name: Secret(value) for name, value in (headers or {}).items()}
        self._timeout_s = timeout_s
        self._key_name = key_name
        self._settings: JsonObject = {
            "temperature": temperature,
            "max_output_tokens": max_output_tokens,
            "reasoning": {"effort": reasoning_effort} if reasoning_effort else None,
        }
        self._left_out: set[str] = set()
        # Connections belong to the event loop that opened them.
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = WeakKeyDictionary()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self._model!r}, endpoint={self._endpoint.shown!r})"

    @property
    def card(self) -> ModelCard:
        """The model's name and the host that gets the questions."""
        return ModelCard(name=self._model, endpoint=self._endpoint.shown)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The parameters that this server refused, and does not get any more."""
        return tuple(sorted(self._left_out))

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream deltas, then the reply. A stream that breaks before its first delta is asked for once more."""
        key = Secret(
            (await asyncio.to_thread(self._api_key) or "").strip()
        )  # in a thread: a keyring may ask the person
        failures = self._failures(key)
        if failure := self._key_problem(key, failures):
            raise failure
        client = await self._client()
        requests, started, content_type = 0, False, ""
        while requests == 0 or (requests == 1 and not started):
            stream = await self._open(client, request, key, failures)
            requests += 1
            content_type = stream.response.headers.get("content-type", "")
            reader = ReplyReader()
            try:
                events = aiter(stream)
                while reader.closing is None and (event := await _next(events, failures)) is not None:
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
        """Close the connections of this event loop; those of loops that have ended went with them."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def _client(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            # Half a second of imports, then certificates: not on the loop that carries the first status to the person.
            made = await asyncio.to_thread(_new_client, self._endpoint, self._headers, self._timeout_s)
            client = self._clients.setdefault(loop, made)
        return client

    async def _open(
        self, client: AsyncOpenAI, request: ModelRequest, key: Secret, failures: Failures
    ) -> AsyncStream[ResponseStreamEvent]:
        import openai

        while True:
            body = self._body(request)
            try:
                return await client.responses.create(
                    model=self._model,
                    instructions=request.instructions,
                    stream=True,
                    # The SDK would compare each item with all its types: 400 ms for a long conversation. What comes
                    # by `extra_body` goes to the wire as it is, and our values are plain JSON already.
                    input=[],
                    extra_body=body,
                    extra_headers=self._authorization(key),
                )
            except openai.OpenAIError as error:
                refused = refused_parameter(error, [name for name in OPTIONAL if name in body])
                failure = failures.of(error)
            # Raised out here, as otherwise the SDK's error (it may repeat the key) would go along as its context.
            if refused is None:
                raise failure
            # Without the parameter OpenAI and its like keep what they get: that is the person's to decide, not ours.
            if refused == "store" and not self._endpoint.is_private:
                raise failures.would_store()
            self._left_out.add(refused)

    def _body(self, request: ModelRequest) -> JsonObject:
        body: JsonObject = {
            "input": list(request.items),
            "store": False,
            "include": ["reasoning.encrypted_content"],
            **self._settings,
        }
        if request.tools:
            body |= {"tools": list(request.tools), "parallel_tool_calls": True}
        if request.answer_schema is not None:
            answer = {"type": "json_schema", "name": "copilot_answer", "schema": request.answer_schema, "strict": False}
            body["text"] = {"format": answer}
        return {name: value for name, value in body.items() if value is not None and name not in self._left_out}

    @property
    def _brings_authorization(self) -> bool:
        return any(name.lower() == "authorization" for name in self._headers)

    def _authorization(self, key: Secret) -> dict[str, str]:
        if self._brings_authorization:
            return {}
        if not key and self._endpoint.basic:
            return {"Authorization": f"Basic {self._endpoint.basic.reveal()}"}
        return {"Authorization": f"Bearer {key.reveal() or _NO_KEY}"}

    def _key_problem(self, key: Secret, failures: Failures) -> ModelError | None:
        if not key and self._endpoint.is_default and not self._brings_authorization:
            return failures.no_key()
        sendable = key.reveal().isascii() and key.reveal().isprintable()
        return None if sendable else failures.unusable_key()

    def _failures(self, key: Secret) -> Failures:
        # A header may be `Bearer …`, and the server repeat only the second word; short words are names, not secrets.
        words = [
            word for value in self._headers.values() for word in value.reveal().split() if len(word) >= _KEY_LENGTH
        ]
        secrets = [key, self._endpoint.password, self._endpoint.basic, *map(Secret, words)]
        return Failures(
            endpoint=self._endpoint,
            model=self._model,
            key_name=self._key_name,
            has_key=bool(key) or self._brings_authorization,
            timeout_s=self._timeout_s,
            redact=Redaction(secrets),
        )


def _new_client(endpoint: Endpoint, headers: Mapping[str, Secret], timeout_s: float) -> AsyncOpenAI:
    import openai

    client = openai.AsyncOpenAI(
        api_key=_NO_KEY,  # each request brings its own; with None the SDK would read the environment
        base_url=endpoint.url,
        default_headers=_omitted(endpoint) | {name: value.reveal() for name, value in headers.items()},
        timeout=openai.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
    )
    _ = client.responses  # the SDK imports its types when they are first asked for
    return client


def _omitted(endpoint: Endpoint) -> dict[str, Any]:
    """Headers that the SDK would make of the environment, taken out again: they are meant for OpenAI, nobody else."""
    import openai

    if endpoint.is_openai:
        return {}
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return dict.fromkeys(["OpenAI-Organization", "OpenAI-Project", *names], openai.Omit())


async def _next(events: AsyncIterator[ResponseStreamEvent], failures: Failures) -> Any:
    """The next event; None where the connection ended or broke."""
    import httpx2  # what the SDK is made of; its older versions let the errors of a broken stream through
    import openai

    failure: ModelError | None
    try:
        return await anext(events, None)
    except httpx2.TimeoutException as error:
        failure = failures.of(openai.APITimeoutError(request=error.request))
    except httpx2.TransportError:
        return None
    except (openai.OpenAIError, ValueError) as error:  # ValueError: a line that is no JSON, or no UTF-8
        broke = isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)
        failure = None if broke else failures.of(error)
    if failure is not None:
        raise failure
    return None


async def _finish(
    events: AsyncIterator[ResponseStreamEvent], reader: ReplyReader, requests: int, failures: Failures
) -> Reply:
    closing = reader.closing
    if closing is not None and closing.kind == "failed":
        raise failures.reported(closing.code, closing.message)
    reply = reader.reply(requests)
    if reply is None:
        raise failures.incomplete(closing.reason if closing else "")
    # Read to the end, if it comes at once: only then can the next request use this connection.
    try:
        async with asyncio.timeout(_DRAIN_S):
            while await anext(events, None) is not None:
                pass
    except Exception:  # noqa: BLE001, S110 - the reply is whole, whatever the server does now
        pass
    return reply

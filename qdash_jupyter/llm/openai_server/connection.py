"""The connection with a model's server: the SDK's client, what it opens, and what comes from there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from qdash_jupyter.errors import ModelError
from qdash_jupyter.llm.openai_server.endpoint import Endpoint, Secret
from qdash_jupyter.llm.openai_server.failures import ApiStyle, Failures

if TYPE_CHECKING:
    from openai import AsyncOpenAI

NO_KEY = "none"
"""Sent to a server that wants no key."""
_CONNECT_S = 5.0
_DRAIN_S = 0.1
_WAITS_S = 120.0
"""The SDK waits at most a minute before each of its two further tries, where the server says when to come back."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one reply is asked for with: the client of this event loop, the key, and the words for what goes wrong."""

    client: AsyncOpenAI
    key: Secret
    failures: Failures

    async def opened(self, opening: Awaitable[_Value]) -> _Value:
        """What the SDK opens. It asks a silent server three times: all its tries have the time of one, and their waits.

        Raises:
            openai.OpenAIError: as the SDK's own.
        """
        import httpx2
        import openai

        try:
            async with asyncio.timeout(self.failures.timeout_s + _WAITS_S):
                return await opening
        except TimeoutError:
            silent = openai.APITimeoutError(request=httpx2.Request("POST", self.client.base_url))
        raise silent


def new_client(endpoint: Endpoint, headers: Mapping[str, Secret], timeout_s: float, api: ApiStyle) -> AsyncOpenAI:
    """A client of the SDK. Proxies and authorities are what the environment says (HTTPS_PROXY, SSL_CERT_FILE)."""
    import openai

    client = openai.AsyncOpenAI(
        api_key=NO_KEY,  # each request brings its own; with None the SDK would read the environment
        base_url=endpoint.url,
        default_headers=_omitted(endpoint) | {name: value.reveal() for name, value in headers.items()},
        default_query={name: value.reveal() for name, value in endpoint.query.items()},
        timeout=openai.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
    )
    if api == "chat_completions":  # the SDK imports its types when they are first asked for
        _ = client.chat.completions
    return client


def _omitted(endpoint: Endpoint) -> dict[str, Any]:
    """Headers that the SDK would make of the environment, taken out again: they are meant for OpenAI, nobody else."""
    import openai

    if endpoint.is_openai:
        return {}
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return dict.fromkeys(["OpenAI-Organization", "OpenAI-Project", *names], openai.Omit())


async def received(what: Awaitable[_Value], failures: Failures) -> _Value | None:
    """What the server sends next; None where the connection ended or broke.

    Raises:
        ModelError: the server is silent, reports a failure, or sends what is no event.
    """
    import httpx2  # what the SDK is made of; its older versions let the errors of a broken stream through
    import openai

    failure: ModelError | None
    try:
        return await what
    except httpx2.TimeoutException as error:
        failure = failures.of(openai.APITimeoutError(request=error.request))
    except (httpx2.TransportError, httpx2.DecodingError):
        return None
    except (openai.OpenAIError, ValueError, RecursionError) as error:  # a line that is no JSON, or no UTF-8
        broke = isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)
        failure = None if broke else failures.of(error)
    if failure is not None:
        raise failure
    return None


async def drain(events: AsyncIterator[Any], seconds: float = _DRAIN_S) -> None:
    """Read to the end, if it comes at once: only then can the next request use this connection."""
    try:
        async with asyncio.timeout(seconds):
            while await anext(events, None) is not None:
                pass
    except Exception:  # noqa: BLE001, S110 - the reply is whole, whatever the server does now
        pass

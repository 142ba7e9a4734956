"""The connection with a model's server: the SDK's clients, and the key of each request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from qdash_jupyter.config.mask import FEWEST_CHARS
from qdash_jupyter.errors import ModelError
from qdash_jupyter.llm.openai_server.endpoint import Endpoint, Redaction, Secret
from qdash_jupyter.llm.openai_server.failures import ApiStyle, Failures

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_NO_KEY = "none"
_CONNECT_S = 5.0
_DRAIN_S = 0.1
_WAITS_S = 120.0
"""The SDK waits at most a minute before each of its two further tries, where the server says when to come back."""
_KEY_HEADERS = {"authorization", "api-key", "x-api-key"}
"""Headers in which servers take a key; Azure's is the second."""

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


@dataclass(kw_only=True, eq=False, repr=False)
class Connection:
    """One model at one endpoint, in one of the two APIs. The key is asked for at each reply and kept nowhere.

    Nothing is imported or opened before the first one.
    """

    api: ApiStyle
    model: str
    endpoint: Endpoint
    api_key: Callable[[], str | None]
    headers: Mapping[str, Secret]
    timeout_s: float
    key_name: str
    _clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = field(default_factory=WeakKeyDictionary)
    """Connections belong to the event loop that opened them."""

    async def begin(self) -> Exchange:
        """What a reply is asked for with.

        Raises:
            ModelError: there is no key, or none that can be sent.
        """
        key = Secret((self.api_key() or "").strip())
        failures = self._failures(key)
        if failure := self._key_problem(key, failures):
            raise failure
        return Exchange(await self._client(), key, failures)

    async def close(self) -> None:
        """Close the connections of this event loop; those of loops that have ended went with them."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def authorization(self, key: Secret) -> dict[str, Any]:
        """The header that holds the key, or what stands in its place."""
        import openai

        names = {name.lower() for name in self.headers}
        if "authorization" in names:
            return {}
        if names & _KEY_HEADERS:
            return {"Authorization": openai.Omit()}
        if key and self.endpoint.is_azure:
            return {"Authorization": openai.Omit(), "api-key": key.reveal()}
        if not key and self.endpoint.basic:
            return {"Authorization": f"Basic {self.endpoint.basic.reveal()}"}
        return {"Authorization": f"Bearer {key.reveal() or _NO_KEY}"}

    async def _client(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            # Half a second of imports, then certificates: not on the loop that carries the first status to the user.
            made = await asyncio.to_thread(new_client, self.endpoint, self.headers, self.timeout_s, self.api)
            client = self._clients.setdefault(loop, made)
        return client

    @property
    def _brings_key(self) -> bool:
        return any(name.lower() in _KEY_HEADERS for name in self.headers)

    def _key_problem(self, key: Secret, failures: Failures) -> ModelError | None:
        if not key and self.endpoint.is_default and not self._brings_key:
            return failures.no_key()
        if not _is_sendable(key):
            return failures.unusable_key()
        unsendable = next((name for name, value in self.headers.items() if not _is_sendable(value)), None)
        return failures.unusable_header(unsendable) if unsendable else None

    def _failures(self, key: Secret) -> Failures:
        # A header may be `Bearer …`, and the server repeat only the second word; short words are names, not secrets.
        values = [*self.headers.values(), *self.endpoint.query.values()]
        words = [word for value in values for word in value.reveal().split() if len(word) >= FEWEST_CHARS]
        secrets = [key, self.endpoint.password, self.endpoint.basic, *map(Secret, words)]
        return Failures(
            endpoint=self.endpoint,
            model=self.model,
            key_name=self.key_name,
            has_key=bool(key) or self._brings_key,
            timeout_s=self.timeout_s,
            redact=Redaction(secrets),
            api=self.api,
        )


def _is_sendable(value: Secret) -> bool:
    return value.reveal().isascii() and value.reveal().isprintable()


def new_client(
    endpoint: Endpoint, headers: Mapping[str, Secret], timeout_s: float, api: ApiStyle = "responses"
) -> AsyncOpenAI:
    """A client of the SDK. Proxies and authorities are what the environment says (HTTPS_PROXY, SSL_CERT_FILE)."""
    import openai

    client = openai.AsyncOpenAI(
        api_key=_NO_KEY,  # each request brings its own; with None the SDK would read the environment
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

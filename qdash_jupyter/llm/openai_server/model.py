"""What the clients of the two APIs have in common: how they are made, shown and closed, and the key of each request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from qdash_jupyter.config.keys import key_in
from qdash_jupyter.config.mask import FEWEST_CHARS
from qdash_jupyter.errors import ModelRefused
from qdash_jupyter.llm.client import ModelCard
from qdash_jupyter.llm.openai_server.capabilities import Capabilities
from qdash_jupyter.llm.openai_server.connection import NO_KEY, Exchange, new_client
from qdash_jupyter.llm.openai_server.endpoint import Redaction, Secret, endpoint_of
from qdash_jupyter.llm.openai_server.failures import ApiStyle, Failures

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from qdash_jupyter.config.manifest import ModelSection

_KEY_HEADERS = {"authorization", "api-key", "x-api-key"}
"""Headers in which servers take a key; Azure's is the second."""


class ServerModel:
    """One model at one server, in one of the two APIs; stateless: every request carries the whole conversation.

    The key is asked for at each reply and kept nowhere. Nothing is imported or opened before the first one.
    """

    api: ClassVar[ApiStyle]

    def __init__(
        self,
        section: ModelSection,
        capabilities: Capabilities | None = None,
        api_key: Callable[[], str | None] | None = None,
    ) -> None:
        """Ask the model of this section of the settings. `capabilities` is what is known of its server already,
        `api_key` gives the key in place of the section's variable.

        Raises:
            ConfigurationError: its address is no URL.
        """
        self._section = section
        self._endpoint = endpoint_of(section.base_url)
        self._api_key = api_key or partial(key_in, section.api_key_env)
        self._headers = {name: Secret(value.get_secret_value()) for name, value in section.headers.items()}
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = WeakKeyDictionary()
        """Connections belong to the event loop that opened them."""
        self.capabilities = capabilities or Capabilities(section.base_url, section.name)
        """What is known of the server."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self._section.name!r}, endpoint={self._endpoint.shown!r})"

    @property
    def card(self) -> ModelCard:
        """The model's name and the host that gets the questions."""
        return ModelCard(self._section.name, self._endpoint.shown, learned=self.capabilities.in_words)

    async def close(self) -> None:
        """Close the connections of this event loop; those of loops that have ended went with them."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def _begin(self) -> Exchange:
        """What a reply is asked for with.

        Raises:
            ModelError: there is no key, or none that can be sent.
        """
        key = Secret((self._api_key() or "").strip())
        self._check(key)
        return Exchange(await self._client(), key, self._failures(key))

    def _authorization(self, key: Secret) -> dict[str, Any]:
        """The header that holds the key, or what stands in its place."""
        import openai

        names = {name.lower() for name in self._headers}
        if "authorization" in names:
            return {}
        if names & _KEY_HEADERS:
            return {"Authorization": openai.Omit()}
        if key and self._endpoint.is_azure:
            return {"Authorization": openai.Omit(), "api-key": key.reveal()}
        if not key and self._endpoint.basic:
            return {"Authorization": f"Basic {self._endpoint.basic.reveal()}"}
        return {"Authorization": f"Bearer {key.reveal() or NO_KEY}"}

    async def _client(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            # Half a second of imports, then certificates: not on the loop that carries the first status to the user.
            made = await asyncio.to_thread(
                new_client, self._endpoint, self._headers, self._section.timeout_seconds, self.api
            )
            client = self._clients.setdefault(loop, made)
        return client

    @property
    def _brings_key(self) -> bool:
        return any(name.lower() in _KEY_HEADERS for name in self._headers)

    def _check(self, key: Secret) -> None:
        host, name = self._endpoint.shown, self._section.api_key_env
        if not key and self._endpoint.is_default and not self._brings_key:
            raise ModelRefused.with_hint("model-no-key", host=host, name=name)
        if not _is_sendable(key):
            raise ModelRefused.with_hint("model-unusable-key", name=name)
        for header, value in self._headers.items():
            if not _is_sendable(value):
                raise ModelRefused.with_hint("model-unusable-header", name=header, host=host)

    def _failures(self, key: Secret) -> Failures:
        # A header may be `Bearer …`, and the server repeat only the second word; short words are names, not secrets.
        values = [*self._headers.values(), *self._endpoint.query.values()]
        words = [word for value in values for word in value.reveal().split() if len(word) >= FEWEST_CHARS]
        secrets = [key, self._endpoint.password, self._endpoint.basic, *map(Secret, words)]
        return Failures(
            endpoint=self._endpoint,
            model=self._section.name,
            key_name=self._section.api_key_env,
            has_key=bool(key) or self._brings_key,
            timeout_s=self._section.timeout_seconds,
            redact=Redaction(secrets),
            api=self.api,
        )


def _is_sendable(value: Secret) -> bool:
    return value.reveal().isascii() and value.reveal().isprintable()

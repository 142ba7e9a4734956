"""What the clients of the two APIs have in common: how they are made, shown and closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.client import ModelCard
from qdash_jupyter.llm.openai_server.capabilities import Capabilities
from qdash_jupyter.llm.openai_server.connection import Connection
from qdash_jupyter.llm.openai_server.endpoint import Secret, endpoint_of
from qdash_jupyter.llm.openai_server.failures import ApiStyle


class ServerModel:
    """One model at one server; stateless: every request carries the whole conversation."""

    api: ClassVar[ApiStyle]

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
            api=self.api,
            model=model,
            endpoint=endpoint_of(base_url),
            api_key=api_key,
            headers={name: Secret(value) for name, value in (headers or {}).items()},
            timeout_s=timeout_s,
            key_name=key_name,
        )
        self.capabilities = capabilities or Capabilities(base_url, model)
        """What is known of the server."""
        self._settings: JsonObject = {
            "temperature": temperature,
            "max_output_tokens": max_output_tokens,
            "reasoning_effort": reasoning_effort,
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self._server.model!r}, endpoint={self._server.endpoint.shown!r})"

    @property
    def card(self) -> ModelCard:
        """The model's name and the host that gets the questions."""
        return ModelCard(self._server.model, self._server.endpoint.shown, learned=self.capabilities.in_words)

    async def close(self) -> None:
        """Close the connections of this event loop."""
        await self._server.close()

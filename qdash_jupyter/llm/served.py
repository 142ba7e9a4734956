"""The client of a model that a section of the settings describes."""

from __future__ import annotations

from typing import Any

from qdash_jupyter.config.keys import key_in
from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.llm.client import LLM


def served_model(section: ModelSection) -> LLM:
    """A model behind a server, over the API that the settings name or the server has."""
    from qdash_jupyter.llm.auto import AutoLLM
    from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
    from qdash_jupyter.llm.openai_server import capabilities
    from qdash_jupyter.llm.openai_server.endpoint import endpoint_of
    from qdash_jupyter.llm.responses import ResponsesLLM

    known = capabilities.Capabilities(section.base_url, section.name, capabilities.capabilities_file())
    settings: dict[str, Any] = {
        "model": section.name,
        "base_url": section.base_url,
        "api_key": lambda: key_in(section.api_key_env) or None,
        "key_name": section.api_key_env,
        "temperature": section.temperature,
        "max_output_tokens": section.max_output_tokens,
        "reasoning_effort": section.reasoning_effort,
        "headers": {name: value.get_secret_value() for name, value in section.headers.items()},
        "timeout_s": section.timeout_seconds,
        "capabilities": known,
    }
    if section.api_style == "chat_completions":
        return ChatCompletionsLLM(**settings)
    responses = ResponsesLLM(**settings)
    if section.api_style == "responses" or endpoint_of(section.base_url).is_openai:
        return responses
    return AutoLLM(responses, ChatCompletionsLLM(**settings), known)

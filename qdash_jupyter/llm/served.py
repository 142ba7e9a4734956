"""The client of a model that a section of the settings describes."""

from __future__ import annotations

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
    if section.api_style == "chat_completions":
        return ChatCompletionsLLM(section, known)
    responses = ResponsesLLM(section, known)
    if section.api_style == "responses" or endpoint_of(section.base_url).is_openai:
        return responses
    return AutoLLM(responses, ChatCompletionsLLM(section, known))

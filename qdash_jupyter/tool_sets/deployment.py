"""Tools that are other models of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from pydantic import Field

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.config.tool_sets import DeploymentToolSection, DeploymentToolSetSection
from qdash_jupyter.domain.work import runs_elsewhere
from qdash_jupyter.errors import (
    BrokenAnswer,
    ConfigurationError,
    ModelBroken,
    ModelError,
    ModelRefused,
    ModelTimedOut,
    ModelUnreachable,
    NotFound,
    Refused,
    ToolError,
    Unauthorized,
    Unreachable,
)
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply
from qdash_jupyter.llm.served import served_model
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tool_sets.built import BuiltTools, hard_issue
from qdash_jupyter.tool_sets.declared import declared_spec
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

_ERRORS: tuple[tuple[type[ModelError], type[ToolError]], ...] = (
    (ModelRefused, Unauthorized),
    (ModelUnreachable, Unreachable),
    (ModelBroken, BrokenAnswer),
    (ModelError, Refused),
)


class DeploymentArguments(ToolArguments):
    """The whole question: the other model knows nothing of the conversation."""

    message: str = Field(description="All that the other model needs to know, and what it is asked.", min_length=1)


def deployment_tools(section: DeploymentToolSetSection, models: Mapping[str, ModelSection]) -> BuiltTools:
    """The tools of one set. No model is asked, and nothing opened, before the first call."""
    specs, issues = [], []
    for tool in section.tools:
        model = models.get(tool.deployment)
        if model is None:
            unknown = NotFound(Message("kind-model"), tool.deployment, models, where=Message("in-models"))
            issues.append(hard_issue(tool.name, unknown.text))
            continue
        own = tool.model_dump(include={"temperature", "max_output_tokens", "reasoning_effort"}, exclude_none=True)
        try:
            llm = served_model(model.model_copy(update=own))
        except ConfigurationError as error:
            issues.append(hard_issue(tool.name, error.text))
            continue
        specs.append(_spec(tool, section, llm))
    return BuiltTools(tuple(specs), tuple(issues))


def _spec(tool: DeploymentToolSection, tool_set: DeploymentToolSetSection, llm: LLM) -> ToolSpec:
    def run(arguments: DeploymentArguments, _: ToolContext) -> ToolOutput:
        question = {"type": "message", "role": "user", "content": arguments.message}
        try:
            reply = asyncio.run(_reply(llm, ModelRequest(tool.system_prompt, (question,))))
        except ModelTimedOut:
            raise
        except ModelError as error:
            kind = next(ours for theirs, ours in _ERRORS if isinstance(error, theirs))
            failure = kind(error.message, error.hint)
        else:
            content = {"answer": reply.text} | ({"cut_short": reply.cut_short} if reply.cut_short else {})
            return ToolOutput(content=content, usage=reply.usage)
        raise failure

    return declared_spec(tool, tool_set, DeploymentArguments, run)


async def _reply(llm: LLM, request: ModelRequest) -> Reply:
    """The whole reply, unless nobody waits for it any more. Connections belong to this event loop, so they are closed
    with it.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        with suppress(RuntimeError):  # the loop has just been closed
            loop.call_soon_threadsafe(task.cancel)  # pyrefly: ignore[missing-attribute]  # there is one

    try:
        with runs_elsewhere(llm, stop):
            last = [part async for part in llm.reply(request)][-1:]
    finally:
        await llm.close()
    if not last or not isinstance(last[0], Reply):
        raise ModelBroken.with_hint("model-gave-no-reply")
    return last[0]

"""The door to a language model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from qdash_jupyter.domain.answer import NO_USAGE, JsonObject, Usage
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Text


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything the model gets in one round.

    `items` are input items of the OpenAI Responses API as plain JSON values: user messages, earlier output items
    (sent back unchanged, reasoning included) and `function_call_output` items. `tools` are function tools of the same
    API. `answer_schema` is the JSON schema of the final answer. With `tools` empty the model has to answer.
    """

    instructions: str
    items: Sequence[JsonObject]
    tools: tuple[JsonObject, ...] = ()
    answer_schema: JsonObject | None = None
    language: Language | None = None
    """Language of the answer, for clients that do not read instructions."""
    failures: Mapping[str, ToolFailure] = field(default_factory=dict, compare=False)
    """Why tools of this turn failed, by the id of the call, for clients that show it themselves."""
    in_page: bool = field(default=False, compare=False)
    """Whether it was asked in a page, where another model can be chosen from a menu."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished reply: its text, its tool calls in order, and `items`, all output items to send back unchanged.

    `cut_short` is the server's reason where it ended the reply early: `max_output_tokens` or `content_filter`.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    items: tuple[JsonObject, ...] = ()
    usage: Usage = NO_USAGE
    cut_short: str = ""


ReplyPart: TypeAlias = TextDelta | ReasoningDelta | Reply


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the screen says about the model in use."""

    name: str
    endpoint: Text
    is_language_model: bool = True
    learned: Text = ""
    """What the server turned out not to take, in words."""
    title: Text = ""
    """What people read for a name that is none, such as that of the offline planner."""


class LLM(Protocol):
    """A language model, or something that stands in for one and says so in its card."""

    @property
    def card(self) -> ModelCard:
        """Name and endpoint, for the screen."""

    def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream deltas, then exactly one `Reply`, last.

        Raises:
            ModelError: the model gave no answer; the message says why and what to do.
        """

    async def close(self) -> None:
        """Give back connections."""

"""When a turn has to come to its end, and what is said then, to the user and to the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from qdash_jupyter.domain.answer import StopReason, TextBlock
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

Setting: TypeAlias = Literal[
    "max_iterations", "max_same_call", "max_tool_calls", "max_tokens", "max_seconds", "conversation_tokens"
]

_UNITS: Mapping[Setting, str] = {
    "max_iterations": "rounds of tool calls",
    "max_same_call": "equal calls",
    "max_tool_calls": "tool calls for one question",
    "max_tokens": "tokens for one question",
    "max_seconds": "seconds for one question",
    "conversation_tokens": "tokens for this conversation",
}

_STOP_REASONS: Mapping[Setting, StopReason] = {
    "max_iterations": StopReason.MAX_ROUNDS,
    "max_same_call": StopReason.REPEATED_CALL,
}


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit that is reached: the setting, in `limits` or `orchestrator`, and its value."""

    setting: Setting
    limit: float
    tool: str = ""
    """Whose equal calls they are."""

    @property
    def key(self) -> str:
        """The setting's key."""
        return f"{'orchestrator' if self.setting == 'max_iterations' else 'limits'}.{self.setting}"

    @property
    def stop_reason(self) -> StopReason:
        """Why the turn ends."""
        return _STOP_REASONS.get(self.setting, StopReason.BUDGET)

    @property
    def reason(self) -> str:
        """What the model is told."""
        if self.tool:
            return f"{self.tool} was called {self.limit:,g} times with the same arguments"
        return f"the limit of {self.limit:,g} {_UNITS[self.setting]} is reached"


_ENDINGS = {
    StopReason.CANCELLED: Message("ended-stopped"),
    StopReason.MAX_ROUNDS: Message("ended-max-rounds"),
    StopReason.BUDGET: Message("ended-budget"),
    StopReason.REPEATED_CALL: Message("ended-repeated-call"),
    StopReason.TIMED_OUT: Message("ended-tool-timed-out"),
    StopReason.TOOL_FAILED: Message("ended-tool-failed"),
}
_CUT_SHORT = {"max_output_tokens": Message("cut-short-tokens"), "content_filter": Message("cut-short-filter")}


def no_more_tools(limit: LimitReached) -> str:
    """What the model reads when its calls do not run any more."""
    return f"No more tools: {limit.reason}. Answer now with what you have, and say what is missing."


def stopped_early(reason: StopReason, language: Language) -> TextBlock:
    """What stands in place of an answer that has no words of its own."""
    return TextBlock(_ENDINGS.get(reason, Message("ended-empty")).of(language))


def cut_short(reason: str, language: Language) -> TextBlock:
    """What stands below an answer that the server ended early."""
    return TextBlock(_CUT_SHORT.get(reason, Message("cut-short-otherwise")).of(language))


def ended_at_limit(spent: LimitReached, language: Language) -> TextBlock:
    """What stands below an answer that a limit brought about."""
    return TextBlock(Message("ended-at-limit", limit=spent.setting, most=spent.limit, setting=spent.key).of(language))

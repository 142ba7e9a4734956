"""When a turn has to come to its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from qdash_jupyter.domain.answer import StopReason

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

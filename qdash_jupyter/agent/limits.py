"""When a turn has to come to its end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.domain.tool_call import ToolCall

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


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """What one question may take."""

    max_rounds: int = 10
    max_same_call: int = 3
    max_tool_calls: int = 50
    max_tokens: int | None = None
    max_seconds: float | None = None
    conversation_tokens: int | None = None
    """Of all questions of the conversation together."""


@dataclass(slots=True)
class RoundCounter:
    """Counts rounds and equal calls of one turn."""

    limits: TurnLimits
    rounds: int = 0
    _calls: Counter[tuple[str, str]] = field(default_factory=Counter)

    def spent(self, calls: Sequence[ToolCall]) -> LimitReached | None:
        """The limit by which these calls may not run any more."""
        self.rounds += 1
        if self.rounds > self.limits.max_rounds:
            return LimitReached("max_iterations", self.limits.max_rounds)
        self._calls.update(_same(call) for call in calls)
        for call in calls:
            if self._calls[_same(call)] > self.limits.max_same_call:
                return LimitReached("max_same_call", self.limits.max_same_call, call.name)
        return None


def _same(call: ToolCall) -> tuple[str, str]:
    """What equal calls have in common: models write the same arguments in other orders and with other blanks."""
    try:
        return call.name, json.dumps(json.loads(call.arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return call.name, call.arguments

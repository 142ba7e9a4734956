"""What one question may take in rounds, calls, tokens and seconds, and a conversation in tokens; and what is said at a
limit, to the user and to the model.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.config.manifest import LimitsSection
from qdash_jupyter.domain.answer import StopReason, TextBlock
from qdash_jupyter.domain.events import AgentEvent, ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ToolSpec

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
    def stop_reason(self) -> StopReason:
        """Why the turn ends."""
        return _STOP_REASONS.get(self.setting, StopReason.BUDGET)

    @property
    def reason(self) -> str:
        """What the model is told."""
        if self.tool:
            return f"{self.tool} was called {self.limit:,g} times with the same arguments"
        return f"the limit of {self.limit:,g} {_UNITS[self.setting]} is reached"


def no_more_tools(limit: LimitReached) -> str:
    """What the model reads when its calls do not run any more."""
    return f"No more tools: {limit.reason}. Answer now with what you have, and say what is missing."


def stopped_early(reason: StopReason, language: Language) -> TextBlock:
    """What stands in place of an answer that has no words of its own."""
    return TextBlock(Message("ended", reason=reason.value).of(language))


def cut_short(reason: str, language: Language) -> TextBlock:
    """What stands below an answer that the server ended early."""
    return TextBlock(Message("cut-short", reason=reason).of(language))


def ended_at_limit(spent: LimitReached, language: Language) -> TextBlock:
    """What stands below an answer that a limit brought about."""
    key = f"{'orchestrator' if spent.setting == 'max_iterations' else 'limits'}.{spent.setting}"
    return TextBlock(Message("ended-at-limit", limit=spent.setting, most=spent.limit, setting=key).of(language))


class TurnBudget:
    """Budgets of one turn. Time counts while the model or a read works, not while a cell runs or somebody thinks."""

    def __init__(
        self,
        limits: LimitsSection,
        max_rounds: int,
        ledger: TurnLedger,
        tools: Mapping[str, ToolSpec],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The turn begins now.

        Raises:
            QuestionError: the conversation's tokens are used up already.
        """
        if limits.conversation_tokens is not None and ledger.spent_before >= limits.conversation_tokens:
            raise QuestionError.with_hint(
                "conversation-used-up", count=ledger.spent_before, most=limits.conversation_tokens
            )
        self._limits, self._max_rounds = limits, max_rounds
        self._ledger = ledger
        self._tools = tools
        self._clock = clock
        self._began = clock()
        self._exempt = 0.0
        self._paused_at: float | None = None
        self._rounds = self._calls = 0
        self._equal: Counter[tuple[str, str]] = Counter()
        self._running = 0

    @property
    def seconds(self) -> float:
        """The turn's own time so far, in s."""
        now = self._clock()
        return now - self._began - self._exempt - (now - self._paused_at if self._paused_at is not None else 0.0)

    def begin_round(self, calls: Sequence[ToolCall]) -> LimitReached | None:
        """Count one more; gives the limit by which its calls may not run."""
        self._rounds += 1
        if self._rounds > self._max_rounds:
            return LimitReached("max_iterations", self._max_rounds)
        most, equal = self._limits.max_same_call, list(map(_same, calls))
        self._equal.update(equal)
        for name, arguments in equal:
            if self._equal[name, arguments] > most:
                return LimitReached("max_same_call", most, name)
        return self.spent()

    def spent(self) -> LimitReached | None:
        """The first of tokens and seconds that are used up."""
        limits, tokens = self._limits, self._ledger.tokens
        if limits.max_tokens is not None and tokens >= limits.max_tokens:
            return LimitReached("max_tokens", limits.max_tokens)
        if limits.conversation_tokens is not None and self._ledger.spent_before + tokens >= limits.conversation_tokens:
            return LimitReached("conversation_tokens", limits.conversation_tokens)
        if limits.max_seconds is not None and self.seconds >= limits.max_seconds:
            return LimitReached("max_seconds", limits.max_seconds)
        return None

    def permitted(self, calls: tuple[ToolCall, ...]) -> tuple[tuple[ToolCall, ...], LimitReached | None]:
        """The first of the calls, as many as may still run; the budget that the others would pass."""
        left = self._limits.max_tool_calls - self._calls
        self._calls += min(len(calls), left)
        return calls[:left], LimitReached("max_tool_calls", self._limits.max_tool_calls) if len(calls) > left else None

    def permits(self, event: AgentEvent) -> bool:
        """Take in an event of the tools; False where a call would begin although the time is up.

        Calls that began together end together: what runs is not broken off.
        """
        if isinstance(event, ToolStarted):
            if self._running == 0 and self._limits.max_seconds is not None and self.seconds >= self._limits.max_seconds:
                return False
            self._running += 1
            spec = self._tools.get(event.call.name)
            if spec is not None and spec.effect != "read":  # these run alone
                self._paused_at = self._clock()
        elif isinstance(event, ToolFinished):
            self._running -= 1
            if self._paused_at is not None:
                self._exempt += self._clock() - self._paused_at
                self._paused_at = None
        return True


def _same(call: ToolCall) -> tuple[str, str]:
    """What equal calls have in common: models write the same arguments in other orders and with other blanks."""
    try:
        return call.name, json.dumps(json.loads(call.arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return call.name, call.arguments

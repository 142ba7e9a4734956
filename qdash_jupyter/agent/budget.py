"""What one question may take in rounds, calls, tokens and seconds, and a conversation in tokens."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.limits import LimitReached
from qdash_jupyter.config.manifest import LimitsSection
from qdash_jupyter.domain.events import ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ToolSpec
from qdash_jupyter.tools.toolbox import ToolEvent


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
            raise QuestionError(
                Message("conversation-used-up", count=ledger.spent_before, most=limits.conversation_tokens),
                Message("conversation-used-up-hint"),
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

    def permits(self, event: ToolEvent) -> bool:
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

"""What the user has approved in one conversation, and what waits for their yes or no."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from qdash_jupyter.cells.host import NOBODY, PublishApproval
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message, Text, sentences

if TYPE_CHECKING:
    from qdash_jupyter.agent.thread import AgentLoop
    from qdash_jupyter.domain.consent import Decision, Effect, Proposal

FEWEST_DIGITS = 8
"""Of a hash that is typed."""


class Approvals:
    """Asks one thing after the other (see `qdash_jupyter.cells.host.Approver`); `copilot.approvals`."""

    def __init__(self, loop: AgentLoop) -> None:
        self.can_be_asked: Callable[[], bool] = lambda: False
        """Whether there is somebody before a screen on which the question can be shown."""
        self._loop = loop
        self._standing: list[Effect] = []
        self._beforehand: list[str] = []
        self._waiting: tuple[Proposal, asyncio.Future[Decision]] | None = None

    @property
    def waiting(self) -> Proposal | None:
        """The code that waits for a decision."""
        return self._waiting[0] if self._waiting is not None else None

    def standing(self) -> tuple[Effect, ...]:
        """Return the calls of tools that were approved for the whole conversation, one for each tool."""
        return tuple(self._standing)

    def approve(self, code_hash: str) -> None:
        """Approve the code with this hash: what waits, or what the next question will want to run, once.

        Raises:
            PersonError: it is no hash.
        """
        digits = code_hash.strip().lower()
        if len(digits) < FEWEST_DIGITS or not set(digits) <= set("0123456789abcdef"):
            raise PersonError.with_hint("no-hash", text=code_hash, digits=FEWEST_DIGITS)
        waiting = self.waiting
        if waiting is not None and waiting.code_hash.startswith(digits):
            from qdash_jupyter.domain.consent import Decision

            self.decide(Decision(waiting.proposal_id, waiting.code_hash, "approved", who(Message("by-its-hash"))))
        else:
            self._beforehand.append(digits)

    def forget(self) -> None:
        """Another conversation begins: what was approved was approved in the one before."""
        self._standing.clear()
        self._beforehand.clear()

    def revoke(self, effect_id: str) -> bool:
        """Take back the approval of a tool, by the `id` of its effect; return whether it was there."""
        kept = [effect for effect in self._standing if effect.id != effect_id]
        was_there = len(kept) < len(self._standing)
        self._standing = kept
        return was_there

    def decide(self, decision: Decision) -> None:
        """Say yes or no to what waits, from any thread.

        Raises:
            PersonError: nothing waits any more, or it is other code.
        """
        waiting = self._waiting
        if waiting is None or waiting[0].proposal_id != decision.proposal_id or waiting[1].done():
            raise PersonError.with_hint("already-decided")
        proposal, answer = waiting
        if decision.code_hash != proposal.code_hash:
            raise PersonError.with_hint("code-changed")
        self._loop.call(_settle, answer, decision)

    async def ask(self, proposal: Proposal, publish: PublishApproval) -> Decision:
        """Wait for the decision, however long it takes; without anybody to be asked, reject it and say how to allow it.
        On the agent's loop.

        Only a tool can be approved for the whole conversation: for code, `standing` is a yes to this code alone.
        """
        from qdash_jupyter.domain.events import ApprovalAsked, ApprovalDecided

        publish(ApprovalAsked(proposal))
        decision = self._known(proposal) or await self._asked(proposal)
        if proposal.runs != "tool":
            decision = replace(decision, standing=False)
        elif decision.standing and decision.verdict == "approved":
            self._standing += [effect for effect in proposal.effects if effect not in self._standing]
        publish(ApprovalDecided(decision))
        return decision

    def _known(self, proposal: Proposal) -> Decision | None:
        """The decision that was made beforehand, or that nobody can make."""
        from qdash_jupyter.domain.consent import Decision

        beforehand = next((digits for digits in self._beforehand if proposal.code_hash.startswith(digits)), None)
        decision = Decision(proposal.proposal_id, proposal.code_hash, "approved", who(Message("by-its-hash-before")))
        if beforehand is not None:
            self._beforehand.remove(beforehand)
            return decision
        if self.can_be_asked():
            return None
        reason = sentences(Message("nobody-can-approve"), Message("nobody-can-approve-hint", hash=proposal.code_hash))
        return replace(decision, verdict="rejected", by=NOBODY, reason=reason)

    async def _asked(self, proposal: Proposal) -> Decision:
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._waiting = proposal, answer
        try:
            return await answer
        finally:
            self._waiting = None


def who(where: Message) -> Text:
    """Who says so, for the log: the user of this machine, and where."""
    try:
        return Message("decided-by", name=getpass.getuser(), where=where)
    except (OSError, KeyError, ImportError):  # a container without a name for its user
        return where


def _settle(answer: asyncio.Future[Decision], decision: Decision) -> None:
    if not answer.done():
        answer.set_result(decision)

"""Somebody who decides on what is proposed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from qdash_jupyter.domain.consent import Decision, Proposal
from qdash_jupyter.domain.effects import Effect
from qdash_jupyter.domain.events import ApprovalAsked, ApprovalDecided


class Person:
    """Somebody who says these things, one after the other, and takes their time."""

    def __init__(self, *said: dict[str, Any], seconds: float = 0.0) -> None:
        self.said, self.seconds = list(said), seconds
        self.asked: list[Proposal] = []
        self.allowed: tuple[Effect, ...] = ()

    def standing(self) -> tuple[Effect, ...]:
        return self.allowed

    async def ask(self, proposal: Proposal, publish: Callable[[Any], None]) -> Decision:
        publish(ApprovalAsked(proposal))
        self.asked.append(proposal)
        await asyncio.sleep(self.seconds)
        decision = Decision(proposal.proposal_id, proposal.code_hash, **self.said.pop(0))
        if decision.standing:
            self.allowed = proposal.effects
        publish(ApprovalDecided(decision))
        return decision


APPROVED = {"verdict": "approved", "by": "ana"}

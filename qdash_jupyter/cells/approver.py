"""The door to whoever is asked before code runs in the kernel, or a tool acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from qdash_jupyter.domain.consent import Decision, Proposal
from qdash_jupyter.domain.effects import Effect
from qdash_jupyter.domain.events import ApprovalAsked, ApprovalDecided
from qdash_jupyter.messages.message import Message

NOBODY = "nobody"
"""By whom a decision is that nobody has made."""

PublishApproval: TypeAlias = Callable[[ApprovalAsked | ApprovalDecided], None]


class Approver(Protocol):
    """Whoever is asked (see `qdash_jupyter.session.approvals.Approvals`)."""

    def standing(self) -> tuple[Effect, ...]:
        """Return the calls of tools that were approved for the whole conversation, one for each tool."""
        ...

    async def ask(self, proposal: Proposal, publish: PublishApproval) -> Decision:
        """Wait for the decision, however long it takes. Where nobody can be asked, it is a rejection that says so."""
        ...


class Nobody:
    """Outside of a question nobody is asked."""

    def standing(self) -> tuple[Effect, ...]:
        """Nothing."""
        return ()

    async def ask(self, proposal: Proposal, _: PublishApproval) -> Decision:
        """Reject it."""
        reason = Message("nobody-can-approve")
        return Decision(proposal.proposal_id, proposal.code_hash, "rejected", NOBODY, reason=reason)

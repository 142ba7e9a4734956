"""What the user is asked before code does more than to read and to compute, and what they say."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, TypeAlias

from qdash_jupyter.domain.effects import Effect
from qdash_jupyter.messages.message import Text

Verdict: TypeAlias = Literal["approved", "rejected", "edited"]


def hash_of(code: str) -> str:
    """By what an approval is bound to exactly this code: 16 digits of its SHA-256."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Code that waits for an approval.

    `effects` are what it needs of the user's kernel, as far as its run in the session has shown. `purpose` is a line
    for the user. `runs` is where it would run: in the copilot's confined session, in the user's kernel as a cell of
    theirs, or as a call of a tool that acts.
    """

    proposal_id: str
    code: str
    effects: tuple[Effect, ...] = ()
    purpose: Text = ""
    runs: Literal["session", "kernel", "tool"] = "kernel"

    @property
    def code_hash(self) -> str:
        """That of the code."""
        return hash_of(self.code)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was said to a proposal, and by whom (`ana, in the panel`).

    An approval is of exactly the code of the proposal. `standing` also approves all later calls of the same tool in the
    conversation; for code it means nothing. `reason` is for the model, `code` what the code was edited to.
    """

    proposal_id: str
    code_hash: str
    verdict: Verdict
    by: Text = ""
    standing: bool = False
    reason: Text = ""
    code: str = ""

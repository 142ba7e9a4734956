"""What code or a tool would do outside of the confined session; what the user is asked before, and what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from qdash_jupyter.messages.message import Message, Text, lines

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


MOST_REASONS = 5


class EffectKind(StrEnum):
    """What needs more than the confined session."""

    UNKNOWN = "unknown"
    """Uses an object that only the user's kernel has."""
    FILES = "files"
    """Reads or writes files."""
    NETWORK = "network"
    """Connects to another machine."""
    SHELL = "shell"
    """Starts programs."""
    ACTS = "acts"
    """Calls a tool that changes something outside of the notebook."""

    @classmethod
    def _missing_(cls, value: object) -> EffectKind | None:
        """Read the other kinds that logs of earlier versions have."""
        return cls.UNKNOWN if isinstance(value, str) else None


_WAYS_OUT = {
    EffectKind.UNKNOWN: Message("way-out-unknown"),
    EffectKind.FILES: Message("way-out-files"),
    EffectKind.NETWORK: Message("way-out-network"),
    EffectKind.SHELL: Message("way-out-shell"),
    EffectKind.ACTS: Message("way-out-acts"),
}

CALLS, WRITES = Message("effect-calls"), Message("effect-writes")


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: its kind, the object in words (`awg.output_on()`), and what is done to it (`calls`).

    `note` is what the user should know before they approve it.
    """

    kind: EffectKind
    what: Text
    does: Text
    way_out: Text = ""
    note: Text = ""

    @property
    def id(self) -> str:
        """A name for it, the same for each call of the same tool."""
        return f"{self.kind}: {self.does} {self.what}"

    @property
    def in_words(self) -> Message:
        """What is done to what."""
        return Message("effect", does=self.does, what=self.what)

    def __str__(self) -> str:
        return str(self.in_words)


def each_once(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Return the effects of a piece of code, in order. None: it needs nothing but the session."""
    return tuple({effect.id: effect for effect in effects}.values())


def why_not_run(effects: Sequence[Effect]) -> Text:
    """Return the reasons why the code did not run, one a line, up to five, each with its way out."""
    reasons = (
        Message(
            "not-run-reason",
            effect=effect.in_words,
            kind=effect.kind.value,
            way_out=effect.way_out or _WAYS_OUT[effect.kind],
        )
        for effect in effects[:MOST_REASONS]
    )
    more = len(effects) - MOST_REASONS
    return lines(Message("not-run"), *reasons, Message("not-run-more", count=more) if more > 0 else "")

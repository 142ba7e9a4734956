"""What code or a tool would do outside of the confined session, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from qdash_jupyter.messages.message import Message, Text, lines

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

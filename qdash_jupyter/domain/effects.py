"""What code or a tool would do outside of the confined session, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from qdash_jupyter.messages.message import Text

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
    EffectKind.UNKNOWN: "Ask the user to do it, or compute it from data.",
    EffectKind.FILES: "End the cell with the table: the user can save it.",
    EffectKind.NETWORK: "Fetch data with the tools.",
    EffectKind.SHELL: "Compute it in Python.",
    EffectKind.ACTS: "Ask the user to do it.",
}


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: its kind, the object in words (`awg.output_on()`), and what is done to it (`calls`).

    `line` is set in logs of earlier versions only. `note` is what the user should know before they approve it.
    """

    kind: EffectKind
    what: str
    does: str
    line: int = 0
    way_out: str = ""
    note: Text = ""

    @property
    def id(self) -> str:
        """A name for it, the same for each call of the same tool."""
        return f"{self.kind}: {self.does} {self.what}"

    def __str__(self) -> str:
        return f"it {self.does} `{self.what}`"


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a piece of code, in order. None: it needs nothing but the session."""

    found: tuple[Effect, ...] = ()

    @classmethod
    def of(cls, effects: Iterable[Effect]) -> Effects:
        """Return them, each once."""
        return cls(tuple({effect.id: effect for effect in effects}.values()))

    def describe(self) -> str:
        """Return the reasons why the code did not run, one a line, up to five, each with its way out."""
        shown = self.found[:MOST_REASONS]
        reasons = [f"- {effect} ({effect.kind}). {effect.way_out or _WAYS_OUT[effect.kind]}" for effect in shown]
        more = len(self.found) - len(shown)
        count = f"There {'is 1 more' if more == 1 else f'are {more} more'}." if more else ""
        return "\n".join(filter(None, ["Not run, because", *reasons, count]))

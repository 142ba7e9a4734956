"""What code would do beyond reading and computing: the kinds of effects, in words, and leave for one of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MOST_REASONS = 5


class EffectKind(StrEnum):
    """What is more than reading, computing, drawing and making new names."""

    REBINDS = "rebinds"
    """Binds or deletes a name of the person's, or hides a builtin."""
    MUTATES = "mutates"
    """Changes an object of the person's, or of a library, in place."""
    DISPLAY = "display"
    """Displays HTML or JavaScript, or something that is fetched from outside."""
    UNKNOWN = "unknown"
    """Touches something of which nobody knows what it does: an instrument, a function of the person's."""
    MAGIC = "magic"
    """Runs an IPython magic."""
    DYNAMIC = "dynamic"
    """Reaches code in a way that hides what is reached."""
    FILES = "files"
    """Reads or writes files."""
    NETWORK = "network"
    """Speaks to another machine."""
    SHELL = "shell"
    """Starts programs or touches the operating system."""
    SYNTAX = "syntax"
    """Is no Python."""
    ACTS = "acts"
    """Calls a tool that changes something outside of the notebook."""


_WAYS_OUT = {
    EffectKind.REBINDS: "Choose other names.",
    EffectKind.MUTATES: "Change a copy under a name of its own.",
    EffectKind.DISPLAY: "End the cell with a table or a figure.",
    EffectKind.UNKNOWN: "Ask the user to do it, or compute it from data.",
    EffectKind.MAGIC: "Write it in Python.",
    EffectKind.DYNAMIC: "Name the attribute or function itself.",
    EffectKind.FILES: "End the cell with the table: the user can save it.",
    EffectKind.NETWORK: "Fetch data with the tools.",
    EffectKind.SHELL: "Compute it in Python.",
    EffectKind.SYNTAX: "Mend the line.",
    EffectKind.ACTS: "Ask the user to do it.",
}

_NEVER_GRANTED = (EffectKind.MAGIC, EffectKind.DYNAMIC, EffectKind.SYNTAX)


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: its kind, the object in words (`awg.output_on()`), what is done to it, and the line (0: unknown).

    `target` is the identity of the object of the person's that it is about: a grant holds for that object alone.
    `note` is what the person should know before they say yes.
    """

    kind: EffectKind
    what: str
    does: str
    line: int = 0
    target: int = 0
    way_out: str = ""
    note: str = ""

    @property
    def grant(self) -> Grant:
        """What would have to be granted for it: this effect, on this object."""
        return Grant(self.kind, self.what, self.does, self.target)

    @property
    def may_be_granted(self) -> bool:
        """Whether somebody can say yes to it: they see what it is, and it can be let through alone."""
        return self.kind not in _NEVER_GRANTED

    @property
    def instead(self) -> str:
        """What to write instead."""
        return self.way_out or _WAYS_OUT[self.kind]

    def __str__(self) -> str:
        return f"line {self.line} {self.does} `{self.what}`" if self.line else f"it {self.does} `{self.what}`"


@dataclass(frozen=True, slots=True)
class Grant:
    """Leave for one effect on one object, wherever the code stands that has it."""

    kind: EffectKind
    what: str
    does: str
    target: int = 0

    @property
    def id(self) -> str:
        """A name for it."""
        return f"{self.kind}-{self.target:x}-{zlib.crc32(f'{self.does} {self.what}'.encode()):x}"


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a piece of code, in the order of its lines. None: it only reads, computes and makes names."""

    found: tuple[Effect, ...] = ()

    @classmethod
    def of(cls, effects: Iterable[Effect]) -> Effects:
        """Each effect once, at its first line."""
        first: dict[Grant, Effect] = {}
        for effect in sorted(effects, key=lambda one: one.line):
            first.setdefault(effect.grant, effect)
        return cls(tuple(first.values()))

    @property
    def is_plain(self) -> bool:
        """Whether there is none."""
        return not self.found

    @property
    def rebinds(self) -> tuple[str, ...]:
        """The names of the person's that it would bind or delete."""
        return tuple(effect.what for effect in self.found if effect.kind is EffectKind.REBINDS)

    def without(self, grants: Iterable[Grant]) -> Effects:
        """Those for which there is no leave."""
        given = set(grants)
        return Effects(tuple(effect for effect in self.found if effect.grant not in given))

    @property
    def may_be_granted(self) -> bool:
        """Whether somebody can say yes to all of them."""
        return all(effect.may_be_granted for effect in self.found)

    def describe(self) -> str:
        """All reasons, up to five, each with its way out, for the person and the model."""
        if self.is_plain:
            return "Plain: it only reads and computes."
        return f"Not run, because\n{self.reasons()}"

    def reasons(self) -> str:
        """One a line, up to five, each with its way out."""
        shown = self.found[:MOST_REASONS]
        reasons = [f"- {effect} ({effect.kind}). {effect.instead}" for effect in shown]
        more = len(self.found) - len(shown)
        count = f"There {'is 1 more' if more == 1 else f'are {more} more'}." if more else ""
        return "\n".join(filter(None, [*reasons, count]))

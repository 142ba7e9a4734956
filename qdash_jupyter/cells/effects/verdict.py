"""The verdict about a piece of code: its class, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EffectClass(StrEnum):
    """What code would do; in the order of gravity, the harmless first."""

    PLAIN = "plain"
    """Reads, computes, draws, and creates new names."""
    REBINDS = "rebinds"
    """Binds or deletes a name of the user's, or hides a builtin."""
    MUTATES = "mutates"
    """Changes an object of the user's, or the settings of a library, in place."""
    DISPLAY = "display"
    """Displays HTML or JavaScript, or something that is fetched from outside."""
    UNKNOWN = "unknown"
    """Touches something of which nobody knows what it does."""
    MAGIC = "magic"
    """Runs an IPython magic."""
    DYNAMIC = "dynamic"
    """Runs or reaches code in a way that cannot be read beforehand."""
    FILES = "files"
    """Reads or writes files."""
    NETWORK = "network"
    """Speaks to another machine."""
    SHELL = "shell"
    """Starts programs or touches the operating system."""
    SYNTAX = "syntax"
    """Is no Python."""


_GRAVITY = {effect: place for place, effect in enumerate(EffectClass)}


@dataclass(frozen=True, slots=True)
class EffectReason:
    """One reason: the line, its class, the piece of source, and one clause for the user (`writes a file`)."""

    line: int
    effect: EffectClass
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Effects:
    """What a piece of code would do. Names are the user's, except `creates`: those are new."""

    effect: EffectClass
    reasons: tuple[EffectReason, ...] = ()
    reads: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    rebinds: tuple[str, ...] = ()
    mutates: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the code only reads, computes, draws and creates names."""
        return self.effect is EffectClass.PLAIN

    def describe(self) -> str:
        """One or two sentences for the user and the model: the class, the line and the reason."""
        if self.is_plain:
            made = f" It creates {_listed(self.creates)}." if self.creates else ""
            return f"Plain: it only reads and computes.{made}"
        grave = [reason for reason in self.reasons if reason.effect is self.effect]
        first = grave[0] if grave else self.reasons[0]
        more = len(self.reasons) - 1
        others = f" There {'is 1 more reason' if more == 1 else f'are {more} more reasons'}." if more else ""
        return f"Not plain ({self.effect}): line {first.line}, `{first.what}` {first.why}.{others}"


def gravest(reasons: tuple[EffectReason, ...]) -> EffectClass:
    """The gravest class among the reasons; plain where there is none."""
    return max((reason.effect for reason in reasons), key=_GRAVITY.__getitem__, default=EffectClass.PLAIN)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)

"""Where a run stops, and the exceptions that say so."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, MutableMapping
from types import FrameType

from qdash_jupyter.domain.effects import Effect, EffectKind, Grant


class EffectRefused(BaseException):  # no `except Exception` of the code or a library swallows it
    """For the person: what the code was about to do, and did not."""

    def __init__(self, effect: Effect) -> None:
        """Say it with its line."""
        super().__init__(f"{effect} ({effect.kind}), and was stopped before that. {effect.instead}")
        self.effect = effect


class NotRewritten(Exception):
    """For us: code that no guard could look at while it runs, with the effect to say so."""

    def __init__(self, what: str, does: str, node: ast.AST | None = None) -> None:
        """`node` is where."""
        super().__init__(what)
        self.effect = Effect(EffectKind.DYNAMIC, what, does, getattr(node, "lineno", 0))


class Stops:
    """What one run was stopped at, whatever the code made of the exception, and what was let through."""

    def __init__(self, names: MutableMapping[str, object], grants: Collection[Grant]) -> None:
        """`names` is the namespace."""
        self.refused: list[Effect] = []
        self.done: list[Effect] = []
        self.names = names
        self._grants = frozenset(grants)

    def stop(self, kind: EffectKind, does: str, what: str, target: int = 0, way_out: str = "") -> None:
        """Stop here, unless there is leave for it."""
        effect = Effect(kind, what, does, self._line(), target, way_out)
        if effect.grant not in self._grants:
            self.refuse(effect)
        self.done.append(effect)

    def refuse(self, effect: Effect) -> None:
        """Stop here."""
        self.refused.append(effect)
        raise EffectRefused(effect)

    def _line(self) -> int:
        frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - which line of the cell it is
        while frame is not None and frame.f_globals is not self.names:
            frame = frame.f_back
        return 0 if frame is None else frame.f_lineno


def changes(name: str, line: int = 0, target: int = 0) -> Effect:
    """The effect of changing an object of the person's in place."""
    way_out = f"Change a copy: `my_{name} = {name}.copy()`." if name.isidentifier() else ""
    return Effect(EffectKind.MUTATES, name, "changes", line, target, way_out)

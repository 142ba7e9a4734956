"""The exceptions of a run under checks."""

from __future__ import annotations

import ast

from qdash_jupyter.domain.effects import Effect, EffectKind


class EffectRefused(BaseException):  # no `except Exception` of the code or a library swallows it
    """For the person: what the code was about to do, and did not."""

    def __init__(self, effect: Effect) -> None:
        """Say it with its line."""
        super().__init__(f"{effect} ({effect.kind}), and was stopped before that. {effect.instead}")
        self.effect = effect


class NotRewritten(Exception):
    """For us: code that no guard could look at while it runs, with the effect to say so."""

    def __init__(
        self, what: str, does: str, node: ast.AST | None = None, kind: EffectKind = EffectKind.DYNAMIC
    ) -> None:
        """`node` is where."""
        super().__init__(what)
        self.effect = Effect(kind, what, does, getattr(node, "lineno", 0))

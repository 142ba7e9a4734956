"""What the rules about calls (`guards`) ask of the reader that applies them (`Calls`)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from qdash_jupyter.cells.effects.interpreter_state import InterpreterState
from qdash_jupyter.cells.effects.value_kinds import SCALAR, Value


@dataclass(slots=True)
class Arguments:
    """The arguments of a call. `starred` is an element of `*x`, `unsure` is the `x` of `**x`."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    false: frozenset[str] = frozenset()
    """Keywords that are literally False."""
    starred: Value | None = None
    unsure: Value | None = None

    def all(self) -> list[Value]:
        """Every value that is passed."""
        extra = [value for value in (self.starred, self.unsure) if value is not None]
        return [*self.positional, *self.keywords.values(), *extra]

    def first(self) -> Value:
        """The first positional argument, whatever way it is passed."""
        if self.positional:
            return self.positional[0]
        return self.starred or next(iter(self.keywords.values()), SCALAR)


class CallReader(InterpreterState):
    """Follows functions into their bodies."""

    def call(self, function: Value, args: Arguments, node: ast.AST) -> Value:
        """What calling `function` gives."""
        raise NotImplementedError

    def hand_on(self, values: list[Value], kind: Value, owners: frozenset[str], node: ast.AST) -> None:
        """Functions among the values are called by somebody else, with values of this kind."""
        raise NotImplementedError

    def element(self, value: Value, node: ast.AST) -> Value:
        """What walking over a value gives."""
        raise NotImplementedError

    def later(self, function: Value, values: list[Value]) -> None:
        """A function is called at some later time with these values."""
        raise NotImplementedError

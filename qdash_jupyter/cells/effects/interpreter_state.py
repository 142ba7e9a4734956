"""What is written down while code is read: reasons, names, scopes, and what containers hold."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Hashable, Mapping

from qdash_jupyter.cells.effects import builtin_names, libraries
from qdash_jupyter.cells.effects.dangers import NAMES, danger_of, danger_of_module
from qdash_jupyter.cells.effects.value_kinds import (
    ARRAY,
    DATA,
    DRAWING,
    SCALAR,
    TABLE,
    TEXT,
    UNKNOWN,
    Kind,
    Library,
    Value,
    call_of,
    deep_owners,
    join,
)
from qdash_jupyter.cells.effects.verdict import EffectClass, EffectReason
from qdash_jupyter.cells.names import Known, NameKind

MOST_STEPS = 60_000
_SHOWN = 80
_WORDS = {
    Known.FRAME: TABLE,
    Known.SERIES: TABLE,
    Known.INDEX: TABLE,
    Known.ARRAY: ARRAY,
    Known.NUMBER: SCALAR,
    Known.NONE: SCALAR,
    Known.TIME: SCALAR,
    Known.TEXT: TEXT,
    Known.FIGURE: DRAWING,
    Known.COPILOT: Value(Kind.COPILOT),
    Known.STORE: Value(Kind.STORE),
    Known.STORED: Value(Kind.STORED),
}
_CONTAINERS = {Known.LIST: Kind.LIST, Known.TUPLE: Kind.TUPLE, Known.SET: Kind.SET, Known.DICT: Kind.DICT}


class TooLong(Exception):
    """The code takes too many steps to read."""


class Scope:
    """The names of the module (index 0), of one call of a function, or of a comprehension."""

    def __init__(self, parent: int | None, *, comprehension: bool = False) -> None:
        self.parent = parent
        self.comprehension = comprehension
        self.env: dict[str, Value] = {}
        self.history: dict[str, Value] = {}
        self.returned: list[Value] = []
        self.yielded: list[Value] = []


class InterpreterState:
    """State of one reading."""

    def __init__(self, code: str, names: Mapping[str, NameKind], own_names: Collection[str]) -> None:
        self.code = code
        self.names = names
        self.own = frozenset(own_names)
        self.reasons: dict[tuple[int, EffectClass, str], EffectReason] = {}
        self.reads: dict[str, None] = {}
        self.creates: dict[str, None] = {}
        self.rebinds: dict[str, None] = {}
        self.mutates: dict[str, None] = {}
        self.scopes = [Scope(None)]
        self.at = 0
        self.heap: dict[Hashable, Value] = {}
        self.version = 0
        self.steps = 0

    @property
    def scope(self) -> Scope:
        """The scope that is being read."""
        return self.scopes[self.at]

    # --- reasons -------------------------------------------------------------------------------------------------
    def report(self, node: ast.AST, effect: EffectClass, why: str) -> Value:
        """Write a reason down; gives the unknown value, so that nothing that follows from it is reported again."""
        line = getattr(node, "lineno", 1)
        what = " ".join((ast.get_source_segment(self.code, node) or type(node).__name__).split())
        what = what if len(what) <= _SHOWN else what[: _SHOWN - 1] + "…"
        self.reasons.setdefault((line, effect, what), EffectReason(line, effect, what, why))
        return UNKNOWN

    def step(self) -> None:
        """Count a step of reading.

        Raises:
            TooLong: there were too many.
        """
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong

    def mutate(self, value: Value, node: ast.AST, inside: Value | None = None) -> None:
        """The code changes `value` in place; `inside` is what it puts there."""
        if value.kind in {Kind.MODULE, Kind.CALLABLE, Kind.OPAQUE, Kind.CLASS}:
            self.report(node, EffectClass.MUTATES, "changes a library or a function for the whole session")
        elif value.kind in {Kind.STORE, Kind.STORED, Kind.COPILOT, Kind.TOOLS} or value.owners:
            for owner in value.owners:
                if owner in self.names:
                    self.mutates.setdefault(owner)
            listed = ", ".join(f"`{owner}`" for owner in sorted(value.owners))
            self.report(node, EffectClass.MUTATES, f"changes {listed or 'stored results'} in place")
        if inside is not None:
            self.put(value, inside)

    # --- containers ----------------------------------------------------------------------------------------------
    def put(self, value: Value, inside: Value) -> None:
        """`inside` is an element of `value` from now on."""
        for cell in value.cells:
            before = self.heap.get(cell)
            after = inside if before is None else join(before, inside)
            if after != before:
                self.heap[cell] = after
                self.version += 1

    def made(self, kind: Kind, node: ast.AST, elements: list[Value], tag: str = "") -> Value:
        """A new container made at this place of the code."""
        value = Value(kind, cells=frozenset({hash((id(node), tag))}))
        for element in elements:
            self.put(value, self.flat(element))
        return value

    def flat(self, value: Value, depth: int = 0) -> Value:
        """The value with nested tuples cut at a depth, so that a loop cannot nest them for ever."""
        if value.items is None:
            return value
        if depth > 3:  # noqa: PLR2004 - (name, (index, (qid, group))) is as deep as code goes
            return Value(Kind.DATA, self.reach(value))
        items = tuple(self.flat(item, depth + 1) for item in value.items)
        return Value(value.kind, value.owners, value.callees, value.path, value.cells, items)

    def inner(self, value: Value) -> Value:
        """What is in a container, all elements joined (of a dict: the values)."""
        if value.kind is Kind.UNKNOWN:
            return UNKNOWN
        found = [self.heap[cell] for cell in value.cells if cell in self.heap]
        found += value.items or ()
        if not found:
            # An empty container of our own, or one of which only the kind is known.
            return DATA.owned_by(value.owners)
        return join(*found).owned_by(value.owners if value.kind is not Kind.TUPLE else frozenset())

    def reach(self, value: Value) -> frozenset[str]:
        """The owners of a value and of everything in it."""
        seen: set[Hashable] = set()
        owners: set[str] = set()
        todo = [value]
        while todo:
            one = todo.pop()
            owners |= deep_owners(one)
            todo += one.items or ()
            for cell in one.cells - seen:
                seen.add(cell)
                if cell in self.heap:
                    todo.append(self.heap[cell])
        return frozenset(owners)

    # --- names ---------------------------------------------------------------------------------------------------
    def lookup(self, name: str, node: ast.AST) -> Value:
        """What a name stands for."""
        at: int | None = self.at
        while at is not None:
            scope = self.scopes[at]
            if name in scope.env:
                return scope.env[name]
            at = scope.parent
        if name in self.names:
            return self.users(name, node)
        if name in builtin_names.FUNCTIONS or name in builtin_names.EXCEPTIONS:
            return call_of(Library(f"builtins.{name}"))
        if name in builtin_names.CONSTANTS:
            return TEXT if name == "__name__" else SCALAR
        danger = danger_of(name)
        if danger is not None:
            return self.report(node, *danger)
        return self.report(node, EffectClass.UNKNOWN, "is a name of which nothing is known")

    def users(self, name: str, node: ast.AST) -> Value:
        """The value of a name of the user's."""
        self.reads.setdefault(name)
        known = self.names[name]
        if known.kind is Known.MODULE:
            if known.path in libraries.MODULES:
                return Value(Kind.MODULE, path=known.path)
            return self.report(node, *danger_of_module(known.path))
        if known.kind is Known.LIBRARY and libraries.rule_of(known.path) is not None:
            return call_of(Library(known.path))
        if known.kind in {Known.FUNCTION, Known.UNKNOWN, Known.LIBRARY}:
            if name in NAMES:
                return self.report(node, *NAMES[name])
            what = f"is an object of type {known.type_name}" if known.type_name else "is something of yours"
            why = "is a function whose effects are not known" if known.kind is not Known.UNKNOWN else what
            return self.report(node, EffectClass.UNKNOWN, f"{why}: any touch may have an effect")
        if name in self.own:
            owners = frozenset(other for other in known.aliases if other not in self.own)
        else:
            owners = frozenset({name})
        return self.known_value(known, owners, name)

    def known_value(self, known: NameKind, owners: frozenset[str], cell: str) -> Value:
        """The value of what the namespace describes; elements of containers stand in the heap under the name."""
        container = _CONTAINERS.get(known.kind)
        if container is None:
            return _WORDS[known.kind].owned_by(owners)
        element = DATA.owned_by(owners)
        if known.element is not None:
            element = self.known_value(known.element, owners, f"{cell}*")
        self.heap.setdefault(cell, element)
        return Value(container, owners, cells=frozenset({cell}))

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a name a value."""
        at = self.at
        scope = self.scopes[at]
        scope.env[name] = value
        before = scope.history.get(name)
        scope.history[name] = value if before is None else join(before, value)
        if at == 0 and name != "_":
            self.bind_in_module(name, value, node)

    def bind_in_module(self, name: str, value: Value, node: ast.AST) -> None:
        """A name of the notebook is bound: is it the user's?"""
        known = self.names.get(name)
        if known is not None and name not in self.own:
            if known.kind is Known.MODULE and value.kind is Kind.MODULE and known.path == value.path:
                return
            if known.kind is Known.LIBRARY and value.callees == {Library(known.path)}:
                return
            self.rebinds.setdefault(name)
            self.report(node, EffectClass.REBINDS, f"gives your name `{name}` another value")
        elif known is None and (hasattr(builtins, name) or name in {"display", "get_ipython"}):
            self.report(node, EffectClass.REBINDS, f"hides the builtin `{name}`")
        elif name.startswith("__"):
            self.report(node, EffectClass.DYNAMIC, "binds a name of Python's own machinery")
        else:
            self.creates.setdefault(name)

    def unbind(self, name: str, node: ast.AST) -> None:
        """Delete a name."""
        if name in self.scope.env:
            del self.scope.env[name]
            self.creates.pop(name, None)
        elif name in self.names and self.at == 0 and name not in self.own:
            self.rebinds.setdefault(name)
            self.report(node, EffectClass.REBINDS, f"deletes your name `{name}`")
        elif name not in self.own:
            self.report(node, EffectClass.UNKNOWN, "deletes a name of which nothing is known")

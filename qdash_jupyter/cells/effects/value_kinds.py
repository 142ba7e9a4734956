"""What the interpreter knows about a value while it reads code."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Kind(StrEnum):
    """The kinds of values. Everything but `UNKNOWN` is harmless to compute with, print and pass on."""

    MODULE = "module"
    CALLABLE = "callable"
    """A library function, a bound method, or a function defined in the same code; see `Value.callees`."""
    OPAQUE = "opaque"
    """A function made by a library (an interpolator): may be called with data."""
    TABLE = "table"
    """A DataFrame, Series, Index, or a piece of one; other attributes than the listed ones are columns."""
    GROUPED = "grouped"
    ARRAY = "array"
    TEXT = "text"
    SCALAR = "scalar"
    CLASS = "class"
    """What `type(x)` gives: may be compared and named, never called."""
    LIST = "list"
    TUPLE = "tuple"
    SET = "set"
    DICT = "dict"
    ITERATOR = "iterator"
    DRAWING = "drawing"
    RECORD = "record"
    """A result of scipy or a named tuple: its fields are data."""
    CONTEXT = "context"
    COPILOT = "copilot"
    TOOLS = "tools"
    STORE = "store"
    STORED = "stored"
    DATA = "data"
    """Harmless, but of no certain kind: only what is harmless on every kind may be done with it."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Library:
    """A function or class of a library, by its path."""

    path: str


@dataclass(frozen=True, slots=True)
class Method:
    """A bound method."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A function or lambda of the code itself; `scope` is the index of the scope it was defined in."""

    node: ast.FunctionDef | ast.Lambda
    scope: int
    defaults: tuple[Value | None, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Local) and (self.node, self.scope, self.defaults) == (
            other.node,
            other.scope,
            other.defaults,
        )

    def __hash__(self) -> int:
        return hash((id(self.node), self.scope))


Callee: TypeAlias = Library | Method | Local


@dataclass(frozen=True, slots=True)
class Value:
    """What is known about a value.

    `owners` are the names of the user (or of a library) whose object this is or may be a part of; a value without
    owners is fresh, and the code may change it. `cells` are the places in the code where the container was made; what
    is in them stands in the heap, so that two names of one list see the same elements. `texts` are the strings it may
    be, None where that is not known.
    """

    kind: Kind
    owners: frozenset[str] = frozenset()
    callees: frozenset[Callee] = frozenset()
    path: str = ""
    cells: frozenset[int | str] = frozenset()
    items: tuple[Value, ...] | None = None
    texts: frozenset[str] | None = None

    def owned_by(self, owners: frozenset[str]) -> Value:
        """The same, being also part of what belongs to `owners`; numbers and text belong to nobody."""
        if not owners or self.kind in _FREE:
            return self
        return Value(self.kind, self.owners | owners, self.callees, self.path, self.cells, self.items, self.texts)


_FREE = frozenset({Kind.TEXT, Kind.SCALAR, Kind.CLASS, Kind.CALLABLE, Kind.CONTEXT, Kind.UNKNOWN})

UNKNOWN = Value(Kind.UNKNOWN)
SCALAR = Value(Kind.SCALAR)
TEXT = Value(Kind.TEXT)
DATA = Value(Kind.DATA)
TABLE = Value(Kind.TABLE)
ARRAY = Value(Kind.ARRAY)
RECORD = Value(Kind.RECORD)
DRAWING = Value(Kind.DRAWING)


def text(*values: str) -> Value:
    """A string that is one of `values`."""
    return Value(Kind.TEXT, texts=frozenset(values))


def call_of(callee: Callee) -> Value:
    """A function as a value."""
    return Value(Kind.CALLABLE, callees=frozenset({callee}))


def join(*values: Value) -> Value:
    """What is known when it may be any of `values`."""
    if not values:
        return SCALAR
    result = values[0]
    for value in values[1:]:
        result = _join(result, value)
    return result


def _join(a: Value, b: Value) -> Value:
    if a == b:
        return a
    if Kind.UNKNOWN in {a.kind, b.kind}:
        return UNKNOWN
    kind = a.kind if a.kind is b.kind else _either(a.kind, b.kind)
    items = None
    if kind is Kind.TUPLE and a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(_join(x, y) for x, y in zip(a.items, b.items, strict=True))
    elif a.items or b.items:
        # The elements of the two can no longer be told apart: whoever owns one of them owns the whole.
        inner = frozenset[str]().union(*(deep_owners(item) for item in (a.items or ()) + (b.items or ())))
        return Value(
            Kind.DATA, a.owners | b.owners | inner, _inner_callees(a) | _inner_callees(b), "", a.cells | b.cells
        )
    texts = _texts(a, b)
    path = a.path if a.path == b.path else ""
    if kind is Kind.MODULE and not path:
        return UNKNOWN
    return Value(kind, a.owners | b.owners, a.callees | b.callees, path, a.cells | b.cells, items, texts)


def _texts(a: Value, b: Value) -> frozenset[str] | None:
    if any(one.texts is None and one.kind not in {Kind.CALLABLE, Kind.SCALAR, Kind.LIST} for one in (a, b)):
        return None
    if a.kind is b.kind and a.texts is None and b.texts is None:
        return None
    return (a.texts or frozenset()) | (b.texts or frozenset())


def _either(a: Kind, b: Kind) -> Kind:
    both = {a, b}
    # A handle, module or function mixed with something else can no longer be looked after.
    if both & {Kind.MODULE, Kind.COPILOT, Kind.TOOLS, Kind.STORE, Kind.STORED, Kind.CLASS, Kind.OPAQUE}:
        return Kind.SCALAR if both == {Kind.CLASS, Kind.SCALAR} else Kind.UNKNOWN
    if Kind.SCALAR in both:
        # Most often None before the loop that sets it; methods of the other kind fail on a number, which is harmless.
        return (both - {Kind.SCALAR}).pop()
    return Kind.TABLE if both <= {Kind.TABLE, Kind.TEXT} else Kind.DATA


def _inner_callees(value: Value) -> frozenset[Callee]:
    inner = frozenset[Callee]().union(*(_inner_callees(item) for item in value.items or ()))
    return value.callees | inner


def deep_owners(value: Value) -> frozenset[str]:
    """The owners of a value and of the elements of a tuple."""
    return value.owners.union(*(deep_owners(item) for item in value.items or ()))

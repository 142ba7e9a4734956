# ruff: noqa: C901, PLR0911 - a list of rules reads best as a list of branches
"""What an attribute gives: of a library, of the copilot's handles, and of data; and what it would do."""

from __future__ import annotations

import ast
import re

from qdash_jupyter.cells.effects import builtin_names, guards, libraries, methods
from qdash_jupyter.cells.effects.calls import Calls
from qdash_jupyter.cells.effects.dangers import danger_of, danger_of_module, may_be_a_column
from qdash_jupyter.cells.effects.value_kinds import (
    ARRAY,
    DATA,
    DRAWING,
    SCALAR,
    TABLE,
    Kind,
    Library,
    Method,
    Value,
    call_of,
)
from qdash_jupyter.cells.effects.verdict import EffectClass

_E = EffectClass
_TOOLS = re.compile(r"(get|list|generate)_[a-z0-9_]+")
_HANDLE_METHODS = frozenset({"get", "keys", "items", "values"})


class Attributes(Calls):
    """Reads attributes, by the kind of what has them."""

    def handed_on(self, value: Value, node: ast.AST) -> None:
        """A function is named and not called here; `expressions` knows what that may do."""
        raise NotImplementedError

    def library_path(self, value: Value) -> str:
        """The path of a function of a library (`pd.DataFrame`), or nothing."""
        paths = [callee.path for callee in value.callees if isinstance(callee, Library)]
        return paths[0] if len(paths) == 1 and len(value.callees) == 1 else ""

    def library_attribute(self, path: str, name: str, node: ast.Attribute, *, called: bool) -> Value:
        """An attribute of a module, or of a function or class in one."""
        if path.startswith("builtins."):
            if name in builtin_names.UNBOUND.get(path.removeprefix("builtins."), "").split():
                return call_of(Library(f"{path}.{name}"))
            return self.report(node, *(danger_of(name) or (_E.UNKNOWN, "is not on the list of what is harmless")))
        full = f"{path}.{name}"
        if full in libraries.MODULES:
            return Value(Kind.MODULE, path=full)
        if libraries.rule_of(full) is not None:
            value = call_of(Library(full))
            if not called:
                self.handed_on(value, node)
            return value
        if full in libraries.CONSTANTS:
            return ARRAY if full.startswith("numpy.") else SCALAR
        if libraries.is_palette(full):
            return Value(Kind.LIST, frozenset({full}), cells=frozenset({full}))
        danger = danger_of(name, path)
        known = danger_of_module(full)
        if danger is None and known[0] is not _E.UNKNOWN:
            danger = known
        return self.report(node, *(danger or (_E.UNKNOWN, "is not on the list of what is harmless")))

    def handle_attribute(self, value: Value, name: str, node: ast.Attribute, *, called: bool) -> Value:
        """An attribute of `copilot`, its tools or its data."""
        kind = value.kind
        if kind is Kind.COPILOT and name == "data":
            return Value(Kind.STORE, value.owners)
        if kind is Kind.COPILOT and name == "tools":
            return Value(Kind.TOOLS, value.owners)
        if kind is Kind.STORED and name in {"frame", "units", "source"}:
            return TABLE.owned_by(value.owners)
        listed = (
            name in _HANDLE_METHODS
            if kind in {Kind.STORE, Kind.STORED}
            else kind is Kind.TOOLS and _TOOLS.fullmatch(name)
        )
        if listed and called:
            return call_of(Method(value, name))
        return self.report(
            node, *(danger_of(name) or (_E.UNKNOWN, "is an action of the copilot, not a read of its data"))
        )

    def data_attribute(
        self, value: Value, name: str, node: ast.Attribute, *, called: bool, based: bool
    ) -> Value | None:
        """An attribute of data; None where it is not on the list."""
        kind = value.kind
        if name.startswith("_"):
            return None
        plotted = self.plot_accessor(value)
        if plotted is not None:
            return call_of(Method(plotted, "plot")) if name in methods.PLOTTED else None
        if kind in {Kind.CALLABLE, Kind.CLASS, Kind.OPAQUE, Kind.CONTEXT}:
            simple = kind is Kind.OPAQUE and name in (methods.SIMPLE | methods.PURE)
            owned = DATA.owned_by(value.owners)
            return (call_of(Method(owned, name)) if called else ARRAY.owned_by(value.owners)) if simple else None
        if kind is Kind.TABLE and name in methods.ACCESSORS:
            return TABLE
        if kind is Kind.DRAWING and not called and methods.FIGURE_PARTS.fullmatch(name):
            return DRAWING.owned_by(value.owners)
        if (
            name in {"index", "columns", "size", "values", "name", "x", "y", "data", "date", "time"}
            or name in methods.SIMPLE
        ):
            found = self.plain_attribute(value, name, called=called)
            if found is not None:
                return found
        if self.is_method(value, name):
            return self.bound(value, name, node, called=called or (based and name == "plot"))
        if name in methods.SAME and not (name == "data" and kind is not Kind.DRAWING):
            return Value(Kind.TABLE if kind is Kind.DATA else kind, value.owners)
        if kind is Kind.DRAWING and methods.FIGURE_PARTS.fullmatch(name):
            return DRAWING.owned_by(value.owners)
        if kind in {Kind.TABLE, Kind.GROUPED, Kind.RECORD} and may_be_a_column(name):
            return Value(kind, value.owners)
        return None

    def plain_attribute(self, value: Value, name: str, *, called: bool) -> Value | None:
        """Names that are attributes on some kinds and methods on others."""
        kind = value.kind
        if called and self.is_method(value, name):
            return None
        if kind is Kind.DRAWING:
            return DRAWING.owned_by(value.owners) if methods.FIGURE_PARTS.fullmatch(name) else None
        if name == "values" and kind is not Kind.DICT:
            return ARRAY.owned_by(value.owners)
        if name in {"index", "columns"} and kind in {Kind.TABLE, Kind.DATA}:
            return TABLE.owned_by(value.owners)
        if name in methods.SIMPLE:
            return (
                Value(kind, value.owners if kind is Kind.RECORD else frozenset())
                if kind in {Kind.TABLE, Kind.RECORD}
                else SCALAR
            )
        return None

    def plot_accessor(self, value: Value) -> Value | None:
        """The table of `table.plot`."""
        for callee in value.callees:
            if isinstance(callee, Method) and callee.name == "plot" and callee.receiver.kind is not Kind.DRAWING:
                return callee.receiver
        return None

    def is_method(self, value: Value, name: str) -> bool:
        """Whether `name` is a method that may be called on this kind of value."""
        if (
            name in methods.PURE
            or name in methods.CHANGING
            or name in methods.GUARDED
            or name in methods.CHANGES_ARGUMENT
        ):
            return True
        if name == "index":
            return value.kind in {Kind.LIST, Kind.TUPLE, Kind.TEXT}
        if name == "plot":
            return True
        return value.kind in {Kind.DRAWING, Kind.DATA} and methods.is_drawing(name)

    def bound(self, value: Value, name: str, node: ast.Attribute, *, called: bool) -> Value:
        """A bound method. One that is handed on, not called here, must be harmless with any arguments."""
        method = Method(value, name)
        if not called:
            if name == "format" and value.kind is Kind.TEXT:
                guards.template(self, value, node)
            elif (
                name in methods.GUARDED
                or name in methods.CHANGES_ARGUMENT
                or (name in methods.POSITIONAL and value.kind is Kind.ARRAY)
            ):
                self.report(node, _E.UNKNOWN, "hands on a method whose arguments cannot be read beforehand")
            elif self.changes(value, name):
                self.mutate(value, node)
        return call_of(method)

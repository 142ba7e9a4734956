# ruff: noqa: PLR0911 - a list of rules reads best as a list of branches
# ruff: noqa: D102 - one method a node of the syntax tree, named after it
"""Reads expressions: what they give, and what they would do."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from typing import Any

from qdash_jupyter.cells.effects import libraries
from qdash_jupyter.cells.effects.attributes import Attributes
from qdash_jupyter.cells.effects.call_reader import Arguments
from qdash_jupyter.cells.effects.calls import DATA_KEY
from qdash_jupyter.cells.effects.dangers import MODULES, danger_of
from qdash_jupyter.cells.effects.interpreter_state import Scope
from qdash_jupyter.cells.effects.value_kinds import (
    ARRAY,
    SCALAR,
    TABLE,
    TEXT,
    UNKNOWN,
    Kind,
    Library,
    Local,
    Value,
    join,
    text,
)
from qdash_jupyter.cells.effects.verdict import EffectClass

_E = EffectClass
_REMOTE_TRACES = re.compile(r"(scatter|density|choropleth)(map(box)?|geo)|choropleth|https?://\S+\.(png|jpe?g|gif|svg)")
_INSIDE = {Kind.LIST, Kind.TUPLE, Kind.SET, Kind.DICT, Kind.ITERATOR}
_WALKED = _INSIDE | {
    Kind.TABLE,
    Kind.GROUPED,
    Kind.ARRAY,
    Kind.TEXT,
    Kind.DRAWING,
    Kind.RECORD,
    Kind.STORE,
    Kind.STORED,
    Kind.DATA,
}


class Expressions(Attributes):
    """Reads expressions; one method a node, named after it."""

    deferred: list[tuple[ast.GeneratorExp, int]]

    def eval(self, node: ast.expr | None, *, called: bool = False, based: bool = False) -> Value:
        """What an expression gives. `called`: it is what a call calls, so a bound method is not handed on.

        `based`: an attribute or item of it is taken.
        """
        if node is None:
            return SCALAR
        self.step()
        if isinstance(node, ast.Attribute):
            return self.read_attribute(node, called=called, based=based)
        read: Callable[[Any], Value] | None = getattr(self, f"read_{type(node).__name__.lower()}", None)
        if read is None:
            return self.report(node, _E.UNKNOWN, "is an expression whose effects are not known")
        value = read(node)
        if isinstance(node, ast.Name) and not called and not based:
            self.handed_on(value, node)
        return value

    def handed_on(self, value: Value, node: ast.AST) -> None:
        """A function is used as a value: it must be harmless whatever it is called with later."""
        for callee in value.callees:
            if isinstance(callee, Library):
                rule = libraries.rule_of(callee.path)
                if rule is not None and rule.changes is not None:
                    self.report(node, _E.UNKNOWN, "hands on a function that changes its argument")

    # --- simple --------------------------------------------------------------------------------------------------
    def read_constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, str):
            if _REMOTE_TRACES.fullmatch(node.value):
                return self.report(node, _E.DISPLAY, "displays something that is fetched from outside")
            return text(node.value)
        return SCALAR

    def read_name(self, node: ast.Name) -> Value:
        return self.lookup(node.id, node)

    def read_joinedstr(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            self.eval(part)
        return TEXT

    def read_formattedvalue(self, node: ast.FormattedValue) -> Value:
        self.eval(node.value)
        self.eval(node.format_spec)
        return TEXT

    def read_boolop(self, node: ast.BoolOp) -> Value:
        return join(*(self.eval(value) for value in node.values))

    def read_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        return SCALAR if isinstance(node.op, ast.Not) and value.kind is not Kind.UNKNOWN else Value(value.kind)

    def read_binop(self, node: ast.BinOp) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        return self.operated(left, right, node)

    def operated(self, left: Value, right: Value, node: ast.AST) -> Value:
        """The result of an operator."""
        kinds = {left.kind, right.kind}
        if Kind.UNKNOWN in kinds:
            return UNKNOWN
        if kinds & {Kind.LIST, Kind.TUPLE, Kind.SET, Kind.DICT}:
            inside = [self.inner(one) for one in (left, right) if one.kind in _INSIDE]
            kind = next(one.kind for one in (left, right) if one.kind in _INSIDE)
            if kinds & {Kind.TABLE, Kind.ARRAY}:
                return TABLE if Kind.TABLE in kinds else ARRAY
            return self.made(kind, node, inside)
        for kind in (Kind.TABLE, Kind.ARRAY, Kind.TEXT, Kind.DATA, Kind.RECORD):
            if kind in kinds:
                return Value(kind)
        return SCALAR

    def read_compare(self, node: ast.Compare) -> Value:
        values = [self.eval(node.left), *(self.eval(value) for value in node.comparators)]
        kinds = {value.kind for value in values}
        if Kind.UNKNOWN in kinds:
            return UNKNOWN
        if all(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops):
            return SCALAR
        return TABLE if Kind.TABLE in kinds else ARRAY if Kind.ARRAY in kinds else SCALAR

    def read_ifexp(self, node: ast.IfExp) -> Value:
        self.eval(node.test)
        return join(self.eval(node.body), self.eval(node.orelse))

    def read_namedexpr(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        before = self.at
        while self.scope.comprehension and self.scope.parent is not None:
            self.at = self.scope.parent
        self.bind(node.target.id, value, node)
        self.at = before
        return value

    def read_starred(self, node: ast.Starred) -> Value:
        return self.element(self.eval(node.value), node)

    def read_slice(self, node: ast.Slice) -> Value:
        parts = [self.eval(part) for part in (node.lower, node.upper, node.step)]
        return join(SCALAR, *parts)

    def local(self, node: ast.FunctionDef | ast.Lambda) -> Local:
        """A function of the code; its defaults are read where it is defined."""
        spec = node.args
        positional = [*spec.posonlyargs, *spec.args]
        blank: list[Value | None] = [None] * (len(positional) - len(spec.defaults))
        defaults = [*blank, *(self.eval(one) for one in spec.defaults)]
        defaults += [None if one is None else self.eval(one) for one in spec.kw_defaults]
        return Local(node, self.at, tuple(defaults))

    def read_yield(self, node: ast.Yield) -> Value:
        self.scope.yielded.append(self.eval(node.value))
        return SCALAR

    def read_yieldfrom(self, node: ast.YieldFrom) -> Value:
        self.scope.yielded.append(self.element(self.eval(node.value), node))
        return SCALAR

    # --- containers ----------------------------------------------------------------------------------------------
    def read_list(self, node: ast.List) -> Value:
        return self.made(Kind.LIST, node, [self.eval(one) for one in node.elts])

    def read_set(self, node: ast.Set) -> Value:
        return self.made(Kind.SET, node, [self.eval(one) for one in node.elts])

    def read_tuple(self, node: ast.Tuple) -> Value:
        values = [self.eval(one) for one in node.elts]
        if any(isinstance(one, ast.Starred) for one in node.elts):
            return self.made(Kind.TUPLE, node, values)
        return self.flat(Value(Kind.TUPLE, items=tuple(values)))

    def read_dict(self, node: ast.Dict) -> Value:
        inside = []
        for key, value in zip(node.keys, node.values, strict=True):
            found = self.eval(value)
            if key is None:
                inside.append(self.inner(found))
                continue
            if isinstance(key, ast.Constant) and key.value == "images":
                self.report(key, _E.DISPLAY, "displays something that is fetched from outside")
            self.eval(key)
            inside.append(found)
        return self.made(Kind.DICT, node, inside)

    def read_listcomp(self, node: ast.ListComp) -> Value:
        return self.comprehension(Kind.LIST, node, node.generators, [node.elt])

    def read_setcomp(self, node: ast.SetComp) -> Value:
        return self.comprehension(Kind.SET, node, node.generators, [node.elt])

    def read_dictcomp(self, node: ast.DictComp) -> Value:
        return self.comprehension(Kind.DICT, node, node.generators, [node.key, node.value])

    def read_generatorexp(self, node: ast.GeneratorExp) -> Value:
        # Its body runs later than here, when names may stand for other things: it is read again at the end.
        self.deferred.append((node, self.at))
        return self.comprehension(Kind.ITERATOR, node, node.generators, [node.elt])

    def comprehension(
        self, kind: Kind, node: ast.expr, generators: list[ast.comprehension], parts: list[ast.expr]
    ) -> Value:
        """A comprehension: a scope of its own, read twice, so that what one round does is seen by the next."""
        self.scopes.append(Scope(self.at, comprehension=True))
        before, self.at = self.at, len(self.scopes) - 1
        values: list[Value] = []
        try:
            for _ in range(2):
                for generator in generators:
                    if generator.is_async:
                        return self.report(node, _E.UNKNOWN, "runs asynchronously")
                    self.assign(generator.target, self.element(self.eval(generator.iter), generator.iter))
                    for test in generator.ifs:
                        self.eval(test)
                values.append([self.eval(part) for part in parts][-1])
        finally:
            self.at = before
        return self.made(kind, node, values)

    def assign(self, target: ast.expr, value: Value) -> None:
        """Bind a target; `statements` knows how."""
        raise NotImplementedError

    def element(self, value: Value, node: ast.AST) -> Value:
        """What walking over a value gives."""
        kind = value.kind
        if kind is Kind.UNKNOWN:
            return UNKNOWN
        if kind is Kind.DICT:
            return DATA_KEY
        if kind in _INSIDE:
            return self.inner(value)
        if kind is Kind.GROUPED:
            return Value(Kind.TUPLE, items=(TABLE, TABLE))
        if kind in {Kind.STORE, Kind.STORED}:
            return TEXT
        if kind in _WALKED or kind is Kind.SCALAR:
            return Value(kind, value.owners)
        return self.report(node, _E.UNKNOWN, "walks over something that cannot be resolved")

    # --- subscripts and attributes -------------------------------------------------------------------------------
    def read_subscript(self, node: ast.Subscript) -> Value:
        value, key = self.eval(node.value, based=True), self.eval(node.slice)
        kind = value.kind
        if Kind.UNKNOWN in {kind, key.kind}:
            return UNKNOWN
        if any(isinstance(callee, Local) for callee in key.callees):
            self.hand_on([key], Value(kind), self.reach(value), node)
        if kind is Kind.STORE:
            return Value(Kind.STORED, value.owners)
        if kind is Kind.STORED:
            return TABLE.owned_by(value.owners)
        if kind in _INSIDE:
            return self.item(value, node)
        if kind in {Kind.TABLE, Kind.ARRAY} and _selects(node.slice, key):
            return Value(kind)
        if kind in _WALKED or kind is Kind.SCALAR:
            return Value(kind, value.owners)
        if kind in {Kind.MODULE, Kind.CALLABLE} and value.path in {"numpy.c_", "numpy.r_", "numpy.mgrid"}:
            return ARRAY
        return self.report(node, _E.UNKNOWN, "reads a part of something that cannot be resolved")

    def item(self, value: Value, node: ast.Subscript) -> Value:
        """An element, or a slice, of a container."""
        if isinstance(node.slice, ast.Slice):
            return self.made(value.kind, node, [self.inner(value)])
        place = node.slice
        if value.items is not None and isinstance(place, ast.Constant) and isinstance(place.value, int):
            return value.items[place.value] if -len(value.items) <= place.value < len(value.items) else SCALAR
        return self.inner(value)

    def read_attribute(self, node: ast.Attribute, *, called: bool = False, based: bool = False) -> Value:
        value = self.eval(node.value, based=True)
        name = node.attr
        if value.kind is Kind.UNKNOWN:
            # Why it is unknown is written down already; only what is graver is added.
            return (
                self.report(node, *MODULES[name])
                if name in MODULES and isinstance(node.value, ast.Attribute)
                else UNKNOWN
            )
        if value.kind is Kind.CLASS and name in {"__name__", "__qualname__"}:
            return TEXT
        if value.kind is Kind.MODULE or self.library_path(value):
            return self.library_attribute(value.path or self.library_path(value), name, node, called=called or based)
        if value.kind in {Kind.COPILOT, Kind.TOOLS, Kind.STORE, Kind.STORED}:
            return self.handle_attribute(value, name, node, called=called)
        found = self.data_attribute(value, name, node, called=called, based=based)
        if found is not None:
            return found
        danger = danger_of(name) or (_E.UNKNOWN, "is an attribute whose effects are not known")
        return self.report(node, *danger)

    # --- calls ---------------------------------------------------------------------------------------------------
    def read_call(self, node: ast.Call) -> Value:
        function = self.eval(node.func, called=True)
        if function.kind is Kind.UNKNOWN and _reads(node.func) and any(_is_address(one) for one in node.args):
            self.report(node, _E.NETWORK, "reads from another machine")
        if function.callees == {Library("builtins.print")} and any(keyword.arg == "file" for keyword in node.keywords):
            self.report(node, _E.FILES, "prints into something else than the cell's output")
        return self.call(function, self.arguments(node), node)

    def arguments(self, node: ast.Call) -> Arguments:
        """The values of all arguments."""
        args = Arguments()
        for one in node.args:
            if isinstance(one, ast.Starred):
                value = self.eval(one)
                args.starred = value if args.starred is None else join(args.starred, value)
            elif args.starred is not None:
                args.starred = join(args.starred, self.eval(one))
            else:
                args.positional.append(self.eval(one))
        for keyword in node.keywords:
            if keyword.arg is not None:
                args.keywords[keyword.arg] = self.eval(keyword.value)
                if isinstance(keyword.value, ast.Constant) and keyword.value.value is False:
                    args.false |= {keyword.arg}
            elif isinstance(keyword.value, ast.Dict) and all(
                isinstance(key, ast.Constant) for key in keyword.value.keys
            ):
                for key, part in zip(keyword.value.keys, keyword.value.values, strict=True):
                    args.keywords[str(getattr(key, "value", ""))] = self.eval(part)
            else:
                value = self.eval(keyword.value)
                args.unsure = value if args.unsure is None else join(args.unsure, value)
        return args


def _reads(function: ast.expr) -> bool:
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    return name.startswith("read_") or name in {"loadtxt", "genfromtxt"}


def _is_address(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.match(r"[a-z0-9]+://", node.value) is not None
    )


def _selects(place: ast.expr, key: Value) -> bool:
    """Whether a subscript picks rows or columns by a list or a mask, which copies."""
    if isinstance(place, ast.Tuple):
        return any(
            _selects(one, part) for one, part in zip(place.elts, key.items or (SCALAR,) * len(place.elts), strict=False)
        )
    if key.kind in {Kind.LIST, Kind.ARRAY}:
        return True
    return key.kind is Kind.TABLE and (isinstance(place, (ast.Compare, ast.BinOp, ast.UnaryOp)) or _copies_on_write())


def _copies_on_write() -> bool:
    """Whether pandas never lets a part of a table change the table (3.0 and later)."""
    version = getattr(sys.modules.get("pandas"), "__version__", "0")
    return int(version.split(".")[0]) >= 3  # noqa: PLR2004

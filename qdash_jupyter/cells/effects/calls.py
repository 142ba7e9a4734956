# ruff: noqa: C901, D102, PLR0911, PLR0912 - a list of rules reads best as a list of branches
"""What a call does: functions of libraries, methods, and functions of the code itself."""

from __future__ import annotations

import ast

from qdash_jupyter.cells.effects import builtin_names, guards, libraries, methods
from qdash_jupyter.cells.effects.call_reader import Arguments, CallReader
from qdash_jupyter.cells.effects.interpreter_state import Scope
from qdash_jupyter.cells.effects.libraries import Rule
from qdash_jupyter.cells.effects.value_kinds import (
    ARRAY,
    DATA,
    DRAWING,
    RECORD,
    SCALAR,
    TABLE,
    TEXT,
    UNKNOWN,
    Callee,
    Kind,
    Library,
    Local,
    Method,
    Value,
    call_of,
    join,
)
from qdash_jupyter.cells.effects.verdict import EffectClass

_E = EffectClass
_DEEPEST = 12
_TABLES = frozenset({Kind.TABLE, Kind.GROUPED, Kind.TEXT, Kind.RECORD})
NAMED_TUPLE = "namedtuple"
PARTIAL = "<partial>"
_HANDLES = frozenset({Kind.STORE, Kind.STORED})


class Calls(CallReader):
    """Reads calls."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.stack: list[Local] = []
        self.escaped: dict[Local, tuple[Value, frozenset[str]]] = {}
        self.seen: set[int] = set()
        self.raised: frozenset[str] = frozenset()
        """Owners of what exceptions carry that the code itself makes."""

    def body(self, local: Local) -> Value:
        """Read the body of a function in the present scope, and say what it returns."""
        raise NotImplementedError

    # --- entry ---------------------------------------------------------------------------------------------------
    def call(self, function: Value, args: Arguments, node: ast.AST) -> Value:
        """What calling `function` gives."""
        self.step()
        if function.kind is Kind.UNKNOWN or any(value.kind is Kind.UNKNOWN for value in args.all()):
            return UNKNOWN
        if function.callees:
            results = [self.call_one(callee, args, node) for callee in sorted(function.callees, key=repr)]
            return join(*results)
        if function.kind is Kind.OPAQUE:
            self.hand_on(args.all(), ARRAY, frozenset(), node)
            held = frozenset[str]().union(*(self.reach(value) for value in args.all()))
            return RECORD.owned_by(held) if function.path == NAMED_TUPLE else RECORD
        return self.report(node, _E.UNKNOWN, "calls something that cannot be resolved")

    def call_one(self, callee: Callee, args: Arguments, node: ast.AST) -> Value:
        if isinstance(callee, Local):
            return self.call_local(callee, args)
        if isinstance(callee, Method):
            return self.call_method(callee.receiver, callee.name, args, node)
        if callee.path.startswith("builtins."):
            return self.call_builtin(callee.path.removeprefix("builtins."), args, node)
        return self.call_library(callee.path, args, node)

    # --- functions of the code -----------------------------------------------------------------------------------
    def call_local(self, local: Local, args: Arguments) -> Value:
        owners = frozenset[str]().union(*(self.reach(value) for value in args.all()))
        if local in self.stack or len(self.stack) > _DEEPEST:
            # A recursion: its arguments may be anything that is passed to it, and it may return anything it sees.
            if local not in self.escaped:
                self.escape(local, DATA, owners)
            return DATA.owned_by(owners | frozenset(self.reads))
        result = self.enter(local, args, None)
        if _generates(local.node):
            self.remember(local, DATA, owners)
        return result

    def enter(self, local: Local, args: Arguments, every: Value | None) -> Value:
        """Read the body with these arguments, or with `every` for each parameter."""
        self.seen.add(id(local.node))
        before = self.at
        self.scopes.append(Scope(local.scope))
        self.at = len(self.scopes) - 1
        self.stack.append(local)
        try:
            self.bind_parameters(local, args, every)
            return self.body(local)
        finally:
            self.stack.pop()
            self.at = before

    def bind_parameters(self, local: Local, args: Arguments, every: Value | None) -> None:
        spec = local.node.args
        names = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
        given = list(args.positional)
        loose = [value for value in (args.starred, args.unsure) if value is not None]
        for i, (parameter, default) in enumerate(zip(names, local.defaults, strict=True)):
            choices = [default] if default is not None else []
            if every is not None:
                choices.append(every)
            elif i < len(given) and i < len(names) - len(spec.kwonlyargs):
                choices = [given[i]]
            elif parameter.arg in args.keywords:
                choices = [args.keywords[parameter.arg]]
            else:
                choices += [self.inner(value) if value is args.unsure else value for value in loose]
            self.bind(parameter.arg, join(*choices), parameter)
        rest = given[len(names) - len(spec.kwonlyargs) :] + loose + ([every] if every is not None else [])
        if spec.vararg:
            self.bind(spec.vararg.arg, self.made(Kind.LIST, spec.vararg, rest), spec.vararg)
        if spec.kwarg:
            known = {parameter.arg for parameter in names}
            more = [value for name, value in args.keywords.items() if name not in known]
            more += [every] if every is not None else []
            more += [self.inner(args.unsure)] if args.unsure is not None else []
            self.bind(spec.kwarg.arg, self.made(Kind.DICT, spec.kwarg, more), spec.kwarg)

    def remember(self, local: Local, kind: Value, owners: frozenset[str]) -> None:
        """The function runs at some later time: it is read again at the end, with every value its names ever had."""
        before, had = self.escaped.get(local, (kind, frozenset[str]()))
        self.escaped[local] = (join(before, kind), had | owners)

    def escape(self, local: Local, kind: Value, owners: frozenset[str]) -> None:
        """The function is given to a library, which calls it with values of `kind`."""
        self.remember(local, kind, owners)
        if local not in self.stack:
            self.enter(local, Arguments(), kind.owned_by(owners))

    def functions_in(self, value: Value) -> set[Callee]:
        """Every function in a value, containers included."""
        found: set[Callee] = set()
        seen: set[object] = set()
        todo = [value]
        while todo:
            one = todo.pop()
            found |= one.callees
            todo += one.items or ()
            for cell in one.cells - seen:
                seen.add(cell)
                if cell in self.heap:
                    todo.append(self.heap[cell])
        return found

    def hand_on(self, values: list[Value], kind: Value, owners: frozenset[str], node: ast.AST) -> None:
        """A library gets these values: functions among them will be called with data of `kind`."""
        owners = owners.union(*(self.reach(value) for value in values))
        for value in values:
            for callee in sorted(self.functions_in(value), key=repr):
                if isinstance(callee, Local):
                    self.escape(callee, kind, owners)
                elif isinstance(callee, Library):
                    rule = libraries.rule_of(callee.path)
                    others = [one for one in values if one is not value]
                    written = any(self.reach(one) for one in others)
                    if rule is not None and rule.positional is not None and written and not guards.along_axis(node):
                        self.report(node, _E.MUTATES, f"may write the result of {callee.path} into its arguments")

    # --- libraries -----------------------------------------------------------------------------------------------
    def call_library(self, path: str, args: Arguments, node: ast.AST) -> Value:
        rule = libraries.rule_of(path)
        if rule is None:
            return self.report(node, _E.UNKNOWN, f"calls {path}, whose effects are not known")
        self.check_arguments(path, args, rule, node)
        special = guards.library(self, path, args, node)
        if special is not None:
            return special
        everything = args.all()
        self.hand_on(everything, guards.callback_kind(path), frozenset(), node)
        owners = frozenset[str]().union(*(self.reach(value) for value in everything))
        if rule.changes is not None and everything:
            changed = everything[0]
            self.mutate(changed, node)
            for value in everything[1:]:
                self.put(changed, value)
        shared = rule.view or "copy" in args.keywords
        result = Value(rule.gives, owners if shared and guards.shares(self, path, args) else frozenset())
        if not rule.keeps:
            return result
        inside = [self.inner(value) for value in everything] + everything
        kept = [value for value in inside if value.kind not in {Kind.SCALAR, Kind.TEXT}] or [SCALAR]
        if rule.gives in {Kind.DATA, Kind.OPAQUE}:
            return join(DATA, *kept).owned_by(owners) if rule.gives is Kind.DATA else result
        made = self.made(rule.gives, node, guards.elements(self, path, args, kept, node))
        return made.owned_by(owners) if rule.view else made

    def check_arguments(self, path: str, args: Arguments, rule: Rule, node: ast.AST) -> None:
        guards.keywords(self, path, args, node)
        if args.unsure is not None and not rule.any_keywords and rule.gives is not Kind.DRAWING:
            self.report(node, _E.UNKNOWN, "passes keywords that cannot be read beforehand")
        if rule.positional is not None:
            for value in args.positional[rule.positional :]:
                if value.owners:
                    self.mutate(value, node)
            if args.starred is not None and self.reach(args.starred):
                self.report(node, _E.UNKNOWN, "passes arguments of which one may be written into")

    # --- builtins ------------------------------------------------------------------------------------------------
    def call_builtin(self, name: str, args: Arguments, node: ast.AST) -> Value:
        owners = frozenset[str]().union(*(self.reach(value) for value in args.all()))
        if name in builtin_names.EXCEPTIONS:
            self.raised |= owners
            return RECORD.owned_by(owners)
        if name == "dict.fromkeys":
            return self.made(Kind.DICT, node, args.positional[1:] or [SCALAR])
        if "." in name:
            return DATA.owned_by(owners)
        if args.unsure is not None and name != "dict":
            return self.report(node, _E.UNKNOWN, "passes keywords that cannot be read beforehand")
        return guards.builtin(self, name, args, node)

    def call_partial(self, bound: Value, args: Arguments, node: ast.AST) -> Value:
        """A call of `functools.partial(...)`: which value meets which parameter is not followed, all meet all."""
        function, *values = bound.items or (UNKNOWN,)
        return self.call(function, Arguments(starred=join(*values, *args.all())), node)

    # --- methods -------------------------------------------------------------------------------------------------
    def call_method(self, receiver: Value, name: str, args: Arguments, node: ast.AST) -> Value:
        if receiver.kind in _HANDLES or receiver.kind is Kind.TOOLS:
            return guards.handle(self, receiver, name, args, node)
        if name == PARTIAL:
            return self.call_partial(receiver, args, node)
        guards.keywords(self, name, args, node)
        drawing = receiver.kind is Kind.DRAWING
        if args.unsure is not None and not drawing:
            self.report(node, _E.UNKNOWN, "passes keywords that cannot be read beforehand")
        if "inplace" in args.keywords and "inplace" not in args.false:
            self.mutate(receiver, node)
        changes = self.changes(receiver, name)
        if changes:
            self.mutate(receiver, node)
            for value in args.all():
                self.put(receiver, self.flat(value))
                if name in {"extend", "update", "extendleft"}:
                    self.put(receiver, self.inner(value))
        argument = methods.CHANGES_ARGUMENT.get(name)
        if argument is not None:
            self.mutate(args.first(), node)
        limit = methods.POSITIONAL.get(name)
        if limit is not None:
            for value in args.positional[limit:]:
                if value.owners:
                    self.mutate(value, node)
        if not guards.method(self, receiver, name, args, node):
            return UNKNOWN
        if name == "pipe":
            passed = Arguments([receiver, *args.positional[1:]], args.keywords, args.false, args.starred)
            return self.call(args.first(), passed, node)
        kind = DRAWING if drawing else TABLE if receiver.kind in {Kind.TABLE, Kind.GROUPED} else DATA
        self.hand_on(args.all(), kind, self.reach(receiver), node)
        return self.method_result(receiver, name, args, node)

    def changes(self, receiver: Value, name: str) -> bool:
        """Whether the method changes its object."""
        if receiver.kind in _TABLES and name in methods.ON_TABLES:
            return False
        if name in methods.CHANGING:
            return True
        return receiver.kind in {Kind.DRAWING, Kind.DATA} and methods.is_drawing(name) and name not in methods.PURE

    def method_result(self, receiver: Value, name: str, args: Arguments, node: ast.AST) -> Value:
        kind, owners = receiver.kind, receiver.owners
        if kind in {Kind.LIST, Kind.SET, Kind.DICT, Kind.TUPLE, Kind.ITERATOR}:
            return self.container_method(receiver, name, args, node)
        if kind is Kind.DRAWING:
            return DRAWING.owned_by(owners)
        if kind is Kind.GROUPED and name in {"rolling", "resample", "expanding", "ewm"}:
            return receiver
        if kind is Kind.TABLE and name in {"items", "iterrows"}:
            row = TABLE.owned_by(owners)
            return self.made(Kind.ITERATOR, node, [Value(Kind.TUPLE, items=(TABLE, row))])
        if name == "itertuples":
            return self.made(Kind.ITERATOR, node, [RECORD])
        gives = methods.GIVES.get(name)
        if gives is Kind.TEXT and kind is Kind.TABLE and not name.startswith("to_"):
            gives = None  # `.str` and `.dt` of a column
        if kind is Kind.TEXT and name not in methods.GIVES:
            return TEXT
        base = Value(gives) if gives is not None else Value(Kind.TABLE if kind is Kind.GROUPED else kind)
        if gives is Kind.LIST or gives is Kind.DICT:
            scalar = TEXT if kind is Kind.TEXT else TABLE if kind is Kind.TABLE else DATA
            return self.made(gives, node, [scalar])
        # `copy(False)`, `copy(deep=flag)`, `astype(float, False)`
        loose = len(args.positional) > (1 if name == "astype" else 0) and name in {"copy", "astype"}
        shared = name in methods.VIEWS or loose or {"copy", "deep"} & args.keywords.keys()
        return base.owned_by(self.reach(receiver)) if shared else base

    def container_method(self, receiver: Value, name: str, args: Arguments, node: ast.AST) -> Value:
        inner = self.inner(receiver)
        if name in {"items", "most_common"} and receiver.kind is Kind.DICT:
            return self.made(Kind.ITERATOR, node, [Value(Kind.TUPLE, items=(DATA_KEY, inner))])
        if name == "keys":
            return self.made(Kind.ITERATOR, node, [DATA_KEY])
        if name in {"values", "elements"}:
            return self.made(Kind.ITERATOR, node, [inner])
        if name in {"get", "pop", "setdefault", "popleft"}:
            return join(inner, *args.positional[1:]) if args.positional[1:] else inner
        if name == "popitem":
            return Value(Kind.TUPLE, items=(DATA_KEY, inner))
        if name in {"copy", "union", "intersection", "difference", "symmetric_difference"}:
            return self.made(receiver.kind, node, [inner, *(self.inner(value) for value in args.positional)])
        if name in {"index", "count", "isdisjoint", "issubset", "issuperset", "total"}:
            return SCALAR
        return DATA.owned_by(self.reach(receiver)) if name in methods.VIEWS else DATA


DATA_KEY = Value(Kind.TABLE)
"""A key of a dict: text, a number, or a tuple of such."""


def _generates(node: ast.AST) -> bool:
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(node))


__all__ = ["Arguments", "Calls", "call_of"]

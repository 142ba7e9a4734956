# ruff: noqa: D102 - one method a node of the syntax tree, named after it
"""Reads statements in order, following what each name stands for."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from qdash_jupyter.cells.effects import libraries
from qdash_jupyter.cells.effects.call_reader import Arguments
from qdash_jupyter.cells.effects.dangers import danger_of, danger_of_module
from qdash_jupyter.cells.effects.expressions import Expressions
from qdash_jupyter.cells.effects.value_kinds import (
    DATA,
    SCALAR,
    TABLE,
    UNKNOWN,
    Kind,
    Library,
    Local,
    Value,
    call_of,
    join,
)
from qdash_jupyter.cells.effects.verdict import EffectClass

_E = EffectClass
_ROUNDS = 5
Env = dict[str, Value]


class Statements(Expressions):
    """Reads statements; one method a node, named after it."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.deferred = []
        self.defined: dict[int, Local] = {}

    def run(self, body: list[ast.stmt]) -> None:
        """Read statements one after the other."""
        for node in body:
            self.step()
            read: Callable[[Any], None] | None = getattr(self, f"do_{type(node).__name__.lower()}", None)
            if read is None:
                self.report(node, _E.UNKNOWN, "is a statement whose effects are not known")
            else:
                read(node)

    def finish(self) -> None:
        """Read again what runs later than where it stands, with every value that its names ever had."""
        for _ in range(_ROUNDS):
            before = (self.version, len(self.escaped), len(self.reasons))
            for scope in self.scopes:
                scope.env = dict(scope.history)
            for local, (kind, owners) in list(self.escaped.items()):
                self.enter(local, Arguments(), kind.owned_by(owners))
            for node, at in list(self.deferred):
                self.at = at
                self.comprehension(Kind.ITERATOR, node, node.generators, [node.elt])
            self.at = 0
            for local in self.defined.values():
                if id(local.node) not in self.seen:
                    self.enter(local, Arguments(), TABLE)
            if before == (self.version, len(self.escaped), len(self.reasons)):
                break

    def later(self, function: Value, values: list[Value]) -> None:
        """`map` and `filter` call their function when they are walked."""
        owners = frozenset[str]().union(*(self.reach(value) for value in values))
        for callee in function.callees:
            if isinstance(callee, Local):
                self.remember(callee, join(*values), owners)

    def body(self, local: Local) -> Value:
        """Read the body of a function; gives what it returns."""
        scope = self.scope
        if isinstance(local.node, ast.Lambda):
            return self.eval(local.node.body)
        self.run(local.node.body)
        if any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(local.node)):
            return self.made(Kind.ITERATOR, local.node, scope.yielded)
        return join(*scope.returned)

    # --- binding -------------------------------------------------------------------------------------------------
    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value, target)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, self.made(Kind.LIST, target, [value]))
        elif isinstance(target, (ast.Tuple, ast.List)):
            exact = value.items is not None and len(value.items) == len(target.elts)
            exact = exact and not any(isinstance(one, ast.Starred) for one in target.elts)
            every = value if exact else self.element(value, target)
            for i, one in enumerate(target.elts):
                self.assign(one, value.items[i] if exact and value.items else every)
        elif isinstance(target, ast.Subscript):
            base = self.eval(target.value, based=True)
            self.eval(target.slice)
            self.mutate(base, target, self.flat(value))
        elif isinstance(target, ast.Attribute):
            base = self.eval(target.value, based=True)
            if target.attr.startswith("_") or base.kind is Kind.CONTEXT:
                self.report(target, *(danger_of(target.attr) or (_E.UNKNOWN, "changes the inside of an object")))
            self.mutate(base, target, self.flat(value))

    def do_assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_annassign(self, node: ast.AnnAssign) -> None:
        self.eval(node.annotation)
        if node.value is not None:
            self.assign(node.target, self.eval(node.value))

    def do_augassign(self, node: ast.AugAssign) -> None:
        load = ast.copy_location(_loaded(node.target), node.target)
        before, value = self.eval(load), self.eval(node.value)
        if before.kind in {
            Kind.LIST,
            Kind.SET,
            Kind.DICT,
            Kind.ARRAY,
            Kind.TABLE,
            Kind.DATA,
            Kind.DRAWING,
            Kind.ITERATOR,
        }:
            self.mutate(
                before, node, self.inner(value) if value.kind in {Kind.LIST, Kind.TUPLE, Kind.SET, Kind.DICT} else None
            )
            result = before
        else:
            result = self.operated(before, value, node)
        self.assign(node.target, result)

    def do_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.unbind(target.id, target)
            elif isinstance(target, (ast.Subscript, ast.Attribute)):
                self.mutate(self.eval(target.value, based=True), target)
            else:
                self.report(target, _E.UNKNOWN, "deletes something that cannot be resolved")

    # --- imports -------------------------------------------------------------------------------------------------
    def do_import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name not in libraries.MODULES:
                self.report(node, *danger_of_module(alias.name))
                self.bind(alias.asname or alias.name.split(".")[0], UNKNOWN, node)
            else:
                path = alias.name if alias.asname else alias.name.split(".")[0]
                self.bind(alias.asname or path, Value(Kind.MODULE, path=path), node)

    def do_importfrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        for alias in node.names:
            self.bind_import(module, alias, node)

    def bind_import(self, module: str, alias: ast.alias, node: ast.ImportFrom) -> None:
        full, name = f"{module}.{alias.name}", alias.asname or alias.name
        if alias.name == "*" or node.level:
            self.report(node, _E.UNKNOWN, "imports names that cannot be read beforehand")
            return
        if full == "IPython.display.display":
            value = call_of(Library("builtins.display"))
            self.scope.env[name] = value
            self.scope.history[name] = value
            return
        if full in libraries.MODULES:
            value = Value(Kind.MODULE, path=full)
        elif module in libraries.MODULES and libraries.rule_of(full) is not None:
            value = call_of(Library(full))
        elif module in libraries.MODULES and full in libraries.CONSTANTS:
            if module == "__future__":
                return
            value = SCALAR
        else:
            danger = danger_of_module(module)
            named = danger_of(alias.name, module) if danger[0] is _E.UNKNOWN or module in libraries.MODULES else None
            value = self.report(node, *(named or danger))
        self.bind(name, value, node)

    # --- flow ----------------------------------------------------------------------------------------------------
    def merge(self, *envs: Env) -> Env:
        """The names after one of several ways was taken."""
        merged: Env = {}
        for name in dict.fromkeys(name for env in envs for name in env):
            merged[name] = join(*(env[name] for env in envs if name in env))
        return merged

    def branch(self, *bodies: list[ast.stmt]) -> None:
        """Read each body from the same start, and merge."""
        before = self.scope.env
        ends = []
        for body in bodies:
            self.scope.env = dict(before)
            self.run(body)
            ends.append(self.scope.env)
        self.scope.env = self.merge(*ends)

    def do_expr(self, node: ast.Expr) -> None:
        self.eval(node.value)

    def do_if(self, node: ast.If) -> None:
        self.eval(node.test)
        self.branch(node.body, node.orelse)

    def loop(self, start: Callable[[], None], body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        """Read a loop until one more round tells nothing new."""
        for _ in range(_ROUNDS):
            before, version = dict(self.scope.env), self.version
            start()
            self.run(body)
            self.scope.env = self.merge(before, self.scope.env)
            if self.scope.env == before and version == self.version:
                break
        else:
            self.scope.env = {
                name: value if before.get(name) == value else DATA.owned_by(self.reach(value))
                for name, value in self.scope.env.items()
            }
            start()
            self.run(body)
        self.run(orelse)

    def do_for(self, node: ast.For) -> None:
        values = self.eval(node.iter)
        self.loop(lambda: self.assign(node.target, self.element(values, node.iter)), node.body, node.orelse)

    def do_while(self, node: ast.While) -> None:
        self.loop(lambda: void(self.eval(node.test)), node.body, node.orelse)

    def do_try(self, node: ast.Try) -> None:
        states = [dict(self.scope.env)]
        for statement in node.body:
            self.run([statement])
            states.append(dict(self.scope.env))
        ends = []
        for handler in node.handlers:
            self.scope.env = self.merge(*states)
            if handler.type is not None:
                self.eval(handler.type)
            if handler.name:
                self.bind(handler.name, Value(Kind.RECORD, self.raised), handler)
            self.run(handler.body)
            ends.append(dict(self.scope.env))
        self.scope.env = dict(states[-1])
        self.run(node.orelse)
        self.scope.env = self.merge(self.scope.env, *ends, *(states if node.finalbody else []))
        self.run(node.finalbody)

    def do_with(self, node: ast.With) -> None:
        for item in node.items:
            value = self.eval(item.context_expr)
            if value.kind not in {Kind.CONTEXT, Kind.UNKNOWN}:
                self.report(item.context_expr, _E.UNKNOWN, "enters something whose effects are not known")
            if item.optional_vars is not None:
                self.assign(item.optional_vars, DATA)
        self.run(node.body)

    def do_match(self, node: ast.Match) -> None:
        subject = self.eval(node.subject)
        before = self.scope.env
        ends = [dict(before)]
        for case in node.cases:
            self.scope.env = dict(before)
            self.pattern(case.pattern, subject)
            self.eval(case.guard)
            self.run(case.body)
            ends.append(self.scope.env)
        self.scope.env = self.merge(*ends)

    def pattern(self, pattern: ast.pattern, subject: Value) -> None:
        """A pattern compares, takes apart, and binds."""
        inside = subject if subject.kind is Kind.UNKNOWN else DATA.owned_by(self.reach(subject))
        for part in ast.walk(pattern):
            if isinstance(part, ast.MatchValue):
                self.eval(part.value)
            elif isinstance(part, ast.MatchClass):
                self.eval(part.cls)
                if part.kwd_attrs:
                    self.report(part, _E.UNKNOWN, "reads attributes in a pattern")
            elif isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
                self.bind(part.name, inside, part)
            elif isinstance(part, ast.MatchMapping) and part.rest:
                self.bind(part.rest, inside, part)

    # --- functions -----------------------------------------------------------------------------------------------
    def do_functiondef(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            self.report(decorator, _E.UNKNOWN, "wraps a function in another")
        spec = node.args
        for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
            if one is not None:
                self.eval(one.annotation)
        self.eval(node.returns)
        local = self.local(node)
        self.defined[id(node)] = local
        self.bind(node.name, UNKNOWN if node.decorator_list else call_of(local), node)

    def read_lambda(self, node: ast.Lambda) -> Value:
        local = self.local(node)
        self.defined[id(node)] = local
        return call_of(local)

    def do_return(self, node: ast.Return) -> None:
        self.scope.returned.append(self.eval(node.value))

    def do_assert(self, node: ast.Assert) -> None:
        self.eval(node.test)
        self.eval(node.msg)

    def do_raise(self, node: ast.Raise) -> None:
        self.eval(node.exc)
        self.eval(node.cause)

    def do_pass(self, node: ast.stmt) -> None:
        """Nothing."""

    do_break = do_continue = do_pass

    def do_classdef(self, node: ast.ClassDef) -> None:
        self.report(node, _E.UNKNOWN, "defines a class, whose methods run at times that cannot be read beforehand")
        self.bind(node.name, UNKNOWN, node)

    def do_global(self, node: ast.Global) -> None:
        self.report(node, _E.UNKNOWN, "binds names of the notebook from inside a function")

    def do_asyncfunctiondef(self, node: ast.AsyncFunctionDef) -> None:
        self.report(node, _E.UNKNOWN, "runs asynchronously")
        self.bind(node.name, UNKNOWN, node)


def void(value: Value) -> None:
    """Forget a value."""


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    return target

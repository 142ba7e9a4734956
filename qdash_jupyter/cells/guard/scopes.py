"""Which names a piece of code binds, and where a name of the module is certainly bound by the code itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*FUNCTIONS, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Bindings:
    """The names that one scope binds itself, and those that it declares to be of another."""

    bound: set[str] = field(default_factory=set)
    of_module: set[str] = field(default_factory=set)
    of_outer: set[str] = field(default_factory=set)

    @property
    def local(self) -> set[str]:
        """Bound here, and of this scope."""
        return self.bound - self.of_module - self.of_outer


def bindings(body: Iterable[ast.AST]) -> Bindings:
    """What these statements bind, without the scopes within them."""
    found = Bindings()
    for node in body:
        _collect(node, found, in_comprehension=False)
    return found


def _collect(node: ast.AST, found: Bindings, *, in_comprehension: bool) -> None:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if not in_comprehension:
            found.bound.add(name)
        case ast.NamedExpr(target=ast.Name(id=name)):
            found.bound.add(name)  # also from within a comprehension
        case ast.Global(names=names):
            found.of_module.update(names)
        case ast.Nonlocal(names=names):
            found.of_outer.update(names)
        case ast.Import() | ast.ImportFrom():
            found.bound.update(imported_name(alias) for alias in node.names)
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            found.bound.add(name)
    if isinstance(node, _SCOPES):
        if not isinstance(node, ast.Lambda):
            found.bound.add(node.name)
        for child in outside_of(node):
            _collect(child, found, in_comprehension=in_comprehension)
        return
    inner = in_comprehension or isinstance(node, _COMPREHENSIONS)
    for child in ast.iter_child_nodes(node):
        _collect(child, found, in_comprehension=inner)


def imported_name(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def outside_of(node: ast.AST) -> list[ast.AST]:
    """The parts of a function or class that are evaluated where it stands."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, FUNCTIONS):
        defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
        return [*(node.decorator_list if not isinstance(node, ast.Lambda) else ()), *defaults]
    return []


def suspends(body: Iterable[ast.AST]) -> bool:
    """Whether a function of these statements may be left in the middle and entered again: a generator, a coroutine."""
    for node in body:
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return True
        inner = outside_of(node) if isinstance(node, _SCOPES) else ast.iter_child_nodes(node)
        if suspends(inner):
            return True
    return False


def certainly_bound(tree: ast.Module) -> set[int]:
    """The identities of the `ast.Name` nodes outside of functions that read what the code has bound before, whichever
    way it went: these need no look at what they hold. Names that it also deletes are not among them.
    """
    deleted = {
        name
        for node in ast.walk(tree)
        for name in (
            [node.id]
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
            else [node.name]
            if isinstance(node, ast.ExceptHandler) and node.name
            else []
        )
    }
    found: set[int] = set()
    _follow(tree.body, set(), deleted, found)
    return found


def _follow(body: Sequence[ast.stmt], known: set[str], deleted: set[str], found: set[int]) -> None:
    """Note the reads of `known` names in these statements, and add to `known` what each has bound."""
    for statement in body:
        inner: list[tuple[Sequence[ast.stmt], set[str]]] = []
        match statement:
            case ast.For(target=target, iter=iterable, body=looped, orelse=after):
                _reads(iterable, known, found)
                _reads(target, known, found)
                inner = [(looped, _targets(target) - deleted), (after, set())]
            case ast.If(test=test, body=then, orelse=other) | ast.While(test=test, body=then, orelse=other):
                _reads(test, known, found)
                inner = [(then, set()), (other, set())]
            case ast.With(items=items, body=within):
                bound = set().union(*(_targets(item.optional_vars) for item in items if item.optional_vars))
                for item in items:
                    _reads(item, known, found)
                inner = [(within, bound - deleted)]
            case ast.Try(body=tried, handlers=handlers, orelse=after, finalbody=final):
                inner = [(part, set()) for part in (tried, *(handler.body for handler in handlers), after, final)]
            case _:
                _reads(statement, known, found)
                known |= _bound_by(statement) - deleted
        for part, more in inner:
            _follow(part, known | more, deleted, found)


def _bound_by(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.Assign(targets=targets):
            return set().union(*map(_targets, targets))
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
            return _targets(target)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import() | ast.ImportFrom():
            return {imported_name(alias) for alias in statement.names}
    return set()


def _targets(target: ast.AST) -> set[str]:
    match target:
        case ast.Name(id=name):
            return {name}
        case ast.Starred(value=value):
            return _targets(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return set().union(*map(_targets, parts))
    return set()


def _reads(node: ast.AST, known: set[str], found: set[int]) -> None:
    if isinstance(node, ast.Name):
        if node.id in known:
            found.add(id(node))
        return
    inner: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, _SCOPES):
        inner = outside_of(node)
    elif isinstance(node, ast.GeneratorExp):  # the rest of it runs later
        inner = [node.generators[0].iter]
    for child in inner:
        _reads(child, known, found)

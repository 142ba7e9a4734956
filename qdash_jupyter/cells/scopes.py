"""The names that a piece of code binds."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

Origin: TypeAlias = tuple[str, str | None]
"""Where an import is from: the module, and what of it; None is the module itself."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def parsed(code: str) -> ast.Module | None:
    """The code's tree; None where it does not parse, for whatever reason."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@dataclass
class Bindings:
    """The names that one scope binds itself, each with what does so first, and those that it says are of another."""

    first: dict[str, ast.AST] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    of_module: set[str] = field(default_factory=set)
    of_outer: set[str] = field(default_factory=set)

    @property
    def local(self) -> set[str]:
        """Bound or deleted here, and of this scope."""
        return self.deleted.union(self.first) - self.of_module - self.of_outer


def bindings(body: Iterable[ast.AST]) -> Bindings:
    """What these statements bind, without the scopes within them."""
    found = Bindings()
    for node in body:
        _collect(node, found, in_comprehension=False)
    return found


def _collect(node: ast.AST, found: Bindings, *, in_comprehension: bool) -> None:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) if not in_comprehension:
            found.first.setdefault(name, node)
        case ast.Name(id=name, ctx=ast.Del()):
            found.deleted.add(name)
        case ast.Global(names=names):
            found.of_module.update(names)
        case ast.Nonlocal(names=names):
            found.of_outer.update(names)
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                found.first.setdefault(_imported_name(alias), node)
        case (
            ast.NamedExpr(target=ast.Name(id=str(name)))  # also from within a comprehension
            | ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
            | ast.FunctionDef(name=str(name))
            | ast.AsyncFunctionDef(name=str(name))
            | ast.ClassDef(name=str(name))
        ):
            found.first.setdefault(name, node)
    for child in _outside_of(node) if isinstance(node, _SCOPES) else ast.iter_child_nodes(node):
        _collect(child, found, in_comprehension=in_comprehension or isinstance(node, _COMPREHENSIONS))


def _imported_name(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def imports(node: ast.AST) -> dict[str, Origin]:
    """The names that an import binds, and to what."""
    match node:
        case ast.Import(names=names):
            return {_imported_name(one): (one.name if one.asname else _imported_name(one), None) for one in names}
        case ast.ImportFrom(module=module, names=names):
            return {_imported_name(one): (module or "", one.name) for one in names}
    return {}


def is_same_import(origin: Origin | None, value: object) -> bool:
    """Whether an import binds what the name holds already."""
    home = sys.modules.get(origin[0]) if origin is not None else None
    if origin is None or home is None:
        return False
    return (home if origin[1] is None else getattr(home, origin[1], None)) is value


def _outside_of(node: ast.AST) -> list[ast.AST]:
    """The parts of a function or class that are evaluated where it stands."""
    parts: list[ast.AST] = list(getattr(node, "decorator_list", []))
    if isinstance(node, ast.ClassDef):
        parts += [*node.bases, *(keyword.value for keyword in node.keywords)]
    elif isinstance(node, _FUNCTIONS):
        parts += [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
    return parts

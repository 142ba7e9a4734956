"""The names whose objects a piece of code changes in place, as far as it can be seen from the code alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from qdash_jupyter.cells.guard.allowed import CHANGING, ON_TABLES

_DRAWING = ("add_", "append_", "for_each_", "set_", "update_")
_ASKED_OF_TABLES = frozenset({"set_index", "set_axis", "add_prefix", "add_suffix"})


def changed_names(code: str) -> set[str]:
    """The names whose objects code seems to change: their items, their attributes, or by a method that does. Rather one
    too many; none for what does not parse.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    changed = {_root(place) for node in ast.walk(tree) for place in _changed_places(node)}
    return changed - {""}


def _changed_places(node: ast.AST) -> Iterator[ast.AST]:
    """What of it has another content after this node."""
    match node:
        case (
            ast.Subscript(value=place, ctx=ast.Store() | ast.Del())
            | ast.Attribute(value=place, ctx=ast.Store() | ast.Del())
        ):
            yield place
        case ast.AugAssign(target=place):
            yield place
        case ast.Call(func=ast.Attribute(value=place, attr=method), keywords=keywords):
            in_place = any(one.arg == "inplace" for one in keywords)
            draws = method.startswith(_DRAWING) and method not in _ASKED_OF_TABLES
            if in_place or draws or method in CHANGING - ON_TABLES:
                yield place


def _root(place: ast.AST) -> str:
    """The name at whose parts the place is: `df` of `df["v"].loc[0]`."""
    while isinstance(place, (ast.Subscript, ast.Attribute)):
        place = place.value
    return place.id if isinstance(place, ast.Name) else ""

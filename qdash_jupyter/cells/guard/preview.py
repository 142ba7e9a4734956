"""What code would do, read before any of it runs, so that somebody can be asked once. A forecast: the checks decide."""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from qdash_jupyter.cells.guard import allowed, arguments
from qdash_jupyter.cells.guard.data import ATOMS
from qdash_jupyter.cells.guard.library_calls import WRAPPED_BUILTINS
from qdash_jupyter.cells.guard.ownership import Ownership
from qdash_jupyter.cells.guard.refusal import changes
from qdash_jupyter.cells.scopes import bindings
from qdash_jupyter.domain.effects import Effect, EffectKind

_INDEXERS = {"loc", "iloc", "at", "iat"}
_DATA = {"numpy", "pandas", "plotly"}
_OPERATIONS = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.For, ast.comprehension, ast.withitem, ast.FormattedValue, ast.Starred
)  # fmt: skip
_CONTAINERS = (list, tuple, dict, set, frozenset)


class Preview:
    """Reads one piece of code against the names that it would find. `own` are those that the agent's code has bound."""

    def __init__(
        self,
        names: Mapping[str, object],
        own: Collection[str],
        classes: Ownership,
        role: Callable[[object], str],
    ) -> None:
        self._names, self._own, self._classes, self._role = names, own, classes, role
        self._bound: set[str] = set()
        self._imported: dict[str, str] = {}  # modules by their names
        self._modules: set[str] = set()

    def effects(self, tree: ast.Module) -> Iterator[Effect]:
        """What it would do, as far as that can be seen from its words."""
        nodes = list(ast.walk(tree))
        self._bound = bindings(tree.body).bound | {node.arg for node in nodes if isinstance(node, ast.arg)}
        self._bound |= {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        imported = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        self._modules = {alias.name for alias in imported}
        for alias in imported:
            top = alias.name.partition(".")[0]
            self._imported[alias.asname or top] = alias.name if alias.asname else top
        within = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        within |= {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if not (isinstance(node, ast.Attribute) and id(node) in within):
                yield from filter(None, self._of(node))

    def _of(self, node: ast.AST) -> Iterator[Effect | None]:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from _imports(node)
            case ast.Call(func=ast.Attribute() | ast.Name() as function):
                yield self._path_argument(node, function)
                yield self._changing_call(node, function)
                yield from self._touch(function, "calls")
                if self._is_foreign_name(function) or self._is_builtin(function):
                    given = [*node.args, *(one.value for one in node.keywords)]
                    yield from (self._handed(one) for one in given)
            case ast.Attribute(ctx=ast.Load()):
                yield from self._touch(node, "reads")
            case ast.Subscript(value=ast.Name() as used, ctx=ast.Load()):
                yield from self._touch(used, "uses")
            case ast.Subscript(value=place, ctx=ast.Store() | ast.Del()) | ast.Attribute(value=place):
                yield from self._setting(node) if self._is_foreign_name(place) else [self._change(place)]
            case ast.AugAssign(target=ast.Attribute() as place):
                yield from self._touch(place, "reads")
            case _ if isinstance(node, _OPERATIONS):
                yield from map(self._handed, ast.iter_child_nodes(node))
            case ast.Name(id=name, ctx=ast.Load()) if self._is_refused_builtin(name):
                yield Effect(EffectKind.DYNAMIC, f"{name}()", "calls", node.lineno)

    def _is_refused_builtin(self, name: str) -> bool:
        known = (
            name in self._bound
            or name in self._names
            or name in allowed.BUILTINS
            or name in {*WRAPPED_BUILTINS, "super"}
        )
        return not known and hasattr(builtins, name)

    def _touch(self, node: ast.expr, does: str) -> Iterator[Effect]:
        """Of what is no data, and of a module's name that is on no list."""
        root, *parts = _dotted(node) or [""]
        if root in self._imported:
            yield from self._of_modules(self._imported[root], parts, node.lineno, does)
            return
        value: Any = self._names.get(root)
        if root not in self._names or root in self._bound:
            return
        if root not in self._own and self._is_foreign(value):
            # As the checks will say it: what comes after the first part is data perhaps, and then no effect.
            for end in range(1, len(parts)):
                yield Effect(EffectKind.UNKNOWN, ".".join([root, *parts[:end]]), "reads", node.lineno, id(value))
            said = ".".join([root, *parts]) + ("()" if does == "calls" else "")
            yield Effect(EffectKind.UNKNOWN, said, does, node.lineno, id(value))
        elif type(value) is types.ModuleType:
            yield from self._of_modules(value.__name__, parts, node.lineno, does)

    def _of_modules(self, owner: str, parts: list[str], line: int, does: str) -> Iterator[Effect]:
        """Of names of modules that are on no list, in the words of the checks."""
        for place, name in enumerate(parts):
            module = sys.modules.get(owner)
            held = None if module is None else vars(module).get(name)
            if not (
                allowed.is_listed(owner, name)
                if module is None or held is None
                else allowed.is_name_allowed(module, name, held)
            ):
                yield _of_module(owner, name, line, does if place == len(parts) - 1 else "uses")
            owner = held.__name__ if type(held) is types.ModuleType else f"{owner}.{name}"
            if owner not in self._modules and type(held) is not types.ModuleType:
                return

    def _is_builtin(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Name) and node.id in allowed.BUILTINS and node.id not in {*self._names, *self._bound}
        )

    def _is_foreign_name(self, node: ast.expr) -> bool:
        root = (_dotted(node) or [""])[0]
        return root in self._names and root not in {*self._bound, *self._own} and self._is_foreign(self._names[root])

    def _setting(self, node: ast.Subscript | ast.Attribute) -> Iterator[Effect]:
        if isinstance(node.value, ast.Attribute):
            yield from self._touch(node.value, "reads")
        parts = _dotted(node) or _dotted(node.value)
        said = ".".join(parts) + ("" if isinstance(node, ast.Attribute) else "[…]")
        yield Effect(EffectKind.MUTATES, said, "sets", node.lineno, id(self._names[parts[0]]))

    def _handed(self, node: ast.AST) -> Effect | None:
        """An object of the person's that a function of the person's is given, or that an operator works on."""
        if not isinstance(node, ast.Name) or not self._is_foreign_name(node):
            return None
        return Effect(EffectKind.UNKNOWN, node.id, "uses", node.lineno, id(self._names[node.id]))

    def _changing_call(self, node: ast.Call, function: ast.Attribute | ast.Name) -> Effect | None:
        in_place = any(
            one.arg == "inplace" and isinstance(one.value, ast.Constant) and one.value.value for one in node.keywords
        )
        if not isinstance(function, ast.Attribute) or not (in_place or function.attr in allowed.CHANGING):
            return None
        root = function.value
        kind = type(self._names.get(root.id)) if isinstance(root, ast.Name) else None
        return self._change(root) if in_place or any(kind is one for one in _CONTAINERS) else None

    def _path_argument(self, node: ast.Call, function: ast.Attribute | ast.Name) -> Effect | None:
        name = function.attr if isinstance(function, ast.Attribute) else ""
        if isinstance(function, ast.Name) and function.id == "open" and "open" not in {*self._names, *self._bound}:
            given = [*node.args[:2], *(one.value for one in node.keywords if one.arg == "mode")]
            texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            opened = arguments.opened(*texts, *["r"] * (2 - len(texts))) if texts and len(texts) == len(given) else None
            return opened and _at(node, opened)
        given = [*node.args[:1], *(one.value for one in node.keywords if one.arg in arguments.PATHS)]
        path = given[0] if name in allowed.words("with paths") and given else None
        if not isinstance(path, ast.Constant) or arguments.is_buffer(path.value):
            return None
        return _at(node, arguments.file_trouble(name, path.value))

    def _change(self, place: ast.expr) -> Effect | None:
        if isinstance(place, ast.Attribute) and place.attr in _INDEXERS:
            place = place.value
        if not isinstance(place, ast.Name) or place.id in {*self._own, *self._bound}:
            return None
        kind = type(self._names.get(place.id))
        is_data = allowed.home_of(kind) in _DATA or any(kind is one for one in _CONTAINERS)
        return changes(place.id, place.lineno, id(self._names[place.id])) if is_data else None

    def _is_foreign(self, value: object) -> bool:
        kind = type(value)
        data = id(kind) in ATOMS or any(kind is one for one in _CONTAINERS) or self._role(value) != ""
        if data or (allowed.home_of(kind) in _DATA and not callable(value)):
            return False
        return not self._classes.is_harmless(value, listed=True)


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[Effect | None]:
    if isinstance(node, ast.Import):
        yield from (allowed.refused_import(alias.name, node.lineno) for alias in node.names)
    elif node.module is not None and node.module != "__future__":
        refused = allowed.refused_import(node.module, node.lineno)
        yield refused
        for alias in node.names if refused is not None else ():
            yield _of_module(node.module, alias.name, node.lineno, "uses")


def _of_module(module: str, name: str, line: int, does: str) -> Effect:
    """The effect of a name of a module that is on no list, in the words of the checks."""
    home = sys.modules.get(module)
    held = None if home is None else vars(home).get(name)
    does = does if held is None else "calls" if callable(held) else "uses"
    return Effect(allowed.kind_of(name, module), f"{module}.{name}", does, line)


def line_of(name: str, tree: ast.Module) -> int:
    """Where code binds a name first."""
    simple = (node for node in ast.walk(tree) if isinstance(node, ast.stmt) and name in bindings([node]).bound)
    return max((node.lineno for node in simple if not hasattr(node, "body") or hasattr(node, "name")), default=1)


def unreadable(code: str, error: Exception) -> Effect:
    """What does not parse: a magic, or a slip."""
    for number, line in enumerate(code.splitlines(), 1):
        if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?") or "=%" in line.replace(" ", ""):
            return Effect(EffectKind.MAGIC, line.strip(), "runs", number)
    number = getattr(error, "lineno", None) or 1
    text = [*code.splitlines(), ""][min(number - 1, len(code.splitlines()))].strip()
    return Effect(EffectKind.SYNTAX, text or str(error), "does not parse:", number)


def _at(node: ast.Call, trouble: arguments.Trouble) -> Effect:
    kind, does, what = trouble
    return Effect(kind, what, does, node.lineno)


def _dotted(node: ast.AST) -> list[str]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []

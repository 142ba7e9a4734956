"""What code would do, read before any of it runs, so that somebody can be asked once. A forecast: the checks decide."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable, Collection, Iterator, Mapping

from qdash_jupyter.cells.guard import allowed, arguments
from qdash_jupyter.cells.guard.admission import ATOMS, Admission
from qdash_jupyter.domain.effects import Effect, EffectKind
from qdash_jupyter.cells.guard.scopes import bindings

_K = EffectKind
_WITH_PATHS = frozenset(
    "to_csv to_json to_html to_latex to_markdown to_string savefig read_csv read_json write_html write_image".split()
)
_INDEXERS = frozenset("loc iloc at iat".split())
_DATA = frozenset({"numpy", "pandas", "plotly"})


class Preview:
    """Reads one piece of code against the names that it would find."""

    def __init__(self, names: Mapping[str, object], own: Collection[str], admission: Admission) -> None:
        """`own` are the names that code of the agent's has bound."""
        self._names, self._own, self._admission = names, own, admission
        self._bound: set[str] = set()

    def effects(self, tree: ast.Module) -> Iterator[Effect]:
        """What it would do, as far as that can be seen from its words."""
        self._bound = bindings(tree.body).bound
        local = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        local |= {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        self._bound |= local
        for node in ast.walk(tree):
            yield from self._of(node)

    def _of(self, node: ast.AST) -> Iterator[Effect]:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield from self._imports(alias.name, node)
            case ast.ImportFrom(module=str(module)) if module != "__future__":
                yield from self._imports(module, node)
            case ast.Call(func=ast.Attribute(attr=name)):
                yield from self._path_argument(node, name)
                yield from self._touch(node.func, "calls", call=True)
            case ast.Call(func=ast.Name(id=name)):
                yield from self._touch(node.func, "calls", call=True)
            case ast.Attribute(ctx=ast.Load()):
                yield from self._touch(node, "reads")
            case ast.Name(id=name, ctx=ast.Load()) if self._is_refused_builtin(name):
                yield Effect(_K.FILES if name == "open" else _K.DYNAMIC, f"{name}()", "calls", node.lineno)
            case ast.Subscript(value=place, ctx=ast.Store() | ast.Del()):
                yield from self._change(place, node)
            case ast.Attribute(value=place, ctx=ast.Store() | ast.Del()):
                yield from self._change(place, node)
            case ast.For(iter=ast.Name() as used) | ast.comprehension(iter=ast.Name() as used):
                yield from self._touch(used, "uses")
            case ast.FormattedValue(value=ast.Name() as used) | ast.Subscript(value=ast.Name() as used):
                yield from self._touch(used, "uses")
            case ast.BinOp(left=left, right=right):
                for used in (left, right):
                    if isinstance(used, ast.Name):
                        yield from self._touch(used, "uses")

    def _imports(self, module: str, node: ast.stmt) -> Iterator[Effect]:
        if not (allowed.is_module_allowed(module) and allowed.is_installed(module)):
            from qdash_jupyter.cells.guard.checks import kind_of

            yield Effect(kind_of(module, ""), module, "imports", node.lineno, 0, f"Import {allowed.LIBRARIES}.")

    def _is_refused_builtin(self, name: str) -> bool:
        known = name in self._bound or name in self._names or name in allowed.BUILTINS or name in _CHECKED
        return not known and hasattr(builtins, name) and not name.startswith("<")

    def _touch(self, node: ast.expr, does: str, *, call: bool = False) -> Iterator[Effect]:
        """Of what is no data, or of a module's name that is on no list."""
        path = _dotted(node)
        root = path[0] if path else ""
        if not path or root in self._bound or root not in self._names:
            return
        value = self._names[root]
        if root not in self._own and self._is_foreign(value):
            said = ".".join(path[:2]) + ("()" if call and len(path) <= 2 else "")  # noqa: PLR2004 - the rest comes after it
            if does == "reads" and len(path) > 2:  # noqa: PLR2004
                return
            yield Effect(_K.UNKNOWN, said, does if len(path) <= 2 else "reads", node.lineno, id(value))  # noqa: PLR2004
        elif type(value) is types.ModuleType and call and allowed.is_module_allowed(value.__name__):
            yield from self._of_module(value, path[1:], node)

    def _of_module(self, module: types.ModuleType, path: tuple[str, ...], node: ast.expr) -> Iterator[Effect]:
        for name in path:
            held = vars(module).get(name)
            if held is None:
                return
            if not allowed.is_name_allowed(module, name, held):
                from qdash_jupyter.cells.guard.checks import kind_of

                does = "calls" if callable(held) else "uses"
                yield Effect(kind_of(name, module.__name__), f"{module.__name__}.{name}", does, node.lineno)
            if type(held) is not types.ModuleType:
                return
            module = held

    def _path_argument(self, node: ast.Call, name: str) -> Iterator[Effect]:
        if name not in _WITH_PATHS:
            return
        first = (
            node.args[0]
            if node.args
            else next((one.value for one in node.keywords if one.arg in arguments.PATHS), None)
        )
        if isinstance(first, ast.Constant) and not arguments.is_buffer(first.value):
            kind, does, what = arguments.file_trouble(name, first.value)
            yield Effect(kind, what, does, node.lineno)

    def _change(self, place: ast.expr, node: ast.expr) -> Iterator[Effect]:
        if isinstance(place, ast.Attribute) and place.attr in _INDEXERS:
            place = place.value
        if isinstance(place, ast.Name) and place.id in self._names and place.id not in {*self._own, *self._bound}:
            value = self._names[place.id]
            if allowed.home_of(type(value)) in _DATA or type(value) is list or type(value) is dict:
                way_out = f"Change a copy: `my_{place.id} = {place.id}.copy()`."
                yield Effect(_K.MUTATES, place.id, "changes", node.lineno, 0, way_out)

    def _is_foreign(self, value: object) -> bool:
        kind = type(value)
        if id(kind) in ATOMS or any(kind is one for one in _CONTAINERS) or self._admission.handle(value) is not None:
            return False
        if allowed.home_of(kind) in _DATA and not callable(value):
            return False
        return not self._admission.is_harmless(value, listed=True)


def rebound(stored: Collection[str], imported: Mapping[str, tuple[str, str | None]], names: Mapping[str, object], own: Collection[str],
            is_shells: Callable[[str], object], tree: ast.Module) -> Iterator[Effect]:  # fmt: skip
    """The names of the person's, and the builtins, that code would bind or delete."""
    import sys

    for name in sorted(stored):
        origin = imported.get(name)
        home = sys.modules.get(origin[0]) if origin else None
        if home is not None and origin is not None and name in names:
            given = home if origin[1] is None else vars(home).get(origin[1])
            if names[name] is given:
                continue
        is_theirs = name in names and name not in own and not is_shells(name)
        hides = name not in names and name in allowed.BUILTINS
        if is_theirs or hides:
            yield Effect(_K.REBINDS, name, "binds", _line_of(name, tree), 0, "Choose another name.")


def _line_of(name: str, tree: ast.Module) -> int:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.stmt)
            and name in bindings([node]).bound
            and not isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try))
        ):
            return node.lineno
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return node.lineno
    return 1


def unreadable(code: str, error: Exception) -> Effect:
    """What does not parse: a magic, or a slip."""
    line = getattr(error, "lineno", None) or 1
    text = code.splitlines()[line - 1].strip() if 0 < line <= len(code.splitlines()) else ""
    for number, one in enumerate(code.splitlines(), 1):
        if (
            one.lstrip().startswith(("%", "!", "?"))
            or one.rstrip().endswith("?")
            or _MAGIC_ASSIGNED in one.replace(" ", "")
        ):
            return Effect(_K.MAGIC, one.strip(), "runs", number)
    return Effect(_K.SYNTAX, text or "it", "does not parse:", line)


_MAGIC_ASSIGNED = "=%"
_CHECKED = frozenset(
    "getattr hasattr setattr delattr print type vars display isinstance __name__ __debug__ super".split()
)
_CONTAINERS = (list, tuple, dict, set, frozenset)


def _dotted(node: ast.AST) -> tuple[str, ...]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else ()

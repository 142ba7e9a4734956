"""Names of the kernel in words for the model: type and shape, by exact types only, so that no foreign code runs."""

from __future__ import annotations

import ast
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from qdash_jupyter.cells.scopes import parsed

_SIZED = (list, tuple, dict, set, frozenset)
_INDEXES = (
    *("Index", "RangeIndex", "MultiIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex", "IntervalIndex"),
    "CategoricalIndex",
)
_PLAIN = (bool, int, float, complex, str, bytes)


def loop_variables(code: str) -> set[str]:
    """The names that code binds by nothing but a loop; none for what does not parse."""
    if (tree := parsed(code)) is None:
        return set()
    bound = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    loops = (node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.AsyncFor)))
    by_loops = {id(part) for loop in loops for part in ast.walk(loop.target)}
    others = {name.id for name in bound if id(name) not in by_loops}
    return {name.id for name in bound if id(name) in by_loops} - others


def words_in(code: str) -> list[str]:
    """Return every identifier that the code could mean, each once, in order: its names and the words in its strings.

    Of code that does not parse, such as magics, return all words.
    """
    if (tree := parsed(code)) is None:
        return list(dict.fromkeys(_words(code)))
    pending: list[ast.AST] = [tree]
    found: dict[str, None] = {}
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            found[node.id] = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = None  # or the kernel's would come later, in place of the session's own
        elif isinstance(node, ast.alias):
            found[node.asname or node.name.partition(".")[0]] = None
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(dict.fromkeys(_words(node.value)))
        pending.extend(reversed(list(ast.iter_child_nodes(node))))
    return list(found)


def _words(text: str) -> list[str]:
    """Return the words as Python spells names: `µ` (micro) becomes `μ`."""
    return [unicodedata.normalize("NFKC", word) for word in re.findall(r"[^\W\d]\w*", text)]


def in_words(namespace: Mapping[str, object], names: Iterable[str]) -> list[str]:
    """Each of the names with what it holds, where that can be told: `t1: DataFrame 64 × 3`."""
    found = ((name, kind_in_words(namespace[name]) if name in namespace else "") for name in names)
    return [f"{name}: {kind}" if kind else name for name, kind in found]


def kind_in_words(value: Any) -> str:  # noqa: PLR0911 - one line for each kind
    """The type and the shape of data and of functions; nothing of other objects."""
    kind = type(value)
    if any(kind is plain for plain in _PLAIN):
        return kind.__name__
    if any(kind is sized for sized in _SIZED):
        return f"{kind.__name__} of {len(value)}"
    if is_a(kind, "numpy", "ndarray"):
        return f"array {_shape(value.shape)}".rstrip()
    if is_a(kind, "pandas", "DataFrame") and is_plain_index(value.index) and is_plain_index(value.columns):
        return f"DataFrame {_shape(value.shape)}"
    if is_a(kind, "pandas", "Series") and is_plain_index(value.index):
        return f"Series {len(value.index)}"
    numpy = sys.modules.get("numpy")
    if numpy is not None and any(kind is scalar for scalar in numpy.__dict__.get("sctypeDict", {}).values()):
        return kind.__name__
    if kind is FunctionType:
        return "function"
    return "module" if kind is ModuleType else ""


def is_of_user(value: Any) -> bool:
    """Whether it is data, or a function that was written in the notebook."""
    kind = type(value)
    if kind is FunctionType:
        module = value.__module__
        return type(module) is str and module == "__main__"
    return kind is not ModuleType and kind_in_words(value) != ""


def is_a(kind: type, module: str, name: str) -> bool:
    """Whether `kind` is that very class. A library that is not loaded has no objects."""
    home = sys.modules.get(module)
    return home is not None and kind is home.__dict__.get(name)


def is_plain_index(value: object) -> bool:
    """Whether it is pandas' own index: no foreign code says how long it is."""
    return any(is_a(type(value), "pandas", name) for name in _INDEXES)


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))

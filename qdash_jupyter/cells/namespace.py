"""The names of the person's kernel: what they are, and which of them are the copilot's own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, MutableMapping

from qdash_jupyter.cells.names import NameKind, describe_names


class Namespace:
    """The person's namespace as far as code of the copilot is concerned.

    A name is the copilot's own while it still holds the very object that a cell of the copilot bound to it; once the
    person binds it again it is theirs.
    """

    def __init__(self, names: MutableMapping[str, object]) -> None:
        """`names` is the kernel's `user_ns`."""
        self._names = names
        self._own: dict[str, object] = {}

    @property
    def own(self) -> Collection[str]:
        """Names that code of the copilot bound, and that the person has not taken since."""
        return {name for name, value in self._own.items() if name in self._names and self._names[name] is value}

    def kinds(self, code: str) -> Mapping[str, NameKind]:
        """What the names that `code` mentions are, told by their exact types, without touching the objects."""
        return describe_names(self._names, mentioned_names(code))

    def own_up(self, names: Collection[str]) -> None:
        """Note the names that a cell of the copilot has just bound."""
        self._own.update({name: self._names[name] for name in names if name in self._names})

    def before_run(self) -> dict[str, int]:
        """Which object each name holds now, to be given to `bound_since`."""
        return {name: id(value) for name, value in self._names.items()}

    def bound_since(self, before: Mapping[str, int]) -> tuple[str, ...]:
        """The public names bound since `before`, in the order of the namespace."""
        return tuple(
            name
            for name, value in self._names.items()
            if not name.startswith("_") and before.get(name) != id(value) and name not in {"In", "Out", "exit", "quit"}
        )

    def bind_if_free(self, name: str, value: object) -> bool:
        """Bind a name to a handle of ours, unless the person uses it; says whether it is ours now."""
        if name in self._names and self._names[name] is not self._own.get(name, _NOTHING):
            return False
        self._names[name] = value
        self._own[name] = value
        return True

    def holds(self, name: str, value: object) -> bool:
        """Whether the name is bound to exactly this object."""
        return self._names.get(name, _NOTHING) is value


_NOTHING = object()


def mentioned_names(code: str) -> set[str]:
    """Every name that the code reads, binds or deletes; none when it does not parse."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return set()
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            names |= set(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
    return names

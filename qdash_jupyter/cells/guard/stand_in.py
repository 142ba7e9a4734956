"""Stands for something of the person's that code of the agent's may hold, hand on and name, and not touch without leave."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.cells.guard.checks import Checks

_SPECIAL = [
    "iter",
    "next",
    "len",
    "bool",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "str",
    "repr",
    "format",
    "hash",
    "contains",
    "getitem",
    "setitem",
    "delitem",
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "truediv",
    "rtruediv",
    "floordiv",
    "rfloordiv",
    "mod",
    "rmod",
    "pow",
    "rpow",
    "matmul",
    "rmatmul",
    "and",
    "rand",
    "or",
    "ror",
    "xor",
    "rxor",
    "neg",
    "pos",
    "abs",
    "invert",
    "round",
    "index",
    "int",
    "float",
    "complex",
    "enter",
    "exit",
    "aenter",
    "aexit",
    "aiter",
    "anext",
    "await",
    "copy",
    "deepcopy",
    "reduce_ex",
    "iadd",
    "isub",
    "imul",
    "itruediv",
    "instancecheck",
    "subclasscheck",
    "array",
    "bytes",
    "fspath",
    "dir",
    "reversed",
]


class StandIn:
    """Refuses each operation by its name; in a cell of the person's it hands it on to what it stands for."""

    __slots__ = ("_checks", "_label", "_object", "_root")

    def __init__(self, checks: Checks, label: str, held: object, root: int = 0) -> None:
        """`label` is how the code calls it, `root` the identity of the person's object whose part it is."""
        object.__setattr__(self, "_checks", checks)
        object.__setattr__(self, "_label", label)
        object.__setattr__(self, "_object", held)
        object.__setattr__(self, "_root", root or id(held))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self._checks.touch(self, "calls", f"{self._label}()")
        return self._checks.taken(self._object(*arguments, **options), f"{self._label}()", self._root)

    def __getattr__(self, name: str) -> Any:
        return self._checks.part_of(self, name, does="reads")

    def __setattr__(self, name: str, value: Any) -> None:
        self._checks.touch(self, "sets", f"{self._label}.{name}")
        setattr(self._object, name, value)

    def __delattr__(self, name: str) -> None:
        self._checks.touch(self, "deletes", f"{self._label}.{name}")
        delattr(self._object, name)


def _special(name: str) -> Callable[..., Any]:
    def touched(self: StandIn, *arguments: Any) -> Any:
        checks, label, held = (object.__getattribute__(self, slot) for slot in ("_checks", "_label", "_object"))
        checks.touch(self, "uses", label)
        function = getattr(operator, f"__{name}__", None)
        if function is None:
            function = {
                "str": str,
                "repr": repr,
                "len": len,
                "iter": iter,
                "bool": bool,
                "hash": hash,
                "next": next,
            }.get(name)
        if function is None:
            return getattr(type(held), f"__{name}__")(held, *arguments)
        return function(held, *arguments)

    return touched


for _name in _SPECIAL:
    setattr(StandIn, f"__{_name}__", _special(_name))

"""Stands for something of the person's that code of the agent's may hold and hand on, and not touch without leave."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from qdash_jupyter.cells.guard.allowed import words


def checks() -> Any:
    """Those of the run that is going on, or of the last: what a cell has made has no leave of its own in the next."""
    return vars(builtins)["<checks>"]


class StandIn:
    """Refuses each operation by its name, unless there is leave for it."""

    __slots__ = ("_label", "_object", "_root")

    def __init__(self, label: str, held: object, root: int = 0) -> None:
        """`label` is how the code calls it, `root` the identity of the person's object whose part it is."""
        object.__setattr__(self, "_label", label)
        object.__setattr__(self, "_object", held)
        object.__setattr__(self, "_root", root or id(held))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call what it stands for, with leave."""
        checks().touch(self, "calls", f"{self._label}()")
        return checks().called(self._object, f"{self._label}()", self._root, arguments, options)

    def __getattr__(self, name: str) -> Any:
        return checks().part_of(self, name, does="reads")

    def __setattr__(self, name: str, value: Any) -> None:
        checks().touch(self, "sets", f"{self._label}.{name}")
        setattr(self._object, name, value)

    def __delattr__(self, name: str) -> None:
        checks().touch(self, "deletes", f"{self._label}.{name}")
        delattr(self._object, name)


_slots = vars(StandIn)
label_of: Callable[[StandIn], str] = _slots["_label"].__get__
"""How the code calls it; read without asking it."""
object_of: Callable[[StandIn], Any] = _slots["_object"].__get__
"""What it stands for."""
root_of: Callable[[StandIn], int] = _slots["_root"].__get__
"""The identity of the person's object whose part that is."""


def _special(name: str) -> Callable[..., Any]:
    def touched(self: StandIn, *arguments: Any) -> Any:
        held = object_of(self)
        checks().touch(self, "uses", label_of(self))
        special = getattr(type(held), f"__{name}__", None)
        return NotImplemented if special is None else special(held, *arguments)

    return touched


for _name in words("touches"):
    setattr(StandIn, f"__{_name}__", _special(_name))

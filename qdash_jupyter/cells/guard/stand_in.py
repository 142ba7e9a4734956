"""Stands for something of the person's that code of the agent's may hold and hand on, and not touch without leave."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any, Protocol

from qdash_jupyter.cells.guard.allowed import words
from qdash_jupyter.domain.effects import EffectKind


class Door(Protocol):
    """What a stand-in, a view or a call of a library asks of the checks of a run."""

    role: Callable[[object], str]
    """Which handle an object is (see `qdash_jupyter.cells.guard.views.role_of`)."""
    names: MutableMapping[str, object]
    """The namespace."""
    attr: Callable[[Any, str], Any]
    """An attribute, where it may be read."""
    method: Callable[[Any, str], Any]
    """One that is called."""

    def stop(self, kind: EffectKind, does: str, what: str, target: int = 0, way_out: str = "") -> None:
        """Stop here, unless there is leave for it."""

    def name(self, name: str) -> object:
        """What a name of the module stands for."""

    def class_(self, made: Any) -> Any:
        """Note a class that the code has made."""

    def changed(self, held: Any) -> Any:
        """The object, where it may be changed in place."""

    def used(self, value: Any) -> None:
        """A value is handed on to where it could be touched unseen."""

    def touch(self, held: Any, does: str, what: str) -> None:
        """Something of the person's is about to be touched."""

    def part_of(self, held: StandIn, name: str, *, does: str) -> Any:
        """An attribute of it."""

    def called(self, function: Any, label: str, root: int, given: Any, options: Any) -> Any:
        """What it gives when it is called."""

    def taken(self, value: Any, label: str, root: int, *, own: bool = False) -> Any:
        """What it gave, as code of the agent's may have it."""


class StandIn:
    """Refuses each operation by its name, unless there is leave for it."""

    __slots__ = ("_checks", "_label", "_object", "_root")

    def __init__(self, checks: Door, label: str, held: object, root: int = 0) -> None:
        """`label` is how the code calls it, `root` the identity of the person's object whose part it is."""
        object.__setattr__(self, "_checks", checks)
        object.__setattr__(self, "_label", label)
        object.__setattr__(self, "_object", held)
        object.__setattr__(self, "_root", root or id(held))

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call what it stands for, with leave."""
        self._checks.touch(self, "calls", f"{self._label}()")
        return self._checks.called(self._object, f"{self._label}()", self._root, arguments, options)

    def __getattr__(self, name: str) -> Any:
        return self._checks.part_of(self, name, does="reads")

    def __setattr__(self, name: str, value: Any) -> None:
        self._checks.touch(self, "sets", f"{self._label}.{name}")
        setattr(self._object, name, value)

    def __delattr__(self, name: str) -> None:
        self._checks.touch(self, "deletes", f"{self._label}.{name}")
        delattr(self._object, name)


_slots = vars(StandIn)
label_of: Callable[[StandIn], str] = _slots["_label"].__get__
"""How the code calls it; read without asking it."""
object_of: Callable[[StandIn], Any] = _slots["_object"].__get__
"""What it stands for."""


def _special(name: str) -> Callable[..., Any]:
    def touched(self: StandIn, *arguments: Any) -> Any:
        checks, label, held = (object.__getattribute__(self, slot) for slot in ("_checks", "_label", "_object"))
        checks.touch(self, "uses", label)
        special = getattr(type(held), f"__{name}__", None)
        return NotImplemented if special is None else special(held, *arguments)

    return touched


for _name in words("touches"):
    setattr(StandIn, f"__{_name}__", _special(_name))

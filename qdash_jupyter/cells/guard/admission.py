"""What comes into one run from outside: data as copies, handles as views, anything else as stand-ins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping
from typing import Any

import numpy as np

from qdash_jupyter.cells.guard import allowed
from qdash_jupyter.cells.guard.data import ATOMS, Copier, NoData
from qdash_jupyter.cells.guard.ownership import Ownership, exchanged, unchecked
from qdash_jupyter.cells.guard.refusal import Stops, changes
from qdash_jupyter.cells.guard.stand_in import StandIn, label_of, object_of, root_of
from qdash_jupyter.cells.guard.views import View, unlent
from qdash_jupyter.domain.effects import Effect, EffectKind, Grant

MISSING = object()


class Admission(Stops):
    """The door of one run."""

    def __init__(
        self,
        names: MutableMapping[str, object],
        own: Collection[str],
        classes: Ownership,
        grants: Collection[Grant],
        role: Callable[[object], str],
    ) -> None:
        """`own` are those of the names that the agent's code has bound, `role` says which handle an object is."""
        super().__init__(names, grants)
        self.role = role
        self.classes = classes
        self.borrowed: dict[int, tuple[object, str]] = {}
        """The copies of what is the person's, with its name, by their identity."""
        self._own = frozenset(own)
        self._before: Mapping[str, object] = dict(names)
        self._to_change = {(one.what, one.target): one for one in grants if one.kind is EffectKind.MUTATES}
        self._admitted: dict[str, tuple[object, object]] = {}
        self._exchanged: dict[str, tuple[Any, Any]] = {}

    # --- names

    def name(self, name: str, local: Mapping[str, object] | None = None) -> object:
        """What a name of the module stands for."""
        if local is not None and local is not self.names and name in local:
            return local[name]
        value = self.names.get(name, MISSING)
        if value is MISSING:
            return self.builtin(name)
        kept = self._admitted.get(name)
        if kept is not None and kept[0] is value:
            return kept[1]
        if self._before.get(name, MISSING) is not value or id(type(value)) in ATOMS:
            return value  # bound by this very run
        given = self._entered(name, value)
        self._admitted[name] = (value, given)
        return given

    def _entered(self, name: str, value: object) -> object:
        for other, kept in self._admitted.items():  # the same object under two names stays one
            if kept[0] is value and (other in self._own) == (name in self._own):
                return kept[1]
        # The agent's own, under a name that the person gave it perhaps.
        if name not in self._own and not self.classes.is_made_here(value):
            return self.taken(value, name, id(value))
        if self.classes.is_still_own(value):
            return value
        given = exchanged(value, lambda part: self._lent(part, name), {}) if name in self._own else value
        if not self.classes.is_still_own(given):
            return self.taken(value, name, id(value))
        if type(given) is list or type(given) is dict:  # of the agent's, with something of the person's in it
            self.names[name], self._exchanged[name] = given, (value, given)
        return given

    def _lent(self, value: Any, label: str) -> Any:
        """A part of what the agent's code has under this name, as it may have it."""
        if role := self.role(value):
            return self._view(value, role)
        if self.classes.is_still_own(value):
            return value
        return StandIn(next((name for name, held in self._before.items() if held is value), label), value)

    def given_back(self) -> None:
        """After the run: under the agent's names the person finds the objects themselves. Code that runs later gets
        them as a new run would.
        """
        made: dict[int, Any] = {}
        for name, value in list(self.names.items()):
            if name.startswith("<"):
                del self.names[name]
            elif name in self._own or self._before.get(name, MISSING) is not value or self._to_change:
                real = exchanged(unchecked(value), self._unlent, made)
                first, given = self._exchanged.get(name, (None, MISSING))
                if value is given:  # the list that was there, with what is in it now
                    first.clear()
                    (first.extend if type(first) is list else first.update)(real)
                    real = first
                if real is not value:
                    self.names[name] = real
        # Nothing was bound by this run then, and nothing is kept alive.
        self._before, self._admitted, self._exchanged = self.names, {}, {}

    def _unlent(self, value: Any) -> Any:
        if type(value) is StandIn:
            self.classes.note_theirs(object_of(value))
        return unlent(value)

    def _view(self, value: Any, role: str) -> View:
        return View(value, role, {"copilot": "copilot", "store": "data"}.get(role, "data[…]"))

    def builtin(self, name: str) -> object:
        """What a name stands for that nobody has bound."""
        raise NotImplementedError

    def wrapped(self, value: Any, receiver: Any, name: str) -> Any:
        """A function as the code may have it."""
        raise NotImplementedError

    # --- values

    def taken(self, value: Any, label: str, root: int, *, own: bool = False) -> Any:
        """What is the person's, or was given by it: a copy of data, which may be changed where it is the code's `own`;
        the object itself with leave to change it; a stand-in for anything else.
        """
        copier = Copier(self._other)
        try:
            copied = copier.copy(value)
        except NoData:
            return StandIn(label, value, root)
        if not own:
            self.borrowed |= {id(made): (made, label) for made in copier.made.values()}
        leave = self._to_change.get((label, id(value)))
        if leave is None or self._before.get(label) is not value:
            return copied
        self.done.append(Effect(leave.kind, leave.what, leave.does, 0, leave.target))
        return value

    def _other(self, value: Any) -> Any:
        if role := self.role(value):
            return self._view(value, role)
        made_here = self.classes.is_made_here(value)
        if not (self.classes.is_still_own(value) if made_here else self.classes.is_harmless(value, listed=True)):
            raise NoData
        return self.wrapped(value, None, getattr(value, "__name__", ""))

    def owner_of(self, value: Any) -> str | None:
        """Under which name the person knows the object of which this is the copy, or a view of the copy."""
        for _ in range(8):
            kept = self.borrowed.get(id(value))
            if kept is not None and kept[0] is value:
                return kept[1]
            kind = type(value)
            if kind is np.ndarray:
                value = value.base
            elif allowed.home_of(kind) == "pandas" and kind.__name__.endswith("Indexer"):
                value = value.obj
            else:
                return None
        return None

    def stop_change(self, owner: str) -> None:
        """Stop before the copy is changed of what the person knows by this name: with leave it would be no copy."""
        value = self._before.get(owner)
        self.refuse(changes(owner, self._line(), 0 if value is None else id(value)))

    # --- what stand-ins are asked for

    def touch(self, held: StandIn | int, does: str, what: str) -> None:
        """Something of the person's is about to be touched: a stand-in, or a handle, by its identity."""
        root = root_of(held) if type(held) is StandIn else held
        self.stop(EffectKind.UNKNOWN if does != "sets" else EffectKind.MUTATES, does, what, root)  # type: ignore[arg-type]

    def part_of(self, held: StandIn, name: str, *, does: str) -> Any:
        """An attribute of something of the person's."""
        root, path = root_of(held), f"{label_of(held)}.{name}" + ("()" if does == "calls" else "")
        self.touch(held, does, path)
        part = getattr(object_of(held), name)
        if does == "calls":
            return lambda *given, **options: self.called(part, path, root, given, options)
        return self.taken(part, path, root)

    def called(self, function: Any, label: str, root: int, given: Any, options: Any) -> Any:
        """What a function of the person's gives, with leave. It gets the objects themselves that are handed to it."""
        options = {name: self._handed(value) for name, value in options.items()}
        return self.taken(function(*map(self._handed, given), **options), label, root)

    def _handed(self, value: Any) -> Any:
        self.used(value)
        return value if type(value) is View else unlent(value)

    def used(self, value: Any) -> None:
        """A value is handed on to where it could be touched unseen."""
        if type(value) is StandIn:
            self.touch(value, "uses", label_of(value))

"""What code of the agent's has made, and whether anything of the person's has come into it since."""

from __future__ import annotations

import builtins
import contextlib
import datetime as dt
import functools
import gc
import operator
import sys
import types
import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from qdash_jupyter.cells.guard import allowed
from qdash_jupyter.cells.guard.arguments import checked_signature
from qdash_jupyter.cells.guard.data import ATOMS, DICTS, LISTS, TIMES, NoData, kinds_of, look_at_table

_HERE = __file__.rpartition("ownership")[0]
_OWN_PACKAGES = (__name__.rpartition(".")[0], "qdash_jupyter.methods")
_MOST_EXCHANGED = 1_000
_PLAIN_CLASSES = (
    *(int, float, str, list, dict, tuple, set, bool, bytes, complex, type, object, Counter, defaultdict, OrderedDict),
    *(deque, dt.datetime, dt.date, dt.timedelta),
)


class Ownership:
    """What code of the agent's has made in one namespace: classes, told by identity, and figures; and what it may hold
    beside its own values.
    """

    def __init__(self) -> None:
        self._made: weakref.WeakValueDictionary[int, type] = weakref.WeakValueDictionary()
        self._theirs: dict[int, Callable[[], object]] = {}
        self.figures: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()

    def add(self, made: type) -> None:
        """Note a class."""
        self._made[id(made)] = made

    def note_theirs(self, value: object) -> None:
        """Note an object of the person's that names of the agent's lead to: of one of a library it does not show."""
        try:
            self._theirs[id(value)] = weakref.ref(value)
        except TypeError:
            self._theirs[id(value)] = lambda: value

    def __contains__(self, kind: object) -> bool:
        return self._made.get(id(kind)) is kind

    def is_made_here(self, value: object) -> bool:
        """Whether it is a function, a class or an instance of one that code of the agent's has written."""
        return _is_agents(value) or type(value) in self or value in self

    def is_harmless(self, value: Any, *, listed: bool = False) -> bool:  # noqa: PLR0911 - one for each kind
        """Whether code of the agent's may hold it; `listed`: it has not got it itself, so only what is on the lists."""
        kind = type(value)
        if id(kind) in ATOMS or self.is_made_here(value):
            return True
        if kind is types.ModuleType:
            name = value.__name__
            return type(name) is str and allowed.is_module_allowed(name) and sys.modules.get(name) is value
        if is_of_checks(value):
            return not listed
        if allowed.is_of_person(value) or (isinstance(value, type) and allowed.home_of(value) == ""):
            return False
        if listed:
            return _is_listed(value)
        if allowed.home_of(kind) == "qdash_jupyter" and not kind.__module__.startswith(_OWN_PACKAGES):
            return False  # a handle: code has views of it
        return kind is not types.MethodType or self.is_harmless(value.__self__)

    def is_still_own(self, value: object) -> bool:
        """Whether nothing is in it that was not made, or let in, by code of the agent's."""
        seen: dict[int, object] = {}
        waiting: list[object] = [value]
        while waiting:
            one = waiting.pop()
            if id(type(one)) in ATOMS or id(type(one)) in TIMES or id(one) in seen:
                continue
            seen[id(one)] = one
            if id(one) in self._theirs and self._theirs[id(one)]() is one:
                return False
            try:
                waiting += self._parts(one)
            except NoData:
                return False
        return True

    def _parts(self, value: Any) -> Iterable[object]:  # noqa: PLR0911 - one for each kind
        """What of it has to be looked at next.

        Raises:
            NoData: the value itself is the person's.
        """
        kind = type(value)
        if id(kind) in LISTS:
            return _others(value)
        if id(kind) in DICTS:
            return [*_others(value), *_others(value.values())]
        if kind is np.ndarray:
            return _others(value.ravel().tolist()) if value.dtype.hasobject else ()
        if _is_agents(value) or kind is types.GeneratorType or kind is types.CoroutineType:
            return _parts_of_code(value)
        if kind is types.MethodType or kind is functools.partial:
            return [value.__self__, value.__func__] if kind is types.MethodType else gc.get_referents(value)
        if value in self:
            return list(vars(value).values())
        if kind in self:
            return [part for part in _referents(value) if part is not kind]
        if allowed.home_of(kind) == "pandas":
            look_at_table(value, self.is_still_own)
        elif not self.is_harmless(value) or (kind is types.FunctionType and _needs_checks(value)):
            raise NoData
        # An iterator goes on with what the person may have changed since.
        is_iterator = kind.__module__ in {"builtins", "itertools"} and isinstance(value, Iterator)
        return gc.get_referents(value) if is_iterator else ()


def exchanged(value: Any, other: Callable[[Any], Any], made: dict[int, Any], deepest: int = 6) -> Any:
    """What `other` gives for it; for a list, a dict or a tuple one with its parts exchanged, where there are any.

    A new one, as code that runs later may hold the old one. `made` are those so far. What has more than 1,000 parts, is
    deeper, or comes behind 1,000 others, stays as it is.
    """
    kind = type(value)
    if kind is not list and kind is not dict and kind is not tuple:
        return other(value)
    if id(value) not in made and deepest and max(len(made), len(value)) <= _MOST_EXCHANGED:
        parts = list(value.values() if kind is dict else value)
        new = [one if id(type(one)) in ATOMS else exchanged(one, other, made, deepest - 1) for one in parts]
        is_same = all(map(operator.is_, new, parts))
        made[id(value)] = value if is_same else dict(zip(value, new, strict=True)) if kind is dict else kind(new)
    return made.get(id(value), value)


def is_agents_code(code: types.CodeType) -> bool:
    """Whether it was compiled for a run of the agent's: no source can spell these names."""
    return any(name.startswith("<") for name in code.co_names)


def is_of_checks(value: Any) -> bool:
    """Whether it is a function of a library as the checks give it."""
    return type(value) is types.FunctionType and value.__code__.co_filename.startswith(_HERE)


def unchecked(value: Any) -> Any:
    """A function of a library without its look at the arguments; anything else as it is."""
    return vars(value).get("__wrapped__", value) if is_of_checks(value) else value


def _needs_checks(function: Any) -> bool:
    """Whether a function of a library looks at no arguments, and has some by which it does more than compute."""
    return not is_of_checks(function) and checked_signature(function, function.__name__) is not None


def _is_agents(value: Any) -> bool:
    return type(value) is types.FunctionType and is_agents_code(value.__code__)


def _parts_of_code(value: Any) -> list[object]:
    """What a function closes over and has for defaults, and where a generator stands."""
    if type(value) is types.FunctionType:
        parts = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *vars(value).values()]
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # not bound yet
                parts.append(cell.cell_contents)
        return parts
    frame = value.gi_frame if type(value) is types.GeneratorType else value.cr_frame
    if frame is not None and not is_agents_code(frame.f_code):
        raise NoData
    return [] if frame is None else list(dict(frame.f_locals).values())


def _referents(value: object) -> Iterator[object]:
    """The attributes of an instance, wherever it keeps them."""
    held = gc.get_referents(value)
    for part in held:
        yield from part.values() if type(part) is dict else [part]


def _others(values: Iterable[object]) -> list[object]:
    """Those that are no atoms, at the speed of C where all are."""
    held = list(values)
    return [] if set(kinds_of(held)) <= ATOMS else [value for value in held if id(type(value)) not in ATOMS]


_listed: dict[int, object] = {}


def _is_listed(value: object) -> bool:
    """Whether it stands on a list under some name; found by identity, not by asking it."""
    if id(value) not in _listed:
        for library in allowed.LISTS:
            for module, names in allowed.listed(library).items():
                home = sys.modules.get(module)
                held = (
                    [getattr(home, name, None) for name in names if library == "qdash_jupyter" or name in vars(home)]
                    if home
                    else []
                )
                _listed.update({id(one): one for one in held})
        _listed.update({id(one): one for one in (getattr(builtins, name, None) for name in allowed.BUILTINS)})
        _listed.update({id(one): one for one in _PLAIN_CLASSES})
    return _listed.get(id(value), _listed) is value

"""How values of the person's come into a run: data as a copy, everything else as a stand-in.

An object is only ever asked for `type(x)`, and the type is compared by identity: its class, or the class of that, may answer
anything else with a pulse. What is data is told to its last element; what code of the agent's has made earlier is looked
through again, because the person may have put something into it since.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime
import decimal
import fractions
import functools
import gc
import re
import sys
import types
import weakref
import zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.cells.guard import allowed

MOST_OBJECTS = 300_000
"""So many elements may a container of the person's hold."""
COPIED_BYTES = 8_000_000
"""Tables and arrays up to this size are copied outright; of larger ones pandas copies on the first write."""

_ATOMS = (
    int, float, complex, bool, str, bytes, type(None), range, type(...), type(NotImplemented), decimal.Decimal,
    fractions.Fraction, datetime.date, datetime.timedelta, datetime.timezone, zoneinfo.ZoneInfo, re.Pattern, re.Match,
    type(pd.NaT), type(pd.NA), pd.Timedelta, pd.Period, pd.Interval,
)  # fmt: skip
_TIMES = frozenset(map(id, (datetime.datetime, datetime.time, pd.Timestamp)))
_ZONES = frozenset({"datetime", "zoneinfo", "pytz", "dateutil", "pandas"})
ATOMS = frozenset(map(id, _ATOMS)) | frozenset(id(kind) for kind in {*np.sctypeDict.values()} - {np.object_, np.void})
_LISTS = frozenset(map(id, (list, tuple, set, frozenset, deque)))
_DICTS = frozenset(map(id, (dict, defaultdict, OrderedDict, Counter)))
_FACTORIES = (None, list, dict, set, int, float, str)
_ITERATORS = frozenset({"builtins", "itertools"})
_PLAIN_CLASSES = (
    int, float, str, list, dict, tuple, set, bool, bytes, complex, type, object, datetime.datetime, datetime.date,
    datetime.timedelta, Counter, defaultdict, OrderedDict, deque,
)  # fmt: skip


class NoData(Exception):
    """For us: something in it is no data."""


class Classes:
    """The classes that code of the agent's has made, told by identity."""

    def __init__(self) -> None:
        self._made: weakref.WeakValueDictionary[int, type] = weakref.WeakValueDictionary()

    def add(self, made: type) -> None:
        """Note one."""
        self._made[id(made)] = made

    def __contains__(self, kind: object) -> bool:
        return self._made.get(id(kind)) is kind


def is_agents_code(code: types.CodeType) -> bool:
    """Whether it was compiled for a run of the agent's: no source can spell these names."""
    return any(name.startswith("<") for name in code.co_names)


class Admission:
    """What comes into one run. `classes` are the agent's own, `handles` says which objects are led to by a view."""

    def __init__(self, classes: Classes, handle: Callable[[object], object | None]) -> None:
        """`handle` gives the view of a handle, and None for anything else."""
        self._classes = classes
        self.handle = handle
        self.borrowed: dict[int, tuple[object, str]] = {}

    # --- the person's

    def admitted(self, value: object, label: str, *, own: bool = False) -> object:
        """A copy of data. `own` copies may be changed; the others are known as the person's.

        Raises:
            NoData: it is, or holds, something else.
        """
        seen: dict[int, Any] = {}
        copied = self._copy(value, seen)
        if not own:
            for one in seen.values():
                self.borrowed[id(one)] = (one, label)
        return copied

    def owner_of(self, value: object) -> str | None:
        """Under which name the person knows the object of which this is the copy, or a view of the copy."""
        for _ in range(8):
            kept = self.borrowed.get(id(value))
            if kept is not None and kept[0] is value:
                return kept[1]
            kind = type(value)
            if kind is np.ndarray:
                value = value.base  # type: ignore[attr-defined]
            elif allowed.home_of(kind) == "pandas" and kind.__name__.endswith("Indexer"):
                value = value.obj  # type: ignore[attr-defined]
            else:
                return None
        return None

    def _copy(self, value: Any, seen: dict[int, Any]) -> Any:  # noqa: PLR0911 - one line for each kind
        kind = type(value)
        number = id(kind)
        if number in ATOMS:
            return value
        if id(value) in seen:
            return seen[id(value)]
        if len(seen) > MOST_OBJECTS:
            raise NoData
        if number in _TIMES:
            if value.tzinfo is not None and type(value.tzinfo).__module__.partition(".")[0] not in _ZONES:
                raise NoData
            return value
        if number in _LISTS or number in _DICTS:
            return self._container(value, kind, seen)
        if kind is slice:
            return slice(*(self._copy(part, seen) for part in (value.start, value.stop, value.step)))
        if (view := self.handle(value)) is not None:
            return view
        home = allowed.home_of(kind)
        made: Any = None
        if kind is np.ndarray:
            made = self._array(value, seen)
        elif home == "pandas":
            made = self._table(value, kind, seen)
        elif home == "numpy" and isinstance(value, np.dtype):
            return value
        elif kind.__module__ == "plotly.graph_objs._figure" if home == "plotly" else False:
            made = kind({"data": self._copy(value._data, {}), "layout": self._copy(value._layout, {})})
        elif self.is_still_own(value) if self.is_made_here(value) else self.is_harmless(value, listed=True):
            return value
        if made is None:
            raise NoData
        seen[id(value)] = made
        return made

    def _container(self, value: Any, kind: type, seen: dict[int, Any]) -> Any:
        if kind is tuple or kind is frozenset:
            return kind(self._copy(part, seen) for part in value)  # type: ignore[call-arg]  # one of these two
        if kind is defaultdict:
            if not any(value.default_factory is factory for factory in _FACTORIES):
                raise NoData
            made: Any = defaultdict(value.default_factory)
        else:
            made = kind()
        seen[id(value)] = made
        if id(kind) in _DICTS:
            for key, held in list(value.items()):
                made[self._copy(key, seen)] = self._copy(held, seen)
        else:
            add = made.add if kind is set else made.append
            for part in list(value):
                add(self._copy(part, seen))
        return made

    def _array(self, value: Any, seen: dict[int, Any]) -> Any:
        if value.dtype.hasobject:
            if value.dtype != object or value.size > MOST_OBJECTS:
                raise NoData
            made = np.empty(value.shape, dtype=object)
            made.ravel()[:] = np.fromiter(
                (self._copy(part, seen) for part in value.ravel()), dtype=object, count=value.size
            )
            return made
        return value.copy(order="K") if value.nbytes <= COPIED_BYTES else _read_only(value)

    def _table(self, value: Any, kind: type, seen: dict[int, Any]) -> Any:
        if kind is pd.DataFrame or kind is pd.Series:
            self._look_at_cells(value, kind, attributes=False)
            return bare_copy(value, self._attributes(value))
        if kind.__module__.startswith("pandas.") and isinstance(value, pd.Index):
            self._look_at_index(value)
            return value.view()
        if kind is pd.Categorical or isinstance(value, pd.api.extensions.ExtensionArray):
            self._look_at_values(value)
            return value.copy()
        return None

    def _look_at_cells(self, value: Any, kind: type, *, attributes: bool = True) -> None:
        if attributes and value._attrs and not self.is_still_own(value._attrs):
            raise NoData
        for axis in value.axes:
            self._look_at_index(axis)
        for block in value._mgr.blocks:
            self._look_at_values(block.values)
        if kind is pd.Series:
            self._only_data([value.name])

    def _look_at_index(self, index: Any) -> None:
        if allowed.home_of(type(index)) != "pandas":
            raise NoData
        for part in index.levels if type(index) is pd.MultiIndex else [index]:
            self._only_data([part.name])
            self._look_at_values(part._values)

    def _look_at_values(self, values: Any) -> None:
        kind = type(values)
        if kind is np.ndarray:
            if values.dtype.hasobject:
                self._only_data(values.ravel())
        elif allowed.home_of(kind) != "pandas":
            raise NoData
        elif kind is pd.Categorical:
            self._look_at_index(values.categories)
        elif values.dtype == object:
            self._only_data(values)

    def _only_data(self, values: Iterable[object]) -> None:
        seen: dict[int, Any] = {}
        for number, value in zip(_numbers_of_kinds(values), values, strict=True):
            if number not in ATOMS:
                self._copy(value, seen)

    def _attributes(self, value: Any) -> dict[Any, Any]:
        try:
            return dict(self._copy(dict(value._attrs), {}))
        except NoData:
            return {}

    # --- the agent's own, and what libraries give

    def is_made_here(self, value: object) -> bool:
        """Whether it is a function, a class or an instance of one that code of the agent's has written."""
        kind = type(value)
        if kind is types.FunctionType:
            return is_agents_code(value.__code__)  # type: ignore[attr-defined]
        return kind in self._classes or value in self._classes

    def is_harmless(self, value: object, *, listed: bool = False) -> bool:
        """Whether code of the agent's may hold it. `listed`: only what is on the lists, as it was not made by such code."""
        kind = type(value)
        if id(kind) in ATOMS or kind in self._classes or value in self._classes:
            return True
        if kind is types.ModuleType:
            name = value.__name__
            return type(name) is str and allowed.is_module_allowed(name) and sys.modules.get(name) is value
        if kind is types.FunctionType and is_agents_code(value.__code__):
            return True
        if kind is types.FunctionType and value.__code__.co_filename.startswith(_HERE):
            return not listed
        if allowed.home_of(kind) == "":
            return False
        if isinstance(value, type):
            return allowed.home_of(value) != "" and (
                not listed or any(value is one for one in _PLAIN_CLASSES) or _is_listed(value)
            )
        if listed:
            return _is_listed(value)
        return (
            kind is not types.MethodType or self.is_harmless(value.__self__)
            if not allowed.is_of_person(value)
            else False
        )

    def is_still_own(self, value: object) -> bool:
        """Whether nothing is in it that was not made, or let in, by code of the agent's."""
        seen: dict[int, object] = {}
        waiting: list[object] = [value]
        while waiting:
            one = waiting.pop()
            if id(type(one)) in ATOMS or id(one) in seen:
                continue
            seen[id(one)] = one
            parts = self._parts(one)
            if parts is None:
                return False
            waiting += parts
        return True

    def _parts(self, value: Any) -> list[object] | None:  # noqa: PLR0911 - one for each kind
        """What has to be looked at next; None where the value itself is not the agent's."""
        kind = type(value)
        if id(kind) in _TIMES:
            return []
        if id(kind) in _LISTS:
            return _others(value)
        if id(kind) in _DICTS:
            return [*_others(value), *_others(value.values())]
        if kind is types.FunctionType and is_agents_code(value.__code__):
            return [
                *_closed_over(value),
                *(value.__defaults__ or ()),
                *(value.__kwdefaults__ or {}).values(),
                *vars(value).values(),
            ]
        if kind is types.MethodType:
            return [value.__self__, value.__func__]
        if kind is types.GeneratorType or kind is types.CoroutineType:
            frame = value.gi_frame if kind is types.GeneratorType else value.cr_frame
            own = frame is None or is_agents_code(frame.f_code)
            return None if not own else [] if frame is None else [*dict(frame.f_locals).values()]
        if kind is functools.partial:
            return [value.func, value.args, value.keywords]
        if kind is np.ndarray:
            return _others(value.ravel().tolist()) if value.dtype.hasobject else []
        if kind in self._classes or value in self._classes:
            held = object.__getattribute__(value, "__dict__") if not isinstance(value, type) else vars(value)
            kinds = gc.get_referents(value) if not isinstance(value, type) else []
            return [*held.values(), *(one for one in kinds if one is not held and not isinstance(one, type))]
        if allowed.home_of(kind) == "pandas":
            try:
                self._table(value, kind, {}) if not isinstance(
                    value, (pd.DataFrame, pd.Series)
                ) else self._look_at_cells(value, kind)
            except NoData:
                return None
            return []
        if not self.is_harmless(value):
            return None
        # An iterator goes on with what the person may have changed since.
        return gc.get_referents(value) if kind.__module__ in _ITERATORS and isinstance(value, Iterator) else []


def bare_copy(value: Any, attributes: dict[Any, Any] | None = None) -> Any:
    """A copy of a table with these attributes alone: pandas copies those that are there deeply with each look."""
    kind = type(value)
    large = value._mgr.nbytes > COPIED_BYTES if hasattr(value._mgr, "nbytes") else _bytes_of(value) > COPIED_BYTES
    shares = large and _COPIES_ON_WRITE
    manager = value._mgr.copy(deep=not shares)
    if shares:
        for block in manager.blocks:
            block.values = _read_only(block.values) if type(block.values) is np.ndarray else block.values.copy()
    manager.axes = [axis.view() for axis in manager.axes]
    made = kind._from_mgr(manager, axes=manager.axes)
    if kind is pd.Series:
        made._name = value._name
    made._attrs = attributes or {}
    return made


def _closed_over(function: types.FunctionType) -> Iterator[object]:
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # not bound yet
            yield cell.cell_contents


def _bytes_of(value: Any) -> int:
    return sum(int(getattr(block.values, "nbytes", 0)) for block in value._mgr.blocks)


def _read_only(values: Any) -> Any:
    view = values.view()
    view.flags.writeable = False
    return view


_COPIES_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # noqa: PLR2004 - since then always
_HERE = __file__.rpartition("/")[0] or __file__.rpartition("\\")[0]


def _numbers_of_kinds(values: Iterable[object]) -> Iterator[int]:
    return map(id, map(type, values))


def _others(values: Iterable[object]) -> list[object]:
    """Those that are no atoms, at the speed of C where all are."""
    held = list(values)
    if set(_numbers_of_kinds(held)) <= ATOMS:
        return []
    return [value for value in held if id(type(value)) not in ATOMS]


_listed_objects: dict[int, object] = {}


def _is_listed(value: object) -> bool:
    """Whether it stands on a list under some name; found by identity, not by asking it."""
    if id(value) not in _listed_objects:
        for library in allowed.LISTS:
            for module, names in allowed.listed(library).items():
                home = vars(sys.modules[module]) if module in sys.modules else {}
                _listed_objects.update({id(home[name]): home[name] for name in names if name in home})
        for name in allowed.BUILTINS:
            _listed_objects.setdefault(id(getattr(builtins, name)), getattr(builtins, name))
    return _listed_objects.get(id(value), _listed_objects) is value

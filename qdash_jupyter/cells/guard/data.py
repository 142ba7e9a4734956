"""Data of the person's, told by exact types to its last element, and copied.

An object is only ever asked for `type(x)`, and the type is compared by identity: its class, or the class of that, may
answer anything else with a pulse.
"""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import re
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
    *(int, float, complex, bool, str, bytes, type(None), range, type(...), type(NotImplemented), dt.date, dt.timedelta),
    *(dt.timezone, decimal.Decimal, fractions.Fraction, zoneinfo.ZoneInfo, re.Pattern, re.Match),
    *(type(pd.NaT), type(pd.NA), pd.Timedelta, pd.Period, pd.Interval),
    *({*np.sctypeDict.values()} - {np.object_, np.void}),
)
ATOMS = frozenset(map(id, _ATOMS))
TIMES = frozenset(map(id, (dt.datetime, dt.time, pd.Timestamp)))
LISTS = frozenset(map(id, (list, tuple, set, frozenset, deque)))
DICTS = frozenset(map(id, (dict, defaultdict, OrderedDict, Counter)))
_ZONES = frozenset({"datetime", "zoneinfo", "pytz", "dateutil", "pandas"})
_FACTORIES = (None, list, dict, set, int, float, str)
_COPIES_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # noqa: PLR2004 - since then always


class NoData(Exception):
    """For us: something in it is no data."""


def kinds_of(values: Iterable[object]) -> Iterator[int]:
    """The identities of their types."""
    return map(id, map(type, values))


class Copier:
    """Copies one value. `made` are the copies by the identity of what they are of; `other` gives what is no data.

    Raises:
        NoData: so does `other`, where something may not come in.
    """

    def __init__(self, other: Callable[[Any], Any]) -> None:
        self.made: dict[int, Any] = {}
        self._other = other

    def copy(self, value: Any) -> Any:
        """The copy."""
        kind = type(value)
        if id(kind) in ATOMS:
            return value
        if id(value) in self.made:
            return self.made[id(value)]
        if len(self.made) > MOST_OBJECTS:
            raise NoData
        if id(kind) in LISTS or id(kind) in DICTS:
            return self._container(value, kind)
        if kind is np.ndarray:
            made = self._array(value)
        elif allowed.home_of(kind) == "pandas" and id(kind) not in TIMES:
            look_at_table(value)
            made = self._table(value, kind)
        else:
            return self._single(value, kind)
        self.made[id(value)] = made
        return made

    def _single(self, value: Any, kind: type) -> Any:
        if id(kind) in TIMES:
            if value.tzinfo is not None and type(value.tzinfo).__module__.partition(".")[0] not in _ZONES:
                raise NoData
            return value
        if kind is slice:
            return slice(self.copy(value.start), self.copy(value.stop), self.copy(value.step))
        if allowed.home_of(kind) == "plotly" and kind.__module__ == "plotly.graph_objs._figure":
            made = kind({"data": self.copy(value._data), "layout": self.copy(value._layout)})
            self.made[id(value)] = made
            return made
        return value if allowed.home_of(kind) == "numpy" and isinstance(value, np.dtype) else self._other(value)

    def _container(self, value: Any, kind: Any) -> Any:
        if kind is tuple or kind is frozenset:
            return kind([self.copy(part) for part in value])
        made: Any = kind()
        if kind is defaultdict:
            if not any(value.default_factory is factory for factory in _FACTORIES):
                raise NoData
            made.default_factory = value.default_factory
        self.made[id(value)] = made
        if id(kind) in DICTS:
            for key, held in list(value.items()):
                made[self.copy(key)] = self.copy(held)
        else:
            add = made.add if kind is set else made.append
            for part in list(value):
                add(self.copy(part))
        return made

    def _array(self, value: Any) -> Any:
        if not value.dtype.hasobject:
            return value.copy(order="K") if value.nbytes <= COPIED_BYTES else _read_only(value)
        if value.dtype != object or value.size > MOST_OBJECTS:
            raise NoData
        made = np.empty(value.shape, dtype=object)
        made.ravel()[:] = np.fromiter((self.copy(part) for part in value.ravel()), dtype=object, count=value.size)
        return made

    def _table(self, value: Any, kind: type) -> Any:
        if kind is pd.DataFrame or kind is pd.Series:
            try:
                attributes = Copier(_no_data).copy(dict(value._attrs))
            except NoData:
                attributes = {}
            return bare_copy(value, attributes)
        return _copied_index(value) if isinstance(value, pd.Index) else value.copy()


def look_at_table(value: Any, is_fit: Callable[[object], bool] | None = None) -> None:
    """Make sure that a table, a column or an index of pandas holds data alone. `is_fit` is asked for its attributes.

    Raises:
        NoData: it does not, or it is something else of pandas.
    """
    kind = type(value)
    if kind is pd.DataFrame or kind is pd.Series:
        if is_fit is not None and value._attrs and not is_fit(value._attrs):
            raise NoData
        for axis in value.axes:
            _look_at_index(axis)
        for block in value._mgr.blocks:
            _look_at_values(block.values)
        if kind is pd.Series:
            _only_data([value.name])
    elif isinstance(value, pd.Index):
        _look_at_index(value)
    elif isinstance(value, pd.api.extensions.ExtensionArray):
        _look_at_values(value)
    elif is_fit is None:
        raise NoData


def _look_at_index(index: Any) -> None:
    if allowed.home_of(type(index)) != "pandas":
        raise NoData
    for part in index.levels if type(index) is pd.MultiIndex else [index]:
        _only_data([part.name])
        _look_at_values(part._values)


def _look_at_values(values: Any) -> None:
    kind = type(values)
    if kind is not np.ndarray and allowed.home_of(kind) != "pandas":
        raise NoData
    if kind is pd.Categorical:
        _look_at_index(values.categories)
    elif values.dtype == object:
        _only_data(values.ravel())


def _only_data(values: Iterable[object]) -> None:
    copier = Copier(_no_data)
    for number, value in zip(kinds_of(values), values, strict=True):
        if number not in ATOMS:
            copier.copy(value)


def _no_data(_: object) -> Any:
    raise NoData


def copy_of_data(value: Any) -> Any:
    """A copy of what is data to its last element.

    Raises:
        NoData: something in it is not.
    """
    return Copier(_no_data).copy(value)


def bare_copy(value: Any, attributes: dict[Any, Any] | None = None) -> Any:
    """A copy of a table with these attributes alone: pandas copies those that are there deeply with each look."""
    kind, manager = type(value), value._mgr
    size = sum(int(getattr(block.values, "nbytes", 0)) for block in manager.blocks)
    shares = _COPIES_ON_WRITE and size > COPIED_BYTES
    manager = manager.copy(deep=not shares)
    for block in manager.blocks if shares else ():  # only numpy's are copied by whoever writes
        block.values = _read_only(block.values) if type(block.values) is np.ndarray else block.values.copy()  # noqa: PD011 - a block's
    manager.axes = [axis.view() if shares else _copied_index(axis) for axis in manager.axes]
    made = kind._from_mgr(manager, axes=manager.axes)
    made._attrs = attributes or {}
    if kind is pd.Series:
        made._name = value._name
    return made


def _copied_index(index: Any) -> Any:
    if type(index) is pd.RangeIndex:  # its copies share the array that is made of it
        return pd.RangeIndex(index._range, name=index.name)
    return index.copy(deep=True)


def _read_only(values: Any) -> Any:
    view = values.view()
    view.flags.writeable = False
    return view

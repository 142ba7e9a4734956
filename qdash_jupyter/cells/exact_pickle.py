"""Pickle objects of known exact types, and stop at the first other one without touching it.

An instrument notices when an attribute is read. So the pickler itself decides what travels: it asks `reducer_override`
about every object that is none of Python's plain values and containers, before it asks the object anything. What has
been pickled has been checked; there is no second walk that could see less than the pickler does.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import datetime as dt
import decimal
import dis
import fractions
import functools
import io
import pathlib
import pickle
import re
import sys
import types
import typing
import uuid
import zoneinfo
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from enum import EnumMeta
from typing import Any

import cloudpickle

from qdash_jupyter.cells import taken_apart
from qdash_jupyter.cells.installed import is_installed, lies_in
from qdash_jupyter.cells.taken_apart import PROTOCOL, Stays, home_of, ids, is_of_notebook, name_of

MOST_ELEMENTS = 2_000_000
"""Elements that containers may have, all names together; an object that is no plain value counts as ten."""
TOO_MANY = f"more than {MOST_ELEMENTS:,} elements (an object counts as ten)"
MOST_DEPTH = 200
"""Levels of containers and objects in each other: the pickler calls itself for each."""

_OBJECT = 10
_PLAIN = ids(type(None), bool, int, float, str, bytes, bytearray)
_DICTS = ids(dict, defaultdict, OrderedDict, Counter)
_CONTAINERS = _DICTS | ids(list, tuple, set, frozenset, deque)
_VALUES = ids(
    *(complex, range, slice, types.EllipsisType, types.NotImplementedType, decimal.Decimal, fractions.Fraction),
    *(uuid.UUID, re.Pattern, dt.date, dt.time, dt.datetime, dt.timedelta, dt.timezone, zoneinfo.ZoneInfo),
    *(pathlib.PurePosixPath, pathlib.PosixPath, pathlib.PureWindowsPath, pathlib.WindowsPath),
    *(deque, OrderedDict, defaultdict, Counter, ChainMap, types.SimpleNamespace, functools.partial),
    # What functions and classes consist of.
    *(types.CodeType, types.CellType, types.MethodType, property, classmethod, staticmethod, types.GenericAlias),
    *(types.UnionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
    *(types.GetSetDescriptorType, type(typing.NamedTuple("_", [("a", int)]).__dict__["a"])),
)
_CACHED = type(functools.cache(lambda: None))
_GLOBALS = frozenset({"LOAD_GLOBAL", "STORE_GLOBAL", "DELETE_GLOBAL"})
Way = Callable[[Any], Any]


def in_words(problem: Exception) -> str:
    """Return why a value stays, from what was raised while it was pickled."""
    if isinstance(problem, Stays):
        return str(problem)
    if isinstance(problem.__cause__, RecursionError):
        return "nested too deeply"
    return f"it can't be copied ({type(problem).__name__})"


def copy_of_data(value: object) -> Any:
    """Return a copy of a value that is data to its last element: nothing in it is of the notebook's own classes.

    Raises:
        Stays: something in it is of an unknown type, or it is too large or too deep.
    """
    file = io.BytesIO()
    _DataPickler(file).dump(value)
    return pickle.loads(file.getvalue())  # noqa: S301 - pickled just now


def bare_table(value: Any) -> Any:
    """Return the same DataFrame or Series of pandas without its `attrs`, which pandas copies with each look. No data
    are copied.

    Raises:
        Stays: it has an array or an index that isn't pandas' own, which a look would ask.
    """
    import pandas as pd

    taken_apart.look_at_parts(value)
    if type(value) is pd.DataFrame:
        return pd.DataFrame(value)
    copy_of_data(vars(value)["_name"])  # whose hash pandas asks for
    return pd.Series(value)


class ExactPickler(cloudpickle.Pickler):
    """A pickler that raises `Stays` at the first object of another type than those it knows."""

    def __init__(self, file: object, buffer_callback: Callable[[pickle.PickleBuffer], None] | None = None) -> None:
        super().__init__(file, protocol=PROTOCOL, buffer_callback=buffer_callback)
        self._ways: dict[int, tuple[type, Way]] = {}  # by the identity of the type, which is kept alive
        self._depths: dict[int, int] = {}
        self._entered: set[int] = set()
        self.elements = 0
        """So many have been seen, objects counted tenfold."""

    def dump(self, value: object) -> None:
        """Pickle the value.

        Raises:
            Stays: something in it is of an unknown type, or it is too large or too deep.
        """
        self._enter(value, 0)
        super().dump(value)

    def dump_names(self, values: dict[str, object]) -> None:
        """Pickle values together that have each been pickled before, and so been counted.

        Raises:
            Stays: one of them has changed since.
        """
        self.elements = -MOST_ELEMENTS
        self._enter(values, -MOST_DEPTH)
        super().dump(values)

    def reducer_override(self, value: Any) -> Any:
        """Take an object apart that is no plain value, as its `__reduce__` would."""
        made = self._way(type(value))(value)
        if type(made) is tuple:
            depth = self._depths.get(id(value), 0) + 1
            for part in made[1:3]:
                self._enter(part, depth)
        return made

    def _enter(self, value: Any, depth: int) -> None:
        """Count what containers hold before the pickler goes into them: it does not ask about these."""
        pending = [(value, depth)]
        while pending:
            held, depth = pending.pop()
            kind = id(type(held))
            if depth > MOST_DEPTH:
                raise Stays("nested too deeply")
            if kind not in _CONTAINERS:
                self._depths[id(held)] = depth
                continue
            if id(held) in self._entered:
                continue
            self._entered.add(id(held))
            for parts in (held, dict.values(held)) if kind in _DICTS else (held,):
                self.elements += len(parts)
                if not _PLAIN.issuperset(map(id, map(type, parts))):
                    others = [(part, depth + 1) for part in parts if id(type(part)) not in _PLAIN]
                    self.elements += len(others) * (_OBJECT - 1)
                    pending += others
            if self.elements > MOST_ELEMENTS:
                raise Stays(TOO_MANY)
        self._entered.discard(id(value))  # the pickler may let it go, and another object get its identity

    def _way(self, kind: Any) -> Way:
        """Return how objects of this type are taken apart; raise `Stays` where they are not."""
        if id(kind) not in self._ways:
            if (way := self._way_of(kind)) is None:
                raise Stays(f"`{name_of(kind)}`")
            self._ways[id(kind)] = kind, way
        return self._ways[id(kind)][1]

    def _way_of(self, kind: Any) -> Way | None:  # noqa: C901, PLR0911 - one line for each kind
        if issubclass(kind, type):  # a question to the class of the class
            return self._class
        if kind is types.FunctionType:
            return self._function
        if kind is types.ModuleType:
            return taken_apart.module
        if taken_apart.is_compiled_function(kind):
            return taken_apart.builtin
        if kind is functools.cached_property:
            return taken_apart.cached_property
        if kind is _CACHED:
            return taken_apart.with_cache
        if kind is types.MappingProxyType:
            return taken_apart.proxy
        if id(kind) in _VALUES or taken_apart.is_zone_of_pytz(kind):
            return self._by_itself
        if home := home_of(kind):
            return taken_apart.member if type(kind) is EnumMeta else self._way_of_library(kind, home)
        if not is_of_notebook(kind):
            return None
        taken_apart.look_at_class(kind)
        if type(kind) is EnumMeta:
            return taken_apart.member
        return taken_apart.instance if taken_apart.is_plain(kind) else None

    def _way_of_library(self, kind: Any, home: str) -> Way | None:  # noqa: PLR0911 - one line for each library
        library = home.partition(".")[0]
        if library == "numpy":
            import numpy as np

            if kind is np.ndarray:
                return taken_apart.array
            if kind is np.ufunc:
                return taken_apart.ufunc
            is_data = issubclass(kind, (np.generic, np.dtype, np.ma.MaskedArray, np.poly1d))
            return self._by_itself if is_data or home.startswith("numpy.random.") else None
        if library == "pandas":
            is_table = name_of(kind) in {"DataFrame", "Series"}
            return self._table if is_table else self._by_itself
        if library == "plotly":
            if home == "plotly.graph_objs._figure" and name_of(kind) == "Figure":
                return taken_apart.figure
            return self._by_itself if issubclass(kind, tuple) else None  # where the subplots of a figure are
        if library == "polars":
            return self._by_itself if name_of(kind) in {"DataFrame", "Series"} else None
        if home == "dataclasses":
            return self._of_dataclasses
        if home == "typing":
            return self._of_typing
        is_data = home == "pyarrow.lib" or library in {"scipy", "statsmodels", "sklearn"}
        is_data = is_data or (library == "xarray" and not home.startswith("xarray.backends"))
        return self._by_itself if is_data else None

    def _by_itself(self, value: Any) -> Any:
        kind: Any = type(value)
        taken_apart.look_at_fields(value)
        reduce = self.dispatch_table.get(kind)
        made = reduce(value) if reduce else kind.__reduce_ex__(value, PROTOCOL)
        if type(made) is str and vars(builtins).get(made) is value:  # pickle would look for it in every module
            return getattr, (builtins, made)
        return made

    def _table(self, value: Any) -> Any:
        taken_apart.look_at_table(value)
        return self._by_itself(value)

    def _of_dataclasses(self, value: Any) -> Any:
        """Name what is compared by identity, such as `MISSING`."""
        names = [name for name, held in vars(dataclasses).items() if held is value]
        return (getattr, (dataclasses, names[0])) if names else self._by_itself(value)

    def _of_typing(self, value: Any) -> Any:
        """`typing` asks a single argument for its class."""
        self._look_at(getattr(value, "__args__", ()))
        return self._by_itself(value)

    def _class(self, value: type) -> Any:
        taken_apart.look_at_class(value)
        return NotImplemented if home_of(value) else super().reducer_override(value)  # by name, or with its code

    def _function(self, value: types.FunctionType) -> Any:
        if not (type(value.__name__) is type(value.__qualname__) is str):
            raise Stays("a function whose name is not plain text")
        module: Any = value.__module__
        if type(module) is str and module != "__main__" and lies_in(module, value.__qualname__, value):
            if is_installed(module):
                return NotImplemented  # by name
            raise Stays(f"`{value.__name__}` of module `{module}`, which isn't installed")
        if type(module) is not str or type(sys.modules.get(module, sys)) is not types.ModuleType:
            raise Stays(f"`{value.__name__}`, a function of no module")
        self._look_at_function(value)
        return super().reducer_override(value)

    def _look_at_function(self, value: types.FunctionType) -> None:
        """Make sure that all that cloudpickle asks for its class when it takes this function apart is known."""
        if type(value.__globals__) is not dict:
            raise Stays(f"`{value.__name__}`")
        held: list[Any] = []
        for code in _codes(value.__code__):
            held += code.co_consts
            names = [step.argval for step in dis.get_instructions(code) if step.opname in _GLOBALS]
            held += [value.__globals__[name] for name in names if name in value.__globals__]
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # an empty one
                held.append(cell.cell_contents)
        self._look_at(held)

    def _look_at(self, held: Iterable[Any]) -> None:
        for each in held:
            if issubclass(type(each), type):
                taken_apart.look_at_class(each)
            elif type(each) is types.ModuleType:
                taken_apart.module(each)  # one that is not installed may have a `__getattr__`
            elif type(each) is tuple:
                self._look_at(each)
            elif id(type(each)) not in _PLAIN | _CONTAINERS:
                self._way(type(each))


class _DataPickler(ExactPickler):
    """Raises `Stays` also at modules, and at functions and classes of the notebook: making these anew may run code."""

    def _way_of(self, kind: Any) -> Way | None:
        return None if kind is types.ModuleType else super()._way_of(kind)

    def _class(self, value: type) -> Any:
        if not home_of(value):
            raise Stays(f"`{name_of(value)}`")
        return super()._class(value)

    def _function(self, value: types.FunctionType) -> Any:
        made = super()._function(value)
        if made is not NotImplemented:
            raise Stays(f"`{value.__name__}`")
        return made


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if type(const) is types.CodeType:
            yield from _codes(const)

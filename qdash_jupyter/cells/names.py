"""What the names of the user's namespace are, told by exact type only.

An instrument may answer any attribute access, comparison, `len` or `repr` with a real pulse, and so may its metaclass.
So an object is only ever asked for `type(x)`, and types are only compared by identity: no `isinstance` (it reads
`__class__`), no sets of types (they hash), no `__module__` of a foreign class (a metaclass may answer it).
"""

from __future__ import annotations

import datetime as dt
import decimal
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

MOST_CELLS = 200_000
"""How many objects are looked at in one value (cells, elements); beyond that it is unknown."""

_DEEPEST = 6


class Known(StrEnum):
    """The kinds of objects that are told apart."""

    FRAME = "frame"
    SERIES = "series"
    INDEX = "index"
    ARRAY = "array"
    NUMBER = "number"
    TEXT = "text"
    NONE = "none"
    TIME = "time"
    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"
    SET = "set"
    FIGURE = "figure"
    """A Plotly or matplotlib figure, axes, or an array of axes."""
    MODULE = "module"
    LIBRARY = "library"
    """A function or class of a library that was imported by its own name; `path` says which."""
    FUNCTION = "function"
    """A function of the user's: nobody knows what it does."""
    COPILOT = "copilot"
    STORE = "store"
    STORED = "stored"
    UNKNOWN = "unknown"


_CONTAINERS = (Known.LIST, Known.TUPLE, Known.DICT, Known.SET)
_MUTABLE = (*_CONTAINERS, Known.FRAME, Known.SERIES, Known.INDEX, Known.ARRAY, Known.FIGURE)


@dataclass(frozen=True, slots=True)
class NameKind:
    """What one name stands for.

    `path` is the import path of modules and library functions; `element` is what a container holds (for a dict: its
    values), where all elements are of one kind, else None; `aliases` are other names for the very same object;
    `type_name` is the bare name of an unknown object's class, for people.
    """

    kind: Known
    path: str = ""
    element: NameKind | None = None
    aliases: tuple[str, ...] = ()
    type_name: str = ""


UNKNOWN = NameKind(Known.UNKNOWN)
_MIXED = NameKind(Known.NONE, path="mixed")

_HANDLES = (
    ("qdash_jupyter.session.copilot", "Copilot", Known.COPILOT),
    ("qdash_jupyter.store.store", "FrameStore", Known.STORE),
    ("qdash_jupyter.store.frame", "StoredResult", Known.STORED),
)
_LIBRARY_HOMES = (
    *("math", "statistics", "datetime", "collections", "itertools", "functools", "re", "json", "random", "operator"),
    *("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "pandas", "plotly.subplots", "plotly.graph_objects"),
    *("scipy.stats", "scipy.optimize", "scipy.signal", "scipy.interpolate", "scipy.integrate", "scipy.special"),
)
_INDEXES = (
    "Index",
    "RangeIndex",
    "DatetimeIndex",
    "TimedeltaIndex",
    "PeriodIndex",
    "IntervalIndex",
    "CategoricalIndex",
)
_TIMES = (dt.datetime, dt.date, dt.time, dt.timedelta, dt.timezone)
_CLASS_NAME: Any = type.__dict__["__name__"]


def describe_names(namespace: Mapping[str, object], names: Iterable[str]) -> dict[str, NameKind]:
    """Say what each of `names` is that the namespace holds; nothing but the types of the objects is looked at."""
    found: dict[str, NameKind] = {}
    for name in dict.fromkeys(names):
        if name not in namespace:
            continue
        value = namespace[name]
        kind = _Describer().describe(value, name)
        if kind.kind in _MUTABLE:
            others = tuple(other for other, bound in namespace.items() if bound is value and other != name)
            kind = NameKind(kind.kind, kind.path, kind.element, others)
        found[name] = kind
    return found


def _loaded(module: str, attribute: str) -> object:
    home = sys.modules.get(module)
    return None if home is None else home.__dict__.get(attribute)


def is_a(kind: type, module: str, attribute: str) -> bool:
    """Whether `kind` is that very class. A library that is not loaded has no objects."""
    return kind is _loaded(module, attribute)


def is_plain_index(value: object) -> bool:
    """Whether it is pandas' own index, of data only: no foreign code says how long it is."""
    return _Describer().index(value)


class _Describer:
    """Describes one value, within a budget of objects looked at."""

    def __init__(self) -> None:
        self.left = MOST_CELLS

    def describe(self, value: object, name: str = "", depth: int = 0) -> NameKind:
        kind = type(value)
        self.left -= 1
        if self.left < 0 or depth > _DEEPEST:
            return UNKNOWN
        scalar = self.scalar(kind)
        if scalar is not None:
            return scalar
        if kind is list or kind is tuple or kind is set or kind is frozenset or kind is dict:
            return self.container(value, kind, depth)
        if kind is ModuleType:
            return self.module(value)
        for module, attribute, handle in _HANDLES:
            if is_a(kind, module, attribute):
                return NameKind(handle)
        return self.table(value, kind) or self.drawing(kind) or self.library(value, name, kind)

    def scalar(self, kind: type) -> NameKind | None:  # noqa: PLR0911
        if kind is int or kind is float or kind is bool or kind is complex or kind is decimal.Decimal:
            return NameKind(Known.NUMBER)
        if kind is str or kind is bytes:
            return NameKind(Known.TEXT)
        if kind is type(None) or kind is type(Ellipsis) or kind is slice or kind is range:
            return NameKind(Known.LIST, element=NameKind(Known.NUMBER)) if kind is range else NameKind(Known.NONE)
        if kind is re.Pattern or kind is re.Match:
            return NameKind(Known.NONE)
        if any(kind is time for time in _TIMES):
            return NameKind(Known.TIME)
        pandas = sys.modules.get("pandas")
        if pandas is not None:
            times = ("Timestamp", "Timedelta", "Period", "Interval")
            if any(kind is pandas.__dict__.get(time) for time in times) or kind is type(pandas.__dict__.get("NaT")):
                return NameKind(Known.TIME)
            if kind is type(pandas.__dict__.get("NA")):
                return NameKind(Known.NONE)
        numpy = sys.modules.get("numpy")
        scalars = () if numpy is None else tuple(numpy.__dict__.get("sctypeDict", {}).values())
        if (
            any(kind is scalar for scalar in scalars)
            and not is_a(kind, "numpy", "void")
            and not is_a(kind, "numpy", "object_")
        ):
            return NameKind(Known.NUMBER)
        return None

    def container(self, value: Any, kind: type, depth: int) -> NameKind:
        if kind is dict:
            if any(self.describe(key, depth=depth + 1).kind is Known.UNKNOWN for key in value):
                return UNKNOWN
            return self.elements(Known.DICT, list(value.values()), depth)
        found = Known.LIST if kind is list else Known.TUPLE if kind is tuple else Known.SET
        return self.elements(found, list(value), depth)

    def elements(self, kind: Known, values: list[Any], depth: int) -> NameKind:
        element: NameKind | None = None
        for value in values:
            found = self.describe(value, depth=depth + 1)
            # A function or a module among data would be called or read through: not data.
            if found.kind in {Known.UNKNOWN, Known.FUNCTION, Known.LIBRARY, Known.MODULE}:
                return UNKNOWN
            if found.kind in {Known.COPILOT, Known.STORE, Known.STORED}:
                return UNKNOWN
            element = found if element is None else element if element == found else _MIXED
        return NameKind(kind, element=None if element is _MIXED else element or NameKind(Known.NONE))

    def module(self, value: object) -> NameKind:
        path = object.__getattribute__(value, "__dict__").get("__name__")
        if type(path) is str and sys.modules.get(path) is value:
            return NameKind(Known.MODULE, path)
        return UNKNOWN

    def table(self, value: Any, kind: type) -> NameKind | None:
        if is_a(kind, "numpy", "ndarray"):
            return self.array(value)
        if "pandas" not in sys.modules:
            return None
        if is_a(kind, "pandas", "DataFrame"):
            columns = (value.iloc[:, i] for i in range(value.shape[1]))
            plain = self.index(value.index) and self.index(value.columns) and all(self.values(c) for c in columns)
            return NameKind(Known.FRAME) if plain else UNKNOWN
        if is_a(kind, "pandas", "Series"):
            plain = self.values(value) and self.index(value.index) and self.cells([value.name])
            return NameKind(Known.SERIES) if plain else UNKNOWN
        if is_a(kind, "pandas", "MultiIndex") or any(is_a(kind, "pandas", name) for name in _INDEXES):
            return NameKind(Known.INDEX) if self.index(value) else UNKNOWN
        return None

    def index(self, value: Any) -> bool:
        kind = type(value)
        if not is_a(kind, "pandas", "MultiIndex") and not any(is_a(kind, "pandas", name) for name in _INDEXES):
            return False
        if not self.cells(list(value.names)):
            return False
        if is_a(kind, "pandas", "MultiIndex"):
            return all(self.index(level) for level in value.levels)
        return self.values(value)

    def values(self, column: Any) -> bool:
        """Whether a column (or index) holds data only; its type is already known to be pandas' own."""
        dtype = column.dtype
        kind = type(dtype)
        if is_a(kind, "pandas", "CategoricalDtype"):
            return self.index(dtype.categories)
        ours = (*("StringDtype", "DatetimeTZDtype", "PeriodDtype", "IntervalDtype", "BooleanDtype", "ArrowDtype"),
                *(f"{sign}Int{bits}Dtype" for sign in ("", "U") for bits in (8, 16, 32, 64)),
                "Float32Dtype", "Float64Dtype")  # fmt: skip
        if any(is_a(kind, "pandas", name) for name in ours):
            return True
        shape = getattr(dtype, "char", "?") if sys.modules["numpy"].dtype in kind.__mro__ else ""
        if shape == "O":
            return self.cells(column.to_numpy())
        return shape not in {"", "V"}

    def cells(self, values: Iterable[object]) -> bool:
        seen: list[type] = []
        for value in values:
            self.left -= 1
            if self.left < 0:
                return False
            kind = type(value)
            if any(kind is known for known in seen):
                continue
            if kind is tuple:
                if not self.cells(value):  # type: ignore[arg-type]
                    return False
            elif self.scalar(kind) is None:
                return False
            else:
                seen.append(kind)
        return True

    def array(self, value: Any) -> NameKind:
        if not value.dtype.hasobject:
            return NameKind(Known.ARRAY)
        flat = list(value.flat) if value.size <= self.left else [object()]
        if flat and all(is_a(type(one), "matplotlib.axes", "Axes") for one in flat):
            return NameKind(Known.FIGURE)
        return NameKind(Known.ARRAY) if value.dtype.char == "O" and self.cells(flat) else UNKNOWN

    def drawing(self, kind: type) -> NameKind | None:
        places = (
            ("plotly.graph_objects", "Figure"),
            ("plotly.graph_objs._figure", "Figure"),
            ("matplotlib.figure", "Figure"),
        )
        if any(is_a(kind, *place) for place in (*places, ("matplotlib.axes", "Axes"))):
            return NameKind(Known.FIGURE)
        return None

    def library(self, value: object, name: str, kind: type) -> NameKind:
        """A function or class that stands under the same name in a library; found by identity, not by asking it."""
        for home in _LIBRARY_HOMES if name else ():
            if _loaded(home, name) is value:
                return NameKind(Known.LIBRARY, f"{home}.{name}")
        if kind is FunctionType or kind is BuiltinFunctionType:
            return NameKind(Known.FUNCTION)
        return NameKind(Known.UNKNOWN, type_name=_CLASS_NAME.__get__(kind))

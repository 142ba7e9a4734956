"""Take objects of known types apart for the pickler, and read classes and instances without running code of theirs."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import sys
import types
import typing
from abc import ABC, ABCMeta
from collections.abc import Callable, Iterable, Mapping
from enum import EnumMeta
from importlib.machinery import ModuleSpec
from typing import Any

from qdash_jupyter.cells.installed import is_installed, lies_in
from qdash_jupyter.domain.sizes import size_words

MOST_BYTES = 1_000_000_000
"""Bytes that travel at most, all names together."""
PROTOCOL = 5
"""Of pickle."""


class Stays(Exception):
    """For the user: this value stays in the kernel. The text says why."""


def too_large(size: int) -> str:
    """Say why a value of this many bytes stays."""
    return f"{size_words(size)}; up to {size_words(MOST_BYTES)} travels"


def ids(*kinds: object) -> frozenset[int]:
    """Return the identities of types: comparing or hashing a type may run code of its metaclass."""
    return frozenset(map(id, kinds))


METACLASSES = ids(type, ABCMeta, EnumMeta)
"""Of classes that travel with their code."""
_NAMED_IN_TYPES = ids(*vars(types).values())
_BASES = ids(object, tuple, ABC, typing.Generic, typing.Protocol)

_OWN_WAYS = frozenset(
    {"__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getattribute__", "__getattr__", "__class__"}
    | {"__getnewargs__", "__getnewargs_ex__"}
)
"""By these a class says itself what it has, or how it is copied."""
_OF_ENUMS = {"__getattribute__", "__class__", "__init__", "__new__", "name", "value"}
_SLOTS = ids(str, tuple, list, dict)
_OF_TABLES = _OWN_WAYS | {"_metadata"}

# Descriptors of `type`: they answer for any class without asking its metaclass.
name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
_path_of: Callable[[type], str] = type.__dict__["__qualname__"].__get__
module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_mro_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_dict_of: Callable[[type], Mapping[str, Any]] = type.__dict__["__dict__"].__get__


def home_of(kind: type) -> str:
    """Return the installed module that holds this class under its own name; empty if there is none."""
    module = module_of(kind)
    return str(module) if lies_in(module, _path_of(kind), kind) and is_installed(module) else ""


def is_of_notebook(kind: type) -> bool:
    """Tell whether this class was written in the notebook, with a metaclass of Python's own."""
    module = module_of(kind)
    return id(type(kind)) in METACLASSES and type(module) is str and module == "__main__"


def _has_own(kind: type, names: Iterable[str]) -> bool:
    """Tell whether a class of the notebook defines one of these itself, as opposed to the library's decorator."""
    held = _dict_of(kind)
    return any(name in held and not _is_of_library(held[name]) for name in names)


def is_plain(kind: type) -> bool:
    """Tell whether instances of this class of the notebook are their `__dict__`, slots and items, and no more."""
    return all(not _has_own(base, _OWN_WAYS) if is_of_notebook(base) else id(base) in _BASES for base in _mro_of(kind))


def is_compiled_function(kind: type) -> bool:
    """Tell whether this is a type of functions in C, or one that Cython or numpy make."""
    if issubclass(kind, types.BuiltinFunctionType):  # which no class in Python can inherit
        return True
    module = module_of(kind)
    made_by = module if type(module) is str else ""
    if name_of(kind) == "_ArrayFunctionDispatcher":
        return made_by == "numpy"
    is_of_cython = type(module) is types.MemberDescriptorType or made_by.startswith("_cython_")
    return is_of_cython and name_of(kind) == "cython_function_or_method"


def is_zone_of_pytz(kind: type) -> bool:
    """Tell whether this is a class that pytz made for a time zone; pandas before 3 has them in tables."""
    module = module_of(kind)
    return type(module) is str and module in {"pytz", "pytz.tzfile"} and home_of(_mro_of(kind)[1]) == "pytz.tzinfo"


def _is_of_library(value: object) -> bool:
    if type(value) is not types.FunctionType or not is_installed(value.__module__):
        return False
    return value.__globals__ is vars(sys.modules[value.__module__])


def look_at_class(kind: type) -> None:
    """Make sure that this class is found by name, or is of the notebook and nothing of its own runs when cloudpickle
    takes it apart, which iterates over enums and makes their members anew without their `__init__`.
    """
    if id(kind) in _NAMED_IN_TYPES or home_of(kind):
        return
    names = _OF_ENUMS if type(kind) is EnumMeta else {"__class__"}
    if not is_of_notebook(kind) or any(_is_strange(base, names) for base in _mro_of(kind) if is_of_notebook(base)):
        raise Stays(f"`{name_of(kind)}`")


def _is_strange(kind: type, names: Iterable[str]) -> bool:
    held = _dict_of(kind)
    if not _are_plain([*held]):
        return True
    slots = held.get("__slots__", ())
    own_dict = "__dict__" in held and type(held["__dict__"]) is not types.GetSetDescriptorType
    own_slots = id(type(slots)) not in _SLOTS or not _are_plain([*slots])
    own_bases = type(held.get("__orig_bases__", ())) is not tuple
    return own_dict or own_slots or own_bases or _has_own(kind, names)


def _are_plain(names: list[Any]) -> bool:
    """Tell whether these are texts. A subclass of `str` may have a hash and a comparison of its own."""
    return all(type(name) is str for name in names)


def look_at_fields(value: Any) -> None:
    """Make sure that an object of a library does not say itself how it is copied: Python asks the instance first."""
    held: Any = None
    with contextlib.suppress(AttributeError):
        held = object.__getattribute__(value, "__dict__")  # a method's own way asks its function
    if type(held) is dict and not (_are_plain([*held]) and _OWN_WAYS.isdisjoint(held)):
        raise Stays(f"`{name_of(type(value))}` with changed internals")


def module(value: types.ModuleType) -> Any:
    """Import it by name."""
    spec = vars(value).get("__spec__")
    name = spec.name if type(spec) is ModuleSpec else vars(value).get("__name__")
    if type(name) is str and sys.modules.get(name) is value and is_installed(name):
        return importlib.import_module, (name,)
    raise Stays(f"module `{name}`, which isn't installed" if type(name) is str else "a module without a name")


def builtin(value: Any) -> Any:
    """Find it by name, or on the object that it belongs to."""
    owner: Any = getattr(value, "__self__", None)
    kind: type = owner if issubclass(type(owner), type) else type(owner)
    if issubclass(type(value), types.BuiltinFunctionType) and id(type(kind)) not in METACLASSES:
        raise Stays(f"`{name_of(kind)}`")  # the class would be asked for its name
    module, path = value.__module__, value.__qualname__
    if lies_in(module, path, value) and is_installed(module):
        return NotImplemented  # by name
    if issubclass(type(value), types.BuiltinFunctionType) and type(value.__self__) is not types.ModuleType:
        return getattr, (value.__self__, value.__name__)
    raise Stays(f"`{path}`" if type(path) is str else "a compiled function")


def ufunc(value: Any) -> Any:
    """Find it by name."""
    for name in ("numpy", "scipy.special"):
        if lies_in(name, value.__name__, value):
            return getattr, (sys.modules[name], value.__name__)
    raise Stays("a ufunc of its own")


def cached_property(value: Any) -> Any:
    """Take out its function, without the lock that it has before Python 3.12."""
    held = vars(value)
    return type(value), (held["func"],), {"attrname": held["attrname"]}


def with_cache(value: Any) -> Any:
    """Take the function out of its cache, which begins empty in the session and has no limit there."""
    return new_cache, (), vars(value)["__wrapped__"], None, None, functools.update_wrapper


def new_cache() -> Any:
    """Return a cached function that calls the one it is given later, which may refer to it."""

    @functools.cache
    def cached(*given: Any, **named: Any) -> Any:
        return vars(cached)["__wrapped__"](*given, **named)

    return cached


def proxy(value: Any) -> Any:
    """Take out the dict behind it, without asking for its items."""
    return types.MappingProxyType, (gc.get_referents(value)[0],)


def look_at_table(value: Any) -> None:
    """Make sure that what a DataFrame or Series of pandas asks when it is pickled is pandas' own."""
    held = vars(value)
    if (
        not _are_plain([*held])
        or type(held.get("_flags")) is not sys.modules["pandas"].Flags
        or not _OF_TABLES.isdisjoint(held)
    ):
        raise Stays(f"`{name_of(type(value))}` with changed internals")


def look_at_parts(value: Any) -> None:
    """Make sure that the arrays and indexes of a DataFrame or Series of pandas are of pandas and numpy."""
    import numpy as np
    import pandas as pd

    look_at_table(value)
    parts = [vars(value)["_mgr"]]
    if _is_of_pandas(type(parts[0])):
        parts += [*parts[0].axes, *(block.values for block in parts[0].blocks)]  # noqa: PD011 - a block's
        parts += [level for part in parts if type(part) is pd.MultiIndex for level in part._levels]  # noqa: SLF001
    if others := [kind for kind in map(type, parts) if kind is not np.ndarray and not _is_of_pandas(kind)]:
        raise Stays(f"`{name_of(others[0])}`")


def _is_of_pandas(kind: type) -> bool:
    return home_of(kind).partition(".")[0] == "pandas"


def array(value: Any) -> Any:
    """Take out its buffer."""
    if value.nbytes > MOST_BYTES:
        raise Stays(too_large(value.nbytes))
    kind: Any = type(value)
    return kind.__reduce_ex__(value, PROTOCOL)


def figure(value: Any) -> Any:
    """Take out its tree of dicts, lists and arrays, uncopied."""
    held = vars(value)
    if id(type(held["_frame_objs"])) not in _SLOTS:
        raise Stays("a figure with changed internals")
    props = {"data": held["_data"], "layout": held["_layout"]}
    props["frames"] = [vars(frame)["_orphan_props"] for frame in held["_frame_objs"]]
    return type(value), (props | {name: held[name] for name in ("_grid_ref", "_grid_str")},)


def member(value: Any) -> Any:
    """Take out the value of this member of an enum."""
    return type(value), (_fields(value)[0]["_value_"],)


def instance(value: Any) -> Any:
    """Take out what an instance of a class of the notebook has."""
    base: Any = tuple if issubclass(type(value), tuple) else object
    items = (tuple.__getitem__(value, slice(None)),) if base is tuple else ()
    return base.__new__, (type(value), *items), _fields(value), None, None, set_fields


def _fields(value: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what an instance has, in its `__dict__` and in slots, read by the descriptors that Python made."""
    fields: dict[str, Any] = {}
    slots: dict[str, Any] = {}
    for base in _mro_of(type(value)):
        for name, member in _dict_of(base).items():
            if type(member) is types.MemberDescriptorType and name not in slots:
                with contextlib.suppress(AttributeError):  # an empty one
                    slots[name] = member.__get__(value)
            elif name == "__dict__" and type(member) is types.GetSetDescriptorType:
                fields = member.__get__(value)
    return fields, slots


def set_fields(value: object, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Give a new instance in the session what the one in the kernel has; no code of its class runs."""
    fields, slots = state
    if fields:
        vars(value).update(fields)
    for name, held in slots.items():
        object.__setattr__(value, name, held)

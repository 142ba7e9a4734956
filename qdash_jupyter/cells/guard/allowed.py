"""What may be reached without leave: the names of modules, attributes by the library that defines them, builtins.

The lists in `lists/` are one for each library: under each module its names, under `attributes` those of its objects. A name
with `-` was looked at and is refused; one that a list does not know yet is refused as well (`scripts/guard_lists.py`).
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
import sysconfig
import types
from functools import cache
from importlib.resources import files
from typing import Any

BUILTINS = frozenset(
    "abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter "
    "float format frozenset hash hex id int isinstance issubclass iter len list map max min next object oct ord pow property "
    "range repr reversed round set slice sorted staticmethod str sum super tuple zip".split()
) | {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)}
"""Those that only compute."""

FUNCTION_NAMES = frozenset(
    "mean median sum std var min max count size nunique first last sem skew kurt prod quantile idxmin idxmax any all "
    "cumsum cumprod cummax cummin cumcount rank diff pct_change shift abs round sqrt log exp log10 log2 unique ffill "
    "bfill mode describe value_counts ohlc ngroup isna notna floor ceil sin cos tan upper lower title len".split()
)
"""What `agg("…")` and its like may name: pandas calls the method of that name, whatever it is."""

SPECIAL = frozenset(
    "__name__ __qualname__ __doc__ __version__ __class__ __annotations__ __members__ __dataclass_fields__".split()
)
"""Attributes with underscores that may be read of anything."""

OF_SUPER = frozenset(
    "__init__ __post_init__ __new__ __enter__ __exit__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ "
    "__len__ __iter__ __next__ __contains__ __getitem__ __setitem__ __add__ __sub__ __mul__ __call__ __init_subclass__ "
    "__bool__ __missing__".split()
)
"""What a class may ask of the one that it is made from."""

CHANGING = frozenset(
    "append extend insert remove pop popitem clear sort reverse update setdefault add discard difference_update "
    "intersection_update symmetric_difference_update appendleft extendleft popleft rotate move_to_end fill put partition "
    "resize isetitem set_flags subtract".split()
)
"""Methods that change their own object, on some kind at least."""

ON_TABLES = frozenset("add subtract partition update pop".split())
"""Of those, the ones that give something new on tables, groups or text, or may."""

_HOMES = {
    **{top: top for top in ("numpy", "pandas", "scipy", "plotly", "matplotlib", "qdash_jupyter")},
    "_plotly_utils": "plotly", "mpl_toolkits": "matplotlib", "cycler": "matplotlib",
    **dict.fromkeys(
        "builtins datetime _datetime _pydatetime collections _collections itertools functools _functools re _sre decimal _decimal "
        "fractions statistics zoneinfo random _random enum string types uuid hashlib _hashlib _md5 _sha1 _sha2 _sha256 _blake2 "
        "contextlib dataclasses operator _operator io _io numbers abc typing calendar copy time math _struct json bisect heapq "
        "textwrap warnings pytz dateutil collections.abc _collections_abc cmath IPython pprint __future__".split(),
        "python",
    ),
}  # fmt: skip
_INSTALLED = tuple(
    os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_MODULE_OF: Any = type.__dict__["__module__"]
_NAME_OF: Any = type.__dict__["__name__"]


@cache
def listed(library: str) -> dict[str, frozenset[str]]:
    """The names that one list allows, by module; those of objects under `attributes`."""
    return {module: frozenset(name for name in names if name[0] != "-") for module, names in known(library).items()}


@cache
def known(library: str) -> dict[str, tuple[str, ...]]:
    """All that one list names, as it stands there."""
    file = files(__package__) / "lists" / f"{library}.txt"
    found: dict[str, tuple[str, ...]] = {}
    if library in _HOMES.values():
        for part in f"\n{file.read_text(encoding='utf-8')}".split("\n[")[1:]:
            module, _, names = part.partition("]\n")
            found[module] = tuple(names.split())
    return found


LIBRARIES = "numpy, pandas, plotly, scipy, matplotlib, the standard library or qdash_jupyter.methods"


def library_of(module: object) -> str:
    """The list that speaks of what was made in this module; empty where none does."""
    return _HOMES.get(module.partition(".")[0], "") if type(module) is str else ""


def home_of(kind: type) -> str:
    """The library of a class, without asking the class: a metaclass may answer with a pulse."""
    meta = type(kind)
    if meta is not type and library_of(type.__getattribute__(meta, "__module__")) == "":
        return ""
    return library_of(_MODULE_OF.__get__(kind))


def is_module_allowed(name: str) -> bool:
    """Whether a module is on a list."""
    return name in listed(library_of(name))


def is_name_allowed(module: types.ModuleType, name: str, value: object) -> bool:
    """Whether this attribute of a module may be had, which is `value`."""
    owner = module.__name__
    if sys.modules.get(owner) is not module:
        return False
    if type(value) is types.ModuleType:
        return is_module_allowed(value.__name__) and sys.modules.get(value.__name__) is value
    return name in listed(library_of(owner)).get(owner, ()) and not is_of_person(value)


def is_attribute_allowed(library: str, name: str) -> bool:
    """Whether objects of this library may be asked for it."""
    return name in listed(library).get("attributes", ())


@cache
def is_installed(module: str) -> bool:
    """Whether `import` finds the interpreter's own or an installed one, not a file beside the notebook."""
    top = module.partition(".")[0]
    if top in sys.builtin_module_names:
        return True
    loaded = sys.modules.get(top)
    spec = getattr(loaded, "__spec__", None) if loaded is not None else importlib.util.find_spec(top)
    origin = getattr(spec, "origin", None)
    if origin in {"frozen", "built-in"}:
        return True
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
    places = (*_INSTALLED, here) if top == __name__.partition(".")[0] else _INSTALLED
    return isinstance(origin, str) and os.path.realpath(origin).startswith(places)


def is_of_person(value: object) -> bool:
    """Whether this is code of the person's, in whatever wrapping: a library that was patched holds such code."""
    for _ in range(4):
        kind = type(value)
        if kind is types.MethodType:
            if home_of(type(value.__self__)) == "":  # type: ignore[attr-defined]
                return True
            value = value.__func__  # type: ignore[attr-defined]
        elif kind is staticmethod or kind is classmethod:
            value = value.__func__  # type: ignore[attr-defined]
        elif kind is property:
            value = value.fget  # type: ignore[attr-defined]
        else:
            break
    kind = type(value)
    if kind is types.FunctionType:
        return library_of(value.__globals__.get("__name__", "")) == ""  # type: ignore[attr-defined]
    name, home = _NAME_OF.__get__(kind), _MODULE_OF.__get__(kind)
    if name in {"CachedAccessor", "Accessor"} and library_of(home) == "pandas":
        accessor = object.__getattribute__(value, "__dict__").get("_accessor")
        return isinstance(accessor, type) and home_of(accessor) == ""
    if name == "cython_function_or_method":  # a class of Python's cannot be called in C
        return type(type.__dict__["__dict__"].__get__(kind).get("__call__")) is not types.WrapperDescriptorType
    return home_of(kind) == ""

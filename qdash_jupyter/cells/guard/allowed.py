"""What may be reached without leave: the names of modules, attributes by the library that defines them, builtins.

The lists in `lists/` are one for each library: under each module its names, under `attributes` those of its objects. A
name with `-` was looked at and is refused; one that a list does not know yet is refused too (`scripts/guard_lists.py`).
"""

from __future__ import annotations

import builtins
import importlib.util
import sys
import sysconfig
import types
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from qdash_jupyter.domain.effects import Effect, EffectKind

LIBRARIES = "numpy, pandas, plotly, scipy, matplotlib, the standard library or qdash_jupyter.methods"
_MODULE_OF: Any = type.__dict__["__module__"]
_NAME_OF: Any = type.__dict__["__name__"]
_DICT_OF: Any = type.__dict__["__dict__"]


@cache
def known(library: str) -> dict[str, tuple[str, ...]]:
    """All that one list names, as it stands there."""
    text = (files(__package__) / "lists" / f"{library}.txt").read_text(encoding="utf-8") if library else ""
    parts = (part.partition("]\n") for part in f"\n{text}".split("\n[")[1:])
    return {module: tuple(names.split()) for module, _, names in parts}


@cache
def listed(library: str) -> dict[str, frozenset[str]]:
    """The names that one list allows, by module; those of objects under `attributes`."""
    return {module: frozenset(name for name in names if name[0] != "-") for module, names in known(library).items()}


def words(subject: str) -> frozenset[str]:
    """A list of words that is of no one library."""
    return listed("words")[subject]


BUILTINS = words("builtins") | {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}
"""Those that only compute."""
SPECIAL = words("special")
"""Attributes with underscores that may be read of anything."""
OF_SUPER = words("of super")
"""What a class may ask of the one that it is made from."""
CHANGING = words("changing")
"""Methods that change their own object, on some kind at least."""
ON_TABLES = words("on tables")
"""Of those, the ones that give something new on tables, groups or text, or may."""
_HOMES = dict.fromkeys(words("homes in python"), "python")
_HOMES |= {top: top for top in ("numpy", "pandas", "scipy", "plotly", "matplotlib", "qdash_jupyter")}
_HOMES |= {"_plotly_utils": "plotly", "mpl_toolkits": "matplotlib", "cycler": "matplotlib"}
LISTS = tuple(dict.fromkeys(_HOMES.values()))


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


def is_listed(owner: str, name: str) -> bool:
    """Whether a list has this name of a module, which need not be loaded yet."""
    return name in listed(library_of(owner)).get(owner, ()) or is_module_allowed(f"{owner}.{name}")


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
    loaded = sys.modules.get(top)
    spec = getattr(loaded, "__spec__", None) if loaded is not None else importlib.util.find_spec(top)
    origin = getattr(spec, "origin", None)
    if top in {*sys.builtin_module_names, __name__.partition(".")[0]} or origin in {"frozen", "built-in"}:
        return True
    places = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return isinstance(origin, str) and any(Path(origin).resolve().is_relative_to(place) for place in places)


def is_of_person(value: Any) -> bool:  # noqa: PLR0911 - one for each kind
    """Whether this is code of the person's, in whatever wrapping: a library that was patched holds such code."""
    kind = type(value)
    if kind is types.MethodType:
        return home_of(type(value.__self__)) == "" or is_of_person(value.__func__)
    if kind is staticmethod or kind is classmethod:
        return is_of_person(value.__func__)
    if kind is property:
        return is_of_person(value.fget)
    if kind is types.FunctionType:
        return library_of(value.__globals__.get("__name__", "")) == ""
    name = _NAME_OF.__get__(kind)
    if name == "cython_function_or_method":  # a class of Python's cannot be called in C
        return type(_DICT_OF.__get__(kind).get("__call__")) is not types.WrapperDescriptorType
    if name in {"CachedAccessor", "Accessor"} and home_of(kind) == "pandas":
        accessor = object.__getattribute__(value, "__dict__").get("_accessor")
        return isinstance(accessor, type) and home_of(accessor) == ""
    return home_of(kind) == ""


def kind_of(name: str, module: str) -> EffectKind:
    """The kind of effect that a refused name of a module, or a refused module, most likely has: for words."""
    top = (module or name).partition(".")[0]
    if name.startswith(
        ("to_", "tofile", "save", "write", "dump", "load", "read_", "from_file", "genfromtxt", "memmap")
    ):
        return EffectKind.FILES
    for kind in (EffectKind.NETWORK, EffectKind.SHELL, EffectKind.FILES):
        if top in words(kind.value):
            return kind
    if name in {"style", "HTML", "Javascript"}:
        return EffectKind.DISPLAY
    return EffectKind.DYNAMIC if name.startswith("_") else EffectKind.UNKNOWN


def refused_import(module: str, line: int = 0) -> Effect | None:
    """The effect of importing a module; None where it is on a list."""
    if is_module_allowed(module) and is_installed(module):
        return None
    return Effect(kind_of(module, ""), module, "imports", line, 0, f"Import {LIBRARIES}.")

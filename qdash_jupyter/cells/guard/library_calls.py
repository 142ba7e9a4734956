"""Calls of listed functions and builtins by which more than computing could be done: their arguments are looked at.

What is made here asks `checks()`, as code may keep it until another run.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]  # how `str.format` itself reads a field
import re
import string
import sys
import types
from collections.abc import Callable
from functools import wraps
from typing import Any

import pandas as pd

from qdash_jupyter.cells.guard import allowed, arguments
from qdash_jupyter.cells.guard.admission import Admission
from qdash_jupyter.cells.guard.data import ATOMS
from qdash_jupyter.cells.guard.stand_in import checks
from qdash_jupyter.cells.guard.views import View, unwrapped
from qdash_jupyter.domain.effects import EffectKind

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
"""The name of a class, without asking the class."""


class LibraryCalls(Admission):
    """Of one run."""

    def wrapped(self, value: Any, receiver: Any, name: str) -> Any:  # noqa: PLR0911 - one for each kind
        """The function itself, or one that looks at its arguments first where one of them can do more than compute."""
        kind = type(value)
        if receiver is None and (kind is list or kind is dict):
            return value.copy()
        if id(kind) in ATOMS:
            return value
        if name in {"query", "eval"} and (type(receiver) is pd.DataFrame or type(receiver) is pd.Series):
            return _query(receiver, name)
        if receiver is None and name == "namedtuple":
            return lambda *given, **options: checks().class_(value(*given, **options))
        if name_of(kind) == "PlotAccessor":
            return PlotAccessor(value)
        module = getattr(value, "__module__", None) if callable(value) and kind is not types.ModuleType else None
        if type(module) is str and module.startswith("qdash_jupyter.methods"):
            return wraps(value)(lambda *given, **options: value(*map(unwrapped, given), **unwrapped(options)))
        is_function = any(kind is one for one in _FUNCTIONS)
        signature = arguments.checked_signature(value, name) if is_function else None
        return value if signature is None else _looking(value, signature, receiver, name)


def _looking(function: Any, signature: Any, receiver: Any, name: str) -> Any:
    first = (function.__self__,) if type(function) is types.MethodType else ()
    library = allowed.library_of(getattr(function, "__module__", ""))
    if name_of(type(receiver)) == "RcParams":
        library = "matplotlib"

    def looked_at(*given: Any, **options: Any) -> Any:
        flat = arguments.by_parameter(signature, (*first, *given), options)
        if first:
            flat.pop(next(iter(signature.parameters)), None)
        for value in flat.values():
            checks().used(value)
        if (trouble := arguments.trouble_with(library, name, flat)) is not None:
            checks().stop(*trouble)
        if flat.get("inplace"):
            checks().changed(receiver)
        if arguments.overwrites(flat):
            checks().stop(EffectKind.MUTATES, "overwrites an argument of", name)
        return function(*given, **options)

    return wraps(function)(looked_at)


def _query(receiver: Any, name: str) -> Any:
    def query(expr: str, *given: Any, **options: Any) -> Any:
        if given or not set(options) <= {"inplace"} or type(expr) is not str:
            checks().stop(EffectKind.DYNAMIC, "calls", f"{name}() with more than a text")
        frame = sys._getframe(1)  # noqa: SLF001 - the cell's
        local = frame.f_locals if frame.f_locals is not checks().names else {}
        named = filter(str.isidentifier, re.findall(r"@(\w+)", expr))
        used = {one: local[one] if one in local else checks().name(one) for one in named}
        if arguments.query_trouble(expr, used):
            checks().stop(EffectKind.DYNAMIC, "evaluates", expr[:60])
        if options.get("inplace"):
            checks().changed(receiver)
        return getattr(receiver, name)(expr, local_dict=used, global_dict={}, **options)

    return query


class PlotAccessor:
    """`frame.plot`: called, its arguments are looked at; its methods are those of the accessor."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Plot."""
        return checks().wrapped(self._held.__call__, self._held, "plot")(*given, **options)

    def read(self, name: str) -> Any:
        """One of its methods."""
        return checks().method(self._held, name)


class RcParams:
    """`plt.rcParams[…] = …`: of this cell only, and nothing that starts a program or names a file."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __setitem__(self, key: Any, value: Any) -> None:
        if not arguments.is_rc_allowed(key, value):
            checks().stop(EffectKind.MUTATES, "sets", f"rcParams[{key!r}]")
        self._held[str(key)] = value


class _Formatter(string.Formatter):
    """`"{0.name}".format(x)` reads attributes by itself."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        first, rest = _string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = checks().attr(value, key) if is_attribute else value[key]
        return value, first


def formatted(held: Any, name: str) -> Any:
    """`format` or `format_map` of a text, or of `str` itself."""

    def give(*given: Any, **options: Any) -> Any:
        text, *values = given if held is str else (held, *given)
        if name == "format_map":
            return _Formatter().vformat(text, (), *values)
        return _Formatter().vformat(text, values, options)

    return give


# --- builtins that reach attributes, files, or the page


def _getattr(held: Any, name: str, *default: Any) -> Any:
    try:
        return checks().attr(held, str(name))
    except AttributeError:
        if default:
            return default[0]
        raise


def _hasattr(held: Any, name: str) -> bool:
    checks().used(held)
    return type(held) is not View and not str(name).startswith("_") and hasattr(held, name)


def _setattr(held: Any, name: str, value: Any) -> None:
    setattr(checks().set(held, str(name)), str(name), value)


def _type(held: Any, *more: Any) -> Any:
    if more:
        checks().stop(EffectKind.DYNAMIC, "calls", "type(…, …, …)")
    checks().used(held)
    return type(held)


def _print(*values: Any, **options: Any) -> None:
    if not arguments.is_buffer(options.get("file")):
        checks().stop(EffectKind.FILES, "calls", "print(file=…)")
    print(*values, **options)  # noqa: T201 - it is what the cell prints


def _open(file: Any, mode: Any = "r", *rest: Any, **options: Any) -> Any:
    # An opener of the code's own could give any file that is open already.
    if type(file) is not str or type(mode) is not str or rest or set(options) - {"encoding", "errors", "newline"}:
        checks().stop(EffectKind.DYNAMIC, "calls", "open() with more than a path, a mode and an encoding")
    checks().stop(*arguments.opened(file, mode))
    return open(file, mode, **options)  # noqa: PTH123 - as the cell does


def _display(*values: Any, **options: Any) -> Any:
    if set(options) - {"display_id", "clear"}:
        checks().stop(EffectKind.DISPLAY, "calls", "display() with options")
    from IPython.display import display

    return display(*values, **options)


WRAPPED_BUILTINS: dict[str, Any] = {
    "getattr": _getattr, "hasattr": _hasattr, "setattr": _setattr, "print": _print, "type": _type,
    "display": _display, "open": _open, "isinstance": isinstance, "__name__": "__main__", "__debug__": True,
}  # fmt: skip
"""Those that look at their arguments, and names that are of the module."""

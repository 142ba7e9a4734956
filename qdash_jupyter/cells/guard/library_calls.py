"""Calls of listed functions by which more than computing could be done: their arguments are looked at first."""

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
from qdash_jupyter.cells.guard.data import ATOMS
from qdash_jupyter.cells.guard.stand_in import Door
from qdash_jupyter.cells.guard.views import unwrapped
from qdash_jupyter.domain.effects import EffectKind

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
"""The name of a class, without asking the class."""


class LibraryCalls:
    """Of one run. `checks` are asked to stop."""

    def __init__(self, checks: Door) -> None:
        self._checks = checks

    def wrapped(self, value: Any, receiver: Any, name: str) -> Any:  # noqa: PLR0911 - one for each kind
        """The function itself, or one that looks at its arguments first where one of them can do more than compute."""
        kind = type(value)
        if receiver is None and (kind is list or kind is dict):
            return value.copy()
        if id(kind) in ATOMS:
            return value
        if name in {"query", "eval"} and (type(receiver) is pd.DataFrame or type(receiver) is pd.Series):
            return self._query(receiver, name)
        if receiver is None and name == "namedtuple":
            return lambda *given, **options: self._checks.class_(value(*given, **options))
        if name_of(kind) == "PlotAccessor":
            return PlotAccessor(self, value)
        module = getattr(value, "__module__", None) if callable(value) and kind is not types.ModuleType else None
        if type(module) is str and module.startswith("qdash_jupyter.methods"):
            return wraps(value)(lambda *given, **options: value(*map(unwrapped, given), **unwrapped(options)))
        is_function = any(kind is one for one in _FUNCTIONS)
        signature = arguments.checked_signature(value, name) if is_function else None
        return value if signature is None else self._looking(value, signature, receiver, name)

    def _looking(self, function: Any, signature: Any, receiver: Any, name: str) -> Any:
        first = (function.__self__,) if type(function) is types.MethodType else ()
        library = allowed.library_of(getattr(function, "__module__", ""))
        if name_of(type(receiver)) == "RcParams":
            library = "matplotlib"

        def looked_at(*given: Any, **options: Any) -> Any:
            flat = arguments.by_parameter(signature, (*first, *given), options)
            if first:
                flat.pop(next(iter(signature.parameters)), None)
            for value in flat.values():
                self._checks.used(value)
            if (trouble := arguments.trouble_with(library, name, flat)) is not None:
                self._checks.stop(*trouble)
            if flat.get("inplace"):
                self._checks.changed(receiver)
            if arguments.overwrites(flat):
                self._checks.stop(EffectKind.MUTATES, "overwrites an argument of", name)
            return function(*given, **options)

        return wraps(function)(looked_at)

    def _query(self, receiver: Any, name: str) -> Any:
        def query(expr: str, *given: Any, **options: Any) -> Any:
            if given or not set(options) <= {"inplace"} or type(expr) is not str:
                self._checks.stop(EffectKind.DYNAMIC, "calls", f"{name}() with more than a text")
            frame = sys._getframe(1)  # noqa: SLF001 - the cell's
            local = frame.f_locals if frame.f_locals is not self._checks.names else {}
            named = filter(str.isidentifier, re.findall(r"@(\w+)", expr))
            used = {one: local[one] if one in local else self._checks.name(one) for one in named}
            if arguments.query_trouble(expr, used):
                self._checks.stop(EffectKind.DYNAMIC, "evaluates", expr[:60])
            if options.get("inplace"):
                self._checks.changed(receiver)
            return getattr(receiver, name)(expr, local_dict=used, global_dict={}, **options)

        return query

    def format(self, held: Any, name: str) -> Any:
        """`format` or `format_map` of a text, or of `str` itself."""
        formatter = _Formatter(self._checks)

        def formatted(*given: Any, **options: Any) -> Any:
            text, *values = given if held is str else (held, *given)
            if name == "format_map":
                return formatter.vformat(text, (), *values)
            return formatter.vformat(text, values, options)

        return formatted

    def settings(self, held: Any) -> Any:
        """`plt.rcParams`, to be written to."""
        return _RcParams(self._checks, held)

    def method(self, held: Any, name: str) -> Any:
        """A method of something that a library gave."""
        return self._checks.method(held, name)


class PlotAccessor:
    """`frame.plot`: called, its arguments are looked at; its methods are those of the accessor."""

    def __init__(self, calls: LibraryCalls, held: Any) -> None:
        self._calls, self._held = calls, held

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Plot."""
        return self._calls.wrapped(self._held.__call__, self._held, "plot")(*given, **options)

    def read(self, name: str) -> Any:
        """One of its methods."""
        return self._calls.method(self._held, name)


class _RcParams:
    """`plt.rcParams[…] = …`: of this cell only, and nothing that starts a program or names a file."""

    def __init__(self, checks: Door, held: Any) -> None:
        self._checks, self._held = checks, held

    def __setitem__(self, key: Any, value: Any) -> None:
        if not arguments.is_rc_allowed(key, value):
            self._checks.stop(EffectKind.MUTATES, "sets", f"rcParams[{key!r}]")
        self._held[str(key)] = value


class _Formatter(string.Formatter):
    """`"{0.name}".format(x)` reads attributes by itself."""

    def __init__(self, checks: Door) -> None:
        self._checks = checks

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        first, rest = _string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = self._checks.attr(value, key) if is_attribute else value[key]
        return value, first

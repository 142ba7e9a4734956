"""Arguments by which a listed function does more than compute, found by the parameter that takes them.

The parameter is known from the function's signature, so that it does not matter how an argument is given: by its place,
by a starred list or in a dict.
"""

from __future__ import annotations

import ast
import inspect
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from types import MethodType
from typing import Any

from qdash_jupyter.cells.guard.allowed import library_of, words
from qdash_jupyter.domain.effects import EffectKind

Trouble = tuple[EffectKind, str, str]
"""The kind of an effect, what is done, and to what."""

_RC_NEVER = re.compile(
    r"backend.*|text\.(usetex|latex.*)|pgf.*|animation.*|savefig\.directory|datapath|toolbar|webagg.*|docstring.*|"
    r"interactive|figure\.hooks|ps\..*|keymap.*|path\..*"
)
_RC_GROUPS = frozenset({"backend", "text", "pgf", "animation", "font", "ps", "path"})
_PANDAS_OPTION = re.compile(r"(display|styler\.(format|sparse|html\.border))\..*")
_LONGEST = 60


def is_buffer(value: object) -> bool:
    """Whether it is nothing, or memory: no file."""
    return value is None or type(value) is io.StringIO or type(value) is io.BytesIO


def _is_named(value: object) -> bool:
    """Whether all names of functions in it are on the list."""
    if isinstance(value, str):
        return value in words("named functions")
    if isinstance(value, Mapping):
        return all(map(_is_named, value.values()))
    return all(map(_is_named, value)) if isinstance(value, (list, tuple, set)) else True


def _is_font(value: object) -> bool:
    return not (isinstance(value, os.PathLike) or (isinstance(value, str) and re.search(r"[:/\\]", value)))


def is_rc_allowed(key: object, value: object) -> bool:
    """Whether a setting of matplotlib starts no program and names no file."""
    return not _RC_NEVER.fullmatch(str(key)) and (not str(key).startswith("font.") or _is_font(value))


def _is_rc(value: Any) -> bool:
    return value is None or (isinstance(value, Mapping) and all(is_rc_allowed(key, one) for key, one in value.items()))


PATHS = words("files by argument")
_CHECKS: dict[str, tuple[EffectKind, Callable[[Any], bool]]] = {
    **dict.fromkeys(PATHS, (EffectKind.FILES, is_buffer)),
    **dict.fromkeys(words("fonts by argument"), (EffectKind.FILES, _is_font)),
    **dict.fromkeys(("func", "aggfunc", "arg"), (EffectKind.DYNAMIC, _is_named)),
    **dict.fromkeys(("workers", "n_jobs"), (EffectKind.SHELL, lambda value: value is None or value == 1)),
    "usetex": (EffectKind.SHELL, lambda value: not value),
    "backend": (EffectKind.DYNAMIC, lambda value: value in {None, "matplotlib", "plotly"}),
    "rc": (EffectKind.MUTATES, _is_rc),
    "renderer": (EffectKind.DISPLAY, lambda value: value is None),
    "engine": (EffectKind.DYNAMIC, lambda value: value in {None, "c", "python", "cython", "pyarrow"}),
    "storage_options": (EffectKind.NETWORK, lambda value: value is None),
    "images": (EffectKind.DISPLAY, lambda value: not value),
}
_ONLY_PANDAS = frozenset({"func", "aggfunc", "arg", "engine", "io"})
_NESTED = frozenset({"usetex", "workers", "n_jobs", "font", "backend", "fontproperties", "family", "rc", "images"})
_RISKY = frozenset({"inplace", "args", "kw", "options", *_CHECKS})
_OPTIONS = {"set_option", "option_context", "reset_option"}
_signatures: dict[int, tuple[object, inspect.Signature | None]] = {}


def checked_signature(function: Any, name: str) -> inspect.Signature | None:
    """The signature by which the arguments of a listed function are to be looked at; None where none can do harm."""
    plain = function.__func__ if type(function) is MethodType else function
    module = getattr(plain, "__module__", None)
    if library_of(module) not in {"numpy", "pandas", "scipy", "matplotlib", "plotly"} and module != "collections.abc":
        return None
    kept = _signatures.get(id(plain))
    if kept is None or kept[0] is not plain:
        try:
            kept = (plain, inspect.signature(plain))
        except (ValueError, TypeError):
            kept = (plain, None)
        _signatures[id(plain)] = kept
    parameters = kept[1].parameters.values() if kept[1] is not None else ()
    risky = any(
        one.name in _RISKY or one.name.startswith("overwrite_") or one.kind is one.VAR_KEYWORD for one in parameters
    )
    return kept[1] if risky or name in words("risky names") else None


def by_parameter(signature: inspect.Signature, arguments: Iterable[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by parameter, those of `**` among them; those of `*` are a tuple under its own name."""
    found: dict[str, Any] = {}
    for name, value in signature.bind_partial(*arguments, **options).arguments.items():
        found |= value if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD else {name: value}
    return found


def trouble_with(library: str, name: str, given: Mapping[str, Any]) -> Trouble | None:  # noqa: PLR0911 - rules
    """What a call of this function with these arguments (by parameter) would do beyond computing."""
    starred = [part for value in given.values() if type(value) is tuple for part in value]
    if library == "pandas" and name in _OPTIONS:
        return _option_trouble(name, [*starred, *(value for value in given.values() if type(value) is not tuple)])
    if library == "plotly" and name == "show" and any(starred):
        return EffectKind.DISPLAY, "shows by a renderer", "show"
    if library == "matplotlib" and name == "savefig" and starred and not is_buffer(starred[0]):
        return EffectKind.FILES, "writes", _shown(starred[0])
    if library == "matplotlib" and name in {"update", "setdefault", "rc", "rc_context"}:
        for settings in (*given.values(), *starred):
            if isinstance(settings, Mapping) and not _is_rc(settings):
                return EffectKind.MUTATES, "sets", next(str(k) for k, v in settings.items() if not is_rc_allowed(k, v))
        if name == "rc" and given.get("group") in _RC_GROUPS:
            return EffectKind.MUTATES, "sets", str(given["group"])
    if library == "matplotlib" and name in {"use", "context"}:
        return _style_trouble(given.get("style"))
    found = (_parameter_trouble(library, name, parameter, value) for parameter, value in given.items())
    return next(filter(None, found), None)


def _parameter_trouble(library: str, name: str, parameter: str, value: Any, depth: int = 3) -> Trouble | None:
    nested = depth < 3  # noqa: PLR2004 - in a dict that is an argument
    checked = parameter in (_NESTED if nested else _CHECKS) and (library == "pandas" or parameter not in _ONLY_PANDAS)
    if checked and not _CHECKS[parameter][1](value):
        kind = _CHECKS[parameter][0]
        is_path = kind is EffectKind.FILES and parameter in PATHS
        return file_trouble(name, value) if is_path else (kind, "calls", f"{name}({parameter}={_shown(value)})")
    if isinstance(value, Mapping) and depth:
        inner = (_parameter_trouble(library, name, str(key), one, depth - 1) for key, one in value.items())
        return next(filter(None, inner), None)
    aggregated = name in {"agg", "aggregate"} and parameter not in {"func", "args"}
    how = value[-1] if isinstance(value, tuple) and value else getattr(value, "aggfunc", None) if aggregated else None
    if aggregated and not _is_named(how):
        return EffectKind.DYNAMIC, "calls", f"{name}({parameter}={_shown(value)})"
    return None


def file_trouble(name: str, path: object) -> Trouble:
    """That of a function that is given a path."""
    reads = name.startswith(("read", "load"))
    if isinstance(path, str) and re.match(r"[a-z][a-z0-9+.-]*://", path):
        return EffectKind.NETWORK, "reads" if reads else "writes to", _named(path)
    return EffectKind.FILES, "reads" if reads else "writes", _named(path)


def opened(path: object, mode: str) -> Trouble:
    """That of `open`."""
    return EffectKind.FILES, "writes" if set(mode) & set("wax+") else "reads", _named(path)


def _option_trouble(name: str, values: list[Any]) -> Trouble | None:
    import pandas as pd

    keys: Iterable[Any] = (
        values[0] if values and isinstance(values[0], Mapping) else values[:: 1 if name[0] == "r" else 2]
    )
    for key in map(str, keys):
        # A part of a name stands for all options that it is found in.
        options = pd._config.config._select_options(key)  # noqa: SLF001 - as pandas itself understands it
        if not options or not all(map(_PANDAS_OPTION.fullmatch, options)):
            return EffectKind.MUTATES, "sets", f"{name}({key!r})"
    return None


def _style_trouble(names: Any) -> Trouble | None:
    available = [*sys.modules["matplotlib.style"].available, "default"]
    for name in [names] if type(names) is str else names if type(names) is list or type(names) is tuple else [None]:
        if name not in available:
            return EffectKind.FILES, "reads", f"style {_shown(name)}"
    return None


def overwrites(given: Mapping[str, Any]) -> bool:
    """Whether the call may write into an argument that is not wholly its own: old Fortran code ignores read-only."""
    import numpy as np

    asked = any(name.startswith("overwrite_") and value is not False for name, value in given.items())
    arrays = [value for value in given.values() if hasattr(type(value), "__array__")] if asked else []
    return any(type(value) is not np.ndarray or not value.flags.writeable for value in arrays)


def query_trouble(text: str, used: Mapping[str, Any]) -> bool:
    """Whether what pandas makes of a text of `query` or `eval` may do more than compare columns."""
    plain = re.sub(r"`([^`'\"@()]*)`", "column", text).replace("@", "")
    if "`" in plain or any(callable(value) or inspect.ismodule(value) for value in used.values()):
        return True
    try:
        tree = ast.parse(plain.strip())
    except SyntaxError:
        return True
    for node in ast.walk(tree):
        attribute = node.func if isinstance(node, ast.Call) else node
        if type(node).__name__ in words("never in queries"):
            return True
        if isinstance(node, ast.Attribute) and node.attr not in words("in queries"):
            return True
        named = isinstance(attribute, ast.Name) and attribute.id in words("functions in queries")
        if isinstance(node, ast.Call) and not (named or isinstance(attribute, ast.Attribute)):
            return True
    return False


def _named(path: object) -> str:
    """A file as people name it, whole: it is what somebody says yes to."""
    return path if isinstance(path, str) else _shown(path)


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, (str, int, float, bytes)) else type(value).__name__
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

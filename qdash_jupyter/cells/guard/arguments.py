"""Arguments by which a listed function does more than compute, found by the parameter that takes them.

The parameter is known from the function's signature, so that it does not matter how an argument is given: by its place, by a
starred list or in a dict.
"""

from __future__ import annotations

import ast
import inspect
import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from types import MethodType
from typing import Any

from qdash_jupyter.cells.guard.allowed import FUNCTION_NAMES, library_of
from qdash_jupyter.domain.effects import EffectKind

Trouble = tuple[EffectKind, str, str]
"""The kind of an effect, what is done, and to what."""

_RC_NEVER = re.compile(
    r"backend.*|text\.(usetex|latex.*)|pgf.*|animation.*|savefig\.directory|datapath|toolbar|webagg.*|docstring.*|interactive|"
    r"figure\.hooks|ps\..*|keymap.*|path\..*"
)
_PANDAS_OPTION = re.compile(r"(display|styler\.(format|sparse|html\.border))\..*")
_TEXT_METHODS = frozenset(
    "isin isna isnull notna notnull contains startswith endswith between abs mean median std min max quantile lower upper len "
    "str dt index month day hour year date dayofweek".split()
)
_IN_QUERIES = frozenset("sqrt log exp abs sin cos log10 floor ceil".split())


def is_buffer(value: object) -> bool:
    """Whether it is nothing, or memory: no file."""
    return value is None or type(value) in {io.StringIO, io.BytesIO}


def is_remote(path: object) -> bool:
    """Whether a path names something on another machine."""
    return isinstance(path, str) and re.match(r"[a-z][a-z0-9+.-]*://", path) is not None


def _is_named(value: object) -> bool:
    """Whether all names of functions in it are on the list."""
    if isinstance(value, str):
        return value in FUNCTION_NAMES
    if isinstance(value, Mapping):
        return all(map(_is_named, value.values()))
    return all(map(_is_named, value)) if isinstance(value, (list, tuple, set)) else True


def _is_font(value: object) -> bool:
    return not (isinstance(value, os.PathLike) or (isinstance(value, str) and re.search(r"[:/\\]", value)))


def _is_rc(value: object) -> bool:
    return value is None or (
        isinstance(value, Mapping) and all(is_rc_allowed(key, given) for key, given in value.items())
    )


def is_rc_allowed(key: object, value: object) -> bool:
    """Whether a setting of matplotlib starts no program and names no file."""
    return not _RC_NEVER.fullmatch(str(key)) and (not str(key).startswith("font.") or _is_font(value))


def _is_one(value: object) -> bool:
    return value is None or (type(value) is int and value == 1)


PATHS = frozenset(
    "path_or_buf buf memory path filepath_or_buffer path_or_buffer fname filename file file_path excel_writer io fp".split()
)
_CHECKS: dict[str, tuple[EffectKind, Callable[[Any], bool]]] = {
    **dict.fromkeys(PATHS, (EffectKind.FILES, is_buffer)),
    **dict.fromkeys("func aggfunc arg".split(), (EffectKind.DYNAMIC, _is_named)),
    **dict.fromkeys("workers n_jobs".split(), (EffectKind.SHELL, _is_one)),
    **dict.fromkeys(
        "font fontproperties font_properties prop fp fontfamily fontname family".split(), (EffectKind.FILES, _is_font)
    ),
    "usetex": (EffectKind.SHELL, lambda value: not value),
    "backend": (EffectKind.DYNAMIC, lambda value: value in {None, "matplotlib", "plotly"}),
    "rc": (EffectKind.MUTATES, _is_rc),
    "renderer": (EffectKind.DISPLAY, lambda value: value is None),
    "engine": (EffectKind.DYNAMIC, lambda value: value in {None, "c", "python", "cython", "pyarrow"}),
    "storage_options": (EffectKind.NETWORK, lambda value: value is None),
    "images": (EffectKind.DISPLAY, lambda value: not value),
}
_ONLY_PANDAS = frozenset({"func", "aggfunc", "arg", "engine", "io"})
_OVERWRITES = re.compile(r"overwrite_\w+")
_NESTED = frozenset("usetex workers n_jobs font backend fontproperties family rc images".split())
_HAVE_MORE = frozenset("inplace args kw options".split())
_ALWAYS = frozenset("update setdefault use context show savefig set_option option_context reset_option".split())
_LOOKED_INTO = frozenset({"numpy", "pandas", "scipy", "matplotlib", "plotly"})

_signatures: dict[int, tuple[object, inspect.Signature | None]] = {}


def _signature(function: object) -> inspect.Signature | None:
    kept = _signatures.get(id(function))
    if kept is None or kept[0] is not function:
        try:
            kept = (function, inspect.signature(function))  # type: ignore[arg-type]  # what is not callable raises
        except (ValueError, TypeError):
            kept = (function, None)
        _signatures[id(function)] = kept
    return kept[1]


def checked_signature(function: Any, name: str) -> inspect.Signature | None:
    """The signature by which the arguments of a listed function are to be looked at; None where none can do harm."""
    plain = function.__func__ if type(function) is MethodType else function
    module = getattr(plain, "__module__", None)
    if library_of(module) not in _LOOKED_INTO and module not in {"collections.abc", "_collections_abc"}:
        return None
    signature = _signature(plain)
    if signature is None:
        return None
    risky = name in _ALWAYS or any(
        parameter in _CHECKS or parameter in _HAVE_MORE or _OVERWRITES.fullmatch(parameter) or kind is kind.VAR_KEYWORD
        for parameter, kind in ((name, parameter.kind) for name, parameter in signature.parameters.items())
    )
    return signature if risky else None


def flat(signature: inspect.Signature, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by parameter, those of `**` among them; those of `*` under its own name."""
    bound = signature.bind_partial(*arguments, **options).arguments
    found: dict[str, Any] = {}
    for name, value in bound.items():
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        else:
            found[name] = value
    return found


def trouble_with(library: str, name: str, given: Mapping[str, Any]) -> Trouble | None:
    """What a call of this function with these arguments (by parameter) would do beyond computing."""
    starred = [value for value in given.values() if type(value) is tuple]
    if library == "pandas" and name in {"set_option", "option_context", "reset_option"}:
        return _option_trouble(name, given)
    if library == "plotly" and name == "show" and (given.get("renderer") or any(map(any, starred))):
        return EffectKind.DISPLAY, "shows by a renderer", "show"
    if library == "matplotlib" and name == "savefig" and any(not all(map(is_buffer, args[:1])) for args in starred):
        return EffectKind.FILES, "writes", _shown(starred[0][0])
    if library == "matplotlib" and name in {"update", "setdefault", "rc", "rc_context"}:
        for settings in (*given.values(), *(part for args in starred for part in args)):
            if isinstance(settings, Mapping) and not _is_rc(settings):
                return (
                    EffectKind.MUTATES,
                    "sets",
                    _shown(next(k for k, v in settings.items() if not is_rc_allowed(k, v))),
                )
        if name == "rc" and str(given.get("group")) in {"backend", "text", "pgf", "animation", "font", "ps", "path"}:
            return EffectKind.MUTATES, "sets", str(given["group"])
    for parameter, value in given.items():
        found = _parameter_trouble(library, name, parameter, value)
        if found is not None:
            return found
    return None


def _parameter_trouble(library: str, name: str, parameter: str, value: Any) -> Trouble | None:
    if parameter in _CHECKS and (library == "pandas" or parameter not in _ONLY_PANDAS):
        kind, is_harmless = _CHECKS[parameter]
        if not is_harmless(value):
            return (
                file_trouble(name, value)
                if kind is EffectKind.FILES
                else (kind, "calls", f"{name}({parameter}={_shown(value)})")
            )
    if isinstance(value, Mapping):
        return _nested_trouble(name, value, 3)
    if (
        name in {"agg", "aggregate"}
        and isinstance(value, tuple)
        and parameter not in {"func", "args"}
        and not _is_named(value[-1])
    ):
        return EffectKind.DYNAMIC, "calls", f"{name}({parameter}={_shown(value)})"
    return None


def file_trouble(name: str, path: object) -> Trouble:
    reads = name.startswith(("read", "load"))
    if is_remote(path):
        return EffectKind.NETWORK, "reads" if reads else "writes to", _shown(path)
    return EffectKind.FILES, "reads" if reads else "writes", _shown(path)


def _nested_trouble(name: str, value: Mapping[Any, Any], depth: int) -> Trouble | None:
    for key, inner in value.items():
        if key in _NESTED and not _CHECKS[key][1](inner):
            return _CHECKS[key][0], "calls", f"{name}(… {key}={_shown(inner)})"
        if depth and isinstance(inner, Mapping):
            found = _nested_trouble(name, inner, depth - 1)
            if found is not None:
                return found
    return None


def _option_trouble(name: str, given: Mapping[str, Any]) -> Trouble | None:
    import pandas as pd

    values: list[Any] = []
    for value in given.values():
        values += value if type(value) is tuple else [value]
    keys: Iterable[Any] = values[:1] if name == "reset_option" else values[::2]
    if values and isinstance(values[0], Mapping):
        keys = values[0]
    for key in map(str, keys):
        # A part of a name stands for all options that it is found in.
        options = pd._config.config._select_options(key)  # noqa: SLF001 - as pandas itself understands it
        if not options or not all(map(_PANDAS_OPTION.fullmatch, options)):
            return EffectKind.MUTATES, "sets", f"{name}({key!r})"
    return None


def overwrites(given: Mapping[str, Any]) -> bool:
    """Whether the call may write into an argument that is not wholly its own: old Fortran code ignores read-only."""
    if not any(_OVERWRITES.fullmatch(name) and value is not False for name, value in given.items()):
        return False
    import numpy as np

    return any(
        hasattr(type(value), "__array__") and not (type(value) is np.ndarray and value.flags.writeable)
        for value in given.values()
    )


def query_trouble(text: str, used: Mapping[str, Any]) -> bool:
    """Whether what pandas makes of a text of `query` or `eval` may do more than compare columns."""
    if any(callable(value) or inspect.ismodule(value) for value in used.values()):
        return True
    plain = re.sub(r"`([^`'\"@()]*)`", "column", text).replace("@", "")
    if "`" in plain:
        return True
    try:
        tree = ast.parse(plain.strip())
    except SyntaxError:
        return True
    forbidden = (
        ast.Lambda,
        ast.ListComp,
        ast.GeneratorExp,
        ast.JoinedStr,
        ast.Await,
        ast.NamedExpr,
        ast.SetComp,
        ast.DictComp,
    )
    for node in ast.walk(tree):
        if isinstance(node, forbidden) or (isinstance(node, ast.Attribute) and node.attr not in _TEXT_METHODS):
            return True
        if isinstance(node, ast.Call):
            named = isinstance(node.func, ast.Name) and node.func.id in _IN_QUERIES
            if not (named or isinstance(node.func, ast.Attribute)):
                return True
    return False


def _shown(value: object) -> str:
    text = repr(value) if type(value) in {str, int, float, tuple, list, bytes} else type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}…"  # noqa: PLR2004 - a line of a card

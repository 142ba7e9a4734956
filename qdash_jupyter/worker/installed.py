"""What the session can import by name, and whether an object is found there."""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from qdash_jupyter.worker.confinement import packages_elsewhere

_SITE = {"site-packages", "dist-packages"}


def is_installed(name: object) -> bool:
    """Tell whether the session can import this loaded module: one of Python's library, of the environment's packages or
    of an editable install, as the session reads neither the home folder nor the current one.
    """
    module = sys.modules.get(name) if type(name) is str else None
    if type(module) is not ModuleType or type(spec := vars(module).get("__spec__")) is not ModuleSpec:
        return False
    return type(spec.origin) is str and _is_library(spec.origin, str(name).partition(".")[0])


def lies_in(module: object, path: object, value: object) -> bool:
    """Tell whether a loaded module holds this very object under this path, such as `DataFrame` or `Enum.name`."""
    home = sys.modules.get(module) if type(module) is str else None
    if type(home) is not ModuleType or type(path) is not str:
        return False
    held: object = None
    space = vars(home)
    for step in path.split("."):
        held = space.get(step)
        space = type.__dict__["__dict__"].__get__(held) if issubclass(type(held), type) else {}
    return held is value


@cache
def _is_library(origin: str, top: str) -> bool:
    if origin in {"built-in", "frozen"}:
        return top in sys.stdlib_module_names
    file = Path(origin).resolve()
    folders = [Path(path) for path in sys.path if Path(path).name in _SITE]
    folders += [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    folders.append(Path(__file__).parents[1])  # which the session has wherever it lies
    if any(file.is_relative_to(folder.resolve()) for folder in folders):
        return True
    place = packages_elsewhere().get(top)
    return place is not None and file.is_relative_to(Path(place).resolve())

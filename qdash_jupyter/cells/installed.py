"""What the session can import by name, and whether an object is found there."""

from __future__ import annotations

import contextlib
import sys
import sysconfig
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType


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
    folders = [Path(path) for path in sys.path if is_site(Path(path))]
    folders += [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    folders.append(Path(__file__).parents[1])  # which the session has wherever it lies
    if any(file.is_relative_to(folder.resolve()) for folder in folders):
        return True
    place = packages_elsewhere().get(top)
    return place is not None and file.is_relative_to(Path(place).resolve())


def packages_elsewhere() -> dict[str, str]:
    """Packages and modules that can be imported here and lie in no folder of installed ones, by name: on PYTHONPATH, in
    what a .pth file names, in an editable install. Nothing of the home folder or the current one as such.
    """
    private = _private()
    library = Path(sysconfig.get_path("stdlib")).resolve()
    found: dict[str, str] = {}
    for folder in dict.fromkeys(Path(path).resolve() for path in sys.path if path):
        if folder in private or not folder.is_dir() or is_site(folder) or folder.is_relative_to(library):
            continue
        for each in _entries(folder):
            is_package, is_module = (each / "__init__.py").is_file(), each.suffix == ".py" and each.is_file()
            if each.stem.isidentifier() and each.resolve() not in private and (is_package or is_module):
                found.setdefault(each.stem, str(each))
    return found


def _private() -> set[Path]:
    """The home folder, what it lies in, and the current one, where there are such."""
    found: set[Path] = set()
    with contextlib.suppress(OSError):  # it was deleted
        found.add(Path.cwd().resolve())
    with contextlib.suppress(OSError, RuntimeError):  # a user without a home
        home = Path.home().resolve()
        found |= {home, *home.parents}
    return found


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:  # not for this user, who can import nothing from there either
        return []


def is_site(folder: Path) -> bool:
    """Whether it is a folder of installed packages."""
    return folder.name in {"site-packages", "dist-packages"} and folder.is_dir()

"""Writes the names that a newer version of a library has into the lists of the guard, as refused: look at them, and
take the `-` away where they only compute. Names that are gone stay: older versions have them.

    .venv/bin/python -m scripts.guard_lists
"""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from qdash_jupyter.cells.guard import allowed

LISTS = Path(allowed.__file__).parent / "lists"


def unknown_names(library: str) -> Iterator[tuple[str, str]]:
    """The modules of a list with the public names that they have and the list does not, as installed here."""
    for module, names in allowed.known(library).items():
        known = {name.removeprefix("-") for name in names}
        try:
            found = _names_of_objects(library) if module == "attributes" else _names_of_module(module)
        except ImportError:
            continue  # of a library that is not here, or of another version
        yield from ((module, name) for name in sorted(found - known))


def _names_of_module(module: str) -> set[str]:
    home = importlib.import_module(module)
    public = getattr(home, "__all__", dir(home)) if module == "qdash_jupyter.methods" else dir(home)
    return set() if module == "qdash_jupyter" else {name for name in public if not name.startswith("_")}


def _names_of_objects(library: str) -> set[str]:
    """The public attributes of the classes that the listed modules hold."""
    found: set[str] = set()
    for module in allowed.known(library):
        home = sys.modules.get(module)
        for held in list(vars(home).values()) if home is not None else ():
            if isinstance(held, type) and library != "python":
                own = [kind for kind in held.__mro__ if allowed.home_of(kind) == library]
                found |= {name for kind in own for name in vars(kind) if not name.startswith("_")}
    return found


def main() -> int:
    """Write the lists anew."""
    for library in allowed.LISTS:
        parts = {module: list(names) for module, names in allowed.known(library).items()}
        for module, name in unknown_names(library):
            parts[module].append(f"-{name}")
            print(f"{library}: {module}: {name}")
        text = "".join(
            f"[{module}]\n"
            + textwrap.fill(" ".join(sorted(names, key=_by_name)), 118, break_on_hyphens=False, break_long_words=False)
            + "\n"
            for module, names in parts.items()
        )
        (LISTS / f"{library}.txt").write_text(text, encoding="utf-8")
    return 0


def _by_name(name: str) -> str:
    return name.removeprefix("-")


if __name__ == "__main__":
    sys.exit(main())

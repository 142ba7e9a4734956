"""The lists of the guard name everything that the installed libraries have: what is new is looked at before use."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from qdash_jupyter.cells.guard import allowed
from scripts.guard_lists import unknown_names


@pytest.mark.parametrize("library", allowed.LISTS)
def test_each_public_name_was_looked_at(library: str) -> None:
    known_to = {"numpy": "2.4.6", "pandas": "3.1.1", "scipy": "1.17.1", "plotly": "7.1.0", "matplotlib": "3.11.2"}
    unknown = list(unknown_names(library))
    installed = version(library) if library in known_to else ""
    assert unknown == [], f"{library} {installed}, last looked at {known_to.get(library)}: run scripts/guard_lists.py"


def test_a_name_is_allowed_or_refused_and_not_both() -> None:
    for library in allowed.LISTS:
        for module, names in allowed.known(library).items():
            plain = [name.removeprefix("-") for name in names]
            assert len(plain) == len(set(plain)), (library, module)

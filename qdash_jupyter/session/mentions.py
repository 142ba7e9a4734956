"""What a question may name by `@`, to choose from: the user's data, what was fetched, and what the chip is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.session.parts import Parts
    from qdash_jupyter.store.store import FrameStore

_MOST = 200
"""Variables: the newest are meant."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, as it follows the `@`, and what it is in words."""

    name: str
    kind: Literal["variable", "data", "qubit", "coupling"]
    about: str = ""
    rows: int | None = None


def mentioned_data(namespace: Namespace, stored: FrameStore) -> list[Mention]:
    """Variables that hold data, the newest first, and stored results whose key no variable has. No object is asked."""
    variables = [Mention(name, "variable", kind) for name, kind in namespace.data_names().items()][:_MOST]
    taken = set(namespace.names_of_user())
    results = [
        Mention(key, "data", rows=result.stored_tables[result.main].rows)
        for key, result in reversed(list(stored.items()))
        if key not in taken and key.isidentifier()
    ]
    return [*variables, *results]


def mentioned_elements(parts: Parts) -> list[Mention]:
    """The qubits and couplings of the current chip. Reads the database, where that was not done a moment ago.

    Raises:
        PersonError: the database cannot be read.
    """
    qubits, couplings = parts.element_labels()
    return [*(Mention(name, "qubit") for name in qubits), *(Mention(name, "coupling") for name in couplings)]

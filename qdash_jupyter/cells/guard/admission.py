"""What comes into one run from outside: data as copies, handles as views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qdash_jupyter.cells.guard import allowed
from qdash_jupyter.cells.guard.data import Copier, NoData
from qdash_jupyter.cells.guard.ownership import Ownership


class Admission:
    """The door of one run. `borrowed` are the copies of what is the person's, with its name, by their identity."""

    def __init__(
        self,
        ownership: Ownership,
        handle: Callable[[object], object | None],
        wrap: Callable[[Any], Any] = lambda function: function,
    ) -> None:
        """`handle` gives the view of a handle, and None for anything else; `wrap` what a function comes in as."""
        self.ownership = ownership
        self.handle = handle
        self._wrap = wrap
        self.borrowed: dict[int, tuple[object, str]] = {}

    def admitted(self, value: object, label: str, *, own: bool = False) -> object:
        """A copy of data. `own` copies may be changed; the others are known as the person's.

        Raises:
            NoData: it is, or holds, something else.
        """
        copier = Copier(self._other)
        copied = copier.copy(value)
        if not own:
            self.borrowed |= {id(made): (made, label) for made in copier.made.values()}
        return copied

    def _other(self, value: Any) -> Any:
        if (view := self.handle(value)) is not None:
            return view
        made_here = self.ownership.is_made_here(value)
        if not (self.ownership.is_still_own(value) if made_here else self.ownership.is_harmless(value, listed=True)):
            raise NoData
        return self._wrap(value)

    def owner_of(self, value: Any) -> str | None:
        """Under which name the person knows the object of which this is the copy, or a view of the copy."""
        for _ in range(8):
            kept = self.borrowed.get(id(value))
            if kept is not None and kept[0] is value:
                return kept[1]
            kind = type(value)
            if kind is np.ndarray:
                value = value.base
            elif allowed.home_of(kind) == "pandas" and kind.__name__.endswith("Indexer"):
                value = value.obj
            else:
                return None
        return None

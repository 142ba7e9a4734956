"""The tools, for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import nearest
from qdash_jupyter.store.frame import StoredResult

if TYPE_CHECKING:
    from qdash_jupyter.session.copilot import Copilot


class ToolShelf:
    """The tools as functions for people: keyword arguments in, a `StoredResult` (or the plain content) out."""

    def __init__(self, copilot: Copilot) -> None:
        """Of this conversation."""
        self._copilot = copilot

    def __dir__(self) -> list[str]:
        return list(self._copilot.parts().toolbox.specs)

    def __getattr__(self, name: str) -> Callable[..., StoredResult | JsonObject]:
        if name.startswith("_"):
            raise AttributeError(name)
        specs = self._copilot.parts().toolbox.specs
        spec = specs.get(name)
        if spec is None or spec.effect != "read":
            reads = [known for known, found in specs.items() if found.effect == "read"]
            msg = f"There is no tool {name!r} to call from Python. Tools: {', '.join(nearest(name, reads) or reads)}"
            raise AttributeError(msg)

        def call(**arguments: Any) -> StoredResult | JsonObject:
            return self._copilot.fetch(name, arguments)

        call.__name__, call.__doc__ = name, spec.description
        return call

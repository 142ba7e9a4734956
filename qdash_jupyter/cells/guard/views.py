"""The copilot, its store, its results and tools, as code of the agent's sees them: data comes out, as copies."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from qdash_jupyter.cells.guard.allowed import words
from qdash_jupyter.cells.guard.stand_in import StandIn, checks, object_of

_HOMES = {
    ("qdash_jupyter.session.copilot", "Copilot"): "copilot",
    ("qdash_jupyter.store.store", "FrameStore"): "store",
    ("qdash_jupyter.store.frame", "StoredResult"): "result",
}
_OF_RESULTS = words("of results")
_OF_MAPPINGS = frozenset({"keys", "values", "items", "get"})
_READING_TOOL = re.compile(r"(get|list|generate|find|explain|compare|search)_\w+")


def role_of(value: object) -> str:
    """`copilot`, `store` or `result`, by exact type; empty for anything else."""
    kind = type(value)
    for (module, name), role in _HOMES.items():
        if module in sys.modules and kind is vars(sys.modules[module]).get(name):
            return role
    return ""


class View(Mapping[Any, Any]):
    """Reads one handle. What it gives is a copy of the code's own; what acts is refused by its name."""

    __hash__ = object.__hash__

    def __init__(self, held: Any, role: str, label: str) -> None:
        """`label` is how code writes it: `copilot`, `data['t1']`."""
        self._held, self._role, self._label = held, role, label

    def read(self, name: str) -> Any:
        """Its attribute of this name."""
        held = self._held
        if self._role == "copilot" and name == "data":
            return View(held.data, "store", "copilot.data")
        if self._role == "copilot" and name == "tools":
            return View(held.tools, "tools", "copilot.tools")
        if self._role == "tools" and _READING_TOOL.fullmatch(name):
            return self._tool(getattr(held, name))
        if self._role in {"store", "result"} and name in _OF_MAPPINGS:
            return getattr(self, name)
        if self._role == "result" and name in _OF_RESULTS:
            return self._out(getattr(held, name), f"{self._label}.{name}")
        checks().touch(id(held), "calls", f"{self._label}.{name}")
        return getattr(held, name)

    def _tool(self, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **options: self._out(call(*arguments, **options), self._label)

    def _out(self, value: Any, label: str) -> Any:
        if role := checks().role(value):
            return View(value, role, label)
        return checks().taken(value, label, id(self._held), own=True)

    def __getitem__(self, key: Any) -> Any:
        if self._role not in {"store", "result"}:
            checks().touch(id(self._held), "uses", f"{self._label}[{key!r}]")
        return self._out(self._held[key], f"{self._label}[{key!r}]")

    def __contains__(self, key: object) -> bool:
        return key in list(self._held)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._held))

    def __len__(self) -> int:
        return len(list(self._held))

    def __repr__(self) -> str:
        return f"{self._label} with {', '.join(map(str, self))}" if self._role in {"store", "result"} else self._label


def unlent(value: Any) -> Any:
    """What a view or a stand-in stands for; anything else as it is."""
    return value._held if type(value) is View else object_of(value) if type(value) is StandIn else value  # noqa: SLF001


def unwrapped(value: Any) -> Any:
    """What a view stands for: the project's own functions take the stored result itself, and change nothing."""
    if type(value) in {list, tuple}:
        return type(value)(map(unwrapped, value))
    if type(value) is dict:
        return {key: unwrapped(one) for key, one in value.items()}
    return unlent(value) if type(value) is View else value

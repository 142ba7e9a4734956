"""The copilot, its store, its results and tools, as code of the agent's sees them: data comes out, as copies."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from qdash_jupyter.cells.guard.allowed import words
from qdash_jupyter.cells.guard.stand_in import Door

_HOMES = {
    ("qdash_jupyter.session.copilot", "Copilot"): "copilot",
    ("qdash_jupyter.store.store", "FrameStore"): "store",
    ("qdash_jupyter.store.frame", "StoredResult"): "result",
}
_OF_RESULTS = words("of results")
_READING_TOOL = re.compile(r"(get|list|generate|find|explain|compare|search)_\w+")


def role_of(value: object) -> str:
    """`copilot`, `store` or `result`, by exact type; empty for anything else."""
    kind = type(value)
    for (module, name), role in _HOMES.items():
        if module in sys.modules and kind is vars(sys.modules[module]).get(name):
            return role
    return ""


class View:
    """Reads one handle. What it gives is a copy of the code's own; what acts is refused by its name."""

    def __init__(self, checks: Door, held: Any, role: str, label: str) -> None:
        """`label` is how code writes it: `copilot`, `data['t1']`."""
        self._checks, self._held, self._role, self._label = checks, held, role, label
        self.target = id(held)

    def read(self, name: str) -> Any:
        """Its attribute of this name."""
        held = self._held
        if self._role == "copilot" and name == "data":
            return View(self._checks, held.data, "store", "copilot.data")
        if self._role == "copilot" and name == "tools":
            return View(self._checks, held.tools, "tools", "copilot.tools")
        if self._role == "tools" and _READING_TOOL.fullmatch(name):
            return self._tool(getattr(held, name))
        if self._role in {"store", "result"} and name in {"keys", "values", "items", "get"}:
            return getattr(self, f"_{name}")
        if self._role == "result" and name in _OF_RESULTS:
            return self._out(getattr(held, name), f"{self._label}.{name}")
        self._checks.touch(self, "calls", f"{self._label}.{name}")
        return getattr(held, name)

    def _tool(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def tool(*arguments: Any, **options: Any) -> Any:
            return self._out(call(*arguments, **options), self._label)

        return tool

    def _out(self, value: Any, label: str) -> Any:
        if role := self._checks.role(value):
            return View(self._checks, value, role, label)
        return self._checks.taken(value, label, id(self._held), own=True)

    def __getitem__(self, key: Any) -> Any:
        if self._role not in {"store", "result"}:
            self._checks.touch(self, "uses", f"{self._label}[{key!r}]")
        return self._out(self._held[key], f"{self._label}[{key!r}]")

    def __contains__(self, key: object) -> bool:
        return key in list(self._held)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._held))

    def __len__(self) -> int:
        return len(list(self._held))

    def __repr__(self) -> str:
        return f"{self._label} with {', '.join(map(str, self))}" if self._role in {"store", "result"} else self._label

    def _keys(self) -> list[Any]:
        return list(self._held)

    def _values(self) -> list[Any]:
        return [self[key] for key in self]

    def _items(self) -> list[tuple[Any, Any]]:
        return [(key, self[key]) for key in self]

    def _get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401 - it is `get`


def unwrapped(value: Any) -> Any:
    """What a view stands for: the project's own functions take the stored result itself, and change nothing."""
    if type(value) is View:
        return value._held  # noqa: SLF001 - the same module
    if type(value) in {list, tuple}:
        return type(value)(map(unwrapped, value))
    if isinstance(value, Mapping) and type(value) is dict:
        return {key: unwrapped(one) for key, one in value.items()}
    return value

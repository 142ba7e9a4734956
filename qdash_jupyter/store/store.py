"""All stored results of a conversation: `copilot.data`."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from threading import RLock
from typing import Any

from qdash_jupyter.errors import nearest
from qdash_jupyter.store.frame import FrameSource, StoredResult


class FrameStore(Mapping[str, StoredResult]):
    """Results by key. Safe to use from several threads; results outlive the question that fetched them.

    A key is never overwritten silently: the same call again replaces its own result (as a new version) unless a person
    changed it; another call gets a key of its own (`t1`, then `t1_2`).
    """

    def __init__(self) -> None:
        """Start empty."""
        self._results: dict[str, StoredResult] = {}
        self._lock = RLock()

    def put(self, key: str, source: FrameSource, make: Callable[[str, int], StoredResult]) -> StoredResult:
        """Store what `make(key, version)` gives, under `key` or the next free one, and return it."""
        with self._lock:
            free = key
            number = 1
            while (held := self._results.get(free)) is not None:
                if held.source.same_call(source) and not held.changed:
                    break
                number += 1
                free = f"{key}_{number}"
            stored = make(free, 1 if held is None else held.version + 1)
            self._results[free] = stored
            return stored

    def __getitem__(self, key: str) -> StoredResult:
        with self._lock:
            if key in self._results:
                return self._results[key]
            known = list(self._results)
        if not known:
            msg = f"There is no data {key!r}: nothing was fetched yet. Ask a question, or call copilot.tools."
            raise KeyError(msg)
        near = nearest(str(key), known, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        msg = f"There is no data {key!r}.{meant} Fetched so far: {', '.join(known)}"
        raise KeyError(msg)

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(list(self._results))

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"<copilot.data: {', '.join(self) or 'empty'}>"

    def _repr_html_(self) -> str:
        if not self:
            return "<p>Nothing was fetched yet.</p>"
        rows = "".join(_row(result) for result in self.values())
        head = "<tr><th>key</th><th>tables</th><th>units</th><th>from</th><th>fetched (UTC)</th></tr>"
        return f"<table>{head}{rows}</table>"


def _row(result: StoredResult) -> str:
    tables = ", ".join(f"{name} ({len(table)} rows)" for name, table in result.tables.items())
    units = ", ".join(f"{column} {unit}" for column, unit in result.units.items() if unit)
    cells: tuple[Any, ...] = (result.key, tables, units, result.source.tool, f"{result.fetched_at:%Y-%m-%d %H:%M}")
    return "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>"

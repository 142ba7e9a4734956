"""All stored results of a conversation: `copilot.data`."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from threading import RLock

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
        rows = "".join(_rows(result) for result in self.values())
        return f"<table>{_row('th', 'in Python', 'rows', 'columns', 'from', 'fetched (UTC)')}{rows}</table>"


def _rows(result: StoredResult) -> str:
    """One row a table: how to get it, its size, its columns with units, where it came from."""
    fetched = f"{result.fetched_at:%Y-%m-%d %H:%M}"
    return "".join(
        _row("td", f"data[{result.key!r}][{name!r}]", len(table), _columns(result, name), result.source.tool, fetched)
        for name, table in result.tables.items()
    )


def _columns(result: StoredResult, name: str) -> str:
    names = [str(column) for column in result.tables[name].columns]
    return ", ".join(f"{name} [{result.units[name]}]" if result.units.get(name) else name for name in names)


def _row(tag: str, *cells: object) -> str:
    # Jupyter sets table cells to the right, which suits numbers and not words.
    inside = "".join(f'<{tag} style="text-align: left">{html.escape(str(cell))}</{tag}>' for cell in cells)
    return f"<tr>{inside}</tr>"

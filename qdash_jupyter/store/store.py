"""All stored results of a conversation: `copilot.data`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from threading import RLock

from qdash_jupyter.errors import nearest
from qdash_jupyter.store.frame import FetchAgain, FrameSource, StoredResult
from qdash_jupyter.store.listing import listing_html


class FrameStore(Mapping[str, StoredResult]):
    """Results by key. Safe to use from several threads; results outlive the question that fetched them.

    A key is never overwritten silently: the same call again replaces its own result (as a new version) unless a person
    changed it; another call gets a key of its own (`t1`, then `t1_2`).
    """

    def __init__(self, again: FetchAgain | None = None) -> None:
        """Start empty; `again` is what its results get to refresh themselves."""
        self.again = again
        self._results: dict[str, StoredResult] = {}
        self._lock = RLock()

    def put(self, key: str, source: FrameSource, make: Callable[[str, int], StoredResult]) -> StoredResult:
        """Store what `make(key, version)` gives, under `key` or the next free one, and return it."""
        with self._lock:
            free, number, kept = key, 1, None
            while True:
                held = self._results.get(free)
                if held is None or held.source.same_call(source):
                    stored = make(free, 1 if held is None else held.version + 1)
                    # Looked at last, so that nothing is replaced that the person changes meanwhile.
                    if held is None or not held.changed:
                        break
                    kept = kept or free
                number += 1
                free = f"{key}_{number}"
            stored.kept = kept
            stored.unchanged = held is not None and stored.same_data(held)
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
        return listing_html(self.values())

"""All stored results of a conversation: `copilot.data`."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count
from threading import RLock
from typing import TYPE_CHECKING

from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.errors import nearest
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text, sentences
from qdash_jupyter.store.frame import FetchAgain, FrameSource, StoredResult
from qdash_jupyter.store.listing import listing_html

if TYPE_CHECKING:
    from qdash_jupyter.explore.explorer import Explorer

logger = logging.getLogger("qdash_jupyter")

_LEAST_OF_BUDGET = 1 / 1000
"""Tables smaller than this part of the budget stay in memory: a file of their own would free next to nothing."""


def no_such_data(key: str, known: Iterable[str]) -> Text:
    """What is said of a result that is not there, with the keys of those that are."""
    if not (others := tuple(known)):
        return sentences(Message("no-data", key=key), Message("no-data-yet"), Message("no-data-fetch-hint"))
    near = tuple(nearest(str(key), others, 1))
    meant = Message("not-found-nearest", names=near) if near else ""
    return sentences(Message("no-data", key=key), meant, Message("data-fetched", names=others))


def _free(key: str, taken: Mapping[str, object]) -> Iterator[str]:
    """That key and `key_2`, `key_3` …, as far as they are free."""
    numbered = chain([key], (f"{key}_{number}" for number in count(2)))
    return (name for name in numbered if name not in taken)


class FrameStore(Mapping[str, StoredResult]):
    """Results by key. Safe to use from several threads; results outlive the question that fetched them.

    A key is never overwritten silently: the same call again replaces its own result (as a new version), whatever key it
    has, unless the user changed it; another call gets a key of its own (`t1`, then `t1_2`).

    When the tables take more memory than the budget, those used longest ago are moved to files, except what somebody
    changed or holds.
    """

    def __init__(self, again: FetchAgain | None = None, *, memory_budget: float = math.inf) -> None:
        """Start empty; `again` is what its results get to refresh themselves, `memory_budget` is in bytes."""
        self.again = again
        self.memory_budget = memory_budget
        self.called: Callable[[], str] = lambda: "copilot.data"
        """Gives the name by which the user's code reaches this store now; empty where it is reached by none."""
        self.deleted: frozenset[str] = frozenset()
        """Keys whose results the user has deleted and nobody has fetched since."""
        self._results: Mapping[str, StoredResult] = {}
        self._lock = RLock()

    def put(self, key: str, source: FrameSource, make: Callable[[str, int], StoredResult]) -> StoredResult:
        """Store what `make(key, version)` gives, under `key` or the next free one, and return it. May take seconds:
        tables are hashed, and written to files where memory is short. Reading the store does not wait for it.
        """
        with self._lock:
            kept = None
            same = [name for name, held in self._results.items() if held.source.same_call(source)]
            for name in chain(same, _free(key, self._results)):
                held = self._results.get(name)
                stored = make(name, 1 if held is None else held.version + 1)
                stored.explorer, stored.again = self.explore, self.again
                stored.unchanged = held is not None and stored.same_data(held)
                if self._replaced(name, held, stored):
                    break
                kept = kept or name
            stored.kept = kept
            self._keep_budget()
            return stored

    def __setitem__(self, key: str, result: StoredResult) -> None:
        """Give a result of this store another key: `copilot.data["t1"] = copilot.tools.…` is how a notebook says what
        it fetches. What had the key is let go, unless the user changed it: then it goes to the next free key.

        Raises:
            TypeError: it is no result of this store.
        """
        with self._lock:
            place = next((place for place, held in self._results.items() if held is result), None)
            if place is None:
                msg = "copilot.data holds what copilot.tools fetched. Keep tables of your own under names of your own."
                raise TypeError(msg)
            if place == key:
                return
            others = {name: held for name, held in self._results.items() if name != place}
            if (held := others.get(key)) is not None and held.changed:
                held.key = result.kept = next(_free(key, others))
                others[held.key] = held
            result.key = key
            self._results = others | {key: result}
            self.deleted -= {key}

    def __delitem__(self, key: str) -> None:
        """Let go of a result. Tables that the user holds stay theirs."""
        with self._lock:
            result = self[key]
            self._results = {name: held for name, held in self._results.items() if held is not result}
            self.deleted |= {key}

    def explore(self, key: str, table: str = "") -> Explorer:
        """A tool for the notebook that draws what one chooses of a result's table, the main one unless named, as it is
        then: also after it was fetched again.

        Raises:
            KeyError: there is no such result or table.
        """
        from qdash_jupyter.explore.explorer import Explorer

        tables = self[key].stored_tables
        name = table or self[key].main
        if name not in tables:
            msg = f"data[{key!r}] has no table {name!r}; it has {', '.join(map(repr, tables))}"
            raise KeyError(msg)

        def written() -> str:
            return f"{self.called() or 'copilot.data'}[{json.dumps(key)}][{json.dumps(name)}]"

        return Explorer(lambda: self[key].stored_tables[name].to_be_read, written)

    def _replaced(self, key: str, held: StoredResult | None, stored: StoredResult) -> bool:
        """Put it in the place of what is held, unless the user changed that while it could be had by its key."""
        if held is not None and held.changed:
            return False
        before = self._results
        self._results = {**before, key: stored}  # a new one: others may be reading
        self.deleted -= {key}
        if held is not None and held.changed:  # since it was looked at
            self._results = before
            return False
        return True

    def _keep_budget(self) -> None:
        tables = [table for result in self._results.values() for table in result.stored_tables.values()]
        excess = sum(table.memory for table in tables if table.in_memory) - self.memory_budget
        for table in sorted(tables, key=lambda table: table.used):
            if excess <= 0:
                return
            if table.memory < self.memory_budget * _LEAST_OF_BUDGET:
                continue
            try:
                excess -= table.release()
            except OSError as error:
                words = size_words(table.memory), str(error)  # the error itself would keep hold of the table
                logger.warning("A table of %s stays in memory, as no file could be written: %s", *words)

    def __getitem__(self, key: str) -> StoredResult:
        results = self._results
        if key in results:
            return results[key]
        raise KeyError(str(no_such_data(key, results)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return f"<copilot.data: {', '.join(self) or 'empty'}>"

    def _repr_html_(self) -> str:
        if not self:
            return f"<p>{Message('no-data-yet').of(reader())}</p>"
        return listing_html(result.listed() for result in self.values())

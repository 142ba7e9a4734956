"""Where a number came from."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.messages.message import Text


@dataclass(frozen=True, slots=True)
class Source:
    """One read of the database: the collection, the filter in words, and how many records it gave: documents, or
    values inside of them.

    `ids` holds up to a few task or entity ids, for tracing a number back to a measurement.
    """

    collection: str
    filter: Text
    count: int
    ids: tuple[str, ...] = ()

"""Where a number came from."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.language import Language

READ = "read: "
"""So begin the parts of a filter in the catalogue: alone they are too short to be told from another's words."""


@dataclass(frozen=True, slots=True)
class Source:
    """One read of the database: the collection, the filter in words, and how many records it gave: documents, or
    values inside of them.

    `ids` holds up to a few task or entity ids, for tracing a number back to a measurement.
    """

    collection: str
    filter: str
    count: int
    ids: tuple[str, ...] = ()

    def filter_in(self, language: Language) -> str:
        """The filter in this language."""
        parts = (in_language(f"{READ}{part}", language).removeprefix(READ) for part in self.filter.split(", "))
        return ("、" if language == "ja" else ", ").join(parts)

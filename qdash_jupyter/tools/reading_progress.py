"""What the user sees of a read that takes long: how much came so far."""

from __future__ import annotations

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.domain.work import Work

_DOCUMENTS = Words("{:,} documents", "{:,}件")


def progress_words(work: Work, language: Language) -> str:
    """For example `240,000 documents, 31 MB`; without the memory where that is not known."""
    memory = f", {size_words(work.nbytes)}" if work.nbytes else ""
    return _DOCUMENTS.of(language).format(work.documents) + memory

"""What the user sees of a read that takes long: how much came so far."""

from __future__ import annotations

from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.domain.work import Work
from qdash_jupyter.messages.message import Message


def progress_words(work: Work) -> Message:
    """Return, for example, `240,000 documents, 31 MB`; without the memory where that is not known."""
    if not work.nbytes:
        return Message("read-documents", count=work.documents)
    return Message("read-documents-memory", count=work.documents, memory=size_words(work.nbytes))

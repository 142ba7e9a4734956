"""What the person hears of a read that takes long: how much came so far."""

from __future__ import annotations

import time
from collections.abc import Callable

from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.domain.words import Language, Words

EVERY_S = 0.5
"""Not before, and not more often."""

_DOCUMENTS = Words("{:,} documents", "{:,}件")


class ReadingProgress:
    """Called on the reading thread with all that was read so far."""

    def __init__(self, tell: Callable[[str], None], language: Language) -> None:
        """`tell` gets words such as `240,000 documents, 31 MB`, on the same thread."""
        self._tell = tell
        self._language = language
        self._told_at = time.monotonic()

    def __call__(self, documents: int, nbytes: int) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._told_at >= EVERY_S:
            self._told_at = now
            memory = f", {size_words(nbytes)}" if nbytes else ""
            self._tell(_DOCUMENTS.of(self._language).format(documents) + memory)

"""The language in which something was asked."""

from __future__ import annotations

import re

from qdash_jupyter.messages.languages import Language

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def language_of(question: str) -> Language:
    """The language in which something was asked, of the two of the screen."""
    return "ja" if _JAPANESE.search(question) else "en"

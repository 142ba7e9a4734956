"""What stands above the cells of a question in the notebook: the question, and what came of it."""

from __future__ import annotations

import re

from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.domain.safe_text import harmless_words

_LONGEST = 400
_NO_SENTENCE = re.compile(r"\s*(?:\||```|~~~|\$\$|[-*+] |\d+[.)] )")


def heading_of(question: str, answer: Answer | None = None) -> str:
    """Markdown: the question as a heading, and the first words of its answer."""
    words = " ".join(question.split())
    heading = f"### {harmless_words(words if len(words) <= _LONGEST else f'{words[:_LONGEST].rstrip()}…')}"
    headline = _headline(answer.text) if answer is not None else ""
    return f"{heading}\n\n{headline}" if headline else heading


def _headline(text: str) -> str:
    """The first bold one of the first two paragraphs, else the first, without signs; empty where that is too long."""
    paragraphs = [part for part in text.split("\n\n") if part.strip(" #\n") and not _NO_SENTENCE.match(part)][:2]
    first = next((part for part in paragraphs if part.startswith("**")), paragraphs[0] if paragraphs else "")
    line = " ".join(first.split()).lstrip("#").strip()
    return line if len(line) <= _LONGEST else ""

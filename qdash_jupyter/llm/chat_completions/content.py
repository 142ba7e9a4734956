"""Thoughts that a model writes into its text, because its server does not tell them apart from the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from qdash_jupyter.domain.events import ReasoningDelta, TextDelta

Delta: TypeAlias = TextDelta | ReasoningDelta

_TAGS = ("<think>", "<thinking>")


class Content:
    """The text of one reply, piece by piece: thoughts first, if it begins with a tag, then the answer.

    Later tags are the answer's own words, or code. A thought that is never closed is all there is. White space before a
    thought and between it and the answer is dropped; an answer without any stays as it came.
    """

    def __init__(self) -> None:
        self._held = ""  # what may become a tag
        self._begun = False
        self._closing = ""  # the tag that ends the thought
        self._trims = False

    def read(self, piece: str) -> Iterator[Delta]:
        """What is clear with the next piece; the tags may be cut anywhere."""
        text, self._held = self._held + piece, ""
        if not self._begun:
            start = text.lstrip()
            if any(tag != start and tag.startswith(start) for tag in _TAGS):
                self._held = text
                return
            self._begun = True
            if (tag := next(filter(start.startswith, _TAGS), None)) is not None:
                self._closing, self._trims = tag.replace("<", "</"), True
                text = start.removeprefix(tag)
        if self._closing:
            thought, closing, text = text.partition(self._closing)
            if not closing:
                ends = (end for end in range(len(self._closing) - 1, 0, -1) if thought.endswith(self._closing[:end]))
                kept = len(thought) - next(ends, 0)
                thought, self._held = thought[:kept], thought[kept:]
            yield from self._said(ReasoningDelta, thought)
            if not closing:
                return
            self._closing, self._trims = "", True
        yield from self._said(TextDelta, text)

    def end(self) -> Iterator[Delta]:
        """What was held back, now that nothing follows."""
        held, self._held = self._held, ""
        yield from self._said(ReasoningDelta if self._closing else TextDelta, held)

    def _said(self, kind: type[Delta], text: str) -> Iterator[Delta]:
        if self._trims:
            text = text.lstrip()
        if text:
            self._trims = False
            yield kind(text)

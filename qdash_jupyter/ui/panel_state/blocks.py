"""Parts of an answer as the panel's blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from qdash_jupyter.agent.partial import partial_answer
from qdash_jupyter.domain.answer import Block, CellEditBlock, ChartBlock, TableBlock
from qdash_jupyter.domain.cell_edit import diff_of
from qdash_jupyter.domain.cell_run import CellRun
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.domain.events import SubjectRead, TurnFailed
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, Text, text_in
from qdash_jupyter.ui.display import image_bundles

PNG = "image/png"
_LONGEST_WORD = 200
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LETTER = r"[A-Za-z0-9\u00b5\u00c0-\u024f\u0370-\u03ff]"
_HALF_WORD = re.compile(rf"[*_`\[(#~]*(?:\w+://\S*|{_LETTER}+(?:[.,:/'’_-]{_LETTER}+)*|[\d.,]*\d[.,])\Z")
"""A word, a number or an address at the end of the text, with the marks in front of it. Japanese has no spaces to cut
at.
"""


def blocks_of(prefix: str, blocks: Iterable[Block]) -> list[panel.Block]:
    """Blocks of an answer, named by their place. A chart that stands there already is left out."""
    shown: list[panel.Block] = []
    charts: list[ChartBlock] = []
    for place, block in enumerate(blocks):
        if isinstance(block, ChartBlock):
            if block in charts:
                continue
            charts.append(block)
        shown.append(_block(f"{prefix}{place}", block))
    return shown


def _block(name: str, block: Block) -> panel.Block:
    if isinstance(block, ChartBlock):
        return {
            "id": name,
            "kind": "chart",
            "figure": {"data": [*block.data], "layout": block.layout},
            "title": sendable(block.title),
            "code": sendable(block.code),
        }
    if isinstance(block, TableBlock):
        return {"id": name, "kind": "table", **sendable(asdict(block))}
    if isinstance(block, CellEditBlock):
        return {
            "id": name,
            "kind": "edit",
            "edit_id": block.edit_id,
            "cell_id": block.cell_id,
            "label": block.label,
            "why": sendable(block.why),
            "lines": [{"kind": line.kind, "text": sendable(line.text)} for line in diff_of(block.before, block.after)],
            "after": sendable(block.after),
            "state": "proposed",
        }
    return {"id": name, "kind": "text", "text": sendable(block.content)}


def images_of(runs: Sequence[CellRun]) -> list[panel.ImageBlock]:
    """The pictures that cells drew, each once."""
    pictures = [bundle[PNG] for bundle in image_bundles(tuple(runs))]
    return [
        {"id": f"image-{place}", "kind": "image", "mime": PNG, "data": "".join(picture)}
        for place, picture in enumerate(pictures)
    ]


def error_of(event: TurnFailed, language: Language) -> panel.ErrorBlock:
    """Why there is no answer."""
    return {
        "id": "error",
        "kind": "error",
        "title": sendable(text_in(event.message, language)),
        "hint": sendable(text_in(event.hint, language)),
    }


def subject_of(event: SubjectRead, language: Language) -> panel.SubjectBlock:
    """The result that the question is about, with its figures; what is ours of it in the language of the question."""

    def said(text: Text) -> str:
        words: str = sendable(text_in(text, language))
        return words

    return {
        "id": "subject",
        "kind": "subject",
        "title": said(event.title),
        "details": said(event.details),
        "figures": [
            {"title": said(each.title), "mime": PNG, "data": each.png, "left_out": said(each.left_out)}
            for each in event.figures
        ],
    }


class Thought:
    """What the model says of its reasoning, in all rounds of a turn, and how long it took."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._seconds = 0.0
        self._since: datetime | None = None
        self._until: datetime | None = None

    def wait(self, at: datetime) -> None:
        """The model is asked: from here on it may think."""
        self._since = at

    def add(self, text: str, at: datetime) -> None:
        """More words."""
        if self._until is None and self._pieces:
            self._pieces.append("\n\n")
        self._pieces.append(text)
        self._since, self._until = self._since or at, at

    def end(self) -> None:
        """Something else comes."""
        if self._since is not None and self._until is not None:
            self._seconds += (self._until - self._since).total_seconds()
        if self._until is not None:
            self._since = self._until = None

    def blocks(self) -> list[panel.Block]:
        """The line of it; none as long as there are no words."""
        self._pieces = ["".join(self._pieces)] if self._pieces else []
        if not self._pieces or not self._pieces[0].strip():
            return []
        elapsed = None if self._until is not None else round(self._seconds, 3)
        return [{"id": "thought", "kind": "thought", "text": sendable(self._pieces[0]), "elapsed_s": elapsed}]


class Stream:
    """The text of one round of the model, while it comes."""

    def __init__(self, prefix: str) -> None:
        """`prefix` begins the names of its blocks."""
        self._prefix = prefix
        self._pieces: list[str] = []
        self._blocks: list[panel.Block] = []
        self._read = True

    def add(self, text: str) -> None:
        """More text."""
        self._pieces.append(text)
        self._read = False

    def blocks(self) -> list[panel.Block]:
        """The blocks so far. However many pieces have come, they are read once."""
        if not self._read:
            self._pieces = ["".join(self._pieces)]
            self._blocks = blocks_of(self._prefix, partial_answer(self._pieces[0]))
            self._read = True
        return self._blocks

    def cut(self) -> None:
        """No more text will come: half a word at its end is left out."""
        blocks = self.blocks()
        last = blocks[-1] if blocks else None
        if last and last["kind"] == "text":
            text = last["text"]
            text = (text[:-_LONGEST_WORD] + _HALF_WORD.sub("", text[-_LONGEST_WORD:])).rstrip()
            self._blocks = [*blocks[:-1], {**last, "text": text}] if text else blocks[:-1]


def sendable(value: Any) -> Any:
    """The value as JSON values that can be sent: half a surrogate pair is no text. A message waits for its language."""
    if isinstance(value, Message):
        return value
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {sendable(str(name)): sendable(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [sendable(entry) for entry in value]
    return plain(value)


def milliseconds(at: datetime) -> float:
    """A time as it crosses the wire."""
    return at.timestamp() * 1000

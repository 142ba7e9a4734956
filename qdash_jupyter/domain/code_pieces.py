"""Which parts of a Markdown text are code, for certain.

Renderers differ on where code begins and ends: a stray backtick, a fence in a list or a formula between two dollar
signs move its borders. A part counts as code here only where all of them agree; everything doubtful is text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})([^`|]*)")
_CLOSE = re.compile(r" {0,3}(`{3,}|~{3,})[~`]*[ \t]*")
_LONG_RUN = re.compile(r"`{3,}|~{3,}")
_OPEN_LABEL = re.compile(r"[ \t>*+\-\d.)!\\]*\[(?:\\.|[^\[\]\\])*\\?")
_RUN = re.compile(r"`+")
_WORD = re.compile(r"\S+")
_ADDRESS = re.compile(r"://|@|www\.|<", re.IGNORECASE)
_RULE_OF_TABLE = frozenset(" \t>*+-.0123456789)|:")
_UNCERTAIN = re.compile(r"\\(?:begin|end)\{|\\\\[()\[\]]|[\x00\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", re.IGNORECASE)
"""Formulas are taken out before Markdown is read, with whatever stands between their ends. Dollar signs within code
are spared; these marks are not. And some characters end a line for one renderer and not for another.
"""
_OPENERS = {"*": "*", "_": "_", "~": "~", "$": "$", "[": "]"}
"""Marks that begin something, and those that end it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text."""

    text: str
    is_code: bool


def code_pieces(markdown: str) -> Sequence[Piece]:
    """The text, cut into code and the rest; its lines end in line feeds. A fence's first line is not code: its words
    are read by renderers too.
    """
    lines = None if _UNCERTAIN.search(markdown) else _fenced(markdown)
    if lines is None:
        return (Piece(markdown, is_code=False),)
    return tuple(
        Piece("".join(piece.text for piece in alike), is_code)
        for is_code, alike in groupby(_cut(lines), lambda piece: piece.is_code)
    )


def _cut(lines: Sequence[Piece]) -> Iterator[Piece]:
    paragraph = _Paragraph(has_table=any(not line.is_code and _rules_a_table(line.text) for line in lines))
    for line in lines:
        if line.is_code:
            yield line
        else:
            yield from paragraph.pieces(line.text)


def _rules_a_table(line: str) -> bool:
    """Whether this could be the line between a table's head and its body: there, `|` ends code too."""
    return "-" in line and ("|" in line or ":" in line) and _RULE_OF_TABLE.issuperset(line.rstrip("\n"))


def _fenced(markdown: str) -> list[Piece] | None:
    """The lines of the text; None where the fences are not beyond doubt."""
    lines = markdown.split("\n")
    found: list[Piece] = []
    has_dollar = "$" in markdown
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        if opening is None and (_LONG_RUN.search(lines[at]) or _OPEN_LABEL.fullmatch(lines[at])):
            return None  # a fence in a list or a quote; a label that goes on below, and takes in what stands there
        found.append(Piece(lines[at] + "\n", is_code=False))
        at += 1
        if opening is None:
            continue
        end = _end_of_fence(lines, at, opening[1], opening[2])
        # Only fences at the margin, closed by the same marks, keep dollar signs from being read as formulas.
        if end is None or (has_dollar and (opening[1] or end == len(lines))):
            return None
        found.extend(Piece(line + "\n", is_code=True) for line in lines[at : end + 1])
        at = end + 1
    return [*found[:-1], Piece(lines[-1], found[-1].is_code)]


def _end_of_fence(lines: Sequence[str], start: int, indent: str, marks: str) -> int | None:
    """The place of the line that closes a fence, or behind the last line; None where renderers would not agree."""
    for place in range(start, len(lines)):
        line = lines[place]
        if line == indent + marks:
            return place
        if indent:
            # In a list, perhaps: there a line further left would end the item, and the fence with it.
            if _LONG_RUN.search(line) or (line.strip(" \t") and not line.startswith(indent)):
                return None
        elif (close := _CLOSE.fullmatch(line)) and close[1].startswith(marks):
            return None
    return len(lines)


@dataclass(slots=True)
class _Paragraph:
    """Follows the lines up to the next empty one: backticks pair up within a paragraph, and never beyond it."""

    has_table: bool
    certain: bool = True
    opened: set[str] = field(default_factory=set)
    """What has begun in the words of this paragraph and could end in a span of code, and take it apart."""

    def pieces(self, line: str) -> Iterator[Piece]:
        """The pieces of the next line."""
        if not line.strip(" \n"):  # with a tab in it, it is not empty for everybody
            self.certain = True
            self.opened.clear()
        end = 0
        if self.certain and "`" in line:
            addresses = _addresses(line)
            for start, stop, length in self._pairs(line):
                self._read(line[end:start])
                if _within(addresses, start) or not self._is_certain(
                    line[start - 1 : start], line[start + length : stop - length]
                ):
                    self.certain = False
                    break
                yield Piece(line[end:start], is_code=False)
                yield Piece(line[start:stop], is_code=True)
                end = stop
        self._read(line[end:])
        yield Piece(line[end:], is_code=False)

    def _read(self, words: str) -> None:
        self.opened.update(mark for mark in _OPENERS if mark in words)

    def _pairs(self, line: str) -> Iterator[tuple[int, int, int]]:
        """Where spans begin and end and how long their marks are, up to the first mark that has no other."""
        runs = list(_RUN.finditer(line))
        place = 0
        while place < len(runs):
            length = len(runs[place][0])
            partner = next((other for other in range(place + 1, len(runs)) if len(runs[other][0]) == length), None)
            if partner is None:
                self.certain = False
                return
            yield runs[place].start(), runs[partner].end(), length
            place = partner + 1

    def _is_certain(self, before: str, inside: str) -> bool:
        """Whether nothing could take this span apart: neither what began before it, nor a table's borders."""
        return not (
            before in {"\\", "~"}
            or "`" in inside
            or inside.endswith("\\")
            or any(closer in inside and opener in self.opened for opener, closer in _OPENERS.items())
            or ("|" in inside and self.has_table)
        )


def _addresses(line: str) -> list[tuple[int, int]]:
    """Where addresses begin and the words with them end: an address takes in the backticks that stand in it."""
    words = ((word, _ADDRESS.search(word[0])) for word in _WORD.finditer(line))
    return [(word.start() + found.start(), word.end()) for word, found in words if found is not None]


def _within(addresses: Sequence[tuple[int, int]], place: int) -> bool:
    last = bisect_left(addresses, (place, 0)) - 1
    return last >= 0 and place <= addresses[last][1]

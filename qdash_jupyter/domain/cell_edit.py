"""A change of a cell's text, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

_AROUND = 3
"""Lines that stay as they are and are shown around a change."""

LineKind: TypeAlias = Literal["same", "removed", "added", "gap"]

_MARKS: dict[LineKind, str] = {"same": " ", "removed": "-", "added": "+", "gap": "@@"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: of both texts, of the old or the new one alone, or in place of lines of both that are left out."""

    kind: LineKind
    text: str


def diff_of(before: str, after: str) -> list[DiffLine]:
    """What becomes of the lines; of those that stay, three around each change. What would hide or turn words is written
    as its code: the user decides by what they see.
    """
    old, new = before.split("\n"), after.split("\n")
    lines: list[DiffLine] = []
    at = 0  # in the old text
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        lines += _gap(group[0][1] - at)
        for kind, i, j, k, m in group:
            lines += [DiffLine("same" if kind == "equal" else "removed", line) for line in old[i:j]]
            lines += [DiffLine("added", line) for line in new[k:m] if kind != "equal"]
        at = group[-1][2]
    return [DiffLine(line.kind, printable(line.text)) for line in [*lines, *_gap(len(old) - at)]]


def _gap(lines: int) -> list[DiffLine]:
    return [DiffLine("gap", Message("lines-unchanged", count=lines).of(reader()))] if lines > 0 else []


def diff_text(before: str, after: str) -> str:
    """The same as the text of a diff."""
    return "\n".join(f"{_MARKS[line.kind]} {line.text}".rstrip() for line in diff_of(before, after))


def code_fence(code: str, language: str = "python") -> str:
    """Code as Markdown, in a fence that none of its own lines can end."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"

"""Which results of a turn its answer uses, where no cell reads them: of what is told, the answer says something."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.tool_call import ToolResult

_ATOM = re.compile(r"(?:(?<![^\W_])|(?<=\bQ))\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]{4,}")  # the 33 of Q33, not the 2 of T2
_MESSAGE = {"text", "message", "fields"}
_NUMBER_WITH_ROOM = 2  # digits: a shorter number would be the rounding of too many


@dataclass(frozen=True, slots=True)
class _Said:
    """The words and numbers of JSON values, or of a text."""

    words: frozenset[str]
    numbers: tuple[float, ...]

    @classmethod
    def of(cls, value: Any) -> _Said:
        words: set[str] = set()
        numbers: set[float] = set()
        for part in _parts(value):
            if isinstance(part, str):
                atoms = _ATOM.findall(part)
                words.update(atom.casefold() for atom in atoms if not atom[0].isdigit())
                numbers.update(float(atom.replace(",", "")) for atom in atoms if atom[0].isdigit())
            else:
                numbers.add(float(min(abs(part), 1e300)))
        return cls(frozenset(words), tuple(numbers))

    def has(self, atom: str) -> bool:
        """Whether it says this word, or a number that is written like that: rounded, or as a percentage."""
        if not atom[0].isdigit():
            return atom.casefold() in self.words
        plain = atom.replace(",", "")
        with_room = len(plain.replace(".", "").lstrip("0")) >= _NUMBER_WITH_ROOM
        room = 0.501 * 10.0 ** -len(plain.partition(".")[2]) if with_room else 0.0
        return any(abs(each - float(plain)) <= room for one in self.numbers for each in (one, 100 * one))


def used_results(results: Sequence[ToolResult], shown: Sequence[ToolResult], question: str, answer: str) -> set[str]:
    """Return the keys of the stored results that the answer uses beside those that are shown.

    A result is used where the answer says what it alone told: not the question, not a call's own arguments, and none
    of those that are shown. Where several told it, all of them are. An answer that says nothing of any result, and has
    no cell, rests on all.

    Args:
        results: those of a turn.
        shown: of these, those that have a cell or a chart in any case.
        question: the turn's question.
        answer: its text.
    """
    asked = _Said.of(question)
    atoms = {atom for atom in _ATOM.findall(answer) if not asked.has(atom)}
    for result in shown:
        atoms -= _told(result, atoms)
    open_results = {one.frame_key: one for one in results if one.frame_key and one.ok and one not in shown}
    told = {key: _told(result, atoms) for key, result in open_results.items()}
    alone = {key for key, own in told.items() if own - set().union(*(told[one] for one in told if one != key))}
    explained = set().union(*(told[key] for key in alone))
    used = alone | {key for key, own in told.items() if own - explained}
    return used if used or shown else set(open_results)


def _told(result: ToolResult, atoms: Iterable[str]) -> set[str]:
    said, given = _Said.of(json.loads(result.content)), _Said.of(result.arguments)
    return {atom for atom in atoms if said.has(atom) and not given.has(atom)}


def _parts(value: Any) -> Iterator[str | float]:
    """The texts and numbers within JSON values; of names only numbers, and nothing of our own messages."""
    if isinstance(value, dict):
        if value.keys() != _MESSAGE:
            yield from (name for name in value if name.isdigit())
            for name, each in value.items():
                yield from () if name.startswith("_") else _parts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield value

"""The nearest questions that can be asked where a sentence does not parse, with what was understood in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.llm.offline.grammar.assembling import assembled, nearly, queries, slots_of
from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.grammar.parts import (
    MOST_WITH_GAPS,
    SKIPPED,
    SMALL,
    Part,
    normal,
    parts_of,
    parts_with_gaps,
)
from qdash_jupyter.llm.offline.grammar.patterns import grammar, phrases_of
from qdash_jupyter.llm.offline.operations import ROWS
from qdash_jupyter.llm.offline.operations.row import Row
from qdash_jupyter.llm.offline.query import Amount, Asked, Query, Window, kinds

MOST = 3
_READINGS = 2
"""Of so many ways to read the words of a sentence the nearest queries are sought."""
_MOST_PARTS, _MOST_CLAUSES = 12, 3
"""Of a longer sentence none is left out; so many clauses of one are read alone."""
_ALIKE = 0.82
_LONG_ENOUGH = 4
"""Shorter words have too many neighbours to be called misspelt."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What could have been meant, nearest first, and the words that were not understood."""

    queries: tuple[Query, ...]
    unknown: tuple[str, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words that were read as others, as they may be misspelt."""
    is_blank: bool = False
    """Whether nothing was understood."""
    is_read: bool = False
    """Whether the sentence parses, and means each of these."""
    starters: int = 0
    """How many of the last are offered whatever the sentence says."""

    @property
    def nearest(self) -> tuple[Query, ...]:
        """Those that have something of the sentence."""
        return self.queries[: len(self.queries) - self.starters]


@lru_cache(64)  # of each question that was not run those that follow ask again
def offers(
    sentence: str,
    now: datetime,
    before: Query | None = None,
    current: str | None = None,
    behind: tuple[Query, ...] = (),
) -> Offers:
    """The nearest queries for a sentence that has not exactly one which can be answered.

    Args:
        sentence: It.
        now: Of when it is.
        before: The question that was run before.
        current: The element that the user looks at.
        behind: What it asks for behind the meanings of one that was not run.
    """
    text = normal(sentence)
    found = (*behind, *(query for query in queries(text, now, before, current) if query not in behind))
    if len(found) > 1 and not behind:
        return Offers(found[:MOST], is_read=True)
    readings, unknown, corrected = parts_of(text, now)[:_READINGS], (), {}
    if not readings:
        parts, unknown = parts_with_gaps(text, now)
        if corrected := {word: better for word in unknown if (better := _spelt(word, language_of(text)))}:
            text = re.sub("|".join(map(re.escape, corrected)), lambda word: corrected[word[0]], text)
            parts, unknown = parts_with_gaps(text, now)
            found = (*found, *queries(text, now, before))
        readings = [parts]
    parts = readings[0]
    is_blank = all(part.name in SMALL for part in parts)
    clauses = (query for one in _clauses(text) for query in queries(one, now, before))
    whole = [query for one in readings for query in assembled(one, before)]
    few = [one for one in readings if len(one) <= _MOST_PARTS]
    whole = whole or [query for one in few for query in nearly(one, before) if query != before]
    named = (query for one in readings for query in _named(one, before))
    nearest = () if is_blank else (*whole, *clauses, *named, *_nearest(readings, now, before))
    understood = [part for part in parts if part.name not in SMALL]
    of_it = _about(before, {}, _STARTERS_OF_IT, now) if before is not None and len(unknown) <= len(understood) else ()
    found = tuple(dict.fromkeys((*found, *filter(None, (*nearest, *of_it)))))
    made = dict.fromkeys((*found, *filter(None, (checked(one(now)) for one in _STARTERS))))
    shown = (*made,)[:MOST]
    return Offers(shown, unknown, corrected, is_blank, starters=max(0, len(shown) - len(found)))


def _clauses(text: str) -> Sequence[str]:
    """The parts of a sentence that has several, of which one may say what is asked."""
    found = [*filter(None, map(str.strip, _BETWEEN.split(text)))]
    return [one for one in found[-_MOST_CLAUSES:] if len(one) <= MOST_WITH_GAPS // 2] if len(found) > 1 else ()


_BETWEEN = re.compile(r"[.,;:?!。、]+(?=\s|$)|[。、?!]|\s(?:because|but|so|and|since i|i (?:think|mean))\s")


def _named(parts: Sequence[Part], before: Query | None) -> Iterator[Query]:
    """Where a limit is of no parameter, that of each which has such limits."""
    names = {part.name for part in parts}
    if "conditions" in names and "metrics" not in names:
        known = [name for name in METRICS if not name.endswith("_average")]
        sides = [side for part in parts if part.name == "conditions" for side in (part.value.below, part.value.above)]
        units = {side.unit for side in sides if isinstance(side, Amount)}
        for name in sorted(known, key=lambda name: (METRICS[name].unit not in units, METRICS[name].scoring is None)):
            yield from assembled((Part("metrics", (name,)), *parts), before)


def _spelt(word: str, language: str) -> str | None:
    """The word of the grammar that this one may be."""
    if len(word) < _LONG_ENOUGH or word.lower() in _vocabulary(language):
        return None
    alike = get_close_matches(word.lower(), _vocabulary(language), 1, _ALIKE)
    return next((one for one in alike if one[0] == word[0].lower()), None)  # "close" is a word, and no slip for "lose"


@cache
def _vocabulary(language: str) -> tuple[str, ...]:
    """The longer words of a grammar that have a meaning."""
    terminals = [one for one in grammar(language).terminals if one.name not in SKIPPED]
    phrases = {phrase for terminal in terminals for phrase in phrases_of(terminal.pattern.value)}
    words = {word for phrase in phrases for word in re.findall(r"[a-z]{4,}|[\u30a1-\u30fc]{4,}", phrase)}
    return tuple(sorted(words))


def _nearest(readings: Sequence[Sequence[Part]], now: datetime, before: Query | None) -> Iterator[Query]:
    """Queries with as much as possible of what was understood, those that leave out least first."""
    found: dict[Query, tuple[int, int]] = {}
    for parts in readings:
        slots = slots_of(parts, before)
        words = slots.pop("asked", ())
        slots = {name: value for name, value in slots.items() if name in Query.__dataclass_fields__}
        if before is not None:
            may_be = [asked for part in parts if part.name == "asked" for asked in _MAY_BE.get(part.value, ())]
            yield from _about(before, slots, (*words, *may_be, before.asked), now)
        for query, size in _with(slots, words, now):
            found[query] = min(size, found.get(query, size))
    yield from sorted(found, key=found.__getitem__)


def _with(slots: Mapping[str, Any], words: Sequence[Asked], now: datetime) -> Iterator[tuple[Query, tuple[int, int]]]:
    """Queries with as much as possible of these fields, and how much each leaves out."""
    for usual, (asked, rows) in enumerate(ROWS.items()):
        for some in (rows, *((row,) for row in rows)):  # what all of them heed may be no question
            takes = _heeded(some)
            takes -= {"kind"} if asked in kinds("list") and asked not in words else set()  # else notes are near all
            fields = {name: value for name, value in slots.items() if name in takes}
            if not fields and asked not in words:
                break  # of what was understood it has nothing
            kept = 2 * len(fields) + (9 if asked in words else 0)
            made = {checked(Query(asked, **filled)): len(filled) - kept for filled in _filled(asked, fields, now)}
            asks = [query for query in made if query is not None and (query.said or asked in words)]
            yield from ((query, (made[query], usual)) for query in asks)
            if asks:
                break


def _about(before: Query, said: Mapping[str, Any], among: Sequence[Asked], now: datetime) -> Iterator[Query]:
    """The question before, asked with what was understood of this one, and all of that."""
    ends = {"count"} if "order" in said and not before.order else set()
    known = {name: getattr(before, name) for name in before.said - ends} | dict(said)
    named = tuple(dict.fromkeys(one.metric for one in before.conditions))
    for asked in among:
        takes = _heeded(ROWS[asked])
        limited = {"metrics": named} if named and "conditions" not in takes else {}
        takes -= {"kind"} - said.keys() if asked in kinds("list") else set()
        if said.keys() <= takes:
            fields = {name: value for name, value in (limited | known).items() if name in takes}
            made = (checked(Query(asked, **filled)) for filled in _filled(asked, fields, now))
            yield from (one for one in made if one is not None and one != before and one.said & before.said)


def _heeded(rows: Sequence[Row]) -> set[str]:
    takes = {name for row in rows for name in row.heeds}
    return takes | ({"places", "neighbours"} if "qids" in takes else set())


def _filled(asked: Asked, fields: Mapping[str, Any], now: datetime) -> Iterator[Mapping[str, Any]]:
    """The fields with the usual value of what this kind of question needs, too."""
    fields = dict(fields)
    if asked is Asked.SELECT and not {"conditions", "order", "low", "good"} & fields.keys():
        fields |= {"order": "worst"}
    if asked in {Asked.SELECT, Asked.STABILITY} and "order" in fields and "metrics" not in fields:
        fields |= {"metrics": ("zx90_gate_fidelity",) if fields.get("kind") == "coupling" else ("t1",)}
    fields = {**_USUAL.get(asked, {}), **fields}
    if asked is Asked.CHANGE and "window" not in fields:
        fields |= {"window": Window.last(30, now)}
    metrics = fields.get("metrics", ())
    if len(metrics) > 1 and asked is not Asked.RELATION:
        yield from ({**fields, "metrics": (name,)} for name in metrics[:2])
    yield fields


_USUAL: Mapping[Asked, Mapping[str, Any]] = {
    Asked.STATISTIC: {"statistic": "median"},
    Asked.FIT: {"fit": "line"},
    Asked.CHANGE: {"direction": "either"},
    Asked.WHEN_CHANGED: {"direction": "either"},
    Asked.BEST_SET: {"count": 4},
    Asked.CHAIN: {"count": 4},
}


_STARTERS: tuple[Callable[[datetime], Query], ...] = (
    lambda _: Query(Asked.HEALTH),
    lambda now: Query(Asked.CHANGE, metrics=("t1",), direction="down", window=Window.last(30, now)),
    lambda _: Query(Asked.SELECT, metrics=("t1",), order="worst", count=5),
)
"""What is offered where nothing was understood."""
_STARTERS_OF_IT = (Asked.VALUES, Asked.HISTORY, Asked.VERDICT, Asked.NOTES)
"""What is offered first of what the question before was about."""
_MAY_BE = {"when": (Asked.WHEN_CHANGED, Asked.AGE), "who": (Asked.RUNS, Asked.NOTES)}
"""What may be asked by a word that says too little alone."""

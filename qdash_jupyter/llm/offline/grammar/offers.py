"""The nearest questions that can be asked where a sentence does not parse, with what was understood in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from typing import Any

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.llm.offline.grammar.assembling import assembled, queries, slots_of
from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.grammar.parts import SKIPPED, SMALL, Part, normal, parts_with_gaps
from qdash_jupyter.llm.offline.grammar.patterns import grammar, phrases_of
from qdash_jupyter.llm.offline.operations import ROWS
from qdash_jupyter.llm.offline.operations.row import Row
from qdash_jupyter.llm.offline.query import Amount, Asked, Query, Window, kinds

MOST = 3
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


def offers(sentence: str, now: datetime, before: Query | None = None, current: str | None = None) -> Offers:
    """The nearest queries for a sentence that has not exactly one which can be answered."""
    text = normal(sentence)
    found = queries(text, now, before, current)
    if len(found) > 1:
        return Offers(found[:MOST], is_read=True)
    parts, unknown = parts_with_gaps(text, now)
    corrected = {word: better for word in unknown if (better := _spelt(word, language_of(text)))}
    if corrected:
        spelt = re.sub("|".join(map(re.escape, corrected)), lambda word: corrected[word[0]], text)
        parts, unknown = parts_with_gaps(spelt, now)
        found = queries(spelt, now, before)
    is_blank = all(part.name in SMALL for part in parts)
    nearest = () if is_blank else (*assembled(parts, before), *_named(parts, before), *_nearest(parts, now, before))
    understood = [part for part in parts if part.name not in SMALL]
    of_it = _about(before, {}, _STARTERS_OF_IT, now) if before is not None and len(unknown) <= len(understood) else ()
    for made in (*nearest, *of_it, *(checked(one(now)) for one in _STARTERS)):
        if made is not None and made not in found:
            found = (*found, made)
    return Offers(found[:MOST], unknown, corrected, is_blank)


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


def _nearest(parts: Sequence[Part], now: datetime, before: Query | None) -> Iterator[Query]:
    """Queries with as much as possible of what was understood, those that leave out least first."""
    found: dict[Query, tuple[int, int]] = {}
    slots = slots_of(parts, before)
    words = slots.pop("asked")
    slots = {name: value for name, value in slots.items() if name in Query.__dataclass_fields__}
    if before is not None:
        may_be = [asked for part in parts if part.name == "asked" for asked in _MAY_BE.get(part.value, ())]
        yield from _about(before, slots, (*words, *may_be, before.asked), now)
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
            for query in asks:
                found[query] = min((made[query], usual), found.get(query, (made[query], usual)))
            if asks:
                break
    yield from sorted(found, key=lambda query: found[query])


def _about(before: Query, said: Mapping[str, Any], among: Sequence[Asked], now: datetime) -> Iterator[Query]:
    """The question before, asked with what was understood of this one, and all of that."""
    ends = {"count"} if "order" in said and not before.order else set()
    known = {**{name: getattr(before, name) for name in before.said - ends}, **said}
    for asked in among:
        takes = _heeded(ROWS[asked])
        takes -= {"kind"} - said.keys() if asked in kinds("list") else set()
        if said.keys() <= takes:
            fields = {name: value for name, value in known.items() if name in takes}
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

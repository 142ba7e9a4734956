"""What the panel completes questions with: every form with its slots, and the words that fit each slot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import checked, examples
from qdash_jupyter.llm.offline.grammar.parts import MEANINGS, SKIPPED, parts_of
from qdash_jupyter.llm.offline.grammar.patterns import grammar, phrases_of
from qdash_jupyter.llm.offline.phrases import label, window_words
from qdash_jupyter.llm.offline.query import Amount, Query, Window
from qdash_jupyter.llm.offline.wording import name_of, sentence_of
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from qdash_jupyter.domain.wire.panel import Completion, FormPiece

_LANGUAGES: tuple[Language, ...] = ("en", "ja")
"""Those that have a grammar."""
_DAY = timedelta(days=1)
_LAST_DAYS = (7, 30, 1, 14, 60, 90)
_MOST_DAYS, _MOST_MONTHS = 31, 24
_MOST_NAMES = 5
"""So many others of a parameter are completed."""


def completions(now: datetime, tasks: Sequence[str] = (), days: Iterable[date] = ()) -> list[Completion]:
    """The table of each language. `tasks` are the chip's, `days` those that it has data of."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return _completions(midnight, tuple(tasks), tuple(sorted(set(days), reverse=True)))


@lru_cache(maxsize=2)
def _completions(now: datetime, tasks: tuple[str, ...], days: tuple[date, ...]) -> list[Completion]:
    return [_Table(language, now, days).made(tasks) for language in _LANGUAGES]


@dataclass
class _Table:
    """The forms of one language, and the lists of words that they name."""

    language: Language
    now: datetime
    days: Sequence[date]

    def __post_init__(self) -> None:
        self._lists: dict[str, list[list[str]]] = {}
        self._newest = Message("ask-newest").of(self.language)
        self._names = _names(self.language)
        self._times = dict(self._all_times())
        queries = [query for some in examples(self.now).values() for query in some]
        usual = dict.fromkeys(name for query in queries for name in query.named)
        self._metrics = [*usual, *(name for name in METRICS if name not in usual and name in self._names)]
        self._queries = queries

    def made(self, tasks: Sequence[str]) -> Completion:
        """All of it."""
        forms = [self._form(query) for query in self._queries]
        return {
            "language": self.language,
            "help": Message("ask-help").of(self.language),
            "fillers": self._fillers(),
            "forms": forms,
            "words": self._lists | {"task": [[name] for name in tasks]},
        }

    def _fillers(self) -> list[str]:
        said = (one.name for one in grammar(self.language).terminals if one.name in SKIPPED)
        return [word for name in said for word in _phrases(self.language, name) if re.fullmatch("[a-z]+|.", word)]

    # --- forms ---

    def _form(self, query: Query) -> list[list[FormPiece]]:
        slots = dict(self._slots(query))
        wanted = "|".join(map(re.escape, sorted(slots, key=len, reverse=True)))
        slot = re.compile(f"(?<![A-Za-z0-9])({wanted})(?![A-Za-z0-9])" if slots else "(?!)")
        parts: list[list[FormPiece]] = []
        for part in sentence_of(query, self.language).split(" · "):
            pieces = slot.split(part) if slots else [part]
            parts.append([{"text": text, "words": slots.get(text, "")} for text in pieces if text])
        if query.window is None and self._newest not in slots and (times := self._list_of_times(query, "window")):
            parts.append([{"text": "", "words": times}])  # none has to be said
        return parts

    def _slots(self, query: Query) -> Iterator[tuple[str, str]]:
        """The words of the query's sentence that others can take the place of, and the names of their lists."""
        for field in ("window", "against"):
            if (window := getattr(query, field)) is not None:
                yield window_words(window).of(self.language), self._list_of_times(query, field)
        if self._newest in sentence_of(query, self.language):
            yield self._newest, self._list_of_times(query, "window")
        for name in query.named:
            fitting = [other for other in self._metrics if _is_like(query, name, other)]
            yield name_of(name, self.language), self._listed("parameter", [self._names[one] for one in fitting])
        for qid in query.qids:
            yield label(qid), "coupling" if is_coupling(qid) else "qubit"
        if query.task is not None:
            yield query.task, "task"
        limits = [side for one in query.conditions for side in (one.below, one.above) if isinstance(side, Amount)]
        for amount in (*limits, *([query.by] if query.by else [])):
            yield f"{amount.value:g}", "number"
        if query.count is not None:
            yield str(query.count), "number"

    def _list_of_times(self, query: Query, field: str) -> str:
        """The times that the question can be asked of."""
        kinds = {_kind(window): (words, window) for words, window in self._times.items()}
        can = {kind for kind, time in kinds.items() if self._takes(query, field, *time)}
        other = query.window if field == "against" else query.against
        ends = None if other is None else self._ends(other)
        times = (words for words, one in self._times.items() if _kind(one) in can and self._ends(one) != ends)
        return self._listed("time", [[words] for words in times])

    def _ends(self, window: Window) -> tuple[datetime | None, datetime | None]:
        """When it begins and ends; this month goes on as long as the time since its first day."""
        return window.since, None if window.until is None or window.until > self.now else window.until

    def _takes(self, query: Query, field: str, words: str, window: Window) -> bool:
        asked = replace(query, against=window) if field == "against" else replace(query, window=window)
        if _answered(asked):
            return True
        sentence = sentence_of(query, self.language)
        if self._newest not in sentence:
            return False
        read = queries(sentence.replace(self._newest, words), self.now)  # another kind of question then
        return len(read) == 1

    def _listed(self, kind: str, words: list[list[str]]) -> str:
        """The name of this list; empty where it is."""
        if not words:
            return ""
        name = next((name for name, known in self._lists.items() if known == words), f"{kind}{len(self._lists)}")
        self._lists[name] = words
        return name

    # --- times ---

    def _all_times(self) -> Iterator[tuple[str, Window]]:
        """Times in words, those first that are asked for most."""
        starts = [self.now.replace(year=day.year, month=day.month, day=day.day) for day in self.days]
        months = list(dict.fromkeys(day.replace(day=1) for day in starts))[:_MOST_MONTHS]
        yield from self._said(Window.last(days, self.now) for days in _LAST_DAYS)
        for rule in ("named_span", "named"):
            yield from self._named(rule)
        yield from self._said(Window(month, (month + 31 * _DAY).replace(day=1)) for month in months)
        yield from self._named("weekday", lambda phrase: Message("plan-since", since=phrase).of(self.language))
        yield from self._said(one for day in starts[:_MOST_DAYS] for one in (Window(day, day + _DAY), Window(day)))

    def _named(self, rule: str, say: Callable[[str], str] | None = None) -> Iterator[tuple[str, Window]]:
        """Times that the grammar has names for: "yesterday", "since Monday"."""
        for one in grammar(self.language).rules:
            for terminal in one.expansion if one.origin.name == rule else ():
                words = [say(phrase.capitalize()) if say else phrase for phrase in _of(self.language, terminal.name)]
                read = {parts[0].value for parts in parts_of(words[0], self.now) if len(parts) == 1}
                if len(read) == 1 and isinstance(window := read.pop(), Window):  # "last month" is two times
                    yield from ((each, window) for each in words)

    def _said(self, windows: Iterable[Window]) -> Iterator[tuple[str, Window]]:
        return ((window_words(one).of(self.language), one) for one in windows)


def _kind(window: Window) -> tuple[bool, bool, bool]:
    return window.days is None, window.since is None, window.until is None


def _is_like(query: Query, name: str, other: str) -> bool:
    """Whether another parameter can take the place of this one: its values can change by the same amount."""
    by_amount = query.by is None or METRICS[other].unit == METRICS[name].unit
    return other == name or (by_amount and _answered(_with_metric(query, name, other)))


def _answered(query: Query) -> bool:
    whole = checked(query)
    return whole is not None and len(set(whole.named)) == len(whole.named)


def _with_metric(query: Query, name: str, other: str) -> Query:
    return replace(
        query,
        metrics=tuple(other if one == name else one for one in query.metrics),
        conditions=tuple(replace(one, metric=other) if one.metric == name else one for one in query.conditions),
    )


# --- the grammar's words --------------------------------------------------------------------------------------------


def _names(language: Language) -> Mapping[str, list[str]]:
    """Each parameter's name, and its phrases that are no other word of the grammar. What is put together of several
    words may read as one of them all the same: a long test asks each form with every phrase.
    """
    terminals = [one.name for one in grammar(language).terminals]
    meanings = Counter(phrase for terminal in terminals for phrase in _phrases(language, terminal))
    found: dict[str, list[str]] = {}
    for terminal in (one for one in terminals if not one.startswith("_")):
        values = MEANINGS.get(terminal, ((terminal.lower(),),))
        name = values[0][0]
        if values == ((name,),) and name in METRICS:
            title = name_of(name, language)
            others = (one for one in _of(language, terminal) if _key(one) != _key(title) and meanings[one] == 1)
            found[name] = [title, *islice(others, _MOST_NAMES)]
    return found


def _of(language: Language, terminal: str) -> list[str]:
    """The phrases of a terminal: of those that differ in signs alone, or hold another, the shortest."""
    found: dict[str, str] = {}
    phrases = _phrases(language, terminal)
    for phrase in sorted(phrases, key=len):
        if not any(known in _key(phrase) for known in found) and not phrase.startswith("の"):
            found[_key(phrase)] = phrase
    return [phrase for phrase in phrases if phrase in found.values()]


def _phrases(language: Language, terminal: str) -> dict[str, None]:
    return dict.fromkeys(phrases_of(grammar(language).get_terminal(terminal).pattern.value))


def _key(phrase: str) -> str:
    return re.sub(r"[\W_の]", "", phrase.lower())

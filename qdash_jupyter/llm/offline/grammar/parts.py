"""Reads a sentence into its parts, by the grammar of its language; whole or not at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache, partial
from itertools import islice, product
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.metrics import NAMES
from qdash_jupyter.llm.offline.grammar.patterns import choices, grammar
from qdash_jupyter.llm.offline.query import Amount, Condition, Window, in_muxes

MOST_CHARACTERS, MOST_WITH_GAPS = 300, 120
SMALL = frozenset(
    {"filler", "and", "everything", "refer", "by", "only", "what_is", "which_ones", "soon", "all", "it", "table"}
    | {"each", "how_went", "level", "recent"}
)
"""Parts that are no words of their own in what a reading is weighed by."""
SKIPPED = frozenset({"FILLER", "ASKING", "USUAL", "LEADING", "PARTICLE"})
"""Terminals of words that say nothing of their own."""
_MOST_READINGS = 64
_ALIKE = str.maketrans("’−", "'-")
_SPELLINGS = {"いちばん": "一番", "もっとも": "最も"}
_NOT = re.compile(r"(?i)\b(do|does|did|is|are|was|were|has|have|had|ca|could|would|should)nt\b")
"""What is written without its apostrophe."""
_RANKED = re.compile(r"(?i)(?<=\btop)(?=\d)|(?<=\bworst)(?=\d)")
"""Between "top" and its number."""
_DAY = timedelta(days=1)
_CENTURY = 36_500
_MOST_IDS = 256


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question: what it says something of, and what."""

    name: str
    value: Any = True
    vague: bool = False
    """Whether it names a group of parameters, of which another part may name one."""
    averaged: bool = False
    """Whether its name begins with "average", which may also ask for the mean."""


Value = Any
Values = tuple[Value, ...]


def normal(text: str) -> str:
    """A question in one form: NFKC, single blanks, and nothing that repeats itself, which says no more than once."""
    text = unicodedata.normalize("NFKC", text[: 2 * MOST_CHARACTERS]).translate(_ALIKE)
    text = " ".join(_NOT.sub(r"\1n't", _RANKED.sub(" ", text)).split())
    for spelled, usual in _SPELLINGS.items():
        text = text.replace(spelled, usual)
    return re.sub(r"(\D|.{2,8})\1{4,}", r"\1", text)


def weight(parts: Sequence[Part]) -> tuple[int, int]:
    """How many parts a sentence has, and how many words: of two readings, the one with fewer takes longer phrases."""
    words = [part for part in parts if part.name not in SMALL]
    return len(words), sum(part.name not in {"each", "level"} for part in parts)


def parts_of(sentence: str, now: datetime) -> list[tuple[Part, ...]]:
    """All ways to read a sentence, each as its parts in their order; none where a word has no place in the grammar."""
    tree = _parsed(sentence) if sentence and len(sentence) <= MOST_CHARACTERS else None
    return [] if tree is None else _Reader(sentence, now).of(tree)


def parts_with_gaps(sentence: str, now: datetime) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The parts of a sentence that does not parse, with the fewest of its words left out; and those words. Of a long
    one that is its beginning.
    """
    if not sentence.strip() or len(sentence) > MOST_CHARACTERS:
        return (), ()
    beginning, blank, _ = sentence[: MOST_WITH_GAPS + 1].rpartition(" ")  # each letter costs 2 ms
    whole = sentence if len(sentence) <= MOST_WITH_GAPS else beginning if blank else sentence[:MOST_WITH_GAPS]
    tree = grammar(language_of(sentence), gaps=True).parse(f"{_lower(whole)}\x03")
    words = [
        (token.start_pos or 0, token.end_pos or 0)
        for gap in tree.find_data("gap")
        for token in gap.children
        if isinstance(token, Token)
    ]
    tree.children = [one for one in tree.children if not (isinstance(one, Tree) and one.data == "gap")]
    found = _Reader(sentence, now).of(Tree("question", tree.children))
    return found[0] if found else (), tuple(sentence[start:end] for start, end in _joined(sorted(words), sentence))


def _joined(words: Sequence[tuple[int, int]], sentence: str) -> Iterator[tuple[int, int]]:
    """Where unread letters stand; with one letter of Hiragana between two of them they are pieces of a word."""
    start, end = -1, -1
    for first, last in words:
        if start >= 0 and not re.fullmatch("[ぁ-ゖ]?", sentence[end:first]):
            yield start, end
            start = first
        start, end = first if start < 0 else start, last
    if start >= 0:
        yield start, end


def asks_for_help(sentence: str) -> bool:
    """Whether it asks what can be asked."""
    tree = _parsed(normal(sentence)[:MOST_CHARACTERS])
    return tree is not None and any(isinstance(one, Token) and one.type == "HELP" for one in tree.children)


@lru_cache(16)  # each reading of a question asks for it, and who completes it or asks again does, too
def _parsed(sentence: str) -> Tree[Token] | None:
    """The tree of a sentence; None where a word has no place in the grammar."""
    try:
        return grammar(language_of(sentence)).parse(f"{_lower(sentence)}\x03")
    except UnexpectedInput:
        return None


def _says_something(word: str) -> bool:
    """Whether a word is one of the grammar, not only a name that somebody may have."""
    tree = _parsed(normal(word))
    readings = [] if tree is None else tree.children if tree.data == "_ambig" else [tree]
    return any(isinstance(one, Tree) and not any(one.find_data("person")) for one in readings)


def _lower(text: str) -> str:
    """In lower case, letter by letter."""
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


class _Reader:
    """Makes the parts of a tree; a node that can be read in several ways gives each of them.

    A rule is named after the field that it sets, its words are named after the values: `order: WORST | BEST`. So most
    rules need no method here (`_part`). What stands behind `__` in a word's name tells it from others with its value.
    """

    def __init__(self, sentence: str, now: datetime) -> None:
        self._sentence, self._now = sentence, now
        self._today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        self._language = language_of(sentence)
        self._known: dict[int, Values] = {}

    def of(self, tree: Tree[Token]) -> list[tuple[Part, ...]]:
        return list(dict.fromkeys(self._values(tree)))[:_MOST_READINGS]

    def _values(self, node: Tree[Token] | Token) -> Values:
        if isinstance(node, Token):
            return (node,)
        if (known := self._known.get(id(node))) is None:
            known = self._known[id(node)] = tuple(dict.fromkeys(self._made(node)))
        return known

    def _made(self, node: Tree[Token]) -> Iterator[Value]:
        if node.data == "_ambig":
            for child in node.children:
                yield from self._values(child)
            return
        make = self._maker(str(node.data))
        for children in islice(product(*map(self._values, node.children)), _MOST_READINGS):
            made = make(children)
            yield from made if isinstance(made, list) else () if made is None else (made,)

    def _maker(self, name: str) -> Callable[[Sequence[Value]], Any]:
        several = self._window if name in _ENDS else self._written if name in _NAMES else self._part
        make: Callable[[Sequence[Value]], Any] = getattr(self, f"_{name}", partial(several, name))
        return make

    def _part(self, name: str, children: Sequence[Value]) -> Value:
        """The parts of its children: those of rules within it, numbers, amounts, and words that stand for a value."""
        found: list[Part] = []
        for one in children:
            if isinstance(one, Amount):
                found.append(Part("by", one))
            elif not isinstance(one, Token):
                found += one if isinstance(one, tuple) else (one,)
            elif one.type in _NUMBERS:
                found.append(Part("count", int(self._number(one))))
            elif one.type not in _JOINING:
                found.append(Part(name, _value(one)))
        return tuple(found) or Part(name)

    def _question(self, children: Sequence[Value]) -> Value:
        parts = [Part(one.type.lower()) if isinstance(one, Token) else one for one in children]
        return tuple(part for one in parts for part in (one if isinstance(one, tuple) else (one,)))

    def _flag(self, children: Sequence[Token]) -> Value:
        """A quality; "high" and "low" say where a value lies, which of an error is the other quality."""
        level = [Part("level")] if children[0].type.endswith("__LEVEL") else []
        return Part(_value(children[0])), *level

    def _single(self, children: Sequence[Token]) -> Value:
        """The worst one."""
        return *self._part("order", children), Part("count", 1)

    def _also(self, _: Sequence[Token]) -> Value:
        """「も」, which joins what a sentence says, or adds it to the question before."""
        return Part("and", "also")

    def _most_often(self, children: Sequence[Token]) -> Value:
        return *self._part("order", children), Part("often")

    def _refer(self, children: Sequence[Token]) -> Value:
        """A word that goes on with the question before; "only" may also stand in a question of its own."""
        return Part("refer", "only" if children[0].split()[-1] in {"only", "just"} else "refer")

    def _went(self, _: Sequence[Token]) -> Value:
        """How the last run went, which its row tells; not the last one that went so."""
        return Part("newest", 1), Part("asked", "runs")

    def _error_message(self, _: Sequence[Token]) -> Value:
        return Part("why"), Part("status", "failed")

    def _each_of(self, children: Sequence[Token]) -> Value:
        """Of each: "per MUX" may not say that it is the MUXes that are ordered."""
        return *self._part("per", children), Part("each")

    def _slowness(self, children: Sequence[Token]) -> Value:
        """The slowest task; what is slowest where nothing else is said was asked before."""
        order = self._part("order", children)
        is_all = len(re.sub(r"\W|\bthe ", "", self._sentence)) <= len(children[-1]) + len("のは")
        return order if is_all else (*order, Part("asked", "duration"))

    def _steadiest(self, children: Sequence[Token]) -> Value:
        return *self._part("order", children), Part("asked", "stability")

    def _by_users(self, _: Sequence[Token]) -> Value:
        return Part("asked", "runs"), Part("per", "user")

    def _closer(self, children: Sequence[Amount]) -> Value:
        return Part("asked", "difference"), Part("within", children[0])

    def _user(self, children: Sequence[Token]) -> Value:
        """A name of somebody, which is no word that says something."""
        return None if _says_something(children[0]) else self._written("user", children)

    def _person(self, children: Sequence[Token]) -> Value:
        """A name alone, behind a question about another's: "and bob?"."""
        [name] = (one for one in children if one.type == "PERSON")
        return None if _says_something(name) else self._written("person", [name])

    def _ran(self, children: Sequence[Token]) -> Value:
        user = self._user(children[:1])
        return None if user is None else (user, Part("asked", "runs"))

    def _rate(self, children: Sequence[Token]) -> Value:
        return Part("status", _value(children[0])), Part("statistic", "fraction")

    def _written(self, name: str, children: Sequence[Token]) -> Value:
        """A name as the question writes it."""
        return Part(name, self._sentence[children[-1].start_pos : children[-1].end_pos].strip('"“”「」'))

    def _number(self, word: Token) -> float:
        """A number in digits or words: `30`, `2nd`, `二十`; other words by their place among those of the grammar."""
        if found := re.search(r"\d+(\.\d+)?", word):
            return float(found[0])
        if word.type == "KANJI_NUMBER":
            tens, ten, ones = word.rpartition("十")
            return ((_KANJI.index(tens) if tens else 1) * 10 if ten else 0) + (_KANJI.index(ones) if ones else 0)
        return 1 + _place(self._language, word)

    # --- qubits and couplings ---

    def _ids(self, children: Sequence[Any]) -> Value:
        named = [one if isinstance(one, tuple) else (_id(one),) for one in children if not _is_word(one, "AND")]
        return Part("qids", tuple(qid for one in named for qid in one))

    def _numbered(self, children: Sequence[Token]) -> Value:
        return (f"{self._number(children[0]):.0f}",)

    def _range(self, children: Sequence[Token]) -> Value:
        first, last = (int(_id(one)) for one in children)
        return tuple(map(str, range(first, last + 1))) if first < last < first + _MOST_IDS else None

    def _pair(self, children: Sequence[Token]) -> Value:
        return ("-".join(_id(one) for one in children if one.type != "AND"),)

    def _between_ids(self, children: Sequence[Token]) -> Value:
        """A coupling, or what two qubits are apart."""
        ids = tuple(_id(one) for one in children if one.type == "QID")
        return [Part("qids", ("-".join(ids),)), (Part("qids", ids), Part("apart", value=True))]

    def _without(self, children: Sequence[Any]) -> Value:
        named = [one for one in children if isinstance(one, Part)]
        some = (in_muxes(one.value) if one.name == "places" else one.value for one in named)
        return Part("without", tuple(qid for those in some for qid in those))

    def _place(self, children: Sequence[Token]) -> Value:
        name, *numbers = (one for one in children if one.type != "AND")
        return Part("places", tuple((_value(name), int(one)) for one in numbers))

    def _places(self, children: Sequence[Token]) -> Value:
        name, first, last = children[0], int(children[1]), int(children[-1])
        if not first < last < first + _MOST_IDS:
            return None
        return Part("places", tuple((_value(name), one) for one in range(first, last + 1)))

    # --- parameters and values ---

    def _metric(self, children: Sequence[Token]) -> Value:
        [word] = children
        if word.type == "STORED":
            return Part("metrics", (str(word),))
        if word.type == "NAMED":
            return Part("metrics", (NAMES[word],))
        if word.type == "READOUT__AVERAGE":
            return Part("metrics", ("average_readout_fidelity",), averaged=True)
        meanings = MEANINGS.get(word.type, ((_value(word),),))
        of_any, of_pairs = word.type == "FIDELITY", ("zx90_gate_fidelity",) if word.type == "GATE_FIDELITY" else None
        return [Part("metrics", names, vague=of_any or names == of_pairs) for names in meanings]

    def _than_id(self, children: Sequence[Part]) -> Value:
        return *children, Part("asked", "compare")

    def _compared(self, children: Sequence[Any]) -> Value:
        """Two qubits, one compared to the other."""
        ids = tuple(_id(one) for one in children if isinstance(one, Token))
        return *(one for one in children if isinstance(one, Part)), Part("qids", ids), Part("asked", "compare")

    def _sorted(self, children: Sequence[Any]) -> Value:
        """A whole order, and which end it begins with where the words say so."""
        first = self._part("order", children[:1])[:1] if children else ()
        return *first, Part("every")

    def _by_metric(self, children: Sequence[Any]) -> Value:
        return *(part for one in children[:-1] for part in one), Part("ordered_by", children[-1].value[0])

    def _amount(self, children: Sequence[Token]) -> Value:
        return Amount(float(children[0]), self._unit(children))

    def _limit_alone(self, children: Sequence[Token]) -> Value:
        """What may take the place of a limit: "and 90 %?"."""
        return Part("limit_alone", self._amount(children))

    def _tenths(self, children: Sequence[Token]) -> Value:
        return Amount(10 * self._number(children[0]), "%")

    def _tenths_alone(self, children: Sequence[Token]) -> Value:
        return Part("limit_alone", self._tenths(children))

    def _unit(self, children: Sequence[Any]) -> str:
        return next((_UNITS[_place(self._language, one)] for one in children if _is_word(one, "UNIT")), "")

    def _other(self, children: Sequence[Any]) -> Value:
        """A multiple of another parameter."""
        factor, metric = 1.0, ""
        for one in children:
            if isinstance(one, Part):
                metric = one.value[0]
            elif one.type == "HALF":
                factor = 0.5
            else:
                found = re.match(r"[\d.]+", one)
                factor = float(found[0]) / (100 if re.search("%|percent", one) else 1) if found else 2.0
        return metric, factor

    def _condition(self, children: Sequence[Any], *, negated: bool = False) -> Value:
        """Words with their limits, in either order; each with its parameter before it where that stands within."""
        words = [one for one in children if isinstance(one, Token)]
        metrics = [one for one in children if isinstance(one, Part)]
        limits = [one for one in children if not isinstance(one, (Token, Part))]
        made = [_limit(_value(word), limit, negated=negated) for word, limit in zip(words, limits, strict=True)]
        return tuple(part for pair in zip(metrics, made, strict=True) for part in pair) if metrics else tuple(made)

    def _negated(self, children: Sequence[Any]) -> Value:
        return self._condition(children, negated=True)

    def _between(self, children: Sequence[Any]) -> Value:
        """Between two limits, with the parameter where it stands there: 40 us <= T1 <= 50 us."""
        ends = [Amount(float(one), self._unit(children)) if _is_word(one, "NUMBER") else one for one in children]
        low, high = sorted((one for one in ends if isinstance(one, Amount)), key=lambda one: one.value)
        if len({low.unit, high.unit} - {""}) > 1:
            return None
        unit, metrics = high.unit or low.unit, [one for one in children if isinstance(one, Part)]
        both = Condition("", Amount(high.value, unit), Amount(low.value, unit), inclusive=True)
        return (*metrics, Part("conditions", both))

    def _dropped(self, children: Sequence[Part]) -> Value:
        """A parameter whose condition holds no more."""
        return Part("dropped", children[0].value[0])

    def _removed(self, children: Sequence[Any]) -> Value:
        """Without those that meet a condition: those that do not."""
        parts = [part for one in children for part in (one if isinstance(one, tuple) else (one,))]
        turned = (_other_side(part) if part.name == "conditions" else part for part in parts)
        return *turned, Part("refer")

    def _raised(self, children: Sequence[Any]) -> Value:
        amount = self._amount([one for one in children if isinstance(one, Token)])
        return Part("raised", (children[0].value[0], amount))

    def _within(self, children: Sequence[Any]) -> Value:
        share, middle = children
        size = middle.value * share.value / 100 if share.unit == "%" != middle.unit else share.value
        high, low = (Amount(round(middle.value + sign * size, 9), middle.unit) for sign in (1, -1))
        return Part("conditions", Condition("", high, low, inclusive=True))

    def _replaced(self, children: Sequence[Part]) -> Value:
        """What takes the place of another: the first, and in Japanese the last."""
        kept = children[0 if self._language == "en" else -1]
        return *(kept if isinstance(kept, tuple) else (kept,)), Part("refer")

    # --- order and number ---

    def _ends(self, children: Sequence[Any]) -> Value:
        if _is_word(children[0], "EXTREMES"):
            return Part("order", "both")
        parts = self._part("", children)
        ranks, counts = ({one.value for one in parts if one.name == name} for name in ("order", "count"))
        fits = ranks in ({"worst", "best"}, {"lowest", "highest"}) and len(counts) <= 1
        return (Part("order", "both"), *(Part("count", one) for one in counts)) if fits else None

    def _of_two(self, children: Sequence[Token]) -> Value:
        return Part("order", _value(children[0])), Part("among", "of_two")

    def _nth(self, children: Sequence[Token]) -> Value:
        [word, *_] = children
        return Part("nth", {"FIRST": -1, "PREVIOUS": 2, "THIRD": 3}.get(word.type) or int(self._number(word)))

    def _newest(self, children: Sequence[Token]) -> Value:
        count = next((int(self._number(one)) for one in children if one.type in _NUMBERS), None)
        if children[0].type == "NEWEST__RECENT":
            return Part("newest", 0), Part("recent")
        if children[0].type == "NEWEST__ONE":  # "the last run" is one
            return Part("newest", 1)
        return None if count == 0 else Part("newest", count or 0)

    # --- times ---

    def _window(self, name: str, children: Sequence[Any]) -> Value:
        """A window by an end of a period, or both."""
        since, until, *days = children[-1]
        if days:  # which have no end
            return Part("window", Window(since, days=days[0]), vague=True) if name in {"whole", "since"} else None
        since, until = (None if end is None else children[-1][end] for end in _ENDS[name])
        if since == until:
            return None  # what was measured in one minute
        return Part("window", Window(since, None if name == "whole" and children[-1][1] > self._now else until))

    def _from_to(self, children: Sequence[Any]) -> Value:
        first, last = (one for one in children if isinstance(one, tuple))
        is_open = len(first) + len(last) > 4  # noqa: PLR2004 - of one only its days are known
        return None if is_open or first[0] >= last[1] else Part("window", Window(first[0], last[1]))

    def _two_times(self, children: Sequence[Any]) -> list[Value]:
        """Read "in May and June": all of both, where nothing lies between them, or one against the other."""
        first, last = (one for one in children if isinstance(one, tuple))
        whole = self._from_to(children) if first[1] == last[0] else None
        each = [self._window("whole", [one]) for one in (first, last)]
        both = tuple(one.value for one in each if isinstance(one, Part) and not one.vague)
        return [*filter(None, [whole]), *([Part("window", both)] if len(both) == len(each) else [])]

    def _around(self, children: Sequence[Any]) -> Value:
        """What was before a period, and what after it."""
        since, until, *days = children[-1]
        if days or until >= self._now:
            return None
        return Part("window", Window(None, since)), Part("window", Window(until))

    def _before_after(self, children: Sequence[Any]) -> Value:
        around = self._around(children)
        return around and (*around, Part("asked", "compare"))

    def _last(self, children: Sequence[Any]) -> Value:
        days = self._days_of(children)
        return Part("window", Window.last(days, self._now)) if 0 < days < _CENTURY else None

    def _ago(self, children: Sequence[Any]) -> Value:
        days = self._days_of(children)
        return _period(self._today - timedelta(days=days), "DAY") if 1 <= days < _CENTURY else None

    def _days_of(self, children: Sequence[Any]) -> float:
        *number, span = children
        count = [float(one) if one.type == "NUMBER" else self._number(one) for one in number]
        return float(span * (count or [1])[0])

    def _than(self, children: Sequence[Any]) -> Value:
        """What was after a period, against it; seven days against those before."""
        since, until, *days = children[-1]
        last = Window(since, days=days[0]) if days else Window(until)
        if days:
            since, until = (self._today - times * days[0] * _DAY for times in (2, 1))
        elif until >= self._now:
            return None
        return Part("window", last), Part("window", Window(since, until)), Part("than"), Part("asked", "compare")

    def _than_ago(self, children: Sequence[Any]) -> Value:
        return Part("window", Window(children[-1][0])), Part("than")

    def _earlier(self, children: Sequence[Token]) -> Value:
        """By so many days, and by so many months, another time lies later."""
        *number, unit, way = children
        count = (int(self._number(number[0])) if number else 1) * (1 if _value(way) == "later" else -1)
        return Part("shifted", (0, count) if unit.type == "MONTHS" else (int(_DAYS[unit.type]) * count, 0))

    def _less(self, children: Sequence[Part]) -> Value:
        return Part("less", children[0].value)

    def _older(self, children: Sequence[Any]) -> Value:
        """What has no measurement in the last so many days."""
        last = self._last([one for one in children if not (isinstance(one, Token) and _value(one) == "unmeasured")])
        return None if last is None else (Part("asked", "unmeasured"), last)

    def _preceding(self, children: Sequence[Any]) -> Value:
        last = self._last(children)
        return None if last is None else Part("preceding", last.value)

    def _span(self, children: Sequence[Token]) -> Value:
        return _DAYS[children[0].type]

    _short = _named_span = _span

    def _date(self, children: Sequence[Token]) -> Value:
        """A minute, some days of a month, ten days of it, a month or a year."""
        said: dict[str, list[int]] = {}
        for one in children:
            numbers = [*map(int, re.findall(r"\d+", one))] if one.type in _DATES else [int(self._number(one))]
            for name, number in zip(_DATES.get(one.type, (one.type.partition("__")[0],)), numbers, strict=False):
                said.setdefault(name, []).append(number)
        [year], [month], days = said.get("YEAR", [self._now.year]), said.get("MONTH", [1]), said.get("DAY", [1])
        [hour], [minute] = said.get("HOUR", [0]), said.get("MINUTE", [0])
        try:
            since = self._today.replace(year=year, month=month, day=days[0], hour=hour, minute=minute)
            if "YEAR" not in said and since > self._now:  # the last one that was
                since = since.replace(year=since.year - 1)
            last = since.replace(day=days[-1])
        except ValueError:
            return None  # there is no such day
        until = _end(last, next(unit for unit in _UNTIL if unit in said))
        if since > last:
            return None
        for unit, days_each, last_part in (("TEN_DAYS", 10, 3), ("HALF", 15, 2)):
            if part := said.get(unit):
                since += days_each * (part[0] - 1) * _DAY
                until = until if part[0] == last_part else since + days_each * _DAY
        return since, until

    _days = _date

    def _day_of_month(self, children: Sequence[Token]) -> Value:
        """A day of the month that the question before is about, else the last one that was."""
        first, day = self._today.replace(day=1), int(self._number(children[0]))
        for month in (first, (first - _DAY).replace(day=1)):
            since = month + (day - 1) * _DAY
            if since.month == month.month and since <= self._now:
                return Part("window", Window(*_period(since, "DAY"))), Part("on_day", day)
        return None

    def _weekday(self, children: Sequence[Token]) -> Value:
        back = (self._now.weekday() - _place(self._language, children[-1])) % 7
        return _period(self._today - (back or 7 if len(children) > 1 else back) * _DAY, "DAY")

    def _day_of_week(self, children: Sequence[Token]) -> Value:
        week, day = sorted(children, key=lambda one: one.type == "WEEKDAY")
        days = self._now.weekday() + 7 * int(week.type[-1]) - _place(self._language, day)
        return _period(self._today - days * _DAY, "DAY")

    def _named(self, children: Sequence[Token]) -> Value:
        """A period of the calendar; a week is also the last seven days, a night the last one or yesterday's."""
        if children[0].type == "OVERNIGHT":
            return [(self._now - _DAY, None, 1.0), _period(self._today - _DAY, "DAY")]
        unit, _, back = children[0].type.partition("_")
        first, monday = self._today.replace(day=1), self._today - self._now.weekday() * _DAY
        starts = {
            "DAY": lambda: self._today - int(back) * _DAY,
            "WEEKEND": lambda: self._today - (self._now.weekday() + 2) % 7 * _DAY,
            "WEEK": lambda: monday - int(back) * 7 * _DAY,
            "MONTH": lambda: (first - int(back) * _DAY).replace(day=1),
            "YEAR": lambda: first.replace(month=1),
        }
        found = _period(starts[unit](), unit)
        return [found, (self._now - 7 * _DAY, None, 7.0)] if unit == "WEEK" else found


_NAMES = frozenset({"task", "run", "tag", "chip", "text"})
_ENDS = {"whole": (0, 1), "since": (0, None), "after": (1, None), "before": (None, 0), "until": (None, 1)}
"""Which ends of a period are those of the window."""
_DATES = {"ISO": ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE"), "SLASHED": ("MONTH", "DAY")}
_UNTIL = {"MINUTE": 0, "DAY": 1, "WEEKEND": 2, "WEEK": 7, "MONTH": 31, "YEAR": 366}
_NUMBERS = frozenset({"INT", "INT__FREE", "WORD_NUMBER", "KANJI_NUMBER"})
_JOINING = frozenset({"AND", "ABOVE", "AT_LEAST"})

MEANINGS: dict[str, tuple[tuple[str, ...], ...]] = {
    "RAMSEY": (("t2_star",), ("ramsey_frequency",)),
    "T2": (("t2_echo",), ("t2_star",)),
    "GATE_FIDELITY": (("average_gate_fidelity",), ("zx90_gate_fidelity",)),
    "COHERENCE": (("t1", "t2_echo"),),
    "DRAG_BETA": (("drag_hpi_beta", "drag_pi_beta"),),
    "READOUT_FIDELITY_01": (("readout_fidelity_0", "readout_fidelity_1"),),
    "READOUT": (("average_readout_fidelity",),),
    "FIDELITY": (
        ("average_readout_fidelity",),
        ("x90_gate_fidelity",),
        ("average_gate_fidelity",),
        ("zx90_gate_fidelity",),
        ("bell_state_fidelity",),
    ),
}
"""Words that mean several parameters, or one of several: each is a reading."""

_UNITS = ("μs", "ms", "ns", "kHz", "MHz", "GHz", "Hz", "%", "s")
_DAYS = {"HOURS": 1 / 24, "DAYS": 1.0, "WEEKS": 7.0, "PAST_WEEK": 7.0, "FORTNIGHT": 14.0} | {
    "MONTHS": 30.0, "QUARTERS": 90.0, "YEARS": 365.0
}  # fmt: skip
_KANJI = "〇一二三四五六七八九"


def _value(word: Token) -> str:
    """The value that a word stands for, by its name."""
    return word.type.partition("__")[0].lower()


def _place(language: str, word: Token) -> int:
    """Which of the alternatives of its terminal a word is: the grammar lists months, weekdays and numbers in order."""
    listed = enumerate(choices(grammar(language).get_terminal(word.type).pattern.raw or ""))
    return next(place for place, one in listed if re.fullmatch(one, word))


def _end(since: datetime, unit: str) -> datetime:
    """When a day, a weekend, a week, a month or a year ends that begins then; a minute is a moment."""
    until = since + _UNTIL[unit] * _DAY
    return until.replace(day=1) if unit in {"MONTH", "YEAR"} else until


def _period(since: datetime, unit: str) -> tuple[datetime, datetime]:
    return since, _end(since, unit)


def _id(word: str) -> str:
    return str(int(re.sub(r"\D", "", word)))


def _is_word(value: Value, name: str) -> bool:
    return isinstance(value, Token) and value.type == name


def _limit(word: str, limit: Any, *, negated: bool) -> Part:
    """A condition; the limit is an amount, or a multiple of a parameter. Not above is at most."""
    value, factor = (limit, 1.0) if isinstance(limit, Amount) else limit
    is_below, inclusive = (word in {"below", "at_most"}) != negated, (word in {"at_most", "at_least"}) != negated
    side = "below" if is_below else "above"
    return Part("conditions", Condition("", **{side: value}, factor=factor, inclusive=inclusive))


def _other_side(part: Part) -> Part:
    one: Condition = part.value
    return replace(part, value=replace(one, below=one.above, above=one.below, inclusive=not one.inclusive))

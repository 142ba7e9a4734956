"""Reads a sentence into its parts, by the grammar of its language; whole or not at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from itertools import pairwise, product
from re import _parser as parser
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from qdash_jupyter.llm.offline.grammar.query import Amount, Condition
from qdash_jupyter.llm.offline.times import Window

MOST_CHARACTERS = 300
_MOST_READINGS = 64
_ALIKE = str.maketrans("’−", "'-")
_DAY = timedelta(days=1)
_CENTURY = 36_500
_THIRDS = 3
_ASCII_WORD = "[a-z0-9_]"
_START = f"(?:(?<!{_ASCII_WORD})|(?!{_ASCII_WORD}))"
_END = f"(?:(?!{_ASCII_WORD})|(?<!{_ASCII_WORD}))"
_GLUED = {
    "UNIT": (r"(?<![a-z_])", _END),
    "NUMBER": (_START, r"(?!\.?\d)"),
    "INT": (r"(?<![\d.])", r"(?!\.?\d)"),
} | dict.fromkeys(("MUX", "ROW", "COLUMN"), (_START, "(?![a-z_])"))
"""Terminals that may stand beside letters: `30us`."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question: what it says something of, and what."""

    name: str
    value: Any = True
    vague: bool = False
    """Whether it names a group of parameters, of which another part may name one."""


Value = Any
Values = tuple[Value, ...]


def normal(text: str) -> str:
    """A question in one form: NFKC, single blanks, and nothing that repeats itself, which says no more than once."""
    text = " ".join(unicodedata.normalize("NFKC", text[: 2 * MOST_CHARACTERS]).translate(_ALIKE).split())
    return re.sub(r"(\D|.{2,8})\1{4,}", r"\1", text)


def is_japanese(text: str) -> bool:
    """Whether it holds kana or kanji."""
    return re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text) is not None


@cache
def grammar(language: str, *, gaps: bool = False) -> Lark:
    """The parser of a language; with `gaps` that of sentences with words that it does not know."""
    folder = files(__package__)
    text = "\n".join((folder / f"{name}.lark").read_text(encoding="utf-8") for name in ("common", language))
    start, ambiguity = ("gappy", "resolve") if gaps else ("question", "explicit")
    return Lark(text, parser="earley", start=start, ambiguity=ambiguity, edit_terminals=_as_words)


def _as_words(terminal: TerminalDef) -> None:
    """A terminal never begins or ends within a word of Latin letters or digits."""
    if terminal.name not in {"_POINT", "UNKNOWN"}:
        start, end = _GLUED.get(terminal.name, (_START, _END))
        words = "|".join(sorted(_choices(terminal.pattern.to_regexp()), key=_width, reverse=True))
        terminal.pattern = PatternRE(f"(?a:{start}(?:{words}){end})", terminal.pattern.flags)


def _choices(pattern: str) -> list[str]:
    """The alternatives of a pattern. A regular expression takes the first that fits, so the longest have to come first:
    where `で` stood before `です`, no sentence would ever have the second.
    """
    bars, closed = [], 0
    depth = 0
    for found in _SIGN.finditer(pattern):
        sign = found[0]
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            bars.append(found.start())
        elif sign == ")" and depth == 0 and not closed:
            closed = found.end()
    if pattern.startswith("(?:") and closed == len(pattern):
        return _choices(pattern[3:-1])
    ends = [-1, *bars, len(pattern)]
    return [pattern[start + 1 : end] for start, end in pairwise(ends)]


_SIGN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|[()|]")
"""What a pattern is made of: an escaped letter, a class, or a sign of its structure."""


def _width(pattern: str) -> int:
    """The length of what a pattern fits at most."""
    return int(parser.parse(pattern).getwidth()[1])


def weight(parts: Sequence[Part]) -> tuple[int, int]:
    """How many parts a sentence has, and how many words: of two readings, the one with fewer takes longer phrases."""
    words = [part for part in parts if part.name not in {"filler", "and", "everything"}]
    return len(words), len(parts)


def parts_of(sentence: str, now: datetime) -> list[tuple[Part, ...]]:
    """All ways to read a sentence, each as its parts in their order; none where a word has no place in the grammar."""
    tree = _parsed(sentence) if sentence and len(sentence) <= MOST_CHARACTERS else None
    return [] if tree is None else _Reader(sentence, now).of(tree)


def parts_with_gaps(sentence: str, now: datetime) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The parts of a sentence that does not parse, with the fewest of its words left out; and those words."""
    if not sentence.strip() or len(sentence) > MOST_CHARACTERS:
        return (), ()
    tree = grammar("ja" if is_japanese(sentence) else "en", gaps=True).parse(f"{_lower(sentence)}\x03")
    words = [
        (token.start_pos, token.end_pos)
        for gap in tree.find_data("gap")
        for token in gap.children
        if isinstance(token, Token)
    ]
    tree.children = [one for one in tree.children if not (isinstance(one, Tree) and one.data == "gap")]
    found = _Reader(sentence, now).of(Tree("question", tree.children))
    return found[0] if found else (), tuple(sentence[start:end] for start, end in sorted(words))


def asks_for_help(sentence: str) -> bool:
    """Whether it asks what can be asked."""
    tree = _parsed(normal(sentence)[:MOST_CHARACTERS])
    return tree is not None and any(isinstance(one, Token) and one.type == "HELP" for one in tree.children)


def _parsed(sentence: str) -> Tree[Token] | None:
    """The tree of a sentence; None where a word has no place in the grammar."""
    try:
        return grammar("ja" if is_japanese(sentence) else "en").parse(f"{_lower(sentence)}\x03")
    except UnexpectedInput:
        return None


def _lower(text: str) -> str:
    """In lower case, letter by letter."""
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


class _Reader:
    """Makes the parts of a tree; a node that can be read in several ways gives each of them."""

    def __init__(self, sentence: str, now: datetime) -> None:
        self._sentence = sentence
        self._now = now
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
        make: Callable[[Sequence[Value]], Values] = getattr(self, f"_{node.data}", None) or self._word(str(node.data))
        for count, children in enumerate(product(*map(self._values, node.children))):
            if count >= _MOST_READINGS:
                return
            yield from make(children)

    def _word(self, name: str) -> Callable[[Sequence[Value]], Values]:
        """A part whose value is the name of its one terminal."""
        return lambda children: (Part(name, children[0].type.lower()),)

    def _question(self, children: Sequence[Value]) -> Values:
        parts: list[Part] = []
        for one in children:
            parts += (Part(one.type.lower()),) if isinstance(one, Token) else one if isinstance(one, tuple) else (one,)
        return (tuple(parts),)

    # --- qubits and couplings ---

    def _ids(self, children: Sequence[Any]) -> Values:
        named = [one for one in children if isinstance(one, tuple) or one.type != "AND"]
        found = [one if isinstance(one, tuple) else (_number(one),) for one in named]
        return (Part("qids", tuple(qid for one in found for qid in one)),)

    def _numbered(self, children: Sequence[Token]) -> Values:
        [word] = children
        return ((str(_kanji(word) if word.type == "KANJI_NUMBER" else _digits(word)),),)

    def _range(self, children: Sequence[Token]) -> Values:
        first, last = (int(_number(one)) for one in children)
        return (tuple(str(one) for one in range(first, last + 1)),) if first < last < first + 256 else ()

    def _pair(self, children: Sequence[Token]) -> Values:
        return (("-".join(map(_number, children)),),)

    def _without(self, children: Sequence[Any]) -> Values:
        return (Part("without", tuple(qid for one in children if isinstance(one, Part) for qid in one.value)),)

    def _element(self, children: Sequence[Token]) -> Values:
        return (Part("kind", {"QUBITS": "qubit", "COUPLINGS": "coupling"}[children[0].type]),)

    def _place(self, children: Sequence[Token]) -> Values:
        name, *numbers = (one for one in children if one.type != "AND")
        return (Part("places", tuple((name.type.lower(), int(one)) for one in numbers)),)

    # --- values ---

    def _metric(self, children: Sequence[Token]) -> Values:
        [word] = children
        if word.type == "STORED":
            return (Part("metrics", (str(word),)),)
        meanings = MEANINGS.get(word.type, ((word.type.lower(),),))
        return tuple(Part("metrics", names, vague=word.type == "FIDELITY") for names in meanings)

    def _ever_metric(self, children: Sequence[Part]) -> Values:
        return ((children[0], Part("ever")),)

    def _by_metric(self, children: Sequence[Part]) -> Values:
        return (Part("ordered_by", children[0].value[0]),)

    def _amount(self, children: Sequence[Token]) -> Values:
        return (Amount(float(children[0]), _unit(children[1]) if len(children) > 1 else ""),)

    def _other(self, children: Sequence[Any]) -> Values:
        factor = 1.0
        [metric] = (one for one in children if isinstance(one, Part))
        for said in (one for one in children if isinstance(one, Token)):
            found = re.match(r"[\d.]+", said)
            factor = float(found[0]) if found else {"half": 0.5, "半分": 0.5}.get(str(said), 2.0)
        return ((metric.value[0], factor),)

    def _below(self, children: Sequence[Any]) -> Values:
        return _limit("below", children, inclusive="AT_MOST")

    def _above(self, children: Sequence[Any]) -> Values:
        return _limit("above", children, inclusive="AT_LEAST")

    def _at_most(self, children: Sequence[Any]) -> Values:
        return _limit("below", children, inclusive="ABOVE")

    def _at_least(self, children: Sequence[Any]) -> Values:
        return _limit("above", children, inclusive="BELOW")

    def _between(self, children: Sequence[Any]) -> Values:
        unit = next((_unit(one) for one in children if _is_word(one, "UNIT")), "")
        numbers = [one for one in children if isinstance(one, Amount) or _is_word(one, "NUMBER")]
        ends = [one if isinstance(one, Amount) else Amount(float(one), unit) for one in numbers]
        low, high = sorted(ends, key=lambda one: one.value)
        unit = high.unit or low.unit
        return (Part("conditions", Condition("", Amount(high.value, unit), Amount(low.value, unit), inclusive=True)),)

    def _within(self, children: Sequence[Any]) -> Values:
        share, middle = children
        if share.unit == "%" and middle.unit != "%":
            share = Amount(middle.value * share.value / 100, middle.unit)
        high, low = (Amount(round(middle.value + sign * share.value, 9), middle.unit) for sign in (1, -1))
        return (Part("conditions", Condition("", high, low, inclusive=True)),)

    def _chain(self, children: Sequence[Any]) -> Values:
        """A parameter between two limits: 40 us <= T1 <= 50 us."""
        low, _, metric, _, high = children
        [part] = self._between((low, high))
        return ((metric, part),)

    def _neither(self, children: Sequence[Any]) -> Values:
        """Neither … nor …: both conditions turned round."""
        turned = []
        for metric, word, limit in (children[:3], children[3:]):
            is_below = word.type in {"BELOW", "AT_MOST"}
            [part] = _limit(
                "above" if is_below else "below", (word, limit), inclusive="ABOVE" if not is_below else "BELOW"
            )
            turned += [metric, part]
        return (tuple(turned),)

    # --- order, number, statistics ---

    def _rank(self, children: Sequence[Token]) -> Values:
        return (Part("order", children[0].type.lower()),)

    def _order(self, children: Sequence[Any]) -> Values:
        counts = [_counted(one) for one in children if isinstance(one, Token)]
        others = [one for one in children if isinstance(one, Part)]
        return (tuple(others + [Part("count", one) for one in counts]),)

    def _most(self, children: Sequence[Any]) -> Values:
        """In Japanese the parameter stands within: the most, T1, long."""
        return ((children[1], Part("order", _TAILS[re.sub("^が", "", str(children[2]))])),)

    def _ends(self, children: Sequence[Any]) -> Values:
        if isinstance(children[0], Token) and children[0].type == "EXTREMES":
            return (Part("order", "both"),)
        ranks = {one.value for one in children if isinstance(one, Part)}
        counts = {_counted(one) for one in children if isinstance(one, Token) and one.type != "AND"}
        if ranks not in ({"worst", "best"}, {"lowest", "highest"}) or len(counts) > 1:
            return ()
        return ((Part("order", "both"), *(Part("count", one) for one in counts)),)

    def _count(self, children: Sequence[Token]) -> Values:
        return (Part("count", int(children[0])),)

    def _counted(self, children: Sequence[Any]) -> Values:
        number, kind = children
        return ((Part("count", _counted(number)), kind),)

    def _per(self, children: Sequence[Token]) -> Values:
        name = children[-1].type.lower()
        return (
            Part(
                "per",
                {
                    "daily": "day",
                    "weekly": "week",
                    "monthly": "month",
                    "run_each": "run",
                    "task_each": "task",
                    "coupling_each": "coupling",
                }.get(name, name),
            ),
        )

    def _by(self, children: Sequence[Any]) -> Values:
        return (Part("by", children[-1]),)

    def _nth(self, children: Sequence[Token]) -> Values:
        names = {one.type: one for one in children}
        if "FIRST" in names:
            return (Part("nth", -1),)
        if number := names.get("INT") or names.get("NTH"):
            return (Part("nth", _ORDINALS.get(str(number)) or _digits(number)),)
        return (Part("nth", 3 if "THIRD" in names else 2),)

    def _newest(self, children: Sequence[Token]) -> Values:
        counts = [int(one) for one in children if one.type == "INT"]
        return (Part("newest", counts[0] if counts else 0),)

    def _how_many(self, _: Sequence[Token]) -> Values:
        return (Part("how_many"),)

    def _failure_rate(self, _: Sequence[Token]) -> Values:
        return ((Part("status", "failed"), Part("statistic", "fraction")),)

    def _success_rate(self, _: Sequence[Token]) -> Values:
        return ((Part("status", "completed"), Part("statistic", "fraction")),)

    def _unvalued(self, children: Sequence[Part]) -> Values:
        return ((children[0], Part("asked", "unmeasured")),)

    def _moved(self, children: Sequence[Any]) -> Values:
        """A change by at least an amount."""
        [amount] = (one for one in children if isinstance(one, Amount))
        [direction] = (one.type.lower() for one in children if not isinstance(one, Amount) and one.type in _DIRECTIONS)
        return ((Part("direction", direction), Part("by", amount)),)

    def _most_often(self, _: Sequence[Token]) -> Values:
        return (Part("order", "highest"),)

    def _flag(self, children: Sequence[Token]) -> Values:
        return (Part(children[0].type.lower()),)

    # --- names ---

    def _task(self, children: Sequence[Token]) -> Values:
        return (Part("task", self._written(children[0])),)

    def _run(self, children: Sequence[Token]) -> Values:
        return (Part("run", str(children[-1])),)

    def _tag(self, children: Sequence[Token]) -> Values:
        return (Part("tag", self._written(children[-1])),)

    def _chip(self, children: Sequence[Token]) -> Values:
        [name] = (one for one in children if one.type in {"CHIP", "CHIP_NAME"})
        return (Part("chip", self._written(name)),)

    def _cooldown(self, _: Sequence[Token]) -> Values:
        return (Part("cooldown"),)

    def _text(self, children: Sequence[Token]) -> Values:
        return (Part("text", self._written(children[0]).strip('"“”「」')),)

    def _written(self, word: Token) -> str:
        """A name as the question writes it."""
        return self._sentence[word.start_pos : word.end_pos]

    # --- times ---

    def _whole(self, children: Sequence[Any]) -> Values:
        since, until = children[-1]
        return (Part("window", Window(since, None if until > self._now else until)),)

    def _since(self, children: Sequence[Any]) -> Values:
        return (Part("window", Window(children[-1][0])),)

    def _after(self, children: Sequence[Any]) -> Values:
        return (Part("window", Window(children[-1][1])),)

    def _before(self, children: Sequence[Any]) -> Values:
        return (Part("window", Window(None, children[-1][0])),)

    def _until(self, children: Sequence[Any]) -> Values:
        return (Part("window", Window(None, children[-1][1])),)

    def _from_to(self, children: Sequence[Any]) -> Values:
        first, last = (one for one in children if isinstance(one, tuple))
        return (Part("window", Window(first[0], last[1])),) if first[0] < last[1] else ()

    def _last(self, children: Sequence[Any]) -> Values:
        *number, span = children
        named = not number or number[0].type == "ONE"
        count = 1.0 if named else float(number[0] if number[0].type == "NUMBER" else _counted(number[0]))
        days = span * count
        return (Part("window", Window(self._now - timedelta(days=days), days=days)),) if 0 < days < _CENTURY else ()

    def _weeks(self, _: Sequence[Token]) -> Values:
        """The last seven days, and the seven whole days before."""
        week = timedelta(days=7)
        last = Window(self._now - week, days=7.0), Window(self._today - 2 * week, self._today - week)
        return (tuple(Part("window", one) for one in last),)

    def _named_span(self, _: Sequence[Token]) -> Values:
        return (7.0,)

    def _span(self, children: Sequence[Token]) -> Values:
        return (_DAYS[children[0].type],)

    _short = _span

    def _day(self, children: Sequence[Token]) -> Values:
        year = month = number = None
        for one in children:
            if one.type in {"ISO", "SLASHED"}:
                *years, month, number = map(int, re.findall(r"\d+", one)[:3])
                year = years[0] if years else None
            elif one.type.startswith("YEAR"):
                year = int(one[:4])
            elif one.type in {"MONTH_NAME", "MONTH_NUMBER"}:
                month = _month_number(one)
            else:
                number = _digits(one)
        return _whole_days(self._date(year, month, number))

    def _days(self, children: Sequence[Token]) -> Values:
        years = [int(one[:4]) for one in children if one.type.startswith("YEAR")]
        months = [_month_number(one) for one in children if one.type in {"MONTH_NAME", "MONTH_NUMBER"}]
        first, last = (_digits(one) for one in children if one.type in {"ORDINAL", "DAY_NUMBER"})
        ends = [self._date(years[0] if years else None, months[0], one) for one in (first, last)]
        return ((ends[0], ends[1] + _DAY),) if None not in ends and first < last else ()  # type: ignore[operator]

    def _month(self, children: Sequence[Token]) -> Values:
        years = [int(one[:4]) for one in children if one.type.startswith("YEAR")]
        months = [_month_number(one) for one in children if not one.type.startswith("YEAR")]
        first = self._date(years[0] if years else None, months[0], 1)
        return () if first is None else ((first, (first + 31 * _DAY).replace(day=1)),)

    def _third(self, children: Sequence[Token]) -> Values:
        [which] = (one.type for one in children if one.type in {"EARLY", "MID", "LATE"})
        months = self._month([one for one in children if one.type != which])
        place = ("EARLY", "MID", "LATE").index(which)
        return tuple(
            (since + 10 * place * _DAY, until if place == _THIRDS - 1 else since + 10 * (place + 1) * _DAY)
            for since, until in months
        )

    def _year(self, children: Sequence[Token]) -> Values:
        first = self._now.replace(year=int(children[0][:4]), month=1, day=1, hour=0, minute=0)
        return ((first, first.replace(year=first.year + 1)),)

    def _weekday(self, children: Sequence[Token]) -> Values:
        number = "mtwtfss".index(children[-1][0]) if children[-1][0] in "mwf" else _weekday_number(children[-1])
        back = (self._now.weekday() - number) % 7
        return _whole_days(self._today - (back or 7 if len(children) > 1 else back) * _DAY)

    def _named(self, children: Sequence[Token]) -> Values:
        name = children[0].type
        if name in {"THIS_MONTH", "LAST_MONTH"}:
            first = self._today.replace(day=1)
            if name == "LAST_MONTH":
                first = (first - _DAY).replace(day=1)
            return ((first, (first + 31 * _DAY).replace(day=1)),)
        if name in {"THIS_WEEK", "LAST_WEEK"}:
            monday = self._today - timedelta(days=self._now.weekday() + (7 if name == "LAST_WEEK" else 0))
            return ((monday, monday + 7 * _DAY),)
        if name == "THIS_YEAR":
            first = self._today.replace(month=1, day=1)
            return ((first, first.replace(year=first.year + 1)),)
        if name == "WEEKEND":
            saturday = self._today - timedelta(days=(self._now.weekday() + 2) % 7)
            return ((saturday, saturday + 2 * _DAY),)
        if name == "OVERNIGHT":
            return ((self._now - _DAY, self._now),)
        return _whole_days(self._today - {"TODAY": 0, "YESTERDAY": 1, "DAY_BEFORE_YESTERDAY": 2}[name] * _DAY)

    def _ago(self, children: Sequence[Any]) -> Values:
        number, days = children
        count = 1.0 if number.type == "ONE" else float(number if number.type == "NUMBER" else _counted(number))
        return _whole_days(self._today - timedelta(days=count * days)) if 1 <= count * days < _CENTURY else ()

    @property
    def _today(self) -> datetime:
        return self._now.replace(hour=0, minute=0, second=0, microsecond=0)

    def _date(self, year: int | None, month: int | None, day: int | None) -> datetime | None:
        """A day; without its year the last one that is not after now. None where there is no such day."""
        try:
            found = self._today.replace(year=year or self._now.year, month=month or 0, day=day or 0)
        except ValueError:
            return None
        return found.replace(year=found.year - 1) if year is None and found > self._now else found


MEANINGS: dict[str, tuple[tuple[str, ...], ...]] = {
    "T2": (("t2_echo",), ("t2_star",)),
    "COHERENCE": (("t1", "t2_echo"),),
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

_DIRECTIONS = frozenset({"DOWN", "UP", "EITHER"})
_ORDINALS = {"fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "tenth": 10}
_TAILS = {"良い": "best", "よい": "best", "いい": "best", "悪い": "worst"} | {
    word: "highest" if word in {"長い", "高い", "大きい"} else "lowest"
    for word in ["長い", "高い", "大きい", "短い", "低い", "小さい"]
}
_DAYS = {
    "FORTNIGHT": 14.0,
    "QUARTERS": 90.0,
    "HOURS": 1 / 24,
    "DAYS": 1.0,
    "WEEKS": 7.0,
    "MONTHS": 30.0,
    "YEARS": 365.0,
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9} | {
    "ten": 10, "twelve": 12, "fourteen": 14, "thirty": 30, "a couple of": 2, "a few": 3
}  # fmt: skip
_KANJI = "〇一二三四五六七八九"
_WEEKDAYS_JA = "月火水木金土日"
_UNITS = {"us": "μs", "μs": "μs", "microsecond": "μs", "マイクロ秒": "μs", "khz": "kHz", "mhz": "MHz", "ghz": "GHz"} | {
    "hz": "Hz", "percent": "%", "パーセント": "%", "ポイント": "%", "point": "%", "pp": "%"
}  # fmt: skip


def _number(word: str) -> str:
    return str(_digits(word))


def _kanji(word: str) -> int:
    tens, ten, ones = word.rpartition("十")
    return ((_KANJI.index(tens) if tens else 1) * 10 if ten else 0) + (_KANJI.index(ones) if ones else 0)


def _digits(word: str) -> int:
    found = re.search(r"\d+", word)
    return int(found[0]) if found else 0


def _counted(word: str) -> int:
    if word.isdigit():
        return int(word)
    return _NUMBERS[str(word)] if str(word) in _NUMBERS else _kanji(word)


def _is_word(value: Value, name: str) -> bool:
    return isinstance(value, Token) and value.type == name


def _unit(word: str) -> str:
    return _UNITS.get(word if word in _UNITS else word.removesuffix("s"), str(word))


def _limit(side: str, children: Sequence[Any], *, inclusive: str) -> Values:
    """A condition from its word and its limit, in either order; with the word `inclusive` the limit counts."""
    [word] = (one.type.removesuffix("_SIGN").removesuffix("_AFTER") for one in children if isinstance(one, Token))
    [limit] = (one for one in children if not isinstance(one, Token))
    value, factor = (limit, 1.0) if isinstance(limit, Amount) else limit
    return (Part("conditions", Condition("", **{side: value}, factor=factor, inclusive=word == inclusive)),)


def _month_number(word: str) -> int:
    return _digits(word) or _MONTHS.index(word[:3]) + 1


def _weekday_number(word: str) -> int:
    return _WEEKDAYS_JA.index(word[0]) if word[0] in _WEEKDAYS_JA else _WEEKDAYS.index(str(word))


def _whole_days(day: datetime | None) -> Values:
    return () if day is None else ((day, day + _DAY),)

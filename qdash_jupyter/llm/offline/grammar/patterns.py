"""The grammar of a language as Lark parses it: its words as patterns that never begin or end within a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib.resources import files
from itertools import islice, pairwise, product
from re import _constants as kind  # pyrefly: ignore[missing-module-attribute]
from re import _parser as parser  # pyrefly: ignore[missing-module-attribute]
from typing import Any

from lark import Lark
from lark.lexer import PatternRE, TerminalDef

from qdash_jupyter.domain.metrics import NAMES

_ASCII_WORD = "[a-z0-9_]"
_START = f"(?:(?<!{_ASCII_WORD})|(?!{_ASCII_WORD}))"
_END = f"(?:(?!{_ASCII_WORD})|(?<!{_ASCII_WORD}))"
_INT_START, _INT_END = r"(?<![\d.])", r"(?!\.?\d| ?%|(?:[umμn]s|[kmg]?hz)(?![a-z]))"
_GLUED = {
    "UNIT": (r"(?<![a-z_])", _END),
    "NUMBER": (_START, r"(?!\.?\d)"),
    **dict.fromkeys(("DAYS", "HOURS", "WEEKS"), (r"(?<![a-z_])", _END)),
    "INT": (_INT_START, _INT_END),
    "INT__FREE": (rf"(?<!on )(?<!for )(?<!of )(?<!with )(?<!from ){_INT_START}", _INT_END),
    "MUX": (_START, "(?![a-z_])"),
    "BEST": (_START, f"(?:(?![a-z_])|(?<!{_ASCII_WORD}))"),
}
"""Terminals that may stand beside letters: `30us`."""


@cache
def grammar(language: str, *, gaps: bool = False) -> Lark:
    """The parser of a language; with `gaps` that of sentences with words that it does not know."""
    folder = files(__package__ or "")
    common, own, english = (
        (folder / f"{name}.lark").read_text(encoding="utf-8") for name in ("common", language, "en")
    )
    text = f"{common}\n{own}"
    start, ambiguity = ("gappy", "resolve") if gaps else ("question", "explicit")
    named = "|".join(re.escape(name) for name, key in NAMES.items() if f"\n{key.upper()}:" not in text)
    parameters = {*re.findall(r"[A-Z]\w+", common[common.index("\nmetric:") : common.index("\nNAMED:")])}
    borrowed = {name: raw for name, raw in _WRITTEN.findall(english) if name in parameters} if language != "en" else {}
    edited = partial(_as_words, also={**borrowed, "NAMED": named})
    made = Lark(text, parser="earley", start=start, ambiguity=ambiguity, edit_terminals=edited)
    _predict_once(made)
    matcher: Any = made.parser.parser.term_matcher.__self__  # else all are read as it begins: a question needs half
    matcher.regexps |= {one.name: one.pattern for one in made.terminals if isinstance(one.pattern, _Words)}
    return made


def _predict_once(made: Lark) -> None:
    """Lark predicts with a rule all that it leads to, and then again with each of those: the same items, four times."""
    earley: Any = made.parser.parser
    earley.predictions = {
        origin: [rule for rule in rules if rule.origin == origin] for origin, rules in earley.predictions.items()
    }


class _Words(PatternRE):
    """Words that never begin or end within a word of Latin letters or digits; made when a text may have one of them."""

    def __init__(self, name: str, written: str) -> None:
        self.flags, self.raw = frozenset(), written
        self._compiled: tuple[re.Pattern[str], list[int]] | None = None
        self._known: tuple[str, int, Word | None] = ("", -1, None)
        self._around = _GLUED.get(name, (_START, _END))
        first = set(_BEGINNING.findall(written)) - {" "}  # which no word begins with
        self._first = first if all(map(str.isalnum, first)) else None

    @cached_property
    def value(self) -> str:
        start, end = self._around
        return f"(?a:{start}(?:{'|'.join(sorted(choices(self.raw or ''), key=_width, reverse=True))}){end})"

    def to_regexp(self) -> str:
        """What Lark compiles, and never asks."""
        return "."

    def match(self, text: str, index: int) -> Word | None:
        """The longest of them that stands here: a regular expression alone would take the first that fits."""
        if self._first is not None and text[index] not in self._first:
            return None
        known = self._known  # read and set whole, as the completion's thread parses, too
        if known[0] is not text or known[1] != index:  # each rule that may go on with them asks
            known = self._known = (text, index, self._longest(text, index))
        return known[2]

    def _longest(self, text: str, index: int) -> Word | None:
        self._compiled = self._compiled or self._each()
        pattern, outer = self._compiled
        if (found := pattern.match(text, index)) is None:
            return None
        end = max(map(found.end, outer))
        return Word(text[index:end], end) if end >= 0 else None

    def _each(self) -> tuple[re.Pattern[str], list[int]]:
        """All that stand here at once, each a group of its own; and the numbers of these groups."""
        start, end = self._around
        looks, place, outer = "", 1, list[int]()
        for one in choices(self.raw or ""):
            outer.append(place)
            place += 1 + len(_GROUP.findall(one))
            looks += f"(?=({one}){end}|)"
        return re.compile(f"(?a:{start}{looks})"), outer


@dataclass(frozen=True, slots=True)
class Word:
    """What stands somewhere in a text, as Lark asks for it."""

    text: str
    stop: int

    def group(self, _: int) -> str:
        """It."""
        return self.text

    def end(self) -> int:
        """Where it ends."""
        return self.stop


_WRITTEN = re.compile(r"^([A-Z]\w+): /(.*)/$", re.MULTILINE)


def _as_words(terminal: TerminalDef, *, also: Mapping[str, str]) -> None:
    """With what it is called besides: parameters have their English names in each language."""
    if terminal.name not in {"_POINT", "UNKNOWN"}:
        own = [] if terminal.name == "NAMED" else [terminal.pattern.to_regexp()]
        written = "|".join([*own, *filter(None, [also.get(terminal.name)])])
        terminal.pattern = _Words(terminal.name, written)


def choices(pattern: str) -> list[str]:
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
        return choices(pattern[3:-1])
    ends = [-1, *bars, len(pattern)]
    return [pattern[start + 1 : end] for start, end in pairwise(ends)]


_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_BEGINNING = re.compile(r"(?<![^(|)?*}])[^(|)?*}]")
"""What stands first in a pattern, or behind a bracket or what may be absent."""
_SIGN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|[()|]")
"""What a pattern is made of: an escaped letter, a class, or a sign of its structure."""


def _width(pattern: str) -> int:
    """The length of what a pattern fits at most."""
    is_plain = pattern.replace(" ", "").isalnum()
    return len(pattern) if is_plain else int(parser.parse(pattern).getwidth()[1])


MOST, MOST_EACH = 2000, 60
"""Of a pattern that fits more, that many; of each of its alternatives that many, so that none is left out."""


def phrases_of(pattern: str) -> tuple[str, ...]:
    """What a pattern fits, as far as that is words: a number or any letter gives nothing."""
    return tuple(islice(_of(parser.parse(pattern)), MOST))


def _of(parts: Any) -> Iterator[str]:
    choices = [[*islice(_one(operator, value), MOST)] for operator, value in parts]
    for words in product(*choices):
        yield "".join(words)


def _one(operator: Any, value: Any) -> Iterator[str]:
    if operator is kind.LITERAL:
        yield chr(value)
    elif operator is kind.BRANCH:
        for branch in value[1]:
            yield from islice(_of(branch), MOST_EACH)
    elif operator is kind.SUBPATTERN:
        yield from _of(value[-1])
    elif operator is kind.MAX_REPEAT:
        least, most, what = value
        if least == 0:
            yield ""
        if most == 1:
            yield from _of(what)
    elif operator is kind.IN:
        yield from (chr(code) for one, code in value if one is kind.LITERAL)
    elif operator in {kind.ASSERT, kind.ASSERT_NOT, kind.AT}:
        yield ""

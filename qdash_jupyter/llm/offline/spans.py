"""The time that a question speaks of, in English and Japanese, and its numbers in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Window:
    """How far back: `days` before now, or since a weekday (0 is Monday) or an ISO date; `until` an ISO date or now."""

    days: float = 30.0
    weekday: int | None = None
    date: str | None = None
    named: bool = False
    """Whether the question itself said so."""
    until: str | None = None

    @property
    def since(self) -> str | None:
        """The beginning as tools take it; None where the question named none."""
        if not self.named:
            return None
        if self.weekday is not None:
            return _WEEKDAYS[self.weekday]
        return self.date or (f"{self.days * 24:g}h" if self.days < 1 else f"{self.days:g}d")


_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_WORDS, start=1)} | {
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "sixty": "60",
    "ninety": "90",
    "couple of": "2",
    "few": "3",
    "several": "3",
}
_IN_WORDS = re.compile(
    rf"\b(?:an?\s+)?({'|'.join(_NUMBER_WORDS)})(?=(?:\s+(?:more|other|consecutive))?[\s-]+(?:hour|day|night|week|month|qubit|"
    r"coupling|worst|best|lowest|highest)|\s*$|[?.!])",
    re.ASCII,
)
_ONE_OF = re.compile(r"\ban?\s+(hour|day|week|month|fortnight|quarter|year)\b(?!\s+ago\s+was)")
_KANJI = re.compile(r"([一二三四五六七八九十]{1,3})(?=つ|個|日|週|時間|[かヶケカ箇]?月間|[かヶケカ箇]月)")
_KANJI_DIGITS = "〇一二三四五六七八九"
_TEN = 10

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_JA = "月火水木金土日"
_SPANS = (
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:hours?|hrs?|h\b|時間)", 1 / 24),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:days?|nights?|d\b|日間?(?!\d))", 1.0),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:weeks?|wks?\b|w\b|週間?)", 7.0),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:months?|[かヶケカ箇]月間?)", 30.0),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:years?|年間)", 365.0),
)
_NAMED_SPANS = (
    (r"\bfortnight", 14.0),
    (r"(?:last|past|this|previous|whole)\s+week\b|since last week|week-over-week|先週|今週|この一週間|ここ一週間", 7.0),
    (r"(?:last|past|this|previous|whole)\s+month\b|since last month|先月|今月|この一ヶ月|ここ一か月|ここ一ヶ月", 30.0),
    (r"(?:last|past|this)\s+quarter|四半期", 90.0),
    (r"half a year|半年", 182.0),
    (r"(?:last|past|this)\s+year\b|今年|去年|昨年", 365.0),
    (r"the day before yesterday|一昨日|おととい", 2.0),
    (r"\byesterday\b|last night|overnight|昨日|昨夜|昨晩|一晩", 1.0),
    (r"\btoday\b|今日|本日|今朝", 1.0),
)
_ISO_DATE = re.compile(
    r"(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)|(?<!\d)(\d{4})年(\d{1,2})月(\d{1,2})日", re.ASCII
)
_ENDS_BEFORE = re.compile(r"(?:\bbefore|\bearlier than)\s*$", re.ASCII)
_ENDS_AFTER = re.compile(r"(?:\buntil|\btill|\bup to|\bto|\bthrough|\band|[-–~〜]|から)\s*$", re.ASCII)
_ENDS_JA = re.compile(r"\s*(?:(より前)|まで|以前)")


def with_digits(text: str) -> str:
    """The (lower-case) text with numbers in words written as digits where they count something."""
    text = _IN_WORDS.sub(lambda match: _NUMBER_WORDS[match.group(1)], text)
    text = _ONE_OF.sub(lambda match: f"1 {match.group(1)}" if match.group(1) != "fortnight" else "fortnight", text)
    return _KANJI.sub(lambda match: str(_kanji_number(match.group(1))), text)


def without_dates(text: str) -> str:
    """The text with its dates blanked: their digits are neither qubits nor limits."""
    return _ISO_DATE.sub(lambda match: " " * len(match.group(0)), text)


def window_of(text: str) -> Window:
    """The window that a (lower-case) question names; the last 30 days when it names none."""
    if (dated := _dated(text)) is not None:
        return dated
    for pattern, days in _SPANS:
        if found := re.search(pattern, text, re.ASCII):
            length = float(found.group(1)) * days
            if length > 0:
                return Window(days=length, named=True)
    for index, name in enumerate(_WEEKDAYS):
        if re.search(rf"\b{name}", text) or f"{_WEEKDAYS_JA[index]}曜" in text:
            return Window(weekday=index, named=True)
    for pattern, days in _NAMED_SPANS:
        if re.search(pattern, text, re.ASCII):
            return Window(days=days, named=True)
    return Window()


def _dated(text: str) -> Window | None:
    """The window that dates give; None where there are none."""
    began: str | None = None
    for match in _ISO_DATE.finditer(text):
        year, month, day = (int(part) for part in match.groups() if part is not None)
        try:
            named = date(year, month, day)
        except ValueError:
            continue
        last = _last_day(text[: match.start()], text[match.end() :], began)
        if last is not None:
            return Window(date=began, named=began is not None, until=(named + timedelta(days=last)).isoformat())
        began = began or named.isoformat()
    return Window(date=began, named=True) if began is not None else None


def _last_day(before: str, behind: str, began: str | None) -> int | None:
    """Whether a date between these texts ends the window: 1 with that day in it, 0 without; None where it begins it."""
    ends_ja = _ENDS_JA.match(behind)
    if _ENDS_BEFORE.search(before) or (ends_ja and ends_ja.group(1)):
        return 0
    said = ("until", "till", "up to", "through") if began is None else ("",)
    ends = _ENDS_AFTER.search(before)
    return 1 if ends_ja or (ends and ends.group(0).strip().startswith(said)) else None


def _kanji_number(text: str) -> int:
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return int("".join(str(_KANJI_DIGITS.index(digit)) for digit in text))
    return (_KANJI_DIGITS.index(tens) if tens else 1) * _TEN + (_KANJI_DIGITS.index(ones) if ones else 0)

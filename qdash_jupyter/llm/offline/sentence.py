"""A question while it is read: what a pattern takes is blanked, and what nothing took is known in the end."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

FLAGS = re.ASCII
"""Japanese letters are no word characters, so that "T1が" holds the word t1."""

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: str(number) for number, word in enumerate(_WORDS, start=1)} | {
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "sixty": "60",
    "ninety": "90",
    "couple of": "2",
    "few": "3",
    "several": "3",
}
_RANKS = r"worst|best|lowest|highest|shortest|longest|latest|newest|last"
_COUNTED = rf"hour|day|night|week|month|qubit|coupling|pair|most recent|run|result|measurement|note|item|{_RANKS}"
_IN_WORDS = re.compile(
    rf"\b(?:an?\s+)?({'|'.join(_NUMBERS)})(?=(?:\s+(?:more|other|consecutive))?[\s-]+(?:{_COUNTED})|\s*$|[?.!])"
    rf"|(?<=worst )({'|'.join(_NUMBERS)})\b|(?<=lowest )({'|'.join(_NUMBERS)})\b|(?<=best )({'|'.join(_NUMBERS)})\b"
    rf"|(?<=top )({'|'.join(_NUMBERS)})\b|(?<=highest )({'|'.join(_NUMBERS)})\b",
    re.ASCII | re.IGNORECASE,
)
_SHORT = re.compile(r"\bw/o\b|\bw/(?=\s|$)", re.ASCII | re.IGNORECASE)
_ONE_OF = re.compile(r"\ban?\s+(hour|day|week|month|quarter|year)\b", re.ASCII | re.IGNORECASE)
_KANJI = re.compile(r"([一二三四五六七八九十]{1,3})(?=つ|個|件|回|日間|日以|週|時間|[かヶケカ箇]月)")
_KANJI_DIGITS = "〇一二三四五六七八九"
_TEN = 10


class Sentence:
    """`text` is the question in one form (NFKC, numbers as digits), `rest` the same in lower case with spaces where
    something was taken; both have the same length. `words` are the words that each field took.
    """

    def __init__(self, question: str) -> None:
        text = unicodedata.normalize("NFKC", question).strip().replace("’", "'")
        text = _SHORT.sub(lambda match: "without" if match[0].lower() == "w/o" else "with", text)
        text = _IN_WORDS.sub(lambda match: _NUMBERS[next(group for group in match.groups() if group).lower()], text)
        text = _ONE_OF.sub(lambda match: f"1 {match.group(1)}", text)
        self.text = _KANJI.sub(lambda match: str(_kanji_number(match.group(1))), text)
        self.whole = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in self.text)
        self.rest = self.whole
        self.words: dict[str, str] = {}

    def holds(self, pattern: str) -> bool:
        """Whether a pattern is in the whole question."""
        return re.search(pattern, self.whole, FLAGS) is not None

    def take(self, pattern: str, field: str) -> re.Match[str] | None:
        """Take the first place that a pattern fits; None where there is none."""
        match = re.search(pattern, self.rest, FLAGS)
        if match is not None:
            self.blank(match.start(), match.end(), field)
        return match

    def take_all(self, pattern: str, field: str) -> Iterator[re.Match[str]]:
        """Take all places that a pattern fits, in their order."""
        for match in list(re.finditer(pattern, self.rest, FLAGS)):
            self.blank(match.start(), match.end(), field)
            yield match

    def blank(self, start: int, end: int, field: str, mark: str = " ") -> None:
        """Take a stretch for a field; `mark` stands at its first place from now on."""
        words = self.text[start:end].strip(" ,、。?!")
        if field and words:
            self.words[field] = f"{self.words[field]} … {words}" if field in self.words else words
        self.rest = self.rest[:start] + (mark + " " * (end - start - 1))[: end - start] + self.rest[end:]


def _kanji_number(text: str) -> int:
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return int("".join(str(_KANJI_DIGITS.index(digit)) for digit in text))
    return (_KANJI_DIGITS.index(tens) if tens else 1) * _TEN + (_KANJI_DIGITS.index(ones) if ones else 0)

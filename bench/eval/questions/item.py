"""One thing to be asked, in the words of both languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from eval.book import MONTHS
from eval.facts import Fact

Language = Literal["en", "ja"]


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is typed, after those of `before` in the same conversation."""

    key: str
    pair: str
    """Questions of the two languages with the same pair ask the same."""
    family: str
    form: str
    language: Language
    before: tuple[str, ...]
    asked: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Item:
    """One truth, and how it is asked for. The first words of `en` and `ja` ask the same, and so on.

    `family` is the fault that a wrong answer would miss, `form` what is hard about the sentence. The questions of
    `before` are asked first: a pair of English and Japanese ones.
    """

    family: str
    form: str
    fact: Fact
    en: tuple[str, ...]
    ja: tuple[str, ...]
    before: tuple[tuple[str, str], ...] = ()

    def questions(self, key: str) -> Iterator[Question]:
        """One for each way to ask."""
        languages: tuple[tuple[Language, tuple[str, ...]], ...] = (("en", self.en), ("ja", self.ja))
        for which, (language, phrasings) in enumerate(languages):
            before = tuple(both[which] for both in self.before)
            for place, asked in enumerate(phrasings):
                yield Question(
                    f"{key}.{language}{place}",
                    f"{key}.{place}",
                    self.family,
                    self.form,
                    language,
                    before,
                    asked,
                    self.fact,
                )


def day(moment: datetime) -> str:
    """`June 10`."""
    return f"{MONTHS[moment.month - 1]} {moment.day}"


def short_day(moment: datetime) -> str:
    """`Jun 10`."""
    return f"{MONTHS[moment.month - 1][:3]} {moment.day}"


def day_ja(moment: datetime) -> str:
    """`6月10日`."""
    return f"{moment.month}月{moment.day}日"


def weekday(moment: datetime) -> str:
    """`Monday`."""
    return WEEKDAYS[moment.weekday()]


def weekday_ja(moment: datetime) -> str:
    """`月曜日`."""
    return "月火水木金土日"[moment.weekday()] + "曜日"


def label(qid: str) -> str:
    """`Q07`, `Q12-Q13`."""
    return "-".join(f"Q{int(part):02d}" for part in qid.split("-"))

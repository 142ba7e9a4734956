"""Classifies an answer: right, asks, partial, or silently wrong.

- `right`: it says what is true, and nothing of the question is left out. Where the data cannot tell, this is to say so.
- `asks`: it asks back, says that it cannot answer, or that what was asked about does not exist.
- `partial`: it names words of the question that it left out ("Not considered: …", 「考慮していない語：…」).
- `silently wrong`: anything else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from eval.facts import Fact, NotThere, Unanswerable
from eval.reading import Reading

LEFT_OUT = re.compile(r"(?:I left out|Not considered|考慮していない語)[:：]\s*(.*)")
REFUSES = re.compile(
    r"I cannot answer|can't (?:answer|read) this question|では読み取れません|質問に(?:は答えられ|回答でき)ません"
)
_HONEST = (
    # What language models say.
    r"I (?:cannot|can't|can not) (?:tell|say|determine)|cannot be (?:told|answered|determined)",
    r"(?:data|database|records?) (?:do|does)(?: not|n't) (?:say|contain|include|hold)|判断できません|わかりません",
    # What the planner says: an unknown question, what is not there, a unit that does not fit, causes.
    r"planner can't (?:answer|read) this question|can mean several things|では読み取れません|複数の意味に取れます",
    r"no (?:qubit|parameter|chip|coupling|task|run)s? '|Did you mean|もしかして",
    r"can(?:no|')t be compared with|と比べられません|leave out the end of the time|期間の終わりを外して",
    r"too uncertain to say|Too few or too noisy|判定できない|No data since|以降のデータはありません",
)
CANNOT = re.compile("|".join(_HONEST))
ASKS = re.compile(r"\?\s*$|ですか.{0,40}$|か。\s*$", re.MULTILINE)
_FILLERS = frozenset(
    """a about all also an and any are at be by can could did do does for from get give had has have how i in is it its
    list me my now of on or our out over pls please plz show so tell than that the their them there these they this
    those to us was we were what when where which who whose will with would you your qubit qubits chip""".split()  # noqa: SIM905
)


class Verdict(StrEnum):
    """What an answer is worth."""

    RIGHT = "right"
    ASKS = "asks"
    PARTIAL = "partial"
    WRONG = "silently wrong"


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and what the answer lacks in words."""

    verdict: Verdict
    reason: str = ""


def judge(fact: Fact, reading: Reading, question: str) -> Judged:
    """Hold an answer against the truth."""
    lacking = fact.missing_in(reading)
    asks, left_out = is_asking(reading), words_left_out(reading)
    refuses = bool(REFUSES.search(reading.plain))
    if asks and isinstance(fact, Unanswerable):
        return Judged(Verdict.RIGHT)
    if not lacking and (not refuses or isinstance(fact, NotThere)):
        return Judged(Verdict.PARTIAL, f"left out: {left_out}") if left_out else Judged(Verdict.RIGHT)
    if asks:
        return Judged(Verdict.ASKS, lacking)
    if names_a_word_of(question, left_out):
        return Judged(Verdict.PARTIAL, f"left out: {left_out}; {lacking}")
    return Judged(Verdict.WRONG, lacking)


def is_marked(reading: Reading) -> bool:
    """Whether the answer says that it is not, or not wholly, an answer to what was asked."""
    return bool(words_left_out(reading)) or is_asking(reading)


def is_asking(reading: Reading) -> bool:
    """A question back, or an honest "no answer"."""
    if REFUSES.search(reading.plain) or CANNOT.search(reading.plain):
        return True
    return not reading.tables and not reading.charts and bool(ASKS.search(reading.first_paragraph))


def words_left_out(reading: Reading) -> str:
    """What the answer says that it left out."""
    return "; ".join(str(found).strip(" .。*_") for found in LEFT_OUT.findall(reading.plain))


def names_a_word_of(question: str, left_out: str) -> bool:
    """Whether what was left out is a word of the question that says something."""
    said, asked = left_out.lower(), question.lower()
    words = [word for word in re.findall(r"[a-z0-9_*.%<>]+", said) if word not in _FILLERS]
    if any(re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", asked) for word in words):
        return True
    return any(part in asked for part in re.findall(r"[ぁ-んァ-ヶー一-龠々]+", said))

"""A question that leans on the one before: "what about the last 60 days?", "and Q5?"."""

from __future__ import annotations

import re
from dataclasses import replace

from qdash_jupyter.llm.offline.limits import unit_of
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query
from qdash_jupyter.llm.offline.reader import read

_LEAD = re.compile(
    r"^\s*(?:and(?: what about| how about)?|what about|how about|(?:the )?same (?:thing )?(?:for|but)"
    r"|now (?:for|with|the)|only|just|then)\b"
    r"|^\s*(?:では|じゃあ|それでは|次に?は|逆に|同じ(?:こと|もの)?を|また)[、,]?",
    re.IGNORECASE,
)
_TAIL_JA = re.compile(
    r"(?:は|なら|についても?|でも|だと|だけ|も(?:同じように|同様に|お願いします)?)(?:どう(?:です|ですか)?)?[??。]*\s*$"
)
_OF_ITS_OWN = re.compile(
    r"\b(?:which|what|who|where|when|why|how|is|are|was|were|do|does|did|list|show)\b"
    r"|どの|どれ|何|いつ|いくつ|なぜ|量子ビット|カップリング|チップ|ペア",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(%|[μumn]s|[gmk]hz)?\s*[??.。]*\s*", re.ASCII | re.IGNORECASE)
_CARRIED = (
    *("qids", "without", "metrics", "conditions", "window", "details"),
    *("count", "order", "direction", "statistic", "form", "reliable"),
)
_FRAGMENTS = frozenset({Asked.UNKNOWN, Asked.COMPARE, Asked.MAP, Asked.TREND, Asked.SELECT, Asked.SPREAD})
"""What the few words of a follow-up look like when they stand alone."""


def followed(question: str, before: Query) -> Query | None:
    """The question before with what this one says in its place; None where it stands by itself."""
    lead, tail = _LEAD.match(question), _TAIL_JA.search(question)
    whole = read(question, before.language, before.now, about=before.metrics)
    wishes = whole.reliable and not (whole.metrics or whole.qids or whole.left_out)
    if before.asked is Asked.UNKNOWN or (lead is None and tail is None and not wishes):
        return None
    if wishes:
        return replace(before, reliable=True, words={**before.words, **whole.words}, left_out=())
    rest = question[lead.end() if lead else 0 : tail.start() if tail else len(question)]
    if _OF_ITS_OWN.search(rest):
        return None
    own = read(rest, before.language, before.now, about=before.metrics)
    said = {name: getattr(own, name) for name in _CARRIED if getattr(own, name) and name != "window"}
    if own.window.is_bounded:
        said["window"] = own.window
    if (number := _NUMBER.fullmatch(rest)) and (conditions := _with_number(before, number)):
        return replace(before, conditions=conditions, left_out=())
    if not said or own.asked not in _FRAGMENTS:
        return None
    if "details" in said:
        said["details"] = {**before.details, **own.details}
    if "metrics" in said:
        said["unclear"] = own.unclear
    return replace(before, **said, words={**before.words, **own.words}, left_out=own.left_out)


def _with_number(before: Query, number: re.Match[str]) -> tuple[Condition, ...]:
    """The one condition of the question before with another number."""
    if len(before.conditions) != 1:
        return ()
    [condition] = before.conditions
    amount = Amount(float(number[1]), unit_of((number[2] or "").lower()))
    if isinstance(condition.below, Amount) and condition.above is None:
        return (replace(condition, below=amount),)
    if isinstance(condition.above, Amount) and condition.below is None:
        return (replace(condition, above=amount),)
    return ()

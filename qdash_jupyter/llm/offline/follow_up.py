"""A question that leans on the one before: "what about the last 60 days?", "and Q5?"."""

from __future__ import annotations

import re
from dataclasses import replace

from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.reader import read

_LEAD = re.compile(
    r"^\s*(?:and(?: what about| how about)?|what about|how about|(?:the )?same (?:thing )?(?:for|but)|now (?:for"
    r"|with|the)|then)\b"
    r"|^\s*(?:では|じゃあ|それでは|次に?は|同じ(?:こと|もの)?を|また)[、,]?",
    re.IGNORECASE,
)
_TAIL_JA = re.compile(r"(?:は|についても?|でも|だと)(?:どう(?:です|ですか)?)?[??。]*\s*$")
_CARRIED = (
    "qids",
    "without",
    "metrics",
    "conditions",
    "window",
    "details",
    "count",
    "element",
    "order",
    "direction",
    "statistic",
)
_REMAIN = frozenset(
    {Asked.UNKNOWN, Asked.COMPARE, Asked.MAP, Asked.HEALTH, Asked.NEIGHBOURS, Asked.TREND, Asked.SELECT}
)
"""What the few words of a follow-up look like when they stand alone."""


def followed(question: str, before: Query) -> Query | None:
    """The question before with what this one says in its place; None where it stands by itself."""
    lead = _LEAD.match(question)
    if lead is None and not _TAIL_JA.search(question):
        return None
    own = read(question[lead.end() :] if lead else question, before.language, before.now)
    said = {
        name: getattr(own, name) for name in _CARRIED if (getattr(own, name) and name in own.words) or _holds(own, name)
    }
    if not said or own.asked not in _REMAIN or before.asked is Asked.UNKNOWN:
        return None
    if "details" in said:
        said["details"] = {**before.details, **own.details}
    if "metrics" in said:
        said["unclear"] = own.unclear
    return replace(before, **said, words={**before.words, **own.words}, left_out=own.left_out)


def _holds(own: Query, name: str) -> bool:
    return own.window.is_bounded if name == "window" else name in {"details", "element"} and bool(getattr(own, name))

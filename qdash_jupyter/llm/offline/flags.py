"""What tools say of single values, below an answer that uses these: excluded, unreadable, hard to believe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.phrases import Say, label, quoted
from qdash_jupyter.llm.offline.plan import CallOutcome

_MOST = 5
_HEADING = Words("Values that do not count, or are in doubt:", "数えない値・疑わしい値:")
_MORE = Words("and {} more", "ほか{}件")
_KINDS = {
    "excluded": Words("excluded", "除外"),
    "unreadable": Words("unreadable", "読み取れない値"),
    "impossible": Words("impossible", "ありえない値"),
    "suspicious": Words("suspicious", "疑わしい値"),
}
_KIND = re.compile(rf"\b({'|'.join(_KINDS)}): ")


def flag_words(outcomes: Iterable[CallOutcome], language: Language, metrics: MetricTable) -> str:
    """What summaries and series say of single values, as a list in Markdown; empty where there is nothing to say."""
    flags: dict[tuple[str, str], str] = {}
    for outcome in outcomes:
        flagged = outcome.content.get("flagged")
        for name, words in flagged.items() if isinstance(flagged, dict) else ():
            qid, _, parameter = name.partition(" ")
            flags[qid, parameter or str(outcome.content.get("parameter_name", ""))] = words
    return flag_list(flags, language, metrics)


def flag_list(flags: Mapping[tuple[str, str], str], language: Language, metrics: MetricTable) -> str:
    """A list in Markdown of the flags by id and parameter; empty where there are none."""
    lines = [
        f"- {label(qid)} {Say(language).name(metrics.of(parameter))}: {quoted(_in(language, words))}"
        for (qid, parameter), words in flags.items()
    ]
    if len(lines) > _MOST:
        lines[_MOST:] = [f"- {_MORE.of(language).format(len(lines) - _MOST)}"]
    return "\n".join([_HEADING.of(language), "", *lines]) if lines else ""


def _in(language: Language, words: str) -> str:
    return _KIND.sub(lambda kind: f"{_KINDS[kind[1]].of(language)}: ", words)

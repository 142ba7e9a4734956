"""Which kind of question it is: an ordered list of rules over what the question says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline import vocabulary as words
from qdash_jupyter.llm.offline.intent import Kind

_TIMES_JA = "過去|最近|直近|先週|今週|先月|今月|今日|昨日|以降|日間?|週間?|[かヶケカ箇]?月|時間|曜|[火水木金土何個教]"
_QUALITIES = f"{words.SUPERLATIVE_LOW}|{words.LOW}|{words.BEST}|{words.GOOD}|{words.DEAD}|{words.STALE}"
_KNOWN_JA = re.compile(f"{words.DOWN}|{words.UP}|{words.EITHER}|{words.HEALTH}|{_QUALITIES}|{_TIMES_JA}")


@dataclass(frozen=True)
class ParsedQuestion:
    """What a question says: its (lower-case) words, and what was recognised in them already."""

    text: str
    parameters: tuple[str, ...]
    qids: tuple[str, ...]
    has_chip: bool
    has_direction: bool
    has_limit: bool
    only_ids: bool
    """Whether nothing stands beside the ids."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """What else it names, as `details` has it."""
    has_window: bool = False

    def says(self, *patterns: str) -> bool:
        """Whether one of the patterns is in it."""
        return any(holds(pattern, self.text) for pattern in patterns)

    @cached_property
    def about_chip(self) -> bool:
        """Whether it speaks of the chip or its elements, or of nothing else at all."""
        return self.has_chip or self.says(words.ELEMENT, words.CHIP) or is_bare(self.text)

    @property
    def about_all(self) -> bool:
        """Whether it is about no element in particular."""
        return not self.qids and (bool(self.parameters) or self.about_chip)

    @property
    def about_one(self) -> bool:
        """Whether it is about exactly one element."""
        return len(self.qids) == 1

    @property
    def of_couplings(self) -> bool:
        """Whether a parameter of couplings is named."""
        return any(name.startswith(("zx90", "bell_")) for name in self.parameters)


def kind_of(asked: ParsedQuestion) -> Kind:
    """The first rule that fits; unknown when none does."""
    return next((kind for kind, fits in _RULES if fits(asked)), Kind.UNKNOWN)


def _is_change(q: ParsedQuestion) -> bool:
    about = q.parameters or q.qids or q.about_chip
    return bool(q.has_direction and about and not (q.qids and q.says(words.TREND)))


def _is_chip_wide(q: ParsedQuestion) -> bool:
    """A plain question for a parameter of the whole chip: its level and spread."""
    return q.about_all and bool(q.parameters)


def _is_ranking(q: ParsedQuestion) -> bool:
    ranked = q.says(words.SUPERLATIVE_LOW, words.BEST)
    named = q.parameters or q.says(words.ELEMENT)
    return q.about_all and bool(ranked or (named and q.says(words.LOW, words.GOOD)))


def _is_about_ids(q: ParsedQuestion) -> bool:
    asks = (words.SHOW, words.HEALTH, words.COMPARE, words.TREND, words.LOW, words.GOOD)
    return bool(q.qids) and (q.only_ids or q.says(*asks))


def _is_trouble(q: ParsedQuestion) -> bool:
    return q.about_all and q.says(words.HEALTH, words.LOW)


def _asks_current(q: ParsedQuestion) -> bool:
    return q.says(words.VALUES) and not q.says(words.TREND, words.COMPARE) and not q.has_window


def _asks_of_one_unnamed(q: ParsedQuestion) -> bool:
    return not q.qids and q.says(words.A_QUBIT) and _asks_current(q)


def _asks_task(q: ParsedQuestion) -> bool:
    return "task_name" in q.said and not q.has_window and not q.says(words.FAILED)


def _asks_measurements(q: ParsedQuestion) -> bool:
    if q.says(words.TREND) or len(q.qids) > 1:
        return False
    counted = "last_n" in q.said and (q.says(words.VALUES, words.MEASUREMENTS) or bool(q.parameters))
    dated = bool(q.parameters) and q.says(words.MEASURED_WHEN)
    return counted or (q.about_one and (q.says(words.MEASUREMENTS) or dated))


_RULES: tuple[tuple[Kind, Callable[[ParsedQuestion], bool]], ...] = (
    (Kind.UNKNOWN, lambda q: q.says(words.FOREIGN)),
    (Kind.ORIGIN, lambda q: "entity_id" in q.said or (q.says(words.ORIGIN) and bool(q.parameters or q.qids))),
    (Kind.VERSIONS, lambda q: q.says(words.VERSIONS) and bool(q.parameters or q.qids)),
    (Kind.MACHINE_STATE, lambda q: q.says(words.MACHINE_STATE) or q.said.get("kind", "").endswith("_params")),
    (Kind.NOTES, lambda q: q.says(words.NOTES)),
    (Kind.RESULTS, lambda q: "execution_id" in q.said),
    (Kind.RUNS, lambda q: q.says(words.RUNS) and not q.qids and "task_name" not in q.said),
    (Kind.RESULT_HISTORY, lambda q: _asks_task(q) and bool(q.qids) and q.says(words.SEVERAL)),
    (Kind.RESULT_HISTORY, lambda q: _asks_task(q) and "last_n" in q.said and bool(q.qids)),
    (Kind.RESULTS, lambda q: _asks_task(q) and q.says(r"\bresults\b")),
    (Kind.RESULT_HISTORY, lambda q: _asks_task(q) and q.says(words.SEVERAL)),
    (Kind.LATEST_RESULT, _asks_task),
    (Kind.RESULTS, lambda q: "task_name" in q.said or q.says(words.FAILED)),
    (Kind.HEATMAP, lambda q: q.says(words.HEATMAP) and bool(q.parameters or q.about_chip)),
    (Kind.COUPLING_VALUES, lambda q: _asks_of_one_unnamed(q) and q.says(words.COUPLINGS)),
    (Kind.VALUES, _asks_of_one_unnamed),
    (Kind.VALUES, lambda q: q.about_one and q.says(words.ITS_VALUES) and _asks_current(q)),
    (Kind.PARAMETERS, lambda q: q.says(words.PARAMETER_LIST) and not q.parameters),
    (Kind.COMPARE, lambda q: len(q.qids) > 1 and q.says(words.COMPARE)),
    (Kind.WORST, lambda q: q.has_limit and bool(q.parameters)),
    (Kind.CHANGE, _is_change),
    (Kind.UNMEASURED, lambda q: q.about_all and q.says(words.DEAD, words.STALE)),
    (Kind.COMPARE_WHAT, lambda q: q.about_one and q.says(words.NEIGHBOUR) and q.says(words.COMPARE)),
    (
        Kind.NEIGHBOURS,
        lambda q: q.says(words.NEIGHBOUR) and bool(q.qids or q.about_chip or q.text.strip(" .?!") in words.TOPOLOGY),
    ),
    (Kind.COUPLING_VALUES, lambda q: q.about_one and q.says(words.COUPLINGS) and not is_coupling(q.qids[0])),
    (Kind.COUPLING_VALUES, lambda q: q.about_one and is_coupling(q.qids[0]) and _asks_current(q)),
    (Kind.MEASUREMENTS, _asks_measurements),
    (Kind.VALUES, lambda q: q.about_one and _asks_current(q)),
    (Kind.TREND, lambda q: _is_chip_wide(q) and q.says(words.TREND)),
    (Kind.WORST, lambda q: _is_ranking(q) and not (q.parameters and _is_statistic(q))),
    (Kind.WORST, lambda q: _is_trouble(q) and bool(q.parameters or q.says(words.COUPLINGS)) and not _is_statistic(q)),
    (Kind.HEALTH, lambda q: _is_trouble(q) and not q.parameters),
    (Kind.WORST, lambda q: _is_chip_wide(q) and q.says(words.COMPARE)),
    (Kind.TREND, lambda q: _is_chip_wide(q) and q.of_couplings),
    (Kind.HEATMAP, _is_chip_wide),
    (Kind.COMPARE_WHAT, lambda q: q.about_one and not is_coupling(q.qids[0]) and q.says(words.COMPARE)),
    (Kind.RESULTS, lambda q: bool(q.qids) and q.says(words.RESULTS)),
    (Kind.TREND, lambda q: bool(q.parameters and q.qids)),
    (Kind.TREND, lambda q: _is_about_ids(q) and all(is_coupling(qid) for qid in q.qids)),
    (Kind.COMPARE, _is_about_ids),
    (Kind.COMPARE_WHAT, lambda q: not q.qids and q.about_chip and q.says(words.COMPARE)),
    (Kind.RESULTS, lambda q: q.says(words.RESULTS) and (q.has_window or q.about_chip or "last_n" in q.said)),
    (Kind.RESULTS, lambda q: "status" in q.said and q.says(words.RESULTS)),
)
"""What is asked most exactly stands first."""


def _is_statistic(q: ParsedQuestion) -> bool:
    return q.says(words.STATISTIC) and not q.says(words.SUPERLATIVE_LOW, words.BEST)


def is_bare(text: str) -> bool:
    """Whether a question names nothing at all, so that it can only be about the chip: "anything wrong?", "調子は?"."""
    if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text):
        rest = re.sub(_KNOWN_JA, "", text)
        return not re.search(r"[a-z\u30a1-\u30fa\u4e00-\u9fff]", rest)
    return set(re.findall(r"[a-z]+", text)) <= words.BARE_WORDS and bool(text)


def holds(pattern: str, text: str) -> bool:
    """Whether a pattern of the vocabulary is in the (lower-case) text."""
    # ASCII: Japanese letters are no word characters, so that "T1が" holds the word T1.
    return re.search(pattern, text, re.ASCII) is not None

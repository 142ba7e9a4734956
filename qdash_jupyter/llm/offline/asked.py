"""What is asked, from what the slots of a question hold: an ordered list of rules, the most exact ones first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline import lexicon as words
from qdash_jupyter.llm.offline.query import Asked, Window
from qdash_jupyter.llm.offline.sentence import FLAGS, Sentence


@dataclass(frozen=True, slots=True)
class Slots:
    """What a question holds."""

    sentence: Sentence
    flags: frozenset[str]
    metrics: tuple[str, ...]
    qids: tuple[str, ...]
    details: Mapping[str, Any]
    has_chip: bool
    """Whether it speaks of the chip, or of its elements."""
    window: Window
    two_windows: bool
    is_averaged: bool
    """Whether a parameter's name begins with "average"."""
    direction: bool
    conditions: bool
    order: str | None
    statistic: str | None
    form: str | None
    fit: str | None
    how_many: bool
    element: str | None
    is_bare: bool
    """Whether no word is left that would be about something else."""

    def says(self, *flags: str) -> bool:
        """Whether it says one of these."""
        return not self.flags.isdisjoint(flags)

    @property
    def about_chip(self) -> bool:
        """Whether it speaks of the chip or its elements, or of nothing else at all."""
        return self.has_chip or self.is_bare

    @property
    def about_all(self) -> bool:
        """Whether it is about no element in particular."""
        return not self.qids and (bool(self.metrics) or self.about_chip)

    @property
    def about_one(self) -> bool:
        """Whether it is about exactly one element."""
        return len(self.qids) == 1

    @property
    def chip_wide(self) -> bool:
        """Whether it is about a parameter of the whole chip."""
        return self.about_all and bool(self.metrics)


def flags_of(sentence: Sentence) -> dict[str, list[tuple[int, int]]]:
    """Where the words of each flag stand."""
    found = {
        name: [match.span() for match in re.finditer(pattern, sentence.rest, FLAGS)]
        for name, pattern in words.FLAGS.items()
    }
    over_time = found["trend"]  # "T1 vs time" compares nothing
    found["compare"] = [
        (start, end) for start, end in found["compare"] if not any(a <= start and end <= b for a, b in over_time)
    ]
    return {name: places for name, places in found.items() if places}


def asked_of(slots: Slots) -> tuple[Asked, frozenset[str]]:
    """What is asked, and the flags whose words this accounts for."""
    if slots.sentence.holds(words.FOREIGN):
        return Asked.UNKNOWN, frozenset()
    for asked, flags, fits in _RULES:
        if fits(slots):
            return asked, frozenset(flags.split()) | _ALWAYS
    return Asked.UNKNOWN, frozenset()


_ALWAYS = frozenset(
    {"why", "how_many", "values", "its_values", "a_qubit", "parameter_list", "newest", "how_much", "when"}
)
"""Flags that stand in fields of their own, or that say nothing by themselves."""


def _current(q: Slots) -> bool:
    return q.says("values") and not q.says("trend", "compare") and not q.window.is_bounded and q.form is None


def _task(q: Slots) -> bool:
    return "task_name" in q.details and not q.window.is_bounded and not q.says("failed")


def _measurements(q: Slots) -> bool:
    if q.says("trend") or len(q.qids) > 1 or q.form == "plot":
        return False
    counted = "last_n" in q.details and (q.says("values", "measurements") or bool(q.metrics))
    return counted or (q.about_one and (q.says("measurements") or (bool(q.metrics) and q.says("measured_when"))))


def _ids_shown(q: Slots) -> bool:
    return (
        bool(q.qids) and not q.metrics and (q.is_bare or q.says("health", "compare", "trend", "low", "good", "values"))
    )


def _of_couplings(q: Slots) -> bool:
    return any(name.startswith(("zx90", "bell_")) for name in q.metrics)


_RULES: tuple[tuple[Asked, str, Callable[[Slots], bool]], ...] = (
    (
        Asked.ORIGIN,
        "origin values",
        lambda q: "entity_id" in q.details or (q.says("origin") and bool(q.metrics or q.qids)),
    ),
    (Asked.VERSIONS, "versions several trend", lambda q: q.says("versions") and bool(q.metrics or q.qids)),
    (
        Asked.MACHINE_STATE,
        "machine_state notes health",
        lambda q: q.says("machine_state") or str(q.details.get("kind", "")).endswith("_params"),
    ),
    (Asked.NOTES, "notes health", lambda q: q.says("notes")),
    (Asked.RESULTS, "results failed several runs trend", lambda q: "execution_id" in q.details),
    (
        Asked.RUNS,
        "runs failed several trend results started",
        lambda q: q.says("runs") and not q.qids and "task_name" not in q.details,
    ),
    (
        Asked.RESULT_HISTORY,
        "results several trend",
        lambda q: _task(q) and bool(q.qids) and (q.says("several") or "last_n" in q.details),
    ),
    (Asked.RESULTS, "results several", lambda q: _task(q) and q.sentence.holds(r"\bresults\b")),
    (Asked.RESULT_HISTORY, "results several trend", lambda q: _task(q) and q.says("several")),
    (Asked.LATEST_RESULT, "results", _task),
    (Asked.RESULTS, "results failed several measurements", lambda q: "task_name" in q.details or q.says("failed")),
    (Asked.FIT, "trend measurements uncertainty", lambda q: q.fit is not None and bool(q.metrics)),
    (
        Asked.RELATION,
        "relation compare",
        lambda q: (
            len(q.metrics) > 1
            and not q.two_windows
            and bool(q.says("relation") or q.form == "scatter" or (q.says("compare") and not q.qids))
        ),
    ),
    (Asked.WINDOWS, "compare trend", lambda q: q.two_windows and bool(q.metrics)),
    (Asked.MAP, "", lambda q: q.form == "map" and not q.qids and bool(q.metrics or q.about_chip)),
    (Asked.SPREAD, "measurements", lambda q: q.form == "histogram" and bool(q.metrics)),
    (Asked.COUPLING_VALUES, "", lambda q: not q.qids and q.says("a_qubit") and _current(q) and q.element == "coupling"),
    (Asked.VALUES, "", lambda q: not q.qids and q.says("a_qubit") and _current(q) and not q.order),
    (Asked.VALUES, "", lambda q: q.about_one and q.says("its_values") and _current(q)),
    (Asked.PARAMETERS, "health measurements", lambda q: q.says("parameter_list") and not q.metrics),
    (Asked.COMPARE, "compare", lambda q: len(q.qids) > 1 and q.says("compare")),
    (Asked.MEASUREMENTS, "measurements", lambda q: q.conditions and bool(q.qids) and q.says("measurements")),
    (Asked.SELECT, "low good measurements", lambda q: q.conditions),
    (
        Asked.CHANGE,
        "trend low compare",
        lambda q: q.direction and bool(q.metrics or q.qids or q.about_chip) and not (q.qids and q.says("trend")),
    ),
    (Asked.UNMEASURED, "dead stale measurements results", lambda q: q.about_all and q.says("dead", "stale")),
    (Asked.COMPARE_WHAT, "compare neighbour", lambda q: q.about_one and q.says("neighbour") and q.says("compare")),
    (Asked.NEIGHBOURS, "neighbour", lambda q: q.says("neighbour") and bool(q.qids or q.about_chip)),
    (Asked.COUPLING_VALUES, "", lambda q: q.about_one and q.element == "coupling" and not is_coupling(q.qids[0])),
    (Asked.COUPLING_VALUES, "", lambda q: q.about_one and is_coupling(q.qids[0]) and _current(q)),
    (Asked.MEASUREMENTS, "measurements results", _measurements),
    (Asked.VALUES, "", lambda q: q.about_one and _current(q)),
    (Asked.TREND, "trend several", lambda q: q.chip_wide and (q.says("trend") or q.form == "plot")),
    (Asked.SPREAD, "measurements good", lambda q: q.chip_wide and q.statistic is not None and q.order is None),
    (
        Asked.SELECT,
        "low good compare health",
        lambda q: q.about_all and bool(q.order or ((q.metrics or q.element) and q.says("low", "good"))),
    ),
    (
        Asked.SELECT,
        "low health",
        lambda q: (
            q.about_all
            and q.says("health", "low")
            and bool(q.metrics or q.element == "coupling")
            and q.statistic is None
        ),
    ),
    (Asked.HEALTH, "health low", lambda q: q.about_all and q.says("health", "low") and not q.metrics),
    (Asked.SELECT, "compare", lambda q: q.chip_wide and q.says("compare")),
    (Asked.TREND, "measurements", lambda q: q.chip_wide and _of_couplings(q)),
    (Asked.SPREAD, "measurements", lambda q: q.chip_wide and q.is_averaged),
    (Asked.MAP, "measurements", lambda q: q.chip_wide),
    (Asked.COMPARE_WHAT, "compare", lambda q: q.about_one and not is_coupling(q.qids[0]) and q.says("compare")),
    (Asked.RESULTS, "results several measurements", lambda q: bool(q.qids) and q.says("results")),
    (Asked.SPREAD, "good", lambda q: bool(q.metrics) and q.about_one and bool(q.statistic or q.order)),
    (Asked.SELECT, "", lambda q: bool(q.metrics and q.qids) and q.order is not None),
    (Asked.SPREAD, "", lambda q: bool(q.metrics and q.qids) and q.statistic is not None),
    (Asked.TREND, "trend low good health measurements several", lambda q: bool(q.metrics and q.qids)),
    (Asked.TREND, "trend health", lambda q: _ids_shown(q) and all(is_coupling(qid) for qid in q.qids)),
    (Asked.COMPARE, "compare health low good trend", _ids_shown),
    (Asked.COMPARE_WHAT, "compare", lambda q: not q.qids and q.about_chip and q.says("compare")),
    (
        Asked.RESULTS,
        "results several",
        lambda q: q.says("results") and (q.window.is_bounded or q.about_chip or "last_n" in q.details),
    ),
    (Asked.RESULTS, "results", lambda q: "status" in q.details and q.says("results")),
    (Asked.NEIGHBOURS, "", lambda q: q.how_many and q.element is not None and not q.metrics),
)

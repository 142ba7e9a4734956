"""What is asked, from what a question says: an ordered list of rules, the most exact ones first."""

# ruff: noqa: ARG005 - every rule takes the query and what else is said
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline import lexicon as words
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.sentence import FLAGS, Sentence


@dataclass(frozen=True, slots=True)
class Said:
    """What a question says beside the fields of its query."""

    query: Query
    sentence: Sentence
    flags: frozenset[str]
    has_chip: bool
    """Whether it speaks of the chip, or of its elements."""
    is_averaged: bool
    """Whether a parameter's name begins with "average"."""
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
        return not self.query.qids and (bool(self.query.metrics) or self.about_chip)

    @property
    def about_one(self) -> bool:
        """Whether it is about exactly one element."""
        return len(self.query.qids) == 1

    @property
    def chip_wide(self) -> bool:
        """Whether it is about a parameter of the whole chip."""
        return self.about_all and bool(self.query.metrics)


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


def asked_of(said: Said) -> tuple[Asked, frozenset[str]]:
    """What is asked, and the flags whose words this accounts for."""
    if said.sentence.holds(words.FOREIGN):
        return Asked.UNKNOWN, frozenset()
    for asked, flags, fits in _RULES:
        if fits(said.query, said):
            return asked, frozenset(flags.split()) | _ALWAYS
    return Asked.UNKNOWN, frozenset()


_ALWAYS = frozenset(
    {"why", "how_many", "values", "its_values", "a_qubit", "parameter_list", "newest", "how_much", "when"}
)
"""Flags that stand in fields of their own, or that say nothing by themselves."""


def _current(q: Query, s: Said) -> object:
    return s.says("values") and not s.says("trend", "compare") and not q.window.is_bounded and q.form is None


def _task(q: Query, s: Said) -> object:
    return "task_name" in q.details and not q.window.is_bounded and not s.says("failed")


def _measurements(q: Query, s: Said) -> object:
    if s.says("trend") or len(q.qids) > 1 or q.form == "plot":
        return False
    counted = "last_n" in q.details and (s.says("values", "measurements") or q.metrics)
    return counted or (s.about_one and (s.says("measurements") or (q.metrics and s.says("measured_when"))))


def _ids_shown(q: Query, s: Said) -> object:
    return q.qids and not q.metrics and (s.is_bare or s.says("health", "compare", "trend", "low", "good", "values"))


def _of_a_fit(q: Query, s: Said) -> object:
    """Whether it is about the fits by which values were found, and not about one to be made of these."""
    return s.says("fits") and q.fit is None and not s.says("trend", "failed", "relation") and not q.conditions


def _is_trust(q: Query, s: Said) -> object:
    """Whether it is about what can be trusted on the chip, with no word of which parameter."""
    return s.says("trust") and (q.qids or s.says("fits", "values"))


def _of_couplings(q: Query) -> bool:
    return any(name.startswith(("zx90", "bell_")) for name in q.metrics)


_RULES: tuple[tuple[Asked, str, Callable[[Query, Said], object]], ...] = (
    (
        Asked.ORIGIN,
        "origin values",
        lambda q, s: "entity_id" in q.details or (s.says("origin") and (q.metrics or q.qids)),
    ),
    (Asked.VERSIONS, "versions several trend", lambda q, s: s.says("versions") and (q.metrics or q.qids)),
    (
        Asked.MACHINE_STATE,
        "machine_state notes health",
        lambda q, s: s.says("machine_state") or str(q.details.get("kind", "")).endswith("_params"),
    ),
    (Asked.NOTES, "notes health", lambda q, s: s.says("notes")),
    (
        Asked.CURVE,
        "trust fits judged results measurements compare several low good health values",
        lambda q, s: (
            (s.says("trust") or _of_a_fit(q, s)) and (q.metrics or "task_name" in q.details or _is_trust(q, s))
        ),
    ),
    (Asked.RESULTS, "results failed several runs trend", lambda q, s: "execution_id" in q.details),
    (
        Asked.RUNS,
        "runs failed several trend results started",
        lambda q, s: s.says("runs") and not q.qids and "task_name" not in q.details,
    ),
    (
        Asked.RESULT_HISTORY,
        "results several trend",
        lambda q, s: _task(q, s) and q.qids and (s.says("several") or "last_n" in q.details),
    ),
    (Asked.RESULTS, "results several", lambda q, s: _task(q, s) and s.sentence.holds(r"\bresults\b")),
    (Asked.RESULT_HISTORY, "results several trend", lambda q, s: _task(q, s) and s.says("several")),
    (Asked.LATEST_RESULT, "results", _task),
    (Asked.RESULTS, "results failed several measurements", lambda q, s: "task_name" in q.details or s.says("failed")),
    (Asked.FIT, "trend measurements uncertainty", lambda q, s: q.fit is not None and q.metrics),
    (
        Asked.RELATION,
        "relation compare",
        lambda q, s: (
            len(q.metrics) > 1
            and not q.against
            and (s.says("relation") or q.form == "scatter" or (s.says("compare") and not q.qids))
        ),
    ),
    (Asked.WINDOWS, "compare trend", lambda q, s: q.against and q.metrics),
    (Asked.MAP, "", lambda q, s: q.form == "map" and not q.qids and (q.metrics or s.about_chip)),
    (Asked.SPREAD, "measurements", lambda q, s: q.form == "histogram" and q.metrics),
    (
        Asked.COUPLING_VALUES,
        "",
        lambda q, s: not q.qids and s.says("a_qubit") and _current(q, s) and q.element == "coupling",
    ),
    (Asked.VALUES, "", lambda q, s: not q.qids and s.says("a_qubit") and _current(q, s) and not q.order),
    (Asked.VALUES, "", lambda q, s: s.about_one and s.says("its_values") and _current(q, s)),
    (Asked.PARAMETERS, "health measurements", lambda q, s: s.says("parameter_list") and not q.metrics),
    (Asked.COMPARE, "compare", lambda q, s: len(q.qids) > 1 and s.says("compare")),
    (Asked.MEASUREMENTS, "measurements", lambda q, s: q.conditions and q.qids and s.says("measurements")),
    (
        Asked.SPREAD,
        "measurements",
        lambda q, s: (
            q.conditions
            and (q.statistic or q.form == "histogram")
            and not q.order
            and {*q.metrics} - {condition.metric for condition in q.conditions}
        ),
    ),
    (Asked.SELECT, "low good measurements", lambda q, s: q.conditions),
    (
        Asked.CHANGE,
        "trend low compare",
        lambda q, s: q.direction and (q.metrics or q.qids or s.about_chip) and not (q.qids and s.says("trend")),
    ),
    (Asked.UNMEASURED, "dead stale measurements results", lambda q, s: s.about_all and s.says("dead", "stale")),
    (Asked.COMPARE_WHAT, "compare neighbour", lambda q, s: s.about_one and s.says("neighbour") and s.says("compare")),
    (Asked.NEIGHBOURS, "neighbour", lambda q, s: s.says("neighbour") and (q.qids or s.about_chip)),
    (Asked.COUPLING_VALUES, "", lambda q, s: s.about_one and q.element == "coupling" and not is_coupling(q.qids[0])),
    (Asked.COUPLING_VALUES, "", lambda q, s: s.about_one and is_coupling(q.qids[0]) and _current(q, s)),
    (Asked.MEASUREMENTS, "measurements results", _measurements),
    (Asked.VALUES, "", lambda q, s: s.about_one and _current(q, s)),
    (Asked.TREND, "trend several", lambda q, s: s.chip_wide and (s.says("trend") or q.form == "plot")),
    (Asked.SPREAD, "measurements good", lambda q, s: s.chip_wide and q.statistic is not None and q.order is None),
    (
        Asked.SELECT,
        "low good compare health",
        lambda q, s: s.about_all and (q.order or ((q.metrics or q.element) and s.says("low", "good"))),
    ),
    (
        Asked.SELECT,
        "low health",
        lambda q, s: (
            s.about_all and s.says("health", "low") and (q.metrics or q.element == "coupling") and q.statistic is None
        ),
    ),
    (Asked.HEALTH, "health low", lambda q, s: s.about_all and s.says("health", "low") and not q.metrics),
    (Asked.SELECT, "compare", lambda q, s: s.chip_wide and s.says("compare")),
    (Asked.TREND, "measurements", lambda q, s: s.chip_wide and _of_couplings(q)),
    (Asked.SPREAD, "measurements", lambda q, s: s.chip_wide and s.is_averaged),
    (Asked.MAP, "measurements", lambda q, s: s.chip_wide),
    (Asked.COMPARE_WHAT, "compare", lambda q, s: s.about_one and not is_coupling(q.qids[0]) and s.says("compare")),
    (Asked.RESULTS, "results several measurements", lambda q, s: q.qids and s.says("results")),
    (Asked.SPREAD, "good", lambda q, s: q.metrics and s.about_one and (q.statistic or q.order)),
    (Asked.SELECT, "", lambda q, s: q.metrics and q.qids and q.order),
    (Asked.SPREAD, "", lambda q, s: q.metrics and q.qids and q.statistic),
    (Asked.TREND, "trend low good health measurements several", lambda q, s: q.metrics and q.qids),
    (Asked.TREND, "trend health", lambda q, s: _ids_shown(q, s) and all(is_coupling(qid) for qid in q.qids)),
    (Asked.COMPARE, "compare health low good trend", _ids_shown),
    (Asked.COMPARE_WHAT, "compare", lambda q, s: not q.qids and s.about_chip and s.says("compare")),
    (
        Asked.RESULTS,
        "results several",
        lambda q, s: s.says("results") and (q.window.is_bounded or s.about_chip or "last_n" in q.details),
    ),
    (Asked.RESULTS, "results", lambda q, s: "status" in q.details and s.says("results")),
    (Asked.NEIGHBOURS, "", lambda q, s: q.how_many and q.element is not None and not q.metrics),
)

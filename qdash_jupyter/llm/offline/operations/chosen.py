"""Which operations answer a question, each with what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.grammar.query import Asked as Question
from qdash_jupyter.llm.offline.grammar.query import Query as Asking
from qdash_jupyter.llm.offline.operations.lab import TASK_OF
from qdash_jupyter.llm.offline.operations.row import PER_MUX
from qdash_jupyter.llm.offline.operations.tables import COUPLING_GATE
from qdash_jupyter.llm.offline.query import Asked, Direction, Form, Query, Window
from qdash_jupyter.messages.languages import Language

MOST_SERIES = 3
"""So many series are told measurement by measurement."""
MOST_LOOKUPS = 12
"""So many elements are looked up one by one; of more there is a table over time."""
ALL_OF_A_RUN = 5_000


def chosen(query: Asking, language: Language, now: datetime, cooldown: datetime | None = None) -> tuple[Query, ...]:
    """What the operations are given, in the order of the answer; nothing where none of them answers this."""
    given = _given(query, language, now, cooldown)
    choose = _CHOICES.get(query.asked)
    if given is None or choose is None or query.form == "csv" or query.among is not None:
        return ()
    if (query.run and query.asked not in _OF_RUNS) or (query.who and query.asked is not Question.NOTES):
        return ()
    found = choose(query, given)
    return found if isinstance(found, tuple) else () if found is None else (found,)


_FORMS: Mapping[str, Form] = {"names": "list", "plot": "plot", "scatter": "scatter"}


def _given(query: Asking, language: Language, now: datetime, cooldown: datetime | None) -> Query | None:
    """The fields that all operations take alike; None where a place is none that can be told from a number."""
    if any(name != "mux" for name, _ in query.places) or (query.cooldown and cooldown is None):
        return None
    placed = [str(PER_MUX * number + one) for _, number in query.places for one in range(PER_MUX)]
    window = Window(cooldown) if query.cooldown else query.window or Window()
    project, _, chip = (query.chip or "").rpartition("/")
    return Query(
        Asked.UNKNOWN,
        language,
        metrics=query.metrics,
        qids=tuple(dict.fromkeys((*query.qids, *placed))),
        without=query.without,
        element=query.kind,
        conditions=query.conditions,
        any_of=query.any_of,
        window=window,
        against=query.against,
        direction=Direction(query.direction) if query.direction else None,
        by=query.by,
        order=query.order if query.order != "both" else None,
        count=query.count,
        how_many=query.how_many,
        form=_FORMS.get(query.form or ""),
        fit=query.fit,
        errors=query.errors,
        low=query.low,
        good=query.good,
        why=query.why,
        reliable=query.reliable,
        details={"tags": [query.tag]} if query.tag else {},
        now=now,
        chip_id=chip or None,
        project_id=project or None,
    )


# --- each kind of question ------------------------------------------------------------------------------------------

Chosen = Query | tuple[Query, ...] | None


def _plain(asked: Asked, **fields: Any) -> Callable[[Asking, Query], Chosen]:
    """This operation, with the fields as they are."""
    return lambda query, given: None if query.neighbours else replace(given, asked=asked, **fields)


def _values(query: Asking, given: Query) -> Chosen:
    if query.neighbours:
        return None
    if query.conditions:
        return replace(given, asked=Asked.SELECT)
    if query.kind == "coupling" and (given.qids and not (given.metrics and len(given.qids) > MOST_LOOKUPS)):
        return replace(given, asked=Asked.COUPLING_VALUES)
    if given.qids and len(given.qids) * max(1, len(given.metrics)) <= MOST_LOOKUPS and not given.errors:
        return replace(given, asked=Asked.VALUES)
    return replace(given, asked=Asked.TREND) if given.metrics else None


def _select(query: Asking, given: Query) -> Chosen:
    if query.neighbours:
        return None
    if not given.metrics and not given.conditions and query.kind == "coupling":
        given = replace(given, metrics=("zx90_gate_fidelity",))
    if query.ever:
        below = [one.below is not None for one in given.conditions]
        if any(below) != all(below) or any(one.below and one.above for one in given.conditions):
            return None
        given = replace(given, statistic="lowest" if below[0] else "highest")
    given = replace(given, asked=Asked.SELECT)
    if query.order == "both":
        return replace(given, order="best"), replace(given, order="worst")
    return given


def _statistic(query: Asking, given: Query) -> Chosen:
    if query.per or query.neighbours:
        return None
    if query.statistic == "extremes":
        return replace(given, asked=Asked.SPREAD, statistic="lowest"), replace(
            given, asked=Asked.SPREAD, statistic="highest"
        )
    statistic = None if query.statistic == "fraction" else query.statistic
    return replace(given, asked=Asked.SPREAD, statistic=statistic)


def _fit(query: Asking, given: Query) -> Chosen:
    return None if query.per or query.neighbours else replace(given, asked=Asked.FIT)


def _stability(query: Asking, given: Query) -> Chosen:
    if query.neighbours or query.order == "both":
        return None
    if query.order:
        most = query.order in {"worst", "lowest"}
        return replace(given, asked=Asked.SELECT, order="highest" if most else "lowest", statistic="deviation")
    return replace(given, asked=Asked.TREND)


def _compare(query: Asking, given: Query) -> Chosen:
    """Couplings side by side are their histories."""
    couplings = all(map(is_coupling, given.qids)) and not query.neighbours
    return replace(given, asked=Asked.TREND, metrics=given.metrics or (COUPLING_GATE,)) if couplings else None


def _verdict(query: Asking, given: Query) -> Chosen:
    return replace(given, asked=Asked.CHANGE) if query.direction else None


def _measurements(query: Asking, given: Query) -> Chosen:
    if query.conditions or query.per or query.nth or query.neighbours or not given.qids:
        return None
    if query.run or not given.metrics:
        return _results(query, given)
    if len(given.qids) * len(given.metrics) > MOST_SERIES and not (query.count or query.how_many):
        return replace(given, asked=Asked.TREND)
    details = dict(given.details) | ({"last_n": query.count} if query.count else {})
    return replace(given, asked=Asked.MEASUREMENTS, details=details, count=None)


def _results(query: Asking, given: Query) -> Chosen:
    if query.statistic or query.order or query.per or (query.places and not query.qids):
        return None
    task = query.task or next((TASK_OF[name] for name in query.metrics if name in TASK_OF), None)
    told = {"task_name": task, "status": query.status, "execution_id": query.run, "last_n": query.count}
    details = dict(given.details) | {name: value for name, value in told.items() if value is not None}
    if not given.window.is_bounded and not query.how_many:
        details = {"last_n": ALL_OF_A_RUN if query.run else 5} | details
    one_task = task and len(given.qids) == 1 and not (query.status or query.run or given.window.is_bounded)
    if one_task and query.count == 1 and not (query.how_many or query.tag):
        return replace(given, asked=Asked.LATEST_RESULT, details={"task_name": task}, metrics=(), count=None)
    asked = Asked.RESULT_HISTORY if one_task and not query.how_many and not query.tag else Asked.RESULTS
    return replace(given, asked=asked, details=details, metrics=(), count=None)


def _runs(query: Asking, given: Query) -> Chosen:
    if query.order or query.who:
        return None
    if query.run:
        return _results(query, given)
    told = {"status": query.status, "last_n": query.count}
    details = dict(given.details) | {name: value for name, value in told.items() if value is not None}
    return replace(given, asked=Asked.RUNS, details=details, count=None)


def _notes(query: Asking, given: Query) -> Chosen:
    told = {"text": query.text and query.text.lower(), "last_n": query.count, "execution_id": query.run}
    details = {name: value for name, value in told.items() if value is not None}
    asked = Asked.MACHINE_STATE if query.asked is Question.MACHINE_STATE else Asked.NOTES
    return replace(given, asked=asked, details=details, count=None)


def _trust(query: Asking, given: Query) -> Chosen:
    task = query.task or next((TASK_OF[name] for name in query.metrics if name in TASK_OF), None)
    return replace(given, asked=Asked.CURVE, details={"task_name": task}, metrics=()) if task else None


_OF_RUNS = frozenset({Question.RESULTS, Question.RUNS, Question.MACHINE_STATE, Question.MEASUREMENTS})

_CHOICES: Mapping[Question, Callable[[Asking, Query], Chosen]] = {
    Question.VALUES: _values,
    Question.HISTORY: _plain(Asked.TREND),
    Question.SELECT: _select,
    Question.STATISTIC: _statistic,
    Question.HISTOGRAM: _plain(Asked.SPREAD, form="histogram"),
    Question.RELATION: _plain(Asked.RELATION),
    Question.MAP: _plain(Asked.MAP),
    Question.CHANGE: _plain(Asked.CHANGE),
    Question.WINDOWS: _plain(Asked.WINDOWS),
    Question.FIT: _fit,
    Question.STABILITY: _stability,
    Question.COMPARE: _compare,
    Question.VERDICT: _verdict,
    Question.MEASUREMENTS: _measurements,
    Question.UNMEASURED: lambda query, given: replace(given, asked=Asked.UNMEASURED, dead=query.ever),
    Question.TRUST: _trust,
    Question.RESULTS: _results,
    Question.RUNS: _runs,
    Question.NOTES: _notes,
    Question.MACHINE_STATE: _notes,
    Question.VERSIONS: _plain(Asked.VERSIONS),
    Question.ORIGIN: _plain(Asked.ORIGIN),
    Question.NEIGHBOURS: _plain(Asked.NEIGHBOURS),
    Question.PARAMETERS: _plain(Asked.PARAMETERS),
}
"""What answers each kind of question; None where nothing does yet."""

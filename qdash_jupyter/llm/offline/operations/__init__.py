"""How each kind of question is answered: `ROWS`.

row        what an answer is made of: `Ask`, `Telling`, `Told`, `Row`; cells as text
answering  how a row is run, and what is left of values where unreliable fits are left out
table      the table of values that a question is about, and its conditions
parameters   the tasks that measure them, limits, names
select, series, change, values, results, curves, chip   the rows
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.operations import change, chip, curves, results, select, series, values
from qdash_jupyter.llm.offline.operations.answering import Reading, answered, named_by
from qdash_jupyter.llm.offline.operations.row import MOST_TABLES, Ask, Row, settled
from qdash_jupyter.llm.offline.phrases import ids
from qdash_jupyter.llm.offline.plan import Plan, PlanFailed
from qdash_jupyter.llm.offline.query import Asked, Query, names_elements
from qdash_jupyter.messages.message import Message

__all__ = ["ROWS", "Ask", "can_answer", "plan_of"]

ROWS: Mapping[Asked, tuple[Row, ...]] = {
    Asked.VALUES: (values.side_by_side, values.current, values.compared, select.OF_VALUES, series.OF_SOME),
    Asked.SELECT: (select.select, select.overall),
    Asked.HISTORY: (series.trend,),
    Asked.CHANGE: (change.change,),
    Asked.VERDICT: (chip.verdict, change.GOT_WORSE),
    Asked.STATISTIC: (series.per_period, select.OF_MUXES, series.each_spread, select.spread),
    Asked.MAP: (chip.chip_map,),
    Asked.MEASUREMENTS: (series.NTH, results.measurements, series.OF_NAMED, results.results),
    Asked.COMPARE: (values.compared, series.COMPARED),
    Asked.RELATION: (select.relation,),
    Asked.AGE: (series.age,),
    Asked.RESULTS: (results.counted, results.results),
    Asked.RUNS: (results.runs, results.runs_by_user, replace(results.results, takes="run")),
    Asked.NOTES: (results.notes,),
    Asked.HISTOGRAM: (series.each_spread, select.spread),
    Asked.WINDOWS: (change.windows,),
    Asked.FIT: (series.FIT,),
    Asked.STABILITY: (select.select, series.trend),
    Asked.ALLAN: (series.allan,),
    Asked.TELEGRAPH: (series.telegraph,),
    Asked.WHEN_CHANGED: (change.when_changed,),
    Asked.DIFFERENCE: (series.difference,),
    Asked.HEALTH: (chip.health,),
    Asked.RECALIBRATE: (chip.recalibrate,),
    Asked.BEST_SET: (chip.patch,),
    Asked.CHAIN: (chip.patch,),
    Asked.EXCLUDED: (results.excluded,),
    Asked.OUTLIERS: (series.EACH_OUTLIERS, select.OUTLIERS),
    Asked.UNMEASURED: (series.unmeasured,),
    Asked.TRUST: (curves.curve,),
    Asked.MACHINE_STATE: (results.states,),
    Asked.VERSIONS: (results.versions,),
    Asked.ORIGIN: (results.origin,),
    Asked.NEIGHBOURS: (chip.neighbours,),
    Asked.PARAMETERS: (chip.parameters,),
    Asked.DURATION: (results.duration,),
}
"""What answers each kind of question: the first of the rows that heeds all that the question says. What is asked for
most stands first, and is offered first.
"""

_OF_PAIRS = frozenset({Asked.DIFFERENCE, Asked.NEIGHBOURS})


def can_answer(query: Query) -> bool:
    """Return whether a row answers it."""
    among = query.among
    if among is None:
        return _row_of(_with_ids(query, ("0", "1"))) is not None
    names_some = among.asked is Asked.RUNS or names_elements(among)
    return names_some and can_answer(among) and _row_of(_with_ids(query, ("0", "1"))) is not None


def _row_of(query: Query) -> Row | None:
    query = settled(query)
    return next((row for row in ROWS[query.asked] if row.can_answer(query)), None)


def plan_of(ask: Ask, question: str) -> Plan:
    """Return the answer to a query that can be answered.

    Raises:
        PlanFailed: there is none.
    """
    query = yield from _looked_up(ask, question)
    row = _row_of(query)
    if row is None:  # of more elements than can be told
        count = len(query.qids) * max(1, len(query.metrics))
        raise PlanFailed(Message("plan-too-many-readings", count=count, most=MOST_TABLES))
    return (yield from answered(row, replace(ask, query=settled(query)), question))


def _looked_up(ask: Ask, question: str) -> Generator[Any, Any, Query]:
    """The query with the names of those that it only describes: its neighbours, those that the question before named.

    Raises:
        PlanFailed: there are none.
    """
    query = ask.query
    if query.neighbours and query.asked not in _OF_PAIRS:
        near = yield from _named_by(replace(ask, query=Query(Asked.NEIGHBOURS, qids=query.qids)), question)
        if not near:
            raise PlanFailed(Message("plan-no-neighbours", name=ids(query.qids)))
        query = _with_ids(query, (*(query.qids if query.asked is Asked.COMPARE else ()), *near))
    if query.among is not None:
        found = yield from _named_by(replace(ask, query=query.among), question)
        if not found:
            kind = "run" if query.among.asked is Asked.RUNS else query.kind or "qubit"
            raise PlanFailed(Message("plan-none-before", kind=kind))
        query = _with_ids(query, found)
    return query


def _named_by(ask: Ask, question: str) -> Reading:
    """The elements that answer an earlier question now, which may itself be about those of one before it."""
    query = yield from _looked_up(ask, question)
    row = _row_of(query)
    return (yield from named_by(row, replace(ask, query=settled(query)), question)) if row else ()


def _with_ids(query: Query, found: tuple[str, ...]) -> Query:
    """The query about these elements, in place of those that it only describes."""
    if query.among is not None and query.among.asked is Asked.RUNS:
        return replace(query, among=None, run=found[0])
    if query.among is not None:
        return replace(query, among=None, qids=found)
    if query.neighbours and query.asked not in _OF_PAIRS:
        return replace(query, neighbours=False, qids=found)
    return query


def meant_of(queries: Sequence[Query]) -> Reading:
    """Return which of two queries is meant whose only difference is that `36-38` is a coupling or several qubits: the
    coupling where the chip has it; None where it is open.
    """
    couplings = [one for one in queries if len(one.qids) == 1 and is_coupling(one.qids[0])]
    if len(queries) != 2 or len(couplings) != 1:  # noqa: PLR2004 - two readings of one word
        return None
    return couplings[0] if (yield from chip.has_coupling(couplings[0].qids[0])) else None

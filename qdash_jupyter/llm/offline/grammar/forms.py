"""What holds of every query, and a question of each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from qdash_jupyter.domain.metrics import named_metric
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.domain.units import factor
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.operations.chip import MOST_NEAR
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Kind, Query, Window
from qdash_jupyter.messages.message import Message

_OF_ALL = frozenset({"median", "mean", "deviation"})

_HOLD: tuple[Callable[[Query], object], ...] = (
    lambda q: not q.neighbours or (0 < len(q.qids) <= MOST_NEAR and not any(map(is_coupling, q.qids))),
    lambda q: not q.neighbours or "coupling" not in _kinds_of(q),
    lambda q: q.among is None or q.among.kind != "coupling" or "qubit" not in _kinds_of(q),
    lambda q: not q.any_of or len(q.conditions) > 1,
    lambda q: len(set(q.conditions)) == len(q.conditions),
    lambda q: not q.every or (q.asked is Asked.SELECT and q.metrics and q.order not in {None, "both"} and not q.count),
    lambda q: not q.qids or not {*q.qids} <= {*q.without},
    lambda q: not q.by or q.direction,
    lambda q: q.asked not in {Asked.CHANGE, Asked.WINDOWS} or not q.conditions or q.metrics,
    lambda q: (
        not q.by or len(q.metrics) == 1 or q.by.unit in {"", "%"} or all(_has(q.by.unit, name) for name in q.metrics)
    ),
    lambda q: not (q.why and q.without),  # "why was Q7 excluded?"
    lambda q: not any(one.metric in {one.below, one.above} for one in q.conditions),
    lambda q: not q.cooldown or not (q.window or q.run),
    lambda q: not q.run or not q.window,
    lambda q: not q.errors or (not q.conditions and all(name.endswith("_fidelity") for name in q.metrics)),
    lambda q: q.asked is not Asked.SELECT or not q.order or len(q.qids) != 1 or q.neighbours or _of_couplings(q),
    lambda q: q.asked is not Asked.SELECT or q.order or not (q.conditions and q.metrics),
    lambda q: q.asked is not Asked.STATISTIC or q.statistic in _OF_ALL or (q.statistic and len(q.qids) == 1),
    lambda q: q.asked is not Asked.COMPARE or len(q.qids) > 1 or q.neighbours or q.places or q.among,
    lambda q: q.asked is not Asked.HISTOGRAM or not q.statistic,
    lambda q: not q.form or q.asked not in {Asked.HISTOGRAM, Asked.MAP},
    lambda q: q.form not in {"histogram", "map"},  # which ask for that, and nothing else
    lambda q: q.form != "scatter" or q.asked is Asked.RELATION,
    lambda q: q.form != "bars" or (q.per and q.asked in {Asked.RESULTS, Asked.STATISTIC}),
    lambda q: q.form != "names" or q.asked in {Asked.SELECT, Asked.CHANGE},
    lambda q: not q.how_many or not (q.count or q.nth or q.per or q.order),
    lambda q: not (q.low and q.good) and not ((q.low or q.good) and (q.conditions or q.order)),
)
"""What holds of every query, whoever answers it."""


def _kinds_of(query: Query) -> set[Kind | None]:
    return {metric.kind for name in query.named if (metric := named_metric(name))}


def checked(query: Query) -> Query | None:
    """The query in its one form; None where its parts speak of different elements, or nothing answers it."""
    kinds = _kinds_of(query)
    kinds |= {"coupling" if is_coupling(qid) else "qubit" for qid in (*query.qids, *query.without)}
    usual: Kind | None = "qubit" if query.asked is Asked.SELECT else None
    kind = query.kind or (next(iter(kinds)) if len(kinds) == 1 else usual)
    if query.asked in {Asked.BEST_SET, Asked.CHAIN} and (kind == "qubit" or query.without) and not query.qids:
        kind = None
    query = replace(query, kind=kind, conditions=tuple(map(_with_unit, query.conditions)))
    if len((kinds | {kind}) - {None}) > 1 and not _of_couplings(query):
        return None
    fits = all(map(_fits, query.conditions)) and all(holds(query) for holds in _HOLD)
    return query if fits and can_answer(query) else None


def _of_couplings(query: Query) -> bool:
    """Whether it is about the couplings of some qubits."""
    asks = query.asked is Asked.SELECT or (query.asked is Asked.VALUES and not query.conditions)
    named = {*_kinds_of(query), query.kind}
    return asks and bool(query.qids) and named == {"coupling"} and not any(map(is_coupling, query.qids))


def _with_unit(condition: Condition) -> Condition:
    """The condition with the unit of its parameter where the question gives none."""
    metric = named_metric(condition.metric)
    if metric is None:
        return condition
    given = {  # a fidelity below 1 is a fraction
        name: Amount(side.value * (100 if metric.unit == "%" and abs(side.value) <= 1 else 1), metric.unit)
        for name, side in (("below", condition.below), ("above", condition.above))
        if isinstance(side, Amount) and not side.unit
    }
    return replace(condition, **given)  # pyrefly: ignore[bad-argument-type]


def _has(unit: str, name: str) -> bool:
    """Whether a parameter may be told in this unit."""
    metric = named_metric(name)
    return metric is None or bool(factor(unit, metric.unit))


def _fits(condition: Condition) -> bool:
    metric = named_metric(condition.metric)
    units = {side.unit for side in (condition.below, condition.above) if isinstance(side, Amount)} - {""}
    return metric is None or all(factor(unit, metric.unit) for unit in units)


_T1, _ECHO, _READOUT, _GATE = "t1", "t2_echo", "average_readout_fidelity", "zx90_gate_fidelity"


def examples(now: datetime) -> Mapping[Message, tuple[Query, ...]]:
    """The groups with their questions, the most usual ones first."""
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    before = (month - timedelta(days=1)).replace(day=1)
    below = Condition(_T1, below=Amount(40, "μs")), Condition(_READOUT, below=Amount(95, "%"))
    by = Amount(2, "MHz")
    groups = {
        "chip": [
            Query(Asked.HEALTH),
            Query(Asked.VERDICT, qids=("7",)),
            Query(Asked.MAP, metrics=(_T1,)),
            Query(Asked.UNMEASURED, kind="qubit"),
            Query(Asked.RECALIBRATE),
            Query(Asked.NEIGHBOURS, qids=("5",)),
            Query(Asked.PARAMETERS),
        ],
        "values": [
            Query(Asked.VALUES, metrics=(_T1,), qids=("7",)),
            Query(Asked.VALUES, metrics=(_T1, _READOUT), qids=("7",)),
            Query(Asked.VALUES, qids=("7",)),
            Query(Asked.VALUES, metrics=(_GATE,), qids=("4-1",)),
            Query(Asked.COMPARE, qids=("3", "7", "12")),
            Query(Asked.DIFFERENCE, metrics=("qubit_frequency",), qids=("4", "5")),
        ],
        "which": [
            Query(Asked.SELECT, conditions=below[:1]),
            Query(Asked.SELECT, conditions=below),
            Query(Asked.SELECT, metrics=(_READOUT,), order="worst", count=5),
            Query(Asked.SELECT, metrics=(_GATE,), order="best", count=3),
            Query(Asked.SELECT, metrics=(_T1,), order="best", every=True),
            Query(Asked.SELECT, conditions=below[:1], ever=True, window=Window.last(30, now)),
            Query(Asked.BEST_SET, count=4),
            Query(Asked.CHAIN, count=4),
        ],
        "time": [
            Query(Asked.CHANGE, metrics=(_T1,), direction="down", window=Window.last(30, now)),
            Query(Asked.CHANGE, metrics=("qubit_frequency",), direction="either", by=by, window=Window.last(7, now)),
            Query(Asked.WHEN_CHANGED, metrics=(_T1,), qids=("42",), direction="down"),
            Query(Asked.HISTORY, metrics=(_ECHO,), qids=("5",), window=Window.last(60, now)),
            Query(Asked.WINDOWS, metrics=(_T1,), window=Window(before, month), against=Window(month)),
            Query(Asked.STATISTIC, metrics=(_T1,), qids=("5",), statistic="median", per="week"),
            Query(Asked.FIT, metrics=(_T1,), qids=("5",), fit="line", window=Window.last(60, now)),
            Query(Asked.STABILITY, metrics=(_T1,), order="worst", count=5, window=Window.last(60, now)),
            Query(Asked.ALLAN, metrics=("qubit_frequency",), qids=("5",)),
            Query(Asked.TELEGRAPH, metrics=("qubit_frequency",)),
        ],
        "spread": [
            Query(Asked.STATISTIC, metrics=(_ECHO,), statistic="median"),
            Query(Asked.HISTOGRAM, metrics=(_T1,)),
            Query(Asked.DIFFERENCE, metrics=("qubit_frequency",)),
            Query(Asked.RELATION, metrics=(_T1, _READOUT)),
            Query(Asked.OUTLIERS, metrics=(_T1,)),
        ],
        "results": [
            Query(Asked.MEASUREMENTS, metrics=(_T1,), qids=("7",), count=5),
            Query(Asked.RESULTS, status="failed", window=Window.last(7, now)),
            Query(Asked.RESULTS, status="failed", per="task", order="highest", window=Window.last(7, now)),
            Query(Asked.RESULTS, task="CheckT1", qids=("7",), count=5),
            Query(Asked.DURATION, order="highest", window=Window.last(7, now)),
            Query(Asked.RUNS, window=Window.last(1, now)),
            Query(Asked.EXCLUDED, metrics=(_T1,), window=Window.last(30, now)),
            Query(Asked.TRUST, metrics=(_T1,), qids=("7",)),
            Query(Asked.AGE, metrics=(_T1,), qids=("7",)),
        ],
        "notes": [
            Query(Asked.NOTES, qids=("8",)),
            Query(Asked.MACHINE_STATE),
            Query(Asked.VERSIONS, metrics=(_T1,), qids=("7",)),
            Query(Asked.ORIGIN, metrics=(_T1,), qids=("7",)),
        ],
    }
    return {
        Message("ask-group", group=group): tuple(filter(None, map(checked, some))) for group, some in groups.items()
    }

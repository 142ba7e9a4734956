"""All that can be asked: `FORMS`, and what holds of every query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.grammar.query import Amount, Asked, Condition, Kind, Query, Window
from qdash_jupyter.messages.message import Message

_WHOSE = ("qids", "without", "kind", "places", "neighbours")
_WHAT = ("metrics", *_WHOSE)
_WHICH = (*_WHAT, "conditions", "window", "cooldown", "reliable", "errors", "tag", "run")


@dataclass(frozen=True, slots=True)
class Form:
    """What a kind of question may say, by the fields of a query, and what it has to say: one field of each group."""

    takes: frozenset[str]
    needs: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    """How its answer can look."""


def _form(*takes: str, needs: str = "", forms: str = "") -> Form:
    return Form(frozenset(takes) | ({"form"} if forms else set()), tuple(needs.split()), tuple(forms.split()))


FORMS: Mapping[Asked, Form] = {
    Asked.VALUES: _form(*_WHAT, "conditions", "any_of", "errors", "among", "why",
                        needs="qids|places|conditions|without|among"),
    Asked.SELECT: _form(*_WHICH, "any_of", "ever", "order", "count", "how_many", "low", "good", "among", "why",
                        needs="conditions|order|low|good", forms="plot names"),
    Asked.HISTORY: _form(*_WHICH, needs="metrics", forms="plot"),
    Asked.CHANGE: _form(*_WHICH, "direction", "by", "how_many", "why", needs="direction", forms="plot names"),
    Asked.VERDICT: _form("metrics", "qids", "direction", "why", needs="qids"),
    Asked.STATISTIC: _form(*_WHICH, "statistic", "per", "order", "count", needs="metrics statistic", forms="plot"),
    Asked.MAP: _form("metrics", "window", "errors", "reliable", needs="metrics"),
    Asked.MEASUREMENTS: _form(*_WHICH, "count", "nth", "how_many", "per", needs="metrics|qids"),
    Asked.COMPARE: _form(*_WHAT, "errors", needs="qids"),
    Asked.RELATION: _form(*_WHICH, needs="metrics", forms="scatter"),
    Asked.AGE: _form("metrics", "qids", "places", needs="metrics|qids"),
    Asked.RESULTS: _form("metrics", "qids", "task", "status", "window", "run", "tag", "how_many", "count", "per",
                         "order", "statistic", "why"),
    Asked.RUNS: _form("status", "window", "cooldown", "tag", "how_many", "count", "order", "who", "run"),
    Asked.NOTES: _form("qids", "window", "text", "count", "who"),
    Asked.HISTOGRAM: _form(*_WHICH, needs="metrics"),
    Asked.WINDOWS: _form(*_WHICH, "against", "direction", needs="window against", forms="plot"),
    Asked.FIT: _form(*_WHICH, "fit", "per", needs="metrics fit", forms="plot"),
    Asked.STABILITY: _form(*_WHICH, "order", "count", needs="metrics", forms="plot"),
    Asked.ALLAN: _form(*_WHICH, needs="metrics qids"),
    Asked.TELEGRAPH: _form(*_WHICH, needs="metrics"),
    Asked.WHEN_CHANGED: _form(*_WHICH, "direction", "by", needs="metrics|qids direction"),
    Asked.DIFFERENCE: _form(*_WHAT, "errors", needs="metrics"),
    Asked.HEALTH: _form("why"),
    Asked.RECALIBRATE: _form("qids", "count"),
    Asked.BEST_SET: _form("count", "without", needs="count"),
    Asked.CHAIN: _form("count", "without", needs="count"),
    Asked.EXCLUDED: _form("metrics", "qids", "window", "why", "who"),
    Asked.UNMEASURED: _form("metrics", "qids", "without", "kind", "window", "how_many", "ever", "places"),
    Asked.TRUST: _form("metrics", "qids", "window", "task"),
    Asked.MACHINE_STATE: _form("qids", "window", "run"),
    Asked.VERSIONS: _form("metrics", "qids", needs="metrics qids"),
    Asked.ORIGIN: _form("metrics", "qids", needs="metrics qids"),
    Asked.NEIGHBOURS: _form("qids"),
    Asked.PARAMETERS: _form("qids", "kind"),
}  # fmt: skip
"""All that can be asked; what is asked for most stands first, and is offered first."""


_COUNTED = frozenset({
    *(Asked.MEASUREMENTS, Asked.RESULTS, Asked.RUNS, Asked.NOTES, Asked.BEST_SET, Asked.CHAIN, Asked.RECALIBRATE)
})  # fmt: skip
_SIDE_BY_SIDE = frozenset({Asked.COMPARE, Asked.DIFFERENCE})
_OF_ALL = frozenset({"median", "mean", "deviation"})
_RATED = frozenset({"failed", "completed"})
_PAIR = 2

_HOLD: tuple[Callable[[Query], object], ...] = (
    lambda q: (
        not q.neighbours or (q.qids and not any(map(is_coupling, q.qids)) and (_named(q) or q.asked in _SIDE_BY_SIDE))
    ),
    lambda q: q.asked is not Asked.SELECT or not q.order or len(q.qids) != 1 or q.neighbours,
    lambda q: q.per != "qubit" or q.asked in {Asked.RESULTS, Asked.MEASUREMENTS},
    lambda q: (q.per == "mux") >= bool(q.order and q.asked is Asked.STATISTIC),
    lambda q: q.per != "mux" or (q.kind == "qubit" and q.asked is Asked.STATISTIC and len(q.metrics) == 1),
    lambda q: not (q.ever and q.window and q.asked is Asked.UNMEASURED),
    lambda q: q.per not in {"task", "coupling"} or q.asked is Asked.RESULTS,
    lambda q: q.asked is not Asked.RESULTS or q.per in {None, "task", "qubit", "coupling"},
    lambda q: q.asked is not Asked.SELECT or not (q.order and q.conditions) or q.metrics,
    lambda q: q.asked is not Asked.STABILITY or q.order not in {"lowest", "highest"},  # best and worst
    lambda q: not q.any_of or len(q.conditions) > 1,
    lambda q: len(set(q.conditions)) == len(q.conditions),
    lambda q: not q.ever or q.conditions or q.asked is Asked.UNMEASURED,
    lambda q: not q.by or q.direction,
    lambda q: not q.order or len(q.metrics) == 1 or q.asked in {Asked.RESULTS, Asked.RUNS, Asked.SELECT},
    lambda q: q.asked is not Asked.SELECT or q.order in {None, "worst", "best"} or q.metrics,
    lambda q: not q.cooldown or not (q.window or q.run),
    lambda q: not q.run or not q.window,
    lambda q: not q.run or not q.status or q.asked is not Asked.RUNS,  # those of one run are results
    lambda q: not q.run or _named(q) or q.asked not in {Asked.CHANGE, Asked.WHEN_CHANGED, Asked.SELECT},
    lambda q: not q.order or len(q.metrics) < _PAIR,
    lambda q: not q.count or q.order or q.asked in _COUNTED,
    lambda q: not q.errors or not q.conditions,
    lambda q: not q.errors or all(name.endswith("_fidelity") for name in _named(q)),
    lambda q: not (q.low and q.good) and not ((q.low or q.good) and (q.conditions or q.order)),
    lambda q: q.asked is not Asked.RELATION or (len(q.metrics) == _PAIR and len(q.qids) != 1),
    lambda q: q.asked is not Asked.RESULTS or bool(q.per) == bool(q.order) or (q.per and q.statistic),
    lambda q: not q.statistic or q.asked is Asked.STATISTIC or (q.statistic == "fraction" and q.status in _RATED),
    lambda q: q.asked is not Asked.STATISTIC or q.statistic in _OF_ALL or len(q.qids) == 1,
    lambda q: not q.order or q.asked is not Asked.RUNS or q.order in {"lowest", "highest"},
    lambda q: not q.how_many or not (q.count or q.nth or q.per or q.order),
    lambda q: q.asked is not Asked.VERDICT or not q.direction or (len(q.qids) == 1 and not q.metrics),
    lambda q: q.asked is not Asked.CHANGE or q.metrics or q.window or len(q.qids) != 1,
    lambda q: not q.order or q.asked is not Asked.RESULTS or q.order == "highest",
    lambda q: q.asked is not Asked.SELECT or q.order or not (q.conditions and q.metrics),
    lambda q: q.window is None or q.window != q.against,
    lambda q: q.asked is not Asked.COMPARE or len(q.qids) > 1 or q.neighbours,
)
"""What holds of every query: a field that has no sense without another has that beside it."""


def checked(query: Query) -> Query | None:
    """The query in its one form; None where it says what its kind of question cannot take, or too little."""
    form = FORMS[query.asked]
    told = _kind(replace(query, kind=None))
    said = query.said - ({"kind"} if told == query.kind else set())
    query = replace(query, kind=_kind(query), conditions=tuple(map(_with_unit, query.conditions)))
    if query.asked is Asked.SELECT and query.kind is None:
        query = replace(query, kind="qubit")
    if not said - {"chip"} <= form.takes or (query.form and query.form not in form.forms):
        return None
    if any(not any(name in said for name in need.split("|")) for need in form.needs):
        return None
    return query if _agrees(query) and all(holds(query) for holds in _HOLD) else None


def _kind(query: Query) -> Kind | None:
    """Whose values they are, where a parameter or an id tells it."""
    kinds = _kinds(query)
    return kinds.pop() if len(kinds) == 1 and query.kind is None else query.kind


def _kinds(query: Query) -> set[Kind]:
    """Of which elements its parameters and ids are."""
    kinds: set[Kind] = {METRICS[name].kind for name in _named(query) if name in METRICS}
    return kinds | {"coupling" if is_coupling(qid) else "qubit" for qid in (*query.qids, *query.without)}


def _named(query: Query) -> tuple[str, ...]:
    return (*query.metrics, *(one.metric for one in query.conditions))


def _agrees(query: Query) -> bool:
    """Whether all parts speak of the same kind of element, and units fit their parameters."""
    kinds = _kinds(query) | ({query.kind} if query.kind else set())
    couplings_of = query.asked is Asked.VALUES and query.kind == "coupling" and not query.conditions
    if len(kinds) > 1 and not (couplings_of and not any(map(is_coupling, query.qids))):
        return False
    return all(_fits(one) for one in query.conditions)


def _with_unit(condition: Condition) -> Condition:
    """The condition with the unit of its parameter where the question gives none."""
    metric = METRICS.get(condition.metric)
    if metric is None:
        return condition
    given = {  # a fidelity below 1 is a fraction
        name: Amount(side.value * (100 if metric.unit == "%" and abs(side.value) <= 1 else 1), metric.unit)
        for name, side in (("below", condition.below), ("above", condition.above))
        if isinstance(side, Amount) and not side.unit
    }
    return replace(condition, **given)  # type: ignore[arg-type]


def _fits(condition: Condition) -> bool:
    metric = METRICS.get(condition.metric)
    units = {side.unit for side in (condition.below, condition.above) if isinstance(side, Amount)} - {""}
    if metric is None or not units:
        return True
    alike = ({"μs", "ms", "ns"}, {"GHz", "MHz", "kHz", "Hz"}, {"%"})
    return any(metric.unit in group and units <= group for group in alike)


_T1, _ECHO, _READOUT, _GATE = "t1", "t2_echo", "average_readout_fidelity", "zx90_gate_fidelity"


def examples(
    now: datetime, can_answer: Callable[[Query], bool] = lambda _: True
) -> Mapping[Message, tuple[Query, ...]]:
    """The groups with their questions that can be answered, the most usual ones first."""
    found: dict[str, list[Query]] = {}
    for group, query in _all(now):
        if (whole := checked(query)) is not None and can_answer(whole):
            found.setdefault(group, []).append(whole)
    return {Message("ask-group", group=group): tuple(queries) for group, queries in found.items()}


def _all(now: datetime) -> Iterator[tuple[str, Query]]:
    def last(days: float) -> Window:
        return Window(now - timedelta(days=days), days=days)

    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    before = (month - timedelta(days=1)).replace(day=1)
    below = Condition(_T1, below=Amount(40, "μs")), Condition(_READOUT, below=Amount(95, "%"))
    yield "chip", Query(Asked.HEALTH)
    yield "chip", Query(Asked.VERDICT, qids=("7",))
    yield "chip", Query(Asked.MAP, metrics=(_T1,))
    yield "chip", Query(Asked.UNMEASURED, kind="qubit")
    yield "chip", Query(Asked.RECALIBRATE)
    yield "chip", Query(Asked.NEIGHBOURS, qids=("5",))
    yield "chip", Query(Asked.PARAMETERS)
    yield "values", Query(Asked.VALUES, metrics=(_T1,), qids=("7",))
    yield "values", Query(Asked.VALUES, metrics=(_T1, _READOUT), qids=("7",))
    yield "values", Query(Asked.VALUES, qids=("7",))
    yield "values", Query(Asked.VALUES, metrics=(_GATE,), qids=("4-1",))
    yield "values", Query(Asked.COMPARE, qids=("3", "7", "12"))
    yield "values", Query(Asked.DIFFERENCE, metrics=("qubit_frequency",), qids=("4", "5"))
    yield "which", Query(Asked.SELECT, conditions=below[:1])
    yield "which", Query(Asked.SELECT, conditions=below)
    yield "which", Query(Asked.SELECT, metrics=(_READOUT,), order="worst", count=5)
    yield "which", Query(Asked.SELECT, metrics=(_GATE,), order="best", count=3)
    yield "which", Query(Asked.SELECT, conditions=below[:1], ever=True, window=last(30))
    yield "which", Query(Asked.BEST_SET, count=4)
    yield "which", Query(Asked.CHAIN, count=4)
    yield "time", Query(Asked.CHANGE, metrics=(_T1,), direction="down", window=last(30))
    yield (
        "time",
        Query(Asked.CHANGE, metrics=("qubit_frequency",), direction="either", by=Amount(2, "MHz"), window=last(7)),
    )
    yield "time", Query(Asked.WHEN_CHANGED, metrics=(_T1,), qids=("42",), direction="down")
    yield "time", Query(Asked.HISTORY, metrics=(_ECHO,), qids=("5",), window=last(60))
    yield "time", Query(Asked.WINDOWS, metrics=(_T1,), window=Window(before, month), against=Window(month))
    yield "time", Query(Asked.STATISTIC, metrics=(_T1,), qids=("5",), statistic="median", per="week")
    yield "time", Query(Asked.FIT, metrics=(_T1,), qids=("5",), fit="line", window=last(60))
    yield "time", Query(Asked.STABILITY, metrics=(_T1,), order="worst", count=5, window=last(60))
    yield "time", Query(Asked.ALLAN, metrics=("qubit_frequency",), qids=("5",))
    yield "time", Query(Asked.TELEGRAPH, metrics=("qubit_frequency",))
    yield "spread", Query(Asked.STATISTIC, metrics=(_ECHO,), statistic="median")
    yield "spread", Query(Asked.HISTOGRAM, metrics=(_T1,))
    yield "spread", Query(Asked.DIFFERENCE, metrics=("qubit_frequency",))
    yield "spread", Query(Asked.RELATION, metrics=(_T1, _READOUT))
    yield "results", Query(Asked.MEASUREMENTS, metrics=(_T1,), qids=("7",), count=5)
    yield "results", Query(Asked.RESULTS, status="failed", window=last(7))
    yield "results", Query(Asked.RESULTS, status="failed", per="task", order="highest", window=last(7))
    yield "results", Query(Asked.RESULTS, task="CheckT1", qids=("7",), count=5)
    yield "results", Query(Asked.RUNS, window=last(1))
    yield "results", Query(Asked.EXCLUDED, metrics=(_T1,), window=last(30))
    yield "results", Query(Asked.TRUST, metrics=(_T1,), qids=("7",))
    yield "results", Query(Asked.AGE, metrics=(_T1,), qids=("7",))
    yield "notes", Query(Asked.NOTES, qids=("8",))
    yield "notes", Query(Asked.MACHINE_STATE)
    yield "notes", Query(Asked.VERSIONS, metrics=(_T1,), qids=("7",))
    yield "notes", Query(Asked.ORIGIN, metrics=(_T1,), qids=("7",))

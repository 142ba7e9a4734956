"""A question of each kind, by group: what "What can I ask?" shows, and the planner's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.grammar.query import Amount, Asked, Condition, Query
from qdash_jupyter.llm.offline.times import Window
from qdash_jupyter.messages.message import Message

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

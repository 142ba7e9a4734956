"""Questions as the planner reads them on the day of the demo chip, and queries drawn from all that can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.operations import ROWS, can_answer
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window

NOW = datetime(2026, 6, 30, 5, 40, tzinfo=UTC)
QUBITS = ("t1", "t2_echo", "average_readout_fidelity", "x90_gate_fidelity", "qubit_frequency", "anharmonicity")
IDS = {"qubit": (("7",), ("3", "12"), ("0", "1", "2", "3")), "coupling": (("0-1",), ("4-5", "16-17"), ("5",))}
COUPLINGS = ("zx90_gate_fidelity", "bell_state_fidelity")


def read(question: str, before: Query | None = None) -> Query | None:
    """The one query of a question; None where there is none, or are several."""
    found = queries(question, NOW, before)
    return found[0] if len(found) == 1 else None


def is_answered(question: str) -> bool:
    """Whether an operation answers the question as it is."""
    query = read(question)
    return query is not None and can_answer(query)


def drawn(random: Random, each: int) -> Iterator[Query]:
    """Queries of every kind with what they may say, each once."""
    seen: set[Query] = set()
    for asked in Asked:
        for _ in range(each):
            query = _draw(random, asked)
            if query is not None and query not in seen:
                seen.add(query)
                yield query


def _draw(random: Random, asked: Asked) -> Query | None:
    one_of, kind = random.choice, random.choice(("qubit", "qubit", "qubit", "coupling"))
    names = QUBITS if kind == "qubit" else COUPLINGS
    day = NOW.replace(hour=0, minute=0)

    def window() -> Window:
        return one_of((
            Window(NOW - timedelta(days=30), days=30),
            Window(NOW - timedelta(hours=12), days=0.5),
            Window(day.replace(month=5, day=1), day.replace(month=6, day=1)),
            Window(day.replace(day=15)),
            Window(None, day.replace(month=4, day=2)),
            Window(day.replace(day=10), day.replace(day=11)),
            Window(day.replace(day=10), day.replace(day=20)),
        ))  # fmt: skip

    def condition() -> Condition:
        name = one_of(names)
        return one_of((
            Condition(name, below=Amount(30)),
            Condition(name, above=Amount(95), inclusive=True),
            Condition(name, Amount(60), Amount(20), inclusive=True),
            Condition(name, below=one_of(names), factor=2),
        ))  # fmt: skip

    values: Mapping[str, Callable[[], Any]] = {
        "metrics": lambda: tuple(random.sample(names, one_of((1, 1, 1, 2)))),
        "qids": lambda: one_of(IDS[kind]),
        "without": lambda: ("9", "11") if kind == "qubit" else ("9-10",),
        "kind": lambda: kind,
        "places": lambda: (("mux", 3),),
        "conditions": lambda: tuple(condition() for _ in range(one_of((1, 1, 2)))),
        "window": window,
        "against": window,
        "direction": lambda: one_of(("down", "up", "either")),
        "by": lambda: Amount(5, "μs"),
        "within": lambda: Amount(50, "MHz"),
        "order": lambda: one_of(("worst", "best", "lowest", "highest", "both")),
        "count": lambda: one_of((3, 10)),
        "nth": lambda: one_of((-1, 2, 3, 4)),
        "statistic": lambda: one_of(("median", "mean", "deviation", "lowest", "highest", "extremes")),
        "per": lambda: one_of(("day", "week", "month", "task", "mux", "user")),
        "form": lambda: one_of(("plot", "bars", "names", "scatter")),
        "fit": lambda: one_of(("line", "exponential")),
        "task": lambda: one_of(("CheckT1", "CheckRamsey")),
        "status": lambda: one_of(("failed", "completed")),
        "run": lambda: "20260615-000",
        "tag": lambda: "weekly",
        "user": lambda: "aoi",
        "text": lambda: "tls",
        **{name: lambda: True for name in ("any_of", "ever", "how_many", "errors", "low", "good", "why", "reliable")},
        **{name: lambda: True for name in ("every", "neighbours", "who", "cooldown")},
    }  # fmt: skip
    row = one_of(ROWS[asked])
    takes = sorted((row.heeds | ({"places"} if "qids" in row.heeds else set())) & values.keys())
    chosen = {name[:-1] for name in row.takes.split() if name.endswith("!")} & values.keys()
    chosen |= set(random.sample(takes, min(len(takes), one_of((0, 1, 1, 2, 2, 3)))))
    return checked(Query(asked, **{name: values[name]() for name in sorted(chosen)}))

"""Drawn questions, each answered as the raw documents say: who is named in which order, and which numbers.

The documents are read here with plain Python, by the rules of docs/data.md alone: what counts is completed, not
excluded, not 0 where that is no value, and possible. An answer that is about another time, order or end would differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from statistics import fmean, median
from typing import Any

import pytest

from qdash_jupyter.domain.metrics import METRICS, possible_range
from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window
from qdash_jupyter.llm.offline.wording import sentence_of
from tests.llm.offline.planner_questions import Chip, ask, chip_on_disk, session

QUBIT = (
    "t1",
    "t2_echo",
    "average_readout_fidelity",
    "x90_gate_fidelity",
    "qubit_frequency",
    "anharmonicity",
    "t2_star",
)
COUPLING = ("zx90_gate_fidelity", "bell_state_fidelity")
STATISTICS: dict[str, Callable[[list[float]], float]] = {"median": median, "mean": fmean, "lowest": min, "highest": max}
_ROW = re.compile(r"^\| (.+) \|$", re.MULTILINE)
_NUMBER = re.compile(r"[−-]?\d[\d,]*(\.\d+)?")
_MOST = 20
"""So many rows of a table are told."""


@dataclass
class Measured:
    """All measurements that count of a chip, by parameter and element: time, value on the displayed scale, run."""

    chip: Chip

    def __post_init__(self) -> None:
        self.now = self.chip.made.as_of
        self.results = self.chip.made.documents["task_result_history"]
        self.of: dict[str, dict[str, list[tuple[datetime, float, str]]]] = {}
        for result in sorted(self.results, key=lambda row: row["start_at"]):
            for name, output in result["output_parameters"].items():
                low, high = possible_range(name)
                if result["status"] == "completed" and not result["excluded"] and low <= output["value"] <= high:
                    value = output["value"] * (METRICS[name].scale if name in METRICS else 1)
                    told = (result["start_at"], value, result["execution_id"])
                    self.of.setdefault(name, {}).setdefault(result["qid"], []).append(told)

    def values(self, name: str, qid: str, window: Window | None = None) -> list[float]:
        return [value for _, value, _ in self.within(name, qid, window)]

    def within(self, name: str, qid: str, window: Window | None) -> list[tuple[datetime, float, str]]:
        return [one for one in self.of[name].get(qid, ()) if is_in(one[0], window)]

    def one(self, name: str, qid: str, query: Query, how: Callable[[list[float]], float] = median) -> float | None:
        """With what an element counts: the newest value, or that of its measurements in the time of the question."""
        values = self.values(name, qid, query.window)
        return None if not values else how(values) if query.window else values[-1]


def is_in(moment: datetime, window: Window | None) -> bool:
    since, until = (window.since, window.until) if window else (None, None)
    return (since is None or moment >= since) and (until is None or moment < until)


def is_met(condition: Condition, value: float | None) -> bool:
    below, above = (side.value if isinstance(side, Amount) else None for side in (condition.below, condition.above))
    if value is None:
        return False
    equal = condition.inclusive and any(abs(value - end) < 1e-9 * abs(end) for end in (below, above) if end is not None)
    return equal or ((below is None or value < below) and (above is None or value > above))


@dataclass
class Draw:
    """Questions about a chip."""

    random: Random
    measured: Measured

    def window(self, share: float = 1) -> Window | None:
        day, now = self.measured.now.replace(hour=0, minute=0), self.measured.now
        since = day - timedelta(days=self.random.randrange(9, 18))
        windows = (
            Window.last(7, now),
            Window(since, since + timedelta(days=self.random.randrange(4, 8))),
            Window(since),
        )
        return self.random.choice(windows) if self.random.random() < share else None

    def condition(self, names: tuple[str, ...]) -> Condition:
        name = self.random.choice(names)
        newest = [values[-1][1] for values in self.measured.of[name].values()]
        low, high = sorted(float(f"{one:.4g}") for one in self.random.sample(newest, 2))
        unit, inclusive = METRICS[name].unit, self.random.random() < 0.3
        sides = ({"below": Amount(high, unit)}, {"above": Amount(low, unit)})
        both = {"below": Amount(high, unit), "above": Amount(low, unit)} if low < high else sides[0]
        side: dict[str, Any] = self.random.choice((*sides, both))
        return Condition(name, **side, inclusive=inclusive or len(side) > 1)

    def whose(self, kind: str, name: str) -> dict[str, Any]:
        ids = sorted(self.measured.of[name])
        some: tuple[dict[str, Any], ...] = (
            {"qids": tuple(self.random.sample(ids, 6))},
            {"without": tuple(self.random.sample(ids, 2))},
            {"places": (("mux", self.random.randrange(4)),)} if kind == "qubit" else {"qids": ("5", "9")},
        )
        return self.random.choice((*some, {}, {}, {}))

    def selection(self) -> Query:
        kind, names = self.random.choice((("qubit", QUBIT), ("qubit", QUBIT), ("coupling", COUPLING)))
        name, order = self.random.choice(names), self.random.choice(("worst", "best", "lowest", "highest", None))
        conditions = tuple(self.condition(names) for _ in range(self.random.choice((0, 1, 1, 2)[not order :])))
        said: dict[str, Any] = {"kind": kind, "any_of": len(conditions) > 1 and self.random.random() < 0.4}
        if order:
            said |= {"metrics": (name,), "order": order, "every": self.random.random() < 0.2}
            said |= {} if said["every"] else {"count": self.random.choice((1, 3, 8))}
        whose = self.whose(kind, name)
        return Query(Asked.SELECT, conditions=conditions, window=self.window(0.3), **said, **whose)

    def statistic(self) -> Query:
        kind, names = self.random.choice((("qubit", QUBIT), ("coupling", COUPLING)))
        name, statistic = self.random.choice(names), self.random.choice([*STATISTICS])
        whose = {key: value for key, value in self.whose(kind, name).items() if key == "without"}
        per = self.random.choice(("day", "week", "mux" if kind == "qubit" else None, None))
        said: dict[str, Any] = {"statistic": statistic, "kind": kind, "per": per} | ({} if per else whose)
        return Query(Asked.STATISTIC, (name,), window=self.window(0.6), **said)

    def nth(self) -> Query:
        name = self.random.choice(QUBIT)
        qid = self.random.choice([*self.measured.of[name]])
        nth = self.random.choice((-1, 2, 3))
        return Query(Asked.MEASUREMENTS, (name,), (qid,), kind="qubit", nth=nth, window=self.window(0.3))

    def results(self) -> Query:
        task = self.random.choice((None, "CheckT1", "CheckRamsey"))
        qids = self.random.choice(((), (self.random.choice([*self.measured.of["t1"]]),)))
        status: Any = self.random.choice(("failed", "completed"))
        return Query(Asked.RESULTS, qids=qids, task=task, status=status, how_many=True, window=self.window())


# --- what an answer says --------------------------------------------------------------------------------------------


def told_rows(text: str) -> list[list[str]]:
    """The cells of the first table."""
    table = next((block for block in text.split("\n\n") if block.startswith("|")), "")
    return [row.split(" | ") for row in _ROW.findall(table)[2:]]


def whose(row: list[str]) -> str:
    return re.sub(r"Q0*(\d)", r"\1", row[0])


def is_close(text: str, value: float) -> bool:
    """Whether a text says this number, by the digits that it gives; it may have been rounded to nine before."""
    found = _NUMBER.search(text)
    assert found, text
    decimals = len(found[1] or ".") - 1
    return abs(float(found[0].replace("−", "-").replace(",", "")) - value) <= 0.55 * 10**-decimals


def check_selection(measured: Measured, query: Query, text: str) -> None:
    all_of_them = dict.fromkeys(qid for name in query.named for qid in measured.of[name])
    wanted = {*query.qids} | {str(4 * number + one) for _, number in query.places for one in range(4)}
    pool = [qid for qid in all_of_them if not names_of(qid) & {*query.without}]
    pool = [qid for qid in pool if not wanted or names_of(qid) & wanted]
    every = any if query.any_of else all
    met = [
        qid for qid in pool if every([is_met(one, measured.one(one.metric, qid, query)) for one in query.conditions])
    ] if query.conditions else pool  # fmt: skip
    told = [] if "The nearest" in text else [whose(row) for row in told_rows(text)]
    if not query.order:
        assert {*told} <= {*met}
        assert len(told) == min(len(met), _MOST)
        assert re.search(rf"\*\*{len(met) or 'No'} ", text)
        return
    values = {qid: value for qid in met if (value := measured.one(query.metrics[0], qid, query)) is not None}
    is_high = query.order == "highest" or (query.order == "best") == better_is_high(query.metrics[0])
    is_high = query.order == "highest" if query.order in {"lowest", "highest"} else is_high
    expected = sorted(values.values(), reverse=is_high)[: query.count]
    assert [values[qid] for qid in told if qid in values][: len(expected)] == expected[: len(told)]
    assert len(told) >= min(len(expected), _MOST)


def names_of(qid: str) -> set[str]:
    """By which a question may name it: a coupling in either direction, or by one of its qubits."""
    return {qid, "-".join(reversed(qid.split("-"))), *qid.split("-")}


def better_is_high(name: str) -> bool:
    metric = METRICS[name]
    return metric.scoring.higher_is_better if metric.scoring else metric.mode != "minimize"


def check_statistic(measured: Measured, query: Query, text: str) -> None:
    [name], how = query.metrics, STATISTICS[str(query.statistic)]
    each = fmean if query.statistic == "mean" else median
    qids = [qid for qid in measured.of[name] if qid not in query.without]
    if query.per in {"day", "week"}:
        expected: dict[str, float] = {}
        for start, values in periods(measured, query).items():
            expected[start] = how(values)
        rows = told_rows(text)
        assert [row[0] for row in rows] == sorted(expected, reverse=True)[: len(rows)]
        assert all(is_close(row[2], expected[row[0]]) for row in rows)
        assert len(rows) == min(len(expected), _MOST)
        return
    values = {qid: value for qid in qids if (value := measured.one(name, qid, query, each)) is not None}
    if query.per == "mux":
        for number, _, value, *_ in told_rows(text):
            assert is_close(value, how([one for qid, one in values.items() if int(qid) // 4 == int(number)]))
        return
    head = text.split("\n\n")[1]
    assert is_close(head.rsplit(":", 1)[-1], how([*values.values()]))
    assert f"of {len(values)} {query.kind}s" in head


def periods(measured: Measured, query: Query) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for qid in measured.of[query.metrics[0]]:
        for moment, value, _ in measured.within(query.metrics[0], qid, query.window):
            day = moment.date()
            start = day if query.per == "day" else day - timedelta(days=day.weekday())
            found.setdefault(start.isoformat(), []).append(value)
    return found


def check_nth(measured: Measured, query: Query, text: str) -> None:
    found, place = measured.within(query.metrics[0], query.qids[0], query.window), query.nth or 0
    if len(found) < abs(place):
        assert "aren't that many" in text or "No measurement" in text
        return
    moment, value, run = found[0 if place == -1 else -place]
    head = text.split("\n\n")[1]
    assert is_close(head.rsplit(": ", 1)[1], value)
    assert f"{moment:%Y-%m-%d %H:%M}" in head
    assert run in head


def check_results(measured: Measured, query: Query, text: str) -> None:
    found = [row for row in measured.results if row["status"] == query.status and is_in(row["start_at"], query.window)]
    found = [row for row in found if not query.qids or row["qid"] in query.qids]
    count = sum(query.task in {None, row["name"]} for row in found)
    assert text.split("\n\n")[1].startswith(f"**{count or 'No'} {query.status} result")


CHECKS: dict[Asked, Callable[[Measured, Query, str], None]] = {
    Asked.SELECT: check_selection,
    Asked.STATISTIC: check_statistic,
    Asked.MEASUREMENTS: check_nth,
    Asked.RESULTS: check_results,
}


def drawn(measured: Measured, seed: int, most: int) -> Iterator[Query]:
    draw, seen = Draw(Random(seed), measured), set[Query]()  # noqa: S311 - no secret
    while len(seen) < most:
        kind = (draw.selection, draw.selection, draw.statistic, draw.nth, draw.results)[len(seen) % 5]
        query = checked(kind())
        if query is not None and query not in seen and can_answer(query):
            seen.add(query)
            yield query


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """A healthy chip: of one with faults the values in doubt would need the rules that are tested here."""
    return Measured(chip_on_disk(tmp_path_factory.mktemp("chips") / "drawn", seed=41, size=16, days=20, faults=False))


@pytest.mark.parametrize(("seed", "most"), [(1, 25), pytest.param(2, 400, marks=pytest.mark.long)])
def test_answers_say_what_the_documents_say(measured: Measured, seed: int, most: int) -> None:
    """25 questions take 5 s: each runs cells."""
    copilot = session(measured.chip)
    for query in drawn(measured, seed, most):
        question = sentence_of(query, "en")
        text = ask(copilot, question).text
        if "**Nothing was measured" in text:  # an older time is told then, and that it is older
            continue
        assert text.startswith("Read as: "), question
        try:
            CHECKS[query.asked](measured, query, text)
        except AssertionError as error:
            pytest.fail(f"{question}\n{text}\n{error}")

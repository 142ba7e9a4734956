"""The judge of `make eval`, on answers made by hand: right ones, wrong ones, and those that say what they left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from eval.book import Point
from eval.facts import (
    Between,
    Both,
    Count,
    Drawn,
    Either,
    Empty,
    Fact,
    Ids,
    Listed,
    NotThere,
    Ranked,
    Says,
    Series,
    Unanswerable,
    Value,
    Values,
)
from eval.judge import Verdict, is_marked, judge, names_a_word_of
from eval.reading import Reading

RIGHT, ASKS, PARTIAL, WRONG = Verdict.RIGHT, Verdict.ASKS, Verdict.PARTIAL, Verdict.WRONG
BEGIN = datetime(2026, 6, 10, 18, 4, tzinfo=UTC)
DAYS = timedelta(days=36)
POINTS = [Point(BEGIN + timedelta(days=day), value) for day, value in enumerate((61.4, 60.2, 63.9))]
SIGNED = "\n\n*Answered by the offline planner: fixed methods, no language model.*"

TABLE = """\
**Q07 and Q12**

| qubit | T1 (μs) |
| --- | --- |
| Q07 | 61.4 |
| Q12 | 80.0 |
"""

IDS = Ids(frozenset({"7", "12"}), frozenset({"18"}))
ANSWERS: list[tuple[Fact, str, Verdict]] = [
    # Sets of ids: those of the headline, else of the first table, else of the text.
    (IDS, "**2 qubits: Q07 and Q12.** Not measured: Q29.", RIGHT),
    (IDS, "**3 qubits: Q07, Q12 and Q18.**", RIGHT),
    (IDS, "量子ビット2個: Q07、Q12", RIGHT),
    (IDS, "**2 qubits are below.**\n\n| qubit | T1 |\n| --- | --- |\n| Q07 | 3 μs |\n| Q12 | 4 μs |", RIGHT),
    (IDS, "**2 qubits: Q07 and Q13.**", WRONG),
    (IDS, "**1 qubit: Q07.**", WRONG),
    (IDS, "**No qubit is below 40 μs.**", WRONG),
    (IDS, "**T1: median 60.4 μs** (from 22.7 μs to 90.0 μs)", WRONG),
    (IDS, "**2 qubits: Q07 and 1 more.**", RIGHT),
    (IDS, "**5 qubits: Q07 and 4 more.**", WRONG),
    (Ids(frozenset({"12-13"})), "**Q13-Q12**", RIGHT),
    (Ids(frozenset()), "**No qubit jumped.**", RIGHT),
    (Ids(frozenset()), "周波数が飛んだ量子ビットはありません。", RIGHT),
    (Ids(frozenset()), "**1 qubit jumped: Q07.**", WRONG),
    (Ids(frozenset()), "**T1: median 60.4 μs**. Not measured: Q29.", WRONG),
    # Order.
    (Ranked(("12", "7", "3")), "**Worst: Q12, Q07 and Q03.**", RIGHT),
    (Ranked(("12", "7", "3")), "**Worst: Q07, Q12 and Q03.**", WRONG),
    (Ranked(("12", "7", "3")), "**Worst: Q12, Q07, Q03, Q05 and Q06.**", WRONG),
    (Ranked(("12",), first=True), "**Worst: Q12, Q07 and Q03.**", RIGHT),
    (Ranked(("12",), first=True), "**Worst: Q07, Q12 and Q03.**", WRONG),
    # Numbers.
    (Value((61.44,), "μs"), "**mean 61.4 μs**", RIGHT),
    (Value((61.44,), "μs"), "**mean 0.0614 ms**", RIGHT),
    (Value((61.44,), "μs"), "**mean 62.0 μs**", WRONG),
    (Value((61.44,), "μs"), "**mean 61.4 %**", WRONG),
    (Value((61.44,), "μs", "mean|平均"), "**median 61.4 μs**", WRONG),
    (Value((23.55,), "%"), "**readout fidelity 76.45 %**", WRONG),
    (Value((23.55,), "%"), "**readout error 23.55 %**", RIGHT),
    (Value((4.75123,), "GHz"), "**4.7512 GHz**", RIGHT),
    (Value((4.75123,), "GHz"), "**4751.2 MHz**", RIGHT),
    (Value((4.75123,), "GHz"), "**4.7542 GHz**", WRONG),
    (Value((-0.1234,), ""), "**r = -0.12**", RIGHT),
    (Value((-0.1234,), ""), "**r = 0.12**", WRONG),
    (Between(40.0, 60.0, "%"), "**It fell by 49 %.**", RIGHT),
    (Between(40.0, 60.0, "%"), "**It changed by -49 %.**", RIGHT),
    (Between(40.0, 60.0, "%"), "**It fell by 12 %.**", WRONG),
    (Count(3), "**3 qubits are below 40 μs.**", RIGHT),
    (Count(3), "**4 qubits are below 40 μs.**", WRONG),
    (Count(2, ids=frozenset({"7", "12"})), "**Q07 and Q12.**", RIGHT),
    (Count(3), "40 μs未満の量子ビットは3個です。", RIGHT),
    (Count(0), "**No task failed.**", RIGHT),
    (Count(13, elements=False), "**13 qubits have T1 below 58 μs.**", WRONG),
    (Count(13, elements=False), "**13 of 30 measurements are below 58 μs.**", RIGHT),
    (Values({"7": 61.4, "12": 80.0}, "μs"), TABLE, RIGHT),
    (Values({"7": 80.0, "12": 61.4}, "μs"), TABLE, WRONG),
    (Values({"12-13": 79.08}, "%"), "Q12-Q13: 79.08 ± 0.1 %", RIGHT),
    # Words.
    (Says(("wire bond",)), "Q29: no response, perhaps a wire bond.", RIGHT),
    (Says(("wire bond",)), "Nobody wrote about Q29.", WRONG),
    (Listed(("20260610-000", "20260611-000"), r"\d{8}-\d{3}"), "20260610-000 and 20260611-000", RIGHT),
    (Listed(("20260610-000",), r"\d{8}-\d{3}"), "20260610-000 and 20260611-000", WRONG),
    (NotThere("T3"), "There is no parameter 't3'. Did you mean t1?", RIGHT),
    (NotThere("T3"), "**T1 of Q05: 53.8 μs**", WRONG),
    (
        Empty("15", BEGIN, BEGIN + timedelta(days=36)),
        "Q15 was not measured in that time; the newest is of 2026-06-10.",
        RIGHT,
    ),
    (Empty("15", BEGIN, BEGIN + DAYS), "過去10日の測定はありません(最新は6月10日)。", RIGHT),
    (Empty("15", BEGIN, BEGIN + DAYS), "**Q15 did not lose T1.**", WRONG),
    (Empty("15", BEGIN, BEGIN + DAYS), "**T1 of Q15: median 61.4 μs** Not measured: Q29.", WRONG),
    # All of, one of.
    (Both((Count(3), Value((61.4,), "μs"))), "**3 measurements, median 61.4 μs**", RIGHT),
    (Both((Count(3), Value((61.4,), "μs"))), "**4 measurements, median 61.4 μs**", WRONG),
    (Either((Count(3), Value((61.4,), "μs"))), "**4 measurements, median 61.4 μs**", RIGHT),
    # What the data cannot tell.
    (Unanswerable(), "I cannot answer which qubit to replace. The nearest I can tell is its T1.", RIGHT),
    (Unanswerable(), "この質問には答えられません。", RIGHT),
    (Unanswerable(), "Which parameter do you mean: T1 or T2 echo?", RIGHT),
    (Unanswerable(), "**The worst qubits by T1: Q20 and Q10.**", WRONG),
]


@pytest.mark.parametrize(("fact", "answer", "verdict"), ANSWERS, ids=[answer[:40] for _, answer, _ in ANSWERS])
def test_answers_made_by_hand(fact: Fact, answer: str, verdict: Verdict) -> None:
    judged = judge(fact, Reading(answer + SIGNED), "which qubits have T1 below 40 us and readout below 93 %")
    assert judged.verdict is verdict, judged.reason
    assert bool(judged.reason) is (verdict is WRONG)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("**2 qubits: Q07 and Q13.**\n\nI left out: readout below 93 %.", PARTIAL),
        ("**Q07、Q13**\n\n考慮していない語: readout", PARTIAL),
        ('**2 qubits: Q07 and Q12.**\n\nI left out: "readout".', PARTIAL),
        ("**2 qubits: Q07 and Q13.**\n\nI left out: something else.", WRONG),
        ("**2 qubits: Q07 and Q13.**\n\nI left out: which, have.", WRONG),
        ("I cannot answer this: I know no readout. Nearest: Q07 and Q13 have T1 below 40 μs.", ASKS),
        ("I cannot answer this. **2 qubits: Q07 and Q12.**", ASKS),
        ("Which readout do you mean: of state 0 or 1?", ASKS),
        ("There is no parameter 'readout' on chip 'x'. Did you mean t1?", ASKS),
    ],
)
def test_what_is_left_out_or_asked_back(answer: str, verdict: Verdict) -> None:
    reading = Reading(answer + SIGNED)
    assert judge(IDS, reading, "which qubits have T1 below 40 us and readout below 93 %").verdict is verdict
    assert is_marked(reading)


def test_japanese_words_left_out_are_those_of_the_question() -> None:
    assert names_a_word_of("青い量子ビットだけでT1のワースト5", "「青い」")
    assert not names_a_word_of("T1のワースト5", "「青い」")


def chart(days: int, name: str = "Q07", scale: float = 1.0) -> dict[str, object]:
    points = [Point(BEGIN - timedelta(days=day + 1), 70.0) for day in range(days)] + POINTS
    return {
        "data": [
            {"name": name, "x": [f"{p.at:%Y-%m-%dT%H:%M}" for p in points], "y": [scale * p.value for p in points]}
        ]
    }


@pytest.mark.parametrize(
    ("text", "charts", "verdict"),
    [
        ("**T1 of Q07**", [chart(0)], RIGHT),
        ("**T1 of Q07**", [chart(0, scale=1e3)], RIGHT),
        ("**T1 of Q07**", [chart(5)], WRONG),
        ("**T1 of Q07**", [chart(0, name="Q08")], RIGHT),
        ("**T1 of Q07: 3 measurements, median 61.4 μs**", [], RIGHT),
        ("**T1 of Q07: 8 measurements, median 70.0 μs**", [], WRONG),
        ("**T1 of Q07: 61.4 μs, 60.2 μs and 63.9 μs**", [], RIGHT),
        ("**T1 of Q07: 61.4 μs and 60.2 μs**", [], WRONG),
    ],
)
def test_a_series_is_the_one_of_its_time(text: str, charts: list[dict[str, object]], verdict: Verdict) -> None:
    judged = judge(Series({"7": POINTS}, "μs"), Reading(text, charts), "T1 of Q7 from June 10 to 12")
    assert judged.verdict is verdict, judged.reason


def test_of_several_series_each_has_its_own() -> None:
    fact = Series({"7": POINTS, "8": POINTS[:2]}, "μs")
    assert "8: not the 2 measurements" in fact.missing_in(Reading("", [chart(0, "Q07")]))


@pytest.mark.parametrize(
    ("kind", "y", "verdict"),
    [("scatter", [97.1, 95.2], RIGHT), ("scatter", [97.1, 90.0], WRONG), ("bar", [97.1, 95.2], WRONG)],
)
def test_points_of_a_scatter(kind: str, y: list[float], verdict: Verdict) -> None:
    figure = {"data": [{"type": kind, "x": [61.4, 80.0], "y": y}]}
    fact = Drawn(("scatter",), ((61.4, 97.1), (80.0, 95.2)))
    assert judge(fact, Reading("**T1 against readout**", [figure]), "scatter T1 vs readout").verdict is verdict

"""Small conversations: what is asked last takes the rest from the question before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from statistics import median

from eval.book import MONTHS, Book
from eval.facts import Count, Either, Ids, Ranked, Series, Value, Values
from eval.questions.changes import fell
from eval.questions.item import Item
from eval.questions.times import midnight
from eval.questions.values import limit_near


def items(book: Book) -> Iterator[Item]:
    """All conversations."""
    yield from _series(book)
    yield from _lists(book)


def _series(book: Book) -> Iterator[Item]:
    qid, other = book.chip.planted.telegraph, book.chip.planted.step
    trend = ((f"T1 of Q{qid} over the last 30 days", f"過去30日のQ{qid}のT1の推移"),)
    yield Item(
        "telegraph",
        "follow-up: time",
        Series({qid: book.series("t1", qid, book.days_ago(45))}, "μs"),
        ("what about the last 45 days?", "and over the last 45 days?"),
        ("過去45日では?", "過去45日間だと?"),
        trend,
    )
    yield Item(
        "none",
        "follow-up: qubit",
        Series({other: book.series("t1", other, book.days_ago(30))}, "μs"),
        (f"and Q{other}?", f"what about q{other}?"),
        (f"Q{other}は?", f"では、Q{other}は?"),
        trend,
    )
    yield Item(
        "step",
        "follow-up: parameter",
        Series({other: book.series("t2_echo", other, book.days_ago(30))}, "μs"),
        ("and T2 echo?", "same for T2 echo"),
        ("T2エコーは?", "T2エコーも同じように"),
        ((f"T1 of Q{other} over the last 30 days", f"過去30日のQ{other}のT1の推移"),),
    )
    month = midnight(book.days_ago(31)).replace(day=1)
    before = (month - timedelta(days=1)).replace(day=1)
    yield Item(
        "none",
        "follow-up: time",
        Series({other: book.series("t1", other, month, (month + timedelta(days=32)).replace(day=1))}, "μs"),
        (f"and in {MONTHS[month.month - 1]}?",),
        (f"{month.month}月は?",),
        ((f"T1 of Q{other} in {MONTHS[before.month - 1]}", f"{before.month}月のQ{other}のT1"),),
    )
    bad = book.chip.truth.bad_coupling[0]
    yield Item(
        "coupling",
        "follow-up: parameter",
        Values({bad: book.current("bell_state_fidelity")[bad]}, "%"),
        ("and the Bell state fidelity?",),
        ("ベル状態忠実度は?",),
        ((f"What is the current ZX90 gate fidelity of {bad}?", f"{bad}の現在のZX90ゲート忠実度は?"),),
    )


def _lists(book: Book) -> Iterator[Item]:
    yield Item(
        "step",
        "follow-up: parameter",
        fell(book, "t2_echo", 30),
        ("and T2 echo?",),
        ("T2エコーは?",),
        (("Which qubits lost T1 in the last 30 days?", "過去30日でT1が低下した量子ビットは?"),),
    )
    worst = (("Which 5 qubits have the lowest T1?", "T1が低い量子ビットを5個"),)
    best = [Ranked(tuple(book.ranked("t1", best=True, newest=newest)[:5])) for newest in (False, True)]
    yield Item(
        "excluded",
        "follow-up: direction",
        Either(tuple(best)),
        ("and the highest?", "and the best 5?"),
        ("高い方は?", "逆に高いのを5個"),
        worst,
    )
    yield Item(
        "slope",
        "follow-up: number",
        Ranked(tuple(book.ranked("t1")[:3])),
        ("only the worst 3", "just 3 of them"),
        ("ワースト3だけ", "3個だけ"),
        worst,
    )
    yield Item(
        "readout",
        "follow-up: parameter",
        Ranked(tuple(book.ranked("average_readout_fidelity")[:5])),
        ("and readout fidelity?",),
        ("読み出し忠実度は?",),
        worst,
    )
    t1 = book.current("t1")
    low, high = (limit_near(list(t1.values()), share, 0) for share in (0.2, 0.5))
    under = book.where("t1", lambda value: value < high)
    yield Item(
        "none",
        "follow-up: limit",
        Either((Count(len(under), may=len(book.doubtful("t1"))), Ids(under, book.doubtful("t1")))),
        (f"and below {high:g} us?", f"what about {high:g} us?"),
        (f"{high:g} μs未満は?", f"{high:g} μsなら?"),
        ((f"How many qubits have T1 below {low:g} us?", f"T1が{low:g} μs未満の量子ビットはいくつ?"),),
    )
    yield Item(
        "none",
        "follow-up: statistic",
        Value(book.either("t1", median), "μs", "median|中央値"),
        ("and the median?",),
        ("中央値は?",),
        (("What is the mean T1?", "T1の平均は?"),),
    )
    yield Item(
        "failing fits",
        "follow-up: time",
        Count(len(book.tasks(status="failed", since=book.days_ago(14))), elements=False),
        ("what about the last 14 days?",),
        ("過去14日では?",),
        (("Which tasks failed in the last 7 days?", "過去7日で失敗したタスクは?"),),
    )

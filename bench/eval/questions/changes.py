"""What fell, rose, jumped or became unsteady, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from statistics import pstdev

from eval.book import Book, Point
from eval.chips import SLOPE
from eval.facts import Between, Both, Count, Either, Happened, Ids, Ranked, Says, Series, Value
from eval.questions.item import Item, day, day_ja


def items(book: Book) -> Iterator[Item]:
    """Slope, step, jump, telegraph noise, and what is measured too rarely to tell."""
    yield from _slopes(book)
    yield from _steps(book)
    yield from _jumps(book)
    yield from _telegraph(book)
    yield from _too_few(book)
    yield from _yes_or_no(book)


def fell(book: Book, parameter: str, days: float) -> Ids:
    """What was planted and fell by a quarter or more. What else fell, and telegraph noise, may be named: whether it fell
    within the time or before it depends on the method.
    """
    changes = book.changes(parameter, book.days_ago(days))
    planted = {book.chip.planted.slope, *book.chip.truth.t1_falling} if parameter == "t1" else {book.chip.planted.step}
    down = frozenset(qid for qid in planted if changes.get(qid, 0.0) <= -25)
    unsure = {book.chip.planted.telegraph, *book.chip.truth.t1_dipped, book.chip.planted.failing}
    return Ids(down, frozenset(qid for qid, change in changes.items() if change <= -9) - down | unsure)


def jumped(book: Book, days: float, mhz: float = 0.5) -> Ids:
    """What moved by that many MHz."""
    changes = book.changes("qubit_frequency", book.days_ago(days))
    return Ids(frozenset(qid for qid, change in changes.items() if abs(change) >= mhz))


def _slopes(book: Book) -> Iterator[Item]:
    slope = book.chip.planted.slope
    yield Item(
        "slope",
        "plain",
        fell(book, "t1", 30),
        (
            "Which qubits lost T1 in the last 30 days?",
            "whose T1 went down over the past 30 days",
            "any qubits w/ T1 dropping, last 30d?",
        ),
        (
            "過去30日でT1が低下した量子ビットは?",
            "この30日間でT1が下がった量子ビットはどれ?",
            "T1落ちたやつある?直近30日で",
        ),
    )
    yield Item(
        "slope",
        "how much",
        Between(0.8 * SLOPE, 1.2 * SLOPE, "%"),
        (
            f"By how many percent did T1 of Q{slope} fall in the last 30 days?",
            f"how much T1 did q{slope} lose over the last 30 days, in %",
        ),
        (f"Q{slope}のT1は過去30日で何%下がりましたか?", f"過去30日でQ{slope}のT1は何パーセント落ちた?"),
    )
    since = book.days_ago(20)
    points = book.series("t1", slope, since)
    per_day = abs(least_squares(points))
    yield Item(
        "slope",
        "fit",
        Both((Between(0.88 * per_day, 1.12 * per_day, "μs"), Says(("fit|slope|line|直線|傾き|フィット",)))),
        (
            f"Fit a line to T1 of Q{slope} over the last 20 days",
            f"linear fit of q{slope} T1, last 20 days pls, with error",
        ),
        (f"過去20日のQ{slope}のT1に直線をフィットして", f"Q{slope}のT1、直近20日を線形フィット、誤差つきで"),
    )


def least_squares(points: list[Point]) -> float:
    """The slope a day."""
    days = [(point.at - points[0].at) / timedelta(days=1) for point in points]
    middle, level = sum(days) / len(days), sum(point.value for point in points) / len(points)
    above = sum((at - middle) * (point.value - level) for at, point in zip(days, points, strict=True))
    return above / sum((at - middle) ** 2 for at in days)


def _steps(book: Book) -> Iterator[Item]:
    step = book.chip.planted.step
    yield Item(
        "step",
        "plain",
        fell(book, "t2_echo", 14),
        (
            "Which qubits lost T2 echo in the last 14 days?",
            "T2 echo drops in the past two weeks?",
            "which qbits have worse T2 echo than 2 weeks ago",
        ),
        (
            "過去14日でT2エコーが低下した量子ビットは?",
            "この2週間でT2エコーが落ちた量子ビットは?",
            "2週間前よりT2エコーが悪い量子ビット",
        ),
    )
    dates = [book.days_ago(age) for age in (9, 10, 11, 12, 13)]
    said = "|".join(f"{at:%Y-%m-%d}|{day(at)}(?!\\d)|{day_ja(at)}" for at in dates)
    yield Item(
        "step",
        "when",
        Says((said,)),
        (f"When did T2 echo of Q{step} drop?", f"since when is the T2 echo of qubit {step} lower?"),
        (f"Q{step}のT2エコーはいつ下がった?", f"Q{step}のT2エコーはいつから低いですか?"),
    )
    lost = fell(book, "t2_echo", 14)
    yield Item(
        "step",
        "how many",
        Either((Count(len(lost.ids), may=len(lost.may)), lost)),
        ("How many qubits lost T2 echo in the last 14 days?",),
        ("過去14日でT2エコーが低下した量子ビットは何個?",),
    )


def _jumps(book: Book) -> Iterator[Item]:
    jump = book.chip.truth.frequency_jump[0]
    yield Item(
        "jump",
        "plain",
        jumped(book, 30),
        (
            "Which qubits' frequency jumped in the last 30 days?",
            "any f01 jumps in the last 30 days?",
            "did the freq of any qubit move in the past 30 days",
        ),
        (
            "過去30日で周波数が飛んだ量子ビットは?",
            "この30日でf01が動いた量子ビットある?",
            "直近30日で周波数ずれた量子ビット教えて",
        ),
    )
    moved = abs(book.changes("qubit_frequency", book.days_ago(30))[jump]) * 1e-3
    yield Item(
        "jump",
        "how much",
        Between(0.9 * moved, 1.1 * moved, "GHz"),
        (
            f"By how many MHz did the frequency of Q{jump} change in the last 30 days?",
            f"how far did q{jump}'s frequency move in the last 30 days?",
        ),
        (f"Q{jump}の周波数は過去30日で何MHz変わりましたか?", f"過去30日でQ{jump}の周波数はどれだけ動いた?"),
    )
    limit = 2 * moved * 1e3 + 1
    yield Item(
        "jump",
        "limit",
        jumped(book, 30, limit),
        (f"Which qubits' frequency changed by more than {limit:.0f} MHz in the last 30 days?",),
        (f"過去30日で周波数が{limit:.0f} MHz以上変わった量子ビットは?",),
    )


def _telegraph(book: Book) -> Iterator[Item]:
    noisy = book.chip.planted.telegraph
    values = [point.value for point in book.series("t1", noisy, book.days_ago(30))]
    yield Item(
        "telegraph",
        "lowest and highest",
        Both((Value((min(values),), "μs"), Value((max(values),), "μs"))),
        (
            f"Minimum and maximum T1 of Q{noisy} in the last 30 days",
            f"T1 of q{noisy}: lowest and highest value over the past 30 days?",
        ),
        (f"過去30日のQ{noisy}のT1の最小値と最大値は?", f"Q{noisy}のT1、直近30日で一番低い値と高い値"),
    )
    spread = {
        qid: pstdev(all_of) / (sum(all_of) / len(all_of))
        for qid, all_of in book.pooled("t1", book.days_ago(30)).items()
        if len(all_of) > 4
    }
    most = max(spread, key=spread.__getitem__)
    yield Item(
        "telegraph",
        "spread",
        Either((Ranked((most,), first=True), Ranked((noisy,), first=True))),
        (
            "Which qubit's T1 fluctuated the most in the last 30 days?",
            "which qubit has the least stable T1 (last 30 days)?",
        ),
        ("過去30日でT1の変動が最も大きい量子ビットは?", "直近30日で一番T1が不安定な量子ビットはどれ"),
    )
    yield Item(
        "telegraph",
        "trend",
        Series({noisy: book.series("t1", noisy, book.days_ago(21))}, "μs"),
        (f"Plot T1 of Q{noisy} over the last 3 weeks", f"T1 history of q{noisy}, past 21 days"),
        (f"過去3週間のQ{noisy}のT1をプロットして", f"Q{noisy}のT1の履歴、過去21日"),
    )


def _too_few(book: Book) -> Iterator[Item]:
    rare = book.chip.truth.rare[0]
    yield Item(
        "too few",
        "verdict",
        Says(
            (
                r"too few|not enough|only \d|few measurements|no measurement|cannot tell|少な|不足|足り|測定なし|測定がありません|測定は\d",
            )
        ),
        (f"Did Q{rare} lose T1 in the last 5 days?", f"is T1 of q{rare} worse than 5 days ago?"),
        (f"過去5日でQ{rare}のT1は低下しましたか?", f"Q{rare}のT1は5日前より悪い?"),
    )


def _yes_or_no(book: Book) -> Iterator[Item]:
    truth, planted = book.chip.truth, book.chip.planted
    for family, qid, name, name_ja, days, yes in (
        ("slope", planted.slope, "T1", "T1", 30, True),
        ("slope", planted.slope, "T1", "T1", 18, True),
        ("slope", truth.t1_fell_before[0], "T1", "T1", 30, False),
        ("step", planted.step, "T2 echo", "T2エコー", 20, True),
        ("step", planted.step, "T1", "T1", 20, False),
        ("step", planted.step, "T2 echo", "T2エコー", 7, False),
    ):
        yield Item(
            family,
            "yes or no",
            Happened(yes),
            (
                f"Did {name} of Q{qid} fall in the last {days} days?",
                f"has q{qid} lost {name} over the past {days} days?",
            ),
            (f"過去{days}日でQ{qid}の{name_ja}は低下しましたか?", f"Q{qid}の{name_ja}、直近{days}日で下がった?"),
        )
    for qid, yes in ((truth.frequency_jump[0], True), (planted.step, False)):
        yield Item(
            "jump",
            "yes or no",
            Happened(yes),
            (f"Did the frequency of Q{qid} jump in the last 30 days?",),
            (f"過去30日でQ{qid}の周波数は飛びましたか?",),
        )

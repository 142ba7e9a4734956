"""Times: dates, months, weekdays, ends of ranges, cool-downs, empty windows, two windows side by side."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import fmean, median

from eval.book import MONTHS, Book
from eval.facts import Between, Both, Empty, Ids, Says, Series, Value
from eval.questions.item import Item, day, day_ja, short_day, weekday, weekday_ja


def items(book: Book) -> Iterator[Item]:
    """All about when."""
    yield from _ranges(book)
    yield from _single_days(book)
    yield from _cool_downs(book)
    yield from _stale(book)
    yield from _two_windows(book)


def midnight(moment: datetime) -> datetime:
    """The first moment of its day, UTC."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _ranges(book: Book) -> Iterator[Item]:
    qid = book.chip.planted.step
    first = midnight(book.days_ago(38)).replace(day=8)
    last = first + timedelta(days=10)
    fact = Series({qid: book.series("t1", qid, first, last + timedelta(days=1))}, "μs")
    yield Item(
        "none",
        "dates",
        fact,
        (
            f"T1 of Q{qid} from {day(first)} to {last.day}",
            f"T1 of Q{qid} {day(first)} to {day(last)}",
            f"q{qid} t1 between {short_day(first)} and {short_day(last)}",
            f"T1 of Q{qid} from {first:%Y-%m-%d} to {last:%Y-%m-%d}",
        ),
        (
            f"{day_ja(first)}から{last.day}日のQ{qid}のT1",
            f"{day_ja(first)}から{day_ja(last)}までのQ{qid}のT1の推移",
            f"{first.month}/{first.day}〜{last.month}/{last.day}のQ{qid}のT1は?",
            f"{first:%Y-%m-%d}から{last:%Y-%m-%d}までのQ{qid}のT1",
        ),
    )
    month = midnight(book.days_ago(31)).replace(day=1)
    until = (month + timedelta(days=32)).replace(day=1)
    yield Item(
        "none",
        "months",
        Series({qid: book.series("t1", qid, month, until)}, "μs"),
        (
            f"T1 of Q{qid} in {MONTHS[month.month - 1]}",
            f"show T1 of qubit {qid} during {MONTHS[month.month - 1]} {month.year}",
        ),
        (f"{month.month}月のQ{qid}のT1", f"{month.year}年{month.month}月のQ{qid}のT1を見せて"),
    )
    pooled = book.pooled("t1", month, until)
    means = (
        fmean(value for values in pooled.values() for value in values),
        fmean(fmean(values) for values in pooled.values()),
    )
    yield Item(
        "none",
        "months",
        Value(means, "μs", "mean|average|平均"),
        (f"What was the mean T1 of the chip in {MONTHS[month.month - 1]}?",),
        (f"{month.month}月のチップ全体のT1の平均は?",),
    )
    of_qubit = [point.value for point in book.series("t1", qid, month, until)]
    yield Item(
        "none",
        "months",
        Value((median(of_qubit),), "μs", "median|中央値"),
        (f"Median T1 of Q{qid} in {MONTHS[month.month - 1]}?",),
        (f"{month.month}月のQ{qid}のT1の中央値は?",),
    )
    yield Item(
        "none",
        "end of range",
        Series({qid: book.series("t1", qid, until=first)}, "μs"),
        (f"T1 of Q{qid} before {day(first)}", f"T1 of Q{qid} before {first:%Y-%m-%d}"),
        (f"{day_ja(first)}より前のQ{qid}のT1", f"{first:%Y-%m-%d}より前のQ{qid}のT1"),
    )
    yield Item(
        "none",
        "dates",
        Series({qid: book.series("t2_echo", qid, last)}, "μs"),
        (f"T2 echo of Q{qid} since {day(last)}", f"T2 echo of q{qid} from {short_day(last)} on"),
        (f"{day_ja(last)}以降のQ{qid}のT2エコー", f"{day_ja(last)}からのQ{qid}のT2エコーの推移"),
    )


def _single_days(book: Book) -> Iterator[Item]:
    busy = book.chip.truth.busy[0]
    on = midnight(book.days_ago(17))
    fact = Series({busy: book.series("t1", busy, on, on + timedelta(days=1))}, "μs")
    yield Item(
        "none",
        "on a date",
        fact,
        (f"T1 of Q{busy} on {day(on)}", f"what was T1 of q{busy} on {on:%Y-%m-%d}?"),
        (f"{day_ja(on)}のQ{busy}のT1", f"{on:%Y-%m-%d}のQ{busy}のT1は?"),
    )
    since = midnight(book.days_ago(3))
    yield Item(
        "none",
        "weekdays",
        Series({busy: book.series("t1", busy, since)}, "μs"),
        (f"T1 of Q{busy} since {weekday(since)}",),
        (f"{weekday_ja(since)}以降のQ{busy}のT1",),
    )
    yield Item(
        "none",
        "weekdays",
        Series({busy: book.series("t1", busy, since, since + timedelta(days=1))}, "μs"),
        (f"T1 of Q{busy} on {weekday(since)}",),
        (f"{weekday_ja(since)}のQ{busy}のT1",),
    )
    yesterday = midnight(book.as_of) - timedelta(days=1)
    yield Item(
        "none",
        "weekdays",
        Series({busy: book.series("t1", busy, yesterday, yesterday + timedelta(days=1))}, "μs"),
        (f"T1 of Q{busy} yesterday",),
        (f"昨日のQ{busy}のT1",),
    )


def _cool_downs(book: Book) -> Iterator[Item]:
    qid = book.chip.planted.readout_in_percent
    points = book.series("t1", qid, book.cooled_down)
    yield Item(
        "cool-down",
        "since",
        Series({qid: points}, "μs"),
        (f"T1 of Q{qid} since the last cool-down", f"t1 of q{qid} since cooldown"),
        (f"最後のクールダウン以降のQ{qid}のT1", f"前回の冷却以降のQ{qid}のT1の推移"),
    )
    before = [point.value for point in book.series("qubit_frequency", qid, until=book.cooled_down)][-10:]
    after = [point.value for point in book.series("qubit_frequency", qid, book.cooled_down)][:10]
    shift = abs(median(after) - median(before))
    yield Item(
        "cool-down",
        "how much",
        Between(0.9 * shift, 1.1 * shift, "GHz"),
        (f"By how many MHz did the frequency of Q{qid} shift at the last cool-down?",),
        (f"最後のクールダウンでQ{qid}の周波数は何MHzずれた?",),
    )
    at = book.cooled_down
    yield Item(
        "cool-down",
        "when",
        Says((f"{at:%Y-%m-%d}|{day(at)}(?!\\d)|{day_ja(at)}",)),
        ("When was the last cool-down?", "when did the current cooldown start"),
        ("最後のクールダウンはいつ?", "今のクールダウンはいつ始まった?"),
    )


def _stale(book: Book) -> Iterator[Item]:
    truth = book.chip.truth
    stale, dead = truth.stale[0], frozenset(truth.dead)
    yield Item(
        "stale",
        "negation",
        Ids(book.not_seen_since(book.days_ago(14)) - dead, dead),
        (
            "Which qubits were not measured in the last 14 days?",
            "qubits w/o any measurement in the past 2 weeks",
            "who has no data from the last 14 days?",
        ),
        ("過去14日間測定されていない量子ビットは?", "2週間測定のない量子ビット", "ここ2週間測ってない量子ビットは?"),
    )
    yield Item(
        "stale",
        "empty window",
        Empty(stale, book.series("t1", stale)[-1].at, book.as_of),
        (f"T1 of Q{stale} over the last 10 days", f"how did T1 of q{stale} develop in the past 10 days"),
        (f"過去10日のQ{stale}のT1の推移", f"Q{stale}のT1、直近10日はどう?"),
    )
    yield Item(
        "stale",
        "empty window",
        Empty(stale, book.series("t1", stale)[-1].at, book.as_of),
        (f"Did Q{stale} lose T1 in the last 20 days?",),
        (f"Q{stale}のT1は過去20日で低下した?",),
    )
    yield Item(
        "dead",
        "plain",
        Ids(dead),
        ("Any dead qubits?", "which qubits have never been measured?", "qubits with no data at all?"),
        ("死んでいる量子ビットはある?", "一度も測定されていない量子ビットは?", "データが全くない量子ビットは?"),
    )


def _two_windows(book: Book) -> Iterator[Item]:
    qid = book.chip.planted.slope
    weeks = [(book.days_ago(7), book.as_of), (book.days_ago(14), book.days_ago(7))]
    levels = []
    for since, until in weeks:
        values = [point.value for point in book.series("t1", qid, since, until)]
        levels.append(Value((fmean(values), median(values)), "μs"))
    yield Item(
        "slope",
        "two windows",
        Both(tuple(levels)),
        (
            f"Compare T1 of Q{qid} in the last 7 days with the 7 days before",
            f"T1 of q{qid}: last 7 days vs previous 7 days",
        ),
        (f"Q{qid}のT1を過去7日間とその前の7日間で比較", f"Q{qid}のT1、直近7日とその前の7日を比べて"),
    )
    this = midnight(book.as_of).replace(day=1)
    last = (this - timedelta(days=1)).replace(day=1)
    before = (last - timedelta(days=1)).replace(day=1)
    levels = []
    for since, until in ((last, this), (before, last)):
        values = [point.value for point in book.series("t1", qid, since, until)]
        levels.append(Value((fmean(values), median(values)), "μs"))
    one, two = MONTHS[before.month - 1], MONTHS[last.month - 1]
    yield Item(
        "slope",
        "two windows",
        Both(tuple(levels)),
        (f"Compare T1 of Q{qid} in {one} and {two}", f"mean T1 of q{qid}: {one} vs {two}"),
        (f"{before.month}月と{last.month}月のQ{qid}のT1を比較", f"Q{qid}のT1の平均、{before.month}月対{last.month}月"),
    )

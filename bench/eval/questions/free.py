"""Questions as they are typed in a lab: in a hurry, with abbreviations, typing mistakes, half sentences and politeness."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from statistics import fmean, median

from eval.book import MONTHS, Book
from eval.facts import Between, Both, Count, Drawn, Ids, Ranked, Series, Value, Values
from eval.questions.changes import fell, jumped
from eval.questions.item import Item, day, day_ja, label, short_day, weekday, weekday_ja
from eval.questions.times import midnight
from eval.questions.values import READOUT, limit_near


def items(book: Book) -> Iterator[Item]:
    """All of these."""
    yield from _morning(book)
    yield from _mails(book)
    yield from _times(book)
    yield from _asked_back(book)


def _morning(book: Book) -> Iterator[Item]:
    truth, planted = book.chip.truth, book.chip.planted
    t1 = book.current("t1")
    yield Item(
        "slope",
        "free",
        fell(book, "t1", 30),
        (
            "morning! which qbits' T1 tanked over the last 30 days?",
            "could you tell me whether any qubit has lost T1 within the last 30 days",
            "T1 degraded?? last 30 days",
        ),
        (
            "おはよう、直近30日でT1がガクッと落ちた量子ビットってある?",
            "過去30日以内にT1が低下した量子ビットがあるかどうか教えていただけますか",
            "T1劣化??過去30日",
        ),
    )
    yield Item(
        "jump",
        "free",
        jumped(book, 30),
        ("anything jump in frequency, past 30 days?", "qubit freq jumps last 30 d, list pls"),
        ("過去30日で周波数ジャンプした量子ビットある?", "直近30日の周波数ジャンプ、一覧ください"),
    )
    worst = tuple(book.ranked("t1")[:3])
    yield Item(
        "slope",
        "free",
        Ranked(worst),
        ("gimme the 3 worst qubits by T1", "three lowest t1s on the chip?", "lowest T1, top 3"),
        ("T1が一番ダメな量子ビット3つちょうだい", "チップで最も低いT1の3個は?", "T1の低い順に3個"),
    )
    poor = book.where(READOUT, lambda value: value < 90)
    yield Item(
        "readout",
        "free",
        Ids(poor),
        ("who's got readout under 90%?", "readot fidelity < 90 %", "any qubits w/ RO fid. below 90%"),
        (
            "読み出し90%切ってるの誰?",
            "読み出し忠実度<90%の量子ビット",
            "読出し忠実度が90%を下回る量子ビットはありますか",
        ),
    )
    yield Item(
        "dead",
        "free",
        Ids(frozenset(truth.dead)),
        ("dead qubits??", "is any qubit completely dead"),
        ("死んでる量子ビットいる?", "完全に死んでいる量子ビットはありますか"),
    )
    gone = book.not_seen_since(book.days_ago(21)) - {*truth.dead}
    yield Item(
        "stale",
        "free",
        Ids(gone, frozenset(truth.dead)),
        ("which ones haven't been measured for 3 weeks?", "qubits not measured since 3 weeks"),
        ("3週間測られてない量子ビットは?", "3週間測定されていない量子ビット"),
    )
    qid = planted.t1_in_ns
    yield Item(
        "units",
        "free",
        Values({qid: t1[qid]}, "μs"),
        (f"whats the T1 of q{qid} atm", f"Q{qid} T1 now?", f"current T1, {label(qid)}"),
        (f"Q{qid}のT1って今どれくらい?", f"Q{qid} T1 現在値", f"{label(qid)}の現在のT1を教えてください"),
    )
    bad = truth.bad_coupling[0]
    control, target = bad.split("-")
    yield Item(
        "coupling",
        "free",
        Values({bad: book.current("zx90_gate_fidelity")[bad]}, "%"),
        (f"how good is the zx90 on {control}-{target} currently", f"{label(bad)} current ZX90 fidelity?"),
        (f"{control}-{target}のZX90、今どのくらい?", f"{label(bad)}の現在のZX90忠実度は?"),
    )
    low = frozenset(qid for qid, value in book.current("bell_state_fidelity").items() if value < 85)
    yield Item(
        "coupling",
        "free",
        Ids(low),
        ("couplings w/ bell state fid under 85%", "any pair with a Bell state fidelity < 85 %?"),
        ("ベル状態忠実度が85%未満のカップリング", "ベル状態忠実度 < 85 % のペアはある?"),
    )
    noisy = planted.telegraph
    yield Item(
        "telegraph",
        "free",
        Series({noisy: book.series("t1", noisy, book.days_ago(14))}, "μs"),
        (f"can you plot q{noisy} t1 for the last 2 weeks pls", f"Q{noisy}: T1 vs time, last 14 d"),
        (f"Q{noisy}のT1、直近2週間のプロットお願い", f"Q{noisy}: T1の時系列、過去14日"),
    )


def _mails(book: Book) -> Iterator[Item]:
    t1, t2, readout = book.current("t1"), book.current("t2_echo"), book.current(READOUT)
    unsure = book.doubtful("t1")
    high = limit_near(list(t1.values()), 0.5, 0)
    echo = limit_near(list(t2.values()), 0.5, 0)
    mid = limit_near(list(readout.values()), 0.4, 1)
    good = frozenset(qid for qid in t1 if t1[qid] > high and t2.get(qid, 0.0) > echo and readout.get(qid, 0.0) > mid)
    yield Item(
        "none",
        "three conditions",
        Ids(good, unsure),
        (
            f"Which qubits have T1 > {high:g} us, T2 echo > {echo:g} us and readout fidelity > {mid:g} %?",
            f"t1>{high:g}us & t2echo>{echo:g}us & readout>{mid:g}%",
        ),
        (
            f"T1 > {high:g} us、T2エコー > {echo:g} us、読み出し忠実度 > {mid:g} % の量子ビットは?",
            f"T1が{high:g} usより長くてT2エコーが{echo:g} usより長くて読み出し忠実度が{mid:g} %より高い量子ビット",
        ),
    )
    not_lost = frozenset(book.measured("t1")) - fell(book, "t1", 30).ids
    yield Item(
        "slope",
        "negation",
        Ids(not_lost - fell(book, "t1", 30).may - {*book.chip.truth.stale, *book.chip.truth.rare} - unsure, not_lost),
        ("Which qubits did not lose T1 in the last 30 days?",),
        ("過去30日でT1が低下していない量子ビットは?",),
    )
    outside = frozenset(qid for qid, value in t1.items() if not 40 < value < 80)
    yield Item(
        "none",
        "negation",
        Ids(outside, unsure),
        ("Which qubits have a T1 that is not between 40 and 80 us?",),
        ("T1が40から80 μsの範囲にない量子ビットは?",),
    )
    share = 100 * sum(value > high for value in t1.values()) / len(t1)
    of_all = 100 * sum(value > high for value in t1.values()) / len(book.qubits)
    yield Item(
        "none",
        "share",
        Value((share, of_all), "%"),
        (f"What percentage of the qubits has T1 above {high:g} us?",),
        (f"T1が{high:g} μsを超える量子ビットは何%?",),
    )
    yield Item(
        "none",
        "two metrics",
        Both((Value(book.either("t1", median), "μs"), Value(book.either("t2_echo", median), "μs"))),
        ("median T1 and median T2 echo?",),
        ("T1の中央値とT2エコーの中央値は?",),
    )
    ratio = {qid: t2[qid] / t1[qid] for qid in t1 if qid in t2}
    yield Item(
        "none",
        "of another",
        Ranked((max(ratio, key=ratio.__getitem__),), first=True),
        ("Which qubit has the highest ratio of T2 echo to T1?",),
        ("T2エコーとT1の比が最も大きい量子ビットは?",),
    )
    yield Item(
        "none",
        "scatter",
        Drawn(("scatter",), tuple((t1[qid], t2[qid]) for qid in t1 if qid in t2)),
        ("plot T2 echo vs T1 for all qubits as a scatter plot",),
        ("全量子ビットのT2エコー対T1を散布図で",),
    )
    yield Item(
        "gate",
        "errors",
        Value((100 - min(book.current("x90_gate_fidelity").values()),), "%"),
        ("What is the largest X90 gate error?",),
        ("X90ゲートエラーの最大値は?",),
    )


def _times(book: Book) -> Iterator[Item]:
    qid, busy = book.chip.planted.step, book.chip.truth.busy[0]
    first = midnight(book.days_ago(24))
    last = first + timedelta(days=5)
    until = last + timedelta(days=1)
    failed = book.tasks(status="failed", since=first, until=until)
    yield Item(
        "failing fits",
        "dates",
        Count(len(failed), elements=False),
        (
            f"How many tasks failed from {day(first)} to {day(last)}?",
            f"failed tasks between {first:%Y-%m-%d} and {last:%Y-%m-%d}",
        ),
        (
            f"{day_ja(first)}から{day_ja(last)}までに失敗したタスクは何件?",
            f"{first:%Y-%m-%d}から{last:%Y-%m-%d}までに失敗したタスク",
        ),
    )
    month = midnight(book.days_ago(31)).replace(day=1)
    end = (month + timedelta(days=32)).replace(day=1)
    in_month = [row for row in book.runs() if month <= row["start_at"] < end]
    yield Item(
        "none",
        "months",
        Count(len(in_month), elements=False),
        (f"How many runs were there in {MONTHS[month.month - 1]}?",),
        (f"{month.month}月の実行は何回?",),
    )
    checks = book.tasks(status="failed", name="CheckT1", since=month, until=end)
    yield Item(
        "failing fits",
        "months",
        Count(len(checks), elements=False),
        (f"How many CheckT1 failed in {MONTHS[month.month - 1]}?",),
        (f"{month.month}月に失敗したCheckT1は何件?",),
    )
    yield Item(
        "none",
        "dates",
        Series({busy: book.series("t1", busy, first, until)}, "μs"),
        (
            f"q{busy} T1, {short_day(first)} - {short_day(last)}",
            f"T1 for {label(busy)} between {day(first)} and {day(last)}, please",
            f"how was T1 of qubit {busy} from {first.day} {MONTHS[first.month - 1]} until {last.day} {MONTHS[last.month - 1]}?",
        ),
        (
            f"Q{busy}のT1、{first.month}/{first.day}~{last.month}/{last.day}",
            f"{day_ja(first)}から{day_ja(last)}までの{label(busy)}のT1をお願いします",
            f"{first.year}年{day_ja(first)}〜{day_ja(last)}、Q{busy}のT1はどうだった?",
        ),
    )
    values = [point.value for point in book.series("t1", busy, first, until)]
    yield Item(
        "none",
        "dates",
        Value((fmean(values),), "μs", "mean|average|平均"),
        (f"average T1 of Q{busy} from {day(first)} to {day(last)}?",),
        (f"{day_ja(first)}から{day_ja(last)}のQ{busy}のT1の平均は?",),
    )
    on = midnight(book.days_ago(6))
    yield Item(
        "none",
        "weekdays",
        Series({busy: book.series("t1", busy, on, on + timedelta(days=1))}, "μs"),
        (f"T1 of Q{busy} last {weekday(on)}",),
        (
            f"先週の{weekday_ja(on)}のQ{busy}のT1"
            if on.weekday() > book.as_of.weekday()
            else f"この前の{weekday_ja(on)}のQ{busy}のT1",
        ),
    )
    since = midnight(book.days_ago(4))
    failed = book.tasks(status="failed", since=since)
    yield Item(
        "failing fits",
        "weekdays",
        Count(len(failed), elements=False),
        (f"How many tasks failed since {weekday(since)}?",),
        (f"{weekday_ja(since)}から失敗したタスクは何件?",),
    )
    cooled = book.pooled("t1", book.cooled_down)
    means = (
        fmean(value for of_one in cooled.values() for value in of_one),
        fmean(fmean(of_one) for of_one in cooled.values()),
    )
    yield Item(
        "cool-down",
        "since",
        Value(means, "μs", "mean|average|平均"),
        ("What is the mean T1 since the last cool-down?",),
        ("最後のクールダウン以降のT1の平均は?",),
    )
    yield Item(
        "cool-down",
        "since",
        Count(len([row for row in book.runs() if row["start_at"] >= book.cooled_down]), elements=False),
        ("How many runs since the last cool-down?",),
        ("最後のクールダウン以降の実行は何回?",),
    )
    rising = book.series("t1", book.chip.planted.slope, book.days_ago(18))
    lost = rising[-1].value / rising[0].value - 1
    yield Item(
        "slope",
        "how much",
        Between(60 * abs(lost), 145 * abs(lost), "%"),
        (f"T1 of q{book.chip.planted.slope} dropped by how much in the last 18 days (%)?",),
        (f"過去18日でQ{book.chip.planted.slope}のT1は何%落ちた?",),
    )
    yield Item(
        "step",
        "two windows",
        Both(
            tuple(
                Value((fmean(level), median(level)), "μs")
                for level in (
                    [point.value for point in book.series("t2_echo", qid, book.days_ago(10))],
                    [point.value for point in book.series("t2_echo", qid, book.days_ago(20), book.days_ago(10))],
                )
            )
        ),
        (f"T2 echo of q{qid}: last 10 days compared to the 10 days before that?",),
        (f"Q{qid}のT2エコー、直近10日とその前の10日の比較",),
    )


def _asked_back(book: Book) -> Iterator[Item]:
    qid = book.chip.planted.step
    readout = book.current(READOUT)[qid]
    yield Item(
        "readout",
        "follow-up: answer",
        Value((readout,), "%"),
        ("readout",),
        ("読み出し",),
        ((f"current fidelity of Q{qid}?", f"Q{qid}の現在の忠実度は?"),),
    )

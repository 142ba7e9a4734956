"""Current values: limits, ranges, conditions, ranking, statistics, errors, units, exclusions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean, median, pstdev, stdev

from eval.book import Book, correlation, ranks
from eval.facts import Count, Drawn, Either, Ids, Ranked, Value, Values
from eval.questions.item import Item

READOUT = "average_readout_fidelity"


def items(book: Book) -> Iterator[Item]:
    """All about values as they are now."""
    yield from _limits(book)
    yield from _rankings(book)
    yield from _statistics(book)
    yield from _of_one(book)
    yield from _relations(book)


def limit_near(values: list[float], share: float, decimals: int) -> float:
    """A round limit near that share of the values, in the widest gap around there: no rounding decides who is meant."""
    ordered = sorted(values)
    at, around = int(share * (len(ordered) - 1)), max(2, len(ordered) // 8)
    gaps = list(pairwise(ordered))[max(0, at - around) : at + around]
    low, high = max(gaps, key=lambda gap: gap[1] - gap[0])
    limit = round((low + high) / 2, decimals)
    return limit if low < limit < high else (low + high) / 2


def _limits(book: Book) -> Iterator[Item]:
    t1, readout = book.current("t1"), book.current(READOUT)
    unsure = book.doubtful("t1")
    low = limit_near(list(t1.values()), 0.2, 0)
    high = limit_near(list(t1.values()), 0.45, 0)
    below = book.where("t1", lambda value: value < low)
    yield Item(
        "slope",
        "limit",
        Ids(below, unsure),
        (f"Which qubits have T1 below {low:g} us?", f"T1 < {low:g} μs", f"list qubits w/ t1 under {low:g}us"),
        (f"T1が{low:g} μs未満の量子ビットは?", f"T1 < {low:g} us の量子ビット", f"T1が{low:g}us切ってるのどれ?"),
    )
    yield Item(
        "slope",
        "how many",
        Count(len(below), ids=below),
        (f"How many qubits have T1 below {low:g} us?", f"number of qubits with T1 less than {low:g} us?"),
        (f"T1が{low:g} μs未満の量子ビットはいくつ?", f"T1が{low:g}us未満の量子ビットの数は?"),
    )
    between = book.where("t1", lambda value: low < value < high)
    yield Item(
        "none",
        "value range",
        Ids(between, unsure),
        (
            f"T1 between {low:g} and {high:g} us",
            f"which qubits have a T1 of {low:g} to {high:g} us?",
            f"qubits w/ {low:g} us < T1 < {high:g} us",
        ),
        (
            f"T1が{low:g}から{high:g} μsの量子ビット",
            f"T1が{low:g}〜{high:g} usの量子ビットは?",
            f"{low:g} us < T1 < {high:g} us の量子ビット",
        ),
    )
    mid = limit_near(list(readout.values()), 0.5, 1)
    both = frozenset(qid for qid, value in t1.items() if value < high and readout.get(qid, 100) < mid)
    yield Item(
        "readout",
        "two conditions",
        Ids(both, unsure),
        (
            f"Which qubits have T1 < {high:g} us and readout < {mid:g} %?",
            f"T1 below {high:g} us AND readout fidelity below {mid:g}%",
            f"qubits where both t1 < {high:g}us, readout fid < {mid:g}%",
        ),
        (
            f"T1が{high:g} μs未満かつ読み出し忠実度が{mid:g} %未満の量子ビットは?",
            f"T1 < {high:g} us で読み出し忠実度 < {mid:g}% の量子ビット",
            f"T1が{high:g}us未満、しかも読み出しが{mid:g}%未満なのは?",
        ),
    )
    either = frozenset(qid for qid in {*t1, *readout} if t1.get(qid, 1e9) < low or readout.get(qid, 1e9) < 93)
    yield Item(
        "readout",
        "two conditions",
        Ids(either, unsure),
        (f"Which qubits have T1 below {low:g} us or readout fidelity below 93 %?",),
        (f"T1が{low:g} μs未満または読み出し忠実度が93 %未満の量子ビットは?",),
    )
    poor = book.where(READOUT, lambda value: value < 93)
    yield Item(
        "readout",
        "limit",
        Ids(poor),
        ("Which qubits have readout fidelity below 93 %?", "readout < 0.93", "readout fid lower than 93%?"),
        ("読み出し忠実度が93 %未満の量子ビットは?", "読み出し < 0.93", "読み出しが93%切ってる量子ビットは?"),
    )
    yield Item(
        "readout",
        "errors",
        Ids(poor),
        ("Which qubits have a readout error above 7 %?", "readout error > 7%"),
        ("読み出しエラーが7 %を超える量子ビットは?", "読み出しエラー > 7%"),
    )
    t2 = book.current("t2_echo")
    violating = frozenset(qid for qid in t2 if qid in t1 and t2[qid] > 2 * t1[qid])
    yield Item(
        "slope",
        "of another",
        Ids(violating, unsure),
        ("Which qubits have T2 echo > 2·T1?", "any qubit with T2 echo larger than 2*T1?"),
        ("T2エコーが2·T1より大きい量子ビットは?", "T2エコー > 2*T1 の量子ビットある?"),
    )
    longer = frozenset(qid for qid in t2 if qid in t1 and t2[qid] > t1[qid])
    yield Item(
        "none",
        "of another",
        Ids(longer, unsure),
        ("Which qubits have T2 echo longer than T1?",),
        ("T2エコーがT1より長い量子ビットは?",),
    )
    good = book.where(READOUT, lambda value: value >= mid)
    yield Item(
        "readout",
        "negation",
        Ids(good),
        (f"Which qubits do not have readout fidelity below {mid:g} %?",),
        (f"読み出し忠実度が{mid:g} %未満ではない量子ビットは?",),
    )


def _rankings(book: Book) -> Iterator[Item]:
    worst = book.ranked("t1")
    yield Item(
        "slope",
        "ranking",
        _first(book, "lowest", 5),
        ("Which 5 qubits have the lowest T1?", "worst five T1", "bottom 5 qubits by t1 plz"),
        ("T1が低い量子ビットを5個", "T1のワースト5は?", "T1悪い順に5個教えて"),
    )
    yield Item(
        "excluded",
        "ranking",
        _first(book, "highest", 3),
        ("Which three qubits have the longest T1?", "top 3 T1"),
        ("T1が最も長い量子ビットを3つ", "T1のトップ3"),
    )
    yield Item(
        "slope",
        "negation",
        _first(book, "lowest", 3, set(worst[:2])),
        (
            f"Which 3 qubits have the lowest T1 except Q{worst[0]} and Q{worst[1]}?",
            f"worst 3 T1, excluding Q{worst[0]} and Q{worst[1]}",
        ),
        (
            f"Q{worst[0]}とQ{worst[1]}を除いて、T1が最も低い量子ビットを3つ",
            f"Q{worst[0]}とQ{worst[1]}以外でT1のワースト3",
        ),
    )
    readout = book.ranked(READOUT)
    yield Item(
        "readout",
        "ranking",
        Ranked(tuple(readout[:4])),
        ("Which 4 qubits have the lowest readout fidelity?", "four worst readout"),
        ("読み出し忠実度が最も低い量子ビットを4つ", "読み出しのワースト4"),
    )
    yield Item(
        "readout",
        "errors",
        Ranked(tuple(readout[:3])),
        ("Which 3 qubits have the highest readout error?",),
        ("読み出しエラーが最も大きい量子ビットを3つ",),
    )
    gates = book.ranked("x90_gate_fidelity")
    yield Item(
        "gate",
        "ranking",
        Ranked(tuple(gates[:1]), first=True),
        ("Which qubit has the worst X90 gate fidelity?", "lowest x90 fid?"),
        ("X90ゲート忠実度が最も悪い量子ビットは?", "X90ゲート忠実度の最下位は?"),
    )
    among = [str(qid) for qid in range(8, 16) if str(qid) in worst]
    lowest = min(among, key=book.current("t1").__getitem__)
    yield Item(
        "none",
        "of some",
        Ranked((lowest,), first=True),
        (
            "Among Q8 to Q15, which qubit has the lowest T1?",
            "which of Q8, Q9, Q10, Q11, Q12, Q13, Q14 and Q15 has the lowest T1?",
        ),
        ("Q8からQ15の中でT1が最も低い量子ビットは?", "Q8、Q9、Q10、Q11、Q12、Q13、Q14、Q15のうちT1が一番低いのは?"),
    )


def _first(book: Book, end: str, count: int, without: set[str] | None = None) -> Either:
    """The first of T1; where a current value is a failed fit, its qubit may stand where its newest one belongs."""
    rankings = [book.ranked("t1", best=end == "highest", newest=newest) for newest in (False, True)]
    return Either(tuple(Ranked(tuple(qid for qid in ids if qid not in (without or ()))[:count]) for ids in rankings))


def _statistics(book: Book) -> Iterator[Item]:
    yield Item(
        "none",
        "mean",
        Value(book.either("t1", fmean), "μs", "mean|average|平均"),
        ("What is the mean T1?", "mean T1 of the chip", "avg T1 over all qubits?"),
        ("T1の平均は?", "チップのT1の平均値", "全量子ビットのT1の平均いくつ?"),
    )
    yield Item(
        "none", "median", Value(book.either("t1", median), "μs"), ("What is the median T1?",), ("T1の中央値は?",)
    )
    yield Item(
        "readout",
        "mean",
        Value(book.either(READOUT, fmean), "%", "mean|average|平均"),
        ("What is the mean of the readout fidelity over the qubits?",),
        ("読み出し忠実度の全量子ビットの平均は?",),
    )
    yield Item(
        "readout",
        "errors",
        Value((100 - median(book.current(READOUT).values()),), "%"),
        ("What is the median readout error?",),
        ("読み出しエラーの中央値は?",),
    )
    yield Item(
        "none",
        "spread",
        Value((*book.either("t1", stdev), *book.either("t1", pstdev)), "μs"),
        ("What is the standard deviation of T1 over the qubits?",),
        ("量子ビット間のT1の標準偏差は?",),
    )
    yield Item(
        "none",
        "map",
        Drawn(("heatmap",)),
        ("Heatmap of T1", "show me a map of T1"),
        ("T1のヒートマップ", "T1のマップ見せて"),
    )
    yield Item(
        "none",
        "histogram",
        Drawn(("histogram", "bar")),
        ("Histogram of T1", "plot a histogram of T1 over all qubits"),
        ("T1のヒストグラム", "全量子ビットのT1のヒストグラムを描いて"),
    )


def _of_one(book: Book) -> Iterator[Item]:
    planted, truth = book.chip.planted, book.chip.truth
    t1 = book.current("t1")
    for family, qid, parameter, unit, en, ja in (
        (
            "units",
            planted.t1_in_ns,
            "t1",
            "μs",
            ("What is the current T1 of Q{}?", "T1 of q{} right now?"),
            ("Q{}の現在のT1は?", "Q{}のT1、今いくつ?"),
        ),
        (
            "units",
            planted.frequency_in_mhz,
            "qubit_frequency",
            "GHz",
            ("What is the current frequency of Q{}?", "f01 of qubit {} now?"),
            ("Q{}の現在の周波数は?", "Q{}の今の周波数いくつ"),
        ),
        (
            "units",
            planted.readout_in_percent,
            READOUT,
            "%",
            ("What is the current readout fidelity of Q{}?",),
            ("Q{}の現在の読み出し忠実度は?",),
        ),
        (
            "excluded",
            truth.excluded_now[0],
            "t1",
            "μs",
            ("What is the current T1 of Q{}?", "current t1 value of q{}"),
            ("Q{}の現在のT1は?", "Q{}の現在のT1の値"),
        ),
    ):
        yield Item(
            family,
            "of one",
            Values({qid: book.current(parameter)[qid]}, unit),
            tuple(text.format(qid) for text in en),
            tuple(text.format(qid) for text in ja),
        )
    low = truth.low_readout[0]
    yield Item(
        "readout",
        "errors",
        Value((100 - book.current(READOUT)[low],), "%"),
        (f"What is the readout error of Q{low}?", f"readout err of q{low}?"),
        (f"Q{low}の読み出しエラーは?", f"Q{low}の読み出しエラーはいくつ?"),
    )
    a, b = planted.t1_in_ns, planted.step
    yield Item(
        "units",
        "compare",
        Values({a: t1[a], b: t1[b]}, "μs"),
        (f"Compare T1 of Q{a} and Q{b}", f"T1: q{a} vs q{b}"),
        (f"Q{a}とQ{b}のT1を比較", f"Q{a}とQ{b}のT1を比べて"),
    )
    milli = limit_near(list(t1.values()), 0.25, 0)
    yield Item(
        "units",
        "limit",
        Ids(book.where("t1", lambda value: value < milli), book.doubtful("t1")),
        (f"Which qubits have T1 below {milli / 1e3:g} ms?",),
        (f"T1が{milli / 1e3:g} ms未満の量子ビットは?",),
    )
    fast = book.current("qubit_frequency")
    limit = limit_near(list(fast.values()), 0.8, 3)
    yield Item(
        "units",
        "limit",
        Ids(book.where("qubit_frequency", lambda value: value > limit)),
        (f"Which qubits have a frequency above {limit * 1e3:.0f} MHz?",),
        (f"周波数が{limit * 1e3:.0f} MHzを超える量子ビットは?",),
    )


def _relations(book: Book) -> Iterator[Item]:
    for one, other, en, ja in (
        (
            "t1",
            READOUT,
            ("Is T1 correlated with readout fidelity?", "correlation between T1 and readout fid?"),
            ("T1と読み出し忠実度に相関はありますか?", "T1と読み出し忠実度の相関係数は?"),
        ),
        (
            "t1",
            "t2_echo",
            ("What is the correlation of T1 and T2 echo?", "does T2 echo depend on T1? corr coeff pls"),
            ("T1とT2エコーの相関係数は?", "T2エコーはT1と相関してる?"),
        ),
    ):
        coefficients = []
        for x, y in zip(book.populations(one), book.populations(other), strict=True):
            shared = [qid for qid in x if qid in y]
            xs, ys = [x[qid] for qid in shared], [y[qid] for qid in shared]
            coefficients += [correlation(xs, ys), correlation(ranks(xs), ranks(ys))]
        yield Item("none", "relation", Value(tuple(coefficients), ""), en, ja)
    x, y = book.current("t1"), book.current(READOUT)
    points = tuple((x[qid], y[qid]) for qid in x if qid in y)
    yield Item(
        "none",
        "scatter",
        Drawn(("scatter",), points),
        ("Scatter plot of T1 against readout fidelity", "scatter T1 vs readout"),
        ("T1と読み出し忠実度の散布図", "T1対読み出し忠実度の散布図を描いて"),
    )

"""What ran, failed, was excluded, was written down; single measurements, couplings, neighbours, lists."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from eval.book import Book
from eval.facts import Both, Count, Either, Ids, Listed, Ranked, Says, Series, Value, Values
from eval.questions.item import Item, day, day_ja, label
from eval.questions.times import midnight

ZX90 = "zx90_gate_fidelity"
BELL = "bell_state_fidelity"


def items(book: Book) -> Iterator[Item]:
    """All that is looked up."""
    yield from _failures(book)
    yield from _runs(book)
    yield from _couplings(book)
    yield from _measurements(book)
    yield from _written(book)


def _failures(book: Book) -> Iterator[Item]:
    qid = book.chip.planted.failing
    week = book.days_ago(7)
    yield Item(
        "failing fits",
        "failed tasks",
        Count(len(book.tasks(status="failed", since=week)), elements=False),
        (
            "Which tasks failed in the last 7 days?",
            "how many tasks failed in the past 7 days?",
            "failed tasks last 7d?",
        ),
        ("過去7日で失敗したタスクは?", "過去7日間で失敗したタスクは何件?", "直近7日で失敗したタスク"),
    )
    since = book.days_ago(30)
    failed = book.tasks(status="failed", since=since, qid=qid, name="CheckT1")
    done = book.tasks(since=since, qid=qid, name="CheckT1")
    yield Item(
        "failing fits",
        "of one",
        Count(len(failed), elements=False),
        (f"How many CheckT1 of Q{qid} failed in the last 30 days?", f"failed CheckT1 of q{qid}, last 30 days"),
        (f"過去30日でQ{qid}のCheckT1は何回失敗しましたか?", f"過去30日で失敗したQ{qid}のCheckT1"),
    )
    yield Item(
        "failing fits",
        "rate",
        Value((100 * len(failed) / len(done),), "%", r"\d\s*%|failure rate|失敗率"),
        (f"What is the failure rate of CheckT1 on Q{qid} over the last 30 days?",),
        (f"過去30日のQ{qid}のCheckT1の失敗率は?",),
    )
    other = book.chip.planted.step
    few = book.tasks(status="failed", since=since, qid=other)
    yield Item(
        "failing fits",
        "of one",
        Count(len(few), elements=False),
        (f"Which tasks of Q{other} failed in the last 30 days?", f"what failed on q{other} in the past 30 days"),
        (f"過去30日で失敗したQ{other}のタスクは?", f"直近30日でQ{other}で失敗したのは?"),
    )
    points = book.series("t1", qid, book.days_ago(25))
    yield Item(
        "failing fits",
        "trend",
        Series({qid: points}, "μs"),
        (f"T1 of Q{qid} over the last 25 days",),
        (f"過去25日のQ{qid}のT1の推移",),
    )
    yield Item(
        "failing fits",
        "how many",
        Count(len(points), elements=False),
        (f"How many T1 measurements of Q{qid} are there in the last 25 days?",),
        (f"過去25日のQ{qid}のT1の測定は何件?",),
    )
    truth = book.chip.truth
    excluded = frozenset((*truth.excluded_now, *truth.excluded_outlier))
    yield Item(
        "excluded",
        "list",
        Ids(excluded),
        ("Which qubits have excluded T1 results?", "which T1 results were excluded?"),
        ("除外されたT1の結果がある量子ビットは?", "除外されたT1の結果はどれ?"),
    )
    outlier = truth.excluded_outlier[0]
    points = book.series("t1", outlier, book.days_ago(30))
    yield Item(
        "excluded",
        "lowest and highest",
        Value((max(point.value for point in points),), "μs", "max|high|最大|最高|高"),
        (f"What is the maximum T1 of Q{outlier} in the last 30 days?",),
        (f"過去30日のQ{outlier}のT1の最大値は?",),
    )


def _runs(book: Book) -> Iterator[Item]:
    checks = book.runs("check")
    yield Item(
        "none",
        "tags",
        Listed(tuple(run["execution_id"] for run in checks[:3]), r"\d{8}-\d{3}"),
        ("last 3 runs tagged check", "show the three latest runs with the tag check"),
        ("タグcheckの直近3回の実行", "checkタグの最新の実行を3件"),
    )
    since = book.days_ago(14)
    lately = [run for run in book.runs() if run["start_at"] >= since]
    tagged = [run for run in lately if "check" in run["tags"]]
    yield Item(
        "none",
        "tags",
        Count(len(tagged), elements=False),
        ("How many runs tagged check were there in the last 14 days?",),
        ("過去14日のタグcheckの実行は何回?",),
    )
    yield Item(
        "none",
        "how many",
        Count(len(lately), elements=False),
        ("How many runs were there in the last 14 days?",),
        ("過去14日の実行は何回?",),
    )
    on = midnight(book.days_ago(20))
    of_day = [run["execution_id"] for run in book.runs() if on <= run["start_at"] < on + timedelta(days=1)]
    yield Item(
        "none",
        "on a date",
        Listed(tuple(of_day), r"\d{8}-\d{3}"),
        (f"Which runs started on {day(on)}?", f"runs on {on:%Y-%m-%d}"),
        (f"{day_ja(on)}に始まった実行は?", f"{on:%Y-%m-%d}の実行"),
    )


def _couplings(book: Book) -> Iterator[Item]:
    bad = book.chip.truth.bad_coupling[0]
    control, target = bad.split("-")
    zx90, bell = book.current(ZX90), book.current(BELL)
    yield Item(
        "coupling",
        "limit",
        Ids(book.where(ZX90, lambda value: value < 90)),
        ("Which couplings have a ZX90 gate fidelity below 90 %?", "zx90 < 90%"),
        ("ZX90ゲート忠実度が90 %未満のカップリングは?", "ZX90 < 90% のカップリング"),
    )
    yield Item(
        "coupling",
        "ranking",
        Ranked(tuple(book.ranked(ZX90)[:3])),
        ("Which 3 couplings have the lowest ZX90 gate fidelity?", "worst 3 couplings by zx90"),
        ("ZX90ゲート忠実度が最も低いカップリングを3つ", "ZX90ゲート忠実度のワースト3のカップリング"),
    )
    yield Item(
        "coupling",
        "either direction",
        Values({bad: zx90[bad]}, "%"),
        (
            f"What is the ZX90 fidelity of coupling {control}-{target}?",
            f"current zx90 of Q{target}-Q{control}",
            f"ZX90 gate fidelity between q{target} and q{control} now?",
        ),
        (
            f"カップリング{control}-{target}のZX90忠実度は?",
            f"Q{target}-Q{control}の現在のZX90ゲート忠実度",
            f"Q{target}とQ{control}の間のZX90ゲート忠実度は今いくつ?",
        ),
    )
    poor = [qid for qid in zx90 if zx90[qid] < 96.5]
    yield Item(
        "coupling",
        "how many",
        Count(len(poor), ids=frozenset(poor)),
        ("How many couplings have a ZX90 gate fidelity below 96.5 %?",),
        ("ZX90ゲート忠実度が96.5 %未満のカップリングは何個?",),
    )
    yield Item(
        "coupling",
        "either direction",
        Values({bad: bell[bad]}, "%"),
        (f"Bell state fidelity of {target}-{control} now",),
        (f"{target}-{control}の現在のベル状態忠実度",),
    )
    own = {qid: value for qid, value in zx90.items() if control in qid.split("-")}
    worst = min(own, key=own.__getitem__)
    yield Item(
        "coupling",
        "of one",
        Ranked((worst,), first=True),
        (f"Which coupling of Q{control} has the lowest ZX90 gate fidelity?",),
        (f"Q{control}のカップリングでZX90ゲート忠実度が最も低いのは?",),
    )
    near = book.neighbours(control)
    joined = frozenset("-".join(pair) for other in near for pair in ((control, other), (other, control)))
    yield Item(
        "coupling",
        "neighbours",
        Ids(near, frozenset({control}) | joined),
        (f"Which qubits are coupled to Q{control}?", f"neighbors of q{control}?"),
        (f"Q{control}に隣接する量子ビットは?", f"Q{control}とつながってる量子ビットは?"),
    )
    yield Item(
        "coupling",
        "errors",
        Value((100 - zx90[bad],), "%"),
        (f"What is the ZX90 gate error of {bad}?",),
        (f"{bad}のZX90ゲートエラーは?",),
    )


def _measurements(book: Book) -> Iterator[Item]:
    qid, ns = book.chip.planted.step, book.chip.planted.t1_in_ns
    yield Item(
        "none",
        "history",
        Series({qid: book.series("t1", qid)[-5:]}, "μs"),
        (f"last 5 T1 measurements of Q{qid}", f"show me the five most recent T1 values of q{qid}"),
        (f"Q{qid}のT1の測定値を5件", f"Q{qid}のT1、直近の測定値5個"),
    )
    yield Item(
        "units",
        "history",
        Series({ns: book.series("t1", ns)[-4:]}, "μs"),
        (f"last 4 T1 measurements of Q{ns}",),
        (f"Q{ns}のT1の測定値を4件",),
    )
    newest = book.series("t2_echo", qid)[-1]
    yield Item(
        "step",
        "history",
        Value((newest.value,), "μs"),
        (f"Latest CheckT2Echo of Q{qid}", f"newest result of CheckT2Echo on q{qid}"),
        (f"Q{qid}のCheckT2Echoの最新結果", f"Q{qid}の最新のCheckT2Echoは?"),
    )
    stale = book.chip.truth.stale[0]
    seen = book.last_seen(stale)
    if seen is not None:
        yield Item(
            "stale",
            "when",
            Says((f"{seen:%Y-%m-%d}|{day(seen)}(?!\\d)|{day_ja(seen)}",)),
            (f"When was Q{stale} last measured?", f"when did we last measure q{stale}?"),
            (f"Q{stale}が最後に測定されたのはいつ?", f"Q{stale}の最後の測定はいつ?"),
        )
    points = book.series("t1", book.chip.planted.telegraph, book.days_ago(30))
    level = (min(point.value for point in points) + max(point.value for point in points)) / 2
    limit = round(level)
    yield Item(
        "telegraph",
        "how many",
        Count(sum(point.value < limit for point in points), elements=False),
        (f"How many T1 measurements of Q{book.chip.planted.telegraph} were below {limit} us in the last 30 days?",),
        (f"過去30日のQ{book.chip.planted.telegraph}のT1の測定のうち{limit} μs未満は何件?",),
    )
    month = book.pooled("t1", book.days_ago(10))
    level_of = {member: sorted(values)[len(values) // 2] for member, values in month.items() if len(values) > 4}
    lowest = min(level_of, key=level_of.__getitem__)
    yield Item(
        "slope",
        "ranking",
        Ranked((lowest,), first=True),
        ("Which qubit had the lowest median T1 in the last 10 days?",),
        ("過去10日のT1の中央値が最も低い量子ビットは?",),
    )
    both = (book.current("t1")[qid], book.current("t2_echo")[qid])
    yield Item(
        "step",
        "of one",
        Both((Values({qid: both[0]}, "μs"), Values({qid: both[1]}, "μs"))),
        (f"What are the current T1 and T2 echo of Q{qid}?", f"T1 & T2 echo of q{qid} now"),
        (f"Q{qid}の現在のT1とT2エコーは?", f"Q{qid}のT1とT2エコー、今いくつ?"),
    )


def _written(book: Book) -> Iterator[Item]:
    notes = {row["target_id"]: row["note"]["content"] for row in book.chip.documents["target_note"]}
    stale, dead = book.chip.truth.stale[0], book.chip.truth.dead[0]
    for qid, words in ((stale, "lent to another"), (dead, "wire bond")):
        if words in notes.get(qid, ""):
            yield Item(
                "stale" if qid == stale else "dead",
                "notes",
                Says((words,)),
                (f"Notes about Q{qid}", f"what did people write about q{qid}?"),
                (f"Q{qid}のメモ", f"Q{qid}について書かれていることは?"),
            )
    fell = book.chip.truth.t1_falling[0]
    yield Item(
        "slope",
        "notes",
        Says((rf"{label(fell)}|\bQ{fell}\b",)),
        ("notes mentioning TLS", "any notes about TLS?"),
        ("TLSに触れたメモ", "TLSについてのメモはある?"),
    )
    yield Item(
        "none",
        "list",
        Says((r"t1", r"t2[ _]?echo|t2エコー", r"zx90", r"bell|ベル", r"readout|読み出し", r"anharmonic|非調和")),
        ("Which parameters are measured?", "list of available parameters"),
        ("測定されているパラメータは?", "利用可能なパラメータの一覧"),
    )
    qid = book.chip.planted.step
    versions = [
        row for row in book.chip.documents["parameter_versions"] if row["parameter_name"] == "t1" and row["qid"] == qid
    ]
    versions.sort(key=lambda row: row["version"])
    yield Item(
        "none",
        "history",
        Either((Value((versions[-2]["value"],), "μs"),)),
        (f"What was T1 of Q{qid} before?", f"previous T1 value of q{qid}?"),
        (f"Q{qid}のT1は以前はいくつでしたか?", f"Q{qid}のT1の前の値は?"),
    )
    yield Item(
        "none",
        "how many",
        Count(len(book.qubits)),
        ("How many qubits does the chip have?",),
        ("チップの量子ビットは何個?",),
    )

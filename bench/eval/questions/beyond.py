"""What the data cannot tell, and what does not exist: an answer may ask back, say that it cannot, or name what it left out."""

from __future__ import annotations

from collections.abc import Iterator

from eval.book import Book
from eval.facts import NotThere, Unanswerable
from eval.questions.item import Item

_NO_ANSWER = (
    ("advice", "Which qubit should we replace?", "どの量子ビットを交換すべきですか?"),
    (
        "advice",
        "which qubits would you use for a 5 qubit GHZ state tomorrow",
        "明日5量子ビットのGHZ状態に使うならどれがいい?",
    ),
    ("forecast", "What will T1 of Q5 be next week?", "来週のQ5のT1はどうなりますか?"),
    ("cause", "Which qubits lost T1 because of a two-level system?", "二準位系のせいでT1が低下した量子ビットは?"),
    (
        "condition",
        "Which qubits on the left half of the chip have the lowest T1?",
        "チップの左半分でT1が最も低い量子ビットは?",
    ),
    (
        "condition",
        "Which qubits with an Al/Ta stack have T1 below 60 us?",
        "Al/Ta積層の量子ビットでT1が60 μs未満なのは?",
    ),
    ("condition", "worst T1 among the qubits that Suzuki tuned", "鈴木さんが調整した量子ビットの中でT1が最悪なのは?"),
    ("condition", "mean T1 at 20 mK", "20 mKでのT1の平均"),
    ("condition", "T1 of Q5 while the pulse tube was off", "パルスチューブ停止中のQ5のT1"),
    (
        "condition",
        "Which qubits lost T1 in the last 30 days after the fridge was opened?",
        "冷凍機を開けた後、過去30日でT1が低下した量子ビットは?",
    ),
    ("condition", "heatmap of T1 for the tunable qubits", "可変周波数の量子ビットだけのT1のヒートマップ"),
    ("person", "Who calibrated Q5 last?", "Q5を最後にキャリブレーションしたのは誰?"),
    ("surroundings", "What was the temperature of the mixing chamber on the last night?", "昨夜の混合室の温度は?"),
    ("definition", "which qubits are nice", "素敵な量子ビットは?"),
)
"""Form of the question, English, Japanese."""

_NOT_THERE = (
    ("unknown parameter", "Trend of T3 of Q5", "Q5のT3の推移", "T3"),
    (
        "unknown parameter",
        "Which qubits have the lowest kappa_total?",
        "kappa_totalが最も低い量子ビットは?",
        "kappa_total",
    ),
    (
        "unknown parameter",
        "spin echo contrast of q5 over the last 20 days",
        "過去20日のQ5のスピンエコーのコントラスト",
        "contrast|コントラスト",
    ),
    ("unknown chip", "How is chip 64Q-zeta?", "チップ64Q-zetaの状態は?", "64Q-zeta"),
    ("unknown chip", "worst 5 T1 on chip 144Q-x", "チップ144Q-xのT1のワースト5", "144Q-x"),
    ("unknown qubit", "T1 of Q99", "Q99のT1", "99"),
    ("unknown qubit", "Compare T1 of Q3 and Q77", "Q3とQ77のT1を比較", "77"),
    ("unknown task", "latest CheckFoo of Q5", "Q5のCheckFooの最新結果", "CheckFoo"),
)


def items(_book: Book) -> Iterator[Item]:
    """All of these; the same for each chip."""
    for form, english, japanese in _NO_ANSWER:
        yield Item("no answer", form, Unanswerable(), (english,), (japanese,))
    for form, english, japanese, name in _NOT_THERE:
        yield Item("no answer", form, NotThere(name), (english,), (japanese,))

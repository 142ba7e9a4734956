"""Questions to begin with, made for what was measured on the chip."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from qdash_jupyter.domain.language import Language, Words

if TYPE_CHECKING:
    from qdash_jupyter.domain.wire import panel

_MOST = 4
_QUESTIONS: tuple[tuple[str, Words], ...] = (
    ("t1", Words("Which qubits lost T1 in the last 30 days?", "過去30日でT1が低下した量子ビットは?")),
    ("", Words("How is the chip?", "チップの状態は?")),
    (
        "average_readout_fidelity",
        Words("Which 5 qubits have the lowest readout fidelity?", "読み出し忠実度が最も低い量子ビットを5つ"),
    ),
    ("t1", Words("Heatmap of T1", "T1のヒートマップ")),
    ("t2_echo", Words("Which qubits have the worst T2 echo?", "T2エコーが最も低い量子ビットは?")),
    ("zx90_gate_fidelity", Words("Which couplings are bad?", "ZX90ゲート忠実度が最も低いカップリングは?")),
    ("qubit_frequency", Words("Any frequency shifts?", "今週周波数がずれた量子ビットは?")),
    ("", Words("What changed this week?", "今週何が変わった?")),
    ("", Words("Which parameters were measured?", "測定済みパラメータは?")),
)
"""What has to be measured for a question, in order of preference. The offline planner understands them all."""


def starters(parameters: Collection[str] | None = None, language: Language = "en") -> list[panel.Starter]:
    """Four questions. `parameters` are those of the chip; None where it is not known which ones were measured."""
    asked = [
        words.of(language) for needed, words in _QUESTIONS if not needed or parameters is None or needed in parameters
    ]
    return [starter(question, question) for question in asked[:_MOST]]


def starter(label: str, prompt: str) -> panel.Starter:
    """A button, and the question that it puts into the box."""
    return {"label": label, "prompt": prompt}

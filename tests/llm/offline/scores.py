"""How well the named qubits and couplings fit the truth of a demo chip, by kind of question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from demo_chip.truth import Truth

from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, ids_in, session

QUESTIONS = {
    "t1_lost": ("Which qubits lost T1 in the last 30 days?", "過去30日でT1が低下した量子ビットは?"),
    "frequency_jumps": ("Which qubits' frequency jumped this month?", "今月周波数が飛んだ量子ビットは?"),
    "low_readout": ("Which qubits have low readout fidelity?", "読み出し忠実度が低い量子ビットは?"),
    "bad_couplings": ("Which couplings are bad?", "悪いカップリングは?"),
    "dead": ("Any dead qubits?", "死んでいる量子ビットはある?"),
    "stale": ("Which qubits were not measured recently?", "最近測定されていない量子ビットは?"),
}
"""Each in English and in Japanese; the first bold sentence of the answer names the elements."""


def true_ids(kind: str, truth: Truth) -> set[str]:
    return {
        "t1_lost": set(truth.t1_lost()),
        "frequency_jumps": set(truth.frequency_jumps()),
        "low_readout": set(truth.low_readout),
        "bad_couplings": set(truth.bad_coupling),
        "dead": set(truth.dead),
        "stale": set(truth.stale),
    }[kind]


@dataclass
class Score:
    """Counts over several chips, and what went wrong where."""

    hits: int = 0
    unsure: int = 0
    named: int = 0
    true: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.hits / self.named if self.named else 1.0

    @property
    def recall(self) -> float:
        return self.hits / self.true if self.true else 1.0

    @property
    def told(self) -> float:
        """The recall with those that are said to be not sure."""
        return (self.hits + self.unsure) / self.true if self.true else 1.0

    def add(self, where: str, named: set[str], true: set[str], unsure: set[str]) -> None:
        self.hits += len(named & true)
        self.unsure += len(unsure & true - named)
        self.named += len(named)
        self.true += len(true)
        if named != true:
            self.wrong.append(f"{where}: named {sorted(named - true)} too much, {sorted(true - named)} missing")


def answers(chip: Chip, language: int = 0) -> dict[str, AnsweredQuestion]:
    """The answers to the questions, by kind; 0 asks in English, 1 in Japanese."""
    copilot = session(chip)
    found = {kind: ask(copilot, questions[language]) for kind, questions in QUESTIONS.items()}
    assert {kind: asked.problems for kind, asked in found.items() if asked.problems} == {}
    return found


def named_by_kind(chip: Chip, language: int = 0) -> dict[str, set[str]]:
    """What the answers to the questions name."""
    return {kind: ids_in(asked.headlines[0]) for kind, asked in answers(chip, language).items()}


def unsure_in(text: str) -> set[str]:
    """What may have changed or cannot be told, by an English answer."""
    words = "Uncertain", "Too few or too noisy", "fluctuates, and its change"
    return {qid for line in text.splitlines() if any(word in line for word in words) for qid in ids_in(line)}


def scores_of(chips: Iterable[Chip]) -> dict[str, Score]:
    scores = {kind: Score() for kind in QUESTIONS}
    for chip in chips:
        for kind, asked in answers(chip).items():
            named, true = ids_in(asked.headlines[0]), true_ids(kind, chip.made.truth)
            scores[kind].add(chip.folder.name, named, true, unsure_in(asked.text))
    return scores

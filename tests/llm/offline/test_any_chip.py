"""Every kind of question on chips of many sizes, with values that are missing, excluded or odd: no answer breaks."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from demo_chip import make_demo

from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.wording import sentence_of
from tests.llm.offline.asking import NOW
from tests.llm.offline.planner_questions import Chip, ask, session

MORE = (
    *("worst 5 qubits by T1", "distribution of T1", "the last 7 days vs the 7 days before", "T1 of Q0 to Q3"),
    *("detunings of neighbouring qubits", "which task fails most", "Q3のT1は？", "一番悪い量子ビットは？"),
)


def spoil(documents: Any, share: float) -> None:
    """Make this part of the current values odd (zero as a failed fit leaves it, nothing, flagged, without a date, of an
    excluded result), and let so many results fail.
    """
    random = Random(1)  # noqa: S311 - no secret
    results = {row["task_id"]: row for row in documents["task_result_history"]}
    ways = (("value", 0.0), ("value", None), ("value", -3.0), ("calibrated_at", None), ("excluded", True))
    for row in (*documents["qubit"], *documents["coupling"]):
        for record in (row["data"] or {}).values():
            if isinstance(record, dict) and random.random() < share:
                name, value = random.choice(ways)
                spoilt = results.get(record.get("task_id"), {}) if name == "excluded" else record
                spoilt |= {name: value} | ({"excluded_reason": "two peaks"} if name == "excluded" else {})
    for row in results.values():
        if random.random() < share / 2:
            row |= {"status": "failed", "message": "low R2", "output_parameters": {}, "output_parameter_names": []}


@pytest.mark.parametrize(
    ("size", "share", "days", "one_of"),
    [
        (4, 0.5, 8, 5),
        *(
            pytest.param(size, share, 30, 1, marks=pytest.mark.long)
            for size, share in ((4, 0.5), (4, 0), (16, 0.5), (64, 0.2), (256, 0.05), (1024, 0.3))
        ),
    ],
)
def test_every_form_is_answered(tmp_path: Path, size: int, share: float, days: int, one_of: int) -> None:
    """The short case takes a second of the processor: it asks one question in five. A chip of 1,024 qubits takes 45 s:
    with three values in ten odd, its answers have long lists of both kinds.
    """
    made = make_demo(seed=5, size=size, days=days, faults=size >= 16)
    spoil(made.documents, share)
    write_snapshot(made.documents, tmp_path / "chip", as_of=made.as_of, source="for a test", is_demo=True)
    copilot = session(Chip(tmp_path / "chip", made))
    questions = [*(sentence_of(query, "en") for some in examples(NOW).values() for query in some), *MORE]
    for question in questions[::one_of]:
        asked = ask(copilot, question)
        broken = [problem for problem in asked.problems if "Error" in problem or "may be called" in problem]
        assert broken == [], question
        assert ": and" not in asked.text, question
        assert asked.answer.choices == (), question

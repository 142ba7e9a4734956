"""What the planner says of chips of every shape, from what the topology tool gives."""

from __future__ import annotations

from typing import Any

import pytest

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations import Ask, plan_of
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.messages.languages import Language
from tests.llm.offline.asking import NOW

PAIRS = {"targets": {"0": "1", "5": "1", "1": "2"}, "_rows": 3}
QUBITS = {"grid": ["0 1 2", "- 5 -"]}
SHAPES: dict[str, dict[str, Any]] = {
    "square": {"topology_id": "square-lattice-mux-64", "grid_size": 8, "num_qubits": 64, "layout_type": "grid"},
    "hex": {"topology_id": "heavy-hex-27", "grid_size": 8, "num_qubits": 27, "layout_type": "hex"},
    "chain": {"topology_id": "linear-16", "grid_size": 16, "num_qubits": 16, "layout_type": "linear"},
    "own": {"topology_id": "ours", "num_qubits": 4, "layout_type": "unknown", "note": "Nothing is known of 'ours'."},
}


CELL = {"result": {"columns": ["control", "target"], "records": [["0", "1"], ["5", "1"], ["1", "2"]], "rows": 3}}
"""What a cell gives that reads the stored couplings of Q01."""


def ended(plan: Plan, *contents: dict[str, Any]) -> Any:
    """What a plan comes to whose calls give these."""
    next(plan)
    for content in contents[:-1]:
        plan.send([CallOutcome(content)])
    with pytest.raises(StopIteration) as end:
        plan.send([CallOutcome(contents[-1])])
    return end.value.value


def said(shape: str, language: Language = "en", *qids: str, large: bool = False) -> str:
    content = SHAPES[shape] | {"couplings": PAIRS, "qubits": QUBITS, "data_key": "topology"}
    if large:
        content |= {"couplings": {"_rows": 3}}
    asked = Ask(Query(Asked.NEIGHBOURS, qids=qids), language, MetricTable(), NOW)
    found = ended(plan_of(asked, ""), content, *([CELL] if large and qids else []))
    assert isinstance(found, Finding)
    return found.text


@pytest.mark.parametrize(
    ("shape", "english", "japanese"),
    [
        (
            "square",
            "**square-lattice-mux-64**: 8 × 8 grid of 64 qubits, 3 couplings.",
            "8×8格子、64量子ビット、3カップリング。",
        ),
        (
            "hex",
            "**heavy-hex-27**: heavy-hex lattice of 27 qubits, 3 couplings.",
            "ヘビーヘックス格子、27量子ビット、3カップリング。",
        ),
        (
            "chain",
            "**linear-16**: chain of 16 qubits, 3 couplings.",
            "1次元チェーン、16量子ビット、3カップリング。",
        ),
        ("own", "**4 qubits and 3 couplings.** The topology is unknown", "**4量子ビット、3カップリング。**"),
    ],
)
def test_the_shape_in_a_sentence(shape: str, english: str, japanese: str) -> None:
    assert said(shape).startswith(english)
    assert japanese in said(shape, "ja")
    assert said(shape, large=True) == said(shape), "a chip too large to be told whole"


@pytest.mark.parametrize("shape", SHAPES)
def test_the_neighbours_of_one(shape: str) -> None:
    text = said(shape, "en", "1")
    assert "Q00, Q02 and Q05" in text
    assert "(couplings `0-1`, `5-1`, `1-2`)" in text
    assert said(shape, "en", "1", large=True) == text, "read from what is stored, where not all were told"

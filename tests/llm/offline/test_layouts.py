"""What the planner says of chips of every shape, from what the topology tool gives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations import Ask, plan_of
from qdash_jupyter.llm.offline.plan import CallOutcome
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.messages.languages import Language
from tests.llm.offline.asking import NOW

COLUMNS = ["coupling_id", "control", "target"]
SHAPES: dict[str, dict[str, Any]] = {
    "square": {"topology_id": "square-lattice-mux-64", "grid_size": 8, "num_qubits": 64, "layout_type": "grid"},
    "hex": {"topology_id": "heavy-hex-27", "grid_size": 8, "num_qubits": 27, "layout_type": "hex"},
    "chain": {"topology_id": "linear-16", "grid_size": 16, "num_qubits": 16, "layout_type": "linear"},
    "own": {"topology_id": "ours", "num_qubits": 4, "layout_type": "unknown", "note": "Nothing is known of 'ours'."},
}


def said(shape: str, language: Language = "en") -> str:
    plan = plan_of(Ask(Query(Asked.NEIGHBOURS), language, MetricTable(), NOW), "")
    next(plan)
    with pytest.raises(StopIteration) as end:
        plan.send([CallOutcome(SHAPES[shape] | {"couplings": {"_rows": 3}})])
    return end.value.value.text


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


@pytest.mark.parametrize("asked", [Asked.NEIGHBOURS, Asked.VALUES])
def test_neighbours_are_those_of_the_stored_couplings(asked: Asked) -> None:
    """Also of a chip of which a model is told no couplings."""
    pairs = pd.DataFrame([("0-1", "0", "1"), ("17-1", "17", "1"), ("1-2", "1", "2"), ("3-0", "3", "0")])
    names = {"copilot": SimpleNamespace(data={"topology": {"couplings": pairs.set_axis(COLUMNS, axis=1)}})}
    query = Query(asked, qids=("1", "400"), neighbours=asked is Asked.VALUES)
    plan = plan_of(Ask(query, "en", MetricTable(), NOW), "")
    next(plan)
    [cell] = plan.send([CallOutcome(SHAPES["square"] | {"couplings": {"_rows": 4}, "data_key": "topology"})])
    exec(cell.arguments["code"], names)  # noqa: S102 - the planner's own cell
    run = CallOutcome({"status": "ok", "result": value_of(names["near"])})
    if asked is Asked.VALUES:
        assert [call.arguments["qid"] for call in plan.send([run])] == ["0", "2", "17"]
        return
    with pytest.raises(StopIteration) as end:
        plan.send([run])
    assert "Q00, Q02 and Q17" in end.value.value.text
    assert "(couplings `0-1`, `17-1`, `1-2`)" in end.value.value.text
    assert "Q400" in end.value.value.text

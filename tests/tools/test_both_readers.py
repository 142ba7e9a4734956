"""A script of the tools of runs, notes and provenance gives the same characters and tables from both readers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.tools.chips import ChipScope
from tests.tools.qdash_documents import sample
from tests.tools.toolbench import Tools

ENTITY = sample()["parameter_versions"][200]["entity_id"]
SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("get_latest_task_result", {"task_name": "CheckT1", "qid": "4"}),
    ("get_latest_task_result", {"task_name": "CheckT1", "qid": "8"}),
    ("get_task_history", {"task_name": "check_t2_echo", "qid": "Q05", "last_n": 50, "include_excluded": True}),
    ("search_task_results", {}),
    ("search_task_results", {"since": "5d", "until": "12h"}),
    ("search_task_results", {"status": "failed", "last_n": 1_000}),
    ("search_task_results", {"tags": ["daily", "weekly"], "last_n": 3}),
    ("search_task_results", {"cooldown_id": "2026-001", "qid": "3-2"}),
    ("search_task_results", {"execution_id": "20260629-00"}),
    ("get_execution_history", {"last_n": 100}),
    ("get_execution_history", {"status": "failed"}),
    ("get_calibration_notes", {"last_n": 100}),
    ("get_calibration_notes", {"qid": "0", "kind": "rabi_params"}),
    ("search_notes", {}),
    ("search_notes", {"text": "t1", "qid": "5"}),
    ("get_parameter_lineage", {"parameter_name": "t1", "qid": "0"}),
    ("get_parameter_lineage", {"parameter_name": "bell_state_fidelity", "qid": "0-1", "last_n": 100}),
    ("get_provenance_lineage_graph", {"entity_id": ENTITY, "max_depth": 20}),
    ("get_provenance_lineage_graph", {"entity_id": "t1:0:20260629-000:gone"}),
]


@pytest.mark.mongo
@pytest.mark.parametrize(
    "chip", [pytest.param(("proj-alpha", "16Q-demo"), marks=pytest.mark.long), ("proj-beta", "16Q-demo")]
)
def test_the_same_from_both(sample_readers: Callable[[str], Any], chip: tuple[str, str]) -> None:
    snapshot, mongo = (Tools(sample_readers(kind), ChipScope(*chip)) for kind in ("snapshot", "mongo"))
    answered = 0
    for name, arguments in SCRIPT:
        one, other = (tools.result(name, **arguments) for tools in (snapshot, mongo))
        assert one.content == other.content, (name, arguments)
        assert one.sources == other.sources
        answered += one.ok
    assert answered >= 8
    assert list(snapshot.store) == list(mongo.store)
    for key in snapshot.store:
        tables, others = snapshot.store[key].tables, mongo.store[key].tables
        assert list(tables) == list(others)
        for name, table in tables.items():
            pd.testing.assert_frame_equal(table, others[name])

"""With next to no memory for results, tables stand in files: the model reads the same, and the data are the same."""

from __future__ import annotations

import logging
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.data.snapshot import SnapshotReader
from tests.tools.toolbench import Tools

ANY = 1
"""A budget, in bytes, that no table fits."""

SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("get_chip_summary", {}),
    ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "30d"}),
    ("get_chip_parameter_timeseries", {"parameter_name": "t1"}),
    ("get_chip_parameter_timeseries", {"parameter_name": "zx90_gate_fidelity"}),
    ("get_parameter_timeseries", {"parameter_name": "t1", "qid": "7"}),
    ("get_coupling_params", {}),
    ("compare_qubits", {"qids": ["1", "2", "3"]}),
    ("get_chip_topology", {}),
    ("get_qubit_params", {"qid": "7"}),
    ("get_execution_history", {"last_n": 100}),
    ("get_calibration_notes", {"last_n": 100}),
    ("search_task_results", {"last_n": 1000}),
    ("search_notes", {}),
    ("generate_chip_heatmap", {"metric_name": "t1"}),
    ("list_available_parameters", {}),
]


@pytest.fixture
def short(demo_reader: SnapshotReader) -> Tools:
    """Tools whose results do not fit into memory."""
    tools = Tools(demo_reader)
    tools.store.memory_budget = ANY
    return tools


def of_any_type(column: tuple[str, pd.Series]) -> bool:
    return column[1].dtype == object and not all(isinstance(value, str) for value in column[1])


@pytest.mark.long  # all tools, twice: 3 s
def test_the_model_reads_the_same_and_the_data_are_the_same(
    tools: Tools, short: Tools, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "qdash_jupyter"):
        for name, arguments in SCRIPT:
            one, other = tools.asked(name, **arguments), short.asked(name, **arguments)
            assert (one.content, one.rows, one.frame_key) == (other.content, other.rows, other.frame_key), name
            one, other = tools.result(name, **arguments), short.result(name, **arguments)
            assert (one.content, one.rows, one.frame_key) == (other.content, other.rows, other.frame_key), name
    assert not caplog.records
    assert list(tools.store) == list(short.store)
    assert len(short.store) >= 10
    in_memory, of_objects = set(), set()
    for key, result in short.store.items():
        in_memory |= {(key, name) for name, table in result.stored_tables.items() if table.in_memory}
        plain = tools.store[key].tables
        of_objects |= {(key, name) for name, table in plain.items() if any(map(of_any_type, table.items()))}
    assert in_memory == of_objects, "all are in files, except those whose values are of any type"
    for key, result in tools.store.items():
        theirs = short.store[key].tables
        assert list(theirs) == list(result.tables)
        for name, table in result.tables.items():
            pd.testing.assert_frame_equal(theirs[name], table, check_exact=True)
            assert theirs[name].attrs == table.attrs


def test_code_that_the_model_wrote_opens_no_file_before_it_runs(short: Tools) -> None:
    short.result("get_chip_summary")
    assert short.content("execute_python_analysis", code="1 + 1")["status"] == "ok"
    assert not any(table.in_memory for table in short.store["chip_summary"].stored_tables.values())

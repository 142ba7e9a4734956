"""The calls of tools that the measurements of characters and of time have in common: all of QDash's that read.

There are 38, as many as in QDash's own script; which ones those were is not known.
"""

from __future__ import annotations

from typing import Any

from demo_chip import DemoChip

QDASH_CALLS = 38

Call = tuple[str, dict[str, Any]]


def script(chip: DemoChip) -> list[Call]:
    """The calls: what somebody asks who looks for the falling T1 of two qubits, a jump and a bad coupling."""
    truth = chip.truth
    fell, jumped, pair = truth.t1_falling[:2], truth.frequency_jump[0], truth.bad_coupling[0]
    entity = next(
        one["entity_id"]
        for one in chip.documents["parameter_versions"]
        if (one["parameter_name"], one["qid"], one["valid_until"]) == ("t1", fell[1], None)
    )
    run = chip.documents["execution_history"][-1]["execution_id"]
    calls: list[Call] = [
        ("get_chip_topology", {}),
        ("list_available_parameters", {}),
        ("list_available_parameters", {"qid": fell[1]}),
        ("get_chip_summary", {}),
        ("get_chip_summary", {"param_names": ["t1", "t2_echo"]}),
        ("get_chip_summary", {"param_names": ["x90_gate_fidelity"]}),
    ]
    calls += [
        ("get_chip_parameter_timeseries", {"parameter_name": parameter})
        for parameter in ("t1", "t2_echo", "qubit_frequency", "average_readout_fidelity")
    ]
    for parameter, qid in (("t1", fell[1]), ("t2_echo", fell[0]), ("qubit_frequency", jumped)):
        calls.append(("get_parameter_timeseries", {"parameter_name": parameter, "qid": qid}))
        calls.append(("get_qubit_params", {"qid": qid}))
    calls += [
        ("get_coupling_params", {"coupling_id": pair}),
        ("get_coupling_params", {"qubit_id": pair.split("-")[0]}),
        ("compare_qubits", {"qids": [*fell, jumped]}),
        ("compare_qubits", {"qids": [str(qid) for qid in range(20)], "param_names": ["t1", "t2_echo"]}),
        ("get_latest_task_result", {"task_name": "CheckT1", "qid": fell[1]}),
        ("get_latest_task_result", {"task_name": "CheckRamsey", "qid": jumped}),
        ("get_task_history", {"task_name": "CheckT1", "qid": fell[1]}),
        ("get_task_history", {"task_name": "CheckRamsey", "qid": jumped}),
        ("get_task_history", {"task_name": "CheckBellStateTomography", "qid": pair}),
        ("search_task_results", {"status": "failed"}),
        ("search_task_results", {"task_name": "CheckT1", "qid": fell[1]}),
        ("search_task_results", {"execution_id": run, "last_n": 50}),
        ("search_task_results", {"task_name": "CheckRamsey", "status": "completed", "last_n": 20}),
        ("get_execution_history", {}),
        ("get_execution_history", {"status": "completed", "last_n": 20}),
        ("get_calibration_notes", {"last_n": 1}),
        ("get_calibration_notes", {}),
        ("get_parameter_lineage", {"parameter_name": "t1", "qid": fell[1]}),
        ("get_parameter_lineage", {"parameter_name": "qubit_frequency", "qid": jumped}),
        ("get_provenance_lineage_graph", {"entity_id": entity}),
        ("generate_chip_heatmap", {"metric_name": "t1"}),
        ("generate_chip_heatmap", {"metric_name": "average_readout_fidelity"}),
    ]
    if len(calls) != QDASH_CALLS:
        raise ValueError(f"{len(calls)} calls")
    return calls

"""What labs measure with which task, and their own limits."""

from __future__ import annotations

from qdash_jupyter.domain.metrics import METRICS, MetricTable

TASK_OF = {
    "t1": "CheckT1",
    "t2_echo": "CheckT2Echo",
    "t2_star": "CheckRamsey",
    "rabi_frequency": "CheckRabi",
    "readout_frequency": "CheckResonatorSpectroscopy",
    "coarse_qubit_frequency": "CheckQubitSpectroscopy",
    "average_readout_fidelity": "ReadoutClassification",
    "average_gate_fidelity": "RandomizedBenchmarking",
    "x90_gate_fidelity": "X90InterleavedRandomizedBenchmarking",
    "zx90_gate_fidelity": "ZX90InterleavedRandomizedBenchmarking",
}
"""The tasks of QDash that measure a parameter."""


def limits_code(metrics: MetricTable) -> list[str]:
    """The lab's limits as an argument, where they are not QDash's."""
    own = {name: metrics.of(name).scoring for name in METRICS}
    if all(scoring == METRICS[name].scoring for name, scoring in own.items()):
        return []
    shown = [f'"{name}": {one.bad:g}' for name, one in own.items() if one is not None and one.bad is not None]
    return [f"limits={{{', '.join(shown)}}}"]

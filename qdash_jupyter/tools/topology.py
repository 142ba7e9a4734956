"""`get_chip_topology`: where the qubits stand and which pairs are coupled."""

from __future__ import annotations

from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.topology import topology_named
from qdash_jupyter.errors import NoData
from qdash_jupyter.tools.spec import ChipArguments, NewFrame, ToolContext, ToolOutput, ToolSpec, Words

WHOLE_UP_TO = 256
"""Qubits up to which the model gets every position and pair; above, the summary."""


def get_chip_topology(args: ChipArguments, context: ToolContext) -> ToolOutput:
    """Positions and couplings. Tables: `qubits` (`qid`, `row`, `col`) and `couplings` (`coupling_id`, `control`,
    `target`), in the order of QDash's topology file.
    """
    import pandas as pd

    _, chip = context.reader_and_chip(args)
    topology = topology_named(chip.topology_id, chip.size)
    if topology is None:
        raise NoData(
            f"The topology {chip.topology_id!r} of chip {chip.ref.chip_id!r} is not known to this version.",
            "Square lattices (square-lattice-mux-N) are known. Couplings can still be read by their ids.",
        )
    qubits = pd.DataFrame(
        [(qid, row, col) for qid, (row, col) in topology.positions.items()], columns=["qid", "row", "col"]
    )
    couplings = pd.DataFrame(
        [(f"{control}-{target}", control, target) for control, target in topology.couplings],
        columns=["coupling_id", "control", "target"],
    )
    scalars = {
        "chip_id": chip.ref.chip_id,
        "topology_id": topology.topology_id,
        "grid_size": topology.grid_size,
        "num_qubits": topology.num_qubits,
        "layout_type": "grid",
    }
    whole = {
        "qubit_positions": {qid: {"row": row, "col": col} for qid, (row, col) in topology.positions.items()},
        "couplings": [[int(control), int(target)] for control, target in topology.couplings],
    }
    return ToolOutput(
        content=scalars | whole if topology.num_qubits <= WHOLE_UP_TO else None,
        frame=NewFrame("topology", scalars | {"qubits": qubits, "couplings": couplings}, main="qubits", chip=chip.ref),
        sources=(Source("chip", f"chip {chip.ref.chip_id}, project {chip.ref.project_id}", 1),),
    )


CHIP_TOPOLOGY = ToolSpec(
    name="get_chip_topology",
    label=Words("Reading the chip's topology", "チップのトポロジーを取得中"),
    description="Grid positions; couplings as [control, target]. Also in data['topology'].",
    guidance="Neighbours, positions, coupling ids: get_chip_topology.",
    args=ChipArguments,
    run=get_chip_topology,
)

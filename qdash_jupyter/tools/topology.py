"""`get_chip_topology`: where the qubits stand and which pairs are coupled."""

from __future__ import annotations

import pandas as pd

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.topology import topology_named
from qdash_jupyter.errors import NoData
from qdash_jupyter.messages.message import Message, sentences
from qdash_jupyter.tools.chips import read_of, with_muxes
from qdash_jupyter.tools.connections import connections_of, unknown_words
from qdash_jupyter.tools.spec import ChipArguments, NewFrame, ToolContext, ToolOutput, ToolSpec

WHOLE_UP_TO = 256
"""Qubits up to which the model gets every position and pair; above, the summary."""


def get_chip_topology(args: ChipArguments, context: ToolContext) -> ToolOutput:
    """Positions and couplings. Tables: `qubits` (`qid`, `mux` where four are read out together, `row`, `col`) and
    `couplings` (`coupling_id`, `control`, `target`), in the order of QDash's topology file. The model reads the columns
    of both, of `qubits` a `grid` with a line a row, and of `couplings` the `targets` of each control.

    Of a topology that is unknown, the tables hold what has a document in the database, by number, each pair of qubits
    once; `qubits` is without `row` and `col`, and `note` says why.
    """
    reader, chip = context.reader_and_chip(args)
    topology = topology_named(chip.topology_id, chip.size)
    scalars: JsonObject = {"chip_id": chip.ref.chip_id, "topology_id": chip.topology_id}
    if topology is not None:
        places = [(qid, row, col) for qid, (row, col) in topology.positions.items()]
        qubits = with_muxes(pd.DataFrame(places, columns=["qid", "row", "col"]), chip)
        pairs = topology.couplings
        scalars |= {
            "topology_id": topology.topology_id,
            "grid_size": topology.grid_size,
            "num_qubits": topology.num_qubits,
            "layout_type": topology.layout_type,
        }
    else:
        connections = connections_of(reader, chip)
        if not connections.qids:
            raise NoData(sentences(unknown_words(chip), Message("no-qubits-in-database", chip=chip.ref.chip_id)))
        qubits = pd.DataFrame({"qid": list(connections.qids)})
        pairs = connections.couplings
        scalars |= {
            "num_qubits": len(qubits),
            "layout_type": "unknown",
            "note": f"{unknown_words(chip)} No places are known. The couplings are those in the database.",
        }
    named = [(f"{control}-{target}", control, target) for control, target in pairs]
    couplings = pd.DataFrame(named, columns=["coupling_id", "control", "target"])
    targets = couplings.groupby("control", sort=False)["target"].agg(" ".join)  # half the characters of the ids
    tables = {
        "qubits": _schema(qubits) | (_grid(qubits) if topology is not None else {"qid": list(qubits["qid"])}),
        "couplings": _schema(couplings) | {"targets": targets.to_dict()},
    }
    return ToolOutput(
        content=scalars | tables if len(qubits) <= WHOLE_UP_TO else None,
        frame=NewFrame("topology", scalars | {"qubits": qubits, "couplings": couplings}, main="qubits", chip=chip.ref),
        sources=(Source("chip", read_of(chip.ref), 1),),
    )


def _grid(qubits: pd.DataFrame) -> JsonObject:
    """The ids where they stand: a line a row, `.` where there is none."""
    cells = qubits.pivot(index="row", columns="col", values="qid")  # noqa: PD010 - no two stand at one place
    rows, cols = (range(int(places.max()) + 1) for places in (cells.index, cells.columns))
    return {"grid": [" ".join(line) for line in cells.reindex(index=rows, columns=cols).fillna(".").to_numpy()]}


def _schema(table: pd.DataFrame) -> JsonObject:
    return {"_schema": list(table.columns), "_rows": len(table)}


CHIP_TOPOLOGY = ToolSpec(
    label=Message("label-topology"),
    description="Places of qubits; couplings as control-target.",
    run=get_chip_topology,
)

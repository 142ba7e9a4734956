"""`get_coupling_params`: the current calibrated parameters of one coupling, or of all couplings of a qubit."""

from __future__ import annotations

from pydantic import Field

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.qid import is_coupling, normalise_qid, other_direction
from qdash_jupyter.domain.topology import topology_named
from qdash_jupyter.errors import InvalidArguments, NoData, NotFound
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import expected_ids, known_qids, looked_up
from qdash_jupyter.tools.current_values import (
    CHARS_A_VALUE,
    NEVER,
    as_of,
    current_values,
    in_words,
    nothing_current,
    records_of,
    source_of,
)
from qdash_jupyter.tools.spec import CurrentArguments, ElementId, NewFrame, ToolContext, ToolOutput, ToolSpec, Words


class CouplingParamsArguments(CurrentArguments):
    coupling_id: ElementId | None = Field(None, description="In either direction.")
    qubit_id: ElementId | None = Field(None, description="Instead: all of its couplings.")
    param_names: list[str] | None = Field(None, max_length=100)


def get_coupling_params(args: CouplingParamsArguments, context: ToolContext) -> ToolOutput:
    """Rows `{coupling_id, data}` in the topology's order, the data by parameter as `get_qubit_params` gives them.

    QDash keeps both directions of each pair and fills the one that the topology lists as control-target: the one that
    holds values is given, whichever was asked for (a `note` says so), and the one that was asked for where both do.
    With `at`, each row says `as_of`.

    Table: `values` (one row a value: `qid`, `parameter`, `value`, `error`, `unit`, `calibrated_at`, `age_days`,
    `execution_id`, `task_id`).
    """
    reader, chip = context.reader_and_chip(args)
    at = args.moment(reader.now())
    told = {"as_of": as_of(at)} if at else {}
    asked = args.coupling_id or args.qubit_id
    if not asked:
        raise InvalidArguments("Which coupling is meant?", "Give coupling_id, or qubit_id for all its couplings.")
    qid = normalise_qid(asked)
    names_one = is_coupling(qid) if qid else bool(args.coupling_id)
    pairs = [_known_pair(reader, chip, asked)] if names_one else _pairs_of(reader, chip, asked)
    both = [direction for pair in pairs for direction in (pair, other_direction(pair))]
    values = current_values(reader, chip, "coupling", args.param_names, both, metrics=context.metrics, at=at)
    if values.empty:
        raise nothing_current(reader, chip, "coupling", pairs, args.param_names)
    data = records_of(values, context.metrics, args.param_names)
    words = in_words(values, context.metrics)
    couplings = [pair if pair in data or other_direction(pair) not in data else other_direction(pair) for pair in pairs]
    values = values[values["qid"].isin(couplings)].reset_index(drop=True)
    return ToolOutput(
        rows=[told | _row(coupling, data.get(coupling), qid or "") for coupling in couplings],
        frame=NewFrame(
            key=f"coupling_{qid}" if names_one else f"couplings_of_{qid}",
            values={"chip_id": chip.ref.chip_id, **told, "values": values},
            main="values",
            units={"age_days": "d"},
            chip=chip.ref,
        ),
        notable=[
            ("current", {coupling: words[coupling] for coupling in couplings if coupling in words}),
            ("never_calibrated", [coupling for coupling in couplings if coupling not in words]),
        ],
        budget=SUMMARY_CHARS + CHARS_A_VALUE * len(values),
        sources=(source_of(chip, "coupling", values),),
    )


def _row(coupling: str, data: dict[str, JsonObject] | None, asked: str) -> JsonObject:
    row: JsonObject = {"coupling_id": coupling, "data": data or {}}
    if data is None:
        row["missing"] = NEVER
    if coupling == other_direction(asked):
        row["note"] = f"{asked} was asked for; QDash keeps this pair's values as {coupling} (control-target)."
    return row


def _known_pair(reader: QDashReader, chip: ChipRecord, asked: str) -> str:
    """The coupling asked for, when one of its directions is on the chip."""
    pair = normalise_qid(asked) or ""
    either = {pair, other_direction(pair)}
    if either.isdisjoint(reader.element_ids(chip.ref, "coupling")):
        return looked_up(reader, lambda: _pair_of_topology(reader, chip, asked, pair))
    return pair


def _pair_of_topology(reader: QDashReader, chip: ChipRecord, asked: str, pair: str) -> str:
    known = expected_ids(reader, chip, "coupling")
    if {pair, other_direction(pair)}.isdisjoint({*known, *reader.element_ids(chip.ref, "coupling")}):
        near = [one for one in known if set(one.split("-")) & set(pair.split("-"))]
        raise NotFound("coupling", asked, near or known, where=f"on chip {chip.ref.chip_id!r}")
    return pair


def _pairs_of(reader: QDashReader, chip: ChipRecord, asked: str) -> list[str]:
    """The couplings of a qubit, each pair once: those of the topology, or where it is unknown those that there are."""
    (qid,) = known_qids(reader, chip, [asked])
    topology = topology_named(chip.topology_id, chip.size)
    if topology is None:
        known = reader.element_ids(chip.ref, "coupling")
    else:
        known = [f"{control}-{target}" for control, target in topology.couplings]
    pairs: list[str] = []
    for coupling in known:
        if qid in coupling.split("-") and other_direction(coupling) not in pairs:
            pairs.append(coupling)
    if not pairs:
        raise NoData(f"Qubit {qid} of chip {chip.ref.chip_id!r} has no couplings.", "get_chip_topology lists all.")
    return pairs


COUPLING_PARAMS = ToolSpec(
    name="get_coupling_params",
    label=Words("Reading the parameters of couplings", "カップリングパラメータを取得中"),
    description="Current parameters of one coupling, or of all of a qubit's.",
    guidance="One qubit's couplings: get_coupling_params; any others: compare_qubits.",
    args=CouplingParamsArguments,
    run=get_coupling_params,
    max_calls_per_turn=3,
)

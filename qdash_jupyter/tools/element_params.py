"""`get_qubit_params`, `get_coupling_params`: the current calibrated parameters of one qubit, of one coupling, or of all
couplings of a qubit.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.qid import is_coupling, normalise_qid, other_direction, qid_label
from qdash_jupyter.domain.topology import topology_named
from qdash_jupyter.errors import InvalidArguments, NoData, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import both_directions, expected_ids, found_directions, known_qids, looked_up
from qdash_jupyter.tools.current_values import (
    CHARS_A_VALUE,
    about_moment,
    current_values,
    in_words,
    nothing_current,
    source_of,
    wanted_names,
)
from qdash_jupyter.tools.spec import (
    CurrentArguments,
    ElementId,
    NewFrame,
    ParameterName,
    ToolContext,
    ToolOutput,
    ToolSpec,
)


class QubitParamsArguments(CurrentArguments):
    rare = CurrentArguments.rare | {"param_names"}
    qid: ElementId = Field(description="qubit")
    param_names: list[ParameterName] | None = Field(None, max_length=100)


class CouplingParamsArguments(CurrentArguments):
    coupling_id: ElementId | None = Field(None, description="In either direction.")
    qubit_id: ElementId | None = Field(None, description="All of its couplings.")
    param_names: list[ParameterName] | None = Field(None, max_length=100)


def get_qubit_params(args: QubitParamsArguments, context: ToolContext) -> ToolOutput:
    """Each parameter's value as QDash stores it, and the ids that lead to its lineage. Of a value that is missing, or
    of which more is to be known, `flag` says what: `no fit` (QDash stores 0), `excluded: …`. `never_calibrated` are
    those of `param_names` without any. With `at`, the newest values at the end of that date, by QDash's history and by
    results: `as_of` says which moment that is, `calibrated` from when the values are; ages count from then.

    Table: `parameters` (one row a parameter: `parameter`, `value`, `error`, `unit`, `calibrated_at`, `age_days`,
    `execution_id`, `task_id`, `flag`).
    """
    reader, chip = context.reader_and_chip(args)
    at = args.moment(reader.now())
    (qid,) = known_qids(reader, chip, [args.qid])
    if is_coupling(qid):
        raise InvalidArguments.with_hint("is-a-coupling", qid=qid)
    values = current_values(reader, chip, "qubit", args.param_names, [qid], metrics=context.metrics, at=at)
    if values.empty:
        raise nothing_current(reader, chip, "qubit", [qid], args.param_names)
    told: JsonObject = {**about_moment(at, values)}
    if never := [name for name in wanted_names(args.param_names) if name not in set(values["parameter"])]:
        told["never_calibrated"] = ", ".join(never)
    stored = {"chip_id": chip.ref.chip_id, "qid": qid, **told, "parameters": values.drop(columns="qid")}
    frame = NewFrame(f"qubit_{qid}", stored, main="parameters", units={"age_days": "d"}, chip=chip.ref)
    return _output(frame, in_words(values, context.metrics)[qid], source_of(chip, "qubit", values))


def get_coupling_params(args: CouplingParamsArguments, context: ToolContext) -> ToolOutput:
    """Values in the topology's order of couplings, as `get_qubit_params` gives them; `never_calibrated` are couplings
    without any.

    QDash keeps both directions of each pair and fills the one that the topology lists as control-target: the one that
    holds values is given, whichever was asked for (a `note` says so), and the one that was asked for where both do.

    Table: `values` (one row a value: `qid`, `parameter`, `value`, `error`, `unit`, `calibrated_at`, `age_days`,
    `execution_id`, `task_id`, `flag`).
    """
    reader, chip = context.reader_and_chip(args)
    at = args.moment(reader.now())
    asked = args.coupling_id or args.qubit_id
    if not asked:
        raise InvalidArguments.with_hint("no-coupling-given")
    qid = normalise_qid(asked)
    names_one = is_coupling(qid) if qid else bool(args.coupling_id)
    pairs = [_known_pair(reader, chip, asked)] if names_one else _pairs_of(reader, chip, asked)
    values = current_values(
        reader, chip, "coupling", args.param_names, both_directions(pairs), metrics=context.metrics, at=at
    )
    if values.empty:
        raise nothing_current(reader, chip, "coupling", pairs, args.param_names)
    told: JsonObject = {**about_moment(at, values)}
    words = in_words(values, context.metrics)
    filled = set(values["qid"])
    couplings = found_directions(pairs, filled)
    order = {coupling: place for place, coupling in enumerate(couplings)}
    values = values[values["qid"].isin(order)].sort_values("qid", key=lambda ids: ids.map(order), kind="stable")
    values = values.reset_index(drop=True)
    if never := [coupling for coupling in couplings if coupling not in filled]:
        told["never_calibrated"] = ", ".join(never)
    if (turned := other_direction(qid or "")) in order:
        told["note"] = f"{qid} was asked for; QDash keeps this pair's values as {turned} (control-target)."
    stored = {"chip_id": chip.ref.chip_id, **told, "values": values}
    current = {coupling: words[coupling] for coupling in couplings if coupling in words}
    key = f"coupling_{qid}" if names_one else f"couplings_of_{qid}"
    frame = NewFrame(key, stored, main="values", units={"age_days": "d"}, chip=chip.ref)
    return _output(frame, current, source_of(chip, "coupling", values))


def _output(frame: NewFrame, current: Mapping[str, object], source: Source) -> ToolOutput:
    """All values; where these are too many to be read, `current` has each in words."""
    return ToolOutput(
        is_whole=True,
        frame=frame,
        notable=[("current", current)],
        budget=SUMMARY_CHARS + CHARS_A_VALUE * source.count,
        sources=(source,),
    )


def _known_pair(reader: QDashReader, chip: ChipRecord, asked: str) -> str:
    """The coupling asked for, when one of its directions is on the chip."""
    pair = normalise_qid(asked) or ""
    either = {pair, other_direction(pair)}
    if not reader.element_ids(chip.ref, "coupling", sorted(either)):
        return looked_up(reader, lambda: _pair_of_topology(reader, chip, asked, pair))
    return pair


def _pair_of_topology(reader: QDashReader, chip: ChipRecord, asked: str, pair: str) -> str:
    known = expected_ids(reader, chip, "coupling")
    if {pair, other_direction(pair)}.isdisjoint({*known, *reader.element_ids(chip.ref, "coupling")}):
        near = [one for one in known if set(one.split("-")) & set(pair.split("-"))]
        there = [qid_label(one, chip.size) for one in near or known]
        named = qid_label(pair, chip.size) if pair else asked
        raise NotFound(Message("kind-coupling"), named, there, where=Message("on-chip", chip=chip.ref.chip_id))
    return pair


def _pairs_of(reader: QDashReader, chip: ChipRecord, asked: str) -> list[str]:
    """The couplings of a qubit, each pair once: those of the topology, or where it is unknown those that there are."""
    (qid,) = known_qids(reader, chip, [asked])
    topology = topology_named(chip.topology_id, chip.size)
    if topology is None:
        known = reader.element_ids(chip.ref, "coupling")
    else:
        known = [f"{control}-{target}" for control, target in topology.couplings]
    mine = [coupling for coupling in known if qid in coupling.split("-")]
    pairs = [coupling for place, coupling in enumerate(mine) if other_direction(coupling) not in mine[:place]]
    if not pairs:
        raise NoData.with_hint("no-couplings-of-qubit", qid=qid, chip=chip.ref.chip_id)
    return pairs


COUPLING_PARAMS = ToolSpec(
    label=Message("label-coupling-params"),
    description="Current parameters of one coupling, or of all of a qubit's.",
    on_request=True,
    run=get_coupling_params,
    max_calls_per_turn=3,
    instead="Several couplings: compare_qubits.",
)


QUBIT_PARAMS = ToolSpec(
    label=Message("label-qubit-params"),
    description="One qubit's current parameters: values, errors, dates, ages, task ids.",
    run=get_qubit_params,
    max_calls_per_turn=3,
    instead="Several qubits: compare_qubits.",
)

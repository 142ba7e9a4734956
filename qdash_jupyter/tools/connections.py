"""Which qubits of a chip are coupled, where its topology is one that this version does not know."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.qid import other_direction, qid_order
from qdash_jupyter.messages.message import Message


@dataclass(frozen=True, slots=True)
class Connections:
    """What the documents of a chip say of its topology: qubits and couplings (control, target), by number."""

    qids: tuple[str, ...]
    couplings: tuple[tuple[str, str], ...]


def connections_of(reader: QDashReader, chip: ChipRecord) -> Connections:
    """Each pair that has a document, once. QDash keeps both directions and fills the one that is control-target: where
    only one of both holds values it is that one, else the one with the lower number first.

    Qubits without a document are those of the couplings; where there is none at all, as many as the chip's size.
    """
    known = dict.fromkeys(reader.element_ids(chip.ref, "coupling"))
    both = [qid for qid in known if other_direction(qid) in known]
    filled = set(reader.current_parameters(CurrentQuery(chip.ref, "coupling", qids=both))["qid"]) if both else set()
    pairs: dict[str, None] = {}
    for qid in known:
        back = other_direction(qid)
        if back != qid and back not in pairs and (back not in known or qid in filled or back not in filled):
            pairs[qid] = None
    couplings = tuple((control, target) for control, _, target in (qid.partition("-") for qid in pairs))
    qids = {*reader.element_ids(chip.ref, "qubit"), *(qid for pair in couplings for qid in pair)}
    return Connections(tuple(sorted(qids or map(str, range(chip.size)), key=qid_order)), couplings)


def unknown_words(chip: ChipRecord) -> Message:
    """Return why nothing but the connections is known of the chip's topology."""
    if not chip.topology_id:
        return Message("topology-not-named", count=chip.size)
    return Message("topology-unknown", topology=chip.topology_id)

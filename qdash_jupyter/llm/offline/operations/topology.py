"""What the chip's topology tells: who is coupled to whom."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from qdash_jupyter.domain.qid import is_coupling, other_direction
from qdash_jupyter.llm.offline.grammar.query import Query
from qdash_jupyter.llm.offline.plan import CallOutcome, PlannedCall, read


def neighbours_of(qid: str, topology: CallOutcome) -> list[str]:
    """The qubits that one is coupled to, in the order of their numbers; none of a chip too large to be told whole."""
    pairs = [pair.split("-") for pair in topology.content["couplings"].get("coupling_id", [])]
    return sorted({b if a == qid else a for a, b in pairs if qid in (a, b)}, key=int)


def meant_of(queries: Sequence[Query]) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], Query | None]:
    """Which of two queries is meant whose only difference is that `36-38` is a coupling or several qubits: the coupling
    where the chip has it; None where it is open.
    """
    couplings = [one for one in queries if len(one.qids) == 1 and is_coupling(one.qids[0])]
    if len(queries) != 2 or len(couplings) != 1:  # noqa: PLR2004 - two readings of one word
        return None
    topology = yield from read("get_chip_topology")
    pairs = {*topology.content["couplings"].get("coupling_id", ())}
    [qid] = couplings[0].qids
    return couplings[0] if pairs & {qid, other_direction(qid)} else None

"""What the chip's topology tells: who is coupled to whom."""

from __future__ import annotations

from qdash_jupyter.llm.offline.plan import CallOutcome


def neighbours_of(qid: str, topology: CallOutcome) -> list[str]:
    """The qubits that one is coupled to, in the order of their numbers; none of a chip too large to be told whole."""
    pairs = [pair.split("-") for pair in topology.content["couplings"].get("coupling_id", [])]
    return sorted({b if a == qid else a for a, b in pairs if qid in (a, b)}, key=int)

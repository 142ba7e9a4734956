"""The chip as a whole: maps of it, its shape and neighbours, its parameters."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.qid import other_direction
from qdash_jupyter.llm.offline.operations.row import MOST_NAMED, Ask, Row, Told
from qdash_jupyter.llm.offline.phrases import ids, label, number, some
from qdash_jupyter.llm.offline.plan import CallOutcome, PlannedCall, planned, read
from qdash_jupyter.llm.offline.query import Window
from qdash_jupyter.messages.message import Message, Text, sentences

_LAYOUTS = ("grid", "hex", "linear")


def _couplings(topology: CallOutcome) -> list[str] | None:
    """The couplings' ids; None of a chip too large to be told whole."""
    targets = topology.content["couplings"].get("targets")
    return targets and [f"{control}-{target}" for control, each in targets.items() for target in each.split()]


def neighbours_of(qid: str, topology: CallOutcome) -> list[str]:
    """The qubits that one is coupled to, in the order of their numbers; none of a chip too large to be told whole."""
    pairs = [pair.split("-") for pair in _couplings(topology) or ()]
    return sorted({b if a == qid else a for a, b in pairs if qid in (a, b)}, key=int)


def has_coupling(qid: str) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], bool]:
    """Read whether the chip has a coupling, in either direction."""
    topology = yield from read("get_chip_topology")
    return bool({*(_couplings(topology) or ())} & {qid, other_direction(qid)})


def _map_reads(ask: Ask) -> list[PlannedCall]:
    window = ask.query.window or Window()
    during = {"since": window.since_text, "until": window.until_text}
    return [planned("generate_chip_heatmap", metric_name=ask.metric.key, selection_mode="latest", **during)]


def _map_told(ask: Ask) -> Told:
    """The newest values of a parameter on the chip's grid."""
    [outcome], metric = ask.outcomes, ask.metric
    found = outcome.content["statistics"]
    missing = [str(qid) for qid in outcome.content.get(f"missing_{metric.kind}s", ())]
    absent = some(missing, MOST_NAMED, unlisted=outcome.content.get("more_missing", 0))
    head = Message(
        "plan-map",
        name=ask.name,
        kind=metric.kind,
        median=number(found["median"], metric),
        min=number(found["min"], metric),
        max=number(found["max"], metric),
        count=found["count"],
        all=found[f"total_{metric.kind}s"],
    )
    return Told(sentences(head, Message("plan-never-measured", names=absent) if missing else ""))


def _parameters_told(ask: Ask) -> Told:
    """What was measured, how often."""
    counts = ask.outcomes[0].content["results"]
    items = (Message("plan-parameter", parameter=one, name=ask.named(one), count=counts[one]) for one in counts)
    return Told((Message("plan-parameters", count=len(counts)), "\n".join(map(ask.say, items))))


def _neighbours_told(ask: Ask) -> Told:
    """The chip's shape, or the neighbours of the named qubits."""
    [topology] = ask.outcomes
    known = _couplings(topology)
    if not ask.qids or known is None:
        return Told(_layout(topology.content))
    heads: list[Text] = []
    for qid in ask.qids:
        others = neighbours_of(qid, topology)
        pairs = tuple(f"`{pair}`" for pair in known if qid in pair.split("-"))
        told = Message("plan-neighbours", name=label(qid), names=ids(others), couplings=pairs)
        heads.append(told if others else Message("plan-no-neighbours", name=label(qid)))
    return Told(tuple(heads))


def _layout(content: JsonObject) -> Message:
    """The shape of the chip in a sentence."""
    size, layout = content["num_qubits"], content["layout_type"]
    if layout not in _LAYOUTS:
        return Message("plan-no-layout", count=size, pairs=content["couplings"]["_rows"])
    grid = str(content["grid_size"])
    return Message("plan-layout", topology=content["topology_id"], layout=layout, count=size, grid=grid)


MAP = Row("metrics! window form", _map_reads, None, _map_told, each="metrics")
PARAMETERS = Row("qids", "list_available_parameters qid", None, _parameters_told, "qids", most=12)
NEIGHBOURS = Row("qids", "get_chip_topology", None, _neighbours_told)

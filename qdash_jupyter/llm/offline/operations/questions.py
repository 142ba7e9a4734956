"""What is asked back where a question leaves open what it is about, with the choices that there are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.clarifying import ClarifyingQuestion
from qdash_jupyter.llm.offline.phrases import ids, label
from qdash_jupyter.llm.offline.plan import CallOutcome, Plan, PlannedCall, read
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.messages.message import Message, one_of

Opened = Generator[Sequence[PlannedCall], Sequence[CallOutcome], Query | ClarifyingQuestion]


def which_metric(query: Query, metrics: MetricTable) -> Opened:
    """The query with the parameter that its words mean on this chip; asks where several of them were measured."""
    one = query.qids[0] if len(query.qids) == 1 else None
    outcome = yield from read("list_available_parameters", qid=one)
    names = list(outcome.content["results"])
    fitting = tuple(name for name in query.unclear or names if name in names)
    if query.unclear and len(fitting) < 2:  # noqa: PLR2004 - nothing to choose
        return replace(query, metrics=(*(fitting or query.unclear)[:1], *query.metrics[1:]), unclear=())
    say = query.say
    titles = tuple(say.name(metrics.of(name)) for name in fitting) if query.unclear else ()
    choices = one_of(titles or [f"`{name}`" for name in fitting])
    asking = Message("plan-which-parameter", names=choices)
    if one:
        asking = Message("plan-which-parameter-of", name=label(one), names=choices)
    return ClarifyingQuestion(say(asking), slot="parameter", choices=fitting, names=titles)


def which_qubit(query: Query, metrics: MetricTable) -> Plan:
    """Ask for a qubit, or for a coupling where these are meant."""
    outcome = yield from read("get_chip_topology")
    of_couplings = query.asked is Asked.COUPLING_VALUES or (
        bool(query.metrics) and metrics.of(query.metrics[0]).kind == "coupling"
    )
    first, last, pair = _ends(outcome)
    asking = Message("plan-which-qubit", first=first, last=last)
    if of_couplings:
        asking = Message("plan-which-coupling", pair=pair, first=first, last=last)
    return ClarifyingQuestion(query.say(asking), slot="qid")


def compare_with(query: Query) -> Opened:
    """The query with the qubits to compare: the neighbours of the one that is named, where `details` say so."""
    outcome = yield from read("get_chip_topology")
    say = query.say
    near = neighbours_of(query.qids[0], outcome) if query.qids else []
    if not near:
        first, last, _ = _ends(outcome)
        return ClarifyingQuestion(say(Message("plan-compare-which", first=first, last=last)), slot="qids")
    if query.details.get("neighbours"):
        return replace(query, qids=(*query.qids, *near))
    asking = Message("plan-compare-with", name=label(query.qids[0]), names=ids(near))
    return ClarifyingQuestion(say(asking), slot="qids", choices=tuple(near))


def neighbours_of(qid: str, topology: CallOutcome) -> list[str]:
    """The qubits that one is coupled to, in the order of their numbers; none of a chip too large to be told whole."""
    pairs = [pair.split("-") for pair in topology.content["couplings"].get("coupling_id", [])]
    return sorted({b if a == qid else a for a, b in pairs if qid in (a, b)}, key=int)


def _ends(topology: CallOutcome) -> tuple[str, str, str]:
    content = topology.content
    last = str(content["num_qubits"] - 1)
    qids = sorted((row[0] for row in content["qubits"].get("rows", [])), key=int) or ["0", last]
    pairs = content["couplings"].get("coupling_id") or ["0-1"]
    return label(qids[0]), label(qids[-1]), label(pairs[0])

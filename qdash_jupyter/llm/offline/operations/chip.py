"""The chip as a whole: maps of it, its shape and neighbours, its parameters."""

from __future__ import annotations

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.operations.topology import neighbours_of
from qdash_jupyter.llm.offline.phrases import Say, ids, label, number, some
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.messages.message import Message, Text, sentences

DEFAULT_METRIC = "t1"

_LAYOUTS = ("grid", "hex", "linear")


def heatmap(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Draw each metric on the chip's grid: newest values, the best, or means."""
    del question
    if query.statistic not in {None, "mean"} or query.order not in {None, "best"}:
        raise PlanFailed(Message("plan-map-shows"))
    shown = [metrics.of(name) for name in query.metrics or (DEFAULT_METRIC,)]
    picked = "average" if query.statistic == "mean" else "best" if query.order == "best" else "latest"
    window = {"since": query.window.since_text, "until": query.window.until_text}
    during = {name: moment for name, moment in window.items() if moment}
    calls = [{"metric_name": metric.key, "selection_mode": picked, **during} for metric in shown]
    outcomes = yield [PlannedCall("generate_chip_heatmap", call) for call in calls]
    if all(outcome.failed for outcome in outcomes):
        raise PlanFailed(outcomes[0].why)
    return Finding("\n\n".join(query.say(_map(*pair, query.say)) for pair in zip(outcomes, shown, strict=True)))


def _map(outcome: CallOutcome, metric: Metric, say: Say) -> Text:
    if outcome.failed:
        return outcome.why
    found = outcome.content["statistics"]
    missing = [str(qid) for qid in outcome.content.get(f"missing_{metric.kind}s", ())]
    absent = some(missing, len(missing), unlisted=outcome.content.get("more_missing", 0))
    head = Message(
        "plan-map",
        name=say.name(metric),
        median=number(found["median"], metric),
        min=number(found["min"], metric),
        max=number(found["max"], metric),
        count=found["count"],
        all=found[f"total_{metric.kind}s"],
        kind=metric.kind,
    )
    return sentences(head, Message("plan-never-measured", names=absent) if missing else "")


def parameters(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`list_available_parameters`: what was measured, how often."""
    counts, say = outcome.content["results"], query.say
    rows = (
        Message("plan-parameter", parameter=parameter, name=say.name(metrics.of(parameter)), count=count)
        for parameter, count in counts.items()
    )
    return Finding(say(Message("plan-parameters", count=len(counts))) + "\n\n" + "\n".join(map(say, rows)))


def neighbours(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_chip_topology`: the chip's shape, or the neighbours of the named qubits."""
    del metrics
    known, say = outcome.content["couplings"].get("coupling_id"), query.say
    if not query.qids or known is None:
        return Finding(say(_layout(outcome.content)))
    lines = []
    for qid in query.qids:
        others = neighbours_of(qid, outcome)
        pairs = tuple(f"`{pair}`" for pair in known if qid in pair.split("-"))
        told = Message("plan-neighbours", name=label(qid), names=ids(others), couplings=pairs)
        lines.append(say(told if others else Message("plan-no-neighbours", name=label(qid))))
    return Finding("\n\n".join(lines))


def _layout(content: JsonObject) -> Message:
    """The shape of the chip in a sentence."""
    size, layout = content["num_qubits"], content["layout_type"]
    if layout not in _LAYOUTS:
        return Message("plan-no-layout", count=size, pairs=content["couplings"]["_rows"])
    grid = str(content["grid_size"])
    return Message("plan-layout", topology=content["topology_id"], layout=layout, count=size, grid=grid)

"""The chip as a whole: maps of it, its shape and neighbours, its parameters."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.offline.operations.row import MOST_NAMED, Ask, Made, Telling, Told, answer, listed_code
from qdash_jupyter.llm.offline.phrases import ids, label, number, some
from qdash_jupyter.llm.offline.plan import CallOutcome, PlannedCall, planned
from qdash_jupyter.llm.offline.query import Window
from qdash_jupyter.messages.message import Message, Text, sentences

_LAYOUTS = ("grid", "hex", "linear")
MOST_NEAR = 100
"""Qubits whose neighbours a cell tells."""


def has_coupling(qid: str) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], bool]:
    """Read whether the chip has a coupling, in either direction."""
    [outcome] = yield [planned("get_coupling_params", coupling_id=qid)]
    return outcome.content.get("kind") != "not_found"


def _map_reads(ask: Ask) -> list[PlannedCall]:
    window = ask.query.window or Window()
    during = {"since": window.since_text, "until": window.until_text}
    return [planned("generate_chip_heatmap", metric_name=ask.metric.key, selection_mode="latest", **during)]


@answer("metrics! window form", _map_reads, each="metrics")
def chip_map(ask: Ask) -> Told:
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
    older = sorted({*outcome.content.get("newest_excluded", ()), *outcome.content.get("newest_without_value", ())})
    names = some([qid for qid in older if qid not in missing], MOST_NAMED)
    return Told(
        sentences(
            head,
            Message("plan-never-measured", names=absent) if missing else "",
            Message("plan-older-shown", names=names) if names else "",
        )
    )


@answer("qids", "list_available_parameters qid", each="qids", most=12)
def parameters(ask: Ask) -> Told:
    """What was measured, how often."""
    counts = ask.outcomes[0].content["results"]
    items = (Message("plan-parameter", parameter=one, name=ask.named(one), count=counts[one]) for one in counts)
    return Told((Message("plan-parameters", count=len(counts)), "\n".join(map(ask.say, items))))


@answer("qids", "get_chip_topology", answers=lambda query: len(query.qids) <= MOST_NEAR)
def neighbours(ask: Ask) -> Telling:
    """The chip's shape, or the neighbours of the named qubits: a row a qubit, as of pairs there may be more than a cell
    tells.
    """
    lines = [
        f'pairs = {ask.codes[0]}["couplings"]',
        'pairs = pd.concat([pairs, pairs.rename(columns={"control": "target", "target": "control"})]).sort_index()',
        f'near = pairs[pairs["control"].isin({listed_code(ask.qids)})]',
        'near = near.groupby("control", as_index=False)[["target", "coupling_id"]].agg(" ".join)',
    ]
    near = yield [Made(lines, "near")] if ask.qids else []
    if not near:
        return Told(_layout(ask.outcomes[0].content))
    heads, found = list[Text](), {row["control"]: row for row in near[0]}
    for qid in ask.qids:
        told: Text = Message("plan-no-neighbours", name=label(qid))
        if row := found.get(qid):
            names, pairs = ids(sorted(row["target"].split(), key=int)), row["coupling_id"].split()
            pairs = tuple(f"`{pair}`" for pair in pairs)
            told = Message("plan-neighbours", name=label(qid), names=names, couplings=pairs)
        heads.append(told)
    return Told(tuple(heads), names=sorted({one for row in near[0] for one in row["target"].split()}, key=int))


def _layout(content: JsonObject) -> Message:
    """The shape of the chip in a sentence."""
    size, pairs, layout = content["num_qubits"], content["couplings"]["_rows"], content["layout_type"]
    if layout not in _LAYOUTS:
        return Message("plan-no-layout", count=size, pairs=pairs)
    grid = str(content["grid_size"])
    return Message("plan-layout", topology=content["topology_id"], layout=layout, count=size, pairs=pairs, grid=grid)

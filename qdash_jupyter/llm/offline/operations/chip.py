"""The chip as a whole: maps of it, its shape and neighbours, its parameters."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.offline.operations.row import MOST_NAMED, Ask, Made, Row, Rows, Told, cell_of, listed_code
from qdash_jupyter.llm.offline.phrases import ids, label, number, some
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, PlannedCall, planned, read
from qdash_jupyter.llm.offline.query import Window
from qdash_jupyter.messages.message import Message, Text, sentences

_LAYOUTS = ("grid", "hex", "linear")


_TOPOLOGY = "get_chip_topology"


def _told_couplings(topology: CallOutcome) -> list[str] | None:
    """The couplings' ids; None of a chip too large to be told whole."""
    targets = topology.content["couplings"].get("targets")
    return targets and [f"{control}-{target}" for control, each in targets.items() for target in each.split()]


def _stored_couplings(code: str, qids: Sequence[str]) -> Made:
    """A cell with the couplings of some qubits, of what is stored."""
    near = f'pairs[["control", "target"]].isin({listed_code(qids)}).any(axis=1)'
    return Made([f'pairs = {code}["couplings"]', f"pairs = pairs[{near}]"], "pairs")


def _ids_of(rows: Iterable[dict[str, Any]]) -> list[str]:
    return [f"{row['control']}-{row['target']}" for row in rows]


def neighbours_of(qid: str, couplings: Sequence[str]) -> list[str]:
    """Return the qubits that one is coupled to, in the order of their numbers."""
    pairs = [pair.split("-") for pair in couplings]
    return sorted({b if a == qid else a for a, b in pairs if qid in (a, b)}, key=int)


def couplings_of(qids: Sequence[str], question: str) -> Generator[Any, Any, list[str]]:
    """Read the couplings of some qubits; of others, too, where all were told."""
    topology = yield from read(_TOPOLOGY)
    if (told := _told_couplings(topology)) is not None:
        return told
    made = _stored_couplings(f'copilot.data["{topology.content["data_key"]}"]', qids)
    [run] = yield from Cells().run_all([(cell_of(question, *made.lines, made.frame), question)])
    return _ids_of(Rows(run))


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


def _neighbours(ask: Ask) -> list[Made]:
    """The couplings of the named qubits, where not all were told."""
    is_told = not ask.qids or _told_couplings(ask.outcomes[0]) is not None
    return [] if is_told else [_stored_couplings(str(ask.codes[0]), ask.qids)]


def _neighbours_told(ask: Ask, rows: Iterable[dict[str, Any]] = ()) -> Told:
    """The chip's shape, or the neighbours of the named qubits."""
    [topology] = ask.outcomes
    if not ask.qids:
        return Told(_layout(topology.content))
    known = _ids_of(rows) if (told := _told_couplings(topology)) is None else told
    heads: list[Text] = []
    for qid in ask.qids:
        others = neighbours_of(qid, known)
        pairs = tuple(f"`{pair}`" for pair in known if qid in pair.split("-"))
        words = Message("plan-neighbours", name=label(qid), names=ids(others), couplings=pairs)
        heads.append(words if others else Message("plan-no-neighbours", name=label(qid)))
    return Told(tuple(heads))


def _layout(content: JsonObject) -> Message:
    """The shape of the chip in a sentence."""
    size, pairs, layout = content["num_qubits"], content["couplings"]["_rows"], content["layout_type"]
    if layout not in _LAYOUTS:
        return Message("plan-no-layout", count=size, pairs=pairs)
    grid = str(content["grid_size"])
    return Message("plan-layout", topology=content["topology_id"], layout=layout, count=size, pairs=pairs, grid=grid)


MAP = Row("metrics! window form", _map_reads, None, _map_told, each="metrics")
PARAMETERS = Row("qids", "list_available_parameters qid", None, _parameters_told, "qids", most=12)
NEIGHBOURS = Row("qids", _TOPOLOGY, _neighbours, _neighbours_told)

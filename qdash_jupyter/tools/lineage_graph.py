"""`get_provenance_lineage_graph`: what a value was made of, and what that was made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import Field

from qdash_jupyter.data.queries import VersionQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ChipRef, ParameterVersion, ProvenanceActivity
from qdash_jupyter.data.tables import COUNT, MOMENT, TEXT, frame_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.domain.told_table import told_table
from qdash_jupyter.errors import InvalidArguments, NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.lineage import no_versions
from qdash_jupyter.tools.provenance_walk import walk_back
from qdash_jupyter.tools.spec import ChipArguments, NewFrame, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.timestamps import full_timestamp

WHOLE_UP_TO = 20
"""Nodes up to which the model gets the whole graph; above, a summary."""
SUMMARY_CHARS = 1_500
_PARTS = 4

Newest = Mapping[tuple[str, str, str], int]
"""The newest version number by chip, parameter and qid."""

NODE_COLUMNS = {
    "type": TEXT,
    "id": TEXT,
    "depth": COUNT,
    "param": TEXT,
    "qid": TEXT,
    "value": "object",
    "unit": TEXT,
    "version": "Int64",
    "newest_version": "Int64",
    "task": TEXT,
    "exec_id": TEXT,
    "valid_from": MOMENT,
    "started_at": MOMENT,
    "ended_at": MOMENT,
    "status": TEXT,
    "chip_id": TEXT,
}
EDGE_COLUMNS = {"relation": TEXT, "source": TEXT, "target": TEXT}


class LineageGraphArguments(ChipArguments):
    entity_id: str = Field(description="<parameter>:<qid>:<execution_id>:<task_id>.", min_length=1)
    max_depth: int = Field(5, description="Steps.", ge=1, le=20)


def get_provenance_lineage_graph(args: LineageGraphArguments, context: ToolContext) -> ToolOutput:
    """The graph behind a value. Tables: `nodes` (entities and activities, nearest first) and `edges`; every edge has
    both ends in `nodes`. The model reads edges by relation, as places (from 0) among the nodes. `newest_version` is
    that of the same parameter and qubit on the node's chip.
    """
    reader, chip = context.reader_and_chip(args)
    origin = _origin(args.entity_id, reader, chip)
    walk = walk_back(reader, chip.ref, origin, args.max_depth)
    entities = {node: one for node, one in walk.nodes.items() if isinstance(one, ParameterVersion)}
    newest = _newest(entities.values(), reader, chip.ref)
    nearest_first = sorted(walk.depths, key=lambda node: (walk.depths[node], node not in entities, node))
    rows = [_row(walk.nodes[node], newest) | {"depth": walk.depths[node]} for node in nearest_first]
    nodes = [_node(row, chip.ref) for row in rows]
    scalars: dict[str, Any] = {
        "origin": origin.entity_id,
        "num_nodes": len(nodes),
        "num_edges": len(walk.edges),
        "max_depth": args.max_depth,
    }
    left_out = {"edges_beyond_max_depth": walk.beyond, "edges_to_missing_nodes": walk.dangling}
    scalars |= {name: count for name, count in left_out.items() if count}
    place = {node: number for number, node in enumerate(nearest_first)}
    edges: dict[str, list[list[int]]] = {}
    for relation, source, target in walk.edges:
        edges.setdefault(relation, []).append([place[source], place[target]])
    columns = dict.fromkeys(name for node in nodes for name in node)
    whole = {"nodes": told_table({name: [node.get(name) for node in nodes] for name in columns}), "edges": edges}
    tables = {
        "nodes": frame_of(rows, NODE_COLUMNS),
        "edges": frame_of(walk.edges, EDGE_COLUMNS),
    }
    project = Message("read-project", project=chip.ref.project_id)
    way = Message("read-back-from", id=origin.entity_id), Message("read-steps", count=args.max_depth)
    where = Message("read-filter", parts=(project, *way))
    return ToolOutput(
        content=scalars | whole if len(nodes) <= WHOLE_UP_TO else None,
        frame=NewFrame("lineage_graph", scalars | tables, main="nodes", chip=chip.ref),
        notable=_notable(nodes),
        budget=SUMMARY_CHARS,
        sources=(
            Source("parameter_versions", where, len(entities), (origin.entity_id,)),
            Source("provenance_activities", where, len(walk.nodes) - len(entities)),
            Source("provenance_relations", where, len(walk.edges)),
        ),
    )


def _origin(raw: str, reader: QDashReader, chip: ChipRecord) -> ParameterVersion:
    parts = raw.split(":")
    if len(parts) != _PARTS or not all((parts[0], *parts[2:])):
        raise InvalidArguments.with_hint("not-an-entity-id", id=raw)
    parameter, qid = parts[0], normalise_qid(parts[1]) or parts[1]
    found = reader.entities(chip.ref, [raw, ":".join((parameter, qid, *parts[2:]))])
    if found:
        return found[0]
    versions = reader.parameter_versions(VersionQuery(chip.ref, parameter, qid, last_n=100))
    known = [version.entity_id for version in versions]
    if not known:
        raise no_versions(reader, chip, parameter, qid)
    raise NotFound(Message("kind-entity"), raw, known, where=Message("in-project", project=chip.ref.project_id))


def _newest(entities: Collection[ParameterVersion], reader: QDashReader, chip: ChipRef) -> Newest:
    found: dict[tuple[str, str, str], int] = {}
    for chip_id in {one.chip_id for one in entities}:
        asked = {(one.parameter, one.qid) for one in entities if one.chip_id == chip_id}
        newest = reader.newest_versions(ChipRef(chip.project_id, chip_id), asked)
        found |= {(chip_id, *pair): number for pair, number in newest.items()}
    return found


def _row(node: ParameterVersion | ProvenanceActivity, newest: Newest) -> JsonObject:
    row: JsonObject = {"qid": node.qid, "task": node.task_name, "exec_id": node.execution_id}
    if isinstance(node, ProvenanceActivity):
        times = {"started_at": node.started_at, "ended_at": node.ended_at, "status": node.status}
        return row | times | {"type": "activity", "id": node.activity_id, "value": None}
    return row | {
        "type": "entity",
        "id": node.entity_id,
        "param": node.parameter,
        "value": node.value,
        "unit": node.unit,
        "version": node.version,
        "newest_version": newest.get((node.chip_id, node.parameter, node.qid)),
        "valid_from": node.valid_from,
        "chip_id": node.chip_id,
    }


def _node(row: JsonObject, chip: ChipRef) -> JsonObject:
    """A row of the table as the model reads it: with QDash's keys, and `3/5` where a newer version is current."""
    version, newest = row.get("version"), row.get("newest_version")
    is_stale = version is not None and newest is not None and newest > version
    node = {
        **{name: row.get(name) for name in ("type", "id", "depth", "param", "qid")},
        "value": compact_number(row["value"]),
        "unit": row.get("unit"),
        "ver": f"{version}/{newest}" if is_stale else version,
        **{name: row.get(name) for name in ("task", "exec_id")},
        "valid_from": full_timestamp(row.get("valid_from")),
        "status": row.get("status"),
        "started_at": full_timestamp(row.get("started_at")),
    }
    return node | ({"chip_id": row["chip_id"]} if row.get("chip_id", chip.chip_id) != chip.chip_id else {})


def _notable(nodes: list[JsonObject]) -> list[tuple[str, dict[str, Any]]]:
    stale = {node["id"]: node["ver"] for node in nodes if isinstance(node["ver"], str)}
    failed = {node["id"]: node["status"] for node in nodes if node["status"] not in (None, "", "completed")}
    foreign = {node["id"]: node["chip_id"] for node in nodes if "chip_id" in node}
    near = {node["id"]: f"{node['value']} {node['unit']}".strip() for node in nodes if node["type"] == "entity"}
    return [
        ("not_completed", failed),
        ("of_other_chips", foreign),
        ("stale_inputs", stale),
        ("values_nearest_first", near),
    ]


LINEAGE_GRAPH = ToolSpec(
    label=Message("label-lineage-graph"),
    description=(
        "What a value was made of (its entity_id: get_parameter_lineage), and what is old of that: nodes; edges "
        "by relation, [source, target] in nodes. "
        'ver "3/5": version 3 was used, 5 is current.'
    ),
    on_request=True,
    run=get_provenance_lineage_graph,
)

"""Walks the provenance graph backwards: from a value to the task that made it, and to what that task used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef, ParameterVersion, ProvenanceActivity
from qdash_jupyter.domain.work import side_by_side

BACKWARDS = {"wasGeneratedBy": "activity", "used": "entity", "wasDerivedFrom": "entity"}
"""The relations that lead to an origin, and what they lead to."""


class Edge(NamedTuple):
    """From what was made to what it was made of."""

    relation: str
    source: str
    target: str


@dataclass(slots=True)
class Walk:
    """The nodes that were reached, with the length of the shortest path to each, and all edges between them."""

    depths: dict[str, int]
    entities: dict[str, ParameterVersion]
    activities: dict[str, ProvenanceActivity] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    beyond: int = 0
    """Edges to nodes that are farther away than was asked for."""
    dangling: int = 0
    """Edges to nodes that the database does not hold."""


def walk_back(reader: QDashReader, chip: ChipRef, origin: ParameterVersion, max_depth: int) -> Walk:
    """All nodes up to `max_depth` steps behind `origin`: about one read a level for the edges, two for all nodes."""
    walk = Walk({origin.entity_id: 0}, {origin.entity_id: origin})
    edges, kinds = _edges_behind(reader, chip, origin.entity_id, max_depth)
    of_kind = {kind: [node for node in kinds if kinds[node] == kind] for kind in ("entity", "activity")}
    reads: list[Callable[[], Any]] = [
        partial(reader.entities, chip, of_kind["entity"]),
        partial(reader.activities, chip, of_kind["activity"]),
    ]
    entities, activities = side_by_side(reads)
    known = {entity.entity_id: entity for entity in entities}
    done = {activity.activity_id: activity for activity in activities}
    level = [origin.entity_id]
    for depth in range(1, max_depth + 2):  # the last one only counts the edges of the farthest nodes
        found = {edge for node in level for edge in edges.get(node, ())}
        level = []
        if depth <= max_depth:
            new = dict.fromkeys(edge.target for edge in found if edge.target not in walk.depths)
            walk.entities |= {node: known[node] for node in new if node in known}
            walk.activities |= {node: done[node] for node in new if node in done}
            level = [node for node in new if node in known or node in done]
            walk.depths |= dict.fromkeys(level, depth)
        kept = [edge for edge in found if edge.target in walk.depths]
        walk.edges += sorted(kept, key=lambda edge: (edge.source, edge.target, edge.relation))
        if depth <= max_depth:
            walk.dangling += len(found) - len(kept)
        else:
            walk.beyond = len(found) - len(kept)
        if not level:
            break
    return walk


def _edges_behind(
    reader: QDashReader, chip: ChipRef, origin: str, max_depth: int
) -> tuple[dict[str, set[Edge]], dict[str, str]]:
    """The edges by source, also those that the farthest nodes begin, and what the nodes between them are."""
    edges: dict[str, set[Edge]] = {}
    kinds, depths, asked = {origin: "entity"}, {origin: 0}, set[str]()
    # Values lead to values, mostly faster than by way of the tasks between them: those are asked about afterwards.
    while waiting := [node for node, depth in depths.items() if depth <= max_depth and node not in asked]:
        kind = min((kinds[node] for node in waiting), key=lambda one: one != "entity")
        level = [node for node in waiting if kinds[node] == kind]
        asked.update(level)
        for one in reader.relations_from(chip, level, kind):
            if one.relation in BACKWARDS:
                edges.setdefault(one.source_id, set()).add(Edge(one.relation, one.source_id, one.target_id))
                kinds.setdefault(one.target_id, BACKWARDS[one.relation])
        depths = _depths(origin, edges)
    return edges, {node: kinds[node] for node, depth in depths.items() if 0 < depth <= max_depth}


def _depths(origin: str, edges: Mapping[str, set[Edge]]) -> dict[str, int]:
    """The length of the shortest known path to each node."""
    depths, level = {origin: 0}, [origin]
    while level:
        new = dict.fromkeys(edge.target for node in level for edge in edges.get(node, ()) if edge.target not in depths)
        depths |= dict.fromkeys(new, depths[level[0]] + 1)
        level = list(new)
    return depths

"""Walks the provenance graph backwards: from a value to the task that made it, and to what that task used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Walk:
    """The nodes that were reached, with the length of the shortest path to each, and all edges between them."""

    depths: dict[str, int]
    nodes: dict[str, ParameterVersion | ProvenanceActivity]
    edges: list[Edge]
    beyond: int
    """Edges to nodes that are farther away than was asked for."""
    dangling: int
    """Edges to nodes that the database does not hold."""


def walk_back(reader: QDashReader, chip: ChipRef, origin: ParameterVersion, max_depth: int) -> Walk:
    """All nodes up to `max_depth` steps behind `origin`: about one read a level for the edges, two for all nodes."""
    edges, kinds = _edges_behind(reader, chip, origin.entity_id, max_depth)
    of_kind = {kind: [node for node in kinds if kinds[node] == kind] for kind in ("entity", "activity")}
    reads: list[Callable[[], Any]] = [
        partial(reader.entities, chip, of_kind["entity"]),
        partial(reader.activities, chip, of_kind["activity"]),
    ]
    entities, activities = side_by_side(reads)
    known = {origin.entity_id: origin} | {entity.entity_id: entity for entity in entities}
    known |= {activity.activity_id: activity for activity in activities}
    there = {node: {edge for edge in of if edge.target in known} for node, of in edges.items()}
    depths = _depths(origin.entity_id, there, max_depth)
    begun = [edge for node in depths for edge in edges.get(node, ())]
    begun.sort(key=lambda edge: (depths[edge.source], edge.source, edge.target, edge.relation))
    left = [depths[edge.source] for edge in begun if edge.target not in depths]
    return Walk(
        depths,
        {node: known[node] for node in depths},
        [edge for edge in begun if edge.target in depths],
        beyond=left.count(max_depth),
        dangling=len(left) - left.count(max_depth),
    )


def _edges_behind(
    reader: QDashReader, chip: ChipRef, origin: str, max_depth: int
) -> tuple[dict[str, set[Edge]], dict[str, str]]:
    """The edges by source, also those that the farthest nodes begin, and what the nodes between them are."""
    edges: dict[str, set[Edge]] = {}
    kinds, depths, asked = {origin: "entity"}, {origin: 0}, set[str]()
    # Values lead to values, mostly faster than by way of the tasks between them: those are asked about afterwards.
    while waiting := [node for node in depths if node not in asked]:
        kind = min((kinds[node] for node in waiting), key=lambda one: one != "entity")
        level = [node for node in waiting if kinds[node] == kind]
        asked.update(level)
        for one in reader.relations_from(chip, level, kind):
            if one.relation in BACKWARDS:
                edges.setdefault(one.source_id, set()).add(Edge(one.relation, one.source_id, one.target_id))
                kinds.setdefault(one.target_id, BACKWARDS[one.relation])
        depths = _depths(origin, edges, max_depth)
    return edges, {node: kinds[node] for node in depths if node != origin}


def _depths(origin: str, edges: Mapping[str, set[Edge]], most: int) -> dict[str, int]:
    """The length of the shortest known path to each node, up to so many steps."""
    depths = {origin: 0}
    level: Iterable[str] = depths
    for depth in range(1, most + 1):
        new = (edge.target for node in level for edge in edges.get(node, ()))
        level = dict.fromkeys(node for node in new if node not in depths)
        depths |= dict.fromkeys(level, depth)
    return depths

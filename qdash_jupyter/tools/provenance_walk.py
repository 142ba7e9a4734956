"""Walks the provenance graph backwards: from a value to the task that made it, and to what that task used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef, ParameterVersion, ProvenanceActivity

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
    """All nodes up to `max_depth` steps behind `origin`, level by level, with three reads a level."""
    walk = Walk({origin.entity_id: 0}, {origin.entity_id: origin})
    level = [origin.entity_id]
    for depth in range(1, max_depth + 2):  # the last one only finds the edges of the farthest nodes
        found = {
            Edge(one.relation, one.source_id, one.target_id)
            for one in reader.relations_from(chip, level)
            if one.relation in BACKWARDS
        }
        level = []
        if depth <= max_depth:
            new = {edge.target: BACKWARDS[edge.relation] for edge in found if edge.target not in walk.depths}
            entities = reader.entities(chip, [node for node, kind in new.items() if kind == "entity"])
            activities = reader.activities(chip, [node for node, kind in new.items() if kind == "activity"])
            walk.entities |= {entity.entity_id: entity for entity in entities}
            walk.activities |= {activity.activity_id: activity for activity in activities}
            level = [node for node in new if node in walk.entities or node in walk.activities]
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

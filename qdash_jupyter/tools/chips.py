"""Which chip is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from qdash_jupyter.data.queries import ExecutionQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ChipRef, ElementKind
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.qid import is_coupling, normalise_qid, other_direction, qid_label
from qdash_jupyter.domain.topology import mux_of, topology_named
from qdash_jupyter.errors import Ambiguous, InvalidArguments, NoData, NotFound
from qdash_jupyter.messages.message import Field, Message, cut
from qdash_jupyter.tools.connections import connections_of

if TYPE_CHECKING:
    import pandas as pd

Found = TypeVar("Found")

_MOST_NAMED = 10
_MUX = re.compile(r"^\s*mux[\s_#]*0*(\d+)\s*$", re.IGNORECASE)
_KINDS = {"qubit": Message("kind-qubit"), "coupling": Message("kind-coupling")}


@dataclass(slots=True)
class ChipScope:
    """The current project and chip; None where the database decides because it has only one."""

    project_id: str | None = None
    chip_id: str | None = None

    def resolve(self, reader: QDashReader, chip_id: str | None = None, project_id: str | None = None) -> ChipRecord:
        """The chip that is meant: the named one (`project/chip` names its project, too), else the current one, else
        the only active one.

        Raises:
            NotFound: no such chip or project; names the nearest.
            Ambiguous: several fit; lists them.
            NoData: the database has no chip at all.
        """
        return looked_up(reader, lambda: self._resolved(reader.chips(), chip_id, project_id))

    def _resolved(self, chips: list[ChipRecord], chip_id: str | None, project_id: str | None) -> ChipRecord:
        wanted = chip_id or self.chip_id
        if wanted and not project_id and "/" in wanted and all(chip.ref.chip_id != wanted for chip in chips):
            project_id, _, wanted = wanted.partition("/")
        project = project_id or self.project_id
        if not chips:
            raise NoData.with_hint("no-chip")
        if project is not None and all(chip.ref.project_id != project for chip in chips):
            raise NotFound(Message("kind-project"), project, sorted({chip.ref.project_id for chip in chips}))
        chips = [chip for chip in chips if project is None or chip.ref.project_id == project]
        if wanted is None:
            active = [chip for chip in chips if chip.activity_status == "active"] or chips
            return _only(active, "")
        fitting = [chip for chip in chips if chip.ref.chip_id == wanted] or [
            chip for chip in chips if chip.ref.chip_id.lower() == wanted.lower()
        ]
        if not fitting:
            raise NotFound(Message("kind-chip"), wanted, sorted({chip.ref.chip_id for chip in chips}))
        return _only(fitting, wanted)


def looked_up(reader: QDashReader, find: Callable[[], Found]) -> Found:
    """What `find` finds among what the reader keeps, or else among what it reads anew.

    Raises:
        ToolError: what `find` raises: there is no such thing.
    """
    try:
        return find()
    except (NotFound, NoData):
        if not reader.forget():
            raise
    return find()


def _only(chips: Sequence[ChipRecord], wanted: str) -> ChipRecord:
    if len(chips) == 1:
        return chips[0]
    found = cut((f"{chip.ref.project_id}/{chip.ref.chip_id}" for chip in chips), _MOST_NAMED)
    problem = Message("several-projects", chip=wanted, chips=found) if wanted else Message("several-chips", chips=found)
    raise Ambiguous(problem, Message("several-chips-hint"))


def read_of(chip: ChipRef, *parts: Field) -> Message:
    """Return what was read of a chip, for `Source.filter`."""
    of_chip = Message("read-chip", chip=chip.chip_id), Message("read-project", project=chip.project_id)
    return Message("read-filter", parts=(*of_chip, *parts))


def kind_of(parameter: str, qids: Sequence[str] | None) -> ElementKind | None:
    """Whether a parameter belongs to qubits or couplings; None when neither its name nor the ids tell.

    Raises:
        InvalidArguments: the ids are of both kinds.
    """
    if qids:
        if len({is_coupling(qid) for qid in qids}) > 1:
            raise InvalidArguments.with_hint("both-kinds-of-ids")
        return "coupling" if is_coupling(qids[0]) else "qubit"
    metric = METRICS.get(parameter)
    return metric.kind if metric else None


def known_qids(reader: QDashReader, chip: ChipRecord, raw: Sequence[str], *, muxes: bool = False) -> list[str]:
    """The ids in QDash's form, checked against the chip; of a coupling, one of its directions has to be there. With
    `muxes`, `MUX 3` means its qubits.

    Raises:
        NotFound: one of them is not on the chip, or no id at all.
    """
    return looked_up(reader, lambda: _known_qids(reader, chip, _without_muxes(reader, chip, raw) if muxes else raw))


def _known_qids(reader: QDashReader, chip: ChipRecord, raw: Sequence[str]) -> list[str]:
    qids: list[str] = []
    read = {text: normalise_qid(text) for text in raw}
    either = both_directions([qid for qid in read.values() if qid])
    asked: dict[ElementKind, list[str]] = {}
    for one in either:
        asked.setdefault(_kind_of_id(one), []).append(one)
    known = {found for what, those in asked.items() for found in reader.element_ids(chip.ref, what, those)}
    for text, qid in read.items():
        found = next((one for one in both_directions([qid] if qid else []) if one in known), None)
        if found is None:
            what = _kind_of_id(qid or "")
            there = [qid_label(one, chip.size) for one in reader.element_ids(chip.ref, what)]
            named = qid_label(qid, chip.size) if qid else text
            raise NotFound(_KINDS[what], named, there, where=Message("on-chip", chip=chip.ref.chip_id))
        qids.append(found)
    return list(dict.fromkeys(qids))


def _kind_of_id(qid: str) -> ElementKind:
    return "coupling" if is_coupling(qid) else "qubit"


def _without_muxes(reader: QDashReader, chip: ChipRecord, raw: Sequence[str]) -> list[str]:
    """The ids, with the qubits of a MUX in its place."""
    found: list[str] = []
    for text in raw:
        match = _MUX.match(text)
        if match is None:
            found.append(text)
            continue
        qids = reader.element_ids(chip.ref, "qubit") if has_muxes(chip) else []
        mine = [qid for qid in qids if mux_of(qid) == match.group(1)]
        if not mine:
            known = list(dict.fromkeys(map(mux_of, qids)))
            where = Message("on-chip", chip=chip.ref.chip_id)
            raise NotFound(Message("kind-mux"), match.group(1), known, where=where)
        found += mine
    return found


def has_muxes(chip: ChipRecord) -> bool:
    """Whether its qubits are read out four at a time."""
    topology = topology_named(chip.topology_id, chip.size)
    return topology is not None and topology.has_muxes


def with_muxes(table: pd.DataFrame, chip: ChipRecord) -> pd.DataFrame:
    """A table of qubits with their `mux` behind `qid`, on a chip that has any."""
    if has_muxes(chip) and not table["qid"].map(is_coupling).any():
        table.insert(table.columns.get_loc("qid") + 1, "mux", table["qid"].map(mux_of).astype(table["qid"].dtype))
    return table


def both_directions(qids: Sequence[str]) -> list[str]:
    """The ids, and those of couplings with control and target exchanged: QDash keeps both, and fills one."""
    return list(dict.fromkeys(one for qid in qids for one in (qid, other_direction(qid))))


def found_directions(qids: Sequence[str], found: Collection[str]) -> list[str]:
    """The ids, each once; a coupling that is not `found` in its other direction where that one is."""
    turned = (other_direction(qid) if qid not in found and other_direction(qid) in found else qid for qid in qids)
    return list(dict.fromkeys(turned))


def known_runs(
    reader: QDashReader,
    chip: ChipRecord,
    *,
    cooldown_id: str | None = None,
    tags: Sequence[str] | None = None,
    execution_id: str | None = None,
    username: str | None = None,
) -> None:
    """Look where nothing was found: whether the chip ever had such runs.

    Raises:
        NotFound: it was in no such cool-down, or no run has the tag, the id or the user; names the nearest.
    """
    where = Message("on-chip", chip=chip.ref.chip_id)
    cooldowns = [cooldown.cooldown_id for cooldown in reader.cooldowns(chip.ref)] if cooldown_id else []
    runs = reader.executions(ExecutionQuery(chip.ref)) if tags or execution_id or username else []
    used = sorted({tag for run in runs for tag in run.tags})
    for kind, asked, known in (
        (Message("kind-cooldown"), cooldown_id, cooldowns),
        (Message("kind-run"), execution_id, [run.execution_id for run in runs]),
        (Message("kind-user"), username, sorted({run.username for run in runs} - {""})),
        *((Message("kind-tag"), tag, used) for tag in tags or ()),
    ):
        if asked and asked not in known:
            raise NotFound(kind, asked, known, where=where)


def expected_ids(reader: QDashReader, chip: ChipRecord, kind: ElementKind) -> list[str]:
    """The elements that should have been measured: all qubits, or the couplings of the topology (QDash also keeps the
    other direction of each pair, which is never filled).
    """
    if kind == "qubit":
        return reader.element_ids(chip.ref, kind)
    topology = topology_named(chip.topology_id, chip.size)
    if topology is None:
        return [f"{control}-{target}" for control, target in connections_of(reader, chip).couplings]
    directed = {f"{control}-{target}" for control, target in topology.couplings}
    return [qid for qid in reader.element_ids(chip.ref, kind) if qid in directed]

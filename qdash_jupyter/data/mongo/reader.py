"""Reads QDash's live MongoDB behind the `QDashReader` Protocol."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from qdash_jupyter.data.decode import DocumentDecoder, number_in
from qdash_jupyter.data.documents import Found
from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.columns import all_fit, can_read_columns, read_columns, series_of
from qdash_jupyter.data.mongo.documents import MongoDocuments
from qdash_jupyter.data.records import (
    ChipRecord,
    ChipRef,
    ElementKind,
    ParameterRow,
    ProjectRecord,
)
from qdash_jupyter.data.tables import (
    CURRENT_COLUMNS,
    PARAMETER_COLUMNS,
    SERIES_COLUMNS,
    finished_current,
    finished_series,
    frame_of,
)
from qdash_jupyter.domain.qid import is_coupling, normalise_qid, qid_order

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from qdash_jupyter.data.mongo.pipelines import Filter

_ELEMENTS = ("qubit", "coupling")
_RESULTS = "task_result_history"
_VERSIONS = "parameter_versions"
_NO_ID = ("", None)
_DEFAULT_SIZE = 64  # QDash's own, for chips without a size


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which measurements a series holds, as the decoder checks them."""

    parameter: str
    kind: ElementKind
    qids: Sequence[str] | None
    since: datetime | None
    until: datetime | None


class MongoReader(MongoDocuments):
    """A QDash database behind the `QDashReader` Protocol. It sends queries only, never a write.

    Documents of a qubit are taken in the order qubits, couplings, and within each by `_id`: of two that were
    calibrated at the same moment the later one counts, as in a snapshot.
    """

    def projects(self) -> list[ProjectRecord]:
        """All projects, by id."""
        names: dict[str, str] = {}
        for decoder, _ in self._find("project", {}, {"project_id": 1, "name": 1}):
            project_id = decoder.text("project_id")
            names[project_id] = max(names.get(project_id, ""), decoder.text("name"))
        for decoder, _ in self._find("chip", {}, {"project_id": 1}):
            names.setdefault(decoder.text("project_id"), "")
        names.pop("", None)
        return [ProjectRecord(project_id, name or project_id) for project_id, name in sorted(names.items())]

    def chips(self, project_id: str | None = None) -> list[ChipRecord]:
        """The chips, by project and chip id."""
        newest: dict[ChipRef, ChipRecord] = {}
        fields = (
            "project_id",
            "chip_id",
            "size",
            "topology_id",
            "activity_status",
            "current_cooldown_id",
            "installed_at",
        )
        scope = {} if project_id is None else {"project_id": project_id}
        for decoder, _ in self._find("chip", scope, dict.fromkeys(fields, 1)):
            if decoder.text_or_none("project_id") is None:
                decoder.report("project_id", "is missing: the chip belongs to no project")
                continue
            chip = _chip(decoder)
            known = newest.get(chip.ref)
            if known is None or _installed(chip) >= _installed(known):
                newest[chip.ref] = chip
        return sorted(newest.values(), key=lambda chip: (chip.ref.project_id, chip.ref.chip_id))

    def element_ids(self, chip: ChipRef, kind: ElementKind) -> list[str]:
        """Ids of the chip's qubits or couplings."""
        scope = self.scope(chip)
        found = {
            qid
            for collection in _ELEMENTS
            for decoder, _ in self._find(collection, scope | pipelines.with_ids(None), {"qid": 1})
            if (qid := _element(decoder, kind))
        }
        return sorted(found, key=qid_order)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """The parameters of the completed results, with counts; the server counts all plain ones."""
        scope = self.scope(chip)
        counts: dict[str, tuple[int, datetime | None]] = {}
        for _, row in self._aggregate(_RESULTS, pipelines.parameter_counts(scope, qid)):
            last_at = row["last_at"]
            counts[row["_id"]] = (row["results"], last_at if isinstance(last_at, datetime) else None)
        fields = {"qid": 1, "start_at": 1, "end_at": 1, "output_parameters": 1}
        for decoder, _ in self._find(_RESULTS, pipelines.other_results(scope, qid), fields):
            found = decoder.qid()
            if found is None or (qid is not None and found != qid) or decoder.has_list("start_at"):
                continue
            for record in decoder.parameters("output_parameters"):
                results, last_at = counts.get(record.parameter, (0, None))
                times = [t for t in (last_at, _time(decoder, record, reports=found != "")) if t is not None]
                counts[record.parameter] = (results + 1, max(times, default=None))
        return frame_of([(name, *counts[name]) for name in sorted(counts)], PARAMETER_COLUMNS)

    def current_parameters(
        self,
        chip: ChipRef,
        kind: ElementKind,
        *,
        parameters: Sequence[str] | None = None,
        qids: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """The current values from the `data` of the elements' documents."""
        scope = self.scope(chip) | pipelines.with_ids(qids)
        projection = pipelines.elements_projection(parameters)
        rows = [
            (qid, *record)
            for collection in _ELEMENTS
            for decoder, _ in self._find(collection, scope, projection)
            if (qid := _element(decoder, kind)) and (qids is None or qid in qids)
            for record in decoder.parameters("data")
            if parameters is None or record.parameter in parameters
        ]
        return finished_current(frame_of(rows, CURRENT_COLUMNS))

    def parameter_series(
        self,
        chip: ChipRef,
        parameter: str,
        kind: ElementKind,
        *,
        qids: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        cooldown_id: str | None = None,
        tags: Sequence[str] = (),
        last_n: int | None = None,
    ) -> pd.DataFrame:
        """A parameter's measurements, oldest first."""
        since, until = _aware(since), _aware(until)
        asked = _Asked(parameter, kind, qids, since, until)
        scope = self.scope(chip) | pipelines.of_runs(cooldown_id, tags)
        if last_n is None and pipelines.can_be_path(parameter) and can_read_columns():
            match = pipelines.measured(scope, parameter, qids=qids, since=since, until=until)
            return finished_series(self._by_columns(match, asked), parameter)
        pipeline = pipelines.series(scope, parameter, qids=qids, since=since, until=until, last_n=last_n)
        documents = self._aggregate(_RESULTS, pipeline)
        frame = finished_series(_decoded(documents, asked), parameter)
        if last_n is None:
            return frame
        return frame.groupby("qid", sort=False).tail(max(last_n, 0)).reset_index(drop=True)

    def _by_columns(self, match: Filter, asked: _Asked) -> pd.DataFrame:
        """The measurements read column by column; those that do not fit, as documents."""
        import pandas as pd

        def read(filter_: Filter) -> pa.Table:
            limit = int(self._query_seconds * 1000)
            collection = self._database[_RESULTS]
            return self._answered(lambda: read_columns(collection, filter_, asked.parameter, limit_ms=limit))

        table = read(match)
        if all_fit(table):
            return series_of(table, asked.kind, asked.qids)
        fits = pipelines.fits_columns(asked.parameter)
        fitting = series_of(read({"$and": [match, fits]}), asked.kind, asked.qids)
        documents = self._aggregate(_RESULTS, pipelines.checked([{"$match": {"$and": [match, {"$nor": [fits]}]}}]))
        others = _decoded(documents, asked)
        return pd.concat([fitting, others], ignore_index=True) if len(others) else fitting

    def task_names(self, chip: ChipRef) -> list[str]:
        """The names of the tasks that ever ran on the chip."""
        return sorted(str(name) for name in self._distinct(_RESULTS, "name", self.scope(chip)) if name)

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The number of the newest version that was written for this chip."""
        scope = {"project_id": chip.project_id}
        stored = self._stored_ids(_VERSIONS, scope)
        ids = [spelled for qid in {qid for _, qid in parameters} for spelled in pipelines.spellings_of(qid, stored)]
        names = {parameter for parameter, _ in parameters}
        numbers: dict[tuple[str, str], list[float]] = {pair: [] for pair in parameters}
        for _, row in self._aggregate(_VERSIONS, pipelines.versions(scope | {"chip_id": chip.chip_id}, names, ids)):
            raw = row["_id"].get("qid")
            qid = "" if raw in _NO_ID else normalise_qid(raw)
            if qid is not None and (found := (row["_id"]["parameter"], qid)) in numbers:
                numbers[found] += [number for number in map(number_in, row["versions"]) if number is not None]
        known = {pair: [number for number in found if math.isfinite(number)] for pair, found in numbers.items()}
        return {pair: int(max(found)) for pair, found in known.items() if found}


def _chip(decoder: DocumentDecoder) -> ChipRecord:
    size = decoder.number("size")
    return ChipRecord(
        ref=ChipRef(decoder.text("project_id"), decoder.text("chip_id")),
        size=_DEFAULT_SIZE if math.isnan(size) else int(size),
        topology_id=decoder.text_or_none("topology_id"),
        activity_status=decoder.text("activity_status") or "active",
        current_cooldown_id=decoder.text_or_none("current_cooldown_id"),
        installed_at=decoder.moment("installed_at"),
    )


def _installed(chip: ChipRecord) -> datetime:
    return chip.installed_at or datetime.min.replace(tzinfo=UTC)


def _element(decoder: DocumentDecoder, kind: ElementKind) -> str | None:
    """The document's id when it is one of `kind`, wherever the document stands."""
    qid = decoder.qid()
    return qid if qid and is_coupling(qid) == (kind == "coupling") else None


def _decoded(documents: Iterable[Found], asked: _Asked) -> pd.DataFrame:
    """A series from documents."""
    rows = []
    for decoder, document in documents:
        qid = _element(decoder, asked.kind)
        outputs = document.get("output_parameters")
        if not qid or (asked.qids is not None and qid not in asked.qids) or not isinstance(outputs, dict):
            continue
        if asked.parameter not in outputs:
            continue
        record = decoder.parameter("output_parameters", asked.parameter, outputs[asked.parameter])
        t = _time(decoder, record)
        if t is None or (asked.since is not None and t < asked.since) or (asked.until is not None and t >= asked.until):
            continue
        names = (decoder.text("name"), decoder.text("execution_id"), decoder.text("task_id"))
        rows.append((qid, t, record.value, record.error, record.unit, *names))
    return frame_of(rows, SERIES_COLUMNS)


def _time(decoder: DocumentDecoder, record: ParameterRow, *, reports: bool = True) -> datetime | None:
    """When a result counts; a result without any time is reported."""
    start, end = decoder.moment("start_at"), decoder.moment("end_at")
    if decoder.has_list("start_at"):
        return None
    t = start or record.calibrated_at or end
    if t is None and reports:
        decoder.report("start_at", "has no time at all: not in any series")
    return t


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment

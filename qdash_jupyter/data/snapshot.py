"""Reads a snapshot folder with DuckDB: the demo, tests, and notebooks that must give the same answer in a year."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from qdash_jupyter.data.decode import DocumentDecoder, ProblemLog
from qdash_jupyter.data.documents import SHAPES, DocumentQuery, Found
from qdash_jupyter.data.lookups import CurrentValues, DocumentLookups
from qdash_jupyter.data.queries import CurrentQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRef, DataProblem, ElementKind, Origin, ParameterRow
from qdash_jupyter.data.snapshot_writer import MANIFEST, SNAPSHOT_FORMAT, naive
from qdash_jupyter.data.tables import PARAMETER_COLUMNS, finished_series, typed
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.errors import SnapshotError

if TYPE_CHECKING:
    import pandas as pd

_OF_KIND: dict[ElementKind, str] = {"qubit": "qid <> '' AND NOT contains(qid, '-')", "coupling": "contains(qid, '-')"}

# A result whose project is null belongs to the chip's project when only one project has a chip of that id.
_IN_SCOPE = "chip_id = $chip AND (project_id = $project OR (project_id IS NULL AND $alone))"

_COUNTED = f"status = 'completed' AND NOT excluded AND {_IN_SCOPE}"

# Groups of rows that are older are not opened. What has no start is dated by its value or its end.
_BEGUN = {True: "", False: "AND (start_at IS NULL OR start_at >= $since)"}

_DAYS = "recorded_date > '' AND recorded_date <= $day"


class SnapshotReader(DocumentLookups):
    """A snapshot folder behind the `QDashReader` Protocol."""

    def __init__(self, folder: Path) -> None:
        """Open the folder.

        Raises:
            SnapshotError: it is no snapshot, or one written by a newer version.
        """
        self._manifest = _read_manifest(folder)
        self._log = ProblemLog()
        for problem in self._manifest["problems"]:
            self._log.add(**problem)
        self._as_of = datetime.fromisoformat(self._manifest["as_of"]).astimezone(UTC)
        self.folder = folder
        """What it reads."""
        self._database = duckdb.connect(":memory:")
        self._scopes: dict[ChipRef, dict[str, Any]] = {}
        for table in ("project", *SHAPES):
            path = folder / f"{table}.parquet"
            if not path.exists():
                msg = f"The snapshot {folder} lacks {path.name}."
                raise SnapshotError(msg, "Write it again, or choose another folder.")
            quoted = str(path).replace("'", "''")
            with self._told():
                self._database.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{quoted}')")
        self._origin = Origin(
            "snapshot",
            "demo data (generated)" if self._manifest.get("is_demo") else f"snapshot {folder.name}",
            self._as_of,
            is_demo=bool(self._manifest.get("is_demo")),
        )

    @property
    def source(self) -> str:
        """Where its documents came from, in words."""
        return str(self._manifest.get("source", ""))

    @property
    def origin(self) -> Origin:
        """The folder, and the moment it was taken."""
        return self._origin

    def now(self) -> datetime:
        """The snapshot's `as_of`."""
        return self._as_of

    def element_ids(self, chip: ChipRef, kind: ElementKind) -> list[str]:
        """Ids of the chip's qubits or couplings."""
        rows = self._rows(
            f"""SELECT DISTINCT qid FROM (SELECT * FROM qubit UNION ALL SELECT * FROM coupling)
                WHERE {_OF_KIND[kind]} AND {_IN_SCOPE}""",
            **self._scope(chip),
        )
        return sorted((qid for (qid,) in rows), key=qid_order)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """The parameters of the completed results, with counts."""
        frame = self._frame(
            f"""SELECT p.parameter AS parameter, count(*) AS results,
                       max(coalesce(start_at, p.calibrated_at, end_at)) AS last_at
                FROM (SELECT *, unnest(output_parameters) AS p FROM task_result_history
                      WHERE {_COUNTED} AND qid IS NOT NULL AND ($qid IS NULL OR qid = $qid))
                GROUP BY 1 ORDER BY 1""",
            qid=qid,
            **self._scope(chip),
        )
        return typed(frame, PARAMETER_COLUMNS)

    def _stored_values(self, query: CurrentQuery) -> Iterator[tuple[str, ParameterRow]]:
        """The values in the `data` of the elements' documents, or of their history, each with its element."""
        history, days = ("", "$day IS NULL") if query.at is None else ("_history", _DAYS)
        return self._parameter_rows(
            f"""SELECT qid, p.parameter, p.value, p.error, p.unit, p.calibrated_at, p.execution_id, p.task_id, p.flag
                FROM (SELECT *, unnest(data) AS p
                      FROM (SELECT * FROM qubit{history} UNION ALL SELECT * FROM coupling{history})
                      WHERE {days} AND {_OF_KIND[query.kind]} AND {_IN_SCOPE}
                        AND ($qids IS NULL OR list_contains($qids, qid)))
                WHERE ($parameters IS NULL OR list_contains($parameters, p.parameter))
                  AND ($at IS NULL OR p.calibrated_at < $at)""",
            qids=query.qids,
            parameters=query.parameters,
            at=naive(query.at),
            day=query.last_day,
            **self._scope(query.chip),
        )

    def _newest_measured(self, query: CurrentQuery) -> CurrentValues:
        """The newest results of the parameters and elements that count."""
        rows = self._parameter_rows(
            f"""SELECT qid, p.parameter, p.value, p.error, p.unit, coalesce(p.calibrated_at, t), execution_id, task_id,
                       p.flag
                FROM (SELECT *, coalesce(start_at, p.calibrated_at, end_at) AS t
                      FROM (SELECT *, unnest(output_parameters) AS p FROM task_result_history
                            WHERE {_COUNTED} AND list_contains($qids, qid))
                      WHERE list_contains($parameters, p.parameter))
                WHERE t IS NOT NULL AND ($at IS NULL OR t < $at)
                QUALIFY row_number() OVER (PARTITION BY qid, p.parameter ORDER BY t DESC, task_id DESC) = 1""",
            qids=query.qids,
            parameters=query.parameters,
            at=naive(query.at),
            **self._scope(query.chip),
        )
        return {(qid, row.parameter): row for qid, row in rows}

    def _parameter_rows(self, sql: str, **parameters: Any) -> Iterator[tuple[str, ParameterRow]]:
        """What SQL gives as an id and the fields of a `ParameterRow`."""
        for qid, name, value, error, unit, at, *others in self._rows(sql, **parameters):
            value, error = (math.nan if number is None else number for number in (value, error))  # noqa: PLW2901
            yield qid, ParameterRow(name, value, error, unit, at and at.replace(tzinfo=UTC), *others)

    def parameter_series(self, query: SeriesQuery) -> pd.DataFrame:
        """A parameter's measurements, oldest first."""
        during = query.during
        frame = self._frame(
            f"""SELECT qid, t, p.value AS v, p.error AS error, p.unit AS unit, name AS task_name, execution_id, task_id,
                       p.flag AS flag
                FROM (SELECT *, coalesce(start_at, p.calibrated_at, end_at) AS t
                      FROM (SELECT *, unnest(output_parameters) AS p FROM task_result_history
                            WHERE {_OF_KIND[query.kind]} AND {_COUNTED} AND ($qids IS NULL OR list_contains($qids, qid))
                              AND ($cooldown IS NULL OR cooldown_id = $cooldown)
                              AND list_has_all(tags, $tags::VARCHAR[]) {_BEGUN[during.since is None]})
                      WHERE p.parameter = $parameter)
                WHERE t IS NOT NULL AND ($since IS NULL OR t >= $since) AND ($until IS NULL OR t < $until)
                QUALIFY $last_n IS NULL
                     OR row_number() OVER (PARTITION BY qid ORDER BY t DESC, task_id DESC) <= $last_n""",
            parameter=query.parameter,
            qids=query.qids,
            since=naive(during.since),
            until=naive(during.until),
            cooldown=query.cooldown_id,
            tags=query.tags,
            last_n=query.last_n,
            **self._scope(query.chip),
        )
        return finished_series(frame)

    def task_names(self, chip: ChipRef) -> list[str]:
        """The names of the tasks that ever ran on the chip."""
        rows = self._rows(
            f"SELECT DISTINCT name FROM task_result_history WHERE {_IN_SCOPE} AND name <> ''", **self._scope(chip)
        )
        return sorted(name for (name,) in rows)

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The number of the newest version that was written for this chip."""
        rows = self._rows(
            """SELECT parameter_name, qid, max(rank) FROM parameter_versions
               WHERE project_id = $project AND chip_id = $chip AND rank IS NOT NULL
                 AND list_contains($parameters, parameter_name) AND list_contains($qids, qid) GROUP BY ALL""",
            parameters=[parameter for parameter, _ in parameters],
            qids=[qid for _, qid in parameters],
            project=chip.project_id,
            chip=chip.chip_id,
        )
        return {(name, qid): int(newest) for name, qid, newest in rows if (name, qid) in parameters}

    def documents(self, query: DocumentQuery) -> Iterator[Found]:
        """The documents that the query asks for."""
        where, values = self._asked(query)
        is_whole = query.last_n is None or query.tags or query.output  # tags and outputs are looked at afterwards
        last = "" if is_whole else f"LIMIT {query.last_n}"
        return self._opened(query.collection, f"{where} ORDER BY rank DESC NULLS LAST, _id DESC {last}", **values)

    def _number_of(self, query: DocumentQuery) -> int:
        """How many documents the query asks for; tags are looked at one by one."""
        if query.tags:
            return len(self._chosen(query))
        where, values = self._asked(query)
        ((count,),) = self._rows(f"SELECT count(*) FROM {query.collection} WHERE {where}", **values)
        return int(count)

    def _result_groups(self, query: DocumentQuery) -> Iterator[Found]:
        """The task results in groups, counted; of what is no id, the document says what stands there."""
        where, values = self._asked(query)
        if query.tags:
            where, values = f"{where} AND list_has_all(tags, $tags::VARCHAR[])", values | {"tags": query.tags}
        groups = self._rows(
            f"SELECT name, status, qid, count(*) FROM task_result_history WHERE {where} GROUP BY ALL", **values
        )
        for name, status, qid, results in groups:
            if qid is not None:
                whole = {"name": name, "status": status, "qid": qid}
                yield DocumentDecoder(query.collection, whole, self._log), {"results": results}
        if any(qid is None for _, _, qid, _ in groups):
            for decoder, _ in self._opened(query.collection, f"{where} AND qid IS NULL", **values):
                yield decoder, {"results": 1}

    def documents_of(self, collection: str, _: Sequence[str], project_id: str | None = None) -> Iterator[Found]:
        """The documents of a whole collection, or of a project's, in the order of their ids."""
        return self._opened(collection, "$project IS NULL OR project_id = $project ORDER BY _id", project=project_id)

    def problems(self) -> list[DataProblem]:
        """What could not be read when the snapshot was written."""
        return self._log.all()

    def close(self) -> None:
        """Close the in-process database. A query that still runs ends by itself; nobody waits for it."""
        with contextlib.suppress(duckdb.Error):  # DuckDB 2 says so, and has closed it all the same
            self._database.close()

    def _asked(self, query: DocumentQuery) -> tuple[str, dict[str, Any]]:
        """The documents that a query asks for but for its tags, in SQL, and the values that stand in it."""
        in_chip = query.shape.scope == "chip"
        where = [_IN_SCOPE if in_chip else "project_id = $project"]
        values: dict[str, Any] = self._scope(query.chip) if in_chip else {"project": query.chip.project_id}
        for number, (name, allowed) in enumerate(query.where.items()):
            where.append(f"list_contains($allowed{number}, {name})")
            values[f"allowed{number}"] = list(allowed)
        if query.qid is not None:
            where.append("qid = $qid")
            values["qid"] = query.qid
        if query.excluded is not None:
            where.append("excluded" if query.excluded else "NOT excluded")
        if query.output is not None:
            # The outputs of what is in no series stand in the document only.
            has_it = "list_contains([one.parameter FOR one IN output_parameters], $output)"
            where.append(f"(len(output_parameters) = 0 OR {has_it})")
            values["output"] = query.output
        if query.with_note:
            where.append("noted")
        if query.during.since is not None:
            where.append("rank >= $since")
            values["since"] = query.during.since.timestamp()
        if query.during.until is not None:
            where.append("rank < $until")
            values["until"] = query.during.until.timestamp()
        return " AND ".join(where), values

    def _scope(self, chip: ChipRef) -> dict[str, Any]:
        """What stands for the chip in SQL; `alone` is whether only its project has a chip of that id."""
        if chip not in self._scopes:
            projects = self._rows("SELECT DISTINCT project_id FROM chip WHERE chip_id = $chip", chip=chip.chip_id)
            alone = projects == [(chip.project_id,)]
            self._scopes[chip] = {"project": chip.project_id, "chip": chip.chip_id, "alone": alone}
        return dict(self._scopes[chip])

    def _opened(self, collection: str, which: str, **parameters: Any) -> Iterator[Found]:
        for (text,) in self._rows(f"SELECT document FROM {collection} WHERE {which}", **parameters):
            document = json.loads(text)
            yield DocumentDecoder(collection, document, self._log), document

    def _rows(self, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
        with self._told():
            rows: list[tuple[Any, ...]] = self._database.cursor().execute(sql, parameters).fetchall()
            return rows

    def _frame(self, sql: str, **parameters: Any) -> pd.DataFrame:
        with self._told():
            frame: pd.DataFrame = self._database.cursor().execute(sql, parameters).df()
            return frame

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What becomes of the folder in the middle of a session is no mistake of ours.

        Raises:
            SnapshotError: it is gone, or a file of it is.
        """
        try:
            yield
        except duckdb.IOException as error:
            why = "is gone" if not self.folder.exists() else f"cannot be read: {str(error).partition(chr(10))[0]}"
            raise SnapshotError(f"The snapshot {self.folder} {why}.", "Put it back, or choose other data.") from None


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = manifest["format"]
    except FileNotFoundError:
        msg = f"{folder} is not a snapshot: it has no {MANIFEST}."
        raise SnapshotError(msg, "Give the folder that holds it.") from None
    except (json.JSONDecodeError, KeyError, UnicodeDecodeError, NotADirectoryError):
        msg = f"{path} cannot be read as a snapshot's manifest."
        raise SnapshotError(msg, "Write the snapshot again.") from None
    if version != SNAPSHOT_FORMAT:
        msg = f"The snapshot {folder} has format {version}; this version reads format {SNAPSHOT_FORMAT}."
        raise SnapshotError(msg, "Write it again." if version < SNAPSHOT_FORMAT else "Upgrade qdash_jupyter.")
    return manifest

"""Reads a snapshot folder: the demo, tests, and notebooks that must give the same answer in a year."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.compute import field

from qdash_jupyter.data.collection_file import PLACE, CollectionFile, Each, Where, holds, records
from qdash_jupyter.data.decode import DocumentDecoder
from qdash_jupyter.data.documents import SHAPES, DocumentQuery
from qdash_jupyter.data.lookups import CurrentValues, DocumentLookups
from qdash_jupyter.data.queries import CurrentQuery, ElementQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRef, DataProblem, ElementKind, Origin, ParameterRow
from qdash_jupyter.data.snapshot_writer import MANIFEST, SNAPSHOT_FORMAT, naive
from qdash_jupyter.data.tables import PARAMETER_COLUMNS, SERIES_COLUMNS, series_in_order, typed
from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.domain.time_range import FIRST_RESULT, TimeRange, latest_result
from qdash_jupyter.errors import SnapshotError
from qdash_jupyter.messages.message import Message

_ELEMENTS = ("qubit", "coupling")

_RESULTS, _OUTPUTS = "task_result_history", "output_parameters"

_NAME, _CALIBRATED_AT = f"{_OUTPUTS}.parameter", f"{_OUTPUTS}.calibrated_at"

_DATES = ("start_at", "end_at", _CALIBRATED_AT)

_MEASURED = (
    *("qid", "name", "execution_id", "task_id", *_DATES),
    *(f"{_OUTPUTS}.{name}" for name in ("parameter", "value", "error", "unit", "flag")),
)

_HAS_NO_START = field("start_at").is_null() | (field("start_at") < pa.scalar(FIRST_RESULT.replace(tzinfo=None)))
"""Results that their rank does not date: a value or their end does."""

_IS_COUPLING = pc.match_substring(field("qid"), "-")
_OF_KIND: dict[ElementKind, Any] = {"qubit": (field("qid") != "") & ~_IS_COUPLING, "coupling": _IS_COUPLING}


class SnapshotReader(DocumentLookups):
    """A snapshot folder behind the `QDashReader` Protocol."""

    def __init__(self, folder: Path) -> None:
        """Open the folder.

        Raises:
            SnapshotError: it is no snapshot, or one written by a newer version.
        """
        taken = _read_manifest(folder)
        label = Message("demo-data") if taken.is_demo else Message("snapshot-label", name=folder.name)
        super().__init__(Origin("snapshot", label, taken.as_of), taken.as_of)
        for problem in taken.problems:
            self._log.add(**asdict(problem))
        self.folder = folder
        """What it reads."""
        self._is_only: dict[ChipRef, bool] = {}
        for collection in SHAPES:
            path = folder / f"{collection}.parquet"
            if not path.exists():
                raise SnapshotError.with_hint("snapshot-incomplete", folder=str(folder), file=path.name)
            with self._opened(collection):
                pass

    def element_ids(self, chip: ChipRef, kind: ElementKind, qids: Sequence[str] | None = None) -> list[str]:
        """Ids of the chip's qubits or couplings, or those of `qids` that are."""
        where = self._in_scope(chip) | {"qid": _OF_KIND[kind]}
        found = {qid for collection in _ELEMENTS for qid in self._read(collection, where, ["qid"])["qid"].to_pylist()}
        return sorted(found if qids is None else found & {*qids}, key=qid_order)

    def parameter_names(self, chip: ChipRef, qid: str | None = None) -> pd.DataFrame:
        """The parameters of the completed results, with counts."""

        def counted(rows: pa.Table) -> pa.Table:
            return self._dated(rows).group_by(_NAME).aggregate([([], "count_all"), ("t", "max")])

        where = self._counting(chip) | {"qid": field("qid").is_valid() if qid is None else field("qid") == qid}
        parts = self._read(_RESULTS, where, (_NAME, *_DATES), counted)
        whole = parts.group_by(_NAME).aggregate([("count_all", "sum"), ("t_max", "max")]).sort_by(_NAME)
        return _frame(whole, PARAMETER_COLUMNS, parameter=_NAME, results="count_all_sum", last_at="t_max_max")

    def _stored_values(self, query: CurrentQuery) -> Iterator[tuple[str, ParameterRow]]:
        """The values in the `data` of the elements' documents, or of their history, each with its element."""
        where, history = self._in_scope(query.chip) | {"qid": _asked(query)}, ""
        if query.at is not None:
            where |= {"recorded_date": (field("recorded_date") > "") & (field("recorded_date") <= query.last_day)}
            history = "_history"
        columns = ["qid", *(f"data.{name}" for name in ParameterRow._fields)]
        for collection in _ELEMENTS:
            rows = records(self._read(f"{collection}{history}", where, columns), "data", query.parameters)
            if query.at is not None:  # so that few of the rows become objects
                rows = rows.filter(field("data.calibrated_at") < _scalar(query.at))
            yield from _parameter_rows(rows, *columns)

    def _newest_measured(self, query: CurrentQuery, since: datetime | None = None) -> CurrentValues:
        """The newest results of the parameters and elements that count."""
        where = self._counting(query.chip) | {"qid": _any_of("qid", query.qids or ())}
        if since is not None:
            where |= {"start_at": _can_be_since(since)}
        during = TimeRange(since, query.at)
        rows = self._measurements(where, query.parameters, during, last_n=1, qids=query.qids)
        at = pc.coalesce(rows[_CALIBRATED_AT], rows["t"])
        rows = rows.set_column(rows.column_names.index(_CALIBRATED_AT), _CALIBRATED_AT, at)
        own = {"execution_id", "task_id"}  # of the result itself
        columns = [name if name in own else f"{_OUTPUTS}.{name}" for name in ParameterRow._fields]
        return {(qid, row.parameter): row for qid, row in _parameter_rows(rows, "qid", *columns)}

    def _series(self, query: SeriesQuery) -> pd.DataFrame:
        """The measurements whose dates can be."""
        where, during = self._counting(query.chip) | {"qid": _asked(query)}, query.during
        if query.cooldown_id is not None:
            where |= {"cooldown_id": field("cooldown_id") == query.cooldown_id}
        if during.since is not None:
            where |= {"start_at": _can_be_since(during.since)}
        asked: dict[str, Any] = {"tags": query.tags, "last_n": query.last_n, "qids": query.qids}
        rows = self._measurements(where, [query.parameter], during, **asked)
        of_record = {"v": "value", "error": "error", "unit": "unit", "flag": "flag"}
        columns = {name: f"{_OUTPUTS}.{of}" for name, of in of_record.items()} | {"task_name": "name"}
        return series_in_order(_frame(rows, SERIES_COLUMNS, **columns))

    def _measurements(
        self,
        where: Where,
        parameters: Sequence[str] | None,
        during: TimeRange,
        *,
        tags: Sequence[str] = (),
        last_n: int | None = None,
        qids: Sequence[str] | None = None,
    ) -> pa.Table:
        """A row for each value of these parameters whose time, `t`, is known and within that; the newest so many of
        each element (of `qids`, where they are named) and parameter.
        """
        counts = field("t").is_valid()
        if during.since is not None:
            counts &= field("t") >= _scalar(during.since)
        if during.until is not None:
            counts &= field("t") < _scalar(during.until)

        def measured(rows: pa.Table) -> pa.Table:
            return self._dated(_tagged(rows, tags), parameters).filter(counts)

        columns = (*_MEASURED, *(["tags"] if tags else []))
        if not last_n or not qids or not parameters:
            found = self._read(_RESULTS, where, columns, lambda rows: _newest(measured(rows), last_n))
            return _newest(found, last_n)
        kept: list[pa.Table] = []
        with self._opened(_RESULTS) as file:
            for rows, to_come in file.newest(where, columns, {"start_at": _HAS_NO_START}):
                kept = [_newest(pa.concat_tables([*kept, measured(rows)]), last_n)]
                is_full = len(kept[0]) == last_n * len(qids) * len(parameters)
                if is_full and _seconds(pc.min(kept[0]["t"])) > to_come:
                    break
        return kept[0]

    def _dated(self, rows: pa.Table, parameters: Sequence[str] | None = None) -> pa.Table:
        """A row for each output, with `t`: when it was measured, as far as is known; a date that cannot be is not."""
        each = records(rows, _OUTPUTS, parameters)
        first, latest = _scalar(FIRST_RESULT), _scalar(latest_result(self.now()))
        for name in _DATES:
            can_be = pc.and_(pc.greater_equal(each[name], first), pc.less_equal(each[name], latest))
            believed = pc.if_else(can_be, each[name], pa.scalar(None, each[name].type))
            each = each.set_column(each.column_names.index(name), name, believed)
        return each.append_column("t", pc.coalesce(each["start_at"], each[_CALIBRATED_AT], each["end_at"]))

    def task_names(self, chip: ChipRef) -> list[str]:
        """The names of the tasks that ever ran on the chip."""
        where = self._in_scope(chip) | {"name": field("name") != ""}
        found = self._read(_RESULTS, where, ["name"], lambda rows: rows.group_by("name").aggregate([]))
        return sorted(set(found["name"].to_pylist()))

    def newest_versions(self, chip: ChipRef, parameters: Collection[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The number of the newest version that was written for this chip."""
        where = {
            "project_id": field("project_id") == chip.project_id,
            "chip_id": field("chip_id") == chip.chip_id,
            "rank": field("rank").is_valid(),
            "parameter_name": _any_of("parameter_name", [parameter for parameter, _ in parameters]),
            "qid": _any_of("qid", [qid for _, qid in parameters]),
        }
        of = ["parameter_name", "qid"]
        found = self._read("parameter_versions", where, [*of, "rank"]).group_by(of).aggregate([("rank", "max")])
        newest = _tuples(found, *of, "rank_max")
        return {(name, qid): int(rank) for name, qid, rank in newest if (name, qid) in parameters}

    def documents(self, query: DocumentQuery) -> Iterator[DocumentDecoder]:
        """The documents that the query asks for."""
        where, output, last_n = self._where(query), query.output, query.last_n
        if output is not None:
            rows = self._read(query.collection, where, [_NAME], lambda rows: _with_output(rows, output))
        elif last_n is None or query.tags:  # tags are looked at afterwards
            rows = self._read(query.collection, where)
        else:
            rows = self._last(query, where, last_n)
        return self._decoded(query.collection, rows)

    def _last(self, query: DocumentQuery, where: Where, last_n: int) -> pa.Table:
        """The newest so many documents; one whose date cannot be comes last."""
        kept, before = None, self._end_of_ranks(query)
        with self._opened(query.collection) as file:
            for rows, to_come in file.newest(where, ["rank", "_id"]):
                kept = _last(rows if kept is None else pa.concat_tables([kept, rows]), last_n, before)
                if len(kept) == last_n and kept["rank"].null_count == 0 and kept["rank"][-1].as_py() > to_come:
                    break
        return kept

    def _number_of(self, query: DocumentQuery) -> int:
        """How many documents the query asks for; tags are looked at one by one."""
        return len(self._chosen(query) if query.tags else self._read(query.collection, self._where(query)))

    def _result_groups(self, query: DocumentQuery) -> Iterator[DocumentDecoder]:
        """The task results in groups, counted; of what is no id, the document says what stands there."""
        names, where = ["name", "status", "qid"], self._where(query)

        def counted(rows: pa.Table) -> pa.Table:
            return _tagged(rows, query.tags).group_by(names).aggregate([([], "count_all")])

        groups = self._read(_RESULTS, where, [*names, *(["tags"] if query.tags else [])], counted)
        groups = groups.group_by(names).aggregate([("count_all", "sum")])
        for name, status, qid, results in _tuples(groups, *names, "count_all_sum"):
            if qid is not None:
                whole = {"name": name, "status": status, "qid": qid, "results": results}
                yield DocumentDecoder(query.collection, whole, self._log)
        if groups["qid"].null_count:
            unread = where | {"qid": field("qid").is_null()}
            yield from self._decoded(_RESULTS, _tagged(self._read(_RESULTS, unread, ["tags"]), query.tags))

    def documents_of(
        self, collection: str, _: Sequence[str], project_id: str | None = None
    ) -> Iterator[DocumentDecoder]:
        """The documents of a whole collection, or of a project's, in the order of their ids."""
        where = {} if project_id is None else {"project_id": field("project_id") == project_id}
        return self._decoded(collection, self._read(collection, where, ["_id"]).sort_by("_id"))

    def close(self) -> None:
        """Nothing stays open between questions. One that is still read ends by itself; nobody waits for it."""

    def _where(self, query: DocumentQuery) -> dict[str, Any]:
        """The documents that a query asks for but for its tags and output."""
        in_chip, project = query.shape.scope == "chip", field("project_id") == query.chip.project_id
        where = self._in_scope(query.chip) if in_chip else {"project_id": project}
        where |= {name: _any_of(name, allowed) for name, allowed in query.where.items()}
        if query.qid is not None:
            where["qid"] = field("qid") == query.qid
        if query.excluded is not None:
            where["excluded"] = field("excluded") == query.excluded
        if query.with_note:
            where["noted"] = field("noted") == True  # noqa: E712 - a condition in the making
        if query.during.is_odd:
            first = field("rank") < FIRST_RESULT.timestamp()
            where["rank"] = field("rank").is_null() | first | (field("rank") >= self._end_of_ranks(query))
        elif query.during.is_bounded:
            since, until = query.during.since, query.during.until
            end = min(self._end_of_ranks(query), until.timestamp() if until else math.inf)
            start = since.timestamp() if since else -math.inf
            where["rank"] = (field("rank") >= start) & (field("rank") < end)
        return where

    def _end_of_ranks(self, query: DocumentQuery) -> float:
        """What ranks are below: those of dates that can be."""
        if query.shape.newest_by != "start_at":
            return math.inf
        return math.nextafter(latest_result(self.now()).timestamp(), math.inf)

    def _in_scope(self, chip: ChipRef) -> dict[str, Any]:
        """What belongs to the chip: also results without a project, where only one project has a chip of that id."""
        if chip not in self._is_only:
            projects = self._read("chip", {"chip_id": field("chip_id") == chip.chip_id}, ["project_id"])["project_id"]
            self._is_only[chip] = set(projects.to_pylist()) == {chip.project_id}
        of_project = field("project_id") == chip.project_id
        if self._is_only[chip]:
            of_project |= field("project_id").is_null()
        return {"chip_id": field("chip_id") == chip.chip_id, "project_id": of_project}

    def _counting(self, chip: ChipRef) -> dict[str, Any]:
        """The results that count in values and series."""
        return self._in_scope(chip) | {"status": field("status") == "completed", "excluded": ~field("excluded")}

    def _decoded(self, collection: str, rows: pa.Table) -> Iterator[DocumentDecoder]:
        """The documents that stand at the rows' places."""
        with self._opened(collection) as file:
            texts = file.texts("document", rows[PLACE].to_numpy())
        for text in texts:
            try:
                document = orjson.loads(text)
            except orjson.JSONDecodeError:  # half a surrogate pair
                document = json.loads(text)
            yield DocumentDecoder(collection, document, self._log)

    def _read(
        self, collection: str, where: Where, columns: Collection[str] = (), each: Each = lambda rows: rows
    ) -> pa.Table:
        with self._opened(collection) as file:
            return file.read(where, columns, each)

    @contextlib.contextmanager
    def _opened(self, collection: str) -> Iterator[CollectionFile]:
        """What becomes of the folder in the middle of a session is no mistake of ours.

        Raises:
            SnapshotError: it is gone, or a file of it is.
        """
        try:
            yield CollectionFile(self.folder / f"{collection}.parquet")
        except (OSError, pa.ArrowInvalid) as error:
            folder, reason = str(self.folder), str(error).partition("\n")[0]
            problem = (
                Message("snapshot-unreadable", folder=folder, reason=reason)
                if self.folder.exists()
                else Message("snapshot-gone", folder=folder)
            )
            raise SnapshotError(problem, Message("snapshot-gone-hint")) from None


def _any_of(column: str, texts: Collection[str]) -> Any:
    return field(column).isin(pa.array(texts, pa.string()))


def _asked(query: ElementQuery) -> Any:
    """The elements that are meant, by the column `qid`."""
    of_kind = _OF_KIND[query.kind]
    return of_kind if query.qids is None else of_kind & _any_of("qid", query.qids)


def _scalar(moment: datetime) -> Any:
    return pa.scalar(naive(moment), pa.timestamp("us"))


def _seconds(moment: pa.Scalar) -> float:
    return float(moment.as_py().replace(tzinfo=UTC).timestamp())


def _can_be_since(moment: datetime) -> Any:
    """Results that may be from then on. What has no start is dated by its value or its end. Groups of rows that are
    older are not read.
    """
    return _HAS_NO_START | (field("start_at") >= _scalar(moment))


def _last(rows: pa.Table, last_n: int, before: float) -> pa.Table:
    """The newest so many documents; what does not rank `before` that has a date that cannot be, and comes last."""
    rank = pc.if_else(pc.less(rows["rank"], before), rows["rank"], pa.scalar(None, pa.float64()))
    rows = rows.set_column(rows.column_names.index("rank"), "rank", rank)
    return rows.sort_by([("rank", "descending"), ("_id", "descending")]).slice(0, last_n)


def _newest(rows: pa.Table, last_n: int | None) -> pa.Table:
    """The newest so many of each element and parameter; of equal ones the last in the file."""
    if last_n is None:
        return rows
    whose = ("qid", _NAME)
    newest = [(name, "descending") for name in ("t", "task_id", PLACE)]
    rows = rows.sort_by([*((name, "ascending") for name in whose), *newest])
    places: Any = np.arange(len(rows))
    firsts: Any = np.zeros(len(rows), dtype=int)
    for name in whose:
        codes = rows[name].combine_chunks().dictionary_encode().indices.to_numpy()
        firsts[1:] = np.where(codes[1:] != codes[:-1], places[1:], firsts[1:])
    return rows.filter(pa.array(places - np.maximum.accumulate(firsts) < last_n))


def _tagged(rows: pa.Table, tags: Sequence[str]) -> pa.Table:
    """Those that carry all of the tags."""
    for tag in tags:
        rows = rows.filter(pa.array(holds(rows["tags"], tag)))
    return rows


def _with_output(rows: pa.Table, parameter: str) -> pa.Table:
    """Those that gave the parameter. The outputs of what is in no series stand in the document only."""
    gave_it = pc.is_in(rows[PLACE], records(rows, _OUTPUTS, [parameter])[PLACE])
    return rows.filter(pc.or_(gave_it, pc.equal(pc.list_value_length(rows[_OUTPUTS]), 0)))


def _tuples(rows: pa.Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows[column].to_pylist() for column in columns), strict=True)


def _parameter_rows(rows: pa.Table, *columns: str) -> Iterator[tuple[str, ParameterRow]]:
    """An id, and the fields of a `ParameterRow` in these columns."""
    for qid, name, value, error, unit, at, *others in _tuples(rows, *columns):
        value, error = (math.nan if number is None else number for number in (value, error))  # noqa: PLW2901
        yield qid, ParameterRow(name, value, error, unit, at and at.replace(tzinfo=UTC), *others)


def _frame(rows: pa.Table, columns: dict[str, str], **named: str) -> pd.DataFrame:
    """The rows as a frame of these columns; `named` says what some of them are called here."""
    return typed(pa.table({name: rows[named.get(name, name)] for name in columns}).to_pandas(), columns)


@dataclass(frozen=True, slots=True)
class _Taken:
    """What the manifest says of a snapshot."""

    as_of: datetime
    is_demo: bool
    problems: list[DataProblem]


def _read_manifest(folder: Path) -> _Taken:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version = int(manifest["format"])
        if version == SNAPSHOT_FORMAT:
            as_of = datetime.fromisoformat(manifest["as_of"]).astimezone(UTC)
            problems = [{name: str(value) for name, value in each.items()} for each in manifest["problems"]]
            return _Taken(as_of, bool(manifest.get("is_demo")), [DataProblem(**each) for each in problems])
    except FileNotFoundError:
        raise SnapshotError.with_hint("not-a-snapshot", folder=str(folder), file=MANIFEST) from None
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, NotADirectoryError):
        raise SnapshotError(
            Message("snapshot-manifest-unreadable", file=str(path)), Message("retake-snapshot")
        ) from None
    raise SnapshotError(
        Message("snapshot-format", folder=str(folder), format=str(version), expected=str(SNAPSHOT_FORMAT)),
        Message("retake-snapshot") if version < SNAPSHOT_FORMAT else Message("upgrade-package"),
    )

"""What is asked of the server: filters and aggregation pipelines, reading only, understood by MongoDB 5.0.

The server answers with at least every document that counts; what real databases spell in their own way (padded ids,
dates as text, missing starts) is never cut away there but decided by `qdash_jupyter.data.decode`, as for snapshots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, inf
from typing import Any

from qdash_jupyter.data.documents import DocumentQuery, Shape
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.qid import normalise_qid, spellings
from qdash_jupyter.domain.time_range import FIRST_RESULT, TimeRange

Filter = dict[str, Any]
Pipeline = list[dict[str, Any]]

ALLOWED_STAGES = frozenset({"$match", "$project", "$group", "$sort", "$limit", "$setWindowFields"})
"""None of these can write, call JavaScript, or read another collection."""

FORBIDDEN_OPERATORS = frozenset({"$where", "$function", "$accumulator", "$out", "$merge"})

NOTHING: dict[str, Any] = {"_id": {"$in": []}}
_NO_ID: list[object] = ["", None]
_TASK_TYPES: list[object] = ["qubit", "coupling", "global", "system", None]
"""All that QDash writes: named, they let its index of task types lead to the results of an element."""
_FALSE = [False, None, 0, ""]
_LEADING = {"name", "execution_id", "task_id"}
"""Fields of results with which an index of QDash's goes on behind the project (and the chip)."""
_INT64_MAX = 2**63 - 1
OF_TASK = ("name", "status", "excluded")
"""By which results are ranked apart where not all of them count."""
_ROWS_AROUND = 4
_VALUES_AT_ONCE = 100
# Dates that Python can hold.
_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
_ANY_DATE: dict[str, Any] = {"$gte": _FIRST, "$lt": _LAST}
# `$in`, `$regex`, `$type` and comparisons look into arrays, and a list is neither an id nor a date nor an object.
_NO_LIST = {"$not": {"$type": "array"}}
_OBJECT: dict[str, Any] = {"$type": "object", **_NO_LIST}
_HAS_OUTPUTS = {"$eq": [{"$type": "$output_parameters"}, "object"]}
_PARAMETERS = {"$map": {"input": {"$objectToArray": "$output_parameters"}, "as": "entry", "in": "$$entry.k"}}
_OTHER_TYPES = ["double", "object", "binData", "objectId", "bool", "regex", "int", "timestamp", "long", "decimal"]


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates that results can have, up to `latest`, in filters. A comparison with a date leaves out what is none."""

    latest: datetime

    @property
    def all(self) -> Filter:
        """Any of them."""
        return {"$gte": FIRST_RESULT, "$lte": self.latest}

    @property
    def dated(self) -> Filter:
        """Results that started at one of them."""
        return {"start_at": {**self.all, **_NO_LIST}}

    def others(self, *types: str) -> tuple[Any, ...]:
        """What else a start can be, but for lists and texts, or with these `types`; an index of the starts leads there,
        while none knows a negation.
        """
        return (None, {"$type": [*_OTHER_TYPES, *types]}, {"$lt": FIRST_RESULT}, {"$gt": self.latest})

    def is_one(self, field: str) -> Filter:
        """Whether a document's field holds one, as an expression."""
        return {"$and": [{"$gte": [f"${field}", FIRST_RESULT]}, {"$lte": [f"${field}", self.latest]}]}


def checked(pipeline: Pipeline) -> Pipeline:
    """The pipeline as it is sent, when it holds nothing but allowed stages.

    Raises:
        ValueError: it holds a stage or an operator that is not allowed. This is a bug of ours.
    """
    for stage in pipeline:
        if not set(stage) <= ALLOWED_STAGES:
            msg = f"A pipeline holds stages that are not allowed: {sorted(set(stage) - ALLOWED_STAGES)}"
            raise ValueError(msg)
        if forbidden := FORBIDDEN_OPERATORS.intersection(_keys(stage)):
            msg = f"A pipeline holds operators that are not allowed: {sorted(forbidden)}"
            raise ValueError(msg)
    return pipeline


def in_scope(chip: ChipRef, *, is_only_project: bool) -> Filter:
    """Documents of the chip; those without a project count when no other project has a chip of that id."""
    project = {"$in": [chip.project_id, None]} if is_only_project else chip.project_id
    return {"project_id": project, "chip_id": chip.chip_id}


def with_ids(qids: Iterable[str] | None) -> Filter:
    """Documents whose `qid` names one of `qids` (QDash's form; `""`: none); with None, those with any id at all."""
    return {"qid": {"$nin": _NO_ID} if qids is None else {"$in": [one for qid in qids for one in stored_ids(qid)]}}


def of_elements(qids: Iterable[str] | None) -> Filter:
    """Task results of these elements (None: of any), whatever the task."""
    return with_ids(qids) if qids is None else with_ids(qids) | {"task_type": {"$in": _TASK_TYPES}}


def of_elements_apart(qids: Iterable[str]) -> list[Filter]:
    """The same in three parts: of tasks on qubits, on couplings, and of others, which are few. The index of task types
    leads on to the elements where there is one type.
    """
    types = (*_TASK_TYPES[:2], {"$in": _TASK_TYPES[2:]})
    return [with_ids(qids) | {"task_type": task_type} for task_type in types]


def documents(query: DocumentQuery, scope: Filter, dates: Dates) -> tuple[Filter, Filter, Filter]:
    """Three filters that together hold the documents asked for.

    Those that the server can order by itself; those without a time (or number) to order by; and those of `odd_times`,
    which only the decoder can read. The first and the last can use an index that ends with what the collection
    is ordered by.
    """
    shape = query.shape
    asked: list[Filter] = [scope, *({name: {"$in": _stored_texts(values)}} for name, values in query.where.items())]
    if query.qid is not None:
        is_led = not shape.is_measured or query.where.keys() & _LEADING
        asked.append(with_ids([query.qid]) if is_led else of_elements([query.qid]))
    if query.tags:
        asked.append({"tags": {"$all": list(query.tags)}})
    if query.excluded is not None:
        asked.append({"excluded": {"$nin" if query.excluded else "$in": _FALSE}})
    if query.with_note:
        asked.append({"$or": [{f"{name}.content": {"$gt": ""}} for name in ("user_note", "ai_review_note")]})
    if query.output is not None:
        asked.append({"output_parameters": _OBJECT})
        asked += [{f"output_parameters.{query.output}": {"$exists": True}}] * can_be_path(query.output)
    field, is_bounded = shape.newest_by, query.during.is_bounded
    if not field or (query.last_n is None and not is_bounded):
        return {"$and": asked}, NOTHING, NOTHING
    if query.during.is_odd:
        return NOTHING, NOTHING, odd_times(shape, asked, dates)
    plain: Filter = _ANY_DATE if shape.order == "time" else {"$gt": -inf, "$lt": inf}
    if field == "start_at":
        plain = dates.all
    ordered: Filter = {field: {**plain, **_NO_LIST}}
    without: Filter = {"$and": [*asked, {"$nor": [ordered, odd_times(shape, [], dates)]}]}
    if is_bounded:
        ordered = {field: {**plain, **_bounds(query.during), **_NO_LIST}}
        without = NOTHING
    return {"$and": [*asked, ordered]}, without, odd_times(shape, asked, dates)


def odd_times(shape: Shape, asked: Sequence[Filter], dates: Dates) -> Filter:
    """Those asked for whose time (or number) is a text, or none that can be, and results without one that may have
    another.
    """
    text: Filter = {shape.newest_by: {"$type": "string"}}
    if not shape.is_measured:
        beyond = [{"start_at": {"$lt": FIRST_RESULT}}, {"start_at": {"$gt": dates.latest}}]
        return {"$and": [*asked, {"$or": [text, *beyond]} if shape.newest_by == "start_at" else text]}
    timed = {"$or": [{"end_at": {"$ne": None}}, {"output_parameters": {"$nin": [None, {}]}}]}
    others = ({"$and": [{shape.newest_by: start}, timed]} for start in dates.others())
    return {"$and": [*asked, {"$or": [text, *others]}]}


def matching(filter_: Filter, projection: Filter | None = None, newest: tuple[str, int] | None = None) -> Pipeline:
    """What passes the filter, whole or with the fields of `projection`; the `newest` n by a field, or all."""
    first: Pipeline = [{"$sort": {newest[0]: -1}}, {"$limit": newest[1]}] if newest else []
    return [{"$match": filter_}, *first, *([{"$project": projection}] if projection else [])]


def any_of(filters: Iterable[Filter]) -> Filter:
    """What one of these filters lets pass."""
    parts = [part for part in filters if part != NOTHING]
    return parts[0] if len(parts) == 1 else {"$or": parts or [NOTHING]}


def with_fewer_values(filter_: Filter, at_most: int) -> list[Filter]:
    """The same documents by several filters where one names many values of a field: each that is found is compared
    with all of them.
    """
    parts: list[Filter] = filter_.get("$and", [])
    for place, part in enumerate(parts):
        for name, condition in part.items():
            values = condition.get("$in", ()) if isinstance(condition, Mapping) else ()
            if len(values) > _VALUES_AT_ONCE:
                number = min(at_most, ceil(len(values) / _VALUES_AT_ONCE))
                few = ({**part, name: {"$in": values[first::number]}} for first in range(number))
                return [{"$and": [*parts[:place], one, *parts[place + 1 :]]} for one in few]
    return [filter_]


def groups(query: DocumentQuery, filters: Iterable[Filter], dates: Dates) -> Pipeline:
    """Documents by what decides whether they count, each field as it is stored, and `results`, their number; task
    results also by task, status and id.

    Times that are dates are the server's to decide: a group has any of them.
    """
    field = query.shape.newest_by
    names = {*query.where, *(["qid"] if query.qid is not None else []), *(["tags"] if query.tags else [])}
    names |= {"name", "status", "qid", "excluded"} if query.collection == "task_result_history" else set()
    others = ("end_at", "output_parameters") if query.shape.is_measured else ()
    odd = {name: f"${name}" for name in (field, *others)}
    kinds = {"of_id": {"$type": "$qid"}, "time": {"$cond": [dates.is_one(field), None, odd]}}  # 7.0 is no id, 7 is one
    counted_ = {"results": {"$sum": 1}, field: {"$max": f"${field}"}, "example": {"$min": "$_id"}}
    key = kinds | {name: f"${name}" for name in sorted(names)}
    shown = {"_id": "$example", "results": 1, field: 1} | {name: f"$_id.{name}" for name in sorted(names)}
    shown |= {name: f"$_id.time.{name}" for name in others}
    return [{"$match": any_of(filters)}, {"$group": {"_id": key, **counted_}}, {"$project": shown}]


def versions(scope: Filter, parameters: Iterable[str], qids: Iterable[str]) -> Pipeline:
    """The version numbers of parameters: `_id` (`parameter` and `qid` as stored) and `versions`, in no order."""
    # 7.0 is no id, and would stand in one group with 7.
    of_ids = {"qid": {**with_ids(qids)["qid"], "$not": {"$type": ["double", "array"]}}}
    key = {"parameter": "$parameter_name", "qid": "$qid"}
    match = {"$match": {"$and": [scope, {"parameter_name": {"$in": list(parameters)}}, of_ids]}}
    return [match, {"$group": {"_id": key, "versions": {"$addToSet": "$version"}}}]


def since_or_undated(field: str, since: datetime) -> Filter:
    """Documents from that moment on, and those whose time only the decoder can read."""
    return {"$or": [{field: _bounds(TimeRange(since))}, {"$nor": [{field: _ANY_DATE}]}]}


def or_decides(newer: Filter, task_ids: Sequence[str]) -> Filter:
    """The `newer` results, and older ones that decide about a current value: the excluded, and those of `task_ids`."""
    return {"$or": [newer, {"excluded": {"$nin": _FALSE}}, {"task_id": {"$in": list(task_ids)}}]}


def _stored_texts(values: Iterable[str]) -> list[str | None]:
    """Texts as documents hold them: the empty one may also be null, or missing."""
    return [*values, None] if "" in values else [*values]


def counted(scope: Filter) -> Filter:
    """Task results that count: completed and not excluded."""
    return {**scope, "status": "completed", "excluded": {"$in": _FALSE}}


def can_be_path(parameter: str) -> bool:
    """Whether a parameter's name can stand in a field path: then the server can pick its record."""
    return bool(parameter) and not parameter.startswith("$") and "." not in parameter and "\0" not in parameter


def elements_projection(parameters: Sequence[str] | None) -> dict[str, Any]:
    """The fields of a `qubit` or `coupling` document that current values need."""
    if parameters is None or not all(map(can_be_path, parameters)):
        return {"qid": 1, "data": 1}
    # With no parameter at all the ids are still read, for what they may have to report.
    return {"qid": 1, **{f"data.{parameter}": 1 for parameter in parameters}}


def history(scope: Filter, last_day: str, fields: dict[str, Any]) -> Pipeline:
    """The rows until a day that hold the elements' values of the day before it: the newest few of each id and user.

    Their days are of an unknown zone: only of the fourth is it sure that nothing in it is later.
    """
    whose = {"qid": "$qid", "username": "$username", "project_id": "$project_id"}
    ranked = {"partitionBy": whose, "sortBy": {"recorded_date": -1}, "output": {"newer": {"$rank": {}}}}
    return [
        {"$match": {"$and": [scope, {"recorded_date": {"$gt": "", "$lte": last_day}}]}},
        {"$project": {**fields, "username": 1, "project_id": 1, "recorded_date": 1}},
        {"$setWindowFields": ranked},
        {"$match": {"newer": {"$lte": _ROWS_AROUND}}},
        {"$sort": {"_id": 1}},
    ]


def newest_with(
    scope: Filter,
    elements: Filter,
    parameters: Sequence[str] | None,
    during: TimeRange,
    dates: Dates,
    *,
    has_odd_starts: bool,
) -> Pipeline:
    """At least the newest results that count of these elements, with what is read of them: in the time range, of those
    that hold the same of the parameters (None: any).
    """
    fields = dict.fromkeys(("qid", "start_at", "end_at", "execution_id", "task_id"), 1)
    parts: list[Filter] = [counted(scope), elements, {"output_parameters": _OBJECT}]
    outputs: list[str] = ["output_parameters"]
    held: Filter = {"holds": _PARAMETERS}
    if parameters is not None and all(map(can_be_path, parameters)):
        outputs = [f"output_parameters.{parameter}" for parameter in parameters]
        held = {f"holds_{place}": {"$type": f"${output}"} for place, output in enumerate(outputs)}
        parts.append({"$or": [{output: {"$exists": True}} for output in outputs]})
    match = {"$match": _in_range(parts, during, dates, has_odd_starts=has_odd_starts)}
    return [match, *_newest(1, dates, held), {"$project": {**fields, **dict.fromkeys(outputs, 1)}}]


def tasks_giving(parameter: str, scope: Filter) -> Pipeline:
    """The names (`_id`) of the tasks of the results in scope that hold the parameter."""
    held: Filter = {f"output_parameters.{parameter}": {"$exists": True}} if can_be_path(parameter) else {}
    return [{"$match": scope}, {"$match": held}, {"$group": {"_id": "$name"}}]


def series(query: SeriesQuery, match: Filter, dates: Dates, *, by_task: bool = False) -> Pipeline:
    """Results that hold the parameter: `_id qid start_at end_at name execution_id task_id output_parameters`.

    With `last_n`, at least the newest n of each spelling of an id and ties of the nth, and in `all` how many there are;
    `by_task` of each of its tasks, also of what does not count: then with the fields of `OF_TASK`.
    """
    picks = can_be_path(query.parameter)
    is_ranked = picks and query.last_n is not None
    fields = ("qid", "start_at", "end_at", "name", "execution_id", "task_id")
    outputs = f"output_parameters.{query.parameter}" if picks else "output_parameters"
    kinds = {name: f"${name}" for name in OF_TASK if by_task}
    newest = _newest(max(query.last_n or 0, 1), dates, kinds, counts=True) if is_ranked else []
    shown = {**dict.fromkeys((*fields, *kinds), 1), outputs: 1, **({"all": 1} if is_ranked else {})}
    return [{"$match": match}, *newest, {"$project": shown}]


def measured(
    scope: Filter, query: SeriesQuery, dates: Dates, elements: Filter, *, has_odd_starts: bool = True
) -> Filter:
    """The results in scope that may hold the parameter, of these `elements`.

    In a time range, those whose start only the decoder knows come along where the chip has any.
    """
    of_runs: Filter = {}
    if query.cooldown_id is not None:
        of_runs["cooldown_id"] = {"$in": [query.cooldown_id] if query.cooldown_id else _NO_ID, **_NO_LIST}
    if query.tags:  # a text in place of the list carries none
        of_runs["tags"] = {"$all": list(query.tags), "$type": "array"}
    parts: list[Filter] = [scope | of_runs, elements]
    if can_be_path(query.parameter):
        parts.append({f"output_parameters.{query.parameter}": {"$exists": True}})
    return _in_range(parts, query.during, dates, has_odd_starts=has_odd_starts)


def _in_range(parts: Sequence[Filter], during: TimeRange, dates: Dates, *, has_odd_starts: bool) -> Filter:
    """Results that started in the range, and those whose time only the decoder knows."""
    if not during.is_bounded:
        return {"$and": [*parts]}
    starts = (_bounds(during), *(dates.others("string") if has_odd_starts else ()))
    return any_of({"$and": [*parts, {"start_at": start}]} for start in starts)


def parameter_counts(scope: Filter, elements: Filter, dates: Dates) -> Pipeline:
    """Counts of parameters over the results that count, of these `elements`: `_id`, `results`, `last_at`.

    Results of one element, as its id is stored, that give the same parameters are one row, with this `qid` and these
    `parameters`. One that only the decoder can read is a row with its `document`.
    """
    fields = {name: f"${name}" for name in ("_id", "qid", "start_at", "end_at", "output_parameters")}
    plain = {"$and": [dates.is_one("start_at"), _HAS_OUTPUTS]}
    key: Filter = {"held": {"$cond": [plain, {"parameters": _PARAMETERS}, {"document": fields}]}}
    key |= {"of_id": {"$type": "$qid"}, "qid": "$qid"}  # 7.0 is no id, and would stand in one group with 7
    told: Filter = {"results": {"$sum": 1}, "last_at": {"$max": "$start_at"}, "example": {"$min": "$_id"}}
    match = {"$and": [counted(scope), elements, {"output_parameters": {"$ne": None}}]}
    return [{"$match": match}, {"$group": {"_id": key, **told}}]


def _bounds(during: TimeRange) -> Filter:
    ends = {"$gte": during.since, "$lt": during.until}
    return {operator: _whole_milliseconds(end) for operator, end in ends.items() if end is not None}


def _newest(n: int, dates: Dates, kinds: Filter | None = None, *, counts: bool = False) -> Pipeline:
    """At least the newest n of each spelling of an id, and of each of these `kinds` of its results."""
    # Only starts that can be, of results whose outputs are an object, can be ranked here: the others stand in
    # partitions of their own, and all of them come along.
    kinds = {**(kinds or {}), "dated": dates.is_one("start_at"), "outputs": {"$type": "$output_parameters"}}
    return [
        {
            "$setWindowFields": {
                "partitionBy": {"qid": "$qid", **kinds},
                "sortBy": {"start_at": -1},
                "output": {"newer": {"$rank": {}}, **({"all": {"$sum": 1}} if counts else {})},
            }
        },
        {"$match": {"$or": [{"newer": {"$lte": n}}, {"$nor": [dates.dated]}]}},
    ]


def _whole_milliseconds(moment: datetime) -> datetime:
    """The first whole millisecond at or after the moment: stored dates have no finer ones, BSON rounds down."""
    moment = min(max(moment, _FIRST), _LAST)  # beyond these there is no date to be ranked
    return moment + timedelta(microseconds=-moment.microsecond % 1000)


def stored_ids(qid: str) -> list[object]:
    """The spellings of an id in documents (`""`: of none); of what is no id, none."""
    if qid == "":
        return _NO_ID
    usual = spellings(qid) if normalise_qid(qid) == qid else []
    return [s for s in usual if not isinstance(s, int) or s <= _INT64_MAX]


def _keys(value: object) -> Iterable[str]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield str(key)
            yield from _keys(entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _keys(entry)

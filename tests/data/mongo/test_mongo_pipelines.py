"""What the server is asked is built from safe pieces."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange

CHIP = ChipRef("p1", "c1")
SCOPE = pipelines.in_scope(CHIP, is_only_project=True)


@pytest.mark.parametrize("stage", ["$out", "$merge", "$lookup", "$unionWith", "$currentOp", "$facet"])
def test_other_stages_are_refused(stage: str) -> None:
    with pytest.raises(ValueError, match="not allowed"):
        pipelines.checked([{"$match": {}}, {stage: {}}])


@pytest.mark.parametrize("operator", ["$where", "$function", "$accumulator"])
def test_javascript_is_refused_wherever_it_stands(operator: str) -> None:
    with pytest.raises(ValueError, match="not allowed"):
        pipelines.checked([{"$match": {"$and": [{"a": {operator: "x"}}]}}])


def series(parameter: str, during: TimeRange = ANY_TIME) -> pipelines.Pipeline:
    """What is asked for the newest two."""
    dates = pipelines.Dates(datetime(2026, 6, 30, tzinfo=UTC))
    query = SeriesQuery(CHIP, "qubit", parameter, during=during, last_n=2)
    return pipelines.series(query, pipelines.measured(SCOPE, query, dates, pipelines.with_ids(None)), dates)


@pytest.mark.parametrize("name", ["a.b", "$where", "", "a\0b", "t1.value"])
def test_names_that_are_no_field_never_become_a_path(name: str) -> None:
    assert not pipelines.can_be_path(name)
    pipeline = series(name)
    assert [next(iter(stage)) for stage in pipeline] == ["$match", "$project"]
    assert "output_parameters" in pipeline[1]["$project"]


def test_only_the_asked_parameter_travels() -> None:
    project = next(stage["$project"] for stage in series("t1") if "$project" in stage)
    assert "output_parameters.t1" in project
    assert "output_parameters" not in project
    assert pipelines.elements_projection(["t1", "t2_echo"]) == {"qid": 1, "data.t1": 1, "data.t2_echo": 1}
    assert pipelines.elements_projection(None) == {"qid": 1, "data": 1}


def test_bounds_are_whole_milliseconds_that_keep_the_meaning() -> None:
    moment = datetime(2026, 3, 1, 12, 0, 0, 1, tzinfo=UTC)
    text = repr(series("t1", TimeRange(moment, moment + timedelta(hours=9))))
    assert repr(datetime(2026, 3, 1, 12, 0, 0, 1000, tzinfo=UTC)) in text


@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_ends_of_time_can_be_asked_for(moment: datetime) -> None:
    assert series("t1", TimeRange(moment, moment))


def test_ids_too_large_for_the_server_are_not_sent_as_numbers() -> None:
    assert all(not isinstance(s, int) for s in pipelines.with_ids(["9" * 30])["qid"]["$in"])
    assert pipelines.with_ids(["mux0", "Q7"]) == {"qid": {"$in": []}}


def test_many_values_are_asked_for_in_a_few_parts() -> None:
    values = [f"task-{number}" for number in range(1000)]
    filter_ = {"$and": [SCOPE, {"task_id": {"$in": values}}, {"excluded": True}]}
    parts = pipelines.with_fewer_values(filter_, 4)
    found = [part["$and"][1]["task_id"]["$in"] for part in parts]
    assert len(parts) == 4
    assert sorted(value for part in found for value in part) == sorted(values)
    assert all(part["$and"][0] == SCOPE and part["$and"][2] == {"excluded": True} for part in parts)
    assert pipelines.with_fewer_values({"$and": [{"task_id": {"$in": values[:100]}}]}, 4) == [
        {"$and": [{"task_id": {"$in": values[:100]}}]}
    ]

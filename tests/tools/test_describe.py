"""What a model is told only when it asks, and the tools that it is offered only then."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter import methods
from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.methods.curves.codes import Code
from qdash_jupyter.tools.analysis import METHODS
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.describe import DESCRIBE, names_in
from tests.tools.toolbench import Tools


@pytest.fixture(scope="module")
def shown() -> Iterator[Tools]:
    reader = SnapshotReader(DEMO)
    yield Tools(reader)
    reader.close()


def described(tools: Tools, name: str) -> Any:
    result = tools.asked(DESCRIBE, names=[name])
    assert result.failure is None, result.content
    return json.loads(result.content)[name]


def test_all_that_a_model_may_name_has_a_description(shown: Tools) -> None:
    names = [spec.name for spec in BUILTIN_TOOLS] + [*methods.__all__, *METRICS, *Code]
    missing = [name for name in names if len(json.dumps(described(shown, str(name)))) < 30]
    assert not missing
    assert {len(json.dumps(described(shown, name))) < 2_500 for name in names} == {True}


@pytest.mark.parametrize("name", ["detectable", "wandering", "age_days", "sigmas", "false_alarms_expected", "mux"])
def test_a_column_or_a_word_is_explained_by_the_sentences_that_hold_it(shown: Tools, name: str) -> None:
    found = described(shown, name)
    assert all(name in sentence for sentence in found.values())


def test_signatures_are_one_line_each_and_all_of_them(shown: Tools) -> None:
    lines = described(shown, "methods")
    assert {line.partition("(")[0] for line in lines} == {name for name in methods.__all__ if name[0].islower()}
    assert "best_connected(scores, couplings, count, *, parameter=None, higher_is_better=True)" in lines


def test_the_tasks_of_the_chip_are_listed(shown: Tools) -> None:
    assert {"CheckT1", "ReadoutClassification"} <= set(described(shown, "tasks"))


def test_a_task_that_is_not_there_is_told_with_those_that_are(shown: Tools) -> None:
    """`Did you mean CheckT1…` alone did not lead to the one that was meant."""
    assert "ReadoutClassification" in shown.failure("search_task_results", task_name="CheckReadout")["try_instead"]


def test_of_a_tool_all_arguments_and_limits(shown: Tools) -> None:
    told = described(shown, "get_task_history")
    assert "include_excluded" in told["arguments"]
    assert "maximum: 5000" in told["arguments"]["last_n"]
    assert told["calls_per_question"] == 5


def test_what_is_not_known_names_the_nearest(shown: Tools) -> None:
    failure = shown.failure(DESCRIBE, names=["best_conected"])
    assert failure["kind"] == "not_found"
    assert "best_connected" in failure["try_instead"]


def test_of_several_names_those_that_are_known_are_described(shown: Tools) -> None:
    """One that was not known cost a round for all of them."""
    told = json.loads(shown.asked(DESCRIBE, names=["changes", "T2 Echo", "T3 star", "what is excluded"]).content)
    assert told["changes"]["method"].startswith("changes(series")
    assert told["T2 Echo"]["unit"] == "μs"
    assert "t2_star" in told["T3 star"]["nearest"]
    assert told["what is excluded"] == {"kind": "not_found", "nearest": []}


def test_tools_that_few_questions_need_are_offered_once_described(shown: Tools) -> None:
    def offered(*names: str) -> dict[str, Any]:
        return {schema["name"]: schema["parameters"]["properties"] for schema in shown.toolbox.schemas(names)}

    rare = {spec.name for spec in BUILTIN_TOOLS if spec.on_request}
    assert rare & set(offered()) == set()
    assert rare & set(offered("get_task_history")) == {"get_task_history"}
    assert "tags" not in offered()["search_task_results"]
    assert "tags" in offered("search_task_results")["search_task_results"]


def test_without_the_tool_that_describes_them_all_are_offered_whole(shown: Tools) -> None:
    alone = shown.toolbox.within(shown.toolbox.context)
    alone.remove([DESCRIBE])
    schemas = {schema["name"]: schema for schema in alone.schemas()}
    assert set(schemas) == {spec.name for spec in BUILTIN_TOOLS} - {DESCRIBE}
    assert "tags" in schemas["search_task_results"]["parameters"]["properties"]


@pytest.mark.parametrize("sent", ['{"names": "changes"}', '{"names": ["changes"]}'])
def test_names_are_read_from_a_call_as_it_was_sent(sent: str) -> None:
    assert names_in(sent) == ["changes"]


@pytest.mark.parametrize("sent", ["", "[", "[1]", '{"names": 7}', '{"name": "changes"}', '{"names": [1]}'])
def test_calls_that_name_nothing(sent: str) -> None:
    assert names_in(sent) == []


@pytest.mark.long
def test_each_call_of_a_method_that_a_model_is_told_runs(shown: Tools) -> None:
    for call in (
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "60d"}),
        ("get_chip_summary", {}),
        ("get_chip_topology", {}),
        ("get_chip_parameter_timeseries", {"parameter_name": "zx90_gate_fidelity", "since": "60d"}),
    ):
        shown.begin_turn()
        shown.asked(call[0], **call[1])
    s, c, g = (shown.store[key] for key in ("t1", "chip_summary", "topology"))
    given = {name: getattr(methods, name) for name in methods.__all__}
    given |= {"data": shown.store, "s": s, "c": c, "g": g, "x": [0.0, 1, 2, 3, 4, 5], "y": [9.0, 5, 3, 2, 1.4, 1.2]}
    text = METHODS.partition("): ")[2].partition(" Also")[0].rstrip(".")
    calls = ast.parse(f"[{text}]", mode="eval").body
    assert isinstance(calls, ast.List)
    assert len(calls.elts) >= 15
    for one in calls.elts:
        source = ast.unparse(one)
        found = eval(source, given)  # noqa: S307 - our own text
        assert isinstance(found, pd.DataFrame) or hasattr(found, "to_plotly_json"), source
    shared = inspect.signature(methods.trends).parameters
    assert {"qids", "since", "until"} <= set(shared)

"""What a model reads of a call that could not be made: enough to make it right. And reads that are made again."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.domain.events import ToolFinished, ToolStarted
from qdash_jupyter.domain.qid import normalise_qid, qid_label
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import DatabaseLost, DatabaseRefused, DatabaseUnreachable, PersonError
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.spec import ToolContext, ToolOutput
from tests.tools.test_toolbox import Sleep, calls, finished, run, spec, toolbox
from tests.tools.toolbench import Tools

SPECS = {spec.name: spec for spec in BUILTIN_TOOLS}


def told(tools: Tools, name: str, arguments: str) -> dict[str, Any]:
    (result,) = finished(run(tools.toolbox, [ToolCall("a", name, arguments)]))
    content: dict[str, Any] = json.loads(result.content)
    assert content["may_retry"] is True
    return content


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("arguments", ['{"chip_id": ', "[1]", "NaN"])
def test_arguments_that_are_no_object_are_answered_with_what_is_wanted(tools: Tools, name: str, arguments: str) -> None:
    content = told(tools, name, arguments)
    assert content["kind"] == "invalid_arguments"
    assert name in content["error"]
    parameters = SPECS[name].schema()["parameters"]
    assert content["try_instead"].startswith("Send one JSON object. Required: {")
    for argument, line in SPECS[name].arguments().items():
        assert argument in content["try_instead"]
        required = argument in parameters.get("required", [])
        assert (json.dumps(line, ensure_ascii=False, separators=(",", ":")) in content["try_instead"]) >= required
    assert len(json.dumps(content)) < 1_000


def test_broken_json_says_where() -> None:
    (result,) = finished(run(toolbox(spec(lambda *_: ToolOutput())), [ToolCall("a", "read", '{"name": "x" "y"}')]))
    assert "column 14" in json.loads(result.content)["error"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("get_chip_parameter_timeseries", {"parameter": "t1"}, "unknown 'parameter' (did you mean parameter_name?)"),
        ("get_qubit_params", {"qubit": "7", "quid": "7"}, "unknown 'quid' (did you mean qid?)"),
        ("generate_chip_heatmap", {"metric": "t1"}, "unknown 'metric' (did you mean metric_name?)"),
    ],
)
def test_a_misspelt_argument_names_the_nearest(tools: Tools, name: str, arguments: Any, said: str) -> None:
    content = told(tools, name, json.dumps(arguments))
    assert said in content["error"]
    assert "Field required" in content["error"]
    assert content["try_instead"].startswith("Schema: {")


def test_what_fits_nothing_is_not_guessed_at(tools: Tools) -> None:
    content = told(tools, "get_qubit_params", '{"colour": "red"}')
    assert "did you mean" not in content["error"]


OF_QUBITS, OF_CHIP, COUPLINGS = "compare_qubits", "get_chip_parameter_timeseries", "get_coupling_params"
SERIES, MAP = "get_parameter_timeseries", "generate_chip_heatmap"


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "hint"),
    [
        ("get_chip_summary", {"param_names": ["t1", "t2_ecko"]}, "not_found", "Did you mean t2_echo"),
        ("get_qubit_params", {"qid": "Q630"}, "not_found", "63"),
        ("get_qubit_params", {"qid": "7", "param_names": ["t1", "t2_ecko"]}, "not_found", "Did you mean t2_echo"),
        ("get_qubit_params", {"qid": "Q4-Q1"}, "invalid_arguments", "get_coupling_params"),
        (COUPLINGS, {}, "invalid_arguments", "coupling_id"),
        (COUPLINGS, {"coupling_id": "", "qubit_id": ""}, "invalid_arguments", "coupling_id"),
        (COUPLINGS, {"coupling_id": "4-2"}, "not_found", "Q04-Q01"),
        (COUPLINGS, {"coupling_id": "4-99"}, "not_found", "Q04-"),
        (COUPLINGS, {"coupling_id": "CR"}, "not_found", "Known: Q00-Q01"),
        (COUPLINGS, {"qubit_id": "Q633"}, "not_found", "63"),
        (COUPLINGS, {"coupling_id": "4-1", "param_names": ["zx90_fidelity"]}, "not_found", "zx90_gate_fidelity"),
        (OF_QUBITS, {"qids": ["7", "Q633"]}, "not_found", "63"),
        (OF_QUBITS, {"qids": ["7", "4-1"]}, "invalid_arguments", "a separate call for each kind"),
        (OF_QUBITS, {"qids": ["7", "box0"]}, "not_found", "Known: Q00, Q01"),
        (OF_QUBITS, {"qids": ["7"], "param_names": ["t2_eco"]}, "not_found", "t2_echo"),
        (OF_QUBITS, {"qids": []}, "invalid_arguments", "qids"),
        (OF_QUBITS, {}, "invalid_arguments", "qids"),
        (OF_CHIP, {"parameter_name": "t2_eco"}, "not_found", "Did you mean t2_echo"),
        (OF_CHIP, {"parameter_name": "t1", "qids": ["7", "Q99"]}, "not_found", "9"),
        (OF_CHIP, {"parameter_name": "t1", "qids": ["7", "4-2"]}, "not_found", "Q04-"),
        (OF_CHIP, {"parameter_name": "t1", "qids": ["7", "abc"]}, "not_found", "Known: Q00, Q01"),
        (OF_CHIP, {"parameter_name": "t1", "qids": ["7", "64"]}, "not_found", "6"),
        (SERIES, {"parameter_name": "t1", "qid": "Q633"}, "not_found", "63"),
        (SERIES, {"parameter_name": "t2_eco", "qid": "7"}, "not_found", "t2_echo"),
        (SERIES, {"parameter_name": "t1", "qid": "7", "since": "1h"}, "no_data", "The newest one is from 2026-06-"),
        (SERIES, {"parameter_name": "t1", "qid": "4-1"}, "no_data", ""),
        (SERIES, {"parameter_name": "t1"}, "invalid_arguments", "qid"),
        (SERIES, {"parameter_name": "t1", "qid": "7", "last_n": 0}, "invalid_arguments", "last_n"),
        (MAP, {"metric_name": "readout_fidelity"}, "not_found", "average_readout_fidelity"),
        (MAP, {"metric_name": "zx90_depolarizing_rate"}, "not_found", ""),  # measured, but no metric
        (MAP, {"metric_name": "t1", "since": "7d", "within_hours": 24}, "invalid_arguments", "only one of them"),
        (MAP, {"metric_name": "t1", "since": "7d", "until": "8d"}, "invalid_arguments", "to the earlier end"),
        (MAP, {"metric_name": "t1", "since": "yesterday"}, "invalid_arguments", "ISO date"),
    ],
)
def test_what_is_not_there_names_the_nearest(
    tools: Tools, tool: str, arguments: dict[str, Any], kind: str, hint: str
) -> None:
    failure = tools.failure(tool, **arguments)
    assert failure["kind"] == kind
    assert hint in failure["try_instead"]
    words = [word for value in arguments.values() for word in (value if isinstance(value, list) else [value])]
    named = [qid_label(qid) if (qid := normalise_qid(word)) else word for word in words]
    assert kind != "not_found" or any(repr(word) in failure["error"] for word in named)


@pytest.mark.parametrize("name", SPECS)
def test_an_almost_right_name_of_a_tool_names_the_tool(tools: Tools, name: str) -> None:
    for almost in (name.replace("_", "-") + "-", name.upper(), name[:-2], f"functions.{name}"):
        content = told(tools, almost, "{}")
        assert content["kind"] == "unknown_tool"
        assert repr(almost) in content["error"]
        assert name in content["try_instead"]


def test_a_name_like_none_lists_all(tools: Tools) -> None:
    content = told(tools, "zzz", "{}")
    assert all(name in content["try_instead"] for name in SPECS)


class Flaky:
    """A read that fails so often, and then works."""

    def __init__(self, *failures: PersonError) -> None:
        self.failures = list(failures)
        self.times = 0

    def read(self, args: Sleep, context: ToolContext) -> ToolOutput:
        self.times += 1
        if self.failures:
            raise self.failures.pop(0)
        return ToolOutput(content={"times": self.times})

    async def act(self, args: Sleep, context: ToolContext) -> ToolOutput:
        return self.read(args, context)


LOST = DatabaseLost("The connection was lost.", "Try again in a moment.")


def test_a_read_whose_connection_is_lost_is_made_once_more_and_seen_once() -> None:
    flaky = Flaky(LOST)
    events = run(toolbox(spec(flaky.read)), calls(("read", 0.0)))
    assert [type(event) for event in events] == [ToolStarted, ToolFinished]
    assert json.loads(finished(events)[0].content) == {"times": 2}


def test_the_same_from_python() -> None:
    assert asyncio.run(toolbox(spec(Flaky(LOST).read)).call("read", {})).ok


@pytest.mark.parametrize(
    ("failures", "times"),
    [
        ((LOST, LOST), 2),
        ((DatabaseUnreachable("No server."),), 1),
        ((DatabaseRefused("Wrong password."),), 1),
    ],
)
def test_what_a_second_try_cannot_mend_is_told(failures: tuple[PersonError, ...], times: int) -> None:
    flaky = Flaky(*failures)
    with pytest.raises(type(failures[-1])):
        run(toolbox(spec(flaky.read)), calls(("read", 0.0)))
    assert flaky.times == times


@pytest.mark.parametrize("effect", ["run_code", "act"])
def test_what_does_more_than_read_is_never_done_twice(effect: str) -> None:
    flaky = Flaky(LOST)
    with pytest.raises(DatabaseLost):
        run(toolbox(spec(flaky.act, effect=effect)).for_turn(NoCells(), "en", policy="trusted"), calls(("read", 0.0)))
    assert flaky.times == 1


def test_both_tries_together_have_the_tools_time() -> None:
    flaky = Flaky(LOST)

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        time.sleep(0.3)
        return flaky.read(args, context)

    (result,) = finished(run(toolbox(spec(read, timeout_s=0.5)), calls(("read", 0.0))))
    assert result.failure is not None
    assert result.failure.kind == "timed_out"

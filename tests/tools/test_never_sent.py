"""What `privacy.never_send` names never reaches a model: each request is looked through for what was planted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.agent.digest import TurnMemory, digest_of
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.config.explain import explained
from qdash_jupyter.config.layers import load_manifest
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.data.queries import CurrentQuery, ExecutionQuery, ResultQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.data.withheld import FIELDS, NAMES, Withheld
from qdash_jupyter.data.withholding import WithholdingReader
from qdash_jupyter.domain.analysis import situation_in
from qdash_jupyter.errors import ConfigurationError, IsWithheld
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from tests.data.curves.qdash_files import QDashFiles, decay_figure
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.session.conversation import open_shell, without_settings
from tests.tools.qdash_documents import a_chip, sample, task

CHIP = ("proj-alpha", "16Q-demo")
NUMBER, WORD = 61.8033, "zqxsecret"
PLANTED = {
    f"{WORD}person": ["username"],
    f"{WORD}note": ["notes"],
    f"{WORD}message": ["message"],
    f"{WORD}reason": ["excluded_reason"],
    f"{WORD}setting": ["shot_*"],
    "61.80": ["t2_echo"],
}
"""What is planted, and the names that withhold it."""

NEVER = sorted({name for names in PLANTED.values() for name in names})

CODE = """
from qdash_jupyter.methods import charts
for key in copilot.data:
    for name, table in copilot.data[key].tables.items():
        print(key, name, table.to_string())
copilot.data["executions"]["executions"]
"""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("get_chip_summary", {}),
    ("describe", {"names": ["tasks", "t2_echo"]}),
    ("get_chip_summary", {"param_names": ["t1", "t2_echo"]}),
    ("get_chip_parameter_timeseries", {"parameter_name": "t2_echo"}),
    ("get_chip_parameter_timeseries", {"parameter_name": "t1"}),
    ("get_qubit_params", {"qid": "0"}),
    ("get_qubit_params", {"qid": "5", "param_names": ["t2_echo"]}),
    ("get_coupling_params", {"coupling_id": "0-1"}),
    ("compare_qubits", {"qids": ["0", "5"]}),
    ("get_parameter_timeseries", {"parameter_name": "t2_echo", "qid": "5"}),
    ("get_chip_topology", {}),
    ("list_available_parameters", {}),
    ("generate_chip_heatmap", {"metric_name": "t2_echo"}),
    ("generate_chip_heatmap", {"metric_name": "t1"}),
    ("get_latest_task_result", {"task_name": "CheckT2Echo", "qid": "5"}),
    ("get_task_history", {"task_name": "CheckT2Echo", "qid": "5", "last_n": 20, "include_excluded": True}),
    ("search_task_results", {"last_n": 12}),
    ("search_task_results", {"status": "failed", "last_n": 1_000}),
    ("get_execution_history", {"last_n": 100}),
    ("get_execution_history", {"last_n": 5}),
    ("get_execution_history", {"username": "somebody"}),
    ("get_calibration_notes", {"last_n": 5}),
    ("get_result_curves", {"task_name": "CheckT2Echo", "qid": "5"}),
    ("search_notes", {}),
    ("search_notes", {"qid": "5"}),
    ("get_parameter_lineage", {"parameter_name": "t2_echo", "qid": "0"}),
    ("get_provenance_lineage_graph", {"entity_id": sample()["parameter_versions"][200]["entity_id"], "max_depth": 20}),
    ("execute_python_analysis", {"code": CODE}),
]


def planted(value: Any, key: str = "") -> Any:
    """The documents with what must not leave in place of what stands there."""
    if isinstance(value, dict):
        return {name: planted(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [planted(each, key) for each in value]
    if key in {"username", "updated_by", "created_by", "reviewed_by"}:
        return f"{WORD}person"
    if key in {"content", "wiring_info", "symptom", "root_cause", "resolution", "lesson_learned", "title"}:
        return f"{WORD}note {value}"
    return value


def documents() -> dict[str, list[dict[str, Any]]]:
    found = {collection: [planted(deepcopy(each)) for each in rows] for collection, rows in sample().items()}
    for place, run in enumerate(found["execution_history"]):
        run["message"] = f"{WORD}message {place}"
    for place, result in enumerate(found["task_result_history"]):
        result["message"] = f"{WORD}message {place}" if result["status"] == "failed" else ""
        result["run_parameters"] = {"deep": {"shot_count": f"{WORD}setting"}}
        if place % 3 == 0:
            result["user_note"] = {"content": f"{WORD}note", "updated_by": f"{WORD}person"}
        if place % 7 == 0 and "t1" in result.get("output_parameters", {}):
            result |= {"excluded": True, "excluded_reason": f"{WORD}reason"}
        plant_number(result.get("output_parameters", {}))
        result |= {"figure_path": [f"{WORD}/figure.png"], "json_figure_path": [f"{WORD}/figure.json"]}
    for collection in ("qubit", "coupling"):
        for element in found[collection]:
            plant_number(element["data"])
    for one in found["parameter_versions"]:
        if one["parameter_name"] == "t2_echo":
            one["value"] = NUMBER
    for one in found["calibration_note"]:
        one["note"] = {"rabi_params": {"Q00": {"shot_rate": f"{WORD}setting", "t2_echo": NUMBER, "phase": 0.1}}}
    return found


def plant_number(parameters: dict[str, Any]) -> None:
    if "t2_echo" in parameters:
        parameters["t2_echo"]["value"] = NUMBER


@pytest.fixture(params=["snapshot", pytest.param("mongo", marks=[pytest.mark.mongo, pytest.mark.long])])
def reader(request: pytest.FixtureRequest, opened: Callable[..., Any]) -> Any:
    return opened(request.param, documents())


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_settings(monkeypatch, tmp_path)


def opened_on(shell: Any, reader: Any, base_url: str, never: list[str], **database: str) -> Copilot:
    settings = {
        "orchestrator": {"deployment": "lab"},
        "models": {"lab": {"name": "m", "base_url": base_url}},
        "database": {"project": CHIP[0], **database},
        "chip": CHIP[1],
        "qid": "5",
        "limits": {"max_tool_calls": 100},
        "privacy": {"never_send": never},
        "policy": "trusted",
    }
    return open_copilot(shell, reader=reader, settings=settings)


def asked(reader: Any, never: list[str]) -> tuple[list[str], list[str], Copilot]:
    """The bodies of all requests of a conversation that calls every tool, and then analyses a result."""
    answers = [call_turn(call) for call in CALLS]
    turns = [turn for each in answers for turn in (each, text_turn("Done."))]
    with open_shell() as shell, ScriptedServer([*turns, text_turn("Judged.")]) as server:
        copilot = opened_on(shell, reader, server.base_url, never)
        with closing(copilot):
            shell.user_ns["mine"] = pd.DataFrame({"t2_echo": [NUMBER], "username": [f"{WORD}person"], "qid": ["5"]})
            texts = [copilot.ask(f"Call {name} about @mine").text for name, _ in CALLS]
            copilot.analyze("CheckT2Echo", "5", question="How is it?")
            return [json.dumps(one.body) for one in server.requests], texts, copilot


def test_every_tool_is_called() -> None:
    assert {name for name, _ in CALLS} == {spec.name for spec in BUILTIN_TOOLS}


def test_nothing_that_was_planted_is_in_any_request(reader: Any) -> None:
    bodies, _, _ = asked(reader, [])
    sent = " ".join(bodies)
    missed = [word for word in PLANTED if word not in sent]
    assert missed == [], "else the test would find nothing"
    bodies, texts, _ = asked(reader, NEVER)
    assert len(bodies) == 2 * len(CALLS) + 1
    for word in PLANTED:
        leaks = [body[max(0, body.index(word) - 300) : body.index(word) + 40] for body in bodies if word in body]
        assert leaks == [], word
    said = dict(zip([json.dumps(call) for call in CALLS], texts, strict=True))
    withheld = {call: text for call, text in said.items() if "Withheld by `privacy.never_send`" in text}
    assert "`username`" in withheld[json.dumps(("get_execution_history", {"last_n": 5}))]
    assert "`t2_echo`" in withheld[json.dumps(("get_chip_summary", {}))]
    assert json.dumps(("get_chip_topology", {})) not in withheld
    told = situation_in(json.loads(bodies[0])["input"][-1])
    assert told["withheld"] == f"{', '.join(NEVER)} (privacy.never_send)"
    assert "its_parameters" in told


LEVEL = 4242.4
"""Of the points of an echo: in no other number."""

LOWEST = """{
    f"{key} {name}": table.select_dtypes("number").min().round(1).tolist()
    for key, result in copilot.data.items() for name, table in result.tables.items()
}"""

DRAWN: list[tuple[str, dict[str, Any]]] = [
    *[("get_result_curves", {"task_name": "CheckT2Echo"} | more) for more in ({"qid": "5", "last_n": 5}, {})],
    ("get_result_curves", {"task_name": "CheckT2Echo", "since": "5d"}),
    *[("get_result_curves", {"task_id": task_id}) for task_id in ("echo", "failed-echo", "t1")],
    ("get_latest_task_result", {"task_name": "CheckT2Echo", "qid": "5"}),
    ("execute_python_analysis", {"code": LOWEST}),
]


@pytest.fixture
def drawn(tmp_path: Path, opened: Callable[..., Any]) -> Any:
    """A chip whose echoes have figures and raw data, also one that failed; and those of T1, of another level."""
    files, x = QDashFiles(tmp_path / "calib_data"), np.linspace(0.1, 300, 51)

    def result(name: str, parameter: str, level: float, **more: Any) -> dict[str, Any]:
        y = level + 20 * np.exp(-x / NUMBER) + np.random.default_rng(3).normal(0, 0.2, len(x))
        paths: dict[str, Any] = {"json_figure_path": list(files.save_figures([decay_figure(x, y, y)], name, "5"))}
        paths |= {"raw_data_path": list(files.save_raw([y + 0j], name, "5"))}
        return task(name, "5", outputs={parameter: NUMBER} if parameter else {}, **paths, **more)

    results = [
        result("CheckT2Echo", "t2_echo", LEVEL, days_ago=1, task_id="echo"),
        result("CheckT2Echo", "", LEVEL, days_ago=2, task_id="failed-echo", status="failed"),
        result("CheckT1", "t1", 7373.7, days_ago=1, task_id="t1"),
    ]
    chip: dict[str, Any] = {"chip_id": CHIP[1], "project_id": CHIP[0]}
    return opened("snapshot", a_chip(**chip) | {"task_result_history": [one | chip for one in results]})


def test_no_point_of_a_curve_leaves_whose_parameter_is_withheld(drawn: Any, tmp_path: Path) -> None:
    def sent(never: list[str]) -> tuple[str, str]:
        """All that a model is told, and all that the kernel has."""
        answers = [turn for call in DRAWN for turn in (call_turn(call), text_turn("Done."))]
        with open_shell() as shell, ScriptedServer([*answers, text_turn("Judged.")]) as server:
            folder = str(tmp_path / "calib_data")
            with closing(opened_on(shell, drawn, server.base_url, never, calib_data=folder)) as copilot:
                for name, _ in DRAWN:
                    copilot.ask(f"Call {name}")
                answer = copilot.analyze("CheckT2Echo", "5", question="How is it?")
                tables = [table for result in copilot.data.values() for table in result.tables.values()]
                kept = " ".join(table.to_csv() for table in tables) + repr(answer.blocks)
                return " ".join(json.dumps(one.body) for one in server.requests), kept

    points, verdict = re.compile(r"(?<![\d.])42[4-6]\d(?!\d)"), re.compile(r"t2_echo\W+(?:stored|refit)")
    told, kept = sent([])
    assert points.search(told), "else the test would find nothing"
    assert points.search(kept)
    assert verdict.search(told)
    told, kept = sent(["t2_echo"])
    assert [told[max(0, one.start() - 200) : one.end()] for one in points.finditer(told)] == []
    assert not points.search(kept)
    assert not verdict.search(told)
    assert "7373" in told, "what is not withheld is told as before"
    assert "7373" in kept


def test_what_is_asked_for_by_name_is_refused(reader: Any) -> None:
    with open_shell() as shell, closing(opened_on(shell, reader, "http://127.0.0.1:9/v1", NEVER)) as copilot:
        for name, arguments in (
            ("get_parameter_timeseries", {"parameter_name": "T2_echo", "qid": "5"}),
            ("generate_chip_heatmap", {"metric_name": "t2_echo"}),
            ("get_qubit_params", {"qid": "5", "param_names": ["t1", "t2_echo"]}),
            ("get_execution_history", {"username": "somebody"}),
            ("search_notes", {}),
        ):
            result = copilot.call_tool(name, arguments)
            assert result.failure is not None, name
            assert (result.failure.kind, result.failure.may_retry) == ("withheld", False)
            assert "Withheld by privacy.never_send: " in str(result.failure.message)
        frame = copilot.tools.get_execution_history(last_n=5)["executions"]
        assert set(frame["username"]) == {""}, "the kernel has no more than the model"
        assert copilot.tools.get_qubit_params("5")["parameters"]["parameter"].tolist().count("t2_echo") == 0


def test_a_readers_own_answers_are_empty_not_wrong(reader: Any) -> None:
    shown = WithholdingReader(reader, Withheld(("user_note", "tags", "excluded_reason", "elapsed_time", "t2_*")))
    chip = ChipRef(*CHIP)
    results = shown.task_results(ResultQuery(chip, excluded=True))
    assert results
    assert {one.excluded_reason for one in results} == {""}
    assert all(math.isnan(one.elapsed_s) and one.tags == () for one in results)
    echo, t1 = (
        shown.task_results(ResultQuery(chip, task_name=f"Check{name}", qid="5", status="completed", last_n=1))[0]
        for name in ("T2Echo", "T1")
    )
    assert (echo.json_figure_path, echo.raw_data_path) == ((), ())
    assert t1.json_figure_path == (f"{WORD}/figure.json",)
    details = [shown.task_detail(chip, result.task_id) for result in (echo, t1)]
    assert [detail and detail.figures for detail in details] == [(), (f"{WORD}/figure.png",)]
    notes = shown.notes(chip)
    assert notes
    assert not [note for note in notes if note.kind == "task" and note.note_id.endswith("user_note")]
    values = shown.current_parameters(CurrentQuery(chip, "qubit"))
    assert [flag for flag in values["flag"] if flag.startswith("excluded")]
    assert not [flag for flag in values["flag"] if WORD in flag]
    assert not [name for name in values["parameter"] if name.startswith("t2_")]
    with pytest.raises(IsWithheld, match=r"Withheld by privacy.never_send: t2_\*"):
        shown.parameter_series(SeriesQuery(chip, "qubit", "t2_echo"))
    with pytest.raises(IsWithheld, match="tags"):
        shown.executions(ExecutionQuery(chip, tags=["daily"]))


@pytest.mark.parametrize("name", ["qid", "Task_ID", "status", "value", "*", "", "a b"])
def test_names_without_which_nothing_is_answered_are_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"privacy\.never_send"):
        Withheld((name,))


def test_names_that_mean_nothing_are_told_with_the_nearest(demo_reader: Any) -> None:
    settings = {"privacy": {"never_send": ["user_noet", "t1", "t2_*", "chip_notes", "readout_freqency"]}}
    with open_shell() as shell, closing(open_copilot(shell, reader=demo_reader, settings=settings)) as copilot:
        told = [str(issue) for issue in copilot.status().issues if issue.name == "privacy.never_send"]
    assert [line.split("'")[1] for line in told] == ["user_noet", "readout_freqency"]
    assert "Did you mean user_note" in told[0]
    assert "readout_frequency" in told[1]


def test_every_name_for_a_field_is_one_that_can_be_withheld() -> None:
    for of in FIELDS.values():
        for stored in of.values():
            for name in stored:
                assert Withheld((name,)).hides(name)
    assert {"notes", "chip_notes", "user_note", "stack_trace"} <= NAMES


def test_columns_of_tables_go_with_their_names() -> None:
    withheld, left_out = Withheld(("user*", "secret")), dict[str, None]()
    told = {
        "columns": ["a", "username", "b"],
        "records": [[1, "aoi", 2]],
        "counts": {"username": {"aoi": 1}},
        "deep": [{"_schema": ["x:μs", "(secret)"], "rows": [[1, 2]], "same": {"secret": 3, "y": 4}}],
        "df": {"columns": {"a": "int64", "user_note": "str"}, "index": [["secret", "str"]], "head": [["s", 1, "n"]]},
    }
    assert withheld.without(told, left_out) == {
        "columns": ["a", "b"],
        "records": [[1, 2]],
        "counts": {},
        "deep": [{"_schema": ["x:μs"], "rows": [[1]], "same": {"y": 4}}],
        "df": {"columns": {"a": "int64"}, "index": [["secret", "str"]], "head": [[1]]},
    }
    assert list(left_out) == ["user*", "secret"]


def test_a_layer_adds_and_never_takes_away(tmp_path: Path) -> None:
    (tmp_path / "site/qdash-jupyter").mkdir(parents=True)
    (tmp_path / "site/qdash-jupyter/copilot.yaml").write_text("privacy: {never_send: [username]}", encoding="utf-8")
    for text in ("privacy: {never_send: [message]}", "privacy: {never_send: []}", "privacy: null"):
        (tmp_path / "copilot.yaml").write_text(text, encoding="utf-8")
        names = load_manifest({"privacy": {"never_send": ["t1"]}}, folder=tmp_path).manifest.privacy.never_send
        listed = {key: value for key, value, _ in explained(load_manifest(folder=tmp_path))}
        assert "username" in listed["privacy.never_send"]
        assert names == (("username", "message", "t1") if "message" in text else ("username", "t1"))


def test_what_was_told_before_goes_out_no_more() -> None:
    """Of a conversation that goes on under stricter settings, neither its turns nor a digest of them."""
    transcript = Transcript()
    transcript.ask("What do people say?", situation={"now": "n", "its_parameters": [f"{WORD}note"]})
    transcript.add_reply([{"type": "message", "role": "assistant", "content": f"{WORD}note"}])
    before = len(transcript)
    again = Transcript(transcript.items, {0: TurnMemory(f"{WORD}note?", None)})
    for one in (transcript, again):
        one.ask("And now?", situation={"now": "n", "withheld": "notes"})
        one.ask("And then?", situation={"now": "n", "withheld": "notes"})
        assert WORD not in json.dumps(one.sent_items)
        assert "And now?" in json.dumps(one.sent_items)
        assert WORD not in digest_of(one.memories[:2], {}, 5_000)
        assert len(one) == before + 2
    later = Transcript(again.items, {0: TurnMemory("", None), before: TurnMemory("", None)})
    later.ask("And later?", situation={"now": "n", "withheld": "notes"})
    assert WORD not in json.dumps(later.sent_items)
    assert "And then?" in json.dumps(later.sent_items)

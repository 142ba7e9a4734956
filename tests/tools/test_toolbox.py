from __future__ import annotations

import asyncio
import gc
import json
import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest
from pydantic import Field

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.data.records import Origin
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.consent import Effect, EffectKind
from qdash_jupyter.domain.events import ToolFinished, ToolProgressed, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.domain.work import count_read, seconds_left
from qdash_jupyter.errors import DatabaseError, DatabaseUnreachable, NoData
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools import toolbox as toolbox_module
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.size_limit import MAX_TOOL_RESULT_CHARS
from qdash_jupyter.tools.spec import NewFrame, ToolArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.toolbox import READS_SIDE_BY_SIDE, Toolbox
from tests.patience import PATIENCE_S, until
from tests.tools.toolbench import Tools

NOW = datetime(2026, 6, 30, tzinfo=UTC)


class Clock:
    """All of a reader that a toolbox itself needs."""

    origin = Origin("snapshot", "a test", NOW)

    def now(self) -> datetime:
        return NOW


class Sleep(ToolArguments):
    seconds: float = Field(0.0, description="How long.", ge=0, le=100)
    name: str = Field("", description="Whose.")


class Diary:
    """When each call began and ended. So many reads meet: none of them ends before all have begun."""

    def __init__(self, meeting: int = 1) -> None:
        self.times: dict[str, tuple[float, float]] = {}
        self.meeting = threading.Barrier(meeting, timeout=PATIENCE_S)

    def read(self, args: Sleep, context: ToolContext) -> ToolOutput:
        began = time.monotonic()
        if int(args.name or 0) < self.meeting.parties:
            self.meeting.wait()
        time.sleep(args.seconds)
        self.times[args.name] = (began, time.monotonic())
        return ToolOutput(content={"name": args.name, "thread": threading.current_thread().name})

    async def act(self, args: Sleep, context: ToolContext) -> ToolOutput:
        began = time.monotonic()
        await asyncio.sleep(args.seconds)
        self.times[args.name] = (began, time.monotonic())
        return ToolOutput(content={"name": args.name})

    def overlap(self, one: str, other: str) -> bool:
        (began, ended), (other_began, other_ended) = self.times[one], self.times[other]
        return began < other_ended and other_began < ended


def spec(run: Callable[..., Any], name: str = "read", **more: Any) -> ToolSpec:
    return ToolSpec("Reading", "", run, name, Sleep, f"Use {name} once.", **more)


def toolbox(*specs: ToolSpec) -> Toolbox:
    clock: Any = Clock()
    nothing: Any = None
    return Toolbox(specs, ToolContext(clock, FrameStore(), nothing, ChipScope()))


def calls(*of: tuple[str, float]) -> list[ToolCall]:
    return [
        ToolCall(str(i), name, json.dumps({"seconds": seconds, "name": str(i)})) for i, (name, seconds) in enumerate(of)
    ]


def run(box: Toolbox, wanted: list[ToolCall], events: list[Any] | None = None) -> list[Any]:
    """Its events; a list of the test's own has each as soon as it was told."""
    told: list[Any] = [] if events is None else events

    async def collect() -> None:
        async for event in box.run(wanted):
            told.append(event)  # noqa: PERF401 - not only when all have come

    asyncio.run(collect())
    return told


def finished(events: list[Any]) -> list[ToolResult]:
    return [event.result for event in events if isinstance(event, ToolFinished)]


def progressed(events: list[Any], call_id: str) -> list[ToolProgressed]:
    return [each for each in list(events) if isinstance(each, ToolProgressed) and each.call.call_id == call_id]


def test_reads_go_side_by_side() -> None:
    diary = Diary(meeting=4)
    results = finished(run(toolbox(spec(diary.read)), calls(*[("read", 0.2)] * 4)))
    assert all(result.ok for result in results), "each waits until the others are there"
    assert len({json.loads(result.content)["thread"] for result in results}) == 1, "named after the tool"
    assert all(result.elapsed_s >= 0.2 for result in results)
    assert all(result.produced_at == NOW for result in results)


def test_a_read_that_gives_an_awaitable_is_awaited() -> None:
    (result,) = finished(run(toolbox(spec(Diary().act)), calls(("read", 0.0))))
    assert result.failure is None
    assert json.loads(result.content) == {"name": "0"}


def test_every_call_is_started_in_order_and_finished_when_it_is_done() -> None:
    events: list[Any] = []

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        until(lambda: len(finished(list(events))) == args.seconds)
        return ToolOutput(content={"name": args.name})

    run(toolbox(spec(read)), calls(("read", 2), ("read", 1), ("read", 0)), events)
    assert [event.call.call_id for event in events[:3] if isinstance(event, ToolStarted)] == ["0", "1", "2"]
    assert [result.call.call_id for result in finished(events)] == ["2", "1", "0"]
    assert [json.loads(result.content)["name"] for result in finished(events)] == ["2", "1", "0"]
    assert events[0].arguments == {"seconds": 2.0, "name": "0"}


def test_a_long_read_says_how_much_it_has_read_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolbox_module, "PROGRESS_S", 0.01)
    events: list[Any] = []

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        for count in range(int(args.seconds)):
            count_read(1000)
            until(lambda: any(f"{count + 1},000" in str(each.message) for each in progressed(events, args.name)))  # noqa: B023
        return ToolOutput(content={})

    run(toolbox(spec(read)), calls(("read", 2), ("read", 3)), events)
    for call_id, documents in {"0": [1000, 2000], "1": [1000, 2000, 3000]}.items():
        told = progressed(events, call_id)
        assert [(each.label, str(each.message)) for each in told] == [
            ("Reading", f"{n:,} documents") for n in documents
        ]
        (end,) = [each for each in events if isinstance(each, ToolFinished) and each.result.call.call_id == call_id]
        assert events.index(end) > events.index(told[-1])


def test_keys_follow_the_order_of_the_calls() -> None:
    """However long each takes."""

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        time.sleep(args.seconds)
        return ToolOutput(frame=NewFrame("t1", {"rows": pd.DataFrame({"qid": [args.name]})}, main="rows"))

    results = finished(run(toolbox(spec(read)), calls(("read", 0.2), ("read", 0.1), ("read", 0.0))))
    keys = {result.call.call_id: result.frame_key for result in results}
    assert keys == {"0": "t1", "1": "t1_2", "2": "t1_3"}


def test_code_runs_alone_between_the_reads() -> None:
    diary = Diary(meeting=2)
    box = toolbox(spec(diary.read), spec(diary.act, "code", effect="run_code", timeout_s=None))
    run(box, calls(("read", 0.05), ("read", 0.05), ("code", 0.05), ("code", 0.05), ("read", 0.05)))
    assert diary.overlap("0", "1")
    for one in diary.times:
        for other in diary.times:
            if one != other and {one, other} != {"0", "1"}:
                assert not diary.overlap(one, other), (one, other)
    ends = [diary.times[name][1] for name in ("1", "2", "3", "4")]
    assert ends == sorted(ends)


def test_not_more_than_some_reads_at_a_time() -> None:
    running, most, lock = [0], [0], threading.Lock()
    meeting = threading.Barrier(READS_SIDE_BY_SIDE, timeout=PATIENCE_S)

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        if int(args.name) < READS_SIDE_BY_SIDE:
            meeting.wait()
        time.sleep(0.05)
        with lock:
            running[0] -= 1
        return ToolOutput(content={})

    results = finished(run(toolbox(spec(read)), calls(*[("read", 0.0)] * 20)))
    assert [result.ok for result in results] == [True] * 20
    assert most[0] == READS_SIDE_BY_SIDE


def test_a_table_is_stored_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[threading.Thread] = []
    put = FrameStore.put

    def noted(store: FrameStore, *arguments: Any) -> Any:
        stored.append(threading.current_thread())
        return put(store, *arguments)

    def table(args: Sleep, context: ToolContext) -> ToolOutput:
        return ToolOutput(frame=NewFrame("t1", {"rows": pd.DataFrame({"qid": ["1"]})}, main="rows"))

    monkeypatch.setattr(FrameStore, "put", noted)
    (done,) = finished(run(toolbox(spec(table)), calls(("read", 0.0))))
    assert done.frame_key == "t1"
    assert [thread.name for thread in stored] == ["qdash-store"]


LATE = calls(("read", 30.0), ("read", 0.0))


def test_a_read_that_takes_too_long() -> None:
    let_go = threading.Event()

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        if args.seconds:
            let_go.wait(PATIENCE_S)
        return ToolOutput(content={})

    results = {result.call.call_id: result for result in finished(run(toolbox(spec(read, timeout_s=1.0)), LATE))}
    let_go.set()
    failure = results["0"].failure
    assert failure is not None
    assert (failure.kind, failure.may_retry) == ("timed_out", True)
    assert "1 s" in str(failure.message)
    assert "Ask for less" in json.loads(results["0"].content)["try_instead"]
    assert results["1"].ok


def test_a_read_knows_its_limit_and_a_server_that_keeps_to_it_is_no_broken_database() -> None:
    left: list[float] = []

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        left.append(seconds_left())
        while seconds_left() > 0:
            time.sleep(0.01)
        raise DatabaseError("MongoDB did not finish the query in time.", "")

    (result,) = finished(run(toolbox(spec(read, timeout_s=0.5)), calls(("read", 0.0))))
    assert 0 < left[0] <= 0.5
    assert result.failure is not None
    assert result.failure.kind == "timed_out"


def test_a_mistake_of_ours_is_logged_and_told_without_its_inside(caplog: pytest.LogCaptureFixture) -> None:
    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        raise ZeroDivisionError("mongodb://root:s3cret@host in line 7")

    with caplog.at_level(logging.ERROR, "qdash_jupyter"):
        (result,) = finished(run(toolbox(spec(read)), calls(("read", 0))))
    assert result.failure is not None
    assert (result.failure.kind, result.failure.may_retry) == ("internal", False)
    for inside in ("s3cret", "ZeroDivisionError", "Traceback", "line 7"):
        assert inside not in result.content
    (record,) = caplog.records
    assert "read" in record.getMessage()
    assert record.exc_info
    assert record.exc_info[0] is ZeroDivisionError


@pytest.mark.parametrize("error", [StopIteration(), SystemExit(1), KeyboardInterrupt()])
def test_what_a_future_cannot_raise_and_what_would_end_the_loop(error: BaseException) -> None:
    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        raise error

    (result,) = finished(run(toolbox(spec(read, timeout_s=5)), calls(("read", 0))))
    assert result.failure is not None
    assert result.failure.kind == "internal"


def test_a_broken_database_ends_the_turn_and_leaves_no_lost_errors() -> None:
    lost: list[Any] = []

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        time.sleep(0.15)
        raise DatabaseUnreachable("No server.", "Check the name.")

    async def ask() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: lost.append(context))
        loop.call_later(0.05, time.sleep, 0.3)  # all four have failed when the loop comes to look
        async for _ in toolbox(spec(read)).run(calls(*[("read", 0.0)] * 4)):
            pass

    with pytest.raises(DatabaseUnreachable):
        asyncio.run(ask())
    gc.collect()
    assert lost == []


def test_stopping_abandons_reads_that_hang() -> None:
    began, let_go, ended = threading.Event(), threading.Event(), threading.Event()

    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        began.set()
        let_go.wait(PATIENCE_S)
        ended.set()
        return ToolOutput(content={})

    async def stopped() -> None:
        async def all_events() -> None:
            async for _ in toolbox(spec(read)).run(calls(("read", 0.0))):
                pass

        task = asyncio.create_task(all_events())
        assert await asyncio.to_thread(began.wait, PATIENCE_S)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stopped())
    assert not ended.is_set()
    let_go.set()


def test_calls_are_counted_for_one_question() -> None:
    box = toolbox(spec(Diary().read, max_calls_per_turn=2), spec(Diary().read, "other"))
    kinds = [result.failure and result.failure.kind for result in finished(run(box, calls(*[("read", 0.0)] * 3)))]
    assert sorted(map(str, kinds)) == ["None", "None", "call_limit"]
    (refused,) = finished(run(box, calls(("read", 0.0))))
    content = json.loads(refused.content)
    assert content["may_retry"] is False
    assert content["try_instead"] == "Use read once."
    assert "2 times" in content["error"]
    assert finished(run(box, calls(("other", 0.0))))[0].ok
    box = box.for_turn(NoCells(), "en")
    assert finished(run(box, calls(("read", 0.0))))[0].ok


def test_a_person_may_call_a_tool_as_often_as_they_like() -> None:
    box = toolbox(spec(Diary().read, max_calls_per_turn=1))

    async def three_times() -> list[ToolResult]:
        return [await box.call("read", {}) for _ in range(3)]

    assert [result.ok for result in asyncio.run(three_times())] == [True, True, True]
    assert finished(run(box, calls(("read", 0.0))))[0].ok, "nor does the model pay for it"


def test_failed_calls_count_too() -> None:
    box = toolbox(spec(Diary().read, max_calls_per_turn=1))
    (wrong,) = finished(run(box, [ToolCall("a", "read", "{")]))
    assert wrong.failure is not None
    assert wrong.failure.kind == "invalid_arguments"
    (refused,) = finished(run(box, calls(("read", 0.0))))
    assert refused.failure is not None
    assert refused.failure.kind == "call_limit"


ELEMENT_BY_ELEMENT: dict[str, tuple[dict[str, Any], int, str]] = {
    "get_qubit_params": ({"qid": "7"}, 3, "compare_qubits"),
    "get_coupling_params": ({"coupling_id": "4-1"}, 3, "compare_qubits"),
    "get_parameter_timeseries": ({"parameter_name": "t1", "qid": "7"}, 3, "get_chip_parameter_timeseries"),
    "get_latest_task_result": ({"task_name": "CheckT1", "qid": "7"}, 5, "search_task_results"),
    "get_task_history": ({"task_name": "CheckT1", "qid": "7"}, 5, "search_task_results"),
}
"""Tools of one element: how often a question may call each, and the tool that reads many."""


def test_the_model_may_not_loop_over_elements_but_a_person_may(tools: Tools) -> None:
    for name, (arguments, most, other) in ELEMENT_BY_ELEMENT.items():
        results = tools.asked_together(*[(name, arguments)] * (most + 1))
        (failure,) = (json.loads(result.content) for result in results if not result.ok)
        assert (failure["kind"], failure["may_retry"]) == ("call_limit", False)
        assert f"{most} times" in failure["error"]
        assert other in failure["try_instead"]
        assert tools.result(name, **arguments).ok, "a person's own loop in Python is not limited"


@pytest.mark.parametrize(
    "text", ["{", '{"a": 1', "[1, 2]", "null", "7", '"text"', "[" * 100_000, '{"n": ' + "9" * 5000 + "}", "\ud800"]
)
def test_arguments_that_are_no_json_object(text: str) -> None:
    (result,) = finished(run(toolbox(spec(Diary().read)), [ToolCall("a", "read", text)]))
    content = json.loads(result.content)
    assert content["kind"] == "invalid_arguments"
    assert content["may_retry"] is True
    assert len(result.content) < 500


def test_no_arguments_at_all_are_an_empty_object() -> None:
    assert finished(run(toolbox(spec(Diary().read)), [ToolCall("a", "read", "")]))[0].ok


def test_an_unknown_tool_names_the_nearest() -> None:
    events = run(Toolbox(BUILTIN_TOOLS, toolbox().context), [ToolCall("a", "get_chip_sumary\ud800", "{}")])
    (result,) = finished(events)
    content = json.loads(result.content)
    assert content["kind"] == "unknown_tool"
    assert "get_chip_summary" in content["try_instead"]


@pytest.mark.parametrize(
    ("name", "arguments", "wrong", "schema"),
    [
        ("get_chip_parameter_timeseries", {}, "parameter_name: Field required", "parameter_name"),
        ("get_chip_parameter_timeseries", {"parameter_name": 5}, "parameter_name", "parameter_name"),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "qids": "7"}, "qids", "qids"),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "qids": [True]}, "qids.0", "qids"),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "last_n": 0}, "last_n", "last_n"),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "last_n": 10_001}, "last_n", "last_n"),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "last_n": "many"}, "last_n", "last_n"),
        ("generate_chip_heatmap", {"metric_name": "t1", "selection_mode": "worst"}, "selection_mode", "selection_mode"),
        ("generate_chip_heatmap", {"metric_name": "t1", "within_hours": -1}, "within_hours", "within_hours"),
        ("generate_chip_heatmap", {"metric_name": "t1", "within_hours": float("nan")}, "within_hours", "within_hours"),
        ("get_chip_summary", {"param_names": "t1"}, "param_names", "param_names"),
        ("get_chip_summary", {"chip_id": 64}, "chip_id", "chip_id"),
        ("execute_python_analysis", {"code": ""}, "code", "code"),
    ],
)
def test_wrong_arguments_are_answered_with_their_line_of_the_schema(
    tools: Tools, name: str, arguments: dict[str, Any], wrong: str, schema: str
) -> None:
    failure = tools.failure(name, **arguments)
    assert failure["kind"] == "invalid_arguments"
    assert wrong in failure["error"]
    head, lines = failure["try_instead"].split(": ", 1)
    told = next(spec for spec in BUILTIN_TOOLS if spec.name == name).arguments()
    assert (head, json.loads(lines)) == ("Schema", {schema: told[schema]})


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("get_chip_topology", {"colour": "red"}, "there is no 'colour'"),
        ("get_task_history", {"task_name": "CheckT1", "qid": "7", "status": "failed"}, "search_task_results"),
        ("compare_qubits", {"qids": ["1", "2"], "parem_names": ["t1"]}, "did you mean param_names?"),
    ],
)
def test_an_argument_that_is_not_there_is_no_answer_to_another_question(
    tools: Tools, name: str, arguments: dict[str, Any], says: str
) -> None:
    failure = tools.failure(name, **arguments)
    assert failure["kind"] == "invalid_arguments"
    assert says in failure["error"]
    assert failure["try_instead"].startswith("Optional: ") or "Schema" in failure["try_instead"]


def test_an_unknown_argument_that_asks_for_nothing_is_ignored(tools: Tools) -> None:
    result = tools.result("get_chip_topology", colour=None, tags=[], chip_id=" 64Q-demo ")
    assert result.ok
    assert result.arguments == {"chip_id": "64Q-demo"}


def test_a_tool_s_own_error_is_for_the_model() -> None:
    def read(args: Sleep, context: ToolContext) -> ToolOutput:
        raise NoData("Nothing there.", "Look elsewhere.")

    (result,) = finished(run(toolbox(spec(read)), calls(("read", 0))))
    assert json.loads(result.content) == {
        "error": "Nothing there.",
        "kind": "no_data",
        "try_instead": "Look elsewhere.",
        "may_retry": True,
    }


def sent(content: dict[str, Any]) -> dict[str, Any]:
    (result,) = finished(run(toolbox(spec(lambda args, context: ToolOutput(content=content))), calls(("read", 0))))
    assert result.ok
    assert len(result.content) <= MAX_TOOL_RESULT_CHARS
    read: dict[str, Any] = json.loads(result.content)
    return read


def test_a_long_list_is_cut_at_item_borders_and_says_how_much() -> None:
    rows = [{"qid": str(i), "v": i + 0.5} for i in range(20_000)]
    content = sent({"chip_id": "c", "rows": rows})
    kept = content["rows"]
    assert kept == rows[: len(kept)]
    assert len(json.dumps(kept, separators=(",", ":"))) > MAX_TOOL_RESULT_CHARS / 2
    assert content["_omitted"] == {"rows": f"{20_000 - len(kept)} of 20000 items: ask for fewer"}
    assert content["chip_id"] == "c"


def test_lists_further_inside_are_cut_there() -> None:
    content = sent({"result": {"columns": ["a", "b"], "rows": [[i, i] for i in range(20_000)]}, "status": "ok"})
    assert content["status"] == "ok"
    assert content["result"]["columns"] == ["a", "b"]
    kept = len(content["result"]["rows"])
    assert kept > 1000
    assert content["_omitted"] == {"result.rows": f"{20_000 - kept} of 20000 items: ask for fewer"}


def test_small_entries_stay_whole_beside_two_large_ones() -> None:
    content = sent({"text": "x" * 100_000, "rows": list(range(50_000)), "status": "ok"})
    assert content["status"] == "ok"
    assert set(content["_omitted"]) == {"text", "rows"}
    assert content["text"] == "x" * len(content["text"])
    assert len(content["text"]) > 5000
    assert len(content["rows"]) > 500
    assert content["_omitted"]["text"] == f"{100_000 - len(content['text'])} of 100000 characters"


@pytest.mark.parametrize(
    "content",
    [
        {f"q{i}": i for i in range(10_000)},
        {f"q{i}": [i] * 200 for i in range(300)},
        {f"q{i}": {"rows": ["x" * 100] * 20} for i in range(300)},
        {"a": {f"q{i}": "\n" * 50 for i in range(2_000)}},
        {"x" * 40_000: 1},
        {"a": '\n"\\' * 20_000},
        {"rows": ["y" * 50_000]},
        {"n": "9" * 40_000},
        {"μ": "量子" * 30_000},
    ],
    ids=["keys", "lists", "nested", "many", "key", "escapes", "item", "digits", "ja"],
)
def test_the_last_guard_always_ends_with_valid_json_that_says_so(content: dict[str, Any]) -> None:
    found = sent(content)
    assert found["_omitted"]
    assert all(key in content or key == "_omitted" for key in found)


def test_what_fits_is_not_touched() -> None:
    content = {"text": "x" * (MAX_TOOL_RESULT_CHARS - 11)}
    assert sent(content) == content


def test_labels_in_both_languages() -> None:
    for language in ("en", "ja"):
        labels = [text_in(spec_.label, language) for spec_ in BUILTIN_TOOLS]
        assert all(label and label == label.strip() for label in labels)
        assert len(set(labels)) == len(BUILTIN_TOOLS)
        assert all(label.isascii() == (language == "en") for label in labels)


def test_code_is_run_as_a_cell_or_refused(tools: Tools) -> None:
    tools.cells.outcome = {"status": CellStatus.OK, "value": [1, 2], "text": "printed", "created": ("t",)}
    content = tools.content("execute_python_analysis", code="\nt = 1 + 1\nt", purpose="to add")
    assert content == {"status": "ok", "text": "printed", "result": [1, 2], "new_names": ["t"]}
    (request,) = tools.cells.requests
    assert (request.code, request.purpose) == ("t = 1 + 1\nt", "to add")
    needs = (Effect(EffectKind.SHELL, "ls", "starts"),)
    tools.cells.outcome = {"status": CellStatus.REJECTED, "effects": needs, "reason": "It starts `ls`."}
    refused = tools.result("execute_python_analysis", code="import os\nos.system('ls')")
    assert refused.failure is not None
    assert refused.failure.kind == "cell_rejected"
    assert len(tools.cells.requests) == 2, "nobody can be asked, so it never runs in the kernel"
    content = json.loads(refused.content)
    assert (content["status"], content["class"]) == ("rejected", "shell")
    assert "It starts `ls`." in content["reason"]


def test_code_that_fails_tells_its_traceback(tools: Tools) -> None:
    tools.cells.outcome = {"status": CellStatus.ERROR, "traceback": "line 1\nValueError: no"}
    result = tools.result("execute_python_analysis", code="1 + 1")
    assert result.failure is not None
    assert (result.failure.kind, result.failure.message) == ("cell_error", "ValueError: no")
    assert json.loads(result.content)["traceback"].endswith("ValueError: no")


def test_long_output_of_code_is_cut_at_lines(tools: Tools) -> None:
    tools.cells.outcome = {"status": CellStatus.OK, "text": "\n".join(f"row {i}" for i in range(10_000))}
    text = tools.content("execute_python_analysis", code="1 + 1")["text"]
    assert len(text) < 8_100
    assert text.startswith("row 0\n")
    assert text.endswith("row 9999")
    assert "characters left out" in text
    assert all(line.startswith(("row ", "…")) for line in text.splitlines())

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from qdash_jupyter.agent.parse import CUT_OFF
from qdash_jupyter.domain.answer import StopReason, TextBlock, Usage
from qdash_jupyter.domain.events import StageChanged, TextDelta, ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import DatabaseUnreachable, ModelBroken, ModelUnreachable
from qdash_jupyter.llm.client import ModelRequest, Reply
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.tools.spec import ToolContext, ToolOutput
from tests.agent.turns import TOOLS, EchoArguments, Stage, chart, echo, stage, tool
from tests.patience import until

ANSWER = '{"blocks": [{"type": "text", "content": "Q7 is well.", "chart": null}], "assessment": "good"}'


def requests(made: Stage) -> list[ModelRequest]:
    assert isinstance(made.llm, ScriptedLLM)
    return made.llm.requests


def kinds(made: Stage) -> list[str]:
    return [item["type"] for item in made.transcript.items]


def test_an_answer_without_tools() -> None:
    made = stage(text_reply(ANSWER))

    answer = made.ask()

    assert answer.blocks == (TextBlock("Q7 is well."),)
    assert (answer.assessment, answer.stop_reason) == ("good", StopReason.FINISHED)
    assert requests(made)[0].instructions == "You help."
    assert [schema["name"] for schema in requests(made)[0].tools] == ["echo", "lose", "draw", "compute"]
    assert requests(made)[0].items[0]["content"][0]["text"] == "How is Q7?"


def test_the_events_of_a_standard_turn_in_their_order() -> None:
    made = stage(
        call_reply(("echo", {"text": "a"}), ("echo", {"text": "b", "seconds": 0.05})),
        call_reply(("compute", {"text": "c"})),
        text_reply("One two."),
    )

    made.ask()

    assert made.names() == [
        "StageChanged",
        "ToolStarted",
        "ToolStarted",
        "ToolFinished",
        "ToolFinished",
        "StageChanged",
        "ToolStarted",
        "ToolFinished",
        "StageChanged",
        "TextDelta",
        "TextDelta",
        "StageChanged",
        "AnswerReady",
    ]
    stages = [event.step for event in made.events if isinstance(event, StageChanged)]
    assert stages == ["thinking", "thinking", "thinking", "complete"]
    started = [event for event in made.events if isinstance(event, ToolStarted)]
    assert [(event.label, event.arguments["text"]) for event in started] == [
        ("Doing echo", "a"),
        ("Doing echo", "b"),
        ("Doing compute", "c"),
    ]


def test_parallel_reads_run_side_by_side_and_their_results_stand_in_call_order() -> None:
    def follow(args: EchoArguments, _: ToolContext) -> ToolOutput:
        """Ends when the end of the call that it names was told."""
        until(lambda: args.text in finished())
        return echo(args, _)

    def finished() -> list[str]:
        return [event.result.call.call_id for event in list(made.events) if isinstance(event, ToolFinished)]

    made = stage(
        call_reply(
            ("follow", {"text": "call_1_follow"}),
            ("follow", {"text": "call_2_echo"}),
            ("echo", {"text": "first"}),
            ("compute", {"text": "last"}),
            ("echo", {"text": "after"}),
        ),
        text_reply("ok"),
        specs=(*TOOLS, tool("follow", follow)),
    )

    made.ask()

    assert finished()[:3] == ["call_2_echo", "call_1_follow", "call_0_follow"]
    outputs = [item["call_id"] for item in made.transcript.items if item["type"] == "function_call_output"]
    assert outputs == ["call_0_follow", "call_1_follow", "call_2_echo", "call_3_compute", "call_4_echo"]
    assert [output.get("said") for output in made.outputs()] == ["call_1_follow", "call_2_echo", "first", None, "after"]


def test_code_runs_after_the_reads_before_it() -> None:
    made = stage(call_reply(("echo", {"text": "a", "seconds": 0.1}), ("compute", {"text": "b"})), text_reply("ok"))

    made.ask()

    order = [
        (type(event).__name__, (event.call if isinstance(event, ToolStarted) else event.result.call).name)
        for event in made.events
        if isinstance(event, (ToolStarted, ToolFinished))
    ]
    assert order == [
        ("ToolStarted", "echo"),
        ("ToolFinished", "echo"),
        ("ToolStarted", "compute"),
        ("ToolFinished", "compute"),
    ]


def test_at_the_limit_of_rounds_the_model_is_told_why_and_answers_without_tools() -> None:
    steps = [call_reply(("echo", {"text": str(n)})) for n in range(4)]
    made = stage(*steps, text_reply("What I have."), max_rounds=3)

    answer = made.ask()

    assert answer.stop_reason is StopReason.MAX_ROUNDS
    assert answer.text == (
        "What I have.\n\n*Stopped at a limit: 3 rounds of tool calls (`orchestrator.max_iterations`). "
        "The answer may be incomplete.*"
    )
    last = requests(made)[-1]
    assert len(requests(made)) == 5
    assert last.tools == ()
    assert all(request.tools for request in requests(made)[:-1])
    assert "limit of 3 rounds" in last.items[-1]["content"][0]["text"]
    assert made.outputs()[:3] == [{"said": str(n)} for n in range(3)]
    assert "limit of 3 rounds" in made.outputs()[3]["error"]
    assert made.open_calls() == []


def test_the_note_stands_behind_the_charts_in_the_language_of_the_person() -> None:
    made = stage(
        *(call_reply(("draw", {"text": str(n)})) for n in range(2)),
        text_reply("ここまで。"),
        max_rounds=1,
        language="ja",
    )

    first, second, note = made.ask().blocks

    assert (first, second) == (TextBlock("ここまで。"), chart("0"))
    assert isinstance(note, TextBlock)
    assert "ツール呼び出し1ラウンド" in note.content
    assert "`orchestrator.max_iterations`" in note.content


def test_an_answer_in_the_last_permitted_round_has_no_note() -> None:
    steps = [call_reply(("echo", {"text": str(n)})) for n in range(3)]
    made = stage(*steps, text_reply("All of it."), max_rounds=3)

    answer = made.ask()

    assert (answer.text, answer.stop_reason) == ("All of it.", StopReason.FINISHED)


def test_a_model_that_calls_tools_even_then_gets_no_further() -> None:
    steps = [call_reply(("echo", {"text": str(n)})) for n in range(3)]
    made = stage(*steps, max_rounds=1)

    answer = made.ask()

    assert answer.stop_reason is StopReason.MAX_ROUNDS
    assert "tool-call limit" in answer.text
    assert made.open_calls() == []
    assert sum(isinstance(event, ToolStarted) for event in made.events) == 1


def test_the_same_call_a_fourth_time_stops() -> None:
    same = [
        call_reply(("echo", {"text": "x", "seconds": 0})),
        call_reply(("echo", {"seconds": 0, "text": "x"})),  # the same in another order
        call_reply(("echo", {"text": "x", "seconds": 0}), ("echo", {"text": "y"})),
        call_reply(("echo", {"text": "x", "seconds": 0})),
    ]
    made = stage(*same, text_reply("Enough."))

    answer = made.ask()

    assert answer.stop_reason is StopReason.REPEATED_CALL
    assert answer.text == (
        "Enough.\n\n*Stopped at a limit: 3 identical tool calls (`limits.max_same_call`). "
        "The answer may be incomplete.*"
    )
    assert "echo was called 3 times with the same arguments" in made.outputs()[-1]["error"]
    assert sum(isinstance(event, ToolStarted) for event in made.events) == 4


def test_bad_calls_become_results_from_which_the_model_recovers() -> None:
    def recover(request: ModelRequest) -> Reply:
        failures = [json.loads(item["output"]) for item in request.items if item["type"] == "function_call_output"]
        assert [failure["kind"] for failure in failures] == [
            "invalid_arguments",
            "unknown_tool",
            "invalid_arguments",
            "not_found",
        ]
        assert "JSON" in failures[0]["error"]
        assert "echo" in failures[1]["try_instead"]
        assert "text" in failures[2]["error"]
        assert "'7'" in failures[3]["try_instead"] or "7" in failures[3]["try_instead"]
        assert all(failure["may_retry"] for failure in failures)
        return call_reply(("echo", {"text": "now right"}))

    bad = (
        ToolCall("1", "echo", '{"text": "a'),
        ToolCall("2", "ecco", "{}"),
        ToolCall("3", "echo", '{"text": ["a"], "seconds": "soon"}'),
        ToolCall("4", "lose", '{"text": "77"}'),
    )
    items = tuple(
        {"type": "function_call", "call_id": c.call_id, "name": c.name, "arguments": c.arguments} for c in bad
    )
    made = stage(Reply("", bad, items), recover, text_reply("ok"))

    answer = made.ask()

    assert answer.stop_reason is StopReason.FINISHED
    assert made.outputs()[-1] == {"said": "now right"}


def test_a_tool_that_fails_inside_is_a_result_without_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("secret detail")

    made = stage(call_reply(("broken", {"text": "a"})), text_reply("ok"), specs=(*TOOLS, tool("broken", broken)))

    made.ask()

    (output,) = made.outputs()
    assert (output["kind"], output["may_retry"]) == ("internal", False)
    assert "secret detail" not in json.dumps(made.transcript.items)
    assert "secret detail" in caplog.text


def test_a_read_that_takes_too_long_is_a_result() -> None:
    made = stage(
        call_reply(("slow", {"text": "a", "seconds": 2})),
        text_reply("ok"),
        specs=(tool("slow", TOOLS[0].run, timeout_s=0.1),),
    )

    made.ask()

    assert made.outputs()[0]["kind"] == "timed_out"


@pytest.mark.parametrize("text", ["", "  \n", '{"blocks": [], "assessment": null}'])
def test_an_empty_answer_gets_honest_words(text: str) -> None:
    answer = stage(text_reply(text)).ask()

    assert answer.stop_reason is StopReason.FINISHED
    assert answer.text == "The model returned an empty answer. Ask again, or rephrase the question."


def test_charts_of_tools_stand_behind_the_models_own_blocks_in_call_order() -> None:
    own = {"type": "chart", "content": None, "chart": {"data": [{"y": [1]}], "layout": {"title": "own"}}}
    text = {"type": "text", "content": "Look.", "chart": None}
    made = stage(
        call_reply(("draw", {"text": "first", "seconds": 0.1}), ("draw", {"text": "second"})),
        call_reply(("compute", {"text": "third"})),
        text_reply(json.dumps({"blocks": [own, text], "assessment": None})),
    )

    answer = made.ask()

    assert answer.blocks == (
        chart("own"),
        TextBlock("Look."),
        chart("first"),
        chart("second"),
        chart("cell third"),
    )


def test_usage_is_summed_over_the_rounds() -> None:
    first = call_reply(("echo", {"text": "a"}))
    made = stage(Reply(first.text, first.calls, first.items, Usage(100, 10, 1)), Reply("ok", usage=Usage(150, 20, 2)))

    assert made.ask().usage == Usage(250, 30, 3)


def test_items_of_the_model_go_back_unchanged_and_in_order() -> None:
    reasoning = {"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAAA==", "summary": [], "new": {"x": [1]}}
    opaque: dict[str, Any] = {"type": "item_of_tomorrow", "anything": None}
    said: dict[str, Any] = {"type": "message", "role": "assistant", "phase": "commentary", "content": []}
    called = call_reply(("echo", {"text": "a"}))
    items = (reasoning, said, opaque, *called.items)
    made = stage(Reply("", called.calls, items), text_reply("ok"))

    made.ask()

    assert requests(made)[1].items[1:5] == items
    assert kinds(made) == [
        "message",
        "reasoning",
        "message",
        "item_of_tomorrow",
        "function_call",
        "function_call_output",
        "message",
    ]


def test_after_a_failure_in_the_second_round_the_next_question_works() -> None:
    made = stage(call_reply(("echo", {"text": "a"})), ModelUnreachable("Gone.", "Wait."), text_reply("Back again."))

    with pytest.raises(ModelUnreachable):
        asyncio.run(made.run())

    assert made.open_calls() == []
    assert made.outputs() == [{"said": "a"}]
    assert made.ask("And now?").text == "Back again."
    assert kinds(made) == ["message", "function_call", "function_call_output", "message", "message"]


def test_a_database_that_is_gone_ends_the_turn_and_closes_every_call() -> None:
    def gone(*_: Any) -> Any:
        raise DatabaseUnreachable("No MongoDB answers.", "Start it.")

    made = stage(
        call_reply(("echo", {"text": "a"}), ("gone", {"text": "b"}), ("compute", {"text": "c"})),
        text_reply("fine"),
        specs=(*TOOLS, tool("gone", gone)),
    )

    with pytest.raises(DatabaseUnreachable):
        asyncio.run(made.run())

    assert made.open_calls() == []
    assert made.ask().text == "fine"


def test_calls_that_share_an_id_keep_their_own_results() -> None:
    twins = (ToolCall("call", "echo", '{"text": "a"}'), ToolCall("call", "echo", '{"text": "b"}'))
    items = tuple(
        {"type": "function_call", "call_id": c.call_id, "name": c.name, "arguments": c.arguments} for c in twins
    )
    again = call_reply(("echo", {"text": "c"}))
    same_id = Reply("", (ToolCall("call", "gone", "{}"),), ({**again.items[0], "call_id": "call"},))
    made = stage(Reply("", twins, items), same_id, ModelBroken("Cut."))

    with pytest.raises(ModelBroken):
        asyncio.run(made.run())

    assert [output.get("said") for output in made.outputs()[:2]] == ["a", "b"]
    assert made.open_calls() == []


def test_a_stream_without_a_reply_is_an_error() -> None:
    class Silent(ScriptedLLM):
        async def reply(self, request: ModelRequest) -> Any:
            yield TextDelta("half a")

    with pytest.raises(ModelBroken):
        asyncio.run(Stage(Silent([])).run())


def test_a_turn_that_is_left_keeps_the_results_that_were_there() -> None:
    made = stage(
        call_reply(("echo", {"text": "a"}), ("echo", {"text": "b", "seconds": 5}), ("compute", {"text": "c"})),
        text_reply("Next."),
    )

    async def run() -> None:
        task = asyncio.create_task(made.run())
        while not any(isinstance(event, ToolFinished) for event in made.events):  # noqa: ASYNC110 - a plain list
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())

    outputs = made.outputs()
    assert outputs[0] == {"said": "a"}
    assert ["stopped" in output.get("error", "") for output in outputs] == [False, True, True]
    assert made.open_calls() == []
    assert made.ask("And now?").text == "Next."


def test_an_answer_whose_json_broke_off_is_shown_as_text_and_never_raw() -> None:
    made = stage(text_reply('{"blocks": [{"type": "text", "content": "Q3 fell by 42'))
    assert made.ask().blocks == (TextBlock("Q3 fell by 42"), CUT_OFF)
    made = stage(text_reply('{"blocks": ['))
    assert made.ask().blocks == (CUT_OFF,)

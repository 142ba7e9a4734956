from __future__ import annotations

import threading
from functools import partial
from typing import Any

import pytest

from qdash_jupyter.agent import loop
from qdash_jupyter.agent.limits import TurnBudget
from qdash_jupyter.config.manifest import LimitsSection
from qdash_jupyter.domain.answer import StopReason, Usage
from qdash_jupyter.domain.events import ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.llm.client import ModelRequest, Reply
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.tools.spec import ToolContext, ToolOutput
from tests.agent.turns import EchoArguments, Stage, stage, tool


def calls(first: int, count: int, used: Usage | None = None, **arguments: Any) -> Reply:
    """A reply with calls that no other reply makes, and the tokens that it took."""
    made = call_reply(*[("echo", {"text": str(number), **arguments}) for number in range(first, first + count)])
    return Reply("", made.calls, made.items, used or Usage())


def said(words: str, used: Usage) -> Reply:
    reply = text_reply(words)
    return Reply(reply.text, (), reply.items, used)


def requests(made: Stage) -> list[ModelRequest]:
    assert isinstance(made.llm, ScriptedLLM)
    return made.llm.requests


def ran(made: Stage) -> int:
    return sum(isinstance(event, ToolFinished) for event in made.events)


def last_words_to_the_model(made: Stage) -> str:
    assert requests(made)[-1].tools == ()
    words: str = requests(made)[-1].items[-1]["content"][0]["text"]
    return words


def test_fifty_calls_at_once_run_no_more_tools_than_the_limit() -> None:
    made = stage(calls(0, 50), text_reply("What I have."), limits=LimitsSection(max_tool_calls=20))

    answer = made.ask()

    assert ran(made) == 20
    assert [output.get("said") for output in made.outputs()[:20]] == [str(number) for number in range(20)]
    assert all("limit of 20 tool calls" in output["error"] for output in made.outputs()[20:])
    assert made.open_calls() == []
    assert "limit of 20 tool calls for one question" in last_words_to_the_model(made)
    assert answer.stop_reason is StopReason.BUDGET
    assert answer.text == (
        "What I have.\n\n*Stopped at a limit: 20 tool calls per question (`limits.max_tool_calls`). "
        "The answer may be incomplete.*"
    )


def test_calls_up_to_the_limit_are_no_reason_to_stop() -> None:
    made = stage(calls(0, 2), calls(2, 1), text_reply("Done."), limits=LimitsSection(max_tool_calls=3))

    answer = made.ask()

    assert (answer.stop_reason, answer.text, ran(made)) == (StopReason.FINISHED, "Done.", 3)


def test_the_calls_of_another_question_do_not_count() -> None:
    made = stage(
        calls(0, 2), text_reply("One."), calls(0, 2), text_reply("Two."), limits=LimitsSection(max_tool_calls=2)
    )

    assert [made.ask().stop_reason, made.ask().stop_reason] == [StopReason.FINISHED, StopReason.FINISHED]


def test_after_the_request_that_passes_the_tokens_one_more_is_made_and_no_tool_runs() -> None:
    made = stage(
        calls(0, 1, Usage(400, 50, 1)),
        calls(1, 1, Usage(500, 60, 1)),
        said("What I have.", Usage(600, 70, 1)),
        limits=LimitsSection(max_tokens=1000),
    )

    answer = made.ask()

    assert len(requests(made)) == 3
    assert ran(made) == 1
    assert "limit of 1,000 tokens for one question" in last_words_to_the_model(made)
    assert "`limits.max_tokens`" in answer.text
    assert (answer.stop_reason, answer.usage) == (StopReason.BUDGET, Usage(1500, 180, 3))


def test_a_conversation_out_of_tokens_ends_its_turn_and_takes_no_further_question() -> None:
    made = stage(
        said("First.", Usage(600, 100, 1)),
        calls(0, 1, Usage(300, 50, 1)),
        said("Second.", Usage(350, 50, 1)),
        limits=LimitsSection(conversation_tokens=1000),
    )

    first, second = made.ask(), made.ask()
    before = made.transcript.items
    with pytest.raises(QuestionError) as caught:
        made.ask()

    assert (first.stop_reason, second.stop_reason) == (StopReason.FINISHED, StopReason.BUDGET)
    assert "`limits.conversation_tokens`" in second.text
    assert "used 1,450 tokens; its limit is 1,000." in str(caught.value.message)
    assert "copilot.new()" in str(caught.value.hint)
    assert made.transcript.items == before


class Clock:
    """Of the turns of a test: it goes on only when a model or a tool takes its time, in s."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.lock = threading.Lock()

    def __call__(self) -> float:
        return self.now

    def take(self, seconds: float) -> None:
        with self.lock:
            self.now += seconds

    def read(self, args: EchoArguments, _: ToolContext) -> ToolOutput:
        self.take(args.seconds)
        return ToolOutput(content={"said": args.text})

    async def cell(self, args: EchoArguments, context: ToolContext) -> ToolOutput:
        return self.read(args, context)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(loop, "TurnBudget", partial(TurnBudget, clock=made))
    return made


def test_when_the_time_is_up_the_calls_that_have_not_begun_do_not_run(clock: Clock) -> None:
    made = stage(
        # Eight run side by side; the others would begin after them.
        calls(0, 10, seconds=1),
        text_reply("What I have."),
        specs=(tool("echo", clock.read),),
        limits=LimitsSection(max_seconds=0.1),
    )

    answer = made.ask()

    assert ran(made) == 8
    assert sum(isinstance(event, ToolStarted) for event in made.events) == 8
    assert [output.get("said") for output in made.outputs()[:8]] == [str(number) for number in range(8)]
    assert all("limit of 0.1 seconds" in output["error"] for output in made.outputs()[8:])
    assert made.open_calls() == []
    assert answer.stop_reason is StopReason.BUDGET
    assert "0.1 s per question (`limits.max_seconds`)" in answer.text


def test_the_time_of_a_model_counts(clock: Clock) -> None:
    def slow(_: ModelRequest) -> Reply:
        clock.take(0.15)
        return calls(0, 1)

    made = stage(slow, text_reply("What I have."), limits=LimitsSection(max_seconds=0.1))

    assert made.ask().stop_reason is StopReason.BUDGET
    assert ran(made) == 0


def test_the_time_of_a_cell_does_not_count(clock: Clock) -> None:
    made = stage(
        call_reply(("cell", {"text": "a", "seconds": 600}), ("echo", {"text": "b", "seconds": 0.2})),
        call_reply(("cell", {"text": "c", "seconds": 600}), ("echo", {"text": "d", "seconds": 0.2})),
        text_reply("All done."),
        specs=(tool("echo", clock.read), tool("cell", clock.cell, effect="run_code")),
        limits=LimitsSection(max_seconds=0.5),
    )

    answer = made.ask()

    assert (answer.stop_reason, answer.text, ran(made)) == (StopReason.FINISHED, "All done.", 4)


def test_what_goes_on_after_a_budget_is_a_conversation_like_any_other() -> None:
    made = stage(calls(0, 3), text_reply("One."), text_reply("Two."), limits=LimitsSection(max_tool_calls=2))

    made.ask()

    assert made.ask("And now?").text == "Two."
    assert [type(call) for call in requests(made)[-1].tools] == [dict] * 4
    assert made.open_calls() == []


def test_a_repeated_call_still_stops_by_its_own_reason() -> None:
    same = call_reply(("echo", {"text": "x"}))
    made = stage(same, same, same, same, text_reply("Enough."), limits=LimitsSection(max_tool_calls=3))

    answer = made.ask()

    assert answer.stop_reason is StopReason.REPEATED_CALL
    assert "`limits.max_same_call`" in answer.text
    assert "max_tool_calls" not in answer.text
    assert isinstance(same.calls[0], ToolCall)

"""A tool that takes too long: the model goes on, or the turn ends with what there is."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from qdash_jupyter.config.tool_sets import FallbackSection
from qdash_jupyter.domain.answer import StopReason, TextBlock
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import ToolFinished, ToolStarted
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.tools.spec import ToolContext, ToolOutput
from tests.agent.turns import EchoArguments, chart, draw, echo, stage, tool

STOP = (FallbackSection(strategy="stop", trigger_on=("timeout",)),)
TOOLS = (tool("echo", echo, timeout_s=0.2), tool("draw", draw))
STOPPING = tuple(replace(spec, fallbacks=STOP) for spec in TOOLS)
LATE = call_reply(("echo", {"text": "late", "seconds": 30}), ("draw", {"text": "Map", "seconds": 0.4}))


def test_by_default_the_model_is_told_and_goes_on() -> None:
    made = stage(LATE, text_reply("Without it."), specs=TOOLS)
    answer = made.ask()
    assert (answer.text, answer.stop_reason) == ("Without it.", StopReason.FINISHED)
    told, drawn = made.outputs()
    assert (told["kind"], told["may_retry"]) == ("timed_out", True)
    assert "0.2 s" in told["error"]
    assert drawn == {"drawn": "Map"}


def test_with_stop_the_turn_ends_with_what_there_is() -> None:
    made = stage(LATE, text_reply("The next question."), specs=STOPPING)
    answer = made.ask()
    assert answer.stop_reason is StopReason.TIMED_OUT
    assert "timed out" in answer.text
    assert "limits.on_tool_timeout" in answer.text
    assert answer.charts == (chart("Map"),), "what the others gave is kept"
    assert isinstance(made.llm, ScriptedLLM)
    assert len(made.llm.requests) == 1, "the model is not asked again"
    assert made.open_calls() == []
    assert made.ask("And now?").text == "The next question."


def test_the_person_is_told_in_their_language_beside_the_models_remark() -> None:
    remark = text_reply("少々お待ちください。")
    both = call_reply(("echo", {"text": "late", "seconds": 30}))
    made = stage(type(remark)(remark.text, both.calls, (*remark.items, *both.items)), specs=STOPPING, language="ja")
    answer = made.ask()
    told, said = answer.blocks
    assert isinstance(told, TextBlock)
    assert "タイムアウトした" in told.content
    assert said == TextBlock("少々お待ちください。")


def test_other_failures_do_not_end_the_turn() -> None:
    made = stage(call_reply(("echo", {}), ("nothing", {})), text_reply("Well."), specs=STOPPING)
    assert (made.ask().text, len(made.outputs())) == ("Well.", 2)


async def slow_cell(args: EchoArguments, _: ToolContext) -> ToolOutput:
    await asyncio.sleep(args.seconds)
    return ToolOutput(content={"status": "ok"}, cell=CellRun(CellRequest("r", "c", args.text), CellStatus.OK))


def test_cells_have_no_time_limit() -> None:
    # Even with one declared: the person sees the cell, and can stop it.
    specs = (tool("cell", slow_cell, effect="run_code", timeout_s=0.05, fallbacks=STOP),)
    made = stage(call_reply(("cell", {"text": "1 + 1", "seconds": 0.4})), text_reply("Two."), specs=specs)
    assert made.ask().text == "Two."
    (end,) = [event for event in made.events if isinstance(event, ToolFinished)]
    assert end.result.ok
    assert end.result.elapsed_s >= 0.4
    assert sum(isinstance(event, ToolStarted) for event in made.events) == 1

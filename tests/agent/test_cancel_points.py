"""A turn is cancelled wherever it waits, one place after the other, and the conversation goes on each time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Generator
from typing import Any

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.llm.client import LLM, ModelRequest, ReplyPart
from qdash_jupyter.llm.responses import ResponsesLLM
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.tools.spec import ToolContext, ToolOutput
from tests.agent.turns import TOOLS, EchoArguments, Stage, tool
from tests.scripted_server import ScriptedServer, Text, Thought, call_turn, reply_turn, text_turn

CALLS = (("echo", {"text": "a"}), ("echo", {"text": "b"}), ("cell", {"text": "c"}), ("echo", {"text": "d"}))


class CancelledAt:
    """Runs some work, and cancels it at its n-th place to wait; `places` says how many it has passed."""

    def __init__(self, work: Coroutine[Any, Any, None], at: int) -> None:
        self._work, self._at, self.places = work, at, 0

    def __await__(self) -> Generator[Any, None, None]:
        error: BaseException | None = None
        while True:
            try:
                waits_for = self._work.send(None) if error is None else self._work.throw(error)
            except StopIteration:
                return
            task = asyncio.current_task()
            if self.places == self._at and task is not None:
                task.cancel()
            self.places += 1
            try:
                yield waits_for
                error = None
            except BaseException as thrown:  # noqa: BLE001 - whatever it is, the work gets it
                error = thrown


class WaitingLLM(ScriptedLLM):
    """Waits before each part of a reply."""

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        async for part in super().reply(request):
            await asyncio.sleep(0)
            yield part


async def cell(args: EchoArguments, _: ToolContext) -> ToolOutput:
    await asyncio.sleep(0)
    return ToolOutput(content={"ran": args.text})


SPECS = (*TOOLS, tool("cell", cell, effect="run_code"))


def cancel_at(made: Stage, at: int, llm_after: LLM) -> bool:
    """Ask, cancelled at this place, and ask again; says whether the place was there."""

    async def both() -> bool:
        work = CancelledAt(made.run("First?"), at)

        async def run() -> None:
            await work

        try:
            await asyncio.create_task(run())
            cancelled = False
        except asyncio.CancelledError:
            cancelled = True
        assert cancelled == (work.places > at)
        assert made.open_calls() == []
        if cancelled:
            await made.llm.close()
            made.llm = llm_after
            await made.run("And now?")
        await made.llm.close()
        return cancelled

    return asyncio.run(both())


def all_places(at: int) -> bool:
    made = Stage(WaitingLLM([call_reply(*CALLS), text_reply("One two three.")]), specs=SPECS)

    was_there = cancel_at(made, at, WaitingLLM([text_reply("Next.")]))

    said = [item for item in made.transcript.items if item.get("role") == "user"]
    assert [item["content"][0]["text"] for item in said] == (["First?", "And now?"] if was_there else ["First?"])
    assert made.names()[-1] == "AnswerReady"
    for output in made.outputs():
        assert {"said", "ran"} & output.keys() or output == {"error": "stopped before it was done"}
    return was_there


def test_wherever_a_turn_waits_it_can_be_cancelled() -> None:
    places = 0
    while all_places(places):
        places += 1

    assert places > 5


def test_wherever_the_real_client_waits_a_turn_can_be_cancelled() -> None:
    thought = Thought("gAAAA==", ["First the series."])
    script = [call_turn(("echo", {"text": "a"}), thought=thought), reply_turn(Text("One two three.", 2))]
    places, was_there = 0, True
    while was_there:
        # Where the first question is cancelled decides which turn of the script the second one gets: it has a server
        # of its own.
        with ScriptedServer(script) as first, ScriptedServer([text_turn("Next.")]) as second:
            llms = [
                ResponsesLLM(ModelSection(name="m", base_url=server.base_url), api_key=lambda: "sk-1234567890")
                for server in (first, second)
            ]
            made = Stage(llms[0], specs=SPECS)
            was_there = cancel_at(made, places, llms[1])
            if was_there:
                [request] = second.requests
                calls = [item for item in request.body["input"] if item["type"] == "function_call"]
                outputs = [item for item in request.body["input"] if item["type"] == "function_call_output"]
                assert [call["call_id"] for call in calls] == [output["call_id"] for output in outputs]
                # The second server is another one, which gets no reasoning: what is kept of the turn tells.
                kinds = [item["type"] for item in made.transcript.items]
                assert ("reasoning" in kinds) == ("function_call" in kinds)
        places += 1

    assert places > 10
    assert isinstance(made.llm, ResponsesLLM)

"""The same conversation: our loop, the OpenAI SDK alone, openai-agents' runner where that is there, and the wire."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from contextlib import aclosing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

import openai
import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))

from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.loop import run_turn
from qdash_jupyter.agent.parse import ANSWER_SCHEMA
from qdash_jupyter.agent.setting import TurnSetting
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.config.manifest import LimitsSection, ModelSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import StageChanged
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.agent.turns import TOOLS, echo, tool, toolbox

TOOLS_MADE = toolbox((*TOOLS, *(tool(f"more_{number}", echo) for number in range(14))))
INSTRUCTIONS = "You help. " * 400
ANSWER_FORMAT = {"type": "json_schema", "name": "copilot_answer", "schema": ANSWER_SCHEMA, "strict": False}

Seen = list[tuple[str, float]]
"""What happened, and when (s)."""


class Runner(Protocol):
    """A conversation that goes on from question to question."""

    @property
    def kept(self) -> object:
        """What it keeps in memory."""
        ...

    def begin(self, items: Sequence[JsonObject] = ()) -> None:
        """Forget everything; these items are the conversation so far."""
        ...

    async def ask(self, words: str) -> Seen:
        """Ask, and see `thinking` (a request begins), `TextDelta`, `ToolStarted` and `ToolFinished`."""
        ...

    async def close(self) -> None:
        """Give back the connections."""
        ...


class Ours:
    """The loop, and what a session keeps of it."""

    def __init__(self, base_url: str) -> None:
        """Of that server."""
        self.llm = ResponsesLLM(ModelSection(name="m", base_url=base_url), api_key=lambda: "sk-bench")
        self.begin()

    def begin(self, items: Sequence[JsonObject] = ()) -> None:
        """Forget everything; these items are the conversation so far."""
        card = self.llm.card
        self.transcript = Transcript(items, model=f"{card.name} at {card.endpoint}")
        self.ledgers: list[TurnLedger] = []
        self.kept = (self.transcript, self.ledgers)

    async def ask(self, words: str) -> Seen:
        """As a session asks."""
        setting = TurnSetting(self.llm, TOOLS_MADE, INSTRUCTIONS, "en", LimitsSection(), 10, window=128_000)
        self.ledgers.append(TurnLedger())
        seen = []
        async with aclosing(run_turn(words, self.transcript, setting, self.ledgers[-1])) as events:
            async for event in events:
                kind = event.step if isinstance(event, StageChanged) else type(event).__name__
                seen.append((kind, time.perf_counter()))
        return seen

    async def close(self) -> None:
        """Give back the connections."""
        await self.llm.close()


class Bare:
    """As one would write it with the SDK alone: stream, append the output, run the tools side by side, again."""

    def __init__(self, base_url: str) -> None:
        """Of that server."""
        self.client = openai.AsyncOpenAI(base_url=base_url, api_key="sk-bench")
        self.begin()

    def begin(self, items: Sequence[JsonObject] = ()) -> None:
        """Forget everything; these items are the conversation so far."""
        self.items: list[Any] = list(items)
        self.kept = self.items

    async def ask(self, words: str) -> Seen:
        """With the SDK's own settings."""
        self.items.append(user_message(words))
        seen = []
        while True:
            seen.append(("thinking", time.perf_counter()))
            output: list[Any] = []
            async for event in await self.send():
                if event.type == "response.output_text.delta":
                    seen.append(("TextDelta", time.perf_counter()))
                elif event.type == "response.completed":
                    output = event.response.output
            self.items.extend(item.to_dict(mode="json", exclude_none=True) for item in output)
            calls = [item for item in output if item.type == "function_call"]
            if not calls:
                return seen
            seen.append(("ToolStarted", time.perf_counter()))
            results = await asyncio.gather(*(asyncio.to_thread(run_echo, call.arguments) for call in calls))
            seen.append(("ToolFinished", time.perf_counter()))
            self.items.extend(
                {"type": "function_call_output", "call_id": call.call_id, "output": result}
                for call, result in zip(calls, results, strict=True)
            )

    async def send(self) -> Any:
        """The same request as ours, through the SDK's own door."""
        return await self.client.responses.create(
            model="m",
            instructions=INSTRUCTIONS,
            input=self.items,
            tools=cast("Any", TOOLS_MADE.schemas()),
            text=cast("Any", {"format": ANSWER_FORMAT}),
            store=False,
            include=["reasoning.encrypted_content"],
            parallel_tool_calls=True,
            stream=True,
        )

    async def close(self) -> None:
        """Give back the connections."""
        await self.client.close()


class Wire(Bare):
    """No loop: the SDK sends the JSON and gives each event as JSON, as it does for ours. What ours takes beyond is its
    own: the tools, the events of the turn, the transcript, what keeps secrets from the screen.
    """

    async def ask(self, words: str) -> Seen:
        """Tools are called where they stand."""
        self.items.append(user_message(words))
        seen = []
        while True:
            seen.append(("thinking", time.perf_counter()))
            stream = await self.send()
            async for event in stream:
                if event["type"] == "response.output_text.delta":
                    seen.append(("TextDelta", time.perf_counter()))
                elif event["type"] == "response.completed":
                    self.items += event["response"]["output"]
                    calls = [item for item in event["response"]["output"] if item["type"] == "function_call"]
            if not calls:
                return seen
            self.items += [
                {"type": "function_call_output", "call_id": call["call_id"], "output": run_echo(call["arguments"])}
                for call in calls
            ]

    async def send(self) -> Any:
        """The same request, as plain JSON both ways."""
        body = {
            "model": "m",
            "instructions": INSTRUCTIONS,
            "input": self.items,
            "tools": TOOLS_MADE.schemas(),
            "text": {"format": ANSWER_FORMAT},
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "parallel_tool_calls": True,
            "stream": True,
        }
        return await self.client.post(
            "/responses",
            content=orjson.dumps(body),
            cast_to=object,
            stream=True,
            stream_cls=openai.AsyncStream[object],
        )


class Agents:
    """The runner of openai-agents, with the same tools and settings, and without its tracing."""

    def __init__(self, base_url: str) -> None:
        """Of that server."""
        import agents

        self.client = openai.AsyncOpenAI(base_url=base_url, api_key="sk-bench")
        self.begin()
        self.agent = agents.Agent(
            name="bench",
            instructions=INSTRUCTIONS,
            model=agents.OpenAIResponsesModel("m", self.client),
            model_settings=agents.ModelSettings(
                store=False,
                response_include=["reasoning.encrypted_content"],
                parallel_tool_calls=True,
                extra_body={"text": {"format": ANSWER_FORMAT}},
            ),
            tools=[
                agents.FunctionTool(
                    name=schema["name"],
                    description=schema["description"],
                    params_json_schema=schema["parameters"],
                    on_invoke_tool=lambda _, arguments: asyncio.to_thread(run_echo, arguments),
                    strict_json_schema=False,
                )
                for schema in TOOLS_MADE.schemas()
            ],
        )

    def begin(self, items: Sequence[JsonObject] = ()) -> None:
        """Forget everything; these items are the conversation so far."""
        self.items: list[Any] = list(items)
        self.kept = self.items

    async def ask(self, words: str) -> Seen:
        """Streamed; its hooks say when it does what."""
        import agents

        seen: Seen = []

        class Hooks(agents.RunHooks[None]):  # a package that only `make bench` installs
            async def on_llm_start(self, *_: Any) -> None:
                seen.append(("thinking", time.perf_counter()))

            async def on_tool_start(self, *_: Any) -> None:
                seen.append(("ToolStarted", time.perf_counter()))

            async def on_tool_end(self, *_: Any) -> None:
                seen.append(("ToolFinished", time.perf_counter()))

        run = agents.Runner.run_streamed(
            self.agent,
            [*self.items, user_message(words)],
            hooks=Hooks(),
            run_config=agents.RunConfig(tracing_disabled=True),
        )
        async for event in run.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                seen.append(("TextDelta", time.perf_counter()))
        self.begin(run.to_input_list())
        return seen

    async def close(self) -> None:
        """Give back the connections."""
        await self.client.close()


def runners(base_url: str) -> dict[str, Runner]:
    """Those that are there, ours first."""
    made: dict[str, Runner] = {"ours": Ours(base_url), "SDK": Bare(base_url), "wire": Wire(base_url)}
    return made | ({"agents": Agents(base_url)} if find_spec("agents") else {})


def run_echo(arguments: str) -> str:
    """The tool, without ours around it."""
    values = json.loads(arguments)
    time.sleep(values["seconds"])
    return json.dumps({"said": values["text"]})


def user_message(words: str) -> JsonObject:
    """A question as an item."""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}

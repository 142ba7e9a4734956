"""A turn without a kernel: a scripted model, and tools that do what a test needs."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pandas as pd
from pydantic import Field

from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.loop import run_turn
from qdash_jupyter.agent.setting import TurnSetting
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.config.manifest import LimitsSection, PriceSection
from qdash_jupyter.data.records import Origin
from qdash_jupyter.domain.answer import Answer, ChartBlock, JsonObject
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import AgentEvent, AnswerReady
from qdash_jupyter.errors import NotFound
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.llm.scripted import ScriptedLLM, Step
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.spec import NewFrame, ToolArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox

NOW = datetime(2026, 6, 30, tzinfo=UTC)


class EchoArguments(ToolArguments):
    text: str = Field(max_length=50)
    seconds: float = 0


def echo(args: EchoArguments, _: ToolContext) -> ToolOutput:
    time.sleep(args.seconds)
    return ToolOutput(content={"said": args.text})


def lose(args: EchoArguments, _: ToolContext) -> ToolOutput:
    raise NotFound(Message("kind-qubit"), args.text, ["7", "17", "70"])


def draw(args: EchoArguments, _: ToolContext) -> ToolOutput:
    time.sleep(args.seconds)
    return ToolOutput(content={"drawn": args.text}, blocks=(chart(args.text),))


async def compute(args: EchoArguments, _: ToolContext) -> ToolOutput:
    request = CellRequest("r", f"cell-{args.text}", args.text)
    run = CellRun(request, CellStatus.OK, text="42", charts=(chart(f"cell {args.text}"),))
    return ToolOutput(content={"text": run.text}, blocks=run.charts, cell=run)


def chart(title: str) -> ChartBlock:
    return ChartBlock(({"y": [1]},), {"title": title}, title)


def tool(name: str, run: Callable[..., Any], **settings: Any) -> ToolSpec:
    words = f"Doing {name}"
    return ToolSpec(words, f"Does {name}.", run, name, EchoArguments, f"Use {name}.", **settings)


TOOLS = (tool("echo", echo), tool("lose", lose), tool("draw", draw), tool("compute", compute, effect="run_code"))


def fetch(args: EchoArguments, _: ToolContext) -> ToolOutput:
    """A table of 30 rows in μs, under the key that the call names."""
    rows = pd.DataFrame({"qid": [str(n) for n in range(30)], "v": [float(n) for n in range(30)]})
    return ToolOutput(frame=NewFrame(args.text, {"series": rows, "unit": "μs"}, main="series", units={"v": "μs"}))


FETCH = tool("fetch", fetch)


def toolbox(specs: Sequence[ToolSpec] = TOOLS, store: FrameStore | None = None) -> Toolbox:
    reader: Any = SimpleNamespace(now=lambda: NOW, origin=Origin("snapshot", "a test", NOW))
    return Toolbox(specs, ToolContext(reader, FrameStore() if store is None else store, Namespace({}), ChipScope()))


@dataclass
class Stage:
    """One conversation: its transcript goes on from question to question."""

    llm: LLM
    limits: LimitsSection = field(default_factory=LimitsSection)
    max_rounds: int = 10
    specs: Sequence[ToolSpec] = TOOLS
    language: Language = "en"
    transcript: Transcript = field(default_factory=Transcript)
    events: list[AgentEvent] = field(default_factory=list)
    window: int | None = None
    price: PriceSection | None = None
    store: FrameStore = field(default_factory=FrameStore)
    ledgers: list[TurnLedger] = field(default_factory=list)

    def ask(self, question: str = "How is Q7?") -> Answer:
        asyncio.run(self.run(question))
        assert isinstance(self.events[-1], AnswerReady)
        return self.events[-1].answer

    async def run(self, question: str = "How is Q7?") -> None:
        self.events.clear()
        tools = toolbox(self.specs, self.store)
        setting = TurnSetting(
            self.llm,
            tools,
            "You help.",
            self.language,
            self.limits,
            self.max_rounds,
            window=self.window,
            price=self.price,
        )
        self.ledgers.append(TurnLedger(spent_before=sum(ledger.tokens for ledger in self.ledgers)))
        async with aclosing(run_turn(question, self.transcript, setting, self.ledgers[-1])) as events:
            async for event in events:
                self.events.append(event)

    def names(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def outputs(self) -> list[JsonObject]:
        return [json.loads(item["output"]) for item in self.transcript.items if item["type"] == "function_call_output"]

    def open_calls(self) -> list[str]:
        """Ids of calls without an output, as a model's server would find them."""
        waiting: list[str] = []
        for item in self.transcript.items:
            if item["type"] == "function_call":
                waiting.append(item["call_id"])
            elif item["type"] == "function_call_output":
                waiting.remove(item["call_id"])
        return waiting


def stage(*steps: Step, **settings: Any) -> Stage:
    return Stage(ScriptedLLM(steps), **settings)

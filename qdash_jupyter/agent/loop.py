"""One turn: ask the model, run the tools it calls, again, until it answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from qdash_jupyter.agent.asking import Requests
from qdash_jupyter.agent.budget import TurnBudget
from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.limits import RoundCounter, Spent, TurnLimits
from qdash_jupyter.agent.parse import parse_answer
from qdash_jupyter.agent.partial import partial_answer
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.agent.words import COMPLETE, THINKING, cut_short, ended_at_limit, stopped_early
from qdash_jupyter.config.manifest import PriceSection
from qdash_jupyter.domain.answer import Answer, Block, JsonObject, StopReason, Usage
from qdash_jupyter.domain.events import AgentEvent, AnswerReady, StageChanged, SubjectRead, ToolFinished
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.llm.client import LLM, Reply
from qdash_jupyter.tools.spec import Language
from qdash_jupyter.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class TurnSetting:
    """What a turn works with."""

    llm: LLM
    toolbox: Toolbox
    instructions: str
    language: Language
    limits: TurnLimits
    context: JsonObject | None = None
    """What an analysis knows of its result: a message before the question."""
    subject: SubjectRead | None = None
    """What the person sees of that."""
    window: int | None = None
    """Tokens that the model reads at most; None sends everything."""
    price: PriceSection | None = None


async def run_turn(
    question: str, transcript: Transcript, setting: TurnSetting, ledger: TurnLedger | None = None
) -> AsyncGenerator[AgentEvent]:
    """Yield what happens, last an `AnswerReady`; `ledger` keeps what goes out.

    Raises:
        PersonError: the model or the database failed. The transcript stays usable for the next question.
    """
    toolbox = setting.toolbox
    toolbox.start_turn()
    ledger = TurnLedger() if ledger is None else ledger
    ledger.begin(setting.llm.card, setting.price)
    budget = TurnBudget(setting.limits, ledger, toolbox.specs)
    transcript.speaks_with(f"{setting.llm.card.name} at {setting.llm.card.endpoint}")
    transcript.ask(question, setting.context)
    requests = Requests(transcript, setting, ledger)
    rounds = RoundCounter(setting.limits)
    results: list[ToolResult] = []
    spent: Spent | None = None
    timed_out = False
    try:
        while True:
            yield StageChanged("thinking", THINKING.of(setting.language))
            async with aclosing(requests.ask(with_tools=spent is None)) as deltas:
                async for delta in deltas:
                    yield delta
            reply = requests.reply
            transcript.add_reply(reply.items)
            if not reply.calls or spent is not None:
                break
            spent = rounds.spent(reply.calls) or budget.spent()
            if spent is None:
                calls, spent = budget.permitted(reply.calls)
                async with aclosing(_run(calls, toolbox, budget, transcript, results)) as events:
                    async for event in events:
                        yield event
                if timed_out := setting.limits.end_with(results):
                    break
                spent = spent or budget.spent()
            if spent is not None:
                _end_tools(transcript, spent.reason)
    finally:
        transcript.close_open_calls("stopped before it was done")
    yield StageChanged("complete", COMPLETE.of(setting.language))
    answer = _answer(reply, results, spent, timed_out=timed_out, usage=ledger.usage, language=setting.language)
    transcript.answered(answer)
    yield AnswerReady(answer)


def _end_tools(transcript: Transcript, why: str) -> None:
    reason = f"No more tools: {why}. Answer now with what you have, and say what is missing."
    transcript.close_open_calls(reason)
    transcript.note(reason)


async def _run(
    calls: Sequence[ToolCall],
    toolbox: Toolbox,
    budget: TurnBudget,
    transcript: Transcript,
    results: list[ToolResult],
) -> AsyncGenerator[AgentEvent]:
    """Run the calls as long as there is time; the transcript and `results` get what they gave, in their order."""
    done: dict[int, ToolResult] = {}
    try:
        async with aclosing(toolbox.run(calls)) as events:
            async for event in events:
                if not budget.permits(event):
                    return
                if isinstance(event, ToolFinished):
                    # By the call itself: not every server gives each call an id of its own.
                    done[id(event.result.call)] = event.result
                yield event
    finally:
        # Also where the turn is broken off: the next question may build on the calls that ended.
        in_order = [done[id(call)] for call in calls if id(call) in done]
        transcript.add_results(in_order)
        results.extend(in_order)


def _answer(
    reply: Reply, results: list[ToolResult], spent: Spent | None, *, timed_out: bool, usage: Usage, language: Language
) -> Answer:
    stop = StopReason.TIMED_OUT if timed_out else spent.stop_reason if spent else StopReason.FINISHED
    parsed = parse_answer(reply.text)
    blocks: list[Block] = list(parsed.blocks)
    if blocks and reply.cut_short:
        blocks = [*(partial_answer(reply.text) or blocks), cut_short(reply.cut_short, language)]
    # Charts that tools and cells made stand after the model's own words, in the order of the calls.
    for result in results:
        blocks.extend(result.blocks)
    if not parsed.blocks or stop is StopReason.TIMED_OUT:
        blocks.insert(0, stopped_early(stop, language))
    if spent is not None:
        blocks.append(ended_at_limit(spent, language))
    return Answer(
        blocks=tuple(blocks),
        assessment=parsed.assessment,
        frame_keys=tuple(dict.fromkeys(result.frame_key for result in results if result.frame_key)),
        cell_ids=tuple(result.cell.request.cell_id for result in results if result.cell),
        stop_reason=stop,
        usage=usage,
    )

"""One turn: ask the model, run the tools it calls, again, until it answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from qdash_jupyter.agent.limits import RoundCounter, TurnLimits
from qdash_jupyter.agent.parse import ANSWER_SCHEMA, parse_answer
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.agent.words import COMPLETE, THINKING, stopped_early
from qdash_jupyter.domain.answer import Answer, Block, StopReason, Usage
from qdash_jupyter.domain.events import AgentEvent, AnswerReady, StageChanged, ToolFinished
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.errors import ModelBroken
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply
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


async def run_turn(question: str, transcript: Transcript, setting: TurnSetting) -> AsyncGenerator[AgentEvent]:
    """Yield what happens, last an `AnswerReady`.

    Raises:
        PersonError: the model or the database failed. The transcript stays usable for the next question.
    """
    toolbox = setting.toolbox
    toolbox.start_turn()
    transcript.ask(question)
    rounds = RoundCounter(setting.limits)
    usage = Usage()
    results: list[ToolResult] = []
    calls: tuple[ToolCall, ...] = ()
    done: dict[int, ToolResult] = {}
    stop: tuple[StopReason, str] | None = None
    try:
        while True:
            yield StageChanged("thinking", THINKING.of(setting.language))
            request = ModelRequest(
                setting.instructions,
                transcript.items,
                () if stop else toolbox.schemas(),
                ANSWER_SCHEMA,
                setting.language,
            )
            reply: Reply | None = None
            async with aclosing(setting.llm.reply(request)) as parts:
                async for part in parts:
                    if isinstance(part, Reply):
                        reply = part
                    else:
                        yield part
            if reply is None:
                raise ModelBroken("The model's stream ended without a reply.", "Ask again.")
            usage += reply.usage
            transcript.add_reply(reply.items)
            if not reply.calls or stop is not None:
                break
            stop = rounds.must_answer(reply.calls)
            if stop is not None:
                reason = f"No more tools: {stop[1]}. Answer now with what you have, and say what is missing."
                transcript.close_open_calls(reason)
                transcript.ask(reason)
                continue
            calls = reply.calls
            async with aclosing(toolbox.run(calls)) as events:
                async for event in events:
                    if isinstance(event, ToolFinished):
                        # By the call itself: not every server gives each call an id of its own.
                        done[id(event.result.call)] = event.result
                    yield event
            in_order = _in_order(calls, done)
            calls = ()
            results.extend(in_order)
            transcript.add_results(in_order)
            transcript.close_open_calls("was not run")
            if (stop := setting.limits.ended_by(in_order)) is not None:
                break
    finally:
        # A turn that is broken off here has calls that ended: the next question may build on them.
        transcript.add_results(_in_order(calls, done))
        transcript.close_open_calls("stopped before it was done")
    yield StageChanged("complete", COMPLETE.of(setting.language))
    yield AnswerReady(_answer(reply.text, results, stop[0] if stop else StopReason.FINISHED, usage, setting.language))


def _in_order(calls: Sequence[ToolCall], done: Mapping[int, ToolResult]) -> list[ToolResult]:
    return [done[id(call)] for call in calls if id(call) in done]


def _answer(text: str, results: list[ToolResult], stop: StopReason, usage: Usage, language: Language) -> Answer:
    parsed = parse_answer(text)
    blocks: list[Block] = list(parsed.blocks)
    # Charts that tools and cells made stand after the model's own words, in the order of the calls.
    for result in results:
        blocks.extend(result.blocks)
    if not parsed.blocks or stop is StopReason.TIMED_OUT:
        blocks.insert(0, stopped_early(stop, language))
    return Answer(
        blocks=tuple(blocks),
        assessment=parsed.assessment,
        frame_keys=tuple(dict.fromkeys(result.frame_key for result in results if result.frame_key)),
        cell_ids=tuple(result.cell.request.cell_id for result in results if result.cell),
        stop_reason=stop,
        usage=usage,
    )

"""One turn: ask the model, run the tools it calls, again, until it answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.limits import LimitReached, TurnBudget, cut_short, ended_at_limit, no_more_tools, stopped_early
from qdash_jupyter.agent.model_caller import ModelCaller
from qdash_jupyter.agent.parse import CUT_OFF, is_broken, parse_answer
from qdash_jupyter.agent.partial import partial_answer
from qdash_jupyter.agent.setting import TurnSetting
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.domain.answer import NO_USAGE, Answer, Block, StopReason, TextBlock
from qdash_jupyter.domain.cell_run import repaired
from qdash_jupyter.domain.events import AgentEvent, AnswerReady, StageChanged, ToolFinished
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure, ToolResult
from qdash_jupyter.errors import ToolTimedOut
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.messages.message import Message, text_in


async def run_turn(
    question: str, transcript: Transcript, setting: TurnSetting, ledger: TurnLedger | None = None
) -> AsyncGenerator[AgentEvent]:
    """Yield what happens, last an `AnswerReady`; `ledger` keeps what goes out.

    Raises:
        PersonError: the model or the database failed. The transcript stays usable for the next question.
    """
    rounds = _Rounds(question, transcript, setting, TurnLedger() if ledger is None else ledger)
    try:
        while rounds.outcome is None:
            async with aclosing(rounds.step()) as events:
                async for event in events:
                    yield event
    finally:
        transcript.close_open_calls("stopped before it was done")
    yield StageChanged("complete", Message("stage-complete"))
    answer = rounds.answer(rounds.outcome)
    transcript.answered(answer)
    yield AnswerReady(answer)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended: the model's last reply, and the limit or the failed tool that brought it about."""

    reply: Reply
    limit: LimitReached | None = None
    failure: ToolFailure | None = None

    @property
    def stop_reason(self) -> StopReason:
        """Why."""
        if self.failure is not None:
            return StopReason.TIMED_OUT if self.failure.kind == ToolTimedOut.kind else StopReason.TOOL_FAILED
        return StopReason.FINISHED if self.limit is None else self.limit.stop_reason


class _Rounds:
    """The rounds of one turn."""

    def __init__(self, question: str, transcript: Transcript, setting: TurnSetting, ledger: TurnLedger) -> None:
        self.outcome: Outcome | None = None
        ledger.begin(setting.llm.card, setting.price, setting.window)
        self._budget = TurnBudget(setting.limits, setting.max_rounds, ledger, setting.toolbox.specs)
        transcript.speaks_with(f"{setting.llm.card.name} at {setting.llm.card.endpoint}")
        transcript.ask(
            question,
            setting.context,
            situation=setting.situation,
            calls=setting.around.calls,
            attachments=setting.around.attachments,
        )
        self._transcript = transcript
        self._setting = setting
        self._ledger = ledger
        self._model = ModelCaller(transcript, setting, ledger)
        self._results: list[ToolResult] = []
        self._limit: LimitReached | None = None  # reached: the next reply is the last

    async def step(self) -> AsyncGenerator[AgentEvent]:
        """One round: a reply of the model, and the tools that it calls."""
        yield StageChanged("thinking", Message("stage-thinking"))
        async with aclosing(self._model.ask(with_tools=self._limit is None)) as deltas:
            async for delta in deltas:
                yield delta
        reply = self._model.reply
        self._transcript.add_reply(reply.items)
        if not reply.calls or self._limit is not None:
            self.outcome = Outcome(reply, self._limit)
            return
        self._limit = self._budget.begin_round(reply.calls)
        if self._limit is None:
            calls, self._limit = self._budget.permitted(reply.calls)
            async with aclosing(self._run(calls)) as events:
                async for event in events:
                    yield event
            failures = (result.failure for result in self._results if result.failure is not None)
            ending = next((failure for failure in failures if failure.ending is not None), None)
            if ending is not None:  # without another word of the model
                self.outcome = Outcome(reply, self._limit, ending)
                return
            self._limit = self._limit or self._budget.spent()
        if self._limit is not None:
            self._transcript.close_open_calls(no_more_tools(self._limit))
            self._transcript.note(no_more_tools(self._limit))

    async def _run(self, calls: Sequence[ToolCall]) -> AsyncGenerator[AgentEvent]:
        """Run the calls as long as there is time; the transcript gets what they gave, in their order."""
        done: dict[int, ToolResult] = {}
        try:
            async with aclosing(self._setting.toolbox.run(calls)) as events:
                async for event in events:
                    if not self._budget.permits(event):
                        return
                    if isinstance(event, ToolFinished):
                        # By the call itself: not every server gives each call an id of its own.
                        done[id(event.result.call)] = event.result
                    yield event
        finally:
            # Also where the turn is broken off: the next question may build on the calls that ended.
            in_order = [done[id(call)] for call in calls if id(call) in done]
            self._transcript.add_results(in_order)
            self._results.extend(in_order)
            self._model.failures |= {one.call.call_id: one.failure for one in in_order if one.failure is not None}
            self._ledger.others = sum((one.usage for one in in_order if one.usage != NO_USAGE), self._ledger.others)

    def answer(self, outcome: Outcome) -> Answer:
        """What the user gets: the model's own words, then the curve of an analysis and the charts that tools and cells
        made, in their order.
        """
        language, reply, results = self._setting.language, outcome.reply, self._results
        parsed = parse_answer(reply.text)
        blocks: list[Block] = list(parsed.blocks)
        if blocks and reply.cut_short:
            blocks = [*(partial_answer(reply.text) or blocks), cut_short(reply.cut_short, language)]
        elif blocks and is_broken(reply.text):
            blocks = [*(partial_answer(reply.text) or ()), CUT_OFF]
        folded = repaired(result.cell for result in results if result.cell is not None)
        told = (one for one in results if one.cell is None or one.cell.request.cell_id not in folded)
        for block in (*self._setting.charts, *(block for result in told for block in result.blocks)):
            if not (isinstance(block, TextBlock) and block in blocks):  # two tools may say the same
                blocks.append(block)
        if outcome.failure is not None and outcome.failure.ending:
            blocks.insert(0, TextBlock(text_in(outcome.failure.ending, language)))
        elif not parsed.blocks or outcome.failure is not None:
            blocks.insert(0, stopped_early(outcome.stop_reason, language))
        if outcome.limit is not None:
            blocks.append(ended_at_limit(outcome.limit, language))
        return replace(
            parsed,
            blocks=tuple(blocks),
            frame_keys=tuple(dict.fromkeys(result.frame_key for result in results if result.frame_key)),
            stop_reason=outcome.stop_reason,
            usage=self._ledger.usage,
        )

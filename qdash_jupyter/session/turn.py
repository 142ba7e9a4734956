"""One question: what happens because of it, and how one waits for its answer."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import threading
import uuid
from collections.abc import AsyncGenerator, Generator, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Self

from qdash_jupyter import errors
from qdash_jupyter.agent.digest import TurnMemory
from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.limits import stopped_early
from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.analysis import AskedAbout, SentPicture
from qdash_jupyter.domain.answer import Answer, JsonObject, StopReason, Usage
from qdash_jupyter.domain.cell_run import CellRun, CellStatus
from qdash_jupyter.domain.events import (
    AgentEvent,
    AnswerReady,
    CellsChanged,
    StampedEvent,
    ToolFinished,
    ToolStarted,
    TurnFailed,
)
from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.errors import CopilotBusy, CopilotError, PersonError
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.messages.languages import Language, reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.callbacks import OnEvent
from qdash_jupyter.session.pump import Meanwhile, Pump
from qdash_jupyter.session.records import AskedFrom, PastTurn, TurnBegan, TurnOptions

logger = logging.getLogger("qdash_jupyter")


class Turn:
    """One question and everything that happened because of it. `await turn` gives the answer, in a cell that awaits."""

    def __init__(
        self,
        question: str,
        loop: AgentLoop,
        asked_from: AskedFrom | None = None,
        analysis: AskedAbout | None = None,
        pictures: Sequence[SentPicture] = (),
        *,
        options: TurnOptions | None = None,
    ) -> None:
        """Not begun yet. `analysis` is the result that the question is about, `loop` where the turn will run,
        `pictures` were sent with it, `options` hold for it alone: no log keeps them.
        """
        self.turn_id = uuid.uuid4().hex
        self.question = question
        self.language: Language = language_of(question)
        self.asked_from = asked_from or AskedFrom()
        self.analysis = analysis
        self.pictures = tuple(pictures)
        self.options = options
        self.asked_at = datetime.now(UTC)
        self.events: list[StampedEvent] = []
        self.ledger = TurnLedger()
        """What went out to the model, and what it took."""
        self.pump = Pump(loop)
        """Where its cells run inline."""
        self._seq = itertools.count(1)
        self._task: asyncio.Task[None] | None = None
        self._error: CopilotError | None = None
        self._answer: Answer | None = None
        self._stopped = False
        self._is_restored = False
        self._ended = threading.Event()

    @classmethod
    def restored(cls, past: PastTurn, loop: AgentLoop) -> Self:
        """A turn of an earlier kernel, to be read."""
        turn = cls(past.began.question, loop, past.began.asked_from, past.began.analysis)
        turn.turn_id, turn.language, turn.asked_at = past.began.turn_id, past.began.language, past.began.asked_at
        for stamped in past.events:
            turn._note(stamped)
        turn._is_restored = True
        turn._end()
        return turn

    @property
    def done(self) -> bool:
        """Whether nothing more will happen."""
        return self._ended.is_set()

    @property
    def state(self) -> str:
        """`running`, `answered`, or `failed`."""
        return "running" if not self.done else "answered" if self._answer is not None else "failed"

    @property
    def began(self) -> TurnBegan:
        """What the log says of it first."""
        return TurnBegan(self.turn_id, self.question, self.asked_at, self.language, self.asked_from, self.analysis)

    @property
    def requests(self) -> tuple[ModelRequest, ...] | None:
        """What the model got in this turn, request by request; None for a turn of an earlier kernel, where that is not
        kept.
        """
        return None if self._is_restored else tuple(sent.request for sent in self.ledger.requests)

    @property
    def usage(self) -> Usage:
        """Tokens, also of a turn of an earlier kernel that has an answer; where the server does not count them they are
        estimated.
        """
        if self._is_restored:
            return self._answer.usage if self._answer is not None else Usage()
        requests = len(self.ledger.requests) + self.ledger.others.requests
        return Usage(self.ledger.input_tokens, self.ledger.output_tokens, requests)

    @property
    def memory(self) -> TurnMemory:
        """What a digest of this turn is made of."""
        return TurnMemory(self.question, self.asked_at, self.tool_results, self._answer)

    @property
    def broken_off(self) -> bool:
        """Whether the kernel ended before the turn did."""
        return self.done and self._answer is None and self._error is None

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """The calls that ended, in the order in which the model made them."""
        begun = [stamped.event.call for stamped in self.events if isinstance(stamped.event, ToolStarted)]
        places = {call: place for place, call in reversed(list(enumerate(begun)))}
        ended = (stamped.event.result for stamped in self.events if isinstance(stamped.event, ToolFinished))
        return tuple(sorted(ended, key=lambda result: places.get(result.call, len(begun))))

    @property
    def cells(self) -> tuple[CellRun, ...]:
        """The cells that ran, in order; refused ones are not among them."""
        runs = (result.cell for result in self.tool_results)
        return tuple(run for run in runs if run is not None and run.status is not CellStatus.REJECTED)

    def call(self, call_id: str) -> tuple[str, JsonObject, str | None]:
        """The tool and arguments of one of its calls, with the chip that it read, and the key of what it has stored.

        Raises:
            PersonError: there is no such call.
        """
        for stamped in reversed(self.events):
            event = stamped.event
            if isinstance(event, ToolFinished) and event.result.call.call_id == call_id and event.result.arguments:
                result = event.result
                return result.call.name, result.arguments | (result.chip or {}), result.frame_key
            if isinstance(event, ToolStarted) and event.call.call_id == call_id:
                return event.call.name, event.arguments, None
        raise PersonError(Message("step-gone"), Message("ask-again"))

    def wait(
        self, on_event: OnEvent | None = None, *, meanwhile: Meanwhile | None = None, may_leave: bool = False
    ) -> None:
        """Run this turn's cells on the calling (main) thread until it is done; Ctrl-C or Interrupt stops the turn.

        Where it `may_leave`, it returns as soon as somebody is asked for an approval, so that they can give it; the
        turn goes on in the background. `meanwhile` hears of what happens while a cell runs here, on another thread;
        `on_event` hears of it afterwards.
        """
        self.pump.wait(on_event, self.stop, meanwhile=meanwhile, may_leave=may_leave)

    async def finished(self, on_event: OnEvent | None = None) -> Answer:
        """The answer. The turn's cells run here, on the thread that awaits; cancelling stops the turn.

        Raises:
            PersonError: there is no answer; the message says why and what to do.
        """
        await self.pump.finish(on_event, self.stop)
        return self.result()

    def __repr__(self) -> str:
        return f"<Turn {self.question!r}: {self.state}>"

    def __await__(self) -> Generator[None, None, Answer]:
        return self.finished().__await__()

    def stop(self) -> None:
        """Stop as soon as possible; the turn then ends with what there is. Safe from any thread, and twice."""
        if self._stopped:
            return
        self._stopped = True
        task = self._task
        if task is not None:
            with contextlib.suppress(RuntimeError):
                task.get_loop().call_soon_threadsafe(task.cancel)

    def ended_within(self, seconds: float) -> bool:
        """Wait, without running cells; says whether the turn is done."""
        return self._ended.wait(seconds)

    def result(self) -> Answer:
        """The answer of a turn that is done.

        Raises:
            PersonError: the turn failed.
        """
        if self._error is not None:
            raise self._error
        if self._answer is None and self.done:
            raise PersonError(Message("kernel-ended-first"), Message("ask-again"))
        if self._answer is None:
            raise CopilotBusy.with_hint("still-running")
        return self._answer

    async def run(self, work: AsyncGenerator[AgentEvent]) -> AsyncGenerator[StampedEvent]:
        """Yield what happens in the work, stamped, and at last how the turn ended. On the agent's loop."""
        self._task = asyncio.current_task()
        try:
            async with contextlib.aclosing(work) as events:
                if self._stopped:
                    raise asyncio.CancelledError  # noqa: TRY301 - before there was a task to cancel
                async for event in events:
                    yield self._stamped(event)
                    if _interrupted(event):
                        raise asyncio.CancelledError  # noqa: TRY301 - the user interrupted the cell: the turn ends
        except asyncio.CancelledError:
            yield self._stamped(AnswerReady(self._cancelled()))
        except PersonError as error:
            yield self._failed(error)
        except Exception:
            logger.exception("The turn failed")
            yield self._failed(PersonError(Message("defect"), Message("ask-again")))
        finally:
            self._end()

    def _stamped(self, event: AgentEvent) -> StampedEvent:
        stamped = StampedEvent(self.turn_id, next(self._seq), datetime.now(UTC), event)
        self._note(stamped)
        self.pump.publish(stamped)
        return stamped

    def after(self, event: CellsChanged) -> StampedEvent:
        """What the user has done with its cells since it ended."""
        stamped = StampedEvent(self.turn_id, self.events[-1].seq + 1, datetime.now(UTC), event)
        self._note(stamped)
        return stamped

    def _note(self, stamped: StampedEvent) -> None:
        self.events.append(stamped)
        if isinstance(stamped.event, AnswerReady):
            self._answer = stamped.event.answer
        elif isinstance(stamped.event, TurnFailed) and self._error is None:
            self._error = _error_of(stamped.event)

    def _failed(self, error: PersonError) -> StampedEvent:
        self._error = error  # itself: it knows where it came from
        error.language = self.language
        return self._stamped(TurnFailed(error.message, error.hint, type(error).__name__))

    def _end(self) -> None:
        self._ended.set()
        self.pump.close()

    def _cancelled(self) -> Answer:
        results = self.tool_results
        return Answer(
            blocks=(
                stopped_early(StopReason.CANCELLED, self.language),
                *(block for result in results for block in result.blocks),
            ),
            frame_keys=tuple(dict.fromkeys(result.frame_key for result in results if result.frame_key)),
            stop_reason=StopReason.CANCELLED,
            usage=self.ledger.usage,
        )


def _interrupted(event: AgentEvent) -> bool:
    cell = event.result.cell if isinstance(event, ToolFinished) else None
    return cell is not None and cell.status is CellStatus.INTERRUPTED


def _error_of(failed: TurnFailed) -> PersonError:
    kind = getattr(errors, failed.kind, None)
    if not (isinstance(kind, type) and issubclass(kind, PersonError)):
        kind = PersonError
    return kind(failed.message, failed.hint)


class Turns(tuple[Turn, ...]):
    """The questions, oldest first; shown as a list with what became of each."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = (f"{number}. {printable(words)}" for number, words in enumerate(self._listed(), start=1))
        return "\n".join(lines) or Message("nothing-asked").of(reader())

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{escape(words)}</li>" for words in self._listed())
        return f"<ol>{rows}</ol>" if rows else f"<p>{Message('nothing-asked').of(reader())}</p>"

    def _listed(self) -> list[str]:
        return [Message("turn-state", question=turn.question, state=turn.state).of(reader()) for turn in self]

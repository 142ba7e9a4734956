"""One question: what happens because of it, and how one waits for its answer."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import queue
import re
import threading
import uuid
from collections.abc import Awaitable, Callable, Generator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from qdash_jupyter import errors
from qdash_jupyter.agent.ledger import TurnLedger
from qdash_jupyter.agent.memory import TurnMemory
from qdash_jupyter.agent.words import CONNECTING, stopped_early
from qdash_jupyter.cells.inline import CellJob
from qdash_jupyter.domain.analysis import AskedAbout
from qdash_jupyter.domain.answer import Answer, StopReason, Usage
from qdash_jupyter.domain.cell_run import CellRun, CellStatus
from qdash_jupyter.domain.events import (
    AgentEvent,
    AnswerReady,
    CellMoved,
    StageChanged,
    StampedEvent,
    ToolFinished,
    TurnFailed,
)
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.domain.words import Language
from qdash_jupyter.errors import CopilotBusy, CopilotError, PersonError, QuestionError
from qdash_jupyter.session.callbacks import OnEvent, run_apart
from qdash_jupyter.session.records import AskedFrom, PastTurn, TurnBegan
from qdash_jupyter.tools.background import in_background

if TYPE_CHECKING:
    from qdash_jupyter.agent.loop import TurnSetting
    from qdash_jupyter.llm.client import ModelRequest
    from qdash_jupyter.session.copilot import Copilot

logger = logging.getLogger("qdash_jupyter")

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_PUMP_S = 0.2


class Turn:
    """One question and everything that happened because of it. `await turn` gives the answer, in a cell that awaits."""

    def __init__(
        self,
        question: str,
        copilot: Copilot,
        asked_from: AskedFrom | None = None,
        analysis: AskedAbout | None = None,
    ) -> None:
        """Not begun yet. `analysis` is the result that the question is about."""
        self.turn_id = uuid.uuid4().hex
        self.question = question
        self.language: Language = "ja" if _JAPANESE.search(question) else "en"
        self.asked_from = asked_from or AskedFrom()
        self.analysis = analysis
        self.asked_at = datetime.now(UTC)
        self.events: list[StampedEvent] = []
        self.ledger = TurnLedger()
        """What went out to the model, and what it took."""
        self.done = False
        self.waited_for = False
        """Whether somebody waits on the main thread: then the turn's cells run there."""
        self.taken_over = asyncio.Event()
        """Set on the agent's loop when that begins."""
        self._copilot = copilot
        self._inbox: queue.Queue[StampedEvent | CellJob | None] = queue.Queue()
        self._wakers: list[Callable[[], None]] = []
        self._seq = itertools.count(1)
        self._task: asyncio.Task[None] | None = None
        self._error: CopilotError | None = None
        self._answer: Answer | None = None
        self._stopped = False
        self._is_restored = False
        self._ended = threading.Event()

    @classmethod
    def restored(cls, past: PastTurn, copilot: Copilot) -> Self:
        """A turn of an earlier kernel, to be read."""
        turn = cls(past.began.question, copilot, past.began.asked_from, past.began.analysis)
        turn.turn_id, turn.language, turn.asked_at = past.began.turn_id, past.began.language, past.began.asked_at
        turn.events.extend(past.events)
        for stamped in past.events:
            if isinstance(stamped.event, AnswerReady):
                turn._answer = stamped.event.answer
            elif isinstance(stamped.event, TurnFailed):
                turn._error = _error_of(stamped.event)
        turn.done = turn._is_restored = True
        turn._ended.set()
        return turn

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
        return Usage(self.ledger.input_tokens, self.ledger.output_tokens, len(self.ledger.requests))

    @property
    def memory(self) -> TurnMemory:
        """What a digest of this turn is made of."""
        return TurnMemory(self.question, self.asked_at, list(self.tool_results), self._answer)

    @property
    def broken_off(self) -> bool:
        """Whether the kernel ended before the turn did."""
        return self.done and self._answer is None and self._error is None

    def begin(self) -> None:
        """Start on the agent's thread."""
        self._copilot.run_on_loop(self._run())

    def take_over(self) -> None:
        """The turn's cells run nested from here on, on the thread that waits."""
        if not self.waited_for and not self.done:
            self.waited_for = True
            self._copilot.on_loop(self.taken_over.set)

    def wait(self, on_event: OnEvent | None = None) -> None:
        """Run this turn's cells on the calling (main) thread until it is done; Ctrl-C or Interrupt stops the turn."""
        # An interrupt may come between any two steps: whatever it hits, it stops the turn and is not lost.
        ended = False
        while not ended:
            try:
                self.take_over()
                while not (self.done and self._inbox.empty()):
                    with contextlib.suppress(queue.Empty):
                        telling = self._handle(self._inbox.get(timeout=_PUMP_S), on_event)
                        if telling is not None:
                            run_apart(telling)
                ended = True
            except KeyboardInterrupt:
                self.stop()
            except BaseException:
                self.stop()  # the caller's own error: nobody would wait for the turn any more
                raise

    async def finished(self, on_event: OnEvent | None = None) -> Answer:
        """The answer. The turn's cells run here, on the thread that awaits; cancelling stops the turn.

        Raises:
            PersonError: there is no answer; the message says why and what to do.
        """
        loop = asyncio.get_running_loop()
        news = asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(news.set)

        cancelled: asyncio.CancelledError | None = None
        self._wakers.append(wake)
        try:
            self.take_over()
            while not (self.done and self._inbox.empty()):
                news.clear()
                # ipykernel's interrupt of a cell that awaits does not wake its loop.
                tick = loop.call_later(_PUMP_S, news.set)
                try:
                    if self._inbox.empty():
                        await news.wait()
                    elif (telling := self._handle(self._inbox.get_nowait(), on_event)) is not None:
                        await telling
                except asyncio.CancelledError as error:
                    if cancelled is not None:
                        raise
                    cancelled = error  # goes on when the turn has ended, so that the next question can be asked
                    self.stop()
                except KeyboardInterrupt:
                    self.stop()
                finally:
                    tick.cancel()
        except BaseException:
            self.stop()
            raise
        finally:
            self._wakers.remove(wake)
        if cancelled is not None:
            raise cancelled
        return self.result()

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
            raise PersonError("The kernel ended before this question was answered.", "Ask it again.")
        if self._answer is None:
            raise CopilotBusy("This question is still running.", "Call wait() first.")
        return self._answer

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """The calls that ended, in that order."""
        return tuple(stamped.event.result for stamped in self.events if isinstance(stamped.event, ToolFinished))

    @property
    def cells(self) -> tuple[CellRun, ...]:
        """The cells that ran, in order; refused ones are not among them."""
        runs = (result.cell for result in self.tool_results)
        return tuple(run for run in runs if run is not None and run.status is not CellStatus.REJECTED)

    def post(self, job: CellJob) -> None:
        """Give the waiting main thread a cell to run."""
        self._put(job)

    def moved(self, event: CellMoved) -> None:
        """A cell is at another stage. From any thread; after the turn's end it is no news any more."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if self._task is not None and here is self._task.get_loop():
            self._cell_moved(event)
        else:
            self._copilot.on_loop(self._cell_moved, event)

    def _cell_moved(self, event: CellMoved) -> None:
        if not self.done:
            self._emit(event)

    def _put(self, item: StampedEvent | CellJob | None) -> None:
        self._inbox.put(item)
        for wake in tuple(self._wakers):
            wake()

    def _handle(self, item: StampedEvent | CellJob | None, on_event: OnEvent | None) -> Awaitable[None] | None:
        """Run the cell, or tell of the event: what that gives is to be awaited, if anything."""
        if isinstance(item, CellJob):
            item.run()
        elif item is not None and on_event is not None:
            return on_event(item)
        return None

    async def _run(self) -> None:
        self._task = asyncio.current_task()
        try:
            await self._copilot.ready()
            self._emit(StageChanged("connect", CONNECTING.of(self.language)))
            if self._stopped:
                raise asyncio.CancelledError  # noqa: TRY301 - stopped before the task existed
            setting = await in_background(self._setting, "qdash-connect")
            from qdash_jupyter.agent.loop import run_turn  # as heavy as the tools: `_setting` has imported them

            if setting.subject is not None:
                self._emit(setting.subject)
            self.ledger.spent_before = self._copilot.tokens_before(self)
            running = run_turn(self.question, self._copilot.transcript, setting, self.ledger)
            async with contextlib.aclosing(running) as events:
                async for event in events:
                    if isinstance(event, AnswerReady):
                        self._answer = event.answer
                    self._emit(event)
                    if _interrupted(event):
                        raise asyncio.CancelledError  # noqa: TRY301 - the person interrupted the cell: the turn ends
        except asyncio.CancelledError:
            with contextlib.suppress(asyncio.CancelledError):
                await self._copilot.cells_at_rest()
            self._answer = self._cancelled()
            self._emit(AnswerReady(self._answer))
        except PersonError as error:
            self._fail(error)
        except Exception:
            logger.exception("The turn failed")
            self._fail(PersonError("Something failed inside the copilot; details are in its log.", "Ask again."))
        finally:
            self.done = True
            self._ended.set()
            self._put(None)

    def _setting(self) -> TurnSetting:
        parts = self._copilot.parts()
        if len(self.question) > parts.question_chars:
            raise QuestionError(
                f"The question has {len(self.question):,} characters; the limit is {parts.question_chars:,}.",
                "Shorten it. Data need not be pasted: the copilot reads the database itself.",
            )
        return parts.setting(self.language, self.analysis)

    def _emit(self, event: AgentEvent) -> None:
        stamped = StampedEvent(self.turn_id, next(self._seq), datetime.now(UTC), event)
        self.events.append(stamped)
        self._put(stamped)
        self._copilot.heard(self, stamped)

    def _fail(self, error: PersonError) -> None:
        self._error = error
        self._emit(TurnFailed(error.message, error.hint, type(error).__name__))

    def _cancelled(self) -> Answer:
        results = self.tool_results
        return Answer(
            blocks=(
                stopped_early(StopReason.CANCELLED, self.language),
                *(block for result in results for block in result.blocks),
            ),
            frame_keys=tuple(dict.fromkeys(result.frame_key for result in results if result.frame_key)),
            cell_ids=tuple(run.request.cell_id for run in self.cells),
            stop_reason=StopReason.CANCELLED,
            usage=self.ledger.usage,
        )


def _interrupted(event: AgentEvent) -> bool:
    return (
        isinstance(event, ToolFinished)
        and event.result.cell is not None
        and event.result.cell.status is CellStatus.INTERRUPTED
    )


def _error_of(failed: TurnFailed) -> PersonError:
    kind = getattr(errors, failed.kind, None)
    if not (isinstance(kind, type) and issubclass(kind, PersonError)):
        kind = PersonError
    return kind(failed.message, failed.hint)

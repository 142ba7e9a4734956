"""One request that is answered by a stream of events."""

from __future__ import annotations

import asyncio
import logging
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from qdash_jupyter.domain.analysis import (
    AnalysisRequest,
    AskedAbout,
    SubjectFigure,
    asked_of,
    is_context,
    pictures_in,
)
from qdash_jupyter.domain.answer import Answer, JsonObject, StopReason
from qdash_jupyter.domain.cell_run import CellRun
from qdash_jupyter.domain.event_bus import EventBus
from qdash_jupyter.domain.events import AnswerReady, SubjectRead, TextDelta, TurnFailed
from qdash_jupyter.domain.language import language_of
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message, sentences
from qdash_jupyter.server.chosen_model import chosen_model
from qdash_jupyter.server.history import past_of, thread_messages
from qdash_jupyter.server.lowered import lowered
from qdash_jupyter.server.requests import AnalyzeRequest, ChatRequest, ReplyRequest, StreamRequest
from qdash_jupyter.server.seed_events import Run, SeedEvents
from qdash_jupyter.server.service import CopilotService
from qdash_jupyter.server.sse import sse_event, with_heartbeats
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.parts import Parts
from qdash_jupyter.session.records import TurnOptions
from qdash_jupyter.tools.background import in_background

logger = logging.getLogger("qdash_jupyter")

Asks = TypeVar("Asks", bound=StreamRequest)

_DEFECT = "Something failed inside the copilot; details are in its log. Ask again."
_CANCELLED = "Stopped before the question was asked."
_TELL_TEXT_S = 0.04
"""Text that is written is looked at as a whole: a long answer, not more often."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in which conversation."""

    conversation: Conversation
    text: str
    options: TurnOptions
    about: AskedAbout | None = None


class Stream(ABC, Generic[Asks]):
    """What a request sends: phases first, at last exactly one result or error."""

    run: Run = "run_chat"

    def __init__(self, service: CopilotService, request: Asks, username: str) -> None:
        """Begins with `events`."""
        self.request_id = uuid.uuid4().hex
        self.service = service
        self.username = username
        self._request = request
        self._bus: EventBus[str] = EventBus()
        language, deltas = language_of(request.message), request.stream_deltas
        self._seed = SeedEvents(self._bus, self.run, language, self.request_id, deltas=deltas)
        self._task: asyncio.Task[None] | None = None
        self._asked: Question | None = None
        self._model: str | None = None
        self.outcome: JsonObject = {"detail": _CANCELLED}
        """What the last event said."""
        self._telling: asyncio.TimerHandle | None = None

    async def events(self) -> AsyncGenerator[str]:
        """The texts of the events, and heartbeats. Whoever stops iterating cancels the work."""
        events = self._bus.subscribe()
        self.service.streams[self.request_id] = self.cancel
        self._task = asyncio.ensure_future(self._work())
        self._task.add_done_callback(lambda _: self._bus.close())
        try:
            async for text in with_heartbeats(events):
                yield text
        finally:
            if self._telling is not None:
                self._telling.cancel()
            del self.service.streams[self.request_id]
            self.cancel()
            if self._asked is not None:
                await in_background(self._asked.conversation.close, "qdash-close")

    def cancel(self) -> None:
        """End as soon as possible, with what there is."""
        if self._asked is not None:
            self._asked.conversation.stop()
        elif self._task is not None:
            self._task.cancel()

    @abstractmethod
    async def prepare(self) -> Question:
        """Say what happens before the question, and give it.

        Raises:
            PersonError: it cannot be asked.
        """

    async def finish(self, answer: Answer, cells: Iterable[CellRun], figures: Sequence[SubjectFigure]) -> JsonObject:
        """What the client gets of an answer; `figures` are those of the result that it is about.

        Raises:
            PersonError: it cannot be given.
        """
        del figures
        return lowered(answer, cells)

    async def opened(self) -> Parts:
        """What the conversation is made of.

        Raises:
            PersonError: the settings are wrong, the database cannot be used, or there is no such model.
        """
        parts = await self.service.opened()
        if self._request.model_override is not None:
            self._model = chosen_model(self._request.model_override, parts.models)
        self._seed.language = parts.language_of_answers(self._seed.language)
        return parts

    def _fail(self, detail: str) -> None:
        self.outcome = {"detail": detail}
        self._seed.error(detail)

    async def _work(self) -> None:
        try:
            await self._answer(await self.prepare())
        except PersonError as error:
            self._fail(str(error))
        except asyncio.CancelledError:
            self._fail(_CANCELLED)
        except Exception:
            logger.exception("A stream failed")
            self._fail(_DEFECT)

    def _tell_text(self) -> None:
        self._telling = None
        self._seed.written()

    async def _answer(self, asked: Question) -> None:
        """Ask, and tell what happens until there is an answer."""
        figures: Sequence[SubjectFigure] = ()
        heard = asked.conversation.events()
        self._asked = asked
        turn = asked.conversation.start(
            asked.text, analysis=asked.about, pictures=self._request.pictures, options=asked.options
        )
        async for _, stamped in heard:
            self._seed.tell(stamped.event)
            match stamped.event:
                case TextDelta() if self._telling is None:
                    self._telling = asyncio.get_running_loop().call_later(_TELL_TEXT_S, self._tell_text)
                case SubjectRead():
                    figures = stamped.event.figures
                case TurnFailed(message=message, hint=hint):
                    self._fail(str(sentences(message, hint)))
                    return
                case AnswerReady(answer=answer):
                    self.outcome = await self.finish(answer, turn.cells, figures)
                    self._seed.status("complete")
                    self._bus.publish(sse_event("result", self.outcome))
                    return


class ChatStream(Stream[ChatRequest]):
    """A question about a chip, perhaps about a qubit or a coupling."""

    async def prepare(self) -> Question:
        """The settings are loaded; the turn itself reads the qubit."""
        self._seed.status("load_config")
        parts, asks = await self.opened(), self._request
        conversation = self.service.conversation(parts, past_of(asks.conversation_history))
        return Question(conversation, asks.message, TurnOptions(asks.project_id, asks.chip_id, asks.qid, self._model))


class AnalysisStream(Stream[AnalyzeRequest]):
    """One result, to be judged."""

    run = "run_analysis"

    async def prepare(self) -> Question:
        """The context of the result is read by the turn."""
        self._seed.status("build_context")
        parts, asks = await self.opened(), self._request
        about = AnalysisRequest(asks.task_name, asks.qid, asks.execution_id, asks.task_id)
        self._conversation = self.service.conversation(parts, past_of(asks.conversation_history))
        options = TurnOptions(asks.project_id, asks.chip_id, model=self._model)
        return Question(self._conversation, asks.message or asked_of(about), options, about)

    async def finish(self, answer: Answer, cells: Iterable[CellRun], figures: Sequence[SubjectFigure]) -> JsonObject:
        """With what the model has seen of pictures."""
        context = next(filter(is_context, reversed(self._conversation.transcript.items)), {})
        of_lab, of_user = pictures_in(context)
        own = [figure.title for figure in figures if figure.png] if of_lab else []
        sent = {
            "experiment_figure": bool(own or of_user),
            "experiment_figure_paths": own,
            "experiment_images": len(own) + of_user,
            "expected_images": of_lab - len(own),
            "task_name": self._request.task_name,
        }
        return await super().finish(answer, cells, figures) | {"images_sent": sent}


class ReplyStream(Stream[ReplyRequest]):
    """A reply to an issue, which is kept here alone."""

    def __init__(self, service: CopilotService, request: ReplyRequest, username: str, issue_id: str) -> None:
        """Of the issue with this id, or in whose thread a post has it."""
        super().__init__(service, request, username)
        self._issue_id = issue_id
        self._task_id = ""

    async def prepare(self) -> Question:
        """The thread is read, then the result that it is about."""
        self._seed.status("load_issue")
        parts, service = await self.opened(), self.service
        project = self._request.project_id or parts.manifest.database.project
        thread = await in_background(partial(parts.reader.issue_thread, self._issue_id, project), "qdash-issue")
        if thread is None:
            raise PersonError.with_hint("no-issue", id=self._issue_id)
        self._issue_id, self._task_id = thread.issue_id, thread.task_id
        self._seed.status("build_history")
        kept = await in_background(partial(service.kept.replies, thread.issue_id), "qdash-issue")
        messages = thread_messages(thread, kept, self._request.message)
        if not messages:
            raise PersonError.with_hint("last-post-is-ours")
        *before, last = messages
        self._seed.status("load_context")
        conversation = service.conversation(parts, past_of(before))
        found = await in_background(partial(service.task, parts, thread.task_id), "qdash-issue")
        if found is None:
            return Question(conversation, last["content"], TurnOptions(model=self._model))
        chip, result = found
        options = TurnOptions(chip.project_id, chip.chip_id, model=self._model)
        about = AnalysisRequest(result.task_name, result.qid, task_id=result.task_id) if result.qid else None
        return Question(conversation, last["content"], options, about)

    async def finish(self, answer: Answer, cells: Iterable[CellRun], figures: Sequence[SubjectFigure]) -> JsonObject:
        """The reply is kept, and comes along as QDash keeps one."""
        self._seed.status("save_reply")
        if answer.stop_reason is StopReason.CANCELLED or not answer.text.strip():
            raise PersonError(Message("no-reply-to-save"), Message("ask-again"))
        keep = partial(self.service.kept.add_reply, self._issue_id, self._task_id, self.username, answer.text)
        reply = await in_background(keep, "qdash-issue")
        not_there = Message("reply-kept-here").of(self._seed.language)
        beside = {"reply": reply, "saved_in_qdash": False, "note": not_there}
        return await super().finish(answer, cells, figures) | beside

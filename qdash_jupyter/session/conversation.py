"""One conversation: its turns, what the model has seen of them, and the log on disk.

It is made by `%load_ext`: what only a question needs is imported with the first one.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.event_bus import EventBus, Subscription
from qdash_jupyter.errors import CopilotBusy, PersonError, QuestionError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.session.approvals import Approvals
from qdash_jupyter.session.history import History
from qdash_jupyter.session.workbench import Workbench
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.background import in_background

if TYPE_CHECKING:
    from qdash_jupyter.agent.setting import TurnSetting
    from qdash_jupyter.agent.transcript import Transcript
    from qdash_jupyter.cells.host import Kernel
    from qdash_jupyter.config.policy import Policy
    from qdash_jupyter.domain.analysis import AskedAbout, SentPicture
    from qdash_jupyter.domain.events import AgentEvent, CellsChanged, StampedEvent
    from qdash_jupyter.domain.tool_call import ToolResult
    from qdash_jupyter.session.history import OpenJournal
    from qdash_jupyter.session.journal import Journal
    from qdash_jupyter.session.parts import BuildParts, Parts, Status
    from qdash_jupyter.session.records import AskedFrom, Past, TurnOptions
    from qdash_jupyter.session.turn import Turn

    TurnEvent: TypeAlias = tuple[Turn, StampedEvent]

_STOP_S = 3

logger = logging.getLogger("qdash_jupyter")


class Conversation:
    """Asks one question after the other; `qdash_jupyter.session.copilot.Copilot` is its face for the user."""

    def __init__(
        self,
        kernel: Kernel,
        build: BuildParts,
        *,
        journal: OpenJournal | None = None,
        loop: AgentLoop | None = None,
        past: Past | None = None,
        data: FrameStore | None = None,
    ) -> None:
        """A new conversation, or one that goes on where an earlier kernel's ended.

        Args:
            kernel: where its cells run.
            build: called once, at the first question, because connecting may take a while.
            journal: opens the log on disk, when its conversation is known or the first question is asked; None keeps
                none.
            loop: the agent's loop, where it is shared: then its owner closes it.
            past: what was said before, where whoever asks keeps it.
            data: where results go, if that is known before there is a conversation.
        """
        self.kernel = kernel
        self.loop = loop or AgentLoop()
        self.owns_loop = loop is None
        """Whether it ends the loop when it is closed."""
        self.workbench = Workbench(kernel.namespace, build, self.loop, data)
        self._transcript: Transcript | None = None
        self._changing = Lock()
        self._turns: list[Turn] = []
        self._bus: EventBus[TurnEvent] = EventBus()
        self._history = History(journal, self._changing)
        self._left: tuple[list[Turn], Transcript | None, Journal | None] | None = None
        self.approvals = Approvals(self.loop)
        self.handle: object = None
        """What the user's code, and the agent's, knows as `copilot`; None where no code runs."""
        self.data.called = self._name_of_data
        if past is not None:
            self._take(past, ())

    @property
    def data(self) -> FrameStore:
        """What was fetched, by key."""
        return self.workbench.data

    @property
    def transcript(self) -> Transcript:
        """What the model has seen."""
        if self._transcript is None:
            from qdash_jupyter.agent.transcript import Transcript

            self._transcript = Transcript()
        return self._transcript

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The questions, oldest first."""
        return tuple(self._turns)

    @property
    def running(self) -> Turn | None:
        """The question that is being answered."""
        last = self._turns[-1] if self._turns else None
        return last if last is not None and not last.done else None

    @property
    def conversation_id(self) -> str | None:
        """The id to keep in the notebook; None where nothing is kept on disk, or as long as that is not known."""
        journal = self._history.journal
        return None if journal is None else journal.conversation_id

    @property
    def history_problem(self) -> Text:
        """Why the conversation is not kept on disk or was not taken up, for the user; empty when all is well."""
        return "" if self._history.journal is None else self._history.journal.problem

    def bind(self) -> bool:
        """Bind the names `copilot` and `data`, as far as the user does not use them; whether `copilot`, which the
        agent's cells need, is ours now. On the main thread.
        """
        if self.handle is None:
            return False
        self.kernel.namespace.bind_if_free("data", self.data)
        return self.kernel.namespace.bind_if_free("copilot", self.handle)

    def release(self) -> None:
        """Take the names back. On the main thread."""
        self.kernel.namespace.release("copilot", self.handle)
        self.kernel.namespace.release("data", self.data)

    def events(self) -> Subscription[TurnEvent]:
        """What happens in all turns from now on, until the conversation is closed."""
        return self._bus.subscribe()

    def start(
        self,
        question: str,
        asked_from: AskedFrom | None = None,
        analysis: AskedAbout | None = None,
        *,
        inline: bool = False,
        pictures: Sequence[SentPicture] = (),
        options: TurnOptions | None = None,
    ) -> Turn:
        """Begin a turn and return at once; with `inline`, somebody is about to wait for it. `pictures` go to the model
        with the question, where it can see; `options` hold for this question alone.

        A question that was asked before, by its `ask_id`, is not asked again.

        Raises:
            QuestionError: the question is empty.
            CopilotBusy: another question is still running.
        """
        if not question.strip():
            raise QuestionError.with_hint("question-empty")
        from qdash_jupyter.session.turn import Turn

        with self._changing:
            ask_id = None if asked_from is None else asked_from.ask_id
            for known in self._turns if ask_id is not None else ():
                if known.asked_from.ask_id == ask_id:
                    return known
            self._check_idle()
            turn = Turn(question.strip(), self.loop, asked_from, analysis, pictures, options=options)
            self._turns.append(turn)
        self.bind()  # perhaps another conversation of this kernel has taken the names since
        if inline:
            turn.pump.run_inline()
        self.loop.submit(self._drive(turn))
        return turn

    def retry(self, turn_id: str, asked_from: AskedFrom | None = None) -> Turn:
        """Ask the question of a turn again.

        Raises:
            PersonError: there is no such turn.
            CopilotBusy: another question is still running.
        """
        turn = self.turn(turn_id)
        again = asked_from or replace(turn.asked_from, ask_id=None)
        return self.start(turn.question, again, turn.analysis, pictures=turn.pictures, options=turn.options)

    def stop(self) -> bool:
        """Stop the running question; says whether there was one."""
        turn = self.running
        if turn is not None:
            turn.stop()
        return turn is not None

    def new(self) -> None:
        """Begin an empty conversation. What was fetched stays, and `undo_new` goes back; what only the session of the
        old one had is gone.

        Raises:
            CopilotBusy: a question is still running.
        """
        with self._changing:
            self._check_idle()
            self.approvals.forget()
            if self._turns:
                self._left = (self._turns, self._transcript, self._history.journal)
            self._history.begin_anew()
            self._turns, self._transcript = [], None
        self.kernel.close()

    def undo_new(self) -> None:
        """Go back to the conversation that `new` has left.

        Raises:
            PersonError: a question was asked since, or none was left.
        """
        with self._changing:
            left, self._left = self._left, None
            if left is None or self._turns:
                raise PersonError.with_hint("no-conversation-before")
            self._turns, self._transcript, journal = left
            if journal is not None:
                self._history.replace(journal)

    async def go_on_with(self, conversation_id: str) -> None:
        """Go on with a conversation that is kept on disk; a copy of it, where it is another notebook's.

        Raises:
            PersonError: it cannot be taken up.
            CopilotBusy: a question is still running.
        """
        if conversation_id == self.conversation_id:
            return
        self._check_idle()
        self.resume(await in_background(partial(self._history.another, conversation_id), "qdash-history"))

    def resume(self, journal: Journal) -> None:
        """Go on with another conversation instead of this one.

        Raises:
            CopilotBusy: a question is still running.
        """
        with self._changing:
            self._check_idle()
            self.approvals.forget()
            self._history.replace(journal)
            self._take(journal.past, ())
        self.kernel.close()

    async def adopt(self, conversation_id: str | None = None, path: str | None = None) -> bool:
        """Take up the conversation of the notebook, once: later calls change nothing, nor does one after a question.

        Args:
            conversation_id: what the notebook's metadata say.
            path: the notebook's path on the server, for kernels that do not know it.

        Returns:
            whether the conversation is another one now.
        """
        if not self._history.awaits_opening:
            return False
        return await in_background(partial(self._adopt, conversation_id, path), "qdash-history")

    def parts(self) -> Parts:
        """What it works with, connected at the first call. Blocks.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        return self.workbench.parts()

    def status(self) -> Status:
        """What is in use. May read the database.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        parts = self.parts()
        return replace(parts.status(), code=_of_code(parts.manifest.policy, self.kernel.confined_by))

    def use_model(self, name: str) -> None:
        """Ask this model from the next question on: a key of `models` in the settings, or `offline`.

        Raises:
            PersonError: there is no such model.
            CopilotBusy: a question is still running.
        """
        parts = self.parts()
        with self._changing:
            self._check_idle()
            old = parts.use_model(name)
        if old is not None:
            self.loop.submit(old.close())

    async def fetch_again(self, turn_id: str, call_id: str) -> ToolResult:
        """Call the tool of a step again, whose table is gone. It gets its old key, unless another result has that now.
        On the agent's loop.

        Raises:
            PersonError: there is no such step, it ran code, it fails now, or the database cannot be used.
        """
        return await self.workbench.fetch_again(*self.turn(turn_id).call(call_id))

    def close(self) -> None:
        """Stop, give back connections and the agent's thread. A question asked afterwards connects again."""
        turn = self.running
        if turn is not None:
            turn.stop()
            turn.ended_within(_STOP_S)
        self.workbench.close()
        self.kernel.close()
        self._bus.close()
        self._history.close()
        if self.owns_loop:
            self.loop.close()

    def cells_changed(self, turn: Turn, event: CellsChanged) -> None:
        """The cells of a turn are in the notebook, or not any more. On the agent's loop."""
        self._tell(turn, turn.after(event))

    async def _drive(self, turn: Turn) -> None:
        """Have the turn run; write down what happens, and publish it."""
        try:
            async with contextlib.aclosing(turn.run(self._work(turn))) as events:
                async for stamped in events:
                    self._tell(turn, stamped)
        except Exception:
            logger.exception("The turn could not be followed to its end")

    def _tell(self, turn: Turn, stamped: StampedEvent) -> None:
        self._history.note(turn.began, stamped, self.transcript)
        self._bus.publish((turn, stamped))

    async def _work(self, turn: Turn) -> AsyncGenerator[AgentEvent]:
        """What happens in the turn: the conversation is opened, the database and the model, and the loop goes round."""
        from qdash_jupyter.domain.analysis import AnalysisRequest, pictures_in
        from qdash_jupyter.domain.answer import Usage
        from qdash_jupyter.domain.events import StageChanged

        await self.adopt()
        yield StageChanged("connect", Message("stage-connecting"))
        async with self._parts_of(turn) as parts:
            if turn.asked_from.in_page:
                _check_look(parts)
            if isinstance(turn.analysis, AnalysisRequest):
                yield StageChanged("build_context", Message("stage-reading-result"))
            elif (qid := self._subject(turn) or parts.manifest.qid) is not None:
                yield StageChanged("load_qubit_params", Message("stage-reading-qubit", qid=qid))
            setting = await in_background(partial(self._setting, turn, parts), "qdash-connect")
            from qdash_jupyter.agent.loop import run_turn  # as heavy as the tools: `_setting` has imported them

            if setting.subject is not None:
                yield setting.subject
            if setting.context is not None and any(pictures_in(setting.context)):
                yield StageChanged("load_images", Message("stage-sending-pictures"))
            spent = sum((each.usage for each in self._turns[: self._turns.index(turn)]), Usage())
            turn.ledger.spent_before = spent.input_tokens + spent.output_tokens
            async with contextlib.aclosing(run_turn(turn.question, self.transcript, setting, turn.ledger)) as events:
                async for event in events:
                    yield event

    @contextlib.asynccontextmanager
    async def _parts_of(self, turn: Turn) -> AsyncGenerator[Parts]:
        """The parts, connected at the first question, with what holds for this one alone."""
        parts = await in_background(self.parts, "qdash-connect")
        if turn.options is None:
            yield parts
            return
        own = await in_background(partial(parts.for_question, turn.options), "qdash-connect")
        try:
            yield own
        finally:
            await own.close()

    def _setting(self, turn: Turn, parts: Parts) -> TurnSetting:
        from qdash_jupyter.cells.shown_cell import CellPlace
        from qdash_jupyter.domain.heading import heading_of
        from qdash_jupyter.session.named import named_in
        from qdash_jupyter.session.tools import Tools

        if len(turn.question) > (most := parts.manifest.limits.question_chars):
            raise QuestionError.with_hint("question-too-long", count=len(turn.question), most=most)
        asked_from = turn.asked_from
        tools = Tools(lambda: parts.toolbox, self.workbench.fetch)
        limits = parts.manifest.limits
        self.kernel.give(self.data, tools.called, limits.max_tool_calls, limits.session_memory_mb)
        heading = heading_of(turn.question) if asked_from.cell_id is None else None
        place = CellPlace(turn.turn_id, 0, asked_from.client_id, asked_from.cell_id, heading=heading)
        is_unseen = parts.manifest.cells == "scratch"
        cells = self.kernel.for_turn(place, turn.pump, unseen=is_unseen, ours=parts.is_planner)
        around = parts.around(turn.question, self.transcript)
        named = named_in(turn.question, self.kernel.namespace, self.data, around.names, has_kernel=cells.has_kernel)
        turn.language = parts.language_of_answers(turn.language)
        setting = parts.setting(
            turn.language,
            cells,
            turn.analysis,
            self._subject(turn),
            named=named,
            approver=self.approvals,
            around=around,
            pictures=turn.pictures,
        )
        return replace(setting, in_page=asked_from.in_page)

    def _subject(self, turn: Turn) -> str | None:
        """The qubit or coupling whose result was analysed last, unless the question is about another."""
        from qdash_jupyter.domain.analysis import AnalysisRequest

        if turn.analysis is None and turn.options is not None and (turn.options.chip or turn.options.qid):
            return None
        about = (turn.analysis for turn in reversed(self._turns))
        return next((one.qid for one in about if isinstance(one, AnalysisRequest)), None)

    def _name_of_data(self) -> str:
        """`data`, or `copilot.data` where the user has a `data` of their own; empty where both names are theirs."""
        if self.kernel.namespace.is_bound("data", self.data):
            return "data"
        return "copilot.data" if self.kernel.namespace.is_bound("copilot", self.handle) else ""

    def _check_idle(self) -> None:
        if self.running is not None:
            raise CopilotBusy.with_hint("last-still-running")

    def turn(self, turn_id: str) -> Turn:
        """The question with this id.

        Raises:
            PersonError: there is no such turn.
        """
        for turn in self._turns:
            if turn.turn_id == turn_id:
                return turn
        raise PersonError(Message("question-gone"), Message("ask-again"))

    def _adopt(self, conversation_id: str | None, path: str | None) -> bool:
        with self._history.opening(conversation_id, path) as past:
            if past is None:
                return False
            # Turns that have begun but not spoken yet come after what is taken up.
            self._take(past, self._turns)
        return self.conversation_id is not None or bool(past.turns)

    def _take(self, past: Past, running: Sequence[Turn]) -> None:
        """Go on from this past, with these turns behind it."""
        from qdash_jupyter.agent.transcript import Transcript
        from qdash_jupyter.session.turn import Turn

        turns = [Turn.restored(turn, self.loop) for turn in past.turns]
        memories = {
            turn.first_item: restored.memory
            for turn, restored in zip(past.turns, turns, strict=True)
            if turn.first_item is not None
        }
        transcript = Transcript(past.items, memories, past.model)
        transcript.in_log = len(transcript)
        if turns and turns[-1].broken_off:
            # What its last calls gave is known, although the model has not read it.
            transcript.add_results(r for r in turns[-1].tool_results if transcript.waits_for(r.call.call_id))
        transcript.close_open_calls("the kernel ended before it was done")
        self._transcript = transcript
        self._turns = [*turns, *running]


def _of_code(policy: Policy, confined_by: Text) -> Text:
    if policy == "trusted":
        return Message("code-trusted")
    if policy == "insert_only":
        return Message("code-inserted")
    return Message("code-confined", by=confined_by) if confined_by else Message("code-each-approved")


def _check_look(parts: Parts) -> None:
    """The panel shows what goes to a server that was not asked before, and asks nothing until the user has seen it."""
    from qdash_jupyter.session.first_look import first_look

    if not parts.is_of_code and (look := first_look(parts.manifest)) is not None:
        raise PersonError.with_hint("not-sent-yet", endpoint=look["endpoint"])

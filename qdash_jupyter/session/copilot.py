"""One conversation in one kernel: questions go in, events and answers come out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

import orjson

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.analysis import AnalysisRequest, AskedAbout, asked_of
from qdash_jupyter.domain.answer import Answer, JsonObject, Usage
from qdash_jupyter.domain.events import StampedEvent, ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.errors import CopilotBusy, CopilotError, NoData, PersonError, QuestionError, ToolError
from qdash_jupyter.session.callbacks import OnEvent
from qdash_jupyter.session.followers import Followers
from qdash_jupyter.session.history import History
from qdash_jupyter.session.hosting import NotebookCells, TurnCellHost
from qdash_jupyter.session.parts import BuildParts, Parts, Status
from qdash_jupyter.session.records import AskedFrom, Past
from qdash_jupyter.session.shelf import ToolShelf
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.store.compact import plain
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.background import in_background

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.session.history import OpenJournal
    from qdash_jupyter.session.journal import Journal

_CLOSE_S = 5
_STOP_S = 3


class Copilot:
    """The copilot of this kernel. `copilot.ask("…")` answers; `copilot.data` holds what it fetched."""

    def __init__(
        self,
        shell: InteractiveShell,
        build: BuildParts,
        *,
        notebook: NotebookCells | None = None,
        journal: OpenJournal | None = None,
        namespace: Namespace | None = None,
        loop: AgentLoop | None = None,
    ) -> None:
        """A new conversation, or one that goes on where an earlier kernel's ended.

        Args:
            shell: where its cells run.
            build: called once, at the first question, because connecting may take a while.
            notebook: where cells can be inserted; None runs them nested.
            journal: opens the log on disk, when its conversation is known or the first question is asked; None keeps
                none.
            namespace: the shell's names, where somebody else looks after them too.
            loop: the agent's loop, where it is shared: then its owner closes it.
        """
        self._build = build
        self._data = FrameStore(self._again)
        self._namespace = namespace or Namespace(shell.user_ns)
        self._host = TurnCellHost(shell, self._namespace, notebook, lambda: self.running)
        self._transcript = Transcript()
        self._loop = loop or AgentLoop()
        self._owns_loop = loop is None
        self._parts: Parts | None = None
        self._connecting = Lock()
        self._starting = Lock()
        self._turns: list[Turn] = []
        self._followers = Followers()
        self._history = History(journal, self._starting)

    @property
    def data(self) -> FrameStore:
        """What was fetched, by key."""
        return self._data

    @property
    def tools(self) -> ToolShelf:
        """The tools, to be called from Python: `copilot.tools.get_chip_summary(chip_id="64Q-demo")`."""
        return ToolShelf(self)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The questions of this conversation, oldest first."""
        return tuple(self._turns)

    @property
    def running(self) -> Turn | None:
        """The question that is being answered."""
        last = self._turns[-1] if self._turns else None
        return last if last is not None and not last.done else None

    @property
    def namespace(self) -> Namespace:
        """The kernel's names as the copilot sees them."""
        return self._namespace

    @property
    def transcript(self) -> Transcript:
        """What the model has seen."""
        return self._transcript

    @property
    def conversation_id(self) -> str | None:
        """The id to keep in the notebook; None where nothing is kept on disk, or as long as that is not known."""
        return self._history.conversation_id

    @property
    def history_problem(self) -> str:
        """Why the conversation is not kept on disk or was not taken up, for the person; empty when all is well."""
        return self._history.problem

    def ask(self, question: str, on_event: OnEvent | None = None) -> Answer:
        """Ask and wait for the answer. Call it on the main thread: cells of the answer run there meanwhile.

        `on_event` hears each event there; `qdash_jupyter.session.callbacks` makes one of two simple functions.

        Raises:
            PersonError: there is no answer; the message says why and what to do.
        """
        turn = self._begun(question, AskedFrom(), waited_for=True)
        turn.wait(on_event)
        return turn.result()

    def analyze(
        self,
        task: str,
        qid: str | int,
        question: str = "",
        *,
        execution_id: str | None = None,
        task_id: str | None = None,
        on_event: OnEvent | None = None,
    ) -> Answer:
        """Have one result judged: `copilot.analyze("CheckT1", "7")`. Follow-up questions know it, until the next one.

        Without a run or a task's id it is the newest result of the task on that qubit or coupling. Waits as `ask` does.

        Raises:
            PersonError: there is no such result, or no answer; the message says why and what to do.
        """
        request = AnalysisRequest(task, str(qid), execution_id, task_id)
        turn = self._begun(question or asked_of(request), AskedFrom(), waited_for=True, analysis=request)
        turn.wait(on_event)
        return turn.result()

    def start(self, question: str, *, asked_from: AskedFrom | None = None, analysis: AskedAbout | None = None) -> Turn:
        """Begin a turn and return at once. Its cells run in the notebook, else when somebody waits for the turn.

        A question that was asked before, by its `ask_id`, is not asked again. `analysis` is the result it is about.

        Raises:
            QuestionError: the question is empty.
            CopilotBusy: another question is still running.
        """
        return self._begun(question, asked_from or AskedFrom(), waited_for=False, analysis=analysis)

    def retry(self, turn_id: str, *, asked_from: AskedFrom | None = None) -> Turn:
        """Ask the question of a turn again.

        Raises:
            PersonError: there is no such turn.
            CopilotBusy: another question is still running.
        """
        turn = self._turn(turn_id)
        asked_from = asked_from or replace(turn.asked_from, ask_id=None)
        return self.start(turn.question, asked_from=asked_from, analysis=turn.analysis)

    def stop(self) -> bool:
        """Stop the running question; says whether there was one."""
        turn = self.running
        if turn is not None:
            turn.stop()
        return turn is not None

    def new(self) -> None:
        """Begin an empty conversation. What was fetched stays.

        Raises:
            CopilotBusy: a question is still running.
        """
        with self._starting:
            self._check_idle()
            self._history.begin_anew()
            self._take(Past(), ())

    def resume(self, journal: Journal) -> None:
        """Go on with another conversation instead of this one.

        Raises:
            CopilotBusy: a question is still running.
        """
        with self._starting:
            self._check_idle()
            self._history.replace(journal)
            self._take(journal.past, ())

    async def adopt(self, conversation_id: str | None = None, path: str | None = None) -> bool:
        """Take up the conversation of the notebook, once: later calls change nothing, nor does one after a question.

        Args:
            conversation_id: what the notebook's metadata say.
            path: the notebook's path on the server, for kernels that were not told.

        Returns:
            whether the conversation is another one now.
        """
        # Turns that have begun but not spoken yet come after what is taken up.
        opening = partial(self._history.open, conversation_id, path, lambda past: self._take(past, self._turns))
        return await in_background(opening, "qdash-history")

    async def ready(self) -> None:
        """Wait until the conversation is the notebook's. For the agent's loop."""
        if self._history.awaits_opening:
            await self.adopt()

    def events(self) -> AsyncGenerator[tuple[Turn, StampedEvent]]:
        """What happens in all turns from now on, until the conversation is closed. For the agent's loop."""
        return self._followers.follow()

    async def fetch_again(self, turn_id: str, call_id: str) -> ToolResult:
        """Call the tool of a step again, whose table is gone; it may get another key.

        Raises:
            PersonError: there is no such step, it ran code, or the database cannot be used.
        """
        name, arguments = _step(self._turn(turn_id), call_id)
        result: ToolResult = await asyncio.wrap_future(self._loop.submit(self._fetched(name, arguments)))
        return result

    def close(self) -> None:
        """Stop, give back connections and the agent's thread. A question asked afterwards connects again."""
        turn = self.running
        if turn is not None:
            turn.stop()
            turn.ended_within(_STOP_S)
        parts: Parts | None = None
        if self._connecting.acquire(blocking=False):  # not behind a database that does not answer
            parts, self._parts = self._parts, None
            self._connecting.release()
        if parts is not None:
            with contextlib.suppress(CopilotError, TimeoutError):  # what is gone has nothing to give back
                self._loop.submit(parts.close()).result(_CLOSE_S)
        if self._followers:
            with contextlib.suppress(TimeoutError):
                self._loop.submit(self._followers.end()).result(_CLOSE_S)
        self._history.close()
        if self._owns_loop:
            self._loop.close()

    def status(self) -> Status:
        """Database, chip and model in use.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        return self.parts().status()

    def use_model(self, name: str) -> None:
        """Ask this model from the next question on: a key of `models` in the settings, or `offline`. What was said and
        fetched stays.

        Raises:
            PersonError: there is no such model.
            CopilotBusy: a question is still running.
        """
        parts = self.parts()
        with self._starting:
            self._check_idle()
            old = parts.use_model(name)
        self._loop.submit(old.close())

    def parts(self) -> Parts:
        """The parts, built at the first call. Blocks."""
        with self._connecting:
            if self._parts is None:
                self._parts = self._build(self._host, self._namespace, self._data)
            return self._parts

    def call_tool(self, name: str, arguments: JsonObject) -> ToolResult:
        """One call of a tool, from Python. Blocks.

        Raises:
            PersonError: the database cannot be used.
        """
        # People pass what they have at hand, such as times and numbers of numpy.
        values: JsonObject = plain(arguments)
        calling = self._loop.submit(self.parts().toolbox.call(name, values))
        try:
            result: ToolResult = calling.result()
        finally:
            calling.cancel()  # an interrupt: nobody waits any more
        return result

    def fetch(self, name: str, arguments: JsonObject) -> StoredResult | JsonObject:
        """What one call of a tool gives: what it stored, else its content. Blocks.

        Raises:
            ToolError: the call failed.
            PersonError: the database cannot be used.
        """
        result = self.call_tool(name, arguments)
        if result.failure is not None:
            raise ToolError(result.failure.message, result.failure.hint)
        if result.frame_key is not None:
            return self._data[result.frame_key]
        content: JsonObject = orjson.loads(result.content)
        return content

    # For the turns.

    def run_on_loop(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        """Run a coroutine on the agent's own loop."""
        return self._loop.submit(work)

    def on_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on the agent's own loop, soon."""
        self._loop.call(function, *arguments)

    async def cells_at_rest(self) -> None:
        """Wait until the cells have ended that were asked to stop."""
        await self._host.at_rest()

    def tokens_before(self, turn: Turn) -> int:
        """What the turns before this one took, as far as it is known."""
        usage = sum((each.usage for each in self._turns[: self._turns.index(turn)]), Usage())
        return usage.input_tokens + usage.output_tokens

    def heard(self, turn: Turn, stamped: StampedEvent) -> None:
        """Something happened: write it down, and tell whoever follows. On the agent's loop."""
        self._history.note(turn, stamped, self._transcript)
        self._followers.tell((turn, stamped))

    def _begun(
        self, question: str, asked_from: AskedFrom, *, waited_for: bool, analysis: AskedAbout | None = None
    ) -> Turn:
        if not question.strip():
            raise QuestionError("The question is empty.", 'Write what you want to know, e.g. "Which qubits lost T1?"')
        with self._starting:
            for known in self._turns:
                if asked_from.ask_id is not None and known.asked_from.ask_id == asked_from.ask_id:
                    return known
            self._check_idle()
            turn = Turn(question.strip(), self, asked_from, analysis)
            self._turns.append(turn)
        if waited_for:
            turn.take_over()
        turn.begin()
        return turn

    def _check_idle(self) -> None:
        if self.running is not None:
            raise CopilotBusy("The last question is still running.", "Wait for it, or stop it with copilot.stop().")

    def _turn(self, turn_id: str) -> Turn:
        for turn in self._turns:
            if turn.turn_id == turn_id:
                return turn
        raise PersonError("That question is not part of this conversation any more.", "Ask it again.")

    def _take(self, past: Past, running: Sequence[Turn]) -> None:
        """Go on from this past, with these turns behind it."""
        turns = [Turn.restored(turn, self) for turn in past.turns]
        memories = {
            turn.first_item: restored.memory
            for turn, restored in zip(past.turns, turns, strict=True)
            if turn.first_item is not None
        }
        transcript = Transcript(past.items, memories, past.model)
        self._history.taken_up(len(transcript))
        if turns and turns[-1].broken_off:
            # What its last calls gave is known, although the model was not told any more.
            transcript.add_results(r for r in turns[-1].tool_results if transcript.waits_for(r.call.call_id))
        transcript.close_open_calls("the kernel ended before it was done")
        self._transcript = transcript
        self._turns = [*turns, *running]

    def _again(self, source: FrameSource) -> StoredResult:
        """Make the call of a stored result again; `StoredResult.refresh` says the rest."""
        hint = f"Fetch it with the copilot that is in use now: copilot.tools.{source.tool}(…)."
        if self._parts is None:
            raise PersonError("The conversation that fetched this is closed.", hint)
        try:
            fetched = self.fetch(source.tool, dict(source.arguments))
        except CancelledError:
            raise PersonError("The conversation was closed before the data came.", hint) from None
        if not isinstance(fetched, StoredResult):
            raise NoData(f"{source.tool} gives no table for these arguments any more.", "What you have stays.")
        return fetched

    async def _fetched(self, name: str, arguments: JsonObject) -> ToolResult:
        parts = await in_background(self.parts, "qdash-connect")
        spec = parts.toolbox.specs.get(name)
        if spec is None or spec.effect != "read":
            raise PersonError("This step did not fetch a table.", "Ask the question again.")
        return await parts.toolbox.call(name, arguments)

    def __repr__(self) -> str:
        return f"<QDash Copilot: {len(self._turns)} questions, data {', '.join(self._data) or 'empty'}>"


def _step(turn: Turn, call_id: str) -> tuple[str, JsonObject]:
    """The tool and the arguments of a step."""
    for stamped in reversed(turn.events):
        event = stamped.event
        if isinstance(event, ToolFinished) and event.result.call.call_id == call_id and event.result.arguments:
            return event.result.call.name, event.result.arguments
        if isinstance(event, ToolStarted) and event.call.call_id == call_id:
            return event.call.name, event.arguments
    raise PersonError("That step is not part of this conversation any more.", "Ask the question again.")

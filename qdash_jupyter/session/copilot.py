"""One conversation in one kernel: questions go in, events and answers come out."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import queue
import re
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from qdash_jupyter.agent.loop import TurnSetting, run_turn
from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.agent.words import CONNECTING, stopped_early
from qdash_jupyter.cells.inline import CellJob, InlineCellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.answer import Answer, JsonObject, StopReason
from qdash_jupyter.domain.cell_run import CellRun, CellStatus
from qdash_jupyter.domain.events import (
    AgentEvent,
    AnswerReady,
    StageChanged,
    StampedEvent,
    ToolFinished,
    TurnFailed,
)
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.errors import CopilotBusy, CopilotError, PersonError, QuestionError, ToolError, nearest
from qdash_jupyter.store.compact import plain
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.tools.spec import Language
from qdash_jupyter.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

logger = logging.getLogger("qdash_jupyter")

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_PUMP_S = 0.2
_CLOSE_S = 5


@dataclass(frozen=True, slots=True)
class Status:
    """What is in use, for the screen."""

    database: str
    chip: str
    model: str
    endpoint: str
    is_language_model: bool
    problems: int


class Parts(Protocol):
    """What `qdash_jupyter.connect` puts together for a conversation."""

    @property
    def toolbox(self) -> Toolbox:
        """The tools, bound to what they work with."""
        ...

    @property
    def question_chars(self) -> int:
        """Longest question."""
        ...

    def setting(self, language: Language) -> TurnSetting:
        """What a turn in this language works with. May read the database."""
        ...

    def status(self) -> Status:
        """What is in use. May read the database."""
        ...

    async def close(self) -> None:
        """Give back connections and files."""
        ...


BuildParts = Callable[[InlineCellHost, Namespace, FrameStore], Parts]


class Copilot:
    """The copilot of this kernel. `copilot.ask("…")` answers; `copilot.data` holds what it fetched."""

    def __init__(self, shell: InteractiveShell, build: BuildParts) -> None:
        """`build` is called once, at the first question, because connecting may take a while."""
        self._shell = shell
        self._build = build
        self._data = FrameStore()
        self._namespace = Namespace(shell.user_ns)
        self._host = InlineCellHost(shell, self._namespace, self._post)
        self._transcript = Transcript()
        self._loop = AgentLoop()
        self._parts: Parts | None = None
        self._connecting = Lock()
        self._starting = Lock()
        self._turns: list[Turn] = []

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
    def namespace(self) -> Namespace:
        """The kernel's names as the copilot sees them."""
        return self._namespace

    def ask(self, question: str, on_event: Callable[[StampedEvent], None] | None = None) -> Answer:
        """Ask and wait for the answer. Call it on the main thread: cells of the answer run there meanwhile.

        Raises:
            PersonError: there is no answer; the message says why and what to do.
        """
        turn = self.start(question)
        turn.wait(on_event)
        return turn.result()

    def start(self, question: str) -> Turn:
        """Begin a turn and return at once; its cells run when somebody calls `Turn.wait` on the main thread.

        Raises:
            QuestionError: the question is empty.
            CopilotBusy: another question is still running.
        """
        if not question.strip():
            raise QuestionError("The question is empty.", 'Write what you want to know, e.g. "Which qubits lost T1?"')
        with self._starting:
            if self._turns and not self._turns[-1].done:
                raise CopilotBusy("The last question is still running.", "Wait for it, or stop it with copilot.stop().")
            turn = Turn(question.strip(), self)
            self._turns.append(turn)
        turn.begin()
        return turn

    def stop(self) -> bool:
        """Stop the running question; says whether there was one."""
        running = bool(self._turns) and not self._turns[-1].done
        if running:
            self._turns[-1].stop()
        return running

    def close(self) -> None:
        """Stop, give back connections and the agent's thread. A question asked afterwards connects again."""
        self.stop()
        parts: Parts | None = None
        if self._connecting.acquire(blocking=False):  # not behind a database that does not answer
            parts, self._parts = self._parts, None
            self._connecting.release()
        if parts is not None:
            with contextlib.suppress(CopilotError, TimeoutError):  # what is gone has nothing to give back
                self._loop.submit(parts.close()).result(_CLOSE_S)
        self._loop.close()

    def status(self) -> Status:
        """Database, chip and model in use.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        return self.parts().status()

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
        result: ToolResult = self._loop.submit(self.parts().toolbox.call(name, values)).result()
        return result

    def run_on_loop(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        """Run a coroutine on the agent's own loop."""
        return self._loop.submit(work)

    @property
    def transcript(self) -> Transcript:
        """What the model has seen."""
        return self._transcript

    def _post(self, job: CellJob) -> None:
        self._turns[-1].post(job)

    def __repr__(self) -> str:
        return f"<QDash Copilot: {len(self._turns)} questions, data {', '.join(self._data) or 'empty'}>"


class Turn:
    """One question and everything that happened because of it."""

    def __init__(self, question: str, copilot: Copilot) -> None:
        """Not begun yet."""
        self.turn_id = uuid.uuid4().hex
        self.question = question
        self.language: Language = "ja" if _JAPANESE.search(question) else "en"
        self.events: list[StampedEvent] = []
        self.done = False
        self._copilot = copilot
        self._inbox: queue.Queue[StampedEvent | CellJob | None] = queue.Queue()
        self._seq = itertools.count(1)
        self._task: asyncio.Task[None] | None = None
        self._error: CopilotError | None = None
        self._answer: Answer | None = None
        self._stopped = False

    def begin(self) -> None:
        """Start on the agent's thread."""
        self._copilot.run_on_loop(self._run())

    def wait(self, on_event: Callable[[StampedEvent], None] | None = None) -> None:
        """Run this turn's cells on the calling (main) thread until it is done; Ctrl-C or Interrupt stops the turn."""
        # An interrupt may come between any two steps: whatever it hits, it stops the turn and is not lost.
        ended = False
        while not ended:
            try:
                while not (self.done and self._inbox.empty()):
                    self._pump(on_event)
                ended = True
            except KeyboardInterrupt:
                self.stop()
            except BaseException:
                self.stop()  # the caller's own error: nobody would wait for the turn any more
                raise

    def _pump(self, on_event: Callable[[StampedEvent], None] | None) -> None:
        try:
            item = self._inbox.get(timeout=_PUMP_S)
        except queue.Empty:
            return
        if isinstance(item, CellJob):
            item.run()
        elif item is not None and on_event is not None:
            on_event(item)

    def stop(self) -> None:
        """Stop as soon as possible; the turn then ends with what there is. Safe from any thread, and twice."""
        self._stopped = True
        task = self._task
        if task is not None:
            with contextlib.suppress(RuntimeError):
                task.get_loop().call_soon_threadsafe(task.cancel)

    def result(self) -> Answer:
        """The answer of a turn that is done.

        Raises:
            PersonError: the turn failed.
        """
        if self._error is not None:
            raise self._error
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
        self._inbox.put(job)

    async def _run(self) -> None:
        self._task = asyncio.current_task()
        try:
            self._emit(StageChanged("connect", CONNECTING.of(self.language)))
            if self._stopped:
                raise asyncio.CancelledError  # noqa: TRY301 - stopped before the task existed
            setting = await in_background(self._setting, "qdash-connect")
            async with contextlib.aclosing(run_turn(self.question, self._copilot.transcript, setting)) as events:
                async for event in events:
                    if isinstance(event, AnswerReady):
                        self._answer = event.answer
                    self._emit(event)
                    if _interrupted(event):
                        raise asyncio.CancelledError  # noqa: TRY301 - the person interrupted the cell: the turn ends
        except asyncio.CancelledError:
            self._answer = self._cancelled()
            self._emit(AnswerReady(self._answer))
        except PersonError as error:
            self._fail(error)
        except Exception:
            logger.exception("The turn failed")
            self._fail(PersonError("Something failed inside the copilot; details are in its log.", "Ask again."))
        finally:
            self.done = True
            self._inbox.put(None)

    def _setting(self) -> TurnSetting:
        parts = self._copilot.parts()
        if len(self.question) > parts.question_chars:
            raise QuestionError(
                f"The question has {len(self.question):,} characters; the limit is {parts.question_chars:,}.",
                "Shorten it. Data need not be pasted: the copilot reads the database itself.",
            )
        return parts.setting(self.language)

    def _emit(self, event: AgentEvent) -> None:
        stamped = StampedEvent(self.turn_id, next(self._seq), datetime.now(UTC), event)
        self.events.append(stamped)
        self._inbox.put(stamped)

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
        )


def _interrupted(event: AgentEvent) -> bool:
    return (
        isinstance(event, ToolFinished)
        and event.result.cell is not None
        and event.result.cell.status is CellStatus.INTERRUPTED
    )


class ToolShelf:
    """The tools as functions for people: keyword arguments in, a `StoredResult` (or the plain content) out."""

    def __init__(self, copilot: Copilot) -> None:
        """Of this conversation."""
        self._copilot = copilot

    def __dir__(self) -> list[str]:
        return list(self._copilot.parts().toolbox.specs)

    def __getattr__(self, name: str) -> Callable[..., StoredResult | JsonObject]:
        if name.startswith("_"):
            raise AttributeError(name)
        specs = self._copilot.parts().toolbox.specs
        spec = specs.get(name)
        if spec is None or spec.effect != "read":
            reads = [known for known, found in specs.items() if found.effect == "read"]
            msg = f"There is no tool {name!r} to call from Python. Tools: {', '.join(nearest(name, reads) or reads)}"
            raise AttributeError(msg)

        def call(**arguments: Any) -> StoredResult | JsonObject:
            import orjson

            result = self._copilot.call_tool(name, arguments)
            if result.failure is not None:
                raise ToolError(result.failure.message, result.failure.hint)
            if result.frame_key is not None:
                return self._copilot.data[result.frame_key]
            content: JsonObject = orjson.loads(result.content)
            return content

        call.__name__, call.__doc__ = name, spec.description
        return call

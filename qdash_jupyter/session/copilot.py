"""The copilot as users have it: a handle in their notebook or script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qdash_jupyter.errors import PersonError
from qdash_jupyter.session.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from qdash_jupyter.domain.analysis import AskedAbout
    from qdash_jupyter.domain.answer import Answer, JsonObject
    from qdash_jupyter.domain.event_bus import Subscription
    from qdash_jupyter.domain.tool_call import ToolResult
    from qdash_jupyter.session.approvals import Approvals
    from qdash_jupyter.session.callbacks import OnEvent
    from qdash_jupyter.session.conversation import Conversation, TurnEvent
    from qdash_jupyter.session.journal import Journal
    from qdash_jupyter.session.parts import Status
    from qdash_jupyter.session.records import AskedFrom, TurnOptions
    from qdash_jupyter.session.turn import Turn, Turns
    from qdash_jupyter.store.store import FrameStore


class Copilot:
    """The copilot of this kernel. `copilot.ask("…")` answers; `copilot.data` holds what it fetched."""

    def __init__(self, conversation: Conversation, panel: Callable[[], Any] | None = None) -> None:
        """See `qdash_jupyter.open_copilot`. `panel` gives the panel, where there is one."""
        self._panel = panel
        self._hold(conversation)

    def _hold(self, conversation: Conversation) -> None:
        """Be the handle of this conversation, perhaps instead of another one. For what makes panels."""
        self._conversation = conversation
        conversation.handle = self
        # No properties: nobody's completion would look behind one.
        self.data: FrameStore = conversation.data
        """What was fetched, by key: `copilot.data["t1"]["timeseries"]` is a DataFrame."""
        self.tools = Tools(lambda: conversation.parts().toolbox, conversation.workbench.fetch)
        """The tools, to be called from Python: `copilot.tools.get_chip_summary(chip_id="64Q-demo")`."""

    @property
    def approvals(self) -> Approvals:
        """What waits for a yes or no, and what was approved."""
        return self._conversation.approvals

    @property
    def panel(self) -> Any:
        """The panel, connected: a widget for the output of a cell, in Jupyter, VS Code, Colab and marimo
        (docs/panel.md). Elsewhere it says where to show it.

        Raises:
            PersonError: there is none here.
        """
        if self._panel is None:
            raise PersonError.with_hint("no-panel")
        return self._panel()

    def _shown_by(self, panel: Callable[[Conversation], Any]) -> None:
        """Have `panel` give the panel of the conversation. For what makes panels."""
        self._panel = lambda: panel(self._conversation)

    @property
    def turns(self) -> Turns:
        """The questions of this conversation, oldest first."""
        from qdash_jupyter.session.turn import Turns

        return Turns(self._conversation.turns)

    def ask(self, question: str, on_event: OnEvent | None = None) -> Answer:
        """Ask and wait for the answer. Call it on the main thread: cells of the answer run there meanwhile.

        `on_event` gets each event there; `qdash_jupyter.session.callbacks` makes one of two simple functions.

        Raises:
            PersonError: there is no answer; the message says why and what to do.
        """
        return self._waited(self._conversation.start(question, inline=True), on_event)

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
        from qdash_jupyter.domain.analysis import AnalysisRequest, asked_of

        request = AnalysisRequest(task, str(qid), execution_id, task_id)
        return self._waited(
            self._conversation.start(question or asked_of(request), analysis=request, inline=True), on_event
        )

    def start(
        self,
        question: str,
        *,
        asked_from: AskedFrom | None = None,
        analysis: AskedAbout | None = None,
        options: TurnOptions | None = None,
    ) -> Turn:
        """Begin a turn and return at once; `await copilot.start("…")` gives its answer. Its cells run in the notebook,
        else when somebody waits for the turn.

        A question that was asked before, by its `ask_id`, is not asked again. `analysis` is the result it is about,
        `options` hold for this question alone.

        Raises:
            QuestionError: the question is empty.
            CopilotBusy: another question is still running.
        """
        return self._conversation.start(question, asked_from, analysis, options=options)

    def retry(self, turn_id: str, *, asked_from: AskedFrom | None = None) -> Turn:
        """Ask the question of a turn again.

        Raises:
            PersonError: there is no such turn.
            CopilotBusy: another question is still running.
        """
        return self._conversation.retry(turn_id, asked_from)

    def stop(self) -> bool:
        """Stop the running question; says whether there was one."""
        return self._conversation.stop()

    def new(self) -> None:
        """Begin an empty conversation. What was fetched stays.

        Raises:
            CopilotBusy: a question is still running.
        """
        self._conversation.new()

    def resume(self, journal: Journal) -> None:
        """Go on with another conversation, of `Journal.open`, instead of this one.

        Raises:
            CopilotBusy: a question is still running.
        """
        self._conversation.resume(journal)

    def events(self) -> Subscription[TurnEvent]:
        """What happens in all turns from now on: `async for turn, stamped in copilot.events()`, in any loop, until the
        copilot is closed.
        """
        return self._conversation.events()

    def status(self) -> Status:
        """Database, chip and model in use.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        return self._conversation.status()

    def use_model(self, name: str) -> None:
        """Ask this model from the next question on: a key of `models` in the settings, or `offline`. What was said and
        fetched stays.

        Raises:
            PersonError: there is no such model.
            CopilotBusy: a question is still running.
        """
        self._conversation.use_model(name)

    def call_tool(self, name: str, arguments: JsonObject) -> ToolResult:
        """One call of a tool, with all that came of it; `copilot.tools` is the shorter way. Blocks.

        Raises:
            PersonError: the database cannot be used.
        """
        return self._conversation.workbench.call(name, arguments)

    def close(self) -> None:
        """Stop, give back connections and the agent's thread. A question asked afterwards connects again."""
        self._conversation.close()

    def __dir__(self) -> list[str]:
        return ["data", "tools", *(name for name in vars(type(self)) if not name.startswith("_"))]

    def __repr__(self) -> str:
        count = len(self.turns)
        return f"<QDash Copilot: {count} question{'' if count == 1 else 's'}, data {', '.join(self.data) or 'empty'}>"

    def _repr_html_(self) -> str:
        return f"<p><b>QDash Copilot</b></p>{self.turns._repr_html_()}{self.data._repr_html_()}"

    def _waited(self, turn: Turn, on_event: OnEvent | None) -> Answer:
        turn.wait(on_event)
        return turn.result()

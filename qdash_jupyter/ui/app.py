"""The copilot of one kernel: the conversation, the browser tabs that show it, and the panel."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.cells.failures import LastFailure
from qdash_jupyter.cells.lab import LabCells
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.errors import CopilotBusy, PersonError
from qdash_jupyter.kernel.shell_kernel import ShellKernel
from qdash_jupyter.messages.languages import Language, reader, show_in
from qdash_jupyter.messages.message import Message, Text, sentences, text_in
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.ui.answers_below import AnswersBelow
from qdash_jupyter.ui.link.control import ControlLink
from qdash_jupyter.ui.model_choice import ModelChoice
from qdash_jupyter.ui.options import DataOptions, options_of, setup_lines
from qdash_jupyter.ui.panel_hint import PanelHint
from qdash_jupyter.ui.queue import QuestionQueue
from qdash_jupyter.ui.sign_in import SignInCard
from qdash_jupyter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
    from datetime import timedelta
    from pathlib import Path

    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.config.layers import LoadedManifest
    from qdash_jupyter.config.manifest import Manifest
    from qdash_jupyter.connect import PartsBuilder
    from qdash_jupyter.domain.analysis import AskedAbout
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.events import CellsChanged
    from qdash_jupyter.domain.wire.kernel import Ack
    from qdash_jupyter.domain.wire.page import PageMessage
    from qdash_jupyter.session.journal import Journal
    from qdash_jupyter.session.records import AskedFrom, TurnOptions
    from qdash_jupyter.session.turn import Turn
    from qdash_jupyter.store.store import FrameStore
    from qdash_jupyter.ui.added_cells import AddedCells
    from qdash_jupyter.ui.link.page import Page
    from qdash_jupyter.ui.panel import CopilotPanel
    from qdash_jupyter.ui.refreshing import Polling
    from qdash_jupyter.ui.screen import Screen

logger = logging.getLogger("qdash_jupyter")

PAGE_S = 1.2
END_S = 10.0
"""Within this a turn is over that has said its last."""


class CopilotApp:
    """What `%load_ext` makes. Light: what is heavy is imported with the first page or question."""

    def __init__(
        self, shell: InteractiveShell, opened: Conversation | None = None, *, listens: bool | None = None
    ) -> None:
        """Listen for pages, where the shell is that of a kernel; or give a conversation that is `opened` already, by
        `qdash_jupyter.open_copilot`, a panel, of which no page is told unless it `listens`.
        """
        self.shell = shell
        self.loop = opened.loop if opened is not None else AgentLoop()
        self.namespace = opened.kernel.namespace if opened is not None else Namespace(shell.user_ns)
        self._opened = cast("PartsBuilder", opened.workbench.build) if opened is not None else None
        self._kernel = getattr(shell, "kernel", None)
        self.link = ControlLink(self, self.loop.call, self._can_hear)
        self._cells: LabCells | None = None
        if self._kernel is not None:
            self._cells = LabCells(shell, self.namespace, self.link.in_order)
        self.options = options_of(self._opened.settings, demo=self._opened.demo) if self._opened is not None else None
        self.sign_in = SignInCard(self._can_type, lambda: self.loop.call(self._show_sign_in))
        self.queue = QuestionQueue(self._show_queue)
        self.front_end: Mapping[str, Any] = {}
        """What the user has set in JupyterLab, as the last page told it."""
        self.language: Language = reader()
        """That of the page which said it last."""
        self.models = ModelChoice(self.loop, lambda: self.conversation, self._said_with)
        self.conversation = self._new_conversation(None) if opened is None else opened
        if listens:
            cast("ShellKernel", self.conversation.kernel).notebook = self._cells
        self.conversation.approvals.can_be_asked = self._can_be_asked
        self.copilot = self._handle(self.conversation)
        self.failure = LastFailure(shell)
        self.panel: CopilotPanel | None = None
        self.screen: Screen | None = None
        self._hint = PanelHint(shell)
        self._problem: Text | None = None  # why there is no panel
        self._is_over = False  # the user has closed the conversation that they had opened
        self._is_seen = False  # a view of the panel has asked for what it shows
        self._path: str | None = None  # the notebook's, as its pages know it
        self._making: asyncio.Task[CopilotPanel] | None = None
        self.polling: Polling | None = None
        self._poller: Future[None] | None = None
        self._released: list[Conversation] = []  # whose names another one takes over
        self._below = AnswersBelow(self.spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        if self._kernel is not None and (opened is None if listens is None else listens):
            # What runs notebooks without a page (nbclient, papermill) takes no input, and warns of comms that it does
            # not know.
            loading = self._kernel.get_parent().get("content", {})
            self.link.open(announced=loading.get("allow_stdin", True))
        self.loop.call(self._follow)

    @cached_property
    def added(self) -> AddedCells:
        """The cells that answers have put into the notebook."""
        from qdash_jupyter.ui.added_cells import AddedCells  # with the first answer, not with `%load_ext`

        return AddedCells(self.namespace, self.link.in_order, lambda: setup_lines(self.options))

    @property
    def is_own(self) -> bool:
        """Whether it made its conversation itself."""
        return self._opened is None

    @property
    def hears_while_busy(self) -> bool:
        """Whether commands arrive while a cell runs: ipykernel 7 has subshells."""
        return bool(getattr(self._kernel, "_supports_kernel_subshells", False))

    def _can_hear(self) -> bool:
        return self.hears_while_busy or self._cells is None or not self._cells.busy

    def close(self) -> None:
        """Stop, and give everything back."""
        self.failure.close()
        self.poll_no_more()
        if self._kernel is not None:
            self.link.close()
        self.sign_in.dismiss()
        if self._opened is None:  # or it is the user's, as its agent's thread is
            self.conversation.close()
        if self._cells is not None:
            self._cells.close()
        if self.screen is not None:
            self.loop.call(self.screen.close)
        if self.panel is not None:
            self.panel.close()
        if self._opened is None:
            self.loop.close()

    # On the main thread: for the magics.

    def use(self, options: DataOptions | None, *, keep: bool = False) -> Text:
        """Other data from now on. Gives what the user has to know: the model that was chosen stays, where it can.

        Args:
            options: which data; None leaves it to the settings.
            keep: what was fetched stays; for another chip of the same database.

        Raises:
            PersonError: they cannot be used; everything stays as it was.
        """
        fresh = self._new_conversation(options, self.conversation.data if keep else None)
        try:
            notice = self.models.carry_over(fresh)
        except PersonError:
            fresh.close()
            raise
        if notice:
            self.models.forget()
        self.poll_no_more()
        self.options = options
        # The same notebook: its conversation goes on.
        before, self.conversation = self.conversation, fresh
        self.copilot = self._handle(fresh)
        self.sign_in.dismiss()
        # The loop is that of the first one.
        fresh.owns_loop, before.owns_loop = before.owns_loop, False
        before.close()
        self.loop.call(self._follow, before.conversation_id)
        return notice

    def use_chip(self, project: str, chip: str) -> None:
        """Another chip of the database from now on; the names in the kernel follow before the next cell.

        Raises:
            PersonError: it cannot be used; everything stays as it was.
            CopilotBusy: a question is still running.
        """
        if self.conversation.running is not None:
            raise CopilotBusy(Message("last-still-running"), Message("wait-or-stop"))
        before = self.conversation
        self.use(replace(self.options or DataOptions(), project=project, chip=chip, qid=None), keep=True)
        if self._opened is None:
            self._released.append(before)

    def rebind(self) -> None:
        """The names in the kernel are those of the conversation of now. On the main thread."""
        while self._released:
            self._released.pop(0).release()
            self.conversation.bind()

    def poll(self, keys: Sequence[str], every: timedelta) -> Polling:
        """Fetch what is stored under these keys again from time to time, or all of it, instead of what was polled.

        Raises:
            PersonError: there is no such key.
        """
        from qdash_jupyter.ui.refreshing import Polling, meant

        meant(self.conversation.data, keys)
        polling = Polling(self.conversation, keys, every)
        self.poll_no_more()
        self._poller = self.loop.submit(polling.run())
        self.polling = polling
        return polling

    def poll_no_more(self) -> bool:
        """Say whether anything was polled until now."""
        polled, self.polling = self.polling is not None, None
        if self._poller is not None:
            self._poller.cancel()
        return polled

    def exported(self, conversation_id: str = "", *, as_markdown: bool = False) -> str:
        """A conversation as a notebook that runs again, or as Markdown: that of now, or one that is kept.

        Raises:
            PersonError: nothing was asked yet, or there is no such conversation.
        """
        from qdash_jupyter.session.kept import KeptConversations
        from qdash_jupyter.ui.export import markdown_text, notebook_text

        turns, options, status, chip = self.conversation.turns, self.options, None, ""
        if conversation_id not in {"", self.conversation.conversation_id}:
            from qdash_jupyter.session.turn import Turn

            chip, past = KeptConversations().read(conversation_id)
            turns = tuple(Turn.restored(turn, self.loop) for turn in past.turns)
            options = replace(options or DataOptions(), project=None, chip=chip or None, qid=None)
        elif turns:
            status = self.copilot.status()
        if as_markdown:
            title = KeptConversations().title_of(conversation_id or self.conversation.conversation_id or "")
            return markdown_text(turns, status, title, chip)
        return notebook_text(turns, status, options.line() if options is not None else "")

    async def _said_with(self, message: Text) -> None:
        """The screen shows what is in use now, and says this."""
        if self.screen is not None:
            await self.screen.greet(self.conversation)
            if message:
                self.screen.note(message)

    def new(self) -> None:
        """Begin an empty conversation.

        Raises:
            CopilotBusy: a question is still running.
        """
        self.conversation.new()
        self.loop.call(self.conversation_changed)

    def undo(self) -> Text:
        """Take the cells of the last question out of the notebook, and say what came of it.

        Raises:
            PersonError: there are none, or no page answers.
        """
        turns = self.conversation.turns
        if not turns or not turns[-1].done:
            raise PersonError.with_hint("no-ended-question")
        if any(self.link) and not self.hears_while_busy:
            raise PersonError.with_hint("undo-in-panel")
        done = self.loop.submit(self._undo(turns[-1])).result()
        return sentences(Message("cells-taken-out", count=done.count), done.note)

    async def _undo(self, turn: Turn) -> CellsChanged:
        done = await self.added.undo(turn)
        self.conversation.cells_changed(turn, done)
        return done

    def data_changed(self) -> None:
        """What is stored may be something else."""
        if self.screen is not None:
            self.loop.call(self.screen.state.data_changed)

    def standing_changed(self) -> None:
        """What was approved in this conversation was revoked."""
        if self.screen is not None:
            self.loop.call(self.screen.standing_changed, self.conversation)

    def settings(self) -> LoadedManifest:
        """All settings, as they are now.

        Raises:
            PersonError: they are wrong.
        """
        from qdash_jupyter.config.layers import load_manifest

        return load_manifest(self.options.patch() if self.options else None, front_end=self.front_end)

    def manifest(self) -> Manifest:
        """The settings with the model that the user has chosen.

        Raises:
            PersonError: they are wrong.
        """
        return self.models.in_settings(self.settings().manifest)

    @property
    def asking_cell(self) -> str | None:
        """The cell that runs now, where its request names it: a user looks at it in JupyterLab or Notebook. A terminal
        has no place for a line that changes, and nbval would take every state of it for an output.
        """
        cell_id: str | None = (self._parent.get("metadata") or {}).get("cellId")
        return cell_id

    @property
    def _page_of_cell(self) -> Page | None:
        """The tab that has sent that cell."""
        if self.asking_cell is None:
            return None
        return self.link.of_session(str(self._parent["header"].get("session", "")))

    def asking_page(self) -> Page | None:
        """The live tab whose cell runs now, where an answer can grow below it. None where other cells wait for that
        one, as under Run All: what they need is then there.
        """
        page = self._page_of_cell
        if page is None or not self.hears_while_busy:
            return page  # it has sent the cell
        try:
            alone = self.loop.submit(page.runs_one_cell()).result(PAGE_S)
        except FutureTimeout:
            return None
        return page if alone else None

    def asked_from(self) -> AskedFrom:
        """The cell that runs now, and its tab, as far as the kernel was told. The cells of earlier answers to this cell
        are taken out: it is run again. What was changed or kept stays.
        """
        from qdash_jupyter.session.records import AskedFrom

        cell_id, page = self.asking_cell, self._page_of_cell
        if page is None:
            return AskedFrom()
        for turn in self.conversation.turns if self.hears_while_busy else ():
            if turn.asked_from.cell_id == cell_id and turn.done and not self._keeps(turn):
                with contextlib.suppress(PersonError):  # there are none
                    self.loop.submit(self._undo(turn)).result()
        return AskedFrom(page.client_id, cell_id)

    def _keeps(self, turn: Turn) -> bool:
        from qdash_jupyter.domain.events import CellsChanged

        changes = [stamped.event for stamped in turn.events if isinstance(stamped.event, CellsChanged)]
        return bool(changes) and changes[-1].state == "kept"

    def ask_below(self, question: str, analysis: AskedAbout | None = None, options: TurnOptions | None = None) -> Turn:
        """Ask, perhaps about one result or cell, and let the answer grow below the running cell; the kernel goes on.

        Raises:
            PersonError: the question cannot be asked.
        """
        from qdash_jupyter.ui.growing import GrowingAnswer

        turn = self.conversation.start(question, self.asked_from(), analysis, options=options)
        growing = GrowingAnswer(self.shell, turn, str(self.asking_cell), self.link)
        growing.begin()
        self.loop.call(self._below.add, growing)
        return turn

    @property
    def is_watched(self) -> bool:
        """Whether somebody is at the notebook: what runs notebooks by itself reads no input."""
        return bool(getattr(self._kernel, "_allow_stdin", False))

    def leaves_for_approvals(self) -> bool:
        """Whether a cell that waits for an answer ends where somebody is asked for an approval: their click would not
        be heard before that. Only where somebody is there.
        """
        return self.is_watched and not (self.hears_while_busy and any(self.link))

    def go_on_below(self, turn: Turn) -> None:
        """Show below the running cell, which is about to end, what becomes of the turn."""
        from IPython.display import display

        from qdash_jupyter.ui.widget_answer import WidgetAnswer

        below = WidgetAnswer(turn, self.conversation.approvals, asks=not any(self.link))
        display(below.box)
        self.loop.call(self._below.add, below)

    def shown_panel(self) -> CopilotPanel:
        """The panel, for a cell's output."""
        panel: CopilotPanel = self.loop.submit(self._panel()).result()
        return panel

    def is_of(self, conversation: Conversation) -> bool:
        """Whether this is the conversation that it shows, and still follows."""
        return self.conversation is conversation and not self._is_over

    def show_on(self, panel: CopilotPanel, loop: asyncio.AbstractEventLoop | None) -> None:
        """Show the conversation on this panel from now on. Where no notebook takes cells, they run in that loop, where
        it is that of the thread which shows the panel.
        """
        if self._kernel is None and loop is not None:
            if self._cells is not None:
                self._cells.close()
            self._cells = LabCells(self.shell, self.namespace, loop=loop)
        cast("ShellKernel", self.conversation.kernel).notebook = self._cells
        panel.transcript = self._transcript
        self.link.listen_to(panel)
        self.panel = panel
        if self.screen is None:
            self.loop.submit(self._show_first()).result()

    @contextlib.contextmanager
    def expecting_view(self) -> Iterator[None]:
        """Say below the panel that is shown meanwhile in the running cell what is missing, if it does not appear."""
        self._hint.begin()
        yield
        if self.asking_cell is not None:
            self._hint.take_place()
            self.loop.call(self._hint.wait)

    # On the agent's loop: pages, panels, and what happens in the conversation.

    def page_opened(self, page: Page) -> None:
        """A tab has connected: tell it which panel to show. Which of its cells are the copilot's, it has told."""
        self.front_end = page.opened.settings
        self._speak(page.opened.language)
        if self._cells is not None:
            self._cells.told({cell.cell_id: cell.code for cell in page.opened.agent_cells})
        self.spawn(self._welcome(page))

    def commanded(self, message: PageMessage, client_id: str | None, answer: Callable[[Ack], None]) -> None:
        """A tab or a panel sent a command; what comes of it is said in its language."""
        from qdash_jupyter.ui.commands import perform

        def answer_in_words(ack: Ack) -> None:
            answer({**ack, "message": ack["message"] and text_in(ack["message"], self.language)})

        perform(self, message, client_id, answer_in_words)

    def resync(self, language: Language = "") -> None:
        """A view of the panel, of this language, is there and wants everything."""
        self._is_seen = True
        self._speak(language)
        if self.screen is not None:
            self.screen.resync()
            self._hint.view_appeared()

    def _speak(self, language: Language) -> None:
        """Older pages do not say theirs."""
        if language:
            self.language = language
            show_in(language)
        if self.screen is not None:
            self.screen.state.speak(self.language)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine, with its errors in the log."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def conversation_changed(self) -> None:
        """It was begun anew or taken up: show it, and tell the pages its id."""
        if self.screen is not None:
            self.screen.show(self.conversation)
        for page in self.link:
            self._hello(page)

    def _new_conversation(self, options: DataOptions | None, data: FrameStore | None = None) -> Conversation:
        def build(*doors: Any) -> Any:
            from qdash_jupyter.connect import PartsBuilder
            from qdash_jupyter.session.parts import Given

            patch = options.patch() if options else {}
            if self._opened is not None:
                return self._opened.patched(patch)(*doors)
            demo = bool(options and options.demo)
            given = Given(ask_for_keys=self.sign_in.ask)
            return PartsBuilder(patch, demo, given, self.front_end)(*doors)

        def journal(conversation_id: str | None, notebook: Path | None) -> Journal:
            from qdash_jupyter.session.journal import Journal

            return Journal.open(conversation_id, notebook)

        conversation = Conversation(
            ShellKernel(self.shell, self.namespace, self._cells, setup_lines(options)),
            build,
            # Without a notebook there is nothing to take the conversation up again for.
            journal=journal if self._kernel is not None and self._opened is None else None,
            loop=self.loop,
            data=data,
        )
        conversation.approvals.can_be_asked = self._can_be_asked
        return conversation

    def _handle(self, conversation: Conversation) -> Copilot:
        """The user's handle of this conversation: another one for each, but that which they have opened themselves."""
        if self._opened is None:
            return Copilot(conversation, self.shown_panel)
        handle = cast("Copilot", conversation.handle or self.copilot)
        handle._hold(conversation)  # noqa: SLF001 - not for users
        return handle

    def _can_be_asked(self) -> bool:
        """Whether somebody sees the question, and the kernel hears what they say."""
        turn = self.conversation.running
        if turn is None:
            return False
        is_waited_for = turn.pump.runs_inline.is_set()
        if (is_waited_for and turn.pump.may_leave) or turn.turn_id in self._below:
            return True
        return self._has_view and (self.hears_while_busy or not is_waited_for)

    def _can_type(self) -> bool:
        """Whether a page shows the card that asks for keys, and the kernel hears what is typed there."""
        return self._has_view and self._can_hear()

    @property
    def _has_view(self) -> bool:
        """Whether somebody sees the panel, as far as one knows: closed pages say no goodbye."""
        return any(self.link) or self._is_seen

    def _show_sign_in(self) -> None:
        if self.screen is not None:
            self.screen.sign_in_changed(self.sign_in.servers)

    def _show_queue(self) -> None:
        if self.screen is not None:
            self.screen.state.set("queue", self.queue.shown)

    def _follow(self, conversation_id: str | None = None) -> None:
        """Follow the conversation of now: what it has been, and what happens from here on."""
        self.queue.hold()
        self.spawn(self._events(self.conversation))
        if self.screen is not None:
            self.spawn(self._show(self.conversation, self.screen, conversation_id))

    async def _show(self, conversation: Conversation, screen: Screen, conversation_id: str | None) -> None:
        await conversation.adopt(conversation_id, self._path)
        self.conversation_changed()
        await screen.greet(conversation)

    async def _events(self, conversation: Conversation) -> None:
        async for turn, event in conversation.events():
            from qdash_jupyter.domain.events import AnswerReady, ApprovalDecided, TurnFailed  # with the first question

            if self.screen is not None and conversation is self.conversation:
                self.screen.add(turn, event)
                self.screen.note(conversation.history_problem)
                if isinstance(event.event, ApprovalDecided):
                    self.screen.standing_changed(conversation)
            if isinstance(event.event, AnswerReady | TurnFailed):
                self.added.end_turn(turn)
                self.sign_in.dismiss()
                self.spawn(self._go_on(turn))
            self._below.changed(turn, event)
        if self._opened is not None and conversation is self.conversation:
            self._let_go()

    def _let_go(self) -> None:
        """There is nothing to show any more."""
        self._is_over = True
        self.failure.close()
        if self._cells is not None:
            self._cells.close()
        if self.screen is not None:
            self.screen.close()
        if self.panel is not None:
            self.panel.close()

    async def _go_on(self, turn: Turn) -> None:
        """What waits is asked after an answer, and stays after a question that was stopped or failed."""
        from qdash_jupyter.domain.answer import StopReason
        from qdash_jupyter.ui.commands import ask_next

        # Also where nothing waits yet: until the turn has ended, what is asked goes into the queue.
        await in_background(partial(turn.ended_within, END_S), "qdash-queue")
        if turn.state == "answered" and turn.result().stop_reason is not StopReason.CANCELLED:
            ask_next(self)
        else:
            self.queue.hold()

    async def _welcome(self, page: Page) -> None:
        self._below.save()
        changed = await self.conversation.adopt(page.opened.conversation, page.opened.path)
        self._path = page.opened.path
        try:
            await self._panel()
        except ImportError as error:
            self._problem = Message("kernel-lacks", name=str(error.name))
        if changed:
            self.conversation_changed()
        else:
            self._hello(page)

    def _hello(self, page: Page) -> None:
        page.send(
            {
                "type": "hello",
                "instance": self.link.instance,
                "version": __version__,
                "model_id": self.panel.model_id if self.panel is not None else None,
                "problem": text_in(self._problem, page.opened.language or "en") if self._problem else None,
                "conversation": self.conversation.conversation_id,
                "interrupts": "kernel" if self.hears_while_busy else "page",
            }
        )

    async def _panel(self) -> CopilotPanel:
        """The panel, made when first needed: its imports take a while."""
        if self._making is None:
            self._making = asyncio.ensure_future(in_background(self._make_panel, "qdash-panel"))
        panel = await self._making
        if self.panel is None:
            self.panel = panel
            await self._show_first()
        return panel

    async def _show_first(self) -> None:
        from qdash_jupyter.ui.screen import Screen

        self.screen = Screen(self.link.instance, self._send)
        self.screen.state.speak(self.language)
        await self.conversation.adopt()
        self.screen.show(self.conversation)
        self._show_sign_in()
        self._show_queue()
        self.spawn(self._first_greeting(self.screen))

    def _send(self, message: JsonObject) -> None:
        if self.panel is not None:
            self.panel.send(message)

    async def _first_greeting(self, screen: Screen) -> None:
        from qdash_jupyter.ui.import_ahead import import_ahead, wide_tables

        if "pandas" not in sys.modules:
            # Before anything else imports it: tables of the first question are as wide as the next ones.
            await in_background(wide_tables, "qdash-imports")
        await screen.greet(self.conversation)
        await in_background(import_ahead, "qdash-imports")

    def _make_panel(self) -> CopilotPanel:
        from qdash_jupyter.ui.panel import CopilotPanel

        panel = CopilotPanel(self._transcript)
        self.link.listen_to(panel)
        return panel

    def _transcript(self) -> str:
        from qdash_jupyter.ui.display import transcript_markdown

        return transcript_markdown(self.conversation.turns)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("The copilot's own work failed", exc_info=error)

    @property
    def _parent(self) -> JsonObject:
        """The request that the kernel is working on."""
        parent: JsonObject = self._kernel.get_parent() if self._kernel is not None else {}
        return parent

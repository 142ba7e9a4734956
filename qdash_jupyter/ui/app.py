"""The copilot of one kernel: the conversation, the browser tabs that show it, and the panel."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING, Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.errors import PersonError
from qdash_jupyter.session import Copilot
from qdash_jupyter.ui.kernel_cells import KernelCells
from qdash_jupyter.ui.link.control import ControlLink, stay_on_subshell
from qdash_jupyter.ui.panel_hint import PanelHint
from qdash_jupyter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from concurrent.futures import Future
    from datetime import timedelta
    from pathlib import Path

    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.config.manifest import Manifest
    from qdash_jupyter.domain.analysis import AnalysisRequest
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.tool_call import ToolResult
    from qdash_jupyter.domain.wire import PageMessage
    from qdash_jupyter.session import Journal, Turn
    from qdash_jupyter.ui.growing import GrowingAnswer
    from qdash_jupyter.ui.link.page import Page
    from qdash_jupyter.ui.options import DataOptions
    from qdash_jupyter.ui.panel import CopilotPanel
    from qdash_jupyter.ui.polling import Polling
    from qdash_jupyter.ui.screen import Screen

logger = logging.getLogger("qdash_jupyter")

PAGE_S = 1.2
HEARD_S = 12.0
"""ipykernel 6 cannot hear a page while a cell runs: there, a page that pinged within this time counts as open."""


class CopilotApp:
    """What `%load_ext` makes. Light: what is heavy is imported with the first page or question."""

    def __init__(self, shell: InteractiveShell) -> None:
        """Listen for pages, where the shell is that of a kernel."""
        self.shell = shell
        self.loop = AgentLoop()
        self.namespace = Namespace(shell.user_ns)
        self._kernel = getattr(shell, "kernel", None)
        self.link = ControlLink(self, self.loop.call, self._can_hear)
        self._cells = KernelCells(shell, self.namespace, self.link) if self._kernel is not None else None
        self._options: DataOptions | None = None
        self._model: str | None = None  # of the settings' models, where one was chosen
        self.copilot = self._conversation(None)
        self.panel: CopilotPanel | None = None
        self._screen: Screen | None = None
        self._hint = PanelHint(shell)
        self._problem: str | None = None  # why there is no panel
        self._path: str | None = None  # the notebook's, as its pages know it
        self._making: asyncio.Task[CopilotPanel] | None = None
        self.polling: Polling | None = None
        self._poller: Future[None] | None = None
        self._growing: dict[str, GrowingAnswer] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        if self._kernel is not None:
            self.link.open()
        self.loop.call(self._follow)

    @property
    def hears_while_busy(self) -> bool:
        """Whether commands arrive while a cell runs: ipykernel 7 has subshells."""
        return bool(getattr(self._kernel, "_supports_kernel_subshells", False))

    def _can_hear(self) -> bool:
        return self.hears_while_busy or self._cells is None or not self._cells.busy

    def close(self) -> None:
        """Stop, and give everything back."""
        self.poll_no_more()
        if self._kernel is not None:
            self.link.close()
        self.copilot.close()
        if self._cells is not None:
            self._cells.close()
        if self._screen is not None:
            self.loop.call(self._screen.close)
        if self.panel is not None:
            self.panel.close()
        self.loop.close()

    # On the main thread: for the magics.

    def use(self, options: DataOptions) -> str:
        """Other data from now on. Gives what the person has to know: the model that was chosen stays, where it can.

        Raises:
            PersonError: they cannot be used; everything stays as it was.
        """
        fresh = self._conversation(options)
        chosen, told = self._model, ""
        try:
            parts = fresh.parts()
            if chosen is not None and chosen in parts.models:
                fresh.use_model(chosen)
            elif chosen is not None:
                told = f"The settings have no model {chosen!r} any more: {parts.model!r} is asked from now on."
                chosen = None
        except PersonError:
            fresh.close()
            raise
        self.poll_no_more()
        self._options, self._model = options, chosen
        # The same notebook: its conversation goes on.
        conversation = self.copilot.conversation_id
        self.copilot.close()
        self.copilot = fresh
        self.loop.call(self._follow, conversation)
        return told

    def poll(self, keys: Sequence[str], every: timedelta) -> Polling:
        """Fetch what is stored under these keys again from time to time, or all of it, instead of what was polled.

        Raises:
            PersonError: there is no such key.
        """
        from qdash_jupyter.ui.polling import Polling
        from qdash_jupyter.ui.refreshing import meant

        meant(self.copilot.data, keys)
        polling = Polling(self.copilot, keys, every)
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

    def use_model(self, name: str) -> None:
        """Ask another model from the next question on.

        Raises:
            PersonError: there is no such model, or a question is still running.
        """
        self.copilot.use_model(name)
        self._model = name
        if self._screen is not None:
            screen = self._screen
            self.loop.call(lambda: self.spawn(screen.greet(self.copilot)))

    def missing_key(self) -> str:
        """The environment variable whose key the model cannot do without and does not have, or nothing."""
        from qdash_jupyter.config.keys import missing_key

        try:
            return missing_key(self._manifest())
        except PersonError:  # whoever asks is told
            return ""

    def key_variable(self) -> str:
        """The environment variable of the key of the model in use.

        Raises:
            PersonError: the model needs none, or the settings are wrong.
        """
        from qdash_jupyter.config.keys import model_in_use

        section = model_in_use(self._manifest())
        if section is None:
            raise PersonError("The offline planner needs no key.", "Name a model first: QDASH_COPILOT_MODEL.")
        return section.api_key_env

    def _manifest(self) -> Manifest:
        from qdash_jupyter.config.layers import load_manifest

        manifest = load_manifest(self._options.patch() if self._options else None).manifest
        return manifest.model_copy(update={"model": self._model}) if self._model else manifest

    def asking_page(self) -> Page | None:
        """The live tab whose cell runs now, where there is one: an answer can grow below that cell."""
        parent = self._parent()
        if "cellId" not in (parent.get("metadata") or {}):
            return None
        page = self.link.of_session(str(parent["header"].get("session", "")))
        if page is None:
            return None
        if not self.hears_while_busy:
            return page if page.heard_within(HEARD_S) else None
        try:
            alive = self.loop.submit(page.is_alive()).result(PAGE_S)
        except FutureTimeout:
            return None
        return page if alive else None

    def ask_below(self, question: str, page: Page, analysis: AnalysisRequest | None = None) -> Turn:
        """Ask, perhaps about one result, and let the answer grow below the running cell while the kernel goes on.

        Raises:
            PersonError: the question cannot be asked.
        """
        from qdash_jupyter.session import AskedFrom
        from qdash_jupyter.ui.growing import GrowingAnswer

        cell_id = self._parent()["metadata"]["cellId"]
        turn = self.copilot.start(question, asked_from=AskedFrom(page.client_id, cell_id), analysis=analysis)
        growing = GrowingAnswer(self.shell, turn, cell_id, self.link)
        growing.begin()
        self.loop.call(self._grow, growing)
        return turn

    def shown_panel(self) -> CopilotPanel:
        """The panel, for a cell's output."""
        panel: CopilotPanel = self.loop.submit(self._panel()).result()
        return panel

    def expect_view(self) -> None:
        """Say below the panel in the running cell what is missing, if it does not appear."""
        self._hint.begin()
        self.loop.call(self._hint.wait)

    # On the agent's loop: pages, panels, and what happens in the conversation.

    def page_opened(self, page: Page) -> None:
        """A tab has connected: tell it which panel to show."""
        self.spawn(self._welcome(page))

    def page_said(self, page: Page, message: PageMessage) -> None:
        """A tab sent a command."""
        from qdash_jupyter.ui.commands import perform

        perform(self, message, page.client_id, page.send)

    def panel_said(self, content: Any) -> None:
        """A panel wants everything, or it has no labextension that would send its commands."""
        from qdash_jupyter.domain.wire import PROTOCOL, Resync, page_message
        from qdash_jupyter.ui.commands import perform

        message, panel = page_message(content), self.panel
        if panel is None or self._screen is None or message is None:
            return
        if isinstance(message, Resync):
            self._screen.resync()
            self._hint.view_appeared()
        else:
            perform(self, message, None, lambda kind, **fields: panel.send({"v": PROTOCOL, "type": kind, **fields}))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine, with its errors in the log."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def find(self, words: str) -> None:
        """List the results that fit, for the person to choose from."""
        if self._screen is not None:
            self.spawn(self._screen.find(self.copilot, words))

    def conversation_changed(self) -> None:
        """It was begun anew or taken up: show it, and tell the pages its id."""
        if self._screen is not None:
            self._screen.show(self.copilot)
        for page in self.link:
            self._hello(page)

    def fetched(self, turn_id: str, call_id: str, result: ToolResult) -> None:
        """The table of a step is there again."""
        if self._screen is not None:
            self._screen.fetched(turn_id, call_id, result)

    def _conversation(self, options: DataOptions | None) -> Copilot:
        def build(*doors: Any) -> Any:
            from qdash_jupyter.connect import parts_builder

            patch = options.patch() if options else None
            return parts_builder(patch, demo=bool(options and options.demo))(*doors)

        def journal(conversation_id: str | None, notebook: Path | None) -> Journal:
            from qdash_jupyter.session import Journal

            return Journal.open(conversation_id, notebook)

        return Copilot(
            self.shell,
            build,
            notebook=self._cells,
            # Without a notebook there is nothing to take the conversation up again for.
            journal=journal if self._kernel is not None else None,
            namespace=self.namespace,
            loop=self.loop,
        )

    def _follow(self, conversation: str | None = None) -> None:
        """Follow the copilot of now: what this conversation has been, and what happens from here on."""
        self.spawn(self._events(self.copilot))
        if self._screen is not None:
            self.spawn(self._show(self.copilot, self._screen, conversation))

    async def _show(self, copilot: Copilot, screen: Screen, conversation: str | None) -> None:
        await copilot.adopt(conversation, self._path)
        self.conversation_changed()
        await screen.greet(copilot)

    async def _events(self, copilot: Copilot) -> None:
        async for turn, event in copilot.events():
            if self._screen is not None and copilot is self.copilot:
                self._screen.add(turn, event)
                self._screen.note(copilot.history_problem)
            growing = self._growing.get(turn.turn_id)
            if growing is not None:
                growing.changed(event)
                if growing.ended:
                    del self._growing[turn.turn_id]

    def _grow(self, growing: GrowingAnswer) -> None:
        for event in growing.turn.events:
            growing.changed(event)
        if not growing.ended:
            self._growing[growing.turn.turn_id] = growing

    async def _welcome(self, page: Page) -> None:
        changed = await self.copilot.adopt(page.opened.conversation, page.opened.path)
        self._path = page.opened.path
        try:
            await self._panel()
        except ImportError as error:
            self._problem = (
                f"The kernel's environment lacks {error.name}: run “pip install {error.name}” there, and restart."
            )
        if changed:
            self.conversation_changed()
        else:
            self._hello(page)

    def _hello(self, page: Page) -> None:
        page.send(
            "hello",
            instance=self.link.instance,
            version=__version__,
            model_id=self.panel.model_id if self.panel is not None else None,
            problem=self._problem,
            conversation=self.copilot.conversation_id,
            interrupts="kernel" if self.hears_while_busy else "page",
        )

    async def _panel(self) -> CopilotPanel:
        """The panel, made when first needed: its imports take a while."""
        from qdash_jupyter.tools.background import in_background

        if self._making is None:
            self._making = asyncio.ensure_future(in_background(self._make_panel, "qdash-panel"))
        panel = await self._making
        if self.panel is None:
            from qdash_jupyter.ui.screen import Screen

            self.panel = panel
            self._screen = Screen(self.link.instance, panel.send)
            await self.copilot.ready()
            self._screen.show(self.copilot)
            self.spawn(self._screen.greet(self.copilot))
        return panel

    def _make_panel(self) -> CopilotPanel:
        from qdash_jupyter.ui.display import transcript_markdown
        from qdash_jupyter.ui.panel import CopilotPanel

        panel = CopilotPanel(lambda: transcript_markdown(self.copilot.turns))
        if panel.comm is not None:
            stay_on_subshell(panel.comm)
        panel.on_msg(lambda _widget, content, _buffers: self.loop.call(self.panel_said, content))
        return panel

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("The copilot's own work failed", exc_info=error)

    def _parent(self) -> JsonObject:
        """The request that the kernel is working on."""
        parent: JsonObject = self._kernel.get_parent() if self._kernel is not None else {}
        return parent

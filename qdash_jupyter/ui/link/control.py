"""The kernel's end of the control comms: tells pages that it is there, and hands on what they send.

Where a panel is shown without the labextension it sends its commands on its own channel: `listen_to`. See
docs/decisions/0018 for why there are two ways; beyond this module there is one.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from qdash_jupyter.domain.wire import PROTOCOL
from qdash_jupyter.version import __version__

if TYPE_CHECKING:
    from comm.base_comm import BaseComm

    from qdash_jupyter.domain.wire.kernel import Ack, Announcement
    from qdash_jupyter.domain.wire.page import PageMessage
    from qdash_jupyter.ui.link.page import Page
    from qdash_jupyter.ui.panel import CopilotPanel

ANNOUNCE = "qdash_jupyter.announce"
CLIENT = "qdash_jupyter.client"

logger = logging.getLogger("qdash_jupyter")


class PageListener(Protocol):
    """Who serves the pages. Both methods are called on the agent's loop."""

    def page_opened(self, page: Page) -> None:
        """A tab has connected."""

    def commanded(self, message: PageMessage, client_id: str | None, answer: Callable[[Ack], None]) -> None:
        """A command came; `client_id` is that of its tab, where it came by the tab's own comm."""


class ControlLink:
    """The comms of one kernel. `pages` are the tabs that are open as far as one knows: dead ones say no goodbye."""

    def __init__(
        self, listener: PageListener, on_loop: Callable[..., None], can_hear: Callable[[], bool] = lambda: True
    ) -> None:
        """`on_loop(function, *arguments)` calls a function on the agent's loop, from any thread. `can_hear` says no
        while a cell keeps the kernel from reading what pages say.
        """
        self.instance = uuid.uuid4().hex
        self._listener = listener
        self._on_loop = on_loop
        self._can_hear = can_hear
        self._pages: dict[str, Page] = {}
        self._announce: BaseComm | None = None

    def open(self, *, announced: bool = True) -> None:
        """Listen, and tell the pages that are open already. Without being `announced` no page finds this kernel."""
        from comm import create_comm, get_comm_manager

        get_comm_manager().register_target(CLIENT, self._opened)
        if not announced:
            return
        announcement: Announcement = {"instance": self.instance, "version": __version__}
        self._announce = create_comm(target_name=ANNOUNCE, data=announcement)

    def listen_to(self, panel: CopilotPanel) -> None:
        """Take the commands that the panel sends itself."""
        if panel.comm is not None:
            stay_on_subshell(panel.comm)
        panel.on_msg(lambda _widget, content, _buffers: self._on_loop(self._panel_said, panel, content))

    def close(self) -> None:
        """Stop listening; the pages see their comms close."""
        from comm import get_comm_manager

        get_comm_manager().targets.pop(CLIENT, None)
        for page in list(self._pages.values()):
            page.comm.close()
        self._pages.clear()
        if self._announce is not None:
            self._announce.close()
            self._announce = None

    def __iter__(self) -> Iterator[Page]:
        return iter(list(self._pages.values()))

    def in_order(self, preferred: str | None) -> Sequence[Page]:
        """The tabs to try: `preferred` (a client id) first, then the ones heard of last."""
        return sorted(self, key=lambda page: (page.client_id != preferred, -page.last_heard))

    def of_session(self, session: str) -> Page | None:
        """The tab whose kernel connection has this session id."""
        return next((page for page in self.in_order(None) if page.session == session), None)

    # Comm messages come on the main thread or on a subshell's: nothing happens there but handing them on.

    def _opened(self, comm: BaseComm, message: dict[str, Any]) -> None:
        stay_on_subshell(comm)
        comm.on_msg(lambda said: self._on_loop(self._said, comm.comm_id, said["content"]["data"]))
        comm.on_close(lambda _: self._on_loop(self._pages.pop, comm.comm_id, None))
        self._on_loop(self._welcome, comm, message["content"]["data"], str(message["header"].get("session", "")))

    def _welcome(self, comm: BaseComm, data: object, session: str) -> None:
        from qdash_jupyter.domain.wire.page import client_opened
        from qdash_jupyter.ui.link.page import Page

        opened = client_opened(data)
        if opened is None:
            logger.warning("A page opened a comm that is not of this protocol")
            comm.close()
            return
        # A tab that connects again (reload of the page, lost connection) has left its old comm behind.
        for stale in [page for page in self if page.client_id == opened.client_id]:
            del self._pages[stale.comm.comm_id]
        page = self._pages[comm.comm_id] = Page(comm, opened, session, self._can_hear)
        self._listener.page_opened(page)

    def _said(self, comm_id: str, data: object) -> None:
        from qdash_jupyter.domain.wire.page import CellDeleted, CellEdited, CellInserted, CellsTaken, Ping, page_message

        page = self._pages.get(comm_id)
        message = page_message(data)
        if page is None:
            return
        if isinstance(message, (Ping, CellInserted, CellDeleted, CellsTaken, CellEdited)):
            page.heard(message)
            return
        page.heard()
        if message is None:
            kind = data.get("type") if isinstance(data, dict) else data  # the rest may hold a key
            logger.warning("A page sent what this version does not know: %.200r", kind)
        else:
            self._listener.commanded(message, page.client_id, page.send)

    def _panel_said(self, panel: CopilotPanel, content: object) -> None:
        from qdash_jupyter.domain.wire.page import page_message

        message = page_message(content)
        if message is not None:
            self._listener.commanded(message, None, lambda ack: panel.send({"v": PROTOCOL, **ack}))


def stay_on_subshell(comm: BaseComm) -> None:
    """Leave what the page sends on this comm on the subshell that the page chose.

    ipykernel 7.4 would route it to the shell that published last on the comm: the main one, which may be busy.
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = None  # noqa: SLF001

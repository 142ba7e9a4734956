"""The words below a `%copilot panel` that no panel follows: what is missing, and where."""

from __future__ import annotations

import asyncio
import uuid

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.messages.message import Message, Text

VIEW_S = 4.0
"""A page has so long to draw the panel: over a slow link, its text alone takes a second or two."""

HINT = Message("no-panel-appeared")


class PanelHint:
    """An output below the last panel: empty, unless no view of the panel says that it is there."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._display_id = ""
        self._timer: asyncio.TimerHandle | None = None
        self._shown = self._is_seen = False

    def begin(self) -> None:
        """Expect a view of the panel that is shown next: it can be there before `take_place` is called."""
        self._is_seen = False

    def take_place(self) -> None:
        """Take the place below the panel. On the main thread, in the cell of the panel."""
        self._display_id = uuid.uuid4().hex
        self._publish("", update=False)

    def wait(self) -> None:
        """Give the page its time. On the agent's loop, as all that follows."""
        if self._timer is not None:
            self._timer.cancel()
        if not self._is_seen:
            self._timer = asyncio.get_running_loop().call_later(VIEW_S, self._publish, HINT)

    def view_appeared(self) -> None:
        """A view of the panel is there, be it late."""
        self._is_seen = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._shown:
            self._publish("")

    def _publish(self, text: Text, *, update: bool = True) -> None:
        from qdash_jupyter.ui.display import markdown

        self._shown = bool(text)
        self._shell.display_pub.publish(data=markdown(text), transient={"display_id": self._display_id}, update=update)

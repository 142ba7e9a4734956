"""An answer that grows below a cell of `%%copilot` that has returned already."""

from __future__ import annotations

import asyncio

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.agent.partial import partial_answer
from qdash_jupyter.domain.answer import JsonObject, TextBlock
from qdash_jupyter.domain.events import AnswerReady, StampedEvent, TextDelta, TurnFailed
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.display import final_bundles, markdown
from qdash_jupyter.ui.link.control import ControlLink
from qdash_jupyter.ui.progress import words_of

TICK_S = 0.2
"""A cell's output is part of the document: changed five times a second it stays calm."""


class GrowingAnswer:
    """The output of one magic's cell, kept up to date by its display id, and saved with the notebook."""

    def __init__(self, shell: InteractiveShell, turn: Turn, cell_id: str, link: ControlLink) -> None:
        """`cell_id` is the asking cell's."""
        self.turn = turn
        self.ended = False
        self._shell = shell
        self._cell_id = cell_id
        self._link = link
        self._mark: JsonObject = {"qdash_copilot": {"turn_id": turn.turn_id}}
        self._status = ""
        self._text = ""
        self._shown = ""
        self._pending: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Show the first words. On the main thread, in the magic's own cell."""
        self._publish(f"*{Message('stage-thinking').of(self.turn.language)}*", update=False)

    def changed(self, stamped: StampedEvent) -> None:
        """Something happened in the turn. On the agent's loop, as all that follows."""
        event = stamped.event
        if isinstance(event, (AnswerReady, TurnFailed)):
            self._end()
            return
        if isinstance(event, TextDelta):
            self._text += event.text
        elif words := words_of(event, self.turn.language):
            self._status, self._text = words, ""
        if self._pending is None:
            self._pending = asyncio.get_running_loop().call_later(TICK_S, self._update)

    def _update(self) -> None:
        self._pending = None
        written = [block.content for block in partial_answer(self._text) if isinstance(block, TextBlock)]
        text = "\n\n".join(written) or (f"*{harmless_words(self._status)}*" if self._status else "")
        if text and text != self._shown:
            self._publish(text, update=True)

    async def save(self) -> bool:
        """Have a page write the whole answer into the notebook, as charts have no display id. Says no where no page
        answers, which may be reloading.
        """
        bundles = final_bundles(self.turn)
        outputs = [{"output_type": "display_data", "data": bundle, "metadata": self._mark} for bundle in bundles]
        asked: set[str] = set()  # by comm: a tab that was reloaded since is at the end of another one
        client_id = self.turn.asked_from.client_id
        while page := next((each for each in self._link.in_order(client_id) if each.comm.comm_id not in asked), None):
            asked.add(page.comm.comm_id)
            if await page.is_alive():
                page.send(
                    {"type": "set_outputs", "cell_id": self._cell_id, "turn_id": self.turn.turn_id, "outputs": outputs}
                )
                return True
        return False

    def _end(self) -> None:
        """Show the whole answer."""
        self.ended = True
        if self._pending is not None:
            self._pending.cancel()
        self._publish(final_bundles(self.turn)[0], update=True)

    def _publish(self, content: str | JsonObject, *, update: bool) -> None:
        if isinstance(content, str):
            self._shown, content = content, markdown(content)
        self._shell.display_pub.publish(
            data=content, metadata=self._mark, transient={"display_id": self.turn.turn_id}, update=update
        )

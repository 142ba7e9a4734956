"""Writes the changes of cells that the user has accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.domain.answer import CellEditBlock
from qdash_jupyter.errors import PageLost, PersonError
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.session.turn import Turn
    from qdash_jupyter.ui.link.page import Page


class CellEdits:
    """The way to the notebook of what `propose_cell_edit` has proposed. On the agent's loop."""

    def __init__(self, pages: Callable[[str | None], Sequence[Page]]) -> None:
        """`pages` are the tabs to try."""
        self._pages = pages

    async def accept(self, turn: Turn, edit_id: str) -> panel.EditState:
        """Have the change written where the cell still has the text that it was made from; says what came of it.

        Raises:
            PersonError: there is no such proposal, or no tab answers.
        """
        edit = _edit(turn, edit_id)
        found: panel.EditState | None = None
        for page in self._pages(turn.asked_from.client_id) if edit.cell_id else ():
            try:
                found = await page.edit_cell(edit.cell_id, edit.before, edit.after)
            except PageLost:
                continue
            if found != "gone":
                break
        if found is None:
            raise PersonError(Message("cell-not-open"), Message("cell-not-open-hint"))
        return found


def _edit(turn: Turn, edit_id: str) -> CellEditBlock:
    for result in turn.tool_results:
        for block in result.blocks:
            if isinstance(block, CellEditBlock) and block.edit_id == edit_id:
                return block
    raise PersonError(Message("edit-gone"), Message("ask-again"))

"""The cells that turns have added to the notebook, or would change: what stands above them, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.shown_cell import past_cell
from qdash_jupyter.domain.answer import CellEditBlock
from qdash_jupyter.domain.cell_run import CellRun, cells_in_notebook, cells_unseen
from qdash_jupyter.domain.events import CellsChanged
from qdash_jupyter.domain.heading import heading_of
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.domain.wire.page import CellsTaken
from qdash_jupyter.errors import PageLost, PersonError
from qdash_jupyter.messages.message import Message, Text, sentences
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.link.page import Page


class AddedCells:
    """Takes the cells of turns out and puts them in again, and writes accepted changes. On the agent's loop."""

    def __init__(
        self, namespace: Namespace, pages: Callable[[str | None], Sequence[Page]], setup: Callable[[], Sequence[str]]
    ) -> None:
        """`pages` are the tabs to try, `setup` the lines by which a notebook gets its `copilot`."""
        self._namespace = namespace
        self._pages = pages
        self._setup = setup
        self._taken: dict[str, dict[str, object]] = {}  # by turn, the names that went with its cells

    def end_turn(self, turn: Turn) -> None:
        """Its cells become ordinary ones, below what came of the question."""
        if not cells_in_notebook(turn.cells):
            return
        for page in self._pages(turn.asked_from.client_id):
            page.send({"type": "end_turn", "turn_id": turn.turn_id, "heading": self._heading(turn)})

    def keep(self, turn: Turn) -> CellsChanged:
        """They stay, and nobody is asked any more."""
        runs = _cells(turn)
        return CellsChanged(len(runs), runs[0].request.cell_id if runs else "", "kept")

    async def undo(self, turn: Turn) -> CellsChanged:
        """Take out the cells of the turn that nobody has changed, and the names that they bound.

        Raises:
            PersonError: there are none, or no tab answers; everything stays.
        """
        runs = _cells(turn)
        if not runs:
            raise PersonError.with_hint("no-cells-added")
        done = await self._on_page(turn, lambda page: page.take_out(turn.turn_id))
        taken = [run for run in runs if run.request.cell_id in done.taken]
        names = {name for run in taken for name in run.created}
        kept = {name for run in runs if run not in taken for name in run.created}
        self._taken[turn.turn_id] = self._namespace.give_up(names - kept)
        first = runs[0].request.cell_id
        note = _left(len(done.left), names & kept)
        return CellsChanged(len(done.taken), first, "undone", note)

    async def redo(self, turn: Turn) -> CellsChanged:
        """Put them in again, with their outputs and names; or for the first time those that ran unseen.

        Raises:
            PersonError: no tab answers.
        """
        runs = _cells(turn)
        cells = [past_cell(run, step) for step, run in enumerate(runs, start=1)]
        asked_in, heading = turn.asked_from.cell_id, self._heading(turn)
        await self._on_page(
            turn,
            lambda page: page.put_in(turn.turn_id, cells, asked_in=asked_in, setup=self._setup(), heading=heading),
        )
        lost = self._namespace.take_up(self._taken.pop(turn.turn_id, {}))
        note = Message("names-are-yours", names=tuple(lost)) if lost else ""
        return CellsChanged(len(cells), cells[0]["cell_id"], "added", note)

    async def accept_edit(self, turn: Turn, edit_id: str) -> panel.EditState:
        """Have the change written where the cell still has the text that it was made from; says what came of it.

        Raises:
            PersonError: there is no such proposal, or no tab answers.
        """
        blocks = (block for result in turn.tool_results for block in result.blocks)
        edit = next((block for block in blocks if isinstance(block, CellEditBlock) and block.edit_id == edit_id), None)
        if edit is None:
            raise PersonError(Message("edit-gone"), Message("ask-again"))
        found: panel.EditState | None = None
        for page in self._pages(turn.asked_from.client_id) if edit.cell_id else ():
            try:
                found = await page.edit_cell(edit.cell_id, edit.before, edit.after)
            except PageLost:
                continue
            if found != "gone":
                break
        if found is None:
            raise PersonError.with_hint("cell-not-open")
        return found

    async def _on_page(self, turn: Turn, work: Callable[[Page], Any]) -> CellsTaken:
        for page in self._pages(turn.asked_from.client_id):
            try:
                done: CellsTaken = await work(page)
            except PageLost:
                continue
            if done.taken or done.left:
                return done
        raise PersonError.with_hint("notebook-not-open")

    def _heading(self, turn: Turn) -> str | None:
        if turn.asked_from.cell_id is not None:
            return None
        try:
            return heading_of(turn.question, turn.result())
        except PersonError:
            return heading_of(turn.question)


def _cells(turn: Turn) -> list[CellRun]:
    """Those of the notebook; where the turn ran unseen, those that the user may have inserted."""
    return cells_in_notebook(turn.cells) or cells_unseen(turn.cells)


def _left(cells: int, names: Iterable[str]) -> Text:
    if not cells:
        return ""
    kept = tuple(sorted(names))
    return sentences(Message("cells-stay", count=cells), Message("names-stay", names=kept) if kept else "")

"""The kernel of a conversation: the shell in which its cells run, and the notebooks in which they may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.host import CellHost, InlineRunner, NotebookCells
    from qdash_jupyter.cells.namespace import Namespace


class ShellKernel:
    """The kernel of an IPython shell (see `qdash_jupyter.cells.host.Kernel`)."""

    def __init__(
        self,
        shell: InteractiveShell,
        namespace: Namespace,
        notebook: NotebookCells | None = None,
        setup: tuple[str, ...] = (),
    ) -> None:
        """`notebook` is where cells can be inserted; None runs them inline. `setup` are the lines by which a notebook
        gets the same `copilot`.
        """
        self._setup = setup
        self.shell = shell
        self.namespace = namespace
        self.notebook = notebook

    def for_turn(
        self,
        turn_id: str,
        question: str,
        runner: InlineRunner,
        *,
        client_id: str | None,
        cell_id: str | None,
        unseen: bool = False,
    ) -> CellHost:
        """The place for the cells of one turn."""
        from qdash_jupyter.cells.host import CellPlace
        from qdash_jupyter.cells.inline import InlineCellHost  # needed with the first question
        from qdash_jupyter.cells.turn_cells import TurnCells
        from qdash_jupyter.domain.heading import heading_of

        inline = InlineCellHost(self.shell, self.namespace)
        heading = heading_of(question) if cell_id is None else None
        place = CellPlace(turn_id, 0, client_id, cell_id, self._setup, heading)
        return TurnCells(inline, self.notebook, runner, place, unseen)

    def close(self) -> None:
        """Nothing: the names are the user's."""

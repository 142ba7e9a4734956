"""The kernel of a conversation: the shell of the user, the session beside it, and the notebooks for cells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.host import Call, CellHost, InlineRunner
    from qdash_jupyter.cells.lab import LabCells
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.shown_cell import CellPlace
    from qdash_jupyter.kernel.session_cells import SessionCells
    from qdash_jupyter.messages.message import Text
    from qdash_jupyter.store.frame import StoredResult


class ShellKernel:
    """The kernel of an IPython shell (see `qdash_jupyter.cells.host.Kernel`)."""

    def __init__(
        self,
        shell: InteractiveShell,
        namespace: Namespace,
        notebook: LabCells | None = None,
        setup: tuple[str, ...] = (),
    ) -> None:
        """`notebook` is where cells can be inserted; None runs them unseen. `setup` are the lines by which a notebook
        gets the same `copilot`.
        """
        self._setup = setup
        self.shell = shell
        self.namespace = namespace
        self.notebook = notebook
        self._session: SessionCells | None = None

    @property
    def confined_by(self) -> Text:
        """What confines code, in words; empty where it has no process of its own."""
        from qdash_jupyter.kernel.worker import worker_of_kernel

        return worker_of_kernel().confined_by

    def give(self, data: Mapping[str, StoredResult], call: Call, most_calls: int, memory_mb: int | None = None) -> None:
        """Let code have these results, and call tools that read, so many times in each turn."""
        if self._session is None:
            from qdash_jupyter.kernel.session_cells import SessionCells
            from qdash_jupyter.kernel.worker import worker_of_kernel

            session = worker_of_kernel(memory_mb).session(data)
            self._session = SessionCells(session, self.namespace, self.shell)
            if self.notebook is not None:
                self.notebook.before_cells = self._session.carried.bind
        self._session.session.let_call(call, most_calls)

    def for_turn(self, place: CellPlace, runner: InlineRunner, *, unseen: bool = False, ours: bool = False) -> CellHost:
        """The place for the cells of one turn."""
        from qdash_jupyter.cells.inline import InlineCellHost  # needed with the first question
        from qdash_jupyter.cells.shells import is_made_here
        from qdash_jupyter.kernel.turn_cells import TurnCells

        if self._session is None:
            raise RuntimeError("`give` comes first")
        self._session.session.begin_turn()
        inline = InlineCellHost(self.shell, self.namespace)
        place = replace(place, setup=self._setup)
        return TurnCells(self._session, inline, self.notebook, runner, place, unseen, ours and is_made_here(self.shell))

    def close(self) -> None:
        """End the session. The names are the user's."""
        session, self._session = self._session, None
        if session is not None:
            if self.notebook is not None:
                self.notebook.before_cells = None
            session.session.close()

"""The cells of a kernel: in the notebooks that are open in a browser, or between two cells where none is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.cells.idle import run_when_idle
from qdash_jupyter.cells.lab import LabCellHost
from qdash_jupyter.cells.watch import CellWatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.page import NotebookPages


class KernelCells:
    """What a conversation needs of them (see `qdash_jupyter.session.NotebookCells`)."""

    def __init__(self, shell: InteractiveShell, namespace: Namespace, pages: NotebookPages) -> None:
        """Begin to watch the shell's cells."""
        self._shell = shell
        self._watch = CellWatch(shell, namespace)
        self.run = LabCellHost(self._watch, pages).run

    @property
    def busy(self) -> bool:
        """Whether the kernel runs a cell."""
        return self._watch.busy

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        """Call `job` on the main thread while the kernel runs no cell; False where there is no loop for it."""
        return run_when_idle(self._shell, self._watch, job)

    def close(self) -> None:
        """Stop watching."""
        self._watch.close()

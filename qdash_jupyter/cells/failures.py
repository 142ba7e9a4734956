"""The last cell of the user's that failed, for `%copilot fix`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

    from qdash_jupyter.domain.analysis import FailedCell


class LastFailure:
    """Kept until that cell runs well, as words: an error itself holds on to all that was bound when it came."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.cell: FailedCell | None = None
        self._shell = shell
        shell.events.register("post_run_cell", self._ended)

    def close(self) -> None:
        """Watch no more."""
        self._shell.events.unregister("post_run_cell", self._ended)

    def of(self, cell_id: str, code: str) -> FailedCell | None:
        """The failure, if it is that of this cell as it is."""
        cell = self.cell
        return cell if cell is not None and (cell.cell_id, cell.code) == (cell_id, code) else None

    def _ended(self, result: ExecutionResult) -> None:
        info, error = result.info, result.error_before_exec or result.error_in_exec
        cell_id = str(getattr(info, "cell_id", None) or "")
        if not info.store_history or info.raw_cell.lstrip().startswith(("%copilot", "%%copilot")):
            return
        if error is None:
            if self.cell is not None and (self.cell.cell_id or self.cell.code) in {cell_id, info.raw_cell}:
                self.cell = None
        elif isinstance(error, Exception):  # an interrupt is no failure
            from qdash_jupyter.cells.outcome import cell_lines
            from qdash_jupyter.domain.analysis import FailedCell

            self.cell = FailedCell(f"[{result.execution_count}]", info.raw_cell, cell_lines(error), cell_id)

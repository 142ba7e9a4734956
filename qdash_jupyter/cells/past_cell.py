"""A cell of the agent's as a page inserts it without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qdash_jupyter.domain.cell_run import CellRun
    from qdash_jupyter.domain.wire.kernel import PastCell


def past_cell(run: CellRun, step: int) -> PastCell:
    """With what it has shown; `step` is its number in the turn."""
    return {
        "cell_id": run.request.cell_id,
        "code": run.request.source.rstrip("\n"),
        "step": step,
        "purpose": run.request.purpose,
        "outputs": list(run.outputs),
        "execution_count": run.execution_count,
    }

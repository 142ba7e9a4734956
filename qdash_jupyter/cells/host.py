"""The door to the place where code runs."""

from __future__ import annotations

from typing import Protocol

from qdash_jupyter.domain.cell_run import CellRequest, CellRun


class CellHost(Protocol):
    """Runs code in the person's kernel, one piece at a time, and says what came of it."""

    async def run(self, request: CellRequest) -> CellRun:
        """Run the code and return when it is done. Code that raises is a run with status `error`, no exception."""
        ...

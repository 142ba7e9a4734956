"""Cells of the copilot where no notebook takes them, and a loop runs between two cells of the user's: marimo."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

logger = logging.getLogger("qdash_jupyter")


class BetweenCells:
    """Has them run inline on the thread of that loop (see `qdash_jupyter.cells.host.NotebookCells`)."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop in which the cells of the user run: while one does, it does nothing else."""
        self._loop = loop

    busy = False

    def bind_first(self, _: object) -> None:
        """Nobody tells when a cell of the user's begins."""

    async def show(self, *_: object) -> None:
        """Refuse: no cell is inserted here."""

    def remove_cell(self, _: str) -> None:
        """There is none."""

    async def insert(self, *_: object) -> bool:
        """Refuse: no cell is inserted here."""
        return False

    def run_when_idle(self, job: Callable[[], None]) -> bool:
        """Call `job` on the loop's thread; False where the loop has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(_run, job)
            return True
        return False


def _run(job: Callable[[], None]) -> None:
    # What left this callback would end the loop, and with it the user's session.
    try:
        job()
    except KeyboardInterrupt:
        logger.info("A cell of the copilot was interrupted")
    except Exception:
        logger.exception("A cell of the copilot failed")

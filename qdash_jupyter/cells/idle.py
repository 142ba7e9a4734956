"""Runs a job on the kernel's main thread between two cells: for questions where no page can insert a cell."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from qdash_jupyter.cells.gate import InterruptGate
from qdash_jupyter.cells.watch import CellWatch

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

logger = logging.getLogger("qdash_jupyter")


def run_when_idle(shell: InteractiveShell, watch: CellWatch, job: Callable[[], None]) -> bool:
    """Run the job as soon as no cell runs. From any thread; says no where there is no kernel with a loop."""
    loop = getattr(getattr(shell, "kernel", None), "io_loop", None)
    if loop is None:
        return False

    def attempt() -> None:
        if watch.busy:  # also a cell that awaits: the loop goes on meanwhile
            watch.when_idle(lambda: loop.add_callback(attempt))
        else:
            _run(job)

    loop.add_callback(attempt)
    return True


def _run(job: Callable[[], None]) -> None:
    # Between two messages ipykernel ignores interrupts; and one that left this callback would end the kernel's loop.
    gate = InterruptGate()
    try:
        gate.install()
        job()
    except KeyboardInterrupt:
        logger.info("A job between two cells was interrupted")
    except Exception:
        logger.exception("A job between two cells failed")
    finally:
        gate.shut()
        gate.remove()

"""The place of a conversation's code where there is no kernel: each piece begins anew in the isolated worker."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.errors import ConfigurationError

if TYPE_CHECKING:
    from qdash_jupyter.cells.host import CellHost, Publish
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.worker.isolated import IsolatedWorker


class WorkerKernel:
    """A kernel without names (see `qdash_jupyter.cells.host.Kernel`)."""

    def __init__(self, worker: IsolatedWorker, store: Mapping[str, StoredResult]) -> None:
        """`store` holds the conversation's results."""
        self.namespace = Namespace({})
        self._cells = WorkerCells(worker, store)

    def for_turn(self, *_: object, **__: object) -> CellHost:
        """The same place for every turn."""
        return self._cells


class WorkerCells:
    """Runs code in the worker, with all results of the conversation."""

    is_confined = True

    def __init__(self, worker: IsolatedWorker, store: Mapping[str, StoredResult]) -> None:
        """Use this worker and these results."""
        self._worker, self._store = worker, store

    async def run(self, request: CellRequest, publish: Publish) -> CellRun:
        """Run the code and return when it is done. Cancelled, it is killed."""
        publish(CellMoved(request, "running", in_notebook=False))
        started = time.monotonic()
        try:
            result = await self._worker.run(request.code, self._store)
        except ConfigurationError as problem:
            return CellRun(request, CellStatus.REJECTED, reason=str(problem))
        finally:
            publish(CellMoved(request, "finished", in_notebook=False))
        return CellRun(
            request,
            CellStatus.ERROR if result.error else CellStatus.OK,
            text=result.output,
            value=result.value,
            charts=result.blocks,
            traceback=result.traceback or result.error,
            elapsed_s=time.monotonic() - started,
        )

    async def insert(self, request: CellRequest) -> CellRun:
        """Refuse the code."""
        reason = "Nothing runs by itself here (policy: insert_only), and there is no notebook to insert a cell into."
        return CellRun(request, CellStatus.REJECTED, reason=reason)

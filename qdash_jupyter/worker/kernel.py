"""The place of a conversation's code where there is no kernel: a session of the isolated worker."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.errors import ConfigurationError

if TYPE_CHECKING:
    from qdash_jupyter.cells.host import CellHost, Publish
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.worker.isolated import IsolatedWorker
    from qdash_jupyter.worker.session import WorkerSession


class WorkerKernel:
    """A session of the worker as a kernel (see `qdash_jupyter.cells.host.Kernel`)."""

    def __init__(self, worker: IsolatedWorker, store: Mapping[str, StoredResult]) -> None:
        """`store` holds the conversation's results."""
        self.namespace = self._names = SessionNames()
        self._session = worker.session(store)
        self._cells = WorkerCells(self._session, self._names)

    def for_turn(self, *_: object, **__: object) -> CellHost:
        """The same place for every turn."""
        return self._cells

    def close(self) -> None:
        """End the session with its names."""
        self._session.close()


class SessionNames(Namespace):
    """The names of a session: what was told of them, as they are in another process."""

    def __init__(self) -> None:
        """None yet."""
        super().__init__({})
        self._words: dict[str, str] = {}

    def note(self, created: Iterable[tuple[str, str]]) -> None:
        """Code has bound these names, told with type and shape."""
        self._words.update(created)

    def told(self, names: Iterable[str]) -> list[str]:
        """The names with type and shape."""
        return [self._words.get(name, name) for name in names]

    def to_bind_again(self, code: str, created: Sequence[str]) -> list[str]:  # noqa: ARG002
        """None: there is no notebook to be run again, and what failing code has bound stays."""
        return []


class WorkerCells:
    """Runs code in the session, with all results of the conversation."""

    is_confined = True

    def __init__(self, session: WorkerSession, names: SessionNames) -> None:
        """Use this session, and note what it binds."""
        self._session, self._names = session, names

    async def run(self, request: CellRequest, publish: Publish) -> CellRun:
        """Run the code and return when it is done. Cancelled, it is interrupted, or killed."""
        publish(CellMoved(request, "running", in_notebook=False))
        started = time.monotonic()
        try:
            result = await self._session.run(request.code)
        except ConfigurationError as problem:
            return CellRun(request, CellStatus.REJECTED, reason=str(problem))
        finally:
            publish(CellMoved(request, "finished", in_notebook=False))
        self._names.note(result.created)
        return CellRun(
            request,
            CellStatus.ERROR if result.error else CellStatus.OK,
            text=result.output,
            value=result.value,
            charts=result.blocks,
            traceback=result.traceback or result.error,
            created=tuple(name for name, _ in result.created),
            gone=result.gone,
            elapsed_s=time.monotonic() - started,
        )

    async def insert(self, request: CellRequest) -> CellRun:
        """Refuse the code."""
        reason = "Nothing runs by itself here (policy: insert_only), and there is no notebook to insert a cell into."
        return CellRun(request, CellStatus.REJECTED, reason=reason)

"""The place of a conversation's code where there is no kernel: a session of the isolated worker."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.errors import ConfigurationError, ToolError

if TYPE_CHECKING:
    from qdash_jupyter.cells.host import CellHost, Publish
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.worker.isolated import IsolatedWorker
    from qdash_jupyter.worker.result import Call, JobResult
    from qdash_jupyter.worker.session import WorkerSession


class WorkerKernel:
    """A session of the worker as a kernel (see `qdash_jupyter.cells.host.Kernel`)."""

    def __init__(self, worker: IsolatedWorker, store: Mapping[str, StoredResult]) -> None:
        """`store` holds the conversation's results."""
        self.namespace = self._names = SessionNames()
        self.confined_by = worker.confined_by
        self._session = worker.session(store)
        self._cells = WorkerCells(self._session, self._names)
        self._call: Call | None = None
        self._most_calls, self._calls = 0, 0

    def give(self, _: object, call: Call, most_calls: int, __: int | None = None) -> None:
        """Let code call tools that read, so many times in each turn."""
        self._call, self._most_calls = call, most_calls
        self._session.call = self._called

    def for_turn(self, *_: object, **__: object) -> CellHost:
        """The same place for every turn."""
        self._calls = 0
        return self._cells

    def _called(self, tool: str, by_place: Sequence[Any], by_name: JsonObject) -> StoredResult | JsonObject:
        self._calls += 1
        if self._call is None or self._calls > self._most_calls:
            most = f"Code may call tools {self._most_calls} times for one question."
            raise ToolError(most, "Fetch more with each call.")
        return self._call(tool, by_place, by_name)

    def close(self) -> None:
        """End the session with its names."""
        self._session.close()


class SessionNames(Namespace):
    """The names of a session: what was told of them, as they are in another process."""

    def __init__(self) -> None:
        """None yet."""
        super().__init__({})

    def to_bind_again(self, code: str, created: Sequence[str]) -> list[str]:  # noqa: ARG002
        """None: there is no notebook to be run again, and what failing code has bound stays."""
        return []


class WorkerCells:
    """Runs code in the session, with all results of the conversation."""

    has_kernel = False

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
            outputs=result.outputs,
            text=_with_pictures(result),
            value=result.value,
            charts=result.blocks,
            traceback=result.traceback or result.error,
            created=tuple(name for name, _ in result.created),
            gone=result.gone,
            elapsed_s=time.monotonic() - started,
        )

    async def run_in_kernel(self, request: CellRequest, _: Publish) -> CellRun:
        """Refuse the code."""
        return await self.insert(request)

    def before(self, _: str) -> list[str]:
        """Nothing: there is no kernel."""
        return []

    async def insert(self, request: CellRequest) -> CellRun:
        """Refuse the code."""
        reason = "Nothing runs by itself here (policy: insert_only), and there is no notebook to insert a cell into."
        return CellRun(request, CellStatus.REJECTED, reason=reason)


def _with_pictures(result: JobResult) -> str:
    """What it printed, and, for the model, that nobody sees its pictures: answers have Plotly figures alone."""
    pictures = sum("image/png" in output.get("data", ()) for output in result.outputs)
    said = f"Drawn with Matplotlib: {pictures}, which the answer cannot show. Draw with Plotly." if pictures else ""
    return "\n".join(filter(None, [result.output.rstrip("\n") if said else result.output, said]))

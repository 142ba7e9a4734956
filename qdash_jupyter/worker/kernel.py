"""The place of a conversation's code where there is no kernel: a session of the isolated worker."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from qdash_jupyter.cells.host import Call, CellHost, NoCells, Publish
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import CellMoved
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.result import JobResult


class WorkerKernel(NoCells):
    """A session of the worker as a kernel (see `qdash_jupyter.cells.host.Kernel`), and the place of the code of all its
    turns (`CellHost`).
    """

    why = Message("not-run-no-notebook")

    def __init__(self, worker: IsolatedWorker, store: Mapping[str, StoredResult]) -> None:
        """`store` holds the conversation's results."""
        self.namespace = Namespace({})
        self.confined_by = worker.confined_by
        self._session = worker.session(store)

    def give(self, _: object, call: Call, most_calls: int, __: int | None = None) -> None:
        """Let code call tools that read, so many times in each turn."""
        self._session.let_call(call, most_calls)

    def for_turn(self, *_: object, **__: object) -> CellHost:
        """The same place for every turn."""
        self._session.begin_turn()
        return self

    def close(self) -> None:
        """End the session with its names."""
        self._session.close()

    async def run(self, request: CellRequest, publish: Publish) -> CellRun:
        """Run the code with all results of the conversation. Cancelled, it is interrupted, or killed."""
        publish(CellMoved(request, "running", in_notebook=False))
        started = time.monotonic()
        try:
            result = await self._session.run(request.code)
        except ConfigurationError as problem:
            return CellRun(request, CellStatus.REJECTED, reason=problem.text)
        finally:
            publish(CellMoved(request, "finished", in_notebook=False))
        self.namespace.note(result.created)
        return replace(run_of(request, result), text=_with_pictures(result), elapsed_s=time.monotonic() - started)


def run_of(request: CellRequest, result: JobResult) -> CellRun:
    """What came of a request in a session."""
    return CellRun(
        request,
        CellStatus.ERROR if result.error else CellStatus.OK,
        outputs=result.outputs,
        text=result.output,
        value=result.value,
        charts=result.charts,
        traceback=result.traceback or str(result.error),
        reason=result.error if isinstance(result.error, Message) else "",
        created=tuple(name for name, _ in result.created),
        gone=result.gone,
    )


def _with_pictures(result: JobResult) -> str:
    """What it printed, and, for the model, that nobody sees its pictures: answers have Plotly figures alone."""
    pictures = sum("image/png" in output.get("data", ()) for output in result.outputs)
    said = f"Drawn with Matplotlib: {pictures}, which the answer cannot show. Draw with Plotly." if pictures else ""
    return "\n".join(filter(None, [result.output.rstrip("\n") if said else result.output, said]))

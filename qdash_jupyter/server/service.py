"""What the streams of a server share: settings, reader, model and tools, opened once, and where code runs."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Mapping
from math import inf
from threading import Lock, Thread
from typing import Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.connect import PartsBuilder
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.errors import CopilotError, PersonError
from qdash_jupyter.messages.message import Text
from qdash_jupyter.server.kept import KeptSessions
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.parts import Parts
from qdash_jupyter.session.records import Past
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tool_sets.built import refreshed
from qdash_jupyter.tools.analysis import PYTHON_ANALYSIS, isolated_analysis
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.worker.confinement import why_unconfined
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.kernel import WorkerKernel
from qdash_jupyter.worker.limits import WorkerLimits

logger = logging.getLogger("qdash_jupyter")

_CLOSE_S = 5
_PLACE = (
    "There is no notebook and no kernel here: the user reads your answer on a web page or in a script, so what they "
    "should see stands in the answer. Code runs apart from everything; its names stay until the answer."
)


class CopilotService:
    """One a server. Everything is opened when it is first needed."""

    def __init__(self, settings: Mapping[str, Any] | None = None, *, demo: bool = False) -> None:
        """`settings` are the last layer; `demo` is the generated demo chip, whatever they name."""
        self.kept = KeptSessions()
        self.streams: dict[str, Callable[[], None]] = {}
        """What ends each stream that runs, with what there is, by its id."""
        self._build = PartsBuilder(settings, demo)
        self._loop = AgentLoop()
        self._opening = Lock()
        self._parts: Parts | None = None
        self._worker = IsolatedWorker()

    @property
    def confined_by(self) -> Text:
        """What confines code; empty where none runs."""
        return self._worker.confined_by

    @property
    def is_full(self) -> bool:
        """Whether it answers as many questions at once as it may."""
        return self._parts is not None and len(self.streams) >= self._parts.manifest.service.max_streams

    async def opened(self) -> Parts:
        """What all conversations work with.

        Raises:
            PersonError: the settings are wrong or the database cannot be used; the next call tries again.
        """
        return await in_background(self._open, "qdash-connect")

    def conversation(self, parts: Parts, past: Past) -> Conversation:
        """A conversation of one request, with data of its own. Its owner closes it."""
        store = FrameStore()
        return Conversation(WorkerKernel(self._worker, store), parts.beside, loop=self._loop, past=past, data=store)

    def task(self, parts: Parts, task_id: str) -> tuple[ChipRef, TaskResult] | None:
        """The result of a task, and its chip; None where no chip has one. Reads the database."""
        for chip in parts.reader.chips(parts.manifest.database.project) if task_id else ():
            for result in parts.reader.task_results(ResultQuery(chip.ref, task_id=task_id, last_n=1)):
                return chip.ref, result
        return None

    def cancel(self, request_id: str) -> bool:
        """End a stream with what there is; says whether it runs."""
        cancel = self.streams.get(request_id)
        if cancel is not None:
            cancel()
        return cancel is not None

    async def close(self) -> None:
        """End all streams, and give back connections and processes."""
        for cancel in tuple(self.streams.values()):
            cancel()
        await in_background(self._close, "qdash-close")

    def _open(self) -> Parts:
        with self._opening:
            if self._parts is None:
                parts = self._build(Namespace({}), FrameStore())
                parts.place = _PLACE
                self._confine(parts)
                self._parts = parts
            parts = self._parts
            parts.tool_sets = refreshed(parts.tool_sets, parts.toolbox)
        return parts

    def _confine(self, parts: Parts) -> None:
        """Have code run in the worker, or take the tool away where nothing confines it."""
        if PYTHON_ANALYSIS.name not in parts.toolbox.specs:
            return
        parts.toolbox.remove([PYTHON_ANALYSIS.name])
        if not why_unconfined():
            shape, limits = parts.manifest.service.data_shape, parts.manifest.worker
            # It is there for the next question, whenever that comes.
            self._worker = IsolatedWorker(WorkerLimits(**limits.model_dump()), shape, idle_s=inf)
            parts.toolbox.add(isolated_analysis(shape))
            Thread(target=self._begin, name="qdash-worker", daemon=True).start()

    def _begin(self) -> None:
        """Start the worker before it is needed."""
        try:
            self._worker.start()
        except PersonError:  # who has code run is told why it cannot
            logger.exception("The worker does not start")

    def _close(self) -> None:
        with self._opening:
            parts, self._parts = self._parts, None
            self._worker.close()
        if parts is not None:
            with contextlib.suppress(CopilotError, TimeoutError):  # what is gone has nothing to give back
                self._loop.submit(parts.close()).result(_CLOSE_S)
        self._loop.close()

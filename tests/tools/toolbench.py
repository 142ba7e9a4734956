"""A toolbox on a bench: calls are made and awaited, cells are noted and not run."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.data.calib_data import CalibData, NoCalibData
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.events import ToolFinished
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.told_table import rows_of
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.spec import ToolContext
from qdash_jupyter.tools.toolbox import Toolbox


class CellRecorder:
    """A cell host that runs nothing: it notes the requests and gives back what it was told to."""

    has_kernel = True

    def __init__(self) -> None:
        self.requests: list[CellRequest] = []
        self.outcome: dict[str, Any] = {"status": CellStatus.OK}

    async def run(self, request: CellRequest, _: object) -> CellRun:
        self.requests.append(request)
        return CellRun(request=request, **self.outcome)

    run_in_kernel = run

    def before(self, _: str) -> list[str]:
        return []

    async def insert(self, request: CellRequest) -> CellRun:
        self.requests.append(request)
        return CellRun(request, CellStatus.INSERTED)


def told_rows(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the table that was told whole, by column; None where one says nothing."""
    for told in content.values():
        if isinstance(told, dict) and "rows" in told:
            return rows_of(told)
    rows: list[dict[str, Any]] = content["rows"]
    return rows


class Tools:
    """A toolbox as a test wants it: a call is made and awaited, its result is valid JSON."""

    def __init__(
        self,
        reader: QDashReader,
        scope: ChipScope | None = None,
        metrics: MetricTable | None = None,
        calib_data: CalibData | None = None,
    ) -> None:
        self.cells = CellRecorder()
        self.namespace = Namespace({})
        self.scope = scope or ChipScope()
        self.store = FrameStore()
        context = ToolContext(
            reader,
            self.store,
            self.namespace,
            self.scope,
            metrics or MetricTable(),
            cells=self.cells,
            calib_data=calib_data or NoCalibData(),
        )
        self.toolbox = Toolbox(BUILTIN_TOOLS, context)

    def begin_turn(self) -> None:
        """Limits on calls count anew."""
        self.toolbox = self.toolbox.for_turn(self.cells, self.toolbox.context.language)

    def result(self, name: str, **arguments: Any) -> ToolResult:
        return asyncio.run(self.toolbox.call(name, arguments))

    def asked(self, name: str, **arguments: Any) -> ToolResult:
        """A call as the model makes it: it is counted."""
        (result,) = self.asked_together((name, arguments))
        return result

    def asked_together(self, *asked: tuple[str, dict[str, Any]]) -> list[ToolResult]:
        """Calls that the model makes in one round."""
        calls = [ToolCall(str(place), name, json.dumps(arguments)) for place, (name, arguments) in enumerate(asked)]

        async def finished() -> list[ToolResult]:
            return [event.result async for event in self.toolbox.run(calls) if isinstance(event, ToolFinished)]

        return asyncio.run(finished())

    def rows(self, name: str, **arguments: Any) -> list[dict[str, Any]]:
        """What the model reads of a table of few rows, in a question of its own."""
        self.begin_turn()
        result = self.asked(name, **arguments)
        assert result.failure is None, result.content
        content = json.loads(result.content)
        assert content["data_key"] == result.frame_key
        return told_rows(content)

    def content(self, name: str, **arguments: Any) -> dict[str, Any]:
        result = self.result(name, **arguments)
        assert result.failure is None, result.content
        content: dict[str, Any] = json.loads(result.content)
        return content

    def told(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The content but for the key of what was stored."""
        content = self.content(name, **arguments)
        assert content.pop("data_key") in self.store
        return content

    def failure(self, name: str, **arguments: Any) -> dict[str, Any]:
        stored = len(self.store)
        result = self.result(name, **arguments)
        assert result.failure is not None, result.content
        assert not result.ok
        assert len(self.store) == stored, "a failed call stores nothing"
        content: dict[str, Any] = json.loads(result.content)
        assert content == result.failure.as_json()
        assert set(content) == {"error", "kind", "try_instead", "may_retry"}
        return content

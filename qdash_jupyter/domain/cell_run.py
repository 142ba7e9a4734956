"""A piece of code that the copilot asks to run, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.effects import Effect, Grant


class CellStatus(StrEnum):
    """What became of a cell. Only `ok` is a success."""

    OK = "ok"
    ERROR = "error"
    ABORTED = "aborted"
    DELETED = "deleted"
    INTERRUPTED = "interrupted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class CellRequest:
    """Code to run, why (one line for the user), and the cell it belongs behind (None: at the end).

    It runs under the checks of `qdash_jupyter.cells.guard`; `grants` are the effects that it may have all the same.
    With None it runs without checks.
    """

    request_id: str
    cell_id: str
    code: str
    purpose: str = ""
    after: str | None = None
    grants: tuple[Grant, ...] | None = ()


@dataclass(frozen=True, slots=True)
class CellRun:
    """The outcome of a request.

    `outputs` are nbformat 4 outputs, in order, as the notebook stores them; `text` is what they print; `value`
    describes the last expression (see `qdash_jupyter.cells.outputs`); `charts` are the Plotly figures among the
    outputs. `reason` says why code was rejected, `effects` what for: nothing of it happened. `traceback` says why it
    failed. `created` are the names it bound, but for those of loops.
    `in_notebook` is False for code that ran without a cell of its own.
    """

    request: CellRequest
    status: CellStatus
    outputs: tuple[JsonObject, ...] = ()
    text: str = ""
    value: Any = None
    charts: tuple[ChartBlock, ...] = ()
    traceback: str = ""
    reason: str = ""
    created: tuple[str, ...] = ()
    execution_count: int | None = None
    elapsed_s: float = 0.0
    in_notebook: bool = False
    effects: tuple[Effect, ...] = ()

"""A piece of code that the copilot asks to run, and what became of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.consent import Effect, EffectKind
from qdash_jupyter.messages.message import Text


class CellStatus(StrEnum):
    """What became of a cell. Only `ok` is a success."""

    OK = "ok"
    ERROR = "error"
    ABORTED = "aborted"
    DELETED = "deleted"
    INTERRUPTED = "interrupted"
    REJECTED = "rejected"
    INSERTED = "inserted"
    """It stands in the notebook, and the user has to run it."""


@dataclass(frozen=True, slots=True)
class CellRequest:
    """Code to run, and why (one line for the user).

    `reads` are the results that it reads, each by its key with the line by which a notebook fetches it. Of these,
    `before` are the lines that stand above the code in its cell, and do not run now: the results are there.
    `instead_of` is the cell that it replaces, unless somebody has changed that.
    """

    request_id: str
    cell_id: str
    code: str
    purpose: str = ""
    reads: tuple[tuple[str, str], ...] = ()
    before: str = ""
    instead_of: str | None = None

    @property
    def source(self) -> str:
        """What stands in its cell, but for what loads the extension."""
        return self.before + self.code


@dataclass(frozen=True, slots=True)
class CellRun:
    """The outcome of a request.

    `outputs` are nbformat 4 outputs, in order, as the notebook stores them; `text` is what they print; `value`
    describes the last expression (see `qdash_jupyter.cells.outputs`); `charts` are the Plotly figures among the
    outputs. `reason` says why code was rejected or stopped, `effects` what it needs of the kernel: nothing of that
    happened. `unasked`: nobody was there to be asked. `traceback` says why it failed. `created` are the names it bound,
    but for those of loops, `copies` other names for objects of the user's of which it has changed copies, `left` names
    that the user has bound meanwhile, which stay theirs; `gone` are names of earlier code that went with the process in
    which it ran. `in_notebook` is False for code that ran without a cell of its own.
    """

    request: CellRequest
    status: CellStatus
    outputs: tuple[JsonObject, ...] = ()
    text: str = ""
    value: Any = None
    charts: tuple[ChartBlock, ...] = ()
    traceback: str = ""
    reason: Text = ""
    created: tuple[str, ...] = ()
    execution_count: int | None = None
    elapsed_s: float = 0.0
    in_notebook: bool = False
    effects: tuple[Effect, ...] = ()
    unasked: bool = False
    gone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    copies: Mapping[str, str] = field(default_factory=dict)


_LASTING = (CellStatus.OK, CellStatus.ERROR, CellStatus.INTERRUPTED, CellStatus.INSERTED)


def repaired(runs: Iterable[CellRun]) -> set[str]:
    """The cells, by id, that were not run and whose work a later one of the turn did: one that ran well and bound all
    the names that they would have, or any at all where nothing but a missing object was in the way. What would have
    written a file or asked another machine stays, as nobody else did that.
    """
    ordered = list(runs)
    found = set()
    for place, run in enumerate(ordered):
        later = [one for one in ordered[place + 1 :] if one.status is CellStatus.OK]
        names = _bound(run.request.code)
        only_missing = all(effect.kind is EffectKind.UNKNOWN for effect in run.effects)
        does_it = any(names <= _bound(one.request.code) for one in later) if names else False
        if run.unasked and later and (only_missing or does_it):
            found.add(run.request.cell_id)
    return found


def _bound(code: str) -> set[str]:
    try:
        nodes = ast.walk(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError):
        return set()
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def cells_in_notebook(runs: Iterable[CellRun]) -> list[CellRun]:
    """Those that a turn has left in the notebook, in their order."""
    return [run for run in _lasting(runs) if run.in_notebook]


def cells_unseen(runs: Iterable[CellRun]) -> list[CellRun]:
    """Those of a turn that ran well and stand in no notebook, in their order."""
    return [run for run in _lasting(runs) if not run.in_notebook and run.status is CellStatus.OK]


def _lasting(runs: Iterable[CellRun]) -> Iterable[CellRun]:
    """Without those that another one has replaced."""
    lasting = [run for run in runs if run.status in _LASTING]
    replaced = {run.request.instead_of for run in lasting}
    return {run.request.cell_id: run for run in lasting if run.request.cell_id not in replaced}.values()

"""The door to the notebooks that are open in a browser: who can insert a cell and execute it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from qdash_jupyter.domain.cell_run import CellRequest

PageStatus: TypeAlias = Literal["ok", "error", "aborted", "deleted", "no_kernel"]


@dataclass(frozen=True, slots=True)
class PageReport:
    """How the page says that a cell ended. Only a hint: what the kernel saw of the cell wins.

    `aborted`: the kernel dropped the request, twice. `deleted`: the person deleted the cell before its end.
    """

    status: PageStatus
    execution_count: int | None = None
    retried: bool = False


@dataclass(frozen=True, slots=True)
class InsertedCell:
    """A cell that is in the notebook and was sent to the kernel; `report` comes when the page has seen its end."""

    cell_id: str
    index: int
    report: asyncio.Future[PageReport]


class NotebookPage(Protocol):
    """A browser tab with this kernel's notebook."""

    @property
    def client_id(self) -> str:
        """Which tab."""
        ...

    @property
    def session(self) -> str:
        """Session of the tab's connection to the kernel: its execute requests carry it."""
        ...

    async def is_alive(self) -> bool:
        """Whether the tab answers within 1 s."""
        ...

    async def insert_and_execute(self, request: CellRequest, *, turn_id: str, step: int, patient: bool) -> InsertedCell:
        """Insert the cell and execute it; returns when it is in the notebook. `patient`: no other tab could take it.

        Raises:
            PageLost: no sign of life within 2.5 s, or within 10 s where it is to be `patient` and has not been so in
                vain since the tab was heard last; or no cell within 3 s more.
        """
        ...

    def remove_cell(self, cell_id: str) -> None:
        """Take a cell out that never ran and never will."""
        ...


class NotebookPages(Protocol):
    """The tabs that are open."""

    def in_order(self, preferred: str | None) -> Sequence[NotebookPage]:
        """The tabs to try, `preferred` (a client id) first, then the ones heard of last."""
        ...

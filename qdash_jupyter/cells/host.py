"""The doors to the places where code runs, and to whoever is asked before it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from qdash_jupyter.messages.message import Message, Text

if TYPE_CHECKING:
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.shown_cell import CellPlace
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.cell_run import CellRequest, CellRun
    from qdash_jupyter.domain.consent import Decision, Effect, Proposal
    from qdash_jupyter.domain.events import ApprovalAsked, ApprovalDecided, CellMoved, CellWarned

Publish: TypeAlias = "Callable[[CellMoved | CellWarned], None]"
"""`EventBus.publish` of whoever waits for a cell; on any thread."""


Call: TypeAlias = "Callable[[str, Sequence[Any], JsonObject], Any]"
"""Calls a tool that reads, with arguments by place and by name. Blocks; raises what `copilot.tools` does."""


class CellHost(Protocol):
    """Runs code of one turn, one piece at a time."""

    @property
    def has_kernel(self) -> bool:
        """Whether there is a kernel of the user's, in which code may run that they have approved."""

    async def run(self, request: CellRequest, publish: Publish, /) -> CellRun:
        """Run the code in the conversation's session and return when it is done. Code that raises is a run with status
        `error`, no exception. Code that needs the kernel is one with status `rejected` and with `effects`.

        Cancelled, it interrupts the code, and ends when that has.
        """

    async def run_in_kernel(self, request: CellRequest, publish: Publish, /) -> CellRun:
        """The same in the user's kernel, as a cell of their own. Cancelled, it takes the cell back or interrupts it."""

    def before(self, code: str, /) -> list[str]:
        """The earlier code that has to run in the kernel before this could, as it uses names of the session alone."""

    async def insert(self, request: CellRequest) -> CellRun:
        """Have a cell inserted for the user to run: a run with status `inserted`, or `rejected` without a notebook."""


class NoCells:
    """Outside of a question: no cell could be stopped there, nor would anybody see it."""

    has_kernel = False
    why = Message("not-run-no-question")

    async def run(self, request: CellRequest, _: Publish) -> CellRun:
        """Refuse the code."""
        return await self.insert(request)

    async def run_in_kernel(self, request: CellRequest, _: Publish) -> CellRun:
        """Refuse the code."""
        return await self.insert(request)

    def before(self, _: str) -> list[str]:
        """Nothing."""
        return []

    async def insert(self, request: CellRequest) -> CellRun:
        """Refuse the code."""
        from qdash_jupyter.domain.cell_run import CellRun, CellStatus

        return CellRun(request=request, status=CellStatus.REJECTED, reason=self.why)


class InlineRunner(Protocol):
    """Runs cells on the main thread, while somebody waits for a turn there (see `qdash_jupyter.session.pump.Pump`)."""

    @property
    def runs_inline(self) -> asyncio.Event:
        """Set, on the agent's loop, when somebody begins to wait."""

    def post(self, job: Callable[[], None]) -> None:
        """Call it there, now or as soon as somebody waits."""


class Kernel(Protocol):
    """Where the cells of a conversation run, and whose names its code sees."""

    @property
    def namespace(self) -> Namespace:
        """The names."""

    @property
    def confined_by(self) -> Text:
        """What confines code, in words; empty where it has no process of its own."""

    def give(self, data: Mapping[str, Any], call: Call, most_calls: int, memory_mb: int | None = None, /) -> None:
        """Let code have the conversation's results, and call tools that read, so many times in each turn. `memory_mb`
        is what it may take; None leaves that to the machine.
        """

    def for_turn(self, place: CellPlace, runner: InlineRunner, *, unseen: bool = False, ours: bool = False) -> CellHost:
        """The place for the cells of one turn, where that was asked. `unseen`: they run without standing in a notebook.
        `ours`: their code is this package's.
        """

    def close(self) -> None:
        """The conversation is closed: give back what only its code has used."""


NOBODY = "nobody"
"""By whom a decision is that nobody has made."""

PublishApproval: TypeAlias = "Callable[[ApprovalAsked | ApprovalDecided], None]"


class Approver(Protocol):
    """Whoever is asked (see `qdash_jupyter.session.approvals.Approvals`)."""

    def standing(self) -> tuple[Effect, ...]:
        """Return the calls of tools that were approved for the whole conversation, one for each tool."""

    async def ask(self, proposal: Proposal, publish: PublishApproval, /) -> Decision:
        """Wait for the decision, however long it takes. Where nobody can be asked, it is a rejection that says so."""


class Nobody:
    """Outside of a question nobody is asked."""

    def standing(self) -> tuple[Effect, ...]:
        """Nothing."""
        return ()

    async def ask(self, proposal: Proposal, _: PublishApproval) -> Decision:
        """Reject it."""
        from qdash_jupyter.domain.consent import Decision

        reason = Message("nobody-can-approve")
        return Decision(proposal.proposal_id, proposal.code_hash, "rejected", NOBODY, reason=reason)

"""What the kernel sends to pages on the control comm. Only for types: nothing here is imported at run time."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypeAliasType, TypedDict

from qdash_jupyter.domain.wire.shown import Shown


class Announcement(TypedDict):
    """The data of the announcing comm: the copilot is loaded."""

    instance: str
    version: str


class Hello(TypedDict):
    """The kernel's words about itself, after a page's opening and whenever one of them changes."""

    type: Literal["hello"]
    instance: str
    version: str
    model_id: str | None
    """Null where the panel cannot be shown; then `problem` says why."""
    problem: str | None
    conversation: str | None
    """To be noted in the notebook."""
    interrupts: Literal["kernel", "page"]
    """Who interrupts the agent's cell on Stop: `page` where commands cannot reach a busy kernel."""


class KernelPing(TypedDict):
    """Is the page there? Yes, the kernel is."""

    type: Literal["ping", "pong"]
    n: int


class Ack(TypedDict):
    """A command was taken or refused."""

    type: Literal["ack"]
    of: str | int
    """The `ask_id` of a question, the `n` of any other command."""
    ok: bool
    turn_id: str | None
    message: Shown | None
    """Why it was refused."""


class RunCell(TypedDict):
    """Insert this cell; `cell_outputs` says what it shows."""

    type: Literal["run_cell"]
    req_id: str
    turn_id: str
    cell_id: str
    code: str
    setup: list[str]
    """Lines for its top, each unless it stands in the notebook above."""
    asked_in: str | None
    """Id of the cell with the question."""
    instead_of: str | None
    """Id of a cell that it replaces, unless somebody has changed that."""
    heading: str | None
    """Markdown for a cell above the first of the turn."""
    step: int
    """1, 2, … in the turn."""
    purpose: str


class Rewritten(TypedDict):
    """A text in place of another one."""

    before: str
    after: str


class CellOutputs(TypedDict):
    """What a cell of the copilot's shows. A page that has heard `n` - 1 before replaces its outputs
    from `unchanged` on, any other all of them, where it is told all.
    """

    type: Literal["cell_outputs"]
    cell_id: str
    n: int
    """1, 2, … for this cell."""
    state: Literal["waiting", "running", "ended"]
    runs_in: Literal["session", "kernel"]
    """What an interrupt of the kernel reaches, and what it does not."""
    first: int
    """Which of the cell's outputs the first one here is; 0 in the message in which it has ended."""
    unchanged: int
    """So many of the cell's outputs are as they were told before; `first` or more."""
    outputs: list[dict[str, Any]]
    """In the form of nbformat."""
    execution_count: int | None
    rewritten: Rewritten | None
    """What the end of its text becomes, unless somebody has changed it; null: it stays."""
    stays: list[str]
    """Names that it has bound in the session alone."""
    needs: list[str]
    """Ids of the earlier cells, in order, that have to run in the kernel before it could."""


class EndTurn(TypedDict):
    """The turn has ended: its cells are ordinary ones from now on, and this stands above them."""

    type: Literal["end_turn"]
    turn_id: str
    heading: str | None


class TakeOut(TypedDict):
    """Delete the cells of a turn that nobody has changed, and say which: `cells_taken`."""

    type: Literal["take_out"]
    n: int
    turn_id: str


class PastCell(TypedDict):
    """A cell of the agent's that has run."""

    cell_id: str
    code: str
    step: int
    purpose: str
    outputs: list[dict[str, Any]]
    execution_count: int | None


class PutIn(TypedDict):
    """Insert cells of a turn that have run, and do not run them."""

    type: Literal["put_in"]
    n: int
    turn_id: str
    asked_in: str | None
    setup: list[str]
    heading: str | None
    cells: list[PastCell]


class RemoveCell(TypedDict):
    """Delete a cell that never ran and never will."""

    type: Literal["remove_cell"]
    cell_id: str


class SetOutputs(TypedDict):
    """Replace the outputs of a `%%copilot` cell by these, in the form of nbformat."""

    type: Literal["set_outputs"]
    cell_id: str
    turn_id: str
    outputs: list[dict[str, Any]]


class EditCell(TypedDict):
    """Write this text into a cell that still has that one, and say what came of it: `cell_edited`."""

    type: Literal["edit_cell"]
    n: int
    cell_id: str
    before: str
    after: str


CellMessage = TypeAliasType(
    "CellMessage", RunCell | CellOutputs | RemoveCell | SetOutputs | EndTurn | TakeOut | PutIn | EditCell
)
KernelMessage = TypeAliasType("KernelMessage", Hello | KernelPing | Ack | CellMessage)

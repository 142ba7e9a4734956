"""What pages and panels send, opened here once."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr, TypeAdapter, ValidationError

_Id = Annotated[str, Field(min_length=1, max_length=200)]


class _Message(BaseModel):
    """Fields that this version does not know are ignored: pages may be newer."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Numbered(_Message):
    """A command; its acknowledgement repeats the number."""

    n: int = 0


class AgentCell(_Message):
    """A cell that the notebook's metadata say is the copilot's, and that nobody has edited since."""

    cell_id: _Id
    code: str = Field(max_length=1_000_000)


class ClientOpened(_Message):
    """The first words of a page: who it is, and which notebook it shows."""

    client_id: _Id
    path: str = ""
    conversation: str | None = Field(None, description="Id, from the notebook's metadata.")
    agent_cells: tuple[AgentCell, ...] = ()
    settings: dict[str, JsonValue] = Field(
        default_factory=dict, description="Those of the user in JupyterLab, as in copilot.yaml."
    )
    language: str = Field("", max_length=20, description="Of its words: `en`, `ja`; of an older page it is empty.")


class ChosenResult(_Message):
    """The result that a question is about."""

    task: _Id
    qid: str
    execution_id: str | None = None
    task_id: str | None = None


class ChosenCell(_Message):
    """The cell that a question is about, with the text that it shows."""

    label: str = Field(max_length=40, description="Its place: `[7]`.")
    code: str = Field(max_length=1_000_000)
    output: str = Field(max_length=1_000_000)
    pictures: tuple[str, ...] = Field((), description="PNG as base64.")
    left_out: tuple[str, ...] = Field((), description="Why something is not among them.")
    cell_id: str = Field("", max_length=200)
    fix: bool = Field(default=False, description="It failed, and is to be mended.")
    selected: bool = Field(default=False, description="`code` are lines that the user selected, `label` says in what.")


class Ask(_Message):
    """A question, typed into the panel. About a result or a cell it may have no words."""

    type: Literal["ask"]
    ask_id: _Id
    text: str
    analysis: ChosenResult | None = None
    cell: ChosenCell | None = None


class DropFile(_Numbered):
    """A table that the user dropped on the panel: CSV or Parquet."""

    type: Literal["file"]
    name: str = Field(max_length=200)
    data: str = Field(max_length=7_000_000, description="As base64.")


class Unqueue(_Numbered):
    """Take a question out that waits for the end of another."""

    type: Literal["unqueue"]
    ask_id: _Id


class Stop(_Numbered):
    """Stop the turn; without a `turn_id` whichever runs."""

    type: Literal["stop"]
    turn_id: str | None = None


class New(_Numbered):
    """Begin an empty conversation."""

    type: Literal["new"]


class Fetch(_Numbered):
    """Call the tool of a restored step again."""

    type: Literal["fetch"]
    turn_id: _Id
    call_id: _Id


class LookAtData(_Numbered):
    """List the stored tables as they are now, and show the first rows of this one, if one is named."""

    type: Literal["preview"]
    key: str = Field("", max_length=200)
    table: str = Field("", max_length=200)


class Refresh(_Numbered):
    """Fetch the results of these keys again by the same calls; without any, all that went with an earlier kernel."""

    type: Literal["refresh"]
    keys: list[_Id] = Field([], max_length=200)


class Discard(_Numbered):
    """Delete a stored result."""

    type: Literal["discard"]
    key: _Id


class Retry(_Numbered):
    """Ask the question of a turn again."""

    type: Literal["retry"]
    turn_id: _Id
    ask_id: str | None = None


class Find(_Numbered):
    """List the newest results that fit these words: of a task, a qubit or coupling, a status."""

    type: Literal["find"]
    words: str = Field("", max_length=200)


class ListMentions(_Numbered):
    """List what a question may name by `@`."""

    type: Literal["mentions"]


class ListConversations(_Numbered):
    """List the conversations that are kept, newest first: those in which all of these words stand."""

    type: Literal["conversations"]
    words: str = Field("", max_length=200)


class Resume(_Numbered):
    """Go on with this conversation."""

    type: Literal["resume"]
    id: _Id


class Rename(_Numbered):
    """Give a conversation another title; an empty one is its first question again."""

    type: Literal["rename"]
    id: _Id
    title: str = Field("", max_length=200)


class Delete(_Numbered):
    """Forget a conversation for good."""

    type: Literal["delete"]
    id: _Id


class Export(_Numbered):
    """Send a conversation as a notebook or as Markdown, in `file` messages of this `file_id`."""

    type: Literal["export"]
    file_id: _Id
    id: str = Field("", max_length=200, description="Of a kept conversation; empty: the one that goes on.")
    format: Literal["ipynb", "md"] = "ipynb"


class LoadPlotly(_Numbered):
    """Send the script that draws charts, as base64 of its gzip, in `file` messages of this id."""

    type: Literal["plotly"]
    file_id: _Id


class UndoNew(_Numbered):
    """Go back to the conversation before `new`."""

    type: Literal["undo_new"]


class FindModels(_Numbered):
    """Look for servers of models on this machine: nothing is sent to any of them before."""

    type: Literal["find_models"]


class UseModel(_Numbered):
    """Ask this model from now on."""

    type: Literal["use_model"]
    name: _Id


class UseChip(_Numbered):
    """This chip is the current one from now on."""

    type: Literal["use_chip"]
    project: _Id
    chip: _Id


class ChangeCells(_Numbered):
    """Take the cells of a turn out of the notebook, put them in again, or leave them and say no more of it."""

    type: Literal["undo", "redo", "keep"]
    turn_id: _Id


class Decide(_Numbered):
    """Approve code that waits, or reject or edit it; `hash` is that of the code that was shown."""

    type: Literal["decide"]
    proposal_id: _Id
    hash: _Id
    verdict: Literal["approved", "rejected", "edited"]
    standing: bool = Field(default=False, description="All calls of this tool in this conversation.")
    reason: str = Field("", max_length=2_000)
    code: str = Field("", max_length=50_000)


class Agree(_Numbered):
    """The user has seen what goes to this endpoint."""

    type: Literal["agree"]
    endpoint: _Id


class Revoke(_Numbered):
    """Take back what was approved for the whole conversation."""

    type: Literal["revoke"]
    id: _Id


class SignIn(_Numbered):
    """The keys that the user typed for the servers of `sign_in`, by variable; none: go on without."""

    type: Literal["sign_in"]
    keys: dict[_Id, SecretStr] = {}


class DecideEdit(_Numbered):
    """Write the change of a cell that was proposed, or leave the cell as it is."""

    type: Literal["accept_edit", "reject_edit"]
    turn_id: _Id
    edit_id: _Id


class Resync(_Message):
    """A view wants the whole state, in the language of its words: `en`, `ja`; of an older one it is empty."""

    type: Literal["resync"]
    language: str = Field("", max_length=20)


class Ping(_Message):
    """A page asks whether the kernel hears it, or answers the same."""

    type: Literal["ping", "pong"]
    n: int = 0
    running: int = 0
    """In an answer: the user's cells of the notebook that run or wait for the kernel."""


class CellInserted(_Message):
    """The cell is in the notebook."""

    type: Literal["cell_inserted"]
    req_id: _Id
    cell_id: _Id
    index: int = -1


class CellDeleted(_Message):
    """The user has deleted the cell before it ended."""

    type: Literal["cell_deleted"]
    req_id: _Id
    cell_id: str = ""


class CellsTaken(_Message):
    """These cells of a turn are out of the notebook, or in it again; those stay as they are."""

    type: Literal["cells_taken"]
    n: int
    taken: list[_Id] = []
    left: list[_Id] = []


class CellEdited(_Message):
    """Whether the change of a cell is written: not in one that has another text by now, or is gone."""

    type: Literal["cell_edited"]
    n: int
    outcome: Literal["written", "changed", "gone"]


CellReport: TypeAlias = CellInserted | CellDeleted | CellsTaken | CellEdited
Command: TypeAlias = (
    Ask
    | DropFile
    | Unqueue
    | Stop
    | New
    | UndoNew
    | Fetch
    | LookAtData
    | Refresh
    | Discard
    | Retry
    | Find
    | ListMentions
    | ListConversations
    | Resume
    | Rename
    | Delete
    | Export
    | LoadPlotly
    | FindModels
    | UseModel
    | UseChip
    | Agree
    | ChangeCells
    | DecideEdit
    | Decide
    | Revoke
    | SignIn
)
PageMessage: TypeAlias = Command | CellReport | Resync | Ping

_PAGE_MESSAGE: TypeAdapter[PageMessage] = TypeAdapter(Annotated[PageMessage, Field(discriminator="type")])


def page_message(raw: Any) -> PageMessage | None:
    """A message of a page or a panel; None for what this version does not know."""
    try:
        return _PAGE_MESSAGE.validate_python(raw)
    except ValidationError:
        return None


def client_opened(raw: Any) -> ClientOpened | None:
    """The data with which a page opened its comm; None where they are not of this protocol."""
    try:
        return ClientOpened.model_validate(raw)
    except ValidationError:
        return None

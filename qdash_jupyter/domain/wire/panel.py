"""What the kernel sends to panels. Only for types: the state is worked out 30 times a second, as plain dicts.

Times are milliseconds since 1970, durations seconds.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from qdash_jupyter.domain.wire.shown import Shown

Assessment = TypeAliasType("Assessment", Literal["good", "warning", "bad"])


class ModelChoice(TypedDict):
    """A model of the settings."""

    name: str
    label: Shown
    endpoint: Shown
    asked: bool
    """The one that is asked."""


class ChipChoice(TypedDict):
    """A chip of the database."""

    id: str
    project: str
    qubits: int
    status: str
    current: bool


class Look(TypedDict):
    """What goes to a model's server that was not asked before, in words, and what does not."""

    endpoint: str
    model: str
    goes: list[Shown]
    stays: Shown


class Issue(TypedDict):
    """Something that could not be prepared, and why."""

    stage: Literal["connect", "tools", "skills", "context", "prompt"]
    name: Shown
    message: Shown
    hard: bool
    """Whether something that was asked for is missing altogether."""


class About(TypedDict):
    """What is in use, or why nothing is."""

    state: Literal["connecting", "ready", "failed"]
    database: Shown
    chip: str
    """Its id; empty where none is chosen."""
    project: str
    """That of the chip."""
    qubits: int
    model: Shown
    endpoint: Shown
    is_language_model: bool
    sees: bool
    """Whether pictures are sent to the model."""
    problems: int
    """Values of the database that could not be read."""
    code: Shown
    """Where code of the model runs, and what confines it."""
    greeting: Shown
    """What the settings say before the first question."""
    models: list[ModelChoice]
    look: Look | None
    """Nothing is asked before it was agreed to."""
    chips: list[ChipChoice]
    """Of the project, or of all projects where none is set; empty where there are too many to choose from."""
    issues: list[Issue]
    message: Shown
    hint: Shown


class Starter(TypedDict):
    """A question to begin with, and the words of its button."""

    label: Shown
    prompt: Shown


class Result(TypedDict):
    """One run of a task on a qubit or coupling."""

    task: str
    qid: str
    label: str
    """The qubit as people write it."""
    status: str
    excluded: bool
    started: Shown
    execution_id: str
    task_id: str
    values: list[str]
    """Its first outputs, with units."""


class Results(TypedDict):
    """What was found to choose from."""

    words: str
    """What they were looked for by."""
    state: Literal["reading", "ready", "failed"]
    rows: list[Result]
    """Newest first."""
    more: bool
    """There are more than these."""
    message: Shown


class Kept(TypedDict):
    """A conversation on disk."""

    id: str
    title: str
    changed_at: float
    """Seconds since 1970."""
    notebook: str
    chip: str
    snippet: str
    """What was asked or answered there with a word that was looked for; empty where the title has it."""
    turn_id: str
    """Its turn."""


class Conversations(TypedDict):
    """Those that are kept."""

    words: str
    """What they were looked for by."""
    state: Literal["reading", "ready", "failed"]
    rows: list[Kept]
    """Newest first."""
    message: Shown


class Frame(TypedDict):
    """A stored table, or the main one of a result that a restored step had."""

    key: str
    table: str
    """Its name in the result; empty where that is gone."""
    main: bool
    rows: int
    columns: list[str]
    units: dict[str, str]
    source: str
    """The tool."""
    call: str
    """The call as one writes it: `get_chip_summary()`."""
    fetched_at: float
    note: Shown
    """What came of fetching it again; empty where it never was."""
    gone: bool
    fetching: bool
    """It is being fetched again."""


class Preview(TypedDict):
    """The first rows of a stored table: at most 20 of 12 columns, long cells cut."""

    key: str
    table: str
    state: Literal["reading", "ready", "failed"]
    columns: list[str]
    """With their units."""
    rows: list[list[Any]]
    total_rows: int
    total_columns: int
    changed: bool
    """Somebody changed it since it was fetched."""
    read: list[Shown]
    """What its call has read: `3,908 documents of task_result_history`."""
    message: Shown


class _Block(TypedDict):
    id: str


class EffectInWords(TypedDict):
    """What code would do beyond reading and computing: `calls awg.output_on()`; `note` may be empty."""

    does: Shown
    what: str
    kind: str
    note: Shown


class Approval(TypedDict):
    """Code that waits for a yes or no, or has got one. `hash` is that of the step's code.

    `runs` is where it would run: in the copilot's confined session, in the user's kernel, or as a call of a tool.
    """

    proposal_id: str
    hash: str
    runs: Literal["session", "kernel", "tool"]
    effects: list[EffectInWords]
    state: Literal["asked", "approved", "rejected", "edited"]
    by: str
    reason: str


class SourceInWords(TypedDict):
    """One read of the database: `count` records of a collection, up to three of their ids."""

    collection: str
    filter: str
    count: int
    ids: list[str]


class StepBlock(_Block):
    """A call of a tool, with the cell that it ran."""

    kind: Literal["step"]
    call_id: str
    label: str
    about: str
    name: str
    arguments: dict[str, Any]
    state: Literal["running", "done", "failed"]
    started_at: float
    elapsed_s: float | None
    rows: int | None
    frame_key: str | None
    frame_gone: bool
    sent: str | None
    """Exactly what the model got."""
    sources: list[SourceInWords]
    """Where the numbers come from."""
    error: str | None
    hint: str | None
    warning: str | None
    """Its cell runs long or takes much memory; in words, while it does."""
    cell_id: str | None
    cell_state: Literal["inserted", "waiting", "running", "finished"] | None
    cell_place: Literal["notebook", "kernel"] | None
    """`kernel`: it ran without a cell."""
    cell_number: int | None
    """As it stands beside the cell, in brackets."""
    code: str | None
    approval: Approval | None


class ThoughtBlock(_Block):
    """The model's own summary of its reasoning, in Markdown; `elapsed_s` is null while it goes on."""

    kind: Literal["thought"]
    text: str
    elapsed_s: float | None


class TextBlock(_Block):
    """Markdown."""

    kind: Literal["text"]
    text: str


class Figure(TypedDict):
    """A figure of Plotly."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


class ChartBlock(_Block):
    """A chart of the answer."""

    kind: Literal["chart"]
    figure: Figure
    title: str
    code: str
    """Draws the same in a cell of the notebook; empty where nobody wrote such."""


class ImageBlock(_Block):
    """A picture that a cell drew; `data` in base64."""

    kind: Literal["image"]
    mime: str
    data: str


class TableBlock(_Block):
    """The head of a table."""

    kind: Literal["table"]
    frame_key: str | None
    columns: list[str]
    rows: list[list[Any]]
    total_rows: int


class ErrorBlock(_Block):
    """Why there is no answer."""

    kind: Literal["error"]
    title: str
    hint: str


class SubjectFigure(TypedDict):
    """A picture of what the question is about; where it was left out, `data` is empty and `left_out` says why."""

    title: str
    mime: str
    data: str
    left_out: str


class SubjectBlock(_Block):
    """The result or the cell that the question is about."""

    kind: Literal["subject"]
    title: str
    details: str
    figures: list[SubjectFigure]


class DiffLine(TypedDict):
    """A line of a change; `gap` stands for lines that stay and are left out."""

    kind: Literal["same", "removed", "added", "gap"]
    text: str


EditState = TypeAliasType("EditState", Literal["proposed", "written", "rejected", "changed", "gone"])
"""`changed`, `gone`: it could not be written, as the cell has another text, or is not there."""


class EditBlock(_Block):
    """A change of a cell that is proposed."""

    kind: Literal["edit"]
    edit_id: str
    cell_id: str
    """Empty where no notebook has the cell."""
    label: str
    """Its place: `[7]`."""
    why: str
    lines: list[DiffLine]
    after: str
    """The whole new text."""
    state: EditState


Block = TypeAliasType(
    "Block",
    SubjectBlock | ThoughtBlock | StepBlock | TextBlock | ChartBlock | ImageBlock | TableBlock | EditBlock | ErrorBlock,
)


class Meta(TypedDict):
    """What a turn was made with."""

    model: str | None
    input_tokens: int | None
    output_tokens: int | None


class AddedCells(TypedDict):
    """The cells of a turn in the notebook."""

    count: int
    first: str
    """Id of the first of them."""
    state: Literal["added", "kept", "undone", "unseen"]
    """`unseen`: they ran in the kernel, without standing in a notebook."""
    note: Shown
    """What became otherwise than one expects; empty when all is well."""


class Standing(TypedDict):
    """A tool that was approved for the whole conversation; `id` names it in a `revoke`."""

    id: str
    does: Shown
    what: str


class Spent(TypedDict):
    """What the newest question took, in tokens of the model; `filled` is the size of its last request and reply."""

    input_tokens: int
    output_tokens: int
    filled: int
    window: int | None
    """Tokens that a request may hold."""
    estimated: bool
    """The server did not count."""
    cost: str
    """In the currency of the settings' prices; empty where they have none."""


class SignInServer(TypedDict):
    """A server that wants a key, and the variable in place of which that is kept. The key itself is never shown."""

    server: str
    address: str
    variable: str


class Mention(TypedDict):
    """What a question may name by `@`, and what it is in words."""

    name: str
    kind: Literal["variable", "data", "qubit", "coupling"]
    about: str
    rows: int | None
    """Of a stored result."""


class FormPiece(TypedDict):
    """Words of a form, or a slot in it."""

    text: str
    """Of a slot what is in it unless another is chosen; empty where it may stay empty."""
    words: str
    """The list of words that fit the slot; empty for words that stay."""


class Completion(TypedDict):
    """What questions in one language are completed with, without asking the kernel."""

    language: str
    help: str
    """The question that lists all that can be asked."""
    fillers: list[str]
    """Words without a meaning."""
    forms: list[list[list[FormPiece]]]
    """The parts of each form, which can stand in any order; the usual forms first."""
    words: dict[str, list[list[str]]]
    """The words of each list, each with its synonyms. Those of `qubit` and `coupling` are mentions, `number` is any."""


class Queued(TypedDict):
    """A question that waits for the end of the running one, as it was asked."""

    ask_id: str
    text: str
    analysis: Annotated[dict[str, Any] | None, Field(json_schema_extra={"tsType": "ChosenResult | null"})]
    cell: Annotated[dict[str, Any] | None, Field(json_schema_extra={"tsType": "ChosenCell | null"})]
    held: bool
    """It stays until the user sends it: the question before it was stopped or failed."""


class Turn(TypedDict):
    """A question and its answer."""

    turn_id: str
    question: str
    state: Literal["thinking", "waiting", "done", "stopped", "error"]
    """`waiting`: a cell of it waits for the kernel, or for the user."""
    status: str
    status_since: float
    asked_at: float
    elapsed_s: float | None
    assessment: Assessment | None
    choices: list[str]
    """Replies to a question back, each a text to be sent as it is."""
    headings: list[str]
    """What each of them stands under; empty where they have no headings."""
    next_steps: list[str]
    """Questions that one may ask next."""
    meta: Meta
    cells: AddedCells | None
    broken_off: bool
    """The kernel ended before the turn did."""
    blocks: list[Block]
    """In the order of reading: steps as they happened, then the answer."""


class State(TypedDict):
    """Everything that the panel shows."""

    v: int
    instance: str
    about: About
    starters: list[Starter]
    conversation: str | None
    frames: list[Frame]
    data_name: str
    """By what Python reaches the results: `data`, or `copilot.data` where `data` is the user's; empty where neither is
    the copilot's.
    """
    preview: Preview | None
    """Null until one was asked for."""
    standing: list[Standing]
    sign_in: list[SignInServer] | None
    """Null where no server waits for a key."""
    spent: Spent | None
    """Null before the first question, and where no language model answers."""
    results: Results | None
    """Null until something was looked for."""
    conversations: Conversations | None
    """Null until they were looked at."""
    queue: list[Queued]
    mentions: list[Mention]
    """As they were when they were asked for last."""
    completions: list[Completion]
    """Empty where a language model answers."""
    turns: list[Turn]


class SetOp(TypedDict):
    """Replaces a field of the state."""

    op: Literal["set"]
    key: str
    value: Any


class TurnOp(TypedDict):
    """Changes fields of a turn, or adds one without blocks."""

    op: Literal["turn"]
    turn_id: str
    set: Annotated[dict[str, Any], Field(json_schema_extra={"tsType": "Partial<Turn>"})]


class BlockOp(TypedDict):
    """Replaces the block of that id, or adds one at the end."""

    op: Literal["block"]
    turn_id: str
    block: Block


class TextOp(TypedDict):
    """Adds to the end of a block's text."""

    op: Literal["text"]
    turn_id: str
    block_id: str
    append: str


class DropOp(TypedDict):
    """Removes a block."""

    op: Literal["drop"]
    turn_id: str
    block_id: str


Op = TypeAliasType("Op", SetOp | TurnOp | BlockOp | TextOp | DropOp)


class Patch(TypedDict):
    """Changes, to be made in their order."""

    type: Literal["patch"]
    seq: int
    ops: list[Op]


class Snapshot(TypedDict):
    """Everything, on a panel's `resync`."""

    type: Literal["snapshot"]
    seq: int
    state: State


class Beat(TypedDict):
    """The number of the last message, sent a few times when nothing more has come for a while."""

    type: Literal["beat"]
    seq: int


class FilePart(TypedDict):
    """A part of the file that a view has asked for by `export` or `plotly`; the others let it pass."""

    type: Literal["file"]
    file_id: str
    text: str
    left: int
    """So many parts follow."""


PanelMessage = TypeAliasType("PanelMessage", Patch | Snapshot | Beat | FilePart)

"""A call of a tool by the model, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from qdash_jupyter.domain.answer import NO_USAGE, Block, JsonObject, Usage
from qdash_jupyter.domain.cell_run import CellRun
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.errors import NoData
from qdash_jupyter.messages.message import Message, Text

Effect: TypeAlias = Literal["read", "run_code", "act"]
"""What a tool may do: read the database, run code in the kernel, or act on the outside world."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One function call as the model sent it; `arguments` is the JSON text, unparsed."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a tool gave no result: `kind` is the error's kind, `may_retry` whether other arguments can help.

    `ending` is what the user reads where the turn ends with it (empty: the usual words); None: it goes on. `is_shown`:
    whether the step says why; the model reads it in any case.
    """

    kind: str
    message: Text
    hint: Text = ""
    may_retry: bool = True
    ending: Text | None = None
    is_shown: bool = True

    @property
    def reason(self) -> Text:
        """What the step says of it."""
        return self.message if self.is_shown else Message("tool-failed")

    @property
    def is_answer(self) -> bool:
        """Whether it says that nothing is there, which may be what was asked: nothing went wrong."""
        return self.kind == NoData.kind

    def as_json(self) -> JsonObject:
        """What the model reads."""
        return {
            "error": str(self.message),
            "kind": self.kind,
            "try_instead": str(self.hint),
            "may_retry": self.may_retry,
        }


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave. The model reads `content`, the user sees `blocks`, the kernel keeps `frame_key`. `written` is
    the call as a notebook has it, where something was stored: `get_chip_summary()`, and `columns` those of the table of
    `rows` rows. `usage` are the tokens of another model that it asked.
    """

    call: ToolCall
    content: str
    blocks: tuple[Block, ...] = ()
    frame_key: str | None = None
    rows: int | None = None
    cell: CellRun | None = None
    failure: ToolFailure | None = None
    sources: tuple[Source, ...] = ()
    elapsed_s: float = 0.0
    produced_at: datetime | None = None
    arguments: JsonObject = field(default_factory=dict)
    written: str = ""
    columns: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    chip: JsonObject | None = None
    """The chip that was read where something was stored, as arguments: the call may not name it, and another one may be
    current when it is made again.
    """
    for_model: tuple[JsonObject, ...] = field(default=(), compare=False, metadata={"logged": False})
    """Messages behind the output, with files that no text holds."""

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked."""
        return self.failure is None

"""What a turn says while it runs, in order. The session stamps each event with turn, sequence number and time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from qdash_jupyter.domain.analysis import SubjectFigure
from qdash_jupyter.domain.answer import Answer, JsonObject
from qdash_jupyter.domain.cell_run import CellRequest
from qdash_jupyter.domain.consent import Decision, Proposal
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.messages.message import Text


@dataclass(frozen=True, slots=True)
class StageChanged:
    """The turn is in a new phase (`connect`, `thinking`, `complete`); `message` is for the user."""

    step: str
    message: Text


@dataclass(frozen=True, slots=True)
class SubjectRead:
    """What the question is about was read: a result, with its figures; `title` and `details` are for the user."""

    title: Text
    details: Text
    figures: tuple[SubjectFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of the reply that is streaming."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of the model's own summary of its reasoning, where it gives one."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool call begins; `label` names it in the user's language."""

    call: ToolCall
    label: Text
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolProgressed:
    """A tool call takes long; `message` is for the user and says how much it has read so far."""

    call: ToolCall
    label: Text
    message: Text


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool call ended, well or not."""

    result: ToolResult
    label: Text


CellStage: TypeAlias = Literal["inserted", "waiting", "running", "finished"]
"""Where a cell of the copilot is: in the notebook, behind a cell of the user, running, or at its end."""


@dataclass(frozen=True, slots=True)
class CellMoved:
    """A cell of the turn is at another stage. `in_notebook` is False for code that runs without a cell of its own."""

    request: CellRequest
    stage: CellStage
    in_notebook: bool


@dataclass(frozen=True, slots=True)
class CellWarned:
    """A cell of the turn runs long or takes much memory, and goes on; `message` is for the user."""

    request: CellRequest
    message: Text


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """Code waits until somebody approves or rejects it."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ApprovalDecided:
    """Somebody has said yes or no, or changed the code: then it is asked about anew."""

    decision: Decision


CellNews: TypeAlias = CellMoved | CellWarned | ApprovalAsked | ApprovalDecided
"""What happens to code that a tool has run."""


@dataclass(frozen=True, slots=True)
class AnswerReady:
    """The turn ended with an answer (also after a stop: then the answer says so and holds what there was)."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn ended without an answer; message and hint are for the user."""

    message: Text
    hint: Text
    kind: str


@dataclass(frozen=True, slots=True)
class CellsChanged:
    """The user has taken the cells of a turn that has ended out of the notebook, put them in again, or keeps them."""

    count: int
    first: str
    """Id of the first of them."""
    state: Literal["added", "kept", "undone"]
    note: Text = ""
    """What became otherwise than one expects."""


AgentEvent: TypeAlias = (
    StageChanged
    | SubjectRead
    | TextDelta
    | ReasoningDelta
    | ToolStarted
    | ToolProgressed
    | ToolFinished
    | CellNews
    | AnswerReady
    | TurnFailed
    | CellsChanged
)


@dataclass(frozen=True, slots=True)
class StampedEvent:
    """An event with its place in the conversation: `seq` counts from 1 within the turn."""

    turn_id: str
    seq: int
    at: datetime
    event: AgentEvent

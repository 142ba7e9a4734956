"""The declaration of a tool: everything that schemas, prompt lines, labels and limits are derived from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from qdash_jupyter.cells.host import CellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ChipRef
from qdash_jupyter.domain.answer import Block, JsonObject
from qdash_jupyter.domain.cell_run import CellRun
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.tool_call import Effect
from qdash_jupyter.domain.words import Language, Words
from qdash_jupyter.errors import NoData
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.windows import time_range

if TYPE_CHECKING:
    from qdash_jupyter.store.store import FrameStore

__all__ = [
    "ChipArguments",
    "ElementId",
    "Language",
    "NewFrame",
    "TimeRangeArguments",
    "ToolArguments",
    "ToolContext",
    "ToolOutput",
    "ToolSpec",
    "Words",
]


def _id_text(raw: object) -> object:
    return str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else raw


ElementId = Annotated[str, BeforeValidator(_id_text)]
"""The id of a qubit or coupling in any spelling; models also send the bare number, which the schema does not offer."""


class ToolArguments(BaseModel):
    """Base of all arguments: unknown keys are ignored, as QDash does; the schema sent to the model names none."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


SHARED_ARGUMENTS = {
    "chip_id": "default: the current chip",
    "project_id": "where several projects have a chip of that id",
    "since": '"30d", "24h" or an ISO date',
    "until": "likewise; default: now",
    "cooldown_id": 'that cool-down only, or "current"',
    "tags": "only runs with all of them",
}
"""What arguments that many tools take mean: told to the model once, in its instructions."""


class ChipArguments(ToolArguments):
    """Arguments of a tool that reads one chip."""

    chip_id: str | None = Field(None, description=SHARED_ARGUMENTS["chip_id"])
    project_id: str | None = Field(None, description=SHARED_ARGUMENTS["project_id"])


class TimeRangeArguments(ChipArguments):
    """Arguments of a tool that reads what happened on one chip in a time range."""

    since: str | None = Field(None, description=SHARED_ARGUMENTS["since"])
    until: str | None = Field(None, description=SHARED_ARGUMENTS["until"])

    def time_range(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """Both ends; None where it is open.

        Raises:
            InvalidArguments: one of them is no time, or nothing lies between them.
        """
        return time_range(self.since, self.until, now)


class ResultArguments(TimeRangeArguments):
    """Arguments of a tool that reads results of tasks."""

    cooldown_id: str | None = Field(None, description=SHARED_ARGUMENTS["cooldown_id"])
    tags: list[str] | None = Field(None, description=SHARED_ARGUMENTS["tags"], max_length=20)

    def cooldown(self, chip: ChipRecord) -> str | None:
        """The cool-down that is meant; None for any.

        Raises:
            NoData: the chip is in none now.
        """
        if not self.cooldown_id or self.cooldown_id.lower() != "current":
            return self.cooldown_id or None
        if not chip.current_cooldown_id:
            raise NoData(f"Chip {chip.ref.chip_id!r} is in no cool-down now.", "Name one, or a time range.")
        return chip.current_cooldown_id


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What tools may use."""

    reader: QDashReader
    store: FrameStore
    cells: CellHost
    namespace: Namespace
    scope: ChipScope
    metrics: MetricTable = field(default_factory=MetricTable)


@dataclass(frozen=True, slots=True)
class NewFrame:
    """A result to be stored: `values` are tables (DataFrames) and scalars by name, `main` names the main table,
    `units` are by column name. `chip` is the chip that was meant, which the arguments need not say.
    """

    key: str
    values: Mapping[str, Any]
    main: str
    units: Mapping[str, str] = field(default_factory=dict)
    chip: ChipRef | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives: `content` for the model, a `frame` for the store, `blocks` for the person; any subset.

    With a frame and no content, the model gets the frame's summary: `notable` things first, then `statistics`. With
    `rows` beside the frame (a list, or an object that says the same), the model gets these while they are few, and the
    frame is stored only when they are many.
    """

    content: JsonObject | None = None
    rows: Sequence[JsonObject] | JsonObject | None = None
    frame: NewFrame | None = None
    statistics: Mapping[str, Any] = field(default_factory=dict)
    notable: Sequence[tuple[str, Mapping[str, Any] | Sequence[Any]]] = ()
    budget: int = SUMMARY_CHARS
    blocks: tuple[Block, ...] = ()
    sources: tuple[Source, ...] = ()
    cell: CellRun | None = None


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool. `run` blocks and is called in a thread when `effect` is `read`; otherwise it is awaited."""

    name: str
    label: Words
    description: str
    guidance: str
    args: type[ToolArguments]
    run: Callable[[Any, ToolContext], ToolOutput | Awaitable[ToolOutput]]
    effect: Effect = "read"
    timeout_s: float | None = 60.0
    max_calls_per_turn: int | None = None

    def schema(self) -> JsonObject:
        """The function tool as the Responses API takes it."""
        parameters = self.args.model_json_schema()
        for noise in ("title", "description"):
            parameters.pop(noise, None)
        made = parameters.get("properties", {})
        parameters["properties"] = {name: _property(name, made[name]) for name in made}
        parameters["additionalProperties"] = False
        return {
            "type": "function",
            "name": self.name,
            "description": self.description,
            "parameters": parameters,
            "strict": False,
        }


_UNSAID = ("title", "minLength", "minItems")
"""That a name is not empty needs no telling: whoever forgets it reads the error."""


def _property(name: str, made: JsonObject) -> JsonObject:
    """An argument's line of the schema. One that may be left out is offered no null: that means the same, in 40
    characters more. What shared arguments mean is told once.
    """
    if made.get("description") == SHARED_ARGUMENTS.get(name):
        made = {key: value for key, value in made.items() if key != "description"}
    shown = {key: value for key, value in made.items() if key not in _UNSAID and (key, value) != ("default", None)}
    if "default" in shown or "anyOf" not in shown:
        return shown
    kinds = [kind for kind in shown.pop("anyOf") if kind != {"type": "null"}]
    return (kinds[0] if len(kinds) == 1 else {"anyOf": kinds}) | shown

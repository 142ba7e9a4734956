"""The declaration of a tool: everything that schemas, prompt lines, labels and limits are derived from."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, TypeAlias, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from qdash_jupyter.cells.host import Approver, CellHost, Nobody, NoCells
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.config.tool_sets import FallbackSection
from qdash_jupyter.data.calib_data import CalibData, NoCalibData
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ChipRef
from qdash_jupyter.data.withheld import Withheld
from qdash_jupyter.domain.answer import NO_USAGE, Block, JsonObject, Usage
from qdash_jupyter.domain.cell_run import CellRun
from qdash_jupyter.domain.events import CellNews
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.domain.time_range import TimeRange, utc
from qdash_jupyter.domain.tool_call import Effect
from qdash_jupyter.domain.windows import end_of, time_range
from qdash_jupyter.errors import NoData
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Text
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.store.summary import SUMMARY_CHARS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.remembered_fits import RememberedFits


def _id(raw: object) -> object:
    return normalise_qid(raw) or raw


def _snake_case(name: str) -> str:
    """A parameter's name as QDash writes it: `T2 echo` and `t2-echo` are `t2_echo`."""
    return "_".join(name.lower().replace("-", " ").split())


ElementId = Annotated[str, BeforeValidator(_id)]
"""The id of a qubit or coupling, given in any spelling; models also send the bare number, which the schema does not
offer. Of one spelling, the same question is the same call.
"""

ParameterName = Annotated[str, AfterValidator(_snake_case)]
"""A parameter as QDash writes it, `T1` being `t1`."""


class ToolArguments(BaseModel):
    """Base of all arguments. The toolbox refuses unknown ones, which models borrow from other tools."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)
    rare: ClassVar[frozenset[str]] = frozenset()
    """Arguments that few questions need: a model reads of them when it asks for the tool with `describe`."""
    server_schema: ClassVar[JsonObject | None] = None
    """The schema that a model gets, where it is another server's and stays as it is; None: ours, made short."""

    def absolute(self, now: datetime, *, is_live: bool) -> JsonObject:  # noqa: ARG002 - for those with a time range
        """The arguments as a notebook gives them when it is run again later: with moments in place of "30 days ago",
        and of a live database with an end.
        """
        return self.model_dump(mode="json", exclude_none=True, exclude_defaults=True)


SHARED_ARGUMENTS = {
    "chip_id": "another chip than the current; project/chip where two have it",
    "qid": "qubit or coupling",
    "qids": 'several, or "mux 3"; default: all',
    "parameter_name": "e.g. t1, t2_echo",
    "param_names": "default: all",
    "task_name": "e.g. CheckT1",
    "execution_id": "a run",
    "task_id": "one result",
    "since": '"30d", "24h" or an ISO date, included',
    "until": '"30d", "24h" or an ISO date, included',
    "at": "values as of a date",
    "cooldown_id": 'only that, or "current"',
    "tags": "only runs with all of them",
    "username": "only theirs",
    "last_n": "newest n; default: 10, with since the maximum",
}
"""What arguments mean that do not say it themselves: told to the model once, in its instructions."""


class ChipArguments(ToolArguments):
    """Arguments of a tool that reads one chip."""

    rare = frozenset({"chip_id"})
    chip_id: str | None = None
    project_id: str | None = Field(None, description="Where several projects have a chip of that id.")


class CurrentArguments(ChipArguments):
    """Arguments of a tool that reads the current values of one chip, or those of a date."""

    at: str | None = None

    def moment(self, now: datetime) -> datetime | None:
        """The end of the date that is meant, or the moment; never later than now. None for the current values.

        Raises:
            InvalidArguments: it is no time.
        """
        return min(end_of(self.at, now, "at"), now) if self.at else None


class TimeRangeArguments(ChipArguments):
    """Arguments of a tool that reads what happened on one chip in a time range."""

    since: str | None = None
    until: str | None = None

    def time_range(self, now: datetime) -> TimeRange:
        """The time range that is meant.

        Raises:
            InvalidArguments: one of them is no time, or nothing lies between them.
        """
        return time_range(self.since, self.until, now)

    def absolute(self, now: datetime, *, is_live: bool) -> JsonObject:
        """The ends as moments. What a snapshot holds has an end of its own."""
        during = self.time_range(now)
        ends = {"since": during.since, "until": during.until or (now if is_live else None)}
        written = {name: _written(end) for name, end in ends.items() if end}
        if "since" in written:
            written["since"] = written["since"].removesuffix("T00:00")  # as an end, a date means that whole day
        return super().absolute(now, is_live=is_live) | written


class ResultArguments(TimeRangeArguments):
    """Arguments of a tool that reads results of tasks."""

    rare = ChipArguments.rare | {"cooldown_id", "tags"}
    cooldown_id: str | None = None
    tags: list[str] | None = Field(None, max_length=20)

    def cooldown(self, chip: ChipRecord) -> str | None:
        """The cool-down that is meant; None for any.

        Raises:
            NoData: the chip is in none now.
        """
        if not self.cooldown_id or self.cooldown_id.lower() != "current":
            return self.cooldown_id or None
        if not chip.current_cooldown_id:
            raise NoData.with_hint("no-cooldown-now", chip=chip.ref.chip_id)
        return chip.current_cooldown_id


def _written(moment: datetime) -> str:
    """In UTC, to the next second."""
    if moment.microsecond:
        moment += timedelta(microseconds=1_000_000 - moment.microsecond)
    return utc(moment).replace(tzinfo=None).isoformat(timespec="seconds" if moment.second else "minutes")


def _literal(value: object) -> str:
    """A JSON value as Python."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(name)}: {_literal(each)}' for name, each in value.items())}}}"
    return repr(value)


PublishNews: TypeAlias = Callable[[CellNews], None]
"""What a tool tells of while it runs; on any thread."""


def _to_nobody(_: object) -> None:
    """Where nobody has subscribed."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What tools may use. `cells`, `approver` and `publish` are those of the turn: outside of one, no code runs, and
    nobody is asked whether it may. `renamed` are names that code of this round has got in place of the user's, `failed`
    those that it would have bound, had it not failed, with the first line of its cell. `home` is the scope of the
    conversation, in a question about another chip. `withheld` is what never goes to a model, `language` that of what
    the user sees. `calib_data` has the files of results.
    """

    reader: QDashReader
    store: FrameStore
    namespace: Namespace
    scope: ChipScope
    metrics: MetricTable = field(default_factory=MetricTable)
    cells: CellHost = field(default_factory=NoCells)
    approver: Approver = field(default_factory=Nobody)
    policy: Policy = "guarded"
    publish: PublishNews = _to_nobody
    renamed: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    home: ChipScope | None = None
    withheld: Withheld = field(default_factory=Withheld)
    language: Language = "en"
    calib_data: CalibData = field(default_factory=NoCalibData)
    fits: RememberedFits = field(default_factory=RememberedFits)

    def reader_and_chip(self, args: ChipArguments) -> tuple[QDashReader, ChipRecord]:
        """With what most tools begin; the chip is the one that the arguments mean.

        Raises:
            ToolError: there is none, or several could be meant.
        """
        return self.reader, self.scope.resolve(self.reader, args.chip_id, args.project_id)


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
class Attachment:
    """A file that a declared tool gives. Rows become a table, `qdash_jupyter.tool_sets.attachments` says which."""

    title: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives: `content` for the model, a `frame` for the store, `blocks` for the user; any subset.

    With a frame and no content, the model gets the frame's summary: `notable` things first, then `statistics`. While
    the frame's rows are few, it gets them all where `is_whole`, with `beside`, further columns of the main table that
    are not stored; or `rows` (a list, or an object that says the same). The frame is stored in any case, and `data_key`
    says where. `attachment` is that of a declared tool; `usage` are the tokens of another model that was asked.
    """

    content: JsonObject | None = None
    rows: Sequence[JsonObject] | JsonObject | None = None
    is_whole: bool = False
    beside: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    frame: NewFrame | None = None
    statistics: Mapping[str, Any] = field(default_factory=dict)
    notable: Sequence[tuple[str, Mapping[str, Any] | Sequence[Any]]] = ()
    budget: int = SUMMARY_CHARS
    blocks: tuple[Block, ...] = ()
    sources: tuple[Source, ...] = ()
    cell: CellRun | None = None
    attachment: Attachment | None = None
    usage: Usage = NO_USAGE
    for_model: tuple[JsonObject, ...] = ()
    """Messages behind what the model reads, with files that no text holds."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool. `run` blocks and is called in a thread; that of one that runs code is awaited.

    `guidance` is its line in the model's instructions, empty where the description says all.
    `timeout_s` is the time limit; None is that of the settings. Code that runs has none: people see and stop it. One
    that acts (`effect`) asks the user first; `acts_on` is what they read of whom it speaks to.

    `is_declared`: the settings describe it. What its arguments refer to is looked up
    (`qdash_jupyter.tools.arguments`), and it has no time limit where nobody sets one but that of its client.
    """

    label: Text
    description: str
    run: Callable[[Any, ToolContext], ToolOutput | Awaitable[ToolOutput]]
    name: str = ""
    """Where nobody says it, it is the function's, and so are the arguments that `args` is of."""
    args: type[ToolArguments] = ToolArguments
    guidance: str = ""
    effect: Effect = "read"
    timeout_s: float | None = None
    max_calls_per_turn: int | None = None
    instead: str = ""
    """What the model is told to use when it has called this one too often."""
    fallbacks: tuple[FallbackSection, ...] = ()
    is_declared: bool = False
    acts_on: str = ""
    tables: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The columns of tables that it gives, with their kind behind a colon where they have one: a model is told them
    once, with the tool, and not in each result.
    """
    on_request: bool = False
    """Few questions need it: a model reads its name, and its schema once it has asked for that with `describe`."""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.run.__name__)
            object.__setattr__(self, "args", get_type_hints(self.run)["args"])

    def arguments(self) -> JsonObject:
        """Each argument's line of the schema with its meaning and bounds: for the tools' page, for `help`, and for a
        model that got one wrong.
        """
        properties = _json_schema(self.args).get("properties", {})
        return {name: _full_line(name, properties[name]) for name in properties}

    def signature(self) -> inspect.Signature:
        """Its arguments with types and defaults; the required ones first, which may be given by their place."""
        types = get_type_hints(self.args)
        arguments = inspect.signature(self.args).parameters.values()
        named = [each.replace(annotation=types.get(each.name, each.annotation)) for each in arguments]
        required = [each.replace(kind=each.POSITIONAL_OR_KEYWORD) for each in named if each.default is each.empty]
        return inspect.Signature([*required, *(each for each in named if each.default is not each.empty)])

    def call(self, arguments: JsonObject) -> str:
        """The call as Python, as people write it: the required arguments by their place."""
        by_place = [name for name in self.required() if name in arguments]
        values = [_literal(arguments[name]) for name in by_place]
        values += [f"{name}={_literal(value)}" for name, value in arguments.items() if name not in by_place]
        return f"{self.name}({', '.join(values)})"

    def required(self) -> list[str]:
        """The names of the arguments that have no default, in the order of the signature."""
        parameters = inspect.signature(self.args).parameters.items()
        return [name for name, each in parameters if each.default is each.empty]

    def help(self) -> str:
        """What people read of it in Python: its docstring, and what its arguments mean."""
        meanings = [(name, line["description"]) for name, line in self.arguments().items() if line["description"]]
        lines = ["", "Args:", *(f"    {name}: {meaning}" for name, meaning in meanings)] if meanings else []
        return "\n".join([inspect.getdoc(self.run) or self.description, *lines])

    def schema(self) -> JsonObject:
        """The function tool as the Responses API takes it, in as few characters as a model needs to call it."""
        limit = [] if self.max_calls_per_turn is None else [f"≤ {self.max_calls_per_turn} calls a question."]
        tables = (f"{name}: {', '.join(columns)}." for name, columns in self.tables.items())
        return {
            "type": "function",
            "name": self.name,
            "description": " ".join([self.description, *limit, *tables]),
            "parameters": self.args.server_schema or self._brief_parameters(),
            "strict": False,
        }

    def offered_arguments(self) -> list[str]:
        """The names of the arguments of which a model reads beforehand."""
        return [name for name in self.args.model_fields if name not in self.args.rare]

    def brief(self) -> JsonObject:
        """The schema without the arguments that few questions need."""
        schema = self.schema()
        if rare := self.args.rare:
            properties = schema["parameters"]["properties"].items()
            kept = {name: line for name, line in properties if name not in rare}
            schema["parameters"] = schema["parameters"] | {"properties": kept}
        return schema

    def _brief_parameters(self) -> JsonObject:
        parameters = {key: value for key, value in _json_schema(self.args).items() if key not in _SAID_BESIDE}
        parameters["properties"] = {
            name: _brief_line(name, line) for name, line in self.arguments().items() if name not in _NOT_OFFERED
        }
        return parameters


@functools.lru_cache(maxsize=256)
def _json_schema(args: type[ToolArguments]) -> JsonObject:
    """Made once in a process for all conversations, as pydantic takes a millisecond for each; not to be changed."""
    return args.model_json_schema()


_SAID_BESIDE = ("title", "description")
_NOT_OFFERED = ("project_id",)
"""QDash's argument, which is taken: to a model, `chip_id` names the project, too, in 500 characters less."""
_NOISE = ("title", "minLength", "minItems")
_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "maxItems", "maxLength")


def _full_line(name: str, property_: JsonObject) -> JsonObject:
    """An argument's line of the schema, with the meaning that it shares with other tools unless it has a meaning or a
    default of its own. One that may be left out offers no null, which would mean the same.
    """
    line = {key: value for key, value in property_.items() if (key, value) != ("default", None)}
    if "anyOf" in line and "default" not in line:
        kinds = [kind for kind in line.pop("anyOf") if kind != {"type": "null"}]
        line = (kinds[0] if len(kinds) == 1 else {"anyOf": kinds}) | line
    line.setdefault("description", SHARED_ARGUMENTS.get(name, "") if "default" not in line else "")
    return {key: value for key, value in line.items() if key not in _NOISE}


def _brief_line(name: str, line: JsonObject) -> JsonObject:
    """The line as a model gets it beforehand: without bounds but for how many rows there can be, as it rarely misses
    them and reads them in the error when it does, without empty defaults, and without a meaning that the enumeration
    or the instructions give.
    """
    has_meaning = "enum" in line or SHARED_ARGUMENTS.get(name, "").startswith(line["description"])
    left_out = [each for each in _BOUNDS if (name, each) != ("last_n", "maximum")]
    left_out += ["description"] if has_meaning else []
    return {key: value for key, value in line.items() if key not in left_out and (key != "default" or value)}

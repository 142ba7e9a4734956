"""Calls tools: checks arguments, keeps limits, runs reads side by side, stores results, turns errors into results."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
import time
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from typing import Any, Self, TypeVar

from pydantic import ValidationError

from qdash_jupyter.cells.host import Approver, CellHost, Nobody
from qdash_jupyter.config.mask import masked
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.config.tool_sets import FallbackSection
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.data.withheld import NEVER_SEND
from qdash_jupyter.domain.answer import Block, JsonObject, TableBlock, TextBlock
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.event_bus import EventBus
from qdash_jupyter.domain.events import CellNews, StageChanged, ToolFinished, ToolProgressed, ToolStarted
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure, ToolResult
from qdash_jupyter.domain.work import WithheldNames, Work
from qdash_jupyter.errors import (
    CallLimitReached,
    DatabaseError,
    DatabaseLost,
    InvalidArguments,
    IsWithheld,
    NotFound,
    PersonError,
    ToolError,
    UnknownTool,
    nearest,
)
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, Text, sentences, text_in
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.summary import summarise, whole
from qdash_jupyter.tools.approval import ask_before_acting
from qdash_jupyter.tools.arguments import transformed
from qdash_jupyter.tools.background import begun, in_background
from qdash_jupyter.tools.describe import DESCRIBE
from qdash_jupyter.tools.fallback import with_fallback
from qdash_jupyter.tools.runaway import NO_WARNING, RunawayLimits, runaway_watch
from qdash_jupyter.tools.size_limit import FEW_ROWS, FEW_ROWS_CHARS, MAX_TOOL_RESULT_CHARS, json_within
from qdash_jupyter.tools.spec import (
    NewFrame,
    TimeRangeArguments,
    ToolArguments,
    ToolContext,
    ToolOutput,
    ToolSpec,
)
from qdash_jupyter.tools.timeouts import ASK_FOR_LESS, MAY_BE_DONE, translated_timeouts

READS_SIDE_BY_SIDE = 8
READ_TIMEOUT_S = 60.0
"""Time limit of a read where neither the tool nor the settings give one; declared tools have that of their client."""
PROGRESS_S = 0.5
"""A read that takes longer says how much has come; not more often."""
_REST_S = 2.5
"""A cell of the notebook that was asked to stop is asked again for two seconds."""
_NAMES_PARAMETERS = ("parameter_name", "param_names", "metric_name")
"""The arguments that do."""
_NAME = re.compile(r"(?!add\Z)[A-Za-z][A-Za-z0-9_]{0,63}")
"""What model servers take, and Python: people call tools by their names, beside `copilot.tools.add`."""

_MOST_TOOLS = 5
"""So many are named that have an argument which another has not."""

logger = logging.getLogger("qdash_jupyter")

Given = TypeVar("Given")
ToolEvent = ToolStarted | ToolProgressed | ToolFinished | StageChanged | CellNews


class Toolbox:
    """The tools of a conversation, bound to what they work with."""

    def __init__(
        self,
        specs: Iterable[ToolSpec],
        context: ToolContext,
        *,
        timeout_s: float | None = None,
        fallbacks: Sequence[FallbackSection] = (),
        runaway: RunawayLimits = NO_WARNING,
        shows_errors: bool = True,
    ) -> None:
        """`timeout_s` is the limit of tools that name none, `fallbacks`
        stand behind those of each tool, `runaway` says from when on the user is warned of code that runs,
        `shows_errors` whether steps say why a tool failed.

        Raises:
            PersonError: two tools have one name, or one has a name that cannot be called.
        """
        self.specs: Mapping[str, ToolSpec] = {}
        self.context = context
        self._timeout_s = timeout_s
        self._fallbacks = tuple(fallbacks)
        self._runaway = runaway
        self._shows_errors = shows_errors
        self._calls: Counter[str] = Counter()
        self._elsewhere: Collection[str] = ()
        for spec in specs:
            self.add(spec)

    def add(self, spec: ToolSpec) -> None:
        """One more tool, from the next question on.

        Raises:
            PersonError: the name is taken, or no name that can be called.
        """
        if not _NAME.fullmatch(spec.name):
            raise PersonError.with_hint("tool-name-invalid", name=spec.name)
        if spec.name in self.specs:
            raise PersonError.with_hint("tool-name-taken", name=spec.name)
        if spec.effect != "run_code":
            own = None if spec.is_declared else READ_TIMEOUT_S
            spec = replace(spec, timeout_s=spec.timeout_s or self._timeout_s or own)
        spec = replace(spec, fallbacks=(*spec.fallbacks, *self._fallbacks))
        self.specs = {**self.specs, spec.name: spec}  # a new one: others may be reading

    def remove(self, names: Iterable[str]) -> None:
        """These are gone, from the next question on. A model that calls one all the same is told so."""
        gone = set(names)
        self.specs = {name: spec for name, spec in self.specs.items() if name not in gone}

    def within(self, context: ToolContext) -> Self:
        """The same tools, bound to what another conversation works with."""
        others = copy(self)
        others.context = context
        return others

    def for_turn(
        self,
        cells: CellHost,
        language: Language,
        approver: Approver | None = None,
        policy: Policy = "guarded",
        more: Sequence[ToolSpec] = (),
        *,
        elsewhere: Collection[str] = (),
    ) -> Self:
        """The same tools for one question, and `more` behind them: its code runs in `cells` as far as the policy and
        `approver` let it, and limits on calls count anew. `elsewhere` are tools that the model's server runs.
        """
        ours = copy(self)
        ours.context = replace(
            self.context, cells=cells, approver=approver or Nobody(), policy=policy, language=language
        )
        ours._calls, ours._elsewhere = Counter(), frozenset(elsewhere)  # noqa: SLF001
        for spec in more:
            ours.add(spec)
        return ours

    def schemas(self, described: Collection[str] = ()) -> tuple[JsonObject, ...]:
        """The function tools as the Responses API takes them: brief, and none of those that few questions need; those
        that a model had described, whole.
        """
        whole = {*described} if DESCRIBE in self.specs else {*self.specs}
        offered = [spec for spec in self.specs.values() if spec.name in whole or not spec.on_request]
        return tuple(spec.schema() if spec.name in whole else spec.brief() for spec in offered)

    async def run(self, calls: Sequence[ToolCall]) -> AsyncGenerator[ToolEvent]:
        """Run calls: neighbouring reads side by side, everything else alone, in order.

        Yields a `ToolStarted` for each call, then what happens while they run, and each `ToolFinished` when it is
        there, so not always in call order. Cancelled, it still yields what its cells do until they have ended.
        """
        self.context.renamed.clear()
        self.context.failed.clear()
        for group in self._groups(calls):
            for call in group:
                yield ToolStarted(call, self._label(call), _arguments_or_empty(call))
            bus: EventBus[ToolEvent] = EventBus()
            news = bus.subscribe()
            working = self._begun(group, bus)
            try:
                async for event in news:
                    yield event
                await working
            except asyncio.CancelledError:
                working.cancel()
                await asyncio.wait([working], timeout=_REST_S)
                for event in news.pending():
                    yield event
                raise
            finally:
                working.cancel()

    async def call(self, name: str, arguments: JsonObject) -> ToolResult:
        """One call from Python instead of from the model: as often as one likes."""
        return await self._call(ToolCall("direct", name, json.dumps(arguments)), EventBus())

    def _begun(self, group: Sequence[ToolCall], bus: EventBus[ToolEvent]) -> asyncio.Future[list[None]]:
        """Publish what happens in these calls, until all have ended, or one raised what none of them can answer."""

        async def run(place: int, call: ToolCall) -> None:
            async def turn() -> None:
                if place:
                    await asyncio.wait(running[:place])

            bus.publish(ToolFinished(await self._call(call, bus, turn), self._label(call)))

        running = [asyncio.create_task(run(place, call)) for place, call in enumerate(group)]
        working = asyncio.gather(*running)

        def end(whole: asyncio.Future[list[None]]) -> None:
            # What it raises is raised where it is waited for, if anybody still does.
            if not whole.cancelled() and whole.exception():
                for task in running:
                    task.cancel()
            bus.close()

        working.add_done_callback(end)
        return working

    def _groups(self, calls: Sequence[ToolCall]) -> Iterable[list[ToolCall]]:
        for reads, neighbours in groupby(calls, self._reads):
            while group := list(islice(neighbours, READS_SIDE_BY_SIDE if reads else 1)):
                yield group

    def _reads(self, call: ToolCall) -> bool:
        spec = self.specs.get(call.name)
        return spec is None or spec.effect == "read"

    def _label(self, call: ToolCall) -> Text:
        spec = self.specs.get(call.name)
        return spec.label if spec else call.name

    async def _call(
        self,
        call: ToolCall,
        bus: EventBus[ToolEvent],
        turn: Callable[[], Awaitable[None]] | None = None,
    ) -> ToolResult:
        """What the call gives. A frame is stored when its `turn` has come: keys follow the order of the calls. A call
        from Python has none, and does not count.
        """
        started, left_out = time.monotonic(), WithheldNames()
        try:
            spec = self._spec(call)
            if turn is not None:
                self._count(spec)
            raw = _parsed(spec, call)
            references: JsonObject = {}
            if spec.is_declared:
                raw, references = await in_background(partial(transformed, raw, spec, self.context), "qdash-arguments")
            arguments = _validated(spec, raw, self.specs)
            self._refuse_withheld(spec, arguments)
            output, arguments = await _found(partial(self._run, spec, call, bus, left_out), arguments)
            output = self._ranged(output, arguments)
            stored = None
            if output.frame is not None:  # a million rows take a second to be hashed
                if turn is not None:
                    await turn()
                store = partial(self._store, spec, arguments, references, output, output.frame)
                stored = await in_background(store, "qdash-store")
            content = self._without_withheld(_content(output, stored, spec.tables), left_out)
            result = ToolResult(
                call,
                content=content,
                blocks=(*_blocks(output, stored), *self._said_withheld(left_out)),
                frame_key=stored.key if stored else None,
                rows=stored.rows if stored else None,
                cell=output.cell,
                failure=_cell_failure(output),
                sources=output.sources,
                arguments=arguments.model_dump(exclude_none=True) | references,
                written=stored.source.call if stored else "",
                columns=tuple(stored.stored_tables[stored.main].columns) if stored else (),
                usage=output.usage,
                chip=_chip_of(output.frame) or None,
                for_model=output.for_model,
            )
        except ToolError as error:
            failure = ToolFailure(error.kind, error.message, error.hint, error.may_retry)
            shown = (TextBlock(text_in(error.shown, self.context.language)),) if error.shown else ()
            result = replace(self._failed(call, failure), blocks=shown)
        except PersonError:
            # The database or the settings are broken: no other call of the model can mend that.
            raise
        except Exception as error:
            message = Message("tool-failed-inside")
            if (known := self.specs.get(call.name)) is not None and known.is_declared:  # it may hold a secret
                logger.error("The tool %s failed: %s", call.name, masked(traceback.format_exc()))  # noqa: TRY400
                message = Message("tool-failed-with", why=f"{type(error).__name__}: {error}")
            else:
                logger.exception("The tool %s failed", call.name)
            result = self._failed(call, ToolFailure("internal", message, may_retry=False))
        return replace(result, elapsed_s=time.monotonic() - started, produced_at=self.context.reader.now())

    def _failed(self, call: ToolCall, failure: ToolFailure) -> ToolResult:
        """With what the settings say of that; whatever a server said, without secrets."""
        if (spec := self.specs.get(call.name)) is not None:
            if spec.is_declared:
                failure = replace(failure, message=masked(failure.message), hint=masked(failure.hint))
            failure = with_fallback(failure, spec.fallbacks)
        failure = replace(failure, is_shown=self._shows_errors)
        return ToolResult(call, content=to_json(failure.as_json()), failure=failure)

    def _spec(self, call: ToolCall) -> ToolSpec:
        spec = self.specs.get(call.name)
        if spec is None and call.name in self._elsewhere:
            raise UnknownTool.with_hint("tool-elsewhere", name=call.name)
        if spec is None:
            names = tuple(nearest(call.name, list(self.specs)) or self.specs)
            raise UnknownTool.with_hint("tool-unknown", name=call.name, names=names)
        return spec

    def _count(self, spec: ToolSpec) -> None:
        self._calls[spec.name] += 1
        if spec.max_calls_per_turn is not None and self._calls[spec.name] > spec.max_calls_per_turn:
            message = Message("tool-call-limit", name=spec.name, count=spec.max_calls_per_turn)
            raise CallLimitReached(message, spec.instead or spec.guidance)

    async def _run(
        self,
        spec: ToolSpec,
        call: ToolCall,
        bus: EventBus[ToolEvent],
        left_out: WithheldNames,
        arguments: ToolArguments,
    ) -> ToolOutput:
        if spec.effect == "run_code":
            with runaway_watch(bus.publish, self._runaway) as publish:
                running = spec.run(arguments, replace(self.context, publish=publish))
                return running if isinstance(running, ToolOutput) else await running
        if spec.effect == "act":
            await ask_before_acting(spec, arguments, replace(self.context, publish=bus.publish))
        with translated_timeouts(spec.name, spec.timeout_s, MAY_BE_DONE if spec.effect == "act" else ASK_FOR_LESS):
            try:
                async with asyncio.timeout(spec.timeout_s) as limit:
                    read = partial(self._read, spec, arguments, call, bus, limit, left_out=left_out)
                    return await (_twice(spec, read) if spec.effect == "read" else read())
            except DatabaseError as error:
                # At the limit, which it is told, the server may be the first to give up.
                if time.monotonic() < _moment(limit):
                    raise
                raise TimeoutError from error

    async def _read(
        self,
        spec: ToolSpec,
        arguments: ToolArguments,
        call: ToolCall,
        bus: EventBus[ToolEvent],
        limit: asyncio.Timeout,
        *,
        left_out: WithheldNames,
    ) -> ToolOutput:
        work, shown = Work(until=_moment(limit), withheld=left_out), 0
        reading = begun(partial(spec.run, arguments, self.context), f"qdash-{spec.name}", work)
        try:
            while not (await asyncio.wait([reading], timeout=PROGRESS_S))[0]:
                if work.is_held and spec.timeout_s is not None:
                    limit.reschedule(_moment(limit) + PROGRESS_S)
                if work.documents > shown:
                    shown = work.documents
                    bus.publish(ToolProgressed(call, self._label(call), progress_words(work)))
            given = await reading
            return given if isinstance(given, ToolOutput) else await given
        finally:
            reading.cancel()
            work.give_up()

    def _ranged(self, output: ToolOutput, arguments: ToolArguments) -> ToolOutput:
        """The result with the time range that it is of, where one was asked for."""
        if not isinstance(arguments, TimeRangeArguments) or not (arguments.since or arguments.until):
            return output
        now = self.context.reader.now()
        words = {"range": arguments.time_range(now).in_words(now)}
        frame, content = output.frame, output.content
        return replace(
            output,
            content=None if content is None else content | words,
            frame=None if frame is None else replace(frame, values=words | dict(frame.values)),
        )

    def _refuse_withheld(self, spec: ToolSpec, arguments: ToolArguments) -> None:
        """Nothing can be asked for, or chosen by, what is withheld: the answer would tell it."""
        withheld = self.context.withheld
        if not withheld or spec.is_declared:
            return
        for name, value in arguments.model_dump(exclude_none=True).items():
            asked = [name]
            if name in _NAMES_PARAMETERS:
                asked += [value] if isinstance(value, str) else value
            for each in asked:
                if value and (known := withheld.name_for(each)):
                    raise IsWithheld(NEVER_SEND, known)

    def _without_withheld(self, content: str, left_out: WithheldNames) -> str:
        """What the model reads. Its own tables and those of other servers may have names that are withheld, too."""
        if not (withheld := self.context.withheld):
            return content
        told = withheld.without(json.loads(content), left_out)
        if not left_out:
            return content
        said = {"withheld": f"{', '.join(left_out)} ({NEVER_SEND})"}
        return json_within(said | told if isinstance(told, dict) else said | {"rows": told}, MAX_TOOL_RESULT_CHARS)

    def _said_withheld(self, left_out: WithheldNames) -> tuple[Block, ...]:
        """What the user reads of that: data that are absent might be taken for data that do not exist."""
        if not left_out:
            return ()
        text = Message("withheld", names=tuple(f"`{name}`" for name in left_out), setting=f"`{NEVER_SEND}`")
        return (TextBlock(text.of(self.context.language)),)

    def _store(
        self, spec: ToolSpec, arguments: ToolArguments, references: JsonObject, output: ToolOutput, new: NewFrame
    ) -> StoredResult:
        asked = arguments.model_dump(exclude_none=True) | references
        chip = _chip_of(new)
        asked |= chip  # the same words about another chip are another call
        now, store = self.context.reader.now, self.context.store
        fetched_at, is_live = now(), self.context.reader.origin.as_of is None
        written = arguments.absolute(fetched_at, is_live=is_live) | references
        if new.chip is not None and self._is_current(new.chip):
            written = {name: value for name, value in written.items() if name not in chip}
        elif "chip_id" not in written:
            written |= chip
        source = FrameSource(spec.name, asked, output.sources, spec.call(written))
        about = {"main": new.main, "units": new.units, "source": source, "fetched_at": fetched_at, "now": now}
        return store.put(new.key, source, lambda key, version: StoredResult(key, new.values, version=version, **about))

    def _is_current(self, chip: ChipRef) -> bool:
        """Whether it is the chip that is meant where none is named, in a cell."""
        try:
            return (self.context.home or self.context.scope).resolve(self.context.reader).ref == chip
        except ToolError:
            return False


async def _found(
    run: Callable[[ToolArguments], Awaitable[ToolOutput]], arguments: ToolArguments
) -> tuple[ToolOutput, ToolArguments]:
    """What it gives, and for which arguments: a parameter is asked for in small letters, and stored in any."""
    try:
        return await run(arguments), arguments
    except NotFound as error:
        if not (spelled := _as_spelled(arguments, error)):
            raise
    return await _found(run, spelled)


def _as_spelled(arguments: ToolArguments, error: NotFound) -> ToolArguments | None:
    """With the parameter that was not found as the chip spells it; None where it has none of that name."""
    asked, own = error.asked, next(iter(error.nearest), "")
    if own == asked or own.lower() != asked.lower():
        return None
    named = arguments.model_dump(include=set(_NAMES_PARAMETERS), exclude_none=True)
    spelled = {
        name: own if value == asked else [own if one == asked else one for one in value]
        for name, value in named.items()
        if asked in ([value] if isinstance(value, str) else value)
    }
    return arguments.model_copy(update=spelled) if spelled else None


async def _twice(spec: ToolSpec, read: Callable[[], Awaitable[Given]]) -> Given:
    """What it gives. Where its connection breaks it is made once more: reading twice changes nothing."""
    try:
        return await read()
    except DatabaseLost:
        logger.info("%s lost its connection; it is tried once more", spec.name)
    return await read()


def _chip_of(frame: NewFrame | None) -> JsonObject:
    """The chip that was read, as arguments."""
    if frame is None or frame.chip is None:
        return {}
    return {"chip_id": frame.chip.chip_id, "project_id": frame.chip.project_id}


def _moment(limit: asyncio.Timeout) -> float:
    """When it passes, on the clock of `time.monotonic`, which is that of asyncio."""
    return math.inf if (when := limit.when()) is None else when


def _parsed(spec: ToolSpec, call: ToolCall) -> JsonObject:
    try:
        raw = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits, and 10,000 brackets
        message = Message("arguments-not-json", name=spec.name, why=str(error))
        raise InvalidArguments(message, _wanted(spec)) from None
    if not isinstance(raw, dict):
        message = Message("arguments-not-an-object", name=spec.name, value=to_json(raw)[:40])
        raise InvalidArguments(message, _wanted(spec))
    return raw


def _validated(spec: ToolSpec, raw: JsonObject, specs: Mapping[str, ToolSpec]) -> ToolArguments:
    try:
        arguments = spec.args.model_validate(raw)
    except ValidationError as error:
        wrong: list[Text] = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False)[:5]]
        properties = spec.arguments()
        names = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]}
        lines = {name: properties[name] for name in sorted(names) if name in properties}
        # A misspelt one may be what is missing.
        wrong += [_unknown(name, spec, specs) for name in raw if name not in properties]
        raise InvalidArguments.with_hint(
            "arguments-wrong", name=spec.name, why=tuple(wrong), schema=to_json(lines)
        ) from None
    known = {*spec.args.model_fields, *(field.alias for field in spec.args.model_fields.values())}
    # One that is given nothing asks for nothing; any other would be lost without a word.
    borrowed = [name for name, value in raw.items() if name not in known and value not in (None, "", [], {})]
    if borrowed and spec.args.model_config.get("extra") == "ignore":
        wrong = [_unknown(name, spec, specs) for name in borrowed]
        message = Message("arguments-wrong", name=spec.name, why=tuple(wrong))
        raise InvalidArguments(message, Message("arguments-optional", names=tuple(spec.arguments())))
    return arguments


def _unknown(name: str, spec: ToolSpec, specs: Mapping[str, ToolSpec]) -> Message:
    """Return what an unknown argument may be meant to be, or which tools have it."""
    if close := nearest(name, list(spec.arguments()), 1):
        return Message("argument-meant", name=name, meant=close[0])
    others = tuple(other.name for other in specs.values() if name in other.args.model_fields)[:_MOST_TOOLS]
    return Message("argument-of-others", name=name, tools=others) if others else Message("argument-unknown", name=name)


def _wanted(spec: ToolSpec) -> Text:
    """Return what the arguments have to be, for a model that sent none that can be read."""
    properties, required = spec.arguments(), spec.schema()["parameters"].get("required", [])
    optional = tuple(name for name in properties if name not in required)
    return sentences(
        Message("arguments-required", schema=to_json({name: properties[name] for name in required})),
        Message("arguments-optional", names=optional) if optional else "",
    )


def _few_rows(output: ToolOutput, stored: StoredResult | None) -> JsonObject | None:
    """The rows where they are few."""
    if output.is_whole and stored is not None and stored.rows <= FEW_ROWS:
        told = whole(stored, output.beside)
        return told if len(to_json(told)) <= FEW_ROWS_CHARS else None
    rows = output.rows
    if rows is None or len(rows) > FEW_ROWS or len(to_json(rows)) > FEW_ROWS_CHARS:
        return None
    return dict(rows) if isinstance(rows, Mapping) else {"rows": rows}


def _blocks(output: ToolOutput, stored: StoredResult | None) -> tuple[Block, ...]:
    """What the user sees; a table names the result that holds all of it."""
    key = stored.key if stored is not None else ""
    return tuple(replace(block, frame_key=key) if isinstance(block, TableBlock) else block for block in output.blocks)


def _content(output: ToolOutput, stored: StoredResult | None, tables: Mapping[str, Sequence[str]]) -> str:
    few = _few_rows(output, stored)
    if output.content is None and few is None and stored is not None:
        text = summarise(
            stored, statistics=output.statistics, notable=output.notable, budget=output.budget, known=tables
        )
        return text if len(text) <= MAX_TOOL_RESULT_CHARS else json_within(json.loads(text), MAX_TOOL_RESULT_CHARS)
    content: dict[str, Any] = {"data_key": stored.key} if stored is not None else {}
    if few is not None and stored is not None and "cut" in stored:
        content |= {name: stored[name] for name in ("total", "cut")}
    return json_within(content | dict(few or output.content or {}), MAX_TOOL_RESULT_CHARS)


def _cell_failure(output: ToolOutput) -> ToolFailure | None:
    run = output.cell
    if run is None or run.status in {CellStatus.OK, CellStatus.INSERTED}:
        return None
    last: list[Text] = [*run.traceback.strip().splitlines()[-1:], Message("code-not-finished")]
    return ToolFailure(f"cell_{run.status.value}", run.reason or last[0])


def _arguments_or_empty(call: ToolCall) -> JsonObject:
    try:
        raw = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) else {}


def progress_words(work: Work) -> Message:
    """Return, for example, `240,000 documents, 31 MB`; without the memory where that is not known."""
    if not work.nbytes:
        return Message("read-documents", count=work.documents)
    return Message("read-documents-memory", count=work.documents, memory=size_words(work.nbytes))

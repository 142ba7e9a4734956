"""Calls tools: checks arguments, keeps limits, runs reads side by side, stores results, turns errors into results."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from functools import partial
from typing import Any

from pydantic import ValidationError

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.events import StageChanged, ToolFinished, ToolProgressed, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure, ToolResult
from qdash_jupyter.errors import (
    CallLimitReached,
    DatabaseLost,
    InvalidArguments,
    PersonError,
    ToolError,
    ToolTimedOut,
    UnknownTool,
    nearest,
)
from qdash_jupyter.store.compact import to_json
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.summary import summarise
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.tools.reading_progress import ReadingProgress
from qdash_jupyter.tools.size_limit import json_within
from qdash_jupyter.tools.spec import Language, NewFrame, ToolArguments, ToolContext, ToolOutput, ToolSpec

MAX_TOOL_RESULT_CHARS = 30_000
FEW_ROWS = 20
FEW_ROWS_CHARS = 4_000
"""A table with no more rows and characters than these goes to the model as it is."""
READS_SIDE_BY_SIDE = 8

logger = logging.getLogger("qdash_jupyter")

ToolEvent = ToolStarted | ToolProgressed | ToolFinished | StageChanged
Tell = Callable[[str], None]


class Toolbox:
    """The tools of a conversation."""

    def __init__(self, specs: Sequence[ToolSpec], context: ToolContext, *, language: Language = "en") -> None:
        """`language` is the one of the labels on the screen."""
        self.specs = {spec.name: spec for spec in specs}
        self.context = context
        self.language: Language = language
        self._calls: Counter[str] = Counter()
        self._schemas: tuple[JsonObject, ...] = ()

    def schemas(self) -> tuple[JsonObject, ...]:
        """The function tools as the Responses API takes them. Made once: 18 take 40 ms."""
        if not self._schemas:
            self._schemas = tuple(spec.schema() for spec in self.specs.values())
        return self._schemas

    def start_turn(self) -> None:
        """Forget how often tools were called: limits hold for one question."""
        self._calls.clear()

    async def run(self, calls: Sequence[ToolCall]) -> AsyncGenerator[ToolEvent]:
        """Run calls: neighbouring reads side by side, everything else alone, in order.

        Yields a `ToolStarted` for each call, then what they say while they run, and each `ToolFinished` when it is
        there, so not always in call order.
        """
        for group in self._groups(calls):
            for call in group:
                yield ToolStarted(call, self._label(call), _arguments_or_empty(call))
            news: asyncio.Queue[ToolProgressed | asyncio.Task[ToolResult]] = asyncio.Queue()
            tasks = [asyncio.create_task(self._call(call, self._told(call, news))) for call in group]
            for task in tasks:
                task.add_done_callback(news.put_nowait)
            try:
                running = len(tasks)
                while running:
                    new = await news.get()
                    if isinstance(new, ToolProgressed):
                        yield new
                    else:
                        running -= 1
                        result = await new
                        yield ToolFinished(result, self._label(result.call))
            finally:
                for task in tasks:
                    task.cancel()

    async def call(self, name: str, arguments: JsonObject) -> ToolResult:
        """One call from Python instead of from the model: as often as one likes, and every table is stored, also those
        of few rows.
        """
        return await self._call(ToolCall("direct", name, json.dumps(arguments)), from_python=True)

    def _told(self, call: ToolCall, news: asyncio.Queue[Any]) -> Tell:
        """What a call's thread gives its words to."""
        loop, label = asyncio.get_running_loop(), self._label(call)

        def tell(words: str) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(news.put_nowait, ToolProgressed(call, label, words))

        return tell

    def _groups(self, calls: Sequence[ToolCall]) -> Iterable[list[ToolCall]]:
        group: list[ToolCall] = []
        for call in calls:
            spec = self.specs.get(call.name)
            if spec is None or spec.effect == "read":
                group.append(call)
                if len(group) == READS_SIDE_BY_SIDE:
                    yield group
                    group = []
                continue
            if group:
                yield group
                group = []
            yield [call]
        if group:
            yield group

    def _label(self, call: ToolCall) -> str:
        spec = self.specs.get(call.name)
        return spec.label.of(self.language) if spec else call.name

    async def _call(self, call: ToolCall, tell: Tell | None = None, *, from_python: bool = False) -> ToolResult:
        started = time.monotonic()
        try:
            spec = self._spec(call)
            if not from_python:
                self._count(spec)
            arguments = _validated(spec, call)
            output = await self._run(spec, arguments, tell)
            few = _few_rows(output)
            stored = None
            if output.frame is not None and (from_python or not few):  # a million rows take a second to be hashed
                stored = await in_background(partial(self._store, spec, arguments, output, output.frame), "qdash-store")
            result = ToolResult(
                call,
                content=few or _content(output, stored),
                blocks=output.blocks,
                frame_key=stored.key if stored else None,
                rows=stored.rows if stored else None,
                cell=output.cell,
                failure=_cell_failure(output),
                sources=output.sources,
                arguments=arguments.model_dump(exclude_none=True),
            )
        except ToolError as error:
            failure = ToolFailure(error.kind, error.message, error.hint, error.may_retry)
            result = ToolResult(call, content=to_json(failure.as_json()), failure=failure)
        except PersonError:
            # The database or the settings are broken: no other call of the model can mend that.
            raise
        except Exception:
            logger.exception("The tool %s failed", call.name)
            failure = ToolFailure(
                "internal", "The tool failed inside the copilot; details are in its log.", may_retry=False
            )
            result = ToolResult(call, content=to_json(failure.as_json()), failure=failure)
        return _stamped(result, time.monotonic() - started, self.context)

    def _spec(self, call: ToolCall) -> ToolSpec:
        spec = self.specs.get(call.name)
        if spec is None:
            msg = f"There is no tool {call.name!r}."
            raise UnknownTool(msg, f"Tools: {', '.join(nearest(call.name, list(self.specs)) or self.specs)}.")
        return spec

    def _count(self, spec: ToolSpec) -> None:
        self._calls[spec.name] += 1
        if spec.max_calls_per_turn is not None and self._calls[spec.name] > spec.max_calls_per_turn:
            msg = f"{spec.name} may be called {spec.max_calls_per_turn} times in one question."
            raise CallLimitReached(msg, spec.guidance)

    async def _run(self, spec: ToolSpec, arguments: ToolArguments, tell: Tell | None) -> ToolOutput:
        if spec.effect != "read":
            running = spec.run(arguments, self.context)
            return running if isinstance(running, ToolOutput) else await running
        try:
            output = await asyncio.wait_for(self._read(spec, arguments, tell), spec.timeout_s)
        except TimeoutError:
            msg = f"{spec.name} was not done after {spec.timeout_s:g} s."
            raise ToolTimedOut(msg, "Ask for less: fewer qubits, or a shorter time range.") from None
        if not isinstance(output, ToolOutput):
            msg = f"{spec.name} is declared as a read but must be awaited"
            raise TypeError(msg)
        return output

    async def _read(self, spec: ToolSpec, arguments: ToolArguments, tell: Tell | None) -> object:
        """What a read gives. One whose connection breaks is made once more: reading twice changes nothing."""
        work, name = partial(spec.run, arguments, self.context), f"qdash-{spec.name}"
        on_read = ReadingProgress(tell, self.language) if tell is not None else None
        try:
            return await in_background(work, name, on_read)
        except DatabaseLost:
            logger.info("%s lost its connection; it is tried once more", spec.name)
        return await in_background(work, name, on_read)

    def _store(self, spec: ToolSpec, arguments: ToolArguments, output: ToolOutput, new: NewFrame) -> StoredResult:
        asked = arguments.model_dump(exclude_none=True)
        if new.chip is not None:  # the same words about another chip are another call
            asked |= {"project_id": new.chip.project_id, "chip_id": new.chip.chip_id}
        source = FrameSource(spec.name, asked, output.sources)
        now, store = self.context.reader.now, self.context.store
        fetched_at = now()

        def make(key: str, version: int) -> StoredResult:
            return StoredResult(
                key,
                new.values,
                main=new.main,
                units=new.units,
                source=source,
                fetched_at=fetched_at,
                version=version,
                now=now,
                again=store.again,
            )

        return store.put(new.key, source, make)


def _validated(spec: ToolSpec, call: ToolCall) -> ToolArguments:
    try:
        raw = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits, and 10,000 brackets
        msg = f"The arguments of {spec.name} are no JSON that can be read: {error}."
        raise InvalidArguments(msg, _wanted(spec)) from None
    if not isinstance(raw, dict):
        msg = f"The arguments of {spec.name} are no JSON object: {to_json(raw)[:40]}."
        raise InvalidArguments(msg, _wanted(spec))
    try:
        return spec.args.model_validate(raw)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False)[:5]]
        properties = spec.arguments()
        names = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]}
        lines = {name: properties[name] for name in sorted(names) if name in properties}
        # What has no near name is ignored; a misspelt one may be what is missing.
        meant = {name: nearest(name, list(properties), 1) for name in raw if name not in properties}
        wrong += [f"there is no {name!r}, did you mean {close[0]}?" for name, close in meant.items() if close]
        msg = f"The arguments of {spec.name} do not fit: {'; '.join(wrong)}."
        raise InvalidArguments(msg, f"Schema: {to_json(lines)}") from None


def _wanted(spec: ToolSpec) -> str:
    """What the arguments have to be, for a model that sent none that can be read."""
    properties, required = spec.arguments(), spec.schema()["parameters"].get("required", [])
    optional = [name for name in properties if name not in required]
    wanted = f"Send one JSON object. Required: {to_json({name: properties[name] for name in required})}."
    return f"{wanted} Optional: {', '.join(optional)}." if optional else wanted


def _few_rows(output: ToolOutput) -> str:
    """The rows as JSON where they are few; otherwise nothing."""
    if output.rows is None or len(output.rows) > FEW_ROWS:
        return ""
    text = to_json(output.rows)
    return text if len(text) <= FEW_ROWS_CHARS else ""


def _content(output: ToolOutput, stored: StoredResult | None) -> str:
    if output.content is None and stored is not None:
        text = summarise(stored, statistics=output.statistics, notable=output.notable, budget=output.budget)
        return text if len(text) <= MAX_TOOL_RESULT_CHARS else json_within(json.loads(text), MAX_TOOL_RESULT_CHARS)
    content: dict[str, Any] = dict(output.content or {})
    if stored is not None:
        content["data_key"] = stored.key
    return json_within(content, MAX_TOOL_RESULT_CHARS)


def _cell_failure(output: ToolOutput) -> ToolFailure | None:
    run = output.cell
    if run is None or run.status is CellStatus.OK:
        return None
    message = run.reason or (run.traceback.strip().splitlines() or ["The code did not run to its end."])[-1]
    return ToolFailure(f"cell_{run.status.value}", message)


def _arguments_or_empty(call: ToolCall) -> JsonObject:
    try:
        raw = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _stamped(result: ToolResult, elapsed_s: float, context: ToolContext) -> ToolResult:
    from dataclasses import replace

    return replace(result, elapsed_s=elapsed_s, produced_at=context.reader.now())

"""Typed values as JSON and back: what a conversation's log is made of.

A value of a class is an object whose `type` names the class; fields at their defaults are left out. Reading is
tolerant: fields that this version does not know are ignored, blocks of a kind that it does not know are left out.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import orjson

from qdash_jupyter.domain import analysis, answer, cell_run, events, evidence, tool_call
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.session import records
from qdash_jupyter.store.compact import plain, to_json

NAMES: Mapping[str, type] = {
    "conversation": records.Header,
    "turn": records.TurnBegan,
    "event": events.StampedEvent,
    "items": records.ItemsAdded,
    "asked_from": records.AskedFrom,
    "analysis": analysis.AnalysisRequest,
    "cell_subject": analysis.CellSubject,
    "figure": analysis.SubjectFigure,
    "stage": events.StageChanged,
    "subject_read": events.SubjectRead,
    "text_delta": events.TextDelta,
    "reasoning_delta": events.ReasoningDelta,
    "tool_started": events.ToolStarted,
    "tool_progressed": events.ToolProgressed,
    "tool_finished": events.ToolFinished,
    "cell_moved": events.CellMoved,
    "answer_ready": events.AnswerReady,
    "turn_failed": events.TurnFailed,
    "call": tool_call.ToolCall,
    "result": tool_call.ToolResult,
    "failure": tool_call.ToolFailure,
    "source": evidence.Source,
    "cell_request": cell_run.CellRequest,
    "cell_run": cell_run.CellRun,
    "answer": answer.Answer,
    "usage": answer.Usage,
    "text": answer.TextBlock,
    "chart": answer.ChartBlock,
    "table": answer.TableBlock,
    "cell": answer.CellBlock,
}
"""The classes by the names that stand in logs: a class may be renamed, its name there not."""

_NAME_OF = {kind: name for name, kind in NAMES.items()}


class Unreadable(ValueError):
    """This is not what it should be, or of a kind that this version does not know."""


class Encoder:
    """Values to JSON values. A chart that it has written before becomes a reference: an answer repeats its tools'."""

    def __init__(self) -> None:
        """For one log."""
        self.charts: set[str] = set()

    def encode(self, value: Any) -> Any:
        """The value as JSON values."""
        if is_dataclass(value) and not isinstance(value, type):
            encoded = {"type": _NAME_OF[type(value)], **self._fields(value)}
            return self._once(encoded) if isinstance(value, ChartBlock) else encoded
        if isinstance(value, (tuple, list)):
            return [self.encode(entry) for entry in value]
        return plain(value.value if isinstance(value, Enum) else value)

    def _fields(self, value: Any) -> JsonObject:
        return {
            each.name: self.encode(held)
            for each in fields(value)
            if each.metadata.get("logged", True) and not _is_default(each, held := getattr(value, each.name))
        }

    def _once(self, chart: JsonObject) -> JsonObject:
        name = hashlib.sha256(as_bytes(chart)).hexdigest()[:32]
        if name in self.charts:
            return {"type": "chart", "same_as": name}
        self.charts.add(name)
        return {**chart, "id": name}


def as_bytes(encoded: Any) -> bytes:
    """JSON values as one line of JSON, without the line break."""
    try:
        return orjson.dumps(encoded)
    except TypeError:  # integers beyond 64 bits; text with half a surrogate pair
        return to_json(encoded).encode()


class Decoder:
    """JSON values to values."""

    def __init__(self) -> None:
        """For one log, read from its beginning."""
        self._charts: dict[str, ChartBlock] = {}

    def decode(self, raw: object) -> Any:
        """The value that `raw` stands for.

        Raises:
            Unreadable: it is none that this version knows.
        """
        kind = NAMES.get(str(raw.get("type"))) if isinstance(raw, dict) else None
        if kind is None:
            raise Unreadable
        return self._object(kind, raw)

    def _object(self, kind: type, raw: object) -> Any:
        if not isinstance(raw, dict) or NAMES.get(str(raw.get("type"))) is not kind:
            raise Unreadable
        if kind is ChartBlock and "same_as" in raw:
            if (known := self._charts.get(str(raw["same_as"]))) is None:
                raise Unreadable
            return known
        values = {}
        hints = _hints(kind)
        for each in fields(kind):
            if each.name not in raw:
                continue  # its default, or else a TypeError below
            try:
                values[each.name] = self._value(hints[each.name], raw[each.name])
            except Unreadable:
                if each.default is MISSING and each.default_factory is MISSING:
                    raise
        try:
            value = kind(**values)
        except TypeError:
            raise Unreadable from None
        if isinstance(value, ChartBlock) and "id" in raw:
            self._charts[str(raw["id"])] = value
        return value

    def _value(self, hint: Any, raw: Any) -> Any:
        if hint is Any:
            return raw
        if is_dataclass(hint):
            return self._object(hint, raw)  # type: ignore[arg-type]
        read = _READERS.get(get_origin(hint) or hint)
        if read is not None:
            return read(self, hint, raw)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return _checked(lambda: hint(raw))
        raise TypeError(hint)  # a new kind of field: it needs a reader here

    def _tuple(self, hint: Any, raw: Any) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise Unreadable
        of = get_args(hint)[0]
        values = []
        for entry in raw:
            try:
                values.append(self._value(of, entry))
            except Unreadable:
                if not _is_tagged(of):
                    raise
        return tuple(values)

    def _union(self, hint: Any, raw: Any) -> Any:
        for of in get_args(hint):
            try:
                return self._value(of, raw)
            except Unreadable:
                continue
        raise Unreadable


def _is_default(each: Field[Any], held: Any) -> bool:
    if each.default is not MISSING:
        return type(held) is type(each.default) and bool(held == each.default)
    return each.default_factory is not MISSING and held == each.default_factory()


def _is_tagged(hint: Any) -> bool:
    """Whether every value of this kind says its own type."""
    return all(is_dataclass(of) for of in (get_args(hint) or (hint,)))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _checked(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (ValueError, TypeError, OverflowError):
        raise Unreadable from None


def _of_type(_: Decoder, hint: Any, raw: Any) -> Any:
    if isinstance(raw, hint) and (hint is bool or not isinstance(raw, bool)):
        return raw
    raise Unreadable


def _float(_: Decoder, __: Any, raw: Any) -> float:
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        number: float = _checked(lambda: float(raw))
        return number
    raise Unreadable


def _none(_: Decoder, __: Any, raw: Any) -> None:
    if raw is not None:
        raise Unreadable


def _time(_: Decoder, __: Any, raw: Any) -> datetime:
    moment: datetime = _checked(lambda: datetime.fromisoformat(raw))
    if moment.tzinfo is None:
        raise Unreadable
    return moment


def _literal(_: Decoder, hint: Any, raw: Any) -> Any:
    if isinstance(raw, str) and raw in get_args(hint):
        return raw
    raise Unreadable


_READERS: Mapping[Any, Callable[[Decoder, Any, Any], Any]] = {
    str: _of_type,
    bool: _of_type,
    int: _of_type,
    float: _float,
    type(None): _none,
    datetime: _time,
    dict: lambda _, __, raw: _of_type(_, dict, raw),
    tuple: Decoder._tuple,  # noqa: SLF001
    Union: Decoder._union,  # noqa: SLF001
    types.UnionType: Decoder._union,  # noqa: SLF001
    Literal: _literal,
}

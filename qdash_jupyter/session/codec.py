"""Typed values as JSON and back: what a conversation's log is made of.

A value of a class is an object whose `type` names the class; fields at their defaults are left out. Reading is
tolerant: fields that this version does not know are ignored, blocks of a kind that it does not know are left out, and a
value that it cannot read is the field's default where there is one.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import orjson
from pydantic import GetPydanticSchema, TypeAdapter, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from qdash_jupyter.domain import analysis, answer, cell_run, consent, events, evidence, tool_call
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.compact import plain, to_json
from qdash_jupyter.messages.message import Message, of_json
from qdash_jupyter.session import records

NAMES: Mapping[str, type] = {
    "conversation": records.Header,
    "turn": records.TurnBegan,
    "event": events.StampedEvent,
    "items": records.ItemsAdded,
    "asked_from": records.AskedFrom,
    "analysis": analysis.AnalysisRequest,
    "cell_subject": analysis.CellSubject,
    "failed_cell": analysis.FailedCell,
    "figure": analysis.SubjectFigure,
    "stage": events.StageChanged,
    "subject_read": events.SubjectRead,
    "text_delta": events.TextDelta,
    "reasoning_delta": events.ReasoningDelta,
    "tool_started": events.ToolStarted,
    "tool_progressed": events.ToolProgressed,
    "tool_finished": events.ToolFinished,
    "cell_moved": events.CellMoved,
    "cell_warned": events.CellWarned,
    "approval_asked": events.ApprovalAsked,
    "approval_decided": events.ApprovalDecided,
    "answer_ready": events.AnswerReady,
    "turn_failed": events.TurnFailed,
    "cells_changed": events.CellsChanged,
    "call": tool_call.ToolCall,
    "result": tool_call.ToolResult,
    "failure": tool_call.ToolFailure,
    "source": evidence.Source,
    "cell_request": cell_run.CellRequest,
    "cell_run": cell_run.CellRun,
    "proposal": consent.Proposal,
    "decision": consent.Decision,
    "effect": consent.Effect,
    "answer": answer.Answer,
    "usage": answer.Usage,
    "text": answer.TextBlock,
    "chart": answer.ChartBlock,
    "table": answer.TableBlock,
    "cell_edit": answer.CellEditBlock,
}
"""The classes by the names that stand in logs: a class may be renamed, its name there not."""

_NAME_OF = {kind: name for name, kind in NAMES.items()}


class Encoder:
    """Values to JSON values. A chart that it has written before becomes a reference: an answer repeats its tools'."""

    def __init__(self) -> None:
        self.charts: set[str] = set()

    def encode(self, value: Any) -> Any:
        """The value as JSON values."""
        if isinstance(value, Message):
            return value.as_json()
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
    """Lines of one log to records, read from its beginning."""

    def __init__(self) -> None:
        self._charts: dict[str, ChartBlock] = {}

    def decode(self, line: bytes) -> records.Record | None:
        """The record that a line holds; None where it is no JSON, or nothing that this version knows."""
        try:
            return _record().validate_json(line, context=self._charts)
        except ValueError:
            return None


@cache
def _record() -> TypeAdapter[records.Record]:
    schema = GetPydanticSchema(lambda _, handler: _schema(records.Record, handler.generate_schema))
    return TypeAdapter(Annotated[Any, schema])


def _schema(hint: Any, leaf: Callable[[Any], CoreSchema]) -> CoreSchema:
    """What pydantic makes of a type, but classes are told apart by their names in logs, and reading is tolerant."""
    members = get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)
    kinds = [one for one in members if one is not type(None)]
    made: CoreSchema
    if set(kinds) == {str, Message}:
        made = core_schema.union_schema(
            [core_schema.str_schema(), core_schema.no_info_plain_validator_function(_message)]
        )
    elif all(map(is_dataclass, kinds)):
        made = core_schema.tagged_union_schema({_NAME_OF[kind]: _object(kind, leaf) for kind in kinds}, "type")
    elif kinds == [datetime]:
        moment = core_schema.datetime_schema(strict=False, tz_constraint="aware")
        made = core_schema.chain_schema([core_schema.str_schema(), moment])
    elif get_origin(hint) is tuple:
        of = _schema(get_args(hint)[0], leaf)
        if of["type"] == "tagged-union":  # what is of no kind that is known is left out
            of = core_schema.with_default_schema(of, on_error="omit")
        made = core_schema.tuple_variable_schema(of, strict=False)  # JSON has lists
    else:
        return leaf(hint)
    return core_schema.nullable_schema(made) if len(kinds) < len(members) else made


def _message(value: Any) -> Message:
    if isinstance(message := of_json(value), Message):
        return message
    raise ValueError("no message")


def _object(kind: Any, leaf: Callable[[Any], CoreSchema]) -> CoreSchema:
    hints = get_type_hints(kind)
    members = []
    for each in fields(kind):
        schema = _schema(hints[each.name], leaf)
        if each.default is not MISSING:
            schema = core_schema.with_default_schema(schema, default=each.default, on_error="default")
        elif each.default_factory is not MISSING:
            schema = core_schema.with_default_schema(schema, default_factory=each.default_factory, on_error="default")
        members.append(core_schema.dataclass_field(each.name, schema))
    arguments = core_schema.dataclass_args_schema(kind.__name__, members)
    names = [each.name for each in fields(kind)]
    made = core_schema.dataclass_schema(kind, arguments, names, slots=True, config={"strict": True})
    return core_schema.with_info_wrap_validator_function(_chart, made) if kind is ChartBlock else made


def _chart(raw: Any, read: Callable[[Any], ChartBlock], info: ValidationInfo[dict[str, ChartBlock]]) -> ChartBlock:
    if "same_as" in raw:
        if (known := info.context.get(str(raw["same_as"]))) is None:
            raise ValueError("the chart stands nowhere before this line")
        return known
    chart = read(raw)
    if "id" in raw:
        info.context[str(raw["id"])] = chart
    return chart


def _is_default(each: Field[Any], held: Any) -> bool:
    if each.default is not MISSING:
        return type(held) is type(each.default) and bool(held == each.default)
    return each.default_factory is not MISSING and held == each.default_factory()

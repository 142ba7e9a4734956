"""What one request to the scripted server gets: a stream of events with its mishaps, or an HTTP error.

Events are made of the SDK's own classes, so that an SDK whose wire types change fails loudly here.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from typing import Any, TypeAlias

from openai import BaseModel
from openai.types import responses as wire
from openai.types.responses import response_reasoning_summary_part_added_event as summary_part
from openai.types.responses.response import IncompleteDetails
from openai.types.responses.response_reasoning_item import Summary
from openai.types.responses.response_usage import InputTokensDetails, OutputTokensDetails


@dataclass(frozen=True)
class Raw:
    """Bytes sent as they are."""

    data: bytes


@dataclass(frozen=True)
class Pause:
    """Nothing is sent for so long, or until the test sets the event (the server notices when the client hangs up)."""

    seconds: float
    until: threading.Event | None = None


@dataclass(frozen=True)
class Cut:
    """The connection breaks: no end of the body, just gone."""


Step: TypeAlias = BaseModel | Raw | Pause | Cut


@dataclass(frozen=True)
class Script:
    """A streamed answer: its steps in order. The methods make variants of it."""

    steps: tuple[Step, ...]
    content_type: str = "text/event-stream; charset=utf-8"

    def first(self, events: int) -> Script:
        """Only the first steps; the body then ends in good order, the response does not."""
        return replace(self, steps=self.steps[:events])

    def cut_after(self, events: int) -> Script:
        """The connection breaks after so many steps."""
        return replace(self, steps=(*self.steps[:events], Cut()))

    def with_step(self, at: int, *steps: Step) -> Script:
        """More steps at this place."""
        return replace(self, steps=(*self.steps[:at], *steps, *self.steps[at:]))

    def stalled(self, seconds: float, *, after: int = 0, until: threading.Event | None = None) -> Script:
        """Silence after so many steps."""
        return self.with_step(after, Pause(seconds, until))

    def slow(self, seconds: float) -> Script:
        """A pause before each delta."""
        return replace(self, steps=tuple(self._slowed(seconds)))

    def without(self, event_type: str) -> Script:
        """The same without the events of this type."""
        return replace(self, steps=tuple(s for s in self.steps if getattr(s, "type", None) != event_type))

    def place_of(self, event_type: str) -> int:
        """Where the first event of this type stands."""
        return next(i for i, step in enumerate(self.steps) if getattr(step, "type", None) == event_type)

    def _slowed(self, seconds: float) -> Iterator[Step]:
        for step in self.steps:
            if str(getattr(step, "type", "")).endswith(".delta"):
                yield Pause(seconds)
            yield step


@dataclass(frozen=True)
class HttpError:
    """An HTTP status with its body; a text is sent as HTML."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


Answer: TypeAlias = Script | HttpError
Turn: TypeAlias = Answer | Callable[[dict[str, Any]], Answer]
"""An answer, or a function that makes it of the request's body."""


@dataclass(frozen=True)
class Text:
    """A message, streamed in so many pieces."""

    text: str
    pieces: int = 3
    phase: Any = None


@dataclass(frozen=True)
class Refusal:
    """A message in which the model declines."""

    text: str
    pieces: int = 2


@dataclass(frozen=True)
class Call:
    """A function call; arguments given as text are sent as they are, valid or not."""

    name: str
    arguments: Mapping[str, Any] | str
    call_id: str = ""


@dataclass(frozen=True)
class Thought:
    """A reasoning item with its encrypted content, and paragraphs of summary."""

    encrypted: str
    summary: Sequence[str] = ()


Part: TypeAlias = Text | Refusal | Call | Thought


def reply_turn(*parts: Part, usage: tuple[int, int] = (11, 7), incomplete: str = "") -> Script:
    """A response of these parts; `incomplete` is the reason why it is broken off at its end."""
    number, output = count(), []
    events: list[BaseModel] = []
    response = _response("in_progress", ())
    events.append(wire.ResponseCreatedEvent(type="response.created", response=response, sequence_number=next(number)))
    for index, part in enumerate(parts):
        # Only the last item of a broken-off response is cut short.
        status = "incomplete" if incomplete and index == len(parts) - 1 else "completed"
        item = _item(part, index, status)
        events.extend(_item_events(part, item, index, number))
        output.append(item)
    closed = _response("incomplete" if incomplete else "completed", output, usage=usage, incomplete=incomplete)
    closing: Any = wire.ResponseIncompleteEvent if incomplete else wire.ResponseCompletedEvent
    kind = "response.incomplete" if incomplete else "response.completed"
    events.append(closing(type=kind, response=closed, sequence_number=next(number)))
    return Script(tuple(events))


def text_turn(text: str, *, pieces: int = 3, usage: tuple[int, int] = (11, 7)) -> Script:
    """A response that is one message."""
    return reply_turn(Text(text, pieces), usage=usage)


def call_turn(*calls: tuple[str, Mapping[str, Any] | str], thought: Thought | None = None) -> Script:
    """A response that calls functions (pairs of name and arguments), after a thought if there is one."""
    return reply_turn(*([thought] if thought else []), *(Call(name, arguments) for name, arguments in calls))


def failed_turn(message: str, code: Any = "server_error") -> Script:
    """A response that begins and fails."""
    response = _response("failed", ()).model_copy(update={"error": wire.ResponseError(code=code, message=message)})
    return _begun(wire.ResponseFailedEvent(type="response.failed", response=response, sequence_number=1))


def error_turn(message: str, code: str = "server_error") -> Script:
    """A stream in which an `error` event comes."""
    return _begun(wire.ResponseErrorEvent(type="error", code=code, message=message, sequence_number=1))


def http_error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpError:
    """An error with a body as OpenAI makes it."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return HttpError(status, {"error": error}, headers or {})


def unknown_event(event_type: str = "response.crystal_ball.delta", **fields: Any) -> Raw:
    """An event of a type that no SDK knows."""
    return Raw(sse(event_type, json.dumps({"type": event_type, "sequence_number": 0, **fields})))


def written(step: BaseModel) -> str:
    """As the real server writes an event: without what was not set."""
    return step.model_dump_json(by_alias=True, exclude_unset=True)


def sse(event_type: str, data: str) -> bytes:
    """One server-sent event."""
    return f"event: {event_type}\ndata: {data}\n\n".encode()


def _begun(event: Step) -> Script:
    created = wire.ResponseCreatedEvent(
        type="response.created", response=_response("in_progress", ()), sequence_number=0
    )
    return Script((created, event))


def _response(
    status: Any, output: Sequence[Any], *, usage: tuple[int, int] | None = None, incomplete: Any = ""
) -> wire.Response:
    counted = usage and wire.ResponseUsage(
        input_tokens=usage[0],
        output_tokens=usage[1],
        total_tokens=sum(usage),
        input_tokens_details=InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
        output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
    )
    return wire.Response(
        id="resp_1",
        created_at=1_760_000_000,
        model="scripted",
        object="response",
        output=list(output),
        parallel_tool_calls=True,
        tool_choice="auto",
        tools=[],
        status=status,
        usage=counted,
        incomplete_details=IncompleteDetails(reason=incomplete) if incomplete else None,
    )


def _item(part: Part, index: int, status: Any) -> Any:
    match part:
        case Thought():
            return wire.ResponseReasoningItem(
                type="reasoning",
                id=f"rs_{index}",
                encrypted_content=part.encrypted,
                summary=[Summary(type="summary_text", text=text) for text in part.summary],
            )
        case Call():
            text = part.arguments if isinstance(part.arguments, str) else json.dumps(part.arguments)
            return wire.ResponseFunctionToolCall(
                type="function_call",
                id=f"fc_{index}",
                call_id=part.call_id or f"call_{index}_{part.name}",
                name=part.name,
                arguments=text,
                status=status,
            )
        case Refusal():
            content: Any = wire.ResponseOutputRefusal(type="refusal", refusal=part.text)
        case Text():
            content = wire.ResponseOutputText(type="output_text", text=part.text, annotations=[], logprobs=[])
    phase: dict[str, Any] = {"phase": part.phase} if isinstance(part, Text) and part.phase else {}
    return wire.ResponseOutputMessage(
        type="message", id=f"msg_{index}", role="assistant", status=status, content=[content], **phase
    )


def _item_events(part: Part, item: Any, index: int, number: Iterator[int]) -> Iterator[BaseModel]:
    begun = item.model_copy(
        update={"status": "in_progress"}
        | ({"content": []} if item.type == "message" else {})
        # As the real server may do: what `.added` holds is not to be relied on.
        | ({"encrypted_content": None, "summary": []} if item.type == "reasoning" else {})
    )
    yield wire.ResponseOutputItemAddedEvent(
        type="response.output_item.added", item=begun, output_index=index, sequence_number=next(number)
    )
    place = {"item_id": item.id, "output_index": index}
    match part:
        case Thought():
            for nth, text in enumerate(part.summary):
                yield wire.ResponseReasoningSummaryPartAddedEvent(
                    type="response.reasoning_summary_part.added",
                    part=summary_part.Part(type="summary_text", text=""),
                    summary_index=nth,
                    sequence_number=next(number),
                    **place,
                )
                for piece in _pieces(text, 2):
                    yield wire.ResponseReasoningSummaryTextDeltaEvent(
                        type="response.reasoning_summary_text.delta",
                        delta=piece,
                        summary_index=nth,
                        sequence_number=next(number),
                        **place,
                    )
        case Call():
            for piece in _pieces(item.arguments, 2):
                yield wire.ResponseFunctionCallArgumentsDeltaEvent(
                    type="response.function_call_arguments.delta", delta=piece, sequence_number=next(number), **place
                )
            yield wire.ResponseFunctionCallArgumentsDoneEvent(
                type="response.function_call_arguments.done",
                name=part.name,
                arguments=item.arguments,
                sequence_number=next(number),
                **place,
            )
        case Refusal():
            for piece in _pieces(part.text, part.pieces):
                yield wire.ResponseRefusalDeltaEvent(
                    type="response.refusal.delta", delta=piece, content_index=0, sequence_number=next(number), **place
                )
        case Text():
            for piece in _pieces(part.text, part.pieces):
                yield wire.ResponseTextDeltaEvent(
                    type="response.output_text.delta",
                    delta=piece,
                    content_index=0,
                    logprobs=[],
                    sequence_number=next(number),
                    **place,
                )
    yield wire.ResponseOutputItemDoneEvent(
        type="response.output_item.done", item=item, output_index=index, sequence_number=next(number)
    )


def _pieces(text: str, number: int) -> list[str]:
    """The text in that many pieces of about the same length (of one character, if it is shorter than that)."""
    number = max(1, min(number, len(text)))
    ends = [len(text) * nth // number for nth in range(number + 1)]
    return [text[start:end] for start, end in pairwise(ends) if end > start]

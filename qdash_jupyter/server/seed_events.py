"""The events of a turn as QDash's clients know them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from qdash_jupyter.agent.partial import partial_answer
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.event_bus import EventBus
from qdash_jupyter.domain.events import (
    AgentEvent,
    StageChanged,
    TextDelta,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
)
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.server.sse import sse_event

Run: TypeAlias = Literal["run_analysis", "run_chat"]
"""The phase in which the model answers."""

_OWN_STEPS = {"load_qubit_params", "load_images"}
"""Phases of a turn that clients are told of by the same name; the others the stream tells itself."""


class SeedEvents:
    """Publishes the texts of a stream's events. `step` is the phase that was told last, for an error."""

    def __init__(
        self, bus: EventBus[str], run: Run, language: Language, request_id: str, *, deltas: bool = False
    ) -> None:
        """Of one stream, on its bus; `deltas` says whether text is sent while it is written."""
        self._bus = bus
        self.step = "init"
        self._run: Run = run
        self.language: Language = language
        self._more: JsonObject = {"request_id": request_id}
        self._deltas = deltas
        self._runs = False
        self._called: list[str] = []
        self._raw = self._shown = ""

    def status(self, step: str, message: str = "", **more: object) -> None:
        """A phase begins. The first one of a stream tells the id by which it is cancelled."""
        if step not in {"thinking", "tool_call"}:
            self.step = step
        message = message or Message("service-step", step=step).of(self.language)
        told = {"step": step, "message": message} | more | self._more
        self._more = {}
        self._bus.publish(sse_event("status", told))

    def error(self, detail: str) -> None:
        """The stream has no answer."""
        self._bus.publish(sse_event("error", {"step": self.step, "detail": detail} | self._more))

    def tell(self, event: AgentEvent) -> None:
        """Tell of an event of the turn; its end is the stream's own to tell, and when text is (`written`)."""
        if isinstance(event, TextDelta):
            self._raw += event.text
            return
        self.written()
        match event:
            case StageChanged(step=step) if step in _OWN_STEPS:
                self.status(step)
            case StageChanged(step="thinking"):
                if not self._runs:
                    self._runs = True
                    self.status(self._run)
                self._raw = ""
                self._thinking()
            case ToolStarted(call=call, label=label):
                self.status("tool_call", f"{text_in(label, self.language)}...", tool=call.name)
            case ToolProgressed(call=call, label=label, message=message):
                done = text_in(message, self.language)
                self.status("tool_call", f"{text_in(label, self.language)}: {done}", tool=call.name)
            case ToolFinished(label=label):
                self._called.append(text_in(label, self.language))

    def _thinking(self) -> None:
        if self._called:
            message = Message("service-analysing", tool=self._called[-1]).of(self.language)
            self.status("thinking", message, completed_tools=list(self._called))
        else:
            self.status("thinking")

    def written(self) -> None:
        """Tell what can be read of the answer by now, behind what was told; all of it where that has changed."""
        if not (self._deltas and self._raw):
            return
        blocks = partial_answer(self._raw)
        shown = "\n\n".join(block.content for block in blocks if not isinstance(block, ChartBlock))
        before, self._shown = self._shown, shown
        if shown != before:
            is_more = shown.startswith(before)
            told = {"text": shown[len(before) :]} if is_more else {"text": shown, "replace": True}
            self._bus.publish(sse_event("delta", told))

"""One turn as the panel shows it, folded from its events as they come."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import TypeAlias

from qdash_jupyter.agent.limits import stopped_early
from qdash_jupyter.agent.next_steps import next_steps
from qdash_jupyter.domain.answer import Answer, StopReason, TextBlock
from qdash_jupyter.domain.cell_run import CellRun, cells_in_notebook, cells_unseen
from qdash_jupyter.domain.events import (
    AgentEvent,
    AnswerReady,
    ApprovalAsked,
    ApprovalDecided,
    CellMoved,
    CellNews,
    CellsChanged,
    CellWarned,
    ReasoningDelta,
    StageChanged,
    StampedEvent,
    SubjectRead,
    TextDelta,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnFailed,
)
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.messages.languages import LANGUAGES, Language
from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.ui.panel_state.blocks import (
    Stream,
    Thought,
    blocks_of,
    error_of,
    images_of,
    milliseconds,
    sendable,
    subject_of,
)
from qdash_jupyter.ui.panel_state.steps import Step, Steps, with_frame

StepEvent: TypeAlias = ToolStarted | ToolProgressed | ToolFinished | CellNews

_STOPPED = Message("step-stopped")
_FAILED = Message("step-question-failed")
_BROKEN_OFF = Message("step-kernel-stopped")


class TurnReducer:
    """Add a turn's events in order; `view` is the turn as docs/protocol.md describes it."""

    def __init__(
        self, turn_id: str, question: str, asked_at: datetime, model: str | None = None, language: Language = "en"
    ) -> None:
        """Begun, and nothing more. `model` is the name of the model in use."""
        self._asked_at = asked_at
        self._language: Language = language
        self._fields: panel.Turn = {
            "turn_id": turn_id,
            "question": sendable(question),
            "state": "thinking",
            "status": "",
            "status_since": milliseconds(asked_at),
            "asked_at": milliseconds(asked_at),
            "elapsed_s": None,
            "assessment": None,
            "choices": [],
            "headings": [],
            "next_steps": [],
            "meta": {"model": model, "input_tokens": None, "output_tokens": None},
            "cells": None,
            "broken_off": False,
            "blocks": [],
        }
        self._seen = 0
        self._round = 0
        self.steps = Steps(language)
        """Its calls of tools."""
        self._subject: list[panel.Block] = []
        self._thought = Thought()
        self._items: list[Step | Stream] = []
        self._writing: Stream | None = None
        self._results: list[ToolResult] = []
        self._answer: list[panel.Block] = []

    @property
    def ended(self) -> bool:
        """Whether nothing will happen any more."""
        return self._fields["state"] not in {"thinking", "waiting"}

    def add(self, stamped: StampedEvent) -> None:
        """Take in what happened next; what was taken in already changes nothing."""
        event = stamped.event
        if stamped.seq <= self._seen or (self.ended and not isinstance(event, CellsChanged)):
            return
        self._seen = stamped.seq
        if isinstance(event, CellsChanged):
            note = text_in(event.note, self._language)
            self._fields["cells"] = {"count": event.count, "first": event.first, "state": event.state, "note": note}
        else:
            self._take(event, stamped.at)

    def _take(self, event: AgentEvent, at: datetime) -> None:
        if isinstance(event, ReasoningDelta):
            self._thought.add(event.text, at)
            return
        self._thought.end()
        if isinstance(event, TextDelta):
            self._stream().add(event.text)
        elif isinstance(event, StageChanged):
            if event.step == "thinking":  # another round of the model: what it wrote before was not the answer
                self._round += 1
                self._writing = None
                self._thought.wait(at)
            self._say(text_in(event.message, self._language), at)
        elif isinstance(event, SubjectRead):
            self._subject = [subject_of(event, self._language)]
        elif isinstance(event, StepEvent):
            self._step(event, at)
            self._follow(at)
        elif isinstance(event, AnswerReady):
            self._end(event.answer, at)
        elif isinstance(event, TurnFailed):
            self._fail(event, at)

    def break_off(self) -> None:
        """The kernel ended before the turn did."""
        if not self.ended:
            self._thought.end()
            self._keep_what_is_there(_BROKEN_OFF)
            self._fields.update({"state": "stopped", "broken_off": True, "status": ""})

    def view(self, frames: Container[str]) -> panel.Turn:
        """The turn now; `frames` are the keys of the tables that are stored."""
        blocks: list[panel.Block] = []
        for item in self._items:
            blocks.extend(item.blocks() if isinstance(item, Stream) else [with_frame(item.block, frames)])
        return {**self._fields, "blocks": [*self._subject, *self._thought.blocks(), *blocks, *self._answer]}

    def _stream(self) -> Stream:
        if self._writing is None:
            self._writing = Stream(f"r{self._round}-")
            self._items.append(self._writing)
        return self._writing

    def _say(self, status: str, at: datetime) -> None:
        if status and status != self._fields["status"]:
            self._fields.update({"status": sendable(status), "status_since": milliseconds(at)})

    def _follow(self, at: datetime) -> None:
        """State and status line, after something about the steps has changed."""
        asked, waits = any(step.is_asked for step in self.steps), any(step.is_waiting for step in self.steps)
        self._fields["state"] = "waiting" if asked or waits else "thinking"
        if asked:
            status = Message("progress-waiting-for-you").of(self._language)
        else:
            status = Message("waiting-for-kernel").of(self._language) if waits else self._spoken_of
        self._say(status, at)

    @property
    def _spoken_of(self) -> str:
        running = self.steps.newest_running
        return sendable(running.status) if running else ""

    def _step(self, event: StepEvent, at: datetime) -> None:
        match event:
            case ApprovalAsked(proposal=proposal):
                self.steps.asked(proposal)
            case ApprovalDecided(decision=decision):
                self.steps.decided(decision)
            case ToolStarted():
                self._items.append(self.steps.start(event, at))
            case ToolProgressed():
                said = self._fields["status"] == self._spoken_of
                self.steps.progress(event)
                if said:  # the same step goes on: its time is not counted anew
                    self._fields["status"] = self._spoken_of
            case ToolFinished(result=result):
                self.steps.finish(result)
                self._results.append(result)
            case CellMoved():
                self.steps.move(event)
            case CellWarned():
                self.steps.warn(event)

    @property
    def _runs(self) -> list[CellRun]:
        return [result.cell for result in self._results if result.cell is not None]

    def _end(self, answer: Answer, at: datetime) -> None:
        # What an answer says in place of words when the user has stopped it, the turn's state says already.
        notices = [stopped_early(StopReason.CANCELLED, language) for language in LANGUAGES]
        blocks = [block for block in answer.blocks if block not in notices]
        if answer.stop_reason is not StopReason.CANCELLED or any(isinstance(block, TextBlock) for block in blocks):
            # The answer takes the place of what was streamed, under the same names: what is equal stays as it is.
            self._items = [item for item in self._items if item is not self._writing]
            self.steps.close(_STOPPED.of(self._language))
            self._answer = [*blocks_of(f"r{self._round}-", blocks), *images_of(self._runs)]
        else:
            self._keep_what_is_there(_STOPPED)
        usage = answer.usage
        self._fields.update(
            {
                "state": "stopped" if answer.stop_reason is StopReason.CANCELLED else "done",
                "assessment": answer.assessment,
                "choices": list(answer.choices),
                "headings": list(answer.headings),
                "next_steps": list(next_steps(self._fields["question"], answer, self._results, self._language)),
                "meta": self._meta(usage.input_tokens, usage.output_tokens),
            }
        )
        self._close(at)

    def _fail(self, event: TurnFailed, at: datetime) -> None:
        self._keep_what_is_there(_FAILED)
        self._answer.append(error_of(event, self._language))
        self._fields.update({"state": "error", "meta": self._meta()})
        self._close(at)

    def _keep_what_is_there(self, why: Message) -> None:
        """There is no answer: what was written so far stays, and the charts of tools and cells come behind it."""
        self.steps.close(why.of(self._language))
        if self._writing is not None:
            self._writing.cut()
        charts = [block for result in self._results for block in result.blocks]
        self._answer = [*blocks_of("kept-", charts), *images_of(self._runs)]

    def _meta(self, input_tokens: int = 0, output_tokens: int = 0) -> panel.Meta:
        return {
            "model": self._fields["meta"]["model"],
            "input_tokens": input_tokens or None,
            "output_tokens": output_tokens or None,
        }

    def edit_decided(self, edit_id: str, state: panel.EditState) -> None:
        """The user has accepted or rejected the change of a cell."""
        for place, block in enumerate(self._answer):
            if block["kind"] == "edit" and block["edit_id"] == edit_id:
                self._answer[place] = {**block, "state": state}

    def _close(self, at: datetime) -> None:
        added, unseen = cells_in_notebook(self._runs), cells_unseen(self._runs)
        if runs := added or unseen:
            self._fields["cells"] = {
                "count": len(runs),
                "first": runs[0].request.cell_id,
                "state": "added" if added else "unseen",
                "note": "",
            }
        self._fields.update({"status": "", "elapsed_s": round((at - self._asked_at).total_seconds(), 3)})

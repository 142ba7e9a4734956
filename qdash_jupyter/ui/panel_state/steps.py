"""The steps of a turn: its calls of tools, and the cells that some of them run."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from qdash_jupyter.domain.consent import Decision, Effect, Proposal
from qdash_jupyter.domain.events import CellMoved, CellWarned, ToolProgressed, ToolStarted
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.ui.panel_state.blocks import milliseconds, sendable
from qdash_jupyter.ui.progress import words_of


@dataclass(slots=True)
class Step:
    """A call, what it is about, its block, and what the status line says while it runs."""

    call: ToolCall
    about: str
    status: str
    block: panel.StepBlock
    written: str = ""
    """The call as a notebook has it, where something was stored."""
    columns: tuple[str, ...] = ()
    """Those of the stored table."""

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return bool(self.block["state"] == "running")

    @property
    def is_waiting(self) -> bool:
        """Whether its cell stands behind another one."""
        return self.is_running and self.block["cell_state"] == "waiting"

    @property
    def is_asked(self) -> bool:
        """Whether it waits for the user's yes or no."""
        approval = self.block["approval"]
        return self.is_running and approval is not None and approval["state"] == "asked"

    def change(self, **fields: object) -> None:
        """A new block: what was sent before must not change under its reader."""
        self.block = cast("panel.StepBlock", {**self.block, **fields})


class Steps:
    """In the order in which they began."""

    def __init__(self, language: Language = "en") -> None:
        """None yet; `language` is that of the question."""
        self._steps: list[Step] = []
        self._language: Language = language

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    @property
    def newest_running(self) -> Step | None:
        """The one that the status line speaks of."""
        return next((step for step in reversed(self._steps) if step.is_running), None)

    def start(self, event: ToolStarted, at: datetime) -> Step:
        """A call began."""
        status, label = words_of(event, self._language), text_in(event.label, self._language)
        about = status[len(label) + 2 :]
        block: panel.StepBlock = {
            "id": self._free_id(event.call.call_id),
            "kind": "step",
            "call_id": event.call.call_id,
            "label": label,
            "about": about,
            "name": event.call.name,
            "arguments": event.arguments,
            "state": "running",
            "started_at": milliseconds(at),
            "elapsed_s": None,
            "rows": None,
            "frame_key": None,
            "frame_gone": False,
            "sent": None,
            "sources": [],
            "error": None,
            "hint": None,
            "warning": None,
            "cell_id": None,
            "cell_state": None,
            "cell_place": None,
            "cell_number": None,
            "code": event.arguments.get("code"),
            "approval": None,
        }
        step = Step(event.call, about, status, sendable(block))
        self._steps.append(step)
        return step

    def progress(self, event: ToolProgressed) -> None:
        """A call has read so much."""
        step = self._running(event.call)
        if step is not None:
            step.status = words_of(event, self._language)
            message = text_in(event.message, self._language)
            step.change(about=sendable(" · ".join(filter(None, (step.about, message)))))

    def finish(self, result: ToolResult) -> None:
        """A call ended."""
        step = self._running(result.call)
        if step is None:
            return
        about, failure = step.about, result.failure
        if failure is not None and failure.is_answer:
            about, failure = " · ".join(filter(None, (about, text_in(failure.reason, self._language)))), None
        step.written, step.columns = result.written, result.columns
        step.change(
            state="failed" if failure else "done",
            about=sendable(about),
            arguments=sendable(result.arguments) or step.block["arguments"],
            elapsed_s=result.elapsed_s,
            rows=result.rows,
            frame_key=result.frame_key,
            sent=sendable(result.content),
            sources=[_source(source, self._language) for source in result.sources],
            error=sendable(text_in(failure.reason, self._language)) if failure else None,
            hint=(sendable(text_in(failure.hint, self._language)) if failure.is_shown else "") if failure else None,
            warning=None,
        )
        if result.cell is not None:
            step.change(code=sendable(result.cell.request.code), cell_number=result.cell.execution_count)
            if step.block["cell_place"] is not None:
                step.change(cell_state="finished")

    def move(self, event: CellMoved) -> None:
        """A cell is at another stage. Code runs one piece at a time, so it is that of the running step."""
        cell = event.request
        step = self._of_cell(cell.cell_id) or next(
            (step for step in self._steps if step.is_running and step.block["code"] is not None), None
        )
        if step is not None:
            place = "notebook" if event.in_notebook else "kernel"
            step.change(cell_id=cell.cell_id, cell_state=event.stage, cell_place=place, code=sendable(cell.code))
            if event.stage == "running":
                step.change(warning=None)  # it waits no more

    def warn(self, event: CellWarned) -> None:
        """A cell runs long or takes much memory."""
        step = self._of_cell(event.request.cell_id)
        if step is not None and step.is_running:
            step.change(warning=sendable(text_in(event.message, self._language)))

    def asked(self, proposal: Proposal) -> None:
        """Its code waits for a yes or no."""
        step = self.newest_running
        if step is not None:
            approval: panel.Approval = {
                "proposal_id": proposal.proposal_id,
                "hash": proposal.code_hash,
                "runs": proposal.runs,
                "effects": [_in_words(effect, self._language) for effect in proposal.effects],
                "state": "asked",
                "by": "",
                "reason": "",
            }
            # A cell that was stopped in the session is in the notebook no more.
            step.change(code=sendable(proposal.code), approval=approval, cell_id=None, cell_state=None, cell_place=None)

    def decided(self, decision: Decision) -> None:
        """It has got one."""
        for step in self._steps:
            approval = step.block["approval"]
            if approval is not None and approval["proposal_id"] == decision.proposal_id:
                by, reason = (text_in(words, self._language) for words in (decision.by, decision.reason))
                said = {"state": decision.verdict, "by": by, "reason": sendable(reason)}
                step.change(approval={**approval, **said})

    def refetched(self, call_id: str, result: ToolResult) -> None:
        """The table of a step was fetched again, perhaps under another key."""
        for step in self._steps:
            if step.block["call_id"] == call_id:
                step.written, step.columns = result.written, result.columns
                step.change(frame_key=result.frame_key, rows=result.rows)

    def close(self, error: str) -> None:
        """Nothing will end any more. A cell that never ran is taken out of the notebook."""
        for step in self._steps:
            if step.is_running:
                ran = step.block["cell_state"] in {"running", "finished"}
                cell = {"cell_state": "finished"} if ran else {"cell_id": None, "cell_state": None, "cell_place": None}
                step.change(state="failed", error=error, warning=None, **cell)

    def _of_cell(self, cell_id: str) -> Step | None:
        return next((step for step in self._steps if step.block["cell_id"] == cell_id), None)

    def _running(self, call: ToolCall) -> Step | None:
        """Models may use an id twice: among equal ones the first to begin is the first to end."""
        running = [step for step in self._steps if step.is_running]
        return next((step for step in running if step.call == call), None) or next(
            (step for step in running if step.call.call_id == call.call_id), None
        )

    def _free_id(self, call_id: str) -> str:
        taken = {step.block["id"] for step in self._steps}
        free, number = f"call-{sendable(call_id)}", 1
        while free in taken:
            number += 1
            free = f"call-{sendable(call_id)}-{number}"
        return free


def _in_words(effect: Effect, language: Language) -> panel.EffectInWords:
    return {
        "does": text_in(effect.does, language),
        "what": sendable(text_in(effect.what, language)),
        "kind": effect.kind.value,
        "note": text_in(effect.note, language),
    }


def _source(source: Source, language: Language) -> panel.SourceInWords:
    ids = [sendable(each) for each in source.ids]
    words = sendable(text_in(source.filter, language))
    return {"collection": source.collection, "filter": words, "count": source.count, "ids": ids}


def with_frame(block: panel.StepBlock, frames: Container[str]) -> panel.StepBlock:
    """A step's block, saying whether its table is there."""
    gone = block["frame_key"] is not None and block["frame_key"] not in frames
    return block if block["frame_gone"] == gone else {**block, "frame_gone": gone}

"""An answer below its cell that waits for approvals, made of ipywidgets: where a front-end has no panel of ours."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets

from qdash_jupyter.domain.consent import Decision, Proposal, Verdict
from qdash_jupyter.domain.events import AnswerReady, ApprovalAsked, ApprovalDecided, StampedEvent, TurnFailed
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message, Text, text_in
from qdash_jupyter.session.approvals import Approvals, who
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.display import final_bundles
from qdash_jupyter.ui.progress import words_of


class WidgetAnswer:
    """Shows what a turn asks, and its answer. Made on the main thread, changed on the agent's loop."""

    def __init__(self, turn: Turn, approvals: Approvals, *, asks: bool) -> None:
        """`asks`: the question is asked here; else a panel does."""
        self.turn = turn
        self.ended = False
        self._approvals = approvals
        self._asks = asks
        self._status = ipywidgets.HTML()
        self._card = ipywidgets.VBox()
        self._answer = ipywidgets.Output()
        self.box = ipywidgets.VBox([self._status, self._card, self._answer])

    def changed(self, stamped: StampedEvent) -> None:
        """Something happened in the turn."""
        event = stamped.event
        if isinstance(event, ApprovalAsked) and self._asks:
            self._ask(event.proposal)
        elif isinstance(event, ApprovalDecided | AnswerReady | TurnFailed):
            self._card.children = ()
        if words := words_of(event, self.turn.language):
            self._say(words)
        if isinstance(event, AnswerReady | TurnFailed):
            self.ended = True
            self._say("")
            bundles = final_bundles(self.turn)
            self._answer.outputs = tuple(
                {"output_type": "display_data", "data": bundle, "metadata": {}} for bundle in bundles
            )

    async def save(self) -> bool:
        """The front-end keeps the outputs."""
        return True

    def _say(self, words: str) -> None:
        self._status.value = f"<em>{escape(words)}</em>" if words else ""

    def _ask(self, proposal: Proposal) -> None:
        lines = proposal.code.count("\n") + 2
        code = ipywidgets.Textarea(proposal.code, disabled=True, rows=min(16, lines))
        code.layout.width = "100%"
        reason = ipywidgets.Text(placeholder=self._words(Message("panel-approval-reasonHint")))
        problem = ipywidgets.HTML()

        def button(label: Message, verdict: Verdict, *, standing: bool = False, style: str = "") -> ipywidgets.Button:
            made = ipywidgets.Button(description=self._words(label), button_style=style)
            made.layout.width = "auto"

            def click(_: object) -> None:
                given: dict[str, Any] = {"verdict": verdict, "standing": standing, "reason": reason.value}
                if code.value != proposal.code and verdict == "approved":
                    given = {"verdict": "edited", "code": code.value}
                try:
                    by = who(Message("below-the-cell"))
                    self._approvals.decide(Decision(proposal.proposal_id, proposal.code_hash, by=by, **given))
                except PersonError as error:
                    problem.value = escape(self._words(error.text))

            made.on_click(click)
            return made

        edit = ipywidgets.Button(description=self._words(Message("panel-buttons-edit")))
        edit.layout.width = "auto"
        approve = button(Message("panel-approval-yes", runs=proposal.runs), "approved", style="primary")
        always = button(Message("panel-approval-approveTool"), "approved", standing=True)
        buttons = [
            approve,
            always if proposal.runs == "tool" else edit,
            button(Message("panel-approval-reject"), "rejected"),
        ]

        def begin(_: object) -> None:
            # What is approved is what was read: edited code is proposed again.
            code.disabled, approve.description = False, self._words(Message("panel-approval-readAgain"))
            row.children = [approve]

        edit.on_click(begin)
        row = ipywidgets.HBox(buttons)
        said = ipywidgets.HTML(self._in_html(proposal))
        self._card.children = (said, code, row, reason, problem)

    def _in_html(self, proposal: Proposal) -> str:
        title = self._words(Message("panel-approval-title", runs=proposal.runs))
        lines = [
            f"<li>{escape(self._words(effect.does))} <code>{escape(self._words(effect.what))}</code>"
            f"{f' ({escape(self._words(effect.note))})' if effect.note else ''}</li>"
            for effect in proposal.effects
        ]
        return f"<b>{title}</b>" + (f"<ul>{''.join(lines)}</ul>" if lines else "")

    def _words(self, text: Text) -> str:
        return text_in(text, self.turn.language)

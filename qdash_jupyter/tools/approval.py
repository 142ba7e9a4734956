"""Has code run, and tools act, as far as the policy lets them, and somebody asked for the rest."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from qdash_jupyter.cells.host import NOBODY
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.consent import CALLS, WRITES, Decision, Effect, EffectKind, Proposal
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.errors import NotApproved
from qdash_jupyter.messages.message import Message, Text, lines
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolSpec

_NO_REASON = Message("rejected-without-reason")


async def run_approved(code: str, context: ToolContext, request_for: Callable[[str], CellRequest]) -> CellRun:
    """Run the code, or what the user makes of it: in the session; where it needs the kernel, there, once they agree.

    Args:
        code: what the model wrote.
        context: with the policy, and whoever is asked.
        request_for: makes the request of a piece of code; each run has its own.
    """
    cells, policy, request = context.cells, context.policy, request_for(code)
    if policy == "insert_only":
        return await cells.insert(request)
    if policy == "trusted" and cells.has_kernel:
        return await cells.run_in_kernel(request, context.publish)
    asks = policy == "review"
    while True:
        if asks:
            decision = await _asked(request.code, (), "session", request.purpose, context)
            if decision.verdict == "rejected":
                return _rejected(request, decision)
            if decision.verdict == "edited":
                request = request_for(decision.code)
                continue
        run = await cells.run(request, context.publish)
        if not run.effects or not cells.has_kernel:
            return run
        whole = "\n\n".join([*cells.before(request.code), request.code])
        decision = await _asked(whole, run.effects, "kernel", request.purpose, context)
        if decision.verdict == "rejected":
            return replace(_rejected(replace(request, code=whole), decision, run.reason), effects=run.effects)
        if decision.verdict == "approved":
            return await cells.run_in_kernel(request_for(whole), context.publish)
        request = request_for(decision.code)


async def _asked(
    code: str, effects: tuple[Effect, ...], runs: Literal["session", "kernel"], purpose: str, context: ToolContext
) -> Decision:
    noted = tuple(replace(effect, note=effect.note or _what_is_there(effect)) for effect in effects)
    proposal = Proposal(uuid.uuid4().hex, code, noted, purpose=purpose, runs=runs)
    return await context.approver.ask(proposal, context.publish)


async def ask_before_acting(spec: ToolSpec, arguments: ToolArguments, context: ToolContext) -> None:
    """Return when this call of a tool that acts on the outside world may be made.

    The user is asked with the call as Python, whose hash also allows it beforehand. A yes for the conversation holds
    for all calls of this tool.

    Raises:
        NotApproved: it may not; the message says why.
    """
    if context.policy == "trusted":
        return
    hint = Message("call-may-not-act-hint")
    if context.policy == "insert_only":
        raise NotApproved(Message("call-may-not-act"), hint)
    effect = Effect(EffectKind.ACTS, spec.name, CALLS, way_out=hint, note=spec.acts_on)
    is_known = any(one.id == effect.id for one in context.approver.standing())
    if is_known and context.policy != "review":
        return
    code = f"copilot.tools.{spec.call(arguments.model_dump(mode='json', exclude_none=True))}"
    proposal = Proposal(uuid.uuid4().hex, code, (effect,), purpose=str(spec.label), runs="tool")
    decision = await context.approver.ask(proposal, context.publish)
    if decision.verdict == "edited":
        raise NotApproved(Message("call-other-wanted", code=decision.code))
    if decision.verdict == "rejected":
        what = harmless_words(spec.acts_on or spec.name)
        shown = Message("call-not-done", what=what, hash=proposal.code_hash) if decision.by == NOBODY else ""
        raise NotApproved(decision.reason or _NO_REASON, hint, shown=shown)


def _rejected(request: CellRequest, decision: Decision, needs: Text = "") -> CellRun:
    reason = lines(decision.reason or _NO_REASON, needs)
    return CellRun(request, CellStatus.REJECTED, reason=reason, unasked=decision.by == NOBODY)


def _what_is_there(effect: Effect) -> Text:
    """Return what is there already of a file that would be written."""
    if effect.kind is not EffectKind.FILES or effect.does != WRITES:
        return ""
    try:
        return Message("file-there-already", size=size_words(Path(str(effect.what)).stat().st_size))
    except (OSError, ValueError):
        return ""

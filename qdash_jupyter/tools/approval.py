"""Has code run, and tools act, as far as the policy lets them, and somebody asked for the rest."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from qdash_jupyter.cells.approver import NOBODY
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.consent import Proposal
from qdash_jupyter.domain.effects import Effect, EffectKind, Effects, Grant
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.errors import NotApproved
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolSpec


async def run_approved(code: str, context: ToolContext, request_for: Callable[[str], CellRequest]) -> CellRun:
    """Run the code, or what the user makes of it, with leave for what they approve.

    Args:
        code: what the model wrote.
        context: with the policy, and whoever is asked.
        request_for: makes the request of a piece of code; each run has its own.
    """
    request = request_for(code)
    if context.policy == "insert_only":
        return await context.cells.insert(request)
    if context.policy == "trusted" or (context.policy == "guarded" and context.cells.is_confined):
        return await context.cells.run(replace(request, grants=None), context.publish)
    preview, standing = context.namespace.guard.preview, context.approver.standing
    foreseen, asks = preview(code), context.policy == "review"
    grants: set[Grant] = set()
    done: list[Effect] = []
    while foreseen.may_be_granted:
        missing = foreseen.without({*standing(), *grants})
        if asks or not missing.is_plain:
            proposal = Proposal(uuid.uuid4().hex, request.code, _noted(missing.found), tuple(done), request.purpose)
            decision = await context.approver.ask(proposal, context.publish)
            asks = decision.verdict == "edited"
            if asks:
                request, grants = request_for(decision.code), set()  # what was approved was the other code
                foreseen = preview(request.code)
                continue
            if decision.verdict == "rejected":
                why = decision.reason or "The user rejected it, without a reason."
                run = _rejected(request, missing, "\n".join(filter(None, [why, missing.reasons()])), done)
                return replace(run, unasked=decision.by == NOBODY)
            grants |= {effect.grant for effect in missing.found}
        leave = {*standing(), *grants}
        run = await context.cells.run(replace(request, grants=tuple(leave)), context.publish)
        foreseen = Effects(run.effects)
        asked_anew = foreseen.without(leave)
        if run.status is not CellStatus.REJECTED or asked_anew.is_plain or not asked_anew.may_be_granted:
            return run
        # Something that was not foreseen. To go on it begins anew: whoever approves that is told what happens again.
        done += run.done
        request = request_for(request.code)
    return _rejected(request, foreseen, foreseen.describe(), done)


async def ask_before_acting(spec: ToolSpec, arguments: ToolArguments, context: ToolContext) -> None:
    """Return when this call of a tool that acts on the outside world may be made.

    The user is asked with the call as Python, whose hash also allows it beforehand. A yes for the conversation holds
    for all calls of this tool.

    Raises:
        NotApproved: it may not; the message says why.
    """
    if context.policy == "trusted":
        return
    way_out = "Tell the user what you would have done."
    if context.policy == "insert_only":
        raise NotApproved("The settings let no tool act by itself (policy: insert_only).", way_out)
    effect = Effect(EffectKind.ACTS, spec.name, "calls", way_out=way_out, note=spec.acts_on)
    is_known = Effects((effect,)).without(context.approver.standing()).is_plain
    if is_known and context.policy != "review":
        return
    code = f"copilot.tools.{spec.call(arguments.model_dump(mode='json', exclude_none=True))}"
    proposal = Proposal(uuid.uuid4().hex, code, (effect,), purpose=spec.label.en, runs="tool")
    decision = await context.approver.ask(proposal, context.publish)
    if decision.verdict == "edited":
        message = "The user wants another call in its place; make that one."
        raise NotApproved(f"{message} {decision.code}")
    if decision.verdict == "rejected":
        where = harmless_words(spec.acts_on or spec.name)
        shown = f"**Not done**, as nobody could be asked: `{where}`. To allow exactly this call, "
        shown += f"run `%copilot approve {proposal.code_hash}` and ask again."
        reason = decision.reason or "The user rejected it, without a reason."
        raise NotApproved(reason, way_out, shown=shown if decision.by == NOBODY else "")


def _rejected(request: CellRequest, effects: Effects, reason: str, done: Iterable[Effect]) -> CellRun:
    return CellRun(request, CellStatus.REJECTED, reason=reason, effects=effects.found, done=tuple(done))


def _noted(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """With what is there already of files that would be written."""
    return tuple(replace(effect, note=_what_is_there(effect)) for effect in effects)


def _what_is_there(effect: Effect) -> str:
    if effect.kind is not EffectKind.FILES or effect.does != "writes":
        return ""
    try:
        return f"it exists, {size_words(Path(effect.what).stat().st_size)}"
    except (OSError, ValueError):
        return ""

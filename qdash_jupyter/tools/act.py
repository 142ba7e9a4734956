"""Asks the user before a tool acts on the outside world. What they are asked about is the call, as text."""

from __future__ import annotations

import json
import uuid

from pydantic import ValidationError

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.consent import Proposal
from qdash_jupyter.domain.effects import Effect, EffectKind
from qdash_jupyter.errors import NotApproved
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolSpec


async def approved(spec: ToolSpec, arguments: ToolArguments, context: ToolContext) -> ToolArguments:
    """The arguments with which the tool may be called: the model's, or what the user made of them.

    Raises:
        NotApproved: the policy or the user says no, or nobody can be asked; the reason says how to allow it.
    """
    if context.policy == "trusted":
        return arguments
    if context.policy == "insert_only":
        message = f"{spec.name} was not called: it changes something, and `policy: insert_only` allows no such call."
        raise NotApproved(message, "Tell the user what to do themselves.")
    effect = Effect(EffectKind.ACTS, spec.name, "calls", note=spec.label.of("en"))
    while context.policy == "review" or effect.grant not in context.approver.standing():
        proposal = Proposal(uuid.uuid4().hex, call_text(spec, arguments), (effect,), purpose=effect.note)
        decision = await context.approver.ask(proposal, context.publish)
        if decision.verdict == "approved":
            break
        if decision.verdict == "rejected":
            reason = decision.reason or "The user rejected it, without a reason."
            raise NotApproved(f"{spec.name} was not called. {reason}", effect.instead)
        arguments = _edited(spec, decision.code)  # what was approved was the other call: it is asked about anew
    return arguments


def call_text(spec: ToolSpec, arguments: ToolArguments) -> str:
    """What the user sees, and what an approval by its hash is bound to: the same for the same arguments."""
    given: JsonObject = arguments.model_dump(mode="json", exclude_unset=True)
    return f"{spec.name}({json.dumps(given, indent=2, sort_keys=True, ensure_ascii=False)})"


def _edited(spec: ToolSpec, text: str) -> ToolArguments:
    try:
        return spec.args.model_validate(json.loads(text.strip().removeprefix(f"{spec.name}(").removesuffix(")")))
    except (ValueError, ValidationError, RecursionError) as error:
        message = f"{spec.name} was not called: what the user made of the call cannot be read ({error})."
        raise NotApproved(message, "Ask the user what they meant.") from None

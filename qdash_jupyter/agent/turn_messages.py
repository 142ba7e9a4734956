"""What the loop itself says, to the user and to the model."""

from __future__ import annotations

from qdash_jupyter.agent.limits import LimitReached
from qdash_jupyter.domain.answer import StopReason, TextBlock
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

_ENDINGS = {
    StopReason.CANCELLED: Message("ended-stopped"),
    StopReason.MAX_ROUNDS: Message("ended-max-rounds"),
    StopReason.BUDGET: Message("ended-budget"),
    StopReason.REPEATED_CALL: Message("ended-repeated-call"),
    StopReason.TIMED_OUT: Message("ended-tool-timed-out"),
    StopReason.TOOL_FAILED: Message("ended-tool-failed"),
}
_CUT_SHORT = {"max_output_tokens": Message("cut-short-tokens"), "content_filter": Message("cut-short-filter")}


def no_more_tools(limit: LimitReached) -> str:
    """What the model reads when its calls do not run any more."""
    return f"No more tools: {limit.reason}. Answer now with what you have, and say what is missing."


def stopped_early(reason: StopReason, language: Language) -> TextBlock:
    """What stands in place of an answer that has no words of its own."""
    return TextBlock(_ENDINGS.get(reason, Message("ended-empty")).of(language))


def cut_short(reason: str, language: Language) -> TextBlock:
    """What stands below an answer that the server ended early."""
    return TextBlock(_CUT_SHORT.get(reason, Message("cut-short-otherwise")).of(language))


def ended_at_limit(spent: LimitReached, language: Language) -> TextBlock:
    """What stands below an answer that a limit brought about."""
    return TextBlock(Message("ended-at-limit", limit=spent.setting, most=spent.limit, setting=spent.key).of(language))

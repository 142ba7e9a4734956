"""What the settings want to happen when a call fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qdash_jupyter.config.tool_sets import FallbackSection
from qdash_jupyter.domain.tool_call import ToolFailure
from qdash_jupyter.errors import NotApproved, ToolTimedOut
from qdash_jupyter.messages.message import sentences

_KINDS = {"timeout": ToolTimedOut.kind}
"""Kinds of errors whose triggers have other names."""


def with_fallback(failure: ToolFailure, fallbacks: Sequence[FallbackSection]) -> ToolFailure:
    """The failure as the first of the fallbacks has it that names its kind, or else the first that names none.

    What the user did not allow is no failure of the tool.
    """
    chosen = next((each for each in fallbacks if _names(each, failure)), None)
    if chosen is None and failure.kind not in {ToolTimedOut.kind, NotApproved.kind}:
        chosen = next((each for each in fallbacks if each.trigger_on is None), None)
    if chosen is None:
        return failure
    if chosen.strategy == "stop":
        return replace(failure, ending=chosen.message, may_retry=False)
    return replace(failure, hint=sentences(failure.hint, chosen.message))


def swallows_timeouts(fallbacks: Sequence[FallbackSection]) -> bool:
    """Whether somebody may take one that names nothing for one of time limits, too."""
    names_timeout = any("timeout" in (each.trigger_on or ()) for each in fallbacks)
    return not names_timeout and any(each.trigger_on is None for each in fallbacks)


def _names(fallback: FallbackSection, failure: ToolFailure) -> bool:
    return any(_KINDS.get(trigger, trigger) == failure.kind for trigger in fallback.trigger_on or ())

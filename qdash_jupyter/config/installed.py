"""What other packages add by their entry points: tools, readers and models."""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from qdash_jupyter.config.initialization import InitializationIssue, Stage
from qdash_jupyter.messages.message import Message

TOOLS, READERS, MODELS = "qdash_jupyter.tools", "qdash_jupyter.readers", "qdash_jupyter.models"

_STAGE: dict[str, Stage] = {TOOLS: "tools", READERS: "connect", MODELS: "connect"}

logger = logging.getLogger("qdash_jupyter")


@cache
def offered() -> tuple[EntryPoint, ...]:
    """The entry points of the three groups. Read once: in an environment of 300 packages it takes 35 ms."""
    everything = entry_points()
    return tuple(each for group in (TOOLS, READERS, MODELS) for each in everything.select(group=group))


def names_of(group: str) -> list[str]:
    """The names in a group, of what can be loaded and what cannot. Nothing is imported."""
    return [each.name for each in offered() if each.group == group]


def loaded(group: str, issues: list[InitializationIssue]) -> dict[str, Any]:
    """What packages offer in a group, by name. Whatever cannot be imported is among the issues."""
    found: dict[str, Any] = {}
    for each in offered():
        if each.group == group:
            try:
                found[each.name] = each.load()
            except Exception as error:
                logger.exception("The entry point %s of %s cannot be loaded", each.name, group)
                why = Message("package-fails", name=each.value, error=type(error).__name__, reason=str(error))
                issues.append(InitializationIssue(_STAGE[group], each.name, why, is_hard=True))
    return found

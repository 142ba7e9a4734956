"""What a tool set becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Text
from qdash_jupyter.tools.spec import ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox


def _nothing_to_close() -> None:
    """Most tool sets keep no connection."""


def _nothing_new() -> BuiltTools | None:
    """Most tool sets stay as they are."""
    return None


@dataclass(frozen=True, slots=True)
class BuiltTools:
    """Its tools; those that could not be made are among the issues."""

    specs: tuple[ToolSpec, ...] = ()
    issues: tuple[InitializationIssue, ...] = ()
    close: Callable[[], None] = _nothing_to_close
    """Gives back connections and processes. Blocks, for seconds at most; may be called twice."""
    refresh: Callable[[], BuiltTools | None] = _nothing_new
    """What it is by now, where its server has told of other tools since; None where nothing is new. Blocks, too."""


def refreshed(sets: Sequence[BuiltTools], toolbox: Toolbox) -> tuple[BuiltTools, ...]:
    """The tool sets as they are by now, with their tools in the toolbox: to be called before a question. Blocks."""
    return tuple(_exchanged(each, each.refresh(), toolbox) for each in sets)


def _exchanged(before: BuiltTools, now: BuiltTools | None, toolbox: Toolbox) -> BuiltTools:
    if now is None:
        return before
    toolbox.remove(spec.name for spec in before.specs if toolbox.specs.get(spec.name) == spec)
    for spec in now.specs:
        try:
            toolbox.add(spec)
        except PersonError:  # another tool has that name: it came first
            continue
    return now


def hard_issue(name: str, message: Text) -> InitializationIssue:
    """A tool or a tool set that is absent."""
    return InitializationIssue("tools", name, message, is_hard=True)


def close_all(sets: Sequence[BuiltTools]) -> None:
    """Give back what they hold. Blocks."""
    for each in sets:
        with suppress(Exception):  # the others are to be closed all the same
            each.close()

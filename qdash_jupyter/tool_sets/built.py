"""What a tool set becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.tools.spec import ToolSpec


def _nothing_to_close() -> None:
    """Most tool sets keep no connection."""


@dataclass(frozen=True, slots=True)
class ToolDefaults:
    """What holds where neither a tool nor its set says anything."""

    timeout_seconds: float | None = None
    """Time limit of a call; None is that of the client that makes it."""


@dataclass(frozen=True, slots=True)
class BuiltTools:
    """Its tools; those that could not be made are among the issues."""

    specs: tuple[ToolSpec, ...] = ()
    issues: tuple[InitializationIssue, ...] = ()
    close: Callable[[], None] = _nothing_to_close
    """Gives back connections and processes. Blocks, for seconds at most; may be called twice."""


def hard_issue(name: str, message: str) -> InitializationIssue:
    """A tool or a tool set that is absent."""
    return InitializationIssue("tools", name, message, is_hard=True)

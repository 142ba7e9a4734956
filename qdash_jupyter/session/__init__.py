"""A conversation in a kernel: the copilot, its turns, the tools for people, and the log on disk."""

from typing import TYPE_CHECKING, Any

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.hosting import NotebookCells
from qdash_jupyter.session.parts import BuildParts, Parts, Status
from qdash_jupyter.session.records import AskedFrom
from qdash_jupyter.session.shelf import ToolShelf
from qdash_jupyter.session.turn import Turn

if TYPE_CHECKING:
    from qdash_jupyter.session.journal import Journal

__all__ = [
    "AgentLoop",
    "AskedFrom",
    "BuildParts",
    "Copilot",
    "Journal",
    "NotebookCells",
    "Parts",
    "Status",
    "ToolShelf",
    "Turn",
]


def __getattr__(name: str) -> Any:
    if name == "Journal":  # needs the settings, and so pydantic: not for `%load_ext`
        from qdash_jupyter.session.journal import Journal

        return Journal
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)

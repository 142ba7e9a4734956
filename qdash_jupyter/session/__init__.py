"""A conversation in a kernel: the copilot, its turns, the tools for people, and the log on disk."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.agent.thread import AgentLoop
    from qdash_jupyter.session.conversation import Conversation
    from qdash_jupyter.session.copilot import Copilot
    from qdash_jupyter.session.journal import Journal
    from qdash_jupyter.session.parts import BuildParts, Parts, Status
    from qdash_jupyter.session.records import AskedFrom
    from qdash_jupyter.session.tools import Tools
    from qdash_jupyter.session.turn import Turn

__all__ = [
    "AgentLoop",
    "AskedFrom",
    "BuildParts",
    "Conversation",
    "Copilot",
    "Journal",
    "Parts",
    "Status",
    "Tools",
    "Turn",
]

_HOMES = {
    "AgentLoop": "qdash_jupyter.agent.thread",
    "AskedFrom": "qdash_jupyter.session.records",
    "BuildParts": "qdash_jupyter.session.parts",
    "Conversation": "qdash_jupyter.session.conversation",
    "Copilot": "qdash_jupyter.session.copilot",
    "Journal": "qdash_jupyter.session.journal",
    "Parts": "qdash_jupyter.session.parts",
    "Status": "qdash_jupyter.session.parts",
    "Tools": "qdash_jupyter.session.tools",
    "Turn": "qdash_jupyter.session.turn",
}
"""Imported when first asked for: `%load_ext` needs few of them."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOMES[name]), name)

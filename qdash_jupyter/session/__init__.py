"""A conversation in a kernel: the copilot, its turns, the tools for people, and the log on disk."""

from qdash_jupyter.session.copilot import BuildParts, Copilot, Parts, Status, Turn

__all__ = ["BuildParts", "Copilot", "Parts", "Status", "Turn"]

"""What is known of a turn beside its items, which belong to the model: the digest is made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.domain.tool_call import ToolResult


@dataclass(slots=True)
class TurnMemory:
    """A turn as the program saw it: grows while it runs. Without an answer it failed or was stopped."""

    question: str
    asked_at: datetime | None
    results: list[ToolResult] = field(default_factory=list)
    answer: Answer | None = None

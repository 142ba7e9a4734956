"""What could not be prepared when a conversation was opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from qdash_jupyter.messages.message import Message, Text

Stage: TypeAlias = Literal["connect", "tools", "skills", "context", "prompt"]
"""What is prepared, in this order."""

STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True, slots=True)
class InitializationIssue:
    """Something that is absent, and why; the conversation goes on without it."""

    stage: Stage
    name: Text
    """The tool, tool set, skill or file."""
    message: Text
    """What is wrong and what to do about it; never with a secret."""
    is_hard: bool = False
    """Whether something that was asked for is missing altogether, rather than a part or a choice of it."""

    @property
    def text(self) -> Message:
        """Return both."""
        return Message("named-issue", name=self.name, message=self.message)

    def __str__(self) -> str:
        return str(self.text)

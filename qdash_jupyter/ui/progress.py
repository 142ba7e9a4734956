"""What a running question is doing, in one line that changes."""

from __future__ import annotations

from typing import Self

from qdash_jupyter.domain.events import (
    AgentEvent,
    ApprovalAsked,
    StageChanged,
    StampedEvent,
    ToolProgressed,
    ToolStarted,
)
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.ui.display import markdown, publish

_ABOUT = ("purpose", "parameter_name", "metric_name", "task_name", "text", "qid", "qubit_id", "coupling_id")
"""The arguments that tell one call from another, in this order."""


def words_of(event: AgentEvent) -> str:
    """The event as a status line; empty for events that are no step of their own."""
    if isinstance(event, StageChanged):
        return event.message
    if isinstance(event, ToolStarted):
        about = ", ".join(str(event.arguments[name]) for name in _ABOUT if event.arguments.get(name))
        return f"{event.label}: {about}" if about else event.label
    if isinstance(event, ApprovalAsked):
        return "Waiting for your approval"
    if isinstance(event, ToolProgressed):
        return f"{event.label}: {event.message}"
    return ""


class Progress:
    """A status line in the output of the running cell. It is cleared for what follows, so that it is never saved."""

    def __init__(self, *, shown: bool) -> None:
        """Nothing is displayed unless `shown`."""
        self._shown = shown
        self._line = ""

    def on_event(self, stamped: StampedEvent) -> None:
        """Show the event, when it is a step."""
        line = words_of(stamped.event)
        if line and line != self._line:
            self._replace()
            self._line = line
            if self._shown:
                publish(markdown(f"*{harmless_words(line)}*"))

    def _replace(self) -> None:
        if self._shown and self._line:
            from IPython.display import clear_output

            clear_output(wait=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._replace()

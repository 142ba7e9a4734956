"""What a running question is doing, in one line that changes."""

from __future__ import annotations

import logging
from typing import Any, Self

from qdash_jupyter.domain.events import (
    AgentEvent,
    ApprovalAsked,
    CellWarned,
    StageChanged,
    StampedEvent,
    ToolProgressed,
    ToolStarted,
)
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, sentences, text_in
from qdash_jupyter.ui.display import markdown, show

_ABOUT = ("purpose", "parameter_name", "metric_name", "task_name", "text", "qid", "qubit_id", "coupling_id")
"""The arguments that tell one call from another, in this order."""


def words_of(event: AgentEvent, language: Language = "en") -> str:
    """The event as a status line; empty for events that are no step of their own."""
    if isinstance(event, StageChanged):
        return text_in(event.message, language)
    if isinstance(event, ToolStarted):
        about = ", ".join(str(event.arguments[name]) for name in _ABOUT if event.arguments.get(name))
        label = text_in(event.label, language)
        return f"{label}: {about}" if about else label
    if isinstance(event, ApprovalAsked):
        return Message("progress-waiting-for-you").of(language)
    if isinstance(event, ToolProgressed):
        return f"{text_in(event.label, language)}: {text_in(event.message, language)}"
    if isinstance(event, CellWarned):
        return text_in(event.message, language)
    return ""


logger = logging.getLogger("qdash_jupyter")


class Progress:
    """A status line in the output of the running cell. It is cleared for what follows, so that it is never saved."""

    def __init__(self, publisher: Any, language: Language, *, shown: bool) -> None:
        """Nothing is displayed unless `shown`. `publisher` is the shell's, which is another one while a cell runs."""
        self._shown = shown
        self._line = ""
        self._publisher = publisher
        self._language = language
        self._warning: str | None = None

    def on_event(self, stamped: StampedEvent) -> None:
        """Show the event, when it is a step."""
        line = "" if isinstance(stamped.event, CellWarned) else words_of(stamped.event, self._language)
        if line and line != self._line:
            self._replace()
            self._line = line
            if self._shown:
                show(f"*{harmless_words(line)}*")

    def meanwhile(self, stamped: StampedEvent) -> None:
        """Show below the line what is to be said of a cell while it runs here. On any thread."""
        if not self._shown or not isinstance(stamped.event, CellWarned):
            return
        try:
            is_new, self._warning = self._warning is None, self._warning or stamped.event.request.request_id
            words = "⚠ " + text_in(sentences(stamped.event.message, Message("interrupt-to-stop")), self._language)
            self._publisher.publish(
                data=markdown(words), metadata={}, transient={"display_id": self._warning}, update=not is_new
            )
        except Exception:
            logger.exception("A warning could not be shown")

    def _replace(self) -> None:
        self._warning = None
        if self._shown and self._line:
            from IPython.display import clear_output

            clear_output(wait=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._replace()

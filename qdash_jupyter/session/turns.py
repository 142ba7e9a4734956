"""The questions of a conversation, for whoever looks at them: `copilot.turns`."""

from __future__ import annotations

from html import escape

from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.session.turn import Turn


class Turns(tuple[Turn, ...]):
    """The questions, oldest first; shown as a list with what became of each."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = (f"{number}. {printable(turn.question)} ({turn.state})" for number, turn in enumerate(self, start=1))
        return "\n".join(lines) or "Nothing has been asked yet."

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{escape(turn.question)} ({turn.state})</li>" for turn in self)
        return f"<ol>{rows}</ol>" if rows else "<p>Nothing has been asked yet.</p>"

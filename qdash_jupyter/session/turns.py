"""The questions of a conversation, for whoever looks at them: `copilot.turns`."""

from __future__ import annotations

from html import escape

from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.turn import Turn


class Turns(tuple[Turn, ...]):
    """The questions, oldest first; shown as a list with what became of each."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = (f"{number}. {printable(words)}" for number, words in enumerate(self._listed(), start=1))
        return "\n".join(lines) or Message("nothing-asked").of(reader())

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{escape(words)}</li>" for words in self._listed())
        return f"<ol>{rows}</ol>" if rows else f"<p>{Message('nothing-asked').of(reader())}</p>"

    def _listed(self) -> list[str]:
        return [Message("turn-state", question=turn.question, state=turn.state).of(reader()) for turn in self]

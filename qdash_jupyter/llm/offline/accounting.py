"""Every word of a question is accounted for: what an operation does not heed is named, and where it changes what is
asked, there is no answer to another question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from qdash_jupyter.llm.offline.abilities import ability_of
from qdash_jupyter.llm.offline.lexicon import FLAGS, NEGATIONS
from qdash_jupyter.llm.offline.operations import Operation
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.messages.message import Field, Message

_EVERYWHERE = frozenset({"chip_id"})
"""Fields that all operations heed, as the planner sees to it."""

_HARMLESS = frozenset({"count", "form", "how_many", "direction"})
"""Fields without which an answer is still one to the question, though not to all of it."""

_OF_MANY_VALUES = f"{FLAGS['trend']}|{FLAGS['relation']}"
"""Who asks about a trend is not answered by a verdict on a curve."""


@dataclass(frozen=True, slots=True)
class Unheeded:
    """Words of a question that its operation does not heed: those that change it, and the others."""

    changing: tuple[str, ...]
    others: tuple[str, ...]
    counts_all: bool = False
    """Whether it is asked to leave out unreliable fits, and cannot."""


def unheeded(query: Query, operation: Operation) -> Unheeded:
    """What of a question the operation would leave out."""
    fields = {
        name: said
        for name, said in query.words.items()
        if name and name not in operation.heeds | _EVERYWHERE and _says(query, name)
    }
    counts_all = fields.pop("reliable", None) is not None
    harmless, deciding = _HARMLESS, NEGATIONS
    if query.asked is Asked.CURVE:
        harmless, deciding = _HARMLESS - {"direction"}, f"{NEGATIONS}|{_OF_MANY_VALUES}"
    decisive = [said for said in query.left_out if re.search(deciding, said.lower(), re.ASCII)]
    changing = [said for name, said in fields.items() if name not in harmless] + decisive
    others = [said for name, said in fields.items() if name in harmless]
    others += [said for said in query.left_out if said not in decisive]
    return Unheeded(tuple(dict.fromkeys(changing)), tuple(dict.fromkeys(others)), counts_all)


def _says(query: Query, name: str) -> bool:
    """Whether the query still says it."""
    return name.startswith("details.") or bool(getattr(query, name))


def left_out_words(words: tuple[str, ...]) -> Message:
    """The sentence that names them."""
    return Message("plan-not-considered", words=_quoted(words))


def refusal(query: Query, words: tuple[str, ...]) -> Message:
    """Why there is no answer, and what is nearest."""
    ability = ability_of(query.asked)
    example = ability.example(query.language)
    return Message("plan-cannot-answer", words=_quoted(words), what=ability.what, example=example)


def _quoted(words: tuple[str, ...]) -> Field:
    return tuple(Message("plan-quoted", word=word) for word in words)

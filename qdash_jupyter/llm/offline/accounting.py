"""Every word of a question is accounted for: what an operation does not heed is named, and where it changes what is
asked, there is no answer to another question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from qdash_jupyter.domain.language import Words
from qdash_jupyter.llm.offline.abilities import ability_of
from qdash_jupyter.llm.offline.lexicon import FLAGS, NEGATIONS
from qdash_jupyter.llm.offline.operations import Operation
from qdash_jupyter.llm.offline.phrases import Say
from qdash_jupyter.llm.offline.query import Asked, Query

_EVERYWHERE = frozenset({"chip_id"})
"""Fields that all operations heed, as the planner sees to it."""

_HARMLESS = frozenset({"count", "form", "how_many", "direction"})
"""Fields without which an answer is still one to the question, though not to all of it."""

_OF_MANY_VALUES = f"{FLAGS['trend']}|{FLAGS['relation']}"
"""Who asks about a trend is not answered by a verdict on a curve."""

_LEFT_OUT = Words("I left out: {}.", "考慮していない語: {}。")
_CANNOT = Words(
    "I cannot answer this question: I do not know how to take {words} here, and leaving it out would change what is "
    'asked. The nearest that I can: {what}, for instance "{example}".',
    "この質問には答えられません。{words}をここでどう扱うかわからず、除くと別の質問になります。"
    "最も近いもの: {what}(例:「{example}」)。",
)


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


def left_out_words(words: tuple[str, ...], say: Say) -> str:
    """The sentence that names them."""
    return say(_LEFT_OUT, _quoted(words, say))


def refusal(query: Query, words: tuple[str, ...]) -> str:
    """Why there is no answer, and what is nearest."""
    ability, say = ability_of(query.asked), query.say
    return say(_CANNOT, words=_quoted(words, say), what=say(ability.what), example=say(ability.example))


def _quoted(words: tuple[str, ...], say: Say) -> str:
    return "、".join(f"「{one}」" for one in words) if say.japanese else ", ".join(f"“{one}”" for one in words)

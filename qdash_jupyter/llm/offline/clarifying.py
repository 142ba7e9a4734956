"""Where a question leaves open what it is about, the planner asks back and takes the next words as the answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.llm.offline.phrases import label
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.reader import chip_in, ids_in, metrics_in, names_of
from qdash_jupyter.llm.offline.sentence import Sentence
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, one_of

Slot = Literal["chip", "qid", "qids", "parameter"]


@dataclass(frozen=True, slots=True)
class ClarifyingQuestion(Finding):
    """A question of ours in place of an answer: what it asks for, and the choices that it names, in their order."""

    slot: Slot = "qid"
    choices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Those of the choices, where these are keys."""

    @property
    def replies(self) -> list[str]:
        """The choices as somebody would write them."""
        return [label(choice) if normalise_qid(choice) else choice for choice in self.names or self.choices]


_ORDINALS = (
    r"\b(?:first|1st)\b|最初|一番目|[1一]つ目|1番目",
    r"\b(?:second|2nd)\b|二番目|[2二]つ目|2番目",
    r"\b(?:third|3rd)\b|三番目|[3三]つ目|3番目",
    r"\b(?:fourth|4th)\b|四番目|[4四]つ目|4番目",
    r"\b(?:fifth|5th)\b|五番目|[5五]つ目|5番目",
)
_LAST = r"\blast\b|最後"
_ALL = r"\b(?:all|both|each)(?: of them)?\b|全部|すべて|両方"
_FILLERS = re.compile(
    r"\b(?:the|of|on|for|with|please|i|mean|meant|one|ones|and|or|its|it|is|qubits?|couplings?|chip|project)\b"
    r"|です|でお願いします|お願いします|量子ビット|カップリング|番|[をのではと、,.?!。?()&\s]",
    re.ASCII,
)

_CHIP = re.compile(r"([^\s/,]+)/([^\s/,]+?)(?=,|\.?(?:\s|$))")
"""A chip with its project before it, as a tool lists them."""


def chip_asked(outcomes: Sequence[CallOutcome], language: Language) -> ClarifyingQuestion | None:
    """The question for the chip, where a tool found that several could be meant."""
    for outcome in outcomes:
        if outcome.content.get("kind") == "ambiguous":
            chips = [found[0] for found in _CHIP.finditer(outcome.content["error"])]
            asking = Message("plan-which-chip", names=one_of(chips))
            return ClarifyingQuestion(asking.of(language), slot="chip", choices=tuple(chips))
    return None


def completed(query: Query, asking: ClarifyingQuestion, reply: str) -> Query | None:
    """What was asked, with the reply in the place that was open; None where the reply is no answer to that.

    An answer names a choice ("64Q-a", "the first"), an id or a parameter, and says nothing else.
    """
    text = unicodedata.normalize("NFKC", reply).strip().lower()
    chosen = _chosen(text, asking.choices, asking.names)
    if asking.slot == "chip":
        return _with_chip(query, chosen, text, asking.choices)
    if asking.slot == "parameter":
        found = chosen or _metrics(text)
        return replace(query, metrics=(found[0], *query.metrics[1:]), unclear=()) if found else None
    qids = chosen or _ids(text)
    if asking.slot == "qid":
        return replace(query, qids=qids) if len(qids) == 1 else None
    both = tuple(dict.fromkeys((*query.qids, *qids)))
    return replace(query, qids=both, asked=Asked.COMPARE if len(both) > 1 else query.asked) if qids else None


def _chosen(text: str, choices: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The choices that a reply names, also by their place, or all of them."""
    for place, pattern in enumerate((*_ORDINALS[: len(choices)], _LAST)):
        if choices and re.search(pattern, text, re.ASCII) and not _FILLERS.sub("", re.sub(pattern, "", text)):
            return (choices[place if pattern != _LAST else -1],)
    named = tuple(
        choice for choice, name in zip(choices, names or choices, strict=True) if text in {choice.lower(), name.lower()}
    )
    return tuple(choices) if not _FILLERS.sub("", re.sub(_ALL, "", text)) and re.search(_ALL, text) else named


def _metrics(text: str) -> tuple[str, ...]:
    sentence = Sentence(text)
    found = metrics_in(sentence)
    return () if _FILLERS.sub("", re.sub("[\ue000-\ue0ff]", "", sentence.rest)) else names_of(found)


def _ids(text: str) -> tuple[str, ...]:
    if qid := normalise_qid(text.rstrip(".?!。")):
        return (qid,)
    sentence = Sentence(text)
    qids, _ = ids_in(sentence)
    rest = sentence.rest
    numbers = tuple(str(int(number)) for number in re.findall(r"(?<!\w)\d{1,4}(?!\w)", rest)) if not qids else ()
    return () if _FILLERS.sub("", re.sub(r"\d", "", rest) if numbers else rest) else qids or numbers


def _with_chip(query: Query, chosen: Sequence[str], text: str, choices: Sequence[str]) -> Query | None:
    if len(chosen) != 1:
        said = chip_in(Sentence(text)) or _FILLERS.sub(" ", text).strip()
        chosen = [
            choice for choice in choices if said and said.lower() in (choice.lower(), choice.partition("/")[2].lower())
        ]
        chosen = chosen or [choice for choice in choices if said and all(one in choice.lower() for one in said.split())]
    if len(chosen) != 1:
        return None
    found = _CHIP.fullmatch(chosen[0])
    return replace(query, chip_id=found[2], project_id=found[1]) if found else None

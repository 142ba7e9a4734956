"""What the panel completes questions with: every whole sentence reads as one query that can be answered."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from qdash_jupyter.llm.offline.completion import completions
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.query import Asked
from qdash_jupyter.llm.offline.wording import sentence_of
from tests.llm.offline.asking import NOW

if TYPE_CHECKING:
    from qdash_jupyter.domain.wire.panel import Completion, FormPiece

DAYS = [(NOW - timedelta(days=days)).date() for days in range(0, 90, 9)]
TASKS = [f"Check{name}" for name in ("T1", "T2Echo", "Rabi", "Ramsey", "ReadoutFrequency", "QubitSpectroscopy")]
TABLES = completions(NOW, TASKS, DAYS)
ELEMENTS = {"qubit": [["Q00"], ["Q63"]], "coupling": [["Q00-Q01"], ["Q12-Q20"]], "number": [["3"]]}

Form = list[list["FormPiece"]]


def said(parts: Form, slot: FormPiece | None = None, word: str = "") -> str:
    """A form as a sentence, with a word in one of its slots."""
    texts = ("".join(word if piece is slot else piece["text"] for piece in part) for part in parts)
    return " · ".join(filter(None, texts))


def sentences(table: Completion, each: Random | None = None, one_of: int = 1) -> Iterator[str]:
    """Each form with every word of every slot; with `each` one word of one slot, and the parts in another order. The
    first slot of a kind has all of its words, the further ones one of so many, in turn.
    """
    words, slots_before = table["words"] | ELEMENTS, Counter[str]()
    for form in (each.sample(form, len(form)) if each else form for form in table["forms"]):
        slots = [piece for part in form for piece in part if piece["words"]]
        for slot in each.sample(slots, min(1, len(slots))) if each else slots:
            before = slots_before[slot["words"]]
            slots_before[slot["words"]] += 1
            all_words = [word for entry in words[slot["words"]] for word in entry]
            fitting = [word for at, word in enumerate(all_words) if not before or (at + before) % one_of == 0]
            for word in [each.choice(fitting)] if each else fitting:
                if word not in {piece["text"] for part in form for piece in part}:
                    yield said(form, slot, word)


def unanswered(found: Iterator[str]) -> list[str]:
    """Those that do not read as one query which can be answered."""
    return [text for text in found if len(read := queries(text, NOW)) != 1 or not can_answer(read[0])]


# A processor second a language: each sentence is parsed, that is what is tested.
@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table["language"]))
def test_every_form_is_answered_with_any_word_in_any_order(table: Completion) -> None:
    assert unanswered(sentences(table, Random(7))) == []  # noqa: S311 - no secret


@pytest.mark.long
@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table["language"]))
def test_every_form_is_answered_with_every_word(table: Completion) -> None:
    """A third of them: all take two and a half minutes, and a word that is not read in one form is not in others."""
    assert unanswered(sentences(table, one_of=3)) == []


def test_the_forms_are_those_of_what_can_be_asked() -> None:
    queried = [query for some in examples(NOW).values() for query in some]
    for table in TABLES:
        expected = [sentence_of(query, "ja" if table["language"] == "ja" else "en") for query in queried]
        assert [said(form) for form in table["forms"]] == expected
    assert {query.asked for some in examples(NOW).values() for query in some} == {*Asked}


def test_a_slot_holds_what_fits() -> None:
    words = TABLES[0]["words"]
    slots = {piece["text"]: piece["words"] for form in TABLES[0]["forms"] for part in form for piece in part}
    names = {name: [entry[0] for entry in words[slots[name]]] for name in ("T1", "ZX90 Gate Fidelity")}
    assert "Bell State Fidelity" in names["ZX90 Gate Fidelity"]
    assert "T1" not in names["ZX90 Gate Fidelity"]
    assert ["T1", "relaxation time", "lifetime"] in words[slots["T1"]]
    times = [entry[0] for entry in words[slots["in the last 30 days"]]]
    assert {"in the last 7 days", "yesterday", "since Monday", "in June 2026", "on 2026-06-12"} <= {*times}
    assert "in February 2026" not in times  # nothing was measured then
    assert words["task"] == [[name] for name in TASKS]


def test_the_table_is_small_however_long_the_chip_was_measured() -> None:
    names = [("qubit", f"Q{n:02d}") for n in range(64)] + [("coupling", f"Q{n:02d}-Q{n + 1:02d}") for n in range(112)]
    shown = [{"name": name, "kind": kind, "about": "", "rows": None} for kind, name in names]
    years = [(NOW - timedelta(days=days)).date() for days in range(2_000)]
    tasks = [f"CheckTaskWithALongName{n}" for n in range(60)]
    table = completions(NOW, tasks, years)
    assert len(json.dumps([table, shown], ensure_ascii=False).encode()) < 60_000

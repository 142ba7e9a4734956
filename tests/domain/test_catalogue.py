"""What a person may see of an error has its Japanese, whole; English stays as it was written."""

from __future__ import annotations

import re

from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.japanese import TEXTS
from tests.domain.error_templates import FIELD, templates

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,}\b")
CODE = re.compile(r"`[^`]*`|'[^']*'")
FIELDS = re.compile(r"\{(\w+)\}")

FOR_MODELS = {"{} is {}.": "an argument that is no count: no person writes it, and there is nothing to tell it by"}
"""Texts without Japanese, and why."""


def japanese(text: str) -> str:
    return in_language(text, "ja")


def is_whole(said: str) -> bool:
    """Whether it is Japanese, with no sentence of English left."""
    return JAPANESE.search(said) is not None and not ENGLISH.search(CODE.sub("", said))


def test_every_text_of_an_error_has_its_japanese() -> None:
    """What is named here has to be added to qdash_jupyter.domain.japanese, with all its fields."""
    wrong = {}
    for text, place in templates().items():
        filled, fields = text, [f"Zx{number}" for number in range(text.count(FIELD))]
        for field in fields:
            filled = filled.replace(FIELD, field, 1)
        said = japanese(filled)
        if text.replace(FIELD, "{}") not in FOR_MODELS and not (is_whole(said) and all(one in said for one in fields)):
            wrong[place] = (text.replace(FIELD, "{…}"), said)
    assert wrong == {}


def test_fields_are_the_same_in_both() -> None:
    for english, said in TEXTS.items():
        assert set(FIELDS.findall(said.replace("{{", "").replace("}}", ""))) <= set(FIELDS.findall(english)), english


def test_english_is_byte_equal() -> None:
    for text in TEXTS:
        assert in_language(text, "en") == text


def test_what_is_not_known_stays_as_it_is() -> None:
    for text in ("The cavity is warm.", "", "温度が高い", "kernel: a -> b", "Zx"):
        assert japanese(text) == text


def test_what_another_has_said_holds_no_hint_of_ours() -> None:
    said = japanese("lab.md cannot be read: No such file or directory. Mend or remove the file.")
    assert said == "lab.md を読み取れません: No such file or directory。ファイルを修正するか、取り除いてください。"

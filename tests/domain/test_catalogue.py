"""What a person may see of an error has its Japanese, whole; English stays as it was written."""

from __future__ import annotations

import re

from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.japanese import TEXTS

FIELDS = re.compile(r"\{(\w+)\}")


def japanese(text: str) -> str:
    return in_language(text, "ja")


def test_fields_are_the_same_in_both() -> None:
    for english, said in TEXTS.items():
        assert set(FIELDS.findall(said.replace("{{", "").replace("}}", ""))) <= set(FIELDS.findall(english)), english


def test_english_is_byte_equal() -> None:
    for text in TEXTS:
        assert in_language(text, "en") == text


def test_what_is_not_known_stays_as_it_is() -> None:
    for text in ("The cavity is warm.", "", "温度が高い", "kernel: a -> b", "Zx"):
        assert japanese(text) == text

"""What a person may see of an error has its Japanese, whole; English stays as it was written."""

from __future__ import annotations

import re

import numpy as np

from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.japanese import TEXTS
from qdash_jupyter.methods.curves.curve import Curve, Shots
from qdash_jupyter.methods.curves.judge import judge

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


def test_fields_are_the_same_in_both() -> None:
    for english, said in TEXTS.items():
        assert set(FIELDS.findall(said.replace("{{", "").replace("}}", ""))) <= set(FIELDS.findall(english)), english


def test_english_is_byte_equal() -> None:
    for text in TEXTS:
        assert in_language(text, "en") == text


def test_what_is_not_known_stays_as_it_is() -> None:
    for text in ("The cavity is warm.", "", "温度が高い", "kernel: a -> b", "Zx"):
        assert japanese(text) == text


def test_why_points_are_no_curve_is_said_too() -> None:
    x, y, many, same = np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.5, 0.2]), np.arange(20.0), np.ones(20)
    curves: list[Curve | Shots] = [
        Curve("CheckT1", "0", x, y, "μs"),
        Curve("CheckT1", "0", x, y[:2], "μs"),
        Curve("CheckT1", "0", x, y, "GHz"),
        Curve("CheckT1", "0", same, many, "μs"),
        Curve("CheckT1", "0", many, same, "μs"),
        Curve("CheckReflectionCoefficient", "0", many, same, "GHz"),
        Curve("CheckChevron", "0", x, y, "μs"),
        Shots("0", x, y),
    ]
    reasons = {judge(curve).reason for curve in curves}
    assert len(reasons) == len(curves)
    for reason in reasons:
        assert is_whole(japanese(reason)), reason

"""The page of the methods is that of their docstrings."""

from __future__ import annotations

from pathlib import Path

from qdash_jupyter import methods
from scripts.methods_page import GROUPS, page


def test_the_methods_page_is_what_the_docstrings_say() -> None:
    shown = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")
    assert shown == page(), "run scripts/methods_page.py"
    assert sorted(name for names in GROUPS.values() for name in names.split()) == methods.__all__

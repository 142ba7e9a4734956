"""The page of curves is that of the code, and names every code."""

from __future__ import annotations

from pathlib import Path

from qdash_jupyter.methods.curves.codes import Code
from scripts.curves_page import page


def test_the_curves_page_is_what_the_code_says() -> None:
    shown = (Path(__file__).parents[2] / "docs" / "curves.md").read_text(encoding="utf-8")
    assert shown == page(), "run python -m scripts.curves_page"
    assert all(f"| {code} |" in shown for code in Code)

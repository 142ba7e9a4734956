"""The page of the offline planner is what the code says."""

from __future__ import annotations

from scripts.planner_page import PAGE, page


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run scripts/planner_page.py"

"""The page of the offline planner is what the code says."""

from __future__ import annotations

from qdash_jupyter.llm.offline.operations import OPERATIONS
from qdash_jupyter.llm.offline.query import Asked
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from scripts.planner_page import PAGE, page


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run scripts/planner_page.py"


def test_every_operation_is_there_and_its_tool() -> None:
    assert set(OPERATIONS) == set(Asked) - {Asked.UNKNOWN}
    assert {operation.tool for operation in OPERATIONS.values()} - {""} <= {spec.name for spec in BUILTIN_TOOLS}

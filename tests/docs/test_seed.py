"""The table of the seed names tests that exist, and every tool."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from scripts.messages import examples, messages

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "seed.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


@pytest.mark.parametrize(("path", "test"), NAMED)
def test_it_exists(path: str, test: str) -> None:
    assert re.search(rf"^def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_tool_has_its_line() -> None:
    agent = PAGE.partition("\n## Compression")[0]
    listed = set(re.findall(r"^\| `(\w+)` \|", agent, re.MULTILINE))
    assert len(listed) == 17  # QDash's
    assert listed <= {spec.name for spec in BUILTIN_TOOLS}


def test_two_apis_two_schemas_two_modes_callbacks_store_and_rate_limit_are_in_it() -> None:
    for words in (
        *("Responses API", "Chat Completions API", "blocks schema", "legacy schema", "chat mode", "analysis mode"),
        *("`on_tool_call`, `on_status`", "data store", "rate limit"),
    ):
        assert f"| {words}" in PAGE


def test_each_step_of_the_stream_is_in_it() -> None:
    stream = PAGE.partition("## SSE streaming")[2].partition("\n## ")[0]
    steps = [each["step"] for each in examples(messages("en")["service-step"])][1:]
    assert all(f"`{step}`" in stream for step in (*steps, "tool_call"))


def test_every_line_names_a_test_or_a_record() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "| --- " not in line]
    without = [row for row in rows if "::test_" not in row and "(decisions/" not in row]
    assert [row.split("|")[1].strip() for row in without] == ["of the seed"] * 4

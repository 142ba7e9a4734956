"""What stands above the cells of a question."""

from __future__ import annotations

import pytest

from qdash_jupyter.domain.answer import Answer, TextBlock
from qdash_jupyter.domain.heading import heading_of


def test_a_question_alone() -> None:
    assert heading_of(" Which qubits\n lost T1? ") == "### Which qubits lost T1?"


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("**5 qubits lost T1.**\n\n| | |\n| --- | --- |", "**5 qubits lost T1.**"),
        ("## Result\n\nMore.", "Result"),
        ("| a |\n| --- |\n\nBelow the table.", "Below the table."),
        ("- one\n- two\n\n```\ncode\n```", ""),
        ("x" * 500, ""),
        ("", ""),
    ],
)
def test_the_first_words_of_the_answer(text: str, headline: str) -> None:
    heading = heading_of("T1?", Answer((TextBlock(text),)))
    assert heading == ("### T1?\n\n" + headline if headline else "### T1?")


def test_a_question_fetches_nothing_and_is_short() -> None:
    heading = heading_of("![a](https://example.org/a.png) <img src=x> " + "long " * 200)
    assert "![" not in heading
    assert "<img" not in heading
    assert len(heading) < 450

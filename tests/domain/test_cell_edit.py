"""A change of a cell, line by line, and as every place shows it that cannot write it."""

from __future__ import annotations

import random

from qdash_jupyter.domain.answer import Answer, CellEditBlock
from qdash_jupyter.domain.cell_edit import diff_of, diff_text


def test_a_changed_line_with_three_around_it() -> None:
    before = "\n".join(f"line {number}" for number in range(20))
    after = before.replace("line 9", "line nine")
    assert [(line.kind, line.text) for line in diff_of(before, after)] == [
        ("gap", "6 lines unchanged"),
        *(("same", f"line {number}") for number in (6, 7, 8)),
        ("removed", "line 9"),
        ("added", "line nine"),
        *(("same", f"line {number}") for number in (10, 11, 12)),
        ("gap", "7 lines unchanged"),
    ]
    assert diff_text("a\nb", "a\nc") == "  a\n- b\n+ c"


def test_what_stays_and_what_goes_is_the_old_text_and_what_stays_and_comes_the_new_one() -> None:
    chance = random.Random(7)  # noqa: S311
    for _ in range(200):
        old, new = ([chance.choice("abc") for _ in range(chance.randint(1, 6))] for _ in range(2))
        lines = diff_of("\n".join(old), "\n".join(new))
        if old == new:
            assert [line.kind for line in lines] == ["gap"]
            continue
        shown = [line for line in lines if line.kind != "gap"]
        left_out = sum(int(line.text.split()[0]) for line in lines if line.kind == "gap")
        assert len([line for line in shown if line.kind != "added"]) + left_out == len(old)
        assert len([line for line in shown if line.kind != "removed"]) + left_out == len(new)


def test_the_answer_has_the_change_and_the_new_text() -> None:
    block = CellEditBlock("e1", "", "[3]", "x = '```'\ny", "x = '```'\nz", "It is ![z](http://elsewhere.example/z)")
    text = Answer((block,)).text
    assert "**Proposed edit of cell [3].**" in text
    assert "\n- y\n+ z\n" in text
    assert "````python\nx = '```'\nz\n````" in text
    assert "![z]" not in text


def test_nothing_hides_in_a_change() -> None:
    (line,) = (line for line in diff_of("x = 1", "x = 1\n\ty = '\u202e'  # \x1b[2K") if line.kind == "added")
    assert line.text == "\ty = '\\u202e'  # \\x1b[2K"

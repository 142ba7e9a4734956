from __future__ import annotations

import json
import random
from typing import Any

import pytest

from qdash_jupyter.agent.parse import CUT_OFF, UNREADABLE_CHART, UNREADABLE_PART, parse_answer
from qdash_jupyter.agent.partial import partial_answer
from qdash_jupyter.domain.answer import Block, ChartBlock, TextBlock


def text(content: Any) -> dict[str, Any]:
    return {"type": "text", "content": content, "chart": None}


def chart(*values: float, title: str = "T1") -> dict[str, Any]:
    figure = {"data": [{"type": "bar", "x": ["Q07"], "y": list(values)}], "layout": {"title": {"text": title}}}
    return {"type": "chart", "content": None, "chart": figure}


def answer(*blocks: Any, assessment: Any = None, **options: Any) -> str:
    return json.dumps({"blocks": list(blocks), "assessment": assessment}, **options)


JSON_ANSWERS = {
    "one text": answer(text("**Q07** lost half of its T1."), assessment="bad"),
    "two texts": answer(text("First."), text("Second.")),
    "a chart between texts": answer(text("Before."), chart(18.2, 36), text("After."), assessment="warning"),
    "a chart at the end": answer(text("Look:"), chart(1, 2, 3)),
    "a chart at the beginning": answer(chart(0.5), text("This is T1.")),
    "only charts": answer(chart(1), chart(2, title='"quoted" }]')),
    "no blocks": answer(),
    "empty texts": answer(text(""), text("  \n"), text("x"), text("")),
    "bare strings": answer("bare", "words {in} braces"),
    "escapes": answer(text('He said "T1 \\ T2"\n\n\ttab / slash \b\f\r.')),
    "characters as escapes": answer(text("Q7は低下😀 é µ ￿ end")),
    "characters as they are": answer(text("Q7は低下😀 é µ ￿ end"), ensure_ascii=False),
    "many emoji": answer(text("😀😃😄" * 5 + "x"), text("🏴‍☠️")),
    "braces and brackets in text": answer(text('data["t1"] = {"a": [1, 2]} and }]} and {"blocks": []}')),
    "code": answer(text("```python\nx = {'a': 1}\nprint(x)\n```\nDone.")),
    "indented": answer(text("one"), chart(1), text("two"), assessment="good", indent=2),
    "assessment first": json.dumps({"assessment": "good", "blocks": [text("fine"), chart(4), text("!")]}),
    "more fields": json.dumps(
        {"blocks": [{**text("a"), "tone": "calm"}, text("b")], "assessment": None, "sources": [1]}
    ),
    "content before type": json.dumps({"blocks": [{"content": "late", "chart": None, "type": "text"}, text("x")]}),
    "unreadable parts": answer(
        text("a"), 7, {"type": "video"}, text(None), chart(), {"type": "chart"}, None, text("z")
    ),
    "in a fence": f"```json\n{answer(text('fenced'), chart(1))}\n```",
    "in a fence without a language": f"```\n{answer(text('fenced'))}\n```\n",
    "a fence in the text of a fence": f"```json\n{answer(text('```py' + chr(10) + 'x' + chr(10) + '```'))}\n```",
    "spaces around it": f"  \n {answer(text('spaced'))} \n ",
    "words behind it": f"{answer(text('hi'))} Thanks {{}}.",
    "numbers of all kinds": answer(chart(1e300, -0.5, 0, 12345678901234567890), text("x")),
    "not a number": '{"blocks": [{"type": "chart", "chart": {"data": [{"y": [NaN, -Infinity]}]}}, "x"]}',
    "the older schema": json.dumps({"summary": "T1 fell.", "assessment": "bad", "explanation": "A lot."}),
}

PLAIN_ANSWERS = {
    "words": "Q07 lost half of its T1.\n\nIt was 36 μs and is 18 μs.",
    "a list": "- Q07\n- Q12\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    "braces": "Of the set {Q1, Q2} and {} only Q7 fell, see {x: 1}.",
    "a brace and a quote": 'The key {"a" is open, and ' + "so it goes on, " * 12,
    "an object": 'The settings {"a": 1, "b": [2]} are fine.',
    "code": "Do this:\n\n```python\nx = [1]\n```\nand that.",
    "a formula": "$T_1$ is $\\frac{1}{\\Gamma}$.",
    "no words": " \n ",
    "brackets": "[1, 2, 3]",
    "an empty object": "{}",
    "another object": '{"blocks": 3, "note": "no answer"}',
    "a half emoji": "odd \ud83d here",
}

ANSWERS = JSON_ANSWERS | PLAIN_ANSWERS


def prefixes(raw: str) -> list[tuple[Block, ...]]:
    return [partial_answer(raw[:length]) for length in range(len(raw) + 1)]


@pytest.mark.parametrize("raw", ANSWERS.values(), ids=ANSWERS)
def test_the_whole_is_read_as_the_answer(raw: str) -> None:
    assert partial_answer(raw) == parse_answer(raw).blocks


@pytest.mark.parametrize("raw", ANSWERS.values(), ids=ANSWERS)
def test_from_one_prefix_to_the_next_text_only_grows_and_charts_stay(raw: str) -> None:
    before: tuple[Block, ...] = ()
    for now in prefixes(raw):
        assert len(now) >= len(before)
        for old, new in zip(before, now, strict=False):
            if isinstance(old, TextBlock):
                assert isinstance(new, TextBlock)
                assert new.content.startswith(old.content)
            else:
                assert new == old
        before = now


@pytest.mark.parametrize("raw", JSON_ANSWERS.values(), ids=JSON_ANSWERS)
def test_the_person_never_sees_json(raw: str) -> None:
    final = parse_answer(raw).blocks
    for now in prefixes(raw):
        for place, block in enumerate(now):
            whole = final[place]
            assert type(block) is type(whole)
            if isinstance(block, TextBlock) and isinstance(whole, TextBlock):
                assert whole.content.startswith(block.content)


def test_text_is_there_as_soon_as_it_is_written() -> None:
    raw = answer(text("Q07 fell."), text("Q12 too."))
    cut = raw[: raw.index("fell") + 2]

    assert partial_answer(cut) == (TextBlock("Q07 fe"),)
    assert partial_answer(raw[: raw.index("12") + 2])[1] == TextBlock("Q12")


def test_a_chart_appears_once_it_is_complete() -> None:
    raw = answer(text("Look:"), chart(1, 2, 3), text("See?"))
    half = raw.index("[1, 2, 3]") + len("[1, 2")

    assert partial_answer(raw[:half]) == (TextBlock("Look:"),)
    assert partial_answer(raw[: raw.index("layout") + 4]) == (TextBlock("Look:"),)
    shown = partial_answer(raw[: raw.index("See") + 1])
    assert isinstance(shown[1], ChartBlock)
    assert shown[1].data[0]["y"] == [1, 2, 3]


def test_notes_about_what_cannot_be_read_stand_where_they_will_stand() -> None:
    raw = answer(7, {"type": "chart"}, text("end"))
    assert partial_answer(raw[:-30])[:2] == (UNREADABLE_PART, UNREADABLE_CHART)


@pytest.mark.parametrize(
    ("cut", "seen"),
    [
        ("a\\", "a"),
        ("a\\u", "a"),
        ("a\\u00b", "a"),
        ("a\\u00b5", "aµ"),
        ("a\\ud83d", "a"),
        ("a\\ud83d\\", "a"),
        ("a\\ud83d\\ude0", "a"),
        ("a\\ud83d\\ude00", "a😀"),
        ("a\\ud83d!", "a\ufffd!"),
        ("a\\ude00!", "a\ufffd!"),
        ("a\\\\ud83d!", "a\\ud83d!"),
    ],
)
def test_half_an_escape_is_no_text_yet(cut: str, seen: str) -> None:
    assert partial_answer('{"blocks": [{"type": "text", "content": "' + cut) == (TextBlock(seen),)


def test_a_pair_that_comes_in_two_parts_is_one_character() -> None:
    begun = '{"blocks": [{"type": "text", "content": "a\ud83d'

    assert partial_answer(begun) == (TextBlock("a"),)
    assert partial_answer(begun + "\ude00") == (TextBlock("a😀"),)


@pytest.mark.parametrize("fence", ["`", "```", "```js", "```json\n", "Here it is:\n```json\n{", 'Here it is:\n{"blo'])
def test_what_may_become_json_is_kept_back(fence: str) -> None:
    words = "Here it is:" if fence.startswith("Here") else ""

    assert partial_answer(fence) == ((TextBlock(words),) if words else ())


def test_words_before_the_json_make_way_for_it() -> None:
    raw = f"Here it is: {answer(text('Q07.'))}"

    assert partial_answer(raw[:8]) == (TextBlock("Here it"),)
    assert partial_answer(raw) == (TextBlock("Q07."),)


def test_what_is_shown_on_the_way_is_as_harmless_as_the_end() -> None:
    raw = answer(
        text("![x](https://elsewhere.example/x.png) <script>"), chart(1, title="<a href='javascript:x'>T1</a>")
    )

    for now in prefixes(raw):
        for block in now:
            if isinstance(block, TextBlock):
                assert "![" not in block.content
                assert "<s" not in block.content
            elif isinstance(block, ChartBlock):
                assert block.title == "T1</a>"


@pytest.mark.parametrize(
    "raw",
    [
        "{" * 10_000,
        '{"a":' * 5_000,
        '{"blocks": ' + "[" * 5_000,
        '{"blocks": [' + '{"type": "chart", "chart": {"data": [' * 300,
        '{"blocks": [{"type": "text", "content": "' + "\\" * 9_999,
        '{"blocks": [{"type": "text", "content": "a\nb',
        '{"blocks": [{"type": "text", "content": "' + "9" * 5_000 + '"}], "n": ' + "9" * 5_000,
        '{"blocks": [{"type": "text", "content": "x"} oops',
        "\x00\ud800{\udfff",
        "```" * 3_000,
        '{"summary": "x", "assessment": ' * 100,
    ],
    ids=range(11),
)
def test_nothing_that_a_model_writes_raises(raw: str) -> None:
    for length in sorted({*range(0, len(raw), max(1, len(raw) // 40)), len(raw)}):
        for block in partial_answer(raw[:length]):
            if isinstance(block, TextBlock):
                block.content.encode()


def test_random_texts_and_changed_answers_raise_nothing_either() -> None:
    choice = random.Random(3)  # noqa: S311 - not for secrets
    pieces = [
        '"',
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\\",
        "blocks",
        "type",
        "text",
        "content",
        "\\ud83d",
        "\n",
        "1",
        "x",
        "```",
    ]
    for _ in range(1_500):
        raw = "".join(choice.choices(pieces, k=choice.randint(1, 30)))
        partial_answer(raw)
        known = choice.choice(list(ANSWERS.values()))
        place = choice.randrange(len(known) + 1)
        partial_answer(known[:place] + raw + known[place:])


def test_a_broken_answer_shows_its_whole_blocks_and_says_so() -> None:
    raw = answer(text("whole"))[:-3] + "; oops"

    assert partial_answer(raw) == (TextBlock("whole"), CUT_OFF)

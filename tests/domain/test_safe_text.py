"""What models and databases write, shown by renderers that know nothing of our rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from qdash_jupyter.domain.code_pieces import code_pieces
from qdash_jupyter.domain.safe_text import harmless_words, without_remote_content
from tests.domain.renderers import COMMON_MARK, unsafe_in

CORPUS = Path(__file__).parent / "corpus"
HOSTILE = json.loads((CORPUS / "hostile_markdown.json").read_text(encoding="utf-8"))
BITING = [text for kind in HOSTILE["anywhere"].values() for text in kind]
DOUBTFUL = HOSTILE["in some renderers"]
BENIGN = json.loads((CORPUS / "benign_markdown.json").read_text(encoding="utf-8"))
IMAGE = "<img src=x onerror=alert(1)>"


AROUND = (
    "{}",
    "Before.\n\n{}\n\nAfter.",
    "- {}\n- b",
    "`x` {} `y`",
    "```\na\n```\n{}\n```\nb\n```",
    "$a$ {} $b$",
)


def test_the_renderers_see_what_is_hostile() -> None:
    assert [text for text in BITING if not unsafe_in(text)] == []


def test_nothing_hostile_is_left() -> None:
    for clean in (without_remote_content, harmless_words):
        left = {text: found for text in BITING + DOUBTFUL if (found := unsafe_in(clean(text)))}
        assert left == {}, clean


def test_nothing_hostile_is_left_within_other_text() -> None:
    left = {}
    for around in AROUND:
        for markdown in BITING + DOUBTFUL:
            text = around.format(markdown.replace("\n", "\n  ") if around.startswith("-") else markdown)
            if found := unsafe_in(without_remote_content(text)):
                left[text] = found
    assert left == {}


def test_what_does_nothing_stays_as_written() -> None:
    assert [without_remote_content(text) for text in BENIGN] == BENIGN


def test_the_benign_corpus_is_benign() -> None:
    assert [text for text in BENIGN if unsafe_in(text)] == []


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("![plot](https://a.example/p.png)", "[plot](https://a.example/p.png)"),
        ("![plot][p] and ![p]", "[plot][p] and [p]"),
        ("Wow![1]", "Wow[1]"),
        ("<b>bold</b> <!-- x -->", "&lt;b>bold&lt;/b> &lt;!-- x -->"),
        ("a<b in words", "a&lt;b in words"),
        ("[x](javascript:alert(1))", "[x]&#40;javascript:alert(1))"),
        ("[x]: javascript:alert(1)", "[x]&#58; javascript:alert(1)"),
        ("<javascript:alert(1)>", "&lt;javascript:alert(1)>"),
        ("half \ud83d", "half \ufffd"),
        ("a\r\nb\rc", "a\nb\nc"),
        ('https://a.example/$"x$ $y$', 'https://a.example/%24"x%24 $y$'),
        ("```mermaid\ngraph TD\n```", "```text\ngraph TD\n```"),
        ('```python title="x"\na<b\n```', "```python\na<b\n```"),
        # Perhaps code, perhaps a formula: a space changes neither.
        ("$a<b$", "$a< b$"),
        ("    a<b", "    a< b"),
        ("`a<b", "`a< b"),
        ("> ```\n> a<b and ![1]\n> ```", "> ```\n> a< b and ! [1]\n> ```"),
        ("$$\na_<b\n$$\na<b", "$$\na_< b\n$$\na&lt;b"),
        # Code for certain.
        ("`a<b` and c<d", "`a<b` and c&lt;d"),
        ("Text:\n```python\na<b\n```\nc<d", "Text:\n```python\na<b\n```\nc&lt;d"),
        ("```python\nnot closed<yet", "```python\nnot closed<yet"),
        ("1. One\n   ```python\n   a<b\n   ```\n2. Two <b>", "1. One\n   ```python\n   a<b\n   ```\n2. Two &lt;b>"),
    ],
)
def test_how_it_is_written_then(written: str, shown: str) -> None:
    assert without_remote_content(written) == shown


def test_html_reads_as_it_was_written() -> None:
    assert COMMON_MARK.render(without_remote_content("Use <b> here")) == "<p>Use &lt;b&gt; here</p>\n"


@pytest.mark.parametrize(
    ("markdown", "code"),
    [
        ("a `b` c ``d`` e", ["`b`", "``d``"]),
        ("```py\nx\n```\ny", ["x\n```\n"]),
        ("~~~\nx", ["x"]),
        ("a `b\nc` d `e`", []),  # how the first backtick pairs up is only known lines later
        ("a `b\n\n`e`", ["`e`"]),
        ("\\`a` `b`", []),
        ("*a `b*` `c`", []),
        ("https://a.example/`b` `c`", []),
        ("a\n```\nb\n``` \nc\n```", []),
        ("`a`\u2028`b`", []),
        ("\\begin{x} `a`", []),
    ],
)
def test_which_parts_are_code_for_certain(markdown: str, code: list[str]) -> None:
    pieces = code_pieces(markdown)

    assert "".join(piece.text for piece in pieces) == markdown
    assert [piece.text for piece in pieces if piece.is_code] == code


PARTS = [
    *"[]()!\\\"'${}|*_~ ",
    *("`", "\n") * 4,
    *(
        "``",
        "```",
        "```",
        "~~~",
        "\n\n",
        "  ",
        "   ",
        "    ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "# ",
        "---",
        "- [ ] ",
        "\r",
        "\u2028",
    ),
    *(IMAGE,) * 4,
    *("![a](u)", "![a][b]", "[x](javascript:alert(1))", "[x](java&#115;cript:a)", "<script>", "<b>", "&lt;"),
    *("[a]: u", '[a]: u "', "]: ", "](", "$$", "\\begin{a}", "\\end{a}", "\\\\(", "\\\\)", "@@0@@"),
    *("https://a.example/", "www.a.example", "a@b.example", "<https://a.example>", "x | y\n--|--\n"),
    *('x"onmouseover=alert(1)', "mermaid", "words"),
]


@pytest.mark.parametrize("count", [300, pytest.param(1_500, marks=pytest.mark.long)])
def test_random_texts_of_hostile_parts(count: int) -> None:
    chance = random.Random(20260630)  # noqa: S311 - not for secrets
    bitten = 0
    for _ in range(count):
        markdown = "".join(chance.choices(PARTS, k=chance.randint(2, 24)))
        safe = without_remote_content(markdown)
        assert unsafe_in(safe) == {}, (markdown, safe)
        bitten += bool(unsafe_in(markdown))
    assert bitten > count / 3


UNITS = [
    *("`", "`a ", "`a`\n", "a@b `a` ", "```\n", "   ```\n a\n", "- )`@ ", "x`a`__\n' "),
    *("](", "](a ", "](a(", "[a]: \n", "]:\n> ", "[", "[\\"),
    *("!", "\\!", "<", "<a", "|-", "$$\n", "https://", "- ", "> "),
]


STARTS = ("", "[a]:", "](")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("start", "unit"),
    [
        pytest.param(start, unit, marks=[] if start == STARTS[place % 3] else pytest.mark.long)
        for place, unit in enumerate(UNITS)
        for start in STARTS
    ],
)
def test_long_texts_take_time_in_proportion(start: str, unit: str) -> None:
    """Minutes, where a part of the work grows with the square of the length."""
    assert without_remote_content(f"{start}{unit * (60_000 // len(unit))} <b")

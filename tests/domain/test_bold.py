"""Bold in Japanese, by a renderer that knows only the rules of CommonMark."""

from __future__ import annotations

from qdash_jupyter.domain.bold import with_bold_in_japanese
from tests.domain.renderers import COMMON_MARK

BOLD = {
    "**Q08：T1が低下（−45 %）。**ほかに1件": "<strong>Q08：T1が低下（−45 %）。</strong>\u200aほかに1件",
    "今月の**T1（平均）**は短い": "今月の<strong>T1（平均）</strong>\u200aは短い",
    "これは**「注意」**が要る": "これは\u200a<strong>「注意」</strong>\u200aが要る",
    "**Q08。** 次": "<strong>Q08。</strong> 次",
    "`**良い。**値` では": "<code>**良い。**値</code> では",
}


def test_it_needs_no_spaces() -> None:
    shown = {text: COMMON_MARK.render(with_bold_in_japanese(text)).strip() for text in BOLD}
    assert shown == {text: f"<p>{html}</p>" for text, html in BOLD.items()}


def test_other_texts_stay() -> None:
    for text in ("**T1 (mean).**So", "2 ** 3 は **8 です", "**平均**は短い", "a\r\nb"):
        assert with_bold_in_japanese(text) == text

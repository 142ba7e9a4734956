"""Bold words in Japanese, so that every renderer shows them bold."""

from __future__ import annotations

import re
import unicodedata

from qdash_jupyter.domain.code_pieces import code_pieces

_BOLD = re.compile(r"(?<!\*)\*\*(?![\s*])(?P<words>[^*\n]{0,400}[^\s*])\*\*(?!\*)")
_JAPANESE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
_HAIR = "\u200a"
"""The narrowest space: by the rules of Markdown, marks beside a 。 or 「 begin or end bold only next to a space."""


def with_bold_in_japanese(markdown: str) -> str:
    """The Markdown, where `**…。**次` is bold for CommonMark, too."""
    if "**" not in markdown or not _JAPANESE.search(markdown):
        return markdown
    text = markdown.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(piece.text if piece.is_code else _BOLD.sub(_spaced, piece.text) for piece in code_pieces(text))


def _spaced(found: re.Match[str]) -> str:
    words, text = found["words"], found.string
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    opening = _HAIR if _is_mark(words[0]) and _is_letter(before) else ""
    closing = _HAIR if _is_mark(words[-1]) and _is_letter(after) else ""
    return f"{opening}{found[0]}{closing}"


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PS"


def _is_letter(sign: str) -> bool:
    return bool(sign) and not sign.isspace() and not _is_mark(sign)

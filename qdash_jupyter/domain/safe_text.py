"""Text of models and databases that does nothing where it is shown: in a browser, in a terminal, to a model.

Words of models and databases end up in the outputs of trusted cells, where JupyterLab puts Markdown's HTML into the
page as it is. So pictures, HTML, and links elsewhere than to the web are taken apart here, before anything is shown
or saved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from qdash_jupyter.domain.code_pieces import code_pieces

_HIDDEN = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that end lines, drive terminals or turn the direction of text, and that JSON leaves as they are."""
_DRIVING = re.compile(rf"[\x00-\x08\x0b-\x1f]|{_HIDDEN.pattern}")

_SUSPICIOUS = re.compile(r"<[A-Za-z/!?]|!\[|\]\(|\]:|```|~~~|[\ud800-\udfff\r]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")

_ADDRESS = r"[^\s\"$\\<>()`\x00-\x1f]*"
_DESTINATION = rf"<(?:https?://|mailto:){_ADDRESS}>|{_ADDRESS}(?:\({_ADDRESS}\){_ADDRESS})*"
_TITLE = r"\"[^\"$\\<`\n]*\"|'[^'\"$\\<`\n]*'|\([^()\"$\\<`\n]*\)"

_IMAGE = re.compile(r"(?<![\\!])[\\!]*!\[")
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!(?:https?://|mailto:)[^\s\"$\\<>`]*>)", re.IGNORECASE)
_TAG_OR_IMAGE = re.compile(rf"{_TAG.pattern}|!\[", re.IGNORECASE)
_LINK = re.compile(rf"\]\((?: {{0,2}}(?P<address>{_DESTINATION})(?: {{1,2}}(?:{_TITLE}))? {{0,2}}\))?")
_DEFINITION = re.compile(
    r"\]:[ \t>]*(?:\n[ \t>]*)?(?P<address><[^>\n]*>|[^\s]+)?(?P<rest>[^\n]*)(?P<more>\n[ \t>]*[\"'(])?"
)
_WHOLE_DESTINATION = re.compile(_DESTINATION)
_WHOLE_TITLE = re.compile(rf"[ \t]*(?:{_TITLE})?[ \t]*")
_BARE_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|www\.)[^\s<]*", re.IGNORECASE)
_SCHEME = re.compile(r"[^/?#]*?:")
_SCHEMES = {"http:", "https:", "mailto:", "ftp:", "tel:", "doi:"}

_FENCE = re.compile(r"^([ \t>*+\-\d.)\[\]xX]*(?:`{3,}|~{3,}))([^\n]*)$", re.MULTILINE)
_LANGUAGE = re.compile(r"[ \t]*[\w+#.-]*")
_FORMULA_OPENS = re.compile(r"\\\[|\\begin\{")
_FORMULA_ENDS = re.compile(r"\\\]|\\end\{")


def without_remote_content(markdown: str) -> str:
    """The Markdown with pictures as links, HTML as text, and no links but to the web.

    What is code for certain stays as written, and so does everything that does nothing: tables, links, formulas,
    `T1 < 30 μs`. What may or may not be code or a formula is made harmless by a space.
    """
    if not _is_suspicious(markdown):
        return markdown
    text = _LONE_SURROGATE.sub("\ufffd", markdown.replace("\r\n", "\n").replace("\r", "\n"))
    if _Reader(doubtful=False, quotes='"' in text).harmless(text) == text:
        return text  # also where it is no code
    pieces = code_pieces(text)
    # Without certain code, whatever stands behind a fence may be code all the same.
    doubtful = not any(piece.is_code for piece in pieces) and ("```" in text or "~~~" in text)
    reader = _Reader(doubtful=doubtful, quotes='"' in text)
    return "".join(piece.text if piece.is_code else reader.harmless(piece.text) for piece in pieces)


def one_line_json(json: str) -> str:
    """JSON of the same meaning, in which nothing ends a line or hides: `U+2028` and its like are escaped."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def one_line(text: str) -> str:
    """The words of the text on one line."""
    return " ".join(_HIDDEN.sub(" ", text).split())


def printable(text: str) -> str:
    """The text for a terminal: what would drive it, or turn the direction of words, is written as its code."""
    return _DRIVING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def harmless_words(text: str) -> str:
    """Words that are data and no Markdown, such as a table's cell, with nothing left that would fetch or run."""
    if not _is_suspicious(text):
        return text
    return _Reader(doubtful=False, quotes=True).harmless(_LONE_SURROGATE.sub("\ufffd", text.replace("\r", "\n")))


def _is_suspicious(text: str) -> bool:
    return _SUSPICIOUS.search(text) is not None or ('"' in text and ("$" in text or "\\" in text))


@dataclass(slots=True)
class _Reader:
    """Goes through the pieces of a text that are not code, in order."""

    doubtful: bool
    quotes: bool
    in_formula: bool = False

    def harmless(self, text: str) -> str:
        """The piece, made harmless."""
        if "```" in text or "~~~" in text:
            text = _FENCE.sub(_fence, text)
        if _TAG_OR_IMAGE.search(text):
            text = "\n".join(map(self._line, text.split("\n")))
        text = _LINK.sub(_link, text)
        text = _DEFINITION.sub(_definition, text)
        if self.quotes:
            # Formulas are put back into the finished HTML: one within an address could end it with quotes of its own.
            text = _BARE_ADDRESS.sub(lambda found: found[0].replace("$", "%24").replace("\\", "%5C"), text)
        return text

    def _line(self, line: str) -> str:
        spaced = (
            self.doubtful or self.in_formula or line.startswith(("    ", "\t")) or any(mark in line for mark in "`$\\")
        )
        if line.count("$$") % 2:
            self.in_formula = not self.in_formula
        elif _FORMULA_OPENS.search(line):
            self.in_formula = True
        if _FORMULA_ENDS.search(line):
            self.in_formula = False
        # Neither code nor a formula changes its meaning by a space, and a tag that begins with one is none.
        line = line.replace("![", "! [") if spaced else _IMAGE.sub("[", line)
        return _TAG.sub("< " if spaced else "&lt;", line)


def _fence(found: re.Match[str]) -> str:
    """The first line of what may be a fence. JupyterLab puts its words into the page unescaped, and runs Mermaid."""
    marks, words = found.groups()
    if marks.endswith("`") and "`" in words:
        # Code within a line, unless a formula is taken out of it.
        return marks + words.replace("$", "&#36;").replace("\\", "&#92;")
    if "mermaid" in words.lower():
        return f"{marks}text"
    if any(mark in words for mark in "\"'$\\<&@"):
        kept = _LANGUAGE.match(words)
        return marks + (kept[0] if kept else "")
    return found[0]


def _link(found: re.Match[str]) -> str:
    address = found["address"]
    return found[0] if address is not None and _leads_to_the_web(address) else f"]&#40;{found[0][2:]}"


def _definition(found: re.Match[str]) -> str:
    """What may be the definition of a link. A renderer would take in many lines for its label or its title."""
    address, rest = found["address"], found["rest"]
    if address is not None and rest.strip() and rest.lstrip()[0] not in "\"'(":
        return found[0]  # words
    line = found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]
    opening = line.rfind("[")
    harmless = (
        address is not None
        and _WHOLE_DESTINATION.fullmatch(address)
        and _leads_to_the_web(address)
        and _WHOLE_TITLE.fullmatch(rest)
        and found["more"] is None
        and opening >= 0
        and line[opening - 1 : opening] != "\\"
    )
    return found[0] if harmless else f"]&#58;{found[0][2:]}"


def _leads_to_the_web(address: str) -> bool:
    """Whether the address has no scheme, or one that opens a page. Browsers read entities, and pass over spaces."""
    plain = re.sub(r"[\x00-\x20\x7f-\xa0]", "", unescape(address)).strip("<>").lower()
    scheme = _SCHEME.match(plain)
    return scheme is None or scheme[0] in _SCHEMES

"""HTML that untrusted code wrote, cleaned so that a page which trusts it shows it and runs nothing.

JupyterLab puts the HTML of a trusted cell into the page as it is, so nothing cleans it after this module. Only the
tags, attributes, addresses and style declarations listed here are left. None of the tags changes how a browser reads
the text behind it (no script, style, textarea or SVG), so a browser finds the tags written here and no others, however
they are nested.
"""

from __future__ import annotations

import binascii
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from html import escape, unescape
from typing import Any

import nh3
import tinycss2
from tinycss2.ast import Node

MOST_TAGS = 30_000
"""In one HTML text. The time for unclosed ones grows with the square of their number: 2.5 s for this many, while
Python's other threads run."""
PICTURE_BYTES = 10_000_000
"""Of one picture, decoded."""
_BEGINNINGS = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}

_TABLE = ("table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td")
_FORMATS = ("b", "code", "em", "i", "s", "small", "strong", "u")
_TAGS = {
    *("a", "abbr", "blockquote", "br", "dd", "del", "details", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("hr", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "samp", "span", "sub", "summary", "sup", "ul"),
    *("var", *_TABLE, *(f"x-{name}" for name in _FORMATS)),
}
_DROPPED_WHOLE = {
    *("iframe", "math", "noembed", "noframes", "noscript", "script", "select", "style", "svg", "template", "textarea"),
    *("title", "xmp"),
}
"""With what is in them. Of other tags that are not listed, the text stays."""
_RENAMED = re.compile(rf"<(/?)({'|'.join(_FORMATS)}|big|font|nobr|strike|tt)(?=[\s/>])", re.IGNORECASE | re.ASCII)
"""Tags that a parser opens again in each later block when nothing closes them, which makes 1 GB of 35 kB. They go
through the parser under names that it has no rule for."""
_NAMED_BACK = re.compile(rf"<(/?)x-({'|'.join(_FORMATS)})(?=[ >])")

_ATTRIBUTES = {
    "*": {"class", "id", "style"},
    "a": {"href"},
    "col": {"span", "width"},
    "colgroup": {"span"},
    "details": {"open"},
    "img": {"alt", "height", "src", "width"},
    "ol": {"start"},
    "table": {"border"},
    "td": {"align", "colspan", "rowspan", "valign"},
    "th": {"align", "colspan", "rowspan", "scope", "valign"},
    "tr": {"align", "valign"},
}
"""No `title`: outputs do without, and a reader should see all words of a link before it is clicked."""
_NUMBER = re.compile(r"\d{1,4}")
_SIZE = re.compile(r"\d{1,4}(?:px|%)?")
_SIDE = re.compile(r"left|right|center|justify|top|middle|bottom|baseline", re.IGNORECASE)
_ID = re.compile(r"T_[0-9a-f]{3,32}(?:_level\d+)?(?:_row\d+)?(?:_col\d+)?")
"""Of a pandas Styler. No script or style sheet of a page looks for such a name."""
_CLASS = re.compile(r"dataframe|data|blank|index_name|row_heading|col_heading|col_trim|row_trim|(?:level|row|col)\d+")
_PICTURE = re.compile(r"data:(image/(?:png|jpeg));base64,(.*)", re.DOTALL)
_ADDRESS = r"[^\s<>\"'`\\\x00-\x1f\x7f]{0,4000}"
_VALUES = {
    "align": _SIDE,
    "alt": re.compile(r"[^<>]{0,1000}"),
    "border": _NUMBER,
    "colspan": _NUMBER,
    "height": _SIZE,
    "href": re.compile(rf"(?:https?://[\w.-]+(?::\d{{1,5}})?(?:[/?#]{_ADDRESS})?|mailto:{_ADDRESS})", re.IGNORECASE),
    "id": _ID,
    "open": re.compile(r"(?:open)?"),
    "rel": re.compile(r"noopener noreferrer"),
    "rowspan": _NUMBER,
    "scope": re.compile(r"(?:row|col)(?:group)?", re.IGNORECASE),
    "span": _NUMBER,
    "start": _NUMBER,
    "target": re.compile(r"_blank"),
    "valign": _SIDE,
    "width": _SIZE,
}

_PROPERTY = re.compile(
    r"color|background(?:-color)?|text-align|text-decoration|font-weight|font-style|font-size|white-space|vertical-align"
    r"|border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width))?|border-(?:collapse|spacing|radius)|caption-side"
    r"|padding(?:-(?:top|right|bottom|left))?|(?:min-|max-)?width"
)
_TOKENS = {
    "hash": re.compile(r"[0-9A-Fa-f]{3,8}"),
    "ident": re.compile(r"[A-Za-z][A-Za-z-]*"),
    "literal": re.compile(r"[,/]"),
    "whitespace": re.compile(r"\s+"),
}
_UNITS = frozenset({"px", "em", "rem", "ex", "ch", "pt", "deg"})
_LARGEST = 2000
"""In any unit."""
_COLOURS = frozenset({"rgb", "rgba", "hsl", "hsla"})
_GRADIENT = "linear-gradient"
"""What `Styler.bar` draws with."""
_LONGEST_STYLE, _LONGEST_SELECTOR = 2_000, 200
_STYLE_BEGINS = re.compile(r"<style\b[^<>]*>", re.IGNORECASE)
_STYLE_ENDS = re.compile(r"</style", re.IGNORECASE)
_PSEUDO = r"hover|(?:first|last)-child|only-of-type|nth-child\((?:\d{1,5}|odd|even)\)"
_PART = rf"(?:(?:{'|'.join(_TABLE)})(?![\w-])|\.(?:{_CLASS.pattern})(?![\w-])|#{_ID.pattern}(?![\w-])|:(?:{_PSEUDO}))"
_SELECTOR = re.compile(rf"{_PART}+(?:(?: *> *| +){_PART}+)*")

_OPENING = re.compile(r'<([a-z][a-z0-9-]*)((?: [a-z]+="[^"]*")*)>')
"""A tag as nh3 writes it."""
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_UNSEEN = re.compile(r"<(?!img\b|hr\b)[^<>]*>|&nbsp;")
_SEEN = re.compile(r"\S")
_DIV = "<div>\n"


def clean_html(html: str) -> str:
    """Return the HTML with only text, tables, lists, links to the web, embedded PNG and JPEG pictures, and colours.

    Style sheets hold for this HTML alone: it gets a `div` of its own, whose id stands in front of each selector.
    A DataFrame keeps the style sheet that pandas puts before every table, so that it is the same when its cell runs in
    a kernel. The result is empty where nothing is left to see, or where the HTML has more than `MOST_TAGS` tags.
    """
    if html.count("<") > MOST_TAGS:
        return ""
    head = _head_of_frames()
    if head and html.startswith(head) and not _STYLE_BEGINS.search(html, len(head)):
        cleaned = _clean(f"{_DIV}{html[len(head) :]}")
        return head + cleaned.removeprefix(_DIV) if cleaned.startswith(_DIV) else cleaned
    cleaned = _clean(html)
    own = f"T_{sha256(html.encode()).hexdigest()[:16]}"
    rules = "\n".join(_rules(html, own)) if cleaned else ""
    return f'<style>\n{rules}\n</style>\n<div id="{own}">{cleaned}</div>' if rules else cleaned


def _head_of_frames() -> str:
    """Return how the pandas of this process begins the HTML of a DataFrame; empty where it is not loaded."""
    frame = getattr(sys.modules.get("pandas"), "DataFrame", None)
    return "" if frame is None else _head_by(frame)


@cache
def _head_by(frame: type[Any]) -> str:
    html: str = frame([0]).to_html(notebook=True)
    head, end, _ = html.partition("</style>")
    return head + end if html.startswith(f"{_DIV}<style") else ""


def _clean(html: str) -> str:
    cleaned = nh3.clean(
        _RENAMED.sub(r"<\1x-\2", html),
        tags=_TAGS,
        clean_content_tags=_DROPPED_WHOLE,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    # Values are looked at here and not by nh3's `attribute_filter`: where that raises, as at an interrupt, nh3 keeps
    # the attribute.
    cleaned, tags = _OPENING.subn(_opening, cleaned)
    if cleaned.count("<") != tags + cleaned.count("</") or not _SEEN.search(_UNSEEN.sub("", cleaned)):
        return ""
    return _NAMED_BACK.sub(r"<\1\2", cleaned)


def clean_picture(mime_type: str, base64: str) -> str | None:
    """Return the base64 of a picture in one line, or None where it is not one or is larger than `PICTURE_BYTES`.

    Args:
        mime_type: `image/png` or `image/jpeg`. The picture has to begin as these do.
        base64: The picture; white space in it does not count.
    """
    if len(base64) > PICTURE_BYTES * 3 // 2:
        return None
    try:
        decoded = b64decode("".join(base64.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(decoded) > PICTURE_BYTES or not decoded.startswith(_BEGINNINGS[mime_type]):
        return None
    return b64encode(decoded).decode()


def _opening(found: re.Match[str]) -> str:
    tag, attributes = found.groups()
    values = ((name, _value(name, unescape(value))) for name, value in _ATTRIBUTE.findall(attributes))
    kept = "".join(f' {name}="{escape(value)}"' for name, value in values if value is not None)
    return f"<{tag}{kept}>"


def _value(name: str, value: str) -> str | None:
    """Return the attribute's value as it may stand in the page, or None to leave the attribute out."""
    if name == "style":
        return _inline(value) or None
    if name == "class":
        return " ".join(filter(_CLASS.fullmatch, value.split())) or None
    if name == "src":
        found = _PICTURE.fullmatch(value)
        base64 = clean_picture(found[1], found[2]) if found else None
        return f"data:{found[1]};base64,{base64}" if found and base64 else None
    return value if _VALUES[name].fullmatch(value) else None


def _rules(html: str, own: str) -> Iterator[str]:
    """Yield the rules of the HTML's style sheets that colour its tables, each for elements within `#own`."""
    for block in _STYLE_BEGINS.split(html)[1:]:
        sheet = _STYLE_ENDS.split(block, maxsplit=1)[0]
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                continue
            selectors = [each.strip() for each in tinycss2.serialize(rule.prelude).split(",")]
            declarations = "; ".join(_declarations(rule.content)) if all(map(_selects, selectors)) else ""
            if declarations:
                yield f"{', '.join(f'#{own} {each}' for each in selectors)} {{ {declarations} }}"


def _selects(selector: str) -> bool:
    return len(selector) <= _LONGEST_SELECTOR and _SELECTOR.fullmatch(selector) is not None


@lru_cache(maxsize=1000)
def _inline(style: str) -> str:
    kept = "; ".join(_declarations(style)) if len(style) <= _LONGEST_STYLE else ""
    return f"{kept};" if kept and style.endswith(";") else kept


def _declarations(style: str | Sequence[Node]) -> list[str]:
    declared = tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True)
    return [
        f"{each.lower_name}: {tinycss2.serialize(each.value).strip()}{' !important' * each.important}"
        for each in declared
        if each.type == "declaration" and _PROPERTY.fullmatch(each.lower_name) and all(map(_is_plain, each.value))
    ]


def _is_plain(token: Node, functions: frozenset[str] = _COLOURS | {_GRADIENT}) -> bool:
    """Return whether the part of a value is a word, a number, a colour or a gradient: none of them loads anything."""
    if token.type == "function":
        within = _COLOURS if token.lower_name == _GRADIENT else frozenset[str]()
        return token.lower_name in functions and all(_is_plain(each, within) for each in token.arguments)
    if token.type in {"number", "percentage", "dimension"}:
        return abs(token.value) <= _LARGEST and getattr(token, "lower_unit", "px") in _UNITS
    return token.type in _TOKENS and _TOKENS[token.type].fullmatch(token.value) is not None

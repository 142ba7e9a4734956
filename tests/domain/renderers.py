"""Markdown as other programs show it, and a look at the HTML for what would fetch or run something."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any

import mistune
from markdown_it import MarkdownIt

ELEMENTS = {
    *("a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "input", "li", "ol", "p"),
    *("pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {"align", "checked", "class", "disabled", "href", "start", "style", "title", "type"}
SCHEMES = {"http:", "https:", "mailto:", "ftp:", "tel:", "doi:"}


def _common_mark() -> MarkdownIt:
    """With a fence's words as JupyterLab shows them: unescaped."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.validateLink = lambda _: True  # pyrefly: ignore[bad-assignment, method-assign]  # JupyterLab's has no list of bad ones

    def fence(tokens: Any, place: int, *_: Any) -> str:
        words = tokens[place].info.strip()
        return f'<pre><code class="language-{words}">{escape(tokens[place].content)}</code></pre>'

    parser.add_render_rule("fence", lambda _, *given: fence(*given))
    return parser


COMMON_MARK = _common_mark()
MISTUNE = mistune.create_markdown(
    renderer=mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True),
    plugins=["strikethrough", "table", "task_lists", "url"],
)


# What stands in code is not taken for a formula.
_CODE_OR_FORMULA = re.compile(
    r"""
    (?P<code> ^(?P<fence>```+|~~~+)[^`\n]*\n(?:.*\n)*?(?P=fence)$ | (?<!`)(?P<marks>`+)(?!`)[^\n]*?[^`](?P=marks)(?!`) )
    | \$\$?(?:[^$\n]|\n(?!\s*\n))+\$\$?
    | \\\\\( (?:[^\n]|\n(?!\s*\n))*? \\\\\)
    | \\begin\{\w*\} (?:.|\n)*? \\end\{\w*\}
    """,
    re.MULTILINE | re.VERBOSE,
)


def _formulas_apart(markdown: str) -> str:
    """As JupyterLab does: formulas are taken out first and put back into the finished HTML, quotes and all."""
    formulas: list[str] = []

    def out(found: re.Match[str]) -> str:
        formulas.append(escape(found[0], quote=False))
        return f"@@{len(formulas) - 1}@@"

    text = _CODE_OR_FORMULA.sub(lambda found: out(found) if found["code"] is None else found[0], markdown)
    html: str = COMMON_MARK.render(text)
    return re.sub(
        r"@@(\d+)@@", lambda found: formulas[int(found[1])] if int(found[1]) < len(formulas) else found[0], html
    )


RENDERERS: dict[str, Callable[[str], str]] = {
    "CommonMark": COMMON_MARK.render,
    "mistune": lambda markdown: str(MISTUNE(markdown)),
    "formulas apart": _formulas_apart,
}


class _Look(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [tag] * (tag not in ELEMENTS)
        for name, value in attrs:
            self.seen += [f"{tag} {name}"] * (name not in ATTRIBUTES)
            if name == "href":
                address = re.sub(r"[\x00-\x20]", "", unescape(value or "")).lower()
                scheme = re.match(r"[a-z][a-z0-9+.-]*:", address)
                self.seen += [address] * (scheme is not None and scheme[0] not in SCHEMES)
            if name == "class" and (value or "").lower() == "language-mermaid":
                self.seen.append("a diagram")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_comment(self, data: str) -> None:
        self.seen.append(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        self.seen.append(decl)

    def handle_pi(self, data: str) -> None:
        self.seen.append(data)

    def unknown_decl(self, data: str) -> None:
        self.seen.append(data)


def unsafe_parts(html: str) -> list[str]:
    """Elements, attributes and addresses that no plain text has."""
    look = _Look()
    look.feed(html)
    look.close()
    return look.seen


def unsafe_in(markdown: str) -> dict[str, list[str]]:
    """What is unsafe, by renderer."""
    return {name: parts for name, render in RENDERERS.items() if (parts := unsafe_parts(render(markdown)))}

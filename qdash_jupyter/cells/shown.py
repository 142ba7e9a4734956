"""Outputs of code that a language model wrote and a confined process ran: data, of which a page runs nothing.

They become outputs of a trusted cell, where JupyterLab shows HTML as it is and typesets formulas in HTML, Markdown and
LaTeX alike. So nothing is left to whoever shows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson

from qdash_jupyter.cells.clean_html import clean_html, clean_picture
from qdash_jupyter.cells.outputs import CHART_BYTES, drawn_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.code_pieces import code_pieces
from qdash_jupyter.domain.compact import plain
from qdash_jupyter.domain.safe_figure import safe_frames
from qdash_jupyter.domain.safe_text import without_remote_content
from qdash_jupyter.explore import OWN_VIEWS

TEXT_CHARS = 1_000_000
"""Of one text: plain text is cut there; HTML, Markdown and LaTeX above it are left out."""
MOST_PIXELS = 10_000
"""Of the width and height that an output gives its picture."""

_CONTROLS = re.compile(r"\x1b(?!\[[0-9;]{0,40}m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
"""All but tabs, ends of lines and the codes of terminal colours."""
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")

_MACRO = re.compile(
    r"\\(?=(?:href|url|class|cssId|style|data|html[A-Za-z]*|include[A-Za-z]*|input|require|bbox|mmlToken|action[A-Za-z]*"
    r"|toggle|mathtip|texttip|unicode|[A-Za-z]*def|let|futurelet|(?:re)?new[a-z]+|provide[a-z]+|Declare[A-Za-z]+"
    r"|definecolor|csname|(?:begin|end)group|global)(?![A-Za-z]))"
)
"""TeX commands of MathJax and KaTeX that make links, attributes or styles, load something, or give other commands a new
meaning, which would hold for every formula of the page."""
_UNKNOWN = "\\\\\u200b"
"""A space without width behind the backslash: no renderer knows such a command."""
_ELSEWHERE = re.compile(r"\](?=[(:](?!\s*<?(?:https?://|mailto:)))", re.IGNORECASE)
"""In Markdown, the end of a link's words, or of a definition's, where the address is none of these."""
_FTP = re.compile(r"ftp(?=://)", re.IGNORECASE)


def shown(output: JsonObject) -> JsonObject | None:
    """Return a copy of one nbformat 4 output with only what may be shown, or None where nothing of it may.

    Streams and errors are plain text, with terminal colours. `display_data` and `execute_result` keep `text/plain`,
    `text/html`, `text/markdown`, `text/latex`, `image/png`, `image/jpeg` and Plotly charts, each cleaned, and the
    widgets of `OWN_VIEWS`. Other formats are left out, and so is what is too large or is not what it says.

    Args:
        output: As in a notebook in memory, where a text is one string. It may be forged: any JSON value.
    """
    kind = output.get("output_type") if isinstance(output, dict) else None
    if kind == "stream":
        return _stream(output)
    if kind == "error":
        return _error(output)
    if kind == "display_data":
        return _displayed(output)
    if kind == "execute_result" and (displayed := _displayed(output)):
        count = output.get("execution_count")
        return displayed | {"execution_count": count if type(count) is int else None}
    return None


def _stream(output: JsonObject) -> JsonObject | None:
    name, text = output.get("name"), output.get("text")
    if name not in ("stdout", "stderr") or not isinstance(text, str):
        return None
    return {"output_type": "stream", "name": name, "text": _plain(text)}


def _error(output: JsonObject) -> JsonObject | None:
    name, value, lines = output.get("ename"), output.get("evalue"), output.get("traceback")
    if not (isinstance(name, str) and isinstance(value, str) and isinstance(lines, list)):
        return None
    if not all(isinstance(line, str) for line in lines):
        return None
    traceback = _plain("\n".join(lines)).split("\n") if lines else []
    return {"output_type": "error", "ename": _plain(name), "evalue": _plain(value), "traceback": traceback}


def _displayed(output: JsonObject) -> JsonObject | None:
    given, about = output.get("data"), output.get("metadata")
    if not isinstance(given, dict):
        return None
    data = {mime_type: value for mime_type in given if (value := _clean(mime_type, given[mime_type])) is not None}
    if not data and isinstance(latex := given.get("text/latex"), str):
        data = {"text/plain": _plain(latex)}
    if not data:
        return None
    sizes = {kind: _size(about.get(kind)) for kind in data} if isinstance(about, dict) else {}
    metadata = {kind: size for kind, size in sizes.items() if size and kind.startswith("image/")}
    return {"output_type": output["output_type"], "data": data, "metadata": metadata}


def _clean(mime_type: Any, value: Any) -> Any:
    """Return the value of one MIME type as it may be shown, or None."""
    try:
        return _CLEANERS[mime_type](value)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None  # another format, or a forged one


def _plain(text: str) -> str:
    return _CONTROLS.sub("", _LONE_SURROGATE.sub("\ufffd", text[:TEXT_CHARS]))


def _markup(value: Any) -> str:
    if not isinstance(value, str) or len(value) > TEXT_CHARS:
        raise ValueError(type(value))
    return _plain(value).replace("\x1b", "")


def _html(value: Any) -> str | None:
    return _MACRO.sub(_UNKNOWN, clean_html(_markup(value))) or None


def _latex(value: Any) -> str | None:
    formula = _markup(value)
    return None if _MACRO.search(formula) else formula


def _markdown(value: Any) -> str:
    """Return the Markdown with its HTML as text, its pictures as links, and links to the web and to mail alone."""
    lines = without_remote_content(_markup(value)).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(piece.text if piece.is_code else _words(piece.text) for piece in code_pieces(lines))


def _words(text: str) -> str:
    return _MACRO.sub(_UNKNOWN, _FTP.sub("ftp\u200b", _ELSEWHERE.sub("] ", text)))


def _chart(figure: Any) -> JsonObject | None:
    """Return the figure with its template and frames, so that it is the same when its cell runs in a kernel."""
    drawn = drawn_of(figure)
    if not isinstance(drawn["layout"].get("template", {}), dict):
        del drawn["layout"]["template"]
    if frames := safe_frames(figure.get("frames")):
        drawn["frames"] = plain(frames)
    whole = all(isinstance(trace, dict) for trace in drawn["data"]) and len(orjson.dumps(drawn)) <= CHART_BYTES
    return drawn if whole else None


def _view(view: JsonObject) -> JsonObject | None:
    known = view["model_id"]
    return {"version_major": 2, "version_minor": 0, "model_id": known} if known in OWN_VIEWS else None


def _size(about: Any) -> JsonObject:
    """Return the width and height of a picture in pixels, where they are numbers."""
    given: JsonObject = {name: about.get(name) for name in ("width", "height")} if isinstance(about, dict) else {}
    return {name: px for name, px in given.items() if type(px) in (int, float) and 0 < px <= MOST_PIXELS}


_CLEANERS: dict[str, Callable[[Any], Any]] = {
    "text/plain": _plain,
    "text/html": _html,
    "text/markdown": _markdown,
    "text/latex": _latex,
    "image/png": partial(clean_picture, "image/png"),
    "image/jpeg": partial(clean_picture, "image/jpeg"),
    PLOTLY_MIME: _chart,
    "application/vnd.jupyter.widget-view+json": _view,
}

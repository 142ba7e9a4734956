"""Outputs of untrusted code have nothing that a page would run or load, and real outputs look as before."""

from __future__ import annotations

import base64
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import html5lib
import mistune
import numpy as np
import pandas as pd
import plotly.express as px
import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.display import Latex, Markdown
from plotly.io.base_renderers import PlotlyRenderer

from qdash_jupyter.cells.clean_html import MOST_TAGS
from qdash_jupyter.cells.shown import shown
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME

TESTS = Path(__file__).parents[1]
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n rest").decode()
OWN: dict[str, list[str]] = json.loads((TESTS / "cells/corpus/outputs.json").read_text("utf-8").replace("PNG", PNG))
OTHERS: dict[str, list[str]] = json.loads((TESTS / "lab/corpus/xss.json").read_text("utf-8"))
VECTORS = [
    *OWN["markup"],
    *(f'<{each}="javascript:canary(1)">x</{each.split()[0]}>' for each in OWN["attributes"]),
    *(f'<a href="{address}">x</a><img src="{address}">' for address in OWN["addresses"]),
    *(f'<p style="{style}">x</p><table style="{style}"><tr><td>x</table>' for style in OWN["styles"]),
    *(f"<style>{sheet}</style><table id=T_abcde><tr><td>x</td></tr></table>" for sheet in OWN["sheets"]),
    *(text for texts in OTHERS.values() for text in texts),
]
AROUND = ["{}", "<table><tr><td>{}", "<b><p>{}</b>", "<style>#T_abcde td {{color:red}}</style>{}", "<a href='//e'>{}"]

TAGS = set(OWN["kept tags"])
DECLARED = r"(?:color|background(?:-color)?|width): (?:[a-zA-Z0-9 #.,%-]+|linear-gradient\([a-z0-9 #.,%-]+\))"
DECLARATIONS = rf"{DECLARED}(?:; {DECLARED})*"
SHEET = re.compile(rf"\s*(?:#T_[0-9a-f]{{16}} (?:#T_abcde )?td {{ {DECLARATIONS} }}\s*)*")
ATTRIBUTES = {
    "href": re.compile(r"(?:https?://|mailto:)[^\s\"'<>`]+", re.IGNORECASE),
    "src": re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=]+"),
    "style": re.compile(DECLARATIONS),
    "id": re.compile(r"T_[0-9a-f]+"),
    "rel": re.compile(r"noopener noreferrer"),
    "target": re.compile(r"_blank"),
    "alt": re.compile(r"[^<]*"),
    "open": re.compile(r""),
}
OWNERS = {"href": "a", "src": "img", "alt": "img", "rel": "a", "target": "a", "open": "details"}
MARKDOWN = {"title": re.compile(r".*"), "class": re.compile(r"language-(?:text|html)")}
FORMULA = re.compile(r"\\(?:href|style|require|class|gdef|renewcommand)")


def wrong_in(html: str, attributes: dict[str, re.Pattern[str]] = ATTRIBUTES) -> list[str]:
    """What html5lib finds that is not allowed, also when what it read is written and read again."""
    wrong: list[str] = []
    for _ in range(2):
        root = html5lib.parse(html, namespaceHTMLElements=False)
        for each in root.iter():
            wrong += [f"<{each.tag}>"] * (each.tag not in TAGS)
            wrong += [f"sheet {each.text}"] * (each.tag == "style" and not SHEET.fullmatch(each.text or ""))
            for name, value in each.attrib.items():
                known = name in attributes and OWNERS.get(name, each.tag) == each.tag
                wrong += [f"{name}={value}"] * (not known or not attributes[name].fullmatch(value))
        wrong += FORMULA.findall("".join(root.itertext()))
        html = html5lib.serialize(root, quote_attr_values="always", omit_optional_tags=False)
    return wrong


def words(html: str) -> list[str]:
    root = html5lib.parseFragment(html, namespaceHTMLElements=False)
    texts = [text or "" for each in root.iter() if each.tag != "style" for text in (each.text, each.tail)]
    return [text for text in texts if text.strip()]


def displayed(data: Any) -> dict[str, Any]:
    output = shown({"output_type": "display_data", "data": data, "metadata": {}})
    return output["data"] if output else {}


def html_of(html: str) -> str:
    return str(displayed({"text/html": html, "text/plain": "plain"}).get("text/html", ""))


def bundle(value: object) -> dict[str, Any]:
    """As IPython makes it."""
    data, _ = DisplayFormatter().format(value)
    return displayed(data)


def test_no_html_runs_loads_or_restyles_anything() -> None:
    assert len(VECTORS) > 250
    assert len([vector for vector in OWN["markup"] if wrong_in(vector)]) > 80, "the check sees what is wrong"
    wrong = {
        (around, each): bad for around in AROUND for each in VECTORS if (bad := wrong_in(html_of(around.format(each))))
    }

    assert wrong == {}


def test_markdown_has_no_html_pictures_or_other_links() -> None:
    render = mistune.create_markdown(escape=False, plugins=["table", "url", "strikethrough"])
    links = [f"[x]({each})\n\n![x]({each})\n\n[y]\n\n[y]: {each}\n\n<{each}>\n\n{each}" for each in OWN["addresses"]]
    texts = [
        *VECTORS,
        *links,
        "[x]( <javascript:canary(1)> )",
        "`a` [x](j&#97;vascript:canary(1))",
        "```mermaid\nx\n```",
    ]
    rendered = {text: render(displayed({"text/markdown": text})["text/markdown"]) for text in texts}

    assert {text: bad for text, html in rendered.items() if (bad := wrong_in(str(html), ATTRIBUTES | MARKDOWN))} == {}


def test_markdown_that_is_harmless_stays_as_written() -> None:
    kept = "**T1** $\\frac{1}{2}$ [docs](https://e.example) `<b>`\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"

    assert bundle(Markdown(kept))["text/markdown"] == kept
    assert displayed({"text/markdown": "ftp://e.example"}) == {"text/markdown": "ftp\u200b://e.example"}


def test_latex_has_no_links_styles_or_definitions() -> None:
    formula = r"$$\int_0^1 \frac{\Gamma_1}{\sqrt{2}}\,dt = \begin{bmatrix} 1 & 0 \end{bmatrix} \delta \urcorner$$"

    assert bundle(Latex(formula))["text/latex"] == formula
    for command in (
        "href",
        "url",
        "class",
        "cssId",
        "style",
        "htmlData",
        "require",
        "def",
        "newcommand",
        "let",
        "bbox",
    ):
        latex = f"$\\{command}{{x}}{{y}}$"
        assert displayed({"text/latex": latex}) == {"text/plain": latex}
        assert displayed({"text/latex": latex, "text/plain": "y"}) == {"text/plain": "y"}


def test_tables_of_pandas_look_as_before() -> None:
    columns = pd.MultiIndex.from_tuples([("T1", "μs"), ("T2", "μs")])
    rows = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])
    frame = pd.DataFrame([[45.5, -1.0], [3.0, 4.0]], index=rows, columns=columns)
    cleaned = bundle(frame)["text/html"]

    assert words(cleaned) == words(frame._repr_html_())
    assert '<th rowspan="2"' in cleaned
    assert '<table border="1" class="dataframe">' in cleaned
    assert re.search(r"^#T_\w{16} \.dataframe tbody tr th { vertical-align: top }$", cleaned, re.MULTILINE)


def test_a_styler_keeps_its_colours_within_its_own_table() -> None:
    frame = pd.DataFrame(np.arange(6.0).reshape(2, 3) - 2, columns=list("abc"))
    hover = {"selector": "tr:hover", "props": "background-color: yellow; position: fixed"}
    foot = {"selector": "caption", "props": "caption-side: bottom"}
    styler = frame.style.map(lambda v: f"background-color: #{int(40 * v + 100):02x}8040; color: black", subset=["a"])
    styler = styler.bar(subset=["b"], align="mid").highlight_max(subset=["c"]).set_caption("<b>Cap</b>")
    html = styler.set_table_styles([hover, foot])._repr_html_()
    cleaned = html_of(html)
    table, own = re.findall(r'<table id="(\w+)"', html)[0], re.findall(r'^<div id="(\w+)">', cleaned, re.MULTILINE)[0]
    rules = {
        selector: style
        for selectors, style in re.findall(r"^(#.*) { (.*) }$", cleaned, re.MULTILINE)
        for selector in selectors.split(", ")
    }

    assert words(cleaned) == words(html)
    assert set(re.findall(r'id="(\w+)"', cleaned)) == {own, *re.findall(r'id="(\w+)"', html)}
    assert rules[f"#{own} #{table} tr:hover"] == "background-color: yellow"
    assert rules[f"#{own} #{table} caption"] == "caption-side: bottom"
    assert rules[f"#{own} #{table}_row0_col0"] == "background-color: #148040; color: black"
    assert "background: linear-gradient(90deg, #d65f5f 33.3%" in rules[f"#{own} #{table}_row0_col1"]
    assert rules[f"#{own} #{table}_row1_col2"] == "background-color: yellow"


def test_sizes_in_styles_have_a_bound() -> None:
    assert html_of("<p style='width: 2001px; padding: 99vh; color: #123'>x</p>") == '<p style="color: #123">x</p>'


def test_html_of_other_libraries_stays_readable() -> None:
    from statsmodels.iolib.table import SimpleTable

    summary = SimpleTable([["const", 0.5]], ["coef", "P>|t|"], title="OLS").as_html()
    estimator = (
        "<style>.k{color:red}</style><div class='k'><input type=checkbox><label>Ridge</label><pre>R()</pre></div>"
    )
    chart = "<div><script>Plotly.newPlot()</script><div id='7f'></div></div>"
    link = '<a href="https://e.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">x</a>'

    assert words(html_of(summary)) == words(summary)
    assert "<caption>OLS</caption>" in html_of(summary)
    assert html_of(estimator) == "<div>Ridge<pre>R()</pre></div>"
    assert displayed({"text/html": chart, "text/plain": "Figure"}) == {"text/plain": "Figure"}
    assert html_of("<a href='https://e.example/?a=1&b=2'>x</a>") == link
    assert html_of("<p>$T_1$ <code>a &lt; b</code><hr></p>").startswith("<p>$T_1$ <code>a &lt; b</code></p><hr>")


def test_a_text_that_looks_like_an_approval_card_is_text() -> None:
    card = "<div class='jp-Dialog' role=dialog><p>Run this?</p><button id=approve data-x=1>Approve</button></div>"

    assert html_of(card) == "<div><p>Run this?</p>Approve</div>"


def test_pictures_are_what_they_say() -> None:
    from matplotlib.figure import Figure

    drawn = io.BytesIO()
    Figure(figsize=(1, 1)).savefig(drawn, format="png")
    png, jpeg = (base64.b64encode(data).decode() for data in (drawn.getvalue(), b"\xff\xd8\xff\xe0 rest"))
    sizes = {"image/png": {"width": 80, "height": True, "x": 1}, "image/jpeg": {"width": "1", "height": float("nan")}}
    data = {"image/png": f"{png[:76]}\n{png[76:]}\n", "image/jpeg": jpeg}
    output = {
        "output_type": "execute_result",
        "execution_count": 3,
        "data": data,
        "metadata": {**sizes, "isolated": True},
    }

    cleaned = {"data": {"image/png": png, "image/jpeg": jpeg}, "metadata": {"image/png": {"width": 80}}}
    assert shown(output | {"transient": {}}) == output | cleaned
    assert shown(output | {"execution_count": "3"}) == output | cleaned | {"execution_count": None}
    for wrong in (jpeg, "", "PHN2Zz4=", f"{PNG}!", f"data:image/png;base64,{PNG}", PNG[:-4] + "AAAA" * 3_400_000):
        assert displayed({"image/png": wrong, "text/plain": "x"}) == {"text/plain": "x"}


def test_charts_are_data_layout_and_frames() -> None:
    trace, layout = {"y": [1, 2], "name": "<a href='javascript:canary(1)'>x"}, {"title": {"text": "T1"}}
    figure = {"data": [trace], "layout": layout, "config": {"plotlyServerURL": "x"}, "frames": []}

    assert displayed({PLOTLY_MIME: figure}) == {PLOTLY_MIME: {"data": [{"y": [1, 2], "name": "x"}], "layout": layout}}
    assert displayed({PLOTLY_MIME: {"data": [{"y": [0.123456] * 600_000}]}, "text/plain": "x"}) == {"text/plain": "x"}
    assert displayed({PLOTLY_MIME: figure | {"frames": [{"layout": {"mapbox": {"style": "x"}}}]}}) == {
        PLOTLY_MIME: {"data": [{"y": [1, 2], "name": "x"}], "layout": layout}
    }
    assert displayed({PLOTLY_MIME: {"data": [], "layout": {"template": "plotly_dark"}}}) == {
        PLOTLY_MIME: {"data": [], "layout": {}}
    }


def test_a_figure_is_as_a_kernel_shows_it() -> None:
    figure = px.line(x=[1, 2, 1, 2], y=[4.0, math.inf, 5.0, 6.0], animation_frame=[1, 1, 2, 2], title="T1")
    bundle = PlotlyRenderer().to_mimebundle(figure.to_dict())

    assert {"data", "layout", "frames"} == bundle[PLOTLY_MIME].keys()
    assert "template" in bundle[PLOTLY_MIME]["layout"]
    assert displayed(bundle) == bundle


def test_other_formats_are_left_out() -> None:
    kinds = (
        "javascript",
        "json",
        "geo+json",
        "pdf",
        "vnd.jupyter.widget-view+json",
        "vnd.vegalite.v5+json",
        "vnd.x+json",
    )
    data = dict.fromkeys([*(f"application/{kind}" for kind in kinds), "image/svg+xml", "text/HTML"], "<svg>")

    assert displayed(data | {"text/plain": "<svg>"}) == {"text/plain": "<svg>"}
    assert displayed(data) == {}


def test_streams_and_errors_are_text_with_colours() -> None:
    text = "\x1b[31mred\x1b[0m\ttab\r\n\x1b]8;;https://e\x07\x1b[2J\x9b1m\x08\x00\ud800 <b>"
    clean = "\x1b[31mred\x1b[0m\ttab\r\n]8;;https://e[2J1m\ufffd <b>"
    stream = {"output_type": "stream", "name": "stderr", "text": text}
    error = {"output_type": "error", "ename": "E", "evalue": text, "traceback": [text, "x"]}

    assert shown(stream | {"x": 1}) == stream | {"text": clean}
    assert shown(stream | {"name": "stdin"}) is None
    assert shown(error | {"x": 1}) == error | {"evalue": clean, "traceback": [*clean.split("\n"), "x"]}


def test_what_is_too_large_is_cut_or_left_out() -> None:
    long = "x" * 1_000_001

    assert len(displayed({"text/plain": long})["text/plain"]) == 1_000_000
    for kind in ("text/html", "text/markdown", "text/latex"):
        assert displayed({kind: long, "text/plain": "x"}) == {"text/plain": "x"}
    assert html_of("<b>x" * (MOST_TAGS + 1)) == ""


def test_tags_that_nothing_closes_do_not_multiply() -> None:
    html = "<p>" + "".join(f"<b class=row{n}>" for n in range(2_000)) + "<p>x" * 2_000

    assert len(html_of(html)) < 10 * len(html)


@pytest.mark.parametrize("kind", ["stream", "error", "display_data", "execute_result", "update_display_data"])
def test_forged_values_give_nothing(kind: str) -> None:
    deep: Any = []
    for _ in range(100_000):  # pyrefly: ignore[non-convergent-recursion]
        deep = [deep]
    fields = ("name", "text", "ename", "evalue", "traceback", "data", "metadata", "execution_count")
    texts = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg")
    values: list[Any] = [
        None,
        True,
        1,
        1.5,
        "x",
        [],
        {},
        ["x"],
        {"x": 1},
        [[[{}]]],
        {"data": 1, "layout": [1]},
        deep,
        {"x": deep},
    ]
    for value in values:
        chart = {PLOTLY_MIME: {"data": [value], "layout": value, "title": value}}
        given = chart if isinstance(value, str | dict) else dict.fromkeys(texts, value) | chart
        assert shown(value) is None
        assert shown({"output_type": value}) is None
        assert shown({"output_type": kind, **dict.fromkeys(fields, value)}) is None
        output = shown({"output_type": kind, "data": given, "metadata": value, "execution_count": value})
        assert output is None or isinstance(value, dict)

"""Cleaned outputs of untrusted code in a trusted cell of a real JupyterLab: nothing in them runs or loads."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.lab.in_browser import Notebook

CORPUS = Path(__file__).parents[1] / "cells" / "corpus" / "outputs.json"
CODE = """
import base64, json, pathlib
import pandas as pd
from IPython.display import display
from qdash_jupyter.cells.shown import shown
corpus = json.loads(pathlib.Path({path!r}).read_text("utf-8"))
sheets = ["<style>" + sheet + "</style><table id=T_abcde><tr><td>x</table>" for sheet in corpus["sheets"]]
links = ["<a href='" + address + "'>x</a>" for address in corpus["addresses"]]
styles = ["<p style='" + style + "'>x</p>" for style in corpus["styles"]]
texts = [*corpus["markup"], *sheets, *links, *styles]

def clean(kind, text):
    output = shown({{"output_type": "display_data", "data": {{kind: text, "text/plain": "plain"}}}})
    return output["data"].get(kind, "")

# JupyterLab draws the first 50 outputs of a cell.
display({{"text/html": "".join(clean("text/html", text) for text in texts)}}, raw=True)
for first in range(30):
    display({{"text/markdown": "\\n\\n".join(clean("text/markdown", text) for text in texts[first::30])}}, raw=True)
table = pd.DataFrame({{"a": [1, 2]}}).style.highlight_max(color="rgb(1, 2, 3)")
html = table._repr_html_() + "<p>$\\\\frac{{1}}{{2}}$</p>"
display({{"text/html": clean("text/html", html)}}, raw=True)
"""
WATCH = """() => {
    window.sung = [];
    window.canary = window.alert = note => { window.sung.push(`${note} ${new Error().stack}`) };
}"""
TOUCH = """area => {
    for (const each of area.querySelectorAll('*'))
        for (const kind of ['mouseover', 'focus', 'toggle', 'pointerdown', 'animationstart'])
            each.dispatchEvent(new Event(kind, { bubbles: true }));
    const links = [...area.querySelectorAll('a[href]:not(.jp-InternalAnchorLink)')];
    // JupyterLab takes what is no address at all, such as https://a|b in Markdown, for a file's name.
    const files = `${location.origin}/files/https`;
    const isFile = each => each.closest('.jp-RenderedMarkdown') && each.href.startsWith(files);
    const leadsOut = each => /^(https?|mailto):/.test(each.href) && !each.href.startsWith(location.origin);
    return links.filter(each => !leadsOut(each) && !isFile(each)).map(each => each.outerHTML);
}"""


def test_cleaned_outputs_run_nothing_in_jupyterlab(notebook: Notebook) -> None:
    page = notebook.page
    page.evaluate(WATCH)
    colour = page.evaluate("getComputedStyle(document.body).color")
    cell = notebook.run(CODE.format(path=str(CORPUS)))
    area = cell.locator(".jp-OutputArea").first

    expect(area.locator("td.data", has_text="2").last).to_have_css("background-color", "rgb(1, 2, 3)")
    expect(area.locator(".MathJax").last).to_be_visible()  # so formulas of the corpus were typeset, too
    assert area.evaluate(TOUCH) == []
    assert page.evaluate("window.sung") == []
    rendered = area.locator(".jp-RenderedHTMLCommon")
    assert rendered.count() == 32
    assert rendered.locator("script, iframe, svg, form, input, button, object, embed, link, meta, base").count() == 0
    assert page.evaluate("getComputedStyle(document.body).color") == colour

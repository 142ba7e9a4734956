"""What a model or a database may say in a real JupyterLab: in answers, tool arguments, errors, and below a cell."""

from __future__ import annotations

import json
from pathlib import Path

from in_browser import SLOW_MS, Notebook
from in_panel import Panel, configured
from playwright.sync_api import expect

from tests.scripted_server import ScriptedServer, call_turn, text_turn

CORPUS: dict[str, list[str]] = json.loads((Path(__file__).parent / "corpus" / "xss.json").read_text(encoding="utf-8"))
ALL = [text for kind in CORPUS.values() for text in kind]
GIL = "total = sum(range(400_000_000))\ntotal"


def answer(*texts: str) -> str:
    figure = {
        "data": [{"x": ALL[:8], "y": list(range(8)), "name": ALL[8], "text": ALL[9:17]}],
        "layout": {
            "title": {"text": ALL[0]},
            "images": [{"source": "https://evil.example/x.png", "x": 0, "y": 1, "sizex": 1, "sizey": 1}],
            "annotations": [{"text": each, "x": 1, "y": 1} for each in ALL[:20]],
        },
    }
    blocks = [{"type": "text", "content": text, "chart": None} for text in texts]
    return json.dumps({"blocks": [*blocks, {"type": "chart", "content": None, "chart": figure}], "assessment": "bad"})


def test_nothing_executes_and_nothing_is_fetched(notebook: Notebook, model: ScriptedServer) -> None:
    page = notebook.page
    page.evaluate(
        """() => {
            window.sung = [];
            window.canary = window.alert = note => { window.sung.push(`${note} ${new Error().stack}`) };
        }"""
    )
    panel = Panel.start(notebook, configured(model.base_url))
    columns = f"import pandas as pd\nfor name in {ALL[:40]!r}:\n    print(name)\npd.DataFrame({{'a': {ALL[:20]!r}}})"
    for ask in ("panel", "cell"):
        model.add(
            call_turn(("get_chip_summary", {"chip_id": ALL[1], "project_id": ALL[2]}), (ALL[3], {ALL[4]: ALL[5]})),
            call_turn(("execute_python_analysis", {"code": columns, "purpose": ALL[6]})),
            text_turn(answer(*ALL), pieces=40),
        )
        if ask == "panel":
            turn = panel.answer(f"A question {ALL[7]}")
            folded = turn.locator("button[aria-expanded=false]")
            while folded.count():
                folded.first.click()
        else:
            cell = notebook.run(f"%%copilot\nA question {ALL[7]}")
            expect(cell.locator(".jp-OutputArea-output").first).to_contain_text("bad", timeout=SLOW_MS)
        page.wait_for_timeout(1_500)
        assert page.evaluate("window.sung") == []
    # Whatever waits for a touch gets one.
    page.evaluate(
        """() => document.querySelectorAll('#qdash-copilot a, .jp-OutputArea a, details').forEach(node => {
            if (node instanceof HTMLElement && !/^(https?|mailto):/.test(node.href || '')) node.click();
        })"""
    )
    assert page.evaluate("window.sung") == []
    assert (
        page.evaluate(
            "document.querySelectorAll('#qdash-copilot img[src^=http], .jp-OutputArea img[src^=http]').length"
        )
        == 0
    )


def test_a_kernel_that_cannot_answer_is_told_within_a_second(notebook: Notebook, model: ScriptedServer) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    model.add(call_turn(("execute_python_analysis", {"code": GIL, "purpose": "Holds the interpreter"})))
    turn = panel.ask("Add it all up")
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step] .jp-InputPrompt")).to_have_text("[*]:")
    notebook.page.wait_for_timeout(300)
    panel.stop()
    expect(panel.region).to_contain_text("The kernel is not answering", timeout=1_600)
    panel.expect_state(turn, "stopped", timeout=SLOW_MS)
    expect(panel.region).not_to_contain_text("The kernel is not answering")

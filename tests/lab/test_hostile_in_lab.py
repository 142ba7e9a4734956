"""What a model or a database may say in a real JupyterLab: in answers, tool arguments, errors, and below a cell."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.data.conformance.documents import at, chip, element, project, record, result
from tests.lab.in_browser import SLOW_MS, Notebook
from tests.lab.in_panel import Panel, configured
from tests.mongo_server import MongoServer
from tests.scripted_server import ScriptedServer, call_turn, text_turn

CORPUS: dict[str, list[str]] = json.loads((Path(__file__).parent / "corpus" / "xss.json").read_text(encoding="utf-8"))
ALL = [text for kind in CORPUS.values() for text in kind]
NAMES = [text for text in ALL if "\0" not in text]  # BSON's names hold anything else
SING = """() => {
    window.sung = [];
    window.canary = window.alert = note => { window.sung.push(`${note} ${new Error().stack}`) };
}"""
TOUCH = """() => document.querySelectorAll('#qdash-copilot a, .jp-OutputArea a, details').forEach(node => {
    if (node instanceof HTMLElement && !/^(https?|mailto):/.test(node.href || '')) node.click();
})"""
REMOTE = "document.querySelectorAll('#qdash-copilot img[src^=http], .jp-OutputArea img[src^=http]').length"
ENDLESS = "while True:\n    pass"
GIL = "print('holds the interpreter', flush=True)\nsum(range(800_000_000))"


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


@pytest.mark.long  # test_panel_markdown.py tries each place
def test_nothing_executes_and_nothing_is_fetched(notebook: Notebook, model: ScriptedServer) -> None:
    page = notebook.page
    page.evaluate(SING)
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
    nothing_happened(page)


def nothing_happened(page: Page) -> None:
    """Whatever waits for a touch gets one."""
    page.wait_for_timeout(1_500)
    page.evaluate(TOUCH)
    assert page.evaluate("window.sung") == []
    assert page.evaluate(REMOTE) == 0


def hostile_database(server: MongoServer) -> dict[str, str]:
    """Names, units, notes and messages of a chip that somebody meant ill with; what to connect to."""
    database = server.fresh_database()
    where = {"project_id": NAMES[0], "chip_id": NAMES[8]}
    records: dict[str, Any] = {
        name: record(40.0 + n, unit=NAMES[-n], description=name, parameter_name=name) for n, name in enumerate(NAMES)
    }
    outputs = {**records, "t1": record(40.0, unit=NAMES[3])}
    words = {"message": NAMES[9], "stack_trace": NAMES[10], "username": NAMES[11]}
    note = {"content": "\n".join(NAMES), "updated_by": NAMES[12], "updated_at": at(1)}
    qubits = [
        element(str(qid), outputs, **where, username=NAMES[14], metric_notes={"t1": note}, note=note)
        for qid in range(16)
    ]
    history = [
        result(str(qid), outputs, at(hour), **where, **words, name=NAMES[13], tags=NAMES[:5])
        for hour in range(6)
        for qid in range(16)
    ]
    database["project"].insert_one(project(NAMES[0], NAMES[1]))
    database["chip"].insert_one(chip(NAMES[0], NAMES[8], username=NAMES[2], note=note))
    database["qubit"].insert_many(qubits)
    database["task_result_history"].insert_many(history)
    return {"uri": f"{server.uri}{database.name}", **where}


@pytest.mark.long  # half a minute; the test above tries what a model writes, test_panel_markdown.py each place
def test_names_and_notes_of_a_database_are_words(
    notebook: Notebook, model: ScriptedServer, secantusd: MongoServer
) -> None:
    page = notebook.page
    page.evaluate(SING)
    known = hostile_database(secantusd)
    settings = {"QDASH_MONGO_URI": known["uri"]}
    panel = Panel.start(notebook, f"{configured(model.base_url)}; os.environ.update({settings!r})")
    expect(panel.region).to_contain_text(known["chip_id"])
    notebook.run("%copilot status")
    shown = "for key in data:\n    print(key)\n    for name in data[key]:\n        display(data[key][name].head())"
    for ask in ("panel", "cell"):
        model.add(
            call_turn(("list_available_parameters", {}), ("get_chip_summary", {})),
            call_turn(*(("get_chip_parameter_timeseries", {"parameter_name": name}) for name in NAMES[:3])),
            call_turn(("generate_chip_heatmap", {"metric_name": "t1"})),
            call_turn(("execute_python_analysis", {"code": "data", "purpose": NAMES[6]})),
            text_turn(answer(*NAMES[:6])),
        )
        if ask == "panel":
            turn = panel.answer("What is there?")
            folded = turn.locator("button[aria-expanded=false]")
            while folded.count():
                folded.first.click()
        else:
            cell = notebook.run("%%copilot\nWhat is there?")
            expect(cell.locator(".jp-OutputArea-output").first).to_contain_text("bad", timeout=SLOW_MS)
    nothing_happened(page)
    outputs = [item for item in model.requests[-1].body["input"] if item["type"] == "function_call_output"]
    assert sum("error" not in json.loads(item["output"]) for item in outputs) >= 10, outputs
    assert all(json.dumps(name)[1:-1] in outputs[0]["output"] for name in NAMES[:40]), "the names did come through"
    panel.region.get_by_role("button", name=re.compile("^Data")).click()
    notebook.run(shown)
    nothing_happened(page)


@pytest.mark.long
def test_a_kernel_that_cannot_answer_is_told(notebook: Notebook, model: ScriptedServer) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    model.add(call_turn(("execute_python_analysis", {"code": ENDLESS, "purpose": "Without end"})))
    turn = panel.ask("Run without end")
    expect(notebook.page.locator(".jp-CodeCell[data-qdash-step] .jp-InputPrompt")).to_have_text("[*]:")
    cell = notebook.start(GIL)
    expect(cell.locator(".jp-OutputArea-output").first).to_contain_text("holds the interpreter")
    panel.stop()
    expect(panel.region).to_contain_text("The kernel isn't responding")
    panel.expect_state(turn, "stopped", timeout=SLOW_MS)
    expect(panel.region).not_to_contain_text("The kernel isn't responding")
    expect(cell.locator(".jp-OutputArea-output").last).to_have_text("319999999600000000")

"""A result and a cell chosen with the mouse in a real JupyterLab, and the model changed below the question."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.scripted_server import ScriptedServer, text_turn

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.long  # test_panel_subjects.py chooses, tests/session/test_analysis.py judges
def test_a_result_of_the_demo_chip_is_chosen_and_judged(notebook: Notebook) -> None:
    panel = Panel.start(notebook)
    panel.button("Analyze a result").click()
    results = panel.region.get_by_role("region", name="Results")
    expect(results.get_by_role("listitem").first).to_be_visible(timeout=SLOW_MS)
    panel.region.get_by_role("searchbox").fill("CheckT1 Q07")
    first = results.get_by_role("button", name="CheckT1 · Q07").first
    expect(first).to_be_visible(timeout=SLOW_MS)
    expect(first).to_contain_text("μs")
    expect(results.get_by_role("button", name="Q08")).to_have_count(0)
    first.click()
    panel.button("Send").click()
    turn = panel.turns.last
    panel.expect_state(turn, "done")
    expect(turn).to_contain_text("Analyze CheckT1 of 7")
    expect(turn).to_contain_text("CheckT1 · Q07")
    expect(turn).to_contain_text("The fit is reliable (SUCCESS).")
    expect(turn).to_contain_text("no language model")
    expect(turn.get_by_role("img", name="CheckT1 Q07: reliable")).to_be_visible()
    turn.get_by_role("button", name="Open in a cell").click()
    cell = notebook.page.locator(".jp-Notebook .jp-CodeCell").filter(has_text="qm.curves_of(stored)")
    expect(cell.locator(".js-plotly-plot")).to_contain_text("CheckT1 Q07: reliable", timeout=SLOW_MS)
    expect(panel.region.get_by_role("button", name="Detach")).to_have_count(0)


@pytest.mark.long
def test_a_cell_with_a_picture_is_asked_about(notebook: Notebook, model: ScriptedServer) -> None:
    seeing = f"{configured(model.base_url)}; os.environ['QDASH_COPILOT_ACCEPTS'] = 'image/png'"
    panel = Panel.start(notebook, seeing)
    picture = f"Image(base64.b64decode({PICTURE!r}))"
    cell = notebook.run(f"import base64\nfrom IPython.display import Image\nprint('fitted: 61 μs')\n{picture}")
    model.add(text_turn(text_answer("A pixel.")))
    cell.locator(".jp-OutputArea-output").first.click(button="right")
    notebook.page.get_by_role("menuitem", name="Ask QDash Copilot About This Cell").click()
    expect(panel.region).to_contain_text("import base64")
    panel.box.fill("What does it show?")
    panel.button("Send").click()
    panel.expect_state(panel.turns.last, "done")
    expect(panel.turns.last).to_contain_text("A pixel.")
    context, question = model.requests[-1].body["input"]
    assert [part["type"] for part in context["content"]] == ["input_text", "input_text", "input_image"]
    said = context["content"][0]["text"]
    assert json.dumps("fitted: 61 μs\n", ensure_ascii=False)[1:-2] in said
    assert picture in said
    assert context["content"][2]["image_url"] == f"data:image/png;base64,{PICTURE}"
    assert question["content"][0]["text"] == "What does it show?"


@pytest.mark.long  # test_panel_subjects.py chooses a model, tests/session/test_model_switch.py goes on with it
def test_the_model_is_changed_below_the_question(lab: Lab, page: Page, model: ScriptedServer) -> None:
    folder = lab.folder / "with-models"
    folder.mkdir()
    settings = {
        "models": {"lab": {"name": "lab-model", "base_url": model.base_url, "api_key_env": "NO_KEY"}},
        "greeting": "Fridge 2.",
        "starters": [{"label": "T1 losses", "prompt": "Which qubits lost T1?"}],
    }
    (folder / "copilot.yaml").write_text(json.dumps(settings), encoding="utf-8")
    notebook = Notebook.show(page, lab, lab.write_notebook("with-models/a.ipynb", ""))
    panel = Panel.start(notebook, f"import os; os.environ['QDASH_COPILOT_TRUST'] = {str(folder)!r}")
    expect(panel.region).to_contain_text("Fridge 2.", timeout=SLOW_MS)
    expect(panel.button("T1 losses")).to_be_visible()
    panel.region.get_by_role("button", name="Model: offline planner").click()
    panel.region.get_by_role("menuitemradio", name="lab-model").click()
    expect(panel.region.get_by_role("button", name="Model: lab-model")).to_be_visible(timeout=SLOW_MS)
    model.add(text_turn(text_answer("From the lab's model.")))
    expect(panel.answer("Who are you?")).to_contain_text("From the lab's model.")

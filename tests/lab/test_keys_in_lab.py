"""The copilot by keyboard in a real JupyterLab: asked about what is selected, names completed, approved and stopped.

Only JupyterLab itself says whether a key is free, and only a kernel keeps the queue.
"""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from qdash_jupyter.domain.analysis import situation_in
from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import INSTRUMENT, Panel, configured, text_answer, will_run
from tests.scripted_server import ScriptedServer, text_turn

ASK, STOP, APPROVE = "ControlOrMeta+Shift+A", "ControlOrMeta+Shift+O", "ControlOrMeta+Shift+Y"


def test_ask_approve_and_stop_by_keys(lab: Lab, page: Page, model: ScriptedServer) -> None:
    path = lab.write_notebook("keys.ipynb", "")
    notebook = Notebook.show(page, lab, path)
    panel = Panel.start(notebook, f"{INSTRUMENT}\n{configured(model.base_url)}")
    cell = notebook.run("gain = 2\noffset = gain - 1")
    editor = cell.locator(".cm-content")
    source = editor.inner_text()

    editor.click()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.press("Shift+Home")
    page.keyboard.press(ASK)
    expect(panel.box).to_be_focused()
    expect(panel.region).to_contain_text("Lines of cell [2] · offset = gain - 1")
    model.add(text_turn(text_answer("It is 1.")))
    # The selection goes along; the names are the kernel's and the notebook's.
    page.keyboard.type("Is @gai")
    options = panel.region.get_by_role("option")
    expect(options).to_have_text(["gainint", "cell [2]gain = 2"], timeout=SLOW_MS)
    page.keyboard.press("Enter")
    page.keyboard.type("right?")
    page.keyboard.press("Enter")
    panel.expect_state(panel.turns.last, "done")
    expect(panel.turns.last).to_contain_text("Lines of cell [2]")
    context, question = model.requests[-1].body["input"]
    said = context["content"][0]["text"]
    assert "selected in cell [2]" in said
    assert json.dumps("offset = gain - 1") in said
    assert "gain = 2" not in said
    assert question["content"][0]["text"] == "Is @gain right?"
    assert situation_in(question)["named_in_the_question"] == {"gain": {"type": "int", "value": 2}}

    queue = panel.region.get_by_role("region", name="Queue").get_by_role("listitem")
    for key, state in ((APPROVE, "done"), (STOP, "stopped")):
        will_run(model, "awg.output_on()")
        panel.box.fill("Switch the output on")
        panel.box.press("Enter")
        turn = panel.turns.last
        expect(turn.get_by_role("button", name="Run in my kernel", exact=True)).to_be_visible(timeout=SLOW_MS)
        if key == STOP:
            panel.box.fill("And then?")
            panel.box.press("Enter")
            expect(queue).to_have_text("And then?")
        editor.click()  # wherever the focus is, and without a letter typed there
        page.keyboard.press(key)
        panel.expect_state(turn, state)
    assert editor.inner_text() == source
    expect(queue).to_have_text("And then?Send")  # not sent, and not lost
    expect(notebook.run("awg.pulses").locator(".jp-OutputArea-output")).to_have_text("1")
    notebook.reopen(path)
    Panel.open(notebook)
    expect(queue).to_have_text("And then?Send", timeout=SLOW_MS)
    assert len(model.requests) == 4

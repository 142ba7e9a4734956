"""Where numbers come from, what a question took, and charts as files: what the page shows and sends."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.lab.bare_panel import PanelPage, conversation, step, text, turn

pytest_plugins = ("tests.lab.panel_page",)

SOURCES = [
    {
        "collection": "task_result_history",
        "filter": "chip 64Q-demo, t1, completed",
        "count": 1204,
        "ids": ["task-1", "task-2", "task-3"],
    },
    {"collection": "notes", "filter": "chip 64Q-demo", "count": 1, "ids": ["note-7"]},
]
FAILED = {"id": "e1", "kind": "error", "title": "The model did not answer.", "hint": ""}


def spent(**changes: Any) -> dict[str, Any]:
    whole = {"input_tokens": 20_100, "output_tokens": 800, "filled": 18_240, "window": 128_000}
    return whole | {"estimated": False, "cost": "0.0123 USD"} | changes


def of_a_model(**changes: Any) -> dict[str, Any]:
    state = conversation(**changes)
    return state | {"about": state["about"] | {"model": "gpt-x", "is_language_model": True}}


def test_a_step_tells_what_was_read_for_it(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[step(sources=SOURCES)])]))
    panel.page.get_by_role("button", name="Reading a parameter").click()
    read = panel.turns.get_by_role("listitem")
    expect(read.nth(0)).to_have_text(
        "task_result_history · 1,204 records · chip 64Q-demo, t1, completed · for example task-1, task-2, task-3"
    )
    expect(read.nth(1)).to_have_text("notes · 1 record · chip 64Q-demo · note-7")
    expect(panel.turns).to_contain_text("Read by the offline planner · ")  # nothing was sent anywhere


def test_a_cell_that_was_deleted_is_said_to_be(panel: PanelPage) -> None:
    panel.page.evaluate("kit.refuses.add('reveal')")
    ran = step(cell_id="c1", cell_place="notebook", cell_state="finished", cell_number=7)
    panel.snapshot(conversation(turns=[turn(blocks=[ran])]))
    panel.button("In cell [7] ↗").click()
    expect(panel.turns).to_contain_text("No longer in the notebook.")


def test_a_failed_question_folds_when_it_is_asked_again(panel: PanelPage) -> None:
    failed = turn("a1", state="error", blocks=[FAILED])
    panel.snapshot(conversation(turns=[failed]))
    expect(panel.button("Try again")).to_be_visible()
    panel.snapshot(conversation(turns=[failed, turn("a2", blocks=[text("Q12 lost T1.")])]))
    expect(panel.turns).to_have_count(1)
    fold = panel.page.get_by_role("button", name="The model did not answer · asked again below")
    fold.click()
    expect(panel.turns).to_have_count(2)
    fold.click()
    expect(panel.turns).to_have_count(1)
    other = turn("a2", question="And T2?", blocks=[text("Fine.")])
    panel.snapshot(conversation(turns=[failed, other]))
    expect(panel.turns).to_have_count(2)


def test_the_window_of_the_model_and_what_was_spent(panel: PanelPage) -> None:
    panel.snapshot(of_a_model(spent=spent()))
    words = "18,240 of 128,000 context tokens used · last question: 20,100 tokens in, 800 out · 0.0123 USD"
    expect(panel.page.get_by_role("img", name=words)).to_be_visible()
    gauge = panel.page.locator(".qd-gauge")
    expect(gauge).to_contain_text("14 %")
    panel.patch({"op": "set", "key": "spent", "value": spent(window=None, cost="", estimated=True)})
    expect(gauge).to_have_text("20,900 tokens")
    expect(gauge).to_have_attribute("title", "last question: 20,100 tokens in, 800 out (estimated)")
    panel.patch({"op": "set", "key": "spent", "value": None})
    expect(gauge).to_have_count(0)


def test_a_chart_is_saved_with_its_units(panel: PanelPage) -> None:
    layout = {"xaxis": {"title": {"text": "time"}}, "yaxis": {"title": {"text": "T1 (µs)"}}}
    data = [{"type": "scatter", "name": 'Q12, "old"', "x": ["2026-06-01", "2026-06-02"], "y": [48.1, None]}]
    chart = {"id": "c1", "kind": "chart", "title": "T1 of Q12: <June>", "figure": {"data": data, "layout": layout}}
    panel.snapshot(conversation(turns=[turn(blocks=[chart])]))
    panel.button("Save chart").click()
    with panel.page.expect_download() as saved:
        panel.page.get_by_role("menuitem", name="Save data (CSV)").click()
    assert saved.value.suggested_filename == "T1 of Q12 June.csv"
    written = Path(saved.value.path()).read_text(encoding="utf-8-sig")
    assert list(csv.reader(io.StringIO(written))) == [
        ["series", "time", "T1 (µs)"],
        ['Q12, "old"', "2026-06-01", "48.1"],
        ['Q12, "old"', "2026-06-02", ""],
    ]


def test_a_renderer_without_a_button_for_pictures_is_said(panel: PanelPage) -> None:
    chart = {"id": "c1", "kind": "chart", "title": "T1", "figure": {"data": [{"y": [1, 2]}], "layout": {}}}
    panel.snapshot(conversation(turns=[turn(blocks=[chart])]))
    expect(panel.turns).to_contain_text("drawn")
    panel.button("Save chart").click()
    panel.page.get_by_role("menuitem", name="Save image (PNG)").click()
    expect(panel.turns).to_contain_text("Expand the chart and save it there")

"""The panel as a person meets it: what it shows in each state, and what becomes of a click or a key."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from qdash_jupyter.explore.code_button import SCRIPT
from qdash_jupyter.ui.plotly_script import plotly_script
from tests.lab.bare_panel import Json, PanelPage, conversation, frame, load_anew, preview, step, text, turn
from tests.lab.in_browser import shot
from tests.patience import until

pytest_plugins = ("tests.lab.panel_page",)

ROWS = [[f"Q{n:02}", 18.0 + n, "2026-09-18T04:00:00Z", ["good", "warning", "bad", None][n % 4]] for n in range(12)]
TABLE = {"id": "tb", "kind": "table", "frame_key": "t1", "columns": ["qubit", "T1 (µs)", "measured", "assessment"]}
FIGURE = {
    "data": [{"type": "scatter", "name": "Q12", "x": ["09-01", "09-02"], "y": [48.1, 18.4]}],
    "layout": {
        "title": {"text": "T1 of Q12"},
        "yaxis": {"title": {"text": "T1 (µs)"}},
        "images": [{"source": "https://other.example/x.png"}],
    },
}
CHART = {"id": "c1", "kind": "chart", "title": "", "figure": FIGURE}


def running(*blocks: Json, **changes: Any) -> Json:
    """A turn under way."""
    since = {"status": "Thinking…", "status_since": None, "elapsed_s": None}
    return turn(state="thinking", blocks=list(blocks), **(since | changes))


def inside(part: Locator, whole: Locator) -> bool:
    """Whether a part is within the sides of another."""
    inner, outer = part.bounding_box(), whole.bounding_box()
    assert inner
    assert outer
    return outer["x"] - 0.5 <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 0.5


# Before the first question


def test_the_greeting_says_what_is_in_use(panel: PanelPage) -> None:
    for words in ("64Q-demo", "Demo snapshot (as of 2026-10-01)", "This is no language model"):
        expect(panel.page.get_by_text(words)).to_be_visible()
    panel.snapshot(conversation(about=conversation()["about"] | {"is_language_model": True, "problems": 3}))
    expect(panel.page.get_by_text("This is no language model")).to_be_hidden()
    expect(panel.page.get_by_text("3 values could not be read")).to_be_visible()


def test_a_starter_fills_the_box_and_sends_nothing(panel: PanelPage) -> None:
    panel.button("Which qubits lost T1 in the last 30 days?").click()
    expect(panel.box).to_have_value("Which qubits lost T1 in the last 30 days?")
    expect(panel.box).to_be_focused()
    panel.button("Show the chip's T1 as a heatmap").click()
    expect(panel.box).to_have_value("Show the chip's T1 as a heatmap")
    panel.box.fill("my own words")
    panel.button("Show the chip's T1 as a heatmap").click()
    expect(panel.box).to_have_value("my own words\nShow the chip's T1 as a heatmap")
    assert panel.commands("ask") == []
    assert panel.sent == [{"v": 1, "type": "resync", "language": "en"}]


def test_connecting_then_failed_says_why_and_what_to_do(panel: PanelPage) -> None:
    known = conversation()["about"]
    panel.patch({"op": "set", "key": "about", "value": known | {"state": "connecting"}})
    expect(panel.status).to_have_text("Opening the database")
    panel.box.fill("typed while it connects")
    about = {"state": "failed", "message": "The database does not answer.", "hint": "Check QDASH_MONGO_URI."}
    panel.patch({"op": "set", "key": "about", "value": known | about})
    expect(panel.page.get_by_role("alert")).to_contain_text("The database does not answer.")
    expect(panel.page.get_by_role("alert")).to_contain_text("Check QDASH_MONGO_URI.")
    expect(panel.box).to_have_attribute("placeholder", "Not connected: see above")
    expect(panel.box).to_have_value("typed while it connects")
    expect(panel.button("Send")).to_be_disabled()


# Asking


def test_send_is_stop_from_the_first_moment(panel: PanelPage) -> None:
    where = panel.button("Send").bounding_box()
    asked = panel.ask("Which qubits lost T1?")
    assert set(asked) == {"type", "ask_id", "text", "analysis", "cell"}
    assert asked["text"] == "Which qubits lost T1?"
    # The kernel has said nothing yet.
    expect(panel.turns).to_have_attribute("data-state", "thinking")
    expect(panel.turns).to_have_accessible_name("Which qubits lost T1?")
    expect(panel.status).to_have_text("Thinking")
    expect(panel.box).to_have_value("")
    assert panel.button("Stop").bounding_box() == where


def test_the_turn_takes_the_place_of_the_question_on_its_way(panel: PanelPage) -> None:
    panel.ask("Which qubits lost T1?")
    begun = {"op": "turn", "turn_id": "a1", "set": {**running(), "status": "Reading T1 of 64 qubits…"}}
    panel.patch(begun)
    expect(panel.turns).to_have_count(1)
    expect(panel.status).to_have_text("Reading T1 of 64 qubits")
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "done"}})
    expect(panel.button("Send")).to_be_visible()
    expect(panel.status).to_have_count(0)
    expect(panel.page.get_by_text("Answer ready")).to_be_attached()


def test_enter_sends_and_shift_enter_breaks_the_line(panel: PanelPage) -> None:
    panel.box.press_sequentially("one")
    panel.box.press("Shift+Enter")
    panel.box.press_sequentially("two")
    expect(panel.box).to_have_value("one\ntwo")
    panel.box.press("Enter")
    expect(panel.button("Stop")).to_be_visible()
    assert [each["text"] for each in panel.commands("ask")] == ["one\ntwo"]


def test_enter_that_chooses_a_spelling_sends_nothing(panel: PanelPage) -> None:
    """As an input method for Japanese does: the Enter that ends a composition belongs to it."""
    keyboard = panel.page.context.new_cdp_session(panel.page)
    panel.box.focus()
    keyboard.send("Input.imeSetComposition", {"text": "量子", "selectionStart": 2, "selectionEnd": 2})
    for kind in ("rawKeyDown", "keyUp"):
        key = {"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
        keyboard.send("Input.dispatchKeyEvent", key)
    keyboard.send("Input.insertText", {"text": "量子"})
    expect(panel.box).to_have_value("量子")
    assert panel.commands("ask") == []
    panel.box.press("Enter")
    expect(panel.button("Stop")).to_be_visible()
    assert [each["text"] for each in panel.commands("ask")] == ["量子"]


def test_keys_that_compose_do_not_stop_or_recall(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running()]))
    panel.box.focus()
    for key in ("Escape", "ArrowUp", "Enter"):
        panel.page.evaluate(
            """key => document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }))""",
            key,
        )
    expect(panel.box).to_have_value("")
    assert panel.commands("stop") == []


def test_keys_typed_in_the_box_do_not_reach_the_notebook(panel: PanelPage) -> None:
    panel.page.evaluate("document.addEventListener('keydown', ({ key }) => (window.heard ??= []).push(key))")
    for key in ("a", "Shift+Enter", "ControlOrMeta+s"):
        panel.box.press(key)
    heard = panel.page.evaluate("window.heard")
    assert "s" in heard
    assert not {"a", "Enter"} & set(heard)


def test_arrow_up_in_an_empty_box_recalls(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn("a1", question="first"), turn("a2", question="second")]))
    for key, expected in (("ArrowUp", "second"), ("ArrowUp", "first"), ("ArrowUp", "first"), ("ArrowDown", "second")):
        panel.box.press(key)
        expect(panel.box).to_have_value(expected)
    panel.box.press("ArrowDown")
    expect(panel.box).to_have_value("")
    panel.box.fill("my own")
    panel.box.press("ArrowUp")
    expect(panel.box).to_have_value("my own")


def test_a_refused_question_comes_back(panel: PanelPage) -> None:
    asked = panel.ask("Which qubits lost T1?")
    panel.box.fill("typed meanwhile")
    panel.ack(asked["ask_id"], ok=False, message="Another question is still running.")
    expect(panel.page.get_by_role("alert")).to_contain_text("Another question is still running.")
    expect(panel.box).to_have_value("Which qubits lost T1?\ntyped meanwhile")
    expect(panel.turns).to_have_count(0)
    panel.button("Dismiss").click()
    expect(panel.page.get_by_role("alert")).to_have_count(0)


def test_an_acknowledgement_for_another_page_changes_nothing(panel: PanelPage) -> None:
    panel.ask("Which qubits lost T1?")
    panel.ack("f00d", ok=False, message="Not for us.")
    panel.ack(12345, ok=False, message="Not for us.")
    expect(panel.button("Stop")).to_be_visible()
    expect(panel.page.get_by_text("Not for us.")).to_have_count(0)


def test_a_draft_outlives_a_reload(panel: PanelPage) -> None:
    panel.box.fill("half a question")
    panel.page.reload()
    panel.page.wait_for_function("window.kit?.ready")
    again = PanelPage(panel.page)
    panel.page.evaluate("kit.mount()")
    again.snapshot(conversation(conversation="another"))
    expect(again.box).to_have_value("")
    again.snapshot(conversation())
    expect(again.box).to_have_value("half a question")


@pytest.mark.parametrize(
    ("state", "reason"),
    [("lost", "Not connected to the copilot"), ("connecting", "Connecting to the kernel…")],
)
def test_without_a_kernel_nothing_is_sent_and_nothing_lost(panel: PanelPage, state: str, reason: str) -> None:
    panel.link(state)
    expect(panel.box).to_have_attribute("placeholder", reason)
    panel.box.fill("kept")
    panel.box.press("Enter")
    expect(panel.button("Send")).to_be_disabled()
    expect(panel.page.get_by_text(reason)).to_be_visible()
    panel.link("live")
    expect(panel.box).to_have_value("kept")
    expect(panel.button("Send")).to_be_enabled()
    assert panel.commands("ask") == []


def test_a_turn_that_the_kernel_left_behind_does_not_go_on(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text("So far"))]))
    panel.link("lost")
    expect(panel.turns).to_contain_text("So far")
    expect(panel.turns).to_contain_text("Interrupted")
    expect(panel.status).to_have_count(0)
    expect(panel.button("Stop")).to_have_count(0)
    panel.link("live")  # only the connection was lost
    expect(panel.button("Stop")).to_be_visible()


def test_a_question_on_its_way_comes_back_when_the_kernel_stops(panel: PanelPage) -> None:
    panel.ask("Which qubits lost T1?")
    panel.link("lost")
    expect(panel.box).to_have_value("Which qubits lost T1?")
    expect(panel.turns).to_have_count(0)
    expect(panel.button("Send")).to_be_disabled()


# Stopping


def test_stop_names_the_turn_and_says_what_becomes_of_it(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running()]))
    panel.button("Stop").click()
    assert [each["turn_id"] for each in panel.commands("stop")] == ["a1"]
    expect(panel.status).to_have_text("Stopping")
    panel.link("silent")
    expect(panel.status).to_have_text("The kernel is not answering; Stop is queued")
    panel.link("silent", waits_for_cell=True)
    expect(panel.status).to_have_text("Will stop after the current cell")
    panel.link("live")
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "stopped"}})
    expect(panel.turns).to_have_attribute("data-state", "stopped")
    expect(panel.turns).to_contain_text("Stopped by you")
    expect(panel.button("Send")).to_be_visible()


def test_stop_before_the_kernel_has_answered(panel: PanelPage) -> None:
    panel.ask("Which qubits lost T1?")
    panel.button("Stop").click()
    assert [each["turn_id"] for each in panel.commands("stop")] == [None]
    panel.patch({"op": "turn", "turn_id": "a1", "set": running()})
    expect(panel.status).to_have_text("Stopping")


def test_a_cell_that_runs_away_can_be_stopped_where_it_says_so(panel: PanelPage) -> None:
    said = "This cell has been running for 65 s. It has taken 2.3 GB of memory so far."
    long = step("s1", state="running", elapsed_s=None, cell_id="c1", cell_state="running", cell_place="notebook")
    panel.snapshot(conversation(turns=[running(long | {"warning": said})]))
    warning = panel.turns.locator(".qd-step-warning")
    expect(warning.get_by_role("status")).to_have_text(said)
    warning.get_by_role("button", name="Stop").click()
    assert [each["turn_id"] for each in panel.commands("stop")] == ["a1"]


def test_a_double_click_on_send_does_not_stop(panel: PanelPage) -> None:
    panel.box.fill("Which qubits lost T1?")
    panel.button("Send").dblclick()
    expect(panel.button("Stop")).to_be_visible()
    assert panel.commands("stop") == []


def test_escape_stops_wherever_the_focus_is(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running()]))
    panel.button("New conversation").focus()
    panel.page.keyboard.press("Escape")
    assert len(panel.commands("stop")) == 1
    panel.snapshot(conversation(turns=[turn()]))
    panel.box.press("Escape")
    assert len(panel.commands("stop")) == 1


def test_the_seconds_count_on_the_screen_and_are_not_read_out(panel: PanelPage) -> None:
    now: float = panel.page.evaluate("Date.now()")
    panel.snapshot(conversation(turns=[running(status_since=now - 7_000)]))
    expect(panel.status).to_contain_text("Thinking · ")
    expect(panel.status.locator("[aria-hidden]")).to_contain_text(" s")
    panel.snapshot(conversation(turns=[running(status_since=now - 24_000)]))
    expect(panel.status).to_contain_text("Still waiting for the model · ")
    panel.snapshot(conversation(turns=[running(status="Opening the database…", status_since=now - 24_000)]))
    expect(panel.status).to_contain_text("Opening the database · ")


def test_a_kernel_whose_clock_is_wrong_still_counts_from_zero(panel: PanelPage) -> None:
    now: float = panel.page.evaluate("Date.now()")
    panel.patch({"op": "turn", "turn_id": "a1", "set": running(status_since=now - 3_600_000)})
    expect(panel.status).to_contain_text("Thinking · 2 s")


# Steps


def test_a_step_shows_exactly_what_was_sent(panel: PanelPage) -> None:
    sent = json.dumps({"rows": 1234, "note": "<b>x</b>  two  spaces"})
    block = step(sent=sent, code="t1 = data['t1'].frame", hint="Try Q09.", state="failed", error="No such qubit: Q99.")
    panel.snapshot(conversation(turns=[turn(blocks=[block], state="error")]))
    line = panel.page.get_by_role("button", name="Reading a parameter")
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(panel.turns).to_contain_text("No such qubit: Q99.")
    expect(panel.page.get_by_text("get_chip_parameter_timeseries")).to_have_count(0)
    line.click()
    for words in ("get_chip_parameter_timeseries", '"parameter_name": "t1"', "Try Q09.", "t1 = data['t1'].frame"):
        expect(panel.turns).to_contain_text(words)
    expect(panel.page.get_by_text(f"Read by the offline planner · {len(sent)} characters")).to_be_visible()
    expect(panel.turns.locator("pre").last).to_have_text(sent, use_inner_text=False)
    expect(panel.button("Copy: Read by the offline planner")).to_be_visible()


def test_steps_that_went_well_fold_and_failed_ones_stay_out(panel: PanelPage) -> None:
    begun_at = step()["started_at"]  # the first two side by side, the last two one after the other
    starts = [begun_at + later_ms for later_ms in (0, 0, 2000, 2500)]
    steps = [step(f"s{n}", label=f"Reading {n}", started_at=at, elapsed_s=0.5) for n, at in enumerate(starts)]
    steps.insert(2, step("s9", label="Reading Q99", state="failed", error="No such qubit."))
    panel.snapshot(conversation(turns=[running(*steps)]))
    expect(panel.page.get_by_text("Reading 3")).to_be_visible()
    panel.snapshot(conversation(turns=[turn(blocks=steps)]))
    fold = panel.page.get_by_role("button", name="4 steps · 1.5 s")
    expect(fold).to_be_visible()
    expect(panel.page.get_by_text("Reading 3")).to_have_count(0)
    expect(panel.page.get_by_text("Reading Q99")).to_be_visible()
    fold.click()
    expect(panel.page.get_by_text("Reading 3")).to_be_visible()


def test_two_steps_do_not_fold(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[step("s1"), step("s2")])]))
    expect(panel.page.get_by_role("button", name="Reading a parameter")).to_have_count(2)


def test_the_way_to_the_cell_of_a_step(panel: PanelPage) -> None:
    in_cell = step("s1", state="running", cell_id="c1", cell_place="notebook", cell_state="waiting", elapsed_s=None)
    panel.snapshot(conversation(turns=[running(in_cell, step("s2", cell_place="kernel", code="1 + 1"))]))
    expect(panel.turns).to_contain_text("waiting for the kernel")
    expect(panel.turns).to_contain_text("ran in the kernel, without a cell")
    panel.button("In cell ↗").click()
    assert [event["detail"] for event in panel.events("reveal")] == [{"cell_id": "c1"}]


def test_data_that_are_gone_are_fetched_again(panel: PanelPage) -> None:
    gone = step(frame_key="t1", frame_gone=True)
    panel.snapshot(conversation(turns=[turn(blocks=[gone])]))
    expect(panel.turns).to_contain_text('data["t1"] · gone')
    panel.button("Fetch again").click()
    assert [(each["turn_id"], each["call_id"]) for each in panel.commands("fetch")] == [("a1", "call-s1")]
    expect(panel.button("Fetching…")).to_be_disabled()
    panel.patch({"op": "block", "turn_id": "a1", "block": gone | {"frame_gone": False}})
    expect(panel.turns).to_contain_text('data["t1"] · 1,234 rows')


# Answers


def test_the_replies_to_a_question_back_are_buttons(panel: PanelPage) -> None:
    asked = turn(blocks=[text("Which parameter do you mean: T2 Echo or T2 Star?")], choices=["t2_echo", "t2_star"])
    panel.snapshot(conversation(turns=[turn("a0", choices=["Q05"], blocks=[text("Which qubit?")]), asked]))
    replies = panel.page.get_by_role("group", name="Replies").get_by_role("button")
    expect(replies).to_have_text(["t2_echo", "t2_star"])  # of the newest question alone
    replies.last.click()
    expect(panel.button("Stop")).to_be_visible()
    assert [asked["text"] for asked in panel.commands("ask")] == ["t2_star"]
    expect(replies).to_have_count(0)


def test_an_assessment_is_a_word_above_the_answer(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[step(), text("Three qubits.")], assessment="bad")]))
    chip, answer = panel.page.get_by_text("Bad", exact=True), panel.page.get_by_text("Three qubits.")
    expect(chip).to_be_visible()
    above, below = chip.bounding_box(), answer.bounding_box()
    assert above
    assert below
    assert above["y"] < below["y"]


def test_a_table_shows_eight_rows_then_all(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"rows": ROWS, "total_rows": 12}])]))
    rows = panel.page.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.nth(2)).to_contain_text("2026-09-18 04:00")
    expect(rows.nth(3)).to_contain_text("Unknown")
    panel.button("All 12 rows").click()
    expect(rows).to_have_count(12)
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"rows": ROWS, "total_rows": 64}])]))
    expect(panel.turns).to_contain_text('64 rows in data["t1"]')


def test_the_first_column_and_the_assessment_stay_in_sight(panel: PanelPage) -> None:
    wide = TABLE | {"columns": ["qubit", *(f"column {n}" for n in range(9)), "assessment"], "total_rows": 12}
    rows = [[qubit, *[12.5] * 9, assessment] for qubit, _, _, assessment in ROWS]
    panel.snapshot(conversation(turns=[turn(blocks=[wide | {"rows": rows}])]))
    area = panel.page.get_by_role("region", name="Conversation")
    table = panel.page.get_by_role("region", name='data["t1"], 12 rows')
    for left in (0, 150, 10_000):
        table.evaluate("(node, left) => { node.scrollLeft = left; }", left)
        for cell in (table.get_by_text("Q02"), table.get_by_text("Bad").first):
            assert inside(cell, area)
    cell = table.get_by_text("Q02")
    cell.hover()
    # Not seen through: the columns that scroll pass below it.
    assert cell.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"


def wide(*columns: str, rows: list[list[str]]) -> str:
    """A table as a model writes it."""
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


WORDS = ["no change over the month", "TLS near 4.91 GHz, it comes and goes with each cool-down"]
WRITTEN = wide(
    *("Qubit", "T1", "Change", "Measured", "Why", "Verdict"),
    rows=[
        [f"Q{n:02}", f"{40 - n} µs" if n else "0.1 ms", f"−{n} %", f"2026-09-{n + 1:02}", WORDS[n % 2], verdict]
        for n, verdict in enumerate(["good", "⚠️ drifting", "bad", "stable"] * 3)
    ],
)


def shown(panel: PanelPage, column: int) -> list[str]:
    """The texts of a column."""
    return panel.page.locator(f"tbody tr > :nth-child({column + 1})").all_inner_texts()


@pytest.mark.parametrize("width", [280, *(pytest.param(width, marks=pytest.mark.long) for width in (360, 600, 900))])
def test_the_verdict_of_a_models_table_stays_in_sight(panel: PanelPage, width: int) -> None:
    panel.page.set_viewport_size({"width": width, "height": 700})
    panel.page.evaluate("width => { document.getElementById('place').style.width = `${width}px`; }", width)
    panel.snapshot(conversation(turns=[turn(blocks=[text(f"Before\n\n{WRITTEN}\n\nAfter")])]))
    area = panel.page.get_by_role("region", name="Conversation")
    scroller = panel.page.get_by_role("region", name="Table, 12 rows")
    for left in (0, 60, 10_000):
        scroller.evaluate("(node, left) => { node.scrollLeft = left; }", left)
        for part in (
            scroller.get_by_text("Q02"),
            scroller.get_by_text("Bad").first,
            scroller.get_by_text("Drifting").first,
        ):
            assert inside(part, area)
    number = scroller.get_by_role("cell", name="39 µs")
    style = number.evaluate(
        "node => { const { textAlign, whiteSpace, fontVariantNumeric } = getComputedStyle(node);"
        " return [textAlign, whiteSpace, fontVariantNumeric]; }"
    )
    assert style == ["right", "nowrap", "tabular-nums"]
    # A sentence goes on below; it does not make the table wider.
    sentence = scroller.get_by_role("cell", name=WORDS[1]).first.bounding_box()
    assert sentence
    assert sentence["width"] < 0.75 * width
    panel.page.set_viewport_size({"width": 360, "height": 700})


def test_a_verdict_is_a_chip_with_its_word(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text(WRITTEN)])]))
    chip = panel.page.locator("tbody .qd-assessment").nth(1)
    expect(chip).to_have_text("Drifting")
    expect(chip).to_have_attribute("data-assessment", "warning")
    look = """node => {
        const { color, backgroundColor, borderTopColor } = getComputedStyle(node);
        return [color, backgroundColor, borderTopColor];
    }"""
    assert chip.evaluate(look) == ["rgb(122, 65, 0)", "rgb(255, 243, 224)", "rgba(0, 0, 0, 0)"]
    panel.theme("dark")
    expect(panel.page.locator(".qdash-panel")).to_have_attribute("data-theme", "dark")
    assert chip.evaluate(look)[:2] == ["rgb(255, 204, 128)", "rgb(51, 38, 15)"]
    panel.page.evaluate("document.body.dataset.jpThemeName = 'JupyterLab Dark High Contrast'")
    expect(panel.page.locator(".qdash-panel")).to_have_attribute("data-contrast", "")
    assert chip.evaluate(look) == ["rgb(255, 204, 128)", "rgb(33, 33, 33)", "rgb(255, 204, 128)"]


def test_a_click_on_a_head_sorts_and_keeps_the_fold(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text(WRITTEN)])]))
    as_written = ["0.1 ms", *(f"{40 - n} µs" for n in range(1, 8))]
    assert shown(panel, 1) == as_written
    head = panel.page.get_by_role("columnheader", name="T1")
    head.get_by_role("button").focus()
    panel.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert shown(panel, 1) == [f"{n} µs" for n in range(29, 37)]
    panel.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert shown(panel, 1) == as_written
    panel.button("All 12 rows").click()
    assert shown(panel, 1)[-1] == "29 µs"
    head.get_by_role("button").click()
    expect(head).not_to_have_attribute("aria-sort", re.compile(".*"))
    verdict = panel.page.get_by_role("columnheader", name="Verdict")
    verdict.get_by_role("button").click()
    assert shown(panel, 5) == ["Bad"] * 3 + ["Drifting"] * 3 + ["Good"] * 3 + ["Stable"] * 3
    data = panel.page.get_by_role("button", name=re.compile("^Data"))
    # As long as the panel lives, also where the conversation makes room for something else.
    data.click()
    expect(panel.page.get_by_role("table")).to_have_count(0)
    data.click()
    expect(verdict).to_have_attribute("aria-sort", "ascending")
    assert len(shown(panel, 5)) == 12


def test_a_tools_table_is_sorted_by_its_values(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"rows": ROWS, "total_rows": 12}])]))
    for _ in range(2):
        panel.page.get_by_role("columnheader", name="T1 (µs)").get_by_role("button").click()
    assert shown(panel, 1) == [f"{n}" for n in range(29, 21, -1)]
    assert panel.page.locator("tbody tr").count() == 8


def test_a_growing_table_has_its_place_and_waits_for_its_end(panel: PanelPage) -> None:
    rows = WRITTEN.splitlines(keepends=True)
    panel.snapshot(conversation(turns=[running(text("".join(rows[:5])))]))
    expect(panel.page.locator("tbody tr")).to_have_count(3)
    assert panel.page.locator(".qd-table button").count() == 0
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": "".join(rows[5:])})
    expect(panel.turns).to_contain_text("12 rows so far")
    table = panel.page.locator(".qd-table")
    before = table.bounding_box()
    assert panel.page.locator("tbody tr").count() == 8
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": "\n\nThat is all."})
    expect(panel.button("All 12 rows")).to_be_visible()
    assert table.bounding_box() == before


def test_formulas_in_a_table_are_set_once(panel: PanelPage) -> None:
    rows = wide("Qubit", "$T_1$", rows=[[f"Q{n}", f"$x_{n}$"] for n in range(10)])
    panel.snapshot(conversation(turns=[turn(blocks=[text(rows)])]))
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'typeset').length === 9")
    panel.button("All 10 rows").click()
    panel.page.wait_for_function("kit.events.some(each => each.text === '$x_9$')")


def test_a_failed_question_is_tried_again(panel: PanelPage) -> None:
    error = {"id": "e1", "kind": "error", "title": "The model did not answer.", "hint": "Start it.", "error_kind": "x"}
    panel.snapshot(conversation(turns=[turn(blocks=[error], state="error")]))
    for words in ("The model did not answer.", "Start it."):
        expect(panel.turns).to_contain_text(words)
    panel.button("Try again").click()
    assert [each["turn_id"] for each in panel.commands("retry")] == ["a1"]
    expect(panel.page.get_by_role("button", name="asked again below")).to_be_visible()
    expect(panel.turns).to_have_count(1)  # the one that runs
    expect(panel.button("Stop")).to_be_visible()
    expect(panel.button("Try again")).to_have_count(0)
    panel.ack(panel.commands("retry")[0]["n"], ok=False, message="It cannot be asked again.")
    expect(panel.button("Try again")).to_be_visible()
    expect(panel.turns).to_have_count(1)
    expect(panel.page.get_by_role("alert")).to_contain_text("It cannot be asked again.")
    expect(panel.box).to_have_value("")


def test_a_question_that_the_kernel_did_not_outlive(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text("Three qu"), broken_off=True)]))
    expect(panel.turns).to_have_attribute("data-state", "stopped")
    expect(panel.turns).to_contain_text("Interrupted: the kernel ended")
    expect(panel.button("Send")).to_be_visible()
    panel.button("Ask again").click()
    assert [each["turn_id"] for each in panel.commands("retry")] == ["a1"]


def test_blocks_of_a_later_version_are_left_out(panel: PanelPage) -> None:
    odd = {"id": "x1", "kind": "hologram"}
    panel.snapshot(conversation(turns=[turn(blocks=[odd, text("Still here.")])]))
    expect(panel.turns).to_contain_text("Still here.")


def test_long_code_opens_on_a_click(panel: PanelPage) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(30))
    panel.snapshot(conversation(turns=[turn(blocks=[text(f"```python\n{code}\n```")])]))
    expect(panel.turns).not_to_contain_text("line_29")
    panel.button("All 30 lines").click()
    expect(panel.turns).to_contain_text("line_29")


def test_code_has_the_hosts_colours_when_it_is_complete(panel: PanelPage) -> None:
    panel.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel.snapshot(conversation(turns=[running(text("```python\nimport numpy"))]))
    expect(panel.turns).to_contain_text("import numpy")
    assert panel.events("highlight") == []
    assert panel.page.get_by_role("button", name="Insert as cell").count() == 0
    panel.patch(
        {"op": "text", "turn_id": "a1", "block_id": "t1", "append": " as np\n```\n\nAnd:\n\n```yaml\na: 1\n```\n\n"}
    )
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'highlight').length >= 1")
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "done"}})
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'highlight').length === 2")
    assert [event["detail"] for event in panel.events("highlight")] == [
        {"code": "import numpy as np", "language": "python"},
        {"code": "a: 1", "language": "yaml"},
    ]
    assert panel.page.locator(".qd-code pre").first.inner_html().startswith("<span")
    panel.button("Copy code").first.click()
    expect(panel.button("Copied")).to_be_visible()
    assert panel.page.evaluate("navigator.clipboard.readText()") == "import numpy as np"


def test_python_goes_into_the_notebook(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text("```python\nx = 1\n```\n\n```json\n{}\n```")])]))
    insert = panel.button("Insert as cell")
    expect(insert).to_have_count(1)
    insert.click()
    assert [event["detail"] for event in panel.events("insert")] == [{"code": "x = 1", "cell_id": "inserted"}]
    panel.button("In cell ↗").click()
    assert [event["detail"] for event in panel.events("reveal")] == [{"cell_id": "inserted"}]


def test_without_a_notebook_nothing_is_to_be_inserted(panel: PanelPage) -> None:
    panel.page.evaluate("kit.tell('link', { notebook: null, kernel: null, state: 'live', missing: [] })")
    panel.snapshot(conversation(turns=[turn(blocks=[text("```python\nx = 1\n```")])]))
    expect(panel.button("Copy code")).to_be_visible()
    expect(panel.button("Insert as cell")).to_have_count(0)


def test_a_notebook_that_takes_no_cells_is_said(panel: PanelPage) -> None:
    panel.page.evaluate("kit.refuses.add('insert')")
    panel.snapshot(conversation(turns=[turn(blocks=[text("```python\nx = 1\n```")])]))
    panel.button("Insert as cell").click()
    expect(panel.button("Not inserted: the notebook takes no cells")).to_be_visible()


# Charts


def test_a_chart_is_drawn_by_the_host_in_its_colours(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    chart = panel.page.get_by_role("img", name="Chart: T1 of Q12. T1 (µs). Q12: 2 values, 18.4 to 48.1")
    expect(chart).to_have_text("drawn")
    [drawn] = [event["detail"]["data"]["application/vnd.plotly.v1+json"] for event in panel.events("render")]
    layout = drawn["layout"]
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"
    assert layout["margin"] == {"l": 44, "r": 8, "t": 8, "b": 36}
    assert layout["yaxis"]["gridcolor"] == "#e0e0e0"
    assert layout["yaxis"]["nticks"] == 5
    assert 200 <= layout["height"] <= 260
    assert not {"title", "images"} & set(layout)
    assert drawn["config"]["displayModeBar"] is False
    assert not layout["showlegend"]


def test_a_chart_is_drawn_again_when_theme_or_width_change(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    expect(panel.turns).to_contain_text("drawn")
    assert len(panel.events("render")) == 1
    panel.theme("dark")
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'render').length === 2")
    panel.page.evaluate("document.getElementById('place').style.width = '300px'")
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'render').length === 3")
    # The new drawing has taken the old one's place.
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'unrender').length === 2")
    colours = [
        event["detail"]["data"]["application/vnd.plotly.v1+json"]["layout"]["font"]["color"]
        for event in panel.events("render")
    ]
    assert colours == ["rgba(0, 0, 0, 0.87)", "rgba(255, 255, 255, 0.87)", "rgba(255, 255, 255, 0.87)"]


def test_a_snapshot_with_the_same_chart_draws_nothing_again(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    expect(panel.turns).to_contain_text("drawn")
    panel.snapshot(conversation(turns=[turn("a1", blocks=[CHART]), turn("a2", question="Next?")]))
    expect(panel.turns).to_have_count(2)
    assert len(panel.events("render")) == 1


def test_a_chart_that_goes_is_given_back(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    expect(panel.turns).to_contain_text("drawn")
    panel.snapshot(conversation())
    expect(panel.turns).to_have_count(0)
    panel.page.wait_for_function("kit.events.some(event => event.type === 'unrender')")
    assert len(panel.events("unrender")) == 1


def test_of_a_long_conversation_the_charts_near_the_reader_are_drawn(panel: PanelPage) -> None:
    """The others keep their room, so that nothing moves under the reader."""
    turns = [turn(f"a{number}", question=f"Question {number}", blocks=[text("So."), CHART]) for number in range(60)]
    panel.snapshot(conversation(turns=turns))
    drawn = panel.page.get_by_text("drawn", exact=True)
    expect(panel.turns.last).to_contain_text("drawn")
    assert drawn.count() < 5
    transcript = panel.page.get_by_role("region", name="Conversation")
    for number in range(58, 35, -1):
        panel.turns.nth(number).scroll_into_view_if_needed()
        expect(panel.turns.nth(number)).to_contain_text("drawn")
    expect(panel.turns.last).not_to_contain_text("drawn")
    assert drawn.count() < 25
    read = panel.turns.nth(36)
    place = read.evaluate("node => node.getBoundingClientRect().top")
    # Hidden with its notebook, the panel is as it was when it comes back.
    count, events = drawn.count(), len(panel.events("render"))
    panel.page.evaluate("document.getElementById('place').hidden = true")
    expect(transcript).to_be_hidden()
    panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    panel.page.evaluate("document.getElementById('place').hidden = false")
    expect(transcript).to_be_visible()
    panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert (drawn.count(), len(panel.events("render"))) == (count, events)
    assert read.evaluate("node => node.getBoundingClientRect().top") == pytest.approx(place, abs=2)
    panel.turns.last.scroll_into_view_if_needed()
    expect(panel.turns.last).to_contain_text("drawn")


def test_a_chart_opens_in_a_tab(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    panel.button("Expand chart").click()
    [opened] = panel.events("open")
    assert opened["detail"]["title"] == "T1 of Q12"
    assert opened["detail"]["data"]["application/vnd.plotly.v1+json"]["data"] == FIGURE["data"]


def test_without_a_renderer_the_values_are_shown(panel: PanelPage) -> None:
    panel.page.evaluate("kit.refuses.add('render')")
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    until(lambda: panel.commands("plotly"))
    panel.ack(panel.commands("plotly")[0]["n"], ok=False, message="There is none.")
    expect(panel.turns).to_contain_text("Nothing here draws charts")
    row = panel.page.get_by_role("table").locator("tbody tr").first
    expect(row).to_contain_text("48.1")
    expect(panel.page.get_by_role("alert")).to_have_count(0)  # nobody has asked for it


def test_without_a_renderer_the_kernels_plotly_draws_also_in_a_shadow(panel_page: Page) -> None:
    """As in marimo: the page is nobody's host, and the panel stands in a shadow root."""
    panel_page.evaluate(
        """() => {
            kit.hosted = false;
            const place = document.getElementById('place'), el = document.createElement('div');
            place.attachShadow({ mode: 'open' }).append(el);
            const style = document.createElement('link');
            Object.assign(style, { rel: 'stylesheet', href: 'panel.css' });
            place.shadowRoot.append(style);
            kit.views.push({ el, dispose: kit.render({ model: kit.model, el }) });
        }"""
    )
    panel = PanelPage(panel_page)
    panel.snapshot(conversation(turns=[turn(blocks=[CHART, CHART | {"id": "c2"}])]))
    until(lambda: any(said["type"] == "plotly" for said in panel.sent))
    [asked] = [said for said in panel.sent if said["type"] == "plotly"]
    script = plotly_script()
    for left, part in ((1, script[:400_000]), (0, script[400_000:])):
        panel.receive({"v": 1, "type": "file", "file_id": asked["file_id"], "text": part, "left": left})
    for chart in (0, 1):
        drawing = panel.page.locator(".qd-chart").nth(chart).locator(".main-svg").first
        expect(drawing).to_be_visible()
        assert drawing.evaluate("svg => getComputedStyle(svg).position") == "absolute"  # by the rules in the shadow
    load_anew(panel_page)  # without that Plotly


def test_a_panel_that_is_alone_leaves_the_copilot_of_the_page_alone(panel_page: Page) -> None:
    """That of `open_copilot`, in a notebook that has a copilot already."""
    panel_page.evaluate("kit.model.get = name => name === 'alone'; kit.mount()")
    panel = PanelPage(panel_page)
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    panel.box.fill("Which qubits lost T1?")
    panel.button("Send").click()
    assert [said["text"] for said in panel.sent if said["type"] == "ask"] == ["Which qubits lost T1?"]
    assert panel.commands("ask") == panel.events("mounted") == []
    until(lambda: panel.events("render"))


def test_a_chart_that_would_load_maps_is_not_drawn(panel: PanelPage) -> None:
    world = {"data": [{"type": "scattergeo", "lat": [1], "lon": [2]}], "layout": {}}
    panel.snapshot(conversation(turns=[turn(blocks=[CHART | {"figure": world}])]))
    expect(panel.turns).to_contain_text("would load maps from another server")
    assert panel.events("render") == []


# The channel


def test_a_burst_of_deltas_arrives_complete(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text(""))]))
    words = [f"{n} " if n % 40 else f"{n}\n\n" for n in range(5_000)]
    patches = [
        {
            "v": 1,
            "type": "patch",
            "seq": next(panel.numbers),
            "ops": [
                {"op": "text", "turn_id": "a1", "block_id": "t1", "append": word} for word in words[first : first + 30]
            ],
        }
        for first in range(0, 5_000, 30)
    ]
    panel.receive(*patches)
    expect(panel.turns).to_contain_text("4999")
    shown = panel.page.locator(".qd-text").inner_text().split()
    assert shown == "".join(words).split()


GROWING = """# Head

- one
- two

  more of two

Above

| a | b |
| --- | --- |
| 1 | 2 |

```python
x = 1

y = 2
```

See [a link] and $x_1$.

[a link]: https://a.example/1

End."""


def test_what_grows_in_steps_looks_like_what_came_at_once(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn("a0", blocks=[text(GROWING)])]))
    html = panel.page.locator(".qd-text")
    expect(html).to_have_count(1)
    at_once = html.inner_html()
    panel.snapshot(conversation(turns=[running(text(""))]))
    for first in range(0, len(GROWING), 2):
        panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": GROWING[first : first + 2]})
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "done"}})
    expect(panel.turns).to_have_attribute("data-state", "done")
    assert html.inner_html() == at_once


# Around


def test_data_are_listed_under_their_python_names(panel: PanelPage) -> None:
    now: float = panel.page.evaluate("Date.now()")
    frames = [
        frame(fetched_at=now - 180_000),
        frame(table="qubits", main=False, rows=64),
        frame("old", note="version 2"),
    ]
    panel.snapshot(conversation(frames=frames))
    panel.button("Data 2").click()
    item, other = panel.page.get_by_role("list", name="Results").get_by_role("listitem").all()
    for words in (
        'data["t1"]',
        "timeseries",
        "1,234 rows × 3 columns",
        "64 rows",
        "get_chip_parameter_timeseries · 3 min ago",
    ):
        expect(item).to_contain_text(words)
    expect(other).to_contain_text("as of 2026-05-28 · version 2")
    panel.button("Data 2").click()
    expect(panel.page.get_by_role("region", name="Conversation")).to_be_visible()


def test_a_table_shows_its_first_rows_when_it_is_opened(panel: PanelPage) -> None:
    panel.snapshot(conversation(frames=[frame()], turns=[turn(blocks=[step(frame_key="t1")])]))
    # From its step it is opened at once; nothing of its rows had come before.
    panel.button('data["t1"] · 1,234 rows').click()
    line = panel.page.get_by_role("button", name="timeseries 1,234 rows × 3 columns")
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(line).to_be_focused()
    expect(panel.status).to_have_text("Reading rows")
    wanted = [{key: each[key] for key in ("key", "table")} for each in panel.commands("preview")]
    assert wanted == [{"key": "t1", "table": "timeseries"}, {"key": "", "table": ""}]
    panel.patch({"op": "set", "key": "preview", "value": preview(changed=True)})
    data = panel.page.get_by_role("region", name="Data")
    expect(panel.page.get_by_role("columnheader", name="v (μs)")).to_be_visible()
    expect(data).to_contain_text("First 20 of 1,234 rows, 3 of 3 columns · changed by you")
    expect(data).to_contain_text('get_chip_parameter_timeseries(parameter_name="t1", since="2026-09-01")')
    expect(data).to_contain_text("1,234 documents of task_result_history")

    panel.button("Open in a cell").click()
    panel.button("Explore").click()
    expect(panel.button('Copy name data["t1"]["timeseries"]')).to_be_visible()
    code = {"code": 'data["t1"]["timeseries"]', "run": True, "cell_id": "inserted"}
    assert [event["detail"] for event in panel.events("insert")] == [code, code | {"code": 'data["t1"].explore()'}]

    # A `data` of the user's own is never named; where nothing leads there, no name is offered.
    panel.patch({"op": "set", "key": "data_name", "value": "copilot.data"})
    expect(panel.button('Copy name copilot.data["t1"]["timeseries"]')).to_be_visible()
    panel.button("Explore").click()
    assert panel.events("insert")[-1]["detail"]["code"] == 'copilot.data["t1"].explore()'
    panel.patch({"op": "set", "key": "data_name", "value": ""})
    expect(panel.page.get_by_role("button", name=re.compile("^Copy name|^Open in|^Explore"))).to_have_count(0)
    expect(data).to_contain_text("are variables of yours")

    panel.patch(
        {"op": "set", "key": "preview", "value": preview(state="failed", rows=[], message="It is not there any more.")}
    )
    expect(panel.page.get_by_role("alert")).to_have_text("It is not there any more.")
    panel.patch({"op": "set", "key": "preview", "value": preview(rows=[], total_rows=0)})
    expect(data).to_contain_text("It has no rows.")

    # Without a kernel it can be read, and no more.
    panel.patch({"op": "set", "key": "data_name", "value": "data"})
    panel.link("lost")
    expect(data).to_contain_text("What the kernel had when it was last heard.")
    panel.patch({"op": "set", "key": "preview", "value": None})
    expect(data).to_contain_text("Its rows cannot be read without the kernel.")
    for name in ("Open in a cell", "Explore", "Refresh t1", "Delete t1"):
        expect(panel.button(name)).to_be_disabled()


def test_the_code_of_an_explored_chart_is_shown_where_no_cell_can_be_inserted(panel_page: Page) -> None:
    panel_page.evaluate(
        """async script => {
            const { default: widget } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
            const model = { get: () => 'x = 1', on: () => {}, off: () => {} };
            widget.render({ model, el: document.getElementById('place') });
        }""",
        SCRIPT,
    )
    button, code = panel_page.get_by_role("button", name="As code"), panel_page.get_by_label("Code of this chart")
    button.click()
    expect(code).to_be_hidden()
    assert [event["detail"] for event in PanelPage(panel_page).events("insert")] == [
        {"code": "x = 1", "cell_id": "inserted"}
    ]
    panel_page.evaluate("kit.hosted = false")
    button.click()
    expect(code).to_have_text("x = 1")
    assert panel_page.evaluate("getSelection().toString()") == "x = 1"


def test_what_is_gone_is_fetched_again_by_one_click(panel: PanelPage) -> None:
    gone: Json = {"gone": True, "table": ""}
    panel.snapshot(conversation(frames=[frame("q"), frame(**gone), frame("summary", columns=[], rows=64, **gone)]))
    panel.button("Data 3").click()
    lost = panel.page.get_by_role("listitem").filter(has_text='data["t1"]')
    expect(lost).to_contain_text("had 1,234 rows × 3 columns")
    expect(panel.page.get_by_role("listitem").last).to_contain_text("had 64 rows")
    expect(panel.page.get_by_role("region", name="Data")).to_contain_text("2 results went with the kernel.")
    panel.button("Fetch all again").click()
    panel.button("Fetch t1").click()
    panel.button("Refresh q").click()
    assert [each["keys"] for each in panel.commands("refresh")] == [[], ["t1"], ["q"]]
    fetching = [frame("q"), *(frame(key, fetching=True, **gone) for key in ("t1", "summary"))]
    panel.patch({"op": "set", "key": "frames", "value": fetching})
    expect(panel.button("Fetching…")).to_be_disabled()
    expect(panel.button("Fetch t1")).to_be_disabled()
    # It was taken, and fails later.
    of = panel.commands("refresh")[0]["n"]
    panel.ack(of, ok=True)
    panel.ack(of, ok=False, message="t1: No server answers.")
    expect(panel.page.get_by_role("alert")).to_have_text("t1: No server answers.")


def test_a_result_is_deleted_when_that_is_meant(panel: PanelPage) -> None:
    panel.snapshot(conversation(frames=[frame()], turns=[turn(blocks=[step(frame_key="t1", frame_gone=True)])]))
    panel.button("Data 1").click()
    panel.button("Delete t1").click()
    expect(panel.button("Keep")).to_be_focused()
    panel.button("Delete").click()
    assert [each["key"] for each in panel.commands("discard")] == ["t1"]
    panel.patch({"op": "set", "key": "frames", "value": []})
    expect(panel.page.get_by_role("region", name="Data")).to_contain_text("Nothing was fetched yet.")
    panel.button("Data 0").click()
    panel.button('data["t1"] · gone').click()
    expect(panel.page.get_by_role("alert")).to_contain_text("t1 was deleted.")


def test_new_begins_an_empty_conversation(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("New conversation").click()
    assert [each["type"] for each in panel.commands("new")] == ["new"]


def test_the_menu_by_keyboard(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("More").press("Enter")
    expect(panel.page.get_by_role("menuitem", name="Copy transcript")).to_be_focused()
    panel.page.keyboard.press("ArrowDown")
    expect(panel.page.get_by_role("menuitem", name="Save as notebook")).to_be_focused()
    panel.page.keyboard.press("Escape")
    expect(panel.page.get_by_role("menu")).to_have_count(0)
    expect(panel.button("More")).to_be_focused()


def test_the_conversation_is_saved_as_markdown(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(question="Which qubits lost T1?", blocks=[text("**Q07** did.")])]))
    panel.button("More").click()
    with panel.page.expect_download() as saved:
        panel.page.get_by_role("menuitem", name="Save as Markdown").click()
    assert saved.value.suggested_filename == "t1 conversation.md"
    written = Path(saved.value.path()).read_text(encoding="utf-8")
    assert "Which qubits lost T1?" in written
    assert "**Q07** did." in written


def test_a_name_of_a_task_in_the_first_column_is_not_broken_in_two(panel: PanelPage) -> None:
    panel.page.evaluate("document.getElementById('place').style.width = '280px'")
    long = "| task | why |\n| --- | --- |\n| `CheckReadoutAmplitude` | `CheckT1` ran away, nothing was run after it |"
    panel.snapshot(conversation(turns=[turn(blocks=[text(long)])]))
    code = panel.page.locator("table code")
    expect(code).to_have_count(2)
    assert code.evaluate_all("all => all.map(each => each.getClientRects().length)") == [1, 1]


def test_the_conversation_is_saved_as_a_notebook_that_the_kernel_makes(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Save as notebook").click()
    [asked] = panel.commands("export")
    part = {"v": 1, "type": "file", "file_id": asked["file_id"], "left": 0}
    with panel.page.expect_download() as saved:
        others = part | {"file_id": "of another page", "text": "not ours"}
        panel.receive(part | {"text": '{"cells": ', "left": 1}, others, part | {"text": "[]}"})
    assert saved.value.suggested_filename == "t1 conversation.ipynb"
    assert Path(saved.value.path()).read_text(encoding="utf-8") == '{"cells": []}'


def test_a_command_may_be_refused_after_it_was_taken(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Save as notebook").click()
    [asked] = panel.commands("export")
    panel.ack(asked["n"], ok=True)
    panel.ack(asked["n"], ok=False, message="The database went away.")
    expect(panel.page.get_by_text("The database went away.")).to_be_visible()


def test_copy_transcript_as_markdown(panel: PanelPage) -> None:
    panel.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = TABLE | {"rows": [["Q1", 1.5, None, "good"]], "total_rows": 1}
    panel.snapshot(conversation(turns=[turn(blocks=[step(), text("**Three** qubits."), table], assessment="bad")]))
    panel.button("More").click()
    panel.page.get_by_role("menuitem", name="Copy transcript").click()
    expect(panel.page.get_by_text("Transcript copied")).to_be_attached()
    copied: str = panel.page.evaluate("navigator.clipboard.readText()")
    lines = [line for line in copied.splitlines() if line]
    assert lines[:3] == [
        "## Which qubits lost T1?",
        "**Assessment: bad**",
        "- Reading a parameter of the whole chip over time · t1, last 30 days · 1,234 rows",
    ]
    assert lines[3:] == [
        "**Three** qubits.",
        "| qubit | T1 (µs) | measured | assessment |",
        "| --- | --- | --- | --- |",
        "| Q1 | 1.5 | – | good |",
    ]


LONG = "\n\n".join(f"Paragraph {n}" for n in range(60))
AT_END = "node => node.scrollHeight - node.scrollTop - node.clientHeight < 2"


def test_a_long_answer_is_read_from_its_first_words(panel: PanelPage) -> None:
    before = turn("a0", question="Before?", blocks=[text(LONG)])
    panel.snapshot(conversation(turns=[before]))
    area = panel.page.get_by_role("region", name="Conversation")
    new = panel.page.get_by_role("button", name="New", exact=True)
    top = """node => document.querySelector('.qd-turn:last-child').getBoundingClientRect().top
        - node.getBoundingClientRect().top"""
    panel.ask("Which qubits lost T1?")
    expect(panel.turns).to_have_count(2)
    assert area.evaluate(AT_END)
    panel.patch({"op": "turn", "turn_id": "a1", "set": running(text("First words"))})
    expect(panel.status).to_have_text("Writing the answer")
    assert area.evaluate(AT_END)  # there is room for all of it
    for words in (LONG, "\n\nLast words"):
        panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": words})
        expect(new).to_be_visible()
        assert abs(area.evaluate(top)) < 2
    panel.patch({"op": "turn", "turn_id": "a1", "set": {"state": "done"}})
    expect(panel.button("Send")).to_be_visible()
    assert abs(area.evaluate(top)) < 2
    new.click()
    assert area.evaluate(AT_END)
    expect(new).to_have_count(0)


def test_what_waits_for_a_yes_is_seen_below_a_long_answer(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text(LONG))]))
    area = panel.page.get_by_role("region", name="Conversation")
    assert not area.evaluate(AT_END)
    effect = {"does": "calls", "what": "awg.output_on()", "line": 1, "kind": "hardware", "note": ""}
    approval = {
        "proposal_id": "p1",
        "hash": "h",
        "effects": [effect],
        "done": [],
        "state": "asked",
        "by": "",
        "reason": "",
    }
    asking = step("s1", state="running", elapsed_s=None, code="awg.output_on()", approval=approval)
    panel.patch({"op": "block", "turn_id": "a1", "block": asking})
    expect(panel.turns).to_contain_text("May this code do this?")
    assert area.evaluate(AT_END)


def test_the_transcript_follows_the_end_only_for_a_reader_at_the_end(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(text(LONG))]))
    area = panel.page.get_by_role("region", name="Conversation")
    at_end = AT_END
    panel.page.get_by_role("button", name="New", exact=True).click()
    assert area.evaluate(at_end)
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": "\n\nOne more"})
    expect(area).to_contain_text("One more")
    assert area.evaluate(at_end)
    area.hover()
    panel.page.mouse.wheel(0, -900)
    panel.page.wait_for_function("document.querySelector('.qd-transcript').scrollTop < 900")
    before = area.evaluate("node => node.scrollTop")
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": "\n\nAnd another"})
    expect(area).to_contain_text("And another")
    assert area.evaluate("node => node.scrollTop") == before
    panel.page.get_by_role("button", name="New", exact=True).click()
    assert area.evaluate(at_end)
    expect(panel.page.get_by_role("button", name="New", exact=True)).to_have_count(0)


def test_one_filled_button_and_a_name_for_every_control(panel: PanelPage) -> None:
    error = {"id": "e1", "kind": "error", "title": "No answer.", "hint": "", "error_kind": "x"}
    blocks = [step(frame_key="t1", frame_gone=True), text("```\ncode\n```"), TABLE | {"rows": ROWS, "total_rows": 12}]
    panel.snapshot(conversation(turns=[turn(blocks=[*blocks, CHART, error], state="error")]))
    filled = panel.page.evaluate(
        """[...document.querySelectorAll('.qdash-panel button')]
            .filter(node => !['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)', 'rgb(238, 238, 238)']
                .includes(getComputedStyle(node).backgroundColor))
            .map(node => node.textContent)"""
    )
    assert filled == ["Send"]
    nameless = panel.page.evaluate(
        """[...document.querySelectorAll('.qdash-panel :is(button, textarea, [role=img], [role=region])')]
            .filter(node => !(node.getAttribute('aria-label') || node.textContent.trim()))
            .map(node => node.outerHTML)"""
    )
    assert nameless == []


@pytest.mark.parametrize("width", [280, *(pytest.param(width, marks=pytest.mark.long) for width in (320, 420))])
def test_nothing_leaves_the_panel(panel: PanelPage, width: int) -> None:
    long = "a_very_long_name_without_any_space_in_it_that_goes_on_and_on_and_on"
    blocks = [
        step(label=long, about=long, frame_key=long),
        step("s2", state="failed", error=long),
        text(f"{long}\n\n`{long}`\n\n| {long} | b |\n| --- | --- |\n| 1 | 2 |\n\n```\n{long * 2}\n```"),
        TABLE | {"rows": ROWS, "total_rows": 12, "columns": [long, "b", "c", "d"]},
        CHART | {"title": long},
        {"id": "e1", "kind": "error", "title": long, "hint": long, "error_kind": "x"},
    ]
    panel.page.evaluate("width => { document.getElementById('place').style.width = `${width}px`; }", width)
    panel.snapshot(conversation(turns=[turn(question=long, blocks=blocks, state="error", assessment="bad")]))
    for line in panel.page.locator(".qd-step .qd-line").all():
        line.click()
    outside = panel.page.evaluate(
        """width => [...document.querySelectorAll('.qdash-panel *')]
            .filter(node => !node.closest('.qd-scroller, .qd-sr') && node.getBoundingClientRect().right > width + 0.5)
            .map(node => node.outerHTML)""",
        width,
    )
    assert outside == []
    # The composer's text box may scroll as well; nothing else but the transcript does, up and down.
    scrolled = panel.page.evaluate(
        """[...document.querySelectorAll('.qdash-panel *')]
            .filter(node => node.scrollHeight > node.clientHeight + 1
                && ['auto', 'scroll'].includes(getComputedStyle(node).overflowY))
            .map(node => node.className)"""
    )
    assert scrolled == ["qd-transcript"]


def test_nothing_moves_for_those_who_asked_for_that(panel: PanelPage) -> None:
    """The page of these tests prefers reduced motion."""
    panel.snapshot(conversation(turns=[running(step(state="running", elapsed_s=None), text("x"))]))
    expect(panel.turns).to_be_visible()
    assert panel.page.evaluate("document.getAnimations().length") == 0


def test_the_theme_switch_changes_everything(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(assessment="good", blocks=[text("x")])]))
    look = """() => {
        const chip = getComputedStyle(document.querySelector('.qd-assessment'));
        const root = getComputedStyle(document.querySelector('.qdash-panel'));
        return [chip.color, chip.backgroundColor, root.color, root.backgroundColor];
    }"""
    assert panel.page.evaluate(look) == [
        "rgb(27, 94, 32)",
        "rgb(232, 245, 233)",
        "rgba(0, 0, 0, 0.87)",
        "rgb(255, 255, 255)",
    ]
    panel.theme("dark")
    expect(panel.page.locator(".qdash-panel")).to_have_attribute("data-theme", "dark")
    assert panel.page.evaluate(look) == [
        "rgb(165, 214, 167)",
        "rgb(27, 46, 29)",
        "rgba(255, 255, 255, 0.87)",
        "rgb(33, 33, 33)",
    ]


# Other front-ends, and more than one view


def test_without_a_labextension_commands_go_over_the_model(panel_page: Page) -> None:
    panel_page.evaluate("kit.hosted = false; document.getElementById('place').removeAttribute('role')")
    panel_page.evaluate("kit.mount()")
    panel = PanelPage(panel_page)
    panel.snapshot(conversation(turns=[turn(blocks=[step(frame_key="t1", frame_gone=True)])]))
    expect(panel_page.get_by_role("region", name="QDash Copilot")).to_contain_text("inserts no cells")
    panel.button("Fetch again").click()
    panel.box.fill("Which qubits lost T1?")
    panel.button("Send").click()
    panel.button("Stop").click()
    resync, fetch, ask, stop = panel.sent
    assert resync == {"v": 1, "type": "resync", "language": "en"}
    assert fetch == {"v": 1, "type": "fetch", "turn_id": "a1", "call_id": "call-s1", "n": fetch["n"]}
    assert ask | {"ask_id": ""} == {
        "v": 1,
        "type": "ask",
        "ask_id": "",
        "text": "Which qubits lost T1?",
        "analysis": None,
        "cell": None,
    }
    assert stop == {"v": 1, "type": "stop", "turn_id": None, "n": fetch["n"] + 1}
    panel.receive({"v": 1, "type": "ack", "of": ask["ask_id"], "ok": False, "turn_id": None, "message": "Busy."})
    expect(panel_page.get_by_role("alert")).to_have_text("Busy.")
    # What needs a notebook is not offered.
    panel.patch({"op": "set", "key": "frames", "value": [frame()]})
    panel.button("Data 1").click()
    panel_page.get_by_role("button", name=re.compile("^timeseries")).click()
    expect(panel.button('Copy name data["t1"]["timeseries"]')).to_be_visible()
    expect(panel_page.get_by_role("button", name=re.compile("^Open in|^Explore"))).to_have_count(0)
    expect(panel.box).to_have_value("Which qubits lost T1?")


def test_two_views_of_one_model(panel: PanelPage) -> None:
    panel.page.evaluate("kit.mount()")
    panel.snapshot(conversation(turns=[running(text("one"))]))
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": " two"})
    expect(panel.turns).to_have_count(2)
    for view in range(2):
        expect(panel.turns.nth(view)).to_contain_text("one two")


def test_a_disposed_view_leaves_nothing_behind(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running(CHART)]))
    expect(panel.turns).to_contain_text("drawn")
    panel.page.evaluate("kit.views[0].dispose()")
    assert panel.page.evaluate("[kit.listeners, kit.views[0].el.childElementCount]") == [0, 0]
    assert len(panel.events("unrender")) == 1
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": " two"})
    panel.theme("dark")
    expect(panel.turns).to_have_count(0)


def test_a_view_that_is_put_into_the_page_later(panel_page: Page) -> None:
    """As a widget is: it is drawn before the notebook gives it its place."""
    panel_page.evaluate(
        """async () => {
            const { default: panel } = await import('./panel.js');
            const el = document.createElement('div');
            kit.views.push({ el, dispose: panel.render({ model: kit.model, el }) });
        }"""
    )
    panel = PanelPage(panel_page)
    panel.snapshot(conversation(turns=[turn(blocks=[CHART, text("$x_1$")])]))
    assert panel.events("mounted") == []
    panel_page.evaluate("document.getElementById('place').append(kit.views[0].el)")
    expect(panel.turns).to_contain_text("drawn")
    assert len(panel.events("mounted")) == 1
    panel_page.wait_for_function("kit.events.some(each => each.type === 'typeset')")


def test_reasoning_is_one_line_that_opens_to_its_summary(panel: PanelPage) -> None:
    thought = {"id": "thought", "kind": "thought", "text": "**Reading T1**\n\nThe chip", "elapsed_s": None}
    panel.snapshot(conversation(turns=[running(thought)]))
    line = panel.page.get_by_role("button", name="Thoughts so far")
    line.click()
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "thought", "append": " first."})
    expect(panel.turns.last).to_contain_text("The chip first.")
    done = thought | {"text": "**Reading T1**\n\nThe chip first.", "elapsed_s": 4.04}
    panel.snapshot(conversation(turns=[turn(blocks=[done, step(), text("Q07 fell.")])]))
    line = panel.page.get_by_role("button", name="Thought for 4.0 s")
    expect(line).to_have_attribute("aria-expanded", "true")
    line.click()
    expect(panel.page.get_by_text("The chip first.")).to_have_count(0)
    expect(panel.turns.last).to_contain_text("Q07 fell.")


def test_what_could_not_be_prepared_is_one_card_in_sections(panel: PanelPage) -> None:
    state = conversation()
    gone = {"stage": "tools", "name": "fridge", "message": "The server at fridge.lab does not answer.", "hard": True}
    old = {"stage": "connect", "name": "Settings", "message": "model is called orchestrator.deployment.", "hard": False}
    panel.snapshot(state | {"about": state["about"] | {"issues": [old, gone]}})
    card = panel.page.get_by_role("region", name="Initialization issues")
    fold = card.get_by_role("button")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(fold).to_contain_text("2 issues")
    expect(card.get_by_role("heading")).to_have_text(["Settings and connection", "Tools"])
    expect(card.get_by_role("listitem")).to_have_text([f"{one['name']} {one['message']}" for one in (old, gone)])
    shot(panel.page, "issues")
    fold.click()
    expect(card.get_by_role("listitem")).to_have_count(0)
    expect(panel.box).to_be_enabled()  # the work goes on
    panel.snapshot(state | {"about": state["about"] | {"issues": [old]}})
    expect(fold).to_contain_text("1 note")
    panel.snapshot(state)
    expect(card).to_have_count(0)


# Keys of servers

FRIDGE = {"server": "fridge", "address": "https://fridge.example.org/mcp", "variable": "QDASH_MCP_FRIDGE_KEY"}
INVENTORY = {"server": "inventory", "address": "https://inventory.example.org:8443/mcp", "variable": "INVENTORY_KEY"}
KEY = "fridge-key-246813579"
OTHER_LOOKS = (("light", 360), ("dark", 280), ("dark", 360))
FILLED = "node => getComputedStyle(node).color === 'rgb(255, 255, 255)'"


def test_keys_are_typed_on_one_card_and_are_nowhere_else(panel: PanelPage) -> None:
    panel.snapshot(conversation(sign_in=[FRIDGE, INVENTORY]))
    card = panel.page.get_by_role("region", name="Sign in")
    for each in (FRIDGE, INVENTORY):
        expect(card).to_contain_text(each["server"])
        expect(card).to_contain_text(each["address"])
    fridge, inventory = (card.get_by_label(f"Key for {name}", exact=True) for name in ("fridge", "inventory"))
    for field in (fridge, inventory):
        expect(field).to_have_attribute("type", "password")
        expect(field).to_have_attribute("autocomplete", "off")
    expect(panel.button("Sign in")).to_be_disabled()
    expect(panel.box).not_to_be_focused()
    fridge.focus()
    panel.page.keyboard.type(f" {KEY}")
    panel.patch({"op": "set", "key": "starters", "value": []})  # what else changes leaves it
    expect(fridge).to_have_value(f" {KEY}")
    assert not panel.button("Sign in").evaluate(FILLED)
    assert panel.button("Send").evaluate(FILLED)
    for reached in (inventory, panel.button("Sign in"), panel.button("Not now")):
        panel.page.keyboard.press("Tab")
        expect(reached).to_be_focused()
    fridge.press("Enter")
    (sent,) = panel.commands("sign_in")
    assert sent["keys"] == {"QDASH_MCP_FRIDGE_KEY": KEY}
    expect(panel.button("Sign in")).to_be_disabled()  # until the kernel has heard it
    panel.patch({"op": "set", "key": "sign_in", "value": None})
    expect(card).to_have_count(0)
    kept = "JSON.stringify([document.documentElement.outerHTML, {...sessionStorage}, {...localStorage}])"
    assert KEY not in panel.page.evaluate(kept)
    assert (
        panel.page.evaluate("[...document.querySelectorAll('input, textarea')].map(each => each.value).join('')") == ""
    )


def test_not_now_sends_no_keys_and_a_refusal_leaves_them(panel: PanelPage) -> None:
    panel.snapshot(conversation(sign_in=[FRIDGE], turns=[running(step(state="running"))]))
    field = panel.page.get_by_label("Key for fridge")
    field.fill(KEY)
    assert panel.button("Sign in").evaluate(FILLED)
    expect(panel.button("Send")).to_have_count(0)
    panel.button("Not now").click()
    (sent,) = panel.commands("sign_in")
    assert sent["keys"] == {}
    panel.ack(sent["n"], ok=False, message="The kernel does not answer.")
    expect(panel.page.get_by_role("alert")).to_have_text("The kernel does not answer.")
    expect(field).to_have_value(KEY)
    panel.button("Sign in").click()
    assert panel.commands("sign_in")[1]["keys"] == {"QDASH_MCP_FRIDGE_KEY": KEY}


def test_keys_typed_on_the_card_do_not_reach_the_notebook_and_escape_is_stop(panel: PanelPage) -> None:
    panel.page.evaluate("window.keys = []; document.addEventListener('keydown', event => keys.push(event.key))")
    panel.snapshot(conversation(sign_in=[FRIDGE], turns=[running(step(state="running"))]))
    field = panel.page.get_by_label("Key for fridge")
    field.press("d")
    field.press("Shift+Enter")
    assert panel.page.evaluate("keys.filter(key => key !== 'Shift')") == []
    field.press("Escape")
    assert len(panel.commands("stop")) == 1


def test_of_two_panels_one_asks_for_keys(panel: PanelPage) -> None:
    panel.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=output></div>'); kit.mount('output')")
    panel.snapshot(conversation(sign_in=[FRIDGE]))
    expect(panel.page.get_by_role("region", name="Sign in")).to_have_count(2)
    expect(panel.page.get_by_label("Key for fridge")).to_have_count(1)
    expect(panel.page.get_by_text("It is asked in the panel beside the notebook.")).to_have_count(1)


@pytest.mark.parametrize(
    ("theme", "width"),
    [("light", 280), *(pytest.param(*looked_at, marks=pytest.mark.long) for looked_at in OTHER_LOOKS)],
)
def test_the_card_for_keys_stays_inside(panel: PanelPage, theme: str, width: int) -> None:
    panel.theme(theme)
    panel.page.evaluate("width => { document.getElementById('place').style.width = `${width}px`; }", width)
    many = [FRIDGE | {"server": f"{'long_' * 9}{n}", "variable": f"KEY_{n}"} for n in range(6)]
    panel.snapshot(conversation(sign_in=many))
    card = panel.page.get_by_role("region", name="Sign in")
    for part in card.locator("input, button, label").all():
        assert inside(part, card)
    expect(panel.box).to_be_in_viewport(ratio=1)
    shot(panel.page, f"sign-in-many-{theme}-{width}")
    panel.snapshot(conversation(sign_in=[FRIDGE, INVENTORY]))
    shot(panel.page, f"sign-in-start-{theme}-{width}")
    answer = [step(), text("Q07 fell from 61 to 18 µs."), TABLE | {"rows": ROWS, "total_rows": 12}]
    panel.snapshot(
        conversation(sign_in=[FRIDGE], turns=[turn(blocks=answer), running(step(state="running"), turn_id="a2")])
    )
    panel.page.get_by_label("Key for fridge").fill(KEY)
    shot(panel.page, f"sign-in-turn-{theme}-{width}")

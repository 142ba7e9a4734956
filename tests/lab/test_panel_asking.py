"""The panel before a question, while it is asked, and when it is stopped: what becomes of a click or a key."""

import pytest
from playwright.sync_api import expect

from tests.lab.bare_panel import PanelPage, conversation, running, step, text, turn
from tests.lab.in_browser import shot

pytest_plugins = ("tests.lab.panel_page",)


def test_the_greeting_says_what_is_in_use(panel: PanelPage) -> None:
    for words in ("64Q-demo", "Demo snapshot (as of 2026-10-01)", "No language model is configured"):
        expect(panel.page.get_by_text(words)).to_be_visible()
    panel.snapshot(conversation(about=conversation()["about"] | {"is_language_model": True, "problems": 3}))
    expect(panel.page.get_by_text("No language model is configured")).to_be_hidden()
    expect(panel.page.get_by_text("3 values couldn't be read")).to_be_visible()


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


def test_stop_names_the_turn_and_says_what_becomes_of_it(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[running()]))
    panel.button("Stop").click()
    assert [each["turn_id"] for each in panel.commands("stop")] == ["a1"]
    expect(panel.status).to_have_text("Stopping")
    panel.link("silent")
    expect(panel.status).to_have_text("The kernel isn't responding; Stop is queued")
    panel.link("silent", waits_for_cell=True)
    expect(panel.status).to_have_text("Stopping after the current cell")
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
    said = "This cell has been running for 65 s. It has used 2.3 GB of memory so far."
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


def test_new_begins_an_empty_conversation(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn()]))
    panel.button("New conversation").click()
    assert [each["type"] for each in panel.commands("new")] == ["new"]


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

"""The question box of the panel, and what fills it: the queue above it, names behind `@`, next steps."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.lab.bare_panel import PanelPage, conversation, queued, text, turn

pytest_plugins = ("tests.lab.panel_page",)

RESULT = {"task": "CheckT1", "qid": "7", "execution_id": "20260620-000", "task_id": "CheckT1-7"}


def running(**changes: Any) -> dict[str, Any]:
    return turn(state="thinking", elapsed_s=None, **changes)


def busy(panel: PanelPage, *queue: dict[str, Any]) -> None:
    panel.snapshot(conversation(turns=[running()], queue=list(queue)))


def rows(panel: PanelPage) -> Locator:
    return panel.page.get_by_role("region", name="Queue").get_by_role("listitem")


def test_a_question_for_a_busy_copilot_waits_above_the_box(panel: PanelPage) -> None:
    busy(panel)
    expect(panel.button("Send")).to_have_count(0)
    panel.box.fill("And T2?")
    expect(panel.button("Stop")).to_have_count(0)
    panel.box.press("Enter")
    # The kernel has not heard of it, and it is in sight.
    expect(rows(panel)).to_have_text(["And T2?"])
    expect(panel.box).to_have_value("")
    expect(panel.button("Stop")).to_be_visible()
    expect(panel.turns).to_have_count(1)
    [asked] = panel.commands("ask")
    waiting = queued("And T2?", asked["ask_id"])
    panel.patch({"op": "set", "key": "queue", "value": [waiting]})
    panel.ack(asked["ask_id"], ok=True)
    panel.box.fill("And the frequency?")
    panel.button("Send").click()
    expect(rows(panel)).to_have_text(["And T2?", "And the frequency?"])
    panel.ack(panel.commands("ask")[1]["ask_id"], ok=False, message="20 questions are already waiting.")
    expect(rows(panel)).to_have_text(["And T2?"])
    expect(panel.box).to_have_value("And the frequency?")
    assert panel.commands("stop") == []
    # The kernel goes on by itself: nothing is sent a second time.
    panel.snapshot(conversation(turns=[turn(), running(turn_id="a2", question="And T2?")]))
    expect(rows(panel)).to_have_count(0)
    assert len(panel.commands("ask")) == 2


def test_what_waits_is_edited_and_removed(panel: PanelPage) -> None:
    busy(panel, queued("And T2?"), queued("", "e2", analysis=RESULT))
    expect(rows(panel)).to_have_text(["And T2?", "Analyze CheckT1 of 7"])
    rows(panel).nth(0).get_by_role("button", name="Remove").click()
    rows(panel).nth(1).get_by_role("button", name="Edit").click()
    removed, edited = panel.commands("unqueue")
    assert [removed["ask_id"], edited["ask_id"]] == ["e1a5", "e2"]
    # Only what the kernel has given back is the box's: it may have begun with it.
    panel.ack(edited["n"], ok=False, message="That question does not wait any more.")
    expect(panel.page.get_by_role("alert")).to_contain_text("does not wait any more")
    expect(panel.button("Detach")).to_have_count(0)
    rows(panel).nth(1).get_by_role("button", name="Edit").click()
    panel.ack(panel.commands("unqueue")[2]["n"], ok=True)
    busy(panel)
    expect(rows(panel)).to_have_count(0)
    expect(panel.box).to_be_focused()
    panel.box.fill("Why so low?")
    panel.button("Send").click()
    [asked] = panel.commands("ask")
    assert (asked["text"], asked["analysis"]) == ("Why so low?", RESULT)


def test_what_was_stopped_waits_for_a_word(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(state="stopped")], queue=[queued("And T2?", held=True)]))
    region = panel.page.get_by_role("region", name="Queue")
    expect(region).to_contain_text("Not sent, because the previous question stopped or failed:")
    region.get_by_role("button", name="Send").click()
    assert panel.commands("ask") == []
    panel.ack(panel.commands("unqueue")[0]["n"], ok=True)
    expect(panel.turns.last).to_contain_text("And T2?")
    assert [each["text"] for each in panel.commands("ask")] == ["And T2?"]


def test_what_waited_in_a_kernel_that_is_gone_is_in_the_box_of_one_panel(panel: PanelPage) -> None:
    panel.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=second></div>'); kit.mount('second')")
    busy(panel, queued("And T2?"), queued("And the frequency?", "e2"))
    expect(rows(panel)).to_have_count(4)  # both views show it
    panel.page.evaluate(
        """() => {
            const detail = { notebook: null, kernel: null, state: 'lost', message: null, missing: [] };
            const roots = document.querySelectorAll('.qdash-panel');
            roots.forEach(root => root.dispatchEvent(new CustomEvent('qdash:link', { detail })));
        }"""
    )
    expect(rows(panel)).to_have_count(0)
    expect(panel.box.nth(0)).to_have_value("And T2?\nAnd the frequency?")
    expect(panel.box.nth(1)).to_have_value("")


MENTIONS = [
    {"name": "t1", "kind": "variable", "about": "DataFrame 64 × 3"},
    {"name": "fit", "kind": "variable", "about": "array 64"},
    {"name": "Q07", "kind": "qubit", "about": ""},
    {"name": "Q17", "kind": "qubit", "about": ""},
    {"name": "Q07-Q08", "kind": "coupling", "about": ""},
]


def test_names_are_completed_by_keyboard(panel: PanelPage) -> None:
    panel.box.press_sequentially("T1 of @")
    options = panel.page.get_by_role("listbox", name="Names").get_by_role("option")
    # The notebook's cells are there at once, the kernel's names when it has told them.
    expect(options).to_have_text(["cell [7]fit.plot()"])
    panel.page.wait_for_function("kit.commands('mentions').length === 1")
    panel.patch({"op": "set", "key": "mentions", "value": MENTIONS})
    expect(options).to_have_count(6)
    panel.box.press_sequentially("7")
    expect(options).to_have_text(["cell [7]fit.plot()", "Q07qubit", "Q17qubit", "Q07-Q08coupling"])
    panel.box.press("ArrowDown")
    chosen = options.nth(1)
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(panel.box).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    panel.box.press("Tab")
    expect(options).to_have_count(0)
    expect(panel.box).to_have_value("T1 of @Q07 ")
    expect(panel.box).to_be_focused()
    # In the middle of a text: the cursor stays behind the name.
    panel.box.press("Home")
    panel.box.press_sequentially("@f")
    panel.box.press("Enter")
    panel.box.press_sequentially("and ")
    expect(panel.box).to_have_value("@fit and T1 of @Q07 ")
    assert panel.commands("ask") == []
    panel.box.press("Enter")
    assert [each["text"] for each in panel.commands("ask")] == ["@fit and T1 of @Q07"]


def test_escape_closes_the_list_and_stops_nothing(panel: PanelPage) -> None:
    busy(panel)
    panel.box.press_sequentially("@")
    options = panel.page.get_by_role("option")
    expect(options).to_have_count(1)
    panel.box.press("Escape")
    expect(options).to_have_count(0)
    assert panel.commands("stop") == []
    panel.box.press_sequentially("plot")  # it stays closed for this name
    expect(options).to_have_count(0)
    panel.box.press_sequentially(" @plot")
    expect(options).to_have_count(1)
    panel.box.press("Home")  # the cursor has left the name
    expect(options).to_have_count(0)
    panel.box.press("Escape")
    assert len(panel.commands("stop")) == 1
    # A complete name is no question: Enter sends.
    panel.patch({"op": "set", "key": "mentions", "value": MENTIONS})
    panel.box.fill("")
    panel.box.press_sequentially("@Q07-Q08")
    expect(options).to_have_count(0)
    panel.box.press("Enter")
    assert [each["text"] for each in panel.commands("ask")] == ["@Q07-Q08"]


def test_a_cell_of_the_notebook_is_chosen_with_the_mouse(panel: PanelPage) -> None:
    panel.box.press_sequentially("Explain @plot")
    panel.page.get_by_role("option", name="cell [7]").click()
    expect(panel.box).to_have_value("Explain cell [7] ")
    expect(panel.page.get_by_text("Cell [7] · fit.plot()")).to_be_visible()
    panel.box.press("Enter")
    [asked] = panel.commands("ask")
    assert (asked["text"], asked["cell"]["cell_id"]) == ("Explain cell [7]", "c7")


def test_a_next_step_fills_the_box_and_sends_nothing(panel: PanelPage) -> None:
    steps = ["Trend of T1 of Q42 over the last 60 days", "How is the chip?"]
    first = turn("a0", question="How is the chip?", next_steps=["Heatmap of T1"])
    panel.snapshot(conversation(turns=[first, turn(blocks=[text("Q42.")], next_steps=steps)]))
    # Those of the last answer, without what was asked already.
    shown = panel.page.get_by_role("group", name="Next steps").get_by_role("button")
    expect(shown).to_have_text(steps[:1])
    shown.click()
    expect(panel.box).to_have_value(steps[0])
    expect(panel.box).to_be_focused()
    assert panel.commands("ask") == []
    panel.box.press("Enter")
    expect(shown).to_have_count(0)


def test_a_question_back_is_answered_by_a_button_or_by_typing(panel: PanelPage) -> None:
    back = turn(blocks=[text("Which parameter do you mean: T2 Echo or T2 Star?")], choices=["t2_echo", "t2_star"])
    panel.snapshot(conversation(turns=[back]))
    replies = panel.page.get_by_role("group", name="Replies")
    expect(replies.get_by_role("button")).to_have_text(["t2_echo", "t2_star"])
    expect(panel.box).to_have_attribute("placeholder", "Choose above, or type a reply")
    panel.ask("T2 echo")
    expect(replies).to_have_count(0)


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

# What the browser does with a file: in `kind`, of this name and type, its bytes as base64.
GIVE = """([kind, name, type, data]) => {
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.from(atob(data), each => each.charCodeAt(0))], name, { type }));
    const init = { bubbles: true, cancelable: true, dataTransfer: files, clipboardData: files };
    const event = kind === 'drop' ? new DragEvent('drop', init) : new ClipboardEvent('paste', init);
    return !kit.root.querySelector('textarea').dispatchEvent(event);
}"""


def give(panel: PanelPage, kind: str, name: str, mime: str, data: str) -> None:
    assert panel.page.evaluate(GIVE, [kind, name, mime, data])  # the browser must not leave the page for it


def test_a_table_is_dropped_and_named_in_the_box(panel: PanelPage) -> None:
    panel.box.fill("What is in")
    give(panel, "drop", "scan.csv", "text/csv", "cWlkLHQxCjcsNjEuNAo=")
    panel.page.wait_for_function("kit.commands('file').length === 1")
    [sent] = panel.commands("file")
    assert (sent["name"], sent["data"]) == ("scan.csv", "cWlkLHQxCjcsNjEuNAo=")
    stored = {"key": "scan", "name": 'data["scan"]["table"]', "rows": 1, "columns": ["qid", "t1"], "units": {}}
    stored |= {"source": "file", "fetched_at": 1_790_000_000_000, "gone": False}
    panel.patch({"op": "set", "key": "frames", "value": [stored]})
    expect(panel.box).to_have_value("What is in @scan ")
    expect(panel.box).to_be_focused()
    panel.snapshot(conversation(frames=[stored | {"fetched_at": 1_790_000_000_001}]))  # another's
    expect(panel.box).to_have_value("What is in @scan ")


def test_a_picture_goes_along_with_the_question_of_a_model_that_sees(panel: PanelPage) -> None:
    seeing = conversation()["about"] | {"sees": True, "is_language_model": True, "model": "m"}
    panel.snapshot(conversation(about=seeing))
    give(panel, "paste", "image.png", "image/png", PIXEL)
    expect(panel.page.get_by_alt_text("Image 1")).to_be_visible()
    give(panel, "drop", "fit.png", "image/png", PIXEL)
    expect(panel.page.get_by_alt_text("Image 2")).to_be_visible()
    expect(panel.box).to_have_attribute("placeholder", "Ask about the image, or just send")
    panel.button("Send").click()
    expect(panel.turns.last).to_contain_text("What does image.png show?")
    [asked] = panel.commands("ask")
    assert (asked["cell"]["label"], asked["cell"]["pictures"]) == ("image.png", [PIXEL, PIXEL])


def test_what_cannot_be_taken_says_why_before_anything_is_sent(panel: PanelPage) -> None:
    alert = panel.page.get_by_role("alert")
    give(panel, "paste", "image.png", "image/png", PIXEL)
    expect(alert).to_have_text("The offline planner can't read images. Choose a language model that can.")
    give(panel, "drop", "notes.docx", "application/msword", "AAAA")
    expect(alert).to_have_text("notes.docx isn't a table (CSV, Parquet) or an image.")
    panel.page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'large.csv'));
            kit.root.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files }));
        }"""
    )
    expect(alert).to_have_text("large.csv is larger than 5 MB. Read it from disk with pandas in a cell.")
    assert panel.commands("file") == panel.commands("ask") == []

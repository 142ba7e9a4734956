"""The list of conversations in the panel, and the way back from a new one: what the page sends, and what it shows."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Locator, expect

from tests.lab.bare_panel import PanelPage, conversation, load_anew, text, turn

pytest_plugins = ("tests.lab.panel_page",)

CURRENT = "cd34"


def kept(name: str, title: str, **changes: Any) -> dict[str, Any]:
    made = {"id": name, "title": title, "changed_at": time.time() - 86_400, "notebook": "t1.ipynb", "chip": "64Q-demo"}
    return made | {"snippet": "", "turn_id": ""} | changes


ROWS = [
    kept(CURRENT, "Which qubits lost T1 in the last 30 days?"),
    kept("ab", "Readout of the upper half, with the new amplifier and after the warm-up of the fridge in June"),
    kept("ef", "T2 の推移は?", notebook="", chip=""),
]


def show(panel: PanelPage, *rows: dict[str, Any], **changes: Any) -> None:
    value = {"words": "", "state": "ready", "rows": list(rows), "message": ""} | changes
    panel.patch({"op": "set", "key": "conversations", "value": value})


def listed(panel: PanelPage) -> Locator:
    return panel.page.get_by_role("region", name="Conversations")


def opened(panel: PanelPage, *rows: dict[str, Any]) -> Locator:
    panel.button("Conversations").click()
    panel.page.wait_for_function("kit.commands('conversations').length > 0")
    show(panel, *(rows or ROWS))
    return listed(panel)


def test_one_is_chosen_and_the_list_goes_away(panel: PanelPage) -> None:
    panel.button("Conversations").click()
    expect(listed(panel).get_by_role("status")).to_have_text("Loading conversations")
    show(panel, *ROWS)
    rows = listed(panel).get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("open now")
    expect(rows.nth(1)).to_contain_text("64Q-demo · t1.ipynb")
    rows.nth(1).get_by_role("button").first.click()
    expect(listed(panel)).to_have_count(0)
    assert [each["id"] for each in panel.commands("resume")] == ["ab"]
    opened(panel).get_by_role("button", name="Which qubits lost T1", exact=False).first.click()
    expect(listed(panel)).to_have_count(0)
    assert len(panel.commands("resume")) == 1  # that one is open


def test_words_look_in_all_of_them(panel: PanelPage) -> None:
    shown = opened(panel)
    shown.get_by_role("searchbox", name="Search conversations").fill("warm-up")
    panel.page.wait_for_function("kit.commands('conversations').some(({ words }) => words === 'warm-up')")
    show(panel, words="warm-up")
    expect(shown).to_contain_text("No conversations found.")
    show(panel)
    expect(shown).to_contain_text("No conversations yet.")
    show(panel, state="failed", message="The conversations cannot be read.")
    expect(shown.get_by_role("alert")).to_have_text("The conversations cannot be read.")


def test_where_the_words_stand_is_shown_and_comes_into_sight(panel: PanelPage) -> None:
    turns = [turn(f"a{number}", question=f"Question {number}", blocks=[text("So. " * 200)]) for number in range(9)]
    shown = opened(panel, kept("ab", "Readout", snippet="…after the warm-up of the fridge…", turn_id="a2"))
    expect(shown.get_by_role("listitem")).to_contain_text("…after the warm-up of the fridge…")
    shown.get_by_role("button", name="Readout").first.click()
    panel.snapshot(conversation(conversation="ab", turns=turns))
    expect(panel.turns.nth(2).get_by_role("heading", name="Question 2")).to_be_in_viewport()
    expect(panel.turns.nth(4)).not_to_be_in_viewport()
    opened(panel, kept("ab", "Readout", snippet="…", turn_id="a5")).get_by_role("button", name="Readout").first.click()
    expect(panel.turns.nth(5).get_by_role("heading", name="Question 5")).to_be_in_viewport()


def test_a_title_is_typed_kept_by_enter_and_left_by_escape(panel: PanelPage) -> None:
    shown = opened(panel)
    for key, sent in (("Escape", []), ("Enter", [("ab", "June")])):
        shown.get_by_role("listitem").nth(1).hover()
        shown.get_by_role("button", name="More: Readout").click()
        shown.get_by_role("menuitem", name="Rename").click()
        box = shown.get_by_role("textbox", name="Title")
        expect(box).to_be_focused()
        box.fill("June")
        panel.page.keyboard.press(key)
        expect(box).to_have_count(0)
        assert [(each["id"], each["title"]) for each in panel.commands("rename")] == sent


def test_deleting_asks_once(panel: PanelPage) -> None:
    shown = opened(panel)
    row = shown.get_by_role("listitem").nth(2)
    for answer, sent in (("Keep", []), ("Delete", ["ef"])):
        row.hover()
        shown.get_by_role("button", name="More: T2").click()
        shown.get_by_role("menuitem", name="Delete").click()
        expect(row).to_contain_text("Permanently delete")
        expect(row.get_by_role("button", name="Keep")).to_be_focused()
        row.get_by_role("button", name=answer, exact=True).click()
        assert [each["id"] for each in panel.commands("delete")] == sent


def test_one_is_saved_without_being_opened(panel: PanelPage) -> None:
    shown = opened(panel)
    for place, name, format_ in ((0, "Save as notebook", "ipynb"), (2, "Save as Markdown", "md")):
        row = shown.get_by_role("listitem").nth(place)
        row.hover()
        row.get_by_role("button", name="More:").click()
        row.get_by_role("menuitem", name=name).click()
        asked = panel.commands("export")[-1]
        assert (asked["id"], asked["format"]) == (ROWS[place]["id"], format_)
        with panel.page.expect_download() as saved:
            panel.receive({"v": 1, "type": "file", "file_id": asked["file_id"], "left": 0, "text": "{}"})
    assert saved.value.suggested_filename == "T2 の推移は conversation.md"
    assert panel.commands("resume") == []


def test_a_new_conversation_can_be_undone_for_ten_seconds(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text("Fine.")])]))
    panel.page.clock.install()
    panel.button("New conversation").click()
    assert len(panel.commands("new")) == 1
    panel.snapshot(conversation(turns=[]))
    notice = panel.page.get_by_text("New conversation started.")
    expect(notice).to_be_visible()
    panel.button("Undo").click()
    expect(notice).to_have_count(0)
    assert len(panel.commands("undo_new")) == 1

    panel.snapshot(conversation(turns=[turn(blocks=[text("Fine.")])]))
    panel.button("New conversation").click()
    expect(notice).to_be_visible()
    panel.page.clock.run_for(11_000)
    expect(notice).to_have_count(0)
    load_anew(panel.page)


def test_without_a_question_there_is_nothing_to_undo(panel: PanelPage) -> None:
    panel.button("New conversation").click()
    assert len(panel.commands("new")) == 1
    expect(panel.page.get_by_text("New conversation started.")).to_have_count(0)

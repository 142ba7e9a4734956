"""What the question box completes, with the kernel's table: forms and the words of their slots, by keyboard."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import Locator, expect

from qdash_jupyter.llm.offline.completion import completions
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.operations import can_answer
from tests.lab.bare_panel import PanelPage, conversation, inside, running, text, turn
from tests.lab.in_browser import shot
from tests.llm.offline.asking import NOW

pytest_plugins = ("tests.lab.panel_page",)

TABLES = completions(NOW, ["CheckRabi", "CheckT1"], [(NOW - timedelta(days=days)).date() for days in range(40)])
WORST = "worst 5 qubits by Readout Fidelity · newest values"


def mention(name: str) -> dict[str, object]:
    return {"name": name, "kind": "coupling" if "-" in name else "qubit", "about": "", "rows": None}


MENTIONS = [mention(f"Q{n:02d}") for n in range(64)] + [mention(f"Q{n:02d}-Q{n + 1:02d}") for n in range(63)]


@pytest.fixture
def panel(panel: PanelPage) -> PanelPage:
    """With the table of the demo chip."""
    panel.snapshot(conversation(completions=TABLES, mentions=MENTIONS))
    return panel


def options(panel: PanelPage) -> Locator:
    return panel.page.get_by_role("listbox", name="Completions").get_by_role("option")


def test_a_form_is_taken_by_tab_and_sent_by_enter(panel: PanelPage) -> None:
    panel.box.press_sequentially("wor")
    expect(options(panel).first).to_have_text(WORST)
    expect(panel.page.get_by_text("2 completions")).to_be_attached()  # for ears
    expect(panel.box).not_to_have_attribute("aria-activedescendant", "")
    shot(panel.page, "completion")
    panel.box.press("Tab")
    expect(panel.box).to_have_value(WORST)
    expect(panel.box).to_be_focused()
    expect(options(panel)).to_have_count(0)
    assert panel.commands("ask") == panel.commands("mentions") == []  # the kernel was asked nothing
    panel.box.press("Enter")
    assert [each["text"] for each in panel.commands("ask")] == [WORST]


def test_enter_sends_what_is_typed_unless_something_is_chosen(panel: PanelPage) -> None:
    panel.box.press_sequentially("heatmap of T")
    expect(options(panel).nth(1)).to_have_text("T2 Echoparameter")
    for key, chosen in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", -1), ("ArrowUp", 5)):
        panel.box.press(key)
        expect(options(panel).and_(panel.page.locator("[aria-selected=true]"))).to_have_count(int(chosen >= 0))
    expect(options(panel).nth(5)).to_have_attribute("aria-selected", "true")
    named = options(panel).nth(5).get_attribute("id") or "none"
    expect(panel.box).to_have_attribute("aria-activedescendant", named)
    panel.box.press("ArrowUp")
    panel.box.press("ArrowUp")
    panel.box.press("ArrowUp")
    panel.box.press("ArrowUp")
    panel.box.press("Enter")
    expect(panel.box).to_have_value("heatmap of T2 Echo ")
    assert panel.commands("ask") == []
    # What may follow is offered at once, and Enter sends.
    expect(options(panel).first).to_have_text("heatmap of T2 Echo · newest values")
    panel.box.press("Enter")
    assert [each["text"] for each in panel.commands("ask")] == ["heatmap of T2 Echo"]
    expect(options(panel)).to_have_count(0)


def test_escape_closes_the_completions_for_the_word_and_stops_nothing(panel: PanelPage) -> None:
    panel.snapshot(conversation(completions=TABLES, mentions=MENTIONS, turns=[running()]))
    panel.box.press_sequentially("wor")
    panel.box.press("Escape")
    expect(options(panel)).to_have_count(0)
    panel.box.press_sequentially("st")
    expect(options(panel)).to_have_count(0)
    panel.box.press_sequentially(" 3")
    expect(options(panel).first).to_have_text("worst 3 qubits by Readout Fidelity · newest values")
    panel.box.press("Home")  # the cursor is where nothing is completed
    expect(options(panel)).to_have_count(0)
    assert panel.commands("stop") == []
    panel.box.press("Escape")
    assert len(panel.commands("stop")) == 1


def test_a_word_in_the_middle_is_completed_and_the_rest_stays(panel: PanelPage) -> None:
    panel.box.fill("worst 5 qubits by  · newest values")
    for _ in range(len(" · newest values")):
        panel.box.press("ArrowLeft")
    panel.box.press_sequentially("T2 E")
    expect(options(panel).first).to_contain_text("T2 Echo")
    options(panel).first.click()
    expect(panel.box).to_have_value("worst 5 qubits by T2 Echo · newest values")
    panel.box.press_sequentially("!")
    expect(panel.box).to_have_value("worst 5 qubits by T2 Echo! · newest values")


def test_nothing_is_in_the_way_of_composing_names_and_earlier_questions(panel: PanelPage) -> None:
    panel.snapshot(conversation(completions=TABLES, mentions=MENTIONS, turns=[turn(question="T1 of Q05")]))
    keyboard = panel.page.context.new_cdp_session(panel.page)
    panel.box.focus()
    keyboard.send("Input.imeSetComposition", {"text": "量子ビット", "selectionStart": 5, "selectionEnd": 5})
    expect(panel.box).to_have_value("量子ビット")
    expect(options(panel)).to_have_count(0)
    keyboard.send("Input.insertText", {"text": "量子ビット"})
    expect(options(panel).first).to_contain_text("量子ビット · T1が40 μs未満")
    panel.box.fill("")
    expect(options(panel)).to_have_count(0)
    panel.box.press("ArrowUp")
    expect(panel.box).to_have_value("T1 of Q05")
    expect(options(panel)).to_have_count(0)
    panel.box.press("ArrowDown")
    panel.box.press_sequentially("T1 of @Q0")
    expect(options(panel)).to_have_count(0)
    expect(panel.page.get_by_role("listbox", name="Names")).to_be_visible()
    panel.box.press("Tab")
    expect(panel.box).to_have_value("T1 of @Q00 ")


def test_a_language_model_is_written_to_as_one_likes(panel: PanelPage) -> None:
    panel.snapshot(conversation())
    panel.box.press_sequentially("wor")
    expect(panel.page.get_by_role("listbox")).to_have_count(0)
    expect(panel.button("What can I ask?")).to_have_count(0)


TYPED = ("T1", "T1 of Q07 ", "which qubits have a T1 b", "readout of Q1", "what is", "med", "compare Q03, ", "best 3 c")
TYPED_JA = ("T1の", "Q07の", "読み出し", "量子ビット", "T1が", "失敗", "メモ", "Q03、Q07")


def test_every_whole_question_that_is_shown_can_be_answered(panel: PanelPage) -> None:
    shown: set[str] = set()
    for typed in (*TYPED, *TYPED_JA):
        panel.box.fill(typed)
        expect(options(panel).first).to_be_visible()
        shown |= {*options(panel).locator(":only-child").all_inner_texts()}
    assert len(shown) > 30
    assert [one for one in shown if len(read := queries(one, NOW)) != 1 or not can_answer(read[0])] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_list_fits_a_narrow_panel(panel: PanelPage, theme: str) -> None:
    panel.theme(theme)
    panel.page.evaluate("document.getElementById('place').style.width = '280px'")
    panel.box.press_sequentially("qubits")
    panel.box.press("ArrowDown")
    listbox = panel.page.get_by_role("listbox", name="Completions")
    assert inside(listbox, panel.page.locator(".qdash-panel"))
    assert listbox.evaluate("list => list.scrollWidth <= list.clientWidth")
    shot(panel.page, f"completion-280-{theme}")


def test_what_can_be_asked_is_one_click_away_by_group(panel: PanelPage) -> None:
    panel.button("What can I ask?").click()
    assert [each["text"] for each in panel.commands("ask")] == ["What can I ask?"]
    choices, headings = ["how is the chip", "which parameters", WORST], ["The chip", "The chip", "Which qubits"]
    answered = turn(blocks=[text("Questions like these:")], choices=choices, headings=headings)
    panel.snapshot(conversation(completions=TABLES, turns=[answered]))
    replies = panel.page.get_by_role("group", name="Replies")
    expect(replies.get_by_role("heading")).to_have_text(["The chip", "Which qubits"])
    expect(replies.get_by_role("button")).to_have_text(choices)
    replies.get_by_role("button").nth(2).click()
    assert panel.commands("ask")[-1]["text"] == WORST

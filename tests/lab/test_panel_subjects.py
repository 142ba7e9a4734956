"""What a question is about, chosen in the panel: a result or a cell. And the model that is asked, and the greeting."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.lab.bare_panel import PanelPage, conversation, found, result, starter, text, turn

pytest_plugins = ("tests.lab.panel_page",)

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CELL = {"label": "[7]", "code": "\nfit.plot()", "output": "", "pictures": [PIXEL], "left_out": []}
MODELS = [
    {"name": "offline", "label": "offline planner", "endpoint": "in the kernel", "asked": True},
    {"name": "lab", "label": "gpt-oss-120b", "endpoint": "llm.lab.example:8000/v1", "asked": False},
]


def about(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = conversation()["about"] | changes
    return made


def show_results(panel: PanelPage, *rows: dict[str, Any], **changes: Any) -> None:
    panel.patch({"op": "set", "key": "results", "value": found(*rows, **changes)})


def results(panel: PanelPage) -> Locator:
    return panel.page.get_by_role("region", name="Results")


def choose(panel: PanelPage) -> None:
    panel.button("Analyze a result").click()
    show_results(panel, result(), result("CheckRamsey", "12"))
    results(panel).get_by_role("button", name="CheckT1 · Q07").click()


def test_a_result_is_chosen_and_asked_about_without_a_word(panel: PanelPage) -> None:
    panel.button("Analyze a result").click()
    panel.page.wait_for_function("kit.commands('find').length === 1")
    assert [each["words"] for each in panel.commands("find")] == [""]
    expect(results(panel).get_by_role("status")).to_have_text("Loading results")
    failed = result("CheckT2Echo", "63", status="failed", values=[], execution_id="run-2")
    show_results(panel, result(), failed, more=True)
    expect(results(panel).get_by_role("listitem")).to_have_count(2)
    expect(results(panel)).to_contain_text("Newest 2 results.")
    expect(results(panel).get_by_role("listitem").nth(0)).to_contain_text("t1 61.4 ± 1.9 μs")
    expect(results(panel).get_by_role("listitem").nth(1)).to_contain_text("failed")

    results(panel).get_by_role("button", name="CheckT1 · Q07").click()
    expect(results(panel)).to_have_count(0)
    expect(panel.box).to_be_focused()
    expect(panel.box).to_have_attribute("placeholder", "Ask about this result, or just send")
    panel.button("Send").click()
    expect(panel.turns.last).to_contain_text("Analyze CheckT1 of 7 in run 20260620-000")
    [asked] = panel.commands("ask")
    chosen = {"task": "CheckT1", "qid": "7", "execution_id": "20260620-000", "task_id": "CheckT1-7"}
    assert (asked["text"], asked["analysis"], asked["cell"]) == ("", chosen, None)


def test_the_next_question_is_about_nothing_unless_it_is_chosen_again(panel: PanelPage) -> None:
    choose(panel)
    panel.box.fill("Why so low?")
    panel.page.keyboard.press("Enter")
    panel.snapshot(conversation(turns=[turn(question="Why so low?", blocks=[text("So.")])]))
    expect(panel.button("Detach")).to_have_count(0)
    assert panel.ask("And now?")["analysis"] is None
    assert [each["text"] for each in panel.commands("ask")] == ["Why so low?", "And now?"]


def test_what_was_chosen_can_be_left_out(panel: PanelPage) -> None:
    choose(panel)
    panel.button("Detach").click()
    expect(panel.button("Send")).to_be_disabled()
    assert panel.ask("How is the chip?")["analysis"] is None


def test_a_refused_question_comes_back_with_what_it_was_about(panel: PanelPage) -> None:
    choose(panel)
    asked = panel.ask("Why so low?")
    panel.ack(asked["ask_id"], ok=False, message="The last question is still running.")
    expect(panel.box).to_have_value("Why so low?")
    expect(panel.button("Detach")).to_be_visible()
    assert panel.ask("Why so low?")["analysis"] == asked["analysis"]


def test_words_are_looked_for_once_typing_pauses(panel: PanelPage) -> None:
    panel.button("Analyze a result").click()
    # In one go: a busy machine pauses between two keys.
    panel.page.get_by_role("searchbox", name="Task, qubit or status").evaluate(
        """(box, typed) => {
            for (const words of typed) {
                box.value = words;
                box.dispatchEvent(new InputEvent('input', { bubbles: true }));
            }
        }""",
        ["t", "t1", "t1 Q07"],
    )
    panel.page.wait_for_function("kit.commands('find').some(({ words }) => words === 't1 Q07')")
    assert [each["words"] for each in panel.commands("find")] == ["", "t1 Q07"]
    show_results(panel, words="t1 Q07")
    expect(results(panel)).to_contain_text("No results found.")
    show_results(panel, words="t1 Q99", state="failed", message="There is no qubit 'Q99' on chip '64Q-demo'.")
    expect(results(panel).get_by_role("alert")).to_contain_text("There is no qubit 'Q99'")


def test_other_data_are_looked_through_anew(panel: PanelPage) -> None:
    panel.button("Analyze a result").click()
    show_results(panel, result())
    expect(results(panel).get_by_role("listitem")).to_have_count(1)
    panel.patch({"op": "set", "key": "results", "value": None})
    panel.page.wait_for_function("kit.commands('find').length === 2")


def test_a_cell_is_asked_about(panel: PanelPage) -> None:
    panel.page.evaluate("cell => kit.tell('chosen', cell)", CELL)
    expect(panel.page.get_by_text("Cell [7] · fit.plot()")).to_be_visible()
    panel.button("Send").click()
    expect(panel.turns.last).to_contain_text("Explain the output of cell [7]")
    [asked] = panel.commands("ask")
    assert (asked["text"], asked["analysis"], asked["cell"]) == ("", None, CELL)


def test_the_answer_shows_what_it_is_about(panel: PanelPage) -> None:
    figures = [
        {"title": "Figure of this result: 1.png", "mime": "image/png", "data": PIXEL, "left_out": ""},
        {"title": "Figure of this result: 2.png", "mime": "image/png", "data": "", "left_out": "it is no PNG file"},
        {"title": "Figure of this result: 3.png", "mime": "image/png", "data": "", "left_out": ""},
    ]
    subject = {"id": "subject", "kind": "subject", "title": "CheckT1 · Q07", "details": "completed", "figures": figures}
    panel.snapshot(conversation(turns=[turn(blocks=[subject, text("T1 fell.")], assessment="bad")]))
    answer = panel.turns.first
    shown = answer.get_by_role("img", name="Figure of this result: 1.png")
    expect(shown).to_have_js_property("naturalWidth", 1)
    expect(answer).to_contain_text("2.png: it is no PNG file")
    expect(answer).to_contain_text("3.png: available only while the kernel runs")
    words = answer.inner_text()
    assert words.index("CheckT1 · Q07") < words.index("Bad") < words.index("T1 fell.")


def test_the_model_is_chosen_in_the_box(panel: PanelPage) -> None:
    panel.snapshot(conversation(about=about(models=MODELS)))
    opener = panel.page.get_by_role("button", name="Model: offline planner")
    opener.click()
    choices = panel.page.get_by_role("menuitemradio")
    expect(choices).to_have_count(2)
    expect(choices.nth(0)).to_be_checked()
    expect(choices.nth(1)).to_contain_text("llm.lab.example:8000/v1")
    panel.page.keyboard.press("ArrowDown")
    panel.page.keyboard.press("Enter")
    [command] = panel.commands("use_model")
    assert command["name"] == "lab"
    panel.ack(command["n"], ok=True)
    panel.ack(command["n"], ok=False, message="The last question is still running.")


def test_models_of_this_machine_are_looked_for_after_a_click(panel: PanelPage) -> None:
    panel.snapshot(conversation(about=about(models=MODELS[:1])))
    panel.page.get_by_role("button", name="Model: offline planner").click()
    assert panel.commands("find_models") == []
    panel.page.get_by_role("menuitem", name="Find models on this machine").click()
    assert len(panel.commands("find_models")) == 1


CHIPS = [
    {"id": "64Q-demo", "project": "demo", "qubits": 64, "status": "active", "current": True},
    {"id": "144Q <b>new</b>", "project": "demo", "qubits": 144, "status": "", "current": False},
]


def test_the_chip_is_chosen_in_the_header(panel: PanelPage) -> None:
    panel.snapshot(conversation(about=about(chips=CHIPS)))
    panel.page.get_by_role("button", name="Chip: 64Q-demo, project demo").click()
    choices = panel.page.get_by_role("menuitemradio")
    expect(choices.nth(0)).to_be_checked()
    expect(choices.nth(1)).to_have_text("144Q <b>new</b>demo · 144 qubits")
    choices.nth(1).click()
    [command] = panel.commands("use_chip")
    assert (command["project"], command["chip"]) == ("demo", "144Q <b>new</b>")
    panel.ack(command["n"], ok=False, message="There is no such chip any more.")
    expect(panel.page.get_by_role("alert")).to_contain_text("There is no such chip any more.")


def test_one_chip_is_no_choice(panel: PanelPage) -> None:
    panel.snapshot(conversation(about=about(chips=CHIPS[:1])))
    expect(panel.page.locator(".qd-bound")).to_have_text("64Q-demo")
    expect(panel.page.get_by_role("button", name="Chip:")).to_have_count(0)


def test_the_settings_greet(panel: PanelPage) -> None:
    own = [starter("Which qubits lost T1?", "T1 losses")]
    panel.snapshot(conversation(about=about(greeting="Fridge 2. <b>Ask</b> away."), starters=own))
    expect(panel.page.get_by_text("Fridge 2. <b>Ask</b> away.")).to_be_visible()
    panel.button("T1 losses").click()
    expect(panel.box).to_have_value("Which qubits lost T1?")


LOOK = {
    "endpoint": "llm.example.com",
    "model": "gpt-<x>",
    "goes": ["your questions", "names, types and shapes of your variables"],
    "stays": "Tables stay in this kernel. `%copilot sent` shows what went.",
}


def test_nothing_is_asked_before_one_look_at_what_goes(panel: PanelPage) -> None:
    panel.snapshot(conversation(about=about(look=LOOK, models=MODELS)))
    card = panel.page.get_by_role("region", name="Before your first question to llm.example.com")
    expect(card).to_contain_text("This is sent to gpt-<x>:")
    expect(card.get_by_role("listitem")).to_have_text(LOOK["goes"])
    expect(card).to_contain_text("%copilot sent shows what went.")
    expect(card.locator("code")).to_have_text("%copilot sent")
    panel.box.fill("How is the chip?")
    expect(panel.button("Send")).to_be_disabled()
    expect(panel.page.get_by_role("button", name="Model: ")).to_be_visible()  # another one may be chosen instead
    panel.button("Allow llm.example.com").click()
    assert [each["endpoint"] for each in panel.commands("agree")] == ["llm.example.com"]
    panel.patch({"op": "set", "key": "about", "value": about(models=MODELS)})
    expect(card).to_have_count(0)
    expect(panel.box).to_have_value("How is the chip?")
    expect(panel.button("Send")).to_be_enabled()

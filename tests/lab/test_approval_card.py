"""The card of what waits for a yes: what it says and shows by where it would run, and who can press its buttons."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.lab.bare_panel import Json, PanelPage, conversation, step, turn

pytest_plugins = ("tests.lab.panel_page",)

EFFECT = {"does": "uses", "what": "awg.output_on()", "kind": "unknown", "note": "SignalGenerator"}


def waiting(runs: str, code: str = "awg.output_on()", **changes: Any) -> Json:
    """A conversation whose only step waits for a yes."""
    approval = {"proposal_id": "p1", "hash": "h1", "runs": runs, "effects": [EFFECT], "state": "asked"}
    asking = step(state="running", elapsed_s=None, code=code, approval=approval | changes)
    return conversation(turns=[turn(state="waiting", elapsed_s=None, status="Waiting for you", blocks=[asking])])


def test_the_key_approves_only_what_is_in_sight_and_only_when_pressed(panel: PanelPage) -> None:
    panel.snapshot(waiting("kernel"))
    expect(panel.button("Run in my kernel")).to_be_visible()
    panel.page.evaluate("""document.addEventListener('keydown', event => {
        if (event.key === 'F8') kit.tell('pressed', 'approve');
        if (event.key === 'F9') setTimeout(() => kit.tell('pressed', 'approve'), 300);  // held by an editor
    })""")
    panel.page.evaluate("kit.tell('pressed', 'approve')")  # a script
    panel.page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8', bubbles: true }))")
    assert panel.commands("decide") == []
    panel.page.evaluate("document.getElementById('place').style.display = 'none'")
    before = len(panel.events("attend"))
    panel.page.keyboard.press("F8")
    assert panel.commands("decide") == []
    assert len(panel.events("attend")) == before + 1
    panel.page.evaluate("document.getElementById('place').style.display = ''")
    panel.page.keyboard.press("F9")
    expect(panel.button("Run in my kernel")).to_be_disabled()
    assert [(each["proposal_id"], each["verdict"]) for each in panel.commands("decide")] == [("p1", "approved")]
    panel.page.evaluate("kit.tell('pressed', 'stop')")
    assert len(panel.commands("stop")) == 1


@pytest.mark.parametrize(
    ("runs", "title", "buttons"),
    [
        ("session", "Run this cell?", ["Run", "Edit", "Reject"]),
        ("kernel", "Run this in your kernel?", ["Run in my kernel", "Edit", "Reject"]),
        ("tool", "Allow this call?", ["Approve", "Approve this tool in this conversation", "Reject"]),
    ],
)
def test_the_card_asks_by_where_it_would_run(panel: PanelPage, runs: str, title: str, buttons: list[str]) -> None:
    panel.snapshot(waiting(runs))
    card = panel.page.get_by_role("region", name=title)
    expect(card.get_by_role("button")).to_have_text(buttons)
    expect(card.get_by_role("listitem")).to_have_text("uses awg.output_on() (SignalGenerator)")
    line = panel.turns.get_by_role("button", expanded=False).first
    expect(line).to_contain_text("Waiting for you")
    expect(line).not_to_contain_text("Reading a parameter")
    expect(line.get_by_role("img")).to_have_count(0)

    for label in buttons:  # clicks of a script
        panel.button(label).evaluate("button => button.click()")
    assert panel.commands("decide") == []
    expect(panel.page.get_by_role("textbox", name="Code")).to_have_count(0)
    panel.page.evaluate("document.getElementById('place').style.width = '240px'")
    assert card.evaluate("node => node.scrollWidth <= node.clientWidth")
    panel.button(buttons[1]).click()
    if runs == "tool":
        assert [(each["verdict"], each["standing"]) for each in panel.commands("decide")] == [("approved", True)]
    else:
        panel.page.get_by_role("textbox", name="Code").fill("1 + 1")
        panel.button("Check again").click()
        decided = [(each["verdict"], each["standing"], each["code"]) for each in panel.commands("decide")]
        assert decided == [("edited", False, "1 + 1")]


def test_every_line_of_what_would_run_is_reached(panel: PanelPage) -> None:
    lines = [f"value_{n} = {n}" for n in range(1, 60)] + ["last = " + " + ".join(["value_1"] * 40)]
    panel.snapshot(waiting("kernel", "\n".join(lines)))
    card = panel.page.get_by_role("region", name="Run this in your kernel?")
    expect(card).to_contain_text("60 lines")
    code = card.get_by_label("Code")
    assert code.evaluate("node => node.textContent") == "\n".join(lines)
    code.focus()
    panel.page.keyboard.press("End")
    at_end = "node => node.scrollTop + node.clientHeight >= node.scrollHeight - 1"
    panel.page.wait_for_function(at_end, arg=code.element_handle())
    assert code.evaluate("node => node.scrollWidth <= node.clientWidth"), "long lines go on below"
    expect(card.get_by_role("button", name="Run in my kernel")).to_be_in_viewport()
    panel.page.wait_for_function("kit.events.some(each => each.type === 'highlight')")
    assert {event["detail"]["language"] for event in panel.events("highlight")} == {"ipython"}
    panel.button("Edit").click()
    panel.button("Cancel").click()
    assert code.evaluate("node => node.textContent") == "\n".join(lines)


def test_characters_that_are_not_seen_are_shown_as_such(panel: PanelPage) -> None:
    """They would turn the line around, or hide a part of it: what is approved has to be what is read."""
    panel.snapshot(waiting("kernel", "awg.on()  # \u202e)(ffo\u2066\u200b\x07\x1b[2J"))
    card = panel.page.get_by_role("region", name="Run this in your kernel?")
    expect(card).to_contain_text("awg.on()")
    shown = card.inner_text()
    assert not [sign for sign in "\u202e\u2066\u200b\x07\x1b" if sign in shown]

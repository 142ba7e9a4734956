"""Where the panel stands: how it scrolls, fits and follows the theme, in other front-ends, and more than once."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.lab.bare_panel import CHART, ROWS, TABLE, PanelPage, conversation, frame, running, step, text, turn
from tests.patience import until

pytest_plugins = ("tests.lab.panel_page",)


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
    effect = {"does": "calls", "what": "awg.output_on()", "kind": "hardware", "note": ""}
    approval = {
        "proposal_id": "p1",
        "hash": "h",
        "runs": "kernel",
        "effects": [effect],
        "state": "asked",
        "by": "",
        "reason": "",
    }
    asking = step("s1", state="running", elapsed_s=None, code="awg.output_on()", approval=approval)
    panel.patch({"op": "block", "turn_id": "a1", "block": asking})
    expect(panel.turns).to_contain_text("Run this in your kernel?")
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
    error = {"id": "e1", "kind": "error", "title": "No answer.", "hint": ""}
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
        {"id": "e1", "kind": "error", "title": long, "hint": long},
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


def test_without_a_labextension_commands_go_over_the_model(panel_page: Page) -> None:
    panel_page.evaluate("kit.hosted = false; document.getElementById('place').removeAttribute('role')")
    panel_page.evaluate("kit.mount()")
    panel = PanelPage(panel_page)
    panel.snapshot(conversation(turns=[turn(blocks=[step(frame_key="t1", frame_gone=True)])]))
    expect(panel_page.get_by_role("region", name="QDash Copilot")).to_contain_text("doesn't insert cells")
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

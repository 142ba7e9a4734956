"""Keys of servers, typed in the panel."""

import pytest
from playwright.sync_api import expect

from tests.lab.bare_panel import ROWS, TABLE, PanelPage, conversation, inside, running, step, text, turn
from tests.lab.in_browser import shot

pytest_plugins = ("tests.lab.panel_page",)


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
    expect(panel.page.get_by_text("Answer in the panel beside the notebook.")).to_have_count(1)


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

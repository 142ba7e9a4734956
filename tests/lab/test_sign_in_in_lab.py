"""An MCP server that wants a key, in a real JupyterLab: it is typed in the panel, and the model's call goes through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.lab.in_browser import SLOW_MS, Lab, Notebook, shot
from tests.lab.in_panel import Panel, configured, text_answer
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.tool_sets.web_lab import WebLab, calls, web_lab

KEY = "fridge-key-246813579"
OTHER = "another-key-135792468"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebLab]:
    with web_lab(tmp_path / "done.txt", KEY) as made:
        yield made


def opened(lab: Lab, page: Page, model: ScriptedServer, web: WebLab, name: str) -> tuple[Notebook, Panel]:
    """A notebook in a folder whose settings name the server, with the copilot started."""
    folder = lab.folder / name
    folder.mkdir()
    settings = {"tool_sets": [{"type": "mcp", "name": "fridge", "url": web.url}]}
    (folder / "copilot.yaml").write_text(json.dumps(settings), encoding="utf-8")
    notebook = Notebook.show(page, lab, lab.write_notebook(f"{name}/a.ipynb", ""))
    notebook.run(f"{configured(model.base_url)}; os.environ['QDASH_COPILOT_TRUST'] = {str(folder)!r}")
    panel = Panel.open(notebook)
    panel.region.get_by_role("button", name="Start the copilot").click()
    return notebook, panel


def field(panel: Panel) -> Locator:
    return panel.region.get_by_label("Key for fridge")


def holding(key: str, folder: Path) -> list[Path]:
    """The files on disk in which it stands."""
    return [path for path in folder.rglob("*") if path.is_file() and key.encode() in path.read_bytes()]


@pytest.mark.long  # test_panel_keys_typed.py types
def test_the_key_is_typed_once_before_and_once_in_a_question(
    lab: Lab, page: Page, model: ScriptedServer, web: WebLab, tmp_path: Path
) -> None:
    """And it stands in none of the files that a copilot writes."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    notebook, panel = opened(lab, page, model, web, "keys")
    expect(field(panel)).to_be_visible(timeout=SLOW_MS)
    shot(page, "lab-sign-in-start")
    field(panel).fill(KEY)
    field(panel).press("Enter")
    panel.wait_until_ready()
    expect(panel.region.get_by_role("region", name="Sign in")).to_have_count(0)
    expect(panel.region.get_by_role("region", name="Initialization issues")).to_have_count(0)

    model.add(call_turn(("fridge_read_temperature", {"stage": "mxc"})))
    model.add(text_turn(text_answer("It is at 10.5 mK.")))
    web.key = OTHER  # the lab has changed it since
    turn = panel.ask("How cold is the fridge?")
    expect(field(panel)).to_be_visible(timeout=SLOW_MS)
    field(panel).fill(OTHER)
    shot(page, "lab-sign-in-turn")
    panel.button("Sign in").click()
    panel.expect_state(turn, "done")
    expect(field(panel)).to_have_count(0)
    expect(turn).to_contain_text("It is at 10.5 mK.")
    assert calls(tmp_path / "done.txt", "read_temperature") == [{"stage": "mxc"}]
    notebook.run("%copilot sent")
    page.keyboard.press("ControlOrMeta+s")
    assert holding("How cold is the fridge?", lab.folder.parent)  # the conversation is among them
    for key in (KEY, OTHER):
        assert key not in page.content()
        assert holding(key, lab.folder.parent) == []
        assert key not in json.dumps([said, *(request.body for request in model.requests)])


@pytest.mark.long
def test_not_now_is_an_issue_and_the_work_goes_on(lab: Lab, page: Page, model: ScriptedServer, web: WebLab) -> None:
    _, panel = opened(lab, page, model, web, "not-now")
    expect(field(panel)).to_be_visible(timeout=SLOW_MS)
    panel.button("Not now").click()
    panel.wait_until_ready()
    expect(field(panel)).to_have_count(0)
    expect(panel.region.get_by_role("region", name="Initialization issues")).to_contain_text("fridge", timeout=SLOW_MS)
    shot(page, "lab-sign-in-not-now")
    model.add(text_turn(text_answer("Without it, then.")))
    expect(panel.answer("Hello")).to_contain_text("Without it, then.")

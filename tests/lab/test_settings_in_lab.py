"""What is set in JupyterLab: the language of the page, and the copilot's settings in the settings editor."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.lab.in_browser import SLOW_MS, Lab, Notebook, follow, shot
from tests.lab.in_panel import Panel
from tests.lab.test_languages import SEEN, english_in
from tests.patience import until

TYPED = "levels = {number: number ** 2 for number in range(64)}  # typed without a pause"


def type_at_once(notebook: Notebook) -> None:
    """Thirty keys a second, from the first moment at which there is a cell to type into: a panel opens meanwhile."""
    notebook.cells.last.locator(".cm-content").click(timeout=SLOW_MS)
    notebook.page.keyboard.type(TYPED, delay=33)


@pytest.mark.long  # a page and a kernel of its own; test_languages.py has the languages of the panel
def test_what_is_set_in_jupyterlab_counts_below_the_folders_own_file(lab: Lab, page: Page) -> None:
    """JupyterLab is asked for Japanese, without a language pack, and the copilot is to start by itself: both count when
    a page is loaded, which takes some seconds. Then the settings editor for English: no reload.
    """
    home = lab.folder / "set"
    home.mkdir()
    (home / "copilot.yaml").write_text("limits: {max_seconds: 77}\n", encoding="utf-8")
    headers = {"Authorization": f"token {lab.token}"}
    locale = f"{lab.url}lab/api/settings/@jupyterlab/translation-extension:plugin"
    ours = f"{lab.url}lab/api/settings/qdash-jupyter:copilots"
    wider = page.request.put(ours, headers=headers, data={"raw": '{"policy": "trusted"}'})
    assert wider.status == 400  # there is no such setting
    own = '{"start": "yes", "language": {"response": "ja"}, "limits": {"max_seconds": 5}}'
    for kept, raw in ((locale, '{"locale": "ja_JP"}'), (ours, own)):
        put = page.request.put(kept, headers=headers, data={"raw": raw})
        assert put.ok, put.text()
    tab, sent = page.context.new_page(), list[str]()
    tab.on("websocket", lambda socket: follow(socket, sent))
    try:
        notebook, panel = Notebook(tab), Panel(tab)
        tab.goto(lab.address(lab.write_notebook("set/in Japanese.ipynb", "")))
        type_at_once(notebook)
        box = panel.region.get_by_role("textbox", name="copilotに質問")
        expect(box).to_be_enabled()
        expect(notebook.cells.locator(".cm-content")).to_have_text(TYPED)
        expect(box).to_have_value("")
        assert any('"language":"ja"' in message for message in sent)
        told = notebook.run("%copilot config --explain").locator(".jp-OutputArea-output")
        expect(told.get_by_role("row").filter(has_text="language.response")).to_contain_text("JupyterLabの設定")
        expect(told.get_by_role("row").filter(has_text="limits.max_seconds")).to_contain_text("77")
        expect(told.get_by_role("row").filter(has_text="policy")).to_contain_text("guarded")
        notebook.choose_in_palette("QDash Copilot：質問")
        expect(box).to_be_focused()
        notebook.cells.last.locator(".cm-content").click()
        for shown in (False, True):
            tab.get_by_role("tab", name="QDash Copilot").click()
            expect(box).to_be_visible(visible=shown)
        expect(box).to_be_focused()

        notebook.run("%unload_ext qdash_jupyter")
        start = panel.region.get_by_role("button", name="copilotを開始")
        expect(start).to_be_visible()
        assert english_in(panel.region) == ["in Japanese.ipynb · Python 3 (ipykernel)"]
        start.click()
        expect(box).to_be_enabled()

        tab.get_by_role("menuitem", name="Settings", exact=True).click()
        tab.get_by_role("menuitem", name=re.compile("^Settings Editor")).click()
        tab.get_by_role("tab", name="QDash Copilot").first.click()
        shot(tab, "settings-editor")
        expect(tab.get_by_text("Rounds of tool calls before the model has to answer").first).to_be_visible()
        tab.locator("select[id$=panel_language]").select_option(label="en")
        expect(panel.box).to_be_visible()
        # What the kernel says it says anew when it has heard of the language; on a busy machine that is a moment later.
        until(lambda: not [each for each in panel.region.evaluate(SEEN) if re.search("[ぁ-んァ-ヶ]", each)])
    finally:
        for kept in (locale, ours):
            page.request.put(kept, headers=headers, data={"raw": "{}"})

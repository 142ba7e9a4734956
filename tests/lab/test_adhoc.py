import re
import pytest
from playwright.sync_api import Page, expect
from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel
from tests.lab.test_languages import english_in

def put(page, lab, plugin, raw):
    h = {"Authorization": f"token {lab.token}"}
    assert page.request.put(f"{lab.url}lab/api/settings/{plugin}", headers=h, data={"raw": raw}).ok

@pytest.mark.parametrize("theme,width", [("light", 360), ("dark", 280)])
def test_look(lab: Lab, page: Page, theme, width):
    put(page, lab, "qdash-jupyter:copilots", '{"panel_language": "ja"}')
    if theme == "dark":
        put(page, lab, "@jupyterlab/apputils-extension:themes", '{"theme": "JupyterLab Dark"}')
    try:
        n = Notebook.open(page, lab, lab.write_notebook(f"look {theme}.ipynb", "df = 1"))
        panel = Panel.open(n)
        region = panel.region
        def shot(name):
            page.wait_for_timeout(600)
            region.screenshot(path=f"/tmp/shots/{theme}-{name}.png")
            print(name, english_in(region))
        page.evaluate("""w => { const h=[...document.querySelectorAll('.lm-SplitPanel-handle')]; }""", width)
        shot("0-welcome")
        page.screenshot(path=f"/tmp/shots/{theme}-page.png")
        region.get_by_role("button", name="コパイロットを開始").click()
        box = region.get_by_role("textbox", name="コパイロットに質問")
        expect(box).to_be_visible(timeout=SLOW_MS)
        expect(region.get_by_text("データベースを開いています")).to_have_count(0, timeout=SLOW_MS)
        # width
        page.evaluate("""w => {
          const r=document.getElementById('qdash-copilot'); const box=r.getBoundingClientRect();
          window.__from=[box.left, box.top+300, w - box.width];}""", width)
        left, top, more = page.evaluate("window.__from")
        page.mouse.move(left - 2, top); page.mouse.down(); page.mouse.move(left - 2 - more, top, steps=6); page.mouse.up()
        shot("1-empty")
        box.fill("過去30日でT1が下がったキュービットはどれ？")
        region.get_by_role("button", name="送信").click()
        turn = region.get_by_role("article").first
        expect(turn).to_have_attribute("data-state", "done", timeout=SLOW_MS)
        shot("2-answer")
        turn.locator(".qd-line").first.click()
        for each in turn.locator(".qd-step .qd-line").all(): each.click()
        region.locator(".qd-transcript").evaluate("n => n.scrollTop = 0")
        shot("3-steps")
        region.locator(".qd-transcript").evaluate("n => n.scrollTop = n.scrollHeight")
        shot("4-end")
        region.get_by_role("button", name="その他").click(); shot("5-menu"); page.keyboard.press("Escape")
        region.get_by_role("button", name="会話の一覧").click(); shot("6-kept")
        region.get_by_role("button", name=re.compile("^データ")).click(); page.wait_for_timeout(500)
        shot("7-data")
        region.locator(".qd-frame .qd-line").first.click(); shot("8-open")
        region.get_by_role("button", name=re.compile("^削除")).first.click(); shot("9-delete")
        region.get_by_role("button", name="残す", exact=True).click()
        region.get_by_role("button", name="測定結果を分析").click(); page.wait_for_timeout(1500); shot("10-results")
        region.locator(".qd-result").first.click(); shot("11-subject")
        region.get_by_role("button", name="送信").click()
        page.wait_for_timeout(4000); shot("12-analysis")
        region.get_by_role("button", name="新しい会話").click(); shot("13-new")
        page.keyboard.press("Control+Shift+c"); page.wait_for_timeout(800); page.keyboard.type("QDash"); page.wait_for_timeout(800)
        page.screenshot(path=f"/tmp/shots/{theme}-palette.png"); page.keyboard.press("Escape")
        n.run("%unload_ext qdash_jupyter"); page.wait_for_timeout(1500); shot("14-lost")
    finally:
        put(page, lab, "qdash-jupyter:copilots", "{}")
        put(page, lab, "@jupyterlab/apputils-extension:themes", "{}")

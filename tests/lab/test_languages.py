"""The panel in Japanese: no word stays in English, and nothing is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.lab.bare_panel import (
    PanelPage,
    conversation,
    found,
    frame,
    load_anew,
    preview,
    queued,
    result,
    starter,
    step,
    text,
    turn,
)

pytest_plugins = ("tests.lab.panel_page",)

# What is the same in every language: names, kinds of files, units, and how a notebook is called.
NAMES = re.compile(
    r"QDash|[Cc]opilot|Jupyter(?:Lab)?|Markdown|Python|Check(?:T1)?|PNG|CSV|UTC|\w+\.ipynb|"
    r"explore\(\)|copilot\.yaml|failed|completed|AWG|python|data\[\"\w+\"\]|awg\.\w+\(\)|[a-z]+(?:_[a-z]+)+"
)

# The visible texts but for code, and what is said of each element.
SEEN = """root => {
    const seen = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement: parent, nodeValue } = walk.currentNode;
        if (nodeValue.trim() && parent.checkVisibility() && !parent.closest('code, pre, .qd-chart-place')) {
            seen.push(nodeValue.trim());
        }
    }
    for (const each of [root, ...root.querySelectorAll('*')]) {
        seen.push(...['aria-label', 'title', 'placeholder', 'alt'].map(name => each.getAttribute(name) ?? ''));
    }
    return [...new Set(seen)].filter(Boolean);
}"""

# What is wider than its button, or leaves the panel. What ends in an ellipsis, or scrolls by itself, is meant to.
CUT_OFF = """root => {
    const inside = root.getBoundingClientRect();
    return [...root.querySelectorAll('button, h3, h4, p, label, [role=menu]')].filter(each => {
        const box = each.getBoundingClientRect();
        const scrolls = each.closest('.qd-scroller, .qd-sr');
        const ends = getComputedStyle(each).textOverflow === 'ellipsis';
        const leaves = box.right > inside.right + 1 || box.left < inside.left - 1;
        const overflows = each.matches('.qd-button, .qd-text-button') && each.scrollWidth > each.clientWidth + 1;
        return box.width > 0 && !scrolls && !ends && (leaves || overflows);
    }).map(each => each.textContent);
}"""

# So much wider than its box is the hint in it.
HINT_LEAVES = """root => {
    const box = root.querySelector('.qd-composer textarea'), style = getComputedStyle(box);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return [box.placeholder, pen.measureText(box.placeholder).width > room];
}"""

EFFECT = {"does": "呼び出し", "what": "awg.output_on()", "kind": "hardware", "note": ""}
APPROVAL = {
    "proposal_id": "p1",
    "hash": "h",
    "runs": "kernel",
    "effects": [EFFECT],
    "state": "asked",
    "by": "",
    "reason": "",
}
SOURCE = {"collection": "task_result_history", "filter": "T1", "count": 1234, "ids": ["00", "01"]}
STEP = {
    "label": "チップ全体のパラメータを取得中…",
    "about": "T1",
    "sources": [SOURCE],
    "frame_key": "t1",
    "cell_id": "c1",
    "cell_place": "notebook",
    "cell_number": 7,
    "code": "print(1)",
    "sent": "{}",
}
FIGURE = {"data": [{"y": [1, 2]}, {"y": [3, 4]}], "layout": {}}
EDIT = {
    "id": "e1",
    "kind": "edit",
    "edit_id": "e",
    "cell_id": "c1",
    "label": "[7]",
    "why": "名前の誤り",
    "lines": [{"kind": "removed", "text": "a"}, {"kind": "added", "text": "b"}],
    "after": "b",
}
THOUGHT = {"id": "th", "kind": "thought", "text": "考えた", "elapsed_s": 2.0}
CHART = {"id": "ch", "kind": "chart", "title": "", "figure": FIGURE, "caption": "", "frame_key": None}
TABLE = {
    "id": "tb",
    "kind": "table",
    "frame_key": "t1",
    "columns": ["名前", "判定"],
    "rows": [[f"Q{n:02d}", "良好"] for n in range(20)],
    "total_rows": 40,
}
ABOUT = conversation()["about"] | {
    "database": "データ",
    "chip": "チップ1",
    "project": "案1",
    "model": "モデル1",
    "endpoint": "カーネル",
}
KEPT = [
    {"id": f"k{n}", "title": f"会話{n}", "changed_at": 1_790_000_000, "notebook": "t1.ipynb", "chip": "64Q"}
    for n in (1, 2)
]


def japanese(**changes: Any) -> dict[str, Any]:
    """A state in which all that the kernel says is Japanese."""
    state = {"about": ABOUT, "starters": [starter("T1が下がったのは？")]} | changes
    return conversation(**state)


def asked(*blocks: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A finished turn of these blocks."""
    meta = {"model": "モデル1", "input_tokens": 100, "output_tokens": 20, "cells": 1}
    return turn(question="どれ？", meta=meta, blocks=list(blocks)) | changes


def english_in(region: Locator) -> list[str]:
    """The texts with a word of English in them."""
    return [each for each in region.evaluate(SEEN) if re.search(r"[A-Za-z]{3}", NAMES.sub("", each))]


@pytest.fixture
def panel_ja(panel: PanelPage) -> Iterator[PanelPage]:
    panel.language = "ja"
    panel.link()
    panel.snapshot(japanese())
    yield panel
    load_anew(panel.page)  # a page keeps the language of its last panel


def look(panel: PanelPage, *, wide: bool = False) -> None:
    """Nothing of what is to be seen now is English, or cut off."""
    root = panel.page.locator(".qdash-panel")
    expect(root).to_have_attribute("lang", "ja")
    panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert english_in(root) == []
    for width in (280, 360):
        panel.page.evaluate("width => { document.getElementById('place').style.width = `${width}px` }", width)
        panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert root.evaluate(CUT_OFF) == [], width


def test_before_a_question_all_is_japanese(panel_ja: PanelPage) -> None:
    expect(panel_ja.page.get_by_role("textbox", name="copilotに質問")).to_have_attribute(
        "placeholder", "チップ1について質問"
    )
    look(panel_ja)
    panel_ja.button("その他").click()
    look(panel_ja)
    issue = {"stage": "tools", "name": "AWG", "message": "見つかりません", "hard": True}
    panel_ja.snapshot(japanese(about=ABOUT | {"issues": [issue], "problems": 3}))
    look(panel_ja)
    failed = ABOUT | {"state": "failed", "message": "データベースを開けません。", "hint": "設定を確認してください。"}
    panel_ja.snapshot(japanese(about=failed))
    look(panel_ja)
    panel_ja.snapshot(japanese(about=failed | {"message": "", "hint": ""}))
    look(panel_ja)
    seen = {"endpoint": "サーバー1", "model": "モデル1", "goes": ["質問"], "stays": "測定値は`送らない`"}
    panel_ja.snapshot(japanese(about=ABOUT | {"look": seen}))
    look(panel_ja)
    sign_in = [{"server": "サーバー1", "address": "ラボ", "variable": "X"}]
    panel_ja.snapshot(japanese(sign_in=sign_in))
    look(panel_ja)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_hint_of_the_question_box_is_whole_in_a_narrow_panel(panel: PanelPage, language: str) -> None:
    panel.page.evaluate("document.getElementById('place').style.width = '280px'")
    panel.language = language
    root = panel.page.locator(".qdash-panel")
    seen: dict[str, bool] = {}
    look = {"endpoint": "api.openai.com", "model": "gpt-5", "goes": [], "stays": ""}
    states = [
        conversation(about=conversation()["about"] | {"look": look}),
        conversation(about=conversation()["about"] | {"state": "failed"}),
        conversation(turns=[asked(choices=["1"])]),
    ]
    for link in ("connecting", "lost", "live"):
        panel.link(link)
        seen |= dict([root.evaluate(HINT_LEAVES)])
    for state in states:
        panel.snapshot(state)
        panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen |= dict([root.evaluate(HINT_LEAVES)])
    assert len(seen) == 6
    assert [hint for hint, leaves in seen.items() if leaves] == []
    load_anew(panel.page)


def test_an_answer_is_japanese_with_all_its_parts(panel_ja: PanelPage) -> None:
    page = panel_ja.page
    gone = step("s2", **STEP | {"frame_gone": True, "cell_number": None})
    failed = step(
        "s3", **STEP | {"state": "failed", "error": "失敗しました", "frame_key": None, "cell_place": "kernel"}
    )
    cells = {"count": 2, "first": "c1", "state": "added", "note": ""}
    blocks = (step("s1", **STEP), gone, failed, THOUGHT, text("```python\nx = 1\n```\n\n終わり"), CHART, TABLE)
    spent = {"input_tokens": 9, "output_tokens": 3, "filled": 900, "window": 1000, "estimated": True, "cost": ""}
    talk = asked(*blocks, assessment="warning", cells=cells, choices=["はい"], next_steps=["次は？"])
    panel_ja.snapshot(japanese(about=ABOUT | {"is_language_model": True}, turns=[talk], spent=spent))
    for line in page.locator(".qd-line").all():
        line.click()
    look(panel_ja)
    page.evaluate("kit.refuses.add('render')")
    others = [asked(CHART, turn_id="c2")]
    states = ("proposed", "written", "rejected", "changed", "gone")
    others += [asked(EDIT | {"state": state}, turn_id=state) for state in states]
    others += [
        asked(turn_id="c3", state="stopped"),
        asked(turn_id="c4", broken_off=True),
        asked(turn_id="c5", state="error"),
    ]
    others += [
        asked(turn_id="c6", cells=cells | {"state": "undone"}),
        asked(turn_id="c7", cells=cells | {"state": "unseen"}),
    ]
    panel_ja.snapshot(japanese(turns=others))
    look(panel_ja)


def test_what_is_asked_and_waits_is_japanese(panel_ja: PanelPage) -> None:
    asking = step("s1", **STEP | {"state": "running", "elapsed_s": None, "approval": APPROVAL, "warning": "長い"})
    standing = [{"id": "x", "does": "呼び出し", "what": "awg.on()"}]
    runs = asked(asking, state="waiting", elapsed_s=None)
    waits = [
        queued("次の質問"),
        queued("", "e2", held=True, analysis={"task": "CheckT1", "qid": "7", "execution_id": None, "task_id": None}),
    ]
    panel_ja.snapshot(japanese(turns=[runs], standing=standing, queue=waits))
    look(panel_ja)
    panel_ja.button("編集").first.click()
    look(panel_ja)
    decided = [
        APPROVAL | {"state": state, "by": by, "reason": "危険"}
        for state, by in (("approved", "A"), ("rejected", "B"), ("rejected", "nobody"))
    ]
    steps = [step(f"s{n}", **STEP | {"approval": each}) for n, each in enumerate(decided)]
    panel_ja.snapshot(japanese(turns=[asked(*steps)]))
    for link in ("busy", "silent", "lost", "connecting"):
        panel_ja.link(link)
        look(panel_ja)


def test_the_lists_are_japanese(panel_ja: PanelPage) -> None:
    page = panel_ja.page
    gone = frame("t2", gone=True, table="表2")
    table: dict[str, Any] = {"table": "表1", "source": "取得", "columns": ["名前"], "note": "更新"}
    panel_ja.snapshot(japanese(frames=[frame(**table), gone], results=found(result(excluded=True), more=True)))
    panel_ja.button("データ2").click()
    page.get_by_role("button", name="表1").click()
    shown = preview(table="表1", columns=["名前"], rows=[["Q00"], ["Q01"]], read=["1,234件"], changed=True)
    panel_ja.snapshot(japanese(frames=[frame(**table), gone], preview=shown))
    look(panel_ja)
    panel_ja.button("削除：t1").click()
    look(panel_ja)
    panel_ja.button("測定結果を分析").click()
    panel_ja.snapshot(japanese(results=found(result(excluded=True), more=True)))
    look(panel_ja)
    panel_ja.snapshot(japanese(results=found()))
    look(panel_ja)
    panel_ja.button("会話の一覧").click()
    panel_ja.snapshot(japanese(conversations={"words": "", "state": "ready", "rows": KEPT, "message": ""}))
    look(panel_ja)
    panel_ja.button("その他：会話1").click()
    look(panel_ja)
    panel_ja.page.get_by_role("menuitem", name="削除").click()
    panel_ja.button("その他：会話2").click()
    panel_ja.page.get_by_role("menuitem", name="名前を変更").click()
    look(panel_ja)


def test_another_language_takes_the_place_of_the_first_and_the_draft_stays(panel: PanelPage) -> None:
    panel.box.fill("Q07 の T1")
    panel.language = "ja"
    panel.link()
    box = panel.page.get_by_role("textbox", name="copilotに質問")
    expect(box).to_have_value("Q07 の T1")
    panel.language = "en"
    panel.link()
    expect(panel.box).to_have_value("Q07 の T1")
    # The kernel says its own words anew, and is asked for nothing else.
    assert panel.sent == [{"v": 1, "type": "resync", "language": language} for language in ("en", "ja", "en")]


@pytest.mark.long
def test_without_an_extension_it_speaks_as_the_browser_does(panel_site: str, browser: Browser) -> None:
    with browser.new_context(locale="ja-JP") as context:
        page = context.new_page()
        page.goto(panel_site)
        page.wait_for_function("window.kit?.ready")
        page.evaluate("kit.hosted = false; kit.mount()")
        PanelPage(page).snapshot(japanese())
        expect(page.get_by_role("textbox", name="copilotに質問")).to_be_visible()
        look(PanelPage(page))


def test_a_new_conversation_is_no_warning(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text("Q07")])]))
    panel.button("New conversation").click()
    begun = panel.status.filter(has_text="New conversation started.")
    expect(begun).to_have_css("border-left-width", "0px")

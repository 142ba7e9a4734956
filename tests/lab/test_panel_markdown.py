"""What a model or a note in the database may write: nothing of it runs, loads or looks like a part of JupyterLab."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.lab.bare_panel import Json, PanelPage, conversation, frame, step, text, turn

pytest_plugins = ("tests.lab.panel_page",)

CORPUS: dict[str, list[str]] = json.loads((Path(__file__).parent / "corpus" / "xss.json").read_text(encoding="utf-8"))
ALL = [text for kind in CORPUS.values() for text in kind]

# Elements and attributes that may come of an answer, and the addresses that they may hold.
ELEMENTS = [
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h4", "h5", "hr"),
    *("i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "summary"),
    *("sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var", "wbr"),
]
ATTRIBUTES = ["align", "class", "colspan", "href", "rel", "rowspan", "start", "target", "title"]

UNSAFE = """([texts, elements, attributes]) => texts.flatMap(text => {
    const html = kit.renderMarkdown(text), unsafe = [];
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    for (const node of body.querySelectorAll('*')) {
        if (!elements.includes(node.localName)) unsafe.push(node.outerHTML);
        for (const { name, value } of node.attributes) {
            const address = name !== 'href' || /^(https?:|mailto:)/i.test(value);
            const mark = name !== 'class' || value === 'qd-formula';
            if (!attributes.includes(name) || !address || !mark) unsafe.push(`${node.localName} ${name}=${value}`);
        }
        if (node.hasAttribute('href') && (node.target !== '_blank' || !node.rel.includes('noopener'))) {
            unsafe.push(node.outerHTML);
        }
    }
    if (text.startsWith('before') && !body.textContent.includes('before')) unsafe.push('nothing is left of it');
    document.getElementById('place').innerHTML = html;
    return unsafe.map(what => [text, what]);
})"""

# One after the other, with the steps opened; what the questions read.
SHOW = """async states => {
    const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const questions = [];
    for (const state of states) {
        kit.receive(state);
        await drawn();
        for (const line of kit.root.querySelectorAll('.qd-step .qd-line')) line.click();
        await drawn();
        questions.push(kit.root.querySelector('.qd-question').textContent);
    }
    return questions;
}"""


def html_of(page: Page, markdown: str) -> str:
    html: str = page.evaluate("text => kit.renderMarkdown(text)", markdown)
    return html


def text_of(page: Page, markdown: str) -> str:
    shown: str = page.evaluate(
        "text => new DOMParser().parseFromString(kit.renderMarkdown(text), 'text/html').body.textContent", markdown
    )
    return shown


def settle(page: Page) -> None:
    """Until whatever would load or run has had its chance: handlers of errors come a few tasks later."""
    page.evaluate("new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 50)), 50))")


def test_the_canary_sings(panel_page: Page) -> None:
    """Put into the page as it is, the first string of its kind does run: the tests below could fail."""
    panel_page.evaluate("""document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="canary(1)">')""")
    panel_page.wait_for_function("kit.executed.length === 1")
    panel_page.evaluate("kit.executed = []")


def test_nothing_runs_or_loads_from_markdown(panel_page: Page) -> None:
    written = [text for attack in ALL for text in (attack, f"before {attack} after", f"before\n\n{attack}\n\nafter")]
    assert panel_page.evaluate(UNSAFE, [written, ELEMENTS, ATTRIBUTES]) == []
    settle(panel_page)
    assert panel_page.evaluate("kit.executed") == []


def test_nothing_runs_or_loads_in_any_place_of_the_panel(panel: PanelPage) -> None:
    states = [{"v": 1, "type": "snapshot", "seq": next(panel.numbers), "state": everywhere(attack)} for attack in ALL]
    # It stands there as it is, to be read.
    assert panel.page.evaluate(SHOW, states) == ALL
    settle(panel.page)
    assert panel.page.evaluate("kit.executed") == []
    assert "images" not in json.dumps(panel.events("render"))
    typeset = [event["text"] for event in panel.events("typeset")]
    assert not [formula for formula in typeset if "href" in formula or "style" in formula or "require" in formula]


def everywhere(attack: str) -> Json:
    """A state in which it stands for every word."""
    table = {"id": "tb", "kind": "table", "frame_key": attack, "columns": [attack], "rows": [[attack]]}
    figure = {
        "data": [{"type": "scatter", "name": attack, "x": [attack], "y": [1]}],
        "layout": {"title": {"text": attack}, "images": [{"source": "https://evil.example/x.png"}]},
    }
    blocks = [
        step("s1", label=attack, about=attack, name=attack, arguments={attack: attack}, sent=attack, code=attack),
        step("s2", state="failed", error=attack, hint=attack),
        text(attack),
        table | {"total_rows": 9},
        {"id": "c1", "kind": "chart", "title": attack, "figure": figure},
        {"id": "i1", "kind": "image", "mime": attack, "data": attack},
        {"id": "e1", "kind": "error", "title": attack, "hint": attack},
    ]
    words = dict.fromkeys(("key", "table", "source", "call", "note"), attack)
    stored = frame(**words, columns=[attack], units={attack: attack})
    about = conversation()["about"] | {"database": attack, "chip": attack, "model": attack, "endpoint": attack}
    asked = turn(question=attack, blocks=blocks, state="error", meta={"model": attack})
    return conversation(about=about, starters=[attack], frames=[stored], turns=[asked])


def test_plain_text_stays_as_it_is(panel_page: Page) -> None:
    for written in (
        "T1 < 30 µs and T2 > 20 µs & no fit",
        "⟨Z⟩ is <Z> here, and <Q007> is no element",
        "x<y and a<b, <!DOCTYPE none>, <?php?>",
        "a_b_c and 2 * 3 * 4",
        "5 $ or 10 $",
        "{{value}} ${value} <%= value %>",
        "C:\\temp\\new",
        "全量子ビットの T1（緩和時間）",
    ):
        assert text_of(panel_page, written).replace("\N{NO-BREAK SPACE}", " ").strip() == written


def test_pictures_are_named_not_loaded(panel_page: Page) -> None:
    html = html_of(panel_page, "![T1 of Q12](https://other.example/a.png) and ![](data:image/png;base64,AAAA)")
    assert 'href="https://other.example/a.png"' in html
    assert "[picture: T1 of Q12]" in html
    assert "[picture]" in html
    assert "data:" not in html
    assert "[picture: old]" in html_of(panel_page, '<img src="https://other.example/b.png" alt="old">')


def test_markdown_becomes_what_it_means(panel_page: Page) -> None:
    html = html_of(panel_page, "# One\n\n#### Two\n\n**b** *i* ~~s~~ H<sub>2</sub>O `c`<br>\n\n- [x] done\n\n> said")
    for part in (
        "<h4>One</h4>",
        "<h5>Two</h5>",
        "<strong>b</strong>",
        "<em>i</em>",
        "<del>s</del>",
        "<sub>2</sub>",
        "<code>c</code><br>",
        "☑ done",
        "<blockquote>",
    ):
        assert part in html
    table = html_of(panel_page, "| a | b |\n| --- | ---: |\n| 1 | 2 |")
    assert '<td align="right">2</td>' in table


def test_only_formulas_are_given_to_the_typesetter(panel: PanelPage) -> None:
    answer = "$5 is not, $x_1$ is, $\\href{https://other.example}{x}$ is not\n\n$$y_2$$"
    panel.snapshot(conversation(turns=[turn(blocks=[text(answer)])]))
    expect(panel.turns).to_contain_text("is not")
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'typeset').length >= 2")
    assert [event["text"] for event in panel.events("typeset")] == ["$x_1$", "$$y_2$$"]


def test_links_are_defined_anywhere_in_the_answer(panel: PanelPage) -> None:
    panel.snapshot(
        conversation(turns=[turn(blocks=[text("See [the note].\n\nMore.\n\n[the note]: https://a.example/1")])])
    )
    expect(panel.page.get_by_role("link", name="the note")).to_have_attribute("href", "https://a.example/1")

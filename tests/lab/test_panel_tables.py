"""Tables in the panel: a tool's, and those that a model writes."""

import re

import pytest
from playwright.sync_api import expect

from tests.lab.bare_panel import ROWS, TABLE, PanelPage, conversation, inside, running, text, turn

pytest_plugins = ("tests.lab.panel_page",)


def test_a_table_shows_eight_rows_then_all(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"rows": ROWS, "total_rows": 12}])]))
    rows = panel.page.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.nth(2)).to_contain_text("2026-09-18 04:00")
    expect(rows.nth(3)).to_contain_text("Unknown")
    panel.button("All 12 rows").click()
    expect(rows).to_have_count(12)
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"rows": ROWS, "total_rows": 64}])]))
    expect(panel.turns).to_contain_text('64 rows in data["t1"]')


def test_the_first_column_and_the_assessment_stay_in_sight(panel: PanelPage) -> None:
    wide = TABLE | {"columns": ["qubit", *(f"column {n}" for n in range(9)), "assessment"], "total_rows": 12}
    rows = [[qubit, *[12.5] * 9, assessment] for qubit, _, _, assessment in ROWS]
    panel.snapshot(conversation(turns=[turn(blocks=[wide | {"rows": rows}])]))
    area = panel.page.get_by_role("region", name="Conversation")
    table = panel.page.get_by_role("region", name='data["t1"], 12 rows')
    for left in (0, 150, 10_000):
        table.evaluate("(node, left) => { node.scrollLeft = left; }", left)
        for cell in (table.get_by_text("Q02"), table.get_by_text("Bad").first):
            assert inside(cell, area)
    cell = table.get_by_text("Q02")
    cell.hover()
    # Not seen through: the columns that scroll pass below it.
    assert cell.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"


CURRENT = [
    ["Qubit Frequency", "4.71541 GHz ± 200 kHz", "good", "13.2 d"],
    ["coarse_qubit_frequency", "99.8290 ± 0.0068 %", "good", "3.2 d"],
]


def test_values_with_their_errors_are_whole_in_a_narrow_panel(panel: PanelPage) -> None:
    """The error goes on below its value; a verdict between other columns hides none of them."""
    panel.page.set_viewport_size({"width": 280, "height": 900})
    columns = ["parameter", "value", "grade", "age"]
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"columns": columns, "rows": CURRENT, "total_rows": 2}])]))
    area = panel.page.get_by_role("region", name="Conversation")
    for row in CURRENT:
        assert inside(panel.page.get_by_role("cell", name=row[1]), area)
    covered = """cell => {
        const { right, top } = cell.getBoundingClientRect();
        return document.elementFromPoint(right - 9, top + 9).closest('td') !== cell;
    }"""
    assert not panel.page.get_by_role("cell", name=CURRENT[0][1]).evaluate(covered)


def test_two_columns_of_sentences_fit_beside_the_first_one(panel: PanelPage) -> None:
    panel.page.set_viewport_size({"width": 280, "height": 900})
    panel.page.evaluate("document.getElementById('place').style.width = '280px'")
    rows = [["ReadoutClassification", "no contrast between the states", "18 (Q14, Q46, Q02, Q30, Q01, Q34)"]] * 3
    columns = ["task", "message", "results"]
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"columns": columns, "rows": rows, "total_rows": 3}])]))
    scroller = panel.page.get_by_role("region", name=re.compile("3 rows"))
    assert scroller.evaluate("node => node.scrollWidth - node.clientWidth") <= 1
    panel.page.set_viewport_size({"width": 360, "height": 700})


def wide(*columns: str, rows: list[list[str]]) -> str:
    """A table as a model writes it."""
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


WORDS = ["no change over the month", "TLS near 4.91 GHz, it comes and goes with each cool-down"]
WRITTEN = wide(
    *("Qubit", "T1", "Change", "Measured", "Why", "Verdict"),
    rows=[
        [f"Q{n:02}", f"{40 - n} µs" if n else "0.1 ms", f"−{n} %", f"2026-09-{n + 1:02}", WORDS[n % 2], verdict]
        for n, verdict in enumerate(["good", "⚠️ drifting", "bad", "stable"] * 3)
    ],
)


def shown(panel: PanelPage, column: int) -> list[str]:
    """The texts of a column, with plain spaces before the units."""
    texts = panel.page.locator(f"tbody tr > :nth-child({column + 1})").all_inner_texts()
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts]


@pytest.mark.parametrize("width", [280, *(pytest.param(width, marks=pytest.mark.long) for width in (360, 600, 900))])
def test_the_verdict_of_a_models_table_stays_in_sight(panel: PanelPage, width: int) -> None:
    panel.page.set_viewport_size({"width": width, "height": 700})
    panel.page.evaluate("width => { document.getElementById('place').style.width = `${width}px`; }", width)
    panel.snapshot(conversation(turns=[turn(blocks=[text(f"Before\n\n{WRITTEN}\n\nAfter")])]))
    area = panel.page.get_by_role("region", name="Conversation")
    scroller = panel.page.get_by_role("region", name="Table, 12 rows")
    for left in (0, 60, 10_000):
        scroller.evaluate("(node, left) => { node.scrollLeft = left; }", left)
        for part in (
            scroller.get_by_text("Q02"),
            scroller.get_by_text("Bad").first,
            scroller.get_by_text("Drifting").first,
        ):
            assert inside(part, area)
    number = scroller.get_by_role("cell", name="39 µs")
    style = number.evaluate(
        "node => { const { textAlign, whiteSpace, fontVariantNumeric } = getComputedStyle(node);"
        " return [textAlign, whiteSpace, fontVariantNumeric]; }"
    )
    assert style == ["right", "nowrap", "tabular-nums"]
    # A sentence goes on below; it does not make the table wider.
    sentence = scroller.get_by_role("cell", name=WORDS[1]).first.bounding_box()
    assert sentence
    assert sentence["width"] < 0.75 * width
    panel.page.set_viewport_size({"width": 360, "height": 700})


def test_a_verdict_is_a_chip_with_its_word(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text(WRITTEN)])]))
    chip = panel.page.locator("tbody .qd-assessment").nth(1)
    expect(chip).to_have_text("Drifting")
    expect(chip).to_have_attribute("data-assessment", "warning")
    look = """node => {
        const { color, backgroundColor, borderTopColor } = getComputedStyle(node);
        return [color, backgroundColor, borderTopColor];
    }"""
    assert chip.evaluate(look) == ["rgb(122, 65, 0)", "rgb(255, 243, 224)", "rgba(0, 0, 0, 0)"]
    panel.theme("dark")
    expect(panel.page.locator(".qdash-panel")).to_have_attribute("data-theme", "dark")
    assert chip.evaluate(look)[:2] == ["rgb(255, 204, 128)", "rgb(51, 38, 15)"]
    panel.page.evaluate("document.body.dataset.jpThemeName = 'JupyterLab Dark High Contrast'")
    expect(panel.page.locator(".qdash-panel")).to_have_attribute("data-contrast", "")
    assert chip.evaluate(look) == ["rgb(255, 204, 128)", "rgb(33, 33, 33)", "rgb(255, 204, 128)"]


def test_a_click_on_a_head_sorts_and_keeps_the_fold(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[text(WRITTEN)])]))
    as_written = ["0.1 ms", *(f"{40 - n} µs" for n in range(1, 8))]
    assert shown(panel, 1) == as_written
    head = panel.page.get_by_role("columnheader", name="T1")
    head.get_by_role("button").focus()
    panel.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert shown(panel, 1) == [f"{n} µs" for n in range(29, 37)]
    panel.page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert shown(panel, 1) == as_written
    panel.button("All 12 rows").click()
    assert shown(panel, 1)[-1] == "29 µs"
    head.get_by_role("button").click()
    expect(head).not_to_have_attribute("aria-sort", re.compile(".*"))
    verdict = panel.page.get_by_role("columnheader", name="Verdict")
    verdict.get_by_role("button").click()
    assert shown(panel, 5) == ["Bad"] * 3 + ["Drifting"] * 3 + ["Good"] * 3 + ["Stable"] * 3
    data = panel.page.get_by_role("button", name=re.compile("^Data"))
    # As long as the panel lives, also where the conversation makes room for something else.
    data.click()
    expect(panel.page.get_by_role("table")).to_have_count(0)
    data.click()
    expect(verdict).to_have_attribute("aria-sort", "ascending")
    assert len(shown(panel, 5)) == 12


def test_a_tools_table_is_sorted_by_its_values(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[TABLE | {"rows": ROWS, "total_rows": 12}])]))
    for _ in range(2):
        panel.page.get_by_role("columnheader", name="T1 (µs)").get_by_role("button").click()
    assert shown(panel, 1) == [f"{n}" for n in range(29, 21, -1)]
    assert panel.page.locator("tbody tr").count() == 8


def test_a_growing_table_has_its_place_and_waits_for_its_end(panel: PanelPage) -> None:
    rows = WRITTEN.splitlines(keepends=True)
    panel.snapshot(conversation(turns=[running(text("".join(rows[:5])))]))
    expect(panel.page.locator("tbody tr")).to_have_count(3)
    assert panel.page.locator(".qd-table button").count() == 0
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": "".join(rows[5:])})
    expect(panel.turns).to_contain_text("12 rows so far")
    table = panel.page.locator(".qd-table")
    before = table.bounding_box()
    assert panel.page.locator("tbody tr").count() == 8
    panel.patch({"op": "text", "turn_id": "a1", "block_id": "t1", "append": "\n\nThat is all."})
    expect(panel.button("All 12 rows")).to_be_visible()
    assert table.bounding_box() == before


def test_formulas_in_a_table_are_set_once(panel: PanelPage) -> None:
    rows = wide("Qubit", "$T_1$", rows=[[f"Q{n}", f"$x_{n}$"] for n in range(11)])
    panel.snapshot(conversation(turns=[turn(blocks=[text(rows)])]))
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'typeset').length === 9")
    panel.button("All 11 rows").click()
    panel.page.wait_for_function("kit.events.some(each => each.text === '$x_9$')")


def test_a_name_of_a_task_in_the_first_column_is_not_broken_in_two(panel: PanelPage) -> None:
    panel.page.evaluate("document.getElementById('place').style.width = '280px'")
    long = "| task | why |\n| --- | --- |\n| `CheckReadoutAmplitude` | `CheckT1` ran away, nothing was run after it |"
    panel.snapshot(conversation(turns=[turn(blocks=[text(long)])]))
    code = panel.page.locator("table code")
    expect(code).to_have_count(2)
    assert code.evaluate_all("all => all.map(each => each.getClientRects().length)") == [1, 1]

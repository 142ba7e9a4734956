"""Charts in the panel: drawn by the host, by Plotly from the kernel, or told in values."""

import pytest
from playwright.sync_api import Page, expect

from qdash_jupyter.ui.commands import plotly_script
from tests.lab.bare_panel import CHART, FIGURE, PanelPage, conversation, load_anew, text, turn
from tests.patience import until

pytest_plugins = ("tests.lab.panel_page",)


def test_a_chart_is_drawn_by_the_host_in_its_colours(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    chart = panel.page.get_by_role("img", name="Chart: T1 of Q12. T1 (µs). Q12: 2 values, 18.4 to 48.1")
    expect(chart).to_have_text("drawn")
    [drawn] = [event["detail"]["data"]["application/vnd.plotly.v1+json"] for event in panel.events("render")]
    layout = drawn["layout"]
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"
    assert layout["margin"] == {"l": 44, "r": 8, "t": 8, "b": 36}
    assert layout["yaxis"]["gridcolor"] == "#e0e0e0"
    assert layout["yaxis"]["nticks"] == 5
    assert 200 <= layout["height"] <= 260
    assert not {"title", "images"} & set(layout)
    assert drawn["config"]["displayModeBar"] is False
    assert not layout["showlegend"]


def test_a_chart_is_drawn_again_when_theme_or_width_change(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    expect(panel.turns).to_contain_text("drawn")
    assert len(panel.events("render")) == 1
    panel.theme("dark")
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'render').length === 2")
    panel.page.evaluate("document.getElementById('place').style.width = '300px'")
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'render').length === 3")
    # The new drawing has taken the old one's place.
    panel.page.wait_for_function("kit.events.filter(each => each.type === 'unrender').length === 2")
    colours = [
        event["detail"]["data"]["application/vnd.plotly.v1+json"]["layout"]["font"]["color"]
        for event in panel.events("render")
    ]
    assert colours == ["rgba(0, 0, 0, 0.87)", "rgba(255, 255, 255, 0.87)", "rgba(255, 255, 255, 0.87)"]


def test_a_chart_is_drawn_once_opens_in_a_tab_and_is_given_back(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    expect(panel.turns).to_contain_text("drawn")
    panel.snapshot(conversation(turns=[turn("a1", blocks=[CHART]), turn("a2", question="Next?")]))
    expect(panel.turns).to_have_count(2)
    assert len(panel.events("render")) == 1
    panel.button("Expand chart").click()
    [opened] = panel.events("open")
    assert opened["detail"]["title"] == "T1 of Q12"
    assert opened["detail"]["data"]["application/vnd.plotly.v1+json"]["data"] == FIGURE["data"]
    panel.snapshot(conversation())
    expect(panel.turns).to_have_count(0)
    panel.page.wait_for_function("kit.events.some(event => event.type === 'unrender')")
    assert len(panel.events("unrender")) == 1


def drawn_in_ten_frames(panel: PanelPage) -> int:
    """How many charts were drawn in that time: none, once all are that are near the reader."""
    before = len(panel.events("render"))
    for _ in range(10):
        panel.page.evaluate("new Promise(done => requestAnimationFrame(done))")
    return len(panel.events("render")) - before


def test_of_a_long_conversation_the_charts_near_the_reader_are_drawn(panel: PanelPage) -> None:
    """The others keep their room, so that nothing moves under the reader."""
    turns = [turn(f"a{number}", question=f"Question {number}", blocks=[text("So."), CHART]) for number in range(60)]
    panel.snapshot(conversation(turns=turns))
    drawn = panel.page.get_by_text("drawn", exact=True)
    expect(panel.turns.last).to_contain_text("drawn")
    assert drawn.count() < 5
    transcript = panel.page.get_by_role("region", name="Conversation")
    for number in range(58, 35, -1):
        panel.turns.nth(number).scroll_into_view_if_needed()
        expect(panel.turns.nth(number)).to_contain_text("drawn")
    expect(panel.turns.last).not_to_contain_text("drawn")
    assert drawn.count() < 25
    read = panel.turns.nth(36)
    place = read.evaluate("node => node.getBoundingClientRect().top")
    # Hidden with its notebook, the panel is as it was when it comes back.
    until(lambda: drawn_in_ten_frames(panel) == 0)
    count, events = drawn.count(), len(panel.events("render"))
    panel.page.evaluate("document.getElementById('place').hidden = true")
    expect(transcript).to_be_hidden()
    panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    panel.page.evaluate("document.getElementById('place').hidden = false")
    expect(transcript).to_be_visible()
    panel.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert (drawn.count(), len(panel.events("render"))) == (count, events)
    assert read.evaluate("node => node.getBoundingClientRect().top") == pytest.approx(place, abs=2)
    panel.turns.last.scroll_into_view_if_needed()
    expect(panel.turns.last).to_contain_text("drawn")


def test_without_a_renderer_the_values_are_shown(panel: PanelPage) -> None:
    panel.page.evaluate("kit.refuses.add('render')")
    panel.snapshot(conversation(turns=[turn(blocks=[CHART])]))
    until(lambda: panel.commands("plotly"))
    panel.ack(panel.commands("plotly")[0]["n"], ok=False, message="There is none.")
    expect(panel.turns).to_contain_text("Charts can't be drawn here")
    row = panel.page.get_by_role("table").locator("tbody tr").first
    expect(row).to_contain_text("48.1")
    expect(panel.page.get_by_role("alert")).to_have_count(0)  # nobody has asked for it


def test_without_a_renderer_the_kernels_plotly_draws_also_in_a_shadow(panel_page: Page) -> None:
    """As in marimo: the page is nobody's host, and the panel stands in a shadow root."""
    panel_page.evaluate(
        """() => {
            kit.hosted = false;
            const place = document.getElementById('place'), el = document.createElement('div');
            place.attachShadow({ mode: 'open' }).append(el);
            const style = document.createElement('link');
            Object.assign(style, { rel: 'stylesheet', href: 'panel.css' });
            place.shadowRoot.append(style);
            kit.views.push({ el, dispose: kit.render({ model: kit.model, el }) });
        }"""
    )
    panel = PanelPage(panel_page)
    panel.snapshot(conversation(turns=[turn(blocks=[CHART, CHART | {"id": "c2"}])]))
    until(lambda: any(said["type"] == "plotly" for said in panel.sent))
    [asked] = [said for said in panel.sent if said["type"] == "plotly"]
    script = plotly_script()
    for left, part in ((1, script[:400_000]), (0, script[400_000:])):
        panel.receive({"v": 1, "type": "file", "file_id": asked["file_id"], "text": part, "left": left})
    for chart in (0, 1):
        drawing = panel.page.locator(".qd-chart").nth(chart).locator(".main-svg").first
        expect(drawing).to_be_visible()
        assert drawing.evaluate("svg => getComputedStyle(svg).position") == "absolute"  # by the rules in the shadow
    load_anew(panel_page)  # without that Plotly


def test_a_chart_that_would_load_maps_is_not_drawn(panel: PanelPage) -> None:
    world = {"data": [{"type": "scattergeo", "lat": [1], "lon": [2]}], "layout": {}}
    panel.snapshot(conversation(turns=[turn(blocks=[CHART | {"figure": world}])]))
    expect(panel.turns).to_contain_text("loads maps from another server")
    assert panel.events("render") == []

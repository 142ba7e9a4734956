from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.domain.safe_figure import safe_frames, without_remote_figure

PNG = "data:image/png;base64,iVBORw0KGgo="
REMOTE = "https://elsewhere.example/a.png"
BAR = {"type": "bar", "x": ["Q07"], "y": [18.2]}


def notes(figure: dict[str, Any]) -> list[str]:
    return [note["text"] for note in figure["layout"].get("annotations", ())]


def test_an_ordinary_figure_stays_as_it_is() -> None:
    figure = {
        "data": [
            BAR,
            {"type": "heatmap", "z": [[1, None]], "text": [["<b>b</b>"]], "hovertemplate": "%{x}<extra></extra>"},
            {"type": "sankey", "link": {"source": [0, 1], "target": [2, 2], "value": [1, 1]}},
            {"type": "image", "source": PNG},
            {"type": "scatter", "customdata": [{"source": "chip A"}], "marker": {"colorscale": "Viridis"}},
        ],
        "layout": {
            "title": {"text": "T1 <i>of</i> <a href='https://a.example/x?y=1&z=2'>Q07</a>, 3 < 4 > 2"},
            "images": [{"source": PNG, "x": 0}],
            "annotations": [{"text": "limit", "x": 1}],
            "updatemenus": [{"buttons": [{"method": "restyle", "args": ["type", "heatmap"], "label": "map"}]}],
            "xaxis": {"title": {"text": "x"}},
        },
    }
    before = copy.deepcopy(figure)

    assert without_remote_figure(figure) == before
    assert figure == before


@pytest.mark.parametrize(
    "kind",
    [
        *("scattergeo", "choropleth", "scattermap", "choroplethmap", "densitymap"),
        *("scattermapbox", "choroplethmapbox", "densitymapbox", "ScatterGeo"),
    ],
)
def test_maps_are_left_out_and_the_chart_says_so(kind: str) -> None:
    figure = {"data": [{"type": kind, "lat": [1]}, BAR], "layout": {"geo": {}, "mapbox2": {"style": REMOTE}, "map": {}}}

    safe = without_remote_figure(figure)

    assert safe["data"] == [BAR]
    assert set(safe["layout"]) == {"annotations"}
    assert notes(safe) == ["Left out, because it would be loaded from other servers: a map."]


def test_of_a_figure_that_was_a_map_the_note_is_left() -> None:
    chart = chart_of({"data": [{"type": "choropleth"}], "layout": {"title": "Labs", "xaxis": {"range": [0, 1]}}})

    assert chart.data == ()
    assert chart.title == "Labs"
    assert notes(chart.figure()) == ["Left out, because it would be loaded from other servers: a map."]
    assert chart.layout["xaxis"] == {"visible": False}


@pytest.mark.parametrize(
    "source",
    [
        REMOTE,
        "//elsewhere.example/a.png",
        "a.png",
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:text/html,x",
        f'{PNG}" onload="alert(1)',
        "javascript:alert(1)",
    ],
)
def test_pictures_of_other_servers_are_left_out(source: str) -> None:
    image = {"source": source, "xref": "paper"}
    figure = {"data": [BAR, {"type": "image", "source": source}], "layout": {"images": [image, {"source": PNG}]}}

    safe = without_remote_figure(figure)

    assert safe["data"] == [BAR]
    assert safe["layout"]["images"] == [{"source": PNG}]
    assert notes(safe) == ["Left out, because it would be loaded from other servers: an image."]


def test_templates_bring_none_in_either() -> None:
    template = {
        "data": {"image": [{"source": REMOTE}], "bar": [{"opacity": 0.5}]},
        "layout": {"images": [{"source": REMOTE}], "imagedefaults": {"source": REMOTE}, "mapbox": {"style": REMOTE}},
    }

    safe = without_remote_figure({"data": [BAR], "layout": {"template": template, "imagedefaults": {"source": REMOTE}}})

    assert "elsewhere" not in json.dumps(safe)
    assert safe["layout"]["template"] == {"data": {"bar": [{"opacity": 0.5}]}, "layout": {"images": []}}
    plain = {"layout": {"template": {"data": {}, "layout": {"geo": {"bgcolor": "white", "showland": True}}}}}
    assert without_remote_figure(plain) == {"data": [], **plain}
    assert without_remote_figure({"layout": {"template": "plotly_dark"}})["layout"] == {"template": "plotly_dark"}


@pytest.mark.parametrize(
    "arguments",
    [
        [{"images[0].source": REMOTE}],
        ["images[0].source", "a.png"],
        ["type", "choropleth"],
        [{"mapbox.style": "open-street-map"}],
        [{"geo": {"scope": "asia"}}],
        [{"title": "see http://elsewhere.example"}],
    ],
)
@pytest.mark.parametrize("menu", ["updatemenus", "sliders"])
def test_buttons_that_would_fetch_are_left_out(menu: str, arguments: list[Any]) -> None:
    entries = [{"buttons": [{"method": "relayout", "args": arguments}]}, {"steps": [{"args": arguments}]}]

    safe = without_remote_figure({"data": [BAR], "layout": {menu: entries}})

    assert menu not in safe["layout"]
    assert notes(safe) == ["Left out, because it would be loaded from other servers: buttons."]


def test_frames_stay_unless_one_would_fetch() -> None:
    frame = {"name": "1", "data": [BAR], "layout": {"title": {"text": "<i>1</i>"}}, "traces": [0]}
    linked = {"data": [{**BAR, "text": "<a href='javascript:alert(1)'>T1</a>"}]}

    assert safe_frames([frame]) == [frame]
    assert safe_frames([linked]) == [{"data": [{**BAR, "text": "T1</a>"}]}]
    assert safe_frames(None) == safe_frames("x") == []
    for remote in (
        {"data": [{"source": "a.png"}]},
        {"data": [{"type": "ScatterGeo"}]},
        {"layout": {"images": [{"x": 1}]}},
        {"layout": {"geo": {"scope": "asia"}}},
        {"layout": {"mapbox2": {"style": "dark"}}},
        {"layout": {"updatemenus": [{"buttons": [{"args": ["images[0].source", "a.png"]}]}]}},
    ):
        assert safe_frames([frame, remote]) == [], remote


@pytest.mark.parametrize(
    "words",
    [
        "<a href='javascript:alert(1)'>T1</a>",
        '<a href="JaVaScRiPt:alert(1)">T1</a>',
        "<a href=javascript:alert(1)>T1</a>",
        "<a href=' javascript:alert(1)'>T1</a>",
        "<a href='java&#115;cript:alert(1)'>T1</a>",
        "<a href='java\nscript:alert(1)'>T1</a>",
        "<a href='https://a.example' href='javascript:alert(1)'>T1</a>",
        "<a href='data:text/html,x'>T1</a>",
        "<a style='cursor:url(https://elsewhere.example/a.cur),auto'>T1</a>",
        "<a style='mask-image:image-set(x)'>T1</a>",
        "<a style='fill:u\\72l(x)'>T1</a>",
        "<a STYLE='x:&#117;rl(x)'>T1</a>",
    ],
)
def test_links_that_run_and_styles_that_fetch_are_taken_off_words(words: str) -> None:
    figure = {
        "data": [{**BAR, "text": [words], "name": words, "hovertemplate": f"%{{x}} {words}"}],
        "layout": {"title": {"text": words}, "annotations": [{"text": words}], "xaxis": {"ticktext": [words]}},
    }

    safe = without_remote_figure(figure)

    assert json.dumps(safe).count("T1</a>") == 6
    assert "<a" not in json.dumps(safe)
    assert chart_of(figure).title == "T1</a>"


def test_links_to_the_web_and_plain_styles_stay() -> None:
    words = "<a href='https://a.example'>a</a> <a href='mailto:a@b.example'>b</a> <span style='color:red'>c</span>"

    assert without_remote_figure({"layout": {"title": words}})["layout"]["title"] == words


@pytest.mark.parametrize(
    ("data", "layout"),
    [
        (None, None),
        ("x", []),
        (["x", 3, None, {"type": None}, {"type": 7, "source": 3}], {"images": "x", "annotations": {"a": 1}}),
        ([{"type": "image", "source": 5}], {"images": [None, "x", {}], "template": {"data": 3, "layout": 4}}),
        (({"type": "choropleth"},), {"updatemenus": None, "annotations": "x", "title": "half \ud83d"}),
        ([], {"sliders": ["x", {"steps": ["y"], "x": 3}], "updatemenus": [{"buttons": {"args": "://"}}]}),
    ],
)
def test_figures_of_any_shape(data: Any, layout: Any) -> None:
    safe = without_remote_figure({"data": data, "layout": layout})

    assert set(safe) == {"data", "layout"}
    json.dumps(safe, ensure_ascii=False).encode()

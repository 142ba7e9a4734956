from __future__ import annotations

import json

from qdash_jupyter.cells.outputs import chart_of, charts_of, text_of
from qdash_jupyter.domain.answer import ChartBlock
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME

NAN, INF = float("nan"), float("inf")


def stream(text: str, name: str = "stdout") -> dict[str, object]:
    return {"output_type": "stream", "name": name, "text": text}


def test_text_is_what_is_printed_without_colours() -> None:
    shown = {"output_type": "display_data", "data": {"text/plain": "not this"}, "metadata": {}}

    assert text_of([stream("a\n"), shown, stream("\x1b[31mred\x1b[0m\n", "stderr")]) == "a\nred\n"


def test_charts_are_the_plotly_figures_in_order() -> None:
    def figure(kind: str, title: str) -> dict[str, object]:
        data = {PLOTLY_MIME: {"data": [{"y": [1]}], "layout": {"title": {"text": title}}}, "text/plain": "fig"}
        return {"output_type": kind, "data": data, "metadata": {}}

    image = {"output_type": "display_data", "data": {"image/png": "iVBO"}, "metadata": {}}

    charts = charts_of([stream("x"), figure("display_data", "one"), image, figure("execute_result", "two")])

    assert [chart.title for chart in charts] == ["one", "two"]


def test_a_chart_is_whole_json_and_takes_the_colours_of_the_person() -> None:
    chart = chart_of(
        {
            "data": [{"y": (1.5, NAN, [INF, -INF]), "customdata": [{"x": NAN}]}],
            "layout": {"template": {"data": {}}, "title": "T1", "xaxis": {"range": [NAN, 1]}},
        }
    )

    assert chart == ChartBlock(
        ({"y": [1.5, None, [None, None]], "customdata": [{"x": None}]},),
        {"title": "T1", "xaxis": {"range": [None, 1]}},
        "T1",
    )
    json.dumps(chart.figure(), allow_nan=False)


def test_a_chart_of_next_to_nothing() -> None:
    assert chart_of({}) == ChartBlock((), {}, "")
    assert chart_of({"data": None, "layout": None}) == ChartBlock((), {}, "")
    assert chart_of({"layout": {"title": {"text": None}}}).title == ""

"""Charts speak the language of the question: titles, axes, legends and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from qdash_jupyter.domain.answer import ChartBlock
from tests.llm.offline.planner_questions import Chip, ask, session

PLAIN = re.compile(r"[A-Za-z]+")
DATA = {"x", "y", "z", "customdata", "hovertemplate", "template", "marker", "line", "font", "colorscale"}
SAME = {"T", "UTC", "Spearman", "p", "n", "to", "e", "Q", "GHz", "MHz", "s"}
"""Names and units that are written so in Japanese texts, too."""


def texts_of(part: Any, key: str = "") -> Iterator[str]:
    """What a chart says: not its data."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name not in DATA:
                yield from texts_of(value, name)
    elif isinstance(part, (list, tuple)):
        for value in part:
            yield from texts_of(value, key)
    elif isinstance(part, str) and key in {"text", "name", "title"}:
        yield part


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Q07のT1の推移を見せて", "T1（過去60日間）：Q07"),
        ("T1の分布", "量子ビットのT1"),
        ("Q3とQ7を比較", None),
        pytest.param("チップ全体のT1の推移", None, marks=pytest.mark.long),
        pytest.param("T1が最も低い量子ビットを5つ", "全量子ビットのT1", marks=pytest.mark.long),
        pytest.param("読み出し忠実度とT1は関係がありますか?", None, marks=pytest.mark.long),
        pytest.param("過去30日でT1が下がった量子ビットは?", None, marks=pytest.mark.long),
    ],
)
def test_in_japanese(faulty: Chip, question: str, title: str | None) -> None:
    answer = ask(session(faulty), question).answer
    charts = [block for block in answer.blocks if isinstance(block, ChartBlock)]
    assert charts, answer.text
    for chart in charts:
        said = [text for part in (chart.data, chart.layout) for text in texts_of(part)]
        assert {word for text in said for word in PLAIN.findall(text)} <= SAME
    if title is not None:
        assert charts[0].title == title


def test_in_english_as_ever(faulty: Chip) -> None:
    answer = ask(session(faulty), "Show T1 of Q07 over the last 30 days").answer
    [chart] = [block for block in answer.blocks if isinstance(block, ChartBlock)]
    assert chart.title == "T1 in the last 30 days: Q07"
    assert chart.layout["xaxis"]["title"]["text"] == "time (UTC)"


def test_a_comparison_draws_the_values(faulty: Chip) -> None:
    """Not each as its deviation from its own level: those of a good qubit and a bad one lay on each other."""
    asked = ask(session(faulty), "compare readout fidelity of Q36, Q12 and Q20")
    [chart] = asked.answer.charts
    assert chart.layout["yaxis"]["title"]["text"] == "Average Readout Fidelity (%)"
    assert [line["name"] for line in chart.data] == ["Q12", "Q20", "Q36"]

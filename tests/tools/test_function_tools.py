"""Functions as tools: their arguments, their words, and what they may return."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
import pytest
from plotly import graph_objects
from pydantic import Field

from qdash_jupyter.domain.answer import ChartBlock, TableBlock
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import PersonError
from qdash_jupyter.tools.function import spec_of, tool
from qdash_jupyter.tools.spec import SHARED_ARGUMENTS, ElementId, ToolContext, ToolOutput
from tests.tools.toolbench import Tools


def drift(
    qid: ElementId,
    context: ToolContext,
    since: str | None = None,
    step: Literal["hour", "day"] = "day",
    width: Annotated[float, Field(description="In MHz.", gt=0)] = 0.5,
) -> dict[str, Any]:
    """How far a qubit drifted. Zero is none.

    Only its frequency.

    Args:
        step: between two points,
            as they are drawn.

    Returns:
        nothing that the model reads here
    """
    chip = context.scope.resolve(context.reader)
    return {"chip": chip.ref.chip_id, "qid": qid, "since": since, "step": step, "width": width}


def calling(tools: Tools, function: Any, **arguments: Any) -> dict[str, Any]:
    tools.toolbox.add(tool(function, name="probe"))
    return tools.content("probe", **arguments)


def test_types_defaults_and_docstring_become_the_schema() -> None:
    spec = tool(drift)
    assert spec.schema() == {
        "type": "function",
        "name": "drift",
        "description": "How far a qubit drifted. Zero is none. Only its frequency.",
        "parameters": {
            "type": "object",
            "properties": {
                "qid": {"type": "string"},
                "since": {"type": "string"},
                "step": {"type": "string", "enum": ["hour", "day"], "default": "day"},
                "width": {"type": "number", "description": "In MHz.", "default": 0.5},
            },
            "required": ["qid"],
        },
        "strict": False,
    }
    told = spec.arguments()
    assert told["step"]["description"] == "between two points, as they are drawn."
    assert told["since"]["description"] == SHARED_ARGUMENTS["since"]
    assert spec.guidance == "drift: How far a qubit drifted."
    assert spec.label == "Drift"
    assert str(inspect.signature(spec.args)).startswith("(*, qid: ")


def test_it_is_called_as_it_was_written(tools: Tools) -> None:
    assert calling(tools, drift, qid=7, width=1) == {
        "chip": "64Q-demo",
        "qid": "7",
        "since": None,
        "step": "day",
        "width": 1,
    }
    assert "greater than 0" in tools.failure("probe", qid=7, width=0)["error"]


def test_an_async_function(tools: Tools) -> None:
    async def waits(seconds: float) -> str:
        """Wait."""
        await asyncio.sleep(seconds)
        return "done"

    assert calling(tools, waits, seconds=0) == {"result": "done"}


def test_a_table_is_stored_shown_and_told(tools: Tools) -> None:
    def get_probe(rows: int) -> pd.DataFrame:
        """Rows."""
        frame = pd.DataFrame(
            {"t": pd.Timestamp("2026-06-01", tz="UTC"), "v": np.arange(rows) / 3}, index=list("ab" * 20)[:rows]
        )
        frame.attrs["units"] = {"v": "MHz"}
        return frame

    tools.toolbox.add(tool(get_probe))
    few = tools.asked("get_probe", rows=2)
    assert json.loads(few.content)["rows"][1] == {"index": "b", "t": "2026-06-01T00:00:00+00:00", "v": 1 / 3}
    assert json.loads(few.content)["data_key"] == few.frame_key == "probe"
    many = tools.asked("get_probe", rows=30)
    (table,) = many.blocks
    assert isinstance(table, TableBlock)
    assert (table.frame_key, table.columns, len(table.rows), table.total_rows) == (
        "probe_2",
        ("index", "t", "v"),
        20,
        30,
    )
    told = json.loads(many.content)
    assert (told["table"]["_rows"], told["data_key"], told["statistics"]["v"]["count"]) == (30, "probe_2", 30)
    assert tools.store["probe_2"].units == {"v": "MHz"}


@pytest.mark.parametrize(
    ("returned", "tables"),
    [
        (pd.Series([1, 2], name="v"), {"table": ["v"]}),
        ([{"a": 1, "b": None}, {"a": 2}], {"table": ["a", "b"]}),
        (
            {"fits": pd.DataFrame({"a": [1]}), "raw": pd.Series([1, 2], name="r"), "unit": "K"},
            {"fits": ["a"], "raw": ["r"]},
        ),
        (pd.DataFrame({"when": pd.to_timedelta([1], unit="h"), "z": [1j], 3: [True]}), {"table": ["when", "z", "3"]}),
    ],
)
def test_what_is_a_table(tools: Tools, returned: Any, tables: dict[str, list[str]]) -> None:
    def made() -> Any:
        """Whatever."""
        return returned

    tools.toolbox.add(tool(made))
    result = tools.result("made")
    assert result.failure is None, result.content
    stored = tools.store["made"]
    assert {name: table.columns for name, table in stored.stored_tables.items()} == tables
    assert stored.scalars == ({"unit": "K"} if "fits" in tables else {})


@pytest.mark.parametrize(
    ("returned", "content"),
    [
        (None, {"result": None}),
        (np.float64(1.5), {"result": 1.5}),
        ([1, 2], {"result": [1, 2]}),
        ([], {"result": []}),
        ({"a": np.arange(2)}, {"a": [0, 1]}),
        (ToolOutput(content={"own": 1}), {"own": 1}),
    ],
)
def test_what_the_model_reads_as_it_is(tools: Tools, returned: Any, content: dict[str, Any]) -> None:
    def made() -> Any:
        """Whatever."""
        return returned

    assert calling(tools, made) == content


def test_a_figure_is_shown(tools: Tools) -> None:
    def drawn() -> Any:
        """A line."""
        return graph_objects.Figure(graph_objects.Scatter(y=[1, float("nan")]), {"title": {"text": "Drift"}})

    tools.toolbox.add(tool(drawn))
    (chart,) = tools.result("drawn").blocks
    assert isinstance(chart, ChartBlock)
    assert chart.title == "Drift"


def untyped(qid) -> None:  # pyrefly: ignore[implicit-any-parameter]  # noqa: ANN001
    """A parameter without a type."""


def gathering(*qids: str) -> None:
    """Parameters without names."""


def unknown(chip: Nowhere) -> None:  # pyrefly: ignore[unknown-name]  # noqa: F821
    """A type that nobody knows."""


def silent(qid: str) -> None: ...


def framed(frame: pd.DataFrame) -> None:
    """What no model can send."""


def calling_back(then: Callable[[], None]) -> None:
    """What no schema can say."""


def hidden(_qid: str) -> None:
    """A name that pydantic keeps for itself."""


@pytest.mark.parametrize("function", [untyped, gathering, unknown, silent, framed, calling_back, hidden, "no function"])
def test_what_is_no_tool_is_said(function: Any) -> None:
    with pytest.raises(PersonError) as caught:
        spec_of(function)
    assert getattr(function, "__name__", function) in str(caught.value.message)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["get_chip_summary", "drift", "add", "two words", "x" * 65, "名前"])
def test_names_are_free_and_can_be_called(tools: Tools, name: str) -> None:
    tools.toolbox.add(tool(drift))
    with pytest.raises(PersonError, match=name):
        tools.toolbox.add(tool(drift, name=name))
    assert len(tools.toolbox.specs) == 21


def test_an_added_tool_has_schema_label_and_limits(tools: Tools) -> None:
    before = tools.toolbox.schemas()
    tools.toolbox.add(tool(drift, label="Looking for drift", timeout_s=5, max_calls_per_turn=1))
    tools.toolbox.add(tool(drift, name="other"))
    names = [schema["name"] for schema in tools.toolbox.schemas()]
    assert names == [*(schema["name"] for schema in before), "drift", "other"]
    assert (tools.toolbox.specs["drift"].timeout_s, tools.toolbox.specs["other"].timeout_s) == (5, 60)

    async def labels() -> list[str]:
        return [
            getattr(event, "label", "") async for event in tools.toolbox.run([ToolCall("a", "drift", '{"qid": 7}')])
        ]

    assert set(asyncio.run(labels())) == {"Looking for drift"}
    assert tools.failure("drift")["kind"] == "invalid_arguments"
    assert "called once per question" in tools.asked("drift", qid=7).content

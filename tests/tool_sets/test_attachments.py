"""Which attachments stay, and who gets them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qdash_jupyter.config.tool_sets import DeclaredSection
from qdash_jupyter.domain.answer import ChartBlock, TableBlock, TextBlock
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.errors import BrokenAnswer
from qdash_jupyter.tool_sets.attachments import sorted_out
from qdash_jupyter.tool_sets.declared import declared
from qdash_jupyter.tools.spec import Attachment, ToolOutput
from tests.agent.turns import EchoArguments, tool, toolbox
from tests.tool_sets.sets import called

PICTURE = Attachment("camera", "image/png", b"\x89PNG")
NOTE = Attachment("note", "text/markdown", b"**Cold** ![x](https://evil/p.png)")
ROWS = Attachment("log", "application/json", json.dumps([{"mK": 10.5}, {"mK": 11.0}]).encode())
FIGURE = Attachment("plot", "application/vnd.plotly.v1+json", b'{"data": [{"y": [1]}], "layout": {}}')


def result(attachment: Attachment, **settings: Any) -> tuple[ToolResult, Any]:
    def run(_: EchoArguments, __: object) -> ToolOutput:
        return ToolOutput(content={"said": "hello"}, attachment=attachment)

    tools = toolbox([declared(tool("camera", run), DeclaredSection.model_validate(settings))])
    return called(tools, "camera", text="x"), tools.context.store


def test_a_file_that_stays_is_for_cells_and_not_shown_by_itself() -> None:
    made, store = result(PICTURE)
    assert made.blocks == ()
    (file,) = store["camera"]["files"].itertuples()
    assert (file.title, file.type, file.data) == ("camera", "image/png", b"\x89PNG")
    told = json.loads(made.content)
    assert told["attachments"] == [{"title": "camera", "type": "image/png", "bytes": 4}]
    assert (told["data_key"], told["said"]) == ("camera", "hello")


def test_rows_that_stay_are_for_cells_and_not_shown_by_themselves() -> None:
    made, store = result(ROWS)
    assert made.blocks == ()
    assert list(store["camera"]["table"].mK) == [10.5, 11.0]


def test_what_is_not_supported_is_dropped() -> None:
    made, store = result(PICTURE, supported_types=["application/*"])
    assert not store
    assert json.loads(made.content)["not_supported"] == ["camera"]


def test_what_propagates_is_shown_where_a_block_can() -> None:
    (text,), (chart,), (table,) = (
        result(one, propagate_types_to_choice=["*/*"])[0].blocks for one in (NOTE, FIGURE, ROWS)
    )
    assert isinstance(text, TextBlock)
    assert "**Cold**" in text.content
    assert "![" not in text.content, "nothing is loaded from elsewhere"
    assert isinstance(chart, ChartBlock)
    assert isinstance(table, TableBlock)
    made, store = result(PICTURE, propagate_types_to_choice=["*/*"])
    assert made.blocks == ()
    assert len(store["camera"]["files"]) == 1, "pictures stay there, for cells"


def test_only_what_is_supported_propagates() -> None:
    made, _ = result(NOTE, supported_types=["image/*"], propagate_types_to_choice=["text/*"])
    assert made.blocks == ()
    assert made.frame_key is None


def test_an_answer_without_rows_is_read_by_the_model() -> None:
    made, store = result(Attachment("state", "application/json", b'{"cold": true}'))
    assert json.loads(made.content) == {"said": "hello", "cold": True}
    assert not store


def test_what_is_not_what_its_type_says() -> None:
    with pytest.raises(BrokenAnswer, match="log is declared as application/json"):
        sorted_out(ToolOutput(attachment=Attachment("log", "application/json", b"{")), "x", None, ())

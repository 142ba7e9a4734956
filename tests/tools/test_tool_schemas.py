from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field

from qdash_jupyter.tools import analysis
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.spec import SHARED_ARGUMENTS, ToolArguments, ToolSpec

MOST_CHARS = 6_300

each_tool = pytest.mark.parametrize("spec", BUILTIN_TOOLS, ids=lambda spec: spec.name)


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for entry in value.values():
            yield from nodes(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from nodes(entry)


@each_tool
def test_a_schema_is_a_function_of_the_responses_api(spec: ToolSpec) -> None:
    schema = spec.schema()
    parameters = schema["parameters"]
    assert (schema["type"], schema["name"], schema["strict"]) == ("function", spec.name, False)
    assert spec.guidance.strip() or len(spec.description) > 40
    assert parameters["type"] == "object"
    assert parameters["properties"]
    for name, property_ in parameters["properties"].items():
        assert name in SHARED_ARGUMENTS or "enum" in property_ or property_["description"].endswith("."), name
    assert not [node for node in nodes(parameters) if "title" in node or "$defs" in node or "$ref" in node]
    assert json.loads(json.dumps(schema)) == schema


@each_tool
def test_every_argument_can_be_told_in_full(spec: ToolSpec) -> None:
    told = spec.arguments()
    assert set(told) == set(spec.args.model_fields)
    offered = spec.schema()["parameters"]["properties"]
    assert set(told) - set(offered) <= {"project_id"}
    for name, line in told.items():
        assert line["description"], name
        assert offered.get(name, {}).items() <= line.items(), name


def test_what_a_model_rarely_misses_is_not_in_the_schema() -> None:
    class Arguments(ToolArguments):
        qid: str = Field(max_length=5)
        why: str = Field("", description="The reason.")
        kind: Literal["a", "b"] = Field("a", description="Of two.")
        deep: int = Field(5, description="Steps.", ge=1, le=9)
        tags: list[str] | None = Field(None, min_length=1, max_length=3)

    spec = dataclasses.replace(BUILTIN_TOOLS[0], args=Arguments)
    assert spec.schema()["parameters"] == {
        "type": "object",
        "properties": {
            "qid": {"type": "string"},
            "why": {"type": "string", "description": "The reason."},
            "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "deep": {"type": "integer", "description": "Steps.", "default": 5},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["qid"],
    }
    assert spec.arguments()["tags"] == {
        "type": "array",
        "items": {"type": "string"},
        "maxItems": 3,
        "description": SHARED_ARGUMENTS["tags"],
    }


def test_ids_are_strings_for_the_model() -> None:
    for spec in BUILTIN_TOOLS:
        for name, property_ in spec.schema()["parameters"]["properties"].items():
            if name.endswith(("_id", "qid", "qids")):
                types = {node["type"] for node in nodes(property_) if isinstance(node.get("type"), str)}
                assert types <= {"string", "null", "array"}, (spec.name, name)


def test_all_schemas_together_are_short(record_property: Any) -> None:
    offered = [spec for spec in BUILTIN_TOOLS if not spec.on_request]
    sizes = {spec.name: len(json.dumps(spec.brief(), ensure_ascii=False)) for spec in offered}
    record_property("schema_characters", sizes)
    assert sum(sizes.values()) < MOST_CHARS, sizes
    assert len({spec.name for spec in BUILTIN_TOOLS}) == len(BUILTIN_TOOLS)


def test_only_libraries_that_are_there_are_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Import numpy, pandas, plotly, scipy, matplotlib." in analysis.PYTHON_ANALYSIS.description
    monkeypatch.setattr(analysis, "find_spec", lambda name: None if name == "matplotlib" else object())
    assert analysis.libraries() == "numpy, pandas, plotly, scipy"


def test_a_lab_has_what_analysis_cells_use() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    names = {re.split("[><=]", each)[0] for each in wanted}
    assert {"scipy", "matplotlib"} <= names

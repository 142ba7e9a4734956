"""The examples of docs/tool-sets.md are settings that work."""

import re
from pathlib import Path

import pytest
import yaml

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.tool_sets.building import build_tool_sets

PAGE = (Path(__file__).parents[2] / "docs" / "tool-sets.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_an_example_makes_tools(example: str) -> None:
    manifest = Manifest.model_validate(yaml.safe_load(example))
    for built in build_tool_sets(manifest):
        assert built.issues == ()
        assert built.specs
        built.close()

"""The copilot's keys in JupyterLab: nobody else's, and none that types."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SCHEMAS = Path(sys.prefix, "share", "jupyter", "lab", "schemas")


def shortcuts(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")).get("jupyter.lab.shortcuts", [])
    return found


def test_the_keys_are_free_in_jupyterlab_and_notebook_and_type_nothing() -> None:
    ours = shortcuts(ROOT / "js" / "schema" / "shortcuts.json")
    all_others = [each for file in SCHEMAS.rglob("*.json") for each in shortcuts(file)]
    taken = {" ".join(each["keys"]).replace("Ctrl", "Accel") for each in all_others}
    assert "Accel Shift C" in taken  # the palette's: the schemas were found
    for each in ours:
        (keys,) = each["keys"]
        assert keys not in taken
        assert keys.startswith("Accel Shift ")  # Alt types letters on a Mac, and so does AltGr
    assert [each["command"].partition(":")[2] for each in ours] == ["ask", "stop", "approve"]


def test_they_are_shipped() -> None:
    shipped = ROOT / "qdash_jupyter" / "labextension" / "schemas" / "qdash-jupyter" / "shortcuts.json"
    assert shortcuts(shipped) == shortcuts(ROOT / "js" / "schema" / "shortcuts.json")

"""What crosses the wire: the types, the golden messages, docs/protocol.md and the TypeScript say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter

from qdash_jupyter.domain.wire import PROTOCOL, kernel
from qdash_jupyter.domain.wire.page import client_opened, page_message
from scripts.wire_types import PAGE, SETTINGS, definitions, kinds, settings, typescript

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "wire").glob("control-*.json"))
GOLDEN: dict[str, dict[str, Any]] = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
OPENS = {"control-announce", "control-client"}
CONTROL, PANEL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("## The panel channel")
SCHEMAS = definitions()


def control_messages() -> set[tuple[str, str]]:
    """Type and direction of the messages on the control comm."""
    page = set(kinds(SCHEMAS, "PageMessage")) - {"resync"}
    return {(name, "page") for name in page} | {(name, "kernel") for name in kinds(SCHEMAS, "KernelMessage")}


def test_what_the_extension_has_of_the_python_code_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == typescript(), "run make js"
    assert SETTINGS.read_text(encoding="utf-8") == settings(), "run make js"
    shipped = Path("qdash_jupyter", "labextension", "schemas", "qdash-jupyter", SETTINGS.name)
    assert (Path(__file__).parents[2] / shipped).read_text(encoding="utf-8") == settings(), "run make js"


def test_the_protocols_page_lists_every_message_block_and_change() -> None:
    rows = re.findall(r"^\| (kernel|page|both)[^|]* \| ((?:`\w+`(?:, )?)+) \|", CONTROL, re.MULTILINE)
    listed = {(name, direction) for direction, names in rows for name in re.findall(r"\w+", names)}
    both = {(name, sender) for name, direction in listed if direction == "both" for sender in ("kernel", "page")}
    assert {row for row in listed if row[1] != "both"} | both == control_messages()
    tables = [set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)) for part in PANEL.split("| op |")]
    assert tables[0] == set(kinds(SCHEMAS, "Block", "kind"))
    assert tables[1] == set(kinds(SCHEMAS, "Op", "op"))
    assert set(re.findall(r"^- `(\w+)`:", PANEL, re.MULTILINE)) == set(kinds(SCHEMAS, "PanelMessage"))


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN)
def test_every_example_is_whole(golden: dict[str, Any]) -> None:
    assert set(golden) - {"comm_open"} == {"name", "direction", "message"}
    assert golden["direction"] in {"kernel", "page"}
    assert golden["message"]["v"] == PROTOCOL


def test_there_is_an_example_of_every_message() -> None:
    shown = {(golden["message"]["type"], golden["direction"]) for name, golden in GOLDEN.items() if name not in OPENS}
    assert shown == control_messages()


@pytest.mark.parametrize("name", [name for name, golden in GOLDEN.items() if golden["direction"] == "kernel"])
def test_the_kernels_messages_are_of_their_types(name: str) -> None:
    message = {key: value for key, value in GOLDEN[name]["message"].items() if key != "v"}
    of: Any = kernel.Announcement if name in OPENS else kernel.KernelMessage
    TypeAdapter(tuple[of], config=ConfigDict(extra="forbid")).validate_python((message,))


@pytest.mark.parametrize("name", [name for name, golden in GOLDEN.items() if golden["direction"] == "page"])
def test_the_kernel_reads_what_pages_say(name: str) -> None:
    message = GOLDEN[name]["message"]
    read = client_opened(message) if name in OPENS else page_message(message)

    assert read is not None
    said = {key: value for key, value in message.items() if key != "v"}
    assert json.loads(read.model_dump_json()).items() >= said.items()
    later = {**message, "of_a_later_version": [1]}
    assert (client_opened(later) if name in OPENS else page_message(later)) == read


def test_what_is_no_message_is_ignored() -> None:
    no_id = {"type": "ask", "ask_id": "", "text": "x"}
    others: tuple[Any, ...] = (None, 3, [], {}, {"type": "dance"}, {"type": "ask"}, no_id, "ask")
    for raw in others:
        assert page_message(raw) is None
    for opened in (None, {}, {"client_id": ""}, {"client_id": 3}):
        assert client_opened(opened) is None

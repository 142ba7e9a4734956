"""The control comm's messages as docs/protocol.md lists them: one golden example of each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.domain.wire import PROTOCOL, client_opened, page_message

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "wire").glob("control-*.json"))
GOLDEN: dict[str, dict[str, Any]] = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
OPENS = {"control-announce", "control-client"}


def documented() -> dict[str, str]:
    """The rows of the protocol's table of the control comm: direction by type."""
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    table = text.split("## The control comm")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (kernel → pages?|page → kernel|both) \| (?!comm_open)([^|]*) \|", table, re.MULTILINE)
    return {name: direction for direction, names in rows for name in re.findall(r"`(\w+)`", names)}


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN)
def test_every_example_is_whole(golden: dict[str, Any]) -> None:
    assert set(golden) - {"comm_open"} == {"name", "direction", "message"}
    assert golden["direction"] in {"kernel", "page"}
    assert golden["message"]["v"] == PROTOCOL


def test_there_is_an_example_of_every_message() -> None:
    shown = {(golden["message"]["type"], golden["direction"]) for name, golden in GOLDEN.items() if name not in OPENS}
    wanted = {
        (name, sender)
        for name, direction in documented().items()
        for sender in (("kernel", "page") if direction == "both" else (direction.split(" ")[0],))
    }
    assert len(wanted) >= 15
    assert shown == wanted


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
    for raw in (None, 3, [], {}, {"type": "dance"}, {"type": "ask"}, {"type": "ask", "ask_id": "", "text": "x"}, "ask"):
        assert page_message(raw) is None
    for raw in (None, {}, {"client_id": ""}, {"client_id": 3}):
        assert client_opened(raw) is None

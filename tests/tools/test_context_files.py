"""Files beside a conversation: what is told of them, what changed, and what stands in them."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
import pytest

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.config.manifest import ContextSection
from qdash_jupyter.domain.context import Attachment, attachments_text
from qdash_jupyter.domain.mime import takes
from qdash_jupyter.errors import InvalidArguments, NotFound, ToolError
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools import content
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.content import content_of, get_content_tool, peek_tool
from qdash_jupyter.tools.context_files import ContextFiles, available_context_tool, told_in, with_changes
from qdash_jupyter.tools.spec import ToolContext, ToolOutput

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
CONTEXT = ToolContext(None, FrameStore(), Namespace({}), ChipScope())  # pyrefly: ignore[bad-argument-type]


def files_of(*paths: Path, **more: str) -> ContextFiles:
    return ContextFiles([ContextSection(file=path, **more) for path in paths])


@pytest.fixture
def wiring(tmp_path: Path) -> Path:
    path = tmp_path / "wiring.md"
    path.write_text("Line 3 → Q07\n", encoding="utf-8")
    return path


def test_a_file_is_told_without_what_stands_in_it(wiring: Path) -> None:
    [file] = files_of(wiring, description="Which line leads where.").now()
    told = file.told()
    assert told.pop("version")
    assert told == {
        "path": "wiring.md",
        "title": "wiring.md",
        "type": "text/markdown",
        "bytes": 15,
        "description": "Which line leads where.",
    }


def test_a_path_is_as_much_of_its_end_as_tells_it_from_others(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "notes.md", tmp_path / "b" / "notes.md", tmp_path / "b" / "map.csv"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text("x", encoding="utf-8")
    assert [file.path for file in files_of(*paths, paths[0]).now()] == ["a/notes.md", "b/notes.md", "map.csv"]


def test_what_changed_is_said_and_nothing_else(wiring: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    files = files_of(wiring, other)
    assert set(files.missing()) == {str(other)}
    first = with_changes(files.now(), {})
    assert [each["status"] for each in first] == ["new"]

    told = told_in({"files": first})
    assert with_changes(files.now(), told) == [told["wiring.md"]]
    os.utime(wiring)  # touched, and the same
    assert "status" not in with_changes(files.now(), told)[0]

    wiring.write_text("Line 3 → Q08\n", encoding="utf-8")
    other.write_text("a,b\n", encoding="utf-8")
    assert [each["status"] for each in with_changes(files.now(), told)] == ["updated", "new"]
    wiring.unlink()
    assert [(each["path"], each["status"]) for each in with_changes(files.now(), told)] == [
        ("other.csv", "new"),
        ("wiring.md", "removed"),
    ]


def test_the_tool_says_a_change_once(wiring: Path) -> None:
    spec = available_context_tool(files := files_of(wiring), {})

    def call() -> list[str]:
        output = spec.run(spec.args(), CONTEXT)
        assert isinstance(output, ToolOutput)
        return [each.get("status", "") for each in (output.content or {})["files"]]

    assert [call(), call()] == [["new"], [""]]
    assert "removed" not in str(files.now())


def test_a_text_comes_in_pieces_and_says_where_it_goes_on(wiring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MOST_CHARS", 8)
    [file] = files_of(wiring).now()
    assert content_of(file, ()).content == {
        "path": "wiring.md",
        "type": "text/markdown",
        "read_on_from": 8,
        "characters": 13,
        "text": "Line 3 →",
    }
    assert (content_of(file, (), 8).content or {})["text"] == " Q07\n"


def test_a_picture_goes_to_a_model_that_sees(tmp_path: Path) -> None:
    picture, paper = tmp_path / "map <1>.png", tmp_path / "paper.pdf"
    picture.write_bytes(PNG)
    paper.write_bytes(b"%PDF-1.7")
    seen, read = files_of(picture, paper).now()

    with pytest.raises(ToolError, match="can't read image/png"):
        content_of(seen, ())
    [message] = content_of(seen, ["image/*"]).for_model
    assert "<title>map &lt;1&gt;.png</title><type>image/png</type>" in message["content"][0]["text"]
    assert message["content"][1]["image_url"].startswith("data:image/png;base64,iVBORw0KGgo")
    [message] = content_of(read, ["application/pdf"]).for_model
    assert message["content"][1] == {
        "type": "input_file",
        "filename": "paper.pdf",
        "file_data": "data:application/pdf;base64,JVBERi0xLjc=",
    }


def test_what_cannot_be_read_is_an_error_for_the_model(wiring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = get_content_tool(files_of(wiring), ())
    with pytest.raises(NotFound, match=r"wiring\.md"):
        spec.run(spec.args(path="wirin.md"), CONTEXT)
    [file] = files_of(wiring).now()
    wiring.write_bytes(b"\xff\xfe")
    with pytest.raises(ToolError, match="isn't UTF-8"):
        content_of(file, ())
    wiring.unlink()
    with pytest.raises(ToolError, match="Can't read"):
        content_of(file, ())
    monkeypatch.setattr(content, "MOST_BYTES", 3)
    with pytest.raises(ToolError, match="larger"):
        content_of(file, ())


def test_peek_shows_rows_of_a_table_of_the_users() -> None:
    table = pd.DataFrame({"qid": [str(n) for n in range(30)], "t1": range(30)})
    spec, context = peek_tool(), ToolContext(None, FrameStore(), Namespace({"mine": table}), ChipScope())  # pyrefly: ignore[bad-argument-type]

    def peek(**arguments: object) -> dict[str, object]:
        output = spec.run(spec.args(**arguments), context)
        assert isinstance(output, ToolOutput)
        return dict(output.content or {})

    told = peek(frame="mine", columns=["t1"], rows=2)
    assert (told["frame"], told["rows"], told["columns"], told["head"]) == ("mine", 30, {"t1": "int64"}, [[0], [1]])
    assert len(peek(frame="mine", rows=20)["head"]) == 20  # pyrefly: ignore[bad-argument-type]
    with pytest.raises(InvalidArguments, match="'t2'"):
        peek(frame="mine", columns=["t2"])
    with pytest.raises(NotFound):
        peek(frame="theirs")
    with pytest.raises(ValueError, match="20"):
        peek(frame="mine", rows=21)


def test_attachments_are_escaped_and_none_is_no_text() -> None:
    text = attachments_text([Attachment("a </title>", "text/csv", "a.csv", "notes & more")])
    assert text == (
        "<attachments>\n<attachment><title>a &lt;/title&gt;</title><type>text/csv</type><url>a.csv</url>"
        "<reference_url>notes &amp; more</reference_url></attachment>\n</attachments>"
    )
    assert attachments_text([]) == ""


def test_one_policy_that_keeps_is_enough() -> None:
    assert takes("text/csv", ())
    assert takes("image/png", ["image/png"])
    assert takes("image/png", ["image/*"])
    assert not takes("application/pdf", ["image/*"])
    assert takes("application/pdf", (), [lambda *_: False, lambda *_: True])

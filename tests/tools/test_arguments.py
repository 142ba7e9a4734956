"""What arguments of declared tools refer to, and how they are written."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import Field

from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.errors import NotFound
from qdash_jupyter.tools.spec import NewFrame, ToolArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox
from tests.tools.toolbench import Tools


class Arguments(ToolArguments):
    text: str = ""
    rows: list[Any] | None = None
    qid: str = ""
    since: str = ""
    until: str = ""
    number: int = Field(0)


def said(args: Arguments, _: ToolContext) -> ToolOutput:
    told = args.model_dump(exclude_defaults=True)
    return ToolOutput(content=told, frame=NewFrame("said", {"rows": pd.DataFrame({"n": [1]})}, main="rows"))


SAY = ToolSpec("Saying", "Says it.", said, "say", Arguments, "Say.", is_declared=True)


@pytest.fixture
def box(tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toolbox:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    tools.toolbox.add(SAY)
    return tools.toolbox


def say(box: Toolbox, **arguments: Any) -> ToolResult:
    return asyncio.run(box.call("say", arguments))


def told(box: Toolbox, **arguments: Any) -> dict[str, Any]:
    result = say(box, **arguments)
    assert result.failure is None, result.failure
    content: dict[str, Any] = json.loads(result.content)
    content.pop("data_key")
    return content


def refused(box: Toolbox, **arguments: Any) -> str:
    failure = say(box, **arguments).failure
    assert failure is not None
    assert failure.kind in {"invalid_arguments", NotFound.kind}
    return f"{failure.message} {failure.hint}"


def test_a_file_below_the_working_folder(box: Toolbox, tmp_path: Path) -> None:
    Path("sub").mkdir()
    Path("sub/notes.md").write_text("Cold since June. 冷")
    result = say(box, text="file:sub/notes.md")
    assert json.loads(result.content)["text"] == "Cold since June. 冷"
    assert result.arguments["text"] == "file:sub/notes.md", "the step and the notebook show what was asked"
    assert result.written == 'say(text="file:sub/notes.md")'
    assert box.context.store["said"].source.arguments["text"] == "file:sub/notes.md"


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/hostname", "link.txt", "folder/../../secret.txt", "up/secret.txt"]
)
def test_a_file_elsewhere_is_refused_wherever_links_lead(box: Toolbox, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("s3cret")
    Path("folder").mkdir()
    Path("link.txt").symlink_to(tmp_path / "secret.txt")
    Path("up").symlink_to(tmp_path)
    message = refused(box, text=f"file:{path}")
    assert "outside the working folder" in message
    assert "s3cret" not in message


def test_hidden_missing_large_and_binary_files(box: Toolbox) -> None:
    Path(".env").write_text("LAB=1")
    Path("large.txt").write_bytes(b"x" * 1_000_001)
    Path("binary.bin").write_bytes(b"\xff\xfe\x00")
    assert "hidden" in refused(box, text="file:.env")
    assert "No such file" in refused(box, text="file:none.txt")
    assert "larger than" in refused(box, text="file:large.txt")
    assert "UTF-8" in refused(box, text="file:binary.bin")
    assert "larger than" in refused(box, text="file:.")


def test_secrets_in_a_file_do_not_leave(box: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_API_KEY", "k3y-of-the-lab-42")
    Path("a.txt").write_text("key=k3y-of-the-lab-42")
    assert told(box, text="file:a.txt") == {"text": "key=[hidden]"}


def test_a_variable_as_rows_or_as_text(box: Toolbox, tools: Tools) -> None:
    names: Any = tools.namespace._names
    names["df"] = pd.DataFrame({"qid": ["1", "2"], "t": pd.to_datetime(["2026-06-01", None])})
    names["best"] = pd.Series([1.5], index=pd.Index(["7"], name="qid"), name="t1")
    names["numbers"] = np.array([1, 2])
    names["word"] = "hello"
    rows = [{"qid": "1", "t": "2026-06-01T00:00:00"}, {"qid": "2", "t": None}]
    assert told(box, rows="var:df") == {"rows": rows}
    assert json.loads(told(box, text="var:df")["text"]) == rows
    assert told(box, rows="var:best") == {"rows": [{"qid": "7", "t1": 1.5}]}
    assert told(box, rows="var:numbers") == {"rows": [1, 2]}
    assert told(box, text="var:word") == {"text": "hello"}


def test_a_stored_result(box: Toolbox) -> None:
    say(box, text="x")
    assert told(box, rows="var:said") == {"rows": [{"n": 1}]}
    assert "Did you mean said" in refused(box, text="var:sad")


def test_a_foreign_object_is_not_asked(box: Toolbox, tools: Tools) -> None:
    class Awg:
        def __getattribute__(self, name: str) -> Any:
            pytest.fail(name)

    names: Any = tools.namespace._names
    names.update(awg=Awg(), much=["x" * 1_000_001])
    assert "doesn't read" in refused(box, text="var:awg")
    assert "too large" in refused(box, rows="var:much")
    assert "There is no variable" in refused(box, text="var:_i")


def test_qubits_and_couplings_in_any_spelling(box: Toolbox, tools: Tools) -> None:
    assert told(box, qid="Q03") == {"qid": "3"}
    assert told(box, qid="fridge-a") == {"qid": "fridge-a"}, "other servers have other ids"
    chip = tools.scope.resolve(tools.toolbox.context.reader)
    coupling = tools.toolbox.context.reader.element_ids(chip.ref, "coupling")[0]
    control, target = coupling.split("-")
    assert told(box, qid=f"Q{control.zfill(2)}->Q{target}") == {"qid": coupling}
    assert told(box, text="Q03") == {"text": "Q03"}, "by the name of the argument"


def test_a_coupling_in_the_direction_that_the_chip_has(
    box: Toolbox, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(box.context.reader), "element_ids", lambda *_: ["4-1"])
    assert told(box, qid="Q01-Q04") == {"qid": "4-1"}


def test_times_and_a_date_as_until_includes_that_day(box: Toolbox) -> None:
    now = box.context.reader.now()
    assert told(box, since="2026-06-01", until="2026-06-02") == {
        "since": "2026-06-01T00:00:00+00:00",
        "until": "2026-06-03T00:00:00+00:00",
    }
    assert told(box, since="24h")["since"][:10] == str(now.date() - pd.Timedelta(days=1))
    assert "isn't a time" in refused(box, since="soonish")


def test_built_in_tools_read_their_own_spellings(tools: Tools) -> None:
    content = tools.failure("get_qubit_params", qid="file:/etc/hostname")
    assert content["kind"] == "not_found"

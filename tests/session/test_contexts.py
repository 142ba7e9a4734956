"""The lab's files in a conversation, over a socket: what the model is told, when, and what goes to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.journal import Journal
from tests.scripted_server import ScriptedServer, call_turn, refuses_a_broken_history, text_turn
from tests.session.conversation import reader_of

Body = dict[str, Any]
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@dataclass
class Lab:
    """A folder with a file, and how to talk about it."""

    shell: InteractiveShell
    snapshot: Path
    folder: Path

    @property
    def wiring(self) -> Path:
        return self.folder / "wiring.md"

    @contextmanager
    def talk(self, server: ScriptedServer, *files: str, **settings: Any) -> Iterator[Copilot]:
        model = {"name": "m", "base_url": server.base_url, "api_key_env": "NO_KEY", **settings.pop("model", {})}
        orchestrator = {"deployment": "lab"} | settings.pop("orchestrator", {})
        listed = [{"file": str(self.folder / name), "description": f"About {name}."} for name in files]
        given = {"orchestrator": orchestrator, "models": {"lab": model}, "contexts": listed, **settings}
        with closing(open_copilot(self.shell, settings=given, reader=reader_of(self.snapshot))) as copilot:
            yield copilot


@pytest.fixture
def lab(shell: InteractiveShell, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.delenv("ENABLE_PREVIEW_FEATURES", raising=False)
    found = Lab(shell, snapshot, tmp_path / "lab")
    found.folder.mkdir()
    found.wiring.write_text("Line 3 leads to Q07.", encoding="utf-8")
    return found


@pytest.fixture
def lazy(monkeypatch: pytest.MonkeyPatch) -> Body:
    monkeypatch.setenv("ENABLE_PREVIEW_FEATURES", "1")
    return {"orchestrator": {"attachment_strategy": "lazy_on_demand"}}


@contextmanager
def server_of(*turns: Any) -> Iterator[ScriptedServer]:
    with ScriptedServer(turns or [text_turn("ok")] * 9, refusals=[refuses_a_broken_history]) as server:
        yield server


def told(body: Body, tool: str = "available_context") -> list[Body]:
    """The outputs of this tool in a request."""
    ids = [item["call_id"] for item in body["input"] if item.get("name") == tool]
    return [json.loads(item["output"]) for item in body["input"] if item.get("call_id") in ids and "output" in item]


def statuses(body: Body) -> list[dict[str, str]]:
    return [{each["path"]: each.get("status", "") for each in listed["files"]} for listed in told(body)]


def tools(body: Body) -> list[str]:
    return [tool["name"] for tool in body["tools"] if "name" in tool]


def without_what_was_made(body: Body) -> Body:
    kept = [item for item in body["input"] if not str(item.get("call_id")).startswith("made")]
    return {**body, "input": kept, "tools": [tool for tool in body["tools"] if tool["name"] != "available_context"]}


def test_a_change_is_told_before_the_question_and_nothing_where_nothing_changed(lab: Lab) -> None:
    with server_of() as server, lab.talk(server, "wiring.md", "cooldown.md") as copilot:
        copilot.ask("One?")
        copilot.ask("Two?")
        lab.wiring.write_text("Line 3 leads to Q08.", encoding="utf-8")
        (lab.folder / "cooldown.md").write_text("Cold.", encoding="utf-8")
        copilot.ask("Three?")
        lab.wiring.unlink()
        copilot.ask("Four?")
        bodies = [request.body for request in server.requests]

    new = {"wiring.md": "new"}
    third = {"wiring.md": "updated", "cooldown.md": "new"}
    assert [statuses(body) for body in bodies] == [
        [new],
        [new],
        [new, third],
        [new, third, {"cooldown.md": "", "wiring.md": "removed"}],
    ]
    assert [item.get("type") for item in bodies[0]["input"]] == ["function_call", "function_call_output", "message"]
    assert told(bodies[0])[0]["files"][0]["description"] == "About wiring.md."
    assert "leads to" not in json.dumps(bodies)
    assert tools(bodies[0])[-1] == "available_context"


def test_each_request_begins_with_the_one_before(lab: Lab) -> None:
    with server_of() as server, lab.talk(server, "wiring.md") as copilot:
        copilot.ask("One?")
        lab.wiring.write_text("Another.", encoding="utf-8")
        copilot.ask("Two?")
        one, two = (request.body for request in server.requests)
    assert two["input"][: len(one["input"])] == one["input"]
    assert (two["instructions"], two["tools"]) == (one["instructions"], one["tools"])


def test_without_files_a_request_is_what_it_was(lab: Lab) -> None:
    bodies = []
    for files in ((), ("wiring.md",)):
        with server_of() as server, lab.talk(server, *files) as copilot:
            copilot.ask("One?")
            copilot.ask("Two?")
            bodies.append([request.body for request in server.requests])
    without, with_files = bodies
    assert [without_what_was_made(body) for body in with_files] == without
    assert "available_context" not in json.dumps(without)


def test_the_model_may_look_again(lab: Lab) -> None:
    with server_of(call_turn(("available_context", {})), *[text_turn("ok")] * 2) as server:
        with lab.talk(server, "wiring.md") as copilot:
            copilot.ask("What files are there?")
            copilot.ask("And now?")
        body = server.requests[-1].body
    assert statuses(body) == [{"wiring.md": "new"}, {"wiring.md": ""}]


def test_a_missing_file_is_an_issue_and_no_error(lab: Lab) -> None:
    with server_of() as server, lab.talk(server, "wiring.md", "gone.md") as copilot:
        assert copilot.ask("One?").text == "ok"
        [issue] = copilot.status().issues
        body = server.requests[-1].body
    assert (issue.stage, issue.is_hard) == ("context", False)
    assert str(issue.name).endswith("gone.md")
    assert str(issue.message).endswith("gone.md doesn't exist.")
    assert statuses(body) == [{"wiring.md": "new"}]


def kept(lab: Lab, copilot: Copilot, folder: Path, conversation_id: str | None = None) -> Journal:
    """Have the conversation kept, or go on with the one of an earlier kernel."""
    journal = Journal.open(conversation_id, Path("/lab/study.ipynb"), folder=folder)
    copilot._conversation.resume(journal)
    return journal


def test_after_a_restart_it_is_known_what_was_told(lab: Lab, tmp_path: Path) -> None:
    with server_of() as server:
        with lab.talk(server, "wiring.md") as copilot:
            journal = kept(lab, copilot, tmp_path / "logs")
            copilot.ask("One?")
        identity = journal.conversation_id
        with lab.talk(server, "wiring.md") as copilot:
            kept(lab, copilot, tmp_path / "logs", identity)
            copilot.ask("Two?")
        with lab.talk(server) as copilot:  # the settings name none any more
            kept(lab, copilot, tmp_path / "logs", identity)
            copilot.ask("Three?")
            copilot.ask("Four?")
        bodies = [request.body for request in server.requests]
    assert [statuses(body) for body in bodies] == [
        [{"wiring.md": "new"}],
        [{"wiring.md": "new"}],
        [{"wiring.md": "new"}, {"wiring.md": "removed"}],
        [{"wiring.md": "new"}, {"wiring.md": "removed"}],
    ]
    assert tools(bodies[-1])[-1] == "available_context"


def test_a_digest_takes_the_list_along(lab: Lab) -> None:
    from qdash_jupyter.agent.transcript import MadeCall, Transcript

    transcript = Transcript()
    files = [{"path": "wiring.md", "status": "new"}]
    transcript.ask("One?", calls=[MadeCall("available_context", {}, {"files": files})])
    transcript.ask("Two?")
    transcript.replace_first(1, "Digest.")
    assert [item.get("type") for item in transcript.sent_items] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
    ]
    assert transcript.sent_items[transcript.question_at]["content"][0]["text"] == "Two?"


def test_a_file_that_the_question_names_stands_beside_it(lab: Lab) -> None:
    with server_of() as server, lab.talk(server, "wiring.md") as copilot:
        copilot.ask("What does @wiring.md say?")
        copilot.ask("wiring.mdを見て")
        copilot.ask("And rewiring.md?")
        with pytest.raises(QuestionError, match="wirin"):
            copilot.ask("And @wirin?")
        questions = [request.body["input"][-1]["content"] for request in server.requests]
    line = "<attachment><title>wiring.md</title><type>text/markdown</type><url>wiring.md</url></attachment>"
    shown = [[part["text"] for part in question if "<attachments>" in part["text"]] for question in questions]
    assert shown == [[f"<attachments>\n{line}\n</attachments>"]] * 2 + [[]]


def test_the_preview_is_off_without_its_variable(lab: Lab) -> None:
    strategy = {"attachment_strategy": "lazy_on_demand"}
    with server_of() as server, lab.talk(server, "wiring.md", orchestrator=strategy) as copilot:
        copilot.ask("What does wiring.md say?")
        [issue] = copilot.status().issues
        body = server.requests[-1].body
    assert "get_content" not in tools(body)
    assert "ENABLE_PREVIEW_FEATURES" in str(issue.message)


def test_a_file_is_read_when_the_model_asks(lab: Lab, lazy: Body) -> None:
    turns = [call_turn(("get_content", {"path": "wiring.md"})), text_turn("ok")]
    with server_of(*turns) as server, lab.talk(server, "wiring.md", **lazy) as copilot:
        copilot.ask("Where does line 3 lead?")
        bodies = [request.body for request in server.requests]
    assert tools(bodies[0])[-2:] == ["available_context", "get_content"]
    assert told(bodies[0], "get_content") == []
    assert told(bodies[1], "get_content")[0]["text"] == "Line 3 leads to Q07."


def test_a_file_that_the_question_names_is_read_at_once(lab: Lab, lazy: Body) -> None:
    with server_of() as server, lab.talk(server, "wiring.md", **lazy) as copilot:
        copilot.ask("What does @wiring.md say?")
        body = server.requests[0].body
    assert told(body, "get_content")[0]["text"] == "Line 3 leads to Q07."
    assert body["input"][-1]["content"][0]["text"] == "What does @wiring.md say?"


@pytest.mark.parametrize("api_style", ["responses", "chat_completions"])
def test_a_picture_goes_to_a_model_that_sees(lab: Lab, lazy: Body, api_style: str) -> None:
    (lab.folder / "map.png").write_bytes(PNG)
    turns = [call_turn(("get_content", {"path": "map.png"})), text_turn("ok"), text_turn("ok")]
    model = {"accepts": ["image/png"], "api_style": api_style}
    with server_of(*turns) as server, lab.talk(server, "map.png", model=model, **lazy) as copilot:
        copilot.ask("What is on the map?")
        copilot.ask("Sure?")
        bodies = [request.body for request in server.requests]
    items: Sequence[Body] = bodies[1].get("input") or bodies[1]["messages"]
    text, picture = items[-1]["content"]
    assert "<url>map.png</url>" in text["text"]
    assert "data:image/png;base64,iVBORw0KGgo" in json.dumps(picture)
    assert picture["type"] == ("input_image" if api_style == "responses" else "image_url")


def test_a_model_that_does_not_see_is_offered_nothing_to_look_at(lab: Lab, lazy: Body) -> None:
    (lab.folder / "map.png").write_bytes(PNG)
    with server_of() as server, lab.talk(server, "map.png", **lazy) as copilot:
        copilot.ask("What is on map.png?")
        body = server.requests[0].body
    assert "get_content" not in tools(body)
    assert "<type>image/png</type>" in body["input"][-1]["content"][-1]["text"]


def test_peek_is_offered_where_there_is_a_table(lab: Lab, lazy: Body) -> None:
    fetch = call_turn(("get_chip_parameter_timeseries", {"parameter_name": "t1"}))
    peek = call_turn(("peek", {"frame": "t1", "columns": ["qid", "v"], "rows": 2}))
    with server_of(text_turn("ok"), fetch, text_turn("ok"), peek, text_turn("ok")) as server:
        with lab.talk(server, **lazy) as copilot:
            for question in ("One?", "Two?", "Three?"):
                copilot.ask(question)
        lab.shell.user_ns["mine"] = pd.DataFrame({"a": [1]})
        server.add(text_turn("ok"))
        with lab.talk(server, **lazy) as copilot:
            copilot.ask("Four?")
        bodies = [request.body for request in server.requests]
    offered = ["peek" in tools(body) for body in bodies]
    assert offered == [False, False, False, True, True, True]
    [rows] = told(bodies[4], "peek")
    assert (len(rows["head"]), list(rows["columns"]), rows["units"]["v"]) == (2, ["qid", "v"], "μs")


GROUNDING = {"type": "static_function", "static_function": {"name": "google_search", "configuration": {"k": [1, None]}}}
WRONG = ["text", {"type": "function"}, {"type": "static_function", "static_function": {"name": ""}}]


@pytest.mark.parametrize("api_style", ["responses", "chat_completions"])
def test_static_tools_go_out_unchanged_and_are_not_run_here(
    lab: Lab, api_style: str, caplog: pytest.LogCaptureFixture
) -> None:
    model = {"static_tools": [*WRONG, GROUNDING], "api_style": api_style}
    on = {"features": {"static_tools": {"enabled": True}}}
    caplog.set_level("DEBUG", "qdash_jupyter")
    turns = [call_turn(("google_search", {"q": "transmon"})), text_turn("ok")]
    with server_of(*turns) as server, lab.talk(server, model=model, **on) as copilot:
        assert copilot.ask("What is new?").text == "ok"
        bodies = [request.body for request in server.requests]
    assert [body["tools"][-1] for body in bodies] == [GROUNDING] * 2
    assert [tool["type"] for tool in bodies[0]["tools"][:-1]] == ["function"] * (len(bodies[0]["tools"]) - 1)
    assert "It runs only there" in json.dumps(bodies[1])
    skipped = [record.getMessage()[:14] for record in caplog.records if "is skipped" in record.getMessage()]
    assert skipped == ["static_tools.0", "static_tools.1", "static_tools.2"]


def test_static_tools_are_off_unless_enabled(lab: Lab) -> None:
    with server_of() as server, lab.talk(server, model={"static_tools": [GROUNDING]}) as copilot:
        copilot.ask("What is new?")
        assert "google_search" not in json.dumps(server.requests[0].body)


def test_what_files_gave_goes_before_old_turns_do(lab: Lab, lazy: Body) -> None:
    lab.wiring.write_text("Line. " * 3_300, encoding="utf-8")
    model = {"window": 7_500}  # of which the scripted server counts little, so that twice as much fits
    with server_of() as server, lab.talk(server, "wiring.md", model=model, **lazy) as copilot:
        for question in ("What does wiring.md say?", "And wiring.md now?", "Sure?"):
            copilot.ask(question)
        bodies = [request.body for request in server.requests]
    texts = [[each.get("left_out", "") or len(each["text"]) for each in told(body, "get_content")] for body in bodies]
    again = "to save room; call the tool again"
    assert texts == [[19_800], [again, 19_800], [again, 19_800]]
    assert "Digest of the first" not in json.dumps(bodies)


def test_a_name_that_another_tool_has_is_its_own(lab: Lab) -> None:
    def available_context() -> dict[str, str]:
        """Something else."""
        return {}

    with server_of() as server, lab.talk(server, "wiring.md") as copilot:
        copilot.tools.add(available_context)
        assert copilot.ask("One?").text == "ok"
        [issue] = copilot.status().issues
        assert tools(server.requests[0].body).count("available_context") == 1
    assert "another tool has this name" in str(issue.message)


def test_the_offline_planner_is_not_disturbed(lab: Lab) -> None:
    settings = {"database": {"snapshot": str(lab.snapshot)}}
    answers: list[list[str]] = []
    for more in ({}, {"contexts": [{"file": str(lab.wiring)}]}):
        with closing(open_copilot(lab.shell, settings=settings | more)) as copilot:
            answers.append([])
            for question in ("T1 of Q3?", "and Q5?"):
                lab.wiring.write_text(question, encoding="utf-8")
                answers[-1].append(copilot.ask(question).text)
    assert answers[0] == answers[1]

"""REST tools against a real server, and its faults."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
import threading
from types import ModuleType
from typing import Any

import pytest

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import masked, note_secrets
from qdash_jupyter.domain.answer import TableBlock
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.tool_sets import rest as rest_module
from tests.patience import PATIENCE_S, until
from tests.tool_sets.sets import WRITING, box, built, called, content, failure, rest
from tests.tool_sets.web import Says, Web, web

SECRET = "tok-93hx71-very-secret"
BEARER = {"type": "bearer", "env": "LAB_SECRET_PLACE"}
LOG = {
    "path": "/stages/{stage}/log",
    "description": "The fridge's log. It has temperatures.",
    "parameters": {
        "stage": {"in": "path", "enum": ["mxc", "still"], "description": "Which plate."},
        "page_size": {"name": "page-size", "type": "integer", "default": 5},
        "tags": {"type": "array"},
        "raw": {"type": "boolean"},
        "note": {},
    },
}


def test_arguments_stand_in_path_query_and_schema(lab: Web) -> None:
    lab.paths["/api/stages/mxc/log"] = Says({"mK": 10.5})
    tools = box(rest(f"{lab.url}/api/", LOG))
    result = called(tools, stage="mxc", tags=["a b", "c"], raw=True)
    assert content(result) == {"answer": {"mK": 10.5}}
    assert lab.asked[0].target == "/api/stages/mxc/log?page-size=5&tags=a+b&tags=c&raw=true"
    (schema,) = tools.schemas()
    assert schema["description"] == "The fridge's log. It has temperatures."
    assert schema["parameters"]["required"] == ["stage"]
    assert schema["parameters"]["properties"]["stage"]["enum"] == ["mxc", "still"]
    assert schema["parameters"]["properties"]["page_size"] == {"default": 5, "type": "integer"}
    (spec,) = tools.specs.values()
    assert spec.guidance == "ask_lab: The fridge's log."
    assert failure(called(tools, stage="4k"))[0] == "invalid_arguments"
    assert len(lab.asked) == 1, "what does not fit is not sent"


@pytest.mark.parametrize(
    ("value", "path"),
    [("../admin", "..%2Fadmin"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("%2e%2e", "%252e%252e"), ("冷", "%E5%86%B7")],
)
def test_an_argument_in_the_path_leads_nowhere_else(lab: Web, value: str, path: str) -> None:
    tools = box(rest(lab.url, {"path": "/logs/{name}/x", "parameters": {"name": {"in": "path"}}}))
    called(tools, name=value)
    assert lab.asked[0].target == f"/logs/{path}/x"


@pytest.mark.parametrize("value", ["..", ".", " "])
def test_dots_are_no_part_of_a_path(lab: Web, value: str) -> None:
    tools = box(rest(lab.url, {"path": "/logs/{name}", "parameters": {"name": {"in": "path"}}}))
    assert failure(called(tools, name=value))[0] == "invalid_arguments"
    assert lab.asked == []


def test_a_head_tells_its_headers(lab: Web) -> None:
    lab.paths["/"] = Says(headers={"x-runs": "7", "set-cookie": "s=1"})
    told = content(called(box(rest(lab.url, {"method": "HEAD", "path": "/"}))))
    assert (told["status"], told["headers"]["x-runs"]) == (200, "7")
    assert "set-cookie" not in told["headers"]


@pytest.mark.parametrize(
    ("authentication", "sent"),
    [
        (BEARER, {"authorization": f"Bearer {SECRET}"}),
        (BEARER | {"type": "basic", "user": "ana"}, {"authorization": "Basic YW5hOnRvay05M2h4NzEtdmVyeS1zZWNyZXQ="}),
        (BEARER | {"type": "header", "header": "X-Api-Key"}, {"x-api-key": SECRET}),
        ({"keyring": "lab/fridge/ana"}, {"authorization": f"Bearer {SECRET}"}),
    ],
)
def test_the_secret_goes_to_the_server_and_into_no_text(
    lab: Web,
    authentication: Any,
    sent: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    keyring = ModuleType("keyring")
    places = {("lab/fridge", "ana"): SECRET}
    keyring.get_password = lambda *place: places.get(place)  # pyrefly: ignore[missing-attribute]
    keyring.__spec__ = json.__spec__
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setenv("LAB_SECRET_PLACE", SECRET)
    lab.paths["/echo"] = lambda asked: Says({"got": asked.headers})
    lab.paths["/denied"] = lambda asked: Says({"bad key": asked.headers}, 401)
    tools = box(rest(lab.url, {"path": "/echo"}, {"name": "denied", "path": "/denied"}, authentication=authentication))
    with caplog.at_level(logging.DEBUG):
        results = [called(tools), called(tools, "denied")]
    assert lab.asked[0].headers.items() >= sent.items()
    assert failure(results[1])[0] == "unauthorized"
    for text in (*(str(result) for result in results), caplog.text):
        assert SECRET not in text
        assert sent.get("authorization", SECRET).split(" ")[-1] not in text
    assert "[hidden]" in results[0].content
    assert "bad key" in results[1].content, "the server's own words are told"


def test_without_a_secret_nothing_is_sent(lab: Web) -> None:
    kind, said = failure(called(box(rest(lab.url, {}, authentication=BEARER))))
    assert (kind, lab.asked) == ("unauthorized", [])
    assert "LAB_SECRET_PLACE" in said


def test_secrets_in_the_settings_are_masked_as_well() -> None:
    headers = {"X-Api-Key": "k3y-in-a-header-77", "Accept": "application/json"}
    section = rest("http://ana:pa55-in-url-9@lab/x", {"headers": {"Authorization": "Bearer b3arer-in-tool-1"}})
    note_secrets(Manifest.model_validate({"tool_sets": [section | {"headers": headers}]}))
    words = "k3y-in-a-header-77 pa55-in-url-9 b3arer-in-tool-1 application/json"
    assert masked(words) == "[hidden] [hidden] [hidden] application/json"


def test_a_keyring_that_is_not_installed_is_a_hard_issue(lab: Web) -> None:
    (issue,) = built(rest(lab.url, {}, authentication={"keyring": "lab/ana"})).issues
    assert issue.is_hard
    assert "qdash_jupyter[keyring]" in str(issue.message)


def test_a_redirect_to_another_origin_carries_no_secret(lab: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_SECRET_PLACE", SECRET)
    with web() as other:
        lab.paths["/here"] = Says(status=302, headers={"location": "/there"})
        lab.paths["/there"] = Says(status=307, headers={"location": f"{other.url}/far"})
        other.paths["/far"] = Says({"far": 1})
        authentication = BEARER | {"type": "header", "header": "X-Api-Key"}
        tools = box(rest(lab.url, {"path": "/here", "headers": {"X-Lab": "1"}}, authentication=authentication))
        assert content(called(tools)) == {"answer": {"far": 1}}
        assert [asked.headers["x-api-key"] for asked in lab.asked] == [SECRET, SECRET]
        assert not {"x-api-key", "x-lab", "authorization"} & set(other.asked[0].headers)


def test_redirects_end(lab: Web) -> None:
    lab.paths["/"] = Says(status=302, headers={"location": "/"})
    assert failure(called(box(rest(lab.url, {"path": "/"}))))[0] == "refused"
    assert len(lab.asked) == 6


@pytest.mark.parametrize(
    ("says", "kind", "words"),
    [
        (Says({"detail": "no such fridge"}, 404), "refused", "no such fridge"),
        (Says("<html>Oops</html>", 500, "text/html"), "refused", "HTTP status 500. Try"),
        (Says("{", 200), "broken_answer", "JSON"),
        (Says(b"\x89PNG", 200, "image/png"), "broken_answer", "image/png"),
        (Says(b"x" * 2_000, 200, "text/plain"), "broken_answer", "larger than"),
    ],
)
def test_what_servers_do_wrong(lab: Web, says: Says, kind: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_module, "MOST_BYTES", 1_000)
    lab.paths["/"] = says
    told = failure(called(box(rest(lab.url, {"path": "/"}))))
    assert told[0] == kind
    assert words in told[1]


def test_a_long_answer_is_cut_for_the_model(lab: Web) -> None:
    lab.paths["/"] = Says([{"n": n, "text": "x" * 90} for n in range(2_000)])
    result = called(box(rest(lab.url, {"path": "/"})))
    assert len(result.content) <= 30_000
    assert "items: ask for fewer" in content(result)["_omitted"]["answer"]


def test_no_server(lab: Web) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        kind, said = failure(called(box(rest(url, {}))))
    assert kind == "unreachable"
    assert "refused" in said


def test_the_tools_time_limit_counts_and_its_connection_ends(lab: Web) -> None:
    lab.paths["/"] = Says(waits=True)
    tools = box(rest(lab.url, {"path": "/", "timeout_seconds": 1}, timeout_seconds=30))
    assert failure(called(tools))[1].startswith("ask_lab timed out after 1 s.")
    assert lab.hung_up.wait(PATIENCE_S)


def test_stop_breaks_the_connection_off(lab: Web) -> None:
    lab.paths["/"] = Says(waits=True)
    tools = box(rest(lab.url, {"path": "/", "timeout_seconds": 300}))

    async def stopped() -> None:
        running = asyncio.create_task(_all(tools))
        await asyncio.to_thread(until, lambda: lab.asked)
        running.cancel()
        await asyncio.wait([running])

    async def _all(tools: Any) -> None:
        async for _ in tools.run([ToolCall("1", "ask_lab", "{}")]):
            pass

    asyncio.run(stopped())
    assert lab.hung_up.wait(PATIENCE_S)
    until(lambda: not [one for one in threading.enumerate() if one.name == "qdash-ask_lab"])


ROWS = [{"t": "2026-06-30", "stage": {"name": "mxc"}, "mK": 10.0 + n} for n in range(30)]
KEEP = {"response_as_attachment": {"enabled": True}, "path": "/"}


def test_rows_become_a_table_only_where_that_is_enabled(lab: Web) -> None:
    lab.paths["/"] = Says({"total": 30, "rows": ROWS})
    tools = box(rest(lab.url, {"path": "/"}))
    assert called(tools).frame_key is None
    tools = box(rest(lab.url, KEEP))
    result = called(tools)
    assert (result.frame_key, result.rows, result.blocks) == ("ask_lab", 30, ())
    stored = tools.context.store["ask_lab"]
    assert list(stored.frame.columns) == ["t", "mK", "stage.name"]
    assert stored["total"] == 30
    assert content(result)["data_key"] == "ask_lab"
    assert len(result.content) < 700, "a summary, not the rows"


def test_csv_too_with_the_body_for_the_model_and_the_table_for_the_user(lab: Web) -> None:
    lab.paths["/"] = Says("qid,t1\n7,33.5\n", mime="text/csv; charset=utf-8")
    keep = {"enabled": True, "include_body_as_content": True}
    tools = box(rest(lab.url, {"path": "/", "response_as_attachment": keep}, propagate_types_to_choice=["text/*"]))
    result = called(tools)
    assert content(result) == {"data_key": "ask_lab", "text": "qid,t1\n7,33.5\n"}
    (block,) = result.blocks
    assert isinstance(block, TableBlock)
    assert (block.frame_key, block.rows) == ("ask_lab", ((7, 33.5),))


@pytest.mark.parametrize(
    ("says", "kind"), [(Says("{"), "broken_answer"), (Says('"a,b\n1', mime="text/csv"), "broken_answer")]
)
def test_a_table_that_is_none(lab: Web, says: Says, kind: str) -> None:
    lab.paths["/"] = says
    assert failure(called(box(rest(lab.url, KEEP))))[0] == kind


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ({"method": "POST"}, "features.write_methods.enabled"),
        ({"path": "/{a}"}, "in: path"),
        ({"parameters": {"page-size": {}}}, "name: page-size"),
        ({"parameters": {"copy": {}}}, "name: copy"),
    ],
)
def test_a_tool_that_cannot_be_made_is_a_hard_issue_and_the_others_are_there(tool: dict[str, Any], words: str) -> None:
    made = built(rest("http://lab", tool, {"name": "other"}))
    (issue,) = made.issues
    assert (issue.name, issue.is_hard, [spec.name for spec in made.specs]) == ("ask_lab", True, ["other"])
    assert words in str(issue.message)


def test_an_address_that_is_none() -> None:
    assert "base_url" in str(built(rest("lab.example/api", {})).issues[0].message)


def test_a_body_is_json(lab: Web) -> None:
    lab.paths["/tickets"] = lambda asked: Says({"id": 1, "was": asked.json})
    parameters = {"title": {"in": "body"}, "labels": {"in": "body", "type": "array"}}
    tool = {"method": "POST", "path": "/tickets", "parameters": parameters}
    tools = box(rest(lab.url, tool), features=WRITING).for_turn(NoCells(), "en", policy="trusted")
    told = content(called(tools, title="T1 of Q7", labels=["t1"]))
    assert told == {"answer": {"id": 1, "was": {"title": "T1 of Q7", "labels": ["t1"]}}}


def test_a_write_that_is_late_may_have_been_done(lab: Web) -> None:
    lab.paths["/a"] = Says(waits=True)
    tools = box(rest(lab.url, {"method": "POST", "path": "/a", "timeout_seconds": 1}), features=WRITING)
    kind, said = failure(called(tools.for_turn(NoCells(), "en", policy="trusted")))
    assert (kind, "may have taken effect" in said, len(lab.asked)) == ("timed_out", True, 1)


def test_what_was_allowed_for_one_address_is_not_done_at_another(lab: Web) -> None:
    lab.paths["/a"] = Says(status=307, headers={"location": "/b"})
    tools = box(rest(lab.url, {"method": "POST", "path": "/a"}), features=WRITING)
    assert failure(called(tools.for_turn(NoCells(), "en", policy="trusted")))[0] == "refused"
    assert [asked.target for asked in lab.asked] == ["/a"]

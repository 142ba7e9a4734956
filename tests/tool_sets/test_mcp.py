"""Tools of MCP servers, on real servers: programs and addresses, in order and in trouble.

A server of the tests takes a second to start as a program, as it imports the SDK; what needs none is by HTTP, on a
thread of this process.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import masked
from qdash_jupyter.config.tool_sets import AuthenticationSection, McpToolSetSection
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import BrokenAnswer
from qdash_jupyter.tool_sets.mcp import mcp_tools, tool_set
from qdash_jupyter.tool_sets.mcp.arguments import arguments_of
from qdash_jupyter.tool_sets.mcp.sign_in import WantedKey
from qdash_jupyter.tools.size_limit import MAX_TOOL_RESULT_CHARS
from qdash_jupyter.ui.keys import ask_for_keys
from qdash_jupyter.ui.serving import PORT, TOKEN_VARIABLE
from tests.patience import PATIENCE_S, until
from tests.tool_sets.conftest import Bench, Connect, address, program
from tests.tool_sets.lab_server import STAGE
from tests.tool_sets.web_lab import WebLab, calls, lines, web_lab

KEY = "fridge-key-0123456789"


@pytest.fixture
def web(log: Path) -> Iterator[WebLab]:
    with web_lab(log) as lab:
        yield lab


# What a server offers, and what it answers.


def test_a_program_is_started_with_the_variables_that_are_named_and_its_tools_are_ours(
    connect: Connect, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second: the program starts."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-the-server-000000")
    monkeypatch.setenv("LAB_FRIDGE_TOKEN", KEY)
    key = AuthenticationSection(env="LAB_FRIDGE_TOKEN")
    own: dict[str, Any] = {"env": {"LAB_PLACE": "cellar"}, "authentication": key, "cwd": log.parent}
    bench = connect(program(log, "--wrong-schema", allow=None, **own))
    ((name, message, hard),) = bench.issues
    assert (name, hard) == ("lab", False)
    assert message.startswith("Can't use the schema of wrong_type: the argument n has the type 'strng'")
    spec = bench.box.specs["lab_read_temperature"]
    assert spec.schema() == {
        "type": "function",
        "name": "lab_read_temperature",
        "description": "It is read_temperature.",
        "parameters": STAGE,
        "strict": False,
    }
    assert (spec.label, spec.effect, spec.is_declared) == ("lab: Temperature", "read", True)
    assert bench.box.specs["lab_set_bias"].effect == "act"
    assert bench.call("lab_read_temperature", stage="mxc") == {"stage": "mxc", "mK": 10.5}
    assert calls(log, "read_temperature") == [{"stage": "mxc"}]
    got = bench.call("lab_environment")
    assert got["LAB_PLACE"] == "cellar"
    assert got["LAB_FRIDGE_TOKEN"] == "[hidden]"
    assert set(got) - set(os.environ) <= {"LAB_PLACE", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert "OPENAI_API_KEY" not in got
    assert bench.call("lab_fail")["error"] == "No fridge. Key: [hidden]"


def test_what_the_model_sends_reaches_the_server_as_it_is(connect: Connect, web: WebLab) -> None:
    bench = connect(address(web.url))
    given = {"a": None, "b": [1, {"c": " d "}], "model_config": 1, "class": "x"}
    assert json.loads(bench.call("lab_echo", **given)["text"]) == given


def test_rows_become_a_table_and_a_huge_one_stays_in_the_store(connect: Connect, web: WebLab) -> None:
    bench = connect(address(web.url))
    few = bench.call("lab_fridge_log", hours=2)
    assert [row["mK"] for row in few["result"]] == [10.0, 10.1]
    assert (few["stage"], few["data_key"]) == ("mxc", "lab_fridge_log")
    (huge,) = bench.results(("lab_fridge_log", {"hours": 20_000}))  # 3 MB
    assert len(huge.content) < MAX_TOOL_RESULT_CHARS
    assert huge.rows == 20_000
    stored = bench.box.context.store[huge.frame_key or ""]
    assert (len(stored["result"]), stored["stage"]) == (20_000, "mxc")


@pytest.mark.parametrize(
    ("schema", "wrong"),
    [
        ({"type": "array"}, "its type is 'array'"),
        ({}, "its type is None"),
        ({"type": "object", "properties": ["n"]}, "its properties aren't objects"),
        ({"type": "object", "properties": {"n": True}}, "its properties aren't objects"),
        ({"type": "object", "required": "n"}, "`required` isn't a list"),
        ({"type": "object", "properties": {"n": {"type": ["null", "int"]}}}, "the argument n has the type 'int'"),
        ({"type": "object", "properties": {"n": {"type": 7}}}, "the argument n has the type 7"),
    ],
)
def test_a_schema_that_cannot_be_used_says_why(schema: Any, wrong: str) -> None:
    with pytest.raises(BrokenAnswer, match=wrong):
        arguments_of(schema)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('{"tools": [{"name": "a", "inputSchema": []}]}', "sent an unexpected response"),
        ('{"tools": 7}', "sent an unexpected response"),
    ],
)
def test_a_server_whose_answers_are_none_is_left_out(connect: Connect, answer: str, said: str) -> None:
    code = f"""if True:
        import json, sys
        for line in sys.stdin:
            asked = json.loads(line)
            result = {answer}
            if asked["method"] == "initialize":
                result = dict(protocolVersion="2025-06-18", capabilities=dict(tools={{}}))
                result["serverInfo"] = dict(name="x", version="1")
            is_known = asked["method"] in ("initialize", "tools/list")
            reply = dict(result=result) if is_known else dict(error=dict(code=-32601, message="What?"))
            if "id" in asked:
                print(json.dumps(dict(jsonrpc="2.0", id=asked["id"], **reply)), flush=True)
    """
    ((_, message, hard),) = connect(started(code)).issues
    assert hard
    assert said in message


def started(code: str, name: str = "lab", **more: Any) -> McpToolSetSection:
    return McpToolSetSection(type="mcp", name=name, command=sys.executable, args=("-c", code), **more)


def test_images_and_files_are_named(connect: Connect, web: WebLab) -> None:
    told = connect(address(web.url)).call("lab_picture")
    assert told["attachments"] == [
        {"type": "image/png", "size": "2.0 kB"},
        {"type": "text/csv", "name": "log", "uri": "lab://log"},
    ]


def test_an_error_of_the_tool_reaches_the_model_without_secrets(connect: Connect, web: WebLab) -> None:
    bench = connect(address(web.url, headers={"X-Lab": KEY}))
    told = bench.call("lab_fail", key=KEY)
    assert (told["error"], told["kind"]) == ("No fridge. Key: [hidden]", "tool_error")
    assert web.seen[-1]["x-lab"] == KEY


def test_an_answer_that_breaks_its_own_schema_is_an_error_of_the_server(connect: Connect, web: WebLab) -> None:
    told = connect(address(web.url)).call("lab_promises")
    assert told["kind"] == "broken_answer"
    assert "'volts' is a required property" in told["error"]


def test_people_call_its_tools_like_ours(connect: Connect, web: WebLab) -> None:
    spec = connect(address(web.url)).box.specs["lab_read_temperature"]
    assert str(spec.signature()) == "(stage: Any)"
    assert spec.required() == ["stage"]
    assert spec.call({"stage": "mxc"}) == 'lab_read_temperature("mxc")'
    assert "stage: Which." in spec.help()


def test_names_are_those_that_models_take() -> None:
    assert tool_set._name("my lab", "read.temp") == "my_lab_read_temp"
    assert tool_set._name("64Q", "x") == "mcp_64Q_x"
    assert len(tool_set._name("lab", "x" * 100)) == 64


def test_only_allowed_tools_are_offered_and_a_misspelt_one_names_the_nearest(connect: Connect, web: WebLab) -> None:
    bench = connect(address(web.url, allow=("echo", "fridge_logs")))
    assert bench.names == ["lab_echo"]
    ((name, message, hard),) = bench.issues
    assert (name, hard) == ("lab", False)
    assert message == "There is no tool 'fridge_logs' on this server. Did you mean fridge_log?"


# Trouble.


def test_servers_that_are_down_take_nothing_else_with_them(connect: Connect, web: WebLab, log: Path) -> None:
    dead = started("raise SystemExit('No fridge on this port.')", name="dead")
    nowhere = program(log, name="nowhere").model_copy(update={"command": "no-such-program"})
    with web_lab(log) as gone:
        pass
    bench = connect(dead, address(gone.url, "gone"), nowhere, address(web.url))
    assert "lab_echo" in bench.names
    said = {name: message for name, message, hard in bench.issues if hard}
    assert list(said) == ["dead", "gone", "nowhere"]
    assert "No fridge on this port." in said["dead"]
    assert "Can't reach" in said["gone"]
    assert "no-such-program" in said["nowhere"]
    assert bench.call("lab_echo") == {"text": "{}"}


def test_servers_are_waited_for_side_by_side_and_not_for_ever(connect: Connect) -> None:
    """Two seconds: the limit."""
    hangs = "import time\nprint('Welcome!', flush=True)\ntime.sleep(60)"
    began = time.monotonic()
    bench = connect(*(started(hangs, timeout_seconds=2.0, name=name) for name in ("one", "two")))
    assert time.monotonic() - began < 3.9  # one after the other: 4
    assert ["didn't respond within 2 s" in message for _, message, _ in bench.issues] == [True, True]


@pytest.mark.long
def test_a_program_that_died_is_started_again_at_the_next_call(connect: Connect, log: Path) -> None:
    """Three seconds: the program starts three times."""
    bench = connect(program(log))
    assert bench.call("lab_die_once") == {"text": "alive again"}  # a read is made twice
    assert len(calls(log, "die_once")) == 2
    told = bench.call("lab_set_and_die")
    assert told["kind"] == "unreachable"
    assert "may have taken effect" in told["error"]
    assert len(calls(log, "set_and_die")) == 1  # what acts is not
    assert bench.call("lab_set_bias", volts=1) == {"text": "done"}
    assert len(calls(log, "set_bias")) == 1


def test_a_server_that_comes_back_is_used_again(connect: Connect, web: WebLab) -> None:
    bench = connect(address(web.url), timeout_s=PATIENCE_S)
    web.stop()
    told = bench.call("lab_echo")
    assert (told["kind"], told["may_retry"]) == ("unreachable", True)
    web.start()
    assert bench.call("lab_echo") == {"text": "{}"}


def test_a_session_that_an_older_server_has_forgotten_is_opened_again(connect: Connect, log: Path) -> None:
    with web_lab(log, legacy=True) as web:
        bench = connect(address(web.url))
        for tool in ("lab_echo", "lab_set_bias"):
            web.forget_sessions()
            assert "text" in bench.call(tool)
        assert len(calls(log, "set_bias")) == 1
        for each in bench.built:
            each.close()


def test_an_answer_with_an_error_by_http_says_its_number(connect: Connect, web: WebLab) -> None:
    bench = connect(address(web.url))
    web.failing = 503
    assert "HTTP status 503" in bench.call("lab_echo")["error"]
    web.failing = 0
    assert bench.call("lab_echo") == {"text": "{}"}


def test_a_slow_call_ends_at_its_limit_and_the_server_is_told(connect: Connect, web: WebLab, log: Path) -> None:
    bench = connect(address(web.url, timeout_seconds=2.0))
    told = bench.call("lab_slow")
    assert (told["kind"], told["error"]) == ("timed_out", "lab_slow timed out after 2 s.")
    until(lambda: "cancelled" in lines(log))
    assert bench.call("lab_echo") == {"text": "{}"}


def test_stop_reaches_the_server(connect: Connect, web: WebLab, log: Path) -> None:
    box = connect(address(web.url)).box.for_turn(NoCells(), "en")

    async def stopped() -> None:
        async def collect() -> None:
            async for _ in box.run([ToolCall("a", "lab_slow", "{}")]):
                pass

        task = asyncio.create_task(collect())
        await asyncio.to_thread(until, lambda: calls(log, "slow"))
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(stopped())
    until(lambda: "cancelled" in lines(log))


# Tools that change.


@pytest.mark.parametrize("way", [pytest.param("program", marks=pytest.mark.long), "older program", "address"])
def test_a_list_that_changes_holds_from_the_next_question_on(
    connect: Connect, web: WebLab, log: Path, way: str
) -> None:
    """A second where a program starts."""
    flags = ("--legacy",) if way == "older program" else ()
    bench = connect(address(web.url) if way == "address" else program(log, *flags))
    before = bench.built
    bench.refresh()
    assert bench.built == before  # nothing has changed
    bench.call("lab_grow")
    assert "lab_echo" in bench.names

    def has_grown() -> bool:
        bench.refresh()
        return "lab_grown" in bench.names

    until(has_grown)
    assert "lab_echo" not in bench.names
    assert bench.call("lab_grown") == {"text": "done"}
    assert bench.call("lab_echo")["kind"] == "unknown_tool"
    assert [schema["name"] for schema in bench.box.schemas()] == bench.names


# Keys.


def asker(answers: dict[str, str]) -> tuple[list[list[WantedKey]], Callable[[Any], dict[str, str]]]:
    asked: list[list[WantedKey]] = []

    def ask(wanted: Any) -> dict[str, str]:
        asked.append(list(wanted))
        return {each.variable: answers[each.variable] for each in wanted if each.variable in answers}

    return asked, ask


def test_servers_that_want_a_key_are_asked_about_together(connect: Connect, log: Path, tmp_path: Path) -> None:
    with web_lab(log, KEY) as one, web_lab(log, "another-key-98765") as two, web_lab(log, KEY) as three:
        asked, ask = asker({"LAB_KEY": KEY, "QDASH_MCP_TWO_KEY": "another-key-98765"})
        bench = connect(
            address(one.url, "one", authentication=AuthenticationSection(env="LAB_KEY")),
            address(two.url, "two"),
            address(three.url, "three"),
            ask=ask,
        )
        assert [[(each.server, each.variable) for each in wanted] for wanted in asked] == [
            [("one", "LAB_KEY"), ("three", "QDASH_MCP_THREE_KEY"), ("two", "QDASH_MCP_TWO_KEY")]
        ]
        assert {"one_echo", "two_echo"} < set(bench.names)
        ((name, message, hard),) = bench.issues
        assert (name, hard) == ("three", True)
        assert "requires a key" in message
        assert "QDASH_MCP_THREE_KEY" in message
        assert masked(f"It is {KEY}.") == "It is [hidden]."
        for each in bench.built:
            each.close()


def test_a_key_that_is_changed_in_the_middle_of_a_question_is_asked_for_once(connect: Connect, log: Path) -> None:
    with web_lab(log) as one, web_lab(log) as two:
        asked, ask = asker({"QDASH_MCP_ONE_KEY": "first-key-5555", "QDASH_MCP_TWO_KEY": "second-key-5555"})
        bench = connect(address(one.url, "one"), address(two.url, "two"), ask=ask)
        assert asked == []
        one.key, two.key = "first-key-5555", "second-key-5555"
        results = bench.results(("one_echo", {}), ("two_echo", {}), ("one_echo", {"again": 1}))
        assert [result.ok for result in results] == [True, True, True]
        assert [[each.server for each in wanted] for wanted in asked] == [["one", "two"]]
        one.key = "third-key-5555"  # what is typed is wrong now: once is enough
        assert bench.call("one_echo")["kind"] == "unauthorized"
        assert len(asked) == 2
        for each in bench.built:
            each.close()


def test_the_time_in_which_a_key_is_typed_is_not_that_of_the_call(connect: Connect, log: Path) -> None:
    """Five seconds: the call may take two, and the user takes three."""

    def ask(_: Any) -> dict[str, str]:
        time.sleep(3)
        return {"QDASH_MCP_LAB_KEY": KEY}

    with web_lab(log) as web:
        bench = connect(address(web.url, timeout_seconds=2.0), ask=ask)
        web.key = KEY
        assert bench.call("lab_echo") == {"text": "{}"}
        assert bench.call("lab_slow")["kind"] == "timed_out"
        for each in bench.built:
            each.close()


def test_without_a_person_it_is_the_error(connect: Connect, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", KEY)
    with web_lab(log, KEY) as web:
        bench = connect(address(web.url, authentication=AuthenticationSection(env="LAB_KEY")))
        assert bench.call("lab_echo") == {"text": "{}"}
        web.key = "other"
        told = bench.call("lab_echo")
        assert (told["kind"], told["may_retry"]) == ("unauthorized", False)
        assert told["try_instead"] == "Set LAB_KEY, and refer to it in the tool set."
        monkeypatch.setenv("LAB_KEY", "other")  # it is read when a call is made
        assert bench.call("lab_echo") == {"text": "{}"}
        for each in bench.built:
            each.close()


@pytest.mark.parametrize(
    ("how", "header", "value"),
    [
        ({"type": "basic", "user": "ana"}, "authorization", "Basic YW5hOmZyaWRnZS1rZXktMDEyMzQ1Njc4OQ=="),
        ({"type": "header", "header": "X-Api-Key"}, "x-api-key", KEY),
    ],
)
def test_other_ways_to_send_a_key(  # noqa: PLR0917
    connect: Connect, web: WebLab, monkeypatch: pytest.MonkeyPatch, how: Any, header: str, value: str
) -> None:
    monkeypatch.setenv("LAB_PASS", KEY)
    connect(address(web.url, authentication=AuthenticationSection(env="LAB_PASS", **how)))
    assert web.seen[-1][header] == value
    assert masked(value) == "[hidden]" or value not in masked(f"{how['type'].title()} {value}")


def test_a_key_in_the_keyring(connect: Connect, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Keyring:
        @staticmethod
        def get_password(service: str, user: str) -> str | None:
            return KEY if (service, user) == ("lab/fridge", "ana") else None

    with web_lab(log, KEY) as web:
        found = AuthenticationSection(keyring="lab/fridge/ana")
        monkeypatch.setitem(sys.modules, "keyring", None)
        ((_, message, hard),) = connect(address(web.url, authentication=found)).issues
        assert hard
        assert "qdash_jupyter[keyring]" in message
        monkeypatch.setitem(sys.modules, "keyring", Keyring)
        bench = connect(
            address(web.url, authentication=found),
            address(web.url, "other", authentication=AuthenticationSection(keyring="lab/fridge/bob")),
        )
        assert bench.call("lab_echo") == {"text": "{}"}
        ((name, message, _),) = bench.issues
        assert (name, "no secret in keyring entry lab/fridge/bob" in message) == ("other", True)
        for each in bench.built:
            each.close()


# Settings, and what is not used.


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, "set either command or url"),
        ({"command": "a", "url": "https://b"}, "set either command or url"),
        ({"url": "ftp://b"}, "must start with https"),
        ({"command": "a", "authentication": {"keyring": "a/b"}}, "set authentication.env"),
    ],
)
def test_wrong_settings(given: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValidationError, match=wrong):
        McpToolSetSection(type="mcp", name="lab", **given)


def test_without_the_package_it_is_said_how_to_install_it(without_sdk: None) -> None:
    (built,) = mcp_tools([address("http://127.0.0.1:1/mcp")], None)
    (issue,) = built.issues
    assert issue.is_hard
    assert 'pip install "qdash-jupyter[mcp]"' in str(issue.message)


def test_closing_ends_the_thread(web: WebLab) -> None:
    before = threading.enumerate()
    (built,) = mcp_tools([address(web.url)], None)
    (thread,) = [each for each in threading.enumerate() if each.name == "qdash-mcp" and each not in before]
    assert Bench([built]).direct("lab_echo").ok
    built.close()
    built.close()
    assert not thread.is_alive()


@pytest.mark.long
def test_a_third_partys_server(connect: Connect) -> None:
    """A second: the program starts. `mcp-server-time` is from PyPI."""
    section = McpToolSetSection(
        type="mcp", name="time", command=sys.executable, args=("-m", "mcp_server_time", "--local-timezone=UTC")
    )
    bench = connect(section)
    assert bench.issues == []
    assert bench.names == ["time_get_current_time", "time_convert_time"]
    told = bench.call("time_convert_time", source_timezone="UTC", time="12:00", target_timezone="Asia/Tokyo")
    assert "21:00:00+09:00" in json.dumps(told)
    wrong = bench.call("time_get_current_time", timezone="Mars/Base")
    assert "Mars/Base" in wrong["error"]


def test_keys_are_typed_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []
    typed = iter(["one-key ", ""])

    def getpass(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    monkeypatch.setattr("getpass.getpass", getpass)
    wanted = [WantedKey(name, f"https://{name}/mcp", f"KEY_{name[:3]}") for name in ("one", "one2", "two")]
    assert ask_for_keys(wanted) == {"KEY_one": "one-key"}
    assert prompts == [
        "Key for the MCP server one, https://one/mcp (1 of 3), used for KEY_one. Empty to continue without it: ",
        "Key for the MCP server two, https://two/mcp (3 of 3), used for KEY_two. Empty to continue without it: ",
    ]


def test_where_nobody_can_type_it_is_the_error(connect: Connect, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def getpass(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", getpass)
    with web_lab(log, KEY) as web:
        ((_, message, hard),) = connect(address(web.url), ask=ask_for_keys).issues
        assert hard
        assert "requires a key" in message


def test_the_page_about_it_has_settings_that_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert [each.name for each in Manifest.model_validate(yaml.safe_load(example)).tool_sets] == ["fridge", "inventory"]
    assert f"--port {PORT}" in page
    assert TOKEN_VARIABLE in page

"""Tool sets of the settings in a conversation: what is offered, what is told of, limits and fallbacks."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.tool_sets import McpToolSetSection
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.connect.opening import connect
from qdash_jupyter.domain.answer import StopReason
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.parts import Parts
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tool_sets.built import BuiltTools
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from tests.agent.turns import echo, stage, tool
from tests.patience import PATIENCE_S
from tests.tool_sets.sets import built, rest
from tests.tool_sets.web import Says, Web

INTERNAL = {"type": "internal", "name": "few", "tools": ["get_chip_summary", "execute_python_analysis"]}


@contextmanager
def connected(snapshot: Path, *sections: dict[str, Any], **settings: Any) -> Iterator[Parts]:
    given = {"tool_sets": sections, "database": {"snapshot": str(snapshot)}, **settings}
    parts = connect(Manifest.model_validate(given), Namespace({}), FrameStore())
    try:
        yield parts
    finally:
        asyncio.run(parts.close())


def names(parts: Parts) -> list[str]:
    """All but the one that reads skills."""
    return [name for name in parts.toolbox.specs if name != "read_skill"]


def test_declared_tools_stand_behind_the_built_in_ones(snapshot: Path) -> None:
    with connected(snapshot, rest("http://lab", {"timeout_seconds": 3}, {"name": "other"}, timeout_seconds=9)) as parts:
        assert names(parts) == [*(spec.name for spec in BUILTIN_TOOLS), "ask_lab", "other"]
        assert [parts.toolbox.specs[name].timeout_s for name in ("ask_lab", "other")] == [3, 9]
        assert list(parts.issues()) == []


def test_internal_sets_are_all_that_is_offered_of_the_built_in_tools(snapshot: Path) -> None:
    fallback = [{"strategy": "continue", "message": "Ask me."}]
    more = {"type": "internal", "name": "more", "tools": ["get_qubit_parms", "get_chip_summary"]}
    with connected(snapshot, INTERNAL | {"timeout_seconds": 5, "fallback": fallback}, more) as parts:
        assert names(parts) == INTERNAL["tools"]
        summary = parts.toolbox.specs["get_chip_summary"]
        assert (summary.timeout_s, summary.fallbacks[0].message) == (5, "Ask me.")
        unknown, twice = parts.issues()
    assert (unknown.name, str(unknown.message)) == (
        "get_qubit_parms",
        "There is no built-in tool with this name. Did you mean get_qubit_params?",
    )
    assert (twice.name, "already" in str(twice.message), twice.is_hard) == ("get_chip_summary", True, True)


def test_of_two_tools_of_one_name_the_first_stays(snapshot: Path) -> None:
    sections = [
        rest("http://one", {"description": "Ask one."}, name="one"),
        rest("http://two", {}, {"name": "get_chip_summary"}, name="two"),
    ]
    with connected(snapshot, *sections) as parts:
        assert parts.toolbox.specs["ask_lab"].description == "Ask one."
        assert parts.toolbox.specs["get_chip_summary"].is_declared is False
        assert [issue.name for issue in parts.issues()] == ["ask_lab", "get_chip_summary"]


def test_mcp_without_its_package_leaves_the_other_tools(snapshot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "qdash_jupyter.tool_sets.mcp", None)
    servers = [{"type": "mcp", "name": name, "url": "http://lab/mcp"} for name in ("a", "b")]
    with connected(snapshot, servers[0], rest("http://lab", {}), servers[1]) as parts:
        assert "ask_lab" in names(parts)
        assert [(issue.name, "qdash_jupyter[mcp]" in str(issue.message)) for issue in parts.issues()] == [
            ("a", True),
            ("b", True),
        ]


def test_the_tools_of_servers_stand_where_their_sections_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """By this signature they are made, all servers at once, elsewhere."""
    module, closed = ModuleType("qdash_jupyter.tool_sets.mcp"), []

    def mcp_tools(sections: Sequence[McpToolSetSection], limit_s: float | None, ask: object) -> Sequence[BuiltTools]:
        assert (limit_s, ask) == (None, None)
        return [BuiltTools((tool(each.name, echo),), close=lambda: closed.append(1)) for each in sections]

    module.mcp_tools = mcp_tools  # pyrefly: ignore[missing-attribute]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    server = {"type": "mcp", "url": "http://lab/mcp"}
    made = built(server | {"name": "a"}, rest("http://lab", {}), server | {"name": "b"})
    assert [spec.name for spec in made.specs] == ["a", "ask_lab", "b"]
    made.close()
    assert len(closed) == 2


def test_a_set_that_cannot_be_opened_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    made = built(rest("http://[lab", {}, name="broken"), rest("http://lab", {}))
    assert [issue.name for issue in made.issues] == ["broken"]
    assert [spec.name for spec in made.specs] == ["ask_lab"]


def test_a_question_uses_a_declared_tool(lab: Web, shell: InteractiveShell, snapshot: Path) -> None:
    lab.paths["/"] = Says({"mK": 10.5})
    llm = ScriptedLLM([call_reply(("ask_lab", {})), text_reply("It is cold.")])
    settings = {"tool_sets": [rest(lab.url, {"path": "/"})], "database": {"snapshot": str(snapshot)}}
    copilot = open_copilot(shell, model=llm, settings=settings)
    assert copilot.ask("How cold is it?").text == "It is cold."
    assert copilot.tools.ask_lab() == {"answer": {"mK": 10.5}}
    assert "ask_lab: Ask the lab." in llm.requests[0].instructions
    copilot.close()


def test_sets_that_are_not_there_cost_no_import() -> None:
    code = (
        "import sys, tempfile; from pathlib import Path\n"
        "from qdash_jupyter.config.manifest import Manifest\n"
        "from qdash_jupyter.tool_sets.building import build_tool_sets\n"
        "from qdash_jupyter.tool_sets.mcp import mcp_tools\n"
        "assert not mcp_tools([], None)\n"
        "build_tool_sets(Manifest.model_validate({'tool_sets': [{'type': 'internal', 'name': 'x', "
        "'tools': ['get_chip_summary']}]}))\n"
        "print([name for name in sys.modules if name in ('httpx2', 'openai', 'mcp', 'keyring', "
        "'qdash_jupyter.tool_sets.rest')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def fallbacks(lab: Web, tool: list[dict[str, Any]], tool_set: list[dict[str, Any]], says: Says) -> Any:
    """A turn whose model asks the lab once, and would answer then."""
    lab.paths["/"] = says
    limit = 0.2 if says is SLOW else PATIENCE_S
    sections = rest(lab.url, {"path": "/", "fallback": tool, "timeout_seconds": limit}, fallback=tool_set)
    made = stage(call_reply(("ask_lab", {})), text_reply("Then without."), specs=built(sections).specs)
    return made, made.ask()


BROKEN, SLOW = Says({"detail": "tank is empty"}, 503), Says(waits=True)
STOP = {"strategy": "stop", "message": "The fridge's log is down; ask Ana."}


def go_on(*triggers: str) -> dict[str, Any]:
    return {"message": "Use the old log.", **({"trigger_on": triggers} if triggers else {})}


def test_continue_tells_the_model_the_real_error_and_what_to_do(lab: Web) -> None:
    made, answer = fallbacks(lab, [go_on()], [STOP], BROKEN)
    (told,) = made.outputs()
    assert "tank is empty" in told["error"]
    assert told["try_instead"].endswith("Use the old log.")
    assert (answer.text, answer.stop_reason) == ("Then without.", StopReason.FINISHED)


def test_stop_ends_the_turn_in_code_with_its_message(lab: Web) -> None:
    made, answer = fallbacks(lab, [], [STOP], BROKEN)
    assert (answer.text, answer.stop_reason) == (STOP["message"], StopReason.TOOL_FAILED)
    assert len(made.llm.requests) == 1
    assert "tank is empty" in made.outputs()[0]["error"], "the real error stays in the conversation"


def test_stop_without_a_message_has_words_of_its_own(lab: Web) -> None:
    assert "A tool failed" in fallbacks(lab, [{"strategy": "stop"}], [], BROKEN)[1].text


@pytest.mark.parametrize(
    ("tool", "tool_set", "stops"),
    [
        ([go_on()], [STOP | {"trigger_on": ["refused"]}], True),
        ([go_on("refused")], [STOP | {"trigger_on": ["refused"]}], False),
        ([STOP | {"trigger_on": ["unauthorized"]}], [go_on()], False),
        ([], [], False),
    ],
)
def test_what_names_the_error_comes_first_then_what_names_nothing(
    lab: Web, tool: list[Any], tool_set: list[Any], stops: bool
) -> None:
    _, answer = fallbacks(lab, tool, tool_set, BROKEN)
    assert (answer.stop_reason is StopReason.TOOL_FAILED) is stops


@pytest.mark.parametrize(("trigger", "reason"), [(None, StopReason.FINISHED), (["timeout"], StopReason.TIMED_OUT)])
def test_time_limits_are_named_or_not_caught(lab: Web, trigger: Any, reason: StopReason) -> None:
    made, answer = fallbacks(lab, [], [STOP | {"trigger_on": trigger}], SLOW)
    assert answer.stop_reason is reason
    (told,) = made.outputs()
    assert told["error"] == "ask_lab timed out after 0.2 s."


def test_a_fallback_that_does_not_count_for_time_limits_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "qdash_jupyter"):
        built(
            rest("http://lab", {"fallback": [go_on()]}, {"name": "b", "fallback": [STOP]}),
            rest("http://lab", {}, name="explicit", fallback=[go_on(), go_on("timeout")]),
        )
    (record,) = caplog.records
    assert (record.levelname, "Tool set lab" in record.getMessage()) == ("INFO", True)


def test_errors_are_hidden_where_the_settings_say_so(snapshot: Path) -> None:
    with connected(snapshot, tool_defaults={"show_errors": False}) as parts:
        failure = asyncio.run(parts.toolbox.call("get_qubit_params", {"qid": "999"})).failure
    assert failure is not None
    assert (failure.is_shown, "999" in str(failure.message)) == (False, True)


def test_limits_of_the_settings_count_where_no_set_says_anything(snapshot: Path) -> None:
    limits = {"on_tool_timeout": "stop"}
    with connected(snapshot, rest("http://lab", {}), limits=limits, tool_defaults={"timeout_seconds": 7}) as parts:
        spec = parts.toolbox.specs["ask_lab"]
    assert (spec.timeout_s, [each.strategy for each in spec.fallbacks]) == (7, ["stop"])

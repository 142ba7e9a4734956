"""Tools, readers and models that somebody brings along: in the notebook, in `open_copilot`, in another package."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.installed import offered
from qdash_jupyter.config.keys import missing_key
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import TableBlock
from qdash_jupyter.domain.events import ToolStarted
from qdash_jupyter.errors import ConfigurationError, DatabaseError, PersonError
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.tools.spec import ElementId
from qdash_jupyter.ui.display import status_bundle
from qdash_jupyter.ui.export import notebook_of
from qdash_jupyter.ui.panel_state.state import PanelState
from qdash_jupyter.ui.screen import Screen
from tests.scripted_server import ScriptedServer, call_turn, text_turn


def wiring(qid: ElementId, loss: float = 60.0) -> pd.DataFrame:
    """The attenuators of a qubit's line.

    Args:
        loss: in dB, of all stages together.
    """
    return pd.DataFrame({"stage": ["4k", "mxc"], "dB": [loss / 3, 2 * loss / 3], "qid": qid})


@pytest.fixture
def opened(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Copilot]]:
    monkeypatch.setenv("QDASH_SNAPSHOT", str(snapshot))
    made: list[Copilot] = []

    def open_one(**options: Any) -> Copilot:
        made.append(open_copilot(shell, **options))
        return made[-1]

    yield open_one
    for copilot in made:
        copilot.close()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """A package `lab` on the path, with the module `lab` and these entry points."""

    def install(code: str, points: str) -> None:
        info = tmp_path / "lab-1.0.dist-info"
        info.mkdir()
        (tmp_path / "lab.py").write_text(code, encoding="utf-8")
        (info / "entry_points.txt").write_text(points, encoding="utf-8")
        (info / "METADATA").write_text("Name: lab\nVersion: 1.0\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(__import__("sys").modules, "lab", raising=False)
        offered.cache_clear()

    yield install
    offered.cache_clear()


def test_a_model_calls_an_added_tool_as_one_of_ours(opened: Callable[..., Copilot]) -> None:
    with ScriptedServer([call_turn(("wiring", {"qid": 7})), text_turn("Enough.")]) as server:
        lab = {"name": "m", "base_url": server.base_url, "api_style": "responses"}
        copilot = opened(tools=[wiring], model="lab", settings={"models": {"lab": lab}})
        turn = copilot.start("Enough attenuation?")
        turn.wait()
        answer = turn.result()
        body, second = (request.body for request in server.requests)
    assert body["tools"][-1]["parameters"]["properties"]["loss"]["description"] == "in dB, of all stages together."
    assert "\n- wiring: The attenuators of a qubit's line.\n" in body["instructions"]
    (output,) = [item["output"] for item in second["input"] if item.get("type") == "function_call_output"]
    assert '{"stage":"4k","dB":20.0,"qid":"7"}' in output
    (started,) = [each.event for each in turn.events if isinstance(each.event, ToolStarted)]
    assert started.label == "Wiring"

    state = PanelState("i")
    for stamped in turn.events:
        state.add(turn, stamped)
    blocks: list[Any] = [*state.snapshot()["turns"][0]["blocks"]]
    step, text, table = blocks
    assert (step["kind"], step["label"], step["state"], step["about"]) == ("step", "Wiring", "done", "7")
    assert (text["text"], table["kind"], table["rows"]) == ("Enough.", "table", [["4k", 20.0, "7"], ["mxc", 40.0, "7"]])
    assert isinstance(answer.blocks[1], TableBlock)
    shown = answer.bundles()[0]["text/markdown"]
    assert shown.splitlines()[2:] == [
        "| stage | dB | qid |",
        "| --- | --- | --- |",
        "| 4k | 20 | 7 |",
        "| mxc | 40 | 7 |",
    ]
    assert "| mxc | 40 | 7 |" in notebook_of([turn], copilot.status(), "").cells[-1].source
    assert "| mxc | 40 | 7 |" in answer.to_seed_schema()["blocks"][1]["content"]


def test_tools_complete_and_have_signatures_and_words(shell: InteractiveShell, opened: Callable[..., Copilot]) -> None:
    copilot = opened()
    copilot.tools.add(wiring)
    with provisionalcompleter():
        offered_names = {each.text for each in shell.Completer.completions("copilot.tools.", len("copilot.tools."))}
    assert {"add", "wiring", "get_chip_summary"} <= offered_names
    assert "execute_python_analysis" not in offered_names
    assert str(inspect.signature(copilot.tools.wiring)).startswith("(qid: str, *, loss: float = 60.0) -> ")
    assert "loss: in dB, of all stages together." in (copilot.tools.wiring.__doc__ or "")
    series = copilot.tools.get_parameter_timeseries
    assert list(inspect.signature(series).parameters)[:2] == ["parameter_name", "qid"]
    assert "Args:\n" in (series.__doc__ or "")


def test_a_name_that_is_taken_is_said(opened: Callable[..., Copilot]) -> None:
    copilot = opened(tools=[wiring])
    with pytest.raises(PersonError, match="already a tool wiring"):
        copilot.tools.add(wiring)
    twice = opened(tools=[wiring, wiring])
    with pytest.raises(PersonError, match="already a tool wiring"):
        twice._conversation.parts()
    with pytest.raises(PersonError, match="isn't a tool"):
        opened(tools=[7])


def test_a_name_of_no_model_asks_nobody(opened: Callable[..., Copilot], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with pytest.raises(PersonError, match="offline"):
        opened(model="gpt-x")._conversation.parts()


def test_a_language_that_nobody_added(opened: Callable[..., Copilot]) -> None:
    with pytest.raises(ConfigurationError, match=r"language\.response can't be 'fr'"):
        opened(settings={"language": {"response": "fr"}})._conversation.parts()


CODE = '''
from qdash_jupyter.llm.scripted import ScriptedLLM, text_reply

def good(stage: str) -> str:
    """A tool."""
    return stage

def bad(stage) -> str:
    """No type."""

def get_chip_summary() -> str:
    """A name of ours."""

both = [good, bad]

def model():
    return ScriptedLLM([text_reply("From the lab.")])

def reader(**options):
    raise OSError(f"no tape in {options['drive']}")
'''
POINTS = """
[qdash_jupyter.tools]
several = lab:both
taken = lab:get_chip_summary
gone = lab:gone
[qdash_jupyter.models]
scripted = lab:model
missing = nowhere:model
[qdash_jupyter.readers]
tape = lab:reader
"""


def test_what_a_package_adds_is_found_and_what_is_broken_is_named(
    opened: Callable[..., Copilot], package: Callable[[str, str], None]
) -> None:
    package(CODE, POINTS)
    copilot = opened(model="scripted")
    assert copilot.tools.good(stage="mxc") == {"result": "mxc"}
    assert copilot.ask("Who is there?").text == "From the lab."
    issues = {issue.name: issue for issue in copilot.status().issues}
    assert list(issues) == ["missing", "gone", "several", "taken"]
    assert all(issue.is_hard for issue in issues.values())
    shown = status_bundle(copilot.status())["text/markdown"]
    assert "| missing | several: The argument stage of the tool bad has no type" in shown
    assert "get_chip_summary" in dir(copilot.tools)
    assert missing_key(Manifest().asking("scripted")) == ""
    with pytest.raises(PersonError, match="the model 'missing', which another package"):
        opened(settings={"model": "missing"})._conversation.parts()


async def greeted(conversation: Conversation) -> dict[str, Any]:
    screen = Screen("i", lambda _: None)
    await screen.greet(conversation)
    about: dict[str, Any] = {**screen.state.snapshot()["about"]}
    screen.close()
    return about


def test_the_panel_names_what_was_left_out(opened: Callable[..., Copilot], package: Callable[[str, str], None]) -> None:
    import asyncio

    package(CODE, POINTS)
    about = asyncio.run(greeted(opened()._conversation))
    assert about["state"] == "ready"
    gone = next(issue for issue in about["issues"] if issue["name"] == "gone")
    assert str(gone["message"]).startswith("Can't load lab:gone: AttributeError")
    assert (gone["stage"], gone["hard"]) == ("tools", True)
    assert {"name": "scripted", "label": "scripted", "endpoint": "defined in code", "asked": False} in about["models"]


def test_a_reader_of_a_package_that_fails(opened: Callable[..., Copilot], package: Callable[[str, str], None]) -> None:
    package(CODE, POINTS)
    with pytest.raises(PersonError, match="Can't open the reader 'tape': OSError: no tape in 2"):
        opened(settings={"database": {"reader": "tape", "reader_options": {"drive": 2}}})._conversation.parts()
    with pytest.raises(DatabaseError, match="Known: tape"):
        opened(settings={"database": {"reader": "disk"}})._conversation.parts()

"""A lab's web server, a conversation, and a toolbox for tool sets of MCP servers."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config import keys
from qdash_jupyter.config.tool_sets import McpToolSetSection
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.tool_sets.built import BuiltTools, refreshed
from qdash_jupyter.tool_sets.mcp import mcp_tools
from qdash_jupyter.tools.toolbox import Toolbox
from tests.patience import PATIENCE_S
from tests.session.conversation import open_shell, small_demo, without_settings
from tests.tool_sets.web import Web, web
from tests.tools.test_toolbox import finished, run, toolbox

SERVER_MODULE = "qdash_jupyter.connect.mcp_server"
SERVER = Path(__file__).parent / "lab_server.py"


class Bench:
    """Tool sets in a toolbox, whose policy is `trusted` unless a test says otherwise."""

    def __init__(self, built: Sequence[BuiltTools]) -> None:
        self.built = tuple(built)
        self.box: Toolbox = toolbox(*(spec for each in built for spec in each.specs))

    @property
    def issues(self) -> list[tuple[str, str, bool]]:
        return [(str(issue.name), str(issue.message), issue.is_hard) for each in self.built for issue in each.issues]

    @property
    def names(self) -> list[str]:
        return list(self.box.specs)

    def refresh(self) -> None:
        """As before a question."""
        self.built = refreshed(self.built, self.box)

    def results(self, *calls: tuple[str, dict[str, Any]]) -> list[ToolResult]:
        box = self.box.for_turn(NoCells(), "en", policy="trusted")
        asked = [ToolCall(str(place), name, json.dumps(given)) for place, (name, given) in enumerate(calls)]
        return finished(run(box, asked))

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """What the model reads."""
        (result,) = self.results((tool, arguments))
        told: dict[str, Any] = json.loads(result.content)
        return told

    def direct(self, tool: str, /, **arguments: Any) -> ToolResult:
        return asyncio.run(self.box.call(tool, arguments))


Connect = Callable[..., Bench]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that a test types are forgotten."""
    monkeypatch.setattr(keys, "_typed", {})


@pytest.fixture
def without_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package `mcp` has not what we need."""
    for name in [each for each in sys.modules if each.startswith(("qdash_jupyter.tool_sets.mcp.", SERVER_MODULE))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """What was done to the servers."""
    return tmp_path / "done.txt"


@pytest.fixture
def connect() -> Iterator[Connect]:
    opened: list[BuiltTools] = []

    def make(*sections: McpToolSetSection, timeout_s: float | None = PATIENCE_S, **more: Any) -> Bench:
        built = mcp_tools(sections, timeout_s, **more)
        opened.extend(built)
        return Bench(built)

    yield make
    for each in opened:
        each.close()


def program(log: Path, *flags: str, name: str = "lab", **more: Any) -> McpToolSetSection:
    """A tool set of the lab's server as a program."""
    arguments = (str(SERVER), str(log), *flags)
    return McpToolSetSection(type="mcp", name=name, command=sys.executable, args=arguments, **more)


def address(url: str, name: str = "lab", **more: Any) -> McpToolSetSection:
    return McpToolSetSection(type="mcp", name=name, url=url, **more)


@pytest.fixture
def lab() -> Iterator[Web]:
    with web() as made:
        yield made


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo chip of 16 qubits, 40 days."""
    return small_demo(tmp_path_factory.mktemp("demo16"))


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    without_settings(monkeypatch, tmp_path)
    with open_shell() as opened:
        yield opened

"""A server of models on this machine is found from the panel, chosen with a click, and tried."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.lab.conftest import Tab, end_kernels
from tests.lab.in_browser import Lab, Notebook
from tests.lab.in_panel import Panel
from tests.patience import until
from tests.scripted_server import ScriptedServer, call_turn

ONE_LINE = 36


@pytest.fixture
def own_kernel(lab: Lab, tab: Tab) -> Iterator[None]:
    """Nobody else's: its servers and settings are others."""
    yield
    end_kernels(lab, tab.profile)


@pytest.mark.usefixtures("own_kernel")
@pytest.mark.long
def test_a_model_of_this_machine_is_one_click_away(notebook: Notebook, model: ScriptedServer) -> None:
    """Eight seconds: a kernel starts for the next test."""
    model.pages = {
        "/v1/models": {"data": [{"id": "qwen3:14b"}, {"id": "gpt-oss:20b"}]},
        "/api/ps": {"models": [{"name": "qwen3:14b", "context_length": 32768}]},
    }
    setup = f"""
import tempfile
from pathlib import Path
from qdash_jupyter.config import chosen
from qdash_jupyter.llm import local
local.SERVERS = (local.LocalServer("Ollama", {model.port}, "api/ps"),)
chosen.user_folder = lambda _, own=Path(tempfile.mkdtemp()): own  # what is chosen here is remembered here
"""
    panel = Panel.start(notebook, setup)
    opener, choices = panel.region.get_by_role("button", name="Model: "), panel.region.get_by_role("menuitemradio")
    opener.click()
    find = panel.region.get_by_role("menuitem", name="Find models on this machine")
    expect(choices).to_have_count(1)
    assert (model.got, model.requests) == ([], []), "nothing is sent before a click"
    assert (find.bounding_box() or {"height": 0})["height"] < ONE_LINE
    find.click()
    until(lambda: _opened(opener, choices))
    assert model.requests == []
    model.add(call_turn(("ready", {})))
    choices.nth(1).click()
    expect(panel.region).to_contain_text("qwen3:14b can call tools. Its context window is 32,768 tokens.")
    expect(panel.region.get_by_role("button", name="Model: qwen3:14b")).to_be_visible()


def _opened(opener: Locator, choices: Locator) -> bool:
    """The menu with all three models; what was open before it knew them is closed."""
    if choices.count() == 0:
        opener.click()
    return choices.count() == 3

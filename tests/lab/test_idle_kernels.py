"""A server that ends idle kernels, as hubs are set up: an open panel does not keep a kernel, a question does."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.lab.conftest import running_lab
from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.patience import until
from tests.scripted_server import Pause, ScriptedServer, text_turn

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

IDLE_S = 25
"""Longer than two of the page's looks and one beat, and shorter than three."""

BEATS = "from qdash_jupyter.ui import sender; sender.BEATS_S = (1, 15)"
"""As they are, an idle panel is silent only after three minutes."""

FORGET = """\
from comm import get_comm_manager
known = get_comm_manager().comms
for name in [name for name, each in known.items() if each.target_name == "qdash_jupyter.client"]:
    del known[name]
"""


@pytest.fixture
def culling_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Looks every two seconds, and minds no open tabs."""
    options = (f"cull_idle_timeout={IDLE_S}", "cull_interval=2", "cull_connected=True")
    settings = [f"--MappingKernelManager.{option}" for option in options]
    with running_lab(tmp_path_factory.mktemp("jupyter"), tmp_path_factory.mktemp("notebooks"), *settings) as lab:
        yield lab


def test_an_idle_panel_does_not_keep_its_kernel_and_a_running_turn_does(
    culling_lab: Lab, browser: Browser, model: ScriptedServer
) -> None:
    with browser.new_context(viewport={"width": 1400, "height": 900}) as profile:
        page = profile.new_page()
        notebook = Notebook.open(page, culling_lab, culling_lab.write_notebook("idle.ipynb", ""))
        panel = Panel.start(notebook, configured(model.base_url))
        notebook.run(BEATS)
        model.add(text_turn(text_answer("It took its time.")).with_step(0, Pause(2.5 * IDLE_S)))
        turn = panel.ask("Take your time")
        panel.expect_state(turn, "done", timeout=5 * IDLE_S * 1000)
        expect(turn).to_contain_text("It took its time.")
        answered = time.monotonic()
        headers = {"Authorization": f"token {culling_lab.token}"}
        until(lambda: page.request.get(f"{culling_lab.url}api/kernels", headers=headers).json() == [], 4 * IDLE_S)
        assert time.monotonic() - answered > IDLE_S
        expect(panel.region).to_contain_text("Your conversation is saved", timeout=SLOW_MS)


def test_a_page_that_the_kernel_has_forgotten_connects_anew(notebook: Notebook) -> None:
    """As after a restart of which the page heard nothing; it looks every ten seconds."""
    panel = Panel.start(notebook)
    notebook.run(FORGET)
    again = "any(each.target_name == 'qdash_jupyter.client' for each in known.values())"
    until(lambda: "True" in notebook.run(again).inner_text())
    panel.answer("How is the chip?")

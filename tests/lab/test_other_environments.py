"""Servers and kernels of other environments and other versions, in a real JupyterLab. See environments.py.

With `SCREENSHOTS=folder` a picture of each state goes to that folder.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.lab.conftest import Watch, running_lab
from tests.lab.environments import (
    BARE_KERNEL,
    BARE_SERVER,
    KERNEL,
    KERNEL_6,
    KERNEL_7_1,
    KERNEL_LOWEST,
    SERVER,
    SERVER_4_4,
    SERVER_LOWEST,
    Environment,
)
from tests.lab.in_browser import NUMBERED, SLOW_MS, Held, Lab, Notebook, until_there
from tests.lab.in_panel import Panel, configured, text_answer
from tests.patience import PATIENCE_S
from tests.scripted_server import Pause, ScriptedServer, call_turn, text_turn

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

# Under the load of a busy machine; what Stop really takes is measured in bench/.
STOPPED_MS = 5_000
WORDS = " ".join(f"word{number}" for number in range(1000))


@dataclass
class Scene:
    """A notebook on a kernel of another environment, with its copilot and the model that answers it."""

    notebook: Notebook
    panel: Panel
    model: ScriptedServer
    folder: Path = Path()

    @classmethod
    def begin(cls, notebook: Notebook, model: ScriptedServer, folder: Path = Path()) -> Scene:
        return cls(notebook, Panel.start(notebook, configured(model.base_url)), model, folder)

    def step(self, code: str) -> None:
        """The next answer begins with a cell."""
        self.model.add(call_turn(("execute_python_analysis", {"code": code, "purpose": "A test"})))

    def expect_a_question_with_its_cell(self) -> None:
        self.step("print('printed')\nanswer = 6 * 7\nanswer")
        self.model.add(text_turn(text_answer("It is **42**.")))
        expect(self.panel.answer("What is it?").locator("strong")).to_have_text("42")
        cell = self.agents_cell("answer = 6 * 7")
        expect(cell.locator(".jp-InputPrompt")).to_have_text(NUMBERED)
        expect(cell.locator(".jp-OutputArea-output")).to_have_text(["printed", "42"])
        told = self.model.requests[-1].body["input"][-1]["output"]
        assert '"result":42' in told.replace(" ", "")
        assert "printed" in told

    def expect_stop_to_end_a_loop(self) -> None:
        self.step("rounds = 0\nwhile True:\n    rounds += 1\n")
        turn = self.panel.ask("Run without end")
        cell = self.agents_cell("rounds += 1")
        expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
        self.panel.stop()
        self.panel.expect_state(turn, "stopped", timeout=STOPPED_MS)
        expect(cell.locator(".jp-InputPrompt")).to_have_text("[ ]:", timeout=STOPPED_MS)
        expect(cell).to_contain_text("KeyboardInterrupt")
        self.notebook.wait_until_idle()
        expect(self.notebook.run("'free again'").locator(".jp-OutputArea-output")).to_contain_text("free again")

    def expect_the_same_after_a_reload(self) -> None:
        before = self.panel.turns.count()
        self.notebook.page.reload()
        kernel = self.notebook.page.locator(".jp-NotebookPanel .jp-KernelName")
        expect(kernel).to_contain_text("Python 3", timeout=SLOW_MS)
        self.panel = Panel.open(self.notebook)
        self.panel.wait_until_ready()
        expect(self.panel.turns).to_have_count(before, timeout=SLOW_MS)

    def hold(self, result: str) -> Held:
        """A cell of the person's that waits; found by its text, for cells of the agent's come in between."""
        flag = self.folder / result
        self.notebook.start(until_there(flag, repr(result)))
        cell = self.notebook.cells.filter(has=self.notebook.page.locator(".cm-content", has_text=repr(result)))
        return Held(cell, flag)

    def agents_cell(self, source: str) -> Locator:
        code = self.notebook.page.locator(".cm-content", has_text=source)
        return self.notebook.page.locator(".jp-CodeCell[data-qdash-step]").filter(has=code)

    def picture(self, name: str) -> None:
        picture(self.notebook, name)


def picture(notebook: Notebook, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        notebook.page.wait_for_timeout(400)
        notebook.page.screenshot(path=Path(folder, f"{name}.png"))


@contextmanager
def serving(tmp_path_factory: pytest.TempPathFactory, server: Environment, *kernels: Environment) -> Iterator[Lab]:
    home, folder = tmp_path_factory.mktemp(server.name), tmp_path_factory.mktemp("notebooks")
    for kernel in kernels:
        kernel.add_kernel(home / "data", kernel.name)
    with running_lab(home, folder, python=server.python) as lab:
        yield lab


@contextmanager
def opened(lab: Lab, browser: Browser, kernel: Environment, name: str = "") -> Iterator[Notebook]:
    """At its end nothing was asked of another origin."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(30_000)
    watch = Watch(urlsplit(lab.url).netloc)
    context.on("request", watch.request)
    try:
        path = lab.write_notebook(f"{name or kernel.name}.ipynb", "", kernel=kernel.name)
        yield Notebook.open(context.new_page(), lab, path)
    finally:
        context.close()
    assert watch.foreign == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The newest JupyterLab, with qdash_jupyter in an environment of its own, and kernels of other ones."""
    with serving(tmp_path_factory, SERVER, KERNEL, BARE_KERNEL, KERNEL_7_1, KERNEL_6) as lab:
        yield lab


def test_server_and_kernel_in_two_environments(server: Lab, browser: Browser, model: ScriptedServer) -> None:
    with opened(server, browser, KERNEL) as notebook:
        scene = Scene.begin(notebook, model)
        scene.expect_a_question_with_its_cell()
        scene.expect_stop_to_end_a_loop()
        scene.picture("two-environments")


def test_a_kernel_without_the_package(server: Lab, browser: Browser) -> None:
    with opened(server, browser, BARE_KERNEL) as notebook:
        panel = Panel.open(notebook)
        panel.button("Start the copilot").click()
        expect(panel.region).to_contain_text("The package isn't installed in the kernel's environment.")
        expect(panel.region).to_contain_text("%pip install qdash_jupyter")
        picture(notebook, "kernel-without-package")


def test_a_server_without_the_package(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser, model: ScriptedServer
) -> None:
    with serving(tmp_path_factory, BARE_SERVER, KERNEL) as lab, opened(lab, browser, KERNEL) as notebook:
        notebook.run(configured(model.base_url))
        notebook.run("%load_ext qdash_jupyter")
        cell = notebook.run("%copilot panel")
        expect(cell).to_contain_text("The Jupyter server's environment lacks a package", timeout=SLOW_MS)
        expect(cell).to_contain_text("pip install qdash_jupyter")
        model.add(call_turn(("execute_python_analysis", {"code": "six = 6\nsix * 7", "purpose": "A test"})))
        model.add(text_turn(text_answer("It is **42**.")))
        asked = notebook.run("%%copilot\nWhat is it?")
        expect(asked.locator("strong", has_text="42")).to_be_visible()
        picture(notebook, "server-without-package")


def test_ipykernel_7_1(server: Lab, browser: Browser, model: ScriptedServer) -> None:
    with opened(server, browser, KERNEL_7_1) as notebook:
        scene = Scene.begin(notebook, model)
        shown = notebook.run("import ipykernel; ipykernel.__version__")
        expect(shown.locator(".jp-OutputArea-output")).to_have_text("'7.1.0'")
        scene.expect_a_question_with_its_cell()
        scene.expect_stop_to_end_a_loop()
        # By itself this version drops messages that come in a burst.
        model.add(text_turn(text_answer(WORDS), pieces=1000))
        expect(scene.panel.answer("Say it all at once")).to_contain_text(WORDS)
        scene.expect_the_same_after_a_reload()
        expect(scene.panel.turns.last).to_contain_text(WORDS)
        scene.picture("ipykernel-7.1")


@pytest.fixture
def old(
    server: Lab, browser: Browser, model: ScriptedServer, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Scene]:
    """A kernel without subshells: it hears nothing while a cell runs."""
    with opened(server, browser, KERNEL_6, request.node.name) as notebook:
        scene = Scene.begin(notebook, model, tmp_path)
        shown = notebook.run("import ipykernel; ipykernel.__version__")
        expect(shown.locator(".jp-OutputArea-output")).to_have_text("'6.31.0'")
        yield scene


def test_ipykernel_6_answers_and_stops_its_own_cell(old: Scene) -> None:
    old.expect_a_question_with_its_cell()
    old.expect_stop_to_end_a_loop()
    old.expect_the_same_after_a_reload()


def test_ipykernel_6_leaves_the_persons_cell_alone(old: Scene) -> None:
    old.model.add(text_turn(text_answer(WORDS), pieces=1000).slow(0.05))
    turn = old.panel.ask("Tell me a long story")
    expect(turn).to_contain_text("word5 ", timeout=SLOW_MS)
    held = old.hold("slept well")
    expect(held.cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    streamed = last_word(turn)
    expect(turn).to_contain_text(f"word{streamed + 20} ")
    expect(held.cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    old.panel.stop()
    expect(old.panel.status.filter(has_text="Stopping after the current cell")).to_be_visible()
    old.picture("ipykernel-6-stop-waits")
    held.let_go()
    old.panel.expect_state(turn, "stopped")
    expect(held.cell.locator(".jp-OutputArea-output")).to_have_text("'slept well'")


def test_ipykernel_6_takes_questions_and_stop_after_the_persons_cell(old: Scene) -> None:
    # A question that comes while the person's cell runs.
    held = old.hold("first sleep")
    expect(held.cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    old.step("after = 'the sleep'\nafter")
    old.model.add(text_turn(text_answer("Here it is.")))
    turn = old.panel.ask("And now?")
    expect(turn).to_contain_text("Waiting for the current cell")
    old.picture("ipykernel-6-question-waits")
    held.let_go()
    expect(old.panel.turns.last).to_contain_text("Here it is.", timeout=SLOW_MS)
    expect(held.cell.locator(".jp-OutputArea-output")).to_have_text("'first sleep'")
    expect(old.agents_cell("after = 'the sleep'").locator(".jp-OutputArea-output")).to_have_text("'the sleep'")

    # A cell of the agent's that reads a name of theirs while theirs runs: without Stop it runs after it, with it never.
    old.notebook.run("theirs = 1")
    for word in ("runs", "never"):
        code = f"behind = '{word}' * theirs\nbehind"
        late = call_turn(("execute_python_analysis", {"code": code, "purpose": "A test"}))
        runs = threading.Event()
        old.model.add(late.with_step(0, Pause(2 * PATIENCE_S, until=runs)))
        turn = old.panel.ask(f"This {word}")
        expect(turn).to_have_attribute("data-state", "thinking")
        expect(old.panel.button("Stop")).to_be_visible()
        held = old.hold(f"sleep {word}")
        expect(held.cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
        runs.set()
        expect(turn).to_contain_text("Running analysis code", timeout=SLOW_MS)
        if word == "runs":
            old.model.add(text_turn(text_answer("It ran.")))
            held.let_go()
            old.panel.expect_state(turn, "done")
            expect(old.agents_cell(code.splitlines()[0]).locator(".jp-OutputArea-output")).to_have_text("'runs'")
        else:
            old.panel.stop()
            expect(old.panel.status.filter(has_text="Stopping after the current cell")).to_be_visible()
            held.let_go()
            old.panel.expect_state(turn, "stopped")
            expect(old.agents_cell(code.splitlines()[0])).to_have_count(0)
        expect(held.cell.locator(".jp-OutputArea-output")).to_have_text(f"'sleep {word}'")
    expect(old.notebook.run("behind").locator(".jp-OutputArea-output")).to_have_text("'runs'")


DRAWS = """import plotly, pydantic
import plotly.express as px
fig = px.line(x=[1, 2, 3], y=[1, 4, 9], title=f"T1 by {plotly.__version__} and {pydantic.VERSION}")
fig"""


def test_the_lowest_versions(tmp_path_factory: pytest.TempPathFactory, browser: Browser, model: ScriptedServer) -> None:
    """Plotly 5.24 draws by an extension of its own age, and writes HTML that loads MathJax."""
    with (
        serving(tmp_path_factory, SERVER_LOWEST, KERNEL_LOWEST) as lab,
        opened(lab, browser, KERNEL_LOWEST) as notebook,
    ):
        scene = Scene.begin(notebook, model)
        scene.expect_a_question_with_its_cell()
        scene.step(DRAWS)
        model.add(text_turn(text_answer("Drawn with $T_1$.")))
        turn = scene.panel.answer("Draw it")
        expect(turn.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
        expect(turn).to_contain_text(re.compile(r"T1 by 5\.24\.\d+ and 2\.6\."))
        expect(notebook.run(DRAWS).locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
        scene.picture("lowest-versions")


def test_jupyterlab_4_4(tmp_path_factory: pytest.TempPathFactory, browser: Browser, model: ScriptedServer) -> None:
    with serving(tmp_path_factory, SERVER_4_4, KERNEL) as lab, opened(lab, browser, KERNEL) as notebook:
        scene = Scene.begin(notebook, model)
        version = notebook.page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').text).appVersion")
        assert version.startswith("4.4.")
        scene.expect_a_question_with_its_cell()
        scene.step("import plotly.express as px\npx.line(x=[1, 2, 3], y=[1, 4, 9], title='T1')")
        model.add(text_turn(text_answer("Drawn.")))
        turn = scene.panel.answer("Draw it")
        expect(turn.locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
        expect(scene.agents_cell("px.line").locator(".js-plotly-plot")).to_be_visible()
        scene.expect_stop_to_end_a_loop()
        scene.expect_the_same_after_a_reload()
        expect(scene.panel.turns.nth(1).locator(".js-plotly-plot")).to_be_visible(timeout=SLOW_MS)
        scene.picture("jupyterlab-4.4")


def last_word(turn: Locator) -> int:
    """The number of the last word that has arrived."""
    return int(re.findall(r"word(\d+) ", turn.inner_text())[-1])

"""The panel and an answer in a marimo notebook, by a browser that reaches no other machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.lab.conftest import free_port
from tests.lab.in_browser import shot
from tests.patience import until
from tests.session.conversation import small_demo

ROOT = Path(__file__).parents[2]

APP = '''
import marimo

app = marimo.App()


@app.cell
def _():
    import asyncio

    import qdash_jupyter
    from qdash_jupyter.domain.answer import ChartBlock, TextBlock
    from qdash_jupyter.errors import PersonError
    from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
    from qdash_jupyter.ui import sender

    sender.PART_S = 0  # a Jupyter server would drop some

    CODE = """import pandas as pd
import plotly.express as px

t1 = pd.DataFrame({"qubit": ["Q1", "Q2"], "T1 (μs)": [31.0, 62.0]})
print("two qubits")
px.bar(t1, x="qubit", y="T1 (μs)").show()"""

    class Model(ScriptedLLM):
        async def reply(self, request):
            if "And the others?" in str(request.items[-1]):
                await asyncio.Event().wait()
            async for part in super().reply(request):
                yield part

    model = Model(
        [
            call_reply(("get_chip_summary", {})),
            call_reply(("execute_python_analysis", {"code": CODE, "purpose": "Compare T1"})),
            text_reply("Q2 is better.\\n\\n| qubit | T1 |\\n| --- | --- |\\n| Q1 | 31.0 μs |\\n| Q2 | 62.0 μs |"),
            PersonError("The model is away.", "Ask again tomorrow."),
            text_reply("It is tomorrow."),
        ]
    )
    copilot = qdash_jupyter.open_copilot(settings={"database": {"snapshot": SNAPSHOT}}, model=model)
    return ChartBlock, TextBlock, copilot, qdash_jupyter


@app.cell
def _(copilot):
    copilot.panel
    return


@app.cell
def _(ChartBlock, TextBlock, qdash_jupyter):
    qdash_jupyter.Answer((TextBlock("**Q1** is fine."), ChartBlock(({"type": "bar", "x": ["Q1"], "y": [30.0]},), {})))
    return


if __name__ == "__main__":
    app.run()
'''


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A tab of the app, as `marimo run` serves it."""
    app = tmp_path / "app.py"
    app.write_text(APP.replace("SNAPSHOT", repr(str(small_demo(tmp_path)))), encoding="utf-8")
    url = f"http://127.0.0.1:{(port := free_port())}/"
    command = [sys.executable, "-m", "marimo", "-q", "run", str(app), "--headless", "--no-token", "--port", str(port)]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    log = tmp_path / "marimo.log"
    with log.open("wb") as out, subprocess.Popen(command, cwd=tmp_path, env=env, stdout=out, stderr=out) as server:
        try:
            until(lambda: answers(url, server, log))
            context = browser.new_context(viewport={"width": 1000, "height": 1200}, reduced_motion="reduce")
            tab = context.new_page()
            tab.goto(url)
            yield tab
            context.close()
        finally:
            server.terminate()
            server.wait()


def answers(url: str, server: subprocess.Popen[bytes], log: Path) -> bool:
    assert server.poll() is None, log.read_text()
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}health"):  # noqa: S310 - our own server
        return True
    return False


@pytest.mark.long  # two kernels and a browser; tests/session/test_marimo.py runs the same notebook as a script
def test_questions_are_asked_answered_and_stopped_in_the_panel(page: Page) -> None:
    """Twelve seconds: marimo begins, and Plotly comes through the panel's own channel."""
    foreign = foreign_requests(page.context)
    panel = page.get_by_role("region", name="QDash Copilot")
    turns, box = panel.get_by_role("article"), panel.get_by_role("textbox", name="Ask the copilot")

    def ask(question: str) -> None:
        box.fill(question)
        page.keyboard.press("Enter")

    ask("Which of the two is better?")
    first = turns.nth(0)
    expect(first.get_by_role("cell", name="62.0 μs")).to_be_visible()
    expect(first.locator(".main-svg").first).to_be_visible()
    expect(first).not_to_contain_text("These are the first values")
    expect(panel.get_by_role("button", name="Data 1")).to_be_visible()
    first.locator(".main-svg").first.scroll_into_view_if_needed()
    shot(page, "marimo-answer")

    ask("And the others?")
    panel.get_by_role("button", name="Stop", exact=True).click()
    expect(turns.nth(1)).to_contain_text("Stopped")
    ask("Are you there?")
    expect(turns.nth(2)).to_contain_text("The model is away.")
    shot(page, "marimo-error")
    ask("And now?")
    expect(turns.nth(3)).to_contain_text("It is tomorrow.")

    expect(page.get_by_text("Q1 is fine.")).to_be_visible()
    expect(page.locator("marimo-plotly .main-svg").first).to_be_visible()
    page.mouse.wheel(0, 2000)
    shot(page, "marimo-end")
    assert [url for url in foreign if "mathjax" not in url] == []  # which marimo's own Plotly asks for


def foreign_requests(context: BrowserContext) -> list[str]:
    seen: list[str] = []
    context.on("request", lambda request: seen.append(request.url) if "//127.0.0.1:" not in request.url else None)
    return seen

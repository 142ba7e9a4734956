"""The panel as a person uses it: by the names that a screen reader says."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.lab.in_browser import SLOW_MS, Notebook
from tests.scripted_server import ScriptedServer, call_turn, text_turn

OPEN = "QDash Copilot"

INSTRUMENT = """
from threading import Lock
class Awg:
    pulses = 0
    def __init__(self):
        self.connection = Lock()  # cannot be copied into the session
    def output_on(self):
        Awg.pulses += 1
    def off(self):
        Awg.pulses -= 1
awg = Awg()
"""
"""A cell with an instrument that only the kernel has."""


@dataclass(frozen=True)
class Panel:
    """The copilot's sidebar of the notebook in front."""

    page: Page

    @classmethod
    def start(cls, notebook: Notebook, before: str = "") -> Panel:
        """Loads the copilot with the button in the sidebar, as a first visitor does; `before` runs in a cell first."""
        if before:
            notebook.run(before)
        panel = cls.open(notebook)
        panel.region.get_by_role("button", name="Start the copilot").click()
        panel.wait_until_ready()
        return panel

    @classmethod
    def open(cls, notebook: Notebook) -> Panel:
        panel = cls(notebook.page)
        for _ in range(2):
            if panel.region.is_visible():
                break
            # A conversation that goes on opens the sidebar by itself; just before the click, the click closes it.
            notebook.page.get_by_role("tab", name=OPEN).click()
            with contextlib.suppress(AssertionError):
                expect(panel.region).to_be_visible(timeout=10_000)
        expect(panel.region).to_be_visible()
        return panel

    @property
    def region(self) -> Locator:
        return self.page.get_by_role("region", name=OPEN)

    @property
    def box(self) -> Locator:
        return self.region.get_by_role("textbox", name="Ask the copilot")

    @property
    def turns(self) -> Locator:
        return self.region.get_by_role("article")

    @property
    def status(self) -> Locator:
        return self.region.get_by_role("status")

    def button(self, name: str) -> Locator:
        return self.region.get_by_role("button", name=name, exact=True)

    def wait_until_ready(self) -> None:
        expect(self.box).to_be_visible(timeout=SLOW_MS)
        expect(self.box).to_be_enabled(timeout=SLOW_MS)
        # One may type before the kernel has said what the conversation is.
        expect(self.region.get_by_text("Opening the database")).to_have_count(0, timeout=SLOW_MS)

    def ask(self, question: str) -> Locator:
        """Types and sends a question; returns its article."""
        before = self.turns.count()
        self.box.fill(question)
        self.button("Send").click()
        turn = self.turns.nth(before)
        expect(turn).to_contain_text(question)
        return turn

    def stop(self) -> None:
        """The button below the question box: a step may have one as well."""
        self.region.locator("form").get_by_role("button", name="Stop", exact=True).click()

    def expect_state(self, turn: Locator, *states: str, timeout: float = SLOW_MS) -> None:
        expect(turn).to_have_attribute("data-state", re.compile("|".join(states)), timeout=timeout)

    def answer(self, question: str, timeout: float = SLOW_MS) -> Locator:
        """Asks, and waits for the end of the answer."""
        turn = self.ask(question)
        self.expect_state(turn, "done", timeout=timeout)
        return turn


def configured(base_url: str, model: str = "scripted-model") -> str:
    """Code of a cell that makes a kernel use a model server of the test."""
    environment: dict[str, Any] = {
        "QDASH_COPILOT_MODEL": model,
        "OPENAI_BASE_URL": base_url,
        "OPENAI_API_KEY": "sk-test",
    }
    return f"import os; os.environ.update({json.dumps(environment)})"


def text_answer(text: str, assessment: str | None = None) -> str:
    """An answer of one text block, as a model writes it."""
    return json.dumps({"blocks": [{"type": "text", "content": text, "chart": None}], "assessment": assessment})


def will_run(model: ScriptedServer, *codes: str) -> None:
    """Have the model run these cells, one a reply, and say that all is done."""
    for code in codes:
        model.add(call_turn(("execute_python_analysis", {"code": code, "purpose": "A test"})))
    model.add(text_turn(text_answer("All done.")))

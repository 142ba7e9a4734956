"""The shipped panel by itself, in the page of panel_page.py: what a kernel and a person do with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from playwright.sync_api import Locator, Page, expect

Json = dict[str, Any]

# The variables of JupyterLab that the panel reads, in its two plain themes.
THEMES = {
    "light": {
        "--jp-layout-color1": "white",
        "--jp-layout-color2": "#eee",
        "--jp-ui-font-color1": "rgba(0,0,0,.87)",
        "--jp-ui-font-color2": "rgba(0,0,0,.54)",
        "--jp-border-color1": "#bdbdbd",
        "--jp-border-color2": "#e0e0e0",
        "--jp-brand-color1": "#1976d2",
    },
    "dark": {
        "--jp-layout-color1": "#212121",
        "--jp-layout-color2": "#424242",
        "--jp-ui-font-color1": "rgba(255,255,255,.87)",
        "--jp-ui-font-color2": "rgba(255,255,255,.54)",
        "--jp-border-color1": "#616161",
        "--jp-border-color2": "#424242",
        "--jp-brand-color0": "#1976d2",
        "--jp-brand-color1": "#2196f3",
    },
}


@dataclass
class PanelPage:
    """A panel in a page, seen by a person and spoken to by a kernel."""

    page: Page
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    language: str = "en"  # the extension's

    # The kernel's side

    def snapshot(self, state: Json | None = None) -> None:
        message = {"v": 1, "type": "snapshot", "seq": next(self.numbers), "state": state or conversation()}
        self.receive(message)

    def patch(self, *ops: Json) -> None:
        self.receive({"v": 1, "type": "patch", "seq": next(self.numbers), "ops": list(ops)})

    def receive(self, *messages: Json) -> None:
        self.page.evaluate("messages => kit.receive(...messages)", list(messages))

    @property
    def sent(self) -> list[Json]:
        """The messages to the kernel on the panel's own channel."""
        found: list[Json] = self.page.evaluate("kit.sent")
        return found

    # The labextension's side

    def link(self, state: str = "live", message: str | None = None, *, waits_for_cell: bool = False) -> None:
        link: dict[str, Any] = {"notebook": "t1.ipynb", "kernel": "Python 3", "state": state, "message": message}
        link |= {"missing": [], "language": self.language, "waits_for_cell": waits_for_cell}
        self.page.evaluate("link => kit.tell('link', link)", link)

    def ack(self, of: Any, *, ok: bool, message: str | None = None) -> None:
        ack = {"v": 1, "type": "ack", "of": of, "ok": ok, "turn_id": None, "message": message}
        self.page.evaluate("ack => kit.tell('ack', ack)", ack)

    def commands(self, kind: str) -> list[Json]:
        found: list[Json] = self.page.evaluate("kind => kit.commands(kind)", kind)
        return found

    def events(self, kind: str) -> list[Json]:
        found: list[Json] = self.page.evaluate("kind => kit.events.filter(e => e.type === kind)", kind)
        return found

    def theme(self, name: str) -> None:
        self.page.evaluate(
            """([variables, light]) => {
                for (const [name, value] of Object.entries(variables)) document.body.style.setProperty(name, value);
                document.body.dataset.jpThemeLight = String(light);
                document.body.dataset.jpThemeName = light ? 'JupyterLab Light' : 'JupyterLab Dark';
            }""",
            [THEMES[name], name == "light"],
        )

    # The person's side

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Ask the copilot")

    @property
    def turns(self) -> Locator:
        return self.page.get_by_role("article")

    @property
    def status(self) -> Locator:
        return self.page.get_by_role("status")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def ask(self, question: str) -> Json:
        """Types and sends; the command that it led to."""
        before = len(self.commands("ask"))
        self.box.fill(question)
        self.button("Send").click()
        expect(self.button("Stop")).to_be_visible()
        asked = self.commands("ask")
        assert len(asked) == before + 1
        return asked[-1]


def load_anew(tab: Page) -> None:
    """At the end of a test that has changed more of the page than its body."""
    tab.goto("about:blank")


def conversation(**changes: Any) -> Json:
    """A state: of a conversation that has just begun, but for the changes."""
    about = {
        "state": "ready",
        "database": "Demo snapshot (as of 2026-10-01)",
        "chip": "64Q-demo",
        "project": "demo",
        "qubits": 64,
        "model": "offline planner",
        "endpoint": "in this kernel",
        "is_language_model": False,
        "sees": False,
        "problems": 0,
        "code": "",
        "greeting": "",
        "models": [],
        "look": None,
        "chips": [],
        "issues": [],
        "message": "",
        "hint": "",
    }
    return {
        "v": 1,
        "instance": "ab12",
        "about": about,
        "starters": [starter("Which qubits lost T1 in the last 30 days?"), starter("Show the chip's T1 as a heatmap")],
        "conversation": "cd34",
        "frames": [],
        "data_name": "data",
        "preview": None,
        "standing": [],
        "sign_in": None,
        "spent": None,
        "results": None,
        "conversations": None,
        "queue": [],
        "mentions": [],
        "completions": [],
        "turns": [],
    } | changes


def starter(question: str, label: str | None = None) -> Json:
    return {"label": label or question, "prompt": question}


def queued(text: str, ask_id: str = "e1a5", **changes: Any) -> Json:
    """A question that waits, but for the changes."""
    return {"ask_id": ask_id, "text": text, "analysis": None, "cell": None, "held": False} | changes


def result(task: str = "CheckT1", qid: str = "7", **changes: Any) -> Json:
    """A completed result, but for the changes."""
    return {
        "task": task,
        "qid": qid,
        "label": f"Q{int(qid):02d}" if qid.isdecimal() else qid,
        "status": "completed",
        "excluded": False,
        "started": "2026-06-20 09:14 UTC",
        "execution_id": "20260620-000",
        "task_id": f"{task}-{qid}",
        "values": ["t1 61.4 ± 1.9 μs"],
    } | changes


def found(*rows: Json, **changes: Any) -> Json:
    """What was looked for, and found."""
    return {"words": "", "state": "ready", "rows": list(rows), "more": False, "message": ""} | changes


def frame(key: str = "t1", table: str = "timeseries", **changes: Any) -> Json:
    """A stored table, but for the changes."""
    return {
        "key": key,
        "table": table,
        "main": True,
        "rows": 1234,
        "columns": ["qid", "t", "v"],
        "units": {"v": "μs"},
        "source": "get_chip_parameter_timeseries",
        "call": 'get_chip_parameter_timeseries(parameter_name="t1", since="2026-09-01")',
        "fetched_at": 1_780_000_000_000,
        "note": "",
        "gone": False,
        "fetching": False,
    } | changes


def preview(**changes: Any) -> Json:
    """The first rows of that table, but for the changes."""
    rows = [[str(n), f"2026-09-{n + 1:02d}T09:14:00+00:00", 61.25 - n] for n in range(20)]
    return {
        "key": "t1",
        "table": "timeseries",
        "state": "ready",
        "columns": ["qid", "t", "v (μs)"],
        "rows": rows,
        "total_rows": 1234,
        "total_columns": 3,
        "changed": False,
        "read": ["1,234 documents of task_result_history"],
        "message": "",
    } | changes


def turn(turn_id: str = "a1", **changes: Any) -> Json:
    """A finished turn, but for the changes."""
    return {
        "turn_id": turn_id,
        "question": "Which qubits lost T1?",
        "state": "done",
        "status": "",
        "status_since": None,
        "asked_at": 1_790_000_000_000,
        "elapsed_s": 4.2,
        "assessment": None,
        "choices": [],
        "headings": [],
        "next_steps": [],
        "blocks": [],
        "meta": {"model": "offline planner", "input_tokens": 0, "output_tokens": 0, "cells": 0},
        "broken_off": False,
    } | changes


def text(content: str, block_id: str = "t1") -> Json:
    return {"id": block_id, "kind": "text", "text": content}


def step(block_id: str = "s1", **changes: Any) -> Json:
    """A step that went well, but for the changes."""
    return {
        "id": block_id,
        "kind": "step",
        "call_id": f"call-{block_id}",
        "label": "Reading a parameter of the whole chip over time",
        "about": "t1, last 30 days",
        "name": "get_chip_parameter_timeseries",
        "arguments": {"parameter_name": "t1"},
        "state": "done",
        "started_at": 1_790_000_000_000,
        "elapsed_s": 1.2,
        "rows": 1234,
        "frame_key": None,
        "frame_gone": False,
        "sent": json.dumps({"rows": 1234}),
        "sources": [],
        "error": None,
        "hint": None,
        "warning": None,
        "cell_id": None,
        "cell_state": None,
        "cell_place": None,
        "cell_number": None,
        "code": None,
    } | changes


ROWS = [[f"Q{n:02}", 18.0 + n, "2026-09-18T04:00:00Z", ["good", "warning", "bad", None][n % 4]] for n in range(12)]
TABLE = {"id": "tb", "kind": "table", "frame_key": "t1", "columns": ["qubit", "T1 (µs)", "measured", "assessment"]}
FIGURE = {
    "data": [{"type": "scatter", "name": "Q12", "x": ["09-01", "09-02"], "y": [48.1, 18.4]}],
    "layout": {
        "title": {"text": "T1 of Q12"},
        "yaxis": {"title": {"text": "T1 (µs)"}},
        "images": [{"source": "https://other.example/x.png"}],
    },
}
CHART = {"id": "c1", "kind": "chart", "title": "", "figure": FIGURE}


def running(*blocks: Json, **changes: Any) -> Json:
    """A turn under way."""
    since: Json = {"status": "Thinking…", "status_since": None, "elapsed_s": None}
    return turn(state="thinking", blocks=list(blocks), **(since | changes))


def inside(part: Locator, whole: Locator) -> bool:
    """Whether a part is within the sides of another."""
    inner, outer = part.bounding_box(), whole.bounding_box()
    assert inner
    assert outer
    return outer["x"] - 0.5 <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 0.5

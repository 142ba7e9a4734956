"""What the measurements in a browser share: a JupyterLab with a page that notes times, a kernel's busy cells, a table.

Times are seconds since 1970. Kernel, model server and page run on one machine; what their clocks differ by is measured
and taken into account.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from playwright.sync_api import BrowserContext, Page, expect

from tests.lab.conftest import running_browser, running_lab
from tests.lab.in_browser import SLOW_MS, Lab, Notebook
from tests.lab.in_panel import Panel, configured, text_answer
from tests.scripted_server import ScriptedServer

__all__ = [
    "BUSY_CODES",
    "SLOW_MS",
    "Bench",
    "Busy",
    "Notebook",
    "Panel",
    "Row",
    "Table",
    "configured",
    "expect",
    "opened",
    "p95",
    "text_answer",
]

# `at` notes when something was seen to be true: in the DOM (looked at after each change of it), and on the screen (when
# the frame after it has been drawn). `clicked` is when the last click or key came in, as the browser stamped it.
PROBE = """
window.bench = {
    times: {},
    now: () => (performance.timeOrigin + performance.now()) / 1000,
    at(name, seen) {
        const {times} = bench;
        times[name] = {};
        const look = () => {
            if (times[name].dom || !seen()) return false;
            times[name].dom = bench.now();
            requestAnimationFrame(() => {
                const {port1, port2} = new MessageChannel();
                port1.onmessage = () => { times[name].screen = bench.now(); };
                port2.postMessage(null);
            });
            return true;
        };
        if (look()) return;
        const observer = new MutationObserver(() => look() && observer.disconnect());
        observer.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
    },
};
for (const kind of ['click', 'keydown']) {
    addEventListener(kind, event => {
        bench.clicked = (performance.timeOrigin + event.timeStamp) / 1000;
    }, {capture: true});
}
// What a page watches for from its first moment.
Function(sessionStorage.getItem('bench') ?? '')();
sessionStorage.removeItem('bench');
"""

BUSY_CODES = {
    "sleep": "import time; time.sleep(600)",
    "Python loop": "count = 0\nwhile True:\n    count += 1",
    "BLAS": "import numpy as np\nones = np.ones((1500, 1500))\nwhile True:\n    product = ones @ ones",
}


@dataclass
class Bench:
    """A JupyterLab with an open notebook; `model` answers it once `configured` has run."""

    lab: Lab
    context: BrowserContext
    notebook: Notebook
    model: ScriptedServer
    path: Path

    @property
    def page(self) -> Page:
        """The tab."""
        return self.notebook.page

    def watch(self, name: str, seen: str) -> None:
        """Note when this JavaScript expression becomes true; `wait` tells."""
        self.page.evaluate(f"bench.at({name!r}, () => {seen})")

    def wait(self, name: str, of: str = "screen", limit_s: float = 60) -> float:
        """When it was seen."""
        found = self.page.wait_for_function(f"bench.times[{name!r}]?.{of}", timeout=1000 * limit_s).json_value()
        return float(found) - self.ahead

    @property
    def clicked(self) -> float:
        """When the last click or key reached the page."""
        return float(self.page.evaluate("bench.clicked")) - self.ahead

    @property
    def ahead(self) -> float:
        """How many seconds the page's clock is ahead of Python's, from the quickest of several questions."""
        rounds = []
        for _ in range(5):
            before = time.time()
            there = self.page.evaluate("bench.now()")
            after = time.time()
            rounds.append((after - before, there - (before + after) / 2))
        return float(min(rounds)[1])

    def api(self, method: str, path: str) -> Any:
        """A request to the Jupyter server."""
        answer = self.context.request.fetch(
            f"{self.lab.url}api/{path}", method=method, headers={"Authorization": f"token {self.lab.token}"}
        )
        return answer.json() if answer.status == 200 else None  # noqa: PLR2004

    @property
    def kernel_id(self) -> str:
        """Of the open notebook."""
        return str(self.api("GET", "sessions")[0]["kernel"]["id"])


class Busy:
    """Runs a person's cell for as long as the context lasts."""

    def __init__(self, bench: Bench, code: str) -> None:
        """Nothing yet."""
        self._bench, self._code = bench, code

    def __enter__(self) -> None:
        cell = self._bench.notebook.start(self._code)
        expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:", timeout=SLOW_MS)
        self._bench.page.wait_for_timeout(1000)  # numpy is imported, and the loop runs

    def __exit__(self, *_: object) -> None:
        self._bench.api("POST", f"kernels/{self._bench.kernel_id}/interrupt")
        expect(self._bench.page.locator(".jp-InputPrompt", has_text=re.compile(r"\[\*\]"))).to_have_count(
            0, timeout=SLOW_MS
        )


@contextlib.contextmanager
def opened() -> Iterator[Bench]:
    """A fresh JupyterLab with one empty notebook, and a model server."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        for part in ("jupyter", "notebooks"):
            (folder / part).mkdir()
        model = stack.enter_context(ScriptedServer())
        lab = stack.enter_context(running_lab(folder / "jupyter", folder / "notebooks"))
        browser = stack.enter_context(running_browser())
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        context.set_default_timeout(SLOW_MS)
        context.add_init_script(PROBE)
        path = lab.write_notebook("bench.ipynb", "")
        yield Bench(lab, context, Notebook.open(context.new_page(), lab, path), model, path)
        context.close()


@dataclass(frozen=True)
class Row:
    """Measured values of one thing; `goal` is for `judged` of them."""

    name: str
    values: Sequence[float]
    goal: float | None = None
    judged: Callable[[Sequence[float]], float] = statistics.median
    note: str = ""

    @property
    def verdict(self) -> str:
        """`met` or `NOT met`, where there is a goal."""
        return "" if self.goal is None else "met" if self.judged(self.values) <= self.goal else "NOT met"


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]


class Table:
    """Prints rows under one heading, each as soon as it is known."""

    def __init__(self, title: str, unit: str = "ms") -> None:
        """Print the heading."""
        self._digits = 2 if unit == "s" else 1
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        print(f"\n{title} [{unit}]; {os.cpu_count()} cores, load {load}, Python {platform.python_version()}")
        print(f"{'':<58}{'n':>5}{'median':>9}{'p95':>9}{'min':>9}{'max':>9}{'goal':>8}")

    def add(self, row: Row) -> None:
        """Print one."""
        values = row.values
        numbers = (statistics.median(values), p95(values), min(values), max(values))
        goal = "" if row.goal is None else f"{row.goal:g}"
        shown = "".join(f"{value:>9.{self._digits}f}" for value in numbers)
        print(f"{row.name:<58}{len(values):>5}{shown}{goal:>8}  {row.verdict}{row.note}", flush=True)

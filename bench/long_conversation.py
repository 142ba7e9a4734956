"""What a long conversation costs the page: a notebook of 50 charts with 50 turns beside it, and with 500.

Measured is the processor's time of the page's main thread, until what is asked for stands there and for half a second
more: how long somebody waits depends on what else runs. Goals: to open the notebook, to turn to its tab and to open the
side area beside it take at most 1.3 times as much as without the copilot in its kernel (the side area then shows
another tab; the notebook is laid out anew with its charts). Where the side area is open, a click on its tab shows the
copilot within 150 ms. After 50 turns its scripts hold at most 1.2 times as much memory as without the copilot. With 500
turns a letter that is typed is on the screen within 50 ms.
"""

from __future__ import annotations

import contextlib
import json
import statistics
from collections.abc import Iterator
from typing import Any

import nbformat
from in_lab import Bench, Panel, Row, Table, configured, expect, opened

from tests.scripted_server import text_turn

CHARTS, TURNS, MANY = 50, 50, 500
CLICKED, RELOADED, TYPED = 8, 3, 30
SETTLED_MS = 500
SWITCHED = 20

ARTICLES = "[...document.querySelectorAll('#qdash-copilot article')]"
SHOWN = "document.querySelector('#qdash-copilot')?.offsetParent != null"
INSPECTOR = "document.querySelector('#jp-property-inspector')?.offsetParent != null"
VIEW = "document.querySelector('#qdash-copilot .qdash-view:not(.lm-mod-hidden)') != null"
CELLS = "document.querySelector('.jp-Notebook .jp-CodeCell .js-plotly-plot')?.offsetParent != null"
DRAWN = f"document.querySelectorAll('.jp-Notebook .js-plotly-plot:has(.main-svg)').length >= {CHARTS}"
"""JupyterLab draws those out of sight when it is idle: all of them, or a later end counts more of its drawing."""
ELSEWHERE = "document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden)')?.textContent.includes('elsewhere')"
PRESSED = """addEventListener('pointerdown', event => {
    bench.pressed = (performance.timeOrigin + event.timeStamp) / 1000;
}, {capture: true, once: true})"""
PROSE = " ".join(["The relaxation time fell in the last week, and the readout did not change."] * 6)
ROW = "| qubit | T1 |\n| --- | --- |\n| Q1"
ASK_ALL = """\
for number in range({}):
    copilot.ask(f"Question {{number}}: what became of T1?")
"""


def main() -> None:
    """Print the tables."""
    with opened() as bench:
        bench.lab.write_notebook("elsewhere.ipynb", "'elsewhere'")
        with_charts(bench)
        bench.page.goto(bench.lab.address(bench.path))
        bench.notebook.wait_until_idle()
        bare = {
            "reload": [reloaded(bench) for _ in range(RELOADED)],
            "turn to its tab": turned(bench),
            "click on a tab at the side": clicked(bench, "Property Inspector", INSPECTOR),
        }
        alone = heap(bench)
        run(bench, configured(bench.model.base_url))
        panel = Panel.start(bench.notebook)
        run(bench, "None")
        empty = [reloaded(bench) for _ in range(RELOADED)]
        asked(bench, panel, TURNS)
        lived = heap(bench)
        bench.page.keyboard.press("ControlOrMeta+s")
        table = Table(f"A notebook of {CHARTS} charts with {TURNS} turns")
        there = {
            "reload": [reloaded(bench, turns=TURNS) for _ in range(RELOADED)],
            "turn to its tab": turned(bench, there=VIEW),
            "click on a tab at the side": clicked(bench, "QDash Copilot", SHOWN),
        }
        for name, values in bare.items():
            compare(table, name, values, there[name])
        table.add(Row("reload, with a panel without turns", empty))
        table.add(Row("from another tab at the side to the copilot's, on the clock", switched(bench), 150))
        table = Table("What the page holds", "MB")
        compare(table, "memory of JavaScript", [alone], [lived], 1.2)
        asked(bench, panel, MANY - TURNS)
        table = Table(f"The same with {MANY} turns")
        name = "click on a tab at the side"
        compare(table, name, bare[name], clicked(bench, "QDash Copilot", SHOWN))
        table.add(Row("from another tab at the side to the copilot's, on the clock", switched(bench)))
        table.add(Row("a letter typed into the panel, until it is on the screen", typed(bench, panel), 50))


def compare(table: Table, name: str, bare: list[float], there: list[float], most: float = 1.3) -> None:
    """Add what it takes without and with the copilot."""
    base = statistics.median(bare)
    table.add(Row(f"{name}, without the copilot", bare))
    table.add(Row(f"{name}, with it", there, most * base, note=f"  ratio {statistics.median(there) / base:.2f}"))


def heap(bench: Bench) -> float:
    """MB of objects that the page's scripts hold."""
    session = bench.context.new_cdp_session(bench.page)
    for _ in range(3):  # what the first frees lets go of more
        session.send("HeapProfiler.collectGarbage")
    used = float(session.send("Runtime.getHeapUsage")["usedSize"])
    session.detach()
    return used / 1e6


def chart(number: int) -> dict[str, Any]:
    """A figure of two series."""
    y = [(number * 7 + at * 13) % 50 + 40 for at in range(60)]
    trace = {"type": "scatter", "mode": "lines+markers", "x": list(range(60)), "name": f"Q{number}"}
    other = [*reversed(y)]
    return {"data": [trace | {"y": y}, trace | {"y": other}], "layout": {"title": {"text": f"T1 of Q{number}"}}}


def with_charts(bench: Bench) -> None:
    """Write them as the outputs of the notebook's cells."""
    cells = [
        nbformat.v4.new_code_cell(
            f"chart({number})",
            execution_count=number + 1,
            outputs=[nbformat.v4.new_output("display_data", data={"application/vnd.plotly.v1+json": chart(number)})],
        )
        for number in range(CHARTS)
    ]
    notebook = nbformat.read(bench.path, as_version=4)
    notebook.cells = [nbformat.v4.new_code_cell(""), *cells]
    nbformat.write(notebook, bench.path)


def asked(bench: Bench, panel: Panel, turns: int) -> None:
    """As many questions, each answered with prose and a chart."""
    before = panel.turns.count()
    for number in range(turns):
        blocks = [
            {
                "type": "text",
                "content": f"{PROSE}\n\n| qubit | T1 |\n| --- | --- |\n| Q1 | {number} μs |",
                "chart": None,
            },
            {"type": "chart", "content": None, "chart": chart(number)},
        ]
        bench.model.add(text_turn(json.dumps({"blocks": blocks, "assessment": None})))
    run(bench, ASK_ALL.format(turns))
    expect(panel.turns).to_have_count(before + turns, timeout=200_000)
    bench.page.wait_for_timeout(1000)


def run(bench: Bench, code: str) -> None:
    """Run code in the first cell; JupyterLab has only those in its page that are near the view."""
    bench.notebook.cells.first.locator(".cm-content").click()
    bench.page.keyboard.press("ControlOrMeta+a")
    bench.page.keyboard.insert_text(code)
    bench.page.keyboard.press("ControlOrMeta+Enter")
    bench.notebook.wait_until_idle()


@contextlib.contextmanager
def cost(bench: Bench, seen: str) -> Iterator[list[float]]:
    """Milliseconds of the main thread from the beginning of the context until this is true and all is settled."""
    session = bench.context.new_cdp_session(bench.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(1000 * float(each["value"]) for each in metrics if each["name"] == "TaskDuration")

    found: list[float] = []
    before = spent()
    yield found
    bench.page.wait_for_function(seen)
    bench.page.wait_for_timeout(SETTLED_MS)
    found.append(spent() - before)
    session.detach()


def reloaded(bench: Bench, *, turns: int = 0) -> float:
    """Of a reload, until the charts of the notebook are drawn and the turns are there."""
    bench.page.keyboard.press("ControlOrMeta+s")  # otherwise the browser asks whether to leave
    bench.page.wait_for_timeout(1000)
    with cost(bench, f"{DRAWN} && {ARTICLES}.length === {turns}") as taken:
        bench.page.reload(wait_until="commit")
        bench.notebook.wait_until_idle()
    return taken[0]


def turned(bench: Bench, there: str = "true") -> list[float]:
    """Of a click on the notebook's tab, from another notebook."""
    bench.page.locator(".jp-DirListing-item", has_text="elsewhere.ipynb").dblclick()
    tab = bench.page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab")
    expect(tab.filter(has_text="elsewhere")).to_be_visible()
    times = []
    for _ in range(CLICKED):
        tab.filter(has_text="elsewhere").click()
        bench.page.wait_for_function(ELSEWHERE)
        bench.page.wait_for_timeout(SETTLED_MS)
        with cost(bench, f"{CELLS} && {there}") as taken:
            tab.filter(has_text="bench").click()
        times += taken
    tab.filter(has_text="elsewhere").click()
    bench.page.keyboard.press("ControlOrMeta+s")  # otherwise JupyterLab asks whether to close it
    bench.page.wait_for_timeout(1000)
    tab.filter(has_text="elsewhere").locator(".lm-TabBar-tabCloseIcon").click()
    tab.filter(has_text="bench").click()
    return times


def clicked(bench: Bench, name: str, seen: str) -> list[float]:
    """Of a click on a tab at the right, where nothing is open."""
    tab = bench.page.get_by_role("tab", name=name)
    if not bench.page.evaluate(seen):
        tab.click()
    times = []
    for _ in range(CLICKED):
        tab.click()
        bench.page.wait_for_function(f"!({seen})")
        bench.page.wait_for_timeout(SETTLED_MS)
        with cost(bench, seen) as taken:
            tab.click()
        times += taken
    return times


def switched(bench: Bench) -> list[float]:
    """Milliseconds from the press on the copilot's tab to its frame on the screen, where another tab was shown."""
    other, tab = (bench.page.get_by_role("tab", name=name) for name in ("Property Inspector", "QDash Copilot"))
    times = []
    for _ in range(SWITCHED):
        if not bench.page.evaluate(INSPECTOR):
            other.click()
        bench.page.wait_for_function(INSPECTOR)
        bench.page.wait_for_timeout(SETTLED_MS)
        bench.watch("shown", SHOWN)
        bench.page.evaluate(PRESSED)
        tab.click()
        shown = bench.wait("shown") + bench.ahead
        times.append(1000 * (shown - float(bench.page.evaluate("bench.pressed"))))
    return times


def typed(bench: Bench, panel: Panel) -> list[float]:
    """Milliseconds from a key to its letter on the screen."""
    times = []
    panel.box.fill("")
    panel.box.focus()
    for _ in range(TYPED):
        bench.page.evaluate(
            "bench.times.typed = {}; document.querySelector('#qdash-copilot textarea').addEventListener('input', "
            "() => requestAnimationFrame(() => { const {port1, port2} = new MessageChannel(); "
            "port1.onmessage = () => { bench.times.typed.screen = bench.now(); }; port2.postMessage(null); }), "
            "{once: true})"
        )
        bench.page.keyboard.press("a")
        times.append(1000 * (bench.wait("typed") - bench.clicked))
    return times


if __name__ == "__main__":
    main()

"""What a person feels of the panel: the first status after a question, Stop, opening it, and what a reload takes.

Goals: a status is on the screen 100 ms after the click on Send, whatever the kernel's main thread does. The page shows
a line of its own at once; the goal is for the first one of the kernel, too, which shows that it has the question. Stop
works within 1 s; the panel opens within 150 ms; 4 s after a reload one can write in it.
"""

from __future__ import annotations

import time

from in_lab import BUSY_CODES, Bench, Busy, Panel, Row, Table, configured, expect, opened, text_answer

from tests.scripted_server import call_turn, text_turn

ASKED, STOPPED, CLICKED, RELOADED = 10, 5, 10, 5

ARTICLES = "[...document.querySelectorAll('#qdash-copilot article')]"
BOX = "document.querySelector('#qdash-copilot textarea')"
SHOWN = "document.querySelector('#qdash-copilot')?.offsetParent != null"
# Until the kernel has the question, the panel shows an article of its own in its place.
SENT = f"(bench.pending = {ARTICLES}[%d]) != null"
TAKEN = f"{ARTICLES}[%d] != null && {ARTICLES}[%d] !== bench.pending && {ARTICLES}[%d].querySelector('[role=status]')"
ENDED = f"{ARTICLES}.at(-1)?.dataset.state === '%s'"
IDLE = "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"
READY = f"{IDLE} && /Python 3/.test(document.querySelector('.jp-NotebookPanel .jp-KernelName')?.textContent)"


# The agent may not give a person's names other values.
AGENT_CODES = {
    "Python loop": "rounds = 0\nwhile True:\n    rounds += 1",
    "BLAS": "import numpy as np\nsquare = np.ones((1500, 1500))\nwhile True:\n    squared = square @ square",
}


def main() -> None:
    """Print the tables."""
    with opened() as bench:
        panel = Panel.start(bench.notebook, configured(bench.model.base_url))
        panel.open(bench.notebook)
        bench.model.add(text_turn(text_answer("The first question pays for the imports.")))
        panel.answer("Warm up")
        first_status(bench, panel)
        stop(bench, panel)
        opening(bench, panel)
        reloading(bench)


def first_status(bench: Bench, panel: Panel) -> None:
    """From the click on Send to the status line."""
    table = Table("From the click on Send to a status on the screen")
    asked(bench, panel)
    own, times = [], {"kernel idle": [asked(bench, panel) for _ in range(ASKED)]}
    for name, code in BUSY_CODES.items():
        with Busy(bench, code):
            times[f"during a person's {name}"] = [asked(bench, panel) for _ in range(ASKED)]
    for name, pairs in times.items():
        own += [pages for pages, _ in pairs]
        table.add(Row(f"the kernel's first, {name}", [kernels for _, kernels in pairs], 100))
    table.add(Row("the page's own line before it, in all of these", own, 100))


def asked(bench: Bench, panel: Panel) -> tuple[float, float]:
    """Milliseconds until the page's own status and until the kernel's; the answer is awaited."""
    bench.model.add(text_turn(text_answer("Enough said.")).stalled(1.0))
    count = panel.turns.count()
    bench.watch("own", SENT % count)
    bench.watch("kernel's", TAKEN % (count, count, count))
    panel.ask("How is the chip?")
    kernels, own, clicked = bench.wait("kernel's"), bench.wait("own"), bench.clicked
    panel.expect_state(panel.turns.nth(count), "done")
    return 1000 * (own - clicked), 1000 * (kernels - clicked)


def stop(bench: Bench, panel: Panel) -> None:
    """From the click on Stop to its effect."""
    table = Table("From the click on Stop")
    with Busy(bench, BUSY_CODES["sleep"]):
        times = [stopped(bench, panel, "'not needed any more'", waits=True) for _ in range(STOPPED)]
    table.add(Row("a cell waits behind a person's sleep: panel says stopped", [shown for shown, _ in times], 1000))
    for name, code in AGENT_CODES.items():
        times = [stopped(bench, panel, code) for _ in range(STOPPED)]
        table.add(Row(f"the agent's {name}: panel says stopped", [shown for shown, _ in times], 1000))
        table.add(Row(f"the agent's {name}: its cell has ended", [ended for _, ended in times], 1000))


def stopped(bench: Bench, panel: Panel, code: str, *, waits: bool = False) -> tuple[float, float]:
    """Milliseconds until the panel shows it, and until the agent's cell has ended (or is gone)."""
    bench.model.add(call_turn(("execute_python_analysis", {"code": code, "purpose": "Until it is stopped"})))
    turn = panel.ask("Run it")
    prompts = ".jp-CodeCell[data-qdash-step] .jp-InputPrompt"
    expect(bench.page.locator(prompts, has_text="[*]")).to_have_count(1)
    if waits:
        panel.expect_state(turn, "waiting")
    bench.page.wait_for_timeout(700)
    bench.watch("stopped", ENDED % "stopped")
    bench.watch("ended", f"![...document.querySelectorAll('{prompts}')].some(each => each.textContent.includes('*'))")
    panel.stop()
    shown, ended, clicked = bench.wait("stopped"), bench.wait("ended"), bench.clicked
    return 1000 * (shown - clicked), 1000 * (ended - clicked)


def opening(bench: Bench, panel: Panel) -> None:
    """From the click on the sidebar's tab to the panel, with the conversation of this run in it."""
    times = []
    tab = bench.page.get_by_role("tab", name="QDash Copilot")
    for _ in range(CLICKED):
        tab.click()
        expect(panel.region).to_be_hidden()
        bench.watch("open", SHOWN)
        tab.click()
        shown = bench.wait("open")
        times.append(1000 * (shown - bench.clicked))
    Table("From the click on the sidebar's tab").add(Row(f"{panel.turns.count()} turns on the screen", times, 150))


def reloading(bench: Bench) -> None:
    """From a reload to the text box and to the conversation; then without a copilot in the kernel."""
    with_copilot = [reloaded(bench, panel=True) for _ in range(RELOADED)]
    bench.api("POST", f"kernels/{bench.kernel_id}/restart")
    bench.notebook.wait_until_idle()
    bare = [reloaded(bench)["notebook"] for _ in range(RELOADED)]
    table = Table("From a reload of the page", "s")
    table.add(Row("copilot not in the kernel: notebook ready", bare))
    base = sorted(bare)[len(bare) // 2]
    for what, goal in (("notebook", None), ("box", 4), ("conversation", None)):
        values = [times[what] for times in with_copilot]
        ratio = sorted(values)[len(values) // 2] / base
        table.add(Row(f"copilot there: {what} ready", values, goal, note=f"  ratio {ratio:.2f}"))


def reloaded(bench: Bench, *, panel: bool = False) -> dict[str, float]:
    """Seconds from the reload until the notebook, the text box and the last turn are there."""
    watched = {"notebook": READY}
    if panel:
        count = bench.page.locator("#qdash-copilot article").count()
        watched |= {
            "box": f"{BOX}?.offsetParent != null && !{BOX}.disabled && {BOX}.placeholder.startsWith('Ask')",
            "conversation": f"{ARTICLES}.length === {count} && {SHOWN}",
        }
    bench.page.keyboard.press("ControlOrMeta+s")  # otherwise the browser asks whether to leave
    bench.page.wait_for_timeout(1000)
    script = "".join(f"bench.at({name!r}, () => {seen});" for name, seen in watched.items())
    began = time.time()
    bench.page.evaluate(f"sessionStorage.setItem('bench', {script!r})")
    bench.page.reload(wait_until="commit")
    seen = {name: bench.wait(name) - began for name in watched}
    bench.notebook.wait_until_idle()
    return seen


if __name__ == "__main__":
    main()

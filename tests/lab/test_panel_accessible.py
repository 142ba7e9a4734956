"""axe-core finds nothing critical or serious in any state of the panel, light or dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.lab.bare_panel import (
    CHART,
    ROWS,
    TABLE,
    PanelPage,
    conversation,
    found,
    frame,
    load_anew,
    preview,
    queued,
    result,
    running,
    step,
    text,
    turn,
)
from tests.lab.test_approval_card import waiting
from tests.lab.test_panel_completion import TABLES
from tests.lab.test_panel_kept import opened
from tests.lab.test_panel_keys_typed import FRIDGE
from tests.lab.test_panel_subjects import CELL, LOOK, MODELS, about

pytest_plugins = ("tests.lab.panel_page",)

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
    const rules = { region: { enabled: false } };  // landmarks are the page's
    const { violations } = await axe.run(document.querySelector('.qdash-panel'), { rules });
    return violations.filter(each => ['critical', 'serious'].includes(each.impact)).flatMap(each => each.nodes.map(
        node => `${each.id}: ${node.target.join(' ')}: ${node.any.concat(node.all).map(check => check.message)}`));
}"""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
"""What is measured once it is drawn has been."""
ANSWER = text(
    "**5 qubits lost T1.** See [the docs](https://docs.example/x), `t1`.\n\n```python\nprint(1)\n```\n\n"
    "| qubit | " + " | ".join(f"column {n}" for n in range(9)) + " |\n" + "| --- " * 10 + "|\n" + "| Q07 " * 10 + "|"
)
ERROR = {"id": "e1", "kind": "error", "title": "No answer.", "hint": "Ask again."}
FAILED = step("s2", state="failed", error="There is no qubit 99.", hint="The chip has 0 to 63.")
STEPS = [step(frame_key="t1", cell_id="c1", cell_state="ran", cell_number=3, code="a = 1\n" * 40), FAILED]


def answered(panel: PanelPage) -> None:
    table = TABLE | {"rows": ROWS, "total_rows": 12}
    one = turn(blocks=[*STEPS, ANSWER, table, CHART], assessment="warning", next_steps=["And Q5?"])
    panel.snapshot(conversation(turns=[one], frames=[frame()]))
    panel.turns.get_by_role("button", expanded=False).first.click()


def streaming(panel: PanelPage) -> None:
    panel.snapshot(
        conversation(turns=[running(step(state="running", elapsed_s=None), ANSWER)], queue=[queued("Next?")])
    )


def failed(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(blocks=[*STEPS, ERROR], state="error")]))


def asked_back(panel: PanelPage) -> None:
    offers = ["worst 5 qubits by T1", "worst 5 qubits by T2 Echo"]
    panel.snapshot(conversation(turns=[turn(blocks=[text("Which one?")], choices=offers)]))


def data(panel: PanelPage) -> None:
    panel.snapshot(conversation(frames=[frame(), frame("old", gone=True)], turns=[turn(blocks=[step(frame_key="t1")])]))
    panel.button('data["t1"] · 1,234 rows').click()
    panel.patch({"op": "set", "key": "preview", "value": preview()})
    expect(panel.page.get_by_role("columnheader", name="v (μs)")).to_be_visible()


def kept(panel: PanelPage) -> None:
    expect(opened(panel).get_by_role("listitem")).to_have_count(3)


def chosen(panel: PanelPage) -> None:
    panel.button("Analyze a result").click()
    value = found(result(), result("CheckT2Echo", "63", status="failed", values=[]), more=True)
    panel.patch({"op": "set", "key": "results", "value": value})
    expect(panel.page.get_by_role("region", name="Results").get_by_role("listitem")).to_have_count(2)


def completed(panel: PanelPage) -> None:
    panel.snapshot(conversation(completions=TABLES))
    panel.box.press_sequentially("wor")
    expect(panel.page.get_by_role("listbox", name="Completions")).to_be_visible()


def about_a_cell(panel: PanelPage) -> None:
    panel.snapshot(conversation(turns=[turn(subject={"analysis": None, "cell": CELL})], about=about(models=MODELS)))


def troubled(panel: PanelPage) -> None:
    issues = [{"stage": "tools", "name": "fridge", "message": "The server does not answer.", "hard": True}]
    panel.snapshot(conversation(about=about(issues=issues)))


STATES: dict[str, Callable[[PanelPage], None]] = {
    "before a question": PanelPage.snapshot,
    "an answer": answered,
    "streaming": streaming,
    "an error": failed,
    "a question back": asked_back,
    "a card": lambda panel: panel.snapshot(waiting("kernel")),
    "a card for a tool": lambda panel: panel.snapshot(waiting("tool")),
    "data": data,
    "conversations": kept,
    "results": chosen,
    "completions": completed,
    "about a cell": about_a_cell,
    "what is sent": lambda panel: panel.snapshot(conversation(about=about(look=LOOK, models=MODELS))),
    "keys": lambda panel: panel.snapshot(conversation(sign_in=[FRIDGE])),
    "initialization issues": troubled,
    "no kernel": lambda panel: panel.link("lost"),
}


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_nothing_critical_or_serious(panel: PanelPage, theme: str) -> None:
    """All states in one page: loading axe-core and looking take a second or two of the processor."""
    wrong = {}
    panel.page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    for name, show in STATES.items():
        panel.page.evaluate("kit.reset()")
        panel.theme(theme)
        panel.page.evaluate("kit.mount()")
        panel.link()
        panel.snapshot()
        show(panel)
        panel.page.evaluate(DRAWN)
        if there := panel.page.evaluate(RUN):
            wrong[name] = there
    load_anew(panel.page)
    lines = [f"{name}: {each}" for name, there in wrong.items() for each in there]
    assert not lines, "\n".join(lines)

"""Code of an answer in a real JupyterLab: the colours of its editors, and the way into the notebook."""

from playwright.sync_api import expect

from tests.lab.in_browser import SLOW_MS, Notebook, shot
from tests.lab.in_panel import Panel, configured, text_answer
from tests.scripted_server import ScriptedServer, text_turn

ANSWER = """Fit it again:

```python
import numpy as np

def half(values):  # of all
    return np.median(values) / 2
```

```yaml
chip: 64Qv2
limits: {t1: 30}
```

```json
{"t1": [18.4, null], "ok": true}
```

```bash
qdash-jupyter ask "T1?" > t1.txt
```

```diff
- limit = 20
+ limit = 30
```

| Qubit | T1 | Change | Why | Verdict |
| --- | --- | --- | --- | --- |
| Q01 | 0.1 ms | −3 % | TLS near 4.91 GHz, it comes and goes | drifting |
| Q02 | 40 µs | +1 % | no change over the month | good |
"""


def test_code_has_the_editors_colours_and_becomes_a_cell(notebook: Notebook, model: ScriptedServer) -> None:
    panel = Panel.start(notebook, configured(model.base_url))
    notebook.run("'another'")
    model.add(text_turn(text_answer(ANSWER)))
    turn = panel.answer("How do I fit it?")
    blocks = turn.locator(".qd-code pre")
    for index, word in enumerate(("import", "chip", "null", '"T1?"', "- limit = 20")):
        part = blocks.nth(index).get_by_text(word, exact=True).first
        expect(part).to_be_visible(timeout=SLOW_MS)
        colour = "node => getComputedStyle(node).color"
        assert part.evaluate(colour) != blocks.nth(index).evaluate(colour), word
    shot(notebook.page, "code-light")
    # Below the current cell, which is the first.
    notebook.cells.first.locator(".jp-InputPrompt").click()
    before = notebook.cells.count()
    panel.button("Insert as cell").click()
    expect(notebook.cells).to_have_count(before + 1)
    added = notebook.cells.nth(1)
    expect(added.locator(".cm-content")).to_contain_text("return np.median(values) / 2")
    assert "jp-mod-active" in (added.get_attribute("class") or "")
    # It is the person's: not marked as the copilot's, and not run.
    assert added.get_attribute("data-qdash-step") is None
    expect(added.locator(".jp-InputPrompt")).to_have_text("[ ]:")
    notebook.cells.last.locator(".jp-InputPrompt").click()
    panel.button("In cell ↗").click()
    expect(notebook.page.locator(".jp-CodeCell.jp-mod-active .cm-content")).to_contain_text("np.median")

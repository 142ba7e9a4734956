"""`copilot.panel` in a kernel without JupyterLab's extension, as in VS Code and Colab: the widget alone."""

from __future__ import annotations

import pytest

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.errors import PersonError
from tests.ui.kernel import WIDGET, Kernel

QUESTION = "Which qubits lost T1 in the last 30 days?"


@pytest.mark.kernel
def test_it_is_connected(demo_kernel: Kernel) -> None:
    [shown] = demo_kernel.run("copilot.panel").bundles
    panel = shown[WIDGET]["model_id"]
    assert demo_kernel.run(f"print(copilot.panel.model_id == {panel!r})").stdout == "True\n"
    asked = {"v": 1, "type": "ask", "ask_id": "a1", "text": QUESTION}
    demo_kernel.say(panel, {"method": "custom", "content": asked})
    demo_kernel.until(lambda: "5 qubits lost T1" in str(demo_kernel.custom))
    assert {"v": 1, "type": "ack", "of": "a1", "ok": True} in [
        {name: said.get(name) for name in ("v", "type", "of", "ok")} for said in demo_kernel.custom
    ]


def test_where_there_is_none_it_is_told() -> None:
    copilot = open_copilot(demo=True)
    with pytest.raises(PersonError, match="This copilot has no panel"):
        _ = copilot.panel
    copilot.close()

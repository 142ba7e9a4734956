"""`%copilot fix` in a real kernel without a notebook: the change is printed, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qdash_jupyter.domain.analysis import data_of
from tests.lab.in_panel import text_answer
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.ui.kernel import Kernel, as_new

pytestmark = pytest.mark.kernel

CODE = "limits = {'t1': 30}\nlimits['T1']"


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture(scope="module")
def demo_kernel(server: ScriptedServer, warm_kernel: Kernel) -> Iterator[Kernel]:
    model = {"QDASH_COPILOT_MODEL": "m", "OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-test"}
    with as_new(warm_kernel, **model) as running:
        running.run("%load_ext qdash_jupyter")
        yield running


def test_the_last_failed_cell_is_meant(demo_kernel: Kernel, server: ScriptedServer) -> None:
    assert "No cell has failed." in demo_kernel.run("%copilot fix").text
    assert demo_kernel.run(CODE).status == "error"
    demo_kernel.run("%copilot nonsense")  # one of ours is not to be mended
    demo_kernel.run("1 + 1")
    server.add(call_turn(("propose_cell_edit", {"new_source": CODE.replace("T1", "t1"), "why": "The key is t1."})))
    server.add(text_turn(text_answer("A key in other letters.")))
    shown = demo_kernel.run("%copilot fix").text
    assert "A key in other letters." in shown
    assert "Proposed edit of cell [3].** The key is t1." in shown
    assert "- limits['T1']\n+ limits['t1']" in shown
    assert "limits = {'t1': 30}\nlimits['t1']\n```" in shown
    assert demo_kernel.run("print(In[3])").stdout == f"{CODE}\n"
    told = data_of(server.requests[0].body["input"][0])
    assert told["Error"] == "line 2: limits['T1']\nKeyError: 'T1'"
    assert told["Variables"] == {"limits": {"type": "dict of 1"}}

    demo_kernel.run(CODE.replace("T1", "t1"))
    server.add(text_turn(text_answer("Nothing to change.")))
    assert "Nothing to change." in demo_kernel.run("%copilot fix It still fails").text
    assert server.requests[-1].body["input"][-1]["content"][0]["text"] == "It still fails"

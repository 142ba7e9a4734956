"""Without IPython's shell, and without IPython: what scripts and services do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys
import qdash_jupyter

settings = {{"database": {{"snapshot": {snapshot!r}}}}}
mine = "the script's own"
one = qdash_jupyter.open_copilot(settings=settings)
two = qdash_jupyter.open_copilot(settings=settings)
answer = one.ask("Which qubits have the worst T1?")
print([run.status.value for run in one.turns[0].cells], len(answer.charts), answer.assessment)
from qdash_jupyter.kernel.worker import worker_of_kernel
print(worker_of_kernel()._process)
from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.domain.cell_run import CellRequest

kernel = two._conversation.kernel
host = InlineCellHost(kernel.shell, kernel.namespace)
code = "from IPython.display import Markdown, display\\ndisplay(Markdown('**seen**'))\\nmade = 1\\nsorted(copilot.data)"
run = host.run_here(CellRequest("r", "c", code))
print(run.status.value, run.value, [output["output_type"] for output in run.outputs], run.created)
print(sorted(one.data) != [], mine, "made" in globals(), sys.modules["__main__"].mine is mine, hasattr(sys, "ps1"))
from IPython.core.getipython import get_ipython
print(get_ipython(), kernel.shell.history_manager.enabled)
one.close(), two.close()
seldom = ["agent.around", "tools.content", "tools.context_files", "llm.static_tools"]
print([name for name in seldom if f"qdash_jupyter.{{name}}" in sys.modules])
"""

WITHOUT = """
import sys
sys.modules["IPython"] = None  # importing it fails
from pathlib import Path
from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.conversation import Conversation
from tests.session.conversation import parts_with


class Server:
    namespace = Namespace({{}})

    def give(self, *_):
        pass

    def for_turn(self, *_, **__):
        return NoCells()

    def close(self):
        pass


code = call_reply(("get_chip_summary", {{}}), ("execute_python_analysis", {{"code": "1 + 1"}}))
conversation = Conversation(Server(), parts_with(ScriptedLLM([code, text_reply("Done.")]), Path({snapshot!r})))
turn = conversation.start("How is the chip?")
assert turn.ended_within(60)
print(turn.result().text, [(result.call.name, result.ok) for result in turn.tool_results])
conversation.close()
print([name for name in sys.modules if name.split(".")[0] in ("IPython", "ipykernel", "traitlets", "anywidget")])
"""


def run(script: str, snapshot: Path, folder: Path) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", script.format(snapshot=str(snapshot))],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": "", "HOME": str(folder), "PYTHONPATH": "."},
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_a_script_asks_and_cells_run_in_a_namespace_of_their_own(snapshot: Path, tmp_path: Path) -> None:
    asked, worker, cell, own, shell, seldom = run(SCRIPT, snapshot, tmp_path)
    assert asked.startswith("['ok'")
    assert worker == "None", "the planner's code is ours, and the names are nobody's"
    assert cell == "ok [] ['display_data', 'execute_result'] ('Markdown', 'display', 'made')", (
        "data of the second alone"
    )
    assert own == "True the script's own False True False"
    assert shell == "None False", "none is left, and it kept no history"
    assert seldom == "[]", "what is not used is not imported"


@pytest.mark.long
def test_loop_tools_and_conversation_need_no_ipython(snapshot: Path, tmp_path: Path) -> None:
    """A service runs them without a kernel."""
    answered, imported = run(WITHOUT, snapshot, tmp_path)
    assert answered == "Done. [('get_chip_summary', True), ('execute_python_analysis', False)]"
    assert imported == "['IPython']"

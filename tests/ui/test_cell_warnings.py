"""A cell that runs away below `%%copilot`, in the session or in the kernel, whose main thread waits meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.ui.kernel import Kernel, as_new

pytestmark = pytest.mark.kernel

WAIT = """\
from qdash_jupyter.ui.progress import Progress
turn = copilot.start({question!r})
with Progress(get_ipython().display_pub, turn.language, shown=True) as progress:
    turn.wait(progress.on_event, meanwhile=progress.meanwhile)
print(turn.result().text, '|', turn.cells[0].status)
"""
BUSY = "import time\nbegan = time.perf_counter()\nwhile time.perf_counter() - began < 2:\n    pass\n"
SLOW = BUSY.replace("pass", "time.sleep(0.01)")
LARGE = f"held = b'x' * 80_000_000\n{SLOW}"


@pytest.mark.parametrize(
    ("limits", "code", "question", "said"),
    [
        ("limits: {cell_warning_seconds: 1}", BUSY, "Wait?", "running for 1 s. Interrupt the kernel (■) to stop it."),
        pytest.param(
            "limits: {cell_warning_seconds: 1}\npolicy: trusted",
            BUSY,
            "In mine?",
            "running for 1 s. Interrupt the kernel",
            marks=pytest.mark.long,
        ),
        ("limits: {cell_warning_memory_mb: 60}\npolicy: trusted", LARGE, "Large?", " MB of memory so far."),
        ("limits: {cell_warning_seconds: 1}", SLOW, "待って?", "1秒間実行されています。停止するには"),
    ],
)
def test_it_is_told_of_while_it_runs(  # noqa: PLR0917 - its parameters
    tmp_path: Path, warm_kernel: Kernel, limits: str, code: str, question: str, said: str
) -> None:
    settings = tmp_path / "copilot.yaml"
    turns = [call_turn(("execute_python_analysis", {"code": code})), text_turn("Done.")]
    with ScriptedServer(turns) as server:
        model = f"{{name: m, base_url: {server.base_url}, api_style: responses}}"
        settings.write_text(f"model: m\nmodels:\n  m: {model}\n{limits}\n")
        with as_new(warm_kernel, QDASH_COPILOT_CONFIG=str(settings)) as running:
            assert running.run("%load_ext qdash_jupyter").status == "ok"
            shown = running.run(WAIT.format(question=question))

    assert shown.status == "ok", shown.text
    assert "Done. | ok" in shown.stdout
    words = [str(bundle.get("text/markdown", "")) for bundle in shown.bundles]
    assert any(said in text for text in words), words

"""IPython ends. From Python 3.12 on no thread begins while the interpreter ends, which every version plays here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# `_register_atexit` calls before `atexit` does, where the interpreter's end begins.
NO_THREADS = """
import threading
ended, begin = [], threading.Thread.start
threading._register_atexit(lambda: ended.append(True))

def start(thread):
    if ended:
        raise RuntimeError("can't create new thread at interpreter shutdown")
    begin(thread)

threading.Thread.start = start
get_ipython().run_line_magic("load_ext", "qdash_jupyter")
"""


@pytest.mark.parametrize(
    "line",
    [
        "get_ipython().run_line_magic('copilot', 'status')",
        pytest.param("copilot.ask('How is Q7?')", marks=pytest.mark.long),
    ],
)
def test_nothing_is_said_at_the_end(line: str, tmp_path: Path) -> None:
    """Three seconds: IPython starts, and opens the demo chip."""
    (tmp_path / "session.ipy").write_text(f"{NO_THREADS}\n_ = {line}\n", encoding="utf-8")
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "IPython", "--no-banner", "session.ipy"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr + done.stdout, done.stderr) == (0, False, "")

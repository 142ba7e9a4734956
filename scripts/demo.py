"""`make demo`: JupyterLab on the demo chip, with the example notebooks in a folder of their own.

Environment: `PORT` (default: a free one from 8888), `NO_BROWSER=1`, `DEMO_FOLDER` (default `.demo`).
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

FIRST = "01-first-question.ipynb"


def main() -> None:
    """Prepare the folder, then become JupyterLab."""
    folder = Path(os.environ.get("DEMO_FOLDER", ".demo")).absolute()
    _copy_notebooks(Path("notebooks").absolute(), folder)
    arguments = [
        *("jupyterlab", f"--ServerApp.root_dir={folder}", "--ServerApp.ip=127.0.0.1"),
        f"--LabApp.default_url=/lab/tree/{FIRST}",
    ]
    if port := os.environ.get("PORT"):
        arguments += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if os.environ.get("NO_BROWSER"):
        arguments.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")
    # Whatever database the user has configured elsewhere: the demo shows the demo chip, offline.
    ours = {"QDASH_MONGO_URI", "QDASH_SNAPSHOT", "QDASH_COPILOT_MODEL", "DEFAULT_ORCHESTRATOR_DEPLOYMENT_ID"}
    ours |= {"QDASH_COPILOT_CONFIG", "MONGO_HOST"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
        [str(_settings(folder)), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    )
    sys.stdout.flush()
    os.execve(  # noqa: S606 - the interpreter itself
        sys.executable, [sys.executable, "-m", *arguments], environment
    )


def _copy_notebooks(source: Path, folder: Path) -> None:
    """The user's own copies, kept from one start to the next; delete one to get it afresh."""
    folder.mkdir(parents=True, exist_ok=True)
    for notebook in sorted(source.glob("*.ipynb")):
        copy = folder / notebook.name
        if not copy.exists():
            shutil.copyfile(notebook, copy)


def _settings(folder: Path) -> Path:
    """A configuration in which the copilot starts with each notebook, and without JupyterLab's question about its news,
    which would cover a corner of the first picture.
    """
    place = folder / ".jupyter"
    overrides = place / "labconfig" / "default_setting_overrides.json"
    overrides.parent.mkdir(parents=True, exist_ok=True)
    overrides.write_text('{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}\n', encoding="utf-8")
    overrides.with_name("page_config.json").write_text('{"qdashCopilot": "start"}\n', encoding="utf-8")
    return place


if __name__ == "__main__":
    main()

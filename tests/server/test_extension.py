"""The service in an ordinary Jupyter Server: off until it is enabled, and behind its authorizer."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import httpx

from tests.patience import PATIENCE_S, until
from tests.server.served import TOKEN, Served, steps

AUTHORIZER = """
from jupyter_server.auth import Authorizer

class ReadsOnly(Authorizer):
    def is_authorized(self, handler, user, action, resource):
        return resource != "qdash_copilot" or action == "read"

c.ServerApp.authorizer_class = ReadsOnly
"""


@contextmanager
def jupyter_server(folder: Path, snapshot: Path, config: str = "", **more: str) -> Iterator[Served]:
    """It starts in three seconds, as it loads the extensions of JupyterLab."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    file = folder / "jupyter_server_config.py"
    file.write_text(f"c = get_config()\n{config}", encoding="utf-8")
    env = os.environ | {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "XDG_DATA_HOME": str(folder / "share"),
        "JUPYTER_TOKEN": TOKEN,
        "QDASH_SNAPSHOT": str(snapshot),
        **more,
    }
    command = [sys.executable, "-m", "jupyter_server", f"--port={port}", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--config={file}", "--ServerApp.base_url=/lab-7/"]
    log = folder / "server.log"
    with (
        log.open("w") as output,
        subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=output, text=True) as process,
    ):
        served = Served(f"http://127.0.0.1:{port}/lab-7/qdash/copilot", process, log)
        try:
            until(lambda: _answers(f"http://127.0.0.1:{port}/lab-7/api"))
            yield served
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def test_it_is_off_until_it_is_enabled(tmp_path: Path, snapshot: Path) -> None:
    with jupyter_server(tmp_path, snapshot) as server:
        assert server.get("config").status_code == httpx.codes.NOT_FOUND


def test_enabled_it_answers_below_the_base_url(tmp_path: Path, snapshot: Path) -> None:
    """The command writes where the environment keeps its settings: here a copy of what the wheel installs there."""
    folder = tmp_path / "prefix" / "etc" / "jupyter" / "jupyter_server_config.d"
    folder.mkdir(parents=True)
    shipped = files("qdash_jupyter.server") / "jupyter_server_config.json"
    (folder / "qdash_jupyter.json").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    enable = (
        f"import sys; sys.prefix = {str(tmp_path / 'prefix')!r}; from jupyter_server.serverapp import main; "
        "main(['extension', 'enable', 'qdash_jupyter'])"
    )
    done = subprocess.run([sys.executable, "-c", enable], check=True, capture_output=True, text=True)
    assert "Validation failed" not in done.stdout + done.stderr
    with jupyter_server(tmp_path, snapshot, JUPYTER_CONFIG_PATH=str(folder.parent)) as server:
        events = server.chat("Which qubits have the lowest T1?")
        assert steps(events)[0] == "load_config"
        assert events[-1].name == "result"
        assert "offline planner" in json.dumps(events[-1].data)


def test_the_servers_authorizer_decides(tmp_path: Path, snapshot: Path) -> None:
    config = f'c.ServerApp.jpserver_extensions = {{"qdash_jupyter": True}}\n{AUTHORIZER}'
    with jupyter_server(tmp_path, snapshot, config) as server:
        assert server.get("config").status_code == httpx.codes.OK
        assert server.get("sessions").status_code == httpx.codes.OK
        assert server.send("POST", "chat/stream", {"message": "How?"}).status_code == httpx.codes.FORBIDDEN
        assert server.send("PUT", "sessions/1", {}).status_code == httpx.codes.FORBIDDEN

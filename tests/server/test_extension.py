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

from tests.patience import until
from tests.server.served import TOKEN, Served, running, steps
from tests.server.warm import WarmProcess

AUTHORIZER = """
from jupyter_server.auth import Authorizer

class ReadsOnly(Authorizer):
    def is_authorized(self, handler, user, action, resource):
        return resource != "qdash_copilot" or action == "read"

c.ServerApp.authorizer_class = ReadsOnly
"""


OTHERS = ("jupyter_lsp", "jupyter_server_terminals", "jupyterlab", "notebook", "notebook_shim")


@contextmanager
def jupyter_server(warm: WarmProcess, folder: Path, snapshot: Path, config: str = "", **more: str) -> Iterator[Served]:
    """Without the other extensions, which take seconds to load."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    file = folder / "jupyter_server_config.py"
    others = f"c.ServerApp.jpserver_extensions = {dict.fromkeys(OTHERS, False)}"
    file.write_text(f"c = get_config()\n{others}\n{config}", encoding="utf-8")
    env = os.environ | {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "XDG_DATA_HOME": str(folder / "share"),
        "JUPYTER_TOKEN": TOKEN,
        "QDASH_SNAPSHOT": str(snapshot),
        **more,
    }
    arguments = [f"--port={port}", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--config={file}"]
    arguments.append("--ServerApp.base_url=/lab-7/")
    with running("jupyter_server.serverapp", arguments, folder, env, warm) as (process, _, log):
        until(lambda: _answers(f"http://127.0.0.1:{port}/lab-7/api"))
        yield Served(f"http://127.0.0.1:{port}/lab-7/qdash/copilot", TOKEN, process, log)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def test_it_is_off_until_it_is_enabled(warm: WarmProcess, tmp_path: Path, snapshot: Path) -> None:
    with jupyter_server(warm, tmp_path, snapshot) as server:
        assert server.get("config").status_code == httpx.codes.NOT_FOUND


def test_enabled_it_answers_below_the_base_url(warm: WarmProcess, tmp_path: Path, snapshot: Path) -> None:
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
    with jupyter_server(warm, tmp_path, snapshot, JUPYTER_CONFIG_PATH=str(folder.parent)) as server:
        events = server.chat("Which chips are there?")
        assert steps(events)[0] == "load_config"
        assert events[-1].name == "result"
        assert "offline planner" in json.dumps(events[-1].data)


def test_the_servers_authorizer_decides(warm: WarmProcess, tmp_path: Path, snapshot: Path) -> None:
    config = f'c.ServerApp.jpserver_extensions["qdash_jupyter"] = True\n{AUTHORIZER}'
    with jupyter_server(warm, tmp_path, snapshot, config) as server:
        assert server.get("config").status_code == httpx.codes.OK
        assert server.get("chat/sessions").status_code == httpx.codes.OK
        assert server.send("POST", "chat/stream", {"message": "How?"}).status_code == httpx.codes.FORBIDDEN
        assert server.send("PATCH", "chat/sessions/1", {}).status_code == httpx.codes.FORBIDDEN

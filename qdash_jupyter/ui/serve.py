"""`qdash-jupyter serve`: the service for clients without a kernel."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

from qdash_jupyter.config.layers import load_manifest
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.ports import listening

if TYPE_CHECKING:
    from qdash_jupyter.ui.options import DataOptions


_VARIABLES = ("JUPYTER_TOKEN", "JUPYTER_TOKEN_FILE")


def serve(options: DataOptions, port: int, origin: str) -> None:
    """Serve these data until the process is told to end, also to pages of this other origin.

    Raises:
        PersonError: the port is taken, the settings are wrong, or Jupyter Server is not installed.
    """
    if find_spec("jupyter_server") is None:
        raise PersonError(Message("server-not-installed"), Message("pip-install", what="qdash-jupyter[serve]"))
    for each in load_manifest(options.patch()).untrusted:
        sys.stderr.write(f"{Message('cli', text=each).of(reader())}\n")
    with closing(listening(port)) as door:
        port = door.getsockname()[1]
    from qdash_jupyter.server.alone import serve as serve_alone
    from qdash_jupyter.server.service import CopilotService

    serve_alone(CopilotService(options.patch(), demo=options.demo), port, origin, _say)


def _say(endpoint: str, token: str) -> None:
    """Where it is, and the token unless whoever set it knows it."""
    variable = next((name for name in _VARIABLES if os.environ.get(name)), None)
    known = Message("cli-token", variable=variable).of(reader()) if variable else token
    sys.stdout.write(f"endpoint: {endpoint}\ntoken: {known}\n")
    sys.stdout.flush()

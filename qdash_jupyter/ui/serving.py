"""`qdash-jupyter mcp` and `serve`: our tools for other assistants, and the service for clients without a kernel."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
from contextlib import closing
from importlib.util import find_spec

from qdash_jupyter.config.layers import LoadedManifest, load_manifest
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.options import DataOptions

TOKEN_VARIABLE = "QDASH_COPILOT_MCP_TOKEN"  # noqa: S105 - the variable's name
PORT = 8817
"""Of the tools."""
_VARIABLES = ("JUPYTER_TOKEN", "JUPYTER_TOKEN_FILE")
_LAST_PORT = 65535


def serve_tools(options: DataOptions, port: int | None) -> None:
    """Serve the tools on these data: on standard input and output, or by HTTP on this machine where there is a port.

    Raises:
        PersonError: the data cannot be used, the port is taken, or the package for MCP is not installed.
    """
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.config.manifest import OFFLINE
    from qdash_jupyter.connect import connect
    from qdash_jupyter.connect.mcp_server import serve_http, serve_stdio
    from qdash_jupyter.store.store import FrameStore

    manifest = _loaded(options.patch() | {"model": OFFLINE, "tool_sets": []}).manifest
    parts = connect(manifest, Namespace({}), FrameStore(), demo=options.demo)
    try:
        if port is None:
            asyncio.run(serve_stdio(parts))
        else:
            token = os.environ.get(TOKEN_VARIABLE, "") or secrets.token_urlsafe(24)
            with listening(port) as door:
                url = f"http://127.0.0.1:{door.getsockname()[1]}/mcp"
                sys.stderr.write(f"MCP server: {url}\nBearer token: {_told(token, TOKEN_VARIABLE)}\n")
                sys.stderr.flush()
                asyncio.run(serve_http(parts, door, token))
    finally:
        parts.reader.close()


def serve_copilot(options: DataOptions, port: int, origin: str) -> None:
    """Serve these data until the process is told to end, also to pages of this other origin.

    Raises:
        PersonError: the port is taken, the settings are wrong, or Jupyter Server is not installed.
    """
    if find_spec("jupyter_server") is None:
        raise PersonError(Message("server-not-installed"), Message("pip-install", what="qdash-jupyter[serve]"))
    _loaded(options.patch())
    with closing(listening(port)) as door:
        port = door.getsockname()[1]
    from qdash_jupyter.server.alone import serve as serve_alone
    from qdash_jupyter.server.service import CopilotService

    serve_alone(CopilotService(options.patch(), demo=options.demo), port, origin, _say)


def listening(port: int) -> socket.socket:
    """A socket that listens on this port of 127.0.0.1; 0 is any that is free.

    Raises:
        PersonError: it cannot be used.
    """
    if not 0 <= port <= _LAST_PORT:
        raise PersonError.with_hint("no-port", port=str(port), most=str(_LAST_PORT))
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise PersonError.with_hint("port-not-usable", port=str(port), why=str(error.strerror)) from None


def _loaded(patch: dict[str, object]) -> LoadedManifest:
    """The settings; of which files nothing is taken is said on standard error."""
    loaded = load_manifest(patch)
    for each in loaded.untrusted:
        sys.stderr.write(f"{Message('cli', text=each).of(reader())}\n")
    return loaded


def _say(endpoint: str, token: str) -> None:
    sys.stdout.write(f"endpoint: {endpoint}\ntoken: {_told(token, *_VARIABLES)}\n")
    sys.stdout.flush()


def _told(token: str, *variables: str) -> str:
    """The token, unless whoever set it in a variable knows it."""
    variable = next((name for name in variables if os.environ.get(name)), None)
    return Message("cli-token", variable=variable).of(reader()) if variable else token

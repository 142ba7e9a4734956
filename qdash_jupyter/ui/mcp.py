"""`qdash-jupyter mcp`: our tools for other assistants."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from typing import TYPE_CHECKING

from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.ports import listening

if TYPE_CHECKING:
    from qdash_jupyter.ui.options import DataOptions

TOKEN_VARIABLE = "QDASH_COPILOT_MCP_TOKEN"  # noqa: S105 - the variable's name
PORT = 8817


def serve(options: DataOptions, port: int | None) -> None:
    """Serve the tools on these data: on standard input and output, or by HTTP on this machine where there is a port.

    Raises:
        PersonError: the data cannot be used, the port is taken, or the package for MCP is not installed.
    """
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.config.layers import load_manifest
    from qdash_jupyter.config.manifest import OFFLINE
    from qdash_jupyter.connect import connect
    from qdash_jupyter.connect.mcp_server import serve_http, serve_stdio
    from qdash_jupyter.store.store import FrameStore

    loaded = load_manifest(options.patch() | {"model": OFFLINE, "tool_sets": []})
    for each in loaded.untrusted:
        sys.stderr.write(f"{Message('cli', text=each).of(reader())}\n")
    parts = connect(loaded.manifest, Namespace({}), FrameStore(), demo=options.demo)
    try:
        if port is None:
            asyncio.run(serve_stdio(parts))
        else:
            token = os.environ.get(TOKEN_VARIABLE, "") or secrets.token_urlsafe(24)
            with listening(port) as door:
                _say(f"http://127.0.0.1:{door.getsockname()[1]}/mcp", token)
                asyncio.run(serve_http(parts, door, token))
    finally:
        parts.reader.close()


def _say(url: str, token: str) -> None:
    """Where it is, and the token unless whoever set it knows it."""
    known = Message("cli-token", variable=TOKEN_VARIABLE).of(reader()) if os.environ.get(TOKEN_VARIABLE) else token
    sys.stderr.write(f"MCP server: {url}\nBearer token: {known}\n")
    sys.stderr.flush()

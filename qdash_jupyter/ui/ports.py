"""Ports of this machine, for what serves others on it."""

from __future__ import annotations

import socket

from qdash_jupyter.errors import PersonError

_LAST_PORT = 65535


def listening(port: int) -> socket.socket:
    """A socket that listens on this port of 127.0.0.1; 0 is any that is free.

    Raises:
        PersonError: it cannot be used.
    """
    if not 0 <= port <= _LAST_PORT:
        raise PersonError(f"There is no port {port}.", f"Ports are numbers up to {_LAST_PORT}.")
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise PersonError(f"Port {port} cannot be used: {error.strerror}.", "Choose another --port.") from None

"""Ports of this machine, for what serves others on it."""

from __future__ import annotations

import socket

from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message

_LAST_PORT = 65535


def listening(port: int) -> socket.socket:
    """A socket that listens on this port of 127.0.0.1; 0 is any that is free.

    Raises:
        PersonError: it cannot be used.
    """
    if not 0 <= port <= _LAST_PORT:
        raise PersonError(Message("no-port", port=str(port)), Message("no-port-hint", most=str(_LAST_PORT)))
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise PersonError(
            Message("port-not-usable", port=str(port), why=str(error.strerror)), Message("choose-another-port")
        ) from None

"""The secret that a server of declared tools wants to see: read when a call is made, kept nowhere."""

from __future__ import annotations

import base64
from importlib.util import find_spec

from qdash_jupyter.config.keys import key_in
from qdash_jupyter.config.mask import note_secret
from qdash_jupyter.config.tool_sets import AuthenticationSection
from qdash_jupyter.errors import Unauthorized
from qdash_jupyter.messages.message import Message, Text


def missing_for(section: AuthenticationSection | None) -> Text:
    """Return what has to be installed before such a secret can be read; empty where nothing is missing."""
    if section is None or section.keyring is None or find_spec("keyring") is not None:
        return ""
    return Message("keyring-needs-package")


def authentication_headers(section: AuthenticationSection | None) -> dict[str, str]:
    """The header that holds the secret.

    Raises:
        Unauthorized: there is no secret, or none that can be sent.
    """
    return {} if section is None else header_of(section, secret_of(section))


def secret_of(section: AuthenticationSection) -> str:
    """The secret.

    Raises:
        Unauthorized: there is none, or none that can be sent.
    """
    place = Message("secret-in-keyring", name=section.keyring or "")
    if section.env:
        place = Message("secret-in-variable", name=section.env)
    secret = key_in(section.env).strip() if section.env else _of_keyring(section.keyring or "")
    if not secret:
        raise Unauthorized.with_hint("secret-missing", place=place)
    if not (secret.isascii() and secret.isprintable()):
        note_secret(secret)
        raise Unauthorized.with_hint("secret-not-sendable", place=place)
    return secret


def header_of(section: AuthenticationSection, secret: str) -> dict[str, str]:
    """The header that holds this secret, which no text shows from here on (`qdash_jupyter.config.mask`)."""
    note_secret(secret)
    if section.type == "header":
        return {section.header: secret}
    if section.type == "bearer":
        return {"Authorization": f"Bearer {secret}"}
    pair = base64.b64encode(f"{section.user}:{secret}".encode()).decode()
    note_secret(pair)
    return {"Authorization": f"Basic {pair}"}


def _of_keyring(place: str) -> str:
    """The secret at `service/user` in this machine's keyring; empty where there is none.

    Raises:
        Unauthorized: there is no keyring, or it cannot be read.
    """
    try:
        import keyring
    except ImportError:
        raise Unauthorized.with_hint("keyring-not-installed") from None
    service, _, user = place.rpartition("/")
    try:
        return (keyring.get_password(service, user) or "").strip()
    except Exception as error:  # noqa: BLE001 - of whatever keeps the keys on this machine
        raise Unauthorized.with_hint("keyring-unreadable", name=place, why=type(error).__name__) from None

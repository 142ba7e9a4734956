"""The secret that a server of declared tools wants to see: read when a call is made, kept nowhere."""

from __future__ import annotations

import base64
from importlib.util import find_spec

from qdash_jupyter.config.keys import key_in
from qdash_jupyter.config.mask import note_secret
from qdash_jupyter.config.tool_sets import AuthenticationSection
from qdash_jupyter.errors import Unauthorized


def missing_for(section: AuthenticationSection | None) -> str:
    """What has to be installed before such a secret can be read; empty where nothing is missing."""
    if section is None or section.keyring is None or find_spec("keyring") is not None:
        return ""
    return "its secret is in the keyring, which takes the package keyring: pip install 'qdash_jupyter[keyring]'."


def authentication_headers(section: AuthenticationSection | None) -> dict[str, str]:
    """The header that holds the secret. From here on no text shows it (`qdash_jupyter.config.mask`).

    Raises:
        Unauthorized: there is no secret, or none that can be sent.
    """
    if section is None:
        return {}
    place = f"the variable {section.env}" if section.env else f"the keyring's {section.keyring}"
    secret = key_in(section.env).strip() if section.env else of_keyring(section.keyring or "")
    if not secret:
        raise Unauthorized(f"There is no secret in {place}.", "The user has to put it there.")
    note_secret(secret)
    if not (secret.isascii() and secret.isprintable()):
        raise Unauthorized(f"The secret in {place} has characters that cannot be sent.", "Copy it once more.")
    if section.type == "basic":
        pair = base64.b64encode(f"{section.user}:{secret}".encode()).decode()
        note_secret(pair)
        return {"Authorization": f"Basic {pair}"}
    return {"Authorization": f"Bearer {secret}"} if section.type == "bearer" else {section.header: secret}


def of_keyring(place: str) -> str:
    """The secret at `service/user` in this machine's keyring; empty where there is none.

    Raises:
        Unauthorized: there is no keyring, or it cannot be read.
    """
    try:
        import keyring
    except ImportError:
        raise Unauthorized("The secret is in a keyring.", "pip install 'qdash_jupyter[keyring]'") from None
    service, _, user = place.rpartition("/")
    try:
        return (keyring.get_password(service, user) or "").strip()
    except Exception as error:  # noqa: BLE001 - of whatever keeps the keys on this machine
        message = f"The keyring's {place} cannot be read ({type(error).__name__})."
        raise Unauthorized(message, "The user has to unlock it.") from None

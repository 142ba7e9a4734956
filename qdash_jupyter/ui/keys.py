"""Asks for a key, without showing it."""

from __future__ import annotations

from qdash_jupyter.config.keys import keep_key
from qdash_jupyter.errors import PersonError


def ask_for_key(variable: str) -> bool:
    """Let the user type the key that stands for an environment variable, and say whether there was one.

    Raises:
        PersonError: nobody can type here.
    """
    from getpass import getpass

    from IPython.core.error import StdinNotImplementedError

    try:
        key = getpass(f"Key in place of {variable}, kept until the kernel ends: ")
    except (StdinNotImplementedError, EOFError, OSError):
        raise PersonError("There is no key, and nobody can type one here.", f"Set {variable}.") from None
    if key.strip():
        keep_key(variable, key.strip())
    return bool(key.strip())

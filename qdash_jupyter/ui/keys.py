"""Asks for keys, without showing them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from qdash_jupyter.config.keys import keep_key
from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from qdash_jupyter.tool_sets.mcp.sign_in import WantedKey


def ask_for_key(variable: str) -> bool:
    """Let the user type the key that stands for an environment variable, and say whether there was one.

    Raises:
        PersonError: nobody can type here.
    """
    if key := _typed(Message("key-prompt", variable=variable), variable):
        keep_key(variable, key)
    return bool(key)


def ask_for_keys(wanted: Sequence[WantedKey]) -> dict[str, str]:
    """Let the user type the keys of servers that refused us, one after the other; an empty one is left out.

    Raises:
        PersonError: nobody can type here.
    """
    keys: dict[str, str] = {}
    for place, each in enumerate(wanted, 1):
        server, count = printable(f"{each.server}, {each.address}"), len(wanted)
        prompt = Message("key-prompt-mcp", server=server, variable=each.variable, place=place, count=count)
        if key := keys.get(each.variable) or _typed(prompt, each.variable):
            keys[each.variable] = key
    return keys


@contextmanager
def kept_terminal() -> Iterator[None]:
    """In the end the terminal shows again what is typed: an interrupt leaves the thread that asks at its prompt."""
    if not sys.stdin.isatty() or find_spec("termios") is None:
        yield
        return
    import termios

    before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def _typed(prompt: Message, variable: str) -> str:
    from getpass import getpass

    from IPython.core.error import StdinNotImplementedError

    try:
        return getpass(f"{prompt.of(reader())} ").strip()
    except (StdinNotImplementedError, EOFError, OSError):
        raise PersonError.with_hint("no-key-here", name=variable) from None

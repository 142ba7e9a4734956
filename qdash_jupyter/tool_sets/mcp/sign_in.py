"""Keys for servers that want one: asked for together, once, and kept in this process's memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from qdash_jupyter.config.keys import keep_key
from qdash_jupyter.domain.work import Work, current_work
from qdash_jupyter.errors import PersonError
from qdash_jupyter.tools.background import in_background

_TOGETHER_S = 0.2
"""Calls run side by side: so long after the first refusal the others are waited for."""


@dataclass(frozen=True, slots=True)
class WantedKey:
    """A server that refused us, and the variable in place of which its key is kept."""

    server: str
    address: str
    variable: str


AskForKeys: TypeAlias = Callable[[Sequence[WantedKey]], Mapping[str, str]]
"""Asks the user for these keys, on any thread; gives those that they typed, by variable."""


class SignIn:
    """Collects the servers that refuse us, and asks once for all of them. On the loop of the sessions."""

    def __init__(self, ask: AskForKeys | None) -> None:
        """`ask` is None where nobody can be asked."""
        self._ask = ask
        self._wanted: set[WantedKey] = set()
        self._asking: asyncio.Task[frozenset[str]] | None = None

    async def signed_in(self, wanted: WantedKey) -> bool:
        """Whether the user gave a key for this server. The time limit of the call that asks stands still meanwhile."""
        if self._ask is None:
            return False
        self._wanted.add(wanted)
        if self._asking is None:
            self._asking = asyncio.create_task(self._asked_for_all())
        call = current_work() or Work()  # that of the thread which waits for this coroutine
        call.is_held = True
        try:
            return wanted.variable in await asyncio.shield(self._asking)
        finally:
            call.is_held = False

    async def _asked_for_all(self) -> frozenset[str]:
        await asyncio.sleep(_TOGETHER_S)
        wanted, self._wanted, self._asking = self._wanted, set(), None
        if self._ask is None:
            return frozenset()
        try:
            # On a daemon thread: a pool's would be joined at exit, and who is asked may have left.
            keys = await in_background(partial(self._ask, sorted(wanted, key=lambda one: one.server)), "qdash-sign-in")
        except PersonError:  # nobody can type here
            return frozenset()
        for variable, key in keys.items():
            keep_key(variable, key)
        return frozenset(keys)

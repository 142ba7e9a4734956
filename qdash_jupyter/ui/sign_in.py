"""Asks in the panel for the keys of servers that refused us: one card for all of them. The keys only pass through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING

from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.tool_sets.mcp.sign_in import WantedKey

PATIENCE_S = 600.0


class SignInCard:
    """Whoever asks waits; the first answer is everybody's. From any thread."""

    def __init__(
        self, can_be_asked: Callable[[], bool], changed: Callable[[], None], patience_s: float = PATIENCE_S
    ) -> None:
        """`can_be_asked` says whether somebody sees the card, `changed` hears that it is another one, or gone; after
        `patience_s` nobody is waited for any more.
        """
        self._can_be_asked = can_be_asked
        self._changed = changed
        self._patience_s = patience_s
        self._lock = Lock()
        self._wanted: tuple[WantedKey, ...] = ()
        self._answer: Future[Mapping[str, str]] | None = None

    @property
    def servers(self) -> list[panel.SignInServer]:
        """What the card asks for: one key a variable, also where several servers have it."""
        variables = dict.fromkeys(each.variable for each in self._wanted)
        of = {name: [each for each in self._wanted if each.variable == name] for name in variables}
        return [
            {
                "server": ", ".join(each.server for each in those),
                "address": ", ".join(each.address for each in those),
                "variable": variable,
            }
            for variable, those in of.items()
        ]

    def ask(self, wanted: Sequence[WantedKey]) -> dict[str, str]:
        """The keys that the user typed, by variable (see `qdash_jupyter.tool_sets.mcp.sign_in.AskForKeys`). Blocks."""
        if not self._can_be_asked():
            return {}
        with self._lock:
            answer = self._answer = self._answer or Future()
            self._wanted = tuple(dict.fromkeys((*self._wanted, *wanted)))
        self._changed()
        try:
            keys = answer.result(self._patience_s)
        except TimeoutError:
            keys = {}
            self._settle(answer, keys)
        return {each.variable: key for each in wanted if (key := keys.get(each.variable))}

    def answer(self, keys: Mapping[str, str]) -> None:
        """The user typed these, or wants to go on without.

        Raises:
            PersonError: nobody waits for them any more.
        """
        if not self._settle(self._answer, {variable: key.strip() for variable, key in keys.items()}):
            raise PersonError(Message("keys-not-wanted"), Message("ask-again"))

    def dismiss(self) -> None:
        """Nobody needs the keys any more, or nobody will type them."""
        self._settle(self._answer, {})

    def _settle(self, answer: Future[Mapping[str, str]] | None, keys: Mapping[str, str]) -> bool:
        with self._lock:
            if answer is None or answer is not self._answer:
                return False
            self._answer, self._wanted = None, ()
        answer.set_result(keys)
        self._changed()
        return True

"""A person, the product as `open_copilot` makes it, and a scripted model behind a server: the trial, played again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.session.copilot import Copilot
from tests.scripted_server import Script, ScriptedServer, call_turn, text_turn
from tests.session.conversation import reader_of

Told: TypeAlias = list[dict[str, Any]]
"""What the model has read of its calls so far, oldest first."""
Round: TypeAlias = tuple[tuple[str, Mapping[str, Any]], ...]
"""Calls that the model makes at once."""
Says: TypeAlias = Callable[[Told], str]
"""Makes the model's answer of what it has read, so that the answer is right only where that is."""

ANALYSIS = "execute_python_analysis"


def told_in(body: Mapping[str, Any]) -> Told:
    """The results of calls in a request, of either API, those of earlier questions too."""
    if "input" in body:
        return [json.loads(item["output"]) for item in body["input"] if item.get("type") == "function_call_output"]
    return [json.loads(message["content"]) for message in body["messages"] if message["role"] == "tool"]


def cell(code: str) -> tuple[str, Mapping[str, Any]]:
    """The call that runs this code."""
    return ANALYSIS, {"code": code}


@dataclass(frozen=True)
class Trial:
    """One conversation; each question has its own script."""

    copilot: Copilot
    shell: InteractiveShell
    server: ScriptedServer

    def ask(self, question: str, *rounds: Round, says: Says = lambda _: "Done.") -> Answer:
        """Ask; the model makes these calls, round by round, and then answers."""
        self.server.add(*(call_turn(*calls) for calls in rounds), self._answering(says))
        return self.copilot.ask(question)

    @property
    def told(self) -> Told:
        """What the model had read when it gave its last answer."""
        return told_in(self.server.requests[-1].body)

    @property
    def sent(self) -> str:
        """The last request, as text."""
        return json.dumps(self.server.requests[-1].body, ensure_ascii=False)

    def _answering(self, says: Says) -> Callable[[dict[str, Any]], Script]:
        def turn(body: dict[str, Any]) -> Script:
            blocks = [{"type": "text", "content": says(told_in(body)), "chart": None}]
            return text_turn(json.dumps({"blocks": blocks, "assessment": None}))

        return turn


@contextmanager
def trial(shell: InteractiveShell, snapshot: Path, *, style: str = "responses", **settings: Any) -> Iterator[Trial]:
    """Open the product on a snapshot, with a model that is spoken to in this API."""
    with ScriptedServer(responses=style == "responses") as server:
        model = {"name": "strong-model", "base_url": server.base_url, "api_style": style}
        layers = {"model": "strong", "models": {"strong": model}} | settings
        copilot = open_copilot(shell, settings=layers, reader=reader_of(snapshot))
        try:
            yield Trial(copilot, shell, server)
        finally:
            copilot.close()

"""What the panel says when the copilot itself fails in the background: never that it is still reading."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import DatabaseUnreachable
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.ui.screen import Screen
from tests.patience import PATIENCE_S

DEFECT = RuntimeError("a defect of ours")
DEFECT_IN_WORDS = "Something went wrong inside the copilot. Details are in its log."


class Broken:
    """A conversation in which everything that the screen asks for fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def parts(self) -> Any:
        raise self.error


def shown(work: Callable[[Screen, Conversation], Awaitable[None]], error: Exception) -> JsonObject:
    """The state that a view which joins afterwards gets."""
    messages: list[JsonObject] = []

    async def play() -> None:
        joined = asyncio.Event()

        def send(message: JsonObject) -> None:
            messages.append(message)
            if message["type"] == "snapshot":
                joined.set()

        screen = Screen("an instance", send)
        await work(screen, cast("Conversation", Broken(error)))
        screen.resync()
        await asyncio.wait_for(joined.wait(), PATIENCE_S)
        screen.close()

    asyncio.run(play())
    state: JsonObject = [message for message in messages if message["type"] == "snapshot"][-1]["state"]
    return state


@pytest.mark.parametrize(
    ("error", "said"), [(DEFECT, DEFECT_IN_WORDS), (DatabaseUnreachable("No database.", "Start it."), "No database.")]
)
def test_results_that_cannot_be_read(error: Exception, said: str, caplog: pytest.LogCaptureFixture) -> None:
    results = shown(lambda screen, conversation: screen.find(conversation, "T1 Q07"), error)["results"]
    assert results["state"] == "failed"
    assert said in results["message"]
    assert results["words"] == "T1 Q07"
    assert ("a defect of ours" in caplog.text) == (error is DEFECT)


@pytest.mark.parametrize(
    ("error", "said"), [(DEFECT, DEFECT_IN_WORDS), (DatabaseUnreachable("No database.", "Start it."), "No database.")]
)
def test_a_database_that_cannot_be_connected_to(error: Exception, said: str) -> None:
    about = shown(lambda screen, conversation: screen.greet(conversation), error)["about"]
    assert (about["state"], about["message"]) == ("failed", said)

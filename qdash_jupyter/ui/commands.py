"""What a person can do from the panel: ask, stop, begin anew, fetch a table again, ask a question again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from qdash_jupyter.domain.wire import Ask, Fetch, New, PageMessage, Retry, Stop
from qdash_jupyter.errors import CopilotBusy, CopilotError, PersonError
from qdash_jupyter.session import AskedFrom

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from qdash_jupyter.domain.tool_call import ToolResult
    from qdash_jupyter.session import Copilot


class CommandTarget(Protocol):
    """What the commands change."""

    @property
    def copilot(self) -> Copilot:
        """The conversation of now."""
        ...

    def conversation_changed(self) -> None:
        """It was begun anew."""
        ...

    def fetched(self, turn_id: str, call_id: str, result: ToolResult) -> None:
        """The table of a step is there again."""
        ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine on the agent's loop."""
        ...


class Answers(Protocol):
    """Sends a message back to whoever sent the command."""

    def __call__(self, kind: str, **fields: Any) -> None:
        """`kind` is the message's type."""
        ...


def perform(target: CommandTarget, message: PageMessage, client_id: str | None, answer: Answers) -> None:
    """Do what the message says and acknowledge it at once; what goes on is shown by the panel's state."""
    of = message.ask_id if isinstance(message, Ask) else getattr(message, "n", 0)
    try:
        turn_id = _do(target, message, client_id)
    except CopilotError as error:
        _refuse(answer, of, error)
    else:
        answer("ack", of=of, ok=True, turn_id=turn_id, message="")
    if isinstance(message, Fetch):
        target.spawn(_fetch(target, message, answer))


def _do(target: CommandTarget, message: PageMessage, client_id: str | None) -> str | None:
    copilot = target.copilot
    if isinstance(message, Ask):
        asked_from = AskedFrom(client_id, message.active_cell_id, message.ask_id)
        return copilot.start(message.text, asked_from=asked_from).turn_id
    if isinstance(message, Retry):
        asked_from = AskedFrom(client_id, message.active_cell_id, message.ask_id)
        return copilot.retry(message.turn_id, asked_from=asked_from).turn_id
    if isinstance(message, Stop):
        running = copilot.running
        if running is not None and message.turn_id in {None, running.turn_id}:
            running.stop()
            return running.turn_id
    elif isinstance(message, New):
        if copilot.running is not None:
            raise CopilotBusy("The last question is still running.", "Stop it first.")
        copilot.new()
        target.conversation_changed()
    return None


async def _fetch(target: CommandTarget, message: Fetch, answer: Answers) -> None:
    try:
        result = await target.copilot.fetch_again(message.turn_id, message.call_id)
        if result.failure is not None:
            raise PersonError(result.failure.message, result.failure.hint)
    except CopilotError as error:
        _refuse(answer, message.n, error)
    else:
        target.fetched(message.turn_id, message.call_id, result)


def _refuse(answer: Answers, of: str | int, error: CopilotError) -> None:
    answer("ack", of=of, ok=False, turn_id=None, message=str(error))

"""What the panel shows: the state of the conversation, sent to it as it changes. All on the agent's loop."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.events import AnswerReady, StampedEvent, TurnFailed
from qdash_jupyter.errors import CopilotError, DatabaseError, PersonError
from qdash_jupyter.messages.message import Message, Text, sentences
from qdash_jupyter.session.first_look import first_look
from qdash_jupyter.session.named import mentioned_data
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.ui.cost import spent_on
from qdash_jupyter.ui.display import model_choices
from qdash_jupyter.ui.panel_state.blocks import sendable
from qdash_jupyter.ui.panel_state.frames import preview_of
from qdash_jupyter.ui.panel_state.state import CONNECTING, PanelState
from qdash_jupyter.ui.sender import PanelSender

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.session.conversation import Conversation
    from qdash_jupyter.session.parts import Parts
    from qdash_jupyter.session.turn import Turn

logger = logging.getLogger(__name__)

_FAILED = Message("defect")
_MOST_CHIPS = 100
_NO_PREVIEW: panel.Preview = {
    "key": "",
    "table": "",
    "state": "reading",
    "columns": [],
    "rows": [],
    "total_rows": 0,
    "total_columns": 0,
    "changed": False,
    "read": [],
    "message": "",
}
_NO_RESULTS: panel.Results = {"words": "", "state": "ready", "rows": [], "more": False, "message": ""}
_NO_CONVERSATIONS: panel.Conversations = {"words": "", "state": "ready", "rows": [], "message": ""}


class Screen(PanelSender):
    """Follows one conversation after the other and sends the panel what it shows."""

    def __init__(self, instance: str, send: Callable[[JsonObject], None]) -> None:
        """`send` sends one message to the panel."""
        self.state = PanelState(instance, self.changed)
        super().__init__(self.state, send)
        self._elements: list[panel.Mention] = []
        self._greeted: object = None

    def show(self, conversation: Conversation) -> None:
        """Show this conversation from its beginning."""
        self.state.load(conversation.turns, conversation.data)
        self.state.set("conversation", conversation.conversation_id)
        self.standing_changed(conversation)
        self._elements = []
        self.state.set("results", None)  # perhaps of another database
        self.state.set("spent", spent_on(conversation.turns[-1]) if conversation.turns else None)
        self.resync()

    def add(self, turn: Turn, event: StampedEvent) -> None:
        """Something happened in a turn."""
        self.state.add(turn, event)
        if isinstance(event.event, (AnswerReady, TurnFailed)):
            self.state.set("spent", spent_on(turn))

    def note(self, message: Text) -> None:
        """Say something about the conversation, beside what is in use; empty takes it back."""
        about = self.state.get("about")
        if about["state"] == "ready" and about["message"] != message:
            self.state.set("about", {**about, "message": message})

    async def preview(self, conversation: Conversation, key: str, table: str) -> None:
        """Show the first rows of a stored table; the one that was asked for last is shown."""

        def read() -> panel.Preview:
            try:
                return preview_of(conversation.data[key], table)
            except KeyError:
                raise PersonError(Message("result-gone")) from None

        reading: panel.Preview = {**_NO_PREVIEW, "key": key, "table": table}
        await self._look("preview", reading, read, Message("not-a-table", key=key))

    async def _look(
        self, place: str, reading: Mapping[str, Any], read: Callable[[], Mapping[str, Any]], defect: Text = _FAILED
    ) -> None:
        """Show in this place that something is being read, and then that, unless something else was asked for since."""
        self.state.set(place, reading)
        found = {**reading, "state": "ready", "message": ""}
        try:
            found |= await in_background(read, f"qdash-{place}")
        except PersonError as error:
            found |= {"rows": [], "state": "failed", "message": error.text}
        except Exception:
            logger.exception("What is looked at (%s) could not be read", place)
            found |= {"rows": [], "state": "failed", "message": defect}
        if self.state.get(place) is reading:
            self.state.set(place, found)

    async def refresh(self, conversation: Conversation, keys: Sequence[str]) -> None:
        """Fetch the results of these keys again, or all that are gone; one after the other, those that are under way
        already not once more.

        Raises:
            PersonError: some cannot be had; the message says which and why. The others are there.
        """
        calls = self.state.gone_calls()
        wanted = [key for key in keys or calls if key not in self.state.fetching]
        self.state.fetch(self.state.fetching.union(wanted))
        failed: list[Message] = []
        try:
            for key in wanted:
                try:
                    await self._again(conversation, key, calls)
                except CopilotError as error:
                    failed.append(Message("key-failed", key=key, problem=error.text))
                    if isinstance(error, DatabaseError):
                        break  # the others would fail as well
                finally:
                    self.state.fetch(self.state.fetching - {key})
        finally:
            self.state.fetch(self.state.fetching.difference(wanted))
        if failed:
            raise PersonError(sentences(*failed))

    async def _again(self, conversation: Conversation, key: str, calls: Mapping[str, tuple[str, str]]) -> None:
        if key in conversation.data:
            await in_background(conversation.data[key].refresh, "qdash-refresh")
        elif key in calls:
            self.state.refetched(*calls[key], await conversation.fetch_again(*calls[key]))
        else:
            raise PersonError.with_hint("result-gone")

    def agreed(self) -> None:
        """The user has seen what goes to the model's server."""
        about = self.state.get("about")
        if about["state"] == "ready":
            self.state.set("about", {**about, "look": None})

    def standing_changed(self, conversation: Conversation) -> None:
        """Something was approved for the whole conversation, or is not any more."""
        standing: list[panel.Standing] = [
            {"id": effect.id, "does": effect.does, "what": str(effect.what)}
            for effect in conversation.approvals.standing()
        ]
        self.state.set("standing", standing)

    def sign_in_changed(self, servers: list[panel.SignInServer]) -> None:
        """These servers wait for a key."""
        self.state.set("sign_in", sendable(servers) or None)

    async def greet(self, conversation: Conversation) -> None:
        """Connect in the background, and say what is in use or why nothing is."""
        self._greeted = None
        self.state.set("about", CONNECTING)
        try:
            about, starters = await in_background(partial(_in_use, conversation), "qdash-connect")
        except PersonError as error:
            self.state.set("about", {**CONNECTING, "state": "failed", "message": error.message, "hint": error.hint})
            return
        except Exception:
            logger.exception("What is in use could not be found out")
            self.state.set("about", {**CONNECTING, "state": "failed", "message": _FAILED})
            return
        self.state.set("starters", starters)
        self.state.set("about", about)
        self.note(conversation.history_problem)
        await self._complete(conversation)

    async def _complete(self, conversation: Conversation) -> None:
        """Show what questions are completed with, and the elements that they may name."""
        greeted = self._greeted = object()
        try:
            found = await in_background(lambda: conversation.parts().completions(), "qdash-completions")
        except Exception:
            logger.exception("Questions are not completed")  # and are answered as ever
            found = []
        if self._greeted is greeted:  # no other chip or model was chosen since
            self.state.set("completions", sendable(found))
            if found:
                await self.list_mentions(conversation)

    async def find(self, conversation: Conversation, words: str) -> None:
        """Look for results to choose from; what is found last asked for is shown."""
        reading = {**(self.state.get("results") or _NO_RESULTS), "words": words, "state": "reading", "message": ""}
        await self._look("results", reading, lambda: conversation.parts().offered_results(words))

    async def list_mentions(self, conversation: Conversation) -> None:
        """Show what a question may name: data at once, the chip's elements as soon as the database has told them."""
        data = sendable(mentioned_data(conversation.kernel.namespace, conversation.data))
        self.state.set("mentions", [*data, *self._elements])
        if (parts := conversation.workbench.connected) is None:
            return
        try:
            self._elements = sendable(await in_background(parts.mentioned_elements, "qdash-mentions"))
        except PersonError:
            self._elements = []  # whoever asks is told
        except Exception:
            logger.exception("The chip's elements could not be read")
            return
        self.state.set("mentions", [*data, *self._elements])

    async def list_kept(self, words: str | None = None) -> None:
        """Show the conversations on disk that fit the words; None are those that were looked for last."""
        from qdash_jupyter.session.kept import KeptConversations

        before: Mapping[str, Any] = self.state.get("conversations") or _NO_CONVERSATIONS
        reading = {**before, "words": before["words"] if words is None else words, "state": "reading", "message": ""}

        def read() -> JsonObject:
            return {"rows": sendable(KeptConversations().listed(reading["words"]))}

        await self._look("conversations", reading, read)


def _in_use(conversation: Conversation) -> tuple[panel.About, list[panel.Starter]]:
    parts, status = conversation.parts(), conversation.status()
    about: panel.About = {
        **CONNECTING,
        "state": "ready",
        "database": status.database,
        "chip": "" if status.at is None else sendable(status.at.chip_id),
        "project": "" if status.at is None else sendable(status.at.project_id),
        "qubits": status.qubits,
        "model": status.model,
        "endpoint": status.endpoint,
        "is_language_model": status.is_language_model,
        "sees": status.sees,
        "problems": status.problems,
        "code": status.code,
        "greeting": status.greeting,
        "models": model_choices(parts),
        "look": None if parts.is_of_code else first_look(parts.manifest),
        "chips": _chips(parts),
        "issues": [
            {"stage": one.stage, "name": sendable(one.name), "message": sendable(one.message), "hard": one.is_hard}
            for one in status.issues
        ],
    }
    return about, parts.starters()


def _chips(parts: Parts) -> list[panel.ChipChoice]:
    current = parts.chip_id
    chips: list[panel.ChipChoice] = [
        {
            "id": sendable(chip.ref.chip_id),
            "project": sendable(chip.ref.project_id),
            "qubits": chip.size,
            "status": sendable(chip.activity_status),
            "current": chip.ref.chip_id == current,
        }
        for chip in parts.reader.chips(parts.manifest.database.project)
    ]
    return chips if len(chips) <= _MOST_CHIPS else []

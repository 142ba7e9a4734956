"""The log of the conversation that goes on: opened when it is known which one that is, then written."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message

if TYPE_CHECKING:
    from qdash_jupyter.agent.transcript import Transcript
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.domain.events import StampedEvent
    from qdash_jupyter.session.journal import Journal
    from qdash_jupyter.session.records import Past, TurnBegan

    OpenJournal: TypeAlias = Callable[[str | None, Path | None], Journal]
    """Opens the log of a conversation, by its id and its notebook's path (see `Journal.open`). May block."""

logger = logging.getLogger("qdash_jupyter")


class History:
    """What is on disk of a conversation. Without an opener nothing is."""

    def __init__(self, opener: OpenJournal | None, changing: Lock) -> None:
        """Nothing is opened yet. `changing` is held whenever the conversation becomes another one."""
        self._opener = opener
        self._changing = changing
        self._folder = _working_folder()
        self.journal: Journal | None = None
        """The log that is written; None as long as none is open."""
        self._opening = Lock()
        self._begins_anew = False
        self._path: str | None = None  # of the notebook, as its page told

    @property
    def awaits_opening(self) -> bool:
        """Whether there is a log to be opened."""
        return self.journal is None and self._opener is not None

    @contextmanager
    def opening(self, conversation_id: str | None, path: str | None) -> Iterator[Past | None]:
        """Open the log and give what an earlier kernel wrote, to be taken up in the `with` block; None where that was
        done before. Blocks.

        Args:
            conversation_id: what the notebook's metadata say.
            path: the notebook's path on the server.
        """
        with self._opening:
            if not self.awaits_opening:
                yield None
                return
            self._path = path
            journal = self._opened(conversation_id, path)
            with self._changing:
                if self._begins_anew:
                    journal.close()
                    journal = journal.successor()
                yield journal.past
                self.journal = journal

    def another(self, conversation_id: str) -> Journal:
        """The log of another conversation, for this notebook. Blocks.

        Raises:
            PersonError: nothing is kept here, or that one cannot be taken up.
        """
        if self._opener is None:
            raise PersonError.with_hint("no-history-here")
        journal = self._opened(conversation_id, self._path)
        if not journal.past.turns:
            why = journal.problem or Message("conversation-empty")
            journal.close()
            raise PersonError(why, Message("choose-another-conversation"))
        return journal

    def begin_anew(self) -> None:
        """Go on with an empty log; the old one stays. Under `changing`."""
        if self.journal is None:
            self._begins_anew = True
        else:
            self.replace(self.journal.successor())

    def replace(self, journal: Journal) -> None:
        """Go on with this log, when what there is of the old one is written. Under `changing`."""
        self.close()
        self.journal = journal

    def note(self, began: TurnBegan, stamped: StampedEvent, transcript: Transcript) -> None:
        """Write down what happened in a turn, and what the transcript has got since."""
        journal = self.journal
        if journal is None:
            return
        if stamped.seq == 1:
            journal.write(began)
        if items := transcript.since(transcript.in_log):
            from qdash_jupyter.session.records import ItemsAdded

            transcript.in_log += len(items)
            journal.write(ItemsAdded(began.turn_id, tuple(map(_without_pictures, items)), transcript.model))
        journal.write(stamped)

    def close(self) -> None:
        """Write what there is, and let go of the file."""
        if self.journal is not None:
            self.journal.close()

    def _opened(self, conversation_id: str | None, path: str | None) -> Journal:
        from qdash_jupyter.session.journal import Journal, notebook_path

        assert self._opener is not None  # noqa: S101 - `open` has looked
        try:
            return self._opener(conversation_id, notebook_path(self._folder, path))
        except Exception:
            # A mistake of ours about yesterday's conversation must not stand in the way of today's question.
            logger.exception("The conversation's log could not be opened")
            journal = Journal(None)
            journal.problem = Message("history-not-opened")
            return journal


def _without_pictures(item: JsonObject) -> JsonObject:
    """Pictures are megabytes: the log keeps their titles, which stand before them."""
    content = item.get("content")
    if not isinstance(content, list) or all(part.get("type") not in _NOT_KEPT for part in content):
        return item
    kept = [_NOT_KEPT.get(part.get("type"), part) for part in content]
    return {**item, "content": kept}


_NOT_KEPT: Mapping[object, JsonObject] = {
    kind: {"type": "input_text", "text": f"(The {name} is not kept in the conversation's log.)"}
    for kind, name in {"input_image": "picture", "input_file": "file"}.items()
}


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError:  # somebody has deleted it
        return Path("/")
